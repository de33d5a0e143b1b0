// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/methods.h"

static const es_builtin *const tables[ES_V_KINDS] = {
    [ES_V_STR] = es_methods_str,     [ES_V_LIST] = es_methods_list,
    [ES_V_TUPLE] = es_methods_tuple, [ES_V_SIZE] = es_methods_tuple,
    [ES_V_DICT] = es_methods_dict,   [ES_V_DESCRIPTOR] = es_methods_property,
};

bool es_value_method(const es_value *self, const char *name, size_t n, const es_builtin **out)
{
    const es_builtin *b = self->kind < ES_V_KINDS ? tables[self->kind] : NULL;
    for (; b && b->name; b++)
        if (!strncmp(b->name, name, n) && !b->name[n]) {
            *out = b;
            return true;
        }
    return false;
}

const es_builtin *es_value_method_at(es_value_kind kind, size_t i)
{
    const es_builtin *b = tables[kind];
    for (; b && b->name && i; i--)
        b++;
    return b && b->name ? b : NULL;
}
