// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/rare.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"

enum { NAMED = 3 };

/* Those that were met so far, each once. */
typedef struct found {
    const es_context *context;
    unsigned char *met; /* V */
    int32_t first[NAMED];
    int64_t n;
} found;

static bool hardly(const es_context *c, int64_t id)
{
    int64_t count = es_model_count(c->model, (int32_t)id);
    return count >= 0 && count < ES_HARDLY;
}

static void look(found *f, const int32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!hardly(f->context, ids[i]) || f->met[ids[i]])
            continue;
        f->met[ids[i]] = 1;
        if (f->n < NAMED)
            f->first[f->n] = ids[i];
        f->n++;
    }
}

static void show_times(es_str *out, int64_t count)
{
    es_show_count(out, count);
    es_str_cat(out, count == 1 ? " time" : " times");
}

void es_show_times(es_str *out, int64_t count)
{
    es_str_cat(out, count ? "seen " : "never seen");
    if (count)
        show_times(out, count);
    es_str_cat(out, " in training");
}

/* A row beyond the vocabulary has no text. */
static void show_token(es_str *out, const es_context *c, int32_t id, const es_style *style)
{
    size_t n;
    const char *bytes = es_bpe_bytes(c->bpe, id, &n);
    if (!bytes)
        es_str_add(out, "#%" PRId32, id);
    else if (style->plain)
        es_show_quoted(out, bytes, n);
    else
        es_style_token(out, bytes, n, style);
}

static void tell_one(es_str *line, const found *f, const es_style *style)
{
    int64_t count = es_model_count(f->context->model, f->first[0]);
    show_token(line, f->context, f->first[0], style);
    es_str_cat(line, " was ");
    es_show_times(line, count);
    es_str_cat(line, count ? ": its row is mostly chance" : ": its row is chance");
}

static void tell_several(es_str *line, const found *f, const es_style *style)
{
    es_str_cat(line, "hardly seen in training, so that their rows are mostly chance: ");
    for (int64_t i = 0; i < f->n && i < NAMED; i++) {
        int64_t count = es_model_count(f->context->model, f->first[i]);
        es_str_cat(line, i ? ", " : "");
        show_token(line, f->context, f->first[i], style);
        es_str_cat(line, count ? " (" : " (never");
        if (count)
            show_times(line, count);
        es_str_char(line, ')');
    }
    if (f->n > NAMED)
        es_str_add(line, ", … %" PRId64 " more", f->n - NAMED);
}

/* Says what was found, and forgets it. */
static void tell(es_str *out, found *f, const es_style *style)
{
    es_str line = {0};
    if (f->n == 1)
        tell_one(&line, f, style);
    else if (f->n)
        tell_several(&line, f, style);
    if (line.len)
        es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    free(f->met);
}

static found begin(const es_context *c)
{
    return (found){.context = c, .met = es_alloc((size_t)c->model->config.vocab_size + 1)};
}

void es_show_rare(es_str *out, const es_context *c, const int32_t *ids, size_t n,
                  const es_style *style)
{
    if (!c->model->counts)
        return;
    found f = begin(c);
    look(&f, ids, n);
    tell(out, &f, style);
}

void es_show_rare_in(es_str *out, const es_text *t, const es_style *style)
{
    if (!t->context->model->counts)
        return;
    found f = begin(t->context);
    for (int64_t b = 0; b < es_text_B(t); b++)
        look(&f, t->sentences->of[b].tokens.id, t->sentences->of[b].tokens.n);
    tell(out, &f, style);
}

void es_show_rare_rows(es_str *out, const es_context *c, const es_neighbour *rows, int64_t n,
                       const es_style *style)
{
    int64_t rare = 0;
    es_str line = {0};
    for (int64_t i = 0; i < n; i++)
        rare += hardly(c, rows[i].id);
    if (!rare)
        return;
    es_str_add(&line,
               "%" PRId64 " of these %" PRId64 " %s seen fewer than %d times: that %s near is "
               "mostly chance",
               rare, n, rare == 1 ? "was" : "were", ES_HARDLY, rare == 1 ? "it is" : "they are");
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}
