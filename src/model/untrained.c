// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/untrained.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/visible.h"

/* ---- the tables ---- */

enum { STREAM_WTE = 1, STREAM_WPE = 2 }; /* tells the two tables of one seed apart */

typedef struct normal_rows {
    uint64_t seed;
    uint32_t stream;
    double sd;
} normal_rows;

static void normal_row(const void *context, int64_t i, float *out, int64_t C)
{
    const normal_rows *n = context;
    es_normal_row(out, C, n->seed, n->stream, (uint64_t)i, n->sd);
}

static es_table *normal_table(int64_t rows, int64_t C, uint64_t seed, uint32_t stream, double sd)
{
    normal_rows n = {.seed = seed, .stream = stream, .sd = sd};
    return es_table_generated(rows, C, normal_row, &n, sizeof n);
}

/* ---- sizes after the colon ---- */

static const struct {
    const char *name;
    size_t field;
    int64_t max;
} sizes[] = {
    {"C", offsetof(es_config, n_embd), 1 << 20},
    {"V", offsetof(es_config, vocab_size), INT32_MAX},
    {"n_ctx", offsetof(es_config, n_ctx), INT32_MAX},
};

/* One "C=768" of n bytes; given: a bit a size that was read before. */
static bool read_size(es_config *config, unsigned *given, const char *s, size_t n, es_error *err)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t len = strlen(sizes[i].name);
        if (n <= len || strncmp(s, sizes[i].name, len) || s[len] != '=')
            continue;
        if (*given & 1u << i)
            return es_fail(err, ES_ERR_VALUE, "%s of an untrained model is given twice",
                           sizes[i].name);
        *given |= 1u << i;
        char *end;
        errno = 0;
        long long value = strtoll(s + len + 1, &end, 10);
        if (errno || end != s + n || end == s + len + 1 || value < 1 || value > sizes[i].max)
            return es_fail(err, ES_ERR_VALUE,
                           "%s of an untrained model is a number from 1 to %" PRId64, sizes[i].name,
                           sizes[i].max);
        *(int64_t *)((char *)config + sizes[i].field) = value;
        return true;
    }
    es_str shown = {0};
    es_show_brief(&shown, s, n);
    es_fail(err, ES_ERR_VALUE, "an untrained model has no size %s", es_str_text(&shown));
    es_str_free(&shown);
    return es_hint(err, "try: untrained:C=768, or V= or n_ctx=, separated by commas");
}

static bool read_sizes(es_config *config, const char *s, es_error *err)
{
    for (unsigned given = 0;;) {
        size_t n = strcspn(s, ",");
        if (!read_size(config, &given, s, n, err))
            return false;
        if (!s[n])
            return true;
        s += n + 1;
    }
}

/* ---- for the model ---- */

static const char prefix[] = "untrained";
enum { PREFIX = sizeof prefix - 1 };

bool es_is_untrained(const char *name)
{
    return !strncmp(name, prefix, PREFIX) && (!name[PREFIX] || name[PREFIX] == ':');
}

bool es_untrained(es_table **wte, es_table **wpe, const char *name, uint64_t seed, es_error *err)
{
    es_config config = {.vocab_size = 50257, .n_ctx = 1024, .n_embd = 64};
    if (name[PREFIX] == ':' && !read_sizes(&config, name + PREFIX + 1, err))
        return false;
    *wte = normal_table(config.vocab_size, config.n_embd, seed, STREAM_WTE, 0.02);
    *wpe = normal_table(config.n_ctx, config.n_embd, seed, STREAM_WPE, 0.01);
    return true;
}
