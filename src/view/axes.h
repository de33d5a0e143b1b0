// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of the axes view: every row of wte along directions that are made of tokens, or in the plane of an analogy. */
#ifndef ES_VIEW_AXES_H
#define ES_VIEW_AXES_H

#include "session/near_query.h"
#include "view/map.h"

enum {
    ES_AXES_NEAREST = 3, /* rows told for the fourth point of an analogy */
    ES_AXES_DRAWN = 6,   /* pairs drawn, of each of the usual axes */
    ES_AXES_TOLD = 96    /* tokens that the picture is about, at most */
};

typedef enum es_axes_form {
    ES_AXES_ONE, /* x along an axis, y how far a row is from it */
    ES_AXES_TWO, /* x and y along an axis each */
    ES_AXES_ANALOGY /* x along c - b, y at right angles to it, towards a - b; the fourth point is a - b + c */
} es_axes_form;

/* What was asked for: sums of rows as :near takes them.  v->chosen[ES_VIEW_AXES]; NULL: the usual pair. */
typedef struct es_axes_chosen {
    es_axes_form form;
    es_near_ask from[2], to[2]; /* of each axis */
    int32_t a, b, c;            /* of an analogy */
} es_axes_chosen;

/* ---- axes_choose.c: what is asked for ---- */

/* Arguments of :axes from call->args on.  ES_ERR_USAGE, ES_ERR_PARSE, ES_ERR_VALUE, ES_ERR_RANGE, what
 * es_near_sums fails with; placed. */
bool es_axes_read(const es_call *call, es_axes_chosen *out, es_error *err);

/* The same of a command line's option, in which "he,she;man,men" and "king-man+woman" are short for what :axes takes:
 * choose it.  Errors have no place. */
bool es_axes_option(es_viewer *v, const char *text, const es_sink *sink, es_error *err);

/* What is shown where nothing was chosen.  false: *out is empty, *why says what is missing. */
bool es_axes_usual(const es_context *c, es_axes_chosen *out, es_str *why);

/* Make it what is shown; NULL: the usual pair. */
void es_axes_choose(es_viewer *v, const es_axes_chosen *what);

/* out (C) = to - from.  ES_ERR_VALUE: a row is not finite; ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_axes_difference(double *out, const es_context *c, const es_near_ask *from,
                        const es_near_ask *to, es_error *err);

/* The same, and ES_ERR_VALUE where it has no direction. */
bool es_axes_direction(double *out, const es_context *c, const es_near_ask *from,
                       const es_near_ask *to, es_error *err);

bool es_axes_same(const es_axes_chosen *x, const es_axes_chosen *y);

/* Has this model rows for it, and directions?  ES_ERR_INDEX_RANGE, and the errors above. */
bool es_axes_fit(const es_context *c, const es_axes_chosen *of, es_error *err);

/* ---- axes_said.c ---- */

/* "␣he", "␣king − ␣man". */
void es_axes_sum_name(const es_context *c, const es_near_ask *sum, es_str *out);

/* "x from ␣he to ␣she, y from ␣man to ␣men"; and as fields of JSON. */
void es_axes_describe(const es_context *c, const es_axes_chosen *of, es_str *out);
void es_axes_describe_json(es_json *j, const es_axes_chosen *of);

/* The arguments that choose it again, tokens by their ids. */
void es_axes_line(const es_axes_chosen *of, es_str *out);

/* ---- axes_make.c: what is worked out ---- */

typedef enum es_axes_corner { ES_AXES_B, ES_AXES_A, ES_AXES_FOURTH, ES_AXES_C } es_axes_corner;

/* The nearest rows of the fourth point by cosine, exactly. */
typedef struct es_axes_nearest {
    es_neighbour of[ES_AXES_NEAREST];
    int64_t n;
} es_axes_nearest;

typedef struct es_axes_pair {
    int32_t low, high; /* a token and its partner further along */
} es_axes_pair;

