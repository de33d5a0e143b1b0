// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson that is played over the session: which lines are its own, and what it sets aside. */
#include <string.h>

#include "session/state.h"
#include "session/statement.h"

void es_session_set_teacher(es_session *s, const es_teacher *t)
{
    s->teacher = t;
}

const es_teacher *es_session_teacher(const es_session *s)
{
    return s->teacher;
}

bool es_session_taught(const es_session *s)
{
    es_str name = {0};
    if (s->teacher)
        s->teacher->prompt(s->teacher->user, &name);
    bool on = name.len > 0;
    es_str_free(&name);
    return on;
}

/* Lines of files that run each other, and of the startup file, are nobody's answers. */
static bool listens(const es_session *s)
{
    return s->teacher && s->depth == 0 && !s->starting;
}

/* In the middle of a paste of several lines what is half-way takes them all. */
bool es_session_teaches(const es_session *s, const char *line, size_t len)
{
    bool half_way = es_session_waiting(s) || s->stepper;
    return listens(s) && len && line[0] == ':' && !(half_way && s->paste != ES_TYPED) &&
           s->teacher->commands(s->teacher->user, line, len);
}

bool es_teacher_takes(es_session *s, const char *line, size_t len, const es_sink *sink,
                      es_outcome *o)
{
    return listens(s) && !es_session_waiting(s) && !s->stepper &&
           s->teacher->takes(s->teacher->user, line, len, sink, o);
}

void es_teacher_ran(es_session *s, const char *line, size_t len, es_outcome o, const es_sink *sink)
{
    if (listens(s) && o != ES_QUIT)
        s->teacher->ran(s->teacher->user, line, len, o, sink);
}

/* ---- what is half-way ---- */

void es_teacher_put_aside(es_session *s)
{
    s->aside = (struct es_aside){s->statement, s->collecting, s->collected};
    s->statement = (es_statement){0};
    s->collecting = NULL;
    s->collected = (es_str){0};
}

void es_teacher_put_back(es_session *s)
{
    if (!s->aside.statement.source.len && !s->aside.collecting) {
        es_str_free(&s->aside.statement.ended); /* errors quote what ran last */
        return;
    }
    es_str_free(&s->statement.ended);
    s->statement = s->aside.statement;
    s->collecting = s->aside.collecting;
    s->collected = s->aside.collected;
    s->aside = (struct es_aside){0};
}

void es_teacher_forget_aside(es_session *s)
{
    es_statement_drop(&s->aside.statement);
    es_str_free(&s->aside.collected);
    s->aside.collecting = NULL;
}

/* ---- what is set aside for a whole lesson ---- */

es_ground es_session_ground(const es_session *s)
{
    return (es_ground){.tensor = s->tensor,
                       .model = es_model_ref(s->model),
                       .positions = s->context->layer.positions,
                       .text = s->text ? es_text_ref(s->text) : NULL};
}

void es_session_put_ground(es_session *s, const es_ground *g)
{
    es_session_set_tensor(s, g->tensor);
    if (g->model && g->model != s->model)
        es_session_use_model(s, es_model_ref(g->model));
    if (g->text || s->text)
        es_session_keep(s, g->text ? es_text_ref(g->text) : NULL);
    if (g->positions != s->context->layer.positions)
        es_session_set_positions(s, g->positions);
}

void es_ground_free(es_ground *g)
{
    es_model_unref(g->model);
    es_text_unref(g->text);
    *g = (es_ground){0};
}

uint64_t es_session_seed(const es_session *s)
{
    return s->seed;
}
