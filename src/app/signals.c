// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "repl/child.h"
#include "repl/prompt.h"

static atomic_bool interrupted; /* Ctrl-C: whatever runs is to stop */
static atomic_bool called;      /* a signal waits for the loop, and takes the keys along */
static int wake[2] = {-1, -1};  /* a pipe: signal numbers, and bytes of whoever wakes us */
static struct termios terminal; /* as we found it, for the handler of fatal signals */

const atomic_bool *es_signals_interrupt(void)
{
    return &interrupted;
}

void es_signals_forget_interrupt(void)
{
    interrupted = false;
}

const atomic_bool *es_signals_called(void)
{
    return &called;
}

/* ---- the pipe ---- */

bool es_signals_open(void)
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

int es_signals_fd(void)
{
    return wake[0];
}

int es_signals_wake_fd(void)
{
    return wake[1];
}

size_t es_signals_read(char *numbers, size_t n)
{
    called = false; /* before the read: a signal after it is for the next turn */
    ssize_t got = read(wake[0], numbers, n);
    return got > 0 ? (size_t)got : 0;
}

/* ---- what signals do ---- */

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

void es_signals_catch_interrupt(void)
{
    handle(SIGINT, on_interrupt, (int)SA_RESETHAND);
    handle(SIGXFSZ, SIG_IGN, 0); /* a file that may not grow is a write that fails, and is said */
}

void es_signals_catch_termination(void)
{
    es_signals_catch_interrupt();
    handle(SIGTERM, on_interrupt, (int)SA_RESETHAND);
    handle(SIGHUP, on_interrupt, (int)SA_RESETHAND);
}

void es_signals_rescue(void)
{
    es_prompt_rescue();
    tcsetattr(STDIN_FILENO, TCSANOW, &terminal);
}

/* An end that cannot wait must not leave the terminal without echo: give it back, then die as we would
 * have. */
static void on_fatal(int number)
{
    es_child_rescue();
    es_signals_rescue();
    raise(number); /* SA_RESETHAND: the default action, once we return */
}

void es_signals_watch(void)
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

void es_signals_let_act(bool act)
{
    static const int usual[] = {SIGTERM, SIGHUP, SIGTSTP, SIGCONT};
    handle(SIGINT, act ? on_interrupt : on_signal,
           0); /* the line sees the flag, the prompt a byte */
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        handle(usual[i], act ? SIG_DFL : on_signal, 0);
}

void es_signals_stop(void)
{
    handle(SIGTSTP, SIG_DFL, 0);
    raise(SIGTSTP);
    handle(SIGTSTP, on_signal, 0);
}

void es_signals_die_of(int number)
{
    if (!number)
        return;
    handle(number, SIG_DFL, 0);
    raise(number);
}
