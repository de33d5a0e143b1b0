// SPDX-License-Identifier: GPL-3.0-or-later
/* What a file is, by its first bytes: its name promises nothing. */
#ifndef ES_MODEL_CONTENT_H
#define ES_MODEL_CONTENT_H

#include <stddef.h>

typedef enum es_content_kind {
    ES_CONTENT_NPY,
    ES_CONTENT_SAFETENSORS,
    ES_CONTENT_JSON,     /* perhaps the index of a model in several files */
    ES_CONTENT_STAND_IN, /* of what is wanted: a Git LFS pointer, a web page */
    ES_CONTENT_OTHER,    /* another format, or text */
    ES_CONTENT_UNKNOWN
} es_content_kind;

typedef struct es_content {
    es_content_kind kind;
    const char *is;  /* "a GGUF file"; NULL for the unknown */
    const char *how; /* to come by the numbers after all; may be several lines, or NULL */
} es_content;

es_content es_content_of(const void *bytes, size_t n);

#endif
