// SPDX-License-Identifier: GPL-3.0-or-later
/* What PyTorch has not: tokens, names of axes, whose memory is whose, nearest rows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/inside.h"
#include "expr/modules.h"
#include "torch/cast.h"
#include "torch/host.h"
#include "torch/weight.h"

/* ---- tokens ---- */

static bool no_vocabulary(es_error *err)
{
    return es_fail(err, ES_ERR_UNSUPPORTED, "there is no vocabulary here");
}

static bool encode(es_args *a, es_tensor *ids, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    const es_value *text = &a->v[0];
    if (!host->encode)
        return no_vocabulary(err);
    if (text->kind != ES_V_STR && text->kind != ES_V_LIST && text->kind != ES_V_TUPLE)
        return es_arg_wrong(a, 0, "a string or a list of strings", err);
    return host->encode(host->user, text, ids, err) || es_arg_blame(a, 0, err);
}

static bool run_encode(es_args *a, es_value *out, es_error *err)
{
    es_tensor ids;
    return encode(a, &ids, err) && es_answer(out, es_value_tensor(&ids));
}

static bool decode(es_args *a, const es_value *ids, es_value *out, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    es_str text = {0};
    if (!host->decode)
        return no_vocabulary(err);
    bool ok = host->decode(host->user, ids, &text, err);
    if (ok)
        *out = es_value_str(es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}

static bool run_decode(es_args *a, es_value *out, es_error *err)
{
    return decode(a, &a->v[0], out, err) || es_arg_blame(a, 0, err);
}

/* The text of each id alone, in lists as the ids are in axes. */
static bool pieces(es_args *a, const es_tensor *ids, es_value *out, es_error *err)
{
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; i < ids->shape.dim[0]; i++) {
        es_tensor part;
        es_value piece = es_none();
        if (!es_watch_step(a->k->watch, 0, err) || !es_tensor_slice(&part, ids, 0, i, i + 1, err))
            return false;
        if (ids->shape.ndim == 2) { /* a sentence */
            part.shape = es_shape_1d("", part.shape.dim[1]);
            part.stride[0] = part.stride[1];
        }
        es_value one = es_value_tensor(&part);
        bool ok = ids->shape.ndim == 2 ? pieces(a, es_value_as_tensor(&one), &piece, err)
                                       : decode(a, &one, &piece, err);
        es_value_unref(&one);
        if (!ok)
            es_value_unref(&piece);
        if (!ok || !es_items_add(es_value_items(out), piece, err))
            return false;
    }
    return true;
}

static bool run_pieces(es_args *a, es_value *out, es_error *err)
{
    es_tensor ids;
    if (!encode(a, &ids, err))
        return false;
    bool ok = pieces(a, &ids, out, err);
    es_tensor_free(&ids);
    return ok;
}

/* ---- memory ---- */

static bool run_same_storage(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && es_answer(out, es_value_bool(x->buf == y->buf));
}

/* A line "shares its memory with a, b": variables that are other views of it. */
static void add_sharers(es_args *a, es_str *text, const es_tensor *x)
{
    const es_value *v;
    const char *name;
    int n = 0;
    for (size_t i = 0; (name = es_interp_variable(a->in, i, &v)); i++) {
        bool shares =
            v->kind == ES_V_TENSOR && v->u.o != a->v[0].u.o && es_value_as_tensor(v)->buf == x->buf;
        if (shares)
            es_str_add(text, "%s%s", n++ ? ", " : "\nshares its memory with ", name);
    }
}

static bool run_dims(es_args *a, es_value *out, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    const es_tensor *x = es_arg_tensor(a, 0, err);
    (void)out;
    if (!x)
        return false;
    es_str text = {0};
    es_shape_show(&text, &x->shape);
    es_str_add(&text, " %s %s\nstrides (", es_dtype_name(x->dtype),
               es_torch_meta(x) ? "meta: only its shape is known" : x->buf->be->name);
    for (int d = 0; d < x->shape.ndim; d++)
        es_str_add(&text, "%s%" PRId64, d ? ", " : "", x->stride[d]);
    es_str_add(&text, ")%s from %" PRId64,
               es_torch_is_contiguous(x) ? ", row after row," : ", not row after row,", x->offset);
    add_sharers(a, &text, x);
    es_str_char(&text, '\n');
    if (host->print)
        host->print(host->user, text.s, text.len);
    es_str_free(&text);
    return true;
}

