// SPDX-License-Identifier: GPL-3.0-or-later
/* A learned model at the prompt: :predict, whose judge is a GPT in plain loops, and how often tokens were seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listener.h"
#include "model/write.h"
#include "support.h"

Suite *predict_suite(void);

enum { V = 50257, P = 12, C = 8, L = 2, HEADS = 2, MOST_T = 40 };

/* ---- a model ---- */

static float wte[V * C], wpe[P * C], head[V * C];
static float params[L * (12 * C * C + 13 * C) + 2 * C];
static int64_t counts[V];
static const es_model_numbers numbers = {.config = {.vocab_size = V, .n_ctx = P, .n_embd = C},
                                         .sizes = {.n_layer = L, .n_head = HEADS, .n_embd = C},
                                         .wte = wte,
                                         .wpe = wpe,
                                         .blocks = params,
                                         .counts = counts};

static void random_floats(float *x, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)random_below(state, 20001) / 1e4F - 1;
}

static void make_numbers(void)
{
    uint64_t state = 11;
    random_floats(wte, V * C, &state);
    random_floats(head, V * C, &state);
    random_floats(wpe, P * C, &state);
    random_floats(params, sizeof params / sizeof *params, &state);
    for (int32_t id = 0; id < V; id++)
        counts[id] = id % 30;
}

static void write_model(const char *path, const float *output)
{
    es_error err = ES_ERROR_NONE;
    es_model_numbers n = numbers;
    n.head = output;
    ck_assert_works(es_model_write(path, &n, ES_STORE_F32, NULL, NULL, &err), err);
}

/* ---- the judge ---- */

static const float *part(const char *name)
{
    for (int i = 0; i < es_block_n_parts(&numbers.sizes); i++) {
        es_block_part p = es_block_part_at(&numbers.sizes, i);
        if (!strcmp(p.name, name))
            return params + p.offset;
    }
    ck_abort_msg("there is no %s", name);
}

static const float *layer_part(int layer, const char *name)
{
    char full[60];
    snprintf(full, sizeof full, "h.%d.%s", layer, name);
    return part(full);
}

static void layer_norm(double *out, const double *x, const float *weight, const float *bias)
{
    double mean = 0, variance = 0;
    for (int c = 0; c < C; c++)
        mean += x[c] / C;
    for (int c = 0; c < C; c++)
        variance += (x[c] - mean) * (x[c] - mean) / C;
    for (int c = 0; c < C; c++)
        out[c] = (x[c] - mean) / sqrt(variance + 1e-5) * (double)weight[c] + (double)bias[c];
}

static void linear(double *out, const double *x, const float *weight, const float *bias, int n_in,
                   int n_out)
{
    for (int o = 0; o < n_out; o++) {
        out[o] = (double)bias[o];
        for (int i = 0; i < n_in; i++)
            out[o] += x[i] * (double)weight[i * n_out + o];
    }
}

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static void attend(double *out, double qkv[][3 * C], int t)
{
    enum { D = C / HEADS };
    for (int h = 0; h < HEADS; h++) {
        double weight[MOST_T], sum = 0;
        for (int s = 0; s <= t; s++) {
            double dot = 0;
            for (int d = 0; d < D; d++)
                dot += qkv[t][h * D + d] * qkv[s][C + h * D + d];
            weight[s] = exp(dot / sqrt(D));
            sum += weight[s];
        }
        for (int d = 0; d < D; d++) {
            out[h * D + d] = 0;
            for (int s = 0; s <= t; s++)
                out[h * D + d] += weight[s] / sum * qkv[s][2 * C + h * D + d];
        }
    }
}

static void one_block(double x[][C], int T, int l)
{
    static double qkv[MOST_T][3 * C];
    double norm[C], gathered[C], wide[4 * C], add[C];
    for (int t = 0; t < T; t++) {
        layer_norm(norm, x[t], layer_part(l, "ln_1.weight"), layer_part(l, "ln_1.bias"));
        linear(qkv[t], norm, layer_part(l, "attn.c_attn.weight"), layer_part(l, "attn.c_attn.bias"),
               C, 3 * C);
    }
    for (int t = 0; t < T; t++) {
        attend(gathered, qkv, t);
        linear(add, gathered, layer_part(l, "attn.c_proj.weight"),
               layer_part(l, "attn.c_proj.bias"), C, C);
        for (int c = 0; c < C; c++)
            x[t][c] += add[c];
        layer_norm(norm, x[t], layer_part(l, "ln_2.weight"), layer_part(l, "ln_2.bias"));
        linear(wide, norm, layer_part(l, "mlp.c_fc.weight"), layer_part(l, "mlp.c_fc.bias"), C,
               4 * C);
        for (int i = 0; i < 4 * C; i++)
            wide[i] = gelu(wide[i]);
        linear(add, wide, layer_part(l, "mlp.c_proj.weight"), layer_part(l, "mlp.c_proj.bias"),
               4 * C, C);
        for (int c = 0; c < C; c++)
            x[t][c] += add[c];
    }
}

