// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensor mode on a device whose memory the host cannot read: the same answers as on the cpu, computed there where the
 * device has something for it, and no number fetched alone. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "far.h"
#include "gpu.h"
#include "language.h"
#include "same_shown.h"
#include "support.h"

Suite *far_tensors_suite(void);

static language here, there;

static void setup(void)
{
    calm_environment();
    language_begin(&here);
    language_begin_on(&there, far_open(1));
}

static void teardown(void)
{
    language_end(&here);
    language_end(&there);
}

/* ---- the same answers ---- */

static es_str failures; /* all of them: one alone would say little */

static es_str answer(language *l, const char *source)
{
    es_str s = {0};
    es_str_cat(&s, language_says(l, source));
    es_str_add(&s, "\n%s%s", es_str_text(&l->printed), es_str_text(&l->noted));
    return s;
}

static int n_failures;

static void compare_within(const char *source, double within)
{
    es_str a = answer(&here, source), b = answer(&there, source);
    if (!same_but_for_device(a.s, b.s, within) && n_failures++ < 12)
        es_str_add(&failures, "\n%s\n  cpu: %.400s\n  gpu: %.400s", source, a.s, b.s);
    es_str_free(&a);
    es_str_free(&b);
}

static void compare(const char *source)
{
    compare_within(source, AS_PRINTED);
}

static void no_failures(void)
{
    ck_assert_msg(failures.len == 0, "%s", es_str_text(&failures));
    es_str_free(&failures);
}

static void forget(void)
{
    es_interp_clear(here.in);
    es_interp_clear(there.in);
}

#define X "x = ((torch.arange(80).reshape(2, 5, 8)) % 7 - 3) / 4.0"

static void compare_case(json_t *one, int line)
{
    size_t i;
    json_t *pre;
    const char *expr = json_string_value(json_object_get(one, "expr"));
    (void)line;
    if (!expr || strstr(expr, "empty("))
        return;
    forget();
    compare(X);
    json_array_foreach(json_object_get(one, "pre"), i, pre) if (*json_string_value(pre) != ':')
        compare(json_string_value(pre));
    if (*expr != ':')
        compare(expr);
}

static void compare_file(const char *name)
{
    char path[4096 + 64];
    ck_assert_ptr_nonnull(getcwd(path, 4096));
    strcat(path, name);
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    each_json_line(path, compare_case);
    no_failures();
    forget();
}

START_TEST(measured_statements_say_the_same)
{
    compare_file("/tests/data/expr_cases.jsonl");
}
END_TEST

START_TEST(more_statements_say_the_same)
{
    compare_file("/tests/data/expr_more.jsonl");
}
END_TEST

/* ---- each operation, by operands that lie otherwise ---- */

static const char *const lying[] = {
    "x = (torch.arange(12) * 5 % 13 - 5).view(3, 4) / 4",
    "x = (torch.arange(12) * 5 % 13 - 5).view(4, 3).T / 4",
    "x = ((torch.arange(4) * 5 % 13 - 5) / 4).expand(3, 4)",
    "x = ((torch.arange(3) * 5 % 13 - 5) / 4)[:, None].expand(3, 4)",
    "x = ((torch.arange(60) * 5 % 13 - 5) / 4).view(5, 12)[1:4, 2:10:2]",
    "x = ((torch.arange(48) * 5 % 13 - 5) / 4).view(4, 4, 3).transpose(0, 2)[:, 1]",
};

