// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors on two devices: what refuses to mix them, what may, and where results are. */
#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "support.h"

Suite *devices_suite(void);

static language l;

/* The device beside the cpu: "sim", or a GPU whose memory the host cannot read. */
static const char *device;

static void setup(void)
{
    language_begin(&l);
    device = "sim";
}

static void setup_gpu(void)
{
    language_begin(&l);
    language_has_far(&l);
    device = "gpu";
}

/* A text written for sim, for that device; to be freed. */
static es_str for_device(const char *text)
{
    es_str s = {0};
    for (const char *at; (at = strstr(text, "sim")); text = at + 3) {
        es_str_bytes(&s, text, (size_t)(at - text));
        es_str_cat(&s, at[3] == 'i' ? "sim" : device); /* similarity */
    }
    es_str_cat(&s, text);
    return s;
}

static bool run(const char *source)
{
    es_str s = for_device(source);
    bool ok = language_run(&l, s.s);
    es_str_free(&s);
    return ok;
}

static const char *says(const char *source)
{
    es_str s = for_device(source);
    const char *shown = language_says(&l, s.s);
    es_str_free(&s);
    return shown;
}

static void teardown(void)
{
    language_end(&l);
}

/* x and y, both (2, 3), on these devices. */
static void place(const char *x, const char *y)
{
    es_str s = {0};
    es_str_add(&s,
               "x = torch.arange(6.).view(2, 3).to(\"%s\")\n"
               "y = torch.arange(6.).view(2, 3).to(\"%s\")\n",
               x, y);
    ck_assert_works(run(s.s), l.err);
    es_str_free(&s);
}

/* All that takes two tensors, x and y. */
static const char *const mixed[] = {
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "x // y",
    "x % y",
    "x ** y",
    "x < y",
    "x <= y",
    "x > y",
    "x >= y",
    "x == y",
    "x != y",
    "x.long() & y.long()",
    "x.long() | y.long()",
    "x.long() ^ y.long()",
    "x.long() << y.long()",
    "x.long() >> y.long()",
    "x @ y.T",
    "torch.add(x, y)",
    "torch.sub(x, y)",
    "torch.subtract(x, y)",
    "torch.mul(x, y)",
    "torch.multiply(x, y)",
    "torch.div(x, y)",
    "torch.divide(x, y)",
    "torch.true_divide(x, y)",
    "torch.floor_divide(x, y)",
    "torch.remainder(x, y)",
    "torch.pow(x, y)",
    "torch.atan2(x, y)",
    "torch.maximum(x, y)",
    "torch.minimum(x, y)",
    "torch.bitwise_and(x.long(), y.long())",
    "torch.bitwise_or(x.long(), y.long())",
    "torch.bitwise_xor(x.long(), y.long())",
    "torch.bitwise_left_shift(x.long(), y.long())",
    "torch.bitwise_right_shift(x.long(), y.long())",
    "torch.eq(x, y)",
    "torch.ne(x, y)",
    "torch.lt(x, y)",
    "torch.le(x, y)",
    "torch.gt(x, y)",
    "torch.ge(x, y)",
    "torch.logical_and(x, y)",
    "torch.logical_or(x, y)",
    "torch.logical_xor(x, y)",
    "torch.isclose(x, y)",
    "torch.allclose(x, y)",
    "torch.equal(x, y)",
    "torch.max(x, y)",
    "torch.min(x, y)",
    "torch.clamp(x, min=y)",
    "torch.clamp(x, max=y)",
    "torch.clip(x, min=y)",
    "torch.clamp_min(x, y)",
    "torch.clamp_max(x, y)",
    "torch.where(x > 1, y, y)",
    "torch.where(x > 1, x, y)",
    "torch.where(x > 1, y, 0)",
    "x.where(y > 1, x)",
    "x.masked_fill(y > 1, 0)",
    "x.clone().masked_fill_(y > 1, 0)",
    "x.clone().add_(y)",
    "torch.matmul(x, y.T)",
    "torch.mm(x, y.T)",
    "torch.bmm(x[None], y.T[None])",
    "torch.mv(x, y[0])",
    "torch.dot(x[0], y[0])",
    "torch.outer(x[0], y[0])",
    "torch.einsum(\"ij,kj->ik\", x, y)",
    "torch.addmm(x, x, y.T @ y)",
    "torch.addmm(y, x, x.T @ x)",
    "torch.baddbmm(x[0], x[None], (y.T @ y)[None])",
    "F.scaled_dot_product_attention(x, y, y)",
    "F.scaled_dot_product_attention(x, x, x, attn_mask=y[:, :2])",
    "F.linear(x, y)",
    "F.linear(x, x, y[:, 0])",
    "F.layer_norm(x, (3,), y[0])",
    "F.layer_norm(x, (3,), x[0], y[0])",
    "torch.cat([x, y])",
    "torch.concat([x, y])",
    "torch.stack([x, y])",
    "torch.stack([x[0, 0], y[0, 0]])",
    "torch.hstack([x, y])",
    "torch.vstack([x, y])",
    "torch.cosine_similarity(x, y)",
    "torch.cdist(x, y)",
    "F.mse_loss(x, y)",
    "F.cross_entropy(x, y[:, 0].long() * 0)",
    "F.embedding(x.long() * 0, y)",
    "torch.gather(x, 0, y.long() * 0)",
    "torch.index_select(x, 0, y[0].long() * 0)",
    "torch.take_along_dim(x, y.long() * 0, 0)",
    "torch.masked_select(x, y > 1)",
    "torch.bincount(x[0].long(), weights=y[0])",
    "torch.repeat_interleave(x, y[0, :2].long(), dim=0)",
};