/* p of each of the V tokens after x. */
static void judge(double *p, double x[][C], int T, const float *output)
{
    double hidden[C], sum = 0;
    for (int l = 0; l < L; l++)
        one_block(x, T, l);
    layer_norm(hidden, x[T - 1], part("ln_f.weight"), part("ln_f.bias"));
    for (int id = 0; id < V; id++) {
        p[id] = 0;
        for (int c = 0; c < C; c++)
            p[id] += hidden[c] * (double)output[id * C + c];
        p[id] = exp(p[id]);
        sum += p[id];
    }
    for (int id = 0; id < V; id++)
        p[id] /= sum;
}

/* ---- a session ---- */

static listener heard;
static atomic_bool interrupt;

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

static void open_session(const char *model)
{
    const es_session_options o = {.model = model, .settings.pad = -1, .interrupt = &interrupt};
    listener_close(&heard);
    listener_open(&heard, &o);
}

static void setup(void)
{
    char *folder = fresh_folder();
    calm_environment();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    make_numbers();
    write_model("small.safetensors", NULL);
    open_session("small.safetensors");
}

static void teardown(void)
{
    listener_close(&heard);
}

static json_t *answer(void)
{
    return listener_answer(&heard);
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
}

/* Rows of an answer are the likeliest by the judge, in order, with their p. */
static void check_rows(const json_t *rows, const double *p, size_t n)
{
    double before = 2, missed = 0;
    ck_assert_uint_eq(json_array_size(rows), n);
    static bool listed[V];
    memset(listed, 0, sizeof listed);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        int64_t id = json_integer_value(json_object_get(row, "id"));
        double got = json_real_value(json_object_get(row, "p"));
        demand(id >= 0 && id < V && !listed[id], "row %zu has id %d", i, (int)id);
        demand(fabs(got - p[id]) < 2e-5 * p[id], "row %zu: p %g, not %g", i, got, p[id]);
        demand(got <= before, "row %zu is likelier than the one before", i);
        listed[id] = true;
        before = got;
    }
    for (int id = 0; id < V; id++)
        if (!listed[id])
            missed = fmax(missed, p[id]);
    ck_assert(missed <= before * (1 + 2e-5));
}

/* The judge's p after sentence b of the last text, by the x that is shown. */
static double *judged(int64_t b, const float *output)
{
    static double p[V], x[MOST_T][C];
    es_text *t = es_session_text(heard.session);
    const es_sentence *s = &t->sentences->of[b];
    es_error err = ES_ERROR_NONE;
    const es_embedded *e = es_text_vectors(t, &err);
    ck_assert_works(e != NULL, err);
    const float *shown_x = (const float *)e->x.buf->mem + e->x.offset;
    for (int64_t i = 0; i < (int64_t)s->tokens.n; i++)
        for (int64_t c = 0; c < C; c++)
            x[i][c] = (double)shown_x[(b * es_text_T(t) + s->at + i) * C + c];
    judge(p, x, (int)s->tokens.n, output);
    return p;
}

/* ---- what it says ---- */

START_TEST(the_likeliest_tokens_are_those_of_plain_loops)
{
    run("The capital of France is");
    ck_assert_int_eq(run(":predict"), ES_DONE);
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "predict");
    check_rows(json_object_get(o, "rows"), judged(0, wte), 10);
    json_decref(o);
    ck_assert_int_eq(run(":predict 1000"), ES_DONE);
    o = answer();
    check_rows(json_object_get(o, "rows"), judged(0, wte), 1000);
    json_t *row = json_array_get(json_object_get(o, "rows"), 0);
    ck_assert_uint_eq(json_object_size(row), 4);
    ck_assert(json_is_string(json_object_get(row, "hex")));
    json_decref(o);
}
END_TEST

START_TEST(all_of_them_make_one)
{
    run("The cat");
    run(":predict 50257");
    json_t *o = answer(), *row;
    size_t i;
    double sum = 0;
    json_array_foreach(json_object_get(o, "rows"), i, row) sum +=
        json_real_value(json_object_get(row, "p"));
    ck_assert_double_eq_tol(sum, 1, 1e-5);
    json_decref(o);
}
END_TEST

START_TEST(an_output_matrix_of_its_own_is_used)
{
    write_model("head.safetensors", head);
    open_session("head.safetensors");
    run("The cat sat");
    run(":predict 5");
    json_t *o = answer();
    check_rows(json_object_get(o, "rows"), judged(0, head), 5);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "p = softmax(hidden @ lm_head.T)"));
    json_decref(o);
}
END_TEST

