// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/depict.h"

#include <inttypes.h>
#include <string.h>

#include "expr/culprit.h"
#include "torch/label.h"

/* ---- shapes against shapes ---- */

void es_depict_broadcast(es_scene *s)
{
    es_operand of[ES_MOST_PARTS];
    int n = es_scene_tensors(s, of, NULL);
    bool clash = false;
    for (int axis = 1; axis <= ES_MAX_DIMS; axis++)
        clash = clash || !es_draw_fits(of, n, axis);
    if (clash && s->node->kind != ES_N_INDEX && !es_scene_is(s, "einsum"))
        es_draw_broadcast(s->err, of, n);
    else if (s->node->kind == ES_N_AUGMENT && n == 2) /* what is written into does not grow */
        es_draw_expand(s->err, &of[1], &of[0].t->shape);
    es_operands_free(of, n);
}

/* PyTorch folds the axes before the last into one: say which they were. */
static void unfold(es_scene *s, const es_shape *a)
{
    if (a->ndim < 3 || !s->err->torch || !strstr(s->err->torch, "shapes cannot be multiplied") ||
        strstr(s->err->torch, " is "))
        return;
    es_shape rows = *a;
    int64_t n;
    rows.ndim--;
    n = es_shape_count(&rows);
    es_str said = {0};
    es_str_add(&said, "%s; %" PRId64 " is ", s->err->torch, n);
    for (int i = 0; i < rows.ndim; i++) {
        es_str_cat(&said, i ? "*" : "");
        if (es_label_is_named(&rows.label[i]))
            es_str_cat(&said, rows.label[i].s);
        else
            es_str_add(&said, "%" PRId64, rows.dim[i]);
    }
    es_torch_says(s->err, "%s", said.s);
    es_str_free(&said);
}

void es_depict_matmul(es_scene *s)
{
    es_operand of[ES_MOST_PARTS];
    es_tensor turned;
    int n = es_scene_tensors(s, of, NULL);
    bool known = n >= 2 && (es_scene_is(s, "@ matmul mm bmm mv linear") ||
                            (es_scene_is(s, "dot") && of[0].t->shape.ndim == 1));
    if (known && es_scene_is(s, "linear") && of[1].t->shape.ndim == 2) {
        turned = *of[1].t; /* what is multiplied by is the weight, transposed */
        const es_shape *w = &of[1].t->shape;
        turned.shape = es_shape_2d(w->label[1].s, w->dim[1], w->label[0].s, w->dim[0]);
        of[1].t = &turned;
        if (of[1].text.len > 2 && !strcmp(of[1].text.s + of[1].text.len - 2, ".T"))
            es_str_cut(&of[1].text, of[1].text.len - 2);
        else
            es_str_cat(&of[1].text, ".T");
    }
    if (known && of[0].t->shape.ndim > 0 && of[1].t->shape.ndim > 0) {
        es_draw_matmul(s->err, &of[0], &of[1]);
        unfold(s, &of[0].t->shape);
    }
    es_operands_free(of, n);
}

void es_depict_cat(es_scene *s)
{
    es_operand of[ES_MOST_PARTS];
    int64_t axis = 0;
    int n = es_scene_tensors(s, of, NULL);
    es_part_int(es_scene_part(s, "dim", 1), &axis);
    if (n >= 2 && es_scene_is(s, "cat concat concatenate stack"))
        es_draw_cat(s->err, of, n, (int)(axis < 0 ? axis + of[0].t->shape.ndim : axis),
                    es_scene_is(s, "stack"));
    es_operands_free(of, n);
}

/* ---- one tensor, asked for another shape ---- */

static void draw_asked(es_scene *s, void (*draw)(es_error *, const es_operand *, const es_shape *))
{
    es_operand of[ES_MOST_PARTS];
    es_shape asked;
    int n = es_scene_tensors(s, of, NULL);
    if (n == 1 && es_scene_sizes(s, 1, &asked))
        draw(s->err, &of[0], &asked);
    es_operands_free(of, n);
}

/* The size that -1 stands for, if it can be told; false: the numbers do not fit. */
static bool work_out(es_shape *asked, int64_t count)
{
    int64_t known = 1;
    int unknown = -1;
    for (int i = 0; i < asked->ndim; i++) {
        if (asked->dim[i] < 0 && unknown >= 0)
            return false;
        if (asked->dim[i] < 0)
            unknown = i;
        else if (known <= count)
            known *= asked->dim[i];
    }
    if (unknown < 0)
        return known == count;
    if (known == 0 || count % known)
        return false;
    asked->dim[unknown] = count / known;
    return true;
}