enum { N_MIXED = sizeof mixed / sizeof *mixed };

#define REFUSED "Expected all tensors to be on the same device, but found at least two devices, "

static void check_refused(const char *source)
{
    bool ok = run(source);
    demand(!ok && l.err.code == ES_ERR_DEVICE, "%s: %s", source, ok ? "works" : l.err.message);
    const char *torch = l.err.torch ? l.err.torch : "";
    demand(!strncmp(torch, REFUSED, strlen(REFUSED)), "%s\n  PyTorch: %s", source, torch);
    bool is_sim = !strcmp(device, "sim");
    demand(strstr(torch, is_sim ? "sim:0" : "cuda:0") && strstr(torch, "cpu") &&
               !strstr(torch, "on a GPU: cuda:0") == !is_sim,
           "%s\n  PyTorch: %s", source, torch);
}

START_TEST(two_devices_do_not_meet)
{
    for (size_t i = 0; i < N_MIXED; i++) {
        place("cpu", "sim");
        check_refused(mixed[i]);
        place("sim", "cpu");
        check_refused(mixed[i]);
    }
}
END_TEST

START_TEST(shapes_only_they_do_not_meet_either)
{
    es_interp_torch(l.in)->shapes_only = true;
    for (size_t i = 0; i < N_MIXED; i++) {
        if (strstr(mixed[i], "masked_select") || strstr(mixed[i], "interleave"))
            continue; /* its shape depends on numbers */
        place("cpu", "sim");
        check_refused(mixed[i]);
    }
}
END_TEST

START_TEST(on_one_device_all_of_them_work_and_stay_there)
{
    for (size_t i = 0; i < N_MIXED; i++) {
        es_str s = {0};
        es_str_add(&s, "r = %s\nstr(r.device) if torch.is_tensor(r) else \"sim:0\"", mixed[i]);
        place("sim", "sim");
        const char *shown = says(s.s);
        demand(strstr(shown, device), "%s: %s", mixed[i], shown);
        es_str_free(&s);
    }
}
END_TEST

