// SPDX-License-Identifier: GPL-3.0-or-later
/* What is said about a model beside the answers: remarks of its files, and numbers that are none. */
#ifndef ES_SESSION_MODEL_NOTES_H
#define ES_SESSION_MODEL_NOTES_H

#include "session/results.h"
#include "session/session.h"

/* Append the context's remarks, a line each, ready to print: those of its model, and that wte has more
 * or fewer rows than the vocabulary has tokens. */
void es_model_remarks(es_str *out, const es_context *c);

/* The same as notes, when a model has come into use. */
void es_note_model(const es_session *s, const es_sink *sink);

/* "wte[464, 3] is NaN": a number of a table that is none.  value: which. */
void es_show_nonfinite(es_str *out, const char *table, int64_t row, int64_t channel, float value);

/* A note when a row that the text reads holds NaN or an infinity: the first of them, by place. */
void es_note_nonfinite_rows(const es_call *call, const es_text *t);
void es_note_nonfinite_row(const es_call *call, const es_row *row);

#endif
