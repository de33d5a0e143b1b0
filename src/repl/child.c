// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"

enum { NOT_RUN = 126, NOT_FOUND = 127 }; /* a shell's way to say so */

/* What a signal handler needs to know. */
static volatile sig_atomic_t running; /* the child's process id, 0: none */
static volatile sig_atomic_t deadly;  /* the signal that is to end us */

/* ---- signals ---- */

static const int ours[] = {SIGINT, SIGPIPE, SIGTSTP, SIGTERM, SIGHUP};
enum { N_OURS = sizeof ours / sizeof *ours };

static void on_deadly(int number)
{
    deadly = number;
    es_child_rescue();
}

static void lend_signals(struct sigaction before[N_OURS])
{
    for (int i = 0; i < N_OURS; i++) {
        struct sigaction action = {.sa_flags = 0};
        action.sa_handler = ours[i] == SIGTERM || ours[i] == SIGHUP ? on_deadly : SIG_IGN;
        sigemptyset(&action.sa_mask);
        sigaction(ours[i], &action, &before[i]);
    }
}

static void take_signals_back(const struct sigaction before[N_OURS])
{
    for (int i = 0; i < N_OURS; i++)
        sigaction(ours[i], &before[i], NULL);
}

void es_child_rescue(void)
{
    if (running)
        kill(running, SIGTERM);
}

/* ---- starting ---- */

/* The words of a command, copied into `copy`; NULL-terminated, to be freed. */
static char **words_of(char *copy, const char *file)
{
    char **word = es_alloc_array(strlen(copy) / 2 + 3, sizeof *word), *rest = NULL;
    size_t n = 0;
    for (char *w = strtok_r(copy, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest))
        word[n++] = w;
    word[n] = (char *)file;
    return word;
}

static int spawn(pid_t *pid, char *const *argv, int in)
{
    extern char **environ;
    static const int usual[] = {SIGINT, SIGPIPE, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        sigaddset(&set, usual[i]);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigdefault(&how, &set);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    int reason = posix_spawnp(pid, argv[0], &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return reason;
}

static int start(const es_child *c, pid_t *pid, int in)
{
    bool shell = c->command[strcspn(c->command, "|&;<>()$`\\\"'*?[#~=%\n")] != '\0';
    es_str command = {0};
    es_str_cat(&command, c->command);
    int reason = ENOENT; /* nothing but blanks */
    if (shell) {
        es_str_cat(&command, c->file ? " \"$1\"" : "");
        char *argv[] = {"sh", "-c", command.s, "sh", (char *)c->file, NULL};
        reason = spawn(pid, argv, in);
    } else if (command.len) {
        char **argv = words_of(command.s, c->file);
        if (argv[0] && argv[0] != c->file)
            reason = spawn(pid, argv, in);
        free(argv);
    }
    es_str_free(&command);
    return reason;
}

/* ---- while it runs ---- */

/* It has stopped, by Ctrl-Z, and has left the terminal in order: so do we, until fg. */
static void stop_too(pid_t pid)
{
    signal(SIGTSTP, SIG_DFL);
    raise(SIGTSTP);
    signal(SIGTSTP, SIG_IGN);
    kill(pid, SIGCONT);
}

/* Has it ended?  Its status then. */
static bool has_ended(pid_t pid, int *status, int how)
{
    pid_t found = waitpid(pid, status, how | WUNTRACED);
    if (found == pid && WIFSTOPPED(*status)) {
        stop_too(pid);
        return false;
    }
    return found == pid || (found < 0 && errno != EINTR);
}

/* Give it its input until all is written or it wants no more.  Returns whether it has ended. */
static bool feed(pid_t pid, int fd, const char *bytes, size_t n, int *status)
{
    enum { LOOK = 50 }; /* milliseconds until a stop is noticed */
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    fcntl(fd, F_SETFL, O_NONBLOCK);
    while (n && !deadly) {
        if (has_ended(pid, status, WNOHANG))
            return true;
        poll(&room, 1, LOOK);
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        bytes += done < 0 ? 0 : done;
        n -= done < 0 ? 0 : (size_t)done;
    }
    return false;
}

/* Until it ends; once we are to die it has a second. */
static void wait_for(pid_t pid, int *status)
{
    enum { LOOKS = 100 };
    const struct timespec look = {.tv_nsec = 10000000};
    for (int looks = 0; !has_ended(pid, status, deadly ? WNOHANG : 0);) {
        if (!deadly)
            continue;
        if (looks++ == LOOKS)
            kill(pid, SIGKILL);
        nanosleep(&look, NULL);
    }
}

es_child_end es_child_run(const es_child *c)
{
    struct sigaction before[N_OURS];
    struct termios modes;
    es_child_end end = {0};
    int feeding[2] = {-1, -1};
    pid_t pid = 0;
    if (c->input && pipe2(feeding, O_CLOEXEC))
        return (es_child_end){.reason = errno};
    bool terminal = tcgetattr(STDIN_FILENO, &modes) == 0;
    deadly = 0;
    lend_signals(before);
    end.reason = start(c, &pid, feeding[0]);
    running = end.reason ? 0 : pid;
    if (c->input)
        close(feeding[0]);
    bool ended = running && c->input && feed(pid, feeding[1], c->input, c->n, &end.status);
    if (c->input)
        close(feeding[1]);
    if (running && !ended)
        wait_for(pid, &end.status);
    running = 0;
    if (terminal)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
    take_signals_back(before);
    if (deadly)
        raise(deadly);
    if (WIFEXITED(end.status) &&
        (WEXITSTATUS(end.status) == NOT_RUN || WEXITSTATUS(end.status) == NOT_FOUND))
        end.reason = ENOENT;
    return end;
}

const char *es_child_complaint(const es_child_end *end)
{
    static char said[80];
    if (WIFSIGNALED(end->status))
        snprintf(said, sizeof said, "was ended by signal %d (%s)", WTERMSIG(end->status),
                 strsignal(WTERMSIG(end->status)));
    else
        snprintf(said, sizeof said, "ended with status %d", WEXITSTATUS(end->status));
    return end->status ? said : NULL;
}
