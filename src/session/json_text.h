// SPDX-License-Identifier: GPL-3.0-or-later
/* Texts as JSON: the es_kind functions of text, tokens and batch; data is an es_text. */
#ifndef ES_SESSION_JSON_TEXT_H
#define ES_SESSION_JSON_TEXT_H

#include "session/results.h"

bool es_json_of_text(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_tokens(es_json *j, void *data, bool values, es_error *err);
bool es_json_of_batch(es_json *j, void *data, bool values, es_error *err);

/* "shapes":{"ids":[1,2],…}: pos_emb null where there is none. */
void es_json_shapes(es_json *j, const es_text *t);

/* "text":…, and "hex":… where the bytes are no valid UTF-8. */
void es_json_bytes(es_json *j, const char *bytes, size_t n);

#endif
