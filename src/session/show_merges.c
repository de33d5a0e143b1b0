// SPDX-License-Identifier: GPL-3.0-or-later
/* How words are merged, step by step. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/json_text.h"
#include "session/numbers.h"
#include "session/show_kinds.h"

typedef struct step {
    size_t at;
    int32_t left, right, made;
} step;

typedef struct steps {
    step *of; /* owned; room for as many as the word has bytes */
    size_t n;
} steps;

enum { MOST_STEPS = 40 }; /* shown to a reader, and the last one */

static bool is_shown(const steps *all, size_t i)
{
    return i < MOST_STEPS || i + 1 == all->n;
}

static void add_step(void *user, size_t at, int32_t left, int32_t right, int32_t made)
{
    steps *s = user;
    s->of[s->n++] = (step){at, left, right, made};
}

/* All merges of a word, unless whoever holds out's brake stops it. */
static bool trace(steps *all, const es_bpe *bpe, const char *word, size_t len, const es_str *out,
                  es_error *err)
{
    es_watch watch = {.stop = out->brake ? out->brake->stop : NULL};
    *all = (steps){.of = es_try_alloc(len, sizeof *all->of, "the merges of a word", err)};
    return all->of && es_bpe_trace(bpe, word, len, add_step, all, &watch, err);
}

static void show_id(es_str *out, const es_bpe *bpe, int32_t id)
{
    size_t n;
    const char *bytes = es_bpe_bytes(bpe, id, &n);
    es_show_token(out, bytes, n);
}

/* The word as parts with a space between, as many as could fit a line: next[i] is where the part that
 * begins at byte i ends. */
static void show_parts(es_str *out, const char *word, const size_t *next, size_t len,
                       const es_style *style)
{
    int left = style->plain ? ES_DEFAULT_WIDTH : style->width;
    for (size_t i = 0; i < len; i = next[i]) {
        es_str_cat(out, i ? " " : "");
        if (left-- == 0) {
            es_str_cat(out, "…");
            return;
        }
        es_show_token(out, word + i, next[i] - i);
    }
}

/* Join the part at s->at with the one behind it. */
static void join(size_t *next, const step *s)
{
    next[s->at] = next[next[s->at]];
}

/* "step 1: e + s, rank 18: l o w es t" */
static void plain_steps(es_str *out, const es_bpe *bpe, const char *word, size_t *next, size_t len,
                        const steps *all, const es_style *style)
{
    for (size_t i = 0; i < all->n; i++) {
        const step *s = &all->of[i];
        join(next, s);
        if (!is_shown(all, i))
            continue;
        es_str_add(out, "step %zu: ", i + 1);
        show_id(out, bpe, s->left);
        es_str_cat(out, " + ");
        show_id(out, bpe, s->right);
        es_str_add(out, ", rank %" PRId32 ": ", es_bpe_rank(bpe, s->made));
        show_parts(out, word, next, len, style);
        es_str_char(out, '\n');
    }
}

static void show_gap(es_str *out, size_t n, const es_style *style)
{
    es_str line = {0};
    if (n <= MOST_STEPS + 1)
        return;
    es_str_add(&line, "(%zu steps, the first %d and the last are shown)", n, MOST_STEPS);
    es_wrap(out, line.s, 2, style);
    es_str_free(&line);
}

static void show_steps(es_str *out, const es_bpe *bpe, const char *word, size_t *next, size_t len,
                       const steps *all, const es_style *style)
{
    es_grid g = {.align = "fflr"};
    show_parts(es_grid_cell(&g, ES_PAINT_NONE), word, next, len, style);
    for (int i = 0; i < 3; i++)
        es_grid_text(&g, "%s", "");
    for (size_t i = 0; i < all->n; i++) {
        const step *s = &all->of[i];
        join(next, s);
        if (!is_shown(all, i))
            continue;
        show_parts(es_grid_cell(&g, ES_PAINT_NONE), word, next, len, style);
        es_str *pair = es_grid_cell(&g, ES_PAINT_NONE);
        show_id(pair, bpe, s->left);
        es_str_char(pair, '+');
        show_id(pair, bpe, s->right);
        es_grid_text(&g, "rank");
        es_show_count(es_grid_cell(&g, ES_PAINT_NONE), es_bpe_rank(bpe, s->made));
    }
    es_grid_end(&g, out, 2, 2, style);
}

