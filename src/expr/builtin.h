// SPDX-License-Identifier: GPL-3.0-or-later
/* Functions, methods and attributes of the language: tables of entries, one a name.  Binding of arguments,
 * dispatch, :help, completion and the manual read them. */
#ifndef ES_EXPR_BUILTIN_H
#define ES_EXPR_BUILTIN_H

#include "expr/value.h"

typedef struct es_interp es_interp;

enum { ES_MOST_ARGS = 12 };

/* The arguments of one call, bound to the names of es_builtin.params. */
typedef struct es_args {
    es_interp *in;
    es_torch *k;
    const es_builtin *of;
    int n;                    /* parameters, those of a variadic tail included */
    es_value v[ES_MOST_ARGS]; /* borrowed; kind ES_V_KINDS: not given */
    /* A variadic tail, "*size": n_rest values.  One tuple or list is unpacked by what is PyTorch's,
     * view(2, 3) and view((2, 3)), not by what is Python's, print((2, 3)). */
    const es_value *rest;
    int64_t n_rest;
    const es_node *const *rest_node; /* where each of them was written, or NULL */
    int tail;                        /* the parameter they belong to; -1: there is none */
    struct {
        const char *s;
        int n;
    } param[ES_MOST_ARGS];             /* what the parameters are called */
    const es_node *node[ES_MOST_ARGS]; /* where each was written; NULL: it was not */
    int by_place;                      /* so many parameters came by place, not by name */
    bool method; /* called as VALUE.NAME(…): v[0] is that value, and no argument */
    /* The call as it was written, without that value; names NULL: all by place. */
    const es_value *given;
    const char *const *names;
    int64_t n_given;
} es_args;

/* Where a name can stand; an entry may have several. */
enum {
    ES_IN_TORCH = 1 << 0,   /* torch.NAME, and the bare name */
    ES_IN_F = 1 << 1,       /* F.NAME, torch.nn.functional.NAME, and the bare name */
    ES_IN_MATH = 1 << 2,    /* math.NAME */
    ES_IN_PLAIN = 1 << 3,   /* NAME alone: print, len, encode */
    ES_METHOD = 1 << 4,     /* TENSOR.NAME(…): the first parameter is the tensor */
    ES_ATTRIBUTE = 1 << 5,  /* TENSOR.NAME */
    ES_IN_PLACE = 1 << 6,   /* there is also TENSOR.NAME_(…), which writes the result into it */
    ES_IN_NN = 1 << 7,      /* nn.NAME; methods of modules too: "Linear.forward" */
    ES_CLASS = 1 << 8,      /* of those, a class, and its __init__: "Linear" */
    ES_IN_INIT = 1 << 9,    /* torch.nn.init.NAME */
    ES_OF_VALUE = 1 << 10,  /* VALUE.NAME(…) of a string, list, tuple or dict: es_value_method */
    ES_OF_OBJECT = 1 << 11, /* INSTANCE.NAME(…) of every class: es_object_builtin finds it */
    ES_IN_CUDA = 1 << 12,   /* torch.cuda.NAME */
    ES_IN_NUMPY = 1 << 13,  /* np.NAME, before PyTorch's of that name */
    ES_IN_DATACLASSES = 1 << 14,
    ES_IN_COPY = 1 << 15,
    ES_IN_COLLECTIONS = 1 << 16,
    ES_OWN = 1 << 17, /* this program's, in no library */
    ES_IN_FUNCTOOLS = 1 << 19,
    ES_OF_CLASS = 1 << 18 /* as ES_OF_OBJECT, but bound to nothing: __new__ */
};

struct es_builtin {
    const char *name;
    unsigned where;
    /* "input, dim=None, keepdim=False, *, dtype=None", or "input, *size"; "**names" takes any name, which
     * run reads from es_args.given; NULL for an attribute or a constant, which is run as soon as it is named */
    const char *params;
    const char *summary; /* one line: "the mean over one axis, several, or all" */
    const char
        *rule; /* what becomes of the shape: "(…, n, …) → (…, …), or 1 in its place with keepdim" */
    const char *help; /* a paragraph more, or NULL */
    const char
        *example; /* statements that work as they stand, lines separated by \n; NULL for what only
                            says why it is not here */
    bool (*run)(es_args *a, es_value *out, es_error *err);
};

/* The tables of entries, one a line, each ending with a name of NULL, in the order in which a bare name is
 * looked up: max is Python's, torch.max PyTorch's.  A file with a table of its own adds its line here. */
