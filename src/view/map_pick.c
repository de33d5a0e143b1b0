// SPDX-License-Identifier: GPL-3.0-or-later
/* What is under the pointer on the map. */
#include <inttypes.h>
#include <math.h>

#include "view/map.h"

#define REACH 8.0f /* how far from a point one may be, at an em of 13 */

/* What was found so far, and how far it is. */
typedef struct nearest {
    es_map_hit hit;
    float far; /* squared */
} nearest;

static bool nearer(es_spot at, es_spot to, nearest *best)
{
    float dx = to.x - at.x, dy = to.y - at.y, far = dx * dx + dy * dy;
    if (!(far < best->far))
        return false;
    best->far = far;
    return true;
}

/* The sentence lies on top. */
static es_map_hit in_sentence(const es_map *m, es_spot at, float reach)
{
    nearest best = {{-1, -1, false}, reach * reach};
    for (int64_t t = 0; t < m->T; t++) {
        const es_map_place *p = &m->place[t];
        if (nearer(at, p->spot, &best))
            best.hit = (es_map_hit){p->id, p->first, false};
        if (nearer(at, p->x_spot, &best))
            best.hit = (es_map_hit){p->id, t, true};
    }
    return best.hit;
}

static es_map_hit among_all(const es_map *m, es_spot at, float reach)
{
    nearest best = {{-1, -1, false}, reach * reach};
    for (int64_t i = 0; i < m->n; i++)
        if (nearer(at, m->spot[m->rank[i]], &best))
            best.hit.id = m->rank[i];
    return best.hit;
}

bool es_map_drawn_in(const es_map *m, es_box area)
{
    return m->area.w == area.w && m->area.h == area.h && m->area.x == area.x && m->area.y == area.y;
}

es_map_hit es_map_hit_at(const es_map *m, const es_viewer *v, es_spot at)
{
    es_map_hit h = in_sentence(m, at, m->r + ES_MAP_MARK + 2);
    return h.id >= 0 ? h : among_all(m, at, REACH * es_viewer_em(v) / 13);
}

void es_map_tell_hit(const es_map *m, const es_map_hit *h, es_pick *out)
{
    float r = m->r + ES_MAP_MARK + 2;
    es_spot spot = h->x ? m->place[h->place].x_spot : m->spot[h->id];
    *out = ES_PICK_NONE;
    out->id = h->id;
    out->place = h->place;
    out->mark = (es_box){spot.x - r, spot.y - r, 2 * r, 2 * r};
}

void es_map_name_hit(const es_viewer *v, const es_map_hit *h, es_str *out)
{
    if (h->x)
        es_str_add(out, "x of ");
    es_scene_token(out, v->atlas->context, h->id, ES_MAP_COLUMNS);
    if (h->x)
        es_str_add(out, " at place %" PRId64, v->scene.at + h->place);
}

static void describe(const es_map *m, const es_viewer *v, const es_map_hit *h, es_pick *out)
{
    const float *at = h->x ? m->place[h->place].x_at : m->at + 3 * (int64_t)h->id;
    int which[3], n = es_map_components(v, which);
    es_map_name_hit(v, h, &out->what);
    if (m->version)
        es_str_add(&out->what, ", %s: %.4g, %.4g", es_layout_title(v->layout), (double)at[0],
                   (double)at[1]);
    for (int k = 0; k < n; k++)
        es_str_add(&out->what, ", component %d: %.4g", which[k] + 1, (double)at[k]);
    if (h->x && v->scene.preview)
        es_str_cat(&out->what, ", not entered yet");
}

/* x is that of the last text; what is not entered yet has no name, nor has a layout's point. */
static void state(const es_viewer *v, const es_map_hit *h, es_pick *out)
{
    if (v->layout != ES_LAYOUT_PCA)
        return;
    if (!h->x)
        es_str_add(&out->statement, "(wte.weight[%" PRId32 "] - wte.weight.mean(0)) @ axes.T",
                   h->id);
    else if (!v->scene.preview)
        es_str_add(&out->statement, "(x[0, %" PRId64 "] - wte.weight.mean(0)) @ axes.T",
                   v->scene.at + h->place);
}

bool es_map_pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)c;
    es_map *m = v->of[ES_VIEW_MAP];
    if (!m || !es_map_drawn_in(m, area)) {
        m = es_map_follow(v);
        es_map_project(m, v, area);
    }
    es_map_hit h = es_map_hit_at(m, v, at);
    if (h.id < 0)
        return false;
    es_map_tell_hit(m, &h, out);
    describe(m, v, &h, out);
    state(v, &h, out);
    return true;
}
