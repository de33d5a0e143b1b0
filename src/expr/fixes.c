// SPDX-License-Identifier: GPL-3.0-or-later
/* Edits for two operands that do not go together: shapes, kinds of numbers, devices. */
#include <inttypes.h>
#include <string.h>

#include "expr/fix.h"
#include "torch/label.h"

/* The tensors that went in, as parts. */
static int tensor_parts(const es_scene *s, es_part from[ES_MOST_PARTS])
{
    es_operand of[ES_MOST_PARTS];
    int n = es_scene_tensors(s, of, from);
    es_operands_free(of, n);
    return n;
}

static bool is_word(const char *name, const char *words)
{
    return es_scene_is(&(es_scene){.name = name}, words);
}

/* What a call calls, "mean", "one_hot"; "" where that has no name. */
static const char *callee_of(const es_node *node)
{
    const es_node *callee = node && node->kind == ES_N_CALL ? node->kid[0] : NULL;
    return callee && (callee->kind == ES_N_NAME || callee->kind == ES_N_ATTRIBUTE) ? callee->text
                                                                                   : "";
}

static bool has_keyword(const es_node *call, const char *names)
{
    for (int i = 1; i < call->n_kids; i++)
        if (call->kid[i]->kind == ES_N_KEYWORD && is_word(call->kid[i]->text, names))
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
        if (n->kid[i] && n->kid[i]->kind != ES_N_ATTRIBUTE)
            swap_sizes(f, tree, n->kid[i], label, instead_of, what);
}

/* ---- axes that do not stretch ---- */

/* Is it a look-up in the table of positions? */
static bool looks_up_positions(const es_scene *s, const es_node *n)
{
    es_value v = es_none();
    bool ok = n && n->kind == ES_N_CALL && es_fix_value(s, n->kid[0], &v) &&
              v.kind == ES_V_EMBEDDING &&
              !strcmp(((const es_embedding_object *)v.u.o)->name, "wpe");
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
    if (!is_word(callee_of(p->node), "mean sum std var norm amax amin prod logsumexp all any") ||
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
    int n = tensor_parts(f->s, p);
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
    if (n && n->kind == ES_N_ATTRIBUTE && !strcmp(n->text, "T")) /* once too often */
        es_fix_edits(f, &(es_edit){n->kid[0]->end, n->end, ""}, 1,
                     (es_telling){.begin = n->begin, .end = n->end, .shape = true});
    else if (t->shape.ndim > 1)
        es_fix_behind(f, p, t->shape.ndim == 2 ? ".T" : ".transpose(-1, -2)");
}

/* one_hot cannot know how many classes there are. */
static void fix_classes(es_fix *f, const es_node *n)
{
    if (!strcmp(callee_of(n), "one_hot") && n->n_kids == 2)
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
    int n = tensor_parts(f->s, p);
    if (f->s->node->kind == ES_N_CALL && es_scene_is(f->s, "mm bmm mv dot"))
        fix_callee(f, "matmul");
    fix_classes(f, f->s->node);
    for (int i = n < 2 ? n - 1 : 1; i >= 0; i--)
        fix_transposed(f, &p[i]);
}

/* ---- kinds of numbers ---- */

/* x.float() without its .float(). */
static void fix_undone(es_fix *f, const es_part *p)
{
    if (!is_word(callee_of(p->node), "float double half bool int long") || p->node->n_kids > 1 ||
        p->node->kid[0]->kind != ES_N_ATTRIBUTE)
        return;
    es_edit e;
    es_str text = {0};
    es_excerpt_span(f->s->unit, p->node, &e.begin, &e.end);
    es_fix_source(&text, f->s, p->node->kid[0]->kid[0]);
    e.text = text.s;
    es_fix_edits(f, &e, 1, (es_telling){0});
    es_str_free(&text);
}

/* F.one_hot(ids) @ wte.weight lacks two things at once. */
static void fix_one_hot(es_fix *f, const es_part *p)
{
    if (strcmp(callee_of(p->node), "one_hot") || p->node->n_kids != 2)
        return;
    size_t end = p->node->end;
    const es_edit e[] = {{end - 1, end - 1, ", V"}, {end, end, ".float()"}};
    es_fix_edits(f, e, 2, (es_telling){0});
}

/* ids @ wte.weight: what is meant is a look-up. */
static void fix_looked_up(es_fix *f)
{
    const es_scene *s = f->s;
    const es_node *b = s->n == 2 ? s->part[1].node : NULL;
    es_value v = es_none();
    if (!es_scene_is(s, "@") || !b || !s->part[0].node || b->kind != ES_N_ATTRIBUTE ||
        strcmp(b->text, "weight") != 0)
        return;
    if (es_fix_value(s, b->kid[0], &v) && v.kind == ES_V_EMBEDDING) {
        es_str text = {0};
        es_fix_source(&text, s, b->kid[0]);
        es_str_cat(&text, "(");
        es_fix_source(&text, s, s->part[0].node);
        es_str_cat(&text, ")");
        es_fix_edits(f, &(es_edit){s->begin, s->end, text.s}, 1,
                     (es_telling){.before = "rows are looked up by their ids: "});
        es_str_free(&text);
    }
    es_value_unref(&v);
}

/* F.embedding(table, ids): the ids come first. */
static void fix_swapped(es_fix *f)
{
    const es_scene *s = f->s;
    if (!es_scene_is(s, "embedding") || s->n != 2 || !s->part[0].node || !s->part[1].node)
        return;
    const es_node *a = s->part[0].node, *b = s->part[1].node;
    es_str x = {0}, y = {0};
    es_fix_source(&x, s, a);
    es_fix_source(&y, s, b);
    const es_edit e[] = {{a->begin, a->end, y.s}, {b->begin, b->end, x.s}};
    es_fix_edits(f, e, 2, (es_telling){.before = "the ids come first: "});
    es_str_free(&x);
    es_str_free(&y);
}

void es_fix_dtype(es_fix *f)
{
    fix_swapped(f);
    es_part p[ES_MOST_PARTS];
    int n = tensor_parts(f->s, p);
    es_wanted wanted = es_scene_wants(f->s);
    for (int i = 0; i < n; i++) {
        if (es_is_float(es_part_tensor(&p[i])) == (wanted != ES_WANTS_INTEGERS))
            continue;
        fix_undone(f, &p[i]);
        fix_one_hot(f, &p[i]);
        es_fix_around(f, &p[i], "", wanted == ES_WANTS_INTEGERS ? ".long()" : ".float()");
    }
    fix_looked_up(f);
}

/* ---- devices ---- */

/* The call in n that made a tensor, or NULL. */
static const es_node *maker_in(const es_node *n)
{
    const es_node *found = NULL;
    if (is_word(callee_of(n), "arange tensor zeros ones full eye rand randn linspace"))
        return n;
    for (int i = 0; i < n->n_kids && !found; i++)
        if (n->kid[i])
            found = maker_in(n->kid[i]);
    return found;
}

static const es_node *keyword_of(const es_node *call, const char *name)
{
    for (int i = 1; i < call->n_kids; i++)
        if (call->kid[i]->kind == ES_N_KEYWORD && !strcmp(call->kid[i]->text, name))
            return call->kid[i];
    return NULL;
}

/* a where b is: by device= where a is made, else by .to(…). */
static void fix_moved(es_fix *f, const es_part *a, const es_node *b, const char *member)
{
    const es_node *maker = a->node ? maker_in(a->node) : NULL;
    const es_node *device = maker ? keyword_of(maker, "device") : NULL;
    es_telling t = {.quiet = true};
    es_str where = {0}, moved = {0};
    es_fix_source(&where, f->s, b);
    es_str_add(&where, "%s.device", member);
    es_str_add(&moved, maker ? "device=%s" : ".to(%s)", where.s);
    if (maker) {
        t.begin = maker->begin;
        t.end = maker->end;
    }
    if (device)
        es_fix_edits(f, &(es_edit){device->begin, device->end, moved.s}, 1, t);
    else if (maker)
        es_fix_argument(f, maker, moved.s, t);
    else
        es_fix_around(f, a, "", moved.s);
    es_str_free(&moved);
    es_str_free(&where);
}

void es_fix_device(es_fix *f)
{
    es_part p[ES_MOST_PARTS];
    int n = tensor_parts(f->s, p);
    for (int i = 0; i < n && f->s->table; i++)
        fix_moved(f, &p[i], f->s->node->kid[0], ".weight");
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < n; k++)
            if (k != i && p[k].node && p[k].node->kind == ES_N_NAME)
                fix_moved(f, &p[i], p[k].node, "");
}

