// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>

#include "session/numbers.h"
#include "view/series.h"

enum { N_LAGS = 8 }; /* 1 2 4 … 128 apart are told */

/* ---- what it keeps and hides ---- */

static void say_share(const es_viewer *v, const es_series *s, es_str *out)
{
    double share = es_series_share(s, es_series_shown(v, s));
    if (!(share > 0)) {
        es_str_cat(out, "All these rows are the same: there is no spread.");
        return;
    }
    es_str_add(out, "%.0f %% of the spread of these ", 100 * share);
    es_show_count(out, s->n);
    es_str_cat(out, " rows is kept.");
}

/* Is the order in the rows?  Chance: more than 5 of 100 shuffles come as high. */
typedef enum verdict { CHANCE, WEAK, CLEAR } verdict;

static verdict verdict_of(const es_series *s)
{
    const double clear = 0.3;
    return s->lot_reached > ES_SERIES_LOTS / 20 ? CHANCE : s->rank < clear ? WEAK : CLEAR;
}

static void say_rank(const es_series *s, es_str *out)
{
    static const char *const says[] = {
        [CHANCE] = " No more of their order is in them than by chance",
        [WEAK] = " Their order is weakly in them",
        [CLEAR] = " Their order is in them",
    };
    if (isnan(s->rank)) {
        es_str_cat(out, " All are equally far apart, so there is no order to find.");
        return;
    }
    es_str_add(out, "%s: rank correlation %.2f, ", says[verdict_of(s)],
               fabs(s->rank) < 0.005 ? 0 : s->rank);
    if (s->lot_reached)
        es_str_add(out, "and %d of %d shuffles come as high.", s->lot_reached, ES_SERIES_LOTS);
    else
        es_str_add(out, "of %d shuffles none above %.2f.", ES_SERIES_LOTS, s->lot_most);
}

static void say_missing(const es_series *s, es_str *out)
{
    int64_t gone = es_series_missing(s);
    if (!gone)
        return;
    es_str_char(out, ' ');
    es_show_count(out, gone);
    es_str_add(out, " token%s missing.", gone == 1 ? " is" : "s are");
}

void es_series_honesty(const es_viewer *v, es_str *out)
{
    const es_series *s = es_series_of(v, NULL);
    if (!s)
        return;
    say_share(v, s, out);
    say_rank(s, out);
    say_missing(s, out);
}

void es_series_expression(const es_viewer *v, es_str *out)
{
    const es_series *s = es_series_of(v, NULL);
    if (!s)
        return;
    int axes = es_series_shown(v, s);
    es_str_add(out,
               "wte(ids) [n=%" PRId64 ", C=%" PRId64 "] @ axes [%d, C=%" PRId64 "].T = [n=%" PRId64
               ", %d]",
               s->n, s->C, axes, s->C, s->n, axes);
}

/* ---- numbers ---- */

static void list_missing(const es_series *s, es_str *out)
{
    es_str_add(out, "tokens: %" PRId64 " of %" PRId64 "\n", s->n, s->wanted);
    if (s->no_token)
        es_str_add(out, "no single token of the vocabulary: %" PRId64 "\n", s->no_token);
    if (s->no_row)
        es_str_add(out, "no row in wte: %" PRId64 "\n", s->no_row);
    if (s->not_finite)
        es_str_add(out, "left out: %" PRId64 " with NaN or Inf\n", s->not_finite);
    if (s->missing.len)
        es_str_add(out, "missing: %s\n", s->missing.s);
}

/* No "-0.000". */
static double tidy(double value)
{
    return fabs(value) < 0.0005 ? 0 : value;
}

static void list_cosines(const es_series *s, es_str *out)
{
    for (int k = 0; k < N_LAGS && (int64_t)1 << k <= s->lags; k++) {
        const es_apart *a = &s->apart[1 << k];
        es_str_add(out, "mean cosine %d apart: ", 1 << k);
        if (isnan(a->mean))
            es_str_cat(out, "none\n");
        else
            es_str_add(out, "%.3f (shuffled: %.3f to %.3f)\n", tidy(a->mean), tidy(a->low),
                       tidy(a->high));
    }
}

