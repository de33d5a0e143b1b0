// SPDX-License-Identifier: GPL-3.0-or-later
/* Error texts as they are met in the wild, of several versions, and what :why makes of each. */
#ifndef ES_TESTS_WHY_TEXTS_H
#define ES_TESTS_WHY_TEXTS_H

typedef struct why_text {
    const char *text;
    const char *operation; /* as it begins */
    const char *numbers;   /* "5: size of a; 4: size of b": each as its meaning begins */
} why_text;

extern const why_text why_texts[]; /* ends with text NULL */

#endif
