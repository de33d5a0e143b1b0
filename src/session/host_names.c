// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/host_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/modules.h"
#include "session/tensor_mode.h"

/* In the order of es_host_names. */
enum { IDS, POSITIONS, TOK_EMB, POS_EMB, X };
enum { WTE, WPE };
enum { SEL, AXES };

typedef enum kind { TENSOR, TABLE, PICTURE, SIZE_OF_TEXT, SIZE_OF_MODEL } kind;

static const struct {
    const char *name;
    kind kind;
    int which;         /* of the tensors, tables, sizes */
    const char *label; /* of a size */
} names[] = {
    {"B", SIZE_OF_TEXT, 0, "B"},
    {"C", SIZE_OF_MODEL, 1, "C"},
    {"P", SIZE_OF_MODEL, 2, "P"},
    {"T", SIZE_OF_TEXT, 1, "T"},
    {"V", SIZE_OF_MODEL, 0, "V"},
    {"axes", PICTURE, AXES, NULL},
    {"batch_size", SIZE_OF_TEXT, 0, "B"},
    {"d_model", SIZE_OF_MODEL, 1, "C"},
    {"ids", TENSOR, IDS, NULL},
    {"input_ids", TENSOR, IDS, NULL},
    {"max_seq_len", SIZE_OF_MODEL, 2, "P"},
    {"n_ctx", SIZE_OF_MODEL, 2, "P"},
    {"n_embd", SIZE_OF_MODEL, 1, "C"},
    {"pos_emb", TENSOR, POS_EMB, NULL},
    {"position_embeddings", TABLE, WPE, NULL},
    {"positions", TENSOR, POSITIONS, NULL},
    {"sel", PICTURE, SEL, NULL},
    {"seq_len", SIZE_OF_TEXT, 1, "T"},
    {"tok_emb", TENSOR, TOK_EMB, NULL},
    {"token_embeddings", TABLE, WTE, NULL},
    {"vocab_size", SIZE_OF_MODEL, 0, "V"},
    {"wpe", TABLE, WPE, NULL},
    {"wte", TABLE, WTE, NULL},
    {"x", TENSOR, X, NULL},
};
enum { N_NAMES = sizeof names / sizeof *names };

static size_t find(const char *name, size_t n)
{
    size_t i = 0;
    while (i < N_NAMES && (strlen(names[i].name) != n || memcmp(names[i].name, name, n)))
        i++;
    return i;
}

const char *es_host_name_at(size_t i)
{
    return i < N_NAMES ? names[i].name : NULL;
}

bool es_host_name_of_text(const char *name)
{
    size_t i = find(name, strlen(name));
    return i < N_NAMES && (names[i].kind == TENSOR || names[i].kind == SIZE_OF_TEXT);
}

const es_value *es_host_name_kept(const es_host_names *n, size_t i)
{
    const es_value *v = NULL;
    if (names[i].kind == TENSOR)
        v = &n->tensor[names[i].which];
    if (names[i].kind == TABLE)
        v = &n->table[names[i].which];
    if (names[i].kind == PICTURE)
        v = &n->picture[names[i].which];
    return v && v->kind != ES_V_NONE ? v : NULL;
}

void es_host_names_forget_text(es_host_names *n)
{
    for (int i = 0; i < ES_NAMED_TENSORS; i++)
        es_value_unref(&n->tensor[i]);
    es_text_unref(n->text);
    n->text = NULL;
}

void es_host_names_forget(es_host_names *n)
{
    es_host_names_forget_text(n);
    for (int i = 0; i < ES_NAMED_TABLES; i++)
        es_value_unref(&n->table[i]);
    for (int i = 0; i < ES_NAMED_PICTURES; i++)
        es_value_unref(&n->picture[i]);
}

void es_host_names_forget_picture(es_host_names *n, const char *name)
{
    es_value_unref(&n->picture[names[find(name, strlen(name))].which]);
}

/* ---- tensors of the last text ---- */

