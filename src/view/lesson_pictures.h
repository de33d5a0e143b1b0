// SPDX-License-Identifier: GPL-3.0-or-later
/* The twelve teaching pictures: the lines that bring each, and a caption that says what to see in it and what not to
 * conclude, with the numbers of the model that is shown. */
#ifndef ES_VIEW_LESSON_PICTURES_H
#define ES_VIEW_LESSON_PICTURES_H

#include "view/viewer.h"

enum { ES_LESSON_PICTURES = 12, ES_LESSON_LINES = 5, ES_LESSON_TOKENS = 4 };

/* Two sentences, as they are true of what is shown. */
typedef struct es_lesson_says {
    es_str see, beware; /* what to see, what not to conclude */
} es_lesson_says;
void es_lesson_says_free(es_lesson_says *says);

typedef struct es_lesson_picture {
    const char *title;
    const char *line[ES_LESSON_LINES]; /* commands; NULL behind the last */
    const char *part; /* of the view, as it stands behind its name; NULL: nothing */
    const char *token[ES_LESSON_TOKENS]; /* whose rows it is about; NULL behind the last */
    es_view_id view;                     /* that they show */
    bool positions, rows;                /* it is of wpe; of wte */
    bool text;                           /* it is of a sentence: one is set where there is none */
} es_lesson_picture;

/* From 1 to ES_LESSON_PICTURES; NULL: there is no such picture. */
const es_lesson_picture *es_lesson_picture_at(int n);

/* Has the model what picture n is of?  ES_ERR_VALUE: what is missing, and what to do. */
bool es_lesson_picture_fits(const es_viewer *v, int n, es_error *err);

/* Run its lines, and make it the one that is shown; what it needs is made, with progress to the sink.  Errors of
 * es_lesson_picture_fits and of the lines; then what was shown is shown. */
bool es_lesson_picture_show(es_viewer *v, int n, const es_sink *sink, es_error *err);

/* Which one is shown: 0 where another view was chosen since, or the model has not what it takes. */
int es_lesson_picture_shown(const es_viewer *v);

/* Append the caption of the one that is shown: free with es_lesson_says_free. */
void es_lesson_picture_say(es_viewer *v, int n, es_lesson_says *says);

/* lesson_words.c: the captions, picture by picture. */
extern void (*const es_lesson_words[ES_LESSON_PICTURES])(es_viewer *v, es_lesson_says *says);

/* ---- lesson_caption.c: the caption over a picture ---- */

/* Takes its room off the picture: as much of it as leaves the picture more than half. */
es_box es_lesson_caption_cut(es_viewer *v, es_canvas *c, es_box *picture);
void es_lesson_caption_draw(es_viewer *v, es_canvas *c, es_box box);

/* The same as text, in lines "name: value" or for a reader; and as fields of JSON.  Nothing where none is shown. */
void es_lesson_caption_text(es_viewer *v, es_str *out, const es_style *style);
void es_lesson_caption_json(es_viewer *v, es_json *j);

#endif
