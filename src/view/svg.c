// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/segment.h"
#include "view/svg_discs.h"
#include "view/svg_map.h"
#include "view/svg_words.h"

static es_svg *svg_of(es_canvas *c)
{
    return (es_svg *)c;
}

/* ---- clips ---- */

static bool same_box(es_box a, es_box b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

/* Which clip is in force; -1: the canvas itself. */
static int clip_in_force(es_svg *s)
{
    es_box now = s->canvas.inside;
    if (same_box(now, (es_box){0, 0, s->canvas.w, s->canvas.h}))
        return -1;
    for (int i = s->n_clips; i-- > 0;)
        if (same_box(s->clip[i], now))
            return i;
    s->clip = es_realloc(s->clip, (size_t)(s->n_clips + 1) * sizeof *s->clip);
    s->clip[s->n_clips] = now;
    return s->n_clips++;
}

static void leave_group(es_svg *s)
{
    if (s->open >= 0)
        es_str_cat(&s->body, "</g>\n");
    s->open = -1;
}

/* What is written next is held to the clip in force. */
static void enter_group(es_svg *s)
{
    int wanted = clip_in_force(s);
    if (wanted == s->open)
        return;
    leave_group(s);
    if (wanted >= 0)
        es_str_add(&s->body, "<g clip-path=\"url(#c%d)\">\n", wanted);
    s->open = wanted;
}

/* Would any of a box be seen?  A box with NaN would not. */
static bool shows(const es_svg *s, es_box b)
{
    es_box in = s->canvas.inside;
    return b.w >= 0 && b.h >= 0 && b.x < in.x + in.w && b.x + b.w > in.x && b.y < in.y + in.h &&
           b.y + b.h > in.y;
}

static bool is_seen(es_argb colour)
{
    return colour >> 24 != 0;
}

/* The canvas keeps what is in force; a group begins when something is drawn. */
static void on_clip(es_canvas *c, es_box to)
{
    (void)c;
    (void)to;
}

/* ---- shapes ---- */

static void on_fill(es_canvas *c, es_box box, es_argb colour)
{
    es_svg *s = svg_of(c);
    box = es_box_meet(box, c->inside);
    if (!is_seen(colour) || !(box.w > 0 && box.h > 0))
        return;
    enter_group(s);
    es_svg_box(&s->body, box);
    es_svg_paint(&s->body, "fill", colour);
    es_str_cat(&s->body, "/>\n");
}

static void put_spot(es_str *out, char step, es_spot a, es_spot b, double at)
{
    es_str_char(out, step);
    es_svg_number(out, a.x + at * ((double)b.x - a.x));
    es_str_char(out, ' ');
    es_svg_number(out, a.y + at * ((double)b.y - a.y));
}

/* What of a line is near enough to be seen: programs that read SVG stumble over what is far away. */
static void put_path(es_str *out, const es_svg *s, const es_spot *at, size_t n, float width)
{
    const es_box in = s->canvas.inside;
    const es_box around = {in.x - width, in.y - width, in.w + 2 * width, in.h + 2 * width};
    bool joined = false; /* the segment begins where the last one ended */
    for (size_t i = 1; i < n; i++) {
        double from, to;
        if (!es_segment_inside(at[i - 1], at[i], around, &from, &to)) {
            joined = false;
            continue;
        }
        if (!joined || from > 0)
            put_spot(out, 'M', at[i - 1], at[i], from);
        put_spot(out, 'L', at[i - 1], at[i], to);
        joined = to >= 1;
    }
}

static void on_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour)
{
    es_svg *s = svg_of(c);
    es_str path = {0};
    if (is_seen(colour) && width > 0)
        put_path(&path, s, at, n, width);
    if (path.len) {
        enter_group(s);
        es_str_add(&s->body, "<path fill=\"none\" d=\"%s\"", path.s);
        es_svg_paint(&s->body, "stroke", colour);
        es_svg_attribute(&s->body, "stroke-width", width);
        if (dash > 0)
            es_svg_attribute(&s->body, "stroke-dasharray", dash);
        es_str_cat(&s->body, "/>\n");
    }
    es_str_free(&path);
}

/* ---- discs ---- */

static bool disc_shows(const es_svg *s, const es_disc *d)
{
    return d->r > 0 && shows(s, (es_box){d->x - d->r, d->y - d->r, 2 * d->r, 2 * d->r});
}

static void put_opacity(es_str *out, es_argb opacity)
{
    if (opacity == 0xff)
        return;
    es_str_cat(out, "<g");
    es_svg_attribute(out, "fill-opacity", opacity / 255.0);
    es_str_cat(out, ">\n");
}

static void put_disc(es_str *out, const es_disc *d, bool paint)
{
    es_str_cat(out, "<circle");
    es_svg_attribute(out, "cx", d->x);
    es_svg_attribute(out, "cy", d->y);
    es_svg_attribute(out, "r", d->r);
    if (paint)
        es_svg_paint(out, "fill", d->colour | 0xff000000);
    es_str_cat(out, "/>\n");
}

