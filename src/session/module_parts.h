// SPDX-License-Identifier: GPL-3.0-or-later
/* What is in a module: its tensors and the modules within it, all the way down. */
#ifndef ES_SESSION_MODULE_PARTS_H
#define ES_SESSION_MODULE_PARTS_H

#include "expr/object.h"

/* One tensor of a module or of one within it; path: "token_embeddings.weight".  False: enough. */
typedef bool es_module_fn(void *user, const char *path, const es_value *tensor);
void es_module_tensors(const es_value *module, es_module_fn *fn, void *user);

typedef struct es_module_sums {
    int64_t parameters; /* numbers in them; a tensor that two modules share is counted once */
    double bytes;       /* of those */
} es_module_sums;
es_module_sums es_module_sum(const es_value *module);

/* "3,281,984 parameters". */
void es_show_parameters(es_str *out, int64_t n);

static inline bool es_is_module(const es_value *v)
{
    return v->kind == ES_V_INSTANCE && es_module_kind(v) != NULL;
}

static inline bool es_is_parameter(const es_value *v)
{
    return v->kind == ES_V_TENSOR && ((const es_tensor_object *)v->u.o)->parameter;
}

#endif
