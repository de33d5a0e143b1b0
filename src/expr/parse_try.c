// SPDX-License-Identifier: GPL-3.0-or-later
/* try: with its except, else and finally. */
#include "expr/parser.h"

/* except: and except (A, B) as e: */
static es_node *handler(es_parser *p)
{
    const es_token *head = es_look(p), *name = NULL;
    size_t mark = p->n_stack;
    es_node *type = NULL;
    p->at++;
    if (es_ahead(p) != ES_T_COLON && !(type = es_parse_value(p)))
        return NULL;
    es_parser_push(p, type);
    if (type && es_accept(p, ES_T_AS)) {
        name = es_look(p);
        if (!es_accept(p, ES_T_NAME))
            return es_parser_expected(p, "expected a name after \"as\", found %s",
                                      es_parser_found(p, name));
    }
    if (!es_parser_push_suite(p, head))
        return NULL;
    es_node *node = es_parser_compound(p, ES_N_EXCEPT, head, mark);
    if (node && name)
        es_parser_name_text(p, node, name);
    return node;
}

/* A suite that may be missing: NULL then. */
static bool push_part(es_parser *p, es_token_kind kind)
{
    const es_token *head = es_look(p);
    if (es_accept(p, kind))
        return es_parser_push_suite(p, head);
    es_parser_push(p, NULL);
    return true;
}

static es_node *nothing_to_catch(es_parser *p, const es_token *head)
{
    es_fail(p->err, ES_ERR_PARSE, "\"try\" is followed by \"except\" or \"finally\"");
    es_hint(p->err, "for example: except ValueError as e:");
    return es_parser_refuse(p, head, head);
}

static es_node *bare_first(es_parser *p)
{
    es_fail(p->err, ES_ERR_PARSE, "\"except\" without a type catches all, and comes last");
    return es_parser_refuse(p, es_look(p), es_look(p));
}

es_node *es_parse_try(es_parser *p)
{
    const es_token *head = es_look(p);
    size_t mark = p->n_stack, handlers = 0;
    bool bare = false;
    p->at++;
    if (!es_parser_push_suite(p, head))
        return NULL;
    for (; es_ahead(p) == ES_T_EXCEPT; handlers++) {
        if (bare)
            return bare_first(p);
        es_node *one = handler(p);
        if (!one)
            return NULL;
        bare = !one->kid[0];
        es_parser_push(p, one);
    }
    if (!handlers && es_ahead(p) != ES_T_FINALLY)
        return nothing_to_catch(p, head);
    /* without handlers finally comes next, so that there is no else */
    bool ok = push_part(p, ES_T_ELSE) && push_part(p, ES_T_FINALLY);
    return ok ? es_parser_compound(p, ES_N_TRY, head, mark) : NULL;
}
