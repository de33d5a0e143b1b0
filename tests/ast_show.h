// SPDX-License-Identifier: GPL-3.0-or-later
/* A tree in the words of Python's ast.dump, so that Python itself can be the judge of the parser. */
#ifndef ES_TESTS_AST_SHOW_H
#define ES_TESTS_AST_SHOW_H

#include "base/str.h"
#include "expr/ast.h"

/* Non-ASCII characters are escaped; with `places`, expressions also say at=(begin, end), except where Python's
 * place is another: of tuples and generators with their parentheses, and within f-strings. */
void show_tree(es_str *out, const es_node *node, bool places);

#endif
