// SPDX-License-Identifier: GPL-3.0-or-later
/* The program's state between lines: what is in use, the last text, the settings, the commands.
 * Runs one line at a time and touches no terminal, file descriptor or window of its own. */
#ifndef ES_SESSION_SESSION_H
#define ES_SESSION_SESSION_H

#include "layer/near.h"
#include "session/boxed.h"
#include "session/command.h"
#include "session/job.h"
#include "session/settings.h"
#include "session/text.h"
#include "session/transcript.h"

typedef struct es_session_options {
    const char *model, *vocab, *device; /* NULL: mini, gpt2, cpu */
    const char *wte, *wpe;              /* files of one table each, as es_model_parts */
    int threads;                        /* 0: at most 4 */
    uint64_t seed;
    bool person;      /* somebody sits at a terminal: short forms, advice */
    int lines_before; /* how many lines this person has typed in earlier sessions */
    es_settings settings;
    bool tensor;                  /* begin in tensor mode */
    bool keep_going;              /* a file of lines goes on after a line that fails */
    const atomic_bool *interrupt; /* set from outside to stop long work; may be NULL */
} es_session_options;

/* Opens device, vocabulary and model.  ES_ERR_IO, ES_ERR_FORMAT, ES_ERR_NAME, ES_ERR_VALUE,
 * ES_ERR_BACKEND, ES_ERR_UNSUPPORTED.  Free with es_session_free. */
es_session *es_session_new(const es_session_options *options, es_error *err);
/* Another one beside it, in tensor mode: the same vocabulary, device, settings and seed, the same model where it has a
 * name or a file; one thread, nobody at a terminal, no transcript, this layer's commands only.  ES_ERR_IO,
 * ES_ERR_FORMAT, ES_ERR_BACKEND.  Free with es_session_free. */
es_session *es_session_like(const es_session *like, es_error *err);
void es_session_free(es_session *s); /* NULL is fine */

/* Commands of a layer above; the array lives as long as the session. */
void es_session_add_commands(es_session *s, const es_command *commands, size_t n);
const es_command_list *es_session_commands(const es_session *s); /* sorted by name */

/* Lines of the startup file run between startup(s, true) and startup(s, false): what they set is what
 * :reset goes back to. */
void es_session_startup(es_session *s, bool running);
bool es_session_starting(const es_session *s);

/* ---- running lines ---- */

typedef enum es_outcome {
    ES_DONE,   /* the line is answered, or was blank */
    ES_MORE,   /* the statement goes on in the next line */
    ES_FAILED, /* the sink has been told why */
    ES_QUIT
} es_outcome;

/* Run one line of len bytes, its line break not among them. */
es_outcome es_session_run(es_session *s, const char *line, size_t len, const es_sink *sink);

/* Run one statement, all of it: what came before on lines of its own is ended first. */
es_outcome es_session_statement(es_session *s, const char *source, size_t len, const es_sink *sink);

/* The same for a line that is part of another, as in :time LINE: the transcript has it already. */
es_outcome es_session_run_part(es_session *s, const char *line, size_t len, const es_sink *sink);

/* One statement, all of it, likewise; what is half-way stays. */
es_outcome es_session_statement_part(es_session *s, const char *source, size_t len,
                                     const es_sink *sink);

/* The input has ended: finish a statement that was waiting for more. */
es_outcome es_session_end(es_session *s, const es_sink *sink);

/* Drop a half-finished statement. */
void es_session_abandon(es_session *s);

/* Where lines come from, until the next call: in a paste an empty line ends no statement, and the last line
 * ends one that could go on. */
typedef enum es_paste { ES_TYPED, ES_PASTED, ES_PASTED_LAST } es_paste;
void es_session_set_paste(es_session *s, es_paste paste);

/* In tensor mode lines are statements; else they are text. */
bool es_session_tensor(const es_session *s);
void es_session_set_tensor(es_session *s, bool on);

/* Which line of which file is being run, for messages; name NULL: a line that was typed.  The name is
 * borrowed until the next call. */
typedef struct es_source {
    const char *name;
    size_t line;
    bool python; /* of a .py file: a string that stands alone there is a docstring, and no text */
    bool typed;  /* of a transcript: lines that a person may have typed, with short forms */
} es_source;
es_source es_session_source(const es_session *s);
void es_session_set_source(es_session *s, es_source source);

/* "text> " or "tensor> ", with every setting that changes the numbers: "text (no positions)> "; "   ...> "
 * while a statement waits for more. */
void es_session_prompt(const es_session *s, es_str *out);

/* ---- what is in use ---- */

