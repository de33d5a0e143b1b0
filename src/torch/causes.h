// SPDX-License-Identifier: GPL-3.0-or-later
/* Why two tensors differ: the mistakes that people make when they carry a model from one program to another. */
#ifndef ES_TORCH_CAUSES_H
#define ES_TORCH_CAUSES_H

#include "torch/differ.h"

/* What is compared and what else is known; tensors of the model and of the last text may be NULL. */
typedef struct es_causes {
    const char *x_name, *y_name; /* as they are typed: "m(ids)" */
    double rtol, atol;
    const es_difference *difference; /* NULL: their shapes differ */
    const es_tensor *wte, *wpe;      /* tables (V, C) and (P, C) */
    const es_tensor *ids;            /* (B, T) */
    const es_tensor *tok_emb, *pos_emb;
} es_causes;

typedef struct es_cause {
    char name[64];    /* "transpose(0, 1)"; "": none of those tried explains it */
    es_str says, fix; /* a sentence; an expression, or empty */
    char others[160]; /* names of others that explain it as well; "" for none */
    char nearest[64]; /* where there is none: which came nearest, */
    int64_t fits, of; /* and how many of how many numbers it explains */
} es_cause;

/* x is what one has, y what is expected.  Free with es_cause_free, after a failure too. */
bool es_torch_cause(es_torch *k, es_cause *out, const es_tensor *x, const es_tensor *y,
                    const es_causes *asked, es_error *err);
void es_cause_free(es_cause *c);

#endif
