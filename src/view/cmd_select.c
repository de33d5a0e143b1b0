// SPDX-License-Identifier: GPL-3.0-or-later
/* :select and :selection: tokens inside of a rectangle or a shape drawn by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/lasso.h"
#include "view/map.h"

/* Along an axis of the map; points are float32, and what is drawn may reach beyond them. */
#define FAR 1e100

typedef struct range {
    double low, high;
} range;

/* What is asked for: a rectangle, or a lasso of n corners. */
typedef struct wanted {
    bool lasso, add; /* add: to what is selected already */
    range of[2];
    double corner[ES_LASSO_CORNERS][2];
    size_t n;
} wanted;

/* ---- reading ---- */

/* "x=A..B": the numbers in either order. */
static bool read_range(const es_call *call, const es_arg *arg, range of[2], es_error *err)
{
    static const char words[] = "lasso add none";
    const char *word = es_str_text(&arg->value), *dots = strstr(word, "..");
    bool is = (word[0] == 'x' || word[0] == 'y') && word[1] == '=' && dots;
    double a, b;
    if (!is) {
        es_cmd_stray(call, arg, words, err);
        return es_hint(err, "a range has two ends: x=-1..1");
    }
    size_t middle = (size_t)(dots - word);
    if (!es_cmd_number(arg, 2, middle, "the first end", -FAR, FAR, &a, err) ||
        !es_cmd_number(arg, middle + 2, arg->value.len, "the second end", -FAR, FAR, &b, err))
        return false;
    of[word[0] - 'x'] = (range){fmin(a, b), fmax(a, b)};
    return true;
}

/* "X,Y" */
static bool read_corner(const es_arg *arg, wanted *w, es_error *err)
{
    const char *word = es_str_text(&arg->value), *comma = memchr(word, ',', arg->value.len);
    size_t middle = comma ? (size_t)(comma - word) : 0;
    if (w->n == ES_LASSO_CORNERS) {
        es_fail(err, ES_ERR_VALUE, "a lasso has at most %d corners", ES_LASSO_CORNERS);
        return es_error_locate(err, arg->begin, arg->end);
    }
    if (!comma) {
        es_fail(err, ES_ERR_VALUE, "a corner of a lasso is two numbers: X,Y");
        es_error_locate(err, arg->begin, arg->end);
        return es_hint(err, "try: :select lasso 0,0 1,0 1,1");
    }
    if (!es_cmd_number(arg, 0, middle, "X of a corner", -FAR, FAR, &w->corner[w->n][0], err) ||
        !es_cmd_number(arg, middle + 1, arg->value.len, "Y of a corner", -FAR, FAR,
                       &w->corner[w->n][1], err))
        return false;
    w->n++;
    return true;
}

static bool read_word(const es_call *call, const es_arg *arg, bool first, wanted *w, es_error *err)
{
    const char *word = es_str_text(&arg->value);
    if (!strcmp(word, "add")) {
        w->add = true;
        return true;
    }
    if (first && !strcmp(word, "lasso")) {
        w->lasso = true;
        return true;
    }
    return w->lasso ? read_corner(arg, w, err) : read_range(call, arg, w->of, err);
}

static bool read_wanted(const es_call *call, wanted *w, es_error *err)
{
    es_arg arg;
    size_t at = call->args, shapes = 0;
    int found;
    *w = (wanted){.of = {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}}};
    for (bool first = true; (found = es_arg_next(call, &at, &arg, err)) > 0; first = false) {
        bool ok = read_word(call, &arg, first, w, err);
        shapes += strcmp(es_str_text(&arg.value), "add") != 0;
        es_str_free(&arg.value);
        if (!ok)
            return false;
    }
    if (found < 0)
        return false;
    if (!shapes)
        return es_call_usage(call, err);
    if (!w->lasso || w->n >= ES_LASSO_LEAST)
        return true;
    es_fail(err, ES_ERR_VALUE, "a lasso has %d corners or more, and this has %zu", ES_LASSO_LEAST,
            w->n);
    es_error_locate(err, call->args, call->len);
    return es_hint(err, "try: :select lasso 0,0 1,0 1,1");
}

/* ---- selecting ---- */

static bool has_plane(const es_viewer *v, es_error *err)
{
    if (v->view != ES_VIEW_MAP) {
        es_fail(err, ES_ERR_VALUE, "tokens are selected in the map, and %s is shown",
                es_view_kind_at((int)v->view)->name);
        return es_hint(err, "try: :show map");
    }
    if (v->camera[v->view].solid) {
        es_fail(err, ES_ERR_VALUE,
                "tokens are selected in the plane, and the map is shown in space");
        return es_hint(err, "try: :camera 2d");
    }
    return true;
}

/* The search for what is inside, and what it found. */
typedef struct search {
    const es_map *map;
    const wanted *wanted;
    range box[2]; /* around the shape */
    int32_t *ids;
    size_t n;
} search;

