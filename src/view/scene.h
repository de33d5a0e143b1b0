// SPDX-License-Identifier: GPL-3.0-or-later
/* The sentence a picture shows: the line as it stands before Enter if that can be read as text, else the last text. */
#ifndef ES_VIEW_SCENE_H
#define ES_VIEW_SCENE_H

#include "session/session.h"

enum { ES_SCENE_PLACES = 256 }; /* pictures show so many tokens of a long text, its first */

typedef struct es_scene {
    es_text *text; /* one reference; NULL: nothing was typed yet */
    bool preview;  /* it is not entered yet */
    int64_t at;    /* the place of the first token: 0 unless padded on the left */
    int64_t T;     /* places shown */
    int64_t left;  /* places of the text beyond them */
    int64_t C;
    const int32_t *ids; /* (T) of the first sentence */
    float *tok_emb;     /* (T, C); NULL: none */
    float *pos_emb;     /* (T, C); NULL: no positions */
    float *x;           /* (T, C); NULL: none */
    es_str why;         /* where vectors are missing: in words */
} es_scene;

/* Bring the scene up to what the session has; true when anything changed.  Texts longer than the window of positions
 * show the places they have. */
bool es_scene_follow(es_scene *scene, es_session *s);
void es_scene_free(es_scene *scene); /* safe on an empty one */

/* " [B=1, T=3, C=64]", of the whole text whose first sentence is shown.  pos_emb is shared by all sentences. */
typedef enum es_scene_table { ES_SCENE_X, ES_SCENE_POS_EMB } es_scene_table;
void es_scene_shape(es_str *out, const es_scene *scene, es_scene_table table);

/* Places behind the last row of learned positions, for which there is no x; mostly 0. */
int64_t es_scene_beyond(const es_scene *scene);

/* What must be known of the text before its pictures are believed, in a few words: it is not entered yet, it is one of
 * several, it is too long.  Nothing: all is as it looks. */
void es_scene_caution(es_str *out, const es_scene *scene);

/* A token as it is labelled: ␣cat, <E6 9C>, cut to about `columns`. */
void es_scene_token(es_str *out, const es_context *c, int32_t id, int columns);

/* And as a command takes it: in quotes, by its id where it has no text.  Plain lines are read aloud, and typed again. */
void es_scene_quote(es_str *out, const es_context *c, int32_t id);

#endif
