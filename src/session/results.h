// SPDX-License-Identifier: GPL-3.0-or-later
/* The kinds of results this layer's commands give, and what is in each. */
#ifndef ES_SESSION_RESULTS_H
#define ES_SESSION_RESULTS_H

#include "layer/near.h"
#include "session/code.h"
#include "session/result.h"
#include "session/text.h"

/* Nothing to say: {"kind":"none"}, and no line for a reader. */
es_result es_result_none(void);

/* These four hold a reference to the text. */
es_result es_result_text(es_text *t);   /* one text and its vectors */
es_result es_result_tokens(es_text *t); /* its tokens, with bytes and places */
es_result es_result_tokens_brief(
    es_text *t);                        /* the same in JSON; for a reader the first and last */
es_result es_result_batch(es_text *t);  /* several texts, padded */
es_result es_result_shapes(es_text *t); /* how ids become x */

/* The same as a program; refers to the text, which has tokens. */
es_result es_result_code(es_text *t, es_language language);

/* Bytes that ids decode to; takes the string over. */
es_result es_result_decode(es_str *bytes);

/* How the words of a text are merged; copies the text, refers to the context. */
es_result es_result_merges(es_context *c, const char *text, size_t len);

/* The vectors of one token: C numbers each; pos_emb and x are NULL where it has no place, tok_emb and x
 * where the model has no wte. */
typedef struct es_row {
    es_context *context; /* one reference */
    int32_t id;
    int64_t b, pos; /* its text and place; pos -1: no place */
    float *tok_emb, *pos_emb, *x;
} es_row;
es_result es_result_row(es_row *row); /* takes the row over */

/* The nearest rows of wte to a sum of tokens. */
typedef struct es_nearest {
    es_context *context; /* one reference */
    int32_t *ids;        /* [n_ids] the tokens asked for, */
    double *factors;     /* each times its factor */
    size_t n_ids;
    es_measure by;
    double floor;     /* the noise floor; NaN: none for this measure or table */
    int64_t left_out; /* rows that hold NaN or Inf */
    es_neighbour *best;
    int64_t n;
} es_nearest;
es_result es_result_near(es_nearest *near); /* takes it over */

/* The likeliest tokens after each sentence of a text, by the model's blocks. */
typedef struct es_likely {
    int32_t id;
    double p;
} es_likely;
typedef struct es_next {
    es_likely *of; /* [n], the likeliest first; of equals the lower id; NULL after no token */
    int64_t n;
    double entropy; /* of all V, in bits */
} es_next;
typedef struct es_predicted {
    es_text *text; /* one reference */
    es_next *next; /* [B] */
    bool head;     /* the output matrix is one of its own, not wte */
} es_predicted;
es_result es_result_predict(es_predicted *p); /* takes it over */

/* Tokens that contain something. */
typedef struct es_found {
    es_context *context; /* one reference */
    es_str query;        /* bytes, or a regular expression */
    bool regex;
    int32_t *ids; /* [n] all of them, by id */
    size_t n;
    size_t top; /* how many to list; 0: all in JSON, the first for a reader */
} es_found;
es_result es_result_find(es_found *found); /* takes it over */
/* The same of tokens that were picked out in a picture: without a query. */
es_result es_result_selection(es_found *picked);

/* A vocabulary's particulars. */
es_result es_result_vocab(es_context *c, const char *path);
/* What model is in use; refers to the context, takes the warnings (a line each) over. */
es_result es_result_model(es_context *c, es_str *warnings);

/* Rows of named cells, for help, settings, history and the like: {"kind":…, "key":[{…},…]}. */
typedef struct es_list {
    const char *key;            /* the list's name in JSON */
    const char *align;          /* as es_grid's, a letter a column */
    const char *const *columns; /* as many names, for JSON and --plain */
    es_str *cell;               /* n cells, row by row */
    size_t n, cap;
    bool counted; /* number the rows from `first`, for history */
    size_t first;
} es_list;
void es_list_add(es_list *l, const char *fmt, ...) ES_PRINTF(2, 3); /* our own words */
void es_list_add_bytes(es_list *l, const char *bytes, size_t n);    /* anybody's bytes */
es_result es_result_list(const es_kind *kind, const es_list *l);    /* takes the cells over */

/* For kinds made of an es_list. */
bool es_list_show(es_str *out, void *data, const es_style *style, es_error *err);
bool es_list_json(es_json *j, void *data, bool values, es_error *err);
void es_list_forget(void *data);

/* What a line had a device do whose memory is its own. */
typedef struct es_worked {
    char name[ES_DEVICE_NAME];
    es_ran ran;
} es_worked;

/* Lines that were timed: what they answered, and how long it took. */
typedef struct es_timed {
    double seconds; /* all of it, printing not included */
    double vectors; /* of that, computing all of tok_emb, pos_emb and x; negative: no vectors */
    es_result *of;
    size_t n;
    es_worked *device; /* where the model lives, if that is such, and others that did something */
    size_t n_devices;
} es_timed;
es_result es_result_time(es_timed *t); /* takes it over */

/* ---- the two printers ---- */

/* Append the answer for a reader. */
bool es_show_result(es_str *out, const es_result *r, const es_style *style, es_error *err);
/* Append an error for a reader: message, the typed line with the place marked, hints.  where: "FILE:3"
 * of a script, or NULL. */
void es_show_error(es_str *out, const es_error *err, const char *line, size_t len,
                   const char *where, const es_style *style);
/* Append one JSON object and a line break. */
bool es_json_result(es_str *out, const es_result *r, bool values, es_error *err);
void es_json_error(es_str *out, const es_error *err, const es_result *partial);
/* The object of a result inside another. */
bool es_json_object(es_json *j, const es_result *r, bool values, es_error *err);

#endif
