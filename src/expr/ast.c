// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/ast.h"

#include <stdlib.h>

#include "base/mem.h"

const char *es_op_name(es_op op)
{
    static const char *const names[ES_N_OPS] = {
        [ES_OP_NOTHING] = "",      [ES_OP_ADD] = "+",        [ES_OP_SUB] = "-",
        [ES_OP_MUL] = "*",         [ES_OP_DIV] = "/",        [ES_OP_FLOORDIV] = "//",
        [ES_OP_MOD] = "%",         [ES_OP_MATMUL] = "@",     [ES_OP_POW] = "**",
        [ES_OP_BITAND] = "&",      [ES_OP_BITOR] = "|",      [ES_OP_BITXOR] = "^",
        [ES_OP_SHL] = "<<",        [ES_OP_SHR] = ">>",       [ES_OP_LT] = "<",
        [ES_OP_LE] = "<=",         [ES_OP_GT] = ">",         [ES_OP_GE] = ">=",
        [ES_OP_EQ] = "==",         [ES_OP_NE] = "!=",        [ES_OP_IN] = "in",
        [ES_OP_NOT_IN] = "not in", [ES_OP_IS] = "is",        [ES_OP_IS_NOT] = "is not",
        [ES_OP_NEG] = "-",         [ES_OP_POS] = "+",        [ES_OP_INVERT] = "~",
        [ES_OP_NOT] = "not",       [ES_OP_TRUE] = "True",    [ES_OP_FALSE] = "False",
        [ES_OP_NONE] = "None",     [ES_OP_ELLIPSIS] = "...",
    };
    return names[op];
}

void es_unit_stands_in(es_unit *u, const char *file, size_t first_line)
{
    free(u->file);
    u->file = es_copy_string(file);
    u->first_line = (int64_t)first_line;
}

es_unit *es_unit_ref(es_unit *u)
{
    u->refs++;
    return u;
}

void es_unit_unref(es_unit *u)
{
    if (!u || --u->refs > 0)
        return;
    es_arena_free(u->arena);
    free(u->source);
    free(u->file);
    free(u);
}
