// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/signature.h"

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/draw.h"
#include "expr/inside.h"

enum { COLUMNS = 60 /* of one annotation or default */ };

/* ---- functions ---- */

static const es_node *kid(const es_node *n, int i)
{
    return i < n->n_kids ? n->kid[i] : NULL;
}

static void put_parameter(es_str *out, const es_unit *unit, const es_node *p)
{
    const es_node *value = kid(p, 0), *annotation = kid(p, 1);
    if (p->i == '/' || p->i == 'k') {
        es_str_char(out, p->i == '/' ? '/' : '*');
        return;
    }
    es_str_cat(out, p->i == '*' ? "*" : p->i == 2 * '*' ? "**" : "");
    es_show_prose(out, p->text, p->n_text);
    if (annotation) {
        es_str_cat(out, ": ");
        es_excerpt(out, unit, annotation, COLUMNS);
    }
    if (value) {
        es_str_cat(out, annotation ? " = " : "=");
        es_excerpt(out, unit, value, COLUMNS);
    }
}

void es_signature(es_str *out, const es_function *f)
{
    const es_node *params = f->def->kid[0];
    const es_node *result = f->def->kind == ES_N_DEF ? kid(f->def, 2) : NULL;
    const char *name = es_function_name(f);
    es_show_prose(out, name, strlen(name));
    es_str_char(out, '(');
    for (int i = 0; i < params->n_kids; i++) {
        es_str_cat(out, i ? ", " : "");
        put_parameter(out, f->unit, params->kid[i]);
    }
    es_str_char(out, ')');
    if (result) {
        es_str_cat(out, " -> ");
        es_excerpt(out, f->unit, result, COLUMNS);
    }
}

const es_node *es_function_doc(const es_function *f)
{
    const es_node *suite = f->def->kind == ES_N_DEF ? f->def->kid[1] : NULL;
    const es_node *first = suite && suite->n_kids ? suite->kid[0] : NULL;
    return first && first->kind == ES_N_EXPR && first->kid[0]->kind == ES_N_STRING ? first->kid[0]
                                                                                   : NULL;
}

const es_function *es_function_in(const es_value *v)
{
    switch (v->kind) {
    case ES_V_FUNCTION: return (const es_function *)v->u.o;
    case ES_V_METHOD: return es_function_in(&es_value_items(v)->of[0]);
    case ES_V_DESCRIPTOR: return es_function_in(&es_value_items(v)->of[ES_PROPERTY_GET]);
    default: return NULL;
    }
}

/* ---- classes ---- */

static void put_name(es_str *out, const es_value *cls)
{
    const char *name = cls->kind == ES_V_TYPE ? cls->u.name : es_class_name(cls);
    bool nn = !strncmp(name, "torch.nn.", 9);
    es_show_prose(out, name + (nn ? 6 : 0), strlen(name) - (nn ? 6 : 0));
}

void es_class_heading(es_str *out, const es_value *cls)
{
    const es_items *bases = es_value_items(es_class_part(cls, ES_CLASS_BASES));
    int shown = 0;
    put_name(out, cls);
    for (int64_t i = 0; i < bases->n; i++) {
        const es_value *base = &bases->of[i];
        if (base->kind == ES_V_TYPE && !strcmp(base->u.name, "object"))
            continue;
        es_str_cat(out, shown++ ? ", " : "(");
        put_name(out, base);
    }
    es_str_cat(out, shown ? ")" : "");
}

const es_str_object *es_class_doc(const es_value *cls)
{
    const es_value *doc = es_class_part(cls, ES_CLASS_DOC);
    return doc->kind == ES_V_STR ? es_value_as_str(doc) : NULL;
}
