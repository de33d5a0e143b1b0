// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs statements: what names mean, what operators do, one value after another to whoever asked. */
#ifndef ES_EXPR_INTERP_H
#define ES_EXPR_INTERP_H

#include "expr/builtin.h"
#include "expr/parse.h"

/* What fromfile() is told about a file that says nothing about itself. */
typedef struct es_plain_numbers {
    const char *dtype; /* as typed, "float16" or "<f2" */
    size_t n_dtype;
    enum {
        ES_ORDER_OWN,
        ES_ORDER_LITTLE,
        ES_ORDER_BIG
    } order;        /* OWN: as dtype has it, or little */
    int64_t offset; /* bytes before them, 0 or more */
    bool shaped;
    es_shape shape; /* if so; one axis may be -1: what is left */
    bool in_part;   /* the file may hold more */
    es_backend *be; /* where they go */
} es_plain_numbers;

/* Whom the language runs for.  Any function may be NULL. */
typedef struct es_interp_host {
    void *user;
    /* A name that is nobody's variable: the last text, the model, sizes.  1 found (out is the caller's),
     * 0 not, -1 err says why it has no value now. */
    int (*name)(void *user, const char *name, size_t n, es_value *out, es_error *err);
    /* All such names, for completion and "did you mean"; the i-th, or NULL. */
    const char *(*name_at)(void *user, size_t i);
    /* The value of a statement at the top: to be shown unless quiet (a semicolon). */
    void (*value)(void *user, const es_value *v, bool quiet);
    /* What print() says. */
    void (*print)(void *user, const char *bytes, size_t n);
    void (*note)(void *user, const char *text);
    /* encode("…"), decode(ids): ids (T) or (B, T) int64 with labels. */
    bool (*encode)(void *user, const es_value *text, es_tensor *out, es_error *err);
    bool (*decode)(void *user, const es_value *ids, es_str *out, es_error *err);
    /* A device by its name; NULL: err says which there are. */
    es_backend *(*device)(void *user, const char *name, es_error *err);
    /* load(path): a tensor, or a dict of them; fromfile(path, …): a tensor.  Shapes only: headers alone are read. */
    bool (*load)(void *user, const es_value *path, es_backend *be, es_value *out, es_error *err);
    bool (*fromfile)(void *user, const es_value *path, const es_plain_numbers *numbers,
                     es_value *out, es_error *err);
    /* save(v, path): v is a tensor, or a dict of tensors by their names.  NULL while nothing may have an effect. */
    bool (*save)(void *user, const es_value *v, const es_value *path, es_error *err);
} es_interp_host;

/* Free with es_interp_free.  be: where tensors are made unless said otherwise. */
es_interp *es_interp_new(const es_interp_host *host, es_backend *be);
void es_interp_free(es_interp *in); /* NULL is fine */

es_torch *es_interp_torch(es_interp *in); /* its settings: shapes_only, strict, watch, seed */
const es_interp_host *es_interp_host_of(const es_interp *in);
/* All its lists and dicts: what es_value_list is given, and es_items_clear_all at the end. */
es_items **es_interp_containers(es_interp *in);

/* Run all statements of a unit; the values of those at the top go to host->value.  `_` becomes the last.
 * The error is placed in the unit's source and explained. */
bool es_interp_run(es_interp *in, es_unit *unit, es_error *err);

/* How many statements at the top of the unit were run to their end by the last es_interp_run. */
size_t es_interp_ran(const es_interp *in);

/* Shapes only, without effect: the unit is run on copies of the variables, nothing is computed or printed;
 * out is the value of its last statement (None if it has none). */
bool es_interp_type(es_interp *in, es_unit *unit, es_value *out, es_error *err);

/* The value of a unit that is one expression, computed, and nobody told: `_`, random numbers and what print says stay as they
 * are.  What the expression itself changes is changed. */
bool es_interp_value(es_interp *in, es_unit *unit, es_value *out, es_error *err);

/* The value of one expression of that unit (any unit), shapes only, in the scope where an error has just
 * happened, without notes and without effect: for who tries whether an edit would work. */
bool es_interp_try(es_interp *in, es_unit *unit, const es_node *expression, es_value *out);

/* Variables of the reader's own, sorted by name; the i-th, or NULL.  Borrowed until the next run. */
const char *es_interp_variable(es_interp *in, size_t i, const es_value **v);
bool es_interp_has_variable(es_interp *in, const char *name, size_t n);
/* As an expression would find it: variable, host's name, builtin.  Borrowed value in *out: unref it. */
bool es_interp_lookup(es_interp *in, const char *name, size_t n, es_value *out, es_error *err);
bool es_interp_set(es_interp *in, const char *name, size_t n, es_value v); /* takes it over */
bool es_interp_del(es_interp *in, const char *name, size_t n);
void es_interp_clear(es_interp *in); /* no variables, first seed */

/* ---- what operators, calls and printing do, for the files of this layer ---- */
bool es_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
               es_error *err);
bool es_unary(es_interp *in, es_op op, const es_value *a, es_value *out, es_error *err);
bool es_compare(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                es_error *err);
bool es_truth(es_interp *in, const es_value *v, bool *out, es_error *err);
bool es_index(es_interp *in, const es_value *v, const es_value *sub, es_value *out, es_error *err);
bool es_attribute(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                  es_error *err);
bool es_call_value(es_interp *in, const es_value *f, const es_value *args, int64_t n, es_value *out,
                   es_error *err);

/* str(v) and repr(v) as Python and PyTorch print them; controls as they are (who prints them makes them
 * visible). */
bool es_value_str_of(es_interp *in, es_str *out, const es_value *v, es_error *err);
bool es_value_repr(es_interp *in, es_str *out, const es_value *v, es_error *err);

#endif
