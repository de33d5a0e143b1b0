// SPDX-License-Identifier: GPL-3.0-or-later
#include "terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

int screen = -1;
pid_t child;
es_str seen;

static void start_program(const char *const *argv, int columns)
{
    struct winsize size = {.ws_row = ROWS, .ws_col = (unsigned short)columns};
    child = forkpty(&screen, NULL, NULL, &size);
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    es_str_free(&seen);
}

void start(const char *const *args, int columns)
{
    const char *argv[16] = {program()};
    for (int i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    start_program(argv, columns);
}

void start_command(const char *command, int columns)
{
    start_program((const char *const[]){"/bin/sh", "-c", command, NULL}, columns);
}

bool read_more(int milliseconds)
{
    char block[4096];
    struct pollfd fd = {.fd = screen, .events = POLLIN};
    if (poll(&fd, 1, milliseconds) <= 0)
        return false;
    ssize_t n = read(screen, block, sizeof block);
    if (n > 0)
        es_str_bytes(&seen, block, (size_t)n);
    return n > 0;
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Check has no room for long messages. */
static const char *end_of_seen(void)
{
    enum { MOST = 2000 };
    return es_str_text(&seen) + (seen.len > MOST ? seen.len - MOST : 0);
}

void expect(const char *text)
{
    double end = now() + PATIENCE / 1000.0;
    char *found;
    while (!(found = seen.len ? memmem(seen.s, seen.len, text, strlen(text)) : NULL))
        demand(now() < end && (read_more(PATIENCE) || seen.len), "waited for %s, saw: %s", text,
               end_of_seen());
    size_t used = (size_t)(found - seen.s) + strlen(text);
    memmove(seen.s, seen.s + used, seen.len - used);
    es_str_cut(&seen, seen.len - used);
}

void expect_quiet_without(const char *text)
{
    while (read_more(300))
        continue;
    ck_assert_msg(!seen.len || !memmem(seen.s, seen.len, text, strlen(text)), "%s came: %s", text,
                  seen.s);
}

void type(const char *keys)
{
    size_t n = strlen(keys);
    ck_assert_int_eq(write(screen, keys, n), (ssize_t)n);
}

int wait_end(void)
{
    int status;
    while (read_more(PATIENCE))
        continue;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_sane(void)
{
    struct termios t;
    ck_assert_int_eq(tcgetattr(screen, &t), 0);
    return (t.c_lflag & ICANON) && (t.c_lflag & ECHO) && (t.c_iflag & ICRNL);
}

void resize(int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    ck_assert_int_eq(ioctl(screen, TIOCSWINSZ, &size), 0);
}

void terminal_close(void)
{
    if (child > 0)
        kill(child, SIGKILL);
    close(screen);
    es_str_free(&seen);
}
