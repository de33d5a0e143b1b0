// SPDX-License-Identifier: GPL-3.0-or-later
/* What is the same on every draw need not be tried on each: expressions without variables, commands that only look. */
#include <string.h>

#include "expr/interp.h"
#include "lesson/prove_inside.h"
#include "session/tensor_mode.h"

bool es_prove_is_same_word(es_prover *p, const char *word)
{
    es_str filled = {0};
    es_drawn_fill(&filled, &p->d, word);
    bool same = !strcmp(es_str_text(&filled), word);
    es_str_free(&filled);
    return same;
}

static bool is_variable(es_session *s, const es_node *chain)
{
    while (chain->kind == ES_N_ATTRIBUTE)
        chain = chain->kid[0];
    return es_interp_has_variable(es_mode_interp(s), chain->text, strlen(chain->text));
}

static bool has_variables(es_session *s, const es_node *statement)
{
    es_mentions m;
    if (statement->kind != ES_N_EXPR)
        return true; /* it binds one */
    es_mentions_read(&m, statement);
    for (int i = 0; i < m.n; i++)
        if (is_variable(s, m.of[i]))
            return true;
    return m.n == ES_MOST_MENTIONS;
}

bool es_prove_is_same(es_prover *p, const char *code)
{
    es_error err = ES_ERROR_NONE;
    if (es_desk_only_looks(code) || es_desk_lacks(p->s, code))
        return !strchr(code, '\n');
    es_unit *unit = es_parse(code, strlen(code), &err);
    bool same = unit != NULL;
    for (int i = 0; same && i < unit->root->n_kids; i++)
        same = !has_variables(p->s, unit->root->kid[i]);
    es_unit_unref(unit);
    es_error_free(&err);
    return same;
}
