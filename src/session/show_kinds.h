// SPDX-License-Identifier: GPL-3.0-or-later
/* The es_kind functions of everything but a single text. */
#ifndef ES_SESSION_SHOW_KINDS_H
#define ES_SESSION_SHOW_KINDS_H

#include "session/results.h"

/* A text whose merges are replayed when they are shown. */
typedef struct es_merges {
    es_context *context;
    es_str text;
} es_merges;

/* The shapes of a text with the program that makes them. */
typedef struct es_code_answer {
    es_text *text;
    es_language language;
} es_code_answer;

/* What :vocab tells. */
typedef struct es_vocabulary {
    es_context *context;
    es_str path;
    int32_t longest; /* the first of the longest tokens */
    int32_t no_text; /* tokens whose bytes are no UTF-8 by themselves */
} es_vocabulary;
/* A model as :model shows it. */
typedef struct es_model_card {
    es_context *context;
    es_str warnings; /* a line each, ready to print */
} es_model_card;

bool es_show_tokens(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_tokens_brief(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_batch(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_shapes(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_code(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_decode(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_merges(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_row(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_near(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_predict(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_selection(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_find(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_vocab(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_model(es_str *out, void *data, const es_style *style, es_error *err);
bool es_show_time(es_str *out, void *data, const es_style *style, es_error *err);

bool es_json_of_shapes(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_code(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_decode(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_merges(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_row(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_near(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_predict(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_selection(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_find(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_vocab(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_model(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_time(es_json *j, void *data, bool values, es_error *err);

#endif
