// SPDX-License-Identifier: GPL-3.0-or-later
/* A module was moved, and a tensor of its own that it does not know of was not. */
#include "expr/advice.h"
#include "expr/culprit.h"
#include "expr/modules.h"
#include "expr/object.h"

/* self.pe within self.pe[:T].mT; NULL: it is nothing like that. */
static const es_node *attribute_in(const es_node *n)
{
    while (n && n->n_kids &&
           (n->kind == ES_N_INDEX || n->kind == ES_N_CALL || n->kind == ES_N_ATTRIBUTE)) {
        if (n->kind == ES_N_ATTRIBUTE && n->kid[0]->kind == ES_N_NAME)
            return n;
        n = n->kid[0];
    }
    return NULL;
}

/* Has the module a parameter or buffer that is on another device?  So far down as modules are seldom deeper. */
static bool is_elsewhere(const es_value *module, const es_tensor *t, int levels)
{
    es_member m;
    for (int64_t i = 0; es_module_member(module, i, &m); i++) {
        bool held = m.as != ES_PLAIN && m.x->kind == ES_V_TENSOR;
        if (held && es_value_as_tensor(m.x)->buf->be != t->buf->be)
            return true;
        if (m.as == ES_SUBMODULE && m.x->kind == ES_V_INSTANCE && levels > 1 &&
            is_elsewhere(m.x, t, levels - 1))
            return true;
    }
    return false;
}

static bool is_plain_tensor(const es_scene *s, const es_node *attribute)
{
    const es_node *of = attribute->kid[0];
    es_error none = ES_ERROR_NONE;
    es_value v = es_none();
    bool plain = es_interp_lookup(s->in, of->text, of->n_text, &v, &none) &&
                 v.kind == ES_V_INSTANCE && es_module_kind(&v);
    const es_value *own = plain ? es_own_get(&v, attribute->text, attribute->n_text) : NULL;
    plain = own && own->kind == ES_V_TENSOR &&
            es_module_part(&v, attribute->text, attribute->n_text) == ES_PLAIN &&
            is_elsewhere(&v, es_value_as_tensor(own), 4);
    es_value_unref(&v);
    es_error_free(&none);
    return plain;
}

const es_node *es_left_behind(const es_scene *s)
{
    for (int i = 0; i < s->n; i++) {
        const es_node *attribute = attribute_in(s->part[i].node);
        if (attribute && is_plain_tensor(s, attribute))
            return attribute;
    }
    return NULL;
}

void es_advise_device(const es_scene *s)
{
    const es_node *left = es_left_behind(s);
    if (!left)
        return;
    es_str text = {0};
    es_excerpt(&text, s->unit, left, 30);
    es_hint(s->err, "help: %s is neither a parameter nor a buffer, and .to() leaves it where it is",
            es_str_text(&text));
    es_str_cut(&text, 0);
    es_excerpt(&text, s->unit, left->kid[0], 30);
    es_hint(s->err, "in __init__: %s.register_buffer(\"%.*s\", …)", es_str_text(&text),
            (int)left->n_text, left->text);
    es_str_free(&text);
}
