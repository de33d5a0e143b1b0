// SPDX-License-Identifier: GPL-3.0-or-later
/* Edits for one tensor that is asked for what it does not have: a shape, an axis, a place. */
#include <inttypes.h>
#include <string.h>

#include "expr/fix.h"
#include "torch/label.h"

/* ---- view, expand ---- */

void es_fix_view(es_fix *f)
{
    const es_node *callee = f->s->node->kid[0];
    if (f->s->method && es_scene_is(f->s, "view"))
        es_fix_edits(f, &(es_edit){callee->op_begin, callee->op_end, "reshape"}, 1,
                     (es_telling){.before = "reshape copies where it has to: "});
}

void es_fix_expand(es_fix *f)
{
    static const char *const unsqueeze[] = {".unsqueeze(-1)", ".unsqueeze(1)", ".unsqueeze(0)"};
    for (size_t i = 0; i < sizeof unsqueeze / sizeof *unsqueeze; i++)
        es_fix_around(f, &f->s->part[0], "", unsqueeze[i]);
}

/* ---- cat ---- */

/* B and T, but not B[:1] and B. */
static bool other_names(const es_label *a, const es_label *b)
{
    size_t n = strcspn(a->s, "["), m = strcspn(b->s, "[");
    return n && m && (n != m || memcmp(a->s, b->s, n) != 0);
}

/* Does the name, as in "B", stand for that size now? */
static bool is_size(es_interp *in, const char *name, int64_t size)
{
    es_error none = ES_ERROR_NONE;
    es_value v = es_none();
    bool same = *name && es_interp_lookup(in, name, strlen(name), &v, &none) &&
                v.kind == ES_V_INT && v.u.i == size;
    es_value_unref(&v);
    es_error_free(&none);
    return same;
}

/* ".expand(B, -1, -1)": of what a lacks to have b's sizes beside the joined axis, where a 1 or nothing is. */
static bool put_expand(es_str *out, es_interp *in, const es_shape *a, const es_shape *b, int joined)
{
    bool grows = false;
    if (a->ndim > b->ndim)
        return false;
    es_str_cat(out, ".expand(");
    for (int i = 0; i < b->ndim; i++) {
        int k = i - (b->ndim - a->ndim);
        bool keep = k >= 0 && (i == joined || a->dim[k] == b->dim[i]);
        if (k >= 0 && i != joined && other_names(&a->label[k], &b->label[i]))
            return false;
        grows = grows || !keep;
        es_str_cat(out, i ? ", " : "");
        if (keep)
            es_str_cat(out, "-1");
        else if (is_size(in, b->label[i].s, b->dim[i]))
            es_str_cat(out, b->label[i].s);
        else
            es_str_add(out, "%" PRId64, b->dim[i]);
    }
    es_str_cat(out, ")");
    return grows;
}

