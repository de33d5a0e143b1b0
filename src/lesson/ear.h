// SPDX-License-Identifier: GPL-3.0-or-later
/* A sink that keeps what it hears: for lines that run quietly. */
#ifndef ES_LESSON_EAR_H
#define ES_LESSON_EAR_H

#include "session/session.h"

typedef struct es_ear {
    es_sink
        sink; /* give this to who runs the lines; valid once opened, and while the ear stays where it is */
    es_style style; /* how answers are shown */
    bool quiet;     /* nothing is shown: the error alone is kept */
    es_str shown;   /* answers, remarks, what statements print, and errors, as a reader sees them */
    es_code code;   /* of the last error; ES_OK: none */
    es_str error;   /* its message */
    es_str hint;    /* its hints, a line each */
} es_ear;

void es_ear_open(es_ear *e, const es_style *style); /* NULL: a quiet one */
void es_ear_forget(es_ear *e);                      /* what was heard */
void es_ear_close(es_ear *e);

#endif
