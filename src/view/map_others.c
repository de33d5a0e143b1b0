// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens that were picked out by themselves: all others faded or hidden, and a look at what is left. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/map.h"

#define SIDE 1000.0f /* of an area to look at them in, its shape being that of the map */

static void keep(es_map *m, int32_t id)
{
    if (id >= 0 && id < m->n)
        m->aside[id] = 0;
}

/* The sentence and the token in focus stay whatever is picked out. */
static void keep_sentence(es_map *m, const es_viewer *v)
{
    int64_t place;
    for (int64_t t = 0; t < v->scene.T; t++)
        keep(m, v->scene.ids[t]);
    keep(m, es_viewer_focus(v, &place));
}

static bool isolates(const es_viewer *v, const int32_t **found, size_t *n)
{
    *found = es_session_found(v->session, n);
    return v->others != ES_OTHERS_SHOWN && (*n || v->selected.n);
}

void es_map_set_aside(es_map *m, const es_viewer *v)
{
    size_t n;
    const int32_t *found;
    m->isolates = isolates(v, &found, &n);
    m->hides = m->isolates && v->others == ES_OTHERS_HIDDEN;
    m->n_aside = 0;
    memset(m->aside, m->isolates, (size_t)m->n);
    if (!m->isolates)
        return;
    for (size_t i = 0; i < n; i++)
        keep(m, found[i]);
    for (size_t i = 0; i < v->selected.n; i++)
        keep(m, v->selected.of[i]);
    keep_sentence(m, v);
    for (int64_t i = 0; i < m->n; i++)
        m->n_aside += m->aside[i];
}

/* ---- a look at them ---- */

static void take_point(const es_map *m, int32_t id, float *points, int64_t *n)
{
    if (id >= 0 && id < m->n)
        memcpy(points + 3 * (*n)++, m->at + 3 * (int64_t)id, 3 * sizeof *points);
}

/* Of the extent's own shape, so that what is seen there is seen in a window of any shape. */
static es_box map_area(const es_extent *e)
{
    if (!(e->half[0] > 0 && e->half[1] > 0))
        return (es_box){0, 0, SIDE, SIDE};
    return (es_box){0, 0, SIDE * (float)(e->half[0] / e->radius),
                    SIDE * (float)(e->half[1] / e->radius)};
}

bool es_map_look_at_isolated(es_viewer *v, es_camera *to)
{
    size_t n;
    const int32_t *found;
    if (!isolates(v, &found, &n))
        return false;
    const es_map *m = es_map_follow(v);
    float *points = es_alloc_array(3 * (n + v->selected.n), sizeof *points);
    int64_t taken = 0;
    for (size_t i = 0; i < n; i++)
        take_point(m, found[i], points, &taken);
    for (size_t i = 0; i < v->selected.n; i++)
        take_point(m, v->selected.of[i], points, &taken);
    es_camera_at(to, &m->extent, map_area(&m->extent), points, taken, 3);
    free(points);
    return true;
}

/* ---- in words ---- */

const char *es_others_name(es_others others)
{
    static const char *const names[] = {"off", "fade", "hide"};
    return names[others];
}

void es_map_say_others(const es_viewer *v, es_str *out)
{
    const es_map *m = v->of[ES_VIEW_MAP];
    if (!m || !m->n_aside)
        return;
    es_str_char(out, ' ');
    es_show_count(out, m->n_aside);
    es_str_cat(out, " of ");
    es_show_count(out, m->n);
    es_str_add(out, " tokens are %s: :isolate off shows them.", m->hides ? "hidden" : "faded");
}
