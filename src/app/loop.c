// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/exchange.h"
#include "app/signals.h"
#include "app/status.h"

enum { LOOK_BEHIND = 500 }; /* milliseconds between two looks at what goes on behind the prompt */

typedef struct loop {
    es_session *session;
    es_exchange exchange; /* with the window; its sink is where answers go */
    es_prompt *prompt;
    bool done, quit;
    bool pausing; /* a file of lines waits for an empty one */
    bool stopped; /* and is not to go on */
    int deadly;   /* the signal that ends us, 0: none */
} loop;

/* ---- lines and keys ---- */

/* Enter alone, or the end of input, where nothing half-way takes it. */
static bool ends_pause(const loop *l, const char *line, size_t len)
{
    return l->pausing && (!line || !len) && !es_session_waiting(l->session) &&
           !es_session_stepping(l->session);
}

static bool on_line(void *user, const char *line, size_t len)
{
    loop *l = user;
    bool ended_a_paste =
        !line && (es_session_waiting(l->session) || es_session_stepping(l->session));
    if (ends_pause(l, line, len)) {
        l->pausing = false;
        return false;
    }
    es_signals_forget_interrupt();
    es_signals_let_act(true);
    es_outcome o = line ? es_session_run(l->session, line, len, &l->exchange.sink)
                        : es_session_end(l->session, &l->exchange.sink);
    es_signals_let_act(false);
    es_signals_forget_interrupt();
    l->quit = l->quit || o == ES_QUIT;
    l->done = l->done || l->quit || (!line && !ended_a_paste);
    return !l->done;
}

/* ---- work behind the prompt ---- */

static void note(const loop *l, const char *text, bool person)
{
    l->exchange.sink.note(l->exchange.sink.user, text, person);
}

static void say_stopped(void *user)
{
    note(user, "the training is stopped by Ctrl-C, and nothing of it is kept", false);
}

static void say_going_on(void *user)
{
    note(user, "the training goes on; Ctrl-C on an empty line stops it", true);
}

static void settle(void *user)
{
    loop *l = user;
    es_signals_let_act(true);
    es_session_settle(l->session, &l->exchange.sink);
    es_signals_let_act(false);
    es_signals_forget_interrupt();
}

/* What has ended is told above the line that is being typed; what goes on is in the prompt. */
static void look_behind(loop *l)
{
    if (es_session_settles(l->session))
        es_prompt_above(l->prompt, settle, l);
    else if (es_session_busy(l->session))
        es_prompt_refresh(l->prompt);
}

/* ---- signals that came ---- */

static void stop_and_continue(loop *l)
{
    es_prompt_stop(l->prompt);
    es_signals_stop();
    es_prompt_continue(l->prompt);
}

/* Ctrl-C takes the half-typed line; without one it stops what goes on behind the prompt. */
static void on_ctrl_c(void *user)
{
    loop *l = user;
    size_t typed;
    bool stopped = false, busy = es_session_busy(l->session);
    es_signals_forget_interrupt();
    es_prompt_line(l->prompt, &typed);
    if (l->pausing && !typed && !es_session_waiting(l->session) &&
        !es_session_stepping(l->session)) {
        l->stopped = true;
        l->pausing = false;
        return;
    }
    if (busy && !typed)
        stopped = es_session_cancel(l->session);
    es_prompt_interrupt(l->prompt);
    if (stopped)
        es_prompt_above(l->prompt, say_stopped, l);
    else if (busy)
        es_prompt_above(l->prompt, say_going_on, l);
}

static void act_on(loop *l, int number)
{
    switch (number) {
    case SIGINT: on_ctrl_c(l); break;
    case SIGWINCH: es_prompt_resize(l->prompt); break;
    case SIGTSTP: stop_and_continue(l); break;
    case SIGTERM:
    case SIGHUP:
        l->deadly = number;
        l->done = true;
        break;
    default: break; /* SIGCONT from outside, a job's wake-up */
    }
}

static void drain_wake(loop *l)
{
    char numbers[64];
    for (size_t n; (n = es_signals_read(numbers, sizeof numbers)) > 0;)
        for (size_t i = 0; i < n && !l->done; i++)
            act_on(l, numbers[i]);
}

