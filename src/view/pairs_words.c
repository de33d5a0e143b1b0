// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>

#include "base/visible.h"
#include "session/numbers.h"
#include "view/pairs.h"

/* ---- what it keeps and hides ---- */

void es_pairs_honesty(const es_viewer *v, es_str *out)
{
    const es_pairs *p = es_pairs_of(v, NULL);
    if (!p)
        return;
    if (isnan(p->share)) {
        es_str_cat(out, "Both tokens of every pair have the same row: a space changes nothing.");
        return;
    }
    int axes = es_pairs_shown(v, p);
    es_str_add(out,
               "Their mean explains %.0f %% of the differences' squared length (%.0f %% with "
               "partners exchanged by lot): a space is %s one direction. %d component%s show%s "
               "%.0f %% of it.",
               100 * p->share, 100 * p->lot_share, p->share >= 0.5 ? "mostly" : "not simply", axes,
               axes == 1 ? "" : "s", axes == 1 ? "s" : "", 100 * es_pairs_seen(v, p));
    if (p->found > p->n) {
        es_str_char(out, ' ');
        es_show_count(out, p->found - p->n);
        es_str_cat(out, " pairs have no row.");
    }
}

void es_pairs_expression(const es_viewer *v, es_str *out)
{
    const es_pairs *p = es_pairs_of(v, NULL);
    if (!p)
        return;
    es_str_add(out,
               "d = wte(with) [n=%" PRId64 ", C=%" PRId64 "] - wte(without) [n=%" PRId64
               ", C=%" PRId64 "]   cosine(d, d.mean(0)) [n=%" PRId64 "]",
               p->n, p->C, p->n, p->C, p->n);
}

/* ---- numbers ---- */

static void quote(const es_viewer *v, int32_t id, es_str *out)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(v->atlas->context->bpe, id, &n);
    if (bytes)
        es_show_quoted(out, bytes, n);
    es_str_add(out, " (#%" PRId32 ")", id);
}

/* The pairs whose difference is most and least like the mean. */
static int64_t extreme(const es_pairs *p, bool most)
{
    int64_t best = -1;
    for (int64_t i = 0; i < p->n; i++) {
        float x = p->cosine[i];
        if (!isnan(x) && (best < 0 || (most ? x > p->cosine[best] : x < p->cosine[best])))
            best = i;
    }
    return best;
}

static void list_pair(const es_viewer *v, const es_pairs *p, const char *key, int64_t i,
                      es_str *out)
{
    if (i < 0)
        return;
    es_str_add(out, "%s: ", key);
    quote(v, p->without[i], out);
    es_str_cat(out, " to ");
    quote(v, p->with[i], out);
    if (isnan(p->cosine[i]))
        es_str_cat(out, ", no cosine, as both rows are the same\n");
    else
        es_str_add(out, ", cosine %.4f\n", (double)p->cosine[i]);
}

void es_pairs_plain(es_viewer *v, es_str *out)
{
    es_str why = {0};
    const es_pairs *p = es_pairs_of(v, &why);
    if (!p) {
        es_str_add(out, "problem: %s\n", es_str_text(&why));
        es_str_free(&why);
        return;
    }
    es_pairs_tell_axes(v, p);
    es_str_add(out, "pairs of the vocabulary: %" PRId64 "\n", p->found);
    if (p->no_row)
        es_str_add(out, "no row in wte: %" PRId64 "\n", p->no_row);
    if (p->not_finite)
        es_str_add(out, "left out: %" PRId64 " with NaN or Inf\n", p->not_finite);
    es_str_add(out,
               "pairs compared: %" PRId64 "\n"
               "mean length of a difference: %.4g, by lot %.4g\n"
               "length of the mean difference: %.4g\n",
               p->n, p->typical, p->lot_typical, p->length);
    if (isnan(p->share)) {
        es_str_cat(out, "note: both tokens of every pair have the same row\n");
        return;
    }
    es_str_add(out,
               "squared length that the mean difference explains: %.1f %%, by lot %.1f %%\n"
               "mean cosine with the mean difference: %.3f, by lot %.3f\n"
               "by lot: each token to another one with a space (seed %" PRIu64 ")\n"
               "squared length seen in the picture: %.1f %%\n",
               100 * p->share, 100 * p->lot_share, p->mean, p->lot_mean, p->seed,
               100 * es_pairs_seen(v, p));
    list_pair(v, p, "most like the mean", extreme(p, true), out);
    list_pair(v, p, "least like the mean", extreme(p, false), out);
    list_pair(v, p, "in focus", es_pairs_focus(v, p), out);
}

/* ---- the same as JSON ---- */

static void key_double(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value);
}

static void json_pair(es_json *j, const es_pairs *p, const char *key, int64_t i)
{
    es_json_key(j, key);
    if (i < 0) {
        es_json_null(j);
        return;
    }
    es_json_open(j, '{');
    es_json_key_int(j, "without", p->without[i]);
    es_json_key_int(j, "with", p->with[i]);
    key_double(j, "cosine", (double)p->cosine[i]);
    es_json_close(j, '}');
}

static void json_bins(es_json *j, const char *key, const int64_t *bin)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int i = 0; i < ES_PAIR_BINS; i++)
        es_json_int(j, bin[i]);
    es_json_close(j, ']');
}

void es_pairs_json(es_viewer *v, es_json *j)
{
    const es_pairs *p = es_pairs_of(v, NULL);
    if (!p)
        return;
    es_pairs_tell_axes(v, p);
    es_json_key_int(j, "found", p->found);
    es_json_key_int(j, "no_row", p->no_row);
    es_json_key_int(j, "not_finite", p->not_finite);
    es_json_key_int(j, "n", p->n);
    key_double(j, "length", p->typical);
    key_double(j, "length_by_lot", p->lot_typical);
    key_double(j, "mean_difference", p->length);
    key_double(j, "share", p->share);
    key_double(j, "share_by_lot", p->lot_share);
    key_double(j, "cosine", p->mean);
    key_double(j, "cosine_by_lot", p->lot_mean);
    es_json_key_int(j, "seed", (int64_t)p->seed);
    key_double(j, "seen", es_pairs_seen(v, p));
    json_bins(j, "bins", p->bin);
    json_bins(j, "bins_by_lot", p->lot_bin);
    json_pair(j, p, "most", extreme(p, true));
    json_pair(j, p, "least", extreme(p, false));
    json_pair(j, p, "focus", es_pairs_focus(v, p));
}
