// SPDX-License-Identifier: GPL-3.0-or-later
/* The tables that GPT-2 starts its training from: random numbers, the same on every machine. */
#ifndef ES_MODEL_UNTRAINED_H
#define ES_MODEL_UNTRAINED_H

#include "model/model.h"

/* Is it "untrained", or that with sizes behind a colon? */
bool es_is_untrained(const char *name);

/* GPT-2's initialisation (Radford et al. 2019, model.py: wte N(0, 0.02), wpe N(0, 0.01)) from `seed`,
 * V=50257, n_ctx=1024, C=64; "untrained:C=768" changes a size, and so do V= and n_ctx=, separated by
 * commas.  ES_ERR_VALUE.  Free both with es_table_unref. */
bool es_untrained(es_table **wte, es_table **wpe, const char *name, uint64_t seed, es_error *err);

#endif
