// SPDX-License-Identifier: GPL-3.0-or-later
/* Names and what they stand for: the variables of a function, of a comprehension, or of all. */
#ifndef ES_EXPR_SCOPE_H
#define ES_EXPR_SCOPE_H

#include "expr/value.h"

typedef enum es_slot_state {
    ES_SLOT_UNBOUND, /* deleted, or a name that is assigned to further down */
    ES_SLOT_BOUND,
    ES_SLOT_GLOBAL,  /* "global x" */
    ES_SLOT_NONLOCAL /* "nonlocal x" */
} es_slot_state;

typedef struct es_slot {
    char *name; /* n bytes and a NUL */
    size_t n;
    uint32_t hash;
    size_t order; /* it was the so-manieth name of its scope */
    es_slot_state state;
    es_value v; /* None unless BOUND */
} es_slot;

typedef struct es_scope es_scope;

/* All scopes of an interpreter.  Functions keep the scope they were made in, which may hold them. */
typedef struct es_scopes {
    es_scope *all, *dying;
    size_t n;
    bool draining;
} es_scopes;

/* Counted.  Open to the files of the interpreter. */
struct es_scope {
    int refs;
    es_scope *parent;  /* around it, a reference; NULL: only the globals are */
    bool passing;      /* of a comprehension: a name given within it by := goes further out */
    bool cell;         /* around the methods of a class: it holds __class__ alone */
    es_scope *shadows; /* in a trial: the scope it stands for, copied as far as it was looked at */
    es_slot *slot;     /* a hash table of n_slots, a power of two; name NULL: free */
    size_t n_slots, n_used;
    uint64_t version; /* grows with every change of what is bound */
    es_scopes *home;  /* NULL once that is gone */
    es_scope *next, **from;
};

es_scope *es_scope_new(es_scopes *home, es_scope *parent);
es_scope *es_scope_ref(es_scope *s); /* NULL stays NULL */
void es_scope_unref(es_scope *s);    /* NULL is fine; any depth */
void es_scope_clear(es_scope *s);    /* no names */
void es_scopes_clear_all(es_scopes *home);

/* The slot of that name, or NULL; until the next es_scope_put. */
es_slot *es_scope_find(const es_scope *s, const char *name, size_t n);
/* The same; a new one is UNBOUND. */
es_slot *es_scope_put(es_scope *s, const char *name, size_t n);
void es_scope_bind(es_scope *s, const char *name, size_t n, es_value v); /* takes v over */
bool es_scope_unbind(es_scope *s, const char *name, size_t n); /* false: it was not bound */

#endif