static bool make_ids(const es_text *t, es_value *out, es_error *err)
{
    es_shape shape = es_shape_2d("B", es_text_B(t), "T", es_text_T(t));
    es_tensor ids;
    if (!es_tensor_new(&ids, t->context->layer.be, ES_INT64, &shape, err))
        return false;
    for (int64_t i = 0, n = es_shape_count(&shape); i < n; i++)
        ((int64_t *)ids.buf->mem)[i] = es_text_ids(t)[i];
    *out = es_value_tensor(&ids);
    return true;
}

static bool make_positions(const es_text *t, es_value *out, es_error *err)
{
    es_shape shape = es_shape_2d("", 1, "T", es_text_T(t));
    es_tensor positions;
    if (!es_tensor_new(&positions, t->context->layer.be, ES_INT64, &shape, err))
        return false;
    for (int64_t i = 0; i < es_text_T(t); i++)
        ((int64_t *)positions.buf->mem)[i] = i;
    *out = es_value_tensor(&positions);
    return true;
}

/* The vectors are computed when their numbers are wanted, and copied: a statement may write into them, and
 * the text stays what it is. */
typedef struct vectors {
    es_text *text; /* one reference */
    int which;
    es_shape shape;
} vectors;

static const es_tensor *stage(const es_embedded *e, int which)
{
    return which == TOK_EMB ? &e->tok_emb : which == POS_EMB ? &e->pos_emb : &e->x;
}

static bool make_vectors(es_buffer *buf, es_error *err)
{
    const vectors *v = buf->late.of;
    const es_embedded *all = es_text_vectors(v->text, err);
    if (!all)
        return false;
    if (!buf->be->ops->alloc(buf->be, buf, err))
        return false;
    buf->be->in_use += buf->bytes;
    es_tensor whole = {.dtype = ES_FLOAT32, .shape = v->shape, .buf = buf};
    for (int64_t i = v->shape.ndim - 1, n = 1; i >= 0; i--) {
        whole.stride[i] = n;
        n *= v->shape.dim[i];
    }
    es_view dst = es_tensor_as_view(&whole), src = es_tensor_as_view(stage(all, v->which));
    return buf->bytes == 0 || buf->be->ops->copy(&dst, &src, err);
}

static void forget_vectors(es_buffer *buf)
{
    vectors *v = buf->late.of;
    if (buf->mem) {
        buf->be->in_use -= buf->bytes;
        buf->be->ops->release(buf->be, buf);
    }
    es_text_unref(v->text);
    free(v);
}

static bool later(es_text *t, int which, es_value *out, es_error *err)
{
    int64_t B = es_text_B(t), T = es_text_T(t), C = t->context->model->config.n_embd;
    if (which == POS_EMB && t->context->layer.positions == ES_POSITIONS_NONE) {
        es_fail(err, ES_ERR_NAME, "there is no pos_emb: positions are none, x is tok_emb alone");
        return es_hint(err, "try: :positions learned");
    }
    if (!es_text_guard(t, err))
        return false;
    vectors *v = es_alloc(sizeof *v);
    *v = (vectors){es_text_ref(t), which,
                   which == POS_EMB ? es_shape_3d("", 1, "T", T, "C", C)
                                    : es_shape_3d("B", B, "T", T, "C", C)};
    const es_late late = {
        .make = make_vectors, .forget = forget_vectors, .own = es_buffer_need, .of = v};
    size_t bytes = (size_t)es_shape_count(&v->shape) * sizeof(float);
    es_tensor made = {.dtype = ES_FLOAT32,
                      .shape = v->shape,
                      .stride = {T * C, C, 1},
                      .buf = es_buffer_later(t->context->layer.be, bytes, false, late)};
    *out = es_value_tensor(&made);
    return true;
}

static bool no_text(const char *name, es_error *err)
{
    es_fail(err, ES_ERR_NAME, "%s is of the last text, and there is no text yet", name);
    return es_hint(err, "try: a text in quotes on a line of its own, \"The cat sat\"");
}

static bool tensor(es_host_names *n, size_t i, es_value *out, es_error *err)
{
    es_text *last = es_session_text(n->session);
    es_value *kept = &n->tensor[names[i].which];
    if (!last)
        return no_text(names[i].name, err);
    if (n->text != last) {
        es_host_names_forget_text(n);
        n->text = es_text_ref(last);
    }
    bool ok = kept->kind != ES_V_NONE ||
              (names[i].which == IDS         ? make_ids(last, kept, err)
               : names[i].which == POSITIONS ? make_positions(last, kept, err)
                                             : later(last, names[i].which, kept, err));
    if (ok)
        *out = es_value_ref(kept);
    return ok;
}

