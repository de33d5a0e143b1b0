// SPDX-License-Identifier: GPL-3.0-or-later
/* Where a model's name leads: a file or folder in the user's own folder of models, or a path. */
#ifndef ES_MODEL_SHELF_H
#define ES_MODEL_SHELF_H

#include "base/str.h"

/* path = what `name` means: NAME.safetensors or the folder NAME in the XDG data folder's
 * embedscope/models/, else NAME itself where such a file is.  *on_shelf: found in the former.
 * ES_ERR_NAME says what to fetch from where, for a model that one can; ES_ERR_IO for a path. */
bool es_shelf_find(es_str *path, bool *on_shelf, const char *name, es_error *err);

/* What is in use where no model is asked for: $EMBEDSCOPE_MODEL, else "untrained". */
const char *es_shelf_usual(void);

/* Built-in names and those in the user's folder, sorted, for completion.  Free with es_names_free. */
typedef struct es_names {
    char **of;
    size_t n;
} es_names;
es_names es_shelf_names(void);
void es_names_free(es_names *l);

#endif
