// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/plot.h"

#include <math.h>
#include <string.h>

#include "view/words.h"

/* In ems. */
#define CAPTION_HEIGHT 1.7f
#define LINE_HEIGHT    1.4f
#define GAP            0.5f
#define TICK           0.35f

/* ---- round numbers ---- */

/* The smallest of 1, 2, 5, 10 times a power of ten that is no less than x, but for rounding. */
static double round_step(double x)
{
    double power = pow(10, floor(log10(x))), part = x / power * (1 - 1e-9);
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

int es_ticks(double low, double high, int most, double *first, double *step)
{
    *first = low;
    *step = 1;
    if (!isfinite(low) || !isfinite(high) || high < low || most < 1)
        return 0;
    if (high == low)
        return 1;
    double wanted = round_step(high / most - low / most);
    double from = ceil(low / wanted - 1e-9), to = floor(high / wanted + 1e-9);
    if (!(wanted > 0) || !isfinite(wanted) || !(fabs(from) < 0x1p52) || !(fabs(to) < 0x1p52))
        return 0;
    *first = from * wanted;
    *step = wanted;
    return to < from ? 0 : (int)(to - from) + 1;
}

static int exponent(double x)
{
    return (int)floor(log10(fabs(x)) + 1e-9);
}

enum { ZEROS = 4 }; /* that a number is written with, before its power of ten is */

static void write_tick(es_str *out, double value, double step, int most_zeros)
{
    int power = exponent(step);
    if (!isfinite(value) || fabs(value) < step / 2) {
        es_str_cat(out, isfinite(value) ? "0" : "?");
    } else if (power > -most_zeros && power <= most_zeros) {
        es_str_add(out, "%.*f", power < 0 ? -power : 0, value);
    } else {
        int digits = exponent(value) - power;
        double unit = pow(10, power + (digits > 0 ? digits : 0));
        es_str_add(out, "%.*fe%d", digits > 0 ? digits : 0, value / unit,
                   power + (digits > 0 ? digits : 0));
    }
}

void es_tick_text(es_str *out, double value, double step)
{
    write_tick(out, value, step, ZEROS);
}

/* ---- a chart ---- */

enum { MOST_TICKS = 24 };

/* The ticks of one axis, whose ends may stand in either order: where each is, and the number it stands for. */
typedef struct axis {
    int n;
    double at[MOST_TICKS], number[MOST_TICKS];
    double step[MOST_TICKS]; /* what the number's text tells apart */
    double apart;            /* the least way from one to the next */
    int zeros;               /* see write_tick */
} axis;

static void add_tick(axis *a, double at, double number, double step)
{
    if (a->n == MOST_TICKS)
        return;
    if (a->n)
        a->apart = fmin(a->apart, fabs(at - a->at[a->n - 1]));
    a->at[a->n] = at;
    a->number[a->n] = number;
    a->step[a->n++] = step;
}

static axis even_axis(double low, double high, bool whole, int most)
{
    axis a = {.apart = INFINITY, .zeros = ZEROS};
    double first, step;
    if (whole && high - low < most)
        most = high - low < 1 ? 1 : (int)(high - low);
    int n = es_ticks(low, high, most, &first, &step);
    for (int i = 0; i < n; i++)
        add_tick(&a, first + i * step, first + i * step, step);
    return a;
}

double es_on_scale(es_scale scale, double number)
{
    return scale == ES_SCALE_EVEN ? number : log10(scale == ES_SCALE_LOG ? number : 1 + number);
}

/* All of an axis alike: with their zeros while these can be counted, else powers of ten, but for those near 1. */
static int zeros_of(const axis *a)
{
    enum { COUNTED = 6, NEAR = 2 };
    double least = 1, most = 1;
    for (int i = 0; i < a->n; i++) {
        least = a->number[i] > 0 ? fmin(least, a->number[i]) : least;
        most = fmax(most, a->number[i]);
    }
    return least > 0.9e-3 && most < 1.1e6 ? COUNTED : NEAR;
}

/* Powers of ten, some of them left out where there are many, twice and five times each where there are few. */
static axis log_axis(double low, double high, es_scale scale, int most)
{
    static const double parts[] = {1, 2, 5};
    enum { FARTHEST = 300 };
    axis a = {.apart = INFINITY};
    if (!(fabs(low) < FARTHEST) || !(fabs(high) < FARTHEST))
        return a;
    int every = 1 + (int)((high - low) / most), n_parts = 3 * (high - low) <= most ? 3 : 1;
    if (scale == ES_SCALE_LOG1 && low <= 0)
        add_tick(&a, 0, 0, 1);
    for (int power = (int)floor(low); power <= high; power++)
        for (int k = 0; k < n_parts && power % every == 0; k++) {
            double number = parts[k] * pow(10, power), at = es_on_scale(scale, number);
            bool tells =
                scale == ES_SCALE_LOG || power > (high > 1.2 ? 0 : -1); /* 1 is too near 0 */
            if (tells && at >= low - 1e-9 && at <= high + 1e-9)
                add_tick(&a, at, number, pow(10, power));
        }
    a.zeros = zeros_of(&a);
    return a;
}

static axis axis_of(double from, double to, bool whole, es_scale scale, float room, float apart)
{
    double low = fmin(from, to), high = fmax(from, to);
    int most = (int)fminf(room / apart, MOST_TICKS);
    most = most < 1 ? 1 : most;
    return scale == ES_SCALE_EVEN ? even_axis(low, high, whole, most)
                                  : log_axis(low, high, scale, most);
}

static axis y_axis(const es_chart *chart, float em)
{
    if (chart->y_bare)
        return (axis){0};
    return axis_of(chart->y_low, chart->y_high, chart->y_whole, chart->y_scale, chart->inside.h,
                   2.2f * em);
}

static void tick_text(es_str *out, const axis *a, int i)
{
    write_tick(out, a->number[i], a->step[i], a->zeros);
}

static float widest(es_canvas *c, const axis *a, const es_ink *ink)
{
    float most = 0;
    for (int i = 0; i < a->n; i++) {
        es_str text = {0};
        tick_text(&text, a, i);
        most = fmaxf(most, es_canvas_width(c, es_str_text(&text), text.len, ink));
        es_str_free(&text);
    }
    return most;
}

static double pixels_apart(const axis *a, double low, double high, float room)
{
    return a->apart / fabs(high - low) * (double)room;
}

/* Two ticks make a scale: where round numbers leave one, the next finer ones whose texts keep apart. */
static axis spread_more(const es_chart *chart, es_canvas *c, axis x, const es_ink *ink)
{
    float room = chart->inside.w;
    for (int most = 2; x.n < 2 && most <= 4; most++) {
        axis finer = axis_of(chart->x_low, chart->x_high, chart->x_whole, chart->x_scale, room,
                             room / ((float)most + 0.5f));
        float needs = widest(c, &finer, ink) + 0.5f * ink->size;
        if (pixels_apart(&finer, chart->x_low, chart->x_high, room) >= (double)needs)
            x = finer;
    }
    return x;
}

/* Ticks from left to right whose texts keep apart: fewer of them until they do. */
static axis spread_out(const es_chart *chart, es_canvas *c, const es_ink *ink)
{
    float room = chart->inside.w, apart = 3 * ink->size;
    axis x = axis_of(chart->x_low, chart->x_high, chart->x_whole, chart->x_scale, room, apart);
    for (int tries = 0; tries < 4; tries++) {
        float needs = widest(c, &x, ink) + ink->size;
        if (x.n < 2 || pixels_apart(&x, chart->x_low, chart->x_high, room) >= (double)needs)
            break;
        apart = fmaxf(needs, 1.5f * apart);
        x = axis_of(chart->x_low, chart->x_high, chart->x_whole, chart->x_scale, room, apart);
    }
    return spread_more(chart, c, x, ink);
}

static void hairline(es_canvas *c, float x0, float y0, float x1, float y1, es_argb colour)
{
    es_canvas_line(c, (const es_spot[]){{x0, y0}, {x1, y1}}, 2, 1, 0, colour);
}

/* A tick's text, at `align` of its width on x, within the width of the area. */
static void tick_label(es_canvas *c, es_box area, es_spot at, float align, const axis *a, int i,
                       const es_ink *ink)
{
    es_str text = {0};
    tick_text(&text, a, i);
    float w = es_canvas_width(c, es_str_text(&text), text.len, ink);
    float left = fmaxf(area.x, fminf(at.x - align * w, area.x + area.w - w));
    es_canvas_text(c, left, at.y, es_str_text(&text), text.len, ink);
    es_str_free(&text);
}

static void draw_x(const es_chart *chart, es_canvas *c, es_box area, const es_palette *p,
                   const es_ink *ink)
{
    axis x = spread_out(chart, c, ink);
    float bottom = chart->inside.y + chart->inside.h, em = ink->size;
    for (int i = 0; i < x.n; i++) {
        float at = es_chart_spot(chart, x.at[i], chart->y_low).x;
        hairline(c, at, chart->inside.y, at, bottom + TICK * em, es_fade(p->edge, 0.6f));
        tick_label(c, area, (es_spot){at, bottom + (TICK + LINE_HEIGHT / 2) * em}, 0.5f, &x, i,
                   ink);
    }
    if (chart->x_name)
        es_canvas_fit(c, chart->inside.x + chart->inside.w / 2,
                      bottom + (TICK + 1.5f * LINE_HEIGHT) * em, chart->inside.w, 0.5f,
                      chart->x_name, ink);
}

static void draw_y(const es_chart *chart, es_canvas *c, es_box area, const es_palette *p,
                   const es_ink *ink)
{
    float left = chart->inside.x, em = ink->size;
    axis y = y_axis(chart, em);
    for (int i = 0; i < y.n; i++) {
        float at = es_chart_spot(chart, chart->x_low, y.at[i]).y;
        bool zero = fabs(y.at[i]) < y.step[i] / 2;
        hairline(c, left - TICK * em, at, left + chart->inside.w, at,
                 es_fade(p->edge, zero ? 1 : 0.6f));
        tick_label(c, area, (es_spot){left - GAP * em, at}, 1, &y, i, ink);
    }
    if (chart->y_name)
        es_canvas_fit(c, area.x, area.y + LINE_HEIGHT / 2 * em, area.w, 0, chart->y_name, ink);
}

void es_chart_measure(es_chart *chart, es_canvas *c, es_box area, float em)
{
    const es_ink ink = {.size = em};
    chart->inside = area;
    es_box_cut_top(&chart->inside, (chart->y_name ? LINE_HEIGHT + GAP : GAP) * em);
    es_box_cut_bottom(&chart->inside, (TICK + (chart->x_name ? 2 : 1) * LINE_HEIGHT) * em);
    axis y = y_axis(chart, em);
    es_box_cut_left(&chart->inside, widest(c, &y, &ink) + GAP * em);
    es_box_cut_right(&chart->inside, em / 2);
}

void es_chart_draw(es_chart *chart, es_canvas *c, es_box area, const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = p->dim};
    es_chart_measure(chart, c, area, em);
    if (chart->inside.w <= 0 || chart->inside.h <= 0)
        return;
    draw_x(chart, c, area, p, &ink);
    draw_y(chart, c, area, p, &ink);
    es_canvas_edge(c, chart->inside, 1, p->edge);
}

