// SPDX-License-Identifier: GPL-3.0-or-later
/* The lines that bring pictures as they are at the start to where they are now. */
#include <inttypes.h>

#include "base/visible.h"
#include "view/layouts.h"
#include "view/lesson_pictures.h"
#include "view/map.h"

static bool other_components(const es_viewer *v)
{
    return v->component[0] != 0 || v->component[1] != 1 || v->component[2] != 2;
}

/* The recipe where it is another than that it begins with, and where it rests. */
static void recall_layout(const es_viewer *v, es_layout_id id, es_str *out)
{
    const es_sight *s = es_layouts_of(v, id);
    const es_layout_recipe usual = es_layouts_usual(v, id), *r = s ? &s->recipe : &usual;
    es_str_add(out, ":layout %s", es_layout_name(id));
    if (r->perplexity != usual.perplexity)
        es_str_add(out, " perplexity=%.6g", r->perplexity);
    if (r->neighbours != usual.neighbours)
        es_str_add(out, " neighbours=%d", r->neighbours);
    if (r->min_dist != usual.min_dist)
        es_str_add(out, " min_dist=%.6g", r->min_dist);
    if (id != ES_LAYOUT_PCA && r->seed != usual.seed)
        es_str_add(out, " seed=%" PRIu64, r->seed);
    if (r->steps != usual.steps)
        es_str_add(out, " steps=%d", r->steps);
    if (s && id != ES_LAYOUT_PCA && s->target != r->steps)
        es_str_add(out, " to=%d", s->target);
    es_str_char(out, '\n');
}

/* The layout that is shown alone: others are found again when they are asked for. */
static void recall_layouts(const es_viewer *v, es_str *out)
{
    const es_figures *f = es_layouts_figures(v);
    if (v->layout != ES_LAYOUT_PCA)
        recall_layout(v, v->layout, out);
    if (f && (v->layout == ES_LAYOUT_PCA || f->effort == ES_QUALITY_ALL))
        es_str_add(out, ":quality%s\n", f->effort == ES_QUALITY_ALL ? " all" : "");
    if (v->torn)
        es_str_add(out, ":torn %d\n", v->torn);
}

static void recall_meta(const es_viewer *v, es_str *out)
{
    if (!v->meta)
        return;
    es_str_cat(out, ":meta ");
    es_show_quoted(out, v->meta->path.s, v->meta->path.len);
    es_str_char(out, '\n');
    if (v->meta_column < 0)
        return;
    es_str_cat(out, ":color-by ");
    es_colouring_word(v, out);
    es_str_char(out, '\n');
}

/* Three components are a map in space: its camera says afterwards whether it is. */
static void recall_map(const es_viewer *v, es_str *out)
{
    const int *k = v->component;
    if (other_components(v))
        es_str_add(out, ":components %d %d %d\n", k[0] + 1, k[1] + 1, k[2] + 1);
    if (v->color_by != ES_BY_LENGTH)
        es_str_add(out, ":color-by %s\n", es_color_by_name(v->color_by));
    recall_meta(v, out);
    if (v->most_labels != ES_FIRST_LABELS)
        es_str_add(out, ":labels %d\n", v->most_labels);
    if (v->others != ES_OTHERS_SHOWN)
        es_str_add(out, ":isolate %s\n", es_others_name(v->others));
    recall_layouts(v, out);
}

/* A place is one of the sentence that was entered; before Enter a token has its id alone. */
static void recall_focus(const es_viewer *v, es_str *out)
{
    int64_t place = v->focus_place;
    bool there =
        place >= 0 && place < v->scene.T && !v->scene.preview && v->scene.ids[place] == v->focus;
    if (v->focus >= 0 && there)
        es_str_add(out, ":focus @0,%" PRId64 "\n", place + v->scene.at);
    else if (v->focus >= 0)
        es_str_add(out, ":focus #%" PRId32 "\n", v->focus);
}

static void recall_second(const es_viewer *v, es_str *out)
{
    if (v->second >= 0 && v->focus >= 0)
        es_str_add(out, ":show offset #%" PRId32 " #%" PRId32 "\n", v->focus, v->second);
}

static void recall_camera(const es_camera *c, es_str *out)
{
    es_str_add(out, ":camera x=%.6g y=%.6g zoom=%.6g turn=%.6g tilt=%.6g %s\n", c->x, c->y, c->zoom,
               c->turn, c->tilt, c->solid ? "3d" : "2d");
}

/* The view as it stands, and shown; nothing where it never was another. */
static void recall_view(const es_viewer *v, es_view_id view, es_str *out)
{
    es_camera first = es_viewer_first_camera(view);
    const es_camera *c = &v->camera[view];
    bool moved = !es_camera_same(c, &first) || (view == ES_VIEW_MAP && other_components(v));
    const es_view_kind *kind = es_view_kind_at((int)view);
    es_str part = {0};
    if (kind->as_shown)
        kind->as_shown(v, &part);
    if (moved || part.len || view == v->view)
        es_str_add(out, ":show %s%s\n", kind->name, es_str_text(&part));
    es_str_free(&part);
    if (moved)
        recall_camera(c, out);
}

/* A teaching picture chooses much itself: what was chosen since comes after it, and :show, which would end it, does not. */
static void recall_lesson(const es_viewer *v, es_str *out)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    es_str_add(out, ":picture %d\n", es_lesson_picture_shown(v));
    recall_map(v, out);
    es_str_add(out, ":labels %d\n", v->most_labels);
    recall_focus(v, out);
    if (v->view == ES_VIEW_AXES)
        kind->recall(v, out);
    if (kind->flat)
        recall_camera(&v->camera[v->view], out);
}

void es_viewer_recall(const void *viewer, es_str *lines)
{
    const es_viewer *v = viewer;
    es_str out = {0};
    recall_map(v, &out);
    recall_second(v, &out);
    recall_focus(v, &out);
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (es_view_kind_at(i)->recall)
            es_view_kind_at(i)->recall(v, &out);
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (i != (int)v->view)
            recall_view(v, (es_view_id)i, &out);
    es_camera first = es_viewer_first_camera(ES_VIEW_MAP);
    if (es_lesson_picture_shown(v))
        recall_lesson(v, &out);
    else if (out.len || v->view != ES_VIEW_MAP || !es_camera_same(&v->camera[v->view], &first))
        recall_view(v, v->view, &out);
    es_str_bytes(lines, es_str_text(&out), out.len);
    es_str_free(&out);
}
