// SPDX-License-Identifier: GPL-3.0-or-later
/* What the teaching pictures' captions say, each of the model that is shown: what would not be true of it is not said. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "session/rare.h"
#include "view/axes.h"
#include "view/lesson_inside.h"
#include "view/offset.h"
#include "view/onehot.h"
#include "view/pairs.h"
#include "view/series.h"
#include "view/variance.h"

static void add_token(const es_viewer *v, int32_t id, es_str *out)
{
    es_scene_token(out, es_session_context(v->session), id, 24);
}

double es_lesson_no_minus_zero(double x)
{
    return fabs(x) < 0.005 ? 0 : x;
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

double es_lesson_median(const float *x, int64_t n, bool (*of)(const es_viewer *v, int64_t i),
                        const es_viewer *v)
{
    float *some = es_alloc_array((size_t)n + 1, sizeof *some);
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(x[i]) && (!of || of(v, i)))
            some[m++] = x[i];
    qsort(some, (size_t)m, sizeof *some, by_size);
    double middle = m ? (double)some[m / 2] : NAN;
    free(some);
    return middle;
}

/* ---- 4, 5 and 10: the spread of wte ---- */

enum { OFTEN = 100 };

static int64_t count_of(const es_viewer *v, int64_t id)
{
    return es_model_count(v->atlas->context->model, (int32_t)id);
}

static bool never(const es_viewer *v, int64_t id)
{
    return count_of(v, id) == 0;
}

static bool often(const es_viewer *v, int64_t id)
{
    return count_of(v, id) >= OFTEN;
}

static bool first_tenth(const es_viewer *v, int64_t id)
{
    return id < v->atlas->spread.n / 10;
}

static bool last_tenth(const es_viewer *v, int64_t id)
{
    return id >= v->atlas->spread.n - v->atlas->spread.n / 10;
}

static void say_lengths(es_viewer *v, es_lesson_says *says)
{
    const es_spread *s = &v->atlas->spread;
    bool known = v->atlas->most_seen > 0;
    double few = es_lesson_median(s->length, s->n, known ? never : first_tenth, v),
           many = es_lesson_median(s->length, s->n, known ? often : last_tenth, v);
    if (known && !isnan(few) && !isnan(many))
        es_str_add(&says->see,
                   "Tokens that training never met have a median length of %.3g, those it met %d "
                   "times or more one of %.3g.",
                   few, OFTEN, many);
    else if (!isnan(few) && !isnan(many) && !known)
        es_str_add(&says->see,
                   "The first tenth of the ids, the merges learned first, has a median length of "
                   "%.3g, the last tenth one of %.3g.",
                   few, many);
    else
        es_str_cat(&says->see, "Each point is a row of wte: how long it is, over its id.");
    es_str_cat(&says->beware,
               known ? "How often a token was seen does not settle its length, for at each count "
                       "lengths differ; and an id is an order of merges, not a frequency."
                     : "An id is an order of merges, not a frequency: this model does not say how "
                       "often a token was seen.");
}

/* How many rows in a hundred are farther from the mean. */
static double farther(const es_spread *s, int32_t id)
{
    int64_t n = 0, all = 0;
    for (int64_t i = 0; i < s->n; i++) {
        all += isfinite(s->distance[i]);
        n += s->distance[i] > s->distance[id];
    }
    return all ? 100 * (double)n / (double)all : 0;
}

static void say_met(const es_viewer *v, const es_variance *of, es_str *out)
{
    int64_t met[2] = {count_of(v, of->odd[0]), count_of(v, of->odd[1])};
    es_str_cat(out, "Near the mean is not broken");
    if (met[0] < 0 || met[1] < 0) {
        es_str_cat(out, ", and that glitch tokens are near it was said of another model's table, "
                        "GPT-J's");
        return;
    }
    if (!met[0] && !met[1]) {
        es_str_cat(out, ": training met neither of these two");
    } else {
        es_str_cat(out, ": training met the first ");
        es_show_count(out, met[0]);
        es_str_cat(out, met[0] == 1 ? " time and the second " : " times and the second ");
        es_show_count(out, met[1]);
    }
    if (met[0] < ES_HARDLY && met[1] < ES_HARDLY)
        es_str_cat(out, ", so that it hardly moved their rows for their own sake");
}

