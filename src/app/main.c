// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope: options, then lines from a person, a script or the command line. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bulk.h"
#include "app/doctor.h"
#include "app/extract.h"
#include "app/lesson.h"
#include "app/loop.h"
#include "app/options.h"
#include "app/plot.h"
#include "app/signals.h"
#include "app/status.h"
#include "app/train.h"
#include "base/message.h"
#include "base/utf8.h"
#include "lesson/player.h"
#include "repl/cmd_repl.h"
#include "repl/output.h"
#include "repl/prompt.h"
#include "repl/script.h"
#include "session/commands.h"
#include "session/model_notes.h"
#include "session/results.h"
#include "view/viewer.h"

static int fail(es_output *out, es_error *err, int status)
{
    es_output_error(out, err);
    es_error_free(err);
    return status;
}

static void print_text(void (*fill)(es_str *out))
{
    es_str text = {0};
    fill(&text);
    fputs(es_str_text(&text), stdout);
    es_str_free(&text);
}

static void version(es_str *out)
{
    es_str_add(out, "embedscope %s\n", ES_VERSION);
}

/* The same, and what it was built with. */
static void versions(es_str *out)
{
    version(out);
    es_str_add(out, "products  %s\n", es_backend_at(0)->about);
    es_str_add(out, "prompt    %s\n", es_prompt_library());
    es_str_add(out, "unicode   %s\n", es_utf8_library());
}

/* ---- lines ---- */

/* One -c, -e or -f; its exit status, ES_STATUS_OK too after :quit, which sets *quit. */
static int run_action(es_session *s, const es_action *a, es_output *out, const es_sink *sink,
                      bool *quit)
{
    es_error err = ES_ERROR_NONE;
    es_outcome o;
    if (a->kind == 'f')
        o = es_script_run_file(s, a->value, sink, &err);
    else if (a->kind == 'e')
        o = es_session_statement(s, a->value, strlen(a->value), sink);
    else
        o = es_session_run(s, a->value, strlen(a->value), sink);
    if (err.code != ES_OK)
        return fail(out, &err, ES_STATUS_UNREADABLE);
    *quit = o == ES_QUIT;
    return o == ES_FAILED ? ES_STATUS_FAILED : ES_STATUS_OK;
}

static int run_actions(es_session *s, const es_options *o, es_output *out, const es_sink *sink)
{
    int status = ES_STATUS_OK;
    bool quit = false;
    for (size_t i = 0; i < o->n_actions && !quit; i++) {
        int one = run_action(s, &o->action[i], out, sink, &quit);
        status = one > status ? one : status;
        if ((one && !o->keep_going) || es_session_interrupted(s) || out->broken)
            break;
    }
    if (!quit && es_session_end(s, sink) == ES_FAILED && status == ES_STATUS_OK)
        status = ES_STATUS_FAILED;
    return status;
}

static int run_doctor(es_session *s, const es_sink *sink)
{
    return es_session_run(s, ":doctor", 7, sink) == ES_FAILED ? ES_STATUS_FAILED : ES_STATUS_OK;
}

static void banner(const es_output *out)
{
    const es_context *c = es_session_context(out->session);
    es_style style = es_output_style(out);
    es_str text = {0};
    es_flow f = es_flow_start(&text, " · ", &style);
    es_flow_item(&f, "embedscope %s", ES_VERSION);
    es_flow_item(&f, "model %s, %s", c->model->name, c->model->brief);
    es_flow_item(&f, "%s", es_context_device(c));
    es_flow_end(&f);
    es_wrap(&text,
            es_session_tensor(out->session)
                ? "Type a PyTorch statement, or a sentence in quotes, and press Enter. :help lists "
                  "the commands, :quit leaves."
                : "Type a sentence and press Enter. :lesson is a course, :help lists the commands.",
            0, &style);
    fputs(text.s, stdout);
    fflush(stdout);
    es_str_free(&text);
}

/* The startup file: what fails in it is said, and the prompt comes all the same. */
static es_outcome run_startup(es_session *s, es_output *out, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_outcome o = es_script_run_startup(s, sink, &err);
    if (err.code != ES_OK)
        fail(out, &err, ES_STATUS_FAILED);
    return o;
}

/* The line with which the prompt, or the lines of a pipe, begin. */
static void run_first(es_session *s, const es_str *first, const es_sink *sink)
{
    if (first->len)
        es_session_run(s, first->s, first->len, sink);
}

