// SPDX-License-Identifier: GPL-3.0-or-later
/* What changes a row of channels as a whole, done in one of the two and not in the other: layer norm and its kin. */
#include <math.h>
#include <stdio.h>

#include "torch/theory.h"

static void layer_norm(double *v, int64_t n, double eps)
{
    double mean = 0, square = 0;
    for (int64_t i = 0; i < n; i++)
        mean += v[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        square += (v[i] - mean) * (v[i] - mean) / (double)n;
    for (int64_t i = 0; i < n; i++)
        v[i] = (v[i] - mean) / sqrt(square + eps);
}

static void rms_norm(double *v, int64_t n, double eps)
{
    double square = 0;
    for (int64_t i = 0; i < n; i++)
        square += v[i] * v[i] / (double)n;
    for (int64_t i = 0; i < n; i++)
        v[i] /= sqrt(square + eps);
}

static void normalize(double *v, int64_t n, double eps)
{
    double square = 0;
    for (int64_t i = 0; i < n; i++)
        square += v[i] * v[i];
    for (int64_t i = 0; i < n; i++)
        v[i] /= fmax(sqrt(square), eps);
}

static void log_softmax(double *v, int64_t n, double eps)
{
    double most = v[0], sum = 0;
    (void)eps;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, v[i]);
    for (int64_t i = 0; i < n; i++)
        sum += exp(v[i] - most);
    for (int64_t i = 0; i < n; i++)
        v[i] -= most + log(sum);
}

static void softmax(double *v, int64_t n, double eps)
{
    log_softmax(v, n, eps);
    for (int64_t i = 0; i < n; i++)
        v[i] = exp(v[i]);
}

static const struct {
    const char *name, *call; /* %s: what it is called with */
    void (*row)(double *v, int64_t n, double p);
    double eps;
} changes[] = {
    {"layer_norm", "F.layer_norm(%s, (C,))", layer_norm, 1e-5},
    {"layer_norm", "F.layer_norm(%s, (C,), eps=1e-06)", layer_norm, 1e-6},
    {"layer_norm", "F.layer_norm(%s, (C,), eps=1e-12)", layer_norm, 1e-12},
    {"rms_norm", "%s / (%s ** 2).mean(-1, keepdim=True).sqrt()", rms_norm, 1e-6},
    {"normalize", "F.normalize(%s, dim=-1)", normalize, 1e-12},
    {"softmax", "%s.softmax(-1)", softmax, 0},
    {"log_softmax", "%s.log_softmax(-1)", log_softmax, 0},
};

/* The call with a name in place of each %s. */
static void add_call(es_str *out, const char *call, const char *name)
{
    for (; *call; call++)
        if (*call == '%') {
            es_str_cat(out, name);
            call++;
        } else {
            es_str_char(out, *call);
        }
}

/* x is changed, or (turned: c has them the other way round) y is. */
static bool try_change(es_case *c, size_t i, bool turned, es_error *err)
{
    bool won;
    es_theory h = es_theory_of(c->y, 38, NULL);
    h.row = changes[i].row;
    h.p = changes[i].eps;
    h.general = true;
    es_theory_call(&h, "%s%s", changes[i].name, turned ? "_missing" : "");
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (!won)
        return true;
    es_str *s = &c->best->says;
    es_str_add(s, "%s is ", c->asked->x_name);
    add_call(s, changes[i].call, c->asked->y_name);
    if (turned) {
        es_str_add(s, ": that is missing in %s", c->asked->y_name);
        add_call(&c->best->fix, changes[i].call, c->asked->y_name);
    }
    return true;
}

static bool try_changes(es_case *c, bool turned, es_error *err)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (!try_change(c, i, turned, err))
            return false;
    return true;
}

/* x and y change places. */
static bool try_turned(es_case *c, es_error *err)
{
    es_causes asked = *c->asked;
    es_case turned;
    asked.x_name = c->asked->y_name;
    asked.y_name = c->asked->x_name;
    bool ok = es_case_open(&turned, c->k, c->y, c->x, &asked, c->best, err) &&
              try_changes(&turned, true, err);
    if (turned.quality >= 0)
        c->quality = turned.quality;
    es_case_close(&turned);
    return ok;
}

bool es_causes_rows(es_case *c, es_error *err)
{
    int64_t C = c->x->shape.dim[es_axis_C(c->x)];
    bool floats = c->x->dtype == ES_FLOAT32 || c->x->dtype == ES_FLOAT64;
    if (!c->same_shape || !floats || C < 3 || C > ES_MOST_ROW)
        return true;
    return try_changes(c, false, err) && (c->quality >= 0 || try_turned(c, err));
}
