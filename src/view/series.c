// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/mem.h"
#include "base/visible.h"
#include "view/row_named.h"

/* ---- what is kept ---- */

typedef struct kept {
    bool made; /* or it cannot be, and `why` says so */
    uint64_t seed;
    es_series series;
    es_str why;
    es_series_picture picture;
} kept;

static kept *keep(const es_viewer *v)
{
    return es_view_keep(v, ES_VIEW_SERIES, sizeof(kept));
}

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_SERIES];
    if (!k)
        return;
    es_series_free(&k->series);
    es_str_free(&k->why);
    free(k);
    v->of[ES_VIEW_SERIES] = NULL;
}

static void say_too_few(const es_series *s, es_str *why)
{
    es_str_add(why, "Of the %" PRId64 " tokens of this series %s: ", s->wanted,
               s->n ? "one alone has a row" : "none has a row");
    if (s->no_token)
        es_str_add(why, "%" PRId64 " are no single token of the vocabulary, ", s->no_token);
    if (s->no_row)
        es_str_add(why, "for %" PRId64 " wte has no row, ", s->no_row);
    if (s->not_finite)
        es_str_add(why, "%" PRId64 " rows hold NaN or Inf, ", s->not_finite);
    es_str_cut(why, why->len - 2);
    es_str_cat(why, ". A curve wants two. Others: :show series letters, or tokens of your own, "
                    "such as :show series \" one\" \" two\" \" three\".");
}

/* Tokens of one's own may be beyond another model's table: they are counted as missing. */
static void make(const es_viewer *v, kept *k)
{
    static const es_series_choice usual = {0};
    const es_context *c = es_session_context(v->session);
    const es_series_choice *choice = v->chosen[ES_VIEW_SERIES];
    es_error err = ES_ERROR_NONE;
    es_series_free(&k->series);
    es_str_cut(&k->why, 0);
    k->picture = (es_series_picture){0};
    k->made = true;
    k->seed = v->seed;
    if (!c->model->config.vocab_size)
        es_str_cat(&k->why, "This model has no wte, so its tokens have no vectors to join. The "
                            "curve of its places is shown by the positions view.");
    else if (!es_series_make(&k->series, c, choice ? choice : &usual, v->seed, &err))
        es_str_cat(&k->why, err.message);
    else if (k->series.n < 2)
        say_too_few(&k->series, &k->why);
    es_error_free(&err);
}

const es_series *es_series_of(const es_viewer *v, es_str *why)
{
    kept *k = keep(v);
    if (!k->made || k->seed != v->seed)
        make(v, k);
    if (!k->why.len)
        return &k->series;
    if (why)
        es_str_cat(why, k->why.s);
    return NULL;
}

int es_series_shown(const es_viewer *v, const es_series *s)
{
    int most = v->camera[ES_VIEW_SERIES].solid ? 3 : 2;
    return s->K < most ? s->K : most;
}

void es_series_tell_axes(const es_viewer *v, const es_series *s)
{
    es_session_set_axes(v->session, s->axes, s->K, s->C);
}

/* ---- the picture ---- */

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return 0;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_str why = {0};
    const es_series *s = es_series_of(v, &why);
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    if (s)
        es_series_draw(v, s, c, es_canvas_room(c, area, es_viewer_em(v)), &keep(v)->picture);
    else
        es_view_instead(v, c, area, es_str_text(&why));
    es_canvas_clip(c, before);
    es_str_free(&why);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)c, (void)area;
    const es_series *s = es_series_of(v, NULL);
    return s && es_series_pick(v, s, &keep(v)->picture, at, out);
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)area;
    const es_series_picture *p = &keep(v)->picture;
    if (!p->curve.n || !es_box_has(p->main, at.x, at.y))
        return false;
    *out = p->main;
    *extent = p->extent;
    return true;
}

/* ---- :show series [NAME | TOKEN TOKEN …] ---- */

static void choose(es_viewer *v, const es_series_choice *choice)
{
    es_series_choice *to = v->chosen[ES_VIEW_SERIES];
    if (!to)
        to = v->chosen[ES_VIEW_SERIES] = es_alloc(sizeof *to);
    free(to->id);
    *to = *choice;
    forget(v);
}