/* ---- nearest rows ---- */

/* A row of wte and its cosine with the vector in question. */
typedef struct near_row {
    int64_t id;
    double cosine;
} near_row;

static int closer(const void *a, const void *b)
{
    const near_row *x = a, *y = b;
    int c = (x->cosine < y->cosine) - (x->cosine > y->cosine);
    return c ? c : (x->id > y->id) - (x->id < y->id);
}

static double dot(const float *x, const float *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

/* The i-th row of wte: its table's, unless something was written into it. */
static bool read_row(const es_tensor *wte, int64_t i, float *row, es_error *err)
{
    const es_table *table = es_torch_table_of(wte);
    int64_t C = wte->shape.dim[1];
    if (table)
        return es_table_row(table, i, row, err);
    for (int64_t c = 0; c < C; c++)
        row[c] = (float)es_torch_get_float(wte, i * C + c);
    return true;
}

/* All rows against v; row: room for one. */
static bool score(es_args *a, const es_tensor *wte, const float *v, float *row, near_row *rows,
                  es_error *err)
{
    int64_t V = wte->shape.dim[0], C = wte->shape.dim[1];
    double length = sqrt(dot(v, v, C));
    for (int64_t i = 0; i < V; i++) {
        if (!es_watch_step(i % 64 ? NULL : a->k->watch, 0, err) || !read_row(wte, i, row, err))
            return false;
        double both = length * sqrt(dot(row, row, C));
        double cosine = both > 0 ? dot(row, v, C) / both : 0;
        rows[i] = (near_row){i, isnan(cosine) ? -2 : cosine}; /* a row with NaN comes last */
    }
    return true;
}

static bool give_near(es_args *a, es_value *out, const near_row *rows, int64_t k, es_error *err)
{
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; i < k; i++) {
        const es_shape one = es_shape_1d("", 1);
        es_tensor id;
        es_value text = es_none();
        if (!es_tensor_new(&id, a->k->be, ES_INT64, &one, err))
            return false;
        *(int64_t *)id.buf->mem = rows[i].id;
        es_value ids = es_value_tensor(&id);
        bool ok = !es_interp_host_of(a->in)->decode || decode(a, &ids, &text, err);
        es_value_unref(&ids);
        if (!ok)
            return false;
        const es_value row[] = {es_value_int(rows[i].id), text, es_value_float(rows[i].cosine)};
        if (!es_items_add(es_value_items(out), es_value_tuple(row, 3), err))
            return false;
    }
    return true;
}

/* The weight of wte, as the host has it; *wte is to be dropped. */
static const es_tensor *weight_of(es_args *a, es_value *wte, es_error *err)
{
    int found = es_host_value(a->in, "wte", 3, wte, err);
    const es_tensor *weight = found > 0 ? es_embedding_weight(wte) : NULL;
    if (weight && weight->shape.ndim == 2)
        return weight;
    if (found >= 0)
        es_fail(err, ES_ERR_UNSUPPORTED, "there is no model here whose rows could be near");
    return NULL;
}

/* The host compares: by the table's rows, or all numbers. */
static bool readable(es_args *a, es_tensor *out, const es_tensor *weight, es_error *err)
{
    if (!es_torch_table_of(weight))
        return es_host_operand(a->k, out, weight, NULL, "nearest()", err);
    es_backend_ran_beside(weight->buf->be, "nearest()");
    es_tensor_view(out, weight);
    return true;
}