START_TEST(x_is_taken_as_it_is_shown)
{
    static const char *const positions[] = {":positions none", ":positions sinusoidal"};
    for (int i = 0; i < 2; i++) {
        run("one two three four five six seven eight nine ten one two three four five");
        run(positions[i]);
        ck_assert_int_eq(run(":predict 7"), ES_DONE);
        json_t *o = answer();
        check_rows(json_object_get(o, "rows"), judged(0, wte), 7);
        json_decref(o);
    }
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "positions sinusoidal, which the blocks were not trained with"));
}
END_TEST

/* Padding stands beside a sentence, on either side, and is never looked at. */
START_TEST(each_text_of_a_batch_goes_on_from_its_last_token)
{
    static const char *const sides[] = {":set pad-side right", ":set pad-side left"};
    for (int i = 0; i < 2; i++) {
        run(sides[i]);
        ck_assert_int_eq(run(":batch \"The cat sat\" \"\" \"Once upon a time\" \"a\""), ES_DONE);
        ck_assert_int_eq(run(":predict 4"), ES_DONE);
        json_t *o = answer(), *texts = json_object_get(o, "texts");
        ck_assert_uint_eq(json_array_size(texts), 4);
        for (size_t b = 0; b < 4; b++) {
            const json_t *rows = json_object_get(json_array_get(texts, b), "rows");
            if (b == 1)
                ck_assert_uint_eq(json_array_size(rows), 0);
            else
                check_rows(rows, judged((int64_t)b, wte), 4);
        }
        ck_assert_ptr_nonnull(strstr(heard.shown.s, "text 1, no tokens: nothing to go on from\n"));
        json_decref(o);
    }
}
END_TEST

START_TEST(predict_refuses_in_words)
{
    check_error(":predict", "value", "there is no text yet");
    run("The cat");
    check_error(":predict 0", "range",
                "how many tokens to show is a whole number from 1 to 50257, not \"0\"");
    check_error(":predict two", "value", "how many tokens to show is a whole number, not \"two\"");
    check_error(":predict 3 4", "usage", "the form is :predict [N]");
    run("one two three four five six seven eight nine ten one two three");
    check_error(":predict", "context_overflow",
                "Sequence length (13) exceeds maximum context window (12)");
    run(":batch \"\"");
    check_error(":predict", "value", "the last text has no tokens: there is nothing to go on from");
    open_session("untrained");
    run("The cat");
    check_error(":predict", "value",
                "model untrained has tables but no blocks, so x is where it ends");
    ck_assert_str_eq(heard.hint.s, "try: :model mini, which has them");
}
END_TEST

START_TEST(a_score_that_is_no_number_is_named)
{
    wte[3000 * C + 2] = NAN;
    write_model("nan.safetensors", NULL);
    open_session("nan.safetensors");
    run("The cat");
    check_error(":predict", "value", "token 3000 gets NaN as its score");
}
END_TEST

START_TEST(ctrl_c_stops_it)
{
    run("The cat");
    interrupt = true;
    check_error(":predict", "interrupted", "stopped by Ctrl-C");
    interrupt = false;
    ck_assert_int_eq(run(":predict"), ES_DONE);
}
END_TEST

START_TEST(predict_says_what_it_rests_on)
{
    run("The cat sat");
    run(":predict 3");
    ck_assert_str_eq(
        heard.shown.s,
        "model small: 2 blocks after x · the longest bar is the likeliest token's p\n"
        "after ␣sat at place 2:\n"
        "     p                        token            id  seen\n"
        "0.0011  ████████████████████  ␣ensures      19047    27\n"
        "0.0008  ██████████████▌       ␣Fell         21710    20\n"
        "0.0008  ██████████████▌       ␣overarching  43247    17\n"
        "0.9972 is left for the other 50,254 tokens\n"
        "as unsure as between 20,540 equally likely tokens (14.3 bits)\n"
        "p = softmax(hidden @ wte.T): hidden is what the blocks make of x at the last\n"
        "place, and its product with each of the 50,257 rows of wte is a token's score\n");
    heard.style.plain = true;
    run(":predict 3");
    ck_assert_str_eq(heard.shown.s, "model: small (wte small.safetensors, wpe small.safetensors)\n"
                                    "blocks: 2\npositions: learned\n"
                                    "p: softmax of hidden @ wte.T, rows 50257\n"
                                    "text 0: 3 tokens, the last \" sat\"\n"
                                    "row 1: text \" ensures\", id 19047, p 0.0011, seen 27\n"
                                    "row 2: text \" Fell\", id 21710, p 0.0008, seen 20\n"
                                    "row 3: text \" overarching\", id 43247, p 0.0008, seen 17\n"
                                    "entropy: 14.3 bits\np of all others: 0.9972\n");
}
END_TEST

