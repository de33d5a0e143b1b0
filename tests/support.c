// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/vocab.h"

es_bpe *gpt2(void)
{
    es_error err = ES_ERROR_NONE;
    es_bpe *bpe = es_vocab_open("gpt2", &err);
    ck_assert_works(bpe != NULL, err);
    return bpe;
}

/* xorshift64* (Vigna 2016) */
uint32_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 0x2545F4914F6CDD1Du >> 32);
}

uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((uint64_t)next_random(state) * n >> 32);
}

int thoroughness(int full, int slow)
{
    return getenv("ES_TEST_SLOW") ? slow : full;
}

const char *program(void)
{
    const char *path = getenv("ES_TEST_PROGRAM");
    ck_assert_msg(path != NULL, "ES_TEST_PROGRAM is not set: run the tests by make check");
    return path;
}

char *fresh_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    es_str path = {0};
    es_str_add(&path, "%s/embedscope-test-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert(mkdtemp(path.s) != NULL);
    return es_str_take(&path);
}

static pid_t spawn(const char *const *argv, int in, int out, int err)
{
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        signal(SIGPIPE, SIG_DFL);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    return child;
}

/* Read what is there; false at the end. */
static bool pump_out(int fd, es_str *to)
{
    char block[4096];
    ssize_t n = read(fd, block, sizeof block);
    if (n > 0)
        es_str_bytes(to, block, (size_t)n);
    return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

void run_program(run_result *r, const char *const *argv, const char *input, size_t n)
{
    int in[2], out[2], err[2], status;
    *r = (run_result){0};
    ck_assert(pipe(in) == 0 && pipe(out) == 0 && pipe(err) == 0);
    signal(SIGPIPE, SIG_IGN); /* a child that ends before it has read all is no failure of ours */
    pid_t child = spawn(argv, in[0], out[1], err[1]);
    close(in[0]);
    close(out[1]);
    close(err[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK);
    struct pollfd fds[] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}, {in[1], POLLOUT, 0}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (!n && fds[2].fd >= 0) {
            close(in[1]);
            fds[2].fd = -1;
        }
        if (poll(fds, 3, -1) < 0)
            continue;
        if (fds[2].fd >= 0 && fds[2].revents) {
            ssize_t done = write(in[1], input, n);
            n = done < 0 && errno != EAGAIN ? 0 : n - (done < 0 ? 0 : (size_t)done);
            input += done < 0 ? 0 : done;
        }
        if (fds[0].revents && !pump_out(out[0], &r->out))
            fds[0].fd = -1;
        if (fds[1].revents && !pump_out(err[0], &r->err))
            fds[1].fd = -1;
    }
    close(out[0]);
    close(err[0]);
    if (fds[2].fd >= 0)
        close(in[1]);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    r->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void run_result_free(run_result *r)
{
    es_str_free(&r->out);
    es_str_free(&r->err);
}

void write_safetensors(const char *path, const char *header, size_t pad, const void *data, size_t n)
{
    es_str all = {0};
    uint64_t length = strlen(header) + pad;
    for (int i = 0; i < 8; i++)
        es_str_char(&all, (char)(length >> 8 * i));
    es_str_cat(&all, header);
    es_str_fill(&all, ' ', pad);
    if (data)
        es_str_bytes(&all, data, n);
    else
        es_str_fill(&all, '\0', n);
    FILE *f = fopen(path, "wb");
    ck_assert_msg(f && fwrite(all.s, 1, all.len, f) == all.len && fclose(f) == 0, "cannot write %s",
                  path);
    es_str_free(&all);
}

void calm_environment(void)
{
    static const char *const gone[] = {"XDG_STATE_HOME",
                                       "XDG_CONFIG_HOME",
                                       "XDG_DATA_HOME",
                                       "XDG_CACHE_HOME",
                                       "EMBEDSCOPE_OPENCL",
                                       "EMBEDSCOPE_CLBLAST",
                                       "FAKE_OPENCL",
                                       "EMBEDSCOPE_HISTORY",
                                       "EMBEDSCOPE_DATA",
                                       "PAGER",
                                       "LESS",
                                       "VISUAL",
                                       "EDITOR",
                                       "NO_COLOR",
                                       "COLUMNS",
                                       "LINES",
                                       "INPUTRC"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        unsetenv(gone[i]);
    char *home = fresh_folder();
    setenv("HOME", home, 1);
    setenv("TERM", "xterm", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("EMBEDSCOPE_PAGER", "", 1); /* none, unless a test wants one */
    free(home);
}

void each_json_line(const char *path, void (*each)(json_t *object, int line))
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    char *text = NULL;
    size_t cap = 0;
    int line = 0;
    for (ssize_t n; (n = getline(&text, &cap, f)) > 0;) {
        json_error_t why;
        json_t *object = json_loadb(text, (size_t)n, JSON_ALLOW_NUL, &why);
        ck_assert_msg(object != NULL, "%s:%d: %s", path, line + 1, why.text);
        each(object, ++line);
        json_decref(object);
    }
    free(text);
    fclose(f);
}

void random_tensor(es_tensor *out, es_backend *be, const es_shape *shape, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    int64_t n = es_shape_count(shape);
    float *values = malloc((size_t)(n ? n : 1) * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)next_random(state) / 2147483648.0f - 1.0f;
    ck_assert_works(es_tensor_new(out, be, ES_FLOAT32, shape, &err), err);
    ck_assert_works(es_tensor_write(out, values, &err), err);
    free(values);
}

void begin_apart(void)
{
    calm_environment();
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
}
