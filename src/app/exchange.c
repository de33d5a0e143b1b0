// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exchange.h"

#include <stdlib.h>
#include <string.h>

/* ---- answers, while a window is open ---- */

static void on_result(void *user, es_result *r)
{
    const es_exchange *x = user;
    x->given->result(x->given->user, r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    const es_exchange *x = user;
    x->given->error(x->given->user, err, line, len, partial);
}

static void on_note(void *user, const char *text, bool person)
{
    const es_exchange *x = user;
    x->given->note(x->given->user, text, person);
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    es_exchange *x = user;
    x->given->progress(x->given->user, what, done, total);
    if (es_exchange_window(x))
        x->viewer->module->breathe(x->viewer);
}

static void on_print(void *user, const char *bytes, size_t n)
{
    const es_exchange *x = user;
    x->given->print(x->given->user, bytes, n);
}

void es_exchange_open(es_exchange *x, es_session *s, const es_sink *sink,
                      void (*interrupt)(void *user), void *user)
{
    *x = (es_exchange){.session = s,
                       .viewer = es_viewer_of(s),
                       .given = sink,
                       .interrupt = interrupt,
                       .user = user};
    x->sink =
        (es_sink){x, on_result, on_error, on_note, on_progress, sink->print ? on_print : NULL};
}

void es_exchange_close(es_exchange *x)
{
    es_str_free(&x->held);
}

bool es_exchange_window(const es_exchange *x)
{
    return x->viewer && x->viewer->window;
}

/* ---- gestures: lines that are run, but neither they nor their answers are shown ---- */

typedef struct quiet {
    es_exchange *exchange;
    const es_error *err;
    const char *line;
    size_t len;
} quiet;

static void say_error(void *user)
{
    const quiet *q = user;
    es_result nothing = {0};
    on_error(q->exchange, q->err, q->line, q->len, &nothing);
}

static void say_note(void *user)
{
    const quiet *q = user;
    on_note(q->exchange, q->line, false);
}

static void drop_result(void *user, es_result *r)
{
    (void)user;
    es_result_free(r);
}

static void quiet_error(void *user, const es_error *err, const char *line, size_t len,
                        es_result *partial)
{
    es_exchange *x = user;
    quiet q = {x, err, line, len};
    (void)partial;
    es_prompt_above(x->prompt, say_error, &q);
}

static void drop_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void run_quietly(es_exchange *x, const char *line, size_t len)
{
    const es_sink sink = {x, drop_result, quiet_error, drop_note, on_progress, NULL};
    es_session_run(x->session, line, len, &sink);
}

/* A line in the middle of a statement would be part of it. */
static void run_held(es_exchange *x)
{
    if (!x->held.len || es_session_waiting(x->session))
        return;
    es_str lines = x->held;
    x->held = (es_str){0};
    for (const char *line = lines.s; *line; line = strchr(line, '\n') + 1)
        run_quietly(x, line, strcspn(line, "\n"));
    es_str_free(&lines);
}

/* ---- messages ---- */

static void type(es_exchange *x, const char *keys, size_t len)
{
    if (len == 1 && *keys == '\003')
        x->interrupt(x->user);
    else
        es_prompt_type(x->prompt, keys, len);
}

static void run_gesture(es_exchange *x, const char *line, size_t len)
{
    es_str_bytes(&x->held, line, len);
    es_str_char(&x->held, '\n');
    run_held(x);
}

/* F1 to F10: the view is drawn in the window, or here. */
static void show_view(es_exchange *x, const char *key)
{
    const es_view_kind *kind = x->viewer ? es_view_kind_at(atoi(key + 1) - 1) : NULL;
    es_str line = {0};
    if (!kind)
        return;
    es_str_add(&line, ":show %s", kind->name);
    if (es_exchange_window(x))
        run_gesture(x, line.s, line.len);
    else if (!es_session_waiting(x->session))
        es_prompt_run(x->prompt, line.s, line.len);
    es_str_free(&line);
}

static void act(es_exchange *x, es_message kind, const char *bytes, size_t len)
{
    switch (kind) {
    case ES_MESSAGE_INSERT: es_prompt_insert(x->prompt, bytes, len); break;
    case ES_MESSAGE_TYPE: type(x, bytes, len); break;
    case ES_MESSAGE_QUIET: run_gesture(x, bytes, len); break;
    case ES_MESSAGE_KEY: show_view(x, bytes); break;
    case ES_MESSAGE_NOTE:
        es_prompt_above(x->prompt, say_note, &(quiet){x, NULL, bytes, len});
        break;
    case ES_MESSAGE_RUN:
        if (!es_session_waiting(x->session))
            es_prompt_run(x->prompt, bytes, len);
        break;
    }
}

/* ---- the line as it stands ---- */

static bool put(es_str *to, const char *bytes, size_t len)
{
    if (to->len == len && !memcmp(es_str_text(to), bytes, len))
        return false;
    es_str_cut(to, 0);
    es_str_bytes(to, bytes, len);
    return true;
}

static void tell_window(es_exchange *x, const char *line, size_t len)
{
    es_viewer *v = x->viewer;
    es_str prompt = {0};
    size_t cursor = es_prompt_cursor(x->prompt);
    es_session_prompt(x->session, &prompt);
    bool changed = put(&v->prompt, es_str_text(&prompt), prompt.len);
    changed = put(&v->line, line, len) || changed || cursor != v->cursor ||
              v->stamp != es_session_stamp(x->session);
    v->cursor = cursor;
    if (changed && v->window)
        v->module->changed(v->window);
    es_str_free(&prompt);
}

void es_exchange_turn(es_exchange *x, const bool *done)
{
    es_message kind;
    es_str bytes = {0};
    size_t len;
    run_held(x);
    while (!*done && es_session_take(x->session, &kind, &bytes))
        act(x, kind, es_str_text(&bytes), bytes.len);
    es_str_free(&bytes);
    if (*done)
        return;
    const char *line = es_prompt_line(x->prompt, &len);
    es_session_preview(x->session, line, len);
    if (x->viewer)
        tell_window(x, line, len);
}

unsigned es_exchange_wait(es_exchange *x, const int *fd, int n, int milliseconds)
{
    return x->viewer->module->wait(x->viewer, fd, n, milliseconds);
}
