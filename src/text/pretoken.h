// SPDX-License-Identifier: GPL-3.0-or-later
/* Cutting text into words before byte-pair merging, which never crosses a cut. */
#ifndef ES_TEXT_PRETOKEN_H
#define ES_TEXT_PRETOKEN_H

#include <stddef.h>
#include <stdint.h>

/* A vocabulary's word pattern: where the first pieces of text end, at most `most` of them, text being
 * n < 2^32 bytes.  Returns how many; 0 only where n is 0.  Needs no state: what follows a piece is cut
 * as if the text began there. */
typedef size_t (*es_pretoken_fn)(const char *text, size_t n, uint32_t *end, size_t most);

/* GPT-2's pattern (Radford et al. 2019, encoder.py), in this order:
 *   's 't 're 've 'm 'll 'd
 *   an optional space, then letters;  … then numbers;  … then anything but white space, letters, numbers
 *   white space; its last character is left to the next piece, unless the text ends here
 *   other white space
 * A character is a well-formed UTF-8 sequence; every other byte is one of class "other". */
size_t es_pretoken_gpt2(const char *text, size_t n, uint32_t *end, size_t most);

/* Is there surely an end of a piece before text[at], whatever stands further before and behind?  Between
 * something and white space there is: no piece of GPT-2's pattern goes on with white space. */
int es_pretoken_gpt2_parts(const char *text, size_t n, size_t at);

#endif
