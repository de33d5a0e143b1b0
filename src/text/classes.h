// SPDX-License-Identifier: GPL-3.0-or-later
/* The classes of characters that GPT-2's word pattern asks about, by Unicode 16. */
#ifndef ES_TEXT_CLASSES_H
#define ES_TEXT_CLASSES_H

#include <stdint.h>

typedef enum es_class {
    ES_CLASS_OTHER,  /* marks, punctuation, symbols, controls, unassigned; bytes that are no text */
    ES_CLASS_LETTER, /* \p{L} */
    ES_CLASS_NUMBER, /* \p{N} */
    ES_CLASS_SPACE   /* White_Space: U+0085 is, U+FEFF and U+180E are not */
} es_class;

/* cp is at most U+10FFFF. */
es_class es_class_of(uint32_t cp);

#endif