static void show_outcome(es_str *out, const es_bpe *bpe, const char *word, const size_t *next,
                         size_t len, bool merged, const es_style *style)
{
    enum { MOST = 12 };
    size_t n = 0;
    for (size_t i = 0; i < len; i = next[i])
        n++;
    es_flow f = es_flow_start(out, " ", style);
    es_flow_item(&f, merged ? "no pair is left that was ever learned:"
                            : "no pair in it was ever learned:");
    es_flow_item(&f, "%zu token%s,", n, n == 1 ? "" : "s");
    size_t k = 0;
    for (size_t i = 0; i < len && k < MOST; i = next[i]) {
        es_str token = {0};
        es_show_token(&token, word + i, next[i] - i);
        es_flow_item(&f, "%s %" PRId32 "%s", token.s, es_bpe_find(bpe, word + i, next[i] - i),
                     ++k < n ? "," : "");
        es_str_free(&token);
    }
    if (n > MOST)
        es_flow_item(&f, "…");
    es_flow_end(&f);
}

static void show_word(es_str *out, const es_bpe *bpe, const char *word, size_t len,
                      const steps *all, size_t *next, bool explain, const es_style *style)
{
    es_str line = {0};
    es_show_brief(&line, word, len);
    es_str_add(&line, " is one word of %zu byte%s", len, len == 1 ? "" : "s");
    if (all->n && explain)
        es_str_cat(&line,
                   "; of all neighbours, the pair that was learned first (lowest rank) is merged, "
                   "then again");
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    if (all->n && style->plain)
        plain_steps(out, bpe, word, next, len, all, style);
    else if (all->n)
        show_steps(out, bpe, word, next, len, all, style);
    show_gap(out, all->n, style);
    show_outcome(out, bpe, word, next, len, all->n > 0, style);
}

static bool show_traced(es_str *out, const es_bpe *bpe, const char *word, size_t len, bool explain,
                        const es_style *style, es_error *err)
{
    steps all;
    size_t *next = es_try_alloc(len, sizeof *next, "the parts of a word", err);
    bool ok = trace(&all, bpe, word, len, out, err) && next;
    if (ok) {
        for (size_t i = 0; i < len; i++)
            next[i] = i + 1;
        show_word(out, bpe, word, len, &all, next, explain, style);
    }
    free(all.of);
    free(next);
    return ok;
}

bool es_show_merges(es_str *out, void *data, const es_style *style, es_error *err)
{
    enum { MOST = 30 };
    const es_merges *m = data;
    const es_bpe *bpe = m->context->bpe;
    const char *text = es_str_text(&m->text);
    size_t n_words = 0;
    for (size_t at = 0, len; at < m->text.len; at += len) {
        len = es_bpe_word(bpe, text + at, m->text.len - at);
        if (n_words++ < MOST && !show_traced(out, bpe, text + at, len, n_words == 1, style, err))
            return false;
    }
    if (n_words > MOST)
        es_str_add(out, "… %zu more words\n", n_words - MOST);
    return true;
}

static bool json_word(es_json *j, const es_bpe *bpe, const char *word, size_t len, es_error *err)
{
    steps all;
    bool ok = trace(&all, bpe, word, len, j->out, err);
    es_json_open(j, '{');
    es_json_bytes(j, word, len);
    es_json_key(j, "steps");
    es_json_open(j, '[');
    for (size_t i = 0; i < all.n && !es_str_braked(j->out); i++) {
        es_json_open(j, '{');
        es_json_key_int(j, "left", all.of[i].left);
        es_json_key_int(j, "right", all.of[i].right);
        es_json_key_int(j, "made", all.of[i].made);
        es_json_key_int(j, "rank", es_bpe_rank(bpe, all.of[i].made));
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    es_json_close(j, '}');
    free(all.of);
    return ok;
}

bool es_json_of_merges(es_json *j, void *data, bool values, es_error *err)
{
    const es_merges *m = data;
    const char *text = es_str_text(&m->text);
    bool ok = true;
    (void)values;
    es_json_key(j, "pieces");
    es_json_open(j, '[');
    for (size_t at = 0, len; ok && at < m->text.len && !es_str_braked(j->out); at += len) {
        len = es_bpe_word(m->context->bpe, text + at, m->text.len - at);
        ok = json_word(j, m->context->bpe, text + at, len, err);
    }
    es_json_close(j, ']');
    return ok;
}