es_context *es_session_context(const es_session *s); /* borrowed until a setting changes */
es_settings *es_session_settings(es_session *s);     /* a change holds from the next answer on */
bool es_session_person(const es_session *s);
bool es_session_collecting(const es_session *s); /* is a text being pasted? */
bool es_session_waiting(const es_session *s);    /* is that, or a statement, half-way? */
bool es_session_stepping(const es_session *s);   /* is something stepped through, and stopped? */
bool es_session_step_key(const es_session *s,
                         const char *line); /* is it one of the keys to go on with? */
bool es_session_keep_going(const es_session *s);
bool es_session_interrupted(const es_session *s);
const atomic_bool *es_session_interrupt(const es_session *s); /* may be NULL */
es_text *es_session_text(const es_session *s); /* the last text, borrowed; NULL: none yet */

/* What PyTorch, or GPT's own guard, says of the last line that failed in a way it has words for; NULL: none
 * did.  Borrowed until the next line. */
const char *es_session_last_error(const es_session *s);

/* What is typed and answered goes there as well; NULL: nowhere.  The sink adds what it prints. */
es_transcript *es_session_transcript(const es_session *s);
void es_session_set_transcript(es_session *s, es_transcript *t); /* takes t over, ends the other */

const char *es_session_vocab_path(const es_session *s); /* where the vocabulary was found */

/* The search over the model's wte, kept from query to query.  Borrowed until the model changes.
 * ES_ERR_NOMEM. */
es_near *es_session_near(es_session *s, es_error *err);

/* The text that :train learns from, encoded when it is first wanted; borrowed.  Errors as es_boxed_open. */
const es_boxed *es_session_boxed(es_session *s, es_error *err);

/* Grows with every change that a picture could show: texts, preview, positions. */
uint64_t es_session_stamp(const es_session *s);

/* ---- for commands ---- */

/* Encode texts as the settings say, off the main thread when that takes long: progress goes to the
 * sink, the interrupt flag stops it.  Free with es_text_unref. */
es_text *es_session_read(es_session *s, const char *const *bytes, const size_t *len, int64_t B,
                         const es_sink *sink, es_error *err);

/* Run fn(work) off the main thread (see session/job.h) and wait for its end: progress, called `what`, goes
 * to the sink, and the interrupt flag stops it, even just before the end (then the work may be done all
 * the same, and is the caller's). */
bool es_session_work(es_session *s, const char *what, es_job_fn fn, void *work, const es_sink *sink,
                     es_error *err);

/* Make t (taken over) the last text. */
void es_session_keep(es_session *s, es_text *t);

/* The same, and answer with it; where it has no vectors it fails as
 * es_text_guard does, the tokens in call->partial. */
bool es_session_show(es_call *call, es_text *t, es_error *err);

void es_session_set_positions(es_session *s, es_positions positions);

/* Another model by name or path, for the last text too; errors as es_model_open.  Positions stay, but
 * learned ones need a wpe: without one they are none until a model that has one comes. */
bool es_session_set_model(es_session *s, const char *name, es_error *err);

/* Where the model lives from here on, with the last text, and where new tensors are made, as torch.set_default_device has it;
 * variables stay where they are.  On failure nothing has changed.  ES_ERR_VALUE, ES_ERR_BACKEND, ES_ERR_NOMEM. */
bool es_session_set_device(es_session *s, const char *name, es_error *err);

void es_session_reset(es_session *s);
void es_session_quit(es_session *s);

/* Lines up to a lone "." go to done, joined by line breaks, instead of being run. */
typedef bool (*es_collected_fn)(es_call *call, const char *bytes, size_t len, es_error *err);
void es_session_collect(es_session *s, es_collected_fn done);

/* ---- work that goes on behind the prompt ---- */

/* :train leaves its work behind from now on, and a byte is written to fd at its end; -1: lines wait for it.
 * Returns what was set before. */
int es_session_set_wake(es_session *s, int fd);
bool es_session_busy(const es_session *s);    /* does something go on? */
bool es_session_settles(const es_session *s); /* has it ended, with something to say? */

/* Put to use what has ended, and answer with it. */
void es_session_settle(es_session *s, const es_sink *sink);

/* Stop what goes on; nothing of it is kept.  false: nothing did. */
bool es_session_cancel(es_session *s);

/* ---- for the window (session/preview.c) ---- */

/* The line as it stands before Enter; lines for which nothing can be previewed clear it. */
void es_session_preview(es_session *s, const char *line, size_t len);
es_text *es_session_preview_text(es_session *s); /* borrowed until the next preview; NULL: none */

