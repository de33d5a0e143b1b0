// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the interpreter share: its state, one frame a running function, and who does what. */
#ifndef ES_EXPR_INSIDE_H
#define ES_EXPR_INSIDE_H

#include "expr/interp.h"
#include "expr/scope.h"
#include "expr/seen.h"
#include "expr/walk.h"
#include "torch/index.h"
#include "torch/make.h"

enum {
    ES_MOST_CALLS = 200,     /* functions within functions */
    ES_MOST_WITHIN = 1000,   /* calls of any kind, those of built-in functions and methods too */
    ES_MOST_NESTED = 4000,   /* expressions and statements within one another, over all calls */
    ES_MOST_TRIED = 20000,   /* steps of es_interp_try */
    ES_FIRST_COLLECT = 1000, /* scopes alive before cycles among them are looked for */
    ES_FIRST_MADE = 4000,    /* instances made, likewise */
    ES_FEW = 6               /* arguments and the like that need no memory of their own */
};

/* What runs: a function of its own unit, or (function NULL) the statements at the top. */
typedef struct es_frame {
    es_unit *unit;
    es_scope *scope;           /* innermost; NULL: the globals */
    const es_function *called; /* NULL: at the top */
    const es_node *at;         /* the statement that is run */
    const es_node *calls;      /* the call in it that is under way; NULL: none, or an operator */
    const char *class_name;    /* of the class whose body runs, "Outer.Inner"; NULL: none does */
    es_scope *class_scope;     /* that body's own */
    struct es_frame *up;
} es_frame;

/* An evaluation without effect: what it can change is copied when it is first looked at. */
typedef struct es_trial {
    es_seen copies; /* of lists, dicts and scopes; each holds a reference */
    es_value *kept; /* those references: a value and its copy, one after the other */
    int64_t n_kept, cap_kept;
    int64_t n_filled;               /* so many of them hold what their originals hold */
    struct es_kept_tensor *tensors; /* what tensors were before they were given other data */
    struct es_trial *up;
} es_trial;

/* An except clause that runs, and what it is about: what a bare raise raises again. */
typedef struct es_handling {
    es_error err;
    const es_value *exception;
    struct es_handling *up;
} es_handling;

/* A try statement with handlers, and where it stands. */
typedef struct es_try {
    const es_node *node;
    es_frame *frame;
    struct es_try *up;
} es_try;

struct es_interp {
    es_interp_host own, mute;   /* the host as given, and one that shows nothing */
    const es_interp_host *host; /* the one of the two that is on */
    es_torch torch;
    es_items *containers;
    es_scopes scopes;
    size_t collect_at;
    size_t made, made_at; /* instances since cycles were last looked for, and when to look again */
    es_scope *globals;
    es_value last;     /* of `_` */
    es_value returned; /* by the return statement that is under way */
    int guarded; /* what fails may be taken by hasattr() and its like, and is no failure yet */
    struct es_try *tries;  /* whose suites are under way, the innermost first; NULL: none is */
    es_handling *handling; /* the innermost; NULL: there is none */
    es_value raised;       /* by the raise statement that failed last; None: something else did */
    es_unit *unit;         /* of the run: errors are placed in its source */
    es_frame *frame;
    size_t ran;
    int calls, within, nested;
    int64_t steps_left;
    es_trial *trial; /* NULL: in earnest */
    bool trying;     /* es_interp_try: nothing is explained */
    struct {
        es_unit *unit; /* where the last error happened; NULL: none did */
        es_scope *scope;
    } failed;
    bool import_noted, leaf_noted;
    const es_node *nothing_noted; /* the forward last noted to give None; for comparing only */
    int without_grad;             /* so many "with torch.no_grad():" are under way */
    es_listener *listener;        /* NULL: nobody is told what happens */
    int stopped;                  /* listeners that are being told something */
    struct {
        const es_slot **of; /* the variables, sorted */
        size_t n;
        uint64_t version; /* of the globals they were taken from */
    } listed;
};

/* ---- interp.c, run.c and frames ---- */

