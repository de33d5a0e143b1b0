// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "app/exchange.h"
#include "app/status.h"
#include "repl/child.h"

enum { LOOK_BEHIND = 500 }; /* milliseconds between two looks at what goes on behind the prompt */

static atomic_bool interrupted; /* Ctrl-C: whatever runs is to stop */
static atomic_bool called;      /* a signal waits for the loop, and takes the keys along */
static int wake[2] = {-1, -1};  /* a pipe: signal numbers, and bytes of whoever wakes us */
static struct termios terminal; /* as we found it, for the handler of fatal signals */

typedef struct loop {
    es_session *session;
    es_exchange exchange; /* with the window; its sink is where answers go */
    es_prompt *prompt;
    bool done, quit;
    bool pausing; /* a file of lines waits for an empty one */
    bool stopped; /* and is not to go on */
    int deadly;   /* the signal that ends us, 0: none */
} loop;

const atomic_bool *es_loop_interrupt(void)
{
    return &interrupted;
}

int es_loop_wake_fd(void)
{
    return wake[1];
}

/* ---- signals ---- */

static void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_flags = flags};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Tell the loop; only what a signal handler may do. */
static void on_signal(int number)
{
    int before = errno;
    char byte = (char)number;
    if (number == SIGINT)
        interrupted = true;
    ssize_t n = write(wake[1], &byte, 1);
    (void)n;
    if (number != SIGWINCH && number != SIGCONT)
        called = true;
    errno = before;
}

static void on_interrupt(int number)
{
    (void)number;
    interrupted = true;
}

void es_loop_catch_interrupt(void)
{
    handle(SIGINT, on_interrupt, (int)SA_RESETHAND);
    handle(SIGXFSZ, SIG_IGN, 0); /* a file that may not grow is a write that fails, and is said */
}

void es_loop_catch_termination(void)
{
    es_loop_catch_interrupt();
    handle(SIGTERM, on_interrupt, (int)SA_RESETHAND);
    handle(SIGHUP, on_interrupt, (int)SA_RESETHAND);
}

/* An end that cannot wait must not leave the terminal without echo: give it back, then die as we would
 * have. */
static void on_fatal(int number)
{
    es_prompt_rescue();
    es_child_rescue();
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
    raise(number); /* SA_RESETHAND: the default action, once we return */
}

static void watch_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,    SIGABRT, SIGQUIT, SIGPIPE,
                                SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU};
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT};
    tcgetattr(STDIN_FILENO, &terminal);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        handle(fatal[i], on_fatal, (int)(SA_RESETHAND | SA_NODEFER));
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        handle(ours[i], on_signal, ours[i] == SIGWINCH ? SA_RESTART : 0);
}

/* While a line runs the terminal is its usual self, and these may do what they usually do. */
static void let_signals_act(bool act)
{
    static const int usual[] = {SIGTERM, SIGHUP, SIGTSTP, SIGCONT};
    handle(SIGINT, act ? on_interrupt : on_signal,
           0); /* the line sees the flag, the prompt a byte */
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        handle(usual[i], act ? SIG_DFL : on_signal, 0);
}

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
    interrupted = false;
    let_signals_act(true);
    es_outcome o = line ? es_session_run(l->session, line, len, &l->exchange.sink)
                        : es_session_end(l->session, &l->exchange.sink);
    let_signals_act(false);
    interrupted = false;
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
    let_signals_act(true);
    es_session_settle(l->session, &l->exchange.sink);
    let_signals_act(false);
    interrupted = false;
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
    handle(SIGTSTP, SIG_DFL, 0);
    raise(SIGTSTP);
    handle(SIGTSTP, on_signal, 0);
    es_prompt_continue(l->prompt);
}

/* Ctrl-C takes the half-typed line; without one it stops what goes on behind the prompt. */
static void on_ctrl_c(void *user)
{
    loop *l = user;
    size_t typed;
    bool stopped = false, busy = es_session_busy(l->session);
    interrupted = false;
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
    char bytes[64];
    for (;;) {
        called = false; /* before the read: a signal after it is for the next turn */
        ssize_t n = read(wake[0], bytes, sizeof bytes);
        if (n <= 0)
            return;
        for (ssize_t i = 0; i < n && !l->done; i++)
            act_on(l, bytes[i]);
    }
}

static bool open_wake(void)
{
    if (wake[0] >= 0)
        return true;
    if (pipe(wake))
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(wake[i], F_SETFL, O_NONBLOCK);
        fcntl(wake[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
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
                           {.fd = wake[0], .events = POLLIN}};
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
    if (!prompting)
        return;
    es_prompt_rescue();
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
}

static void begin(loop *l, const es_sink *sink)
{
    watch_signals();
    es_exchange_open(&l->exchange, l->session, sink, on_ctrl_c, l);
    l->prompt = l->exchange.prompt = es_prompt_new(l->session, sink, on_line, l, &called);
    prompting = true;
}

static void end(loop *l)
{
    prompting = false;
    es_exchange_close(&l->exchange);
    es_prompt_free(l->prompt);
}

static void die_of(int number)
{
    if (!number)
        return;
    handle(number, SIG_DFL, 0);
    raise(number);
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
    let_signals_act(false);
    l->pausing = true;
    l->stopped = false;
    es_prompt_within(l->prompt);
    while (!l->done && l->pausing)
        turn(l);
    l->pausing = false;
    let_signals_act(true);
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
    if (open_wake()) {
        begin(&l, sink);
        while (!l.done && l.pausing)
            turn(&l);
        end(&l);
        let_signals_act(true);
        es_loop_catch_interrupt();
    }
    give_terminal_back(lines);
    die_of(l.deadly);
    return after_pause(&l, err);
}

/* ---- the prompt ---- */

int es_loop_run(es_session *s, const es_sink *sink)
{
    loop l = {.session = s};
    if (!open_wake())
        return ES_STATUS_FAILED;
    atexit(on_exit_of_others);
    es_session_set_wake(s, wake[1]);
    begin(&l, sink);
    if (sink->print) /* else it is JSON for a program, which asks nothing */
        es_session_set_wait(s, pause_within, &l);
    while (!l.done)
        turn(&l);
    es_session_set_wait(s, NULL, NULL);
    es_session_cancel(s);
    es_session_set_wake(s, -1);
    end(&l);
    die_of(l.deadly);
    return ES_STATUS_OK;
}
