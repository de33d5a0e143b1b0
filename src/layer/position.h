// SPDX-License-Identifier: GPL-3.0-or-later
/* Position tables that are not learned. */
#ifndef ES_LAYER_POSITION_H
#define ES_LAYER_POSITION_H

#include "core/table.h"

/* What is added to a token's row for its place in the text. */
typedef enum es_positions {
    ES_POSITIONS_LEARNED,    /* a row of the trained table wpe: n_ctx of them */
    ES_POSITIONS_SINUSOIDAL, /* sines and cosines: no last row */
    ES_POSITIONS_NONE,       /* nothing: the order of tokens is lost */
} es_positions;

const char *es_positions_name(es_positions kind); /* "learned" */

/* Vaswani et al. 2017, section 3.5: row p has sin(p / 10000^(2i/C)) in channel 2i and the cosine of
 * the same angle in channel 2i + 1.  A table without a last row; free with es_table_unref. */
es_table *es_position_sinusoidal(int64_t C);

#endif
