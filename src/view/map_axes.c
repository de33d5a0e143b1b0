// SPDX-License-Identifier: GPL-3.0-or-later
/* Where is zero, which way do the components go, and what do the colours mean? */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/map.h"
#include "view/plot.h"

enum { SCALE = 48, MOST_ENTRIES = 16 }; /* steps of a scale of colours; of a legend */
#define LINE           1.4f             /* from line to line, in em; so are the others */
#define EDGE           0.5f
#define SIDE           1.0f /* from the left and the right, as all other text has it */
#define ARM            2.2f
#define TICK           0.3f
#define ARROW          2.0f
#define MOST_OF_HEIGHT 0.4f /* of the area's: a legend with what the sentence's lines are */

/* ---- the cross ---- */

static void hairline(es_canvas *c, es_spot a, es_spot b, es_argb colour)
{
    const es_spot line[] = {a, b};
    es_canvas_line(c, line, 2, 1, 0, colour);
}

/* In a plane from edge to edge; in space as long as the extent. */
void es_map_draw_cross(const es_map *m, es_canvas *c)
{
    const es_argb colour = m->palette->edge;
    const es_box a = m->area;
    for (int k = 0; k < m->d; k++) {
        float from[3] = {0}, to[3] = {0};
        from[k] = -(float)m->extent.radius;
        to[k] = (float)m->extent.radius;
        es_spot low = es_map_spot(m, from), high = es_map_spot(m, to);
        if (m->d == 2 && k == 0)
            low.x = a.x, high.x = a.x + a.w;
        if (m->d == 2 && k == 1)
            low.y = a.y, high.y = a.y + a.h;
        hairline(c, low, high, colour);
    }
}

/* ---- text on the picture ---- */

float es_map_plate(es_map *m, es_viewer *v, es_canvas *c, float x, float y, float align,
                   const char *text, es_argb colour)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = colour};
    size_t n = strlen(text);
    float w = es_canvas_width(c, text, n, &ink), pad = 0.25f * ink.size;
    x -= align * w;
    es_box box = {x - pad, y - 0.65f * ink.size, w + 2 * pad, 1.3f * ink.size};
    es_canvas_fill(c, box, es_fade(m->palette->ground, 0.75f));
    es_labels_block(v->labels, box);
    es_canvas_text(c, x, y, text, n, &ink);
    return w + 2 * pad;
}

/* ---- ticks along the edges of a plane ---- */

/* The numbers at the low and the high end of an edge. */
static void ends(const es_map *m, const es_viewer *v, int k, double *low, double *high)
{
    es_camera camera = es_viewer_camera(v);
    double x0, y0, x1, y1;
    es_camera_point(&camera, &m->extent, m->plot, (es_spot){m->area.x, m->area.y + m->area.h}, &x0,
                    &y0);
    es_camera_point(&camera, &m->extent, m->plot, (es_spot){m->area.x + m->area.w, m->area.y}, &x1,
                    &y1);
    *low = k ? y0 : x0;
    *high = k ? y1 : x1;
}

void es_map_draw_ticks(es_map *m, es_viewer *v, es_canvas *c, int k, float from, float to)
{
    float em = es_viewer_em(v), bottom = m->area.y + m->area.h, length = k ? m->area.h : m->area.w;
    double low, high, first, step;
    ends(m, v, k, &low, &high);
    int n = es_ticks(low, high, (int)(length / (k ? 5 * em : 8 * em)), &first, &step);
    for (int i = 0; i < n; i++) {
        es_str text = {0};
        double value = first + i * step;
        float part = (float)((value - low) / (high - low)) * length;
        float x = m->area.x + part, y = bottom - part;
        es_tick_text(&text, value, step);
        if (k && y > from && y < to) {
            hairline(c, (es_spot){m->area.x, y}, (es_spot){m->area.x + TICK * em, y},
                     m->palette->dim);
            es_map_plate(m, v, c, m->area.x + SIDE * em, y, 0, text.s, m->palette->dim);
        } else if (!k && x > from && x < to) {
            hairline(c, (es_spot){x, bottom - TICK * em}, (es_spot){x, bottom}, m->palette->dim);
            es_map_plate(m, v, c, x, bottom - (TICK + LINE / 2) * em, 0.5f, text.s,
                         m->palette->dim);
        }
        es_str_free(&text);
    }
}

