// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/labels.h"

enum { PARTS = 160 };
#define REACH  0.1f /* how far a bold tag's name may be away, of the area's shorter side */
#define ARM    2.4f /* an axis of the corner, in ems, and that corner */
#define CORNER 7.2f

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

static es_wish wish_of(const es_tag *tag, int32_t id, float reach, es_canvas *c,
                       const es_palette *p, float em)
{
    es_ink ink = ink_of(tag, p, em);
    float w = es_canvas_width(c, es_str_text(&tag->text), tag->text.len, &ink);
    return (es_wish){.id = id,
                     .w = w + em / 4,
                     .h = 1.2f * em,
                     .at = tag->at,
                     .clear = tag->r + fmaxf(0.2f * em, 5),
                     .reach = tag->bold ? reach : 0};
}

static void draw_name(const es_tag *tag, const es_wish *wish, es_box box, es_canvas *c,
                      const es_palette *p, float em)
{
    es_ink ink = ink_of(tag, p, em);
    es_spot to;
    if (es_labels_lead(wish, box, &to))
        es_canvas_line(c, (const es_spot[]){tag->at, to}, 2, 1, 0, es_fade(ink.colour, 0.7f));
    es_canvas_fill(c, box, es_fade(p->ground, 0.75f));
    es_canvas_text(c, box.x + em / 8, box.y + box.h / 2, es_str_text(&tag->text), tag->text.len,
                   &ink);
}

static void draw_names(const es_tags *t, es_canvas *c, es_box area, const es_palette *p, float em)
{
    es_wish *wish = es_alloc_array(t->n + 1, sizeof *wish);
    es_placed *placed = es_alloc_array(t->n + 1, sizeof *placed);
    es_labels *labels = es_labels_new();
    float reach = t->reach > 0 ? t->reach : REACH * fminf(area.w, area.h) - em;
    es_labels_block(labels, t->keep);
    for (size_t i = 0; i < t->n; i++) {
        const es_tag *tag = &t->of[i];
        float r = tag->r;
        wish[i] = wish_of(tag, (int32_t)i, reach, c, p, em);
        if (tag->bold)
            es_labels_block(labels, (es_box){tag->at.x - r, tag->at.y - r, 2 * r, 2 * r});
    }
    size_t n = es_labels_place(labels, area, wish, t->n, t->n, t->n, placed);
    while (n-- > 0)
        draw_name(&t->of[placed[n].wish], &wish[placed[n].wish], placed[n].box, c, p, em);
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

es_box es_axes_box(es_box box, float em)
{
    float side = CORNER * em;
    if (box.w < 2.8f * side || box.h < 2 * side)
        return (es_box){0};
    return (es_box){box.x, box.y + box.h - side, side, side};
}

/* Its arrow and its name, which keeps off the n others: label[n] is where it came to stand. */
static void draw_axis(es_canvas *c, es_spot from, float x, float y, const char *name, es_box *label,
                      int n, const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = p->dim};
    const float far = (ARM + 0.8f) * em;
    float w = es_canvas_width(c, name, strlen(name), &ink), length = hypotf(x, y);
    float aside = x < -0.3f ? -w / 2 : x > 0.3f ? w / 2 : 0;
    es_canvas_arrow(c, from, (es_spot){from.x + ARM * em * x, from.y + ARM * em * y}, 1.2f, p->dim);
    es_box box = {from.x + far * x - w / 2 + aside, from.y + far * y - 0.6f * em, w, 1.2f * em};
    label[n] = box = es_box_apart(box, label, n, x / length, y / length);
    es_canvas_fill(c, box, es_fade(p->ground, 0.75f));
    es_canvas_text(c, box.x, box.y + box.h / 2, name, strlen(name), &ink);
}

void es_axes_draw(es_canvas *c, es_box box, const es_lens *lens, const char *const *name, int n,
                  const es_palette *p, float em)
{
    float scale = hypotf(hypotf(lens->fx[0], lens->fx[1]), lens->fx[2]);
    es_box corner = es_axes_box(box, em);
    if (!(scale > 0) || !(corner.w > 0))
        return;
    es_spot from = {corner.x + corner.w / 2, corner.y + corner.h / 2};
    es_box label[3];
    int named = 0;
    for (int k = 0; k < n; k++) {
        float x = lens->fx[k] / scale, y = lens->fy[k] / scale;
        if (hypotf(x, y) >= 0.15f) /* else it points at the reader */
            draw_axis(c, from, x, y, name[k], label, named++, p, em);
    }
}
