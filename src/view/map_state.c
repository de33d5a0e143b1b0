// SPDX-License-Identifier: GPL-3.0-or-later
/* What the map keeps from drawing to drawing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/layouts.h"
#include "view/map.h"

enum { IN_SIGHT = 256 }; /* tokens that the first look shows for certain */
#define NAMES    1.7f    /* above and below, in em */
#define USUAL    1.5     /* radius of a point, at an em of 13, that has so many square pixels: */
#define ROOM     12.0
#define SMALLEST 1.0
#define LARGEST  4.5
#define GROWTH   0.25 /* of the radius with room and zoom: their fourth root */

/* ---- which come first ---- */

typedef struct ranking {
    int32_t id;
    bool lone; /* bytes that are no text by themselves */
    int64_t count;
} ranking;

static int before(const void *a, const void *b)
{
    const ranking *x = a, *y = b;
    if (x->lone != y->lone)
        return x->lone ? 1 : -1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* By how often each was seen in training; where that is not known, tokens merged early are the common ones. */
static int32_t *rank_tokens(const es_context *c, int64_t n)
{
    ranking *r = es_alloc_array((size_t)n, sizeof *r);
    int32_t *out = es_alloc_array((size_t)n, sizeof *out);
    for (int32_t id = 0; id < n; id++) {
        size_t len = 0;
        const char *bytes = es_bpe_bytes(c->bpe, id, &len);
        r[id] = (ranking){id, !bytes || !es_utf8_valid(bytes, len), es_model_count(c->model, id)};
    }
    qsort(r, (size_t)n, sizeof *r, before);
    for (int64_t i = 0; i < n; i++)
        out[i] = r[i].id;
    free(r);
    return out;
}

/* ---- the state ---- */

static void free_widths(es_map_widths *w)
{
    free(w->of);
    *w = (es_map_widths){0};
}

void es_map_free(es_map *m)
{
    if (!m)
        return;
    free(m->rank);
    free(m->at);
    free(m->ranked);
    free(m->colour);
    free(m->aside);
    es_text_unref(m->text);
    free(m->place);
    free(m->spot);
    free(m->seen);
    free(m->disc);
    free(m->crowd);
    free(m->asked);
    free(m->role);
    free(m->wish);
    free(m->placed);
    free_widths(&m->plain);
    free_widths(&m->bold);
    free(m);
}

void es_map_forget(es_viewer *v)
{
    es_map_free(v->of[ES_VIEW_MAP]);
    v->of[ES_VIEW_MAP] = NULL;
}

es_map *es_map_new(const es_viewer *v)
{
    es_map *m = es_alloc(sizeof *m);
    size_t n = (size_t)v->atlas->tokens.n;
    m->n = (int64_t)n;
    m->rank = rank_tokens(v->atlas->context, m->n);
    m->at = es_alloc_array(3 * n, sizeof *m->at);
    m->ranked = es_alloc_array(3 * n, sizeof *m->ranked);
    m->colour = es_alloc_array(n, sizeof *m->colour);
    m->aside = es_alloc(n);
    m->spot = es_alloc_array(n, sizeof *m->spot);
    m->seen = es_alloc_array(n, sizeof *m->seen);
    m->disc = es_alloc_array(n, sizeof *m->disc);
    m->role = es_alloc(n);
    return m;
}

int es_map_components(const es_viewer *v, int out[3])
{
    int wanted = es_viewer_components(v), n = 0;
    for (int k = 0; v->layout == ES_LAYOUT_PCA && k < wanted; k++)
        if (v->component[k] < v->atlas->tokens.K)
            out[n++] = v->component[k];
    return n;
}

static bool published(const es_viewer *v, const int *which, int n)
{
    const es_pca *p = &v->atlas->tokens.pca;
    int64_t K, C;
    const float *now = es_session_axes(v->session, &K, &C);
    if (!now || K != n || C != p->C)
        return false;
    for (int k = 0; k < n; k++)
        if (memcmp(now + k * C, p->axes + which[k] * C, (size_t)C * sizeof *now))
            return false;
    return true;
}

/* The components shown are `axes` in tensor mode; a layout has none. */
static void publish(const es_viewer *v)
{
    const es_pca *p = &v->atlas->tokens.pca;
    int which[3], n = es_map_components(v, which);
    if (v->layout != ES_LAYOUT_PCA && v->view == ES_VIEW_MAP)
        es_session_set_axes(v->session, NULL, 0, 0);
    if (!n || published(v, which, n))
        return;
    float *rows = es_alloc_array((size_t)(n * p->C), sizeof *rows);
    for (int k = 0; k < n; k++)
        memcpy(rows + k * p->C, p->axes + which[k] * p->C, (size_t)p->C * sizeof *rows);
    es_session_set_axes(v->session, rows, n, p->C);
    free(rows);
}

/* Common words lie far from the middle of all the others: the first look has them in sight, too. */
static void widen(es_map *m)
{
    es_extent *e = &m->extent;
    for (int64_t i = 0; i < m->n && i < IN_SIGHT && e->half[0] > 0; i++) {
        const float *p = m->at + 3 * (int64_t)m->rank[i];
        double away = hypot((double)p[0] - e->middle[0], (double)p[2] - e->middle[2]);
        double up = fabs((double)p[1] - e->middle[1]);
        if (!isfinite(away) || !isfinite(up))
            continue;
        e->half[0] = fmax(e->half[0], away);
        e->half[1] = fmax(e->half[1], up);
        e->radius = fmax(e->radius, fmax(away, up));
    }
}

/* x of each place along the components shown: it may lie anywhere, so it is projected, not looked up. */
static void place_x(es_map *m, const es_viewer *v)
{
    const es_mapped *rows = &v->atlas->tokens;
    int K = 0;
    for (int k = 0; k < m->d; k++)
        if (m->component[k] < rows->K && m->component[k] >= K)
            K = m->component[k] + 1;
    float *at = es_alloc_array((size_t)(m->T * K) + 1, sizeof *at);
    es_pca_project(&rows->pca, v->scene.x, m->T, K, at);
    for (int64_t t = 0; t < m->T; t++)
        for (int k = 0; k < 3; k++)
            m->place[t].x_at[k] = k < m->d && m->component[k] < K ? at[t * K + m->component[k]] : 0;
    free(at);
}

static void take_components(es_map *m, const es_viewer *v)
{
    const es_mapped *rows = &v->atlas->tokens;
    m->d = es_viewer_components(v);
    m->place_x = place_x;
    memset(m->at, 0, 3 * (size_t)m->n * sizeof *m->at);
    for (int k = 0; k < m->d; k++) {
        m->component[k] = v->component[k];
        for (int64_t i = 0; i < m->n && v->component[k] < rows->K; i++)
            m->at[3 * i + k] = rows->at[i * rows->K + v->component[k]];
    }
    es_map_settle(m);
}

void es_map_settle(es_map *m)
{
    for (int64_t i = 0; i < m->n; i++)
        memcpy(m->ranked + 3 * i, m->at + 3 * (int64_t)m->rank[i], 3 * sizeof *m->ranked);
    m->extent = es_extent_of(m->at, m->n, 3, m->d == 3);
    widen(m);
    m->stamp = 0;
}

/* No direction of a layout is one of the rows', so x is nowhere. */
static void place_nothing(es_map *m, const es_viewer *v)
{
    (void)m;
    (void)v;
}

static void take_layout(es_map *m, const es_sight *s)
{
    m->d = 2;
    m->place_x = place_nothing;
    for (int64_t i = 0; i < m->n; i++) {
        m->at[3 * i] = s->at[2 * i];
        m->at[3 * i + 1] = s->at[2 * i + 1];
        m->at[3 * i + 2] = 0;
    }
    es_map_settle(m);
}

static bool same_components(const es_map *m, const es_viewer *v)
{
    int d = es_viewer_components(v);
    return m->d == d && !memcmp(m->component, v->component, (size_t)d * sizeof *m->component);
}

/* What cannot be laid out is shown in components, and the picture says so. */
static void take_points(es_map *m, es_viewer *v)
{
    es_layouts_look(v);
    const es_sight *s = v->layout == ES_LAYOUT_PCA ? NULL : es_layouts_of(v, v->layout);
    uint64_t version = s && s->n ? s->version : 0;
    if (m->version == version && (version || same_components(m, v)))
        return;
    m->version = version;
    if (version)
        take_layout(m, s);
    else
        take_components(m, v);
}

static void take_colours(es_map *m, const es_viewer *v)
{
    es_colouring now = es_colouring_of(v);
    if (es_colouring_same(&m->colouring, &now))
        return;
    m->palette = now.palette;
    m->colouring = now;
    for (int32_t id = 0; id < m->n; id++)
        m->colour[id] = es_colouring_at(v, &now, id);
}

void es_map_update(es_map *m, const es_viewer *v)
{
    take_colours(m, v);
    if (m->stamp != v->stamp || m->text != v->scene.text)
        es_map_read_text(m, v);
}

es_map *es_map_follow(es_viewer *v)
{
    es_map *m = v->of[ES_VIEW_MAP];
    if (!m)
        m = v->of[ES_VIEW_MAP] = es_map_new(v);
    take_points(m, v);
    publish(v);
    es_map_update(m, v);
    es_map_set_aside(m, v);
    return m;
}

/* ---- where they are ---- */

es_spot es_map_spot(const es_map *m, const float *at)
{
    return es_lens_spot(&m->lens, at, NULL);
}

/* Here, for it is asked of every point; not where a number is none. */
static bool has(const es_box *b, es_spot s)
{
    return s.x >= b->x && s.y >= b->y && s.x < b->x + b->w && s.y < b->y + b->h;
}

static void project_all(es_map *m)
{
    const es_lens l = m->lens;
    const es_box near = es_box_inset(m->area, -ES_MAP_BESIDE);
    const float *p = m->ranked;
    es_map_seen *seen = m->seen;
    for (int64_t i = 0; i < m->n; i++, p += 3) {
        es_spot s = {l.x0 + l.fx[0] * p[0] + l.fx[1] * p[1] + l.fx[2] * p[2],
                     l.y0 + l.fy[0] * p[0] + l.fy[1] * p[1] + l.fy[2] * p[2]};
        float depth = l.z0 + l.fz[0] * p[0] + l.fz[1] * p[1] + l.fz[2] * p[2];
        if (m->hides && m->aside[m->rank[i]])
            s = (es_spot){NAN, NAN};
        m->spot[m->rank[i]] = s;
        if (has(&near, s))
            *seen++ = (es_map_seen){.id = m->rank[i], .spot = s, .depth = depth};
    }
    m->n_seen = (size_t)(seen - m->seen);
}

es_box es_map_plot(const es_viewer *v, es_box area)
{
    float row = NAMES * es_viewer_em(v);
    if (area.h > 8 * row) {
        es_box_cut_top(&area, row);
        es_box_cut_bottom(&area, row);
    }
    return area;
}

/* The more room there is for each point shown the larger it is, and all grow as one comes nearer. */
static float radius_of(const es_map *m, const es_viewer *v, double zoom)
{
    double n = (double)(m->hides ? m->n - m->n_aside : m->n);
    double room = (double)m->area.w * (double)m->area.h / n / ROOM;
    double r = USUAL * pow(room * fmax(zoom, 0.5), GROWTH);
    return (float)fmin(fmax(r, SMALLEST), LARGEST) * sqrtf(es_viewer_em(v) / 13);
}

void es_map_project(es_map *m, const es_viewer *v, es_box area)
{
    es_camera camera = es_viewer_camera(v);
    m->area = area;
    m->plot = es_map_plot(v, area);
    m->lens = es_lens_of(&camera, &m->extent, m->plot);
    project_all(m);
    m->r = radius_of(m, v, camera.zoom);
    for (int64_t t = 0; t < m->T; t++) {
        m->place[t].spot = es_map_spot(m, m->place[t].at);
        m->place[t].x_spot = es_map_spot(m, m->place[t].x_at);
    }
}
