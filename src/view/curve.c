// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/labels.h"

enum { PARTS = 160 };

/* The dark end of the scale would be lost on a dark ground. */
es_argb es_along(const es_palette *p, int64_t i, int64_t n)
{
    const float least = 0.4f;
    float part = n > 1 ? (float)i / (float)(n - 1) : 1;
    return es_sequential(p, least + (1 - least) * part);
}

int64_t es_mark_step(int64_t n, int64_t most)
{
    int64_t step = 1;
    while (n / step > (most > 1 ? most : 1))
        step *= 2;
    return step;
}

/* ---- the curve ---- */

/* Points first to last of a curve, which part they share with the next. */
typedef struct part {
    int64_t first, last;
    float depth;
} part;

static int by_depth(const void *a, const void *b)
{
    const part *p = a, *q = b;
    if (p->depth != q->depth)
        return p->depth < q->depth ? -1 : 1;
    return p->first < q->first ? -1 : 1;
}

es_spot es_curve_spot(const es_curve *curve, int64_t i)
{
    return es_lens_spot(&curve->lens, curve->at + 3 * i, NULL);
}

static float depth_at(const es_curve *curve, int64_t i)
{
    float depth = 0;
    es_lens_spot(&curve->lens, curve->at + 3 * i, &depth);
    return isfinite(depth) ? depth : 0;
}

static void draw_part(const es_curve *curve, const part *of, const es_spot *at, es_canvas *c,
                      const es_palette *p, bool solid)
{
    es_argb colour = curve->colour ? curve->colour : es_along(p, of->first, curve->n);
    float near = solid ? (of->depth + 1) / 2 : 1;
    colour = es_blend(p->ground, es_fade(colour, 0.65f + 0.35f * near));
    es_canvas_line(c, at + of->first, (size_t)(of->last - of->first + 1),
                   curve->width * (0.5f + 0.5f * near), 0, colour);
}

void es_curve_draw(const es_curve *curve, es_canvas *c, const es_palette *p, bool solid)
{
    part parts[PARTS];
    int64_t step = (curve->n - 1) / PARTS + 1;
    int n = 0;
    for (int64_t i = 0; i + 1 < curve->n; i += step) {
        int64_t last = i + step < curve->n ? i + step : curve->n - 1;
        parts[n++] = (part){i, last, (depth_at(curve, i) + depth_at(curve, last)) / 2};
    }
    if (solid)
        qsort(parts, (size_t)n, sizeof *parts, by_depth);
    es_spot *at = es_alloc_array((size_t)curve->n + 1, sizeof *at);
    for (int64_t i = 0; i < curve->n; i++)
        at[i] = es_curve_spot(curve, i);
    for (int i = 0; i < n; i++)
        draw_part(curve, &parts[i], at, c, p, solid);
    free(at);
}

int64_t es_curve_near(const es_curve *curve, es_spot at, float reach)
{
    int64_t best = -1;
    float least = reach;
    for (int64_t i = 0; i < curve->n; i++) {
        es_spot s = es_curve_spot(curve, i);
        float d = hypotf(s.x - at.x, s.y - at.y);
        if (d <= least && (best < 0 || d < least))
            best = i, least = d;
    }
    return best;
}

void es_along_line(es_canvas *c, const es_spot *at, int64_t n, float width, const es_palette *p)
{
    int64_t step = (n - 1) / PARTS + 1;
    for (int64_t i = 0; i + 1 < n; i += step) {
        int64_t m = i + step < n ? step + 1 : n - i;
        es_canvas_line(c, at + i, (size_t)m, width, 0, es_along(p, i, n));
    }
}

/* ---- tags ---- */

es_tag *es_tags_add(es_tags *t, es_spot at, es_argb colour, float r, bool bold)
{
    t->of = es_realloc(t->of, (t->n + 1) * sizeof *t->of);
    t->of[t->n] = (es_tag){.at = at, .colour = colour, .r = r, .bold = bold};
    return &t->of[t->n++];
}