static void drop(es_viewer *v)
{
    es_series_choice *choice = v->chosen[ES_VIEW_SERIES];
    if (choice)
        free(choice->id);
    free(choice);
    v->chosen[ES_VIEW_SERIES] = NULL;
}

static int kind_named(const es_arg *arg)
{
    const es_series_kind *kind;
    for (int i = 0; !arg->quoted && (kind = es_series_kind_at(i)); i++)
        if (!strcmp(kind->name, es_str_text(&arg->value)) && strlen(kind->name) == arg->value.len)
            return i;
    return -1;
}

/* A single word that is none of the names. */
static bool no_such_series(const es_arg *arg, es_error *err)
{
    es_str word = {0};
    const char *typed = es_str_text(&arg->value), *meant = NULL;
    const es_series_kind *kind;
    int least = es_slip(arg->value.len);
    for (int i = 0; (kind = es_series_kind_at(i)); i++) {
        int d = es_distance(typed, arg->value.len, kind->name, strlen(kind->name), least);
        meant = d < least ? kind->name : meant;
        least = d < least ? d : least;
    }
    es_show_brief(&word, typed, arg->value.len);
    es_fail(err, ES_ERR_VALUE, "a series has two tokens or a name, not %s alone", word.s);
    if (meant)
        es_hint(err, "did you mean %s ?", meant);
    es_hint(err, "names: numbers, spaced (with a space before), years, days, months, letters");
    es_hint(err, "tokens: :show series \" one\" \" two\" \" three\"");
    es_str_free(&word);
    return es_error_locate(err, arg->begin, arg->end);
}

/* Tokens to the end of the line, the first of them from `at` on. */
static bool read_tokens(es_viewer *v, es_call *call, size_t at, es_series_choice *out,
                        es_error *err)
{
    es_token_name name;
    int found;
    *out = (es_series_choice){.kind = -1};
    out->id = es_alloc_array(ES_SERIES_MOST, sizeof *out->id);
    while ((found = es_row_next(v, call, &at, &name, err)) > 0 && out->n < ES_SERIES_MOST)
        out->id[out->n++] = name.id;
    if (found > 0)
        es_fail(err, ES_ERR_RANGE, "a series has at most %d tokens here", ES_SERIES_MOST);
    return found == 0;
}

static bool choose_tokens(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_series_choice own;
    bool ok = read_tokens(v, call, at, &own, err);
    if (ok)
        choose(v, &own);
    else
        free(own.id);
    return ok;
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_arg first = {0};
    size_t begin = at;
    int found = es_arg_next(call, &at, &first, err);
    bool ok = found == 0, alone = found > 0 && es_arg_end(call, at, NULL);
    int kind = found > 0 ? kind_named(&first) : -1;
    if (alone && kind >= 0) {
        choose(v, &(es_series_choice){.kind = kind});
        ok = true;
    } else if (alone) {
        no_such_series(&first, err);
    } else if (found > 0) {
        ok = choose_tokens(v, call, begin, err);
    }
    es_str_free(&first.value);
    return ok;
}

static void recall(const es_viewer *v, es_str *lines)
{
    const es_series_choice *choice = v->chosen[ES_VIEW_SERIES];
    if (!choice)
        return;
    es_str_cat(lines, ":show series");
    if (choice->kind >= 0)
        es_str_add(lines, " %s", es_series_kind_at(choice->kind)->name);
    for (int64_t i = 0; i < choice->n; i++)
        es_str_add(lines, " #%" PRId32, choice->id[i]);
    es_str_char(lines, '\n');
}

const es_view_kind es_view_series = {
    .name = "series",
    .summary = "tokens that have an order, such as numbers, as a curve",
    .args = "[numbers|spaced|years|days|months|letters|TOKEN TOKEN …]",
    .solid = true,
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_series_honesty,
    .expression = es_series_expression,
    .plain = es_series_plain,
    .json = es_series_json,
    .arguments = arguments,
    .ground = ground,
    .forget = forget,
    .recall = recall,
    .drop = drop,
};