static void say_glitches(es_viewer *v, es_lesson_says *says)
{
    const es_variance *of = es_variance_of(v);
    const es_spread *s = &v->atlas->spread;
    for (int k = 0; k < 2 && k < of->n_odd; k++) {
        add_token(v, of->odd[k], &says->see);
        es_str_add(&says->see,
                   k ? " is %.3g from it, and %.0f %% are farther."
                     : " is %.3g from the mean, and %.0f %% of the rows are farther; ",
                   (double)s->distance[of->odd[k]], farther(s, of->odd[k]));
    }
    say_met(v, of, &says->beware);
    if (of->n_ends) {
        es_str_cat(&says->beware, "; nearest of all is ");
        add_token(v, of->near[0], &says->beware);
    }
    es_str_char(&says->beware, '.');
}

static void say_cone(es_viewer *v, es_lesson_says *says)
{
    const double none = 0.1;
    const es_variance *of = es_variance_of(v);
    bool cone = of->before.mean >= none;
    es_str_add(&says->see,
               "Two rows of wte drawn by lot have a cosine of %.2f on average, and of %.2f once "
               "the mean is taken off: %s.",
               es_lesson_no_minus_zero(of->before.mean), es_lesson_no_minus_zero(of->after.mean),
               cone ? "most of them lean the same way, and that way is the mean"
                    : "they lean no common way, as random rows do not");
    es_str_cat(&says->beware,
               cone ? "A high cosine here is not likeness by itself: what rows have in common, "
                      "their mean, is in every pair of them."
                    : "That there is no cone here does not mean there is none elsewhere: it is "
                      "training that makes them lean.");
}

/* ---- 6 and 7: pairs and series ---- */

static void say_pairs(es_viewer *v, es_lesson_says *says)
{
    const es_pairs *p = es_pairs_of(v, &says->see);
    if (!p)
        return;
    es_str_cat(&says->see, "Each arrow goes from a token to the same with a space before it; the "
                           "differences of all ");
    es_show_count(&says->see, p->n);
    es_str_add(&says->see,
               " pairs have a cosine of %.2f with their mean on average, and of %.2f when partners "
               "are exchanged by lot.",
               es_lesson_no_minus_zero(p->mean), es_lesson_no_minus_zero(p->lot_mean));
    es_str_add(&says->beware,
               "A space is %s: the mean difference explains %.0f %% of the differences' squared "
               "length, %.0f %% with "
               "partners by lot.",
               p->share < 0.5 ? "not one arrow that is added to every word"
                              : "not one arrow and nothing else",
               100 * p->share, 100 * p->lot_share);
}

static void say_series(es_viewer *v, es_lesson_says *says)
{
    const es_series *s = es_series_of(v, &says->see);
    if (!s)
        return;
    int axes = es_series_shown(v, s);
    es_show_count(&says->see, s->n);
    es_str_cat(&says->see, " of ");
    es_show_count(&says->see, s->wanted);
    es_str_add(&says->see,
               " %s are one token each; joined in order their rows lie apart as the %s do "
               "with a rank correlation of %.2f, which shuffling reached in %d of %d tries.",
               s->name, s->name, es_lesson_no_minus_zero(s->rank), s->lot_reached, ES_SERIES_LOTS);
    es_str_add(&says->beware,
               "An order among rows is not arithmetic: the picture keeps %.0f %% of their spread, "
               "and misses %" PRId64 " %s, which are no single token with a row.",
               100 * es_series_share(s, axes), es_series_missing(s), s->name);
}

/* ---- 8 and 9: the sum, the lookup ---- */

static void say_offset(es_viewer *v, es_lesson_says *says)
{
    const es_offset *o = es_offset_of(v, &says->see);
    if (!o)
        return;
    int axes = es_offset_shown(v, o);
    add_token(v, o->token, &says->see);
    if (o->second >= 0) {
        es_str_cat(&says->see, " and ");
        add_token(v, o->second, &says->see);
    }
    es_str_cat(&says->see, " at each of ");
    es_show_count(&says->see, o->of.n);
    es_str_add(&says->see,
               " positions are the positions' curve%s, moved by %s: the arrow between the curves "
               "is the same everywhere, %.3g long.",
               o->second >= 0 ? ", twice" : "",
               o->second >= 0 ? "a row of wte each" : "its row of wte", o->length);
    es_str_add(&says->beware,
               "That the copies look alike says nothing of the words: adding any row moves the "
               "curve so, and of its shape the picture keeps %.0f %%.",
               100 * es_offset_share(o, axes));
}

