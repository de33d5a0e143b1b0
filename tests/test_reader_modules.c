// SPDX-License-Identifier: GPL-3.0-or-later
/* Modules as readers bring them, in the manners that are about (tests/data/modules): made, called, shapes only as
 * well; and one that fails in eight ways, each blamed on its line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "language.h"
#include "support.h"

Suite *reader_modules_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

/* All statements of a file, as :run has them. */
static void read_module(const char *name)
{
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    es_file f;
    es_str_add(&path, "tests/data/modules/%s", name);
    ck_assert_works(es_file_open(&f, path.s, &err), err);
    es_str source = {0};
    es_str_bytes(&source, (const char *)f.data, f.size);
    ck_assert_works(language_run(&l, es_str_text(&source)), l.err);
    es_str_free(&source);
    es_str_free(&path);
    es_file_close(&f);
}

/* Does that line of the file say that it is the one at fault? */
static bool is_marked(const char *name, int line)
{
    es_str command = {0};
    es_str_add(&command, "sed -n %dp tests/data/modules/%s | grep -q '# at fault$'", line, name);
    int status = system(command.s);
    es_str_free(&command);
    return status == 0;
}

typedef struct line {
    const char *source, *shown;
} line;

static void check_lines(const line *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = language_says(&l, of[i].source);
        demand(!strcmp(shown, of[i].shown), "%s\n  shows: %s\n  not:   %s", of[i].source, shown,
               of[i].shown);
    }
}

#define CHECK_LINES(...)                                                                           \
    do {                                                                                           \
        const line lines[] = {__VA_ARGS__};                                                        \
        check_lines(lines, sizeof lines / sizeof *lines);                                          \
    } while (0)

/* The shape of an expression's value, nothing computed. */
static void check_type(const char *source, const char *shape)
{
    es_str shown = {0};
    es_error err = ES_ERROR_NONE;
    es_unit *unit = es_parse(source, strlen(source), &err);
    es_value v;
    ck_assert_works(unit != NULL, err);
    ck_assert_works(es_interp_type(l.in, unit, &v, &err), err);
    if (v.kind == ES_V_TENSOR)
        es_shape_show(&shown, &es_value_as_tensor(&v)->shape);
    demand(!strcmp(es_str_text(&shown), shape), "%s is %s, not %s", source, es_str_text(&shown),
           shape);
    es_value_unref(&v);
    es_unit_unref(unit);
    es_str_free(&shown);
}

/* ---- six manners ---- */

START_TEST(a_decoder_with_tied_weights_and_two_ways_of_attention)
{
    read_module("decoder.py");
    CHECK_LINES({"m = Decoder(DecoderConfig()).eval()\nids2 = torch.randint(0, 50, (2, 7))", ""},
                {"m(ids2)[0].shape, m(ids2)[1]", "(torch.Size([2, 1, 50]), None)"},
                {"m(ids2, ids2)[0].shape, m(ids2, ids2)[1].shape",
                 "(torch.Size([2, 7, 50]), torch.Size([]))"},
                {"m.transformer.wte.weight is m.lm_head.weight", "True"},
                {"by_hand = Decoder(DecoderConfig(), fused=False).eval()\n"
                 "for a, b in zip(by_hand.parameters(), m.parameters()):\n    a.data.copy_(b);",
                 ""},
                {"torch.allclose(by_hand(ids2, ids2)[0], m(ids2, ids2)[0], atol=1e-5)", "True"},
                {"m.generate(ids2, 3, top_k=5).shape", "torch.Size([2, 10])"},
                {"m(torch.zeros(1, 20, dtype=torch.long))",
                 "error[value]: Cannot forward sequence of length 20, block size is only 16"});
    check_type("m(ids2)[0]", "[B=2, 1, 50]");
    check_type("m(ids2, ids2)[0]", "[B=2, T=7, 50]");
}
END_TEST

START_TEST(an_encoder_of_copied_layers)
{
    read_module("encoder.py");
    CHECK_LINES({"emb, enc, gen = make_model(50)\nids2 = torch.randint(0, 50, (2, 7))", ""},
                {"h = enc(emb(ids2), subsequent_mask(7))\nh.shape", "torch.Size([2, 7, 32])"},
                {"torch.allclose(gen(h).exp().sum(-1), torch.ones(2, 7))", "True"},
                {"one, two = enc.layers[0].self_attn, enc.layers[1].self_attn\n"
                 "one.linears[0].weight is two.linears[0].weight, one.attn.shape",
                 "(False, torch.Size([2, 4, 7, 7]))"},
                {"bool((one.attn.triu(1) == 0).all())", "True"},
                {"emb[1].pe.shape, emb[1].pe[0, 0, :4].tolist()",
                 "(torch.Size([1, 64, 32]), [0.0, 1.0, 0.0, 1.0])"});
    check_type("gen(enc(emb(ids2), subsequent_mask(7)))", "[B=2, T=7, 50]");
}
END_TEST

