// SPDX-License-Identifier: GPL-3.0-or-later
/* Edits for two shapes that do not go together. */
#include <inttypes.h>
#include <string.h>

#include "expr/fix.h"
#include "expr/modules.h"
#include "torch/index.h"
#include "torch/label.h"

static bool has_keyword(const es_node *call, const char *names)
{
    for (int i = 1; i < call->n_kids; i++)
        if (call->kid[i]->kind == ES_N_KEYWORD && es_fix_is_word(call->kid[i]->text, names))
            return true;
    return false;
}

/* ---- sizes by name ---- */

/* Names of one size: the article's long ones beside the letters. */
static const struct {
    const char *label, *name;
} sizes[] = {
    {"B", "batch_size"}, {"T", "seq_len"},     {"C", "d_model"}, {"C", "n_embd"},
    {"V", "vocab_size"}, {"P", "max_seq_len"}, {"P", "n_ctx"},
};

/* What to call the axis `label` where `was` stood: in the style of the name that is replaced. */
static const char *size_name(const char *label, const char *was)
{
    bool lengthy = strlen(was) > 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (lengthy && !strcmp(sizes[i].label, label))
            return sizes[i].name;
    return label;
}

/* The size that a name or a number in the source stands for. */
static bool size_of(const es_scene *s, const es_node *n, es_value *out)
{
    es_error err = ES_ERROR_NONE;
    *out = es_none();
    if (n->kind == ES_N_INT && n->i > 1)
        *out = es_value_int(n->i);
    else if (n->kind == ES_N_NAME)
        es_interp_lookup(s->in, n->text, n->n_text, out, &err);
    es_error_free(&err);
    bool ok = out->kind == ES_V_INT;
    if (!ok)
        es_value_unref(out);
    return ok;
}

/* The smallest call in tree that holds node. */
static const es_node *call_around(const es_node *tree, const es_node *node)
{
    const es_node *found = NULL;
    for (const es_node *at = tree; at && at != node;) {
        const es_node *down = NULL;
        found = at->kind == ES_N_CALL ? at : found;
        for (int i = 0; i < at->n_kids && !down; i++)
            if (at->kid[i] && at->kid[i]->begin <= node->begin && node->end <= at->kid[i]->end)
                down = at->kid[i];
        at = down;
    }
    return found;
}

/* Put the size called `label` where another stands, everywhere below tree. */
static void swap_sizes(es_fix *f, const es_node *tree, const es_node *n, const char *label,
                       int64_t instead_of, const char *what)
{
    es_value v;
    if (size_of(f->s, n, &v) && v.u.i == instead_of && strcmp(v.label.s, label) != 0) {
        const char *name = size_name(label, n->kind == ES_N_NAME ? n->text : "");
        const es_node *call = call_around(tree, n);
        es_str before = {0}, was = {0};
        es_fix_source(&was, f->s, n);
        if (what)
            es_str_add(&before, "%s %s, not %s: ", what, name, was.s);
        es_telling t = {.before = before.s, .quiet = what != NULL};
        t.begin = call ? call->begin : 0;
        t.end = call ? call->end : 0;
        es_fix_edits(f, &(es_edit){n->begin, n->end, name}, 1, t);
        es_str_free(&was);
        es_str_free(&before);
    }
    for (int i = 0; i < n->n_kids && !f->clean; i++)
        if (n->kid[i])
            swap_sizes(f, tree, n->kid[i], label, instead_of, what);
}

/* ---- axes that do not stretch ---- */

/* Is it a look-up in the table of positions? */
static bool looks_up_positions(const es_scene *s, const es_node *n)
{
    es_value v = es_none();
    bool ok = n && n->kind == ES_N_CALL && es_fix_value(s, n->kid[0], &v) && es_is_embedding(&v) &&
              es_torch_is_positions(es_embedding_weight(&v), es_module_called(&v));
    es_value_unref(&v);
    return ok;
}

/* The axis, from the right, on which two shapes clash; 0: none. */
static int clash_of(const es_shape *a, const es_shape *b)
{
    for (int i = 1; i <= a->ndim && i <= b->ndim; i++) {
        int64_t x = a->dim[a->ndim - i], y = b->dim[b->ndim - i];
        if (x != y && x != 1 && y != 1)
            return i;
    }
    return 0;
}

/* Sizes inside a that would be named as b's axis is. */
static void fix_sizes(es_fix *f, const es_part *a, const es_part *b, bool positions)
{
    const es_shape *x = &es_part_tensor(a)->shape, *y = &es_part_tensor(b)->shape;
    int i = clash_of(x, y);
    if (!i || !a->node || positions != looks_up_positions(f->s, a->node))
        return;
    const es_label *label = &y->label[y->ndim - i];
    if (es_label_is_named(label))
        swap_sizes(f, a->node, a->node, label->s, x->dim[x->ndim - i],
                   positions ? "positions count to" : NULL);
}

