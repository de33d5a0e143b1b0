// SPDX-License-Identifier: GPL-3.0-or-later
/* The one edit that would have worked: edits of what was typed are tried, shapes only, and the first that
 * passes becomes the error's line of help. */
#ifndef ES_EXPR_FIX_H
#define ES_EXPR_FIX_H

#include "expr/scene.h"

enum { ES_MOST_TRIES = 40, ES_MOST_EDITS = 4 };

typedef struct es_edit {
    size_t begin, end; /* of the source, inside the expression */
    const char *text;  /* what would stand there; borrowed */
} es_edit;

typedef struct es_fix {
    const es_scene *s;
    int tries;
    bool found, clean; /* an edit works; and no two names meet by luck */
    es_str help;
} es_fix;

/* What the help shows of an edit that works. */
typedef struct es_telling {
    const char *before; /* "positions count to T, not B: ", or NULL */
    size_t begin, end;  /* the piece of the source that is shown, edited; equal: all of it */
    bool shape;         /* say the piece's own shape: "wte.weight.T is [C=8, V=50]" */
    bool quiet;         /* say nothing of the result */
} es_telling;

/* Is it worth trying at all: nothing in the expression that runs a reader's own function, prints or loops? */
bool es_fix_begin(es_fix *f, const es_scene *s);

/* Try; true when it works and nothing better need be looked for. */
bool es_fix_edits(es_fix *f, const es_edit *edit, int n, es_telling t);

/* A part with something behind it, x.T, in parentheses where it needs them; the piece told is that part. */
bool es_fix_behind(es_fix *f, const es_part *p, const char *suffix);
/* A part in other words: "%s" of format is what was typed.  The piece told is the whole expression. */
bool es_fix_around(es_fix *f, const es_part *p, const char *before, const char *after);
/* A call with one more argument. */
bool es_fix_argument(es_fix *f, const es_node *call, const char *argument, es_telling t);

/* The source of a node, its own parentheses included. */
void es_fix_source(es_str *out, const es_scene *s, const es_node *node);

/* A value of an expression of the source, shapes only; false: it has none.  To be unreferenced. */
bool es_fix_value(const es_scene *s, const es_node *node, es_value *out);

/* On one line, ready to print. */
void es_fix_line(es_str *out, const es_str *source);
/* The call within n that made a tensor, torch.arange(…) and its like, and an argument of it; NULL: there is none. */
const es_node *es_fix_maker(const es_node *n);
const es_node *es_fix_keyword(const es_node *call, const char *name);

/* The tensors that went in, as parts. */
int es_fix_tensors(const es_scene *s, es_part from[ES_MOST_PARTS]);
/* Is name one of these words, "mean sum"? */
bool es_fix_is_word(const char *name, const char *words);
/* What a call calls, "mean", "one_hot"; "" where that has no name. */
const char *es_fix_callee(const es_node *node);

/* A name whose tensor was made on another device than `be`, by a line above it: that line, with device=….
 * otherwise: what is on that device, where no parameter of the function is.  (fixes_origin.c) */
void es_fix_origin_device(es_fix *f, const es_part *p, const es_backend *be, const char *otherwise);

/* ---- the edits for each kind of error (fixes.c, fixes_kind.c, fixes_shape.c) ---- */

void es_fix_broadcast(es_fix *f);
void es_fix_matmul(es_fix *f);
void es_fix_dtype(es_fix *f);
void es_fix_device(es_fix *f);
void es_fix_type(es_fix *f);
void es_fix_view(es_fix *f);
void es_fix_expand(es_fix *f);
void es_fix_cat(es_fix *f);
void es_fix_dim(es_fix *f);
void es_fix_index(es_fix *f);
void es_fix_slice(es_fix *f);

#endif
