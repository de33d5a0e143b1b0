// SPDX-License-Identifier: GPL-3.0-or-later
/* The tree of a statement.  One kind of node for all: what its children are is said beside each kind. */
#ifndef ES_EXPR_AST_H
#define ES_EXPR_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef enum es_node_kind {
    /* ---- expressions ---- */
    ES_N_NAME,    /* text */
    ES_N_INT,     /* i */
    ES_N_FLOAT,   /* f */
    ES_N_STRING,  /* text: the bytes meant, adjacent strings joined */
    ES_N_FSTRING, /* kids: ES_N_STRING and ES_N_HOLE in turn */
    ES_N_HOLE, /* kid[0] expression; text: format after ":", or NULL; kid[1]: ES_N_FSTRING, instead of text,
                     where the format has holes of its own; i: 'r', 's', 'a' or 0 after "!".  "{x=}" has become
                     the string "x=" and the hole {x!r} */
    ES_N_CONST,     /* op: ES_OP_TRUE, FALSE, NONE, ELLIPSIS */
    ES_N_TUPLE,     /* kids */
    ES_N_LIST,      /* kids */
    ES_N_SET,       /* kids */
    ES_N_DICT,      /* kids: key, value, key, value; a key that is NULL: **value */
    ES_N_LISTCOMP,  /* kid[0] element, then ES_N_COMPFOR…; i: 'g' for a generator expression */
    ES_N_SETCOMP,   /* the same in braces */
    ES_N_DICTCOMP,  /* kid[0] key, kid[1] value, then ES_N_COMPFOR… */
    ES_N_COMPFOR,   /* kid[0] target, kid[1] iterable, then conditions */
    ES_N_LAMBDA,    /* kid[0] ES_N_PARAMS, kid[1] expression */
    ES_N_UNARY,     /* op NEG POS INVERT NOT; kid[0] */
    ES_N_BINARY,    /* op ADD…; kid[0], kid[1] */
    ES_N_AND,       /* kids, two or more */
    ES_N_OR,        /* kids, two or more */
    ES_N_COMPARE,   /* kid[0], then ES_N_COMPARAND…: a < b < c is one */
    ES_N_COMPARAND, /* op LT…; kid[0] the right side; op_begin, op_end */
    ES_N_IFELSE,    /* kid[0] value, kid[1] condition, kid[2] other value */
    ES_N_NAMED,     /* kid[0] := kid[1]; kid[0] is an ES_N_NAME */
    ES_N_ATTRIBUTE, /* kid[0] . text */
    ES_N_CALL,      /* kid[0] function, then arguments: expressions, ES_N_STAR, ES_N_KEYWORD */
    ES_N_KEYWORD,   /* text = kid[0] */
    ES_N_STAR,      /* *kid[0]; i: 2 for **kid[0], in calls only */
    ES_N_INDEX,     /* kid[0] [ kid[1] ]; kid[1] is an ES_N_TUPLE where there are commas */
    ES_N_SLICE,     /* kid[0] : kid[1] : kid[2], each may be NULL */
    /* ---- statements ---- */
    ES_N_EXPR,     /* kid[0]; quiet: ended by a semicolon that says "do not print" */
    ES_N_ASSIGN,   /* targets…, then the value: a = b = 1 has two targets */
    ES_N_ANNOTATE, /* kid[0] target, kid[1] annotation, kid[2] value or NULL */
    ES_N_AUGMENT,  /* op; kid[0] target, kid[1] value */
    ES_N_RETURN,   /* kid[0] or none */
    ES_N_RAISE,    /* kid[0] or none; kid[1] after "from" or none */
    ES_N_ASSERT,   /* kid[0], kid[1] or none */
    ES_N_DEL,      /* targets */
    ES_N_IF,    /* kid[0] condition, kid[1] ES_N_SUITE, kid[2] ES_N_SUITE, ES_N_IF (elif) or none */
    ES_N_FOR,   /* kid[0] target, kid[1] iterable, kid[2] suite, kid[3] else suite or none */
    ES_N_WHILE, /* kid[0] condition, kid[1] suite, kid[2] else suite or none */
    ES_N_WITH,  /* expressions (ES_N_WITHITEM: kid[0], kid[1] target or none), then the suite */
    ES_N_WITHITEM,
    ES_N_TRY, /* kid[0] suite, then ES_N_EXCEPT…, then the suite of else or NULL, of finally or NULL */
    ES_N_EXCEPT, /* kid[0] type or NULL, kid[1] suite; text: the name after "as", or NULL */
    ES_N_DEF, /* text; kid[0] ES_N_PARAMS, kid[1] suite, kid[2] result annotation or NULL; then decorators */
    ES_N_CLASS, /* text; kid[0] ES_N_TUPLE of bases as a call has arguments, kid[1] suite; then decorators */
    ES_N_PARAMS, /* ES_N_PARAM… */
    ES_N_PARAM, /* text; kid[0] default or NULL, kid[1] annotation or NULL; i: '*' for *rest, 'k' for the
                   bare * before keyword-only ones, 2*'*' for **rest, '/' for the bare / after those that
                   are positional only */
    ES_N_SUITE, /* statements */
    ES_N_PASS,
    ES_N_BREAK,
    ES_N_CONTINUE,
    ES_N_GLOBAL, /* ES_N_NAME…; i: 'n' for nonlocal */
    ES_N_IMPORT, /* text: the whole statement; i: 'f' for "from"; kid[0] ES_N_NAME of the module with its dots
                    (from torch.nn import …; NULL: import …), then ES_N_ALIAS… */
    ES_N_ALIAS, /* text: "torch.nn", "functional" or "*"; kid[0] ES_N_NAME after "as" or none */
    ES_N_KINDS
} es_node_kind;