static void fix_keepdim(es_fix *f, const es_part *p)
{
    if (!es_fix_is_word(es_fix_callee(p->node),
                        "mean sum std var norm amax amin prod logsumexp all any") ||
        has_keyword(p->node, "keepdim"))
        return;
    es_fix_argument(f, p->node, "keepdim=True",
                    (es_telling){.begin = p->node->begin, .end = p->node->end, .shape = true});
}

/* Its first places only: wpe.weight[:T]. */
static void fix_first_rows(es_fix *f, const es_part *a, const es_part *b)
{
    const es_shape *x = &es_part_tensor(a)->shape, *y = &es_part_tensor(b)->shape;
    int i = clash_of(x, y);
    if (!i || i != x->ndim || strcmp(x->label[0].s, "P") || strcmp(y->label[y->ndim - i].s, "T"))
        return;
    es_fix_behind(f, a, "[:T]");
}

void es_fix_broadcast(es_fix *f)
{
    static const char *const unsqueeze[] = {".unsqueeze(-1)", ".unsqueeze(0)", ".unsqueeze(1)"};
    es_part p[ES_MOST_PARTS];
    int n = es_fix_tensors(f->s, p);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            fix_sizes(f, &p[i], &p[k], true);
    for (int i = n - 1; i >= 0; i--)
        if (es_part_tensor(&p[i])->shape.ndim == 2 && n == 2 &&
            es_part_tensor(&p[!i])->shape.ndim == 2)
            es_fix_behind(f, &p[i], ".T");
    for (int i = 0; i < n; i++)
        fix_keepdim(f, &p[i]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (size_t u = 0; u < sizeof unsqueeze / sizeof *unsqueeze; u++)
                if (es_part_tensor(&p[i])->shape.ndim < es_part_tensor(&p[k])->shape.ndim)
                    es_fix_behind(f, &p[i], unsqueeze[u]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            fix_sizes(f, &p[i], &p[k], false);
            fix_first_rows(f, &p[i], &p[k]);
        }
}

/* ---- products ---- */

static void fix_transposed(es_fix *f, const es_part *p)
{
    const es_tensor *t = es_part_tensor(p);
    const es_node *n = p->node;
    bool turned = n && n->kind == ES_N_ATTRIBUTE && !strcmp(n->text, "T");
    if (turned && t->shape.ndim > 2) /* of all axes, where the last two were meant */
        es_fix_edits(f, &(es_edit){n->op_begin, n->op_end, "mT"}, 1,
                     (es_telling){.begin = n->begin, .end = n->end, .shape = true});
    if (turned) /* once too often */
        es_fix_edits(f, &(es_edit){n->kid[0]->end, n->end, ""}, 1,
                     (es_telling){.begin = n->begin, .end = n->end, .shape = true});
    else if (t->shape.ndim > 1)
        es_fix_behind(f, p, t->shape.ndim == 2 ? ".T" : ".transpose(-1, -2)");
}

/* one_hot cannot know how many classes there are. */
static void fix_classes(es_fix *f, const es_node *n)
{
    if (!strcmp(es_fix_callee(n), "one_hot") && n->n_kids == 2)
        es_fix_argument(f, n, "num_classes=V",
                        (es_telling){.begin = n->begin, .end = n->end, .shape = true});
    for (int i = 0; i < n->n_kids && !f->clean; i++)
        if (n->kid[i])
            fix_classes(f, n->kid[i]);
}

/* The function by another name: mm of more than two axes is matmul. */
static void fix_callee(es_fix *f, const char *name)
{
    const es_node *callee = f->s->node->kid[0];
    bool dotted = callee->kind == ES_N_ATTRIBUTE;
    if (dotted || callee->kind == ES_N_NAME)
        es_fix_edits(f,
                     &(es_edit){dotted ? callee->op_begin : callee->begin,
                                dotted ? callee->op_end : callee->end, name},
                     1, (es_telling){0});
}

void es_fix_matmul(es_fix *f)
{
    es_part p[ES_MOST_PARTS];
    int n = es_fix_tensors(f->s, p);
    if (f->s->node->kind == ES_N_CALL && es_scene_is(f->s, "mm bmm mv dot"))
        fix_callee(f, "matmul");
    fix_classes(f, f->s->node);
    for (int i = n < 2 ? n - 1 : 1; i >= 0; i--)
        fix_transposed(f, &p[i]);
}
