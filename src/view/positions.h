// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the view of positions share: its panels, and what it keeps from drawing to drawing. */
#ifndef ES_VIEW_POSITIONS_H
#define ES_VIEW_POSITIONS_H

#include "view/curve.h"
#include "view/places.h"
#include "view/plot.h"
#include "view/viewer.h"

/* Values of es_viewer.positions_shown. */
typedef enum es_positions_shown {
    ES_SHOWN_ALL,
    ES_SHOWN_COMPONENTS,
    ES_SHOWN_CURVES,
    ES_SHOWN_COSINE,
    ES_SHOWN_LENGTHS,
    ES_SHOWN_BESIDE,
    ES_N_SHOWN
} es_positions_shown;

typedef enum es_panel_kind {
    ES_PANEL_COMPONENTS, /* the rows along their components */
    ES_PANEL_ROWS,       /* a few rows over the channels */
    ES_PANEL_CHANNELS,   /* a few channels over the positions */
    ES_PANEL_COSINE,     /* how alike any two rows are */
    ES_PANEL_LAGS,       /* the same by how far they are apart, on average */
    ES_PANEL_LENGTHS,    /* of the rows, over the positions */
    ES_N_PANEL_KINDS
} es_panel_kind;

enum { ES_PANEL_STRIPS = 6, ES_MOST_PANELS = 4 };

/* A panel as it was last drawn, so that a pointer finds what is there. */
typedef struct es_panel {
    es_panel_kind kind;
    es_places *of;
    es_box box;                     /* under its caption */
    es_chart chart;                 /* of those that have one */
    es_curve curve;                 /* of the components */
    es_extent extent;               /* likewise */
    int n;                          /* strips, one under the other in chart.inside */
    int64_t strip[ES_PANEL_STRIPS]; /* the rows or channels they are of */
} es_panel;

/* The colours of a table's cosines, as many as there are pixels for. */
typedef struct es_shrunk {
    const es_places *of;
    const es_palette *palette;
    int64_t n;
    es_argb *colour; /* (n, n); NULL: none yet */
} es_shrunk;

typedef struct es_positions_kept {
    es_places sinusoidal, wpe; /* empty: not read yet */
    es_panel panel[ES_MOST_PANELS];
    int n;               /* panels of the last drawing */
    es_shrunk shrunk[2]; /* of wpe, of the sinusoidal table */
    es_str why;          /* a table cannot be read: in words */
} es_positions_kept;

es_positions_kept *es_positions_kept_of(const es_viewer *v);

/* The table, read when it is first wanted; NULL: it cannot be, and kept->why says why. */
es_places *es_positions_table(const es_viewer *v, bool learned);

/* The one that the view is about: wpe if the model has it. */
es_places *es_positions_main(const es_viewer *v);

/* Make the components that are shown `axes` of tensor mode. */
void es_positions_tell_axes(const es_viewer *v, const es_places *p);

/* Which panels are shown in the area, and where: kinds and tables of the panels, and their boxes.  Returns how many. */
int es_positions_arrange(const es_viewer *v, es_box area, es_panel *panel, es_box *box);

/* What panels are drawn with. */
typedef struct es_brush {
    es_viewer *v;
    es_canvas *c;
    const es_palette *p;
    float em;
} es_brush;

void es_panel_say(const es_brush *b, es_box box, const char *text); /* words in a panel's place */
void es_panel_cosine(const es_brush *b, es_panel *panel);           /* the panel of that kind */

/* Draw one panel, caption and all, into its area; fills in the rest of *panel. */
void es_panel_draw(es_panel *panel, es_viewer *v, es_canvas *c, es_box area);
es_box es_panel_strip(const es_panel *panel, int i);
bool es_panel_pick(const es_panel *panel, es_spot at, float em, es_pick *out);

/* The view's words. */
void es_positions_honesty(const es_viewer *v, es_str *out);
void es_positions_expression(const es_viewer *v, es_str *out);
void es_positions_plain(es_viewer *v, es_str *out);
void es_positions_json(es_viewer *v, es_json *j);

#endif