bool es_tick(es_interp *in, es_error *err); /* one step; false: stopped */
/* An operation at node failed on these operands: place, explanation, once an error.  Returns false. */
bool es_blame(es_interp *in, const es_node *node, const es_value *operands, int n, es_error *err);
/* A function is left because of err: its place is kept, and who called it says where. */
void es_leave_place(const es_interp *in, const es_frame *left, es_error *err);
/* The error is no error after all: what was noted about it is forgotten, and it is freed. */
void es_forgive(es_interp *in, es_error *err);
void es_forget_failure(es_interp *in); /* where the last error happened */
/* The exception that an error is, or becomes; its type; and is it one of that type, or of several (a tuple)?
 * 1, 0, or -1: those are no types of exceptions. */
es_value es_exception_of(const es_interp *in, const es_error *err);
es_value es_exception_type(const es_value *exception);
int es_exception_is(const es_value *exception, const es_value *type);
/* The except that will take the error, or NULL; is it in the function that runs? */
const es_node *es_taker_of(es_interp *in, const es_error *err, bool *here);
bool es_is_raised(const es_interp *in, const char *type); /* what failed was a raise of that type */
void es_collect(es_interp *in); /* cycles of functions, scopes, lists and instances go */
void es_collect_if_due(es_interp *in);

/* ---- variables.c ---- */

void es_forget_list(es_interp *in); /* of the variables: they may be others now */

/* ---- moments.c: in->listener is there ---- */

bool es_tell(es_interp *in, es_moment_kind kind, const es_node *n, const es_value *v, int truth,
             es_error *err);
/* Whether it is there or not; so are those below. */
bool es_tell_leave(es_interp *in, const es_function *f, const es_value *v, es_error *err);
/* answer is let go where the listener stops the run. */
bool es_tell_module(es_interp *in, const es_value *module, const es_value *args, int64_t n,
                    es_value *answer, es_error *err);
void es_tell_compared(es_interp *in, const es_node *comparand, const es_value *two);
/* Whether it is there or not; returns false. */
bool es_tell_failed(es_interp *in, const es_node *n, es_error *err);

static inline bool es_tell_enter(es_interp *in, const es_node *def, es_error *err)
{
    return !in->listener || es_tell(in, ES_MOMENT_ENTER, def, NULL, -1, err);
}
static inline bool es_tell_line(es_interp *in, const es_node *n, es_error *err)
{
    return !in->listener || es_tell(in, ES_MOMENT_LINE, n, NULL, -1, err);
}
static inline bool es_tell_done(es_interp *in, const es_node *n, const es_value *v, int truth,
                                es_error *err)
{
    return !in->listener || es_tell(in, ES_MOMENT_DONE, n, v, truth, err);
}

/* ---- names.c ---- */

static inline bool es_name_is(const char *name, size_t n, const char *other)
{
    return strlen(other) == n && !memcmp(name, other, n);
}
/* What the host has under a name, as es_interp_host says it; in a trial nothing changes it. */
int es_host_value(es_interp *in, const char *name, size_t n, es_value *out, es_error *err);
bool es_name_value(es_interp *in, const char *name, size_t n, es_value *out, es_error *err);
void es_name_bind(es_interp *in, const char *name, size_t n, es_value v); /* takes v over */
void es_name_unbind(es_interp *in, const char *name, size_t n);           /* if it is bound */
bool es_name_delete(es_interp *in, const es_node *name, es_error *err);
/* "did you mean", from all that can be called by a bare name. */
void es_name_guess(es_interp *in, const char *name, size_t n, es_error *err);
/* Where a node that is a name was not what it was taken for: it may hide a name of the program's. */
void es_name_hint_hidden(es_interp *in, const es_node *name, es_error *err);
/* The size or tensor as the name it is given wants it called: T = 8 is T. */
void es_name_labels(es_interp *in, const char *name, size_t n, es_value *v);

/* The nearest of the names that were offered. */
typedef struct es_guess {
    const char *name;
    size_t n;
    char best[48];
    int least;
} es_guess;
es_guess es_guess_begin(const char *name, size_t n);
void es_guess_offer(es_guess *g, const char *other);
void es_guess_classes(es_guess *g,
                      const es_value *cls); /* all names a class has, and those behind it */
bool es_guess_hint(const es_guess *g, const char *before, es_error *err); /* false: none was near */
void es_guess_classes(es_guess *g,
                      const es_value *cls); /* all names of a class and of those behind it */

