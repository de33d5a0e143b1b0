// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/cells_paint.h"

/* Small discs that are still to be painted: how many there are in each half block, and their colours. */
typedef struct crowd {
    es_cells *t;
    struct tally {
        float weight, red, green, blue;
    } * at;
    int *used; /* n_used half blocks with any */
    int n_used;
} crowd;

/* A disc no larger than a half block. */
static void join_crowd(crowd *w, const es_disc *d)
{
    const float least = 0.5F;
    es_box in = w->t->canvas.inside;
    if (!es_box_has(in, d->x, d->y))
        return;
    int i =
        es_half_at(d->y, 2 * w->t->lines - 1) * w->t->columns + es_half_at(d->x, w->t->columns - 1);
    struct tally *to = &w->at[i];
    float weight = (least + d->r / ES_HALF) * (float)(d->colour >> 24) / 255;
    if (weight > 0 && to->weight == 0)
        w->used[w->n_used++] = i;
    to->weight += weight;
    to->red += weight * (float)(d->colour >> 16 & 0xff);
    to->green += weight * (float)(d->colour >> 8 & 0xff);
    to->blue += weight * (float)(d->colour & 0xff);
}

/* The more discs a half block has the more it is lit, where some have many on a scale that grows as the logarithm; its
 * colour is their mean. */
static void paint_crowd(crowd *w)
{
    const float least = 0.3F, many = 3;
    float most = 0;
    for (int i = 0; i < w->n_used; i++)
        most = fmaxf(most, w->at[w->used[i]].weight);
    for (int i = 0; i < w->n_used; i++) {
        struct tally *of = &w->at[w->used[i]];
        float lit = most > many ? log1pf(of->weight) / log1pf(most) : fminf(of->weight, 1);
        es_argb colour = 0xff000000 | (es_argb)lroundf(of->red / of->weight) << 16 |
                         (es_argb)lroundf(of->green / of->weight) << 8 |
                         (es_argb)lroundf(of->blue / of->weight);
        es_half_paint(w->t, w->used[i] % w->t->columns, w->used[i] / w->t->columns, colour,
                      fmaxf(lit, fminf(of->weight, least)));
        *of = (struct tally){0};
    }
    w->n_used = 0;
}

static void paint_disc(es_cells *t, const es_disc *d)
{
    es_halves a = es_halves_touched(
        t, es_box_meet((es_box){d->x - d->r, d->y - d->r, 2 * d->r, 2 * d->r}, t->canvas.inside));
    for (int y = a.y; y < a.y_end; y++)
        for (int x = a.x; x < a.x_end; x++) {
            float away =
                hypotf(((float)x + 0.5F) * ES_HALF - d->x, ((float)y + 0.5F) * ES_HALF - d->y);
            float cover = (d->r - away) / ES_HALF + 0.5F;
            if (cover > 0)
                es_half_paint(t, x, y, d->colour, fminf(cover, 1));
        }
}

void es_cells_discs(es_canvas *c, const es_disc *disc, size_t n)
{
    es_cells *t = (es_cells *)c;
    size_t all = 2 * (size_t)t->lines * (size_t)t->columns;
    crowd w = {t, es_alloc_array(all, sizeof *w.at), es_alloc_array(all, sizeof *w.used), 0};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(disc[i].x + disc[i].y) || !(disc[i].r > 0))
            continue;
        if (disc[i].r <= ES_HALF / 2) {
            join_crowd(&w, &disc[i]);
            continue;
        }
        paint_crowd(&w); /* what comes later lies on top */
        paint_disc(t, &disc[i]);
    }
    paint_crowd(&w);
    free(w.at);
    free(w.used);
}
