// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of the map: what its files share.  Points first (map_points.c), then the sentence among them, then words.  What
 * says how tokens are drawn as points, with their labels and the sentence among them, serves any plane of tokens: the
 * axes view has an es_map of its own. */
#ifndef ES_VIEW_MAP_H
#define ES_VIEW_MAP_H

#include "view/colouring.h"
#include "view/viewer.h"

enum { ES_MAP_COLUMNS = 24 }; /* of a label */
#define ES_MAP_MARK 3.0f      /* how much larger than a point those of the sentence are */

/* Widths of labels, measured once.  They are of letters as this canvas draws them: `probe` tells another font. */
typedef struct es_map_widths {
    const es_canvas_ops *ops;
    float em, probe;
    float letter[128]; /* of ASCII, the space as it is shown */
    float *of;         /* (n); below 0: not measured yet */
} es_map_widths;

/* A place of the sentence: the row of its token, and x, which has the position added.  NaN: it is not there. */
typedef struct es_map_place {
    int32_t id;
    int64_t first;        /* where in the sentence this token stands for the first time */
    float at[3], x_at[3]; /* along the components shown */
    es_spot spot, x_spot; /* as last drawn */
} es_map_place;

/* A point that is in the area, or so near it that it may reach in. */
typedef struct es_map_seen {
    int32_t id, cell;
    es_spot spot;
    float depth; /* in space */
} es_map_seen;
#define ES_MAP_BESIDE 8.0f /* so far from the area */

typedef struct es_map es_map;
struct es_map {
    /* of the table */
    int64_t n;     /* rows of wte */
    int32_t *rank; /* (n) ids, the most important first */

    /* along the components shown, or what else the picture's axes are */
    int component[3], d; /* d of them, 2 or 3; 0: none yet */
    uint64_t version;    /* of a layout's points; 0: these are components */
    float *at;     /* (n, 3), 0 where there is no such component; NaN: a row that is not finite */
    float *ranked; /* the same, the most important first */
    es_extent extent;

    /* tokens that the picture is about, named before others; the first n_own stand out.  Borrowed */
    const int32_t *told;
    int n_own, n_told;

    /* as they are coloured */
    const es_palette *palette;
    es_colouring colouring;
    es_argb *colour; /* (n) */

    /* what is picked out by itself */
    bool isolates, hides; /* all others are faded, or hidden */
    uint8_t *aside;       /* (n) 1: it is one of these others */
    int64_t n_aside;

    /* the text */
    es_text *text; /* one reference; NULL: none */
    uint64_t stamp;
    es_map_place *place; /* (T) */
    int64_t T;
    void (*place_x)(es_map *m, const es_viewer *v); /* fills their x_at */

    /* as last drawn */
    es_box area, plot; /* plot: what the first look fills, between the names of the axes */
    es_lens lens;
    es_spot *spot;     /* (n); NaN: it is hidden, or nowhere */
    float r;           /* of a point */
    es_map_seen *seen; /* (n) the most important first */
    size_t n_seen;

    /* how solid a point is in each cell of a grid that begins at `crowds` */
    es_spot crowds;
    int columns, lines;
    float *crowd;
    uint8_t *asked; /* how many labels were wished for in a cell */
    size_t n_cells; /* there is room for */

    /* room for one picture */
    es_disc *disc; /* (n) */
    bool any_lit;  /* something was found: the rest fades */
    es_wish *wish; /* (n + T) of labels: tokens by their id, x of place t as n + t */
    es_placed *placed;
    size_t n_wishes; /* there is room for */
    uint8_t *role;   /* (n) why a token is labelled (map_text.c); 0: it is not */
    es_map_widths plain, bold;
};

/* ---- map_state.c ---- */

/* The map's own state, brought up to what the viewer shows; the atlas has the tokens. */
es_map *es_map_follow(es_viewer *v);
void es_map_forget(es_viewer *v);

/* A plane or a space of the atlas' tokens, to be filled: `d`, `at` and `place_x`, then es_map_settle.  Free with
 * es_map_free. */
es_map *es_map_new(const es_viewer *v);
void es_map_free(es_map *m); /* NULL is fine */
void es_map_settle(es_map *m);

/* Colours and the text as the viewer has them now. */
void es_map_update(es_map *m, const es_viewer *v);

/* Every point's spot, seen as the viewer's camera sees it in area. */
void es_map_project(es_map *m, const es_viewer *v, es_box area);

/* A spot of numbers along the components shown. */
es_spot es_map_spot(const es_map *m, const float *at);

/* What the camera's extent fills of the area: axes are named above and below. */
es_box es_map_plot(const es_viewer *v, es_box area);

/* How many of the components asked for the table has: out, at most 3.  A layout shows none. */
int es_map_components(const es_viewer *v, int out[3]);

