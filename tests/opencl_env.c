// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl_env.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

static struct {
    void (*set)(const char *words);
    unsigned long (*calls)(const char *function);
    int (*alive)(void);
    unsigned long (*n_functions)(void);
    const char *(*function_name)(unsigned long i);
} driver;
static void *library;
static char library_path[4096];
static es_str text;

static const char *log_path(void)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/opencl.log", getenv("HOME"));
    return path;
}

/* It lies beside the program. */
static void find_driver(void)
{
    const char *end = strrchr(program(), '/');
    snprintf(library_path, sizeof library_path, "%.*s/libOpenCL-fake.so", (int)(end - program()),
             program());
    library = dlopen(library_path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
#define FIND(name) *(void **)(void *)&driver.name = driver_function("fake_" #name);
    FIND(set)
    FIND(calls)
    FIND(alive)
    FIND(n_functions)
    FIND(function_name)
#undef FIND
}

void *driver_function(const char *name)
{
    void *found = dlsym(library, name);
    ck_assert_msg(found != NULL, "the driver has no function %s", name);
    return found;
}

void driver_is(const char *words, ...)
{
    es_str all = {0};
    va_list args;
    if (!library)
        find_driver();
    unlink(log_path());
    es_str_add(&all, "log=%s,", log_path());
    va_start(args, words);
    es_str_vadd(&all, words, args);
    va_end(args);
    setenv("EMBEDSCOPE_OPENCL", library_path, 1);
    setenv("FAKE_OPENCL", all.s, 1);
    driver.set(all.s);
    es_str_free(&all);
}

/* ---- in this process ---- */

unsigned long driver_calls(const char *function)
{
    return driver.calls(function);
}

int driver_alive(void)
{
    return driver.alive();
}

unsigned long driver_n_functions(void)
{
    return driver.n_functions();
}

const char *driver_function_name(unsigned long i)
{
    return driver.function_name(i);
}

/* ---- the log ---- */

const char *whole_log(void)
{
    char block[4096];
    FILE *f = fopen(log_path(), "rb");
    es_str_cut(&text, 0);
    for (size_t n; f && (n = fread(block, 1, sizeof block, f)) > 0;)
        es_str_bytes(&text, block, n);
    if (f)
        fclose(f);
    return es_str_text(&text);
}

int logged(const char *begin)
{
    int n = 0;
    for (const char *at = whole_log(); at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
        n += strncmp(at, begin, strlen(begin)) == 0;
    return n;
}
