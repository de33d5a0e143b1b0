// SPDX-License-Identifier: GPL-3.0-or-later
/* A reader's own tensors: what load(), fromfile() and save() do with files.
 * A file of at most 64 MiB is read at once, and may change or go afterwards.  A larger one is mapped and opens at
 * once; its numbers are read, in place where they lie as memory would have them, when they are first wanted.  As
 * with any mapped file, who cuts it short meanwhile takes the numbers away, and the program with them: save()
 * replaces files and never does so. */
#ifndef ES_SESSION_HOST_FILES_H
#define ES_SESSION_HOST_FILES_H

#include "base/file.h"
#include "expr/interp.h"
#include "model/raw.h"

/* As es_interp_host has them, for the interpreter whose values are meant. */
bool es_host_load(es_interp *in, const es_value *path, es_backend *be, es_value *out,
                  es_error *err);
bool es_host_fromfile(es_interp *in, const es_value *path, const es_plain_numbers *numbers,
                      es_value *out, es_error *err);
bool es_host_save(es_interp *in, const es_value *v, const es_value *path, es_error *err);

/* ---- what they share ---- */

/* The path that a string is, as a person types one. */
bool es_host_path(es_str *path, const es_value *typed, es_error *err);

/* Opens a file that is one; where there is none, one of nearly that name is offered.  ES_ERR_IO. */
bool es_host_open(es_file *f, const char *path, es_error *err);

/* Who keeps the bytes of a file. */
typedef struct es_keeper {
    size_t size; /* of the file */
    void *of;
    void (*release)(void *of);
} es_keeper;
es_keeper es_keep_file(es_file *f); /* takes it over */

/* *out = raw's numbers on be, at once or later, or their shape alone; keeper is released then.  `what` names it in
 * the remark about numbers that are none. */
bool es_host_numbers(es_interp *in, es_tensor *out, es_backend *be, const es_raw *raw,
                     es_keeper keeper, const char *what, es_error *err);

/* "float16, in a.npy, is float32 here": unless it is the same. */
void es_host_note_type(es_interp *in, const es_raw_type *type, const char *path);

#endif
