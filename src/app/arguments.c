// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/arguments.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"

bool es_usage(es_error *err, const char *more, const char *fmt, ...)
{
    es_str message = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&message, es_translate(fmt), ap);
    va_end(ap);
    es_fail(err, ES_ERR_USAGE, "%s", message.s);
    es_str_free(&message);
    return es_hint(err, "try: %s", more);
}

/* "--json" of n bytes is an option, and one without an argument. */
static bool takes_no_value(const es_arguments *a, const char *word, size_t n)
{
    es_option o;
    for (size_t i = 0; a->at(i, &o); i++)
        if (n > 2 && !strncmp(word, "--", 2) && strlen(o.name) == n - 2 &&
            !strncmp(word + 2, o.name, n - 2))
            return !o.arg;
    return false;
}

/* The option whose name is nearest to "--widht" of n bytes, or NULL. */
static const char *nearest(const es_arguments *a, const char *word, size_t n)
{
    es_option o;
    const char *meant = NULL;
    int least = n > 2 && !strncmp(word, "--", 2) ? es_slip(n - 2) : 0;
    for (size_t i = 0; a->at(i, &o); i++) {
        int d = es_distance(word + 2, n - 2, o.name, strlen(o.name), least);
        if (d < least) {
            least = d;
            meant = o.name;
        }
    }
    return meant;
}

/* getopt found something wrong at argv[at]. */
static bool complain(const es_arguments *a, int result, char **argv, int at, es_error *err)
{
    es_str shown = {0};
    const char *word = argv[at], *value = strchr(word, '=');
    const char *meant = nearest(a, word, strcspn(word, "="));
    if (optopt && optopt < 256 && strncmp(word, "--", 2))
        es_str_add(&shown, "-%c", optopt);
    else
        es_show_prose(&shown, word, strlen(word) < 60 ? strlen(word) : 60);
    if (result == ':')
        es_usage(err, a->more, "%s wants an argument", shown.s);
    else if (value && takes_no_value(a, word, (size_t)(value - word)))
        es_usage(err, a->more, "%.*s takes no value", (int)(value - word), word);
    else if (!es_usage(err, a->more, "there is no option %s", shown.s) && meant)
        es_hint(err, "did you mean --%s ?", meant);
    es_str_free(&shown);
    return false;
}

/* The table as getopt wants it; letters begin with a colon, for we say ourselves what is wrong. */
static struct option *prepare(const es_arguments *a, es_str *letters)
{
    es_option o;
    size_t n = 0;
    struct option *longs = NULL;
    es_str_char(letters, ':');
    for (; a->at(n, &o); n++) {
        longs = es_realloc(longs, (n + 2) * sizeof *longs);
        longs[n] = (struct option){o.name, o.arg ? required_argument : no_argument, NULL, o.code};
        longs[n + 1] = (struct option){0};
        if (o.code < 256)
            es_str_add(letters, "%c%s", o.code, o.arg ? ":" : "");
    }
    return longs;
}

static bool read_all(const es_arguments *a, const char *letters, const struct option *longs,
                     int argc, char **argv, es_error *err)
{
    optind = 0; /* GNU: begin anew */
    opterr = 0;
    for (;;) {
        int at = optind ? optind : 1;
        int code = getopt_long(argc, argv, letters, longs, NULL);
        if (code == -1)
            return true;
        if (code == '?' || code == ':')
            return complain(a, code, argv,
                            code == ':'   ? optind - 1
                            : optind > at ? optind - 1
                                          : at,
                            err);
        if (!a->take(a->user, code, optarg, err))
            return false;
    }
}

bool es_arguments_read(const es_arguments *a, int argc, char **argv, int *rest, es_error *err)
{
    es_str letters = {0};
    struct option *longs = prepare(a, &letters);
    bool ok = read_all(a, letters.s, longs, argc, argv, err);
    *rest = optind;
    free(longs);
    es_str_free(&letters);
    return ok;
}
