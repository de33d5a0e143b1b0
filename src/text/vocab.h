// SPDX-License-Identifier: GPL-3.0-or-later
/* Vocabularies by name or path. */
#ifndef ES_TEXT_VOCAB_H
#define ES_TEXT_VOCAB_H

#include "text/bpe.h"

/* "gpt2" is the one that comes with the program: its tables, made when the program was built, or
 * else the merge list they are made from.  Anything else is the path of a merge list.
 * ES_ERR_NAME, ES_ERR_IO, ES_ERR_FORMAT.  Free with es_bpe_free. */
es_bpe *es_vocab_open(const char *name, es_error *err);

/* The same; found = the path of the file that was read. */
es_bpe *es_vocab_open_at(const char *name, es_str *found, es_error *err);

#endif
