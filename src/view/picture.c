// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/picture.h"

#include <string.h>
#include <strings.h>

#include "base/visible.h"
#include "view/cells.h"
#include "view/coordinates.h"
#include "view/module.h"
#include "view/raster.h"
#include "view/svg.h"

/* ---- what is asked for ---- */

bool es_picture_form_of(es_picture_form *out, const char *path, es_error *err)
{
    static const char *const ends[ES_N_PICTURE_FORMS] = {".png", ".svg", ".tsv", ".npy"};
    size_t n = strlen(path);
    for (int i = 0; i < ES_N_PICTURE_FORMS; i++) {
        size_t end = strlen(ends[i]);
        if (n <= end || strcasecmp(path + n - end, ends[i]))
            continue;
        *out = (es_picture_form)i;
        return true;
    }
    es_str shown = {0};
    es_show_brief(&shown, path, n);
    es_fail(err, ES_ERR_VALUE,
            "a picture's file ends in .png or .svg, one of its numbers in .tsv or .npy, not as %s",
            shown.s);
    es_str_free(&shown);
    return es_hint(err, "try: a name such as map.png for pixels, map.svg for print");
}

bool es_picture_has_size(es_picture_form form, es_error *err)
{
    return form <= ES_PICTURE_SVG ||
           es_fail(err, ES_ERR_VALUE, "a file of numbers has no size: that is of pictures");
}

/* A whole number at the start of *text, within the limits of a side. */
static bool read_side(const char **text, int *side)
{
    int n = 0;
    const char *s = *text;
    for (; *s >= '0' && *s <= '9' && n <= ES_PICTURE_MOST; s++)
        n = 10 * n + *s - '0';
    *text = s;
    *side = n;
    return n >= ES_PICTURE_LEAST && n <= ES_PICTURE_MOST;
}

bool es_picture_size(const char *text, int *w, int *h, es_error *err)
{
    const char *s = text;
    if (read_side(&s, w) && (*s == 'x' || *s == 'X') && (s++, read_side(&s, h)) && !*s)
        return true;
    es_str shown = {0};
    es_show_brief(&shown, text, strlen(text));
    es_fail(err, ES_ERR_VALUE, "a picture's size is WIDTHxHEIGHT, each from %d to %d, not %s",
            ES_PICTURE_LEAST, ES_PICTURE_MOST, shown.s);
    es_str_free(&shown);
    return es_hint(err, "try: %dx%d", ES_PICTURE_W, ES_PICTURE_H);
}

/* ---- drawing ---- */

/* The same picture whatever was looked at before: no window, so no pointer and nothing on its way, and no label that is
 * there because it was there. */
static void draw(es_viewer *v, es_canvas *c, unsigned parts)
{
    es_labels *labels = v->labels;
    bool hovering = v->hovering;
    es_window *window = v->window;
    es_box drawn = v->drawn;
    es_lasso lasso = v->lasso;
    v->labels = es_labels_new();
    v->hovering = false;
    v->window = NULL;
    v->drawn = (es_box){0};
    v->lasso = (es_lasso){0};
    es_frame_draw(v, c, parts);
    es_labels_free(v->labels);
    v->labels = labels;
    v->hovering = hovering;
    v->window = window;
    v->drawn = drawn;
    v->lasso = lasso;
}

static bool draw_png(es_viewer *v, es_str *out, int w, int h, const es_module *module,
                     es_font *font, es_error *err)
{
    es_raster r = {0};
    bool ok = es_raster_open(&r, w, h, 1, false, font, err);
    if (ok) {
        es_raster_clear(&r, es_viewer_palette(v)->ground);
        draw(v, &r.canvas, ES_FRAME_FILE);
        ok = module->png(out, r.pixels, w, h, err);
    }
    es_raster_close(&r);
    return ok;
}

static void draw_svg(es_viewer *v, es_str *out, int w, int h, es_font *font)
{
    es_svg s;
    es_str title = {0};
    es_svg_open(&s, (float)w, (float)h, es_viewer_palette(v)->ground, font);
    draw(v, &s.canvas, ES_FRAME_FILE);
    es_str_add(&title, "embedscope: %s of %s", es_view_kind_at((int)v->view)->name,
               es_session_context(v->session)->model->name);
    es_svg_finish(&s, out, title.s);
    es_str_free(&title);
    es_svg_close(&s);
}