/* Its name with what it keeps, in brief where `room` is short. */
static void name_axis(const es_viewer *v, es_canvas *c, int component, float room, es_str *out)
{
    const es_ink ink = {.size = es_viewer_em(v)};
    for (int brief = 0; brief < 3; brief++) {
        es_str_cut(out, 0);
        es_map_axis_name(v, component, (es_map_brief)brief, out);
        if (es_canvas_width(c, es_str_text(out), out->len, &ink) <= room)
            return;
    }
}

/* `room`: from the left edge to the legend. */
static void draw_plane(es_map *m, es_viewer *v, es_canvas *c, float room)
{
    float em = es_viewer_em(v), right = m->area.x + m->area.w, bottom = m->area.y + m->area.h;
    float row = bottom - (TICK + LINE / 2) * em, arrow = 1.5f * em;
    es_str name = {0}, up = {0};
    name_axis(v, c, m->component[0], m->area.w - 2 * SIDE * em - arrow, &name);
    es_str_cat(&name, " →");
    float w = es_map_plate(m, v, c, right - SIDE * em, row, 1, name.s, m->palette->dim);
    es_map_draw_ticks(m, v, c, 0, m->area.x + 3 * em, right - w - (SIDE + 3) * em);
    es_str_cut(&name, 0);
    name_axis(v, c, m->component[1], room - 2 * SIDE * em - arrow, &name);
    es_str_add(&up, "↑ %s", es_str_text(&name));
    es_map_plate(m, v, c, m->area.x + SIDE * em, m->area.y + LINE * em / 2 + EDGE * em, 0, up.s,
                 m->palette->dim);
    es_map_draw_ticks(m, v, c, 1, m->area.y + 2 * LINE * em, bottom - 2.2f * LINE * em);
    es_str_free(&name);
    es_str_free(&up);
}

/* ---- small axes that turn with space ---- */

/* The name of an arm, off those of the n before it: label[n] is where it came to stand. */
static void name_arm(es_map *m, es_viewer *v, es_canvas *c, int component, es_spot at, float dx,
                     float dy, es_box *label, int n)
{
    float em = es_viewer_em(v), far = hypotf(dx, dy);
    const es_ink ink = {.size = em};
    char name[16];
    snprintf(name, sizeof name, "%d", component + 1);
    float w = es_canvas_width(c, name, strlen(name), &ink);
    label[n] =
        es_box_apart((es_box){at.x - w / 2, at.y - em / 2, w, em}, label, n, dx / far, dy / far);
    es_map_plate(m, v, c, label[n].x + w / 2, label[n].y + em / 2, 0.5f, name, m->palette->dim);
}

static void draw_arms(es_map *m, es_viewer *v, es_canvas *c, es_spot middle)
{
    const es_lens *l = &m->lens;
    float em = es_viewer_em(v);
    float unit = sqrtf(l->fx[0] * l->fx[0] + l->fx[1] * l->fx[1] + l->fx[2] * l->fx[2]);
    es_box label[3];
    int named = 0;
    for (int k = 0; k < 3; k++) {
        float dx = l->fx[k] / unit, dy = l->fy[k] / unit, far = hypotf(dx, dy);
        es_canvas_arrow(c, middle, (es_spot){middle.x + ARM * em * dx, middle.y + ARM * em * dy},
                        1.2f, m->palette->dim);
        if (far < 0.3f)
            continue; /* it points at the reader */
        float out = (ARM + 0.8f / far) * em;
        name_arm(m, v, c, m->component[k], (es_spot){middle.x + out * dx, middle.y + out * dy}, dx,
                 dy, label, named++);
    }
}

