// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of views: what each draws, finds under the pointer and says. */
#ifndef ES_VIEW_VIEWS_H
#define ES_VIEW_VIEWS_H

#include <math.h>

#include "base/watch.h"
#include "session/command.h"
#include "view/camera.h"

typedef struct es_viewer es_viewer;

/* What is behind a pixel. */
typedef struct es_pick {
    int32_t id;       /* a token; -1: none */
    int64_t place;    /* of the sentence, or a row of wpe; -1: none */
    int64_t channel;  /* -1: none */
    double value;     /* the number there; NaN: none */
    es_str what;      /* in words, for the card: "x of ␣cat, channel 447" */
    es_str statement; /* of tensor mode, whose value this is: "x[0, 2, 447]"; empty: none */
    es_box mark;      /* what to outline; w 0: nothing */
} es_pick;
#define ES_PICK_NONE ((es_pick){.id = -1, .place = -1, .channel = -1, .value = NAN})
void es_pick_free(es_pick *p);

/* Work of a view's own, which takes long: the first member of what holds its references.  run is on a thread of its own
 * and touches neither viewer nor session; end is on the main thread, takes over what was made (ok) and frees the errand.
 * What is no failure of the picture, as a number that there is none of, is no failure of run. */
typedef struct es_errand es_errand;
struct es_errand {
    bool (*run)(es_errand *e, es_watch *watch, es_error *err);
    void (*end)(es_errand *e, es_viewer *v, bool ok);
};

/* The points of a picture as numbers, all of them, whatever is hidden. */
typedef struct es_coordinates {
    int64_t n, stride; /* row i is d numbers at at + i * stride; NaN: it is nowhere */
    int d;             /* 2 or 3 */
    const float *at;   /* borrowed until the viewer changes */
    const char *names; /* of what names a row, a tab between two: "id\ttoken" */
    void (*name)(const es_viewer *v, int64_t i, es_str *out); /* appends as many */
} es_coordinates;

typedef struct es_view_kind {
    const char *name;    /* "map" */
    const char *summary; /* one line for :help and the window's bar */
    const char *args;    /* what :show takes after the name: "[TOKEN [TOKEN]]"; "" nothing */
    bool solid;          /* it can be seen in space */
    bool flat;           /* its camera pans and zooms */

    unsigned (*needs)(const es_viewer *v); /* parts of the atlas */

    /* What it needs beside the atlas, whose parts are there: can it be drawn, and what is missing next (NULL: nothing)?
     * Either may be NULL: there is nothing of the kind. */
    bool (*ready)(es_viewer *v);
    es_errand *(*errand)(es_viewer *v);

    /* Draw into area.  What it needs is ready.  May keep things in the viewer's `of` slot. */
    void (*draw)(es_viewer *v, es_canvas *c, es_box area);

    /* What is at a spot of the area as it was last drawn there; false: nothing. */
    bool (*pick)(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out);

    /* What the picture keeps and hides, one plain sentence or two, and the expression it shows with its shapes. */
    void (*honesty)(const es_viewer *v, es_str *out);
    void (*expression)(const es_viewer *v, es_str *out);

    /* The numbers that matter, as "name: value" lines; fields of the JSON object that :show answers. */
    void (*plain)(es_viewer *v, es_str *out);
    void (*json)(es_viewer *v, es_json *j);

    /* Its points, for files; false: there are none just now.  What it needs is ready.  NULL: it never has any. */
    bool (*points)(es_viewer *v, es_coordinates *out);

    /* Arguments of :show behind the name, from `at` on; NULL: none are taken. */
    bool (*arguments)(es_viewer *v, es_call *call, size_t at, es_error *err);

    /* Append what :show takes behind the name to show it as it is now (" lengths"), nothing where that is how it begins.
     * NULL: that is always so. */
    void (*as_shown)(const es_viewer *v, es_str *out);

    /* The box it keeps its camera's extent for, and the extent: for gestures.  false: no camera just now. */
    bool (*ground)(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent);

    /* Is the picture still on its way at v->clock, as rows that fill one after the other?  NULL: it never is. */
    bool (*moving)(const es_viewer *v);

    /* Another text, another model or another size: drop what was kept.  NULL: nothing is. */
    void (*forget)(es_viewer *v);

    /* What commands chose for this view alone is v->chosen[view].  Append the lines that choose it again, :show not among
     * them; free it.  Either may be NULL: there is nothing of the kind. */
    void (*recall)(const es_viewer *v, es_str *lines);
    void (*drop)(es_viewer *v);
} es_view_kind;

typedef enum es_view_id {
    ES_VIEW_MAP,
    ES_VIEW_POSITIONS,
    ES_VIEW_OFFSET,
    ES_VIEW_STRIPS,
    ES_VIEW_COSINE,
    ES_VIEW_AXES,
    ES_VIEW_VARIANCE,
    ES_VIEW_SERIES,
    ES_VIEW_PAIRS,
    ES_VIEW_ONEHOT,
    ES_N_VIEWS
} es_view_id;

extern const es_view_kind es_view_map, es_view_positions, es_view_offset, es_view_strips,
    es_view_cosine, es_view_axes, es_view_variance, es_view_series, es_view_pairs, es_view_onehot;

const es_view_kind *es_view_kind_at(int view); /* NULL behind the last */

/* ES_ERR_NAME with what there is. */
bool es_view_named(es_view_id *out, const char *name, size_t n, es_error *err);

/* What a view keeps from drawing to drawing: its `of` slot, `size` bytes that are 0 at first.  Who only reads the viewer
 * may fill it all the same; the view's forget frees it. */
void *es_view_keep(const es_viewer *v, es_view_id view, size_t size);

/* Where there is no picture, its words: in the middle of the area. */
void es_view_instead(const es_viewer *v, es_canvas *c, es_box area, const char *says);

#endif
