// SPDX-License-Identifier: GPL-3.0-or-later
/* What is under the pointer, in the picture of a series. */
#include <inttypes.h>
#include <math.h>

#include "view/series.h"

enum { FEW_PAIRS = 24 }; /* that a statement can name */

/* What is pointed at, and how large the letters are. */
typedef struct pointing {
    const es_viewer *v;
    const es_series *s;
    const es_series_picture *p;
    es_spot at;
    float em;
} pointing;

static es_box around(es_spot at, float em)
{
    return (es_box){at.x - em / 2, at.y - em / 2, em, em};
}

static void say_token(const pointing *q, int64_t i, es_pick *out)
{
    out->id = q->s->id[i];
    es_series_name(q->v, q->s, i, &out->what);
    es_str_add(&out->what, " (%s %" PRId64 ")", q->s->unit, q->s->place[i]);
}

static bool pick_curve(const pointing *q, es_pick *out)
{
    const es_series *s = q->s;
    int64_t i = es_curve_near(&q->p->curve, q->at, q->em);
    int axes = es_series_shown(q->v, s);
    if (i < 0)
        return false;
    say_token(q, i, out);
    out->mark = around(es_curve_spot(&q->p->curve, i), q->em);
    es_str_cat(&out->what, ", along the axes:");
    for (int k = 0; k < axes; k++)
        es_str_add(&out->what, " %+.3f", (double)s->at[3 * i + k]);
    es_str_add(&out->statement, "wte.weight[%" PRId32 "] @ axes[:%d].T", out->id, axes);
    return true;
}

/* The token whose place along a chart is nearest. */
static int64_t token_at(const es_series *s, const es_chart *chart, float x)
{
    int64_t best = 0;
    float least = INFINITY;
    for (int64_t i = 0; i < s->n; i++) {
        float far = fabsf(es_chart_spot(chart, (double)s->place[i], 0).x - x);
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return best;
}

static bool pick_strip(const pointing *q, es_pick *out)
{
    const es_series *s = q->s;
    for (int k = 0; k < s->K; k++) {
        es_box box = es_series_strip(s, q->p, k);
        if (!es_box_has(box, q->at.x, q->at.y))
            continue;
        int64_t i = token_at(s, &q->p->of_strips, q->at.x);
        say_token(q, i, out);
        out->value = (double)s->at[3 * i + k];
        float x = es_chart_spot(&q->p->of_strips, (double)s->place[i], 0).x;
        out->mark = (es_box){x - 1.5f, box.y, 3, box.h};
        es_str_add(&out->what, " along component %d: %+.4g", k + 1, out->value);
        es_str_add(&out->statement, "wte.weight[%" PRId32 "] @ axes[%d]", out->id, k);
        return true;
    }
    return false;
}

/* "wte.weight[[20, 21]]": of pairs d apart the one or the other; their number. */
static int add_pairs(const es_series *s, int64_t d, bool second, es_str *out)
{
    int n = 0;
    es_str_cat(out, "wte.weight[[");
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = i + 1; j < s->n; j++)
            if (s->place[j] - s->place[i] == d)
                es_str_add(out, "%s%" PRId32, n++ ? ", " : "", s->id[second ? j : i]);
    es_str_cat(out, "]]");
    return n;
}

static bool pick_apart(const pointing *q, es_pick *out)
{
    const es_series *s = q->s;
    const es_chart *chart = &q->p->of_apart;
    if (!es_box_has(chart->inside, q->at.x, q->at.y))
        return false;
    double x, y;
    es_chart_point(chart, q->at, &x, &y);
    int64_t d = (int64_t)round(x);
    d = d < 1 ? 1 : d > s->lags ? s->lags : d;
    const es_apart *a = &s->apart[d];
    if (isnan(a->mean))
        return false;
    out->value = a->mean;
    out->mark = around(es_chart_spot(chart, (double)d, a->mean), q->em);
    es_str_add(&out->what,
               "mean cosine of %" PRId64 " pair%s %" PRId64
               " apart: %.4f; shuffled between %.4f and %.4f",
               a->pairs, a->pairs == 1 ? "" : "s", d, a->mean, a->low, a->high);
    if (a->pairs > FEW_PAIRS)
        return true;
    es_str_cat(&out->statement, "F.cosine_similarity(");
    add_pairs(s, d, false, &out->statement);
    es_str_cat(&out->statement, ", ");
    add_pairs(s, d, true, &out->statement);
    es_str_cat(&out->statement, ", dim=1).mean()");
    return true;
}

bool es_series_pick(const es_viewer *v, const es_series *s, const es_series_picture *p, es_spot at,
                    es_pick *out)
{
    const pointing q = {v, s, p, at, es_viewer_em(v)};
    *out = ES_PICK_NONE;
    if (es_box_has(p->main, at.x, at.y))
        return pick_curve(&q, out);
    if (p->strips.w > 0 && es_box_has(p->strips, at.x, at.y))
        return pick_strip(&q, out);
    return p->apart.w > 0 && es_box_has(p->apart, at.x, at.y) && pick_apart(&q, out);
}
