// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands behind dots, found without calling anything of the reader's own: no property is asked. */
#ifndef ES_SESSION_MEMBERS_H
#define ES_SESSION_MEMBERS_H

#include "expr/interp.h"

/* v.name, a method bound to an instance; the caller's. */
bool es_member_of(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out);
/* The value of names joined by dots and indices, "m.blocks[0].weight"; the caller's. */
bool es_member_chain(es_interp *in, const char *chain, size_t n, es_value *out);

/* What a class or an instance has, and those behind it: each name, with the value as it is there (NULL: a
 * method of this program's own). */
typedef void es_member_fn(void *user, const char *name, const es_value *v);
void es_member_each(const es_value *v, es_member_fn *fn, void *user);

#endif