static int run_lines(es_session *s, const es_options *o, es_output *out, bool person,
                     const es_str *first)
{
    const es_sink sink = es_output_sink(out);
    int status;
    if (person) {
        if (!o->norc && run_startup(s, out, &sink) == ES_QUIT)
            return ES_STATUS_OK;
        if (!o->quiet && !o->json)
            banner(out);
        es_note_model(s, &sink);
        run_first(s, first, &sink);
        return es_loop_run(s, &sink);
    }
    es_signals_catch_interrupt();
    if (!o->json)
        es_session_set_wait(s, es_loop_pause, NULL);
    es_note_model(s, &sink);
    run_first(s, first, &sink);
    if (o->verb == ES_VERB_DOCTOR)
        status = run_doctor(s, &sink);
    else if (o->n_actions)
        status = run_actions(s, o, out, &sink);
    else
        status = es_script_run(s, STDIN_FILENO, "stdin", &sink) == ES_FAILED ? ES_STATUS_FAILED
                                                                             : ES_STATUS_OK;
    if (es_session_interrupted(s))
        return ES_STATUS_INTERRUPTED;
    return status == ES_STATUS_OK && (out->failed || out->broken) ? ES_STATUS_FAILED : status;
}

/* ---- the session ---- */

static int run_session(es_options *o, es_output *out)
{
    es_error err = ES_ERROR_NONE;
    es_str path = {0};
    bool prompts = o->verb == ES_VERB_PROMPT || o->verb == ES_VERB_LESSON;
    bool person = prompts && !o->n_actions && isatty(STDIN_FILENO);
    out->person = person;
    out->before = &o->session.settings;
    o->session.person = person;
    o->session.interrupt = es_signals_interrupt();
    if (person)
        o->session.lines_before = (int)es_history_saved(&path);
    es_str_free(&path);
    es_session *s = es_session_new(&o->session, &err);
    bool device = err.code == ES_ERR_BACKEND || (err.code == ES_ERR_NOMEM && o->session.device);
    if (!s && device && person) { /* somebody is there to read why: go on */
        es_output_error(out, &err);
        es_error_free(&err);
        o->session.device = "cpu";
        s = es_session_new(&o->session, &err);
    }
    if (!s)
        return fail(out, &err, es_status_of_session(&err, o->session.device));
    es_add_repl_commands(s);
    es_add_doctor(s);
    es_viewer *v = es_viewer_new(s);
    v->seed = o->session.seed;
    es_player *player = es_player_new(s);
    es_str first = {0};
    out->session = s;
    bool begun = o->verb != ES_VERB_LESSON ||
                 es_lesson_line(&first, player, o->n_files ? o->file[0] : NULL, &err);
    int status =
        begun ? run_lines(s, o, out, person, &first) : fail(out, &err, ES_STATUS_UNREADABLE);
    out->session = NULL;
    es_player_free(player);
    es_str_free(&first);
    es_viewer_free(v);
    es_session_free(s);
    return status;
}

static int run(es_options *o, es_output *out)
{
    es_error err = ES_ERROR_NONE;
    int status;
    switch (o->verb) {
    case ES_VERB_HELP: print_text(es_options_help); return ES_STATUS_OK;
    case ES_VERB_VERSION: print_text(o->verbose ? versions : version); return ES_STATUS_OK;
    case ES_VERB_ENCODE: status = es_bulk_encode(o, &err); break;
    case ES_VERB_DECODE: status = es_bulk_decode(o, &err); break;
    case ES_VERB_EXTRACT: status = es_extract(o, &err); break;
    case ES_VERB_TRAIN: status = es_train(o, &err); break;
    case ES_VERB_PLOT: status = es_plot(o, out, &err); break;
    case ES_VERB_LESSON:
        if (!es_lesson_asked(o))
            return run_session(o, out);
        status = es_lesson_verb(o, out, &err);
        break;
    default: return run_session(o, out);
    }
    return err.code == ES_OK ? status : fail(out, &err, status);
}

/* A program started without standard input, output or error must not have a file of its own take the
 * place: fill it with one that fails as a closed one does. */
static void keep_places(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_places();
    es_error err = ES_ERROR_NONE;
    es_options o;
    es_output out = {0};
    if (!es_options_parse(&o, argc, argv, &err)) {
        es_options_free(&o);
        return fail(&out, &err, ES_STATUS_USAGE);
    }
    if (!o.json)
        es_messages_begin();
    out.json = o.json;
    out.values = o.values;
    int status = run(&o, &out);
    es_options_free(&o);
    if (fclose(stdout) && status == ES_STATUS_OK && !out.broken) {
        fprintf(stderr, "error[io]: cannot write to standard output: %s\n", strerror(errno));
        status = ES_STATUS_FAILED;
    }
    return status;
}
