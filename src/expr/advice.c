// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/advice.h"

#include <inttypes.h>
#include <string.h>

#include "expr/culprit.h"
#include "expr/modules.h"
#include "torch/index.h"
#include "torch/label.h"

/* "V-1 = 49" */
static void put_last(es_str *out, const es_shape *s, int axis)
{
    if (es_label_is_named(&s->label[axis]))
        es_str_add(out, "%s-1 = ", s->label[axis].s);
    es_str_add(out, "%" PRId64, s->dim[axis] - 1);
}

/* nn.Embedding(d_model, vocab_size): as many rows as a row was to have numbers. */
static bool advise_swapped(const es_scene *s, const es_tensor *weight, int64_t index)
{
    int64_t rows = weight->shape.dim[0], width = weight->shape.dim[1];
    bool made_here = s->module && !es_label_is_named(&weight->shape.label[0]);
    if (!made_here || index < rows || index >= width)
        return false;
    es_hint(s->err,
            "help: it has %" PRId64 " rows of %" PRId64
            " numbers each; how many rows is said first: nn.Embedding(%" PRId64 ", %" PRId64 ")",
            rows, width, width, rows);
    return true;
}

/* 1, 2, 3, …: places counted as people count. */
static bool counts_from_one(const es_tensor *ids)
{
    int64_t n = es_shape_count(&ids->shape);
    for (int64_t i = 0; i < n; i++)
        if (es_torch_get_int(ids, i) != i + 1)
            return false;
    return n > 0;
}

static void advise_rows(const es_scene *s, const es_tensor *weight, const es_tensor *ids)
{
    int64_t index = 0, rows = weight->shape.dim[0];
    bool positions = s->module && es_torch_is_positions(weight, es_module_called(s->module));
    bool own = positions && !strcmp(es_module_called(s->module), "wpe");
    if (es_culprit_index(s, ids, rows, &index) < 0 || rows == 0)
        return;
    if (advise_swapped(s, weight, index))
        return;
    es_str last = {0};
    put_last(&last, &weight->shape, 0);
    if (index < 0)
        es_hint(s->err,
                "help: ids do not count from the end as weight[-1] does; the last row is %s",
                last.s);
    else if (positions && counts_from_one(ids))
        es_hint(s->err,
                "help: the first position is 0 and the last %s: torch.arange(0, %" PRId64 ")",
                last.s, es_shape_count(&ids->shape));
    else if (positions)
        es_hint(s->err,
                own ? "help: there are rows for positions 0 to %s: a shorter text, or :positions "
                      "sinusoidal, which has no last row"
                    : "help: there are rows for positions 0 to %s: a shorter text",
                last.s);
    else
        es_hint(s->err, "help: the largest legal id is %s", last.s);
    es_str_free(&last);
}

void es_advise_index(const es_scene *s)
{
    const es_tensor *x = s->n ? es_part_tensor(&s->part[0]) : NULL;
    if (es_scene_is(s, "embedding") && x) {
        const es_tensor *weight = s->table   ? s->table
                                  : s->n > 1 ? es_part_tensor(&s->part[1])
                                             : NULL;
        if (weight && weight->shape.ndim == 2)
            advise_rows(s, weight, x);
    } else if (es_scene_is(s, "one_hot")) {
        int64_t index = 0;
        if (x && es_culprit_index(s, x, INT64_MAX, &index) >= 0)
            es_hint(s->err, "help: classes are counted from 0, there is none before it");
        else
            es_hint(s->err, "help: num_classes is more than the largest id; for token ids it is V");
    } else if (es_scene_is(s, "topk") && x && x->shape.ndim > 0) {
        es_str all = {0};
        const es_shape last =
            es_shape_1d(x->shape.label[x->shape.ndim - 1].s, x->shape.dim[x->shape.ndim - 1]);
        es_shape_show(&all, &last);
        es_hint(s->err, "help: k is at most the size of the axis, %s here unless dim says another",
                all.s);
        es_str_free(&all);
    }
}

/* ---- views ---- */