static void list_rank(const es_series *s, es_str *out)
{
    es_str_cat(out, "rank correlation of distances in the series and between rows: ");
    if (isnan(s->rank))
        es_str_cat(out, "none, as all are equally far apart\n");
    else
        es_str_add(out,
                   "%.3f\nthe same, shuffled by lot %d times (seed %" PRIu64
                   "): %.3f on average, %.3f at most, %d as high\n",
                   tidy(s->rank), ES_SERIES_LOTS, s->seed, tidy(s->lot_mean), tidy(s->lot_most),
                   s->lot_reached);
}

void es_series_plain(es_viewer *v, es_str *out)
{
    es_str why = {0};
    const es_series *s = es_series_of(v, &why);
    if (!s) {
        es_str_add(out, "problem: %s\n", es_str_text(&why));
        es_str_free(&why);
        return;
    }
    int axes = es_series_shown(v, s);
    es_series_tell_axes(v, s);
    es_str_add(out, "series: %s\n", s->name);
    list_missing(s, out);
    for (int k = 0; k < s->K; k++)
        es_str_add(out, "component %d: %.1f %% of the spread\n", k + 1, 100 * s->share[k]);
    es_str_add(out,
               "in the picture: %.1f %% of the spread (%.1f %% if all components were alike)\n",
               100 * es_series_share(s, axes), 100 * (double)axes / (double)s->across);
    list_rank(s, out);
    list_cosines(s, out);
}

/* ---- the same as JSON ---- */

static void key_double(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value);
}

static void json_missing(es_json *j, const es_series *s)
{
    es_json_key(j, "missing");
    es_json_open(j, '{');
    es_json_key_int(j, "no_token", s->no_token);
    es_json_key_int(j, "no_row", s->no_row);
    es_json_key_int(j, "not_finite", s->not_finite);
    es_json_key(j, "first");
    es_json_text(j, es_str_text(&s->missing), s->missing.len);
    es_json_close(j, '}');
}

static void json_cosines(es_json *j, const es_series *s)
{
    es_json_key(j, "cosine");
    es_json_open(j, '[');
    for (int k = 0; k < N_LAGS && (int64_t)1 << k <= s->lags; k++) {
        const es_apart *a = &s->apart[1 << k];
        es_json_open(j, '{');
        es_json_key_int(j, "apart", 1 << k);
        es_json_key_int(j, "pairs", a->pairs);
        key_double(j, "mean", a->mean);
        key_double(j, "shuffled_low", a->low);
        key_double(j, "shuffled_high", a->high);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_tokens(es_json *j, const es_series *s)
{
    es_json_key(j, "tokens");
    es_json_open(j, '[');
    for (int64_t i = 0; i < s->n && !es_str_braked(j->out); i++) {
        es_json_open(j, '{');
        es_json_key_int(j, "id", s->id[i]);
        es_json_key_int(j, "place", s->place[i]);
        es_json_key(j, "at");
        es_json_floats(j, s->at + 3 * i, s->K);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

void es_series_json(es_viewer *v, es_json *j)
{
    const es_series *s = es_series_of(v, NULL);
    if (!s)
        return;
    es_series_tell_axes(v, s);
    es_json_key_string(j, "series", s->name);
    es_json_key_int(j, "wanted", s->wanted);
    es_json_key_int(j, "n", s->n);
    json_missing(j, s);
    es_json_key(j, "shares");
    es_json_open(j, '[');
    for (int k = 0; k < s->K; k++)
        es_json_double(j, s->share[k]);
    es_json_close(j, ']');
    key_double(j, "share", es_series_share(s, es_series_shown(v, s)));
    key_double(j, "rank_correlation", s->rank);
    es_json_key_int(j, "shuffles", ES_SERIES_LOTS);
    es_json_key_int(j, "seed", (int64_t)s->seed);
    key_double(j, "shuffled_mean", s->lot_mean);
    key_double(j, "shuffled_most", s->lot_most);
    es_json_key_int(j, "shuffled_as_high", s->lot_reached);
    json_cosines(j, s);
    json_tokens(j, s);
}
