// SPDX-License-Identifier: GPL-3.0-or-later
/* The map in words and numbers. */
#include <inttypes.h>
#include <math.h>

#include "view/layouts.h"
#include "view/map.h"
#include "view/token_cell.h"

enum { ENDS = 5 }; /* tokens told at either end of a component */

static const es_mapped *rows_of(const es_viewer *v)
{
    return &v->atlas->tokens;
}

static double percent(const es_viewer *v, const int *which, int n)
{
    return 100 * es_pca_share(&rows_of(v)->pca, which, n);
}

void es_map_axis_name(const es_viewer *v, int component, es_map_brief brief, es_str *out)
{
    bool there = component < rows_of(v)->K;
    es_str_add(out, "component %d", component + 1);
    if (there && brief != ES_MAP_NUMBER)
        es_str_add(out, " (%.1f %%%s)", percent(v, &component, 1),
                   brief == ES_MAP_WHOLE ? " of the spread" : "");
    else if (!there)
        es_str_cat(out, brief == ES_MAP_WHOLE ? " (the rows have no such component)" : " (none)");
}

/* ---- what it keeps and hides ---- */

static void say_share(const es_viewer *v, es_str *out)
{
    int which[3], n = es_map_components(v, which);
    double share = percent(v, which, n);
    if (!(rows_of(v)->pca.total > 0))
        es_str_cat(out, "All rows are the same: there is no spread to show.");
    else if (share >= 99.95)
        es_str_cat(out, "This picture keeps all of the spread.");
    else
        es_str_add(out, "This picture is a shadow: %.1f %% of the spread.", share);
}

/* How many can be near: no more than there are others. */
static int most_near(const es_viewer *v)
{
    int64_t others = rows_of(v)->pca.n - 1;
    return others < ES_KEPT_NEAREST ? (int)others : ES_KEPT_NEAREST;
}

/* What the components shown keep: measured with the graph, where :quality has been asked, else of a few tokens; NULL: not
 * counted yet. */
static const es_quality *kept_by_components(const es_viewer *v)
{
    const es_figures *f = es_layouts_figures(v);
    int n = es_viewer_components(v);
    return f ? &f->of : es_atlas_knows_kept(v->atlas, v->component, n) ? &v->atlas->kept : NULL;
}

static const es_quality *kept(const es_viewer *v)
{
    const es_figures *f = es_layouts_figures(v);
    return v->layout == ES_LAYOUT_PCA ? kept_by_components(v) : f ? &f->of : NULL;
}

static void say_kept(const es_viewer *v, es_str *out)
{
    const es_quality *q = kept_by_components(v);
    es_str_char(out, ' ');
    if (q)
        es_figures_say(q, out);
    else
        es_str_add(out, "Counting how many of a token's %d nearest are near in it, too …",
                   most_near(v));
}

/* A layout that has no figures: why not. */
static void say_unmeasured(const es_sight *s, es_str *out)
{
    const char *title = es_layout_title(s->recipe.id);
    bool moves = s->done < s->target;
    if (moves && s->phase == ES_LAYOUT_NEIGHBOURS) {
        es_str_add(out,
                   "%s begins where PCA's components 1 and 2 are; first the nearest of every "
                   "row are found.",
                   title);
        return;
    }
    es_layouts_progress(s, out);
    if (moves)
        es_str_cat(out,
                   ": it still moves (Alt+P pauses), and what it keeps is measured when it rests.");
    else if (s->phase == ES_LAYOUT_MEASURED)
        es_str_cat(out, ": what it keeps is being measured …");
    else
        es_str_cat(out, ": what it keeps was not measured, :quality does.");
}

static void say_layout(const es_viewer *v, es_str *out)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    const es_figures *f = es_layouts_figures(v);
    const char *title = es_layout_title(v->layout);
    if (!s || s->why.len) {
        es_str_add(out, "There is no %s here: %s.", title, s ? s->why.s : "it has not begun");
    } else if (!f) {
        say_unmeasured(s, out);
    } else {
        if (s->done < s->recipe.steps) {
            es_layouts_progress(s, out);
            es_str_cat(out, ". ");
        }
        es_figures_say(&f->of, out);
        es_str_add(out, " How far apart groups lie in %s says nothing.", title);
    }
    if (v->scene.T && v->scene.x)
        es_str_cat(out, " Rows alone have a place in it, x has none.");
}

static void say_missing(const es_viewer *v, es_str *out)
{
    int64_t gone = rows_of(v)->pca.left_out;
    if (gone)
        es_str_add(out, " %" PRId64 " row%s NaN or Inf and %s left out.", gone,
                   gone == 1 ? " holds" : "s hold", gone == 1 ? "is" : "are");
    if (v->scene.left)
        es_str_add(out, " Of the text the first %" PRId64 " tokens are drawn, %" PRId64 " are not.",
                   v->scene.T, v->scene.left);
}