static void say_onehot(es_viewer *v, es_lesson_says *says)
{
    const es_hot *h = es_hot_of(v, &says->see);
    if (!h)
        return;
    es_str_cat(&says->see, "A row of ");
    es_show_count(&says->see, h->V);
    es_str_add(&says->see, " numbers, all 0 but the one at id %" PRId32 " (", h->id);
    add_token(v, h->id, &says->see);
    es_str_cat(&says->see, "), times the table is that row of the table, number for number.");
    es_str_cat(&says->beware, "Nobody multiplies: of ");
    es_show_count(&says->beware, h->V * h->C);
    es_str_cat(&says->beware, " products all but ");
    es_show_count(&says->beware, h->C);
    es_str_cat(&says->beware, " are with 0, so programs copy the row, and the product is there to "
                              "say what the copy means.");
}

/* ---- 11 and 12: the map, an analogy ---- */

static void say_map(es_viewer *v, es_lesson_says *says)
{
    const es_mapped *m = &v->atlas->tokens;
    int which[3], n = es_map_components(v, which);
    int64_t place;
    int32_t focus = es_viewer_focus(v, &place);
    es_str_cat(&says->see, "Components ");
    for (int k = 0; k < n; k++)
        es_str_add(&says->see, "%s%d", k ? (k + 1 < n ? ", " : " and ") : "", which[k] + 1);
    es_str_add(&says->see, " keep %.1f %% of the spread", 100 * es_pca_share(&m->pca, which, n));
    if (focus >= 0) {
        es_str_cat(&says->see, "; lines lead from ");
        add_token(v, focus, &says->see);
        es_str_cat(&says->see, " to the rows that are nearest to it, dashed to those that the "
                               "picture has torn away");
    }
    es_str_char(&says->see, '.');
    es_str_cat(&says->beware, "Near in the picture is not alike");
    if (es_atlas_knows_kept(v->atlas, which, n) && v->atlas->kept.k)
        es_str_add(&says->beware, ": of a token's %d nearest rows %.2f are near in it on average",
                   v->atlas->kept.k, v->atlas->kept.kept);
    es_str_cat(&says->beware,
               ", and far in it is not different in what the other components hold.");
}

static bool is_own(const es_axes *ax, int32_t id)
{
    return id == ax->of.a || id == ax->of.b || id == ax->of.c;
}

static void say_analogy(es_viewer *v, es_lesson_says *says)
{
    const es_axes *ax = es_axes_of(v);
    if (!ax || ax->why.len || ax->of.form != ES_AXES_ANALOGY) {
        es_str_cat(&says->see, "Rows of wte along axes that are made of tokens.");
        es_str_cat(&says->beware, "An axis is the difference of the rows it was made of, and not "
                                  "what their words are thought to differ in.");
        return;
    }
    es_str_cat(&says->see, "The fourth corner is ");
    add_token(v, ax->of.a, &says->see);
    es_str_cat(&says->see, " − ");
    add_token(v, ax->of.b, &says->see);
    es_str_cat(&says->see, " + ");
    add_token(v, ax->of.c, &says->see);
    if (ax->all.n && ax->others.n) {
        es_str_cat(&says->see, ", and nearest to it of all rows is ");
        add_token(v, ax->all.of[0].id, &says->see);
        es_str_cat(&says->see, ", of those that are none of the three ");
        add_token(v, ax->others.of[0].id, &says->see);
    }
    es_str_char(&says->see, '.');
    es_str_cat(&says->beware, "One analogy proves nothing of others, whether it comes out or not");
    if (ax->all.n && is_own(ax, ax->all.of[0].id))
        es_str_cat(&says->beware, ", and here the nearest row is one of its own three words");
    es_str_add(&says->beware, "; the plane shows %.1f %% of the spread.", 100 * ax->share);
}

void (*const es_lesson_words[ES_LESSON_PICTURES])(es_viewer *v, es_lesson_says *says) = {
    es_lesson_helix, es_lesson_beside, es_lesson_row_lengths,
    say_lengths,     say_glitches,     say_pairs,
    say_series,      say_offset,       say_onehot,
    say_cone,        say_map,          say_analogy,
};