static void draw_space(es_map *m, es_viewer *v, es_canvas *c)
{
    float em = es_viewer_em(v), low = m->area.y + m->area.h - (EDGE + LINE / 2) * em;
    float reach = (ARM + 1.5f) * em;
    es_spot middle = {m->area.x + reach + EDGE * em, low - 3 * LINE * em - reach};
    es_labels_block(v->labels, (es_box){middle.x - reach, middle.y - reach, 2 * reach, 2 * reach});
    draw_arms(m, v, c, middle);
    for (int k = 0; k < 3; k++) {
        es_str name = {0};
        name_axis(v, c, m->component[k], m->area.w - 2 * SIDE * em, &name);
        es_map_plate(m, v, c, m->area.x + SIDE * em, low - (float)(2 - k) * LINE * em, 0, name.s,
                     m->palette->dim);
        es_str_free(&name);
    }
}

/* ---- what the colours mean ---- */

/* The scale from end to end, its ends under it. */
static void draw_scale(const es_map *m, const es_viewer *v, es_canvas *c, es_box box,
                       const es_str *label)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = m->palette->dim};
    float y = box.y + (LINE + LINE / 2) * ink.size;
    es_argb colour[SCALE];
    for (int i = 0; i < SCALE; i++)
        colour[i] = es_sequential(m->palette, (float)i / (SCALE - 1));
    es_canvas_cells(c, (es_box){box.x, box.y + 0.35f * ink.size, box.w, 0.7f * ink.size}, colour, 1,
                    SCALE);
    es_canvas_fit(c, box.x, y, box.w / 2, 0, es_str_text(&label[0]), &ink);
    es_canvas_fit(c, box.x + box.w, y, box.w / 2, 1, es_str_text(&label[1]), &ink);
}

static void draw_entries(const es_map *m, const es_viewer *v, es_canvas *c, es_box box,
                         const es_argb *colour, const es_str *label, int n)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = m->palette->dim};
    for (int i = 0; i < n; i++) {
        float y = box.y + ((float)i + 0.5f) * LINE * ink.size;
        const es_disc dot = {box.x + 0.4f * ink.size, y, 0.35f * ink.size, colour[i], ES_NO_ID};
        es_canvas_discs(c, &dot, 1);
        es_canvas_fit(c, box.x + ink.size, y, box.w - ink.size, 0, es_str_text(&label[i]), &ink);
    }
}

static float widest(es_canvas *c, const es_str *label, int n, const es_ink *ink)
{
    float most = 0;
    for (int i = 0; i < n; i++)
        most = fmaxf(most, es_canvas_width(c, es_str_text(&label[i]), label[i].len, ink));
    return most;
}

/* What the lines of the sentence are, and what is picked out. */
typedef struct key {
    const char *says;
    es_argb colour;
    enum { DOT, ARROWED, SOLID, DASHED } form;
} key;
enum { MOST_KEYS = 6 };

static int keys_of(const es_map *m, const es_viewer *v, key out[MOST_KEYS])
{
    int n = 0;
    if (m->any_lit)
        out[n++] = (key){"found by :find", m->palette->found, DOT};
    if (v->selected.n && !m->isolates)
        out[n++] = (key){"selected", m->palette->ink, DOT};
    if (m->T > 1)
        out[n++] = (key){"the sentence, in order", m->palette->strong, ARROWED};
    if (m->T && v->scene.pos_emb && v->scene.x && !m->version)
        out[n++] = (key){"its position added: x", m->palette->second, ARROWED};
    if (v->torn && v->view == ES_VIEW_MAP) {
        out[n++] = (key){"to its nearest, near here too", m->palette->ink, SOLID};
        out[n++] = (key){"torn apart here", m->palette->ink, DASHED};
    }
    return n;
}

static void draw_key(es_canvas *c, es_box line, const key *k, const es_ink *ink)
{
    float y = line.y + line.h / 2, w = ARROW * ink->size;
    const es_disc dot = {line.x + w / 2, y, 0.35f * ink->size, k->colour, ES_NO_ID};
    const es_spot ends[] = {{line.x, y}, {line.x + w, y}};
    if (k->form == DOT)
        es_canvas_discs(c, &dot, 1);
    else if (k->form == ARROWED)
        es_canvas_arrow(c, ends[0], ends[1], 1.6f, k->colour);
    else
        es_canvas_line(c, ends, 2, 1.2f, k->form == DASHED ? ES_MAP_DASH : 0, k->colour);
    es_box_cut_left(&line, w + EDGE * ink->size);
    es_canvas_fit(c, line.x, y, line.w, 0, k->says, ink);
}