START_TEST(embeddings_of_words_places_and_segments)
{
    read_module("masked.py");
    CHECK_LINES(
        {"m = MaskedEmbeddings(Config()).eval()\nids2 = torch.randint(1, 50, (2, 7))", ""},
        {"m(ids2).shape, bool(m(ids2).mean(-1).abs().max() < 1e-5)",
         "(torch.Size([2, 7, 24]), True)"},
        {"torch.equal(m(inputs_embeds=m.word_embeddings(ids2)), m(ids2))", "True"},
        {"torch.equal(m(ids2, torch.ones(2, 7, dtype=torch.long)), m(ids2))", "False"},
        {"extended_mask(torch.tensor([[1, 0]]))[0, 0, 0, 1] == torch.finfo(torch.float32).min",
         "[] tensor(True)"},
        {"Config(colour=1)", "error[value]: unknown settings: colour"});
    check_type("m(ids2)", "[B=2, T=7, 24]");
}
END_TEST

START_TEST(rotary_positions_say_distances_only)
{
    read_module("rotary.py");
    CHECK_LINES({"b = RotaryBlock(0).eval()\nx0 = torch.randn(2, 7, 32)", ""},
                {"b(x0).shape, RotaryBlock(1, interleaved=True).eval()(x0).shape",
                 "(torch.Size([2, 7, 32]), torch.Size([2, 7, 32]))"},
                {"q, k = Rotary(8)(torch.ones(1, 1, 5, 8), torch.ones(1, 1, 5, 8))", ""},
                {"torch.allclose(q[0, 0, 1] @ k[0, 0, 3], q[0, 0, 2] @ k[0, 0, 4])", "True"});
    check_type("b(x0)", "[B=2, T=7, 32]");
}
END_TEST

START_TEST(distances_by_slopes_and_by_buckets)
{
    read_module("relative.py");
    CHECK_LINES({"a = RelativeAttention(32, 4).eval()\nx0 = torch.randn(2, 7, 32)", ""},
                {"a(x0).shape, RelativeAttention(32, 4, kind=\"buckets\")(x0).shape",
                 "(torch.Size([2, 7, 32]), torch.Size([2, 7, 32]))"},
                {"get_slopes(4).tolist()", "[0.25, 0.0625, 0.015625, 0.00390625]"},
                {"BucketBias._relative_position_bucket(torch.arange(-3, 4), num_buckets=8, "
                 "max_distance=16).tolist()",
                 "[2, 2, 1, 0, 5, 6, 6]"},
                {"RelativeAttention(32, 4, kind=\"none\")",
                 "error[value]: kind is one of ['buckets', 'linear'], not 'none'"});
    check_type("a(x0)", "[B=2, T=7, C=32]");
}
END_TEST

START_TEST(patches_by_unfold_and_by_reshape)
{
    read_module("patches.py");
    CHECK_LINES(
        {"p = PatchClassifier(num_classes=10, image_size=(16, 8)).eval()\n"
         "img = torch.arange(768.).view(1, 3, 16, 16) / 768",
         ""},
        {"p(img[..., :8]).shape, PatchClassifier(num_classes=10, pool=\"mean\")(img).shape",
         "(torch.Size([1, 10]), torch.Size([1, 10]))"},
        {"torch.equal(PatchEmbedding().cut(img), PatchEmbedding(by_unfold=False).cut(img))",
         "True"},
        {"PatchClassifier(num_classes=10, pool=\"max\")", "error[value]: pool is cls or mean"},
        {"PatchEmbedding(image_size=17)",
         "error[value]: Image dimensions must be divisible by the patch size."});
    check_type("p(img[..., :8])", "[B=1, 10]");
}
END_TEST

/* ---- one, and what goes wrong in it ---- */

