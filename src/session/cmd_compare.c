// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that compare: tokens with each other, looking up with multiplying, adding with concatenating. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "core/ops.h"
#include "layer/cosine.h"
#include "session/commands.h"
#include "session/compare.h"
#include "session/numbers.h"
#include "session/token_name.h"

/* The last text, if it has vectors. */
static es_text *last_text(const es_call *call, bool with_vectors, es_error *err)
{
    es_text *t = es_session_text(call->session);
    if (!t)
        es_no_text_yet(err);
    return t && (!with_vectors || es_text_guard(t, err)) ? t : NULL;
}

/* ---- cosine ---- */

enum { MOST_TOKENS = 2048, MOST_COSINES = MOST_TOKENS * MOST_TOKENS };

/* "@3" of the last text, which is no batch. */
static bool read_place(es_call *call, size_t *at, int64_t *place, es_error *err)
{
    es_arg arg;
    es_token_name name;
    int found = es_arg_next(call, at, &arg, err);
    if (found <= 0)
        return found == 0 && es_call_usage(call, err);
    bool ok = !arg.quoted && es_str_text(&arg.value)[0] == '@';
    if (!ok) {
        es_call_usage(call, err);
        es_error_locate(err, arg.begin, arg.end);
    }
    ok = ok && es_token_named(call, &arg, &name, err);
    es_str_free(&arg.value);
    if (ok)
        *place = name.pos;
    return ok;
}

static bool choose_all(es_cosines *c, es_error *err)
{
    int64_t B = es_text_B(c->text);
    c->of = es_try_alloc((size_t)B, sizeof *c->of, "the texts' matrices", err);
    if (!c->of)
        return false;
    for (c->n = 0; c->n < B; c->n++) {
        const es_sentence *s = &c->text->sentences->of[c->n];
        c->of[c->n] = (es_cosine_part){.b = c->n, .first = s->at, .n = (int64_t)s->tokens.n};
    }
    return true;
}

/* Which tokens: all of each text, or those from one place to another. */
static bool choose(es_cosines *c, es_call *call, es_error *err)
{
    size_t at = call->args;
    if (es_arg_end(call, at, NULL))
        return choose_all(c, err);
    int64_t first = 0, last = 0;
    if (es_text_B(c->text) > 1) {
        es_fail(err, ES_ERR_AMBIGUOUS, "the last text is a batch: places are those of one text");
        es_hint(err, "try: :cosine alone, for all of its texts");
        return es_error_locate(err, at, call->len);
    }
    if (!read_place(call, &at, &first, err) || !read_place(call, &at, &last, err) ||
        !es_arg_end(call, at, err))
        return false;
    if (first > last) {
        es_fail(err, ES_ERR_RANGE, "there are no places from @%" PRId64 " to @%" PRId64, first,
                last);
        es_hint(err, "try: :cosine @%" PRId64 " @%" PRId64, last, first);
        return es_error_locate(err, call->args, call->len);
    }
    c->n = 1;
    c->of = es_alloc(sizeof *c->of);
    c->of[0] = (es_cosine_part){.first = first, .n = last - first + 1};
    return true;
}

/* A matrix grows with the square of its text: the most is said before anything is made. */
static bool small_enough(const es_cosines *c, es_error *err)
{
    double all = 0;
    for (int64_t i = 0; i < c->n; i++)
        all += (double)c->of[i].n * (double)c->of[i].n;
    if (all <= MOST_COSINES)
        return true;
    es_str bytes = {0};
    es_show_bytes(&bytes, 2 * all * sizeof(float));
    if (c->n == 1)
        es_fail(err, ES_ERR_RANGE,
                "%" PRId64 " tokens have two matrices of %.0f cosines (%s); the most is %d tokens",
                c->of[0].n, all, bytes.s, MOST_TOKENS);
    else
        es_fail(err, ES_ERR_RANGE,
                "these %" PRId64 " texts have %.0f cosines, twice (%s); the most is %d", c->n, all,
                bytes.s, MOST_COSINES);
    es_str_free(&bytes);
    if (c->n == 1)
        es_hint(err, "try: :cosine @%" PRId64 " @%" PRId64 " for some of them", c->of[0].first,
                c->of[0].first + 99);
    return false;
}

static es_direction direction_of(const float *v, int64_t C)
{
    bool zero = true;
    for (int64_t c = 0; c < C; c++) {
        if (!isfinite(v[c]))
            return ES_NOT_FINITE;
        zero = zero && v[c] == 0;
    }
    return zero ? ES_LENGTH_ZERO : ES_DIRECTION;
}