/* A legend's entries and how large it is. */
typedef struct legend {
    es_argb colour[MOST_ENTRIES];
    es_str label[MOST_ENTRIES];
    es_str caption;
    key keys[MOST_KEYS];
    int n, n_keys;
    bool scale;
    float w, h;
} legend;

static void read_legend(legend *l, const es_map *m, const es_viewer *v, es_canvas *c,
                        const es_ink *ink)
{
    float em = ink->size;
    while (l->n < MOST_ENTRIES &&
           es_colouring_legend(v, &m->colouring, l->n, &l->colour[l->n], &l->label[l->n]))
        l->n++;
    l->scale = l->n >= 2 && es_colouring_scale(v, &m->colouring);
    es_colouring_caption(v, &m->colouring, &l->caption);
    l->n_keys = keys_of(m, v, l->keys);
    l->w = es_canvas_width(c, l->caption.s, l->caption.len, ink);
    int scaled = l->scale ? 2 : 0; /* entries under the scale */
    l->w = fmaxf(l->w, l->n > scaled ? widest(c, l->label + scaled, l->n - scaled, ink) + em : 0);
    for (int i = 0; i < l->n_keys; i++)
        l->w = fmaxf(l->w, es_canvas_width(c, l->keys[i].says, strlen(l->keys[i].says), ink) +
                               (ARROW + EDGE) * em);
    l->h = (float)(1 + l->n) * LINE * em; /* a scale is two lines high, too */
}

static void draw_legend_in(const legend *l, const es_map *m, const es_viewer *v, es_canvas *c,
                           es_box in)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = m->palette->dim};
    float line = LINE * ink.size;
    es_box keys = es_box_cut_bottom(&in, (float)l->n_keys * line);
    es_canvas_string(c, in.x, in.y + line / 2, l->caption.s, &ink);
    es_box_cut_top(&in, line);
    int scaled = l->scale ? 2 : 0;
    if (l->scale)
        draw_scale(m, v, c, es_box_cut_top(&in, 2 * line), l->label);
    draw_entries(m, v, c, in, l->colour + scaled, l->label + scaled, l->n - scaled);
    for (int i = 0; i < l->n_keys; i++)
        draw_key(c, es_box_cut_top(&keys, line), &l->keys[i], &ink);
}

/* In the upper right corner, where there is room for it; what its lines are goes first.  Returns where it begins. */
float es_map_draw_legend(es_map *m, es_viewer *v, es_canvas *c)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = m->palette->dim};
    float em = ink.size, right = m->area.x + m->area.w;
    legend l = {.n = 0};
    read_legend(&l, m, v, c, &ink);
    if (l.h + (float)l.n_keys * LINE * em > MOST_OF_HEIGHT * m->area.h)
        l.n_keys = 0;
    l.h += (float)l.n_keys * LINE * em;
    es_box box = {right - l.w - (SIDE + EDGE) * em, m->area.y + EDGE * em, l.w + 2 * EDGE * em,
                  l.h + 0.6f * em};
    bool shown = l.n && box.w < 0.5f * m->area.w && box.h < 0.6f * m->area.h;
    if (shown) {
        es_canvas_fill(c, box, es_fade(m->palette->ground, 0.8f));
        es_labels_block(v->labels, box);
        draw_legend_in(&l, m, v, c, (es_box){box.x + EDGE * em, box.y + 0.3f * em, l.w, l.h});
    }
    for (int i = 0; i < MOST_ENTRIES; i++)
        es_str_free(&l.label[i]);
    es_str_free(&l.caption);
    return shown ? box.x : right;
}

void es_map_draw_axes(es_map *m, es_viewer *v, es_canvas *c)
{
    float left = es_map_draw_legend(m, v, c);
    if (m->version)
        es_map_draw_no_axes(m, v, c);
    else if (m->d == 3)
        draw_space(m, v, c);
    else
        draw_plane(m, v, c, left - m->area.x);
}
