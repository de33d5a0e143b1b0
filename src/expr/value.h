// SPDX-License-Identifier: GPL-3.0-or-later
/* The values of the language.  A value is copied freely; what is larger than a number is an object it
 * shares, counted: es_value_ref and es_value_unref.  Lists, dicts, classes and instances change, and nothing else does. */
#ifndef ES_EXPR_VALUE_H
#define ES_EXPR_VALUE_H

#include <string.h>

#include "core/table.h"
#include "expr/ast.h"
#include "torch/torch.h"

typedef enum es_value_kind {
    ES_V_NONE,
    ES_V_BOOL,
    ES_V_INT, /* label: the axis whose size it is, or "" */
    ES_V_FLOAT,
    ES_V_STR,
    ES_V_TUPLE,
    ES_V_SIZE, /* torch.Size: a tuple of ints */
    ES_V_LIST,
    ES_V_DICT,
    ES_V_RANGE,
    ES_V_SLICE,
    ES_V_ELLIPSIS,
    ES_V_TENSOR,
    ES_V_DTYPE,
    ES_V_DEVICE,
    ES_V_BUILTIN,   /* a function of the tables, perhaps bound to a value */
    ES_V_FUNCTION,  /* def or lambda */
    ES_V_NAMESPACE, /* torch, F, nn, math, np, self */
    ES_V_TYPE,      /* int, float, list, torch.Tensor, ValueError, …: named by its text */
    ES_V_EXCEPTION, /* ValueError("…") */
    ES_V_CLASS,     /* class X: (object.h) */
    ES_V_INSTANCE,  /* of such a class, or of one of nn's */
    ES_V_METHOD,    /* a FUNCTION of a class and the value it is bound to: two items */
    ES_V_SUPER,     /* super(): the value, and the class after which is looked: two items */
    ES_V_DESCRIPTOR, /* @property, @staticmethod, @classmethod: its TYPE and its functions, as items */
    ES_V_KINDS
} es_value_kind;

/* Every object begins with its count. */
typedef struct es_object {
    int refs;
} es_object;
typedef struct es_builtin es_builtin;

typedef struct es_value {
    es_value_kind kind;
    es_label label;
    union {
        bool b;
        int64_t i;
        double f;
        es_dtype dtype;
        const char *name; /* ES_V_DEVICE "cpu"; ES_V_TYPE, ES_V_NAMESPACE: static */
        es_object *o;
    } u;
} es_value;

typedef struct es_str_object {
    int refs;
    char *bytes; /* n and a NUL */
    size_t n;
} es_str_object;

/* TUPLE, SIZE, LIST; DICT, CLASS and INSTANCE (key, value, key, value); METHOD, SUPER, DESCRIPTOR. */
typedef struct es_items {
    int refs;
    bool busy; /* being printed or compared: a list may hold itself */
    es_value *of;
    int64_t n, cap;
    const char *fields; /* names of a tuple's members, "values indices", and */
    /* What it is called: "torch.return_types.max", of a dict ES_ORDERED_DICT; static, or NULL. */
    const char *type;
    es_value *owner; /* of a dict: the CLASS or INSTANCE whose __dict__ it is, or NULL */
    struct es_items *next, **from; /* LIST, DICT, CLASS, INSTANCE: all of an interpreter's */
} es_items;

#define ES_ORDERED_DICT      "OrderedDict"
#define ES_INCOMPATIBLE_KEYS "_IncompatibleKeys" /* a tuple that prints on one line */

typedef struct es_tensor_object {
    int refs;
    es_tensor t;
    bool parameter;     /* an nn.Parameter: prints as one */
    bool requires_grad; /* as it was told; results of it do not */
} es_tensor_object;

typedef struct es_range {
    int refs;
    es_value start, stop, step; /* ints */
} es_range;

typedef struct es_slice {
    int refs;
    es_value begin, end, step; /* ints or none */
} es_slice;

typedef struct es_bound {
    int refs;
    const es_builtin *builtin;
    es_value self; /* NONE: not bound */
    bool in_place; /* x.clamp_: the result is written into self */
} es_bound;

typedef struct es_function {
    int refs;
    es_unit *unit;
    const es_node *def;       /* ES_N_DEF or ES_N_LAMBDA in the unit */
    es_items *defaults;       /* of its parameters, in order; a parameter without: ES_V_KINDS */
    struct es_scope *closure; /* one reference; NULL: global */
    void (*leave)(struct es_scope *closure); /* gives that reference back */
    es_value qualname; /* "TransformerEmbeddings.forward"; NONE: in no class */
} es_function;