/* The second of "input, other, *, alpha=1", or "". */
static const char *second(const char *params)
{
    const char *comma = params ? strchr(params, ',') : NULL;
    return comma ? comma + 2 : "";
}

static bool is_listed(const char *name)
{
    es_str call = {0};
    bool found = false;
    es_str_add(&call, "%s(", name);
    for (size_t i = 0; i < N_MIXED; i++)
        found = found || strstr(mixed[i], call.s);
    es_str_free(&call);
    return found;
}

START_TEST(the_list_has_every_function_of_two_tensors)
{
    static const char *const words[] = {"other",    "mat2",   "vec",  "vec2",  "tensor",
                                        "x2",       "target", "mask", "index", "indices",
                                        "exponent", "weight", "mat1"};
    static const char *const not [] = {"type_as", "select", "view_as", "reshape_as", "expand_as"};
    const es_builtin *b;
    for (size_t i = 0; (b = es_builtin_listed(i)); i++) {
        const char *word = second(b->params);
        bool takes = false, skip = false;
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            takes = takes || (!strncmp(word, words[w], strlen(words[w])) &&
                              (word[strlen(words[w])] == ',' || !word[strlen(words[w])]));
        for (size_t w = 0; w < sizeof not / sizeof *not ; w++)
            skip = skip || !strcmp(b->name, not [w]);
        demand(!takes || skip || !(b->where & (ES_IN_TORCH | ES_IN_F | ES_METHOD)) ||
                   is_listed(b->name),
               "%s is in no example of two devices", b->name);
    }
}
END_TEST

typedef struct line {
    const char *source, *shown;
} line;

static void check_lines(const line *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = says(of[i].source);
        es_str want = for_device(of[i].shown);
        demand(!strcmp(shown, want.s), "%s\n  shows: %s\n  not:   %s", of[i].source, shown, want.s);
        es_str_free(&want);
    }
}

#define CHECK_LINES(...)                                                                           \
    do {                                                                                           \
        const line lines[] = {__VA_ARGS__};                                                        \
        check_lines(lines, sizeof lines / sizeof *lines);                                          \
    } while (0)

START_TEST(numbers_go_anywhere)
{
    place("sim", "cpu");
    CHECK_LINES({"(x + 1).device, (2 * x).device",
                 "(device(type='sim', index=0), device(type='sim', index=0))"},
                {"(x + torch.tensor(1.)).device.type, (torch.tensor(1.) - x).device.type",
                 "('sim', 'sim')"},
                {"x.masked_fill(x > 1, torch.tensor(0.)).sum().item()", "1.0"},
                {"x[0] = torch.tensor(3.)\nx[x > 3] = torch.tensor(0.)\nx.tolist()",
                 "[[3.0, 3.0, 3.0], [3.0, 0.0, 0.0]]"});
    check_refused("torch.tensor(1., device=\"sim\") + y"); /* on the cpu alone they do */
}
END_TEST

START_TEST(copies_cross_over)
{
    place("sim", "cpu");
    CHECK_LINES(
        {"y.zero_();\nx.copy_(y).device.type, x.sum().item()", "('sim', 0.0)"},
        {"y[1] = x[0] + 5\ny[:, 0] = x[:, 0]\ny.tolist(), y.is_cpu",
         "([[0.0, 0.0, 0.0], [0.0, 5.0, 5.0]], True)"},
        {"x[0] = y[1]\nx[0].tolist()", "[0.0, 5.0, 5.0]"},
        {"x.cpu().is_cpu, y.to(x).device == x.device, x.to(\"cpu\").is_cpu", "(True, True, True)"});
}
END_TEST