/* ---- what is no tensor ---- */

/* x.shape() and x.size[0]: brackets of the other kind, or none. */
static void fix_brackets(es_fix *f)
{
    const es_node *node = f->s->node;
    if (node->kind != ES_N_CALL && node->kind != ES_N_INDEX)
        return;
    size_t begin = node->kid[0]->end, end = node->end;
    if (node->kind == ES_N_CALL && node->n_kids == 1)
        es_fix_edits(f, &(es_edit){begin, end, ""}, 1, (es_telling){0});
    else if (node->kind == ES_N_INDEX && f->s->part[0].v->kind == ES_V_BUILTIN)
        es_fix_edits(f, (const es_edit[]){{begin, begin + 1, "("}, {end - 1, end, ")"}}, 2,
                     (es_telling){0});
}

/* torch.cat(x, y): one list of them. */
static void fix_listed(es_fix *f)
{
    const es_scene *s = f->s;
    int n = 0;
    while (n < s->n && es_part_tensor(&s->part[n]) && s->part[n].node && !s->part[n].keyword)
        n++;
    if (!es_scene_is(s, "cat concat stack") || n < 2)
        return;
    size_t begin, end, ignored;
    es_excerpt_span(s->unit, s->part[0].node, &begin, &ignored);
    es_excerpt_span(s->unit, s->part[n - 1].node, &ignored, &end);
    es_fix_edits(f, (const es_edit[]){{begin, begin, "["}, {end, end, "]"}}, 2, (es_telling){0});
}

void es_fix_type(es_fix *f)
{
    const es_scene *s = f->s;
    if (es_scene_is(s, "@") && s->node->op_begin < s->node->op_end)
        es_fix_edits(f, &(es_edit){s->node->op_begin, s->node->op_end, "*"}, 1,
                     (es_telling){.before = "each element times a number is "});
    fix_swapped(f);
    fix_listed(f);
    fix_brackets(f);
    for (int i = 0; i < s->n; i++) {
        const es_part *p = &s->part[i];
        if (p->v->kind == ES_V_INT)
            es_fix_around(f, p, "torch.tensor([", "])");
        else if (es_value_is_sequence(p->v))
            es_fix_around(f, p, "torch.tensor(", ")");
        else if (p->v->kind == ES_V_STR)
            es_fix_around(f, p, "encode(", ")");
    }
}