typedef struct es_exception {
    int refs;
    const char *type; /* "ValueError": static */
    es_value message;
} es_exception;

enum {
    ES_MOST_ITEMS = 1 << 22,  /* of a list or tuple */
    ES_MOST_STRING = 1 << 26, /* bytes */
    ES_MOST_DEPTH = 200       /* of lists within lists, where they are printed or compared */
};

static inline es_value es_none(void)
{
    return (es_value){.kind = ES_V_NONE};
}
es_value es_value_bool(bool b);
es_value es_value_int(int64_t i);
es_value es_value_size_of(const es_tensor *t, int axis); /* an int that carries the axis's label */
es_value es_value_float(double f);
es_value es_value_str(const char *bytes, size_t n);
es_value es_value_dtype(es_dtype dtype);
es_value es_value_device(const char *device); /* as es_device_name has it */
es_value es_value_tensor(es_tensor *t);       /* takes it over; *t becomes empty */
es_value es_value_parameter(es_tensor *t);    /* the same, as an nn.Parameter */
es_value es_value_tuple(const es_value *of,
                        int64_t n); /* takes the n values over, not the array they stand in */
es_value es_value_pair(es_value a, es_value b, const char *type,
                       const char *fields);            /* takes them over */
es_value es_value_shape(const es_tensor *t);           /* torch.Size, each int with its label */
es_value es_value_size(const es_value *of, int64_t n); /* torch.Size of n ints */
/* Empty, kept in *all until it dies (es_interp_containers), so that those that hold themselves can be
 * freed as well. */
es_value es_value_list(es_items **all);
es_value es_value_dict(es_items **all);
/* The __dict__ of a CLASS or INSTANCE, still empty: what es_dict_put puts into it, the owner gets as well. */
es_value es_value_dict_of(es_items **all, const es_value *owner);
/* A CLASS or INSTANCE, kept in *all like them; its beginning (object.h) is the caller's to add. */
es_value es_value_attributes(es_value_kind kind, es_items **all);
es_value es_value_parts(es_value_kind kind, const es_value *of,
                        int64_t n); /* METHOD, SUPER, DESCRIPTOR; takes them over */
es_value es_value_range(const es_value *start, const es_value *stop, const es_value *step);
es_value es_value_slice(const es_value *begin, const es_value *end, const es_value *step);
es_value es_value_builtin(const es_builtin *b, const es_value *self); /* self NULL: not bound */
es_value es_value_named(es_value_kind kind,
                        const char *name); /* NAMESPACE; TYPE by a static name */
es_value es_value_exception(const char *type, const es_value *message);

/* Values at the end; taken over, also where there is no room for them (ES_ERR_NOMEM). */
bool es_items_add(es_items *items, es_value v, es_error *err);
bool es_items_room(es_items *items, double more, es_error *err); /* for so many more */
/* How many numbers a range has. */
int64_t es_range_count(const es_range *r);
/* What lists and dicts hold goes, cycles with it: for the end of an interpreter. */
void es_items_clear_all(es_items **all);

es_value es_value_ref(const es_value *v);
void es_value_unref(es_value *v); /* *v becomes None; any depth */

/* Borrowed views of what a value is; call only for that kind. */
const es_tensor *es_value_as_tensor(const es_value *v);
static inline es_items *es_value_items(const es_value *v)
{
    return (es_items *)v->u.o;
}

static inline const es_str_object *es_value_as_str(const es_value *v)
{
    return (const es_str_object *)v->u.o;
}
static inline bool es_value_is_str(const es_value *v, const char *s) /* the string s? */
{
    return v->kind == ES_V_STR && !strcmp(es_value_as_str(v)->bytes, s);
}
/* TUPLE, SIZE or LIST: n values one after another. */
static inline bool es_value_is_sequence(const es_value *v)
{
    return v->kind == ES_V_TUPLE || v->kind == ES_V_SIZE || v->kind == ES_V_LIST;
}

/* What a CLASS or TYPE is called, its last name alone: "TransformerEmbeddings", "Linear". */
const char *es_class_name(const es_value *cls);
/* What type(v) calls it: "int", "Tensor", "torch.Size"; an instance, its class's name. */
const char *es_value_type_name(const es_value *v);

#endif
