// SPDX-License-Identifier: GPL-3.0-or-later
/* What :help, the manual and completion say of the language's functions. */
#ifndef ES_SESSION_HELP_BUILTIN_H
#define ES_SESSION_HELP_BUILTIN_H

#include "expr/builtin.h"
#include "session/command.h"

/* Is there something to run under this entry?  Some only say why a name of PyTorch's is not here. */
bool es_builtin_is_here(const es_builtin *b);
/* Is it listed among all of them?  Not what Python calls by itself, such as __len__. */
bool es_builtin_is_listed(const es_builtin *b);

/* "softmax(input, dim, dtype=None)", ".shape" */
void es_builtin_signature(es_str *out, const es_builtin *b);
/* What it is called where it comes from: "torch.softmax, TENSOR.softmax, F.softmax", "Python's len". */
void es_builtin_origin(es_str *out, const es_builtin *b);

/* Are there functions, methods or attributes called so?  "torch.", "x." and the like before the name are no part
 * of it. */
bool es_help_has_builtin(const char *name, size_t n);
es_result es_help_builtin(const char *name, size_t n); /* all of them */
es_result es_help_builtins(void);                      /* the list of all there are */

/* Lines behind "example:". */
void es_show_example(es_str *out, const char *example, const es_style *style);

/* The nearest such name, for "did you mean"; NULL: none is near. */
const char *es_help_nearest_builtin(const char *name, size_t n);

#endif