/* ---- counts ---- */

static void has(const char *part)
{
    ck_assert_msg(strstr(es_str_text(&heard.shown), part) != NULL, "no \"%s\" in: %s", part,
                  es_str_text(&heard.shown));
}

static void lacks(const char *part)
{
    ck_assert_msg(!strstr(es_str_text(&heard.shown), part), "\"%s\" in: %s", part,
                  es_str_text(&heard.shown));
}

/* " cat" is 3797, counted 17 times; " dog" 3290, 20 times; " the" 262, 22 times; " king" 5822, twice. */
START_TEST(row_says_how_often_its_token_was_seen)
{
    run(":row \" cat\"");
    has(" · model small · seen 17 times in training\n"
        "␣cat was seen 17 times in training: its row is mostly chance\n");
    json_t *o = answer();
    ck_assert_int_eq(json_integer_value(json_object_get(o, "count")), 17);
    json_decref(o);
    run(":row \" dog\"");
    has("seen 20 times in training");
    lacks("chance");
    counts[3797] = 1;
    counts[3290] = 0;
    write_model("counted.safetensors", NULL);
    open_session("counted.safetensors");
    run(":row \" cat\"");
    has("␣cat was seen 1 time in training: its row is mostly chance\n");
    run(":row \" dog\"");
    has("␣dog was never seen in training: its row is chance\n");
}
END_TEST

START_TEST(a_text_names_the_tokens_hardly_seen)
{
    run("the dog dog");
    lacks("chance");
    run("the cat dog cat");
    has("␣cat was seen 17 times in training: its row is mostly chance\n");
    run("king cat man Monday three dog");
    has("hardly seen in training, so that their rows are mostly chance: king (4 times),\n"
        "␣cat (17 times), ␣man (12 times), … 1 more\n");
    run(":batch \"the dog\" \"the cat\"");
    has("␣cat was seen 17 times in training: its row is mostly chance\n");
    heard.style.plain = true;
    run("the cat");
    has("\" cat\" was seen 17 times in training: its row is mostly chance\n");
}
END_TEST

START_TEST(near_warns_of_rows_that_are_chance)
{
    run(":near \" cat\" top=5");
    has("nearest to ␣cat by cosine · seen 17 times in training");
    has("␣cat was seen 17 times in training: its row is mostly chance\n");
    has(" of these 5 were seen fewer than 20 times: that they are near is mostly chance\n");
    run(":near \" dog\" + \" the\" top=1");
    lacks("␣dog was");
    heard.style.plain = true;
    run(":near \" cat\" top=5");
    has("\" cat\" was seen 17 times in training: its row is mostly chance\n");
}
END_TEST

START_TEST(without_counts_nothing_is_said_of_them)
{
    static const char *const lines[] = {"the cat", ":row @1", ":near @1 top=3"};
    es_error err = ES_ERROR_NONE;
    es_model_numbers n = numbers;
    n.counts = NULL;
    ck_assert_works(es_model_write("plain.safetensors", &n, ES_STORE_F32, NULL, NULL, &err), err);
    open_session("plain.safetensors");
    for (int i = 0; i < 3; i++) {
        run(lines[i]);
        lacks("seen");
        ck_assert_ptr_null(strstr(heard.json.s, i < 2 ? "\"count\"" : "\"count\":0"));
    }
}
END_TEST

Suite *predict_suite(void)
{
    Suite *s = suite_create("predict");
    TCase *tc = tcase_create("predict");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, the_likeliest_tokens_are_those_of_plain_loops);
    tcase_add_test(tc, all_of_them_make_one);
    tcase_add_test(tc, an_output_matrix_of_its_own_is_used);
    tcase_add_test(tc, x_is_taken_as_it_is_shown);
    tcase_add_test(tc, each_text_of_a_batch_goes_on_from_its_last_token);
    tcase_add_test(tc, predict_refuses_in_words);
    tcase_add_test(tc, a_score_that_is_no_number_is_named);
    tcase_add_test(tc, ctrl_c_stops_it);
    tcase_add_test(tc, predict_says_what_it_rests_on);
    suite_add_tcase(s, tc);

    TCase *seen = tcase_create("counts");
    tcase_add_checked_fixture(seen, setup, teardown);
    tcase_set_timeout(seen, 60);
    tcase_add_test(seen, row_says_how_often_its_token_was_seen);
    tcase_add_test(seen, a_text_names_the_tokens_hardly_seen);
    tcase_add_test(seen, near_warns_of_rows_that_are_chance);
    tcase_add_test(seen, without_counts_nothing_is_said_of_them);
    suite_add_tcase(s, seen);
    return s;
}
