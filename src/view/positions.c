// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/positions.h"

#include <inttypes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "view/panels.h"

#define ALL_BESIDE 30 /* ems: so high, all four pictures of both tables are */

static const char *const shown[ES_N_SHOWN] = {
    [ES_SHOWN_ALL] = "all",         [ES_SHOWN_COMPONENTS] = "components",
    [ES_SHOWN_CURVES] = "curves",   [ES_SHOWN_COSINE] = "cosine",
    [ES_SHOWN_LENGTHS] = "lengths", [ES_SHOWN_BESIDE] = "beside",
};

/* ---- what is kept ---- */

es_positions_kept *es_positions_kept_of(const es_viewer *v)
{
    return es_view_keep(v, ES_VIEW_POSITIONS, sizeof(es_positions_kept));
}

static void forget(es_viewer *v)
{
    es_positions_kept *k = v->of[ES_VIEW_POSITIONS];
    if (!k)
        return;
    es_places_free(&k->sinusoidal);
    es_places_free(&k->wpe);
    es_str_free(&k->why);
    free(k->shrunk[0].colour);
    free(k->shrunk[1].colour);
    free(k);
    v->of[ES_VIEW_POSITIONS] = NULL;
}

es_places *es_positions_table(const es_viewer *v, bool learned)
{
    es_positions_kept *k = es_positions_kept_of(v);
    es_places *p = learned ? &k->wpe : &k->sinusoidal;
    es_error err = ES_ERROR_NONE;
    if (p->row || es_places_make(p, v->atlas, learned, &err))
        return p;
    es_str_free(&k->why);
    es_str_cat(&k->why, err.message);
    es_error_free(&err);
    return NULL;
}

es_places *es_positions_main(const es_viewer *v)
{
    return es_positions_table(v, es_places_learned(v->atlas->context));
}

void es_positions_tell_axes(const es_viewer *v, const es_places *p)
{
    int most = v->camera[ES_VIEW_POSITIONS].solid ? 3 : 2;
    if (p->K)
        es_session_set_axes(v->session, p->axes, p->K < most ? p->K : most, p->C);
}

/* The components of positions in use, if those are what is shown; others are worked out as they are drawn. */
static unsigned needs(const es_viewer *v)
{
    const es_embedding *layer = &es_session_context(v->session)->layer;
    bool learned = layer->positions == ES_POSITIONS_LEARNED;
    return learned && es_table_rows(layer->wpe) > 1 ? ES_ATLAS_POSITIONS : 0;
}

/* ---- which rows ---- */

static int add_row(int64_t *row, int n, int64_t i, const es_places *p)
{
    if (n == ES_PANEL_STRIPS || i < 0 || i >= p->n)
        return n;
    for (int k = 0; k < n; k++)
        if (row[k] == i)
            return n;
    row[n] = i;
    return n + 1;
}

/* Those of the sentence, spread over it where it is long; without one a few that tell. */
static int choose_rows(const es_viewer *v, const es_places *p, int64_t *row)
{
    static const int64_t telling[] = {0, 1, 2, 10, 100};
    const es_scene *scene = &v->scene;
    int n = 0;
    int64_t T = p->stride == 1 ? scene->T : 0, some = T < ES_PANEL_STRIPS ? T : ES_PANEL_STRIPS;
    for (int64_t k = 0; k < some; k++)
        n = add_row(row, n, scene->at + (some > 1 ? k * (T - 1) / (some - 1) : 0), p);
    if (n)
        return n;
    for (size_t k = 0; k < sizeof telling / sizeof *telling; k++)
        n = add_row(row, n, telling[k], p);
    return add_row(row, n, p->n - 1, p);
}

/* ---- the arrangement ---- */

typedef struct arranging {
    const es_viewer *v;
    es_panel *panel;
    es_box *box;
    int n;
} arranging;

static void put(arranging *a, es_panel_kind kind, es_places *of, es_box box)
{
    es_panel *panel = &a->panel[a->n];
    *panel = (es_panel){.kind = kind, .of = of};
    if (kind == ES_PANEL_ROWS)
        panel->n = choose_rows(a->v, of, panel->strip);
    if (kind == ES_PANEL_CHANNELS)
        for (panel->n = 0; panel->n < of->n_varied; panel->n++)
            panel->strip[panel->n] = of->varied[panel->n];
    a->box[a->n++] = box;
}

/* Four where there is room for them, else the first ones. */
static void put_four(arranging *a, es_box area, float em, const es_panel_kind kind[4],
                     es_places *const of[4])
{
    es_box box[ES_PANELS];
    int n = es_panels_four(area, em, box);
    for (int k = 0; k < n; k++)
        put(a, kind[k], of[k], box[k]);
}

static void put_all(arranging *a, es_places *of, es_box area, float em)
{
    static const es_panel_kind kind[] = {ES_PANEL_COMPONENTS, ES_PANEL_COSINE, ES_PANEL_ROWS,
                                         ES_PANEL_LENGTHS};
    es_places *const table[] = {of, of, of, of};
    put_four(a, area, em, kind, table);
}

static void put_curves(arranging *a, es_places *of, es_box area, float em)
{
    es_box half[2];
    bool both = area.h >= 20 * em;
    es_panels_halves(area, false, em, half);
    put(a, ES_PANEL_ROWS, of, both ? half[0] : area);
    if (both)
        put(a, ES_PANEL_CHANNELS, of, half[1]);
}

static void put_cosine(arranging *a, es_places *of, es_box area, float em)
{
    es_box right = area, left = es_box_cut_left(&right, area.h);
    es_box_cut_left(&right, 1.5f * em);
    bool both = right.w >= 18 * em;
    if (both)
        es_box_cut_bottom(&right, right.h > 30 * em ? right.h / 3 : 0);
    put(a, ES_PANEL_COSINE, of, both ? left : area);
    if (both)
        put(a, ES_PANEL_LAGS, of, right);
}

