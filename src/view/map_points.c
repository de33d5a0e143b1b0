// SPDX-License-Identifier: GPL-3.0-or-later
/* Every row of wte as a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/map.h"

enum { BUCKETS = 64 };   /* of depth: what is nearer is drawn later */
#define SMALLEST    1.5f /* radius of a point when all are seen, at an em of 13 */
#define LARGEST     4.5f
#define GROWTH      0.25 /* of the radius with the zoom: its fourth root */
#define DENSE       1.3f /* how soon points that lie upon each other are translucent */
#define LEAST_SOLID 0.3f
#define MOST_SOLID  0.92f
#define FADED       0.16f /* of what :find has not found */

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

void es_map_forget(es_viewer *v)
{
    es_map *m = v->of[ES_VIEW_MAP];
    if (!m)
        return;
    free(m->rank);
    free(m->at);
    free(m->colour);
    es_text_unref(m->text);
    free(m->place);
    free(m->spot);
    free(m->depth);
    free(m->disc);
    free(m->lit);
    free(m->role);
    free(m->wish);
    free(m->placed);
    free_widths(&m->plain);
    free_widths(&m->bold);
    free(m);
    v->of[ES_VIEW_MAP] = NULL;
}

static es_map *new_map(const es_viewer *v)
{
    es_map *m = es_alloc(sizeof *m);
    size_t n = (size_t)v->atlas->tokens.n;
    m->n = (int64_t)n;
    m->rank = rank_tokens(v->atlas->context, m->n);
    m->at = es_alloc_array(3 * n, sizeof *m->at);
    m->colour = es_alloc_array(n, sizeof *m->colour);
    m->spot = es_alloc_array(n, sizeof *m->spot);
    m->depth = es_alloc_array(n, sizeof *m->depth);
    m->disc = es_alloc_array(n, sizeof *m->disc);
    m->lit = es_alloc(n);
    m->role = es_alloc(n);
    return m;
}