typedef struct es_axes {
    es_axes_chosen of;
    bool usual; /* the usual pair, or what stands for it */
    es_str why; /* there is no picture, for this reason; empty: there is one */
    int64_t C;
    int n_units;      /* 1, or 2 */
    float *unit;      /* (2, C) of length 1 */
    double length[2]; /* of the differences they were */
    double between;   /* cosine of the two axes as they were asked for */
    double share;     /* of the spread about the mean, 0..1, that the line or plane shows */

    /* an analogy */
    double corner[4][2]; /* along the units, in the order of es_axes_corner */
    double *fourth;      /* (C) a - b + c */
    double outside;      /* 0..1: of its length squared, what is at right angles to the plane */
    es_axes_nearest all, others;    /* of all rows; less a, b and c */
    double answer_far, answer_seen; /* from it to the first of the others: truly, in the plane */
    int64_t rank_of_a; /* of that one among the rows nearest to a, from 1; 0: further than 10 */

    /* the usual pair: tokens that ought to follow it, for both axes */
    es_axes_pair *pair[2];
    int n_pairs[2], held[2]; /* how many there are, and go the axis' way */
    double along[2];         /* the mean cosine of their differences with the axis */

    /* the rows */
    es_map *map;      /* NULL: not made yet */
    uint64_t version; /* of its points, from 1 */
    double lean;      /* with one axis: degrees off a right angle, half of the rows less */
    int32_t told[ES_AXES_TOLD];
    int n_own, n_told; /* the first of them are the axes' own */
    bool measured;     /* what follows is known */
    double kept; /* of kept_of nearest rows, how many are near in the picture; NaN: none count */
    int kept_of;
    int64_t kept_over; /* the mean over so many tokens */
    bool by_lot;       /* which are not all there are */
} es_axes;

/* The state, brought up to what the viewer shows; the rows may be missing still. */
es_axes *es_axes_follow(es_viewer *v);
es_axes *es_axes_of(const es_viewer *v); /* as last followed; NULL: never */
void es_axes_forget(es_viewer *v);

/* One more token that it is about, each once. */
void es_axes_tell(es_axes *ax, int32_t id);

/* ---- axes_rows.c ---- */

/* The points, (V, 2): freed by the caller; d becomes 2.  There is a map. */
float *es_axes_points(const es_viewer *v, int *d);

/* The work that is missing (es_view_kind's errand). */
es_errand *es_axes_errand(es_viewer *v);

/* row (C) along the axes: out[0..2). */
void es_axes_place(const es_axes *ax, const float *row, float out[2]);

/* The errand that is under way, if there is one, is not wanted any more. */
void es_axes_disown(es_viewer *v);

/* ---- axes_pairs.c ---- */

/* Pairs for the usual axes that the vocabulary has. */
void es_axes_find_pairs(es_axes *ax, const es_context *c);
int es_axes_drawn_pairs(const es_axes *ax, int k);

/* How many go the axis' way, and the mean cosine of their differences with it. */
void es_axes_count_pairs(es_axes *ax, const es_table *wte);

/* ---- axes_draw.c ---- */

/* What of the area the points are drawn in: the caption is above. */
es_box es_axes_plot(const es_viewer *v, const es_axes *ax, es_box area);

/* The points as they are drawn in an area, spots and all; NULL: there are none. */
es_map *es_axes_project(es_viewer *v, es_box area);
void es_axes_picture(es_viewer *v, es_canvas *c, es_box area);

/* ---- axes_words.c ---- */

/* "␣he → ␣she" of an axis, k 0 or 1. */
void es_axes_name(const es_viewer *v, const es_axes *ax, int k, es_str *out);

/* "␣king − ␣man + ␣woman" */
void es_axes_fourth_name(const es_viewer *v, const es_axes *ax, es_str *out);

/* What is seen, over the picture. */
void es_axes_caption(const es_viewer *v, const es_axes *ax, es_str *out);

/* Between the two axes as they were asked for, in degrees. */
double es_axes_angle(const es_axes *ax);

void es_axes_honesty(const es_viewer *v, es_str *out);
void es_axes_expression(const es_viewer *v, es_str *out);

/* ---- axes_numbers.c ---- */

void es_axes_plain(es_viewer *v, es_str *out);
void es_axes_json(es_viewer *v, es_json *j);

#endif
