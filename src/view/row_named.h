// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens behind the name of a view, as :show takes them. */
#ifndef ES_VIEW_ROW_NAMED_H
#define ES_VIEW_ROW_NAMED_H

#include "session/token_name.h"
#include "view/viewer.h"

/* The token that an argument names, with a row in wte.  Errors of es_token_named and es_model_needs_wte;
 * ES_ERR_INDEX_RANGE: wte has fewer rows; placed. */
bool es_row_named(const es_viewer *v, const es_call *call, const es_arg *arg, es_token_name *out,
                  es_error *err);

/* The next argument as such a token: 1 there was one, 0 none is left, -1 it is none. */
int es_row_next(const es_viewer *v, const es_call *call, size_t *at, es_token_name *out,
                es_error *err);

/* The token in focus, or where nothing was typed yet one that tells; -1: the model has no wte.  *row: wte has a row
 * for it. */
int32_t es_row_in_focus(const es_viewer *v, bool *row);

#endif
