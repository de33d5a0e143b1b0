// SPDX-License-Identifier: GPL-3.0-or-later
/* All variables of an interpreter as text, nothing of the reader's own run for it: __repr__ may change things. */
#ifndef ES_TESTS_FUZZ_STATE_H
#define ES_TESTS_FUZZ_STATE_H

#include "expr/object.h"
#include "fuzz/fuzz.h"

enum { STATE_DEPTH = 4, STATE_ITEMS = 20 };

static inline void state_value(es_str *out, es_interp *in, const es_value *v, int depth)
{
    const es_value *x;
    const char *name;
    bool object = v->kind == ES_V_INSTANCE || v->kind == ES_V_CLASS;
    bool items = es_value_is_sequence(v) || v->kind == ES_V_DICT;
    if (!object && !items && v->kind < ES_V_CLASS && v->kind != ES_V_BUILTIN) {
        es_error err = ES_ERROR_NONE;
        if (v->kind == ES_V_EXCEPTION || !es_value_repr(in, out, v, &err))
            es_str_cat(out, "?");
        es_error_free(&err);
        return;
    }
    es_str_add(out, "%s(", v->kind == ES_V_CLASS ? es_class_name(v) : es_value_type_name(v));
    for (int64_t i = 0; object && depth && i < STATE_ITEMS && (name = es_own_at(v, i, &x)); i++) {
        es_str_add(out, "%s=", name);
        state_value(out, in, x, depth - 1);
        es_str_char(out, ' ');
    }
    for (int64_t i = 0; items && depth && i < STATE_ITEMS && i < es_value_items(v)->n; i++) {
        state_value(out, in, &es_value_items(v)->of[i], depth - 1);
        es_str_char(out, ' ');
    }
    es_str_char(out, ')');
}

static inline void show_variables(es_interp *in, es_str *out)
{
    const es_value *v;
    const char *name;
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++) {
        es_str_add(out, "%s = ", name);
        state_value(out, in, v, STATE_DEPTH);
        es_str_char(out, '\n');
    }
}

#endif
