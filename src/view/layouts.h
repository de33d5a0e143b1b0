// SPDX-License-Identifier: GPL-3.0-or-later
/* The map's layouts that are found a step at a time, and how much of the table each picture keeps.  With a window a job
 * takes the shown one on and publishes how it stands; without one a command runs it to its end. */
#ifndef ES_VIEW_LAYOUTS_H
#define ES_VIEW_LAYOUTS_H

#include "analysis/quality.h"
#include "view/viewer.h"

/* What a picture keeps, measured with the graph of nearest rows. */
typedef struct es_figures {
    bool known;
    es_quality of;
    es_quality_effort effort;
    int8_t *kept; /* (n) of each token's nearest how many are near; -1: it has no row or no place */
    int done;     /* of a layout: after so many steps */
    int component[3], d; /* of components: which, 2 or 3 of them */
} es_figures;

/* What is being done to a layout. */
typedef enum es_layout_phase {
    ES_LAYOUT_RESTS,      /* nothing, or it waits for a thread */
    ES_LAYOUT_NEIGHBOURS, /* the graph of nearest rows is being made */
    ES_LAYOUT_MOVES,      /* steps are being taken */
    ES_LAYOUT_MEASURED    /* it stands still and is being measured */
} es_layout_phase;

/* A layout as it was when one last looked. */
typedef struct es_sight {
    es_layout_recipe recipe;
    int done;      /* steps */
    int target;    /* where it rests */
    float *at;     /* (n, 2) */
    double *value; /* (done) of the objective, each at the points before its step; NaN: not known */
    int64_t n;     /* rows; 0: it has not begun */
    uint64_t version; /* another for other points */
    es_layout_phase phase;
    es_figures figures;
    es_str why; /* it cannot be made, in words; empty: it can */
} es_sight;

/* Take over what a job has published, and drop figures of components that are not shown any more. */
void es_layouts_look(es_viewer *v);

/* As it was at that look.  NULL: a layout nobody has asked for.  PCA: figures alone. */
const es_sight *es_layouts_of(const es_viewer *v, es_layout_id id);

/* The figures of the map as it is shown, if they are known; else NULL. */
const es_figures *es_layouts_figures(const es_viewer *v);

/* The map shows this one; those that take steps are in the plane. */
void es_layouts_show(es_viewer *v, es_layout_id id);

/* ES_ERR_VALUE at an argument that asks for space while a layout is shown; returns false. */
bool es_layouts_flat(const es_viewer *v, const es_arg *arg, es_error *err);

/* What a layout begins with, and what is chosen for it by now. */
es_layout_recipe es_layouts_usual(const es_viewer *v, es_layout_id id);
es_layout_recipe es_layouts_recipe(const es_viewer *v, es_layout_id id);

/* Choose this recipe: what another one has led to is dropped. */
void es_layouts_choose(es_viewer *v, const es_layout_recipe *r);

/* Let it rest after `target` steps (below those that are done: from the start again), or as soon as the step that is being
 * taken is done, which returns how many that are. */
void es_layouts_aim(es_viewer *v, es_layout_id id, int target);
int es_layouts_pause(es_viewer *v, es_layout_id id);

/* Have the map as it is shown measured with the graph. */
void es_layouts_measure(es_viewer *v, es_quality_effort effort);

/* Do now, with progress to the sink, what is missing of the map as it is shown; with a window nothing, as a job does it.
 * Ctrl-C: ES_ERR_INTERRUPTED, and it rests where it is.  Errors of es_knn_kept, es_layout_new, es_quality_measure. */
bool es_layouts_make(es_viewer *v, const es_sink *sink, es_error *err);

/* The same behind the window: a byte to wake_fd for each change (at most some 30 a second) and at the end. */
void es_layouts_begin(es_viewer *v, int wake_fd);
bool es_layouts_settle(es_viewer *v); /* true: the picture is another */

/* Another model, or the end: all of it goes. */
void es_layouts_drop(es_viewer *v);

/* The graph of nearest rows, where one was made and nobody is at it; else NULL. */
const es_knn *es_layouts_graph(const es_viewer *v);

/* (n, d) along what the map shows: its components, or its layout (d 2).  The caller frees. */
float *es_layouts_points(const es_viewer *v, int *d);

/* ---- layouts_torn.c ---- */

/* A token and its nearest rows: which of them are near in the picture too. */
typedef struct es_torn {
    int32_t id;
    int n, kept;
    int32_t near[ES_QUALITY_NEAREST];
    bool pictured[ES_QUALITY_NEAREST];
} es_torn;
enum { ES_MOST_TORN = 200 };

/* The v->torn tokens that lost most of their nearest, and of those that lost as many the ones these lie farthest from.  n 0
 * where the picture has no figures (yet).  Borrowed until the picture is another. */
const es_torn *es_layouts_torn(es_viewer *v, int *n);

/* ---- layouts_words.c ---- */

/* "t-SNE, iteration 120 of 750" */
void es_layouts_progress(const es_sight *s, es_str *out);

/* Lines of --plain and fields of JSON, "steps", "of", "state", "objective", "recipe". */
void es_layouts_plain(const es_sight *s, es_str *out);
void es_layouts_json(es_json *j, const es_sight *s);

/* "perplexity 30"; "15 neighbours, min_dist 0.1, seed 0" */
void es_layouts_settings(const es_layout_recipe *r, es_str *out);

/* "Of a token's 15 nearest, 7.51 are still near on average (all 50,257 tokens); trustworthiness 0.993 (chance: 0.5); …" */
void es_figures_say(const es_quality *q, es_str *out);

/* The same as lines of --plain, and as fields of JSON: "kept", "kept_of", "tokens", "trust", "trust_tokens", "spearman", "pairs",
 * "seed"; NULL: all null. */
void es_figures_plain(const es_quality *q, es_str *out);
void es_figures_json(es_json *j, const es_quality *q);

#endif
