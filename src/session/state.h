// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_session, for the files that keep it (session.c) and run its lines (run.c, statement.c). */
#ifndef ES_SESSION_STATE_H
#define ES_SESSION_STATE_H

#include "session/devices.h"
#include "session/learning.h"
#include "session/session.h"
#include "session/tensor_mode.h"

/* A statement on its way, line by line. */
typedef struct es_statement {
    es_str source;  /* as typed, line breaks between the lines; empty: none is open */
    size_t begin;   /* where the statement begins, behind "= " or ":tensor " */
    es_mode_fn run; /* what is done with it once it is whole */
    es_input *read; /* the same from `begin` on, as far as its words go */
    bool suite;     /* it goes on as long as lines are indented; else something is open in it */
    es_source from; /* of its first line */
    es_str ended;   /* the one that ran last, for errors that quote it */
} es_statement;

typedef struct es_stepper es_stepper;

typedef struct es_queued {
    es_message kind;
    es_str bytes;
} es_queued;

struct es_session {
    es_open_devices devices;
    es_backend *be; /* one of them: where the model lives, and new tensors */
    int threads;
    es_bpe *bpe;
    char *vocab;
    es_str vocab_path; /* where its tables were found */
    es_model *model;
    es_near *near;   /* over the model's wte; made when it is asked for */
    es_boxed *boxed; /* likewise */
    es_learning learning;
    es_context *context;
    es_text *text;
    uint64_t seed, stamp;

    es_settings settings, defaults; /* defaults, first_positions: what :reset goes back to */
    es_positions first_positions;
    bool person, keep_going, starting, quit;
    es_source source;
    int depth, lines; /* lines: a person's, with those of earlier sessions */
    const atomic_bool *interrupt;

    es_command_list commands;

    es_transcript *transcript; /* NULL: none is written */

    es_str last_error; /* what PyTorch says of the last mistake it has a text for */

    es_collected_fn collecting; /* NULL: lines are run */
    es_str collected;

    bool tensor;   /* lines are statements, not text */
    es_mode *mode; /* variables and what else statements need; made when the first one runs */
    es_statement statement;
    es_stepper *stepper; /* something is stepped through, and stopped; NULL: nothing is */
    es_paste paste;      /* where the line that runs comes from */
    /* Did ">>> " come with it?  Then lines without are what Python answered, which is told once. */
    enum { ES_NO_EXAMPLE, ES_EXAMPLE, ES_EXAMPLE_TOLD } example;

    es_str preview_line;
    es_text *preview; /* made when it is asked for */

    es_wait_fn wait; /* for a person, in a pause of a file; NULL: nobody is there */
    void *waits_for;
    bool pausing;

    const es_teacher *teacher; /* borrowed; NULL: none */
    struct es_aside {          /* what is half-way, while a command of the lesson runs */
        es_statement statement;
        es_collected_fn collecting;
        es_str collected;
    } aside;

    es_queued *messages; /* to the prompt, oldest first */
    size_t n_messages;

    void *guest; /* the pictures' state, borrowed, and how they are described */
    es_recall_fn recall;
    struct es_picked {
        int32_t *ids;
        size_t n;
    } selected, found;
    float *axes; /* (axes_K, axes_C); NULL: no picture has any */
    int64_t axes_K, axes_C;
};

/* Put a model (taken over) to use, for the last text too. */
void es_session_use_model(es_session *s, es_model *m);

/* Another device: what is known of tables is forgotten, and the last text is seen anew. */
void es_session_see_anew(es_session *s);

/* ---- a lesson's part in a line (teacher.c) ---- */

/* What is half-way, put aside and back; unless es_session_abandon was called in between. */
void es_teacher_put_aside(es_session *s);
void es_teacher_put_back(es_session *s);
void es_teacher_forget_aside(es_session *s);
/* A line that nothing half-way takes: has the lesson dealt with it?  *o: how. */
bool es_teacher_takes(es_session *s, const char *line, size_t len, const es_sink *sink,
                      es_outcome *o);
/* A line has run, or ("") what was half-way has been ended. */
void es_teacher_ran(es_session *s, const char *line, size_t len, es_outcome o, const es_sink *sink);

/* call->line is a command: find it and run it (run.c). */
bool es_run_command(es_call *call, es_error *err);

#endif
