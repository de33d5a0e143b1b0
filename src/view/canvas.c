// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/canvas.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

static const char CUT[] = "…";
#define HEAD_LENGTH 4.0f /* of an arrow's head, in widths of its shaft, */
#define HEAD_LEAST  5.0f /* and at least so many units */
#define HEAD_HALF   0.5f /* half as wide as it is long */

/* ---- boxes ---- */

bool es_box_has(es_box b, float x, float y)
{
    return x >= b.x && y >= b.y && x < b.x + b.w && y < b.y + b.h;
}

/* The part of [a, a + n) that is in [b, b + m); nothing where a number is NaN. */
static void meet(float a, float n, float b, float m, float *at, float *size)
{
    float from = a > b ? a : b, to = a + n < b + m ? a + n : b + m;
    bool some = to > from && !isnan(a) && !isnan(n);
    *at = isnan(from) ? 0 : from;
    *size = some ? to - from : 0;
}

es_box es_box_meet(es_box a, es_box b)
{
    es_box both;
    meet(a.x, a.w, b.x, b.w, &both.x, &both.w);
    meet(a.y, a.h, b.y, b.h, &both.y, &both.h);
    return both;
}

es_box es_box_apart(es_box box, const es_box *others, int n, float x, float y)
{
    enum { STEPS = 8 };
    float step = fmaxf(fminf(box.w, box.h) / 3, 1);
    bool covers = true;
    for (int i = 0; covers && i < STEPS; i++) {
        covers = false;
        for (int k = 0; k < n; k++) {
            es_box both = es_box_meet(box, others[k]);
            covers |= both.w > 0 && both.h > 0;
        }
        box.x += covers ? x * step : 0;
        box.y += covers ? y * step : 0;
    }
    return box;
}

es_box es_box_inset(es_box b, float by)
{
    float x = fminf(by, b.w / 2), y = fminf(by, b.h / 2);
    return (es_box){b.x + x, b.y + y, b.w - 2 * x, b.h - 2 * y};
}

static float at_most(float wanted, float there)
{
    return wanted > 0 ? fminf(wanted, there) : 0;
}

es_box es_box_cut_left(es_box *from, float w)
{
    es_box cut = *from;
    cut.w = at_most(w, from->w);
    from->x += cut.w;
    from->w -= cut.w;
    return cut;
}

es_box es_box_cut_right(es_box *from, float w)
{
    es_box cut = *from;
    cut.w = at_most(w, from->w);
    from->w -= cut.w;
    cut.x = from->x + from->w;
    return cut;
}

es_box es_box_cut_top(es_box *from, float h)
{
    es_box cut = *from;
    cut.h = at_most(h, from->h);
    from->y += cut.h;
    from->h -= cut.h;
    return cut;
}

es_box es_box_cut_bottom(es_box *from, float h)
{
    es_box cut = *from;
    cut.h = at_most(h, from->h);
    from->h -= cut.h;
    cut.y = from->y + from->h;
    return cut;
}

/* ---- drawing ---- */

es_box es_canvas_clip(es_canvas *c, es_box to)
{
    es_box before = c->inside;
    c->inside = es_box_meet(to, (es_box){0, 0, c->w, c->h});
    c->ops->clip(c, c->inside);
    return before;
}

void es_canvas_fill(es_canvas *c, es_box box, es_argb colour)
{
    c->ops->fill(c, box, colour);
}

void es_canvas_edge(es_canvas *c, es_box box, float width, es_argb colour)
{
    es_box left = es_box_cut_left(&box, width), right = es_box_cut_right(&box, width);
    es_canvas_fill(c, left, colour);
    es_canvas_fill(c, right, colour);
    es_canvas_fill(c, es_box_cut_top(&box, width), colour);
    es_canvas_fill(c, es_box_cut_bottom(&box, width), colour);
}

void es_canvas_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour)
{
    c->ops->line(c, at, n, width, dash, colour);
}