/* The vector to compare with: v as C floats, dense. */
static bool read_vector(es_args *a, const es_tensor *wte, float *v, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    int64_t C = wte->shape.dim[1], n = x ? es_shape_count(&x->shape) : 0;
    if (!x)
        return false;
    if (n != C || x->shape.dim[x->shape.ndim ? x->shape.ndim - 1 : 0] != C) {
        es_str shape = {0};
        es_shape_show(&shape, &x->shape);
        es_fail(err, ES_ERR_VALUE, "nearest() wants one vector of C=%" PRId64 " numbers, not %s", C,
                es_str_text(&shape));
        es_str_free(&shape);
        return es_arg_blame(a, 0, err);
    }
    es_tensor here;
    if (!es_torch_here(a->k, &here, x, "nearest()", err))
        return es_arg_blame(a, 0, err);
    for (int64_t i = 0; i < C; i++)
        v[i] = (float)es_torch_get_float(&here, i);
    es_tensor_free(&here);
    return true;
}

static bool nearest(es_args *a, const es_tensor *wte, int64_t k, es_value *out, es_error *err)
{
    size_t V = (size_t)wte->shape.dim[0], C = (size_t)wte->shape.dim[1];
    near_row *rows = es_try_alloc(V + 1, sizeof *rows, "scores", err);
    float *v = es_try_alloc(2 * C + 1, sizeof *v, "a row", err);
    bool ok = rows && v && read_vector(a, wte, v, err) && score(a, wte, v, v + C, rows, err);
    if (ok) {
        qsort(rows, V, sizeof *rows, closer);
        ok = give_near(a, out, rows, k < (int64_t)V ? k : (int64_t)V, err);
    }
    free(rows);
    free(v);
    return ok;
}

static bool run_nearest(es_args *a, es_value *out, es_error *err)
{
    int64_t k = 10;
    es_value wte = es_none();
    if (es_given(a, 1) && !es_arg_int64(a, 1, &k, err))
        return false;
    if (k < 1 || k > 1000) {
        es_fail(err, ES_ERR_RANGE, "nearest() lists 1 to 1000 rows, not %" PRId64, k);
        return es_arg_blame(a, 1, err);
    }
    const es_tensor *weight = weight_of(a, &wte, err);
    es_tensor here = {0};
    bool ok = weight && readable(a, &here, weight, err) && nearest(a, &here, k, out, err);
    es_tensor_free(&here);
    es_value_unref(&wte);
    return ok;
}

const es_builtin es_builtins_own[] = {
    {"decode", ES_IN_PLAIN | ES_OWN, "ids", "the text of token ids", "a string",
     "ids: a tensor of one or two axes, a list, or one id.", "decode(encode(\"The cat\"))",
     run_decode},
    {"detok", ES_IN_PLAIN | ES_OWN, "ids", "the text of token ids", "a string", NULL,
     "detok(tok(\"The cat\"))", run_decode},
    {"dims", ES_IN_PLAIN | ES_OWN, "input",
     "says what its axes are called and how it lies in memory", "None",
     "Also which variables are other views of that memory.",
     "a = torch.arange(6)\nb = a.view(2, 3)\ndims(b)", run_dims},
    {"encode", ES_IN_PLAIN | ES_OWN, "text", "the token ids of a text, or of several",
     "(T), or (B, T) for a list", NULL, "encode(\"The cat sat\")", run_encode},
    {"nearest", ES_IN_PLAIN | ES_OWN, "v, k=10", "the rows of wte nearest to a vector, by cosine",
     "(C) → a list of (id, text, cosine)",
     "All V rows are compared, in float64; equal ones come by id.", "nearest(wte.weight[464], 3)",
     run_nearest},
    {"pieces", ES_IN_PLAIN | ES_OWN, "text", "the text of each token", "a list of strings", NULL,
     "pieces(\"transformer\")", run_pieces},
    {"same_storage", ES_IN_PLAIN | ES_OWN, "a, b", "do two tensors share memory?", "a bool",
     "A view does, a copy does not.", "a = torch.arange(6)\nsame_storage(a, a.view(2, 3))",
     run_same_storage},
    {"tok", ES_IN_PLAIN | ES_OWN, "text", "the token ids of a text, or of several",
     "(T), or (B, T) for a list", NULL, "tok(\"The cat sat\")", run_encode},
    {.name = NULL},
};
