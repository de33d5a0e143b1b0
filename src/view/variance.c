// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/variance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "view/words.h"

static const char *const names[ES_N_VARIANCE_PARTS] = {
    [ES_VARIANCE_ALL] = "all",           [ES_VARIANCE_COMPONENTS] = "components",
    [ES_VARIANCE_COSINES] = "cosines",   [ES_VARIANCE_LENGTHS] = "lengths",
    [ES_VARIANCE_OUTLIERS] = "outliers",
};

/* ---- what is shown ---- */

const char *es_variance_name(es_variance_part part)
{
    return names[part];
}

es_variance_part es_variance_shown(const es_viewer *v)
{
    const es_variance_part *chosen = v->chosen[ES_VIEW_VARIANCE];
    return chosen ? *chosen : ES_VARIANCE_ALL;
}

static void choose(es_viewer *v, es_variance_part part)
{
    void **chosen = &v->chosen[ES_VIEW_VARIANCE];
    if (!*chosen)
        *chosen = es_alloc(sizeof(es_variance_part));
    *(es_variance_part *)*chosen = part;
}

static void drop(es_viewer *v)
{
    free(v->chosen[ES_VIEW_VARIANCE]);
    v->chosen[ES_VIEW_VARIANCE] = NULL;
}

static void forget(es_viewer *v)
{
    es_variance *of = v->of[ES_VIEW_VARIANCE];
    if (of)
        free(of->law);
    free(of);
    v->of[ES_VIEW_VARIANCE] = NULL;
}

static void as_shown(const es_viewer *v, es_str *out)
{
    if (es_variance_shown(v) != ES_VARIANCE_ALL)
        es_str_add(out, " %s", names[es_variance_shown(v)]);
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_arg arg = {0};
    es_str word = {0};
    int found = es_arg_next(call, &at, &arg, err), which = found ? -1 : ES_VARIANCE_ALL;
    bool ok = found >= 0 && es_arg_end(call, at, err);
    for (int i = 0; ok && found && i < ES_N_VARIANCE_PARTS; i++)
        if (!strcmp(es_str_text(&arg.value), names[i]) && strlen(names[i]) == arg.value.len)
            which = i;
    if (ok && which < 0) {
        es_show_brief(&word, es_str_text(&arg.value), arg.value.len);
        es_fail(err, ES_ERR_VALUE, "the view variance has no part %s", word.s);
        es_hint(err, "parts: all, components, cosines, lengths, outliers");
        ok = es_error_locate(err, arg.begin, arg.end);
    }
    if (ok)
        choose(v, (es_variance_part)which);
    es_str_free(&word);
    es_str_free(&arg.value);
    return ok;
}

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return ES_ATLAS_TOKENS | ES_ATLAS_SPREAD;
}

bool es_variance_any(const es_viewer *v)
{
    return v->atlas->tokens.pca.total > 0;
}

/* ---- what panels share ---- */

void es_variance_say(const es_variance_brush *b, es_box box, const char *text)
{
    const es_ink ink = {.size = b->em, .colour = b->p->dim};
    es_words_instead(b->c, box, text, &ink);
}

void es_variance_words(const es_variance_brush *b, es_box *area, const char *text)
{
    const es_ink ink = {.size = b->em, .colour = b->p->dim};
    float h = es_words_height(b->c, area->w, text, &ink);
    if (h <= 0.3f * area->h)
        es_words_draw(b->c, es_box_cut_top(area, h), 0, text, &ink);
}

es_bins es_variance_bins(double low, double high, float room)
{
    const float width = 4;
    enum { LEAST = 8 };
    int n = (int)(room / width);
    return (es_bins){.low = low,
                     .high = high,
                     .n = n < LEAST          ? LEAST
                          : n > ES_MOST_BINS ? ES_MOST_BINS
                                             : n};
}

double es_variance_end(double most, double most_but_one_in_a_hundred)
{
    double end = fmin(most, 3 * most_but_one_in_a_hundred);
    return end > 0 ? end : 1;
}

/* ---- the panels ---- */

typedef struct caption {
    const char *whole, *brief;
} caption;
static const caption captions[ES_N_VARIANCE_PARTS] = {
    [ES_VARIANCE_COMPONENTS] = {"share of the spread of each component of wte", "components"},
    [ES_VARIANCE_COSINES] = {"cosines of pairs of rows of wte, drawn by lot", "cosines of pairs"},
    [ES_VARIANCE_LENGTHS] = {"length of each row of wte", "lengths"},
    [ES_VARIANCE_OUTLIERS] = {"how far each row of wte is from the mean", "far from the mean"},
};

static void draw_panel(const es_variance_brush *b, es_variance_panel *panel, es_box area)
{
    static void (*const draw[ES_N_VARIANCE_PARTS])(const es_variance_brush *,
                                                   es_variance_panel *) = {
        [ES_VARIANCE_COMPONENTS] = es_variance_components,
        [ES_VARIANCE_COSINES] = es_variance_cosines,
        [ES_VARIANCE_LENGTHS] = es_variance_lengths,
        [ES_VARIANCE_OUTLIERS] = es_variance_outliers,
    };
    const caption *says = &captions[panel->part];
    es_caption(b->c, &area, says->whole, says->brief, b->p, b->em);
    panel->box = area;
    panel->n = 0;
    if (area.w > 6 * b->em && area.h > 4 * b->em)
        draw[panel->part](b, panel);
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_variance *of = es_variance_of(v);
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    const es_variance_brush b = {v, c, p, em, of, p->hue[1], p->dim};
    es_variance_part shown = es_variance_shown(v);
    es_box box[ES_PANELS];
    area = es_canvas_room(c, area, em);
    box[0] = area;
    of->n = shown == ES_VARIANCE_ALL ? es_panels_four(area, em, box) : 1;
    for (int k = 0; k < of->n; k++) {
        bool all = shown == ES_VARIANCE_ALL;
        of->panel[k].part = all ? (es_variance_part)(ES_VARIANCE_COMPONENTS + k) : shown;
        of->panel[k].large = !all;
        draw_panel(&b, &of->panel[k], box[k]);
    }
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    static bool (*const pick[ES_N_VARIANCE_PARTS])(es_viewer *, const es_variance_panel *, es_spot,
                                                   es_pick *) = {
        [ES_VARIANCE_COMPONENTS] = es_variance_pick_component,
        [ES_VARIANCE_COSINES] = es_variance_pick_cosine,
        [ES_VARIANCE_LENGTHS] = es_variance_pick_length,
        [ES_VARIANCE_OUTLIERS] = es_variance_pick_outlier,
    };
    const es_variance *of = es_variance_of(v);
    (void)c, (void)area;
    for (int k = 0; k < of->n; k++)
        if (es_box_has(of->panel[k].box, at.x, at.y))
            return of->panel[k].n && pick[of->panel[k].part](v, &of->panel[k], at, out);
    return false;
}

const es_view_kind es_view_variance = {
    .name = "variance",
    .summary = "how the rows of wte spread: components, cosines, lengths, far ones",
    .args = "[all|components|cosines|lengths|outliers]",
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_variance_honesty,
    .expression = es_variance_expression,
    .plain = es_variance_plain,
    .json = es_variance_json,
    .arguments = arguments,
    .as_shown = as_shown,
    .forget = forget,
    .drop = drop,
};