/* The window's messages to the prompt, taken out by the loop in order. */
typedef enum es_message {
    ES_MESSAGE_INSERT, /* put these bytes into the half-typed line */
    ES_MESSAGE_RUN,    /* run this line as if it had been typed */
    ES_MESSAGE_QUIET, /* run this line and take it down, but show neither it nor its answer: a gesture's */
    ES_MESSAGE_TYPE, /* keys, as a terminal sends them */
    ES_MESSAGE_KEY,  /* "F3", of the prompt's own keyboard: it means what it means in the window */
    ES_MESSAGE_NOTE /* say this above the half-typed line: what a job behind the window has to say */
} es_message;
void es_session_post(es_session *s, es_message kind, const char *bytes, size_t len);
bool es_session_take(es_session *s, es_message *kind, es_str *bytes); /* false: none waiting */
bool es_session_has_messages(const es_session *s);

/* ---- pauses in files of lines ---- */

/* Waits for a person, with lines run meanwhile; false: err says why the file is not to go on. */
typedef bool (*es_wait_fn)(void *user, es_session *s, const es_sink *sink, es_error *err);
void es_session_set_wait(es_session *s, es_wait_fn wait, void *user); /* NULL: nobody is there */

/* Have it wait; true at once where nobody is there, or in a pause already.  Meanwhile the prompt is "pause> ", and lines are
 * a person's own. */
bool es_session_wait_for_person(es_session *s, const es_sink *sink, es_error *err);

/* ---- for lessons above (session/teacher.c) ---- */

/* Who plays a lesson over this session.  Lines of files that run each other are not told. */
typedef struct es_teacher {
    void *user;
    /* Appends "L3.4", with which the prompt begins then; nothing: no lesson is on. */
    void (*prompt)(void *user, es_str *out);
    /* Is the line one of the lesson's commands, to be run at once, in whatever state the prompt is (a statement or a
     * text half-way, an open quote, a step)?  What is half-way stays. */
    bool (*commands)(void *user, const char *line, size_t len);
    /* A line that nothing half-way takes: is it the lesson's, as an answer or as Enter alone?  Then it is dealt with, *o says how. */
    bool (*takes)(void *user, const char *line, size_t len, const es_sink *sink, es_outcome *o);
    /* A line has run; ES_MORE: it is part of what is half-way. */
    void (*ran)(void *user, const char *line, size_t len, es_outcome o, const es_sink *sink);
    /* Appends a lesson that is about a name of :help. */
    void (*about)(void *user, const char *name, es_str *out);
} es_teacher;
void es_session_set_teacher(es_session *s, const es_teacher *t); /* borrowed; NULL: none */
const es_teacher *es_session_teacher(const es_session *s);

/* Is a lesson on? */
bool es_session_taught(const es_session *s);
/* Is the line, as it stands now, a command of the lesson's that runs at once, whatever is half-way? */
bool es_session_teaches(const es_session *s, const char *line, size_t len);

/* What a lesson sets aside beside the variables: mode, model, positions, last text. */
typedef struct es_ground {
    bool tensor;
    es_model *model; /* one reference; NULL: the one in use stays */
    es_positions positions;
    es_text *text; /* one reference; NULL: none */
} es_ground;
es_ground es_session_ground(const es_session *s);
void es_session_put_ground(es_session *s, const es_ground *g);
void es_ground_free(es_ground *g);
uint64_t es_session_seed(const es_session *s); /* the one that was asked for, else 0 */

/* ---- for the pictures above (session/guest.c) ---- */

/* The state of the pictures, which this layer does not know; borrowed.  NULL: there are none.  recall appends the lines
 * that bring pictures as they are at the start to where they are now, each with its line break: nothing where they are
 * there. */
typedef void (*es_recall_fn)(const void *guest, es_str *lines);
void es_session_set_guest(es_session *s, void *guest, es_recall_fn recall);
void *es_session_guest(const es_session *s);

/* The lines that bring a session as it is at the start to these pictures: settings that were typed, positions, the last
 * text, and what recall says.  Nothing where the pictures are as at the start.  What was found or selected is not among
 * them. */
void es_session_recall(es_session *s, es_str *lines);

/* Something that only the pictures know of has changed: the stamp grows. */
void es_session_touch(es_session *s);

/* Tokens that were picked out, `sel` in tensor mode, and those that :find found last: ids, in order.  Copied; borrowed
 * until the next change.  The stamp grows. */
void es_session_select(es_session *s, const int32_t *ids, size_t n);
const int32_t *es_session_selection(const es_session *s, size_t *n);
void es_session_set_found(es_session *s, const int32_t *ids, size_t n);
const int32_t *es_session_found(const es_session *s, size_t *n);

/* The axes of the picture that is shown, `axes` in tensor mode: rows of C numbers, (K, C), float32.  Copied. */
void es_session_set_axes(es_session *s, const float *axes, int64_t K, int64_t C);
const float *es_session_axes(const es_session *s, int64_t *K, int64_t *C); /* NULL: none */

#endif
