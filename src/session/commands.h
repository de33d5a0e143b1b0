// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands this layer brings, by subject. */
#ifndef ES_SESSION_COMMANDS_H
#define ES_SESSION_COMMANDS_H

#include "session/session.h"

/* Register all of them. */
void es_add_session_commands(es_session *s);

/* A table and its length, from each cmd_*.c. */
const es_command *es_text_commands(
    size_t *n); /* tokens merges decode text repeat file paste batch */
const es_command *es_vector_commands(size_t *n);     /* row shapes positions */
const es_command *es_compare_commands(size_t *n);    /* cosine onehot concat */
const es_command *es_settings_commands(size_t *n);   /* set time reset quit */
const es_command *es_help_commands(size_t *n);       /* help */
const es_command *es_transcript_commands(size_t *n); /* transcript */
const es_command *es_near_commands(size_t *n);       /* near */
const es_command *es_train_commands(size_t *n);      /* train */
const es_command *es_contexts_commands(size_t *n);   /* contexts */
const es_command *es_predict_commands(size_t *n);    /* predict */
const es_command *es_vocab_commands(size_t *n);      /* find vocab */
const es_command *es_model_commands(size_t *n);      /* model */
const es_command *es_device_commands(size_t *n);     /* device */
const es_command *es_why_commands(size_t *n);        /* why */
const es_command *es_tensor_commands(size_t *n);     /* tensor type vars dims dim */
const es_command *es_step_commands(size_t *n);       /* step trace */

#endif
