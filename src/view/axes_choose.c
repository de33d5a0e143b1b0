// SPDX-License-Identifier: GPL-3.0-or-later
/* Of which tokens the axes are made: as :axes is told, and where nobody has chosen. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/token_name.h"
#include "view/axes.h"

enum {
    SUMS = 3,         /* of an axis: one more than it can have */
    MOST_TRIES = 1024 /* rows looked at */
};

static const char *const usual_words[2][2] = {{" he", " she"}, {" man", " men"}};

/* ---- what was typed, axis by axis ---- */

/* Where the first ';' outside of quotes is, from `at` on; len: there is none. */
static size_t part_end(const es_call *call, size_t at)
{
    bool quoted = false;
    for (; at < call->len; at++) {
        char ch = call->line[at];
        if (quoted && ch == '\\')
            at++;
        else if (ch == '"')
            quoted = !quoted;
        else if (ch == ';' && !quoted)
            return at;
    }
    return call->len;
}

static bool has_sign(const es_near_ask *sum, bool minus)
{
    for (size_t i = 0; i < sum->n; i++)
        if (minus ? sum->factor[i] < 0 : sum->factor[i] > 0)
            return true;
    return false;
}

/* One sum that is a difference: from what is subtracted to what is added. */
static void split_difference(const es_near_ask *sum, es_near_ask *from, es_near_ask *to)
{
    *from = *to = (es_near_ask){.n = 0};
    for (size_t i = 0; i < sum->n; i++) {
        es_near_ask *side = sum->factor[i] < 0 ? from : to;
        side->id[side->n] = sum->id[i];
        side->factor[side->n++] = fabs(sum->factor[i]);
    }
}

static bool lonely(const es_call *call, const es_near_ask *sum, size_t begin, es_error *err)
{
    es_str name = {0};
    es_axes_sum_name(es_session_context(call->session), sum, &name);
    es_fail(err, ES_ERR_VALUE, "an axis goes from one token to another, and %s is alone", name.s);
    es_hint(err, "try: :axes \" he\" \" she\", or the analogy \" king\" - \" man\" + \" woman\"");
    es_str_free(&name);
    return es_error_locate(err, begin, call->len);
}

/* The sums of one axis, or of an analogy; `part` ends where the axis does. */
static bool read_axis(const es_call *part, int k, es_axes_chosen *out, bool *difference,
                      es_near_ask sums[SUMS], es_str *notes, es_error *err)
{
    size_t begin[SUMS];
    int n;
    if (!es_near_sums(part, sums, begin, SUMS, &n, notes, err))
        return false;
    if (n == 0)
        return es_call_usage(part, err);
    if (n > 2) {
        es_fail(err, ES_ERR_VALUE, "an axis goes from one token to another, and this is a third");
        es_hint(err, "a second axis stands behind a semicolon: :axes \" he\" \" she\"; \" man\" "
                     "\" men\"");
        return es_error_locate(err, begin[2], part->len);
    }
    *difference = n == 1;
    if (n == 1 && !(has_sign(&sums[0], true) && has_sign(&sums[0], false)))
        return lonely(part, &sums[0], begin[0], err);
    if (n == 1) {
        split_difference(&sums[0], &out->from[k], &out->to[k]);
    } else {
        out->from[k] = sums[0];
        out->to[k] = sums[1];
    }
    return true;
}

/* Is the sum a - b + c, with no numbers before its tokens? */
static bool is_analogy(const es_near_ask *sum)
{
    int minus = 0;
    for (size_t i = 0; i < sum->n; i++) {
        if (fabs(sum->factor[i]) != 1)
            return false;
        minus += sum->factor[i] < 0;
    }
    return sum->n == 3 && minus == 1;
}

