// SPDX-License-Identifier: GPL-3.0-or-later
/* The view of variance in words and numbers. */
#include <inttypes.h>
#include <math.h>

#include "session/numbers.h"
#include "view/variance.h"

static bool part(const es_viewer *v, es_variance_part p)
{
    es_variance_part shown = es_variance_shown(v);
    return shown == ES_VARIANCE_ALL || shown == p;
}

/* ---- what it keeps and hides ---- */

static void say_rows(const es_viewer *v, es_str *out)
{
    const es_pca *p = &v->atlas->tokens.pca;
    if (es_variance_shown(v) == ES_VARIANCE_COSINES)
        return;
    es_str_cat(out, "All ");
    es_show_count(out, p->n);
    es_str_cat(out, " rows count, none is sampled. ");
    if (p->left_out) {
        es_show_count(out, p->left_out);
        es_str_add(out, " row%s NaN or Inf and %s left out. ",
                   p->left_out == 1 ? " holds" : "s hold", p->left_out == 1 ? "is" : "are");
    }
}

static void say_pairs(const es_viewer *v, es_str *out)
{
    const es_spread *s = &v->atlas->spread;
    es_str_cat(out, s->every ? "Cosines are of all " : "Cosines are of ");
    es_show_count(out, s->n_pairs);
    es_str_cat(out, s->every ? " pairs. " : " pairs drawn by lot. ");
}

static void say_random(const es_viewer *v, es_str *out)
{
    es_str_cat(out, "Random rows: ");
    if (es_variance_shown(v) != ES_VARIANCE_COMPONENTS) {
        es_show_count(out, v->atlas->random.n);
        es_str_cat(out, " of N(0, 1)");
    }
    if (part(v, ES_VARIANCE_LENGTHS) || part(v, ES_VARIANCE_OUTLIERS))
        es_str_cat(out, ", scaled to the spread of wte");
    if (es_variance_shown(v) == ES_VARIANCE_ALL)
        es_str_cat(out, "; ");
    if (part(v, ES_VARIANCE_COMPONENTS))
        es_str_cat(out, "components by Marchenko and Pastur's law");
    es_str_cat(out, ".");
}

void es_variance_honesty(const es_viewer *v, es_str *out)
{
    say_rows(v, out);
    if (part(v, ES_VARIANCE_COSINES))
        say_pairs(v, out);
    say_random(v, out);
}

/* ---- the expression ---- */

void es_variance_expression(const es_viewer *v, es_str *out)
{
    int64_t V = v->atlas->spread.n, C = v->atlas->spread.C;
    es_str_add(out, "W = wte.weight [V=%" PRId64 ", C=%" PRId64 "]", V, C);
    if (part(v, ES_VARIANCE_COMPONENTS))
        es_str_add(out, "   eigenvalues of W.T.cov() [C=%" PRId64 "]", C);
    if (part(v, ES_VARIANCE_COSINES))
        es_str_add(out, "   cosine(W[i], W[j])%s [%" PRId64 "]",
                   es_variance_shown(v) == ES_VARIANCE_ALL
                       ? ""
                       : ", cosine(W[i] - W.mean(0), W[j] - W.mean(0))",
                   v->atlas->spread.n_pairs);
    if (part(v, ES_VARIANCE_LENGTHS))
        es_str_add(out, "   W.norm(dim=1) [V=%" PRId64 "]", V);
    if (part(v, ES_VARIANCE_OUTLIERS))
        es_str_add(out, "   (W - W.mean(0)).norm(dim=1) [V=%" PRId64 "]", V);
}

/* ---- as lines ---- */

static void plain_components(const es_viewer *v, es_str *out)
{
    const es_variance *of = es_variance_of(v);
    const es_pca *p = &v->atlas->tokens.pca;
    enum { SHOWN = 10 };
    if (!es_variance_any(v)) {
        es_str_cat(out, "spread: none, all rows are the same\n");
        return;
    }
    for (int k = 0; k < SHOWN && k < p->C; k++)
        es_str_add(out, "component %d: %.2f %% of the spread; of random rows %.2f %%\n", k + 1,
                   100 * p->variance[k] / p->total, 100 * of->law[k]);
    for (int k = 0; k < 3; k++)
        es_str_add(out,
                   "components that keep %d %%: %" PRId64 " of %" PRId64 "; of random rows %" PRId64
                   "\n",
                   es_variance_keep[k], of->needed[k], p->C, of->law_needed[k]);
    es_str_cat(out, "components of random rows: by Marchenko and Pastur's law\n");
}

static void plain_range(es_str *out, const char *name, const es_summary *r, double scale)
{
    if (r->n)
        es_str_add(out, "%s: mean %.4g, from %.4g to %.4g\n", name, r->mean * scale,
                   r->least * scale, r->most * scale);
    else
        es_str_add(out, "%s: none\n", name);
}