static void bound(search *s)
{
    const wanted *w = s->wanted;
    memcpy(s->box, w->of, sizeof s->box);
    for (int k = 0; w->lasso && k < 2; k++) {
        s->box[k] = (range){INFINITY, -INFINITY};
        for (size_t i = 0; i < w->n; i++) {
            s->box[k].low = fmin(s->box[k].low, w->corner[i][k]);
            s->box[k].high = fmax(s->box[k].high, w->corner[i][k]);
        }
    }
}

/* NaN is nowhere. */
static bool is_inside(const search *s, const float *at)
{
    for (int k = 0; k < 2; k++)
        if (!((double)at[k] >= s->box[k].low && (double)at[k] <= s->box[k].high))
            return false;
    const wanted *w = s->wanted;
    return !w->lasso || es_lasso_has(w->corner, w->n, (double)at[0], (double)at[1]);
}

static bool find_inside(void *work, es_watch *watch, es_error *err)
{
    enum { LOOK = 4096 }; /* points, each of which may be held against every corner */
    search *s = work;
    const es_map *m = s->map;
    for (int64_t i = 0; i < m->n; i++) {
        if (i % LOOK == 0 && !es_watch_step(watch, (uint64_t)i, err))
            return false;
        if (!(m->hides && m->aside[i]) && is_inside(s, m->at + 3 * i))
            s->ids[s->n++] = (int32_t)i;
    }
    return true;
}

/* Both in order, each id once, into out. */
static size_t unite(const int32_t *a, size_t n_a, const int32_t *b, size_t n_b, int32_t *out)
{
    size_t i = 0, j = 0, n = 0;
    while (i < n_a || j < n_b) {
        bool from_a = j == n_b || (i < n_a && a[i] <= b[j]);
        int32_t id = from_a ? a[i] : b[j];
        i += i < n_a && a[i] == id;
        j += j < n_b && b[j] == id;
        out[n++] = id;
    }
    return n;
}

/* How many are new. */
static size_t add_to_selection(es_session *session, const search *s)
{
    size_t before, n;
    const int32_t *now = es_session_selection(session, &before);
    int32_t *all = es_alloc_array(before + s->n + 1, sizeof *all);
    n = unite(now, before, s->ids, s->n, all);
    es_session_select(session, all, n);
    free(all);
    return n - before;
}

static void take_over(es_call *call, es_viewer *v, const search *s)
{
    if (s->wanted->add) {
        size_t all, more = add_to_selection(call->session, s);
        es_session_selection(call->session, &all);
        es_call_note(call, "selected: %zu more, %zu in all", more, all);
    } else {
        es_session_select(call->session, s->ids, s->n);
        if (s->n)
            es_call_note(call, "selected: %zu; :selection lists them, sel is their ids", s->n);
        else
            es_call_note(call, "selected: none, no token is there");
    }
    es_cmd_look_at_isolated(v);
}

static bool select_inside(es_call *call, es_viewer *v, es_error *err)
{
    wanted w;
    if (!read_wanted(call, &w, err) || !has_plane(v, err) || !es_viewer_make(v, call->sink, err))
        return false;
    search s = {.map = es_map_follow(v), .wanted = &w};
    bound(&s);
    s.ids = es_try_alloc((size_t)s.map->n + 1, sizeof *s.ids, "the selection", err);
    bool ok =
        s.ids && es_session_work(call->session, "selecting", find_inside, &s, call->sink, err);
    if (ok)
        take_over(call, v, &s);
    free(s.ids);
    return ok;
}

bool es_cmd_select(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    if (es_arg_end(call, call->args, NULL))
        return es_call_usage(call, err);
    if (es_arg_is(call, call->args, "none"))
        es_session_select(call->session, NULL, 0);
    else if (!select_inside(call, v, err))
        return false;
    es_cmd_done(call);
    return true;
}

/* ---- what is selected ---- */

static bool read_top(const es_call *call, int64_t *top, es_error *err)
{
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    bool ok = found == 0;
    if (found > 0 && arg.value.len > 4 && !memcmp(arg.value.s, "top=", 4)) {
        es_arg number = {.begin = arg.begin + 4, .end = arg.end};
        es_str_cat(&number.value, arg.value.s + 4);
        ok = es_arg_int(&number, "top", 1, INT32_MAX, top, err) && es_arg_end(call, at, err);
        es_str_free(&number.value);
    } else if (found > 0) {
        ok = es_cmd_stray(call, &arg, "top=", err);
    }
    es_str_free(&arg.value);
    return ok;
}

bool es_cmd_selection(es_call *call, es_error *err)
{
    es_found picked = {0};
    int64_t top = 0;
    if (!read_top(call, &top, err))
        return false;
    const int32_t *ids = es_session_selection(call->session, &picked.n);
    picked.context = es_context_ref(es_session_context(call->session));
    picked.ids = es_alloc_array(picked.n ? picked.n : 1, sizeof *picked.ids);
    picked.top = (size_t)top;
    if (picked.n)
        memcpy(picked.ids, ids, picked.n * sizeof *ids);
    if (!picked.n)
        es_call_note(call, "try: :select x=-1..1 y=-1..1, or Shift and a drag in the window's map");
    es_call_answer(call, es_result_selection(&picked));
    return true;
}
