// SPDX-License-Identifier: GPL-3.0-or-later
/* Where a model's name leads: the one that comes with the program, a file or folder in the user's own folder of
 * models, or a path. */
#ifndef ES_MODEL_SHELF_H
#define ES_MODEL_SHELF_H

#include "base/str.h"

/* Is it the name of the model that comes with the program, "mini"? */
bool es_is_bundled(const char *name);

/* path = what `name` means: the asset models/mini.safetensors for the bundled one; NAME.safetensors or the folder
 * NAME in the XDG data folder's embedscope/models/; else NAME itself where such a file is.  *on_shelf: found in
 * one of the former.  ES_ERR_NAME says what to fetch from where, for a model that one can; ES_ERR_IO for a path, and
 * for an asset with all places that were tried. */
bool es_shelf_find(es_str *path, bool *on_shelf, const char *name, es_error *err);

/* What is in use where no model is asked for: $EMBEDSCOPE_MODEL, else "mini". */
const char *es_shelf_usual(void);

/* Built-in names, the bundled one where its file is there, and those in the user's folder, sorted, for completion.  Free with es_names_free. */
typedef struct es_names {
    char **of;
    size_t n;
} es_names;
es_names es_shelf_names(void);
void es_names_free(es_names *l);

#endif