/* clang-format off */
#define ES_BUILTIN_TABLES(X) \
    X(python) \
    X(iterate) \
    X(text) \
    X(types) \
    X(copy) \
    X(object) \
    X(dataclasses) \
    X(functools) \
    X(own) \
    X(compare) \
    X(files) \
    X(number) \
    X(constants) \
    X(devices) \
    X(about) \
    X(convert) \
    X(views) \
    X(index) \
    X(write) \
    X(join) \
    X(repeat) \
    X(make) \
    X(modules) \
    X(module_lists) \
    X(embedding) \
    X(module_weights) \
    X(module_functions) \
    X(module_containers) \
    X(module_dicts) \
    X(module_attention) \
    X(module_init) \
    X(random) \
    X(kinds) \
    X(order) \
    X(unary) \
    X(binary) \
    X(choose) \
    X(reduce) \
    X(product) \
    X(similar)

/* clang-format on */
#define ES_BUILTINS_DECLARED(name) extern const es_builtin es_builtins_##name[];
ES_BUILTIN_TABLES(ES_BUILTINS_DECLARED)

/* The entry called name that may stand in one of `where`, or NULL. */
const es_builtin *es_builtin_find(const char *name, size_t n, unsigned where);
/* All of them, sorted by name; returns how many. */
enum { ES_MOST_BUILTINS = 1024 };
size_t es_builtin_all(const es_builtin *all[ES_MOST_BUILTINS]);
const es_builtin *es_builtin_listed(size_t i); /* the i-th as the tables have them, or NULL */
/* The method of a value that is no tensor: "append" of a list.  False: it has none of that name. */
bool es_value_method(const es_value *self, const char *name, size_t n, const es_builtin **out);
/* The i-th such method of that kind of value, or NULL. */
const es_builtin *es_value_method_at(es_value_kind kind, size_t i);

/* Bind the arguments of a call and run it.  self: of a method or attribute, else NULL.  names: NULL where all
 * came by place, else one NULL for each that did.  nodes: where they were written, or NULL.  ES_ERR_TYPE, in
 * Python's or PyTorch's words, where they do not fit. */
bool es_builtin_call(es_interp *in, const es_builtin *b, const es_value *self, const es_value *args,
                     int64_t n, const char *const *names, const es_node *const *nodes,
                     es_value *out, es_error *err);
/* What it is called with by who calls it: a method of modules without its self. */
const char *es_builtin_params(const es_builtin *b);
/* Is the entry Python's own, or ours, or written in Python: not one of PyTorch's in C++? */
bool es_builtin_is_python(const es_builtin *b);

/* What a run ends with: out = v, and all went well. */
static inline bool es_answer(es_value *out, es_value v)
{
    *out = v;
    return true;
}

/* Place an error already set at an argument; returns false. */
static inline bool es_arg_blame(const es_args *a, int i, es_error *err)
{
    return a->node[i] ? es_error_locate(err, a->node[i]->begin, a->node[i]->end) : false;
}

/* The error "NAME(): argument 'dim' (position 2) must be int, not str", placed at the argument, and false. */
#define es_arg_wrong(a, i, expected, err) (es_arg_refuse((a), (i), (expected), (err)), es_failed())
void es_arg_refuse(const es_args *a, int i, const char *expected, es_error *err);

/* ---- reading arguments: each fails as PyTorch does, "mean(): argument 'dim' (position 2) must be int, not
 * str" (ES_ERR_TYPE), placed at the argument ---- */
bool es_given(const es_args *a, int i);                           /* and it is not None */
const es_tensor *es_arg_tensor(es_args *a, int i, es_error *err); /* borrowed; NULL: no */
/* A tensor, or a number as one; *made is to be freed. */
const es_tensor *es_arg_operand(es_args *a, int i, es_tensor *made, es_error *err);
bool es_arg_int64(es_args *a, int i, int64_t *out,
                  es_error *err); /* a tensor of one integer will do */
bool es_arg_size(es_args *a, int i, int64_t *out, es_label *label, es_error *err);
bool es_arg_double(es_args *a, int i, double *out, es_error *err);
bool es_arg_bool(es_args *a, int i, bool otherwise, bool *out, es_error *err);
bool es_arg_dtype(es_args *a, int i, es_dtype otherwise, es_dtype *out, es_error *err);
bool es_arg_device(es_args *a, int i, es_backend *otherwise, es_backend **out, es_error *err);
/* The same by its name, which is not an argument as it stands. */
bool es_arg_device_called(const es_args *a, const char *name, es_backend **out, es_error *err);
bool es_arg_axis(es_args *a, int i, int ndim, int *out, es_error *err);
/* One axis or a tuple or list of them; not given: all, *n = ndim.  PyTorch refuses one that comes twice. */
bool es_arg_axes(es_args *a, int i, int ndim, int out[ES_MAX_DIMS], int *n, es_error *err);
/* Sizes with their labels: from parameter i (a tuple or list) or, i < 0, the variadic tail.  -1 is let
 * through for the caller to judge. */
bool es_arg_shape(es_args *a, int i, es_shape *out, es_error *err);
/* The tensors of a list or tuple, borrowed; free *out with free(). */
bool es_arg_tensors(es_args *a, int i, const es_tensor ***out, int64_t *n, es_error *err);

#endif
