// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/culprit.h"

#include <string.h>

/* ---- among the elements of a tensor ---- */

int64_t es_culprit_index(const es_scene *s, const es_tensor *ids, int64_t size, int64_t *index)
{
    enum { MOST = 1 << 20 };
    int64_t n = es_shape_count(&ids->shape);
    if (es_torch_meta(ids) || es_is_float(ids) ||
        !es_torch_ready(es_interp_torch(s->in), ids, "", NULL))
        return -1;
    for (int64_t i = 0; i < n && i < MOST; i++) {
        *index = es_torch_get_int(ids, i);
        if (*index < 0 || *index >= size)
            return i;
    }
    return -1;
}

/* The list in torch.tensor([…]), also behind calls that leave its places as they are. */
static const es_node *list_in(const es_node *n)
{
    static const char *const same[] = {"long", "int", "float", "to", "cpu", "clone"};
    while (n && n->kind == ES_N_CALL) {
        const es_node *callee = n->kid[0];
        const char *name = callee->text ? callee->text : "";
        const es_node *next = NULL;
        for (size_t i = 0; i < sizeof same / sizeof *same; i++)
            if (callee->kind == ES_N_ATTRIBUTE && !strcmp(name, same[i]))
                next = callee->kid[0];
        if (!next && n->n_kids > 1 && (!strcmp(name, "tensor") || !strcmp(name, "LongTensor")))
            next = n->kid[1];
        n = next;
    }
    return n && n->kind == ES_N_LIST ? n : NULL;
}

const es_node *es_culprit_literal(const es_node *node, const es_tensor *t, int64_t at)
{
    const es_node *n = list_in(node);
    int64_t left = es_shape_count(&t->shape);
    for (int axis = 0; n && axis < t->shape.ndim; axis++) {
        left /= t->shape.dim[axis];
        if ((n->kind != ES_N_LIST && n->kind != ES_N_TUPLE) || n->n_kids != t->shape.dim[axis])
            return NULL;
        n = n->kid[at / left];
        at %= left;
    }
    return n;
}

void es_culprit_blame(const es_scene *s, const es_node *node)
{
    s->err->begin = (ptrdiff_t)node->begin;
    s->err->end = (ptrdiff_t)node->end;
    s->err->op_begin = s->err->op_end = 0;
}

/* ---- among subscripts ---- */

/* How many axes a subscript is for. */
static int axes_of(const es_value *v)
{
    if (v->kind == ES_V_NONE || v->kind == ES_V_BOOL || v->kind == ES_V_ELLIPSIS)
        return 0;
    const es_tensor *t = v->kind == ES_V_TENSOR ? es_value_as_tensor(v) : NULL;
    return t && t->dtype == ES_BOOL ? t->shape.ndim : 1;
}

/* Is a subscript outside its axis?  *element: which one of a tensor's. */
static bool is_outside(const es_scene *s, const es_value *v, int64_t size, int64_t *element)
{
    *element = -1;
    if (v->kind == ES_V_INT)
        return v->u.i < -size || v->u.i >= size;
    if (v->kind != ES_V_TENSOR || es_value_as_tensor(v)->dtype == ES_BOOL)
        return false;
    const es_tensor *t = es_value_as_tensor(v);
    int64_t i, n = es_shape_count(&t->shape);
    int64_t at = es_culprit_index(s, t, size, &i);
    for (; at >= 0 && at < n; at++) { /* below 0 is from the end here */
        i = es_torch_get_int(t, at);
        *element = at;
        if (i < -size || i >= size)
            return true;
    }
    return false;
}

/* Where the wrong number of a subscript stands. */
static const es_node *written_at(const es_node *one, const es_value *v, int64_t element)
{
    const es_node *literal = NULL;
    if (one && element >= 0)
        literal = es_culprit_literal(one, es_value_as_tensor(v), element);
    return literal ? literal : one;
}

int es_culprit_subscripts(const es_scene *s, es_drawn_sub *out, int most, const es_node **wrong)
{
    const es_shape *shape = &es_part_tensor(&s->part[0])->shape;
    const es_value *sub = s->part[1].v;
    const es_node *node = s->node->kid[1];
    bool several = sub->kind == ES_V_TUPLE;
    int n = several ? (int)es_value_items(sub)->n : 1, used = 0, axis = 0;
    const es_value *v = several ? es_value_items(sub)->of : sub;
    bool written = several ? node->kind == ES_N_TUPLE && node->n_kids == n : true;
    *wrong = NULL;
    if (n > most)
        return 0;
    for (int i = 0; i < n; i++)
        used += axes_of(&v[i]);
    for (int i = 0; i < n; i++) {
        const es_node *one = !written ? NULL : several ? node->kid[i] : node;
        int axes = axes_of(&v[i]);
        out[i] = (es_drawn_sub){.axis = axes ? axis : -1};
        if (one)
            es_excerpt(&out[i].text, s->unit, one, 16);
        if (v[i].kind == ES_V_ELLIPSIS && used < shape->ndim)
            axis += shape->ndim - used;
        int64_t element = -1;
        out[i].wrong =
            axes > 0 && (axis >= shape->ndim || is_outside(s, &v[i], shape->dim[axis], &element));
        if (out[i].wrong && !*wrong)
            *wrong = written_at(one, &v[i], element);
        axis += axes;
    }
    return n;
}
