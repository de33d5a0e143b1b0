// SPDX-License-Identifier: GPL-3.0-or-later
/* Which tokens a series has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "view/series.h"

enum { MISSING_SHOWN = 8 }; /* stretches of missing tokens that are named */

/* ---- series that have a name ---- */

static const es_series_kind kinds[] = {
    {.name = "numbers", .unit = "number", .n = 1000},
    {.name = "spaced", .unit = "number", .space = true, .n = 1000},
    {.name = "years", .unit = "year", .space = true, .first = 1800, .n = 231},
    {.name = "days",
     .unit = "day",
     .space = true,
     .n = 7,
     .word = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"},
    {.name = "months",
     .unit = "month",
     .space = true,
     .n = 12,
     .word = "January February March April May June July August September October November "
             "December"},
    {.name = "letters",
     .unit = "letter",
     .n = 26,
     .word = "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
};

const es_series_kind *es_series_kind_at(int i)
{
    return i >= 0 && i < (int)(sizeof kinds / sizeof *kinds) ? &kinds[i] : NULL;
}

void es_series_word(es_str *out, const es_series_kind *kind, int i)
{
    const char *word = kind->word;
    if (kind->space)
        es_str_char(out, ' ');
    if (!word) {
        es_str_add(out, "%d", kind->first + i);
        return;
    }
    for (int k = 0; k < i; k++)
        word += strcspn(word, " ") + 1;
    es_str_bytes(out, word, strcspn(word, " "));
}

/* ---- what is missing ---- */

/* Tokens one behind the other that are missing, put into words when the stretch ends. */
typedef struct stretch {
    es_str first, last; /* ready to print */
    int shown;
} stretch;

static void end_stretch(es_series *s, stretch *m)
{
    if (!m->first.len)
        return;
    if (m->shown < MISSING_SHOWN) {
        es_str_cat(&s->missing, m->shown ? ", " : "");
        es_str_cat(&s->missing, m->first.s);
        if (m->last.len)
            es_str_add(&s->missing, " to %s", m->last.s);
    } else if (m->shown == MISSING_SHOWN) {
        es_str_cat(&s->missing, " …");
    }
    m->shown++;
    es_str_free(&m->first);
    es_str_free(&m->last);
}

static void add_missing(stretch *m, const char *bytes, size_t n)
{
    es_str *to = m->first.len ? &m->last : &m->first;
    es_str_cut(to, 0);
    es_show_token(to, bytes, n);
}

/* ---- collecting ---- */

typedef struct collecting {
    es_series *s;
    const es_context *c;
    float *rows; /* (wanted, C) */
    stretch gone;
} collecting;

/* Take a token in, or count why it is not; false: the table failed. */
static bool take(collecting *k, int32_t id, int64_t place, const char *bytes, size_t n,
                 es_error *err)
{
    es_series *s = k->s;
    float *row = k->rows + s->n * s->C;
    bool there = id >= 0 && id < k->c->model->config.vocab_size, finite = there;
    if (there && !es_table_row(k->c->model->wte, id, row, err))
        return false;
    for (int64_t i = 0; there && i < s->C; i++)
        finite = finite && isfinite(row[i]);
    if (finite) {
        end_stretch(s, &k->gone);
        s->id[s->n] = id;
        s->place[s->n++] = place;
        return true;
    }
    *(id < 0 ? &s->no_token : there ? &s->not_finite : &s->no_row) += 1;
    add_missing(&k->gone, bytes, n);
    return true;
}

static bool collect_kind(collecting *k, const es_series_kind *kind, es_error *err)
{
    bool ok = true;
    for (int i = 0; ok && i < kind->n; i++) {
        es_str word = {0};
        es_series_word(&word, kind, i);
        int32_t id = es_bpe_find(k->c->bpe, word.s, word.len);
        ok = take(k, id, kind->word ? i + 1 : kind->first + i, word.s, word.len, err);
        es_str_free(&word);
    }
    return ok;
}

static bool collect_own(collecting *k, const es_series_choice *choice, es_error *err)
{
    bool ok = true;
    for (int64_t i = 0; ok && i < choice->n; i++) {
        size_t n = 0;
        es_str name = {0};
        const char *bytes = es_bpe_bytes(k->c->bpe, choice->id[i], &n);
        if (bytes)
            es_str_bytes(&name, bytes, n);
        else
            es_str_add(&name, "#%d", (int)choice->id[i]);
        ok = take(k, choice->id[i], i + 1, es_str_text(&name), name.len, err);
        es_str_free(&name);
    }
    return ok;
}

static bool make(es_series *s, collecting *k, const es_series_choice *choice, es_error *err)
{
    const es_series_kind *kind = es_series_kind_at(choice->kind);
    size_t most = (size_t)(s->wanted > 0 ? s->wanted : 1);
    k->rows = es_try_alloc(most, (size_t)s->C * sizeof *k->rows, "the rows of a series", err);
    if (!k->rows)
        return false;
    s->id = es_alloc_array(most, sizeof *s->id);
    s->place = es_alloc_array(most, sizeof *s->place);
    bool ok = kind ? collect_kind(k, kind, err) : collect_own(k, choice, err);
    end_stretch(s, &k->gone);
    return ok && (s->n < 2 || es_series_measure(s, k->rows, k->c->layer.be, err));
}

bool es_series_make(es_series *out, const es_context *c, const es_series_choice *choice,
                    uint64_t seed, es_error *err)
{
    const es_series_kind *kind = es_series_kind_at(choice->kind);
    *out = (es_series){.name = kind ? kind->name : "tokens",
                       .unit = kind ? kind->unit : "place",
                       .wanted = kind ? kind->n : choice->n,
                       .C = c->model->config.n_embd,
                       .rank = NAN,
                       .seed = seed};
    collecting k = {.s = out, .c = c};
    bool ok = make(out, &k, choice, err);
    es_str_free(&k.gone.first);
    es_str_free(&k.gone.last);
    free(k.rows);
    if (!ok)
        es_series_free(out);
    return ok;
}

void es_series_free(es_series *s)
{
    free(s->id);
    free(s->place);
    es_str_free(&s->missing);
    free(s->axes);
    free(s->at);
    free(s->apart);
    *s = (es_series){0};
}

int64_t es_series_missing(const es_series *s)
{
    return s->no_token + s->no_row + s->not_finite;
}
