// SPDX-License-Identifier: GPL-3.0-or-later
/* What there is to train on in tests, and a vocabulary that makes it quick. */
#ifndef ES_TESTS_TEXTS_H
#define ES_TESTS_TEXTS_H

#include <stddef.h>

/* Write the first n bytes of the boxed text to path, each line a document. */
void write_text(const char *path, size_t n);

/* Write the first `merges` merges of GPT-2 to path, as a merge list. */
void write_small_vocab(const char *path, int merges);

#endif
