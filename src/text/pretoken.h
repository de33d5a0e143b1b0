// SPDX-License-Identifier: GPL-3.0-or-later
/* Cutting text into words before byte-pair merging, which never crosses a cut. */
#ifndef ES_TEXT_PRETOKEN_H
#define ES_TEXT_PRETOKEN_H

#include <stddef.h>

/* A vocabulary's word pattern: the length in bytes of the first piece of text, n > 0 bytes.  Needs
 * no state: what follows a piece is cut as if the text began there. */
typedef size_t (*es_pretoken_fn)(const char *text, size_t n);

/* GPT-2's pattern (Radford et al. 2019, encoder.py), in this order:
 *   's 't 're 've 'm 'll 'd
 *   an optional space, then letters;  … then numbers;  … then anything but white space, letters, numbers
 *   white space; its last character is left to the next piece, unless the text ends here
 *   other white space
 * A character is a well-formed UTF-8 sequence; every other byte is one of class "other". */
size_t es_pretoken_gpt2(const char *text, size_t n);

#endif