/* ---- trial.c ---- */

/* The slot of that name in s, copied from what s shadows if it has to be; or NULL. */
es_slot *es_trial_find(es_interp *in, es_scope *s, const char *name, size_t n);
/* The copy that stands for a value in this trial, a reference. */
es_value es_trial_value(es_interp *in, const es_value *v);
/* The copy of a scope that stands for it in this trial; a reference.  NULL stays NULL. */
es_scope *es_trial_scope(es_interp *in, es_scope *s);
es_value es_trial_value(es_interp *in, const es_value *v); /* its copy; a reference */
void es_trial_end(es_trial *t);

/* ---- expressions.c, displays.c, arguments.c, statements.c ---- */

typedef bool es_eval_fn(es_interp *in, const es_node *n, es_value *out, es_error *err);
es_eval_fn es_eval, es_eval_fstring, es_eval_tuple, es_eval_list, es_eval_set, es_eval_dict,
    es_eval_comprehension, es_eval_call;

typedef enum es_flow { ES_FAILED, ES_NEXT, ES_BREAK, ES_CONTINUE, ES_RETURN } es_flow;
es_flow es_exec(es_interp *in, const es_node *n, es_error *err);
es_flow es_exec_suite(es_interp *in, const es_node *suite, es_error *err);
es_flow es_exec_with(es_interp *in, const es_node *n, es_error *err);
es_flow es_exec_try(es_interp *in, const es_node *n, es_error *err);
bool es_exec_import(es_interp *in, const es_node *n, es_error *err);
bool es_exec_raise(es_interp *in, const es_node *n, es_error *err);
/* Is that expression torch.no_grad() or one of its like: what `with` and decorators take? */
const char *es_grad_mode(const es_node *n); /* torch.no_grad() and its like: their name, or NULL */
bool es_turns_grad_off(const es_node *n);

/* Values one after another from whatever can be iterated. */
typedef struct es_iter {
    es_value of; /* a reference */
    int64_t i;   /* of the next; bytes for a string */
    int64_t n;   /* of a dict: how many it held at the beginning */
} es_iter;
bool es_iter_begin(es_iter *w, es_interp *in, const es_value *of, es_error *err);
int es_iter_next(es_iter *w, es_interp *in, es_value *out, es_error *err); /* 1, 0 end, -1 failed */
void es_iter_end(es_iter *w);

bool es_too_nested(es_interp *in, es_error *err);
bool es_fail_nested(es_error *err); /* false */
bool es_exec_augment(es_interp *in, const es_node *n, es_error *err);
bool es_assign(es_interp *in, const es_node *target, es_value v, es_error *err); /* takes v over */

/* How many bytes the character at the beginning of a string has. */
int es_char_at(const char *bytes, size_t n);

bool es_is_hashable(const es_value *v, es_error *err); /* may it be a key? */
/* The value of a key, borrowed; NULL: it is not there, or err is set. */
es_value *es_dict_find(es_interp *in, const es_value *dict, const es_value *key, es_error *err);
bool es_dict_put(es_interp *in, const es_value *dict, const es_value *key, const es_value *v,
                 es_error *err);
bool es_dict_delete(es_interp *in, const es_value *dict, const es_value *key, bool *found,
                    es_error *err);

/* ---- subscripts.c ---- */

/* A bound of a slice as a number, unless it is None; all three of them. */
bool es_slice_bound(es_interp *in, const es_value *v, int64_t *out, bool *has, es_error *err);
bool es_slice_read(es_interp *in, const es_value *v, es_sub *sub, es_error *err);
bool es_index_assign(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                     es_error *err);
bool es_index_delete(es_interp *in, const es_value *of, const es_value *sub, es_error *err);
/* A tensor of ints from a list of them, as a subscript is. */
bool es_tensor_of_list(es_interp *in, const es_value *list, es_value *out, es_error *err);

/* ---- items.c ---- */

bool es_fail_key(es_interp *in, const es_value *key, es_error *err); /* a dict does not have it */

bool es_item_get(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                 es_error *err);
bool es_item_put(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                 es_error *err);

/* ---- tensor_attributes.c ---- */