/* a is the first that is added, c the other. */
static void take_analogy(const es_near_ask *sum, es_axes_chosen *out)
{
    int32_t *plus = &out->a;
    for (size_t i = 0; i < sum->n; i++) {
        if (sum->factor[i] < 0) {
            out->b = sum->id[i];
            continue;
        }
        *plus = sum->id[i];
        plus = &out->c;
    }
    out->form = ES_AXES_ANALOGY;
}

/* ---- is there a direction? ---- */

static bool add_sum(double *to, const es_context *c, const es_near_ask *sum, double sign,
                    float *row, es_error *err)
{
    int64_t C = c->model->config.n_embd;
    for (size_t i = 0; i < sum->n; i++) {
        if (!es_table_row(c->model->wte, sum->id[i], row, err))
            return false;
        for (int64_t k = 0; k < C; k++) {
            to[k] += sign * sum->factor[i] * (double)row[k];
            if (!isfinite(row[k]))
                return es_fail(err, ES_ERR_VALUE,
                               "row %" PRId32 " of wte has %s in channel %" PRId64
                               ", so no axis goes there",
                               sum->id[i], isnan(row[k]) ? "NaN" : "Inf", k);
        }
    }
    return true;
}

bool es_axes_difference(double *out, const es_context *c, const es_near_ask *from,
                        const es_near_ask *to, es_error *err)
{
    int64_t C = c->model->config.n_embd;
    float *row = es_try_alloc((size_t)C, sizeof *row, "a row", err);
    memset(out, 0, (size_t)C * sizeof *out);
    bool ok = row && add_sum(out, c, to, 1, row, err) && add_sum(out, c, from, -1, row, err);
    free(row);
    return ok;
}

