// SPDX-License-Identifier: GPL-3.0-or-later
/* Every signal in every state of the prompt: the terminal's modes, what is on the screen, whether the
 * session lives.  ES_SIGNAL_TABLE=1 (with CK_RUN_SUITE=signals) prints what was seen as a table. */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "support.h"
#include "terminal.h"

Suite *signals_suite(void);

/* ---- a shell with job control, as small as can be ---- */

/* What it tells: the program's id, that it has stopped or ended, and whether the terminal was sane. */
typedef struct report {
    char what; /* 'p' pid, 's' stopped, 'c' goes on, 'e' ended */
    bool sane;
    int value; /* the pid, or the status as waitpid gives it */
} report;

static int reports = -1, orders = -1; /* an order is a byte: go on in the foreground */
static pid_t program_id;

static bool terminal_is_sane(int fd)
{
    struct termios t;
    return tcgetattr(fd, &t) == 0 && (t.c_lflag & ICANON) && (t.c_lflag & ECHO) &&
           (t.c_iflag & ICRNL);
}

static void foreground(pid_t group)
{
    tcsetpgrp(STDIN_FILENO, group);
}

static void tell(int to, char what, int value)
{
    report r = {what, terminal_is_sane(STDIN_FILENO), value};
    if (write(to, &r, sizeof r) != sizeof r)
        _exit(1);
}

