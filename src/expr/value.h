// SPDX-License-Identifier: GPL-3.0-or-later
/* The values of the language.  A value is copied freely; what is larger than a number is an object it
 * shares, counted: es_value_ref and es_value_unref.  Lists are the only objects that change. */
#ifndef ES_EXPR_VALUE_H
#define ES_EXPR_VALUE_H

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
    ES_V_EMBEDDING, /* nn.Embedding: wte, wpe */
    ES_V_KINDS
} es_value_kind;

typedef struct es_object es_object;
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

/* TUPLE, SIZE, LIST, DICT (key, value, key, value). */
typedef struct es_items {
    int refs;
    bool busy; /* being printed or compared: a list may hold itself */
    es_value *of;
    int64_t n, cap;
    const char *fields; /* names of a tuple's members, "values indices", and */
    const char *type;   /* what it is called, "torch.return_types.max"; static, or NULL */
    struct es_items *next, **from; /* LIST, DICT: all of an interpreter's */
} es_items;

typedef struct es_tensor_object {
    int refs;
    es_tensor t;
    bool parameter; /* an nn.Parameter: prints as one */
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
} es_bound;

typedef struct es_function {
    int refs;
    es_unit *unit;
    const es_node *def;       /* ES_N_DEF or ES_N_LAMBDA in the unit */
    es_items *defaults;       /* of its parameters, in order; a parameter without: ES_V_KINDS */
    struct es_scope *closure; /* one reference; NULL: global */
} es_function;

typedef struct es_exception {
    int refs;
    const char *type; /* "ValueError": static */
    es_value message;
} es_exception;

/* A table whose rows are looked up. */
typedef struct es_embedding_object {
    int refs;
    const char *name;    /* "wte": static */
    es_table *table;     /* what its weight is made from; NULL: the weight is all there is */
    es_value weight;     /* a tensor (V, C), a parameter; its memory is made late */
    int64_t padding_idx; /* -1: none */
} es_embedding_object;

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
es_value es_value_device(const char *device);     /* one of es_backend_at's */
es_value es_value_tensor(es_tensor *t);           /* takes it over; *t becomes empty */
es_value es_value_tuple(es_value *of, int64_t n); /* takes the n values over */
es_value es_value_pair(es_value a, es_value b, const char *type,
                       const char *fields);  /* takes them over */
es_value es_value_shape(const es_tensor *t); /* torch.Size, each int with its label */
es_value es_value_embedding(const char *name, es_table *table,
                            es_backend *be); /* a reference of its own */

es_value es_value_ref(const es_value *v);
void es_value_unref(es_value *v); /* *v becomes None */

/* Borrowed views of what a value is; call only for that kind. */
const es_tensor *es_value_as_tensor(const es_value *v);
static inline es_items *es_value_items(const es_value *v)
{
    return (es_items *)v->u.o;
}

/* What type(v) calls it: "int", "Tensor", "torch.Size". */
const char *es_value_type_name(const es_value *v);

#endif
