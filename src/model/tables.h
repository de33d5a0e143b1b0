// SPDX-License-Identifier: GPL-3.0-or-later
/* The two tables among the tensors of a model's files, by the names they go by. */
#ifndef ES_MODEL_TABLES_H
#define ES_MODEL_TABLES_H

#include "model/weights.h"

typedef enum es_role { ES_ROLE_WTE, ES_ROLE_WPE } es_role;

const char *es_role_name(es_role role); /* "wte", as GPT-2 calls it */

/* What names may stand behind: nothing, "transformer." or "model."; NULL: there is no i-th. */
const char *es_name_prefix(int i);

/* Find the table of that role: wte.weight, wpe.weight, token_embeddings.weight or
 * position_embeddings.weight, alone or behind "transformer." or "model.".  `only`: where none of these
 * is there, the one table of the file will do, whatever its name.  *out is empty when there is none.
 * A remark about a choice is appended to `warnings`, a line ready to print.  Errors as
 * es_weights_find. */
bool es_find_table(es_located *out, es_weights *w, es_role role, bool only, es_str *warnings,
                   es_error *err);

/* ES_ERR_FORMAT: nothing in w is a `what`, "token table"; says what was looked for and what is there. */
bool es_no_table(const es_weights *w, const char *what, es_error *err);

#endif