/* Learned and sinusoidal, each along its components and with its cosines; these alone where room is short. */
static void put_beside(arranging *a, es_box area, float em)
{
    static const es_panel_kind kind[] = {ES_PANEL_COMPONENTS, ES_PANEL_COMPONENTS, ES_PANEL_COSINE,
                                         ES_PANEL_COSINE};
    es_places *other = es_positions_table(a->v, false);
    bool has = es_places_learned(a->v->atlas->context);
    es_places *wpe = has ? es_positions_table(a->v, true) : NULL;
    es_box box[ES_PANELS], half[2];
    int n = es_panels_four(area, em, box);
    es_panels_halves(area, area.w > area.h, 1.5f * em, half);
    if (wpe && other && (n == 1 || (n == ES_PANELS && area.h >= ALL_BESIDE * em))) {
        put_four(a, area, em, kind, (es_places *const[]){wpe, other, wpe, other});
    } else if (wpe && other) {
        put(a, ES_PANEL_COSINE, wpe, half[0]);
        put(a, ES_PANEL_COSINE, other, half[1]);
    } else if (other) {
        put(a, ES_PANEL_COMPONENTS, other, half[0]);
        put(a, ES_PANEL_COSINE, other, half[1]);
    }
}

int es_positions_arrange(const es_viewer *v, es_box area, es_panel *panel, es_box *box)
{
    arranging a = {v, panel, box, 0};
    float em = es_viewer_em(v);
    es_places *of = es_positions_main(v);
    if (!of)
        return 0;
    switch (v->positions_shown) {
    case ES_SHOWN_COMPONENTS: put(&a, ES_PANEL_COMPONENTS, of, area); break;
    case ES_SHOWN_CURVES: put_curves(&a, of, area, em); break;
    case ES_SHOWN_COSINE: put_cosine(&a, of, area, em); break;
    case ES_SHOWN_LENGTHS: put(&a, ES_PANEL_LENGTHS, of, area); break;
    case ES_SHOWN_BESIDE: put_beside(&a, area, em); break;
    default: put_all(&a, of, area, em);
    }
    return a.n;
}

/* ---- the view ---- */

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_positions_kept *k = es_positions_kept_of(v);
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    es_box box[ES_MOST_PANELS];
    es_str remark = {0};
    const es_places *of = es_positions_main(v);
    area = es_canvas_room(c, area, em);
    if (of)
        es_places_remark(&remark, of, v->atlas->context);
    else
        es_str_cat(&remark, es_str_text(&k->why));
    if (remark.len)
        es_caption(c, &area, remark.s, NULL, p, em);
    es_str_free(&remark);
    k->n = es_positions_arrange(v, area, k->panel, box);
    for (int i = 0; i < k->n; i++)
        es_panel_draw(&k->panel[i], v, c, box[i]);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)c, (void)area;
    const es_positions_kept *k = es_positions_kept_of(v);
    *out = ES_PICK_NONE;
    for (int i = 0; i < k->n; i++)
        if (es_box_has(k->panel[i].box, at.x, at.y))
            return es_panel_pick(&k->panel[i], at, es_viewer_em(v), out);
    return false;
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)area;
    const es_positions_kept *k = es_positions_kept_of(v);
    for (int i = 0; i < k->n; i++) {
        const es_panel *panel = &k->panel[i];
        if (panel->curve.n && es_box_has(panel->box, at.x, at.y)) {
            *out = panel->box;
            *extent = panel->extent;
            return true;
        }
    }
    return false;
}

static void name_place(const es_viewer *v, int64_t i, es_str *out)
{
    es_str_add(out, "%" PRId64, i * es_positions_main(v)->stride);
}

/* Along the components of the table that the view is about. */
static bool points(es_viewer *v, es_coordinates *out)
{
    const es_places *of = es_positions_main(v);
    if (!of || !of->K)
        return false;
    int d = v->camera[ES_VIEW_POSITIONS].solid ? 3 : 2;
    *out = (es_coordinates){of->n, 3, d, of->at, "position", name_place};
    return true;
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_arg arg = {0};
    es_str word = {0};
    int found = es_arg_next(call, &at, &arg, err), which = -1;
    bool ok = found >= 0 && es_arg_end(call, at, err);
    for (int i = 0; ok && found && i < ES_N_SHOWN; i++)
        if (!strcmp(es_str_text(&arg.value), shown[i]) && strlen(shown[i]) == arg.value.len)
            which = i;
    if (ok && found && which < 0) {
        es_show_brief(&word, es_str_text(&arg.value), arg.value.len);
        es_fail(err, ES_ERR_VALUE, "the view positions has no part %s", word.s);
        es_hint(err,
                "parts: all, components, curves, cosine, lengths, beside (learned and sinusoidal)");
        ok = es_error_locate(err, arg.begin, arg.end);
    }
    if (ok)
        v->positions_shown = found ? which : ES_SHOWN_ALL;
    es_str_free(&word);
    es_str_free(&arg.value);
    return ok;
}

static void as_shown(const es_viewer *v, es_str *out)
{
    if (v->positions_shown != ES_SHOWN_ALL)
        es_str_add(out, " %s", shown[v->positions_shown]);
}

const es_view_kind es_view_positions = {
    .name = "positions",
    .summary = "the table of positions: its components, rows, cosines",
    .args = "[all|components|curves|cosine|lengths|beside]",
    .solid = true,
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_positions_honesty,
    .expression = es_positions_expression,
    .plain = es_positions_plain,
    .json = es_positions_json,
    .points = points,
    .arguments = arguments,
    .as_shown = as_shown,
    .ground = ground,
    .forget = forget,
};
