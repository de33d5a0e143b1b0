// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/positions.h"

enum { MANY_CELLS = 400 }; /* a side of the matrix: as a rule there are fewer pixels */

/* How many components the picture has. */
static int dimensions(const es_viewer *v)
{
    return v->camera[ES_VIEW_POSITIONS].solid ? 3 : 2;
}

static double kept(const es_viewer *v, const es_places *p)
{
    double sum = 0;
    for (int k = 0; k < dimensions(v); k++)
        sum += 100 * p->share[k];
    return sum;
}

/* "wpe's 1,024 rows", "the first 1,024 rows of the sinusoidal table" */
static void say_rows(es_str *out, const es_places *p)
{
    es_str_cat(out, p->learned ? "wpe's " : "the first ");
    es_show_count(out, p->learned ? p->rows : p->n * p->stride);
    es_str_cat(out, p->learned ? " rows" : " rows of the sinusoidal table");
}

/* ---- the honesty line ---- */

static void admit_components(const es_viewer *v, const es_places *p, es_str *out)
{
    if (!p->K)
        return;
    es_str_add(out, "%d components keep %.1f %% of the spread of ", dimensions(v), kept(v, p));
    say_rows(out, p);
    es_str_cat(out, ". ");
}

/* "6 of 1,024 rows and 4 of 768 channels are curves, each to its own scale." */
static void admit_curves(const es_viewer *v, const es_places *p, es_str *out)
{
    const es_positions_kept *k = es_positions_kept_of(v);
    int said = 0;
    for (int i = 0; i < k->n; i++) {
        const es_panel *panel = &k->panel[i];
        if (panel->kind != ES_PANEL_ROWS && panel->kind != ES_PANEL_CHANNELS)
            continue;
        bool rows = panel->kind == ES_PANEL_ROWS;
        es_str_add(out, "%s%d of ", said++ ? " and " : "", panel->n);
        es_show_count(out, rows ? (p->learned ? p->rows : p->n) : p->C);
        es_str_cat(out, rows ? " rows" : " channels");
    }
    if (said)
        es_str_cat(out, " are curves, each to its own scale. ");
}

static void admit_cosine(const es_viewer *v, const es_places *p, es_str *out)
{
    (void)v;
    es_str_cat(out, p->n > MANY_CELLS ? "A pixel has the mean of its cosines. "
                                      : "Cosines are of whole rows. ");
}

static void admit_lengths(const es_places *p, es_str *out)
{
    es_str_cat(out, "Lengths are of whole rows: ");
    say_rows(out, p);
    es_str_cat(out, ". ");
}

static void admit_beside(const es_viewer *v, const es_places *p, es_str *out)
{
    const es_places *other = es_positions_table(v, false);
    admit_components(v, p, out);
    if (other && other != p && other->K)
        es_str_add(out, "Of the sinusoidal table they keep %.1f %%. Each curve has its own scale.",
                   kept(v, other));
}

void es_positions_honesty(const es_viewer *v, es_str *out)
{
    const es_places *p = es_positions_main(v);
    int shown = v->positions_shown;
    if (!p)
        return;
    if (shown == ES_SHOWN_ALL || shown == ES_SHOWN_COMPONENTS)
        admit_components(v, p, out);
    if (shown == ES_SHOWN_ALL || shown == ES_SHOWN_CURVES)
        admit_curves(v, p, out);
    if (shown == ES_SHOWN_ALL || shown == ES_SHOWN_COSINE)
        admit_cosine(v, p, out);
    if (shown == ES_SHOWN_LENGTHS)
        admit_lengths(p, out);
    if (shown == ES_SHOWN_BESIDE)
        admit_beside(v, p, out);
    if (p->stride > 1)
        es_str_add(out, "Of every %" PRId64 " rows one is drawn. ", p->stride);
    if (out->len && out->s[out->len - 1] == ' ')
        es_str_cut(out, out->len - 1);
}