/* Wait for keys, and for whoever wakes us. */
static void wait_for(loop *l, struct pollfd fds[2], int milliseconds)
{
    const int fd[] = {fds[0].fd, fds[1].fd};
    unsigned ready;
    if (!es_exchange_window(&l->exchange)) {
        l->done = poll(fds, 2, milliseconds) < 0 && errno != EINTR;
        return;
    }
    ready = es_exchange_wait(&l->exchange, fd, 2, milliseconds);
    if (ready && poll(fds, 2, 0) < 0) /* what came, and how */
        l->done = errno != EINTR;
}

static void turn(loop *l)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = es_signals_fd(), .events = POLLIN}};
    wait_for(l, fds, es_session_busy(l->session) ? LOOK_BEHIND : -1);
    if (l->done)
        return;
    if (fds[1].revents)
        drain_wake(l); /* the keys may be gone: poll again */
    else if (fds[0].revents & POLLIN)
        es_prompt_read(l->prompt);
    else if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
        l->done = true; /* the terminal is gone */
    if (!l->done)
        es_exchange_turn(&l->exchange, &l->done);
    if (!l->done)
        look_behind(l);
}

/* A library that ends the program (Xlib, when its display dies) must not leave the terminal without echo. */
static bool prompting;

static void on_exit_of_others(void)
{
    if (prompting)
        es_signals_rescue();
}

static void begin(loop *l, const es_sink *sink)
{
    es_signals_watch();
    es_exchange_open(&l->exchange, l->session, sink, on_ctrl_c, l);
    l->prompt = l->exchange.prompt =
        es_prompt_new(l->session, sink, on_line, l, es_signals_called());
    prompting = true;
}

static void end(loop *l)
{
    prompting = false;
    es_exchange_close(&l->exchange);
    es_prompt_free(l->prompt);
}

/* ---- a pause in a file of lines ---- */

static bool after_pause(const loop *l, es_error *err)
{
    if (l->stopped)
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    if (l->done && !l->quit)
        return es_fail(err, ES_ERR_IO, "the terminal is gone");
    return true;
}

/* The file was run at the prompt, which takes the questions as well. */
static bool pause_within(void *user, es_session *s, const es_sink *sink, es_error *err)
{
    loop *l = user;
    (void)s;
    (void)sink;
    es_signals_let_act(false);
    l->pausing = true;
    l->stopped = false;
    es_prompt_within(l->prompt);
    while (!l->done && l->pausing)
        turn(l);
    l->pausing = false;
    es_signals_let_act(true);
    return after_pause(l, err);
}

/* Standard input becomes the terminal for a while; -1: it is one.  False: there is none. */
static bool take_terminal(int *lines)
{
    *lines = -1;
    if (isatty(STDIN_FILENO))
        return true;
    int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (tty < 0)
        return false;
    *lines = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    bool ok = *lines >= 0 && dup2(tty, STDIN_FILENO) == STDIN_FILENO;
    close(tty);
    return ok;
}

static void give_terminal_back(int lines)
{
    if (lines < 0)
        return;
    dup2(lines, STDIN_FILENO);
    close(lines);
}

bool es_loop_pause(void *user, es_session *s, const es_sink *sink, es_error *err)
{
    loop l = {.session = s, .pausing = true};
    int lines;
    (void)user;
    if (!isatty(STDOUT_FILENO) || !take_terminal(&lines))
        return true;
    if (es_signals_open()) {
        begin(&l, sink);
        while (!l.done && l.pausing)
            turn(&l);
        end(&l);
        es_signals_let_act(true);
        es_signals_catch_interrupt();
    }
    give_terminal_back(lines);
    es_signals_die_of(l.deadly);
    return after_pause(&l, err);
}

/* ---- the prompt ---- */

int es_loop_run(es_session *s, const es_sink *sink)
{
    loop l = {.session = s};
    if (!es_signals_open())
        return ES_STATUS_FAILED;
    atexit(on_exit_of_others);
    es_session_set_wake(s, es_signals_wake_fd());
    begin(&l, sink);
    if (sink->print) /* else it is JSON for a program, which asks nothing */
        es_session_set_wait(s, pause_within, &l);
    while (!l.done)
        turn(&l);
    es_session_set_wait(s, NULL, NULL);
    es_session_cancel(s);
    es_session_set_wake(s, -1);
    end(&l);
    es_signals_die_of(l.deadly);
    return ES_STATUS_OK;
}
