// SPDX-License-Identifier: GPL-3.0-or-later
/* :contexts, where a token and its neighbours stand in the boxed text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/commands.h"
#include "session/contexts.h"
#include "session/near_query.h"

enum { TOP = 5, MOST_TOP = 1000, MOST_LINES = 1000, LINES = 5, LINES_OF_NEIGHBOURS = 2 };

typedef struct asked {
    int32_t id;
    int64_t top, lines; /* lines 0: as many as is usual */
} asked;

/* "top=5": the number, and *at behind it; 0: something else stands there. */
static int read_option(const es_call *call, size_t *at, asked *a, es_error *err)
{
    const struct {
        const char *name;
        int64_t low, high, *value;
    } options[] = {{"top=", 0, MOST_TOP, &a->top}, {"lines=", 1, MOST_LINES, &a->lines}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t n = strlen(options[i].name), next = *at;
        if (call->len - *at < n || memcmp(call->line + *at, options[i].name, n))
            continue;
        es_arg arg;
        if (es_arg_next(call, &next, &arg, err) < 0)
            return -1;
        es_arg number = {.value = {.s = arg.value.s + n, .len = arg.value.len - n},
                         .begin = arg.begin + n,
                         .end = arg.end};
        char what[16] = "";
        memcpy(what, options[i].name, n - 1);
        bool ok = es_arg_int(&number, what, options[i].low, options[i].high, options[i].value, err);
        es_str_free(&arg.value);
        *at = next;
        return ok ? 1 : -1;
    }
    return 0;
}

static size_t after_blanks(const es_call *call, size_t at)
{
    while (at < call->len && strchr(" \t\r\n", call->line[at]) && call->line[at])
        at++;
    return at;
}

static bool read_asked(const es_call *call, asked *a, es_error *err)
{
    bool named = false;
    for (size_t at = after_blanks(call, call->args); at < call->len; at = after_blanks(call, at)) {
        int option = read_option(call, &at, a, err);
        if (option < 0)
            return false;
        if (option)
            continue;
        if (named)
            return es_arg_end(call, at, err);
        if (!es_near_token(call, &at, &a->id, err))
            return false;
        named = true;
    }
    return named || es_call_usage(call, err);
}

/* ---- what stands where ---- */

static es_stands stands(const es_boxed *b, int32_t id, double score, int64_t most)
{
    es_stands s = {.id = id, .score = score, .times = id < b->vocab_size ? b->counts[id] : 0};
    int64_t shown = s.times < most ? s.times : most, seen = 0;
    s.at = es_alloc_array((size_t)(shown ? shown : 1), sizeof *s.at);
    for (size_t i = 0; i < b->tokens.n && (int64_t)s.n_at < shown; i++) {
        if (b->tokens.id[i] != id)
            continue;
        if (seen++ == (int64_t)s.n_at * s.times / shown)
            s.at[s.n_at++] = i;
    }
    return s;
}

typedef struct searching {
    es_near *near;
    es_near_query query;
    es_neighbour *best;
    int64_t top, found;
} searching;

static bool search(void *work, es_watch *watch, es_error *err)
{
    searching *s = work;
    return es_near_search(s->near, s->best, s->top, &s->found, &s->query, watch, err);
}

/* q = the token's row. */
static bool read_row(double *q, const es_table *wte, int32_t id, es_error *err)
{
    int64_t C = es_table_width(wte);
    float *row = es_try_alloc((size_t)C, sizeof *row, "a row", err);
    bool ok = row && es_table_row(wte, id, row, err);
    for (int64_t c = 0; ok && c < C; c++) {
        q[c] = (double)row[c];
        if (!isfinite(row[c]))
            ok = es_fail(err, ES_ERR_VALUE,
                         "row %" PRId32 " of wte has %s in channel %" PRId64
                         ", so nothing is near it",
                         id, isnan(row[c]) ? "NaN" : "Inf", c);
    }
    free(row);
    return ok;
}

/* s->best = the rows nearest to the token's. */
static bool find_neighbours(es_call *call, searching *s, const asked *a, double *q, es_error *err)
{
    es_session *session = call->session;
    bool ok = read_row(q, es_session_context(session)->model->wte, a->id, err);
    s->near = ok ? es_session_near(session, err) : NULL;
    s->query = (es_near_query){q, ES_BY_COSINE, &a->id, 1};
    ok = s->near && es_session_work(session, "searching wte", search, s, call->sink, err);
    if (!ok && err->code == ES_ERR_VALUE)
        es_hint(err, "try: top=0, which looks for the token alone");
    return ok;
}

static void answer(es_call *call, const asked *a, const searching *s, const es_boxed *boxed)
{
    es_contexts c = {.context = es_context_ref(es_session_context(call->session)),
                     .boxed = boxed,
                     .n = 1 + (size_t)s->found};
    int64_t own = a->lines ? a->lines : LINES, theirs = a->lines ? a->lines : LINES_OF_NEIGHBOURS;
    c.of = es_alloc_array(c.n, sizeof *c.of);
    c.of[0] = stands(boxed, a->id, 1, own);
    for (int64_t i = 0; i < s->found; i++)
        c.of[i + 1] = stands(boxed, (int32_t)s->best[i].id, s->best[i].score, theirs);
    es_call_answer(call, es_result_contexts(&c));
}

static bool run_contexts(es_call *call, es_error *err)
{
    asked a = {.top = TOP};
    const es_model *m = es_session_context(call->session)->model;
    if (!es_model_needs_wte(m, err) || !read_asked(call, &a, err))
        return false;
    const es_boxed *boxed = es_session_boxed(call->session, err);
    if (!boxed)
        return false;
    searching s = {.top = a.top};
    double *q = es_alloc_array((size_t)m->config.n_embd, sizeof *q);
    s.best = es_alloc_array((size_t)a.top + 1, sizeof *s.best);
    bool ok = !a.top || find_neighbours(call, &s, &a, q, err);
    if (ok)
        answer(call, &a, &s, boxed);
    free(s.best);
    free(q);
    return ok;
}

static const es_command commands[] = {
    {.group = "training",
     .name = "contexts",
     .args = "TOKEN [top=N] [lines=N]",
     .summary = "lines of the boxed text in which a token and its neighbours stand",
     .help = "The boxed text comes with the program, and :train learns from it: tales and the "
             "countries of the "
             "world. Each line has the token in the middle; of a token that stands there often, a "
             "few places "
             "are shown, spread evenly. top= is how many of the nearest rows of wte are looked up "
             "as well, "
             "lines= how many lines each token gets.",
     .example = ":contexts \" King\"\n:contexts \" King\" top=0 lines=10",
     .want = ES_WANT_TOKEN,
     .choices = "top= lines=",
     .run = run_contexts},
};

const es_command *es_contexts_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
