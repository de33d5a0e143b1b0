// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes and their instances.  Both are dicts of their own attributes that know what they are, so that what
 * finds cycles and what copies for a trial treats them like any dict:
 *   a CLASS begins with "__name__" (a string), "__bases__" (a tuple of CLASS and TYPE), "__doc__",
 *     "__mro__" (a tuple of all behind it in Python's order, itself not among them), "__annotations__" (a dict
 *     from each annotated name to its annotation as it was typed), "__dataclass_fields__" (a tuple, or None);
 *   an INSTANCE begins with "__class__" (a CLASS, or the TYPE of one of nn's own modules), that of a module
 *     also with "." (what modules.h knows of its attributes, or None).
 * nn.Linear(3, 4) is an instance whose class is the TYPE torch.nn.Linear; its methods are the builtins
 * "Linear.__init__", "Linear.forward", and those every module has, "Module.parameters". */
#ifndef ES_EXPR_OBJECT_H
#define ES_EXPR_OBJECT_H

#include "expr/interp.h"

/* ---- attributes of its own: nothing behind it is asked, nothing is called ---- */

const es_value *es_own_get(const es_value *v, const char *name, size_t n); /* borrowed, or NULL */
/* Takes x over, also where there is no room (ES_ERR_NOMEM). */
bool es_own_put(const es_value *v, const char *name, size_t n, es_value x, es_error *err);
bool es_own_delete(const es_value *v, const char *name, size_t n); /* false: it has none */
/* The i-th attribute, those of its beginning not counted; NULL: there are no more. */
const char *es_own_at(const es_value *v, int64_t i, const es_value **x);

/* ---- classes ---- */

/* An instance that has only its class: a CLASS or a TYPE. */
es_value es_instance_new(es_interp *in, const es_value *cls);
/* cls(…): an instance, and its __init__. */
bool es_class_call(es_interp *in, const es_value *cls, const es_value *args, int64_t n,
                   const char *const *names, const es_node *const *nodes, es_value *out,
                   es_error *err);
/* v.name where v is a CLASS, an INSTANCE or a SUPER: its own, its class's, those of the classes behind it in
 * Python's order; functions come bound.  1 found, 0 not, -1 err (a property failed). */
int es_object_get(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                  es_error *err);
/* v.name = x, del v.name, with what properties and modules make of it.  Takes x over. */
bool es_object_put(es_interp *in, const es_value *v, const char *name, size_t n, es_value x,
                   es_error *err);
bool es_object_delete(es_interp *in, const es_value *v, const char *name, size_t n, es_error *err);
/* Calls the method of that name, "__len__", if there is one.  1 called, 0 there is none, -1 failed. */
int es_object_method(es_interp *in, const es_value *v, const char *name, const es_value *args,
                     int64_t n, es_value *out, es_error *err);

/* Is v of that class, or of one that has it behind it?  cls: a CLASS or a TYPE. */
bool es_is_instance(const es_value *v, const es_value *cls);
/* The first of nn's own classes behind an instance: "Linear", "Module"; NULL: v is no module. */
const char *es_module_kind(const es_value *v);

#endif
