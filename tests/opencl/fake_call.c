// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 512, MOST_KNOWN = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fake_settings settings;
static bool is_set;
static es_cl real;
static unsigned long calls[N_FAKE_FUNCTIONS + 1]; /* the last: of all */
static atomic_int alive[N_FAKE_KINDS];

/* ---- settings ---- */

static void set(const char *words)
{
    if (is_set && settings.log >= 0)
        close(settings.log);
    fake_read_settings(&settings, words);
    memset(calls, 0, sizeof calls);
    is_set = true;
}

void fake_set(const char *words)
{
    pthread_mutex_lock(&lock);
    set(words);
    pthread_mutex_unlock(&lock);
}

const fake_settings *fake_now(void)
{
    return &settings;
}

/* ---- who does it ---- */

static void find_real(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
#define FIND(name) *(void **)(void *)&real.name = library ? dlsym(library, #name) : NULL;
    ES_CL_FUNCTIONS(FIND)
#undef FIND
}

const es_cl *fake_behind(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!settings.pass)
        return &fake_pretended;
    pthread_once(&once, find_real);
    if (real.clFinish)
        return &real;
    fprintf(stderr, "FAKE_OPENCL: there is no libOpenCL.so.1 to pass calls on to\n");
    abort();
}

/* ---- counts ---- */

static unsigned long count_of(const char *function)
{
    unsigned long i = 0;
    while (i < N_FAKE_FUNCTIONS && strcmp(fake_function_name(i), function) != 0)
        i++;
    return calls[i];
}

unsigned long fake_calls(const char *function)
{
    pthread_mutex_lock(&lock);
    unsigned long n = count_of(function);
    pthread_mutex_unlock(&lock);
    return n;
}

void fake_count(fake_kind kind, int more)
{
    alive[kind] += more;
}

int fake_alive(void)
{
    int n = 0;
    for (int i = 0; i < N_FAKE_KINDS; i++)
        n += alive[i];
    return n;
}

/* ---- one call ---- */

/* What the settings want of a call, of which this one is the n-th, and the all-th of all. */
static cl_int wanted(fake_function function, unsigned long n, unsigned long all)
{
    for (int i = 0; i < settings.n_failures; i++) {
        const struct fake_failure *f = &settings.failure[i];
        bool any = f->function == N_FAKE_FUNCTIONS;
        unsigned long at = any ? all : n;
        if ((any || f->function == (int)function) && (f->on ? at >= f->which : at == f->which))
            return f->code;
    }
    return CL_SUCCESS;
}

fake_call fake_begin(fake_function function)
{
    pthread_mutex_lock(&lock);
    if (!is_set)
        set(getenv("FAKE_OPENCL") ? getenv("FAKE_OPENCL") : "");
    unsigned long n = ++calls[function], all = ++calls[N_FAKE_FUNCTIONS];
    fake_call c = {.function = function, .code = wanted(function, n, all)};
    pthread_mutex_unlock(&lock);
    c.chosen = c.code != CL_SUCCESS;
    return c;
}

/* One write a line, so that lines of threads and of processes stay whole. */
static void write_down(const char *line, int n)
{
    n = n < MOST_LINE ? n : MOST_LINE - 1;
    if (settings.log >= 0 && write(settings.log, line, (size_t)n) != n)
        abort();
}

cl_int fake_end(const fake_call *call, const char *format, ...)
{
    char line[MOST_LINE], what[MOST_LINE / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    write_down(line, snprintf(line, sizeof line, "%s%s%s = %d%s\n",
                              fake_function_name(call->function), *what ? " " : "", what,
                              (int)call->code, call->chosen ? ", as wanted" : ""));
    return call->code;
}

__attribute__((destructor)) static void say_what_is_left(void)
{
    char line[MOST_LINE];
    if (is_set)
        write_down(line,
                   snprintf(line, sizeof line,
                            "end: %d contexts, %d queues, %d buffers, %d programs, %d kernels\n",
                            alive[FAKE_CONTEXT], alive[FAKE_QUEUE], alive[FAKE_BUFFER],
                            alive[FAKE_PROGRAM], alive[FAKE_KERNEL]));
}

/* ---- what programs were made from, and kernels are called ---- */

static struct {
    const void *handle;
    char text[FAKE_TEXT];
} known[MOST_KNOWN];

void fake_know(const void *handle, const char *text)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < MOST_KNOWN - 1 && known[i].handle)
        i++;
    known[i].handle = handle;
    snprintf(known[i].text, sizeof known[i].text, "%s", text);
    pthread_mutex_unlock(&lock);
}

const char *fake_recall(const void *handle, bool forget, char text[FAKE_TEXT])
{
    snprintf(text, FAKE_TEXT, "unknown");
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_KNOWN; i++) {
        if (!handle || known[i].handle != handle)
            continue;
        memcpy(text, known[i].text, FAKE_TEXT);
        if (forget)
            known[i].handle = NULL;
        break;
    }
    pthread_mutex_unlock(&lock);
    return text;
}
