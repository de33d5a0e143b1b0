// SPDX-License-Identifier: GPL-3.0-or-later
/* What the fields of a dataclass are, for those who make them and those who use them. */
#ifndef ES_EXPR_DATACLASS_H
#define ES_EXPR_DATACLASS_H

#include "expr/inside.h"

/* What field() gives: a DESCRIPTOR of its TYPE, default and default_factory, each may be missing, and whether
 * __init__ takes it, __repr__ shows it, __eq__ compares it. */
enum {
    ES_FIELD_DEFAULT = 1,
    ES_FIELD_FACTORY,
    ES_FIELD_IN_INIT,
    ES_FIELD_IN_REPR,
    ES_FIELD_IN_EQ,
    ES_FIELD_PARTS
};

/* Of a class or of those behind it: names and fields in turn; NULL: it is no dataclass. */
const es_items *es_fields_of(const es_value *cls);
const es_value *es_field_part(const es_value *field, int part); /* borrowed */
bool es_field_lacks(const es_value *field, int part);           /* a default or a factory */
bool es_field_optional(const es_value *field);

/* The methods a dataclass gets, in the order of the options of @dataclass. */
enum {
    ES_DATACLASS_INIT,
    ES_DATACLASS_REPR,
    ES_DATACLASS_EQ,
    ES_DATACLASS_FROZEN,
    ES_DATACLASS_METHODS
};
extern const es_builtin es_dataclass_methods[ES_DATACLASS_METHODS];
extern const es_builtin es_dataclass_frozen_delete; /* the other of FROZEN */
/* Those of @dataclass(order=True). */
enum { ES_DATACLASS_ORDER = 4 };
extern const es_builtin es_dataclass_order[ES_DATACLASS_ORDER];

/* The fields of the instance that a->v[0] is; the rest of the call is what remains of a->given. */
bool es_dataclass_self(es_args *a, const es_items **fields, es_error *err);

#endif
