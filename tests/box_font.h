// SPDX-License-Identifier: GPL-3.0-or-later
/* A font for tests, the same on every machine: a character is a pattern of boxes made from its number, 0.6 em wide
 * (1.2 where a terminal takes two columns, nothing for marks) and 0.7 em high; pictographs have colours. */
#ifndef ES_TESTS_BOX_FONT_H
#define ES_TESTS_BOX_FONT_H

#include "view/font.h"

#define BOX_FONT_ADVANCE 0.6f  /* of a column, in em */
#define BOX_FONT_RISE    0.7f  /* letters above the baseline, in em */
#define BOX_FONT_MIDDLE  0.35f /* of the letters above the baseline, in em */
#define BOX_FONT_HEIGHT  1.25f /* from line to line, in em */

/* Free with es_font_free. */
es_font *box_font(void);

#endif
