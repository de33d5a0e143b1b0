// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/weigh.h"

#include <math.h>

/* Rounded x at its place: to the nearest, cut off, several times, or y in its stead. */
typedef enum manner { WHOLE, NEAREST, CUT, OF_Y, OFTEN } manner;

static const struct {
    const es_narrow *format;
    manner manner;
    int cost;
} finishes[ES_N_FINISHES] = {
    [ES_AS_IT_IS] = {NULL, WHOLE, 0},          [ES_TO_BF16] = {&es_bf16, NEAREST, 5},
    [ES_TO_F16] = {&es_f16, NEAREST, 5},       [ES_CUT_TO_BF16] = {&es_bf16, CUT, 7},
    [ES_Y_TO_BF16] = {&es_bf16, OF_Y, 6},      [ES_Y_TO_F16] = {&es_f16, OF_Y, 6},
    [ES_OFTEN_TO_BF16] = {&es_bf16, OFTEN, 9}, [ES_OFTEN_TO_F16] = {&es_f16, OFTEN, 9},
};

int es_finish_cost(es_finish f)
{
    return finishes[f].cost;
}

const es_narrow *es_finish_format(es_finish f)
{
    return finishes[f].format;
}

es_weight es_weight_begin(const es_case *c, const es_theory *h)
{
    es_weight w = {.c = c, .h = h, .finishes = c->finishes};
    if (!h->moves)
        w.finishes &= 1 << ES_AS_IT_IS | 1 << ES_TO_BF16 | 1 << ES_TO_F16;
    if (h->dropped || h->row)
        w.finishes &= 1 << ES_AS_IT_IS;
    if (!h->name[0]) /* x is y: that is not so */
        w.finishes &= ~(1U << ES_AS_IT_IS);
    return w;
}

static bool fits_as_it_is(es_weight *w, double x, double said, double size)
{
    if (x == said || (isnan(x) && isnan(said)))
        return true;
    double gap = fabs(x - said);
    if (!(gap <= w->c->rtol * size + w->c->atol))
        return false;
    double error = size > 0 ? gap / size : 1;
    w->worst = error > w->worst ? error : w->worst;
    return true;
}

/* Arithmetic before the rounding may have led over the middle between two numbers of the format. */
static bool fits_rounded(es_weight *w, es_finish f, double x, double said, double size)
{
    const es_narrow *format = finishes[f].format;
    bool of_y = finishes[f].manner == OF_Y;
    double kept = of_y ? said : x, full = of_y ? x : said;
    if (isnan(x) || isnan(said))
        return isnan(x) && isnan(said);
    if (es_narrowed(format, kept) != kept)
        return false;
    if (es_narrowed(format, full) != full && isfinite(kept)) {
        double steps = fabs(kept - full) / es_narrow_step(format, full);
        w->step[f].n++;
        w->step[f].sum += steps;
        w->step[f].most = steps > w->step[f].most ? steps : w->step[f].most;
    }
    if (finishes[f].manner == CUT)
        return es_narrow_cut(format, full) == kept;
    if (finishes[f].manner == OFTEN)
        return fabs(kept - full) <=
               1.5 * es_narrow_step(format, fmax(fabs(full), 2 * w->c->level_y));
    double slack = w->c->floor * size;
    return kept == es_narrowed(format, full) || kept == es_narrowed(format, full - slack) ||
           kept == es_narrowed(format, full + slack);
}

void es_weigh(es_weight *w, const double *x, const double *said, const double *size, int64_t n)
{
    w->seen += n;
    for (int64_t i = 0; i < n; i++) {
        if (size[i] < 0)
            continue;
        w->judged++;
        if (w->h->dropped && x[i] == 0 && said[i] != 0) {
            w->dropped++;
            w->fits[ES_AS_IT_IS]++;
            continue;
        }
        if (w->finishes & 1 << ES_AS_IT_IS)
            w->fits[ES_AS_IT_IS] += fits_as_it_is(w, x[i], said[i], size[i]);
        for (int f = ES_AS_IT_IS + 1; f < ES_N_FINISHES; f++)
            if (w->finishes & 1U << f && w->fits[f] + 1 >= w->judged - w->judged / 8)
                w->fits[f] += fits_rounded(w, (es_finish)f, x[i], said[i], size[i]);
    }
}

void es_weigh_against(es_weight *w, double x, double y, double said, double size)
{
    if (size < 0 || x == y || (isnan(x) && isnan(y)))
        return;
    w->differed++;
    bool known = isfinite(x) && isfinite(y) && isfinite(said);
    if (!known || (w->h->dropped && x == 0))
        return;
    w->before += (x - y) * (x - y);
    w->left += (x - said) * (x - said);
}

int64_t es_weight_most(const es_weight *w)
{
    int64_t most = 0;
    for (int f = 0; f < ES_OFTEN_TO_BF16; f++)
        most = w->fits[f] > most ? w->fits[f] : most;
    return most;
}

bool es_weight_hopeless(const es_weight *w)
{
    int64_t most = es_weight_most(w);
    for (int f = ES_OFTEN_TO_BF16; f < ES_N_FINISHES; f++)
        most = w->fits[f] > most ? w->fits[f] : most;
    return w->judged >= 32 && (double)most < 0.85 * (double)w->judged;
}

bool es_weight_verdict(const es_weight *w, es_finish *finish, double *quality)
{
    static const es_finish order[ES_N_FINISHES] = {ES_AS_IT_IS,      ES_TO_BF16,     ES_TO_F16,
                                                   ES_Y_TO_BF16,     ES_Y_TO_F16,    ES_CUT_TO_BF16,
                                                   ES_OFTEN_TO_BF16, ES_OFTEN_TO_F16};
    if (!w->judged || w->judged * 2 < w->seen)
        return false;
    for (int i = 0; i < ES_N_FINISHES; i++) {
        es_finish f = order[i];
        if (!(w->finishes & 1U << f) || w->fits[f] < w->judged)
            continue;
        *finish = f;
        *quality = f == ES_AS_IT_IS ? fmax(w->worst, w->c->floor) : w->c->floor;
        if (finishes[f].manner == OFTEN)
            *quality *= 1024; /* it explains much */
        return true;
    }
    return false;
}

/* Rounding moves numbers by half a step at most and by a quarter on average; what moves them less is noise.  Few
 * numbers, or such as had few digits before, have no such average. */
static bool is_rounding(const es_weight *w, es_finish f)
{
    double n = (double)w->step[f].n, mean = w->step[f].sum / n,
           unit = finishes[f].manner == CUT ? 2 : 1;
    if (w->step[f].n < 2)
        return false;
    if (finishes[f].manner == OFTEN)
        return n >= 8 && w->step[f].most > 0.5;
    if (n < 8)
        return w->step[f].most > 0.1 * unit;
    return w->step[f].most > 0.3 * unit && mean > (n < 256 ? 0.12 : 0.17) * unit &&
           (n < 256 || mean < 0.33 * unit);
}

bool es_weight_evidence(const es_weight *w, es_finish finish)
{
    if (finish != ES_AS_IT_IS && !is_rounding(w, finish))
        return false;
    if (w->h->row)
        return w->judged >= 4;
    if (w->h->dropped && !w->dropped)
        return false;
    if (!w->c->same_shape)
        return w->judged >= 2 + w->h->free;
    if (w->differed < 1 + w->h->free + (w->h->free > 0))
        return false;
    return finish != ES_AS_IT_IS || w->h->dropped || (w->before > 0 && w->left * 64 <= w->before);
}
