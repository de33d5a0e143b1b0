// SPDX-License-Identifier: GPL-3.0-or-later
/* What an operation that failed was given: its parts, where each was written, and what it is. */
#ifndef ES_EXPR_SCENE_H
#define ES_EXPR_SCENE_H

#include "expr/draw.h"
#include "expr/interp.h"

enum { ES_MOST_PARTS = 12 };

/* One thing that went in: an operand, the value before the dot, an argument. */
typedef struct es_part {
    const es_node *node; /* where it was written; NULL: nowhere, it is a member of something */
    const es_value *v;   /* borrowed */
    const char *keyword; /* dim=…: "dim", else NULL */
    const char *member_of_module; /* "weight": what is called is `whole`, a module; else NULL */
    const es_node *whole;         /* of a member: what it is a member of, and */
    int64_t member;               /* the how-manieth; -1: it is no member */
} es_part;

typedef struct es_scene {
    es_interp *in;
    es_unit *unit;
    const es_node *node;
    es_error *err;
    /* The expression that failed: as node, but a comparison with its left side. */
    size_t begin, end;
    /* "view", "cat", "embedding" (wte(…) as well); "+", "@", "[]"; "" what is not named */
    const char *name;
    bool method;            /* part[0] stands before the dot */
    const es_value *module; /* of wte(…), self.fc(…): one of nn's own; else NULL */
    const es_tensor *table; /* the weight of an nn.Embedding; else NULL */
    es_part part[ES_MOST_PARTS];
    int n;
} es_scene;

/* False: nothing is known about what went in. */
bool es_scene_set(es_scene *s, es_interp *in, es_unit *unit, const es_node *node,
                  const es_value *operands, int n, es_error *err);

/* Is the operation called one of these, "view reshape"? */
bool es_scene_is(const es_scene *s, const char *names);
/* The argument that came by that keyword, or as the i-th part; NULL: none. */
const es_part *es_scene_part(const es_scene *s, const char *keyword, int i);

/* The tensor that a part is, or NULL. */
const es_tensor *es_part_tensor(const es_part *p);
/* The whole number that it is, also as a tensor of one; false: none. */
bool es_part_int(const es_part *p, int64_t *out);

static inline bool es_is_float(const es_tensor *t)
{
    return t->dtype == ES_FLOAT32 || t->dtype == ES_FLOAT64;
}

/* What kinds of numbers an operation takes. */
typedef enum es_wanted {
    ES_WANTS_ANY,
    ES_WANTS_ONE_KIND,
    ES_WANTS_FLOATS,
    ES_WANTS_INTEGERS
} es_wanted;
es_wanted es_scene_wants(const es_scene *s);

/* The tensors among the parts, those in lists and tuples as well; texts are to be freed by es_operands_free.
 * from[i] (may be NULL): the part that it is. */
int es_scene_tensors(const es_scene *s, es_operand of[ES_MOST_PARTS], es_part from[ES_MOST_PARTS]);
void es_operands_free(es_operand *of, int n);

/* The sizes among the parts from the i-th on: ints, or one tuple or list of them; -1 is kept. */
bool es_scene_sizes(const es_scene *s, int i, es_shape *out);

#endif
