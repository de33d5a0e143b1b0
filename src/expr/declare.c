// SPDX-License-Identifier: GPL-3.0-or-later
/* What is a variable of a function's own: every name that is assigned to in it. */
#include "expr/inside.h"

static void declare_target(es_scope *s, const es_node *n)
{
    if (n->kind == ES_N_NAME)
        es_scope_put(s, n->text, n->n_text);
    else if (n->kind == ES_N_TUPLE || n->kind == ES_N_LIST || n->kind == ES_N_STAR)
        for (int i = 0; i < n->n_kids; i++)
            declare_target(s, n->kid[i]);
}

/* Those kids that are statements, from the i-th on. */
static void declare_kids(es_scope *s, const es_node *n, int i)
{
    for (; i < n->n_kids; i++)
        if (n->kid[i])
            es_declare(s, n->kid[i]);
}

static void declare_outside(es_scope *s, const es_node *n)
{
    for (int i = 0; i < n->n_kids; i++)
        es_scope_put(s, n->kid[i]->text, n->kid[i]->n_text)->state =
            n->i == 'n' ? ES_SLOT_NONLOCAL : ES_SLOT_GLOBAL;
}

void es_declare(es_scope *s, const es_node *n)
{
    switch (n->kind) {
    case ES_N_ASSIGN:
    case ES_N_DEL:
        for (int i = 0; i < n->n_kids - (n->kind == ES_N_ASSIGN); i++)
            declare_target(s, n->kid[i]);
        break;
    case ES_N_ANNOTATE:
    case ES_N_AUGMENT: declare_target(s, n->kid[0]); break;
    case ES_N_FOR:
        declare_target(s, n->kid[0]);
        declare_kids(s, n, 2);
        break;
    case ES_N_CLASS:
    case ES_N_DEF: es_scope_put(s, n->text, n->n_text); break;
    case ES_N_GLOBAL: declare_outside(s, n); break;
    case ES_N_IF:
    case ES_N_WHILE: declare_kids(s, n, 1); break;
    case ES_N_TRY: declare_kids(s, n, 0); break;
    case ES_N_EXCEPT:
        if (n->text)
            es_scope_put(s, n->text, n->n_text);
        declare_kids(s, n, 1);
        break;
    case ES_N_WITH: declare_kids(s, n, 0); break;
    case ES_N_WITHITEM:
        if (n->n_kids > 1 && n->kid[1])
            declare_target(s, n->kid[1]);
        break;
    case ES_N_SUITE: declare_kids(s, n, 0); break;
    default: break;
    }
}
