// SPDX-License-Identifier: GPL-3.0-or-later
/* :near, the nearest rows of wte. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "layer/noise.h"
#include "session/commands.h"
#include "session/near_query.h"
#include "session/results.h"

/* What the job is given, and what it finds. */
typedef struct searching {
    es_near *near;
    es_table *wte;
    es_near_query query;
    es_neighbour *best;
    int64_t top, found;
    int64_t row, channel; /* the first number that is not finite; row -1: nothing new is known */
} searching;

static bool search(void *work, es_watch *watch, es_error *err)
{
    searching *s = work;
    int64_t before = es_near_nonfinite(s->near);
    if (!es_near_search(s->near, s->best, s->top, &s->found, &s->query, watch, err))
        return false;
    if (es_near_nonfinite(s->near) > before)
        es_table_first_nonfinite(s->wte, &s->row, &s->channel, watch);
    return true;
}

/* q = the sum of the rows, each times its factor. */
static bool sum_rows(double *q, const es_table *wte, const es_near_ask *ask, es_error *err)
{
    int64_t C = es_table_width(wte);
    float *row = es_try_alloc((size_t)C, sizeof *row, "a row", err);
    bool ok = row != NULL;
    for (size_t i = 0; ok && i < ask->n; i++) {
        ok = es_table_row(wte, ask->id[i], row, err);
        for (int64_t c = 0; ok && c < C; c++) {
            q[c] += ask->factor[i] * (double)row[c];
            if (!isfinite(row[c]))
                ok = es_fail(err, ES_ERR_VALUE,
                             "row %" PRId32 " of wte has %s in channel %" PRId64
                             ", so nothing is near it",
                             ask->id[i], isnan(row[c]) ? "NaN" : "Inf", c);
        }
    }
    free(row);
    return ok;
}

static void warn_of_nonfinite(const es_call *call, const searching *s)
{
    int64_t n = es_near_nonfinite(s->near);
    if (s->row < 0)
        return;
    es_call_note(call,
                 "%" PRId64 " row%s of wte hold%s NaN or Inf and %s left out; the first "
                 "is in row %" PRId64 ", channel %" PRId64,
                 n, n == 1 ? "" : "s", n == 1 ? "s" : "", n == 1 ? "is" : "are", s->row,
                 s->channel);
}

static bool work_through(es_call *call, searching *s, es_error *err)
{
    if (!es_session_work(call->session, "searching wte", search, s, call->sink, err)) {
        if (err->code == ES_ERR_VALUE)
            es_hint(err, "try: by=euclid, which asks how far apart two points are");
        return false;
    }
    warn_of_nonfinite(call, s);
    return true;
}

static void fill_answer(es_nearest *out, es_context *c, const es_near_ask *ask, searching *s)
{
    *out = (es_nearest){.context = es_context_ref(c), .n_ids = ask->n, .by = ask->by};
    out->ids = es_alloc_array(ask->n, sizeof *out->ids);
    out->factors = es_alloc_array(ask->n, sizeof *out->factors);
    for (size_t i = 0; i < ask->n; i++) {
        out->ids[i] = ask->id[i];
        out->factors[i] = ask->factor[i];
    }
    int64_t V = es_table_rows(s->wte);
    bool floor = ask->by == ES_BY_COSINE && V > 1;
    out->floor = floor ? es_noise_floor(V - 1, es_table_width(s->wte)) : NAN;
    out->left_out = es_near_nonfinite(s->near);
    out->best = s->best;
    out->n = s->found;
    s->best = NULL;
}

static bool find_nearest(es_call *call, const es_near_ask *ask, double *q, es_error *err)
{
    es_context *c = es_session_context(call->session);
    searching s = {.wte = c->model->wte, .top = ask->top, .row = -1};
    s.query = (es_near_query){q, ask->by, ask->id, ask->n};
    if (!sum_rows(q, s.wte, ask, err))
        return false;
    s.near = es_session_near(call->session, err);
    s.best = s.near ? es_try_alloc((size_t)s.top, sizeof *s.best, "the rows", err) : NULL;
    bool ok = s.best && work_through(call, &s, err);
    if (ok) {
        es_nearest found;
        fill_answer(&found, c, ask, &s);
        es_call_answer(call, es_result_near(&found));
    }
    free(s.best);
    return ok;
}

static bool run_near(es_call *call, es_error *err)
{
    es_near_ask ask;
    const es_model *m = es_session_context(call->session)->model;
    if (!es_model_needs_wte(m, err) || !es_near_read(call, &ask, err))
        return false;
    int64_t C = m->config.n_embd;
    double *q = es_alloc_array((size_t)C, sizeof *q);
    bool ok = find_nearest(call, &ask, q, err);
    free(q);
    return ok;
}

static const es_command commands[] = {
    {.group = "vectors",
     .name = "near",
     .args = "TOKEN [+ TOKEN - TOKEN …] [top=N] [by=cosine|dot|euclid]",
     .summary = "the nearest rows of wte, every row compared",
     .help = "Rows of tokens are added and subtracted, times a number where one stands before: "
             "2 * \" king\". The tokens asked for are no answers. Equal rows stand in the order of "
             "their ids. By cosine a line marks the noise floor: what the best of as many random "
             "rows reaches by chance.",
     .example =
         ":near cat\n:near \" king\" - \" man\" + \" woman\" top=5\nThe cat\n:near @1 by=dot",
     .want = ES_WANT_TOKEN,
     .choices = "by=cosine by=dot by=euclid top=",
     .run = run_near},
};

const es_command *es_near_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