static void shell(int to, int from)
{
    const char *const argv[] = {program(), "-q", "--color=never", "--keep-going", NULL};
    static const int shells[] = {SIGTTOU, SIGHUP, SIGINT, SIGQUIT, SIGTSTP};
    char order;
    int status;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        signal(shells[i], SIG_IGN);
    pid_t job = fork();
    if (job == 0) {
        setpgid(0, 0);
        foreground(getpid());
        for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
            signal(shells[i], SIG_DFL);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    setpgid(job, job);
    tell(to, 'p', job);
    while (waitpid(job, &status, WUNTRACED) == job && WIFSTOPPED(status)) {
        foreground(getpid());
        tell(to, 's', status);
        if (read(from, &order, 1) != 1)
            _exit(1);
        foreground(job);
        kill(-job, SIGCONT);
        tell(to, 'c', 0);
    }
    foreground(getpid());
    tell(to, 'e', status);
    _exit(0);
}

static report next_report(void)
{
    report r;
    double end = now() + PATIENCE / 1000.0;
    for (;;) { /* the screen must be read meanwhile, or who writes there waits for us */
        ssize_t n = read(reports, &r, sizeof r);
        if (n == sizeof r)
            return r;
        demand(n < 0 && errno == EAGAIN && now() < end,
               "the shell says nothing; the screen: %.1000s", es_str_text(&seen));
        read_more(10);
    }
}

static void start_shell(void)
{
    struct winsize size = {.ws_row = ROWS, .ws_col = 80};
    int up[2], down[2];
    ck_assert(pipe2(up, O_CLOEXEC) == 0 && pipe2(down, O_CLOEXEC) == 0);
    child = forkpty(&screen, NULL, NULL, &size);
    ck_assert_int_ge(child, 0);
    if (child == 0)
        shell(up[1], down[0]);
    close(up[1]);
    close(down[0]);
    reports = up[0];
    orders = down[1];
    fcntl(reports, F_SETFL, O_NONBLOCK);
    es_str_free(&seen);
    program_id = next_report().value;
}

/* ---- the states ---- */

/* How to get there, and how to go on from there when nothing is lost. */
typedef struct state {
    const char *name;
    const char *enter[4][2]; /* keys, then what shows that they were taken */
    const char *shown;       /* the line as it is drawn again after fg */
    const char *leave, *left;
    bool busy, pager; /* the prompt has not the terminal */
} state;

static const state states[] = {
    {.name = "empty line", .shown = "text> ", .leave = ":decode 464\r", .left = "\"The\""},
    {.name = "half a line",
     .enter = {{"half", "half"}},
     .shown = "text> half",
     .leave = "\r",
     .left = "1 token from 4 bytes"},
    {.name = "open quote",
     .enter = {{":row \"ca", ":row \"ca"}},
     .shown = "text> :row \"ca",
     .leave = "t\"\r",
     .left = "tok_emb = wte[9246]"},
    {.name = ":paste",
     .enter = {{":paste\r", "paste> "}, {"one\r", "paste> "}},
     .shown = "paste> ",
     .leave = "two\r.\r",
     .left = "from 7 bytes"},
    {.name = "Ctrl-R",
     .enter = {{":decode 464\r", "\"The\""},
               {"", "text> "},
               {"\x12"
                "code",
                "ode 464"}},
     .shown = "(reverse-i-search)`code'",
     .leave = "\r",
     .left = "\"The\""},
    {.name = "running",
     .enter = {{":run lines\r", "\"The\""}},
     .leave = "\x03",
     .left = "stopped by Ctrl-C",
     .busy = true},
    {.name = "pager",
     .enter = {{":tokens\r", "begin-end"}},
     .shown = "begin-end",
     .leave = "q",
     .left = "text> ",
     .busy = true,
     .pager = true},
};
enum { N_STATES = sizeof states / sizeof *states };

/* Take in what still comes: for a while, because progress never ends.  After a signal less looks for keys
 * only when it has drawn its screen again. */
static void settle(const state *s)
{
    for (int i = 0; i < 5 && read_more(s->pager ? 250 : 30); i++)
        continue;
}

/* A line that is answered at once, then one that takes long. */
static void prepare(const state *s)
{
    ck_assert_int_eq(chdir(getenv("HOME")), 0);
    FILE *f = fopen("lines", "w");
    ck_assert(f && fputs(":decode 464\n", f) >= 0);
    for (int i = 0; i < 2000; i++)
        fputs(":repeat 8000000 \" \"\n", f);
    fclose(f);
    if (s->pager)
        setenv("EMBEDSCOPE_PAGER", "less -X -R", 1);
    start_shell();
    expect("text> ");
    if (s->pager) {
        type(":repeat 300 a \r"); /* longer than the screen, and shown in part */
        expect("text> ");
    }
    for (int i = 0; i < 4 && s->enter[i][0]; i++) {
        type(s->enter[i][0]);
        expect(s->enter[i][1]);
    }
    settle(s);
    es_str_cut(&seen, 0);
}

/* ---- the signals ---- */

typedef enum fate { LIVES, DROPS, STOPS, RESIZES, DIES } fate;

static const struct {
    const char *name;
    int number;
    const char *key; /* or by kill */
    fate fate;
} signals[] = {
    {"INT", SIGINT, "\x03", DROPS},     {"TSTP, CONT", SIGTSTP, "\x1a", STOPS},
    {"WINCH", SIGWINCH, NULL, RESIZES}, {"CONT alone", SIGCONT, NULL, LIVES},
    {"TERM", SIGTERM, NULL, DIES},      {"HUP", SIGHUP, NULL, DIES},
    {"QUIT", SIGQUIT, "\x1c", DIES},    {"PIPE", SIGPIPE, NULL, DIES},
    {"SEGV", SIGSEGV, NULL, DIES},      {"ABRT", SIGABRT, NULL, DIES},
};
enum { N_SIGNALS = sizeof signals / sizeof *signals };

static bool table_wanted(void)
{
    return getenv("ES_SIGNAL_TABLE") != NULL;
}

static void note(const char *fmt, ...) ES_PRINTF(1, 2);
static void note(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (table_wanted())
        vprintf(fmt, ap);
    va_end(ap);
}

/* Does text come within so many milliseconds?  It stays for expect(). */
static bool comes(const char *text, int milliseconds)
{
    double end = now() + milliseconds / 1000.0;
    while (!seen.len || !memmem(seen.s, seen.len, text, strlen(text)))
        if (!read_more(50) && now() > end)
            return false;
    return true;
}

/* The state goes on as if nothing had been, and so does the session after it. */
static void go_on(const state *s)
{
    type(s->leave);
    for (int i = 0; s->pager && i < 10 && !comes(s->left, 1000); i++)
        type(s->leave); /* a pager that was just signalled drops keys */
    expect(s->left);
    if (!s->pager)
        expect("text> ");
}

static void leave_well(void)
{
    type("\x15:decode 262\r");
    expect("\" the\"");
    expect("text> ");
    type("\x04");
    report r = next_report();
    ck_assert_int_eq(r.what, 'e');
    ck_assert_int_eq(r.value, 0);
    ck_assert(r.sane);
}

/* The screen comes to rest with an empty prompt. */
static void expect_prompt(void)
{
    static const char prompt[] = "text> ";
    size_t n = sizeof prompt - 1;
    double end = now() + PATIENCE / 1000.0;
    while (read_more(100) || seen.len < n || memcmp(seen.s + seen.len - n, prompt, n))
        demand(now() < end, "no prompt in the end: %.1000s", es_str_text(&seen));
    es_str_cut(&seen, 0);
}

static void check_dropped(const state *s)
{
    if (s->pager) { /* it is the pager's own key, which drops those behind it */
        settle(s);
        go_on(s);
        note("the pager's own; q: prompt");
        return;
    }
    if (s->busy)
        expect("stopped by Ctrl-C");
    expect_prompt();
    note(s->busy ? "stopped, new prompt" : "dropped, new prompt");
}

static void check_stopped(const state *s)
{
    report r = next_report();
    ck_assert_int_eq(r.what, 's');
    ck_assert_msg(r.sane, "stopped in %s, the terminal is not a shell's", s->name);
    settle(s);
    es_str_cut(&seen, 0);
    ck_assert_int_eq(write(orders, "g", 1), 1);
    ck_assert_int_eq(next_report().what, 'c');
    if (s->shown)
        expect(s->shown);
    go_on(s);
    note(s->pager ? "sane; fg: the pager" : s->busy ? "sane; fg: runs on" : "sane; fg: the line");
}

static void check_dead(const state *s, int number)
{
    report r = next_report();
    while (read_more(20))
        continue;
    ck_assert_int_eq(r.what, 'e');
    ck_assert_msg(WIFSIGNALED(r.value) && WTERMSIG(r.value) == number, "%s: status %x", s->name,
                  (unsigned)r.value);
    ck_assert_msg(r.sane, "ended in %s by signal %d, the terminal is not sane", s->name, number);
    if (!s->busy) /* what Readline told the terminal is taken back */
        ck_assert_msg(memmem(es_str_text(&seen), seen.len, "\x1b[?2004l", 8) != NULL, "%s: %.1000s",
                      s->name, es_str_text(&seen));
    for (int i = 0; kill(-program_id, 0) == 0; i++) { /* nobody stays behind, no pager either */
        demand(i < 300, "ended in %s by signal %d, somebody is left", s->name, number);
        usleep(10000);
    }
    note("%d, sane", 128 + number);
}

static void check_cell(const state *s, int i)
{
    prepare(s);
    if (signals[i].fate == RESIZES)
        resize(ROWS + 10, 60);
    else if (signals[i].key)
        type(signals[i].key);
    else
        kill(program_id, signals[i].number);
    bool own = s->pager && signals[i].number == SIGPIPE; /* one may be left early */
    fate what = own ? LIVES : signals[i].fate;
    switch (what) {
    case DROPS: check_dropped(s); break;
    case STOPS: check_stopped(s); break;
    case DIES: check_dead(s, signals[i].number); break;
    default: go_on(s); note("goes on");
    }
    if (what != DIES)
        leave_well();
    terminal_close();
    close(reports);
    close(orders);
}

static bool less_is_here(void)
{
    return system("command -v less > /dev/null") == 0;
}

START_TEST(every_signal_in_every_state)
{
    const state *s = &states[_i];
    calm_environment();
    if (s->pager && !less_is_here())
        return;
    if (_i == 0) {
        note("\n| state |");
        for (int i = 0; i < N_SIGNALS; i++)
            note(" %s |", signals[i].name);
        note("\n|---|");
        for (int i = 0; i < N_SIGNALS; i++)
            note("---|");
    }
    note("\n| %s |", s->name);
    for (int i = 0; i < N_SIGNALS; i++) {
        bool crash = signals[i].number == SIGSEGV || signals[i].number == SIGABRT;
        if (crash && thoroughness(0, 1)) /* valgrind's own affair */
            continue;
        note(" ");
        check_cell(s, i);
        note(" |");
        fflush(stdout);
    }
    if (_i == N_STATES - 1)
        note("\n");
}
END_TEST

Suite *signals_suite(void)
{
    Suite *s = suite_create("signals");
    TCase *tc = tcase_create("signals");
    tcase_set_timeout(tc, 240);
    tcase_add_checked_fixture(tc, NULL, terminal_close);
    tcase_add_loop_test(tc, every_signal_in_every_state, 0, N_STATES);
    suite_add_tcase(s, tc);
    return s;
}