int es_map_components(const es_viewer *v, int out[3])
{
    int wanted = v->camera[ES_VIEW_MAP].solid ? 3 : 2, n = 0;
    for (int k = 0; k < wanted; k++)
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

/* The components shown are `axes` in tensor mode. */
static void publish(const es_viewer *v)
{
    const es_pca *p = &v->atlas->tokens.pca;
    int which[3], n = es_map_components(v, which);
    if (!n || published(v, which, n))
        return;
    float *rows = es_alloc_array((size_t)(n * p->C), sizeof *rows);
    for (int k = 0; k < n; k++)
        memcpy(rows + k * p->C, p->axes + which[k] * p->C, (size_t)p->C * sizeof *rows);
    es_session_set_axes(v->session, rows, n, p->C);
    free(rows);
}

static void take_components(es_map *m, const es_viewer *v)
{
    const es_mapped *rows = &v->atlas->tokens;
    m->d = v->camera[ES_VIEW_MAP].solid ? 3 : 2;
    memset(m->at, 0, 3 * (size_t)m->n * sizeof *m->at);
    for (int k = 0; k < m->d; k++) {
        m->component[k] = v->component[k];
        for (int64_t i = 0; i < m->n && v->component[k] < rows->K; i++)
            m->at[3 * i + k] = rows->at[i * rows->K + v->component[k]];
    }
    m->extent = es_extent_of(m->at, m->n, 3, m->d == 3);
    m->stamp = 0;
}

static bool same_components(const es_map *m, const es_viewer *v)
{
    int d = v->camera[ES_VIEW_MAP].solid ? 3 : 2;
    return m->d == d && !memcmp(m->component, v->component, (size_t)d * sizeof *m->component);
}

static void take_colours(es_map *m, const es_viewer *v)
{
    const es_palette *p = es_viewer_palette(v);
    if (m->palette == p && m->color_by == v->color_by)
        return;
    m->palette = p;
    m->color_by = v->color_by;
    for (int32_t id = 0; id < m->n; id++)
        m->colour[id] = es_atlas_colour(v->atlas, p, v->color_by, id);
}

es_map *es_map_follow(es_viewer *v)
{
    es_map *m = v->of[ES_VIEW_MAP];
    if (!m)
        m = v->of[ES_VIEW_MAP] = new_map(v);
    if (!same_components(m, v))
        take_components(m, v);
    publish(v);
    take_colours(m, v);
    if (m->stamp != v->stamp || m->text != v->scene.text)
        es_map_read_text(m, v);
    return m;
}

/* ---- where they are ---- */

es_spot es_map_spot(const es_map *m, const float *at)
{
    return es_lens_spot(&m->lens, at, NULL);
}

/* Four numbers a point, so that the loop is one the compiler can spread out. */
static void project_all(es_map *m)
{
    const es_lens l = m->lens;
    const float *p = m->at;
    for (int64_t i = 0; i < m->n; i++, p += 3) {
        m->spot[i].x = l.x0 + l.fx[0] * p[0] + l.fx[1] * p[1] + l.fx[2] * p[2];
        m->spot[i].y = l.y0 + l.fy[0] * p[0] + l.fy[1] * p[1] + l.fy[2] * p[2];
    }
    p = m->at;
    for (int64_t i = 0; m->d == 3 && i < m->n; i++, p += 3)
        m->depth[i] = l.z0 + l.fz[0] * p[0] + l.fz[1] * p[1] + l.fz[2] * p[2];
}

static int64_t count_seen(const es_map *m)
{
    const es_box a = m->area;
    int64_t n = 0;
    for (int64_t i = 0; i < m->n; i++) {
        es_spot s = m->spot[i];
        n += (s.x >= a.x) & (s.y >= a.y) & (s.x <= a.x + a.w) & (s.y <= a.y + a.h);
    }
    return n;
}

void es_map_project(es_map *m, const es_viewer *v, es_box area)
{
    es_camera camera = es_viewer_camera(v);
    m->area = area;
    m->lens = es_lens_of(&camera, &m->extent, area);
    project_all(m);
    m->seen = count_seen(m);
    float unit = es_viewer_em(v) / 13;
    m->r = unit * fminf(SMALLEST * (float)pow(fmax(camera.zoom, 0.5), GROWTH), LARGEST);
    for (int64_t t = 0; t < m->T; t++) {
        m->place[t].spot = es_map_spot(m, m->place[t].at);
        m->place[t].x_spot = es_map_spot(m, m->place[t].x_at);
    }
}

/* ---- drawing ---- */

/* The more they cover, the more of what lies below is to be seen. */
static float opacity(const es_map *m)
{
    float covered = (float)m->seen * (float)M_PI * m->r * m->r / fmaxf(m->area.w * m->area.h, 1);
    return fmaxf(LEAST_SOLID, MOST_SOLID / (1 + DENSE * covered));
}

/* In space what is far away is smaller and fainter. */
static es_disc disc_of(const es_map *m, int32_t id, float solid)
{
    float near = m->d == 3 ? fmaxf(0, fminf(1, 0.5f + 0.5f * m->depth[id])) : 1;
    float r = m->d == 3 ? m->r * (0.75f + 0.5f * near) : m->r;
    float shown = m->d == 3 ? solid * (0.55f + 0.45f * near) : solid;
    if (m->any_lit && !m->lit[id])
        shown *= FADED / MOST_SOLID;
    return (es_disc){m->spot[id].x, m->spot[id].y, r, es_fade(m->colour[id], shown), id};
}

/* Those in the area, the most important last; in space the nearest. */
static size_t gather(es_map *m, float solid)
{
    const es_box a = es_box_inset(m->area, -LARGEST);
    size_t n = 0, begin[BUCKETS + 1] = {0};
    if (m->d == 3)
        for (int64_t i = 0; i < m->n; i++)
            begin[1 + (int)fmaxf(0, fminf(BUCKETS - 1, (m->depth[i] + 1) * BUCKETS / 2))]++;
    for (int b = 1; b < BUCKETS; b++)
        begin[b] += begin[b - 1];
    for (int64_t i = m->n; i-- > 0;) {
        int32_t id = m->rank[i];
        es_spot s = m->spot[id];
        bool in = s.x >= a.x && s.y >= a.y && s.x <= a.x + a.w && s.y <= a.y + a.h;
        if (m->d == 3) {
            int b = (int)fmaxf(0, fminf(BUCKETS - 1, (m->depth[id] + 1) * BUCKETS / 2));
            m->disc[begin[b]++] = in ? disc_of(m, id, solid) : (es_disc){.x = NAN, .id = ES_NO_ID};
            n = (size_t)m->n;
        } else if (in) {
            m->disc[n++] = disc_of(m, id, solid);
        }
    }
    return n;
}

static void light_up(es_map *m, const es_viewer *v)
{
    size_t n;
    const int32_t *found = es_session_found(v->session, &n);
    if (m->any_lit)
        memset(m->lit, 0, (size_t)m->n);
    m->any_lit = n > 0;
    for (size_t i = 0; i < n; i++)
        if (found[i] >= 0 && found[i] < m->n)
            m->lit[found[i]] = 1;
}

void es_map_draw_points(es_map *m, es_viewer *v, es_canvas *c)
{
    light_up(m, v);
    es_canvas_discs(c, m->disc, gather(m, opacity(m)));
    size_t n, k = 0;
    const int32_t *found = es_session_found(v->session, &n);
    for (size_t i = 0; i < n && k < (size_t)m->n; i++)
        if (found[i] >= 0 && found[i] < m->n)
            m->disc[k++] = (es_disc){m->spot[found[i]].x, m->spot[found[i]].y, m->r + 1.5f,
                                     m->palette->found, found[i]};
    es_canvas_discs(c, m->disc, k);
}
