// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "layer/cosine.h"
#include "view/offset.h"

/* ---- which tokens ---- */

/* Where nothing was typed yet. */
static int32_t telling_token(const es_context *c)
{
    int32_t id = es_bpe_find(c->bpe, " cat", 4);
    return id >= 0 && id < c->model->config.vocab_size ? id : 0;
}

bool es_offset_tokens(const es_viewer *v, int32_t *token, int32_t *second)
{
    const es_context *c = v->atlas->context;
    int64_t V = c->model->config.vocab_size, place;
    *token = es_viewer_focus(v, &place);
    if (*token < 0 || *token >= V)
        *token = telling_token(c);
    *second = v->second < V ? v->second : -1;
    return V > 0;
}

/* ---- axes ---- */

static double dot(const float *a, const float *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

/* rest (C) = v less what is along the K axes; twice, since once leaves rounding errors of a size with a small rest. */
static void take_across(float *rest, const float *v, const float *axes, int K, int64_t C)
{
    memcpy(rest, v, (size_t)C * sizeof *rest);
    for (int k = 0; k < 2 * K; k++) {
        const float *axis = axes + (k % K) * C;
        double along = dot(rest, axis, C);
        for (int64_t c = 0; c < C; c++)
            rest[c] = (float)(rest[c] - along * axis[c]);
    }
}

/* The move across the first two components, 1 long, as axis K; false: it has next to no part across them. */
static bool add_move(es_offset *o, int K)
{
    const double least = 1e-5; /* of the move's length: what is left is rounding */
    int64_t C = o->of.C;
    float *axis = o->axes + K * C;
    take_across(axis, o->move, o->axes, K, C);
    double length = es_length(axis, C);
    if (!(length > least * o->length) || !isfinite(length))
        return false;
    for (int64_t c = 0; c < C; c++)
        axis[c] = (float)(axis[c] / length);
    return true;
}

static void swap_axes(es_offset *o, int i, int j)
{
    for (int64_t c = 0; c < o->of.C; c++) {
        float t = o->axes[i * o->of.C + c];
        o->axes[i * o->of.C + c] = o->axes[j * o->of.C + c];
        o->axes[j * o->of.C + c] = t;
    }
    es_offset_axis t = o->axis[i];
    o->axis[i] = o->axis[j];
    o->axis[j] = t;
}

/* The first component to the right, the move upwards, the second component towards the reader: so the two curves lie
 * one above the other. */
static void choose_axes(es_offset *o)
{
    int flat = o->of.K < 2 ? o->of.K : 2;
    for (int k = 0; k < flat; k++)
        o->axis[k] = k ? ES_ALONG_SECOND : ES_ALONG_FIRST;
    if (flat)
        memcpy(o->axes, o->of.axes, (size_t)(flat * o->of.C) * sizeof *o->axes);
    o->K = flat;
    if (add_move(o, flat)) {
        o->axis[o->K++] = ES_ALONG_MOVE;
        if (o->K == 3)
            swap_axes(o, 1, 2);
    } else if (o->of.K > 2) {
        memcpy(o->axes + flat * o->of.C, o->of.axes + 2 * o->of.C,
               (size_t)o->of.C * sizeof *o->axes);
        o->axis[o->K++] = ES_ALONG_THIRD;
    }
}

/* ---- the two curves ---- */

static void place(const es_offset *o, const float *x, float *at)
{
    for (int k = 0; k < 3; k++) {
        double v = k < o->K ? dot(x, o->axes + k * o->of.C, o->of.C) : 0;
        at[k] = isfinite(v) ? (float)v : NAN;
    }
}

/* x as the layer computes it: a row of wte plus a row of positions, in float32. */
static void add_rows(float *x, const float *token, const float *row, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        x[c] = token ? token[c] + row[c] : row[c];
}

static void trace(es_offset *o, const float *token, const float *second, float *x, float *y)
{
    int64_t n = o->of.n, C = o->of.C;
    for (int64_t t = 0; t < n; t++) {
        const float *row = o->of.row + t * C;
        add_rows(x, token, row, C);
        add_rows(y, second, row, C);
        place(o, x, o->at + 3 * t);
        place(o, y, o->at + 3 * (n + t));
        for (int64_t c = 0; c < C; c++) {
            double off = fabs((double)x[c] - (double)y[c] - (double)o->move[c]);
            o->off = off > o->off ? off : o->off;
        }
    }
}

/* The rows' spread about their mean, all of it. */
static double spread_of(const es_offset *o)
{
    int64_t n = o->of.n, C = o->of.C;
    double all = 0;
    for (int64_t c = 0; c < C; c++) {
        double mean = 0, square = 0;
        for (int64_t t = 0; t < n; t++) {
            double v = o->of.row[t * C + c];
            mean += v / (double)n;
            square += v * v / (double)n;
        }
        all += square - mean * mean;
    }
    return all;
}

/* What each axis shows, of the spread and of the move. */
static void measure_axes(es_offset *o)
{
    int64_t n = o->of.n, C = o->of.C;
    double all = spread_of(o);
    for (int k = 0; k < o->K; k++) {
        double mean = 0, square = 0, along = dot(o->move, o->axes + k * C, C);
        for (int64_t t = 0; t < n; t++) {
            double v = o->at[3 * (n + t) + k];
            mean += v / (double)n;
            square += v * v / (double)n;
        }
        o->share[k] = all > 0 ? (square - mean * mean) / all : 0;
        o->seen[k] = o->length > 0 ? along / o->length * (along / o->length) : 0;
    }
}

int es_offset_shown(const es_viewer *v, const es_offset *o)
{
    return o->K < 3 || v->camera[ES_VIEW_OFFSET].solid ? o->K : 2;
}

void es_offset_tell_axes(const es_viewer *v, const es_offset *o)
{
    es_session_set_axes(v->session, o->axes, es_offset_shown(v, o), o->of.C);
}

double es_offset_seen(const es_offset *o, int axes)
{
    double sum = 0;
    for (int k = 0; k < axes; k++)
        sum += o->seen[k];
    return fmin(sqrt(sum), 1);
}

double es_offset_share(const es_offset *o, int axes)
{
    double sum = 0;
    for (int k = 0; k < axes; k++)
        sum += o->share[k];
    return fmin(sum, 1);
}

/* ---- the whole ---- */

static float *numbers(int64_t n, int64_t m, es_error *err)
{
    return es_try_alloc((size_t)n, (size_t)m * sizeof(float), "a picture of positions", err);
}

/* room (4, C): the two tokens' rows, and two of x. */
static bool fill(es_offset *o, const es_table *wte, float *room, es_error *err)
{
    int64_t C = o->of.C;
    float *token = room, *second = o->second >= 0 ? room + C : NULL;
    if (!es_table_row(wte, o->token, token, err) ||
        (second && !es_table_row(wte, o->second, second, err)))
        return false;
    for (int64_t c = 0; c < C; c++)
        o->move[c] = second ? token[c] - second[c] : token[c];
    o->length = es_length(o->move, C);
    choose_axes(o);
    trace(o, token, second, room + 2 * C, room + 3 * C);
    measure_axes(o);
    return true;
}

/* The positions in use; where there are none, those that could be. */
static bool make(es_offset *o, const es_atlas *a, es_error *err)
{
    const es_context *c = a->context;
    bool learned = c->layer.positions == ES_POSITIONS_SINUSOIDAL ? false : es_places_learned(c);
    if (!es_places_make(&o->of, a, learned, err))
        return false;
    o->move = numbers(o->of.C, 1, err);
    o->axes = o->move ? numbers(3, o->of.C, err) : NULL;
    o->at = o->axes ? numbers(2 * o->of.n, 3, err) : NULL;
    float *room = o->at ? numbers(4, o->of.C, err) : NULL;
    bool ok = room && fill(o, c->model->wte, room, err);
    free(room);
    return ok;
}

bool es_offset_make(es_offset *out, const es_atlas *a, int32_t token, int32_t second, es_error *err)
{
    *out = (es_offset){.token = token, .second = second};
    bool ok = make(out, a, err);
    if (!ok)
        es_offset_free(out);
    return ok;
}

void es_offset_free(es_offset *o)
{
    es_places_free(&o->of);
    free(o->move);
    free(o->axes);
    free(o->at);
    *o = (es_offset){0};
}