/* n discs that shine through alike, in their order: a colour that several in a row have is said once. */
static void put_discs(es_str *out, const es_disc *const *disc, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        es_argb solid = disc[i]->colour | 0xff000000;
        for (end = i + 1; end < n && disc[end]->colour == disc[i]->colour;)
            end++;
        if (end > i + 1) {
            es_str_cat(out, "<g");
            es_svg_paint(out, "fill", solid);
            es_str_cat(out, ">\n");
        }
        for (size_t k = i; k < end; k++)
            put_disc(out, disc[k], end == i + 1);
        if (end > i + 1)
            es_str_cat(out, "</g>\n");
    }
}

/* A group for each opacity, in their order. */
static void put_groups(es_str *out, const es_disc *const *disc, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        es_argb opacity = disc[i]->colour >> 24;
        for (end = i + 1; end < n && disc[end]->colour >> 24 == opacity;)
            end++;
        put_opacity(out, opacity);
        put_discs(out, disc + i, end - i);
        es_str_cat(out, opacity < 0xff ? "</g>\n" : "");
    }
}

/* Discs cover each other, and shine through, as on a screen.  Each is an element of its own, if they are not many. */
static void on_discs(es_canvas *c, const es_disc *disc, size_t n)
{
    es_svg *s = svg_of(c);
    const es_disc **seen = es_alloc_array(n, sizeof *seen);
    size_t n_seen = 0;
    for (size_t i = 0; i < n; i++)
        if (is_seen(disc[i].colour) && disc_shows(s, &disc[i]))
            seen[n_seen++] = &disc[i];
    if (n_seen)
        enter_group(s);
    if (n_seen < ES_SVG_MANY_DISCS)
        put_groups(&s->body, seen, n_seen);
    else
        es_svg_discs(&s->body, c->inside, seen, n_seen);
    free(seen);
}

static void on_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    es_svg *s = svg_of(c);
    if (rows <= 0 || columns <= 0 || !(box.w > 0 && box.h > 0) || !shows(s, box))
        return;
    enter_group(s);
    es_svg_map(&s->body, box, colour, rows, columns);
}

/* ---- text ---- */

static float on_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    es_svg *s = svg_of(c);
    es_glyphs line;
    if (!s->font)
        return es_svg_estimate(text, n, ink);
    return es_font_line(s->font, text, n, ink->size, ink->bold, ink->mono, &line) ? line.advance
                                                                                  : 0;
}

/* From the middle of a line down to its baseline. */
static float below_middle(const es_svg *s, float size)
{
    const float of_dejavu = 0.32F;
    float middle = of_dejavu * size;
    if (s->font)
        es_font_height(s->font, size, &middle);
    return middle;
}

static void on_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    es_svg *s = svg_of(c);
    es_str shown = {0};
    es_svg_words(&shown, text, n);
    es_box around = {x - ink->size, y - ink->size, on_width(c, text, n, ink) + 2 * ink->size,
                     2 * ink->size};
    if (shown.len && is_seen(ink->colour) && shows(s, around)) {
        enter_group(s);
        es_str_cat(&s->body, "<text");
        es_svg_attribute(&s->body, "x", x);
        es_svg_attribute(&s->body, "y", y + below_middle(s, ink->size));
        es_svg_attribute(&s->body, "font-size", ink->size);
        es_svg_paint(&s->body, "fill", ink->colour);
        if (ink->bold)
            es_str_cat(&s->body, " font-weight=\"bold\"");
        if (ink->mono)
            es_str_cat(&s->body, " font-family=\"'DejaVu Sans Mono', monospace\"");
        es_str_add(&s->body, ">%s</text>\n", shown.s);
    }
    es_str_free(&shown);
}

/* ---- the file ---- */

static const es_canvas_ops ops = {on_clip, on_fill, on_line, on_discs, on_cells, on_text, on_width};

void es_svg_open(es_svg *s, float w, float h, es_argb ground, es_font *font)
{
    *s = (es_svg){
        .canvas = {&ops, w, h, {0, 0, w, h}, 0}, .ground = ground, .font = font, .open = -1};
}

void es_svg_finish(es_svg *s, es_str *out, const char *title)
{
    const es_box all = {0, 0, s->canvas.w, s->canvas.h};
    leave_group(s);
    es_str_cat(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    es_svg_attribute(out, "width", all.w);
    es_svg_attribute(out, "height", all.h);
    es_str_cat(out, " viewBox=\"0 0 ");
    es_svg_number(out, all.w);
    es_str_char(out, ' ');
    es_svg_number(out, all.h);
    es_str_cat(out, "\"\n     font-family=\"'DejaVu Sans', Verdana, sans-serif\" "
                    "stroke-linejoin=\"round\" xml:space=\"preserve\">\n<title>");
    es_svg_words(out, title, strlen(title));
    es_str_cat(out, "</title>\n");
    for (int i = 0; i < s->n_clips; i++) {
        es_str_add(out, "<clipPath id=\"c%d\">", i);
        es_svg_box(out, s->clip[i]);
        es_str_cat(out, "/></clipPath>\n");
    }
    es_svg_box(out, all);
    es_svg_paint(out, "fill", s->ground);
    es_str_cat(out, "/>\n");
    es_str_bytes(out, es_str_text(&s->body), s->body.len);
    es_str_cat(out, "</svg>\n");
}

void es_svg_close(es_svg *s)
{
    es_str_free(&s->body);
    free(s->clip);
    *s = (es_svg){0};
}
