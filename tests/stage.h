// SPDX-License-Identifier: GPL-3.0-or-later
/* A session with pictures whose model a test makes: what a view draws, finds and says. */
#ifndef ES_TESTS_STAGE_H
#define ES_TESTS_STAGE_H

#include "view/raster.h"
#include "view/viewer.h"

typedef struct stage {
    es_session *session;
    es_viewer *viewer;
    es_raster raster; /* of the last stage_draw */
    es_font *font;
    es_box area;    /* all of the picture */
    es_str json;    /* what the last line answered */
    es_str message; /* and its error; empty: none */
    es_str hint;
    es_str note; /* its notes for everybody, each with its line break */
} stage;

/* A model of these tables: wte (V, C), wpe (P, C); V or P 0: it has none. */
void stage_open(stage *s, const float *wte, int V, const float *wpe, int P, int C, es_view_id view);
void stage_close(stage *s);

/* Run a line of the prompt; what the view needs is made afterwards. */
es_outcome stage_run(stage *s, const char *line);

/* The view alone, w x h, letters of boxes. */
void stage_draw(stage *s, int w, int h);
bool stage_pick(stage *s, float x, float y, es_pick *out); /* in what was drawn; free *out */

/* The numbers a statement of tensor mode has, n of them. */
void stage_value(stage *s, const char *statement, double *out, size_t n);

/* The words of the view: draw first. */
void stage_honesty(stage *s, es_str *out);
void stage_expression(stage *s, es_str *out);
void stage_plain(stage *s, es_str *out);
void stage_json(stage *s, es_str *out);

#endif
