// SPDX-License-Identifier: GPL-3.0-or-later
/* The lines that bring pictures as they are at the start to where they are now. */
#include <inttypes.h>

#include "view/map.h"
#include "view/viewer.h"

static bool other_components(const es_viewer *v)
{
    return v->component[0] != 0 || v->component[1] != 1 || v->component[2] != 2;
}

/* Three components are a map in space: its camera says afterwards whether it is. */
static void recall_map(const es_viewer *v, es_str *out)
{
    const int *k = v->component;
    if (other_components(v))
        es_str_add(out, ":components %d %d %d\n", k[0] + 1, k[1] + 1, k[2] + 1);
    if (v->color_by != ES_BY_LENGTH)
        es_str_add(out, ":color-by %s\n", es_color_by_name(v->color_by));
    if (v->most_labels != ES_FIRST_LABELS)
        es_str_add(out, ":labels %d\n", v->most_labels);
    if (v->others != ES_OTHERS_SHOWN)
        es_str_add(out, ":isolate %s\n", es_others_name(v->others));
}

/* A place is one of the sentence that was entered; before Enter a token has its id alone. */
static void recall_focus(const es_viewer *v, es_str *out)
{
    int64_t place = v->focus_place;
    bool there =
        place >= 0 && place < v->scene.T && !v->scene.preview && v->scene.ids[place] == v->focus;
    if (v->second >= 0 && v->focus >= 0)
        es_str_add(out, ":show offset #%" PRId32 " #%" PRId32 "\n", v->focus, v->second);
    if (v->focus >= 0 && there)
        es_str_add(out, ":focus @0,%" PRId64 "\n", place + v->scene.at);
    else if (v->focus >= 0)
        es_str_add(out, ":focus #%" PRId32 "\n", v->focus);
}

static bool same_camera(const es_camera *a, const es_camera *b)
{
    return a->x == b->x && a->y == b->y && a->zoom == b->zoom && a->turn == b->turn &&
           a->tilt == b->tilt && a->solid == b->solid;
}

/* The view as it stands, and shown; nothing where it never was another. */
static void recall_view(const es_viewer *v, es_view_id view, es_str *out)
{
    es_camera first = es_viewer_first_camera(view);
    const es_camera *c = &v->camera[view];
    bool moved = !same_camera(c, &first) || (view == ES_VIEW_MAP && other_components(v));
    const es_view_kind *kind = es_view_kind_at((int)view);
    es_str part = {0};
    if (kind->as_shown)
        kind->as_shown(v, &part);
    if (moved || part.len || view == v->view)
        es_str_add(out, ":show %s%s\n", kind->name, es_str_text(&part));
    es_str_free(&part);
    if (moved)
        es_str_add(out, ":camera x=%.6g y=%.6g zoom=%.6g turn=%.6g tilt=%.6g %s\n", c->x, c->y,
                   c->zoom, c->turn, c->tilt, c->solid ? "3d" : "2d");
}

void es_viewer_recall(const void *viewer, es_str *lines)
{
    const es_viewer *v = viewer;
    es_str out = {0};
    recall_map(v, &out);
    recall_focus(v, &out);
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (es_view_kind_at(i)->recall)
            es_view_kind_at(i)->recall(v, &out);
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (i != (int)v->view)
            recall_view(v, (es_view_id)i, &out);
    es_camera first = es_viewer_first_camera(ES_VIEW_MAP);
    if (out.len || v->view != ES_VIEW_MAP || !same_camera(&v->camera[v->view], &first))
        recall_view(v, v->view, &out);
    es_str_bytes(lines, es_str_text(&out), out.len);
    es_str_free(&out);
}
