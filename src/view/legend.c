// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/legend.h"

#include <math.h>

/* In ems. */
#define SAMPLE  1.5f
#define BETWEEN 1.2f
#define LINE    1.5f

es_str *es_legend_add(es_legend *l, es_sample sample, es_argb colour)
{
    int i = l->n < ES_MOST_ENTRIES ? l->n++ : ES_MOST_ENTRIES - 1;
    l->entry[i].sample = sample;
    l->entry[i].colour = colour;
    return &l->entry[i].says;
}

static void draw_sample(es_canvas *c, es_sample sample, es_box box, es_argb colour)
{
    float middle = box.y + box.h / 2;
    const es_spot across[] = {{box.x, middle}, {box.x + box.w, middle}};
    const es_disc disc = {box.x + box.w / 2, middle, 0.28f * box.h, colour, ES_NO_ID};
    switch (sample) {
    case ES_SAMPLE_AREA:
        es_canvas_fill(c, (es_box){box.x, middle - box.h / 4, box.w, box.h / 2}, colour);
        break;
    case ES_SAMPLE_LINE: es_canvas_line(c, across, 2, 2, 0, colour); break;
    case ES_SAMPLE_DASHES: es_canvas_line(c, across, 2, 1.5f, 4, colour); break;
    case ES_SAMPLE_DISC: es_canvas_discs(c, &disc, 1); break;
    }
}

void es_legend_draw(es_legend *l, es_canvas *c, es_box *area, const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = p->dim};
    float x = area->x, line = es_canvas_lines(c, LINE * em), y = area->y, most = area->h / 3;
    for (int i = 0; i < l->n; i++) {
        es_str *says = &l->entry[i].says;
        float words = es_canvas_width(c, es_str_text(says), says->len, &ink),
              w = (SAMPLE + 0.4f) * em + words;
        if (x > area->x && x + w > area->x + area->w) {
            x = area->x;
            y += line;
        }
        if (y + line <= area->y + most) {
            draw_sample(c, l->entry[i].sample, (es_box){x, y, SAMPLE * em, line},
                        l->entry[i].colour);
            es_canvas_fit(c, x + (SAMPLE + 0.4f) * em, y + line / 2, area->w - (SAMPLE + 0.4f) * em,
                          0, es_str_text(says), &ink);
        }
        x += w + BETWEEN * em;
        es_str_free(says);
    }
    if (l->n)
        es_box_cut_top(area, fminf(y + line - area->y, floorf(most / line) * line));
    *l = (es_legend){0};
}
