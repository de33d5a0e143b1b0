// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name) #name,
static const char *const functions[N_FAKE_FUNCTIONS] = {ES_CL_FUNCTIONS(NAME)};
#undef NAME

static const char *const oddities[N_FAKE_ODDITIES] = {
    [FAKE_NO_COMPILER] = "no-compiler",
    [FAKE_EMBEDDED] = "embedded",
    [FAKE_UNAVAILABLE] = "unavailable",
    [FAKE_OLD] = "old",
    [FAKE_BIG_ENDIAN] = "big-endian",
    [FAKE_RUDE] = "rude",
    [FAKE_CPU] = "cpu",
};

unsigned long fake_n_functions(void)
{
    return N_FAKE_FUNCTIONS;
}

const char *fake_function_name(unsigned long i)
{
    return i < N_FAKE_FUNCTIONS ? functions[i] : "*";
}

/* ---- values ---- */

static void refuse(const char *word)
{
    fprintf(stderr, "FAKE_OPENCL: %s means nothing\n", word);
    abort();
}

static unsigned long number(const char *text, const char *word)
{
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (end == text || *end)
        refuse(word);
    return n;
}

static unsigned which_of(const char *const *names, unsigned n, const char *name, const char *word)
{
    for (unsigned i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return i;
    refuse(word);
    return 0;
}

/* "clFinish:3:-5", "*:7+:-36" */
static void add_failure(fake_settings *s, const char *value, const char *word)
{
    char name[64], more;
    struct fake_failure *f = &s->failure[s->n_failures];
    if (s->n_failures == FAKE_MOST_FAILURES)
        refuse(word);
    if (sscanf(value, "%63[^:]:%lu%c", name, &f->which, &more) != 3 || (more != '+' && more != ':'))
        refuse(word);
    f->on = more == '+';
    f->code = atoi(strrchr(value, ':') + 1);
    f->function = !strcmp(name, "*") ? N_FAKE_FUNCTIONS
                                     : (int)which_of(functions, N_FAKE_FUNCTIONS, name, word);
    if (f->code >= 0 || f->which == 0)
        refuse(word);
    s->n_failures++;
}

/* "1:embedded" */
static void add_oddity(fake_settings *s, const char *value, const char *word)
{
    char kind[32];
    unsigned n;
    if (sscanf(value, "%u:%31s", &n, kind) != 2 || n >= FAKE_MOST_DEVICES)
        refuse(word);
    s->odd[n] |= 1u << which_of(oddities, N_FAKE_ODDITIES, kind, word);
}

static void open_log(fake_settings *s, const char *path, const char *word)
{
    s->log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (s->log < 0)
        refuse(word);
}

/* ---- words ---- */

static void read_word(fake_settings *s, char *word)
{
    static const char *const modes[] = {"pretend", "pass"};
    char *value = strchr(word, '=');
    if (!value++)
        refuse(word);
    size_t n = (size_t)(value - word);
    if (!strncmp(word, "mode=", n))
        s->pass = which_of(modes, 2, value, word) == 1;
    else if (!strncmp(word, "log=", n))
        open_log(s, value, word);
    else if (!strncmp(word, "fail=", n))
        add_failure(s, value, word);
    else if (!strncmp(word, "platforms=", n))
        s->platforms = (unsigned)number(value, word);
    else if (!strncmp(word, "devices=", n))
        s->devices = (unsigned)number(value, word);
    else if (!strncmp(word, "device=", n))
        add_oddity(s, value, word);
    else if (!strncmp(word, "memory=", n))
        s->memory = number(value, word);
    else if (!strcmp(word, "build=fail"))
        s->build_fails = true;
    else
        refuse(word);
    if (s->platforms * s->devices > FAKE_MOST_DEVICES)
        refuse(word);
}

void fake_read_settings(fake_settings *s, const char *words)
{
    *s = (fake_settings){.platforms = 1, .devices = 1, .memory = 1u << 30, .log = -1};
    char *copy = strdup(words), *rest = copy;
    for (char *word; copy && (word = strsep(&rest, ","));)
        if (*word)
            read_word(s, word);
    free(copy);
}