START_TEST(every_fault_is_blamed_on_its_line)
{
    static const struct {
        const char *call;
        es_code code;
        const char *says, *line, *hint; /* hint: a part of it, or NULL */
    } faults[] = {
        {"PositionsElsewhere().to(\"sim\")(ids.to(\"sim\"))", ES_ERR_DEVICE,
         "the table is on sim and the ids are on cpu",
         "pos_emb = self.position_embeddings(positions)",
         "help: positions = torch.arange(0, T, device=ids.device).unsqueeze(0)"},
        {"HeadsUnmerged()(ids)", ES_ERR_VIEW, NULL, "return y.view(B, T, h * d)",
         "y.reshape(B, T, h * d)"},
        {"KeysUnturned()(ids)", ES_ERR_MATMUL, NULL, "scores = q @ turned", NULL},
        {"CountsSentences()(ids)", ES_ERR_BROADCAST, "the time axis differs, T=5 against B=2",
         "return tok_emb + pos_emb", NULL},
        {"WrongFeatures()(ids)", ES_ERR_MATMUL, NULL, "z = self.out(y)", NULL},
        {"UnevenHeads()(ids)", ES_ERR_VIEW,
         "[B=2, T=5, 32] holds 320 numbers, [2, 5, 5, 6] would hold 300",
         "return x.view(B, T, self.n_heads, size).transpose(1, 2)", NULL},
        {"FloatIds()(ids)", ES_ERR_DTYPE,
         "ids are whole numbers, int64 or int32, and these are float32",
         "return self.token_embeddings(halves)", "halves.long()"},
        {"IdsBeyond()(ids)", ES_ERR_INDEX_RANGE, NULL, "return self.token_embeddings(moved)",
         "the largest legal id is 49"},
    };
    read_module("faults.py");
    CHECK_LINES({"Layer()(ids).shape, PositionsElsewhere()(ids).shape",
                 "(torch.Size([2, 5, 32]), torch.Size([2, 5, 32]))"},
                {"Layer().to(\"sim\")(ids.to(\"sim\")).device.type", "'sim'"});
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bool ok = language_run(&l, faults[i].call);
        const es_error *e = &l.err;
        demand(!ok && e->code == faults[i].code, "%s: %s", faults[i].call,
               ok ? "works" : e->message);
        demand(!faults[i].says || !strcmp(e->message, faults[i].says), "%s says %s", faults[i].call,
               e->message);
        const char *source = e->n_within ? e->within[0].source : "";
        demand(!strncmp(source, faults[i].line, strlen(faults[i].line)) &&
                   is_marked("faults.py", e->within[0].line),
               "%s is blamed on: %s", faults[i].call, source);
        demand(!faults[i].hint || (e->hint && strstr(e->hint, faults[i].hint)), "%s hints: %s",
               faults[i].call, e->hint ? e->hint : "nothing");
    }
}
END_TEST

START_TEST(shapes_only_the_faults_are_found_as_well)
{
    static const char *const calls[] = {"PositionsElsewhere().to(\"sim\")(ids.to(\"sim\"))",
                                        "HeadsUnmerged()(ids)",
                                        "KeysUnturned()(ids)",
                                        "CountsSentences()(ids)",
                                        "WrongFeatures()(ids)",
                                        "UnevenHeads()(ids)",
                                        "FloatIds()(ids)"};
    read_module("faults.py");
    es_interp_torch(l.in)->shapes_only = true;
    CHECK_LINES({"Layer()(ids).shape", "torch.Size([2, 5, 32])"});
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool ok = language_run(&l, calls[i]);
        int at = !ok && l.err.n_within ? l.err.within[0].line : 0;
        demand(is_marked("faults.py", at), "%s: %s", calls[i], ok ? "works" : l.err.message);
    }
}
END_TEST

Suite *reader_modules_suite(void)
{
    Suite *s = suite_create("reader_modules");
    TCase *tc = tcase_create("manners");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_decoder_with_tied_weights_and_two_ways_of_attention);
    tcase_add_test(tc, an_encoder_of_copied_layers);
    tcase_add_test(tc, embeddings_of_words_places_and_segments);
    tcase_add_test(tc, rotary_positions_say_distances_only);
    tcase_add_test(tc, distances_by_slopes_and_by_buckets);
    tcase_add_test(tc, patches_by_unfold_and_by_reshape);
    tcase_add_test(tc, every_fault_is_blamed_on_its_line);
    tcase_add_test(tc, shapes_only_the_faults_are_found_as_well);
    suite_add_tcase(s, tc);
    return s;
}