/* x (3, 4). */
static const char *const operations[] = {
    "x + x, x - 1, 2 * x, x / 4, 1 / (x + 9), x // 0.5, x % 0.7, (x + 3) ** 1.5, x ** 2",
    "x + x[0], x * x[:, :1], x - x.mean(0, keepdim=True)",
    "-x, x.abs(), x.exp(), (x + 3).log(), (x + 3).sqrt(), x.sin(), x.cos(), x.tanh()",
    "x.sigmoid(), F.relu(x), F.gelu(x), F.silu(x), x.erf(), x.floor(), x.round(), x.sign()",
    "x < 1, x == x, x.isnan(), (x > 0) & (x < 1), ~(x > 0), x.bool(), x.long(), x.double()",
    "torch.where(x > 0, x, -x), x.clamp(-1, 1), x.masked_fill(x > 0, 9), x.clamp(min=x.mean())",
    "torch.maximum(x, -x), torch.minimum(x, x[1])",
    "x.sum(), x.sum(0), x.sum(-1), x.sum((0, 1)), x.sum(0, keepdim=True)",
    "x.mean(), x.mean(0), x.mean(1, keepdim=True), x.mean((0, 1))",
    "x.max(), x.min(), x.amax(0), x.amin(1), x.amax((0, 1)), x.max(1), x.max(0), x.min(1)",
    "x.argmax(), x.argmax(0), x.argmax(1), x.argmin(), x.argmin(0)",
    "x.norm(), x.norm(dim=0), x.norm(dim=-1, keepdim=True), torch.linalg.norm(x, dim=1), x.norm(1)",
    "torch.linalg.vector_norm(x, 3, dim=1), torch.linalg.vector_norm(x, float(\"inf\"))",
    "x.var(), x.std(0), x.prod(1), x.logsumexp(1), (x > 0).all(), (x > 0).any(0)",
    "x.cumsum(0), x.cumprod(1), (x > 0).sum(), x.count_nonzero()",
    "x.softmax(-1), x.softmax(0), F.softmax(x, dim=1), x.log_softmax(-1), x.log_softmax(0)",
    "x @ x.T, x.T @ x, torch.matmul(x, x[0]), torch.mv(x, x[1]), torch.dot(x[0], x[1])",
    "torch.bmm(x.T[None], x[None]), x[None] @ x.T, torch.outer(x[0], x[:, 0]), F.linear(x, x, x[:, "
    "0])",
    "torch.einsum(\"ij,kj->ik\", x, x), torch.addmm(x @ x.T, x, x.T)",
    "x.topk(2), x.topk(2, dim=0), x.topk(2, largest=False), x.sort(), x.sort(0, descending=True)",
    "x.argsort(-1), x.unique(), x.flatten().bincount() if False else x.flip(0), x.flip(1)",
    "x.roll(1), x.roll(1, 0), x.roll((1, 2), (0, 1)), x.repeat(2, 3), x.repeat_interleave(2, "
    "dim=1)",
    "x.tril(), x.triu(1), F.pad(x, (1, 2)), F.pad(x, (1, 0, 0, 1), value=5.), x.diag() if False "
    "else x",
    "x[torch.tensor([2, 0, 2])], x[:, torch.tensor([3, 1])], x[torch.tensor([[0, 1]]), "
    "torch.tensor([[3, 2]])]",
    "x[x > 0], x[torch.tensor([True, False, True])], x[1], x[1, 2], x[-1, ::2], x[..., None]",
    "x.index_select(0, torch.tensor([2, 0])), x.index_select(1, torch.tensor([3, 3, 0]))",
    "x.gather(1, torch.tensor([[0, 3], [1, 1], [2, 0]])), x.take_along_dim(x.argsort(1), 1)",
    "x.masked_select(x > 1), x.nonzero(), (x > 0).nonzero(), torch.isclose(x, x), torch.equal(x, "
    "x)",
    "F.embedding(torch.tensor([[2, 0], [1, 1]]), x), F.one_hot(torch.tensor([2, 0]), 3).float() @ "
    "x",
    "x.clone(), x.contiguous(), x.reshape(2, 6), x.reshape(-1), x.T.reshape(-1), x.flatten()",
    "torch.cat([x, x]), torch.cat([x, x[:, :1]], 1), torch.stack([x, x], 1), torch.vstack([x, "
    "x[0]])",
    "x.to(\"cpu\").tolist(), x.tolist(), x[0, 0].item(), f\"{x[0, 0]:.2f}\", x.float(), "
    "x.double().float()",
    "x.split(2, 1), x.chunk(3), x.unbind(0), x.view(x.shape) if x.is_contiguous() else x.stride()",
    "F.normalize(x, dim=1), F.normalize(x, dim=0), F.layer_norm(x, (4,)), F.cosine_similarity(x, "
    "x[0], dim=1)",
    "torch.cdist(x, x), F.mse_loss(x, x * 2), F.cross_entropy(x, torch.tensor([0, 3, 1]))",
    "F.cross_entropy(x, torch.tensor([0, 3, 1]), reduction=\"none\"), x.std(1).mean()",
    "compare(x, x), compare(x, x + (x > 2)), allclose(x, x) if False else torch.allclose(x, x)",
    "y = x.clone()\ny[0] = 7\ny[:, 1] = x[:, 2]\ny[1, 1] = -1\ny[::2, -1] = torch.tensor([5., "
    "6.])\ny",
    "y = x.clone()\ny[torch.tensor([2, 0])] = x[:2]\ny[y > 2] = 0\ny[torch.tensor([0]), "
    "torch.tensor([1])] = 3.5\ny",
    "y = x.clone()\ny += 1\ny *= x\ny -= x[0]\ny /= 2\ny.add_(1).mul_(2)\ny.zero_()\ny",
    "y = x.clone()\ny.copy_(x * 2)\ny.fill_(3)\ny.masked_fill_(x > 0, 1)\ny.T[0] = 4\ny",
    "y = x.clone()\nz = y.T\nz[1] += 5\ny[0] = y[1]\ny[:, 0] = y[:, 0].flip(0)\ny, z",
    "x.sum() > 0 and x[0, 0] < 5, [float(v) for v in x[0]], int(x[0, 0]), x[0].sum().item()",
    "torch.tensor([x[0, 0], x[1, 1]]), torch.full((2,), x[0, 1].item()), x.new_tensor([1, 2]), "
    "torch.zeros_like(x)",
    "print(x, x[0], f\"{x[0, 1]}\", \"%.3f\" % x[1, 1])",
    "F.dropout(x, 0.5), torch.rand_like(x), x.softmax(-1).multinomial(2), "
    "torch.bernoulli(x.sigmoid())",
    "pca(x, 2)[2] if False else torch.linalg.svd(x)[1], x.double() @ x.double().T, x.long() + 1, "
    "x.long().sum()",
    "nearest(wte.weight[3], 2) if False else wte(torch.tensor([3, 4])).sum(-1), wpe.weight[2:5, "
    "1], wte.weight[[7, 0]]",
};

