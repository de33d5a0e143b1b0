// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/colouring.h"

#include "base/visible.h"

enum { NAME = 28 }; /* columns of a name in the caption */

es_colouring es_colouring_of(const es_viewer *v)
{
    bool own = v->meta && v->meta_column >= 0 && v->meta_column < v->meta->n;
    return (es_colouring){.palette = es_viewer_palette(v),
                          .by = v->color_by,
                          .column = own ? v->meta_column : -1,
                          .read = own ? v->metas_read : 0};
}

bool es_colouring_same(const es_colouring *a, const es_colouring *b)
{
    return a->palette == b->palette && a->by == b->by && a->column == b->column &&
           a->read == b->read;
}

es_argb es_colouring_at(const es_viewer *v, const es_colouring *c, int32_t id)
{
    return c->column < 0 ? es_atlas_colour(v->atlas, c->palette, c->by, id)
                         : es_meta_colour(v->meta, c->column, c->palette, id);
}

bool es_colouring_legend(const es_viewer *v, const es_colouring *c, int i, es_argb *colour,
                         es_str *label)
{
    return c->column < 0 ? es_atlas_legend(v->atlas, c->palette, c->by, i, colour, label)
                         : es_meta_legend(v->meta, c->column, c->palette, i, colour, label);
}

bool es_colouring_scale(const es_viewer *v, const es_colouring *c)
{
    if (c->column < 0)
        return c->by == ES_BY_LENGTH || c->by == ES_BY_ID ||
               (c->by == ES_BY_COUNT && v->atlas->most_seen >= 0);
    const es_meta_column *column = &v->meta->column[c->column];
    return column->numbers && column->high > column->low;
}

void es_colouring_caption(const es_viewer *v, const es_colouring *c, es_str *out)
{
    static const char *const meanings[ES_N_COLOR_BY] = {
        [ES_BY_LENGTH] = "length of the row",     [ES_BY_ID] = "id of the token",
        [ES_BY_SCRIPT] = "script of its letters", [ES_BY_SPACE] = "space at its beginning",
        [ES_BY_DIGIT] = "digits or not",          [ES_BY_CASE] = "case of its letters",
        [ES_BY_COUNT] = "times seen in training",
    };
    es_str_cat(out, "colour: ");
    if (c->column < 0) {
        es_str_cat(out, meanings[c->by]);
        return;
    }
    es_str shown = {0};
    const es_str *name = &v->meta->column[c->column].name;
    es_show_name(&shown, name->s, name->len);
    es_show_fit(out, shown.s, shown.len, NAME);
    es_str_free(&shown);
}

void es_colouring_word(const es_viewer *v, es_str *out)
{
    es_colouring c = es_colouring_of(v);
    if (c.column < 0)
        es_str_cat(out, es_color_by_name(c.by));
    else
        es_show_quoted(out, v->meta->column[c.column].name.s, v->meta->column[c.column].name.len);
}
