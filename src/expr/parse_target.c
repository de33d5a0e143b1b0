// SPDX-License-Identifier: GPL-3.0-or-later
/* What may stand on the left of "=": names, attributes, items, and tuples of them. */
#include "base/message.h"
#include "expr/parser.h"

static const char *kind_of(const es_node *node)
{
    switch (node->kind) {
    case ES_N_INT:
    case ES_N_FLOAT: return "a number";
    case ES_N_STRING:
    case ES_N_FSTRING: return "a string";
    case ES_N_CONST: return es_op_name(node->op);
    case ES_N_CALL: return "the result of a call";
    case ES_N_COMPARE: return "a comparison";
    case ES_N_TUPLE: return "a tuple";
    case ES_N_LIST: return "a list";
    case ES_N_STAR: return "a value with \"*\"";
    default: return "the result of an operation";
    }
}

static bool refuse_target(es_parser *p, const es_node *node, es_target_use use)
{
    const char *kind = es_translate(kind_of(node));
    switch (use) {
    case ES_TARGET_DEL: es_fail(p->err, ES_ERR_PARSE, "%s cannot be deleted", kind); break;
    case ES_TARGET_ANNOTATE:
        es_fail(p->err, ES_ERR_PARSE,
                "%s cannot have a type: only a name, an attribute or an item can", kind);
        break;
    case ES_TARGET_AUGMENT:
        es_fail(p->err, ES_ERR_PARSE,
                "%s cannot be changed in place: only a name, an attribute or an "
                "item can",
                kind);
        break;
    default: es_fail(p->err, ES_ERR_PARSE, "%s cannot be given a value", kind);
    }
    if (use == ES_TARGET_ASSIGN && node->kind != ES_N_STAR)
        es_hint(p->err, "to compare two values: ==");
    es_error_locate(p->err, node->begin, node->end);
    return false;
}

bool es_parser_check_target(es_parser *p, const es_node *node, es_target_use use)
{
    switch (node->kind) {
    case ES_N_NAME:
    case ES_N_ATTRIBUTE:
    case ES_N_INDEX: return true;
    case ES_N_TUPLE:
    case ES_N_LIST:
        if (use != ES_TARGET_ASSIGN && use != ES_TARGET_DEL)
            return refuse_target(p, node, use);
        for (int i = 0; i < node->n_kids; i++) {
            const es_node *kid = node->kid[i];
            bool star = kid->kind == ES_N_STAR && use == ES_TARGET_ASSIGN;
            if (star && kid->kid[0]->kind == ES_N_STAR)
                return refuse_target(p, kid, use);
            if (!es_parser_check_target(p, star ? kid->kid[0] : kid, use))
                return false;
        }
        return true;
    default: return refuse_target(p, node, use);
    }
}

/* Only what binds more tightly than "in" can be a target here. */
static es_node *target(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    bool star = es_accept(p, ES_T_STAR);
    es_node *node = es_parse_level(p, ES_LEVEL_BITOR);
    if (!node || !star)
        return node;
    es_parser_push(p, node);
    return es_parser_make(p, ES_N_STAR, first, mark);
}

es_node *es_parse_targets(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    es_node *node = target(p);
    if (!node)
        return NULL;
    if (es_ahead(p) == ES_T_COMMA) {
        es_parser_push(p, node);
        while (es_accept(p, ES_T_COMMA) &&
               (es_ahead(p) == ES_T_STAR || es_parser_begins_value(es_ahead(p)))) {
            node = target(p);
            if (!node)
                return NULL;
            es_parser_push(p, node);
        }
        node = es_parser_make(p, ES_N_TUPLE, first, mark);
    }
    return node && es_parser_check_target(p, node, ES_TARGET_ASSIGN) ? node : NULL;
}