/* The rows of both stages, (n, C) each, a block of places at a time. */
static bool read_rows(float *tok, float *x, const es_cosines *c, const es_cosine_part *p,
                      es_watch *watch, es_error *err)
{
    enum { BLOCK = 1 << 18 }; /* numbers */
    int64_t C = c->text->context->model->config.n_embd, some = BLOCK / C + 1;
    bool ok = true;
    for (int64_t i = 0; ok && i < p->n; i += some) {
        es_embedded e = {0};
        int64_t n = p->n - i < some ? p->n - i : some;
        ok = es_watch_step(watch, watch->done, err) &&
             es_text_rows(c->text, p->b, p->first + i, n, &e, err) &&
             es_tensor_read(&e.tok_emb, tok + i * C, err) && es_tensor_read(&e.x, x + i * C, err);
        es_embedded_free(&e);
    }
    return ok;
}

/* The matrix of one stage, and why rows have no cosine. */
static bool fill_stage(float **matrix, es_direction **of, const float *rows, int64_t n,
                       const es_embedding *layer, es_watch *watch, es_error *err)
{
    int64_t C = es_table_width(layer->wte);
    *matrix = es_try_alloc((size_t)(n * n), sizeof **matrix, "the cosines", err);
    *of = es_alloc_array((size_t)n, sizeof **of);
    for (int64_t i = 0; i < n; i++)
        (*of)[i] = direction_of(rows + i * C, C);
    return *matrix && es_cosine_matrix(*matrix, rows, n, C, layer->be, watch, err);
}

static bool compute_part(const es_cosines *c, es_cosine_part *p, es_watch *watch, es_error *err)
{
    const es_embedding *layer = &c->text->context->layer;
    size_t n = (size_t)p->n, C = (size_t)es_table_width(layer->wte);
    float *tok = es_try_alloc(n * C, sizeof *tok, "the rows of tok_emb", err);
    float *x = tok ? es_try_alloc(n * C, sizeof *x, "the rows of x", err) : NULL;
    bool ok = x && read_rows(tok, x, c, p, watch, err) &&
              fill_stage(&p->before, &p->of_before, tok, p->n, layer, watch, err) &&
              fill_stage(&p->after, &p->of_after, x, p->n, layer, watch, err);
    free(tok);
    free(x);
    return ok;
}

static bool compute_cosines(void *work, es_watch *watch, es_error *err)
{
    es_cosines *c = work;
    bool ok = true;
    for (int64_t i = 0; i < c->n; i++)
        watch->total += 2 * (uint64_t)(c->of[i].n * c->of[i].n);
    for (int64_t i = 0; ok && i < c->n; i++)
        ok = c->of[i].n == 0 || compute_part(c, &c->of[i], watch, err);
    return ok;
}

static bool run_cosine(es_call *call, es_error *err)
{
    es_text *t = last_text(call, true, err);
    if (!t)
        return false;
    es_cosines c = {.text = es_text_ref(t)};
    bool ok = choose(&c, call, err) && small_enough(&c, err) &&
              es_session_work(call->session, "comparing", compute_cosines, &c, call->sink, err);
    if (ok)
        es_call_answer(call, es_result_cosine(&c));
    es_cosines_free(&c);
    return ok;
}

/* ---- onehot ---- */

static bool compute_onehot(void *work, es_watch *watch, es_error *err)
{
    es_onehot_answer *a = work;
    const es_text *t = a->text;
    const es_embedding *layer = &t->context->layer;
    return es_onehot_compare(&a->found, layer->be, layer->wte, es_text_ids(t),
                             es_text_B(t) * es_text_T(t), watch, err);
}

/* times=on, or nothing. */
static bool read_times(es_call *call, bool *times, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    *times = false;
    if (found <= 0)
        return found == 0;
    bool off = !strcmp(es_str_text(&arg.value), "times=off");
    *times = !strcmp(es_str_text(&arg.value), "times=on");
    bool ok = es_arg_end(call, at, err);
    if (ok && !*times && !off) {
        ok = es_call_usage(call, err);
        es_error_locate(err, arg.begin, arg.end);
    }
    es_str_free(&arg.value);
    return ok;
}

static bool run_onehot(es_call *call, es_error *err)
{
    bool times;
    es_text *t = read_times(call, &times, err) ? last_text(call, false, err) : NULL;
    if (!t || !es_model_needs_wte(t->context->model, err) ||
        !es_check_ids(es_text_ids(t), es_text_B(t), es_text_T(t),
                      t->context->model->config.vocab_size, "wte", err))
        return false;
    es_onehot_answer a = {.text = es_text_ref(t), .times = times};
    bool ok = es_session_work(call->session, "multiplying", compute_onehot, &a, call->sink, err);
    if (ok)
        es_call_answer(call, es_result_onehot(&a));
    es_text_unref(a.text);
    return ok;
}

