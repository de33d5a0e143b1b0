// SPDX-License-Identifier: GPL-3.0-or-later
/* What the view of variance works out of the atlas, once a model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layer/noise.h"
#include "view/variance.h"

const int es_variance_keep[3] = {50, 90, 99};

/* Tokens of GPT-2's vocabulary that its training text hardly had: J. Rumbelow and M. Watkins, "SolidGoldMagikarp (plus,
 * prompt generation)", LessWrong 2023, where they are near the centroid of GPT-J's table.  Whether they are in another is
 * what the picture shows. */
static const char *const glitches[ES_VARIANCE_GLITCHES] = {
    " SolidGoldMagikarp", " petertodd",   " attRot",     " TheNitromeFan",        " RandomRedditor",
    " davidjl",           " guiActiveUn", "rawdownload", "cloneembedreportprint", " Leilan"};

/* ---- components ---- */

static void count_needed(int64_t needed[3], const double *share, int64_t C, double total)
{
    double sum = 0;
    int k = 0;
    memset(needed, 0, 3 * sizeof *needed);
    for (int64_t i = 0; i < C && total > 0; i++) {
        sum += share[i] / total;
        while (k < 3 && (100 * sum >= es_variance_keep[k] - 1e-9 || i == C - 1))
            needed[k++] = i + 1;
    }
}

static void work_out_components(es_variance *of, const es_atlas *a)
{
    const es_pca *p = &a->tokens.pca;
    of->law = es_alloc_array((size_t)p->C, sizeof *of->law);
    es_spread_law(of->law, p->n, p->C);
    count_needed(of->needed, p->variance, p->C, p->total);
    count_needed(of->law_needed, of->law, p->C, 1);
    of->sd = sqrt(p->total / (double)p->C);
}

/* ---- the nearest to the mean, and the farthest ---- */

typedef struct ranked {
    float far;
    int32_t id;
} ranked;

static int by_distance(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->far != y->far)
        return x->far < y->far ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void rank_rows(es_variance *of, const es_spread *s)
{
    ranked *r = es_alloc_array((size_t)s->n + 1, sizeof *r);
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++)
        if (isfinite(s->distance[i]))
            r[n++] = (ranked){s->distance[i], (int32_t)i};
    qsort(r, (size_t)n, sizeof *r, by_distance);
    of->n_ends = n < 2 * ES_VARIANCE_ENDS ? (int)(n / 2) : ES_VARIANCE_ENDS;
    for (int k = 0; k < of->n_ends; k++) {
        of->near[k] = r[k].id;
        of->far[k] = r[n - 1 - k].id;
    }
    of->far_end = n ? (double)r[n - 1 - n / 100].far : 0;
    free(r);
}

static void find_glitches(es_variance *of, const es_atlas *a)
{
    const es_spread *s = &a->spread;
    for (int k = 0; k < ES_VARIANCE_GLITCHES; k++) {
        int32_t id = es_bpe_find(a->context->bpe, glitches[k], strlen(glitches[k]));
        if (id >= 0 && id < s->n && isfinite(s->distance[id]))
            of->odd[of->n_odd++] = id;
    }
}

/* ---- medians ---- */

static int by_stretch(const void *a, const void *b)
{
    const ranked *x = a, *y = b; /* the stretch in place of an id */
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->far > y->far) - (x->far < y->far);
}

static int32_t stretch_of(const es_medians *m, double x)
{
    double part = m->high > m->low ? (x - m->low) / (m->high - m->low) : 0;
    int32_t k = (int32_t)(part * ES_VARIANCE_STRETCHES);
    return k < ES_VARIANCE_STRETCHES ? k : ES_VARIANCE_STRETCHES - 1;
}

/* counts NULL: along ids. */
static void find_medians(es_medians *m, const es_spread *s, const int64_t *counts)
{
    ranked *r = es_alloc_array((size_t)s->n + 1, sizeof *r);
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++) {
        double x = counts ? es_on_scale(ES_SCALE_LOG1, (double)counts[i]) : (double)i;
        if (isfinite(s->length[i]))
            r[n++] = (ranked){s->length[i], stretch_of(m, x)};
    }
    qsort(r, (size_t)n, sizeof *r, by_stretch);
    for (int k = 0; k < ES_VARIANCE_STRETCHES; k++)
        m->at[k] = NAN;
    for (int64_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && r[to].id == r[from].id; to++)
            continue;
        m->at[r[from].id] = r[from + (to - from) / 2].far;
    }
    free(r);
}

static void work_out_medians(es_variance *of, const es_atlas *a)
{
    const int64_t *counts = a->context->model->counts;
    of->by_id = (es_medians){.high = (double)(a->spread.n - 1)};
    of->by_count = (es_medians){.high = es_on_scale(ES_SCALE_LOG1, (double)a->most_seen)};
    find_medians(&of->by_id, &a->spread, NULL);
    if (counts)
        find_medians(&of->by_count, &a->spread, counts);
}

/* ---- all of it ---- */

static void work_out(es_variance *of, const es_atlas *a)
{
    const es_spread *s = &a->spread, *random = &a->random;
    work_out_components(of, a);
    rank_rows(of, s);
    find_glitches(of, a);
    work_out_medians(of, a);
    of->length = es_summary_of(s->length, s->n);
    of->distance = es_summary_of(s->distance, s->n);
    of->random_length = es_summary_of(random->length, random->n);
    of->random_distance = es_summary_of(random->distance, random->n);
    of->before = es_summary_of(s->before, s->n_pairs);
    of->after = es_summary_of(s->after, s->n_pairs);
    of->random = es_summary_of(random->after, random->n_pairs);
    of->floor = s->n > 1 ? es_noise_floor(s->n - 1, s->C) : NAN;
    of->known = true;
}

es_variance *es_variance_of(const es_viewer *v)
{
    es_variance *of = es_view_keep(v, ES_VIEW_VARIANCE, sizeof *of);
    if (!of->known)
        work_out(of, v->atlas);
    return of;
}