enum { NEAR = 1000 };

/* The nearest number of equal parts on that side, 0 if there is none near. */
static int64_t divisor_beside(int64_t size, int64_t parts, int step)
{
    for (int64_t d = parts + step, left = NEAR; d >= 1 && d <= size && left > 0; d += step, left--)
        if (size % d == 0)
            return d;
    return 0;
}

static void advise_parts(const es_scene *s, int64_t size, int64_t parts)
{
    int64_t less = divisor_beside(size, parts, -1), more = divisor_beside(size, parts, 1);
    es_str into = {0};
    if (less > 1)
        es_str_add(&into, "%" PRId64 "%s", less, more ? " or " : "");
    if (more)
        es_str_add(&into, "%" PRId64, more);
    if (into.len)
        es_hint(s->err, "help: %" PRId64 " splits evenly into %s parts, not into %" PRId64, size,
                into.s, parts);
    else
        es_hint(s->err, "help: %" PRId64 " does not split evenly into %" PRId64 " parts", size,
                parts);
    es_str_free(&into);
}

/* x.view(B, T, n_heads, C // n_heads): the last axis of x becomes two, and one of them does not divide it. */
void es_advise_view(const es_scene *s)
{
    const es_tensor *x = s->n ? es_part_tensor(&s->part[0]) : NULL;
    es_shape asked;
    if (!x || !es_scene_is(s, "view reshape") || !es_scene_sizes(s, 1, &asked))
        return;
    int last = x->shape.ndim - 1;
    if (last < 0 || asked.ndim != last + 2)
        return;
    for (int i = 0; i < last; i++)
        if (x->shape.dim[i] != asked.dim[i])
            return;
    int64_t size = x->shape.dim[last];
    for (int i = 0; i < 2; i++) {
        int64_t parts = asked.dim[last + i], each = asked.dim[last + !i];
        if (parts > 1 && parts < size && size % parts && (each == -1 || each == size / parts)) {
            advise_parts(s, size, parts);
            return;
        }
    }
}

/* ---- truth ---- */

static void put_operand(es_str *out, const es_scene *s)
{
    const es_node *n = s->part[0].node;
    bool simple = n && (n->kind == ES_N_NAME || n->kind == ES_N_CALL || n->kind == ES_N_ATTRIBUTE ||
                        n->kind == ES_N_INDEX);
    if (!n) {
        es_str_cat(out, "x");
        return;
    }
    es_str_cat(out, simple || n->parens ? "" : "(");
    es_excerpt(out, s->unit, n, 30);
    es_str_cat(out, simple || n->parens ? "" : ")");
}

/* What holds node as one of its parts, or NULL. */
static const es_node *parent_of(const es_node *tree, const es_node *node)
{
    const es_node *found = NULL;
    for (int i = 0; i < tree->n_kids && !found; i++) {
        const es_node *kid = tree->kid[i];
        if (kid == node)
            return tree;
        if (kid && kid->begin <= node->begin && node->end <= kid->end)
            found = parent_of(kid, node);
    }
    return found;
}

/* a and b of tensors: a & b takes each pair of elements. */
static void advise_pairs(const es_scene *s, const es_node *both)
{
    es_str text = {0};
    for (int i = 0; i < both->n_kids; i++) {
        const es_node *kid = both->kid[i];
        bool enclose = !kid->parens && (kid->kind == ES_N_COMPARE || kid->kind == ES_N_UNARY);
        es_str_add(&text, "%s%s", i ? both->kind == ES_N_AND ? " & " : " | " : "",
                   enclose ? "(" : "");
        es_excerpt(&text, s->unit, kid, 30);
        es_str_cat(&text, enclose ? ")" : "");
    }
    es_hint(s->err, "help: element by element it is %s", text.s);
    es_str_free(&text);
}

