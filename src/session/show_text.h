// SPDX-License-Identifier: GPL-3.0-or-later
/* Parts of a text's answer that other answers use too. */
#ifndef ES_SESSION_SHOW_TEXT_H
#define ES_SESSION_SHOW_TEXT_H

#include "session/results.h"

/* "3 tokens from 11 bytes · model untrained: … · cpu" */
void es_show_header(es_str *out, const es_text *t, const es_style *style);

/* ids → tok_emb + pos_emb → x with their shapes: on one line where it fits, else a line each. */
void es_show_pipeline(es_str *out, const es_text *t, const es_style *style);

/* Below the table: characters that several tokens make together; ids that come again; one channel's
 * sum in numbers, with enough decimals to be true as printed. */
void es_show_split_characters(es_str *out, const es_text *t, const es_style *style);
void es_show_repeats(es_str *out, const es_text *t, const es_style *style);
bool es_show_one_sum(es_str *out, es_text *t, const es_style *style, es_error *err);

/* The es_kind functions of a single text; data is an es_text. */
bool es_show_text(es_str *out, void *data, const es_style *style, es_error *err);

#endif
