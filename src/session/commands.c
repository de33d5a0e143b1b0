// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/commands.h"

typedef const es_command *(*table_fn)(size_t *n);

static const table_fn tables[] = {
    es_text_commands,    es_vector_commands,   es_compare_commands,    es_near_commands,
    es_vocab_commands,   es_settings_commands, es_transcript_commands, es_help_commands,
    es_model_commands,   es_why_commands,      es_tensor_commands,     es_step_commands,
    es_predict_commands, es_contexts_commands, es_train_commands,      es_device_commands,
};

void es_add_session_commands(es_session *s)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t n;
        const es_command *commands = tables[i](&n);
        es_session_add_commands(s, commands, n);
    }
}
