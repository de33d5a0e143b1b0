// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the view of variance share: its panels, and what it works out of the atlas. */
#ifndef ES_VIEW_VARIANCE_H
#define ES_VIEW_VARIANCE_H

#include "view/bins.h"
#include "view/curve.h"
#include "view/legend.h"
#include "view/panels.h"
#include "view/viewer.h"

typedef enum es_variance_part {
    ES_VARIANCE_ALL,
    ES_VARIANCE_COMPONENTS, /* what share of the spread each has */
    ES_VARIANCE_COSINES,    /* of random pairs, before and after the mean is taken off */
    ES_VARIANCE_LENGTHS,    /* of the rows, by id and by training count */
    ES_VARIANCE_OUTLIERS,   /* who is near the mean, and who is far */
    ES_N_VARIANCE_PARTS
} es_variance_part;

enum {
    ES_VARIANCE_ENDS = 5,       /* tokens named at either end */
    ES_VARIANCE_GLITCHES = 10,  /* at most */
    ES_VARIANCE_STRETCHES = 48, /* of ids, and of counts: each has a median */
    ES_VARIANCE_CHARTS = 3
};

/* A panel as it was last drawn, so that a pointer finds what is there. */
typedef struct es_variance_panel {
    es_variance_part part;
    bool large; /* it is alone */
    es_box box; /* under its caption */
    int n;      /* charts */
    es_chart chart[ES_VARIANCE_CHARTS];
    es_bins bins[ES_VARIANCE_CHARTS];
} es_variance_panel;

/* Medians of the rows' lengths over stretches of an axis; NaN: nobody is there. */
typedef struct es_medians {
    double low, high;
    float at[ES_VARIANCE_STRETCHES];
} es_medians;

typedef struct es_variance {
    es_variance_panel panel[ES_PANELS];
    int n; /* panels of the last drawing */

    bool known;                       /* what follows has been worked out: */
    double *law;                      /* (C) shares of the components of random rows */
    int64_t needed[3], law_needed[3]; /* components for 50, 90 and 99 % */
    double sd;                        /* N(0, sd) rows have the spread of wte */
    double far_end;                   /* one distance in a hundred is larger */
    int32_t near[ES_VARIANCE_ENDS], far[ES_VARIANCE_ENDS], odd[ES_VARIANCE_GLITCHES];
    int n_ends, n_odd;
    es_summary length, distance, random_length, random_distance, before, after, random;
    double floor; /* what the best of as many random rows reaches: layer/noise.h */
    es_medians by_id, by_count;
} es_variance;

extern const int es_variance_keep[3]; /* 50, 90, 99 % */

es_variance *es_variance_of(const es_viewer *v); /* the atlas has the spread */

es_variance_part es_variance_shown(const es_viewer *v);
const char *es_variance_name(es_variance_part part); /* "lengths", as :show takes it */

/* Has wte any spread?  Where it has none there are no components and no cosines about the mean. */
bool es_variance_any(const es_viewer *v);

/* What panels are drawn with. */
typedef struct es_variance_brush {
    es_viewer *v;
    es_canvas *c;
    const es_palette *p;
    float em;
    const es_variance *of;
    es_argb table, random; /* colours of wte and of random rows */
} es_variance_brush;

/* Draw one panel into its box; each has its file. */
void es_variance_components(const es_variance_brush *b, es_variance_panel *panel);
void es_variance_cosines(const es_variance_brush *b, es_variance_panel *panel);
void es_variance_lengths(const es_variance_brush *b, es_variance_panel *panel);
void es_variance_outliers(const es_variance_brush *b, es_variance_panel *panel);

/* What is at a spot of a panel. */
bool es_variance_pick_component(es_viewer *v, const es_variance_panel *panel, es_spot at,
                                es_pick *out);
bool es_variance_pick_cosine(es_viewer *v, const es_variance_panel *panel, es_spot at,
                             es_pick *out);
bool es_variance_pick_length(es_viewer *v, const es_variance_panel *panel, es_spot at,
                             es_pick *out);
bool es_variance_pick_outlier(es_viewer *v, const es_variance_panel *panel, es_spot at,
                              es_pick *out);

/* Words in a panel's place, in its middle; words above a chart, which take their room. */
void es_variance_say(const es_variance_brush *b, es_box box, const char *text);
void es_variance_words(const es_variance_brush *b, es_box *area, const char *text);

/* Bins from low to high, as many as there is room for along a chart of that length. */
es_bins es_variance_bins(double low, double high, float room);

/* The end of an axis of lengths or distances: the longest, or 3 times what one in a hundred exceeds. */
double es_variance_end(double most, double most_but_one_in_a_hundred);

/* The view's words. */
void es_variance_honesty(const es_viewer *v, es_str *out);
void es_variance_expression(const es_viewer *v, es_str *out);
void es_variance_plain(es_viewer *v, es_str *out);
void es_variance_json(es_viewer *v, es_json *j);

#endif
