// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files about classes share: what a class begins with, and the order of those behind it. */
#ifndef ES_EXPR_CLASSES_H
#define ES_EXPR_CLASSES_H

#include "expr/object.h"

/* What a CLASS begins with (object.h). */
typedef enum es_class_part_kind {
    ES_CLASS_NAME,
    ES_CLASS_BASES,
    ES_CLASS_DOC,
    ES_CLASS_MRO,
    ES_CLASS_ANNOTATIONS,
    ES_CLASS_FIELDS,
    ES_CLASS_PARTS
} es_class_part_kind;

#define ES_TYPE_ABC      "ABC"
#define ES_TYPE_PARTIAL  "functools.partial"
#define ES_TYPE_ITERATOR "iterator"
#define ES_MODULE_MARKS  "." /* of an INSTANCE that is a module (object.h) */

enum { ES_DEF_DECORATORS = 3, ES_CLASS_DECORATORS = 2 }; /* from that kid of their node on */
enum { ES_MOST_BEHIND = 200 };                           /* classes behind one another */

const es_value *es_class_part(const es_value *cls, es_class_part_kind part); /* borrowed */
const char *es_class_part_name(es_class_part_kind part);                     /* "__mro__" */
const es_value *es_instance_class(const es_value *instance);                 /* borrowed */
bool es_same_class(const es_value *a, const es_value *b);
/* The i-th of a CLASS or TYPE and those behind it, in Python's order, borrowed; false: there are no more. */
bool es_class_at(const es_value *cls, int64_t i, es_value *out);
bool es_is_subclass(const es_value *cls, const es_value *of); /* each a CLASS or TYPE */
bool es_is_module_type(const char *type);                     /* "torch.nn.Linear" */
/* The first of the program's exceptions behind a class, a type or an instance: "ValueError"; or NULL. */
const char *es_exception_kind(const es_value *v);

/* All that is behind a class with these bases, in Python's order (C3), as a tuple. */
bool es_class_order(const es_value *bases, int64_t n, es_value *out, es_error *err);

/* What a class's own body gave it, borrowed; NULL: nothing of that name.  Not what it begins with. */
const es_value *es_class_own(const es_value *cls, const char *name, size_t n);
/* What a CLASS or TYPE, or those behind it, from the first-th on, has of that name, as it is there: a
 * reference. */
bool es_class_find(const es_value *cls, int64_t first, const char *name, size_t n, es_value *out);
/* The method that comes with a type that is none of nn's, "__init__" of "ValueError"; or NULL. */
const es_builtin *es_object_builtin(const char *type, const char *name, size_t n);
/* Is it an entry that is bound to the instance it is asked of? */
bool es_is_method_entry(const es_builtin *b);

/* What a DESCRIPTOR holds after its TYPE. */
enum { ES_PROPERTY_GET = 1, ES_PROPERTY_SET, ES_PROPERTY_DELETE, ES_PROPERTY_PARTS };
bool es_is_descriptor(const es_value *v, const char *type); /* "property" */
/* The property of that name, which goes before what an instance has of its own; borrowed, or NULL. */
const es_value *es_class_property(const es_value *cls, const char *name, size_t n);
es_value es_method_new(const es_value *f, const es_value *self);
/* As es_object_put, __setattr__ of its class not asked. */
bool es_object_put_plain(es_interp *in, const es_value *v, const char *name, size_t n, es_value x,
                         es_error *err);

bool es_object_delete_plain(es_interp *in, const es_value *v, const char *name, size_t n,
                            es_error *err);

/* ---- private.c ---- */

/* __x, and not __x__ */
static inline bool es_is_private(const char *name, size_t n)
{
    return n > 2 && name[0] == '_' && name[1] == '_' && memcmp(name + n - 2, "__", 2) != 0;
}
/* What a private name is called in that class, in the place that runs: it itself, or made. */
const char *es_private_name(const es_value *cls, const char *name, size_t *n, es_str *made);
const char *es_private_here(es_interp *in, const char *name, size_t *n, es_str *made);

/* "'X' object has no attribute 'y'", and what it has of a similar name. */
bool es_fail_no_attribute(const es_value *v, const char *name, size_t n, es_error *err);

/* Is nothing in it abstract, or is it not derived from ABC?  Else an error. */
bool es_class_whole(const es_value *cls, es_error *err);
es_value es_docstring(const es_node *body); /* the string that a suite begins with, or None */
bool es_exec_class(es_interp *in, const es_node *n, es_error *err);
bool es_method_call(es_interp *in, const es_value *method, const es_value *args, int64_t n,
                    const char *const *names, const es_node *const *nodes, es_value *out,
                    es_error *err);
bool es_instance_call(es_interp *in, const es_value *v, const es_value *args, int64_t n,
                      const char *const *names, const es_node *const *nodes, es_value *out,
                      es_error *err);
/* The same of a module, whose forward it is that is called. */
bool es_module_call(es_interp *in, const es_value *v, const es_value *args, int64_t n,
                    const char *const *names, const es_node *const *nodes, es_value *out,
                    es_error *err);
bool es_can_call(const es_value *instance);
/* property(f), staticmethod(f), classmethod(f) */
bool es_is_descriptor_type(const char *type);
bool es_descriptor_new(const es_value *type, const es_value *args, int64_t n, es_value *out,
                       es_error *err);
/* The decorators of a def or class are its kids from the first-th on.  Those that are run, the last first, put
 * what they give into *v. */
bool es_decorate(es_interp *in, const es_node *def, int first, es_value *v, es_error *err);

bool es_class_is_frozen(const es_value *cls); /* by @dataclass(frozen=True) */
/* What functools.partial, iterators, iter(x) and hash(x) do. */
bool es_partial_call_run(es_args *a, es_value *out, es_error *err);
bool es_partial_repr_run(es_args *a, es_value *out, es_error *err);
bool es_iterator_next_run(es_args *a, es_value *out, es_error *err);
bool es_iterator_itself_run(es_args *a, es_value *out, es_error *err);
bool es_iterator_new_run(es_args *a, es_value *out, es_error *err);
bool es_hash_run(es_args *a, es_value *out, es_error *err);

/* What the names of the tables dataclass and field do. */
bool es_dataclass_run(es_args *a, es_value *out, es_error *err);
bool es_field_run(es_args *a, es_value *out, es_error *err);

/* super() in the function that runs, or super(cls, of). */
bool es_super_new(es_interp *in, const es_value *args, int64_t n, es_value *out, es_error *err);

#endif
