// SPDX-License-Identifier: GPL-3.0-or-later
/* What `:set` and the command line can change about how things are read and shown. */
#ifndef ES_SESSION_SETTINGS_H
#define ES_SESSION_SETTINGS_H

#include <stdint.h>

#include "base/str.h"

typedef enum es_choice { ES_AUTO, ES_ALWAYS, ES_NEVER } es_choice;

/* Who gave a setting its value; the command line has the last word over the startup file. */
typedef enum es_origin {
    ES_FROM_DEFAULT,
    ES_FROM_STARTUP_FILE,
    ES_FROM_COMMAND_LINE,
    ES_FROM_TYPING
} es_origin;

enum { ES_MAX_SETTINGS = 24, ES_FULL_DIGITS = 9 /* enough to tell any two float32 apart */ };

typedef struct es_settings {
    es_choice colour; /* auto: on a terminal that wants it */
    bool plain;
    bool big;   /* for a projector: at most ES_BIG_WIDTH columns, strong colours, less at once */
    int digits; /* of the numbers of a vector; 0: as many as fit the answer's layout */
    es_choice pager;     /* auto: for answers longer than the screen */
    bool still;          /* nothing moves: progress is said once */
    const char *palette; /* of pictures: NULL: the first there is */
    int width;           /* columns; 0: the terminal's, else 80 */
    bool quoted;         /* spaces in tokens as "…" instead of ␣ */
    bool special;        /* <|endoftext|> in a text is the one token */
    int32_t pad;         /* the id that fills short rows of a batch; -1: <|endoftext|> */
    bool pad_left;
    bool strict;      /* tensor mode: axes of different names do not meet, not even at equal size */
    bool shapes_only; /* tensor mode: nothing is computed, tensors have no numbers */
    unsigned char origin[ES_MAX_SETTINGS]; /* of the i-th setting, an es_origin */
} es_settings;

typedef struct es_setting {
    const char *name;    /* "color" */
    const char *choices; /* "auto always never"; a word in capitals stands for what is wanted */
    const char *help;
    void (*get)(const es_settings *s, es_str *value);
    bool (*set)(es_settings *s, const char *value); /* false: not a value */
} es_setting;

/* The i-th setting by name, or NULL. */
const es_setting *es_setting_at(size_t i);

/* Its choices as a sentence has them: "auto, always or never". */
void es_setting_choices(const es_setting *setting, es_str *out);

/* Set by name; ES_ERR_NAME or ES_ERR_VALUE says what there is.  A startup file's value is checked, and
 * then gives way to one from the command line. */
bool es_settings_set(es_settings *s, const char *name, const char *value, es_origin origin,
                     es_error *err);

const char *es_palette_of(const es_settings *s); /* "dark", "light" or "print" */

/* "default", "rc file", "option" (of the command line) or "typed". */
const char *es_origin_name(es_origin origin);

#endif
