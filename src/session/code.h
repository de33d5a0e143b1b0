// SPDX-License-Identifier: GPL-3.0-or-later
/* The pipeline of a text as a program: for PyTorch, NumPy or C, complete, and no line wider than 40
 * columns.  Its tables are random, as untrained ones are; a line of it says where a model's own
 * numbers go. */
#ifndef ES_SESSION_CODE_H
#define ES_SESSION_CODE_H

#include "session/text.h"

typedef enum es_language { ES_TORCH, ES_NUMPY, ES_C, ES_N_LANGUAGES } es_language;

const char *es_language_name(es_language language); /* "torch" */

/* More ids than that are not written out: others stand for them. */
enum { ES_CODE_MOST_IDS = 256 };

/* Append the whole program; the text has tokens (T > 0) and passes the guard. */
void es_code_program(es_str *out, const es_text *t, es_language language);

/* Append the lines that make one stage: "ids", "tok_emb", "positions", "pos_emb" or "x". */
void es_code_stage(es_str *out, const es_text *t, es_language language, const char *stage);

/* One element of x that is there: where it lies is what the end of each program says. */
typedef struct es_element {
    int64_t b, t, c, stride[3], offset;
} es_element;
es_element es_code_element(const es_text *t);

#endif