/* Printed, four digits are left of a number; in a list, all of them. */
static void compare_numbers(const char *source)
{
    es_str s = {0};
    if (strchr(source, '\n') || strstr(source, "print"))
        return;
    es_str_add(&s, "[v.tolist() if torch.is_tensor(v) else v for v in [%s]]", source);
    compare_within(s.s, 1e-5);
    es_str_free(&s);
}

enum { N_OPERATIONS = sizeof operations / sizeof *operations };

static void compare_operations(void)
{
    for (size_t l = 0; l < sizeof lying / sizeof *lying; l++)
        for (size_t i = 0; i < N_OPERATIONS; i++) {
            forget();
            compare(lying[l]);
            compare(operations[i]);
            compare_numbers(operations[i]);
        }
    no_failures();
    forget();
}

START_TEST(operations_say_the_same_however_operands_lie)
{
    compare_operations();
}
END_TEST

static void compare_tables(void)
{
    static const char *const lines[] = {
        "wte(ids)",
        "wte(ids) + wpe(torch.arange(5))",
        "wte.weight[3], wte.weight[2:4], wte.weight[:, 1].sum(), wte.weight[[1, 5, 1]]",
        "wte.weight.T[2, :3]",
        "wte.weight[3][2] = 9\nwte.weight[2:5], wte(torch.tensor([3]))",
        "wte.weight[7:9] = 1\nwte.weight[6:10].sum(1)",
        "part = wpe.weight[2:4]\nwpe.weight[3] = 0\npart",
        "part = wpe.weight[4:6]\npart += 1\nwpe.weight[3:7]",
        "wte.weight.std(), wte.weight.norm(dim=1)[:3]",
        "e = nn.Embedding(6, 4)\ne.weight[2], e(torch.tensor([[2, 5]]))",
        "import copy\ne = copy.deepcopy(wte)\ne.weight[0] = 5\nwte.weight[0], e.weight[0]",
        "l = nn.Linear(8, 3)\nl(wte(ids)).shape, l(wte(ids))[0, 1]",
        "n = nn.LayerNorm(8)\nn(wte(ids))[1, 2]",
        "(wte(ids) @ wte.weight.T).topk(3)",
        "(wte(ids) @ wte.weight.T).argmax(-1)",
        "wte",
        "wte.weight",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        compare(lines[i]);
    no_failures();
    forget();
}

START_TEST(tables_say_the_same)
{
    compare_tables();
}
END_TEST

static void on_opencl(const char *device)
{
    es_error err = ES_ERROR_NONE;
    language_end(&there);
    es_backend *be = es_backend_open(device, 1, &err);
    ck_assert_works(be != NULL, err);
    language_begin_on(&there, be);
    compare_operations();
    compare_tables();
}

START_TEST(each_opencl_device_says_the_same)
{
    each_gpu(on_opencl);
}
END_TEST

/* ---- computed there ---- */

typedef struct ran {
    const char *source, *beside; /* what was computed on the host: "median, std" */
    int launches;                /* at least so many; -1: none */
} ran;

static void check_ran(const ran *r)
{
    ck_assert_works(language_run(&there, X "\nw = torch.linspace(0, 1, 64).view(8, 8)"), there.err);
    es_backend_ran(there.be);
    ck_assert_works(language_run(&there, r->source), there.err);
    es_ran was = es_backend_ran(there.be);
    es_str beside = {0};
    for (int i = 0; i < was.n_beside; i++)
        es_str_add(&beside, "%s%s", i ? ", " : "", was.beside[i].what);
    demand(!strcmp(es_str_text(&beside), r->beside), "%s\n  on the host: %s", r->source,
           es_str_text(&beside));
    demand(r->launches < 0 ? was.launches == 0 : (int)was.launches == r->launches, "%s: %d kernels",
           r->source, (int)was.launches);
    es_str_free(&beside);
}

START_TEST(what_the_device_has_is_computed_there)
{
    static const ran lines[] = {
        {"r = x + x", "", 1},
        {"r = x - 1", "", 1},
        {"r = x * w[0]", "", 1},
        {"r = x / 2", "", 1},
        {"r = x ** 2", "", 1},
        {"r = torch.maximum(x, x)", "", 1},
        {"r = torch.minimum(x, x)", "", 1},
        {"r = -x", "", 1},
        {"r = x.abs()", "", 1},
        {"r = x.exp()", "", 1},
        {"r = x.log()", "", 1},
        {"r = x.sqrt()", "", 1},
        {"r = x.sin()", "", 1},
        {"r = x.cos()", "", 1},
        {"r = x.tanh()", "", 1},
        {"r = x.sum(-1)", "", 1},
        {"r = x.sum(1)", "", 1},
        {"r = x.sum((0, 2))", "", 2},
        {"r = x.sum()", "", 3},
        {"r = x.mean(-1)", "", 2},
        {"r = x.amax(0)", "", 1},
        {"r = x.max()", "", 3},
        {"r = x.min()", "", 3},
        {"r = x.amin(1)", "", 1},
        {"r = x.norm(dim=-1)", "", 2},
        {"r = x.norm()", "", 4},
        {"r = x.max(1)", "", 1},
        {"r = x.argmax(-1)", "", 1},
        {"r = x.argmax()", "", 1},
        {"r = x @ w", "", 1},
        {"r = torch.bmm(x, x.transpose(1, 2))", "", 1},
        {"r = F.linear(x, w)", "", 1},
        {"r = F.linear(x, w, w[0])", "", 2},
        {"r = torch.einsum(\"btc,cd->btd\", x, w)", "", 1},
        {"r = x.softmax(-1)", "", 1},
        {"r = x.softmax(1)", "", 1},
        {"r = F.log_softmax(x, dim=-1)", "", 6},
        {"r = x.topk(2)", "", 1},
        {"r = x.topk(2, dim=1)", "", 1},
        {"r = F.normalize(x, dim=-1)", "", 4},
        {"r = wte(ids)", "", 1},
        {"r = F.embedding(torch.tensor([1, 7]), w)", "", 1},
        {"r = w[ids % 8]", "%", 1},
        {"r = w.index_select(0, torch.tensor([1, 0]))", "", 1},
        {"r = w.index_select(1, torch.tensor([1, 0]))", "", 1},
        {"r = w[:, torch.tensor([1, 0])]", "", 1},
        {"r = w[w > 0.5]", ">", 1},
        {"r = w.flip(0)", "", 1},
        {"r = F.one_hot(ids[0] % 8, 8).float() @ w", "%, one_hot, another dtype", 1},
        {"r = x.clone()", "", 1},
        {"r = x.transpose(1, 2).contiguous()", "", 1},
        {"r = x.transpose(1, 2).reshape(-1)", "", 1},
        {"r = torch.cat([x, x])", "", 2},
        {"r = torch.stack([x, x])", "", 2},
        {"r = x.to(\"cpu\")", "", -1},
        {"x[0] = 1", "", 1},
        {"x[:, 1] = x[:, 2]", "", 2},
        {"x += 1", "", 2},
        {"r = torch.zeros(3, 4)", "", 1},
        {"r = F.scaled_dot_product_attention(x, x, x)", "", 4},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_ran(&lines[i]);
}
END_TEST

START_TEST(what_it_has_not_is_named)
{
    static const ran lines[] = {
        {"r = x.prod(1)", "prod", -1},
        {"r = x.std()", "std", -1},
        {"r = x.prod(1) + x.std()", "prod, std", 1},
        {"r = F.relu(x)", "relu", -1},
        {"r = F.gelu(x)", "gelu", -1},
        {"r = x.sigmoid()", "sigmoid", -1},
        {"r = torch.where(x > 0, x, -x)", ">, where", 1},
        {"r = x.sort()", "sort", -1},
        {"r = x.cumsum(0)", "cumsum", -1},
        {"r = x.tril()", "tril", -1},
        {"r = torch.randn(2, 2)", "randn", -1},
        {"r = torch.arange(3)", "arange", -1},
        {"r = ids + ids", "+", -1},
        {"r = ids @ ids.T", "@", -1},
        {"r = x.topk(5, dim=1)", "topk", -1},
        {"x[x > 0] = 0", ">, writing by an index", -1},
        {"r = x.double()", "another dtype", -1},
        {"print(x, x.shape)", "", -1},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_ran(&lines[i]);
}
END_TEST

/* ---- no number alone ---- */

START_TEST(numbers_are_fetched_together)
{
    static const struct {
        const char *source;
        int reads;
    } lines[] = {
        {"print(x)", 1},
        {"x", 1},
        {"x.tolist()", 1},
        {"x[0, 0, 0].item()", 1},
        {"torch.equal(x, x)", 2},
        {"x.std()", 2 /* and it is shown */},
        {"str(x)", 1},
        {"r = x.sort()", 1},
        {"r = x + x", 0},
        {"r = wte(ids)", 0},
        {"r = x.softmax(-1)", 0},
        {"r = F.relu(x)", 1},
        {"x[x > 0] = 0", 3},
        {"r = x[x > 0]", 1},
        {"r = x.unique()", 1},
        {"r = x.expand(4, 2, 5, 8).tolist()", 1},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ck_assert_works(language_run(&there, X), there.err);
        far_crossed(there.be);
        ck_assert_works(language_run(&there, lines[i].source), there.err);
        int reads = far_crossed(there.be).reads;
        demand(reads == lines[i].reads, "%s: %d reads", lines[i].source, reads);
    }
}
END_TEST

Suite *far_tensors_suite(void)
{
    gpu_tally();
    Suite *s = suite_create("far_tensors");
    TCase *t = tcase_create("far_tensors");
    tcase_set_timeout(t, 240);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, measured_statements_say_the_same);
    tcase_add_test(t, more_statements_say_the_same);
    tcase_add_test(t, operations_say_the_same_however_operands_lie);
    tcase_add_test(t, tables_say_the_same);
    tcase_add_test(t, each_opencl_device_says_the_same);
    tcase_add_test(t, what_the_device_has_is_computed_there);
    tcase_add_test(t, what_it_has_not_is_named);
    tcase_add_test(t, numbers_are_fetched_together);
    suite_add_tcase(s, t);
    return s;
}