START_TEST(an_index_may_come_from_the_cpu)
{
    place("sim", "cpu");
    CHECK_LINES(
        {"x[y[0, :2].long()].device.type, x[y > 4].tolist()", "('sim', [5.0])"},
        {"x[torch.tensor([0])] = 7\nx[y > 4] = 8\nx.tolist()",
         "[[7.0, 7.0, 7.0], [3.0, 4.0, 8.0]]"},
        {"y[x[0].long() * 0]",
         "error[device]: the index is on sim, and picks from a tensor on cpu"},
        {"y[x > 1]", "error[device]: the index is on sim, and picks from a tensor on cpu"},
        {"y[x > 1] = 0", "error[device]: the index is on sim, and picks from a tensor on cpu"});
    ck_assert_str_eq(
        l.err.torch,
        "indices should be either on cpu or on the same device as the indexed tensor (cpu)");
    check_refused("x[torch.tensor([0, 1])] = y");
}
END_TEST

START_TEST(what_is_made_from_a_tensor_is_where_it_is)
{
    static const char *const made[] = {
        "x.new_zeros(2)",
        "x.new_ones(2)",
        "x.new_full((2,), 1.)",
        "torch.zeros_like(x)",
        "torch.ones_like(x)",
        "torch.rand_like(x)",
        "torch.randn_like(x)",
        "torch.full_like(x, 2)",
        "torch.empty_like(x)",
        "x.clone()",
        "x.float()",
        "x.long()",
        "x.sum()",
        "x.argmax(-1)",
        "x.softmax(-1)",
        "x.max(0).values",
        "x.topk(1).indices",
        "x.sort().values",
        "x.unique()",
        "x.nonzero()",
        "F.one_hot(x.long())",
        "F.pad(x, (1, 1))",
        "x.repeat(2, 1)",
        "torch.tril(x)",
        "x.type_as(x)",
        "x.data",
        "x.detach()",
        "F.normalize(x)",
        "torch.arange(0, 3, device=x.device)",
        "torch.tensor([1], device=\"sim\")",
        "torch.zeros(2, device=x.device)",
        "torch.randn(2, 3, device=\"sim\")",
        "torch.eye(2, device=torch.device(\"sim\"))",
        "torch.linspace(0, 1, 2, device=\"sim:0\")",
        "torch.full((2,), 1., device=\"sim\")",
        "torch.randperm(3, device=\"sim\")",
        "torch.randint(0, 3, (2,), device=x.device)",
        "torch.as_tensor([1], device=\"sim\")",
    };
    place("sim", "sim");
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        es_str s = {0};
        es_str_add(&s, "(%s).device.type", made[i]);
        const char *shown = says(s.s);
        demand(strstr(shown, device), "%s: %s", made[i], shown);
        es_str_free(&s);
    }
}
END_TEST

START_TEST(a_device_is_called_as_pytorch_would_call_it)
{
    place("sim", "cpu");
    CHECK_LINES(
        {"x[0]", "[3] tensor([0., 1., 2.], device='sim:0')"},
        {"x.device, str(x.device), f\"{y.device}\"",
         "(device(type='sim', index=0), 'sim:0', 'cpu')"},
        {"x.device.type, x.device.index, y.device.index", "('sim', 0, None)"},
        {"x.device == torch.device(\"sim\"), x.device == torch.device(\"sim\", 0)", "(True, True)"},
        {"x.get_device(), y.get_device(), x.is_cpu, y.is_cuda", "(0, -1, False, False)"},
        {"x.is_cuda == (x.device.type[0] == \"g\")", "True"});
}
END_TEST

START_TEST(without_a_gpu_sim_is_offered)
{
    static const char *const asked[] = {"x.cuda()", "x.to(\"cuda\")", "x.to(\"cuda:0\")",
                                        "x.to(\"gpu\")", "torch.ones(2, device=\"cuda\")"};
    setenv("EMBEDSCOPE_OPENCL", "none", 1);
    place("cpu", "cpu");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        demand(!run(asked[i]) && l.err.code == ES_ERR_BACKEND, "%s", asked[i]);
        demand(strstr(l.err.hint, "sim is the cpu's memory under another name: mixing the two "
                                  "fails as it would with a GPU"),
               "%s: %s", asked[i], l.err.hint);
    }
}
END_TEST

