// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/tsne.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/tsne_grid.h"
#include "analysis/tsne_ties.h"
#include "base/mem.h"

enum { EARLY = 250, LOOK = 50 }; /* iterations with exaggeration, of 750 and more; at most */
static const double DEVIATION = 1e-4, EXAGGERATION = 12, LEAST_RATE = 50, AT_REST = 1e-7;
static const float LEAST_GAIN = 0.01f;
static const float FARTHEST =
    1e6f; /* of a coordinate: nobody is so far out but by a start like that */

/* The forces between points. */
typedef struct forces {
    es_crew *crew;
    es_tsne_ties ties;
    es_tsne_grid grid;
    float *pull, *push; /* (n, 2) */
    double all;         /* what pairs come to: that of Q */
    double kl;
} forces;

struct es_tsne {
    int64_t n;
    int iterations, done;
    int early; /* iterations with exaggeration */
    forces forces;
    float *at, *velocity, *gain; /* (n, 2) */
    double kl;
};

/* ---- forces ---- */

static float *numbers(int64_t n, es_error *err)
{
    return es_try_alloc(2 * (size_t)n, sizeof(float), "the points of a layout", err);
}

static void forces_close(forces *f)
{
    es_tsne_ties_close(&f->ties);
    es_tsne_grid_close(&f->grid);
    es_crew_free(f->crew);
    free(f->pull);
    free(f->push);
    *f = (forces){0};
}

static bool forces_open(forces *f, const es_graph *P, es_error *err)
{
    *f = (forces){.crew = es_crew_new()};
    f->pull = numbers(P->n, err);
    f->push = f->pull ? numbers(P->n, err) : NULL;
    bool ok = f->push && es_tsne_grid_open(&f->grid, P->n, f->crew, err) &&
              es_tsne_ties_open(&f->ties, P, f->crew, err);
    if (!ok)
        forces_close(f);
    return ok;
}

static bool find_forces(forces *f, const float *at, es_watch *watch, es_error *err)
{
    double logs;
    if (!es_tsne_pull(&f->ties, f->pull, &logs, at, watch, err) ||
        !es_tsne_push(&f->grid, f->push, &f->all, at, watch, err))
        return false;
    f->all = fmax(f->all, FLT_MIN);
    f->kl = f->ties.p_log_p + logs + f->ties.p * log(f->all);
    return true;
}

bool es_tsne_gradient(const es_graph *P, const float *at, float *gradient, double *kl,
                      es_error *err)
{
    forces f;
    bool ok = forces_open(&f, P, err) && find_forces(&f, at, NULL, err);
    for (int64_t i = 0; ok && i < 2 * P->n; i++)
        gradient[i] = 4 * (f.pull[i] - f.push[i] * (float)(1 / f.all));
    *kl = ok ? f.kl : (double)NAN;
    forces_close(&f);
    return ok;
}

/* ---- a layout ---- */

static void mean_of(double mean[2], const float *at, int64_t n)
{
    mean[0] = mean[1] = 0;
    for (int64_t i = 0; i < n; i++) {
        mean[0] += (double)at[2 * i];
        mean[1] += (double)at[2 * i + 1];
    }
    mean[0] /= (double)n;
    mean[1] /= (double)n;
}

/* Along the first coordinate in which there is any. */
static double deviation(const float *at, const double mean[2], int64_t n)
{
    double deviation = 0;
    for (int axis = 0; axis < 2 && !(deviation > 0); axis++) {
        double sum = 0;
        for (int64_t i = 0; i < n; i++) {
            double d = (double)at[2 * i + axis] - mean[axis];
            sum += d * d;
        }
        deviation = sqrt(sum / (double)n);
    }
    return deviation > 0 ? deviation : DEVIATION;
}

static float held(double at)
{
    return (float)fmax(-FARTHEST, fmin(FARTHEST, at));
}

static void place_start(es_tsne *t, const float *start)
{
    double mean[2];
    mean_of(mean, start, t->n);
    double scale = DEVIATION / deviation(start, mean, t->n);
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->at[i] = held(((double)start[i] - mean[i % 2]) * scale);
}

/* As scikit-learn has it, descent begins anew where exaggeration ends. */
static void stand_still(es_tsne *t)
{
    for (int64_t i = 0; i < 2 * t->n; i++) {
        t->velocity[i] = 0;
        t->gain[i] = 1;
    }
}

es_tsne *es_tsne_new(es_graph *P, const float *start, int iterations, es_error *err)
{
    es_tsne *t = es_alloc(sizeof *t);
    t->n = P->n;
    t->iterations = iterations;
    t->early = iterations < 3 * EARLY ? iterations / 3 : EARLY;
    t->kl = NAN;
    t->at = numbers(t->n, err);
    t->velocity = t->at ? numbers(t->n, err) : NULL;
    t->gain = t->velocity ? numbers(t->n, err) : NULL;
    bool ok = t->gain && forces_open(&t->forces, P, err);
    es_graph_free(P);
    if (!ok) {
        es_tsne_free(t);
        return NULL;
    }
    place_start(t, start);
    stand_still(t);
    return t;
}

void es_tsne_free(es_tsne *t)
{
    if (!t)
        return;
    forces_close(&t->forces);
    free(t->at);
    free(t->velocity);
    free(t->gain);
    free(t);
}

/* Down the gradient, 4 (exaggeration pull - push / all), each coordinate at a rate of its own (Jacobs 1988).  Returns
 * how long the gradient is. */
static double move(es_tsne *t)
{
    const forces *f = &t->forces;
    bool exaggerates = t->done < t->early;
    float momentum = exaggerates ? 0.5f : 0.8f;
    double rate = 4 * fmax((double)t->n / EXAGGERATION / 4, LEAST_RATE), squares = 0;
    float pull = (float)(exaggerates ? rate * EXAGGERATION : rate), push = (float)(rate / f->all);
    for (int64_t i = 0; i < 2 * t->n; i++) {
        float down = push * f->push[i] - pull * f->pull[i], v = t->velocity[i];
        float gain = v * down > 0 ? t->gain[i] + 0.2f : t->gain[i] * 0.8f;
        t->gain[i] = gain > LEAST_GAIN ? gain : LEAST_GAIN;
        t->velocity[i] = momentum * v + t->gain[i] * down;
        t->at[i] += t->velocity[i];
        squares += (double)down * (double)down;
    }
    return 4 * sqrt(squares) / rate;
}

/* Rows without any structure are only drawn together by exaggeration, ever nearer: it ends where that comes to nothing, as
 * scikit-learn has it (min_grad_norm), before no difference is left for repulsion to drive apart. */
static void end_exaggeration(es_tsne *t, double gradient)
{
    if (t->done < t->early && t->done % LOOK == 0 && gradient <= AT_REST)
        t->early = t->done;
}

static void centre(es_tsne *t)
{
    double mean[2];
    mean_of(mean, t->at, t->n);
    for (int64_t i = 0; i < 2 * t->n; i++)
        t->at[i] = held((double)t->at[i] - mean[i % 2]);
}

bool es_tsne_step(es_tsne *t, es_watch *watch, es_error *err)
{
    if (t->done >= t->iterations || !find_forces(&t->forces, t->at, watch, err))
        return false;
    if (t->done == t->early)
        stand_still(t);
    double gradient = move(t);
    centre(t);
    t->kl = t->forces.kl;
    t->done++;
    end_exaggeration(t, gradient);
    return true;
}

const float *es_tsne_at(const es_tsne *t)
{
    return t->at;
}

double es_tsne_kl(const es_tsne *t)
{
    return t->kl;
}
