// SPDX-License-Identifier: GPL-3.0-or-later
/* Every function, method and attribute of the language, with arguments of every kind: it works or says why not;
 * asked for shapes alone it computes nothing, changes nothing, and foretells shape and dtype. */
#include <math.h>
#include <string.h>

#include "expr/inside.h"
#include "expr/methods.h"
#include "expr/modules.h"
#include "fuzz/fuzz.h"
#include "torch/views.h"

enum { MOST_CALLS = 48, MOST_GIVEN = 5, MOST_STEPS = 5000, MOST_BYTES = 1 << 20, MOST_POOL = 160 };

typedef struct bytes {
    const uint8_t *s;
    size_t n;
} bytes;

static uint32_t take(bytes *b, uint32_t below)
{
    uint32_t v = 0;
    for (int i = 0; i < 2 && b->n; i++, b->n--)
        v = v << 8 | *b->s++;
    return v % below;
}

/* ---- what is given: the same values for earnest and for shapes alone ---- */

typedef struct pool {
    es_value v[MOST_POOL], bare[MOST_POOL]; /* bare: made of shapes only */
    int n;
} pool;

static const char *const sources[] = {
    /* tensors of every rank and dtype, empty, stretched, turned, stepped */
    "tensor(1.5)", "tensor(3)", "tensor(True)", "tensor([])", "tensor([1, 0, 2])",
    "tensor([1., -2., 3.])", "tensor([[1, 2, 3], [4, 5, 6]])", "ones(2, 3)", "ones(3, 2)",
    "zeros(0, 3)", "zeros(3, 0)", "zeros(0)", "randn(2, 3, 4)", "randn(4, 3)", "randn(4, 4)",
    "ones(2, 3).double()", "arange(6).view(2, 3).int()", "arange(4)", "arange(3) > 1",
    "ones(2, 3) > 0", "zeros(1, 2, 1, 2)", "zeros(1, 1, 2, 1, 2)", "zeros(2, 1, 1, 1, 1, 1, 1, 2)",
    "zeros(1, 1, 0, 1, 1, 1, 1, 2)", "randn(3).expand(4, 3)", "randn(2, 3).T", "arange(9)[::2]",
    "randn(3, 4)[1:, ::2]", "tensor([inf, nan, -inf])", "tensor([2 ** 62, -2 ** 62])",
    "tensor([1e30, -1e-30])", "tensor([[0, 49], [7, 1]])", "tensor([[50]])", "tensor([-1])",
    "tensor([0.5]).expand(3)", "zeros(2, 3).rename('B', 'T')", "tensor(9223372036854775807)",
    /* numbers */
    "0", "1", "2", "3", "-1", "-2", "7", "2 ** 62", "9223372036854775807", "-2 ** 62 * 2",
    "10 ** 12", "0.0", "0.5", "-1.5", "1e300", "inf", "nan", "True", "False",
    /* what else there is */
    "None", "...", "''", "'a'", "'ij,jk->ik'", "'i,i'", "'cpu'", "'mean'", "'B'",
    "'\\x1b[2J\\n\\0'", "'é' * 30", "[]", "[1]", "[0, 1]", "[-1, 2]", "[[1, 2], [3, 4]]",
    "[[1], [2, 3]]", "[1.5, True]", "[2 ** 62, 2 ** 62]", "()", "(2, 3)", "(1,)", "(-1, 2 ** 40)",
    "(0, 0, 0, 0, 0, 0, 0, 0, 0)", "[ones(2, 3), ones(2, 3)]", "[ones(2, 3), ones(3)]",
    "(ones(2), tensor([1, 2]))", "['a', 'b']", "{}", "{'a': 1, 2: [3]}", "range(5)",
    "range(-2 ** 62, 2 ** 62)", "float32", "torch.int64", "torch.bool", "len", "lambda x: x",
    "ones(2, 3).shape", "int", "torch", "ValueError('x')"};

static void on_value(void *user, const es_value *v, bool quiet)
{
    (void)quiet;
    es_value_unref(user);
    *(es_value *)user = es_value_ref(v);
}