static void plain_cosines(const es_viewer *v, es_str *out)
{
    const es_variance *of = es_variance_of(v);
    const es_spread *s = &v->atlas->spread;
    es_str_add(out, "pairs: %" PRId64 "%s\n", s->n_pairs,
               s->every ? ", all there are" : ", drawn by lot");
    plain_range(out, "cosine as they are", &of->before, 1);
    plain_range(out, "cosine with the mean taken off", &of->after, 1);
    plain_range(out, "cosine of random rows", &of->random, 1);
    if (!isnan(of->floor))
        es_str_add(out, "noise floor: %.3f, what the best of %" PRId64 " random rows reaches\n",
                   of->floor, s->n - 1);
}

static void plain_lengths(const es_viewer *v, es_str *out)
{
    const es_variance *of = es_variance_of(v);
    plain_range(out, "length", &of->length, 1);
    plain_range(out, "length of random rows of the same spread", &of->random_length, of->sd);
}

static void plain_ids(const es_viewer *v, const char *name, const int32_t *id, int n, es_str *out)
{
    if (!n)
        return;
    es_str_add(out, "%s:", name);
    for (int k = 0; k < n; k++) {
        es_str_cat(out, k ? ", " : " ");
        es_scene_quote(out, v->atlas->context, id[k]);
        es_str_add(out, " %.4g", (double)v->atlas->spread.distance[id[k]]);
    }
    es_str_char(out, '\n');
}

static void plain_outliers(const es_viewer *v, es_str *out)
{
    const es_variance *of = es_variance_of(v);
    plain_range(out, "distance from the mean", &of->distance, 1);
    plain_range(out, "distance of random rows of the same spread", &of->random_distance, of->sd);
    plain_ids(v, "nearest to the mean", of->near, of->n_ends, out);
    plain_ids(v, "farthest from the mean", of->far, of->n_ends, out);
    plain_ids(v, "glitch tokens of GPT-2", of->odd, of->n_odd, out);
}

void es_variance_plain(es_viewer *v, es_str *out)
{
    const es_pca *p = &v->atlas->tokens.pca;
    es_str_add(out, "rows: %" PRId64 " of %" PRId64 " numbers\n", v->atlas->spread.n, p->C);
    if (p->left_out)
        es_str_add(out, "left out: %" PRId64 " with NaN or Inf\n", p->left_out);
    if (part(v, ES_VARIANCE_COMPONENTS))
        plain_components(v, out);
    if (part(v, ES_VARIANCE_COSINES))
        plain_cosines(v, out);
    if (part(v, ES_VARIANCE_LENGTHS))
        plain_lengths(v, out);
    if (part(v, ES_VARIANCE_OUTLIERS))
        plain_outliers(v, out);
    if (es_variance_shown(v) != ES_VARIANCE_COMPONENTS)
        es_str_add(out, "random rows: %" PRId64 " of N(0, 1)\n", v->atlas->random.n);
}

/* ---- as JSON ---- */

static void json_doubles(es_json *j, const char *key, const double *x, int64_t n, double scale)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int64_t i = 0; i < n; i++)
        es_json_double(j, x[i] * scale);
    es_json_close(j, ']');
}

static void json_counts(es_json *j, const char *key, const int64_t x[3])
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int k = 0; k < 3; k++)
        es_json_int(j, x[k]);
    es_json_close(j, ']');
}

static void json_range(es_json *j, const char *key, const es_summary *r, double scale)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    es_json_double(j, r->n ? r->least * scale : NAN);
    es_json_double(j, r->n ? r->mean * scale : NAN);
    es_json_double(j, r->n ? r->most * scale : NAN);
    es_json_close(j, ']');
}

static void json_ids(es_json *j, const char *key, const int32_t *id, int n)
{
    es_json_key(j, key);
    es_json_ints(j, id, n);
}

void es_variance_json(es_viewer *v, es_json *j)
{
    const es_variance *of = es_variance_of(v);
    const es_pca *p = &v->atlas->tokens.pca;
    const es_spread *s = &v->atlas->spread;
    es_json_key_string(j, "part", es_variance_name(es_variance_shown(v)));
    es_json_key_int(j, "rows", s->n);
    es_json_key_int(j, "left_out", p->left_out);
    json_doubles(j, "share", p->variance, p->C, p->total > 0 ? 1 / p->total : 0);
    json_doubles(j, "random_share", of->law, p->C, 1);
    json_counts(j, "keep_50_90_99", of->needed);
    json_counts(j, "random_keep_50_90_99", of->law_needed);
    es_json_key_int(j, "pairs", s->n_pairs);
    json_range(j, "cosine", &of->before, 1);
    json_range(j, "cosine_centred", &of->after, 1);
    json_range(j, "random_cosine", &of->random, 1);
    es_json_key(j, "noise_floor");
    es_json_double(j, of->floor);
    json_range(j, "length", &of->length, 1);
    json_range(j, "random_length", &of->random_length, of->sd);
    json_range(j, "distance", &of->distance, 1);
    json_range(j, "random_distance", &of->random_distance, of->sd);
    json_ids(j, "nearest", of->near, of->n_ends);
    json_ids(j, "farthest", of->far, of->n_ends);
    json_ids(j, "glitch_tokens", of->odd, of->n_odd);
}