/* Of another count, or of the same one in memory that lies otherwise. */
static void draw_view_of(es_error *err, const es_operand *x, const es_shape *asked)
{
    es_shape whole = *asked;
    if (work_out(&whole, es_shape_count(&x->t->shape)))
        es_draw_strides(err, x, &whole);
    else
        es_draw_view(err, x, asked);
}

void es_depict_view(es_scene *s)
{
    if (es_scene_is(s, "view reshape"))
        draw_asked(s, draw_view_of);
}

void es_depict_expand(es_scene *s)
{
    if (es_scene_is(s, "expand broadcast_to"))
        draw_asked(s, es_draw_expand);
}

/* ---- axes and places ---- */

/* False: this is no x[…] of a tensor. */
static bool draw_subscripts(es_scene *s)
{
    es_drawn_sub sub[ES_MAX_DIMS + 2];
    const es_node *wrong;
    if (s->node->kind != ES_N_INDEX || s->n != 2 || !es_part_tensor(&s->part[0]))
        return false;
    int n = es_culprit_subscripts(s, sub, ES_MAX_DIMS + 2, &wrong);
    es_operand x = {.t = es_part_tensor(&s->part[0])};
    es_excerpt(&x.text, s->unit, s->node->kid[0], 20);
    if (n > 0)
        es_draw_subscripts(s->err, &x, sub, n);
    if (wrong)
        es_culprit_blame(s, wrong);
    for (int i = 0; i < n; i++)
        es_str_free(&sub[i].text);
    es_str_free(&x.text);
    return true;
}

/* The one argument that is no axis of a tensor of ndim axes, or NULL. */
static const es_node *wrong_axis(const es_scene *s, int ndim)
{
    const es_node *found = NULL;
    for (int i = 0; i < s->n; i++) {
        int64_t axis;
        if (!s->part[i].node || !es_part_int(&s->part[i], &axis) || (axis >= -ndim && axis < ndim))
            continue;
        if (found)
            return NULL;
        found = s->part[i].node;
    }
    return found;
}

void es_depict_axes(es_scene *s)
{
    es_operand of[ES_MOST_PARTS];
    if (draw_subscripts(s))
        return;
    int n = es_scene_tensors(s, of, NULL);
    if (n > 0 && s->node->kind == ES_N_CALL && !es_scene_is(s, "gather take_along_dim")) {
        bool between = es_scene_is(s, "unsqueeze stack");
        const es_node *wrong = wrong_axis(s, of[0].t->shape.ndim + between);
        es_draw_axes(s->err, &of[0], between);
        if (wrong)
            es_culprit_blame(s, wrong);
    }
    es_operands_free(of, n);
}

void es_depict_index(es_scene *s)
{
    int64_t size = INT64_MAX, index;
    const es_part *p = &s->part[0];
    const es_tensor *ids = s->n ? es_part_tensor(p) : NULL;
    if (s->node->kind == ES_N_INDEX && s->n == 2 && s->part[1].v->kind == ES_V_INT)
        es_culprit_blame(s, s->node->kid[1]); /* of a list or a shape */
    if (draw_subscripts(s) || !ids || !p->node || !es_scene_is(s, "embedding one_hot"))
        return;
    if (s->table)
        size = s->table->shape.dim[0];
    else if (es_scene_is(s, "embedding") && s->n > 1 && es_part_tensor(&s->part[1]))
        size = es_part_tensor(&s->part[1])->shape.dim[0];
    else
        es_part_int(es_scene_part(s, "num_classes", 1), &size);
    int64_t at = es_culprit_index(s, ids, size, &index);
    const es_node *literal = at < 0 ? NULL : es_culprit_literal(p->node, ids, at);
    if (at >= 0)
        es_culprit_blame(s, literal ? literal : p->node);
}

/* ---- what numbers are made of, and where they are ---- */