/* The one axis on which a and b differ; -1: none, or several. */
static int only_difference(const es_shape *a, const es_shape *b)
{
    int found = -1;
    for (int i = 0; i < a->ndim; i++) {
        if (a->dim[i] == b->dim[i])
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

static void fix_joined_axis(es_fix *f, int axis)
{
    const es_part *dim = es_scene_part(f->s, "dim", 1);
    es_str text = {0};
    if (dim && dim->node) {
        es_str_add(&text, "%d", axis);
        es_fix_edits(f, &(es_edit){dim->node->begin, dim->node->end, text.s}, 1, (es_telling){0});
    } else {
        es_str_add(&text, "dim=%d", axis);
        es_fix_argument(f, f->s->node, text.s, (es_telling){0});
    }
    es_str_free(&text);
}

void es_fix_cat(es_fix *f)
{
    es_operand of[ES_MOST_PARTS];
    es_part from[ES_MOST_PARTS];
    int64_t axis = 0;
    int n = es_scene_tensors(f->s, of, from), rank = n ? of[0].t->shape.ndim : 0;
    es_part_int(es_scene_part(f->s, "dim", 1), &axis);
    bool stack = es_scene_is(f->s, "stack");
    int joined = stack ? -1 : (int)(axis < 0 ? axis + rank : axis);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            es_str expand = {0};
            if (put_expand(&expand, f->s->in, &of[i].t->shape, &of[k].t->shape, joined))
                es_fix_behind(f, &from[i], expand.s);
            es_str_free(&expand);
        }
    for (int i = 0; i < n && !stack; i++)
        if (of[i].t->shape.ndim < of[!i].t->shape.ndim)
            es_fix_behind(f, &from[i], ".unsqueeze(-1)");
    int other = n == 2 && !f->found && of[1].t->shape.ndim == rank && !stack
                    ? only_difference(&of[0].t->shape, &of[1].t->shape)
                    : -1;
    if (other >= 0 && other != joined)
        fix_joined_axis(f, other);
    es_operands_free(of, n);
}

/* ---- axes that are not there ---- */

/* "permute(0, 2, 1)": the axes that were left out. */
static void fix_left_out(es_fix *f, int ndim)
{
    bool named[ES_MAX_DIMS] = {false};
    es_shape order;
    es_str more = {0};
    if (!es_scene_sizes(f->s, 1, &order))
        return;
    for (int i = 0; i < order.ndim; i++) {
        int64_t axis = order.dim[i] < 0 ? order.dim[i] + ndim : order.dim[i];
        if (axis >= 0 && axis < ndim)
            named[axis] = true;
    }
    for (int i = 0; i < ndim; i++)
        if (!named[i])
            es_str_add(&more, "%s%d", more.len ? ", " : "", i);
    if (more.len)
        es_fix_argument(f, f->s->node, more.s, (es_telling){0});
    es_str_free(&more);
}

/* Subscripts without those for which there is no axis. */
static void fix_subscripts(es_fix *f)
{
    const es_node *sub = f->s->node->kid[1];
    if (sub->kind != ES_N_TUPLE)
        return;
    for (int keep = sub->n_kids - 1; keep > 0 && !f->found; keep--)
        es_fix_edits(f, &(es_edit){sub->kid[keep - 1]->end, sub->end, ""}, 1, (es_telling){0});
}

void es_fix_dim(es_fix *f)
{
    const es_scene *s = f->s;
    const es_tensor *t = s->n ? es_part_tensor(&s->part[0]) : NULL;
    if (s->node->kind == ES_N_INDEX) {
        fix_subscripts(f);
        return;
    }
    if (s->node->kind != ES_N_CALL)
        return;
    int n = t ? t->shape.ndim + es_scene_is(s, "unsqueeze stack") : 0;
    bool typed = false;
    for (int i = 0; i < s->n; i++) {
        int64_t axis;
        const es_part *p = &s->part[i];
        if (!p->node || !es_part_int(p, &axis) || (axis >= -n && axis < n && t))
            continue;
        typed = true;
        es_str text = {0};
        es_str_add(&text, "%d", axis >= n && t ? n - 1 : 0);
        es_fix_edits(f, &(es_edit){p->node->begin, p->node->end, axis < 0 ? "0" : "-1"}, 1,
                     (es_telling){0});
        es_fix_edits(f, &(es_edit){p->node->begin, p->node->end, text.s}, 1, (es_telling){0});
        es_str_free(&text);
    }
    if (t && es_scene_is(s, "permute"))
        fix_left_out(f, t->shape.ndim);
    else if (!typed)
        es_fix_argument(f, s->node, "dim=-1", (es_telling){0});
}

/* ---- places that are not there ---- */

/* x[5] of five: the last is x[-1]. */
void es_fix_index(es_fix *f)
{
    const es_node *sub = f->s->node->kind == ES_N_INDEX ? f->s->node->kid[1] : NULL;
    if (!sub)
        return;
    bool several = sub->kind == ES_N_TUPLE && sub->n_kids > 0;
    for (int i = 0; i < (several ? sub->n_kids : 1); i++) {
        const es_node *one = several ? sub->kid[i] : sub;
        es_value v = es_none();
        if (one->kind == ES_N_SLICE || !es_fix_value(f->s, one, &v))
            continue;
        if (v.kind == ES_V_INT)
            es_fix_edits(f, &(es_edit){one->begin, one->end, v.u.i < 0 ? "0" : "-1"}, 1,
                         (es_telling){.before = v.u.i < 0 ? "the first is " : "the last is "});
        es_value_unref(&v);
    }
}

/* x[::-1] is x.flip(0). */
void es_fix_slice(es_fix *f)
{
    const es_scene *s = f->s;
    const es_node *sub = s->node->kind == ES_N_INDEX ? s->node->kid[1] : NULL;
    if (!sub)
        return;
    bool several = sub->kind == ES_N_TUPLE;
    for (int i = 0; i < (several ? sub->n_kids : 1); i++) {
        const es_node *one = several ? sub->kid[i] : sub;
        if (one->kind != ES_N_SLICE || one->kid[0] || one->kid[1] || !one->kid[2])
            continue;
        es_str text = {0};
        es_fix_source(&text, s, s->node->kid[0]);
        es_str_add(&text, ".flip(%d)", i);
        es_fix_edits(f, &(es_edit){s->begin, s->end, text.s}, 1, (es_telling){0});
        es_str_free(&text);
    }
}
