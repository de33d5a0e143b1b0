// SPDX-License-Identifier: GPL-3.0-or-later
/* Where things are found and kept: the program's assets, and the user's folders as XDG has them. */
#ifndef ES_BASE_PLACE_H
#define ES_BASE_PLACE_H

#include "base/str.h"

/* The path of an asset such as "bpe/gpt2.tables": in $EMBEDSCOPE_DATA, else in assets/ beside the
 * executable, else in the installed folder.  ES_ERR_IO names every path that was tried. */
bool es_place_asset(es_str *path, const char *name, es_error *err);

/* path = n bytes as a person types a path: ~/ is the home folder.  ES_ERR_IO where there are none, or a NUL among
 * them. */
bool es_place_typed(es_str *path, const char *typed, size_t n, es_error *err);

/* The installed folder. */
const char *es_place_installed(void);

typedef enum es_xdg { ES_XDG_STATE, ES_XDG_CONFIG, ES_XDG_DATA, ES_XDG_CACHE } es_xdg;

/* path = the user's folder of that kind, /embedscope/name.  With `make`, the folders on the way
 * are created, 0700.  ES_ERR_IO when there is no home or it cannot be written. */
bool es_place_user(es_str *path, es_xdg kind, const char *name, bool make, es_error *err);

#endif