/* ---- tables and sizes ---- */

static bool table(es_host_names *n, size_t i, es_value *out, es_error *err)
{
    const es_model *m = es_session_context(n->session)->model;
    es_value *kept = &n->table[names[i].which];
    bool is_wte = names[i].which == WTE;
    if (is_wte ? !es_model_needs_wte(m, err) : !es_model_needs_wpe(m, err))
        return false;
    if (kept->kind == ES_V_NONE)
        *kept = es_embedding_of_table(es_mode_interp(n->session), is_wte ? "wte" : "wpe",
                                      is_wte ? m->wte : m->wpe,
                                      es_session_context(n->session)->layer.be);
    *out = es_value_ref(kept);
    return true;
}

/* ---- pictures ---- */

static bool make_selection(es_session *s, es_value *out, es_error *err)
{
    size_t n;
    const int32_t *ids = es_session_selection(s, &n);
    es_shape shape = es_shape_1d("N", (int64_t)n);
    es_tensor sel;
    if (!n) {
        es_fail(err, ES_ERR_NAME, "sel is what is selected in the map, and nothing is");
        return es_hint(err,
                       "try: :select x=-1..1 y=-1..1, or Shift and a drag in the window's map");
    }
    if (!es_tensor_new(&sel, es_session_context(s)->layer.be, ES_INT64, &shape, err))
        return false;
    for (size_t i = 0; i < n; i++)
        ((int64_t *)sel.buf->mem)[i] = ids[i];
    *out = es_value_tensor(&sel);
    return true;
}

static bool make_axes(es_session *s, es_value *out, es_error *err)
{
    int64_t K, C;
    const float *from = es_session_axes(s, &K, &C);
    es_shape shape = es_shape_2d("K", K, "C", C);
    es_tensor axes;
    if (!from) {
        es_fail(err, ES_ERR_NAME, "axes are those of the picture, and none that has any is shown");
        return es_hint(err, "try: :show map, whose axes are components of wte");
    }
    if (!es_tensor_new(&axes, es_session_context(s)->layer.be, ES_FLOAT32, &shape, err))
        return false;
    if (!es_tensor_write(&axes, from, err)) {
        es_tensor_free(&axes);
        return false;
    }
    *out = es_value_tensor(&axes);
    return true;
}

static bool picture(es_host_names *n, size_t i, es_value *out, es_error *err)
{
    es_value *kept = &n->picture[names[i].which];
    bool ok =
        kept->kind != ES_V_NONE || (names[i].which == SEL ? make_selection(n->session, kept, err)
                                                          : make_axes(n->session, kept, err));
    if (ok)
        *out = es_value_ref(kept);
    return ok;
}

static void size(size_t i, const int64_t *of, es_value *out)
{
    *out = es_value_int(of[names[i].which]);
    out->label = es_label_named(names[i].label);
}

static bool size_of_text(es_session *s, size_t i, es_value *out, es_error *err)
{
    const es_text *t = es_session_text(s);
    if (!t)
        return no_text(names[i].name, err);
    size(i, (const int64_t[]){es_text_B(t), es_text_T(t)}, out);
    return true;
}

int es_host_name(es_host_names *n, const char *name, size_t len, es_value *out, es_error *err)
{
    size_t i = find(name, len);
    if (i == N_NAMES)
        return 0;
    const es_config *c = &es_session_context(n->session)->model->config;
    bool ok = true;
    switch (names[i].kind) {
    case TENSOR: ok = tensor(n, i, out, err); break;
    case TABLE: ok = table(n, i, out, err); break;
    case PICTURE: ok = picture(n, i, out, err); break;
    case SIZE_OF_TEXT: ok = size_of_text(n->session, i, out, err); break;
    case SIZE_OF_MODEL: size(i, (const int64_t[]){c->vocab_size, c->n_embd, c->n_ctx}, out); break;
    }
    return ok ? 1 : -1;
}