/* x.name = v of a tensor.  Takes v over. */
bool es_tensor_attribute_put(es_interp *in, const es_value *x, const char *name, size_t n,
                             es_value v, es_error *err);
/* x.requires_grad = wanted.  ES_ERR_DTYPE: it has no fractions. */
bool es_tensor_want_grad(es_interp *in, const es_value *x, bool wanted, es_error *err);
/* The numbers of a tensor are drawn anew, but not in a trial. */
bool es_redraw(es_interp *in, const es_value *x, const es_drawing *how, es_error *err);
/* x is about to be written into: a note, once a session, where PyTorch would refuse. */
void es_tensor_note_leaf(es_interp *in, const es_value *x);
/* Tensors get back what they were before the trial. */
void es_trial_restore(es_trial *t);

/* ---- operators.c ---- */

/* x op= v, in place where x is a tensor or list: *out is x itself then. */
bool es_augment(es_interp *in, es_op op, const es_value *x, const es_value *v, es_value *out,
                es_error *err);
bool es_list_extend(es_interp *in, const es_value *list, const es_value *from, es_error *err);
/* The list's values as a tuple or torch.Size instead. */
void es_list_to_tuple(es_value *list, es_value_kind kind);
/* One of them is a tensor, the other a tensor or a number. */
bool es_tensor_binary(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                      es_error *err);
bool es_equal(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err);
/* A tensor, or a number as one, *made then; NULL: neither, no error is set or one of memory. */
const es_tensor *es_as_operand(es_interp *in, const es_value *v, es_tensor *made, es_error *err);
/* The numbers of src into dst's memory, unless this is a trial. */
bool es_write_into(es_interp *in, const es_tensor *dst, const es_tensor *src, bool computed,
                   es_error *err);
/* "…%d…" % with */
bool es_percent(es_interp *in, const es_value *format, const es_value *with, es_value *out,
                es_error *err);
/* int arithmetic; a and b are BOOL or INT */
bool es_int_binary(es_op op, const es_value *a, const es_value *b, es_value *out, es_error *err);
bool es_float_binary(es_op op, double a, double b, es_value *out, es_error *err);

/* ---- calls.c ---- */

/* names: NULL, or one for each argument, NULL where it came by place.  nodes: where they were written, or
 * NULL. */
bool es_call_with(es_interp *in, const es_value *f, const es_value *args, int64_t n,
                  const char *const *names, const es_node *const *nodes, es_value *out,
                  es_error *err);
/* ---- functions.c, declare.c ---- */

/* All that is bound in a function's body gets a place in its scope. */
void es_declare(es_scope *s, const es_node *body);

bool es_function_new(es_interp *in, const es_node *def, es_value *out, es_error *err);
bool es_function_call(es_interp *in, const es_value *callee, const es_value *args, int64_t n,
                      const char *const *names, es_value *out, es_error *err);
const char *es_function_name(const es_function *f);
es_value es_function_defaults(
    const es_function *f); /* of what may come by place: a tuple, or None */
const char *es_function_called(const es_function *f); /* "X.forward", where it is a method */
/* ValueError and its like: the error code of an exception; ES_OK: it is none. */
es_code es_exception_code(const char *type);
bool es_type_named(const char *name, size_t n, es_value *out);
const char *es_type_at(size_t i);

/* ---- access.c ---- */

bool es_use_entry(es_interp *in, const es_builtin *b, const es_value *self, es_value *out,
                  es_error *err);

/* ---- namespaces.c, torch_names.c ---- */

/* torch.NAME, as es_use_entry gives it.  ES_ERR_NAME; ES_ERR_UNSUPPORTED: PyTorch alone has it. */
bool es_namespace_member(es_interp *in, const char *namespace, const char *name, size_t n,
                         es_value *out, es_error *err);
bool es_namespace_named(const char *name, size_t n, es_value *out); /* torch, F, … */
/* By its whole name; "dataclasses" is found by import alone. */
bool es_namespace_imported(const char *name, size_t n, es_value *out);
const char *es_namespace_at(size_t i);
/* Does PyTorch have a function of that name, which this program has not? */
bool es_torch_knows(const char *name, size_t n);

#endif