/* One line, so that a colour one can see through is not darker where shaft and head meet. */
void es_canvas_arrow(es_canvas *c, es_spot from, es_spot to, float width, es_argb colour)
{
    const es_spot gap = {NAN, NAN};
    float dx = to.x - from.x, dy = to.y - from.y, length = hypotf(dx, dy);
    float head = fmaxf(HEAD_LEAST, HEAD_LENGTH * width);
    if (!(length >= head)) {
        es_canvas_line(c, (es_spot[]){from, to}, 2, width, 0, colour);
        return;
    }
    dx *= head / length;
    dy *= head / length;
    es_spot left = {to.x - dx - HEAD_HALF * dy, to.y - dy + HEAD_HALF * dx};
    es_spot right = {to.x - dx + HEAD_HALF * dy, to.y - dy - HEAD_HALF * dx};
    es_canvas_line(c, (es_spot[]){from, to, gap, left, to, right}, 6, width, 0, colour);
}

void es_canvas_discs(es_canvas *c, const es_disc *disc, size_t n)
{
    c->ops->discs(c, disc, n);
}

void es_canvas_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    if (rows > 0 && columns > 0)
        c->ops->cells(c, box, colour, rows, columns);
}

/* ---- lines ---- */

float es_canvas_lines(const es_canvas *c, float h)
{
    return c->line > 0 ? roundf(h / c->line) * c->line : h;
}

es_box es_canvas_room(const es_canvas *c, es_box area, float em)
{
    es_box room = es_box_inset(area, em);
    if (c->line > 0) {
        room.y = area.y;
        room.h = area.h;
    }
    return room;
}

/* ---- text ---- */

void es_canvas_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    if (n)
        c->ops->text(c, x, y, text, n, ink);
}

void es_canvas_string(es_canvas *c, float x, float y, const char *text, const es_ink *ink)
{
    es_canvas_text(c, x, y, text, strlen(text), ink);
}

float es_canvas_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    return n ? c->ops->width(c, text, n, ink) : 0;
}

/* The character that begins at text[at], with its marks: where the next begins. */
static size_t behind(const char *text, size_t n, size_t at)
{
    uint32_t cp;
    int bytes = es_utf8_next(text + at, n - at, &cp);
    for (at += bytes ? (size_t)bytes : 1; at < n; at += (size_t)bytes) {
        bytes = es_utf8_next(text + at, n - at, &cp);
        if (!bytes || !es_char_combines(cp))
            break;
    }
    return at;
}

/* How many bytes of text, whole characters, are no wider than room: by halves, as fonts are asked for each width. */
static size_t bytes_within(es_canvas *c, float room, const char *text, size_t n, const es_ink *ink)
{
    size_t fits = 0, bound = n; /* what fits, and from where on nothing new is to be tried */
    while (fits < bound) {
        size_t middle = fits + (bound - fits) / 2, at = fits;
        for (size_t next = at; next <= middle && next < n;) {
            at = next;
            next = behind(text, n, next);
        }
        size_t end = behind(text, n, at);
        if (es_canvas_width(c, text, end, ink) <= room)
            fits = end;
        else
            bound = at;
    }
    return fits;
}

void es_canvas_fit(es_canvas *c, float x, float y, float room, float align, const char *text,
                   const es_ink *ink)
{
    es_str cut = {0};
    size_t n = strlen(text);
    float w = es_canvas_width(c, text, n, ink);
    if (!(w <= room)) {
        float mark = es_canvas_width(c, CUT, sizeof CUT - 1, ink);
        if (!(mark <= room))
            return;
        es_str_bytes(&cut, text, bytes_within(c, room - mark, text, n, ink));
        es_str_cat(&cut, CUT);
        text = cut.s;
        n = cut.len;
        w = es_canvas_width(c, text, n, ink);
    }
    es_canvas_text(c, x - align * w, y, text, n, ink);
    es_str_free(&cut);
}