void es_depict_dtypes(es_scene *s)
{
    static const char *const words[] = {
        [ES_WANTS_ONE_KIND] = "both are to be of one dtype",
        [ES_WANTS_FLOATS] = "wanted: float32",
        [ES_WANTS_INTEGERS] = "wanted: int64 or int32",
    };
    es_operand of[ES_MOST_PARTS];
    bool wrong[ES_MOST_PARTS] = {false}, any = false;
    es_wanted wanted = es_scene_wants(s);
    int n = es_scene_tensors(s, of, NULL);
    if (es_scene_is(s, "embedding") && !s->table) /* the table is to be of floats */
        n = n > 1 ? es_operands_free(of + 1, n - 1), 1 : n;
    for (int i = 0; i < n; i++) {
        bool floats = es_is_float(of[i].t);
        wrong[i] = wanted == ES_WANTS_INTEGERS   ? floats || of[i].t->dtype == ES_BOOL
                   : wanted == ES_WANTS_FLOATS   ? !floats
                   : wanted == ES_WANTS_ONE_KIND ? of[i].t->dtype != of[n - 1].t->dtype
                                                 : false;
        any = any || wrong[i];
    }
    if (any)
        es_draw_dtypes(s->err, of, n, wrong,
                       es_scene_is(s, "one_hot") ? "wanted: int64" : words[wanted]);
    es_operands_free(of, n);
}

void es_depict_devices(es_scene *s)
{
    es_operand of[ES_MOST_PARTS + 1] = {{.t = NULL}};
    bool wrong[ES_MOST_PARTS + 1] = {false};
    int n = s->table != NULL;
    if (s->table) {
        of[0].t = s->table;
        es_excerpt(&of[0].text, s->unit, s->node->kid[0], 16);
        es_str_cat(&of[0].text, ".weight");
    }
    n += es_scene_tensors(s, of + n, NULL);
    for (int i = 1; i < n; i++)
        wrong[i] = of[i].t->buf->be != of[0].t->buf->be;
    if (n > 1)
        es_draw_devices(s->err, of, n, wrong);
    es_operands_free(of, n);
}

/* ---- lists of unequal length ---- */

void es_depict_ragged(es_scene *s)
{
    enum { MOST_SHOWN = 6 };
    const es_part *p = s->n ? &s->part[0] : NULL;
    const es_node *node = p && p->node && p->node->kind == ES_N_LIST ? p->node : NULL;
    es_str row[MOST_SHOWN] = {{0}};
    int64_t length[MOST_SHOWN], wanted = -1;
    int shown = 0;
    if (!p || !es_value_is_sequence(p->v))
        return;
    const es_items *items = es_value_items(p->v);
    bool written = node && node->n_kids == items->n, blamed = false;
    for (int64_t i = 0; i < items->n && !blamed; i++) {
        if (!es_value_is_sequence(&items->of[i]))
            break;
        int64_t n = es_value_items(&items->of[i])->n;
        wanted = i == 0 ? n : wanted;
        blamed = n != wanted;
        if (shown == MOST_SHOWN && !blamed)
            continue;
        shown -= shown == MOST_SHOWN; /* the one that differs takes the place of the last */
        es_str_cut(&row[shown], 0);
        if (written)
            es_excerpt(&row[shown], s->unit, node->kid[i], 20);
        else
            es_str_add(&row[shown], "[%" PRId64 "]", i);
        length[shown++] = n;
        if (blamed && written)
            es_culprit_blame(s, node->kid[i]);
    }
    if (blamed)
        es_draw_ragged(s->err, row, length, shown, wanted);
    for (int i = 0; i < MOST_SHOWN; i++)
        es_str_free(&row[i]);
}

/* B, T = ids[0].shape: names above values. */
void es_depict_unpack(es_scene *s)
{
    enum { MOST_SHOWN = 10 };
    es_str name[MOST_SHOWN] = {{0}}, value[MOST_SHOWN] = {{0}};
    const es_node *targets = s->node;
    int n_names = targets->n_kids, n_values = 0;
    if ((targets->kind != ES_N_TUPLE && targets->kind != ES_N_LIST) || n_names > MOST_SHOWN ||
        s->n != 1 || !es_value_is_sequence(s->part[0].v))
        return;
    const es_items *items = es_value_items(s->part[0].v);
    for (int i = 0; i < n_names; i++)
        es_excerpt(&name[i], s->unit, targets->kid[i], 12);
    for (; n_values < items->n && n_values < MOST_SHOWN; n_values++) {
        const es_value *v = &items->of[n_values];
        if (v->kind == ES_V_INT)
            es_str_add(&value[n_values], "%s%s%" PRId64, v->label.s, v->label.s[0] ? "=" : "",
                       v->u.i);
        else
            es_str_cat(&value[n_values], es_value_type_name(v));
    }
    es_draw_unpack(s->err, name, n_names, value, n_values);
    for (int i = 0; i < MOST_SHOWN; i++) {
        es_str_free(&name[i]);
        es_str_free(&value[i]);
    }
}