/* How many places have their x outside of the picture as it was last drawn, from where one sees all rows. */
static int64_t x_outside(const es_viewer *v)
{
    const es_map *m = v->of[ES_VIEW_MAP];
    int64_t n = 0;
    if (!m || m->T != v->scene.T || v->camera[ES_VIEW_MAP].zoom > 1)
        return 0;
    for (int64_t t = 0; t < m->T; t++) {
        es_spot at = m->place[t].x_spot;
        n += !isnan(at.x) && !isnan(at.y) && !es_box_has(m->area, at.x, at.y);
    }
    return n;
}

static void say_outside(const es_viewer *v, es_str *out)
{
    int64_t n = x_outside(v), T = v->scene.T;
    if (n == T && n > 1)
        es_str_add(out, " x of all %" PRId64 " tokens lies outside: zoom out to see it.", n);
    else if (n)
        es_str_add(out, " x of %" PRId64 " of %" PRId64 " tokens lies outside: zoom out to see it.",
                   n, T);
}

void es_map_honesty(const es_viewer *v, es_str *out)
{
    if (v->layout == ES_LAYOUT_PCA) {
        say_share(v, out);
        say_kept(v, out);
        say_outside(v, out);
    } else {
        say_layout(v, out);
    }
    es_map_say_others(v, out);
    say_missing(v, out);
}

/* What became of the rows, as far as they went. */
static void express_layout(const es_viewer *v, es_str *out)
{
    const es_layout_recipe r = es_layouts_recipe(v, v->layout);
    const es_sight *s = es_layouts_of(v, v->layout);
    int64_t V = rows_of(v)->n;
    es_str_add(out,
               "wte [V=%" PRId64 ", C=%" PRId64 "], %d nearest of each by cosine, %s from "
               "components 1 and 2, %d %ss = [V=%" PRId64 ", 2]",
               V, rows_of(v)->pca.C, es_layout_wants(&r, V), es_layout_title(r.id), s ? s->done : 0,
               es_layout_unit(r.id), V);
}

void es_map_expression(const es_viewer *v, es_str *out)
{
    int which[3], n = es_map_components(v, which);
    int64_t C = rows_of(v)->pca.C;
    if (v->layout != ES_LAYOUT_PCA) {
        express_layout(v, out);
        return;
    }
    es_str_add(out,
               "(wte [V=%" PRId64 ", C=%" PRId64 "] - mean [C=%" PRId64 "]) @ axes [%d, C=%" PRId64
               "].T = [V=%" PRId64 ", %d]",
               rows_of(v)->n, C, C, n, C, rows_of(v)->n, n);
}

void es_map_name_row(const es_viewer *v, int64_t id, es_str *out)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(v->atlas->context->bpe, (int32_t)id, &n);
    es_str_add(out, "%" PRId64 "\t", id);
    if (bytes)
        es_token_cell(out, bytes, n);
}

/* ---- the ends of a component ---- */

/* out = the tokens at one end, the farthest first; how many there are. */
static int ends_of(const es_viewer *v, int component, bool high, int32_t out[ENDS])
{
    const es_mapped *m = rows_of(v);
    float at[ENDS];
    int n = 0;
    for (int32_t id = 0; id < m->n; id++) {
        float x = m->at[(int64_t)id * m->K + component] * (high ? 1 : -1);
        int k = n < ENDS ? n : ENDS - 1;
        if (isnan(x) || (n == ENDS && !(x > at[k])))
            continue;
        for (; k && x > at[k - 1]; k--) {
            at[k] = at[k - 1];
            out[k] = out[k - 1];
        }
        at[k] = x;
        out[k] = id;
        n += n < ENDS;
    }
    return n;
}

static void plain_end(const es_viewer *v, int component, bool high, es_str *out)
{
    int32_t id[ENDS];
    int n = ends_of(v, component, high, id);
    es_str_add(out, "component %d, %s end:", component + 1, high ? "high" : "low");
    for (int i = 0; i < n; i++) {
        es_str_cat(out, i ? ", " : " ");
        es_scene_quote(out, v->atlas->context, id[i]);
        es_str_add(out, " %.4g",
                   (double)rows_of(v)->at[(int64_t)id[i] * rows_of(v)->K + component]);
    }
    es_str_char(out, '\n');
}

/* ---- as lines ---- */

static void plain_numbers(const float *at, int n, es_str *out)
{
    for (int k = 0; k < n; k++)
        es_str_add(out, "%s%.4g", k ? ", " : "", (double)at[k]);
}