typedef enum es_op {
    ES_OP_NOTHING,
    ES_OP_ADD,
    ES_OP_SUB,
    ES_OP_MUL,
    ES_OP_DIV,
    ES_OP_FLOORDIV,
    ES_OP_MOD,
    ES_OP_MATMUL,
    ES_OP_POW,
    ES_OP_BITAND,
    ES_OP_BITOR,
    ES_OP_BITXOR,
    ES_OP_SHL,
    ES_OP_SHR,
    ES_OP_LT,
    ES_OP_LE,
    ES_OP_GT,
    ES_OP_GE,
    ES_OP_EQ,
    ES_OP_NE,
    ES_OP_IN,
    ES_OP_NOT_IN,
    ES_OP_IS,
    ES_OP_IS_NOT,
    ES_OP_NEG,
    ES_OP_POS,
    ES_OP_INVERT,
    ES_OP_NOT,
    ES_OP_TRUE,
    ES_OP_FALSE,
    ES_OP_NONE,
    ES_OP_ELLIPSIS,
    ES_N_OPS
} es_op;

/* Whoever walks a tree by recursion needs no more frames than this. */
enum { ES_MOST_HEIGHT = 1000 };

const char *es_op_name(es_op op); /* "+", "not in", "None" */

typedef struct es_node es_node;
struct es_node {
    es_node_kind kind;
    es_op op;
    bool quiet;
    bool parens;       /* stood in parentheses of its own: (a, b) against a, b */
    size_t begin, end; /* bytes of the source, parentheses of its own not included */
    size_t op_begin,
        op_end;       /* the operator's, for UNARY BINARY COMPARAND AUGMENT; the dot's name for
                                ATTRIBUTE */
    int line;         /* of begin, from 1 */
    int height;       /* of the tree below, itself included: at most ES_MOST_HEIGHT */
    const char *text; /* n_text bytes and a NUL, in the arena */
    size_t n_text;
    int64_t i;
    double f;
    int n_kids;
    es_node **kid;
};

/* A source and its tree; counted, for functions outlive the line that defined them. */
typedef struct es_unit {
    int refs;
    char *source; /* len bytes, as typed (prompts and common indentation blanked out) */
    size_t len;
    char *file; /* which it stands in, from first_line on; NULL: it was typed */
    int64_t first_line;
    es_arena *arena;
    es_node *root; /* ES_N_SUITE of the statements */
} es_unit;

/* Say where a unit stands: errors in its functions name it long after. */
void es_unit_stands_in(es_unit *u, const char *file, size_t first_line);

es_unit *es_unit_ref(es_unit *u);
void es_unit_unref(es_unit *u); /* NULL is fine */

#endif
