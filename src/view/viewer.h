// SPDX-License-Identifier: GPL-3.0-or-later
/* The state of the pictures, with a window or without: which view, from where, of what.  Commands change it, gestures
 * change it and say the command that does the same; drawing only reads it (and keeps what it worked out). */
#ifndef ES_VIEW_VIEWER_H
#define ES_VIEW_VIEWER_H

#include "analysis/layout.h"
#include "session/session.h"
#include "view/atlas.h"
#include "view/camera.h"
#include "view/labels.h"
#include "view/lasso.h"
#include "view/scene.h"
#include "view/views.h"

typedef struct es_window es_window;
typedef struct es_module es_module;

/* Tokens by id, in order, each once. */
typedef struct es_ids {
    int32_t *of;
    size_t n;
} es_ids;

/* Where the card's neighbours were drawn last, for the pointer. */
typedef struct es_card {
    int32_t of; /* the token whose card it was */
    int n;
    es_box row[ES_KEPT_NEAREST];
    int32_t id[ES_KEPT_NEAREST];
    float cosine[ES_KEPT_NEAREST];
} es_card;

/* What becomes of the points that are not selected, while any is. */
typedef enum es_others { ES_OTHERS_SHOWN, ES_OTHERS_FADED, ES_OTHERS_HIDDEN } es_others;

struct es_viewer {
    es_session *session; /* borrowed */

    /* ---- what commands set; an exported picture depends on this and the session alone ---- */
    es_view_id view;
    es_camera camera[ES_N_VIEWS];
    int component[3]; /* 0-based, for the map; the third in space only */
    es_color_by color_by;
    int most_labels;
    int32_t focus;       /* the token whose card is shown; -1: the last of the sentence */
    int64_t focus_place; /* its place in the sentence; -1: it has none */
    int32_t second;      /* beside it in the offset view; -1: none */
    int positions_shown; /* what the positions view shows: see its own file */
    es_ids selected;     /* the tokens of :select */
    uint64_t seed;       /* of whatever is drawn by lot in a picture */
    es_layout_id layout; /* of the map */
    int torn; /* of the tokens that lost most neighbours, how many have lines to these; 0: none */
    es_others others;
    int meta_column; /* of the table of :meta, by which the map is coloured; -1: by color_by */
    int lesson;      /* the teaching picture that is shown, with its caption; 0: none */
    void *chosen[ES_N_VIEWS]; /* each view's own */

    /* ---- what it is about ---- */
    es_scene scene;
    es_atlas *atlas;   /* of the session's context; NULL: not yet */
    es_job *making;    /* it is at the atlas, or at the errand */
    es_errand *errand; /* of a view; NULL: none is under way */
    es_str problem;    /* why the picture cannot be drawn, in words; empty: it can */
    uint64_t stamp;    /* of the session when it was last followed */

    /* ---- kept from drawing to drawing ---- */
    es_labels *labels;
    void *of[ES_N_VIEWS];       /* each view's own */
    uint64_t axes_made;         /* how often the axes view has got points */
    struct es_near_kept *near;  /* neighbours.h; NULL: nobody has asked */
    struct es_layouts *layouts; /* layouts.h; NULL: none was asked for */
    bool noted;                 /* that neighbours cannot be kept in a file: once is enough */
    struct es_meta *meta;       /* meta.h; NULL: nothing was read */
    uint64_t metas_read;        /* tables so far */
    es_card card;

    /* ---- the pointer, which no exported picture shows ---- */
    es_pick hover;
    bool hovering;
    es_box drawn;   /* the rectangle that a drag selects with; w 0: none */
    es_lasso lasso; /* or the shape; n 0: none */

    /* ---- the prompt, as it stands, for the window's foot ---- */
    es_str prompt, line;
    size_t cursor;

    /* ---- motion ---- */
    es_camera from;  /* where the camera was */
    double moved_at; /* seconds; when it set off; 0: it stands still */
    double clock;    /* seconds; the drawing's time */

    /* ---- the window, if it is open ---- */
    const es_module *module; /* loaded; NULL: not yet */
    es_window *window;       /* NULL: none is open */
};

/* Free with es_viewer_free, before the session.  The session remembers it (es_session_set_guest), so that commands find it. */
es_viewer *es_viewer_new(es_session *s);
void es_viewer_free(es_viewer *v);            /* NULL is fine; closes the window */
es_viewer *es_viewer_of(const es_session *s); /* NULL: there are no pictures */

/* As every view begins, and how many labels the map has then. */
enum { ES_FIRST_LABELS = 500 };
es_camera es_viewer_first_camera(es_view_id view);

/* An es_recall_fn: the lines that bring a fresh viewer to where this one is. */
void es_viewer_recall(const void *viewer, es_str *lines);

/* How many of v->component the map shows, where it shows components: 2, or 3 in space. */
int es_viewer_components(const es_viewer *v);

/* Take over text, preview, model and settings from the session.  True: the picture is another now. */
bool es_viewer_follow(es_viewer *v);

/* Is what the view needs ready?  false: v->problem says what is missing, or that it is being made. */
bool es_viewer_ready(es_viewer *v);

/* Make it now and wait, as a job of the session's with progress to the sink; for commands.  A layout of the map is taken to
 * where it rests, unless there is a window, behind which that goes on. */
bool es_viewer_make(es_viewer *v, const es_sink *sink, es_error *err);

/* The same for components of wte alone, whatever the view needs. */
bool es_viewer_make_tokens(es_viewer *v, const es_sink *sink, es_error *err);

/* Begin to make it behind the window; a byte to wake_fd at its end.  Nothing happens where it is made already. */
void es_viewer_begin(es_viewer *v, int wake_fd);
bool es_viewer_settle(es_viewer *v); /* true: a job has ended, the picture is another */

const es_palette *es_viewer_palette(const es_viewer *v);
float es_viewer_em(const es_viewer *v); /* 13, or 24 with :set big on */

/* The camera as it is drawn at v->clock, on its way; the one the view goes to is v->camera[view]. */
es_camera es_viewer_camera(const es_viewer *v);
bool es_viewer_still(const es_viewer *v);  /* nothing moves: by choice, or for want of a window */
bool es_viewer_moving(const es_viewer *v); /* the camera or the view's own picture, at v->clock */
void es_viewer_depart(
    es_viewer *v); /* call before the camera changes by a command: the way there takes 300 ms */

int32_t es_viewer_focus(const es_viewer *v,
                        int64_t *place); /* the token the card is of; -1: none */

/* What was under the pointer is elsewhere now, or is no more. */
void es_viewer_forget_pointed(es_viewer *v);

#endif