/* ---- map_others.c ---- */

/* Who stands aside, as it is now. */
void es_map_set_aside(es_map *m, const es_viewer *v);

/* Move a camera so that all that is picked out by itself is in view, in a window of any shape; false: nothing is. */
bool es_map_look_at_isolated(es_viewer *v, es_camera *to);

const char *es_others_name(es_others others); /* "hide", as :isolate takes it */
void es_map_say_others(const es_viewer *v, es_str *out);

/* ---- map_points.c ---- */

/* The cell of the grid of crowds that a spot is in. */
int es_map_cell(const es_map *m, es_spot s);

/* Is it among what :find has found? */
bool es_map_found(const es_viewer *v, int32_t id);

void es_map_draw_points(es_map *m, es_viewer *v, es_canvas *c);

/* ---- map_sentence.c ---- */

/* Places of the text, and where they are. */
void es_map_read_text(es_map *m, const es_viewer *v);

/* A line to a neighbour: solid where it is near in the picture too, dashed where that has torn them apart. */
#define ES_MAP_DASH 4.0f
void es_map_draw_tie(const es_map *m, es_canvas *c, es_spot from, es_spot to, bool pictured);

/* No label is put on a line, unless it must be there and finds no other place. */
void es_map_block_way(es_viewer *v, es_spot from, es_spot to);

/* Lines beneath: from the focus to its neighbours, the path, the arrows from wte to x. */
void es_map_draw_lines(es_map *m, es_viewer *v, es_canvas *c);
/* Points on top: neighbours, selected, the sentence's, the focus with its ring. */
void es_map_draw_marks(es_map *m, es_viewer *v, es_canvas *c);

/* ---- map_words.c, also ---- */

/* The id of a token and its text (token_cell.h), as rows of es_coordinates are named. */
#define ES_MAP_ROW_NAMES "id\ttoken"
void es_map_name_row(const es_viewer *v, int64_t id, es_str *out);

/* ---- map_axes.c ---- */

void es_map_draw_cross(const es_map *m, es_canvas *c);

/* What the colours and the sentence's lines mean, at the top right: returns its left edge. */
float es_map_draw_legend(es_map *m, es_viewer *v, es_canvas *c);

/* Numbers along the foot (k 0) or the left edge, whose middles are between two pixels. */
void es_map_draw_ticks(es_map *m, es_viewer *v, es_canvas *c, int k, float from, float to);

/* Text on a plate, so that points below do not spoil it; kept free of labels.  `align` of its width is left of x.
 * Returns how wide the plate is. */
float es_map_plate(es_map *m, es_viewer *v, es_canvas *c, float x, float y, float align,
                   const char *text, es_argb colour);

/* Names of the axes, ticks, and what the colours mean; their places are kept free of labels. */
void es_map_draw_axes(es_map *m, es_viewer *v, es_canvas *c);

/* ---- map_layout.c ---- */

/* Instead of names and ticks: that a layout has no axes, and the curve of its objective. */
void es_map_draw_no_axes(es_map *m, es_viewer *v, es_canvas *c);

/* From the tokens that lost most neighbours to these: dashed where they are not near in the picture. */
void es_map_draw_torn(const es_map *m, es_viewer *v, es_canvas *c);
void es_map_mark_torn(const es_map *m, es_viewer *v, es_canvas *c);

/* ---- map_text.c ---- */

void es_map_draw_labels(es_map *m, es_viewer *v, es_canvas *c);

/* ---- map_pick.c ---- */

/* What is at a spot: a token's row, or x of a place. */
typedef struct es_map_hit {
    int32_t id;    /* -1: nothing */
    int64_t place; /* -1: none */
    bool x;
} es_map_hit;

/* Are its spots those of this area? */
bool es_map_drawn_in(const es_map *m, es_box area);
es_map_hit es_map_hit_at(const es_map *m, const es_viewer *v, es_spot at);

/* The token and its place, and what is outlined. */
void es_map_tell_hit(const es_map *m, const es_map_hit *h, es_pick *out);

/* "␣cat", "x of ␣cat at place 3". */
void es_map_name_hit(const es_viewer *v, const es_map_hit *h, es_str *out);

bool es_map_pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out);

/* ---- map_words.c ---- */

void es_map_honesty(const es_viewer *v, es_str *out);
void es_map_expression(const es_viewer *v, es_str *out);
void es_map_plain(es_viewer *v, es_str *out);
void es_map_json(es_viewer *v, es_json *j);

/* "component 1 (12.3 % of the spread)", "component 1 (12.3 %)", "component 1". */
typedef enum es_map_brief { ES_MAP_WHOLE, ES_MAP_BRIEF, ES_MAP_NUMBER } es_map_brief;
void es_map_axis_name(const es_viewer *v, int component, es_map_brief brief, es_str *out);

#endif