/* The edit that is proposed where device= was left out. */
START_TEST(the_fix_says_where_the_tensor_belongs)
{
    static const struct {
        const char *source, *fix;
    } lines[] = {
        {"wte(ids) + wpe(torch.arange(0, 5, device=\"sim\"))",
         "torch.arange(0, 5, device=wpe.weight.device)"},
        {"x + torch.arange(3)", "torch.arange(3, device=x.device)"},
        {"torch.cat([x, torch.zeros(1, 3)])", "torch.zeros(1, 3, device=x.device)"},
        {"x * y", "x * y.to(x.device)"},
        {"x @ y.T", "x @ y.T.to(x.device)"},
    };
    place("sim", "cpu");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        demand(!run(lines[i].source) && l.err.code == ES_ERR_DEVICE, "%s", lines[i].source);
        demand(l.err.hint && strstr(l.err.hint, lines[i].fix), "%s\n  hint: %s", lines[i].source,
               l.err.hint ? l.err.hint : "");
    }
}
END_TEST

START_TEST(the_line_that_made_it_elsewhere_is_edited)
{
    static const struct {
        const char *lines, *fix; /* of a function of ids, which is on sim */
    } made[] = {
        {"positions = torch.arange(0, ids.shape[1]).unsqueeze(0)\n    return ids + positions",
         "help: positions = torch.arange(0, ids.shape[1], device=ids.device).unsqueeze(0)"},
        {"p = torch.zeros(3)\n    if True:\n        p = torch.ones(3)\n    q = p\n    return ids * "
         "p",
         "help: p = torch.ones(3, device=ids.device)"},
        {"t = wpe\n    p = torch.arange(0, 3, device=\"sim\")\n    return wpe(p)",
         "wpe(p.to(wpe.weight.device))"},
        {"p = torch.ones(3).cpu()\n    return ids + p", "ids + p.to(ids.device)"},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        es_str s = {0};
        es_str_add(&s, "def f(ids):\n    %s\nf(torch.zeros(2, 3, device=\"sim\"))", made[i].lines);
        demand(!run(s.s) && l.err.code == ES_ERR_DEVICE, "%s", s.s);
        demand(l.err.hint && strstr(l.err.hint, made[i].fix), "%s\n  hint: %s", s.s,
               l.err.hint ? l.err.hint : "");
        es_str_free(&s);
    }
}
END_TEST

static void add_all(Suite *s, const char *name, SFun begin)
{
    TCase *tc = tcase_create(name);
    tcase_add_checked_fixture(tc, begin, teardown);
    tcase_set_timeout(tc, 30);
    tcase_add_test(tc, two_devices_do_not_meet);
    tcase_add_test(tc, shapes_only_they_do_not_meet_either);
    tcase_add_test(tc, on_one_device_all_of_them_work_and_stay_there);
    tcase_add_test(tc, numbers_go_anywhere);
    tcase_add_test(tc, copies_cross_over);
    tcase_add_test(tc, an_index_may_come_from_the_cpu);
    tcase_add_test(tc, what_is_made_from_a_tensor_is_where_it_is);
    tcase_add_test(tc, a_device_is_called_as_pytorch_would_call_it);
    tcase_add_test(tc, the_fix_says_where_the_tensor_belongs);
    tcase_add_test(tc, the_line_that_made_it_elsewhere_is_edited);
    suite_add_tcase(s, tc);
}

Suite *devices_suite(void)
{
    Suite *s = suite_create("devices");
    TCase *tc = tcase_create("devices");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_list_has_every_function_of_two_tensors);
    tcase_add_test(tc, without_a_gpu_sim_is_offered);
    suite_add_tcase(s, tc);
    add_all(s, "devices: sim", setup);
    add_all(s, "devices: gpu", setup_gpu);
    return s;
}