/* a < b < c of tensors means (a < b) and (b < c). */
static void advise_chain(const es_scene *s, const es_node *chain)
{
    es_str text = {0};
    for (int i = 1; i < chain->n_kids; i++) {
        const es_node *left = i == 1 ? chain->kid[0] : chain->kid[i - 1]->kid[0];
        es_str_add(&text, "%s(", i > 1 ? " & " : "");
        es_excerpt(&text, s->unit, left, 20);
        es_str_add(&text, " %s ", es_op_name(chain->kid[i]->op));
        es_excerpt(&text, s->unit, chain->kid[i]->kid[0], 20);
        es_str_char(&text, ')');
    }
    es_hint(s->err, "help: element by element it is %s", text.s);
    es_str_free(&text);
}

void es_advise_ambiguous(const es_scene *s)
{
    const es_tensor *t = s->n ? es_part_tensor(&s->part[0]) : NULL;
    const es_node *parent = parent_of(s->unit->root, s->node);
    es_str x = {0};
    if (!t)
        return;
    if (parent && (parent->kind == ES_N_AND || parent->kind == ES_N_OR)) {
        advise_pairs(s, parent);
        return;
    }
    if (s->node->kind == ES_N_COMPARE && s->node->n_kids > 2) {
        advise_chain(s, s->node);
        return;
    }
    put_operand(&x, s);
    if (es_shape_count(&t->shape) == 0)
        es_hint(s->err, "help: %s.numel() > 0 asks whether there are any", x.s);
    else
        es_hint(s->err, "help: is any of them true, %s.any(), or all, %s.all()?", x.s, x.s);
    es_str_free(&x);
}

void es_advise_value(const es_scene *s)
{
    const es_tensor *t = s->n ? es_part_tensor(&s->part[0]) : NULL;
    if (!t || !es_scene_is(s, "item") || es_shape_count(&t->shape) < 2)
        return;
    es_str x = {0};
    put_operand(&x, s);
    es_hint(s->err, "help: %s.tolist() has all %" PRId64 " of them; %s%s one that stands for them",
            x.s, es_shape_count(&t->shape), x.s,
            es_is_float(t) ? ".mean().item()" : ".sum().item()");
    es_str_free(&x);
}

void es_advise_ragged(const es_scene *s)
{
    es_hint(s->err,
            "help: pad the shorter rows to the longest, and remember which places are real");
}

/* ---- names on the left ---- */

/* "B, T, C" of a shape's names, "_" for an axis without one. */
static void put_names(es_str *out, const es_items *sizes)
{
    for (int64_t i = 0; i < sizes->n; i++) {
        const es_label *label = &sizes->of[i].label;
        bool named = es_label_is_named(label) && strlen(label->s) == 1;
        es_str_add(out, "%s%s", i ? ", " : "", named ? label->s : "_");
    }
    es_str_cat(out, sizes->n == 1 ? "," : "");
}

/* The shape has one axis less than there are names, and B is the one it lacks: a batch of one. */
static void advise_batch(const es_scene *s, const es_node *value)
{
    const es_node *of = value->kind == ES_N_ATTRIBUTE ? value->kid[0] : value;
    es_str x = {0};
    es_excerpt(&x, s->unit, of, 40);
    es_hint(s->err, "help: the batch axis is missing; %s.unsqueeze(0) is a batch of one", x.s);
    es_str_free(&x);
}

void es_advise_unpack(const es_scene *s)
{
    const es_node *statement = parent_of(s->unit->root, s->node);
    const es_value *v = s->n ? s->part[0].v : NULL;
    if (!statement || statement->kind != ES_N_ASSIGN || !v || v->kind != ES_V_SIZE)
        return;
    const es_node *value = statement->kid[statement->n_kids - 1];
    const es_items *sizes = es_value_items(v);
    es_str names = {0}, text = {0};
    if (sizes->n + 1 == s->node->n_kids && sizes->n > 0 && strcmp(sizes->of[0].label.s, "B") != 0) {
        advise_batch(s, value);
        return;
    }
    put_names(&names, sizes);
    es_excerpt(&text, s->unit, value, 40);
    if (sizes->n > 0)
        es_hint(s->err, "help: %s = %s", names.s, text.s);
    es_str_free(&names);
    es_str_free(&text);
}
