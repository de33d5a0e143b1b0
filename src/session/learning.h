// SPDX-License-Identifier: GPL-3.0-or-later
/* What :train has running, and the model it left behind. */
#ifndef ES_SESSION_LEARNING_H
#define ES_SESSION_LEARNING_H

#include "session/session.h"
#include "session/training.h"

typedef struct es_learning {
    es_training *run; /* in the background; NULL: nothing is */
    es_job *job;
    int wake;          /* a byte is written there at its end; -1: lines wait for what they train */
    es_model *trained; /* what was learned, until :reset; NULL: nothing yet */
    es_model *before;  /* the model that began from, */
    int64_t steps;     /* so many steps ago */
} es_learning;

/* Run the training (taken over) in the background where a prompt waits for keys, else to its end, and answer. */
bool es_learning_start(es_call *call, es_training *t, es_error *err);

/* End what runs after its step, wait for it, and answer.  ES_ERR_VALUE: nothing runs. */
bool es_learning_stop(es_call *call, es_error *err);

/* "step 45 of 300, loss 6.21"; false: nothing runs. */
bool es_learning_progress(const es_session *s, es_str *out);

/* Stop what runs and go back to the model before, for :reset. */
void es_learning_reset(es_session *s);
void es_learning_free(es_session *s);

#endif
