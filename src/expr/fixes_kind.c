// SPDX-License-Identifier: GPL-3.0-or-later
/* Edits for values of the wrong kind: numbers of another dtype, on another device, no tensors at all. */
#include <string.h>

#include "expr/advice.h"
#include "expr/fix.h"
#include "expr/modules.h"

/* x.float() without its .float(). */
static void fix_undone(es_fix *f, const es_part *p)
{
    if (!es_fix_is_word(es_fix_callee(p->node), "float double half bool int long") ||
        p->node->n_kids > 1 || p->node->kid[0]->kind != ES_N_ATTRIBUTE)
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
    if (strcmp(es_fix_callee(p->node), "one_hot") || p->node->n_kids != 2)
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
    if (es_fix_value(s, b->kid[0], &v) && es_is_embedding(&v)) {
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

/* Vectors of channels: rounded they are no ids. */
static bool are_vectors(const es_tensor *t)
{
    return t->shape.ndim > 0 && !strcmp(t->shape.label[t->shape.ndim - 1].s, "C");
}

void es_fix_dtype(es_fix *f)
{
    fix_swapped(f);
    es_part p[ES_MOST_PARTS];
    int n = es_fix_tensors(f->s, p);
    es_wanted wanted = es_scene_wants(f->s);
    for (int i = 0; i < n; i++) {
        const es_tensor *t = es_part_tensor(&p[i]);
        bool right =
            wanted == ES_WANTS_INTEGERS ? !es_is_float(t) && t->dtype != ES_BOOL : es_is_float(t);
        if (right || (wanted == ES_WANTS_INTEGERS && are_vectors(t)))
            continue;
        fix_undone(f, &p[i]);
        fix_one_hot(f, &p[i]);
        es_fix_around(f, &p[i], "", wanted == ES_WANTS_INTEGERS ? ".long()" : ".float()");
    }
    fix_looked_up(f);
}

/* ---- devices ---- */

/* The call in n that made a tensor, or NULL. */
const es_node *es_fix_maker(const es_node *n)
{
    const es_node *found = NULL;
    if (es_fix_is_word(es_fix_callee(n), "arange tensor zeros ones full eye rand randn linspace"))
        return n;
    for (int i = 0; i < n->n_kids && !found; i++)
        if (n->kid[i])
            found = es_fix_maker(n->kid[i]);
    return found;
}

const es_node *es_fix_keyword(const es_node *call, const char *name)
{
    for (int i = 1; i < call->n_kids; i++)
        if (call->kid[i]->kind == ES_N_KEYWORD && !strcmp(call->kid[i]->text, name))
            return call->kid[i];
    return NULL;
}

/* a where b is: by device= where a is made, else by .to(…). */
static void fix_moved(es_fix *f, const es_part *a, const es_node *b, const char *member)
{
    const es_node *maker = a->node ? es_fix_maker(a->node) : NULL;
    const es_node *device = maker ? es_fix_keyword(maker, "device") : NULL;
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

/* The last of them first: it is the one that was marked. */
static void fix_origins(es_fix *f, const es_part *p, int n)
{
    const es_scene *s = f->s;
    es_str table = {0};
    if (s->table)
        es_fix_source(&table, s, s->node->kid[0]);
    es_str_cat(&table, s->table ? ".weight" : "");
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < n || (s->table && k == 0); k++) {
            if (k == i && !s->table)
                continue;
            const es_tensor *other = s->table ? s->table : es_part_tensor(&p[k]);
            const es_node *node = s->table ? NULL : p[k].node;
            if (s->table || (node && node->kind == ES_N_NAME))
                es_fix_origin_device(f, &p[i], other->buf->be, s->table ? table.s : node->text);
        }
    es_str_free(&table);
}

void es_fix_device(es_fix *f)
{
    es_part p[ES_MOST_PARTS];
    int n = es_fix_tensors(f->s, p);
    if (es_left_behind(f->s))
        return;
    fix_origins(f, p, n);
    for (int i = 0; i < n && f->s->table; i++)
        fix_moved(f, &p[i], f->s->node->kid[0], ".weight");
    for (int i = n - 1; i >= 0; i--)
        for (int k = 0; k < n; k++)
            if (k != i && p[k].node && p[k].node->kind == ES_N_NAME)
                fix_moved(f, &p[i], p[k].node, "");
}

/* ---- what is no tensor ---- */

/* Was it called rightly, with the wrong arguments? */
static bool is_callable(es_fix *f, const es_node *callee)
{
    es_value v;
    if (!es_fix_value(f->s, callee, &v))
        return false;
    bool is = v.kind == ES_V_FUNCTION || v.kind == ES_V_METHOD || v.kind == ES_V_CLASS ||
              v.kind == ES_V_INSTANCE;
    es_value_unref(&v);
    return is;
}

/* x.size, nn.Embedding, self.emb: nothing that has parts. */
static bool wants_call(const es_value *v)
{
    return v->kind == ES_V_BUILTIN || v->kind == ES_V_TYPE || v->kind == ES_V_CLASS ||
           v->kind == ES_V_METHOD || v->kind == ES_V_FUNCTION || es_module_kind(v);
}

/* x.shape() and x.size[0]: brackets of the other kind, or none. */
static void fix_brackets(es_fix *f)
{
    const es_node *node = f->s->node;
    if (node->kind != ES_N_CALL && node->kind != ES_N_INDEX)
        return;
    size_t begin = node->kid[0]->end, end = node->end;
    if (node->kind == ES_N_CALL && node->n_kids == 1 && !is_callable(f, node->kid[0]))
        es_fix_edits(f, &(es_edit){begin, end, ""}, 1, (es_telling){0});
    else if (node->kind == ES_N_INDEX && wants_call(f->s->part[0].v))
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
    if (es_scene_is(s, "%") && s->n && s->part[0].v->kind == ES_V_STR)
        return; /* a format, whose values are what is wrong */
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