/* ---- the expression ---- */

void es_positions_expression(const es_viewer *v, es_str *out)
{
    const es_places *p = es_positions_main(v);
    int shown = v->positions_shown;
    if (!p)
        return;
    if (p->learned)
        es_str_add(out, "W = wpe.weight [P=%" PRId64 ", C=%" PRId64 "]", p->rows, p->C);
    if (!p->learned || shown == ES_SHOWN_BESIDE)
        es_str_add(out, "%s = sin, cos(p / 10000^(2i/C)) [%" PRId64 ", C=%" PRId64 "]",
                   p->learned ? "   S" : "W", p->n, p->C);
    if (p->K && (shown == ES_SHOWN_ALL || shown == ES_SHOWN_COMPONENTS))
        es_str_add(out, "   (W - W.mean(0)) @ axes.T [%" PRId64 ", %d]", p->n, dimensions(v));
    if (shown == ES_SHOWN_LENGTHS)
        es_str_add(out, "   W.norm(dim=1) [%" PRId64 "]", p->n);
    if (shown == ES_SHOWN_ALL || shown == ES_SHOWN_COSINE || shown == ES_SHOWN_BESIDE)
        es_str_add(out, "   cosine(W[i], W[j]) [%" PRId64 ", %" PRId64 "]", p->n, p->n);
}

/* ---- numbers ---- */

