// SPDX-License-Identifier: GPL-3.0-or-later
/* A token in a cell of a table: written so that any reader of TSV takes it as it stands, and read back. */
#ifndef ES_VIEW_TOKEN_CELL_H
#define ES_VIEW_TOKEN_CELL_H

#include "base/str.h"
#include "text/bpe.h"

/* As the program prints tokens (es_show_token), with \x22 for a double quote: no tab, line break or quote is in it, and
 * no two tokens are written alike. */
void es_token_cell(es_str *out, const char *bytes, size_t n);

/* The token that n bytes of a cell name, -1: none.  In this order: a string in double quotes with its escapes, as
 * commands take it; as es_token_cell or the program writes it; the bytes as they stand. */
int32_t es_token_of_cell(const es_bpe *bpe, const char *cell, size_t n);

#endif