static void plain_sentence(es_viewer *v, es_str *out)
{
    es_map *m = es_map_follow(v);
    int which[3], n = m->version ? 2 : es_map_components(v, which);
    for (int64_t t = 0; t < m->T; t++) {
        const es_map_place *p = &m->place[t];
        es_str_add(out, "place %" PRId64 ": ", v->scene.at + t);
        es_scene_quote(out, v->atlas->context, p->id);
        es_str_add(out, " (#%" PRId32 ") at ", p->id);
        plain_numbers(p->at, n, out);
        if (!isnan(p->x_at[0])) {
            es_str_cat(out, "; x at ");
            plain_numbers(p->x_at, n, out);
        }
        es_str_char(out, '\n');
    }
}

static void plain_components(const es_viewer *v, es_str *out)
{
    int which[3], n = es_map_components(v, which);
    for (int k = 0; k < n; k++)
        es_str_add(out, "component %d: %.2f %% of the spread\n", which[k] + 1,
                   percent(v, &which[k], 1));
    es_str_add(out, "together: %.2f %% of the spread\n", percent(v, which, n));
}

void es_map_plain(es_viewer *v, es_str *out)
{
    const es_map *m = es_map_follow(v);
    int which[3], n = es_map_components(v, which);
    const es_sight *s = es_layouts_of(v, v->layout);
    es_str_add(out, "rows: %" PRId64 "\n", rows_of(v)->n);
    if (rows_of(v)->pca.left_out)
        es_str_add(out, "left out: %" PRId64 " with NaN or Inf\n", rows_of(v)->pca.left_out);
    if (m->n_aside)
        es_str_add(out, "%s: %" PRId64 ", all but what is selected or found\n",
                   m->hides ? "hidden" : "faded", m->n_aside);
    if (v->layout == ES_LAYOUT_PCA)
        plain_components(v, out);
    else if (s)
        es_layouts_plain(s, out);
    if (kept(v))
        es_figures_plain(kept(v), out);
    plain_sentence(v, out);
    for (int k = 0; k < n; k++) {
        plain_end(v, which[k], false, out);
        plain_end(v, which[k], true, out);
    }
}

/* ---- as JSON ---- */

static void json_tokens(es_json *j, const char *key, const int32_t *id, int n)
{
    es_json_key(j, key);
    es_json_ints(j, id, n);
}

static void json_component(es_json *j, const es_viewer *v, int component)
{
    int32_t low[ENDS], high[ENDS];
    int n_low = ends_of(v, component, false, low), n_high = ends_of(v, component, true, high);
    es_json_open(j, '{');
    es_json_key_int(j, "component", component + 1);
    es_json_key(j, "share");
    es_json_double(j, percent(v, &component, 1) / 100);
    json_tokens(j, "low", low, n_low);
    json_tokens(j, "high", high, n_high);
    es_json_close(j, '}');
}

static void json_place(es_json *j, const es_viewer *v, const es_map_place *p, int64_t t, int n)
{
    es_json_open(j, '{');
    es_json_key_int(j, "place", v->scene.at + t);
    es_json_key_int(j, "id", p->id);
    es_json_key(j, "at");
    es_json_floats(j, p->at, n);
    es_json_key(j, "x");
    es_json_floats(j, p->x_at, n);
    es_json_close(j, '}');
}

static void json_layout(es_json *j, const es_viewer *v)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    es_json_key_string(j, "layout", es_layout_name(v->layout));
    if (v->layout != ES_LAYOUT_PCA && s)
        es_layouts_json(j, s);
}

void es_map_json(es_viewer *v, es_json *j)
{
    es_map *m = es_map_follow(v);
    int which[3], n = es_map_components(v, which);
    es_json_key_int(j, "rows", m->n);
    es_json_key_int(j, "left_out", rows_of(v)->pca.left_out);
    if (m->n_aside)
        es_json_key_int(j, m->hides ? "hidden" : "faded", m->n_aside);
    json_layout(j, v);
    es_json_key(j, "share");
    if (n)
        es_json_double(j, percent(v, which, n) / 100);
    else
        es_json_null(j);
    es_figures_json(j, kept(v));
    es_json_key(j, "components");
    es_json_open(j, '[');
    for (int k = 0; k < n; k++)
        json_component(j, v, which[k]);
    es_json_close(j, ']');
    es_json_key(j, "places");
    es_json_open(j, '[');
    for (int64_t t = 0; t < m->T; t++)
        json_place(j, v, &m->place[t], t, m->version ? 2 : n);
    es_json_close(j, ']');
}
