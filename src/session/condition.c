// SPDX-License-Identifier: GPL-3.0-or-later
/* Conditions with their numbers: "5 > 1024", "2 > 3 or True", of what was compared on the way. */
#include <string.h>

#include "base/visible.h"
#include "session/brief.h"
#include "session/steps.h"

enum { COLUMNS = 24 /* of a part that stands as it is written */ };

bool es_step_compare(es_step *s, es_interp *in, const es_moment *m)
{
    if (s->done || s->depth != m->depth)
        return false;
    int i = 0;
    while (i < s->n_compared && s->compared[i].comparand != m->node)
        i++;
    if (i == ES_MOST_MENTIONS)
        return true;
    s->n_compared += i == s->n_compared;
    es_compared *c = &s->compared[i];
    c->comparand = m->node;
    for (int side = 0; side < 2; side++) {
        es_value v = m->args[side];
        v.label = es_label_named("");
        es_str_cut(&c->side[side], 0);
        if (v.kind <= ES_V_STR || v.kind == ES_V_TENSOR || v.kind == ES_V_SIZE ||
            v.kind == ES_V_TUPLE || v.kind == ES_V_DTYPE || v.kind == ES_V_DEVICE)
            es_brief(&c->side[side], in, &v);
    }
    return true;
}

void es_step_forget_compared(es_step *s)
{
    for (int i = 0; i < s->n_compared; i++) {
        es_str_free(&s->compared[i].side[0]);
        es_str_free(&s->compared[i].side[1]);
    }
    s->n_compared = 0;
}

typedef struct words {
    es_str *out;
    const es_step *step;
    es_interp *in;
    const es_unit *unit;
    bool told; /* there is something that the source does not say */
} words;

static void put_source(words *w, const es_node *n)
{
    es_str text = {0};
    es_show_prose(&text, w->unit->source + n->begin, n->end - n->begin);
    es_show_fit(w->out, es_str_text(&text), text.len, COLUMNS);
    es_str_free(&text);
}

/* What a side was found to be, or what is written there where that says more: "mask" of "mask is None". */
static void put_side(words *w, const es_node *n, const es_str *found, es_op op)
{
    bool written = !found->len || op == ES_OP_IS || op == ES_OP_IS_NOT || n->kind == ES_N_INT ||
                   n->kind == ES_N_FLOAT || n->kind == ES_N_STRING || n->kind == ES_N_CONST;
    if (written)
        put_source(w, n);
    else
        es_str_cat(w->out, found->s);
    w->told = w->told || !written;
}

static const es_compared *reached(const words *w, const es_node *comparand)
{
    for (int i = 0; i < w->step->n_compared; i++)
        if (w->step->compared[i].comparand == comparand)
            return &w->step->compared[i];
    return NULL;
}

static void put_compare(words *w, const es_node *n)
{
    const es_compared *c = reached(w, n->kid[1]);
    if (!c) { /* it was decided before */
        es_str_cat(w->out, "…");
        return;
    }
    put_side(w, n->kid[0], &c->side[0], n->kid[1]->op);
    for (int i = 1; i < n->n_kids; i++) {
        es_str_add(w->out, " %s ", es_op_name(n->kid[i]->op));
        c = reached(w, n->kid[i]);
        if (!c) {
            es_str_cat(w->out, "…");
            return;
        }
        put_side(w, n->kid[i]->kid[0], &c->side[1], n->kid[i]->op);
    }
}

/* What is no comparison: a name's value where that is a number or the like. */
static void put_leaf(words *w, const es_node *n)
{
    es_value v = es_none();
    bool chain = n->kind == ES_N_NAME || n->kind == ES_N_ATTRIBUTE;
    bool plain = chain && es_interp_peek(w->in, n, &v) == n && v.kind <= ES_V_STR;
    v.label = es_label_named("");
    if (plain)
        es_brief(w->out, w->in, &v);
    else
        put_source(w, n);
    w->told = w->told || plain;
    es_value_unref(&v);
}

static void put(words *w, const es_node *n);

static void put_within(words *w, const es_node *n, bool parens)
{
    es_str_cat(w->out, parens ? "(" : "");
    put(w, n);
    es_str_cat(w->out, parens ? ")" : "");
}

static void put(words *w, const es_node *n)
{
    switch (n->kind) {
    case ES_N_COMPARE: put_compare(w, n); break;
    case ES_N_UNARY:
        if (n->op != ES_OP_NOT) {
            put_leaf(w, n);
            break;
        }
        es_str_cat(w->out, "not ");
        put_within(w, n->kid[0], n->kid[0]->kind == ES_N_AND || n->kid[0]->kind == ES_N_OR);
        break;
    case ES_N_AND:
    case ES_N_OR:
        for (int i = 0; i < n->n_kids; i++) {
            es_str_cat(w->out, !i ? "" : n->kind == ES_N_AND ? " and " : " or ");
            put_within(w, n->kid[i], n->kid[i]->kind == ES_N_OR);
        }
        break;
    default: put_leaf(w, n);
    }
}

void es_step_condition(es_step *s, es_interp *in, const es_unit *unit, const es_node *condition)
{
    words w = {.out = &s->condition, .step = s, .in = in, .unit = unit};
    put(&w, condition);
    if (!w.told)
        es_str_cut(&s->condition, 0);
    es_step_forget_compared(s);
}
