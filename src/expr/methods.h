// SPDX-License-Identifier: GPL-3.0-or-later
/* What strings, lists, tuples and dicts can do: the tables es_value_method looks in. */
#ifndef ES_EXPR_METHODS_H
#define ES_EXPR_METHODS_H

#include "expr/builtin.h"

extern const es_builtin es_methods_str[], es_methods_list[], es_methods_tuple[], es_methods_dict[],
    es_methods_property[];

#endif
