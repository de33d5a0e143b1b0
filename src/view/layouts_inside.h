// SPDX-License-Identifier: GPL-3.0-or-later
/* The inside of the map's layouts: what their files share, and what the main thread and a job do. */
#ifndef ES_VIEW_LAYOUTS_INSIDE_H
#define ES_VIEW_LAYOUTS_INSIDE_H

#include <pthread.h>

#include "view/layouts.h"

enum { ES_LAYOUT_UNASKED = -1 };

/* One of each method; that of PCA takes no steps and has figures alone. */
typedef struct es_run {
    es_sight seen;     /* the main thread's: as it was at the last look */
    bool chosen;       /* somebody has asked for it */
    int effort;        /* an es_quality_effort that figures are wanted of, or ES_LAYOUT_UNASKED */
    es_layout *layout; /* of whoever is at work; NULL: no step was taken yet */

    /* Under the lock: as it stands. */
    int done, target;
    int shown; /* steps after which `at` stands as it does */
    es_layout_phase phase;
    float *at;     /* (n, d): 2 but for PCA, whose points are laid out before it is measured */
    double *value; /* (recipe.steps) */
    es_figures figures;
    uint64_t version;
    uint64_t measured; /* the number of the figures at the last look; another for others */
} es_run;

typedef struct es_layouts {
    es_table *table; /* one reference: the atlas' rows at hand; NULL: nothing has begun */
    es_backend *be;  /* the device of the atlas, where the graph is made */
    es_knn knn;      /* of whoever is at work */
    int64_t n;
    es_run run[ES_N_LAYOUTS];
    uint64_t seed;
    uint64_t versions; /* given so far */
    pthread_mutex_t lock;
    es_str note; /* under the lock: what is to be said of the graph's file; empty: nothing */

    es_torn *torn; /* n_torn, kept by the main thread, of this picture: */
    int n_torn, torn_asked;
    es_layout_id torn_of;
    uint64_t torn_figures; /* the number of the figures they are of; 0: of none */

    es_job *job;     /* the main thread's; NULL: none is at work */
    es_layout_id at; /* which run it is at */
    int wake_fd;
    _Atomic bool still; /* nothing is published before it rests */
    double published;   /* seconds: when, of whoever is at work */
} es_layouts;

/* The viewer's, made where there are none yet. */
es_layouts *es_layouts_made(es_viewer *v);

/* What there is to look at, or to work on, of the layout that is shown.  NULL with err set, or unset where the table
 * is not known yet. */
es_run *es_layouts_open(es_viewer *v, es_error *err);

/* All that its steps have led to; the recipe stays.  Nobody is at work on it. */
void es_run_forget(es_run *r);

/* Nobody is at work afterwards. */
void es_layouts_stop(es_layouts *l);

/* The work in three parts, each an es_job_fn on the layouts, at run `at`: the graph, the steps, the figures. */
bool es_run_neighbours(void *layouts, es_watch *watch, es_error *err);
bool es_run_steps(void *layouts, es_watch *watch, es_error *err);
bool es_run_measure(void *layouts, es_watch *watch, es_error *err);
bool es_run_all(void *layouts, es_watch *watch, es_error *err);

void es_figures_free(es_figures *f);

#endif