static es_value value_of(es_interp *in, const char *source, es_value *last)
{
    es_unit *unit = es_parse(source, strlen(source), NULL);
    in->steps_left = MOST_STEPS;
    promise(unit && es_interp_run(in, unit, NULL));
    es_unit_unref(unit);
    es_value v = *last;
    *last = es_none();
    return v;
}

static void fill(es_interp *in, pool *p, es_value *last, es_table *wte, es_backend *be)
{
    const es_value none = es_none(), one = es_value_int(1);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++, p->n++) {
        in->torch.shapes_only = true;
        p->bare[p->n] = value_of(in, sources[i], last);
        in->torch.shapes_only = false;
        p->v[p->n] = value_of(in, sources[i], last);
    }
    p->v[p->n] = es_embedding_of_table(in, "wte", wte, be);
    p->bare[p->n++] = es_embedding_of_table(in, "wte", wte, be);
    p->v[p->n] = es_value_slice(&none, &one, &none);
    p->bare[p->n++] = es_value_slice(&none, &one, &none);
    promise(p->n <= MOST_POOL);
}

static void let_go(pool *p)
{
    for (int i = 0; i < p->n; i++) {
        es_value_unref(&p->v[i]);
        es_value_unref(&p->bare[i]);
    }
    p->n = 0;
}

/* ---- one call ---- */

typedef struct call {
    const es_builtin *of;
    int self, n, arg[MOST_GIVEN]; /* in the pool */
    char name[80];                /* of a method or attribute */
    const char *names[MOST_GIVEN];
    char words[MOST_GIVEN][40];
} call;

/* The i-th name among the parameters, or NULL. */
static const char *parameter(const char *params, uint32_t i, char word[40])
{
    for (const char *s = params; s && *s; i--) {
        s += strspn(s, " ,*");
        size_t n = strcspn(s, ",="), skip = strcspn(s, ",");
        if (i == 0 && n && n < 40) {
            memcpy(word, s, n);
            word[n] = '\0';
            return word;
        }
        s += skip;
    }
    return NULL;
}

static void choose(call *c, bytes *b, const es_builtin *const *all, size_t n_all, const pool *p)
{
    *c = (call){.of = all[take(b, (uint32_t)n_all)], .self = (int)take(b, (uint32_t)p->n)};
    bool in_place = take(b, 8) == 0;
    snprintf(c->name, sizeof c->name, "%s%s", c->of->name, in_place ? "_" : "");
    c->n = (int)take(b, MOST_GIVEN);
    bool named = false;
    for (int i = 0; i < c->n; i++) {
        c->arg[i] = (int)take(b, (uint32_t)p->n);
        uint32_t word = take(b, 24);
        named = named || word < 4;
        c->names[i] = named ? parameter(c->of->params, word % 6, c->words[i]) : NULL;
        named = c->names[i] != NULL;
    }
}

static bool run(es_interp *in, const call *c, const es_value *of, es_value *out, es_error *err)
{
    const unsigned members = ES_METHOD | ES_ATTRIBUTE | ES_OF_VALUE;
    es_value f = es_none(), args[MOST_GIVEN];
    bool member = (c->of->where & members) && (c->self % 4 || !(c->of->where & ~members));
    *out = es_none();
    in->steps_left = MOST_STEPS;
    if (!member)
        f = es_value_builtin(c->of, NULL);
    else if (!es_attribute(in, &of[c->self], c->name, strlen(c->name), &f, err))
        return false;
    for (int i = 0; i < c->n; i++)
        args[i] = of[c->arg[i]];
    bool ok = f.kind != ES_V_BUILTIN ? (*out = es_value_ref(&f), true)
                                     : es_call_with(in, &f, args, c->n, c->names, NULL, out, err);
    es_value_unref(&f);
    return ok;
}

static void tell(const call *c, const es_value *of, es_interp *in)
{
    fprintf(stderr, "%s of %d, self ", c->name, (int)c->of->where);
    for (int i = -1; i < c->n; i++) {
        es_str s = {0};
        es_error err = ES_ERROR_NONE;
        es_value_repr(in, &s, &of[i < 0 ? c->self : c->arg[i]], &err);
        fprintf(stderr, "%s%s%.60s; ", i >= 0 && c->names[i] ? c->names[i] : "",
                i >= 0 && c->names[i] ? "=" : "", es_str_text(&s));
        es_str_free(&s);
        es_error_free(&err);
    }
    fputc('\n', stderr);
}