static bool write_file(const char *path, const es_str *bytes, es_error *err)
{
    const es_piece all = {bytes->s, bytes->len};
    return es_file_replace_pieces(path, &all, 1, 0666, NULL, err);
}

static bool write_numbers(es_viewer *v, es_picture_form form, const char *path, const es_sink *sink,
                          es_error *err)
{
    es_coordinates c;
    es_viewer_follow(v);
    if (!es_view_kind_at((int)v->view)->points)
        return es_coordinates_of(v, &c, err); /* nothing need be made to say no */
    if (!es_viewer_make(v, sink, err) || !es_coordinates_of(v, &c, err))
        return false;
    return (form == ES_PICTURE_TSV ? es_coordinates_tsv : es_coordinates_npy)(v, &c, path, sink,
                                                                              err);
}

bool es_picture_write(es_viewer *v, const char *path, int w, int h, const es_sink *sink,
                      es_error *err)
{
    es_picture_form form;
    if (!es_picture_form_of(&form, path, err) || !es_file_is_plain("write", path, err))
        return false;
    if (!es_picture_has_size(form, NULL))
        return write_numbers(v, form, path, sink, err);
    bool pixels = form == ES_PICTURE_PNG; /* SVG does without the module */
    const es_module *module = es_module_load(v, pixels ? err : NULL);
    es_font *font = module ? module->font(pixels ? err : NULL) : NULL;
    if ((pixels && !font) || !es_viewer_make(v, sink, err))
        return false;
    es_str out = {0};
    bool ok = true;
    if (pixels)
        ok = draw_png(v, &out, w, h, module, font, err);
    else
        draw_svg(v, &out, w, h, font);
    ok = ok && write_file(path, &out, err);
    es_str_free(&out);
    return ok;
}

bool es_picture_svg(es_viewer *v, es_str *out, int w, int h, const es_sink *sink, es_error *err)
{
    const es_module *module = es_module_load(v, NULL);
    if (!es_viewer_make(v, sink, err))
        return false;
    draw_svg(v, out, w, h, module ? module->font(NULL) : NULL);
    return true;
}

static void json_columns(es_json *j, const es_coordinates *c, bool names)
{
    es_json_key(j, "columns");
    es_json_open(j, '[');
    for (const char *at = c->names; names && *at;) {
        size_t n = strcspn(at, "\t");
        es_json_text(j, at, n);
        at += n + (at[n] == '\t');
    }
    for (int k = 0; k < c->d; k++)
        es_json_string(j, es_coordinate_name(k));
    es_json_close(j, ']');
}

void es_picture_json(es_json *j, es_viewer *v, const char *path, int w, int h)
{
    es_picture_form form = ES_PICTURE_PNG;
    es_coordinates c;
    if (!es_picture_form_of(&form, path, NULL) || es_picture_has_size(form, NULL)) {
        es_json_key_int(j, "w", w);
        es_json_key_int(j, "h", h);
    } else if (es_coordinates_of(v, &c, NULL)) {
        es_json_key_int(j, "rows", c.n);
        json_columns(j, &c, form == ES_PICTURE_TSV);
    }
}

void es_picture_text(es_viewer *v, es_str *out, int lines, const es_style *style)
{
    es_cells t;
    es_viewer_follow(v);
    es_cells_open(&t, style->width, lines > 1 ? lines : 1, es_viewer_palette(v)->ground);
    draw(v, &t.canvas, ES_FRAME_TERMINAL);
    es_cells_show(&t, out, style->colour, style->isolate);
    es_cells_close(&t);
    if (!es_viewer_ready(v))
        return;
    es_str honesty = {0};
    es_view_kind_at((int)v->view)->honesty(v, &honesty);
    es_wrap(out, es_str_text(&honesty), 0, style);
    es_str_free(&honesty);
}