static bool all_zero(const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

static bool same_sum(const es_near_ask *x, const es_near_ask *y)
{
    if (x->n != y->n)
        return false;
    for (size_t i = 0; i < x->n; i++)
        if (x->id[i] != y->id[i] || x->factor[i] != y->factor[i])
            return false;
    return true;
}

bool es_axes_same(const es_axes_chosen *x, const es_axes_chosen *y)
{
    bool same = x->form == y->form;
    for (int k = 0; same && k < (x->form == ES_AXES_ONE ? 1 : 2); k++)
        same = same_sum(&x->from[k], &y->from[k]) && same_sum(&x->to[k], &y->to[k]);
    return same;
}

static bool no_direction(const es_context *c, const es_near_ask *from, const es_near_ask *to,
                         es_error *err)
{
    es_str a = {0}, b = {0};
    es_axes_sum_name(c, from, &a);
    es_axes_sum_name(c, to, &b);
    if (same_sum(from, to))
        es_fail(err, ES_ERR_VALUE, "both ends of the axis are %s: it has no direction", a.s);
    else
        es_fail(err, ES_ERR_VALUE,
                "%s and %s are one point in wte: an axis between them has no "
                "direction",
                a.s, b.s);
    es_str_free(&a);
    es_str_free(&b);
    return false;
}

bool es_axes_direction(double *out, const es_context *c, const es_near_ask *from,
                       const es_near_ask *to, es_error *err)
{
    if (!es_axes_difference(out, c, from, to, err))
        return false;
    return !all_zero(out, c->model->config.n_embd) || no_direction(c, from, to, err);
}

/* ---- all that was typed ---- */

static es_near_ask one_token(int32_t id)
{
    return (es_near_ask){.id = {id}, .factor = {1}, .n = 1};
}

/* The axes of an analogy are those from b to c and from b to a. */
static bool finish_analogy(const es_call *call, es_axes_chosen *out, es_error *err)
{
    if (out->a == out->b || out->b == out->c || out->a == out->c) {
        es_fail(err, ES_ERR_VALUE,
                "an analogy is made of three tokens, and one of these is there "
                "twice");
        es_hint(err, "try: :axes \" king\" - \" man\" + \" woman\"");
        return es_error_locate(err, call->args, call->len);
    }
    out->from[0] = out->from[1] = one_token(out->b);
    out->to[0] = one_token(out->c);
    out->to[1] = one_token(out->a);
    return true;
}

static bool read_parts(const es_call *call, es_axes_chosen *out, es_str *notes, es_error *err)
{
    es_near_ask sums[SUMS];
    bool difference = false;
    int n = 0;
    for (size_t at = call->args; n == 0 || at < call->len; n++) {
        es_call part = *call;
        part.args = at;
        part.len = part_end(call, at);
        if (n == 2) {
            es_fail(err, ES_ERR_RANGE, "a picture has two axes, x and y, and this is a third");
            return es_error_locate(err, at, call->len);
        }
        if (!read_axis(&part, n, out, &difference, sums, notes, err))
            return false;
        if (n == 0 && part.len == call->len && difference && is_analogy(&sums[0])) {
            take_analogy(&sums[0], out);
            return finish_analogy(call, out, err);
        }
        at = part.len + 1;
    }
    out->form = n == 2 ? ES_AXES_TWO : ES_AXES_ONE;
    return true;
}

static bool has_rows(const es_near_ask *sum, const es_model *m, es_error *err)
{
    for (size_t i = 0; i < sum->n; i++)
        if (!es_token_has_row(m, sum->id[i], NULL, err))
            return false;
    return true;
}

bool es_axes_fit(const es_context *c, const es_axes_chosen *of, es_error *err)
{
    int n = of->form == ES_AXES_ONE ? 1 : 2;
    double *room = es_alloc_array((size_t)c->model->config.n_embd + 1, sizeof *room);
    bool ok = true;
    for (int k = 0; ok && k < n; k++)
        ok = has_rows(&of->from[k], c->model, err) && has_rows(&of->to[k], c->model, err) &&
             es_axes_direction(room, c, &of->from[k], &of->to[k], err);
    free(room);
    return ok;
}

bool es_axes_read(const es_call *call, es_axes_chosen *out, es_error *err)
{
    const es_context *c = es_session_context(call->session);
    es_str notes = {0};
    *out = (es_axes_chosen){.a = -1, .b = -1, .c = -1};
    bool ok = es_model_needs_wte(c->model, err) && read_parts(call, out, &notes, err) &&
              (es_axes_fit(c, out, err) || es_error_locate(err, call->args, call->len));
    es_near_tell(call, &notes); /* of axes that cannot be too: which tokens these are is why */
    es_str_free(&notes);
    return ok;
}

/* ---- where nothing was chosen ---- */

static bool find_usual(const es_context *c, es_axes_chosen *out)
{
    for (int k = 0; k < 2; k++)
        for (int end = 0; end < 2; end++) {
            const char *word = usual_words[k][end];
            int32_t id = es_bpe_find(c->bpe, word, strlen(word));
            if (id < 0 || id >= c->model->config.vocab_size)
                return false;
            *(end ? &out->to[k] : &out->from[k]) = one_token(id);
        }
    return true;
}

static bool usable(const es_context *c, const es_axes_chosen *of)
{
    return es_axes_fit(c, of, NULL);
}

bool es_axes_usual(const es_context *c, es_axes_chosen *out, es_str *why)
{
    int64_t V = c->model->config.vocab_size, last = V - 1;
    *out = (es_axes_chosen){.form = ES_AXES_TWO, .a = -1, .b = -1, .c = -1};
    if (find_usual(c, out) && usable(c, out))
        return true;
    out->form = ES_AXES_ONE; /* from the first row to the last that is another */
    for (; last > 0 && V - last <= MOST_TRIES; last--) {
        out->from[0] = one_token(0);
        out->to[0] = one_token((int32_t)last);
        if (usable(c, out))
            return true;
    }
    es_str_cat(why, V < 2 ? "An axis goes from one row of wte to another, and there is but one."
                          : "The first and the last rows of wte are the same: there is no axis "
                            "between them. :axes makes one of other tokens.");
    return false;
}
