// SPDX-License-Identifier: GPL-3.0-or-later
/* What the captions of the pictures of positions say: the helix, wpe beside the sinusoidal table, the rows' lengths. */
#include <inttypes.h>
#include <math.h>

#include "session/numbers.h"
#include "view/lesson_inside.h"
#include "view/positions.h"

static es_places *positions(const es_viewer *v)
{
    return es_positions_table(v, true);
}

/* Two components that are the same wave, and a slower one. */
static bool winds(const es_places *p)
{
    const es_wave *w = p->wave;
    return p->K == 3 && w[0].turns && w[0].turns == w[1].turns && w[2].turns < w[0].turns &&
           fmin(w[0].share, w[1].share) >= 0.5;
}

void es_lesson_helix(es_viewer *v, es_lesson_says *says)
{
    es_places *p = positions(v);
    if (!p || !p->K)
        return;
    es_str_cat(&says->see, "The ");
    es_show_count(&says->see, p->rows);
    if (winds(p))
        es_str_add(&says->see,
                   " rows of wpe, joined in order, wind up: components 1 and 2 are %" PRId64
                   " turns of a wave each (%.0f and %.0f %% of them are a sine), and component 3, "
                   "which is slower, pulls the turns apart.",
                   p->wave[0].turns, 100 * p->wave[0].share, 100 * p->wave[1].share);
    else
        es_str_cat(&says->see, " rows of wpe, joined in order, are a curve of their own, and not "
                               "the helix that GPT-2's make.");
    es_str_add(&says->beware,
               "The picture keeps %.0f %% of the rows' spread, and shows a table, not what is done "
               "with it: it does not follow that the model counts in circles.",
               100 * es_places_share(p));
}

/* The mean cosine of rows so far apart, where there are such rows. */
static double alike(es_places *p, int64_t apart)
{
    return p && apart < p->n && es_places_cosine(p, NULL) ? (double)p->alike[apart] : NAN;
}

void es_lesson_beside(es_viewer *v, es_lesson_says *says)
{
    enum { NEAR = 1, FAR = 64 };
    es_places *p = positions(v), *other = es_positions_table(v, false);
    if (!p || !other)
        return;
    int64_t far = FAR < p->n ? FAR : p->n - 1;
    es_str_add(&says->see,
               "The colour at row i and column j is the cosine of positions i and j: in wpe it is "
               "%.2f on average for neighbours, %.2f at %" PRId64
               " apart; in the sinusoidal table %.2f and %.2f.",
               es_lesson_no_minus_zero(alike(p, NEAR)), es_lesson_no_minus_zero(alike(p, far)),
               far * p->stride, es_lesson_no_minus_zero(alike(other, NEAR)),
               es_lesson_no_minus_zero(alike(other, far)));
    es_str_cat(&says->beware, "Rows that are alike are not tokens that attend to each other, and "
                              "the formula's pattern is not what training must arrive at.");
}

void es_lesson_row_lengths(es_viewer *v, es_lesson_says *says)
{
    const es_places *p = positions(v);
    int64_t longest = 0;
    if (!p)
        return;
    for (int64_t i = 1; i < p->n; i++)
        if (p->length[i] > p->length[longest] || isnan(p->length[longest]))
            longest = i;
    es_str_add(&says->see,
               "Half of the rows of wpe are longer than %.3g; the row of position 0 has a length "
               "of %.3g%s, that of position %" PRId64 " one of %.3g%s",
               es_lesson_median(p->length, p->n, NULL, v), (double)p->length[0],
               longest ? "" : ", the greatest", (p->n - 1) * p->stride, (double)p->length[p->n - 1],
               longest == p->n - 1 ? ", the greatest" : "");
    if (longest && longest < p->n - 1)
        es_str_add(&says->see, "; the greatest is %.3g, of position %" PRId64,
                   (double)p->length[longest], longest * p->stride);
    es_str_char(&says->see, '.');
    es_str_cat(
        &says->beware,
        "A longer row is not a more important one: it is added to a token's row, and GPT-2's "
        "first block begins by bringing the sum to one length.");
}