enum { N_LAGS = 9 }; /* 1 2 4 … 256 */

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static double median_length(const es_places *p)
{
    float *sorted = es_alloc_array((size_t)p->n, sizeof *sorted);
    int64_t n = 0;
    for (int64_t i = 0; i < p->n; i++)
        if (isfinite(p->length[i]))
            sorted[n++] = p->length[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_size);
    double median = !n      ? NAN
                    : n % 2 ? (double)sorted[n / 2]
                            : ((double)sorted[n / 2 - 1] + (double)sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

/* The number of largest size. */
static void largest(const es_places *p, int64_t *i, int64_t *c)
{
    float most = -1;
    *i = *c = 0;
    for (int64_t k = 0; k < p->n * p->C; k++)
        if (isfinite(p->row[k]) && fabsf(p->row[k]) > most) {
            most = fabsf(p->row[k]);
            *i = k / p->C;
            *c = k % p->C;
        }
}

static double period(const es_places *p, int k)
{
    return (double)(p->n * p->stride) / (double)p->wave[k].turns;
}

static void list_components(const es_places *p, es_str *out)
{
    for (int k = 0; k < p->K; k++) {
        es_str_add(out, "component %d: %.1f %% of the spread", k + 1, 100 * p->share[k]);
        if (p->wave[k].turns)
            es_str_add(out, ", most like a sine of %" PRId64 " turn%s, period %.4g (%.0f %% of it)",
                       p->wave[k].turns, p->wave[k].turns == 1 ? "" : "s", period(p, k),
                       100 * p->wave[k].share);
        es_str_char(out, '\n');
    }
    if (p->K)
        es_str_add(out,
                   "components together: %.1f %% of the spread\n"
                   "periods: of the sines that turn a whole number of times in %" PRId64
                   " positions the one that fits best\n",
                   100 * es_places_share(p), p->n * p->stride);
}

static void list_cosines(es_places *p, es_str *out)
{
    if (!es_places_cosine(p, NULL))
        return;
    for (int k = 0; k < N_LAGS && (int64_t)1 << k < p->n; k++)
        es_str_add(out, "mean cosine %" PRId64 " apart: %.3f\n", ((int64_t)1 << k) * p->stride,
                   (double)p->alike[1 << k]);
}

static void list_table(es_places *p, es_str *out)
{
    int64_t i, c;
    largest(p, &i, &c);
    es_str_add(out, "table: %s", es_places_name(p));
    if (p->learned)
        es_str_add(out, ", %" PRId64 " rows", p->rows);
    else
        es_str_cat(out, ", no last row");
    es_str_add(out, " of %" PRId64 " numbers, %s\nrows shown: %" PRId64 "\n", p->C,
               p->used ? "in use" : "not in use", p->n);
    list_components(p, out);
    list_cosines(p, out);
    es_str_add(out, "length of the first row: %.4g\nmedian length: %.4g\n", (double)p->length[0],
               median_length(p));
    es_str_add(out, "length of the last row shown: %.4g\n", (double)p->length[p->n - 1]);
    es_str_add(out, "largest number: %.4g at position %" PRId64 ", channel %" PRId64 "\n",
               (double)p->row[i * p->C + c], i * p->stride, c);
    es_str_cat(out, "channels that vary most:");
    for (int k = 0; k < p->n_varied; k++)
        es_str_add(out, " %" PRId64, p->varied[k]);
    es_str_char(out, '\n');
}

void es_positions_plain(es_viewer *v, es_str *out)
{
    es_places *p = es_positions_main(v), *other = NULL;
    es_str remark = {0};
    if (!p) {
        es_str_add(out, "problem: %s\n", es_str_text(&es_positions_kept_of(v)->why));
        return;
    }
    es_positions_tell_axes(v, p);
    if (v->positions_shown == ES_SHOWN_BESIDE && p->learned)
        other = es_positions_table(v, false);
    es_places_remark(&remark, p, v->atlas->context);
    if (remark.len)
        es_str_add(out, "note: %s\n", remark.s);
    es_str_free(&remark);
    list_table(p, out);
    if (other)
        list_table(other, out);
}

/* ---- the same as JSON ---- */

static void key_double(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value);
}

static void json_components(es_json *j, const es_places *p)
{
    es_json_key(j, "components");
    es_json_open(j, '[');
    for (int k = 0; k < p->K; k++) {
        es_json_open(j, '{');
        key_double(j, "share", p->share[k]);
        es_json_key_int(j, "turns", p->wave[k].turns);
        key_double(j, "period", p->wave[k].turns ? period(p, k) : NAN);
        key_double(j, "sine", p->wave[k].share);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_cosines(es_json *j, es_places *p)
{
    es_json_key(j, "cosine");
    es_json_open(j, '[');
    for (int k = 0; es_places_cosine(p, NULL) && k < N_LAGS && (int64_t)1 << k < p->n; k++) {
        es_json_open(j, '{');
        es_json_key_int(j, "apart", ((int64_t)1 << k) * p->stride);
        key_double(j, "mean", (double)p->alike[1 << k]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_table(es_json *j, es_places *p)
{
    es_json_open(j, '{');
    es_json_key(j, "learned");
    es_json_bool(j, p->learned);
    es_json_key(j, "in_use");
    es_json_bool(j, p->used);
    es_json_key(j, "rows");
    if (p->learned)
        es_json_int(j, p->rows);
    else
        es_json_null(j);
    es_json_key_int(j, "shown", p->n);
    es_json_key_int(j, "C", p->C);
    json_components(j, p);
    json_cosines(j, p);
    key_double(j, "first_length", (double)p->length[0]);
    key_double(j, "median_length", median_length(p));
    key_double(j, "last_length", (double)p->length[p->n - 1]);
    es_json_key(j, "varied_channels");
    es_json_open(j, '[');
    for (int k = 0; k < p->n_varied; k++)
        es_json_int(j, p->varied[k]);
    es_json_close(j, ']');
    es_json_close(j, '}');
}

void es_positions_json(es_viewer *v, es_json *j)
{
    es_places *p = es_positions_main(v);
    if (!p)
        return;
    es_places *other =
        p->learned && v->positions_shown == ES_SHOWN_BESIDE ? es_positions_table(v, false) : NULL;
    es_positions_tell_axes(v, p);
    es_json_key(j, "positions");
    es_json_open(j, '[');
    json_table(j, p);
    if (other)
        json_table(j, other);
    es_json_close(j, ']');
}