static es_ink ink_of(const es_tag *tag, const es_palette *p, float em)
{
    return (es_ink){.size = em, .colour = tag->bold ? p->ink : p->dim, .bold = tag->bold};
}

static void draw_discs(const es_tags *t, es_canvas *c, const es_palette *p)
{
    for (size_t i = t->n; i-- > 0;) { /* the first ones on top */
        const es_tag *tag = &t->of[i];
        const es_disc disc[] = {{tag->at.x, tag->at.y, tag->r + 1.5f, p->ground, ES_NO_ID},
                                {tag->at.x, tag->at.y, tag->r, tag->colour, ES_NO_ID}};
        if (tag->r > 0)
            es_canvas_discs(c, disc, 2);
    }
}

static void draw_names(const es_tags *t, es_canvas *c, es_box area, const es_palette *p, float em)
{
    es_wish *wish = es_alloc_array(t->n + 1, sizeof *wish);
    es_placed *placed = es_alloc_array(t->n + 1, sizeof *placed);
    es_labels *labels = es_labels_new();
    for (size_t i = 0; i < t->n; i++) {
        const es_tag *tag = &t->of[i];
        es_ink ink = ink_of(tag, p, em);
        float w = es_canvas_width(c, es_str_text(&tag->text), tag->text.len, &ink);
        wish[i] = (es_wish){(int32_t)i, w + em / 4, 1.2f * em, tag->at, tag->r + 0.2f * em, 0};
    }
    size_t n = es_labels_place(labels, area, wish, t->n, t->n, t->n, placed);
    for (size_t k = 0; k < n; k++) {
        const es_tag *tag = &t->of[placed[k].wish];
        es_ink ink = ink_of(tag, p, em);
        es_box box = placed[k].box;
        es_canvas_fill(c, box, es_fade(p->ground, 0.75f));
        es_canvas_text(c, box.x + em / 8, box.y + box.h / 2, es_str_text(&tag->text), tag->text.len,
                       &ink);
    }
    es_labels_free(labels);
    free(wish);
    free(placed);
}

void es_tags_draw(es_tags *t, es_canvas *c, es_box area, const es_palette *p, float em)
{
    draw_discs(t, c, p);
    draw_names(t, c, area, p, em);
    for (size_t i = 0; i < t->n; i++)
        es_str_free(&t->of[i].text);
    free(t->of);
    *t = (es_tags){0};
}

/* ---- which way the axes go ---- */

void es_axes_draw(es_canvas *c, es_box box, const es_lens *lens, const char *const *name, int n,
                  const es_palette *p, float em)
{
    const float reach = 2.4f * em, room = 8 * em;
    const es_ink ink = {.size = em, .colour = p->dim};
    float scale = hypotf(hypotf(lens->fx[0], lens->fx[1]), lens->fx[2]);
    if (!(scale > 0) || box.w < 2 * room || box.h < 2 * room)
        return;
    es_spot from = {box.x + 3.6f * em, box.y + box.h - 3.6f * em};
    for (int k = 0; k < n; k++) {
        float x = lens->fx[k] / scale, y = lens->fy[k] / scale;
        if (hypotf(x, y) < 0.15f) /* it points at the reader */
            continue;
        es_canvas_arrow(c, from, (es_spot){from.x + reach * x, from.y + reach * y}, 1.2f, p->dim);
        float w = es_canvas_width(c, name[k], strlen(name[k]), &ink);
        float far = reach + 0.8f * em;
        float aside = x < -0.3f ? -w / 2 : x > 0.3f ? w / 2 : 0;
        es_box label = {from.x + far * x - w / 2 + aside, from.y + far * y - 0.6f * em, w,
                        1.2f * em};
        es_canvas_fill(c, label, es_fade(p->ground, 0.75f));
        es_canvas_text(c, label.x, from.y + far * y, name[k], strlen(name[k]), &ink);
    }
}