/* Is the answer's shape known before its numbers are?  An axis that is counted is called n. */
static bool is_counted(const es_tensor *t)
{
    for (int d = 0; d < t->shape.ndim; d++)
        if (!strcmp(t->shape.label[d].s, "n"))
            return true;
    return false;
}

static void compare(const call *c, const pool *p, es_interp *in, const es_value *foretold,
                    const es_value *came)
{
    if (foretold->kind != ES_V_TENSOR || came->kind != ES_V_TENSOR)
        return;
    const es_tensor *a = es_value_as_tensor(foretold), *b = es_value_as_tensor(came);
    if (is_counted(b) || (a->dtype == b->dtype && es_shape_equal(&a->shape, &b->shape)))
        return;
    es_str s = {0};
    es_shape_show(&s, &a->shape);
    es_str_cat(&s, " foretold, came ");
    es_shape_show(&s, &b->shape);
    fprintf(stderr, "%s\n", s.s);
    tell(c, p->v, in);
    abort();
}

static void try_one(es_interp *in, const call *c, const pool *p)
{
    es_value foretold, came;
    es_error err = ES_ERROR_NONE, why = ES_ERROR_NONE;
    uint64_t seed = in->torch.seed, drawn = in->torch.drawn;
    in->torch.shapes_only = true;
    bool typed = run(in, c, p->bare, &foretold, &why);
    in->torch.shapes_only = false;
    if (strcmp(c->of->name, "manual_seed"))
        in->torch.seed = seed, in->torch.drawn = drawn;
    bool ok = run(in, c, p->v, &came, &err);
    promise(typed || (why.code && why.message && *why.message));
    promise(ok || (err.code && err.message && *err.message));
    if (typed && ok)
        compare(c, p, in, &foretold, &came);
    if (ok) {
        es_str s = {0};
        es_error shown = ES_ERROR_NONE;
        es_value_repr(in, &s, &came, &shown);
        es_str_free(&s);
        es_error_free(&shown);
    }
    if (ok && !typed && why.code != ES_ERR_VALUE) { /* "needs values" */
        fprintf(stderr, "works, and its type does not: %s\n", why.message);
        tell(c, p->v, in);
        abort();
    }
    es_value_unref(&foretold);
    es_value_unref(&came);
    es_error_free(&err);
    es_error_free(&why);
}

/* ---- all of it ---- */

static void row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t j = 0; j < C; j++)
        out[j] = (float)((i * C + j) * 7 % 17 - 8) / 8;
}

static size_t all_entries(const es_builtin **all, size_t room)
{
    size_t n = es_builtin_all(all);
    static const es_value_kind kinds[] = {ES_V_STR, ES_V_LIST, ES_V_TUPLE, ES_V_DICT};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; es_value_method_at(kinds[k], i) && n < room; i++)
            all[n++] = es_value_method_at(kinds[k], i);
    return n;
}

int fuzz_calls(const uint8_t *data, size_t size)
{
    static const es_builtin *all[ES_MOST_BUILTINS + 256];
    static size_t n_all;
    static es_backend *be;
    static es_table *wte;
    if (!be) {
        be = es_backend_open("cpu", 1, NULL);
        wte = es_table_generated(50, 8, row, NULL, 0);
        n_all = all_entries(all, sizeof all / sizeof *all);
    }
    es_value last = es_none();
    pool p = {.n = 0};
    const es_interp_host host = {.user = &last, .value = on_value};
    es_interp *in = es_interp_new(&host, be);
    in->torch.most_bytes = MOST_BYTES;
    fill(in, &p, &last, wte, be);
    bytes b = {data, size};
    for (int i = 0; i < MOST_CALLS && b.n; i++) {
        call c;
        choose(&c, &b, all, n_all, &p);
        try_one(in, &c, &p);
    }
    let_go(&p);
    es_value_unref(&last);
    es_interp_free(in);
    return 0;
}

ES_FUZZ_TARGET(fuzz_calls)
