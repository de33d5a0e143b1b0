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
    const es_value
        *rest; /* a variadic tail, "*size": n_rest values, unpacked if one tuple or list came */
    int64_t n_rest;
    const es_node *node[ES_MOST_ARGS]; /* where each was written; NULL: it was not */
} es_args;

/* Where a name can stand; an entry may have several. */
enum {
    ES_IN_TORCH = 1,      /* torch.NAME, and the bare name */
    ES_IN_F = 2,          /* F.NAME, torch.nn.functional.NAME, and the bare name */
    ES_IN_MATH = 4,       /* math.NAME */
    ES_IN_PLAIN = 8,      /* NAME alone: print, len, encode */
    ES_METHOD = 16,       /* TENSOR.NAME(…): the first parameter is the tensor */
    ES_ATTRIBUTE = 32,    /* TENSOR.NAME */
    ES_OF_EMBEDDING = 64, /* wte.NAME */
    ES_IN_PLACE = 128, /* there is also TENSOR.NAME_(…), which writes the result into the tensor */
    ES_IN_NN = 256
};

struct es_builtin {
    const char *name;
    unsigned where;
    const char *
        params; /* "input, dim=None, keepdim=False, *, dtype=None", or "input, *size"; NULL for an attribute */
    const char *summary; /* one line: "the mean over one axis, several, or all" */
    const char
        *rule; /* what becomes of the shape: "(…, n, …) → (…, …), or 1 in its place with keepdim" */
    const char *help;    /* a paragraph more, or NULL */
    const char *example; /* statements that work as they stand, lines separated by \n */
    bool (*run)(es_args *a, es_value *out, es_error *err);
};

/* A layer's or a file's entries; ends with name NULL. */
extern const es_builtin es_builtins_views[], es_builtins_join[], es_builtins_index[],
    es_builtins_make[], es_builtins_order[], es_builtins_math[], es_builtins_reduce[],
    es_builtins_product[], es_builtins_similar[], es_builtins_about[], es_builtins_python[],
    es_builtins_own[];

/* The entry called name that may stand in one of `where`, or NULL. */
const es_builtin *es_builtin_find(const char *name, size_t n, unsigned where);
const es_builtin *es_builtin_at(size_t i); /* all of them, sorted by name; NULL behind the last */

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
bool es_arg_axis(es_args *a, int i, int ndim, int *out, es_error *err);
/* One axis or a tuple or list of them; not given: all, *n = ndim.  PyTorch refuses one that comes twice. */
bool es_arg_axes(es_args *a, int i, int ndim, int out[ES_MAX_DIMS], int *n, es_error *err);
/* Sizes with their labels: from parameter i (a tuple, list or int) or, i < 0, the variadic tail.  -1 is let
 * through for the caller to judge. */
bool es_arg_shape(es_args *a, int i, es_shape *out, es_error *err);
/* The tensors of a list or tuple, borrowed; free *out with free(). */
bool es_arg_tensors(es_args *a, int i, const es_tensor ***out, int64_t *n, es_error *err);

#endif