/* How far v is on the way from a to b; in the middle where there is no way. */
static double part_of(double v, double a, double b)
{
    return a == b ? 0.5 : (v - a) / (b - a);
}

es_spot es_chart_spot(const es_chart *chart, double x, double y)
{
    const es_box *b = &chart->inside;
    return (es_spot){(float)(b->x + part_of(x, chart->x_low, chart->x_high) * b->w),
                     (float)(b->y + (1 - part_of(y, chart->y_low, chart->y_high)) * b->h)};
}

void es_chart_point(const es_chart *chart, es_spot at, double *x, double *y)
{
    const es_box *b = &chart->inside;
    double right = (double)((at.x - b->x) / b->w), up = 1 - (double)((at.y - b->y) / b->h);
    *x = chart->x_low + right * (chart->x_high - chart->x_low);
    *y = chart->y_low + up * (chart->y_high - chart->y_low);
}

void es_caption(es_canvas *c, es_box *area, const char *text, const char *brief,
                const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = p->ink};
    bool fits = es_canvas_width(c, text, strlen(text), &ink) <= area->w;
    if (fits || brief) {
        es_box line = es_box_cut_top(area, es_canvas_lines(c, CAPTION_HEIGHT * em));
        es_canvas_fit(c, line.x, line.y + line.h / 2, line.w, 0, fits ? text : brief, &ink);
        return;
    }
    es_box_cut_top(area,
                   es_words_draw(c, *area, 0, text, &ink) + (CAPTION_HEIGHT - ES_LEADING) * em);
}