/* ---- concat ---- */

/* Cp=N, or C. */
static bool read_width(es_call *call, int64_t *Cp, es_error *err)
{
    enum { MOST_WIDTH = 1 << 20 };
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found <= 0)
        return found == 0;
    bool ok = es_arg_end(call, at, err);
    if (ok && strncmp(es_str_text(&arg.value), "Cp=", 3)) {
        ok = es_call_usage(call, err);
        es_error_locate(err, arg.begin, arg.end);
    }
    es_arg number = {.begin = arg.begin + 3, .end = arg.end};
    if (ok)
        number.value = (es_str){.s = arg.value.s + 3, .len = arg.value.len - 3};
    ok = ok && es_arg_int(&number, "Cp", 1, MOST_WIDTH, Cp, err);
    es_str_free(&arg.value);
    return ok;
}

/* How far from a right angle tok_emb and pos_emb of the first tokens are, on average. */
static bool measure_angle(es_concat *c, es_error *err)
{
    enum { MOST = 256 };
    const es_sentence *s = &c->text->sentences->of[0];
    int64_t n = s->tokens.n < MOST ? (int64_t)s->tokens.n : MOST, C;
    es_embedded e;
    c->angle = NAN;
    if (!n || !c->text->context->layer.wpe || !es_text_guard(c->text, NULL))
        return true;
    if (!es_text_rows(c->text, 0, s->at, n, &e, err))
        return false;
    C = e.x.shape.dim[2];
    float *tok = es_try_alloc((size_t)(n * C), sizeof *tok, "the rows", err);
    float *pos = tok ? es_try_alloc((size_t)(n * C), sizeof *pos, "the rows", err) : NULL;
    bool ok = pos && es_tensor_read(&e.tok_emb, tok, err) && es_tensor_read(&e.pos_emb, pos, err);
    double sum = 0;
    for (int64_t i = 0; ok && i < n; i++) {
        double cosine = es_cosine(tok + i * C, pos + i * C, C);
        c->n += isfinite(cosine);
        sum += isfinite(cosine) ? fabs(cosine) : 0;
    }
    es_backend_ran_beside(e.x.buf->be, "angles");
    c->angle = c->n ? sum / (double)c->n : NAN;
    free(tok);
    free(pos);
    es_embedded_free(&e);
    return ok;
}

static bool run_concat(es_call *call, es_error *err)
{
    es_concat c = {0};
    es_text *t = last_text(call, false, err);
    if (!t)
        return false;
    c.Cp = t->context->model->config.n_embd;
    if (!read_width(call, &c.Cp, err))
        return false;
    c.text = es_text_ref(t);
    bool ok = measure_angle(&c, err);
    if (ok)
        es_call_answer(call, es_result_concat(&c));
    es_text_unref(c.text);
    return ok;
}

static const es_command commands[] = {
    {.group = "vectors",
     .name = "concat",
     .args = "[Cp=N]",
     .summary = "adding positions against concatenating them",
     .help = "What the last text would cost if positions of Cp numbers (C if not said) were put "
             "behind each token's C numbers: for the input alone, brought back to C by a matrix, "
             "and for the whole stream, where every block's matrices grow.",
     .example = "The cat sat\n:concat\n:concat Cp=16",
     .run = run_concat},
    {.group = "vectors",
     .name = "cosine",
     .args = "[@FIRST @LAST]",
     .summary = "how alike the tokens' directions are, before and after adding positions",
     .help = "The cosine of every two tokens of the last text: of their tok_emb, then of their x. "
             "1 is the same direction, 0 a right angle. At most 2,048 tokens; two places choose "
             "some of a longer text.",
     .example = "The cat sat on the cat\n:cosine\n:cosine @1 @5",
     .run = run_cosine},
    {.group = "vectors",
     .name = "onehot",
     .args = "[times=on]",
     .summary = "looking up against one-hot × matrix: equal, at what cost",
     .help = "Both are really computed for the last text, the product in blocks of wte's rows. "
             "times=on says how long each took; without it the same text gives the same answer to "
             "the byte.",
     .example = "The cat sat\n:onehot",
     .want = ES_WANT_CHOICE,
     .choices = "times=on",
     .run = run_onehot},
};

const es_command *es_compare_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
