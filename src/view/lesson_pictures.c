// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/lesson_pictures.h"

#include <string.h>

#include "base/visible.h"
#include "view/axes.h"

#define SENTENCE "The cat sat on the mat"

/* docs/guide.md says who has shown each first. */
static const es_lesson_picture pictures[ES_LESSON_PICTURES] = {
    {.title = "Positions, joined in order",
     .line = {":show positions components", ":camera fit turn=60 tilt=20 3d"},
     .view = ES_VIEW_POSITIONS,
     .part = " components",
     .positions = true},
    {.title = "How alike positions are, learned and computed",
     .line = {":show positions beside"},
     .view = ES_VIEW_POSITIONS,
     .part = " beside",
     .positions = true},
    {.title = "How long the rows of positions are",
     .line = {":show positions lengths"},
     .view = ES_VIEW_POSITIONS,
     .part = " lengths",
     .positions = true},
    {.title = "How long the rows of tokens are, and how often these were seen",
     .line = {":show variance lengths"},
     .view = ES_VIEW_VARIANCE,
     .part = " lengths",
     .rows = true},
    {.title = "Glitch tokens and the mean",
     .line = {":show variance outliers"},
     .view = ES_VIEW_VARIANCE,
     .part = " outliers",
     .rows = true,
     .token = {" SolidGoldMagikarp", " petertodd"}},
    {.title = "What a space before a word changes",
     .line = {":show pairs", ":camera fit"},
     .view = ES_VIEW_PAIRS,
     .rows = true,
     .token = {"cat", " cat"}},
    {.title = "Numbers, joined in order",
     .line = {":show series numbers", ":camera fit"},
     .view = ES_VIEW_SERIES,
     .rows = true,
     .token = {"1", "2", "3", "4"}},
    {.title = "A token at every position is the positions' curve, moved",
     .line = {":show offset \" cat\" \" dog\"", ":camera fit"},
     .view = ES_VIEW_OFFSET,
     .positions = true,
     .rows = true,
     .token = {" cat", " dog"}},
    {.title = "A lookup is a product with a one-hot row",
     .line = {":show onehot"},
     .view = ES_VIEW_ONEHOT,
     .rows = true,
     .token = {"The", " cat"},
     .text = true},
    {.title = "Is there a cone?",
     .line = {":show variance cosines"},
     .view = ES_VIEW_VARIANCE,
     .part = " cosines",
     .rows = true},
    {.title = "What two components keep, and whom they tear apart",
     .line = {":layout pca", ":components 1 2", ":labels 40", ":torn \" cat\"", ":show map 2d"},
     .view = ES_VIEW_MAP,
     .rows = true,
     .token = {" cat"}},
    {.title = "An analogy as a parallelogram",
     .line = {":axes \" king\" - \" man\" + \" woman\""},
     .view = ES_VIEW_AXES,
     .rows = true,
     .token = {" king", " man", " woman"}},
};

void es_lesson_says_free(es_lesson_says *says)
{
    es_str_free(&says->see);
    es_str_free(&says->beware);
}

const es_lesson_picture *es_lesson_picture_at(int n)
{
    return n >= 1 && n <= ES_LESSON_PICTURES ? &pictures[n - 1] : NULL;
}

/* ---- what it needs of the model ---- */

static bool has_token(const es_context *c, const char *token, int n, es_error *err)
{
    int32_t id = es_bpe_find(c->bpe, token, strlen(token));
    if (id >= 0 && id < c->model->config.vocab_size)
        return true;
    es_str shown = {0};
    es_show_quoted(&shown, token, strlen(token));
    es_fail(err, ES_ERR_VALUE, "picture %d is about %s, and %s", n, shown.s,
            id < 0 ? "the vocabulary has no such token" : "wte has no row for it");
    es_str_free(&shown);
    return es_hint(err, "try: :model mini, which has GPT-2's vocabulary");
}

bool es_lesson_picture_fits(const es_viewer *v, int n, es_error *err)
{
    const es_lesson_picture *p = es_lesson_picture_at(n);
    const es_context *c = es_session_context(v->session);
    if (p->positions && es_table_rows(c->model->wpe) < 3) {
        es_fail(err, ES_ERR_VALUE,
                "picture %d is of learned positions, and the model %s has %s of them", n,
                c->model->name, es_table_rows(c->model->wpe) ? "too few" : "none");
        return es_hint(err, "try: :model mini, or --wpe FILE with GPT-2's own");
    }
    if (p->rows && !es_model_needs_wte(c->model, err))
        return false;
    for (int k = 0; k < ES_LESSON_TOKENS && p->token[k]; k++)
        if (!has_token(c, p->token[k], n, err))
            return false;
    return true;
}

/* ---- its lines ---- */

/* Lines are run for what they do; what they answer is the picture, which comes once, at the end. */
typedef struct running {
    const es_sink *sink;
    es_error *err;
} running;

static void no_result(void *user, es_result *r)
{
    (void)user;
    es_result_free(r);
}

static void keep_error(void *user, const es_error *err, const char *line, size_t len,
                       es_result *partial)
{
    const running *r = user;
    (void)line, (void)len, (void)partial;
    es_fail(r->err, err->code, "%s", err->message);
    if (err->hint)
        es_hint(r->err, "%s", err->hint);
}

static void no_note(void *user, const char *text, bool person)
{
    (void)user, (void)text, (void)person;
}

static void pass_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    const running *r = user;
    r->sink->progress(r->sink->user, what, done, total);
}

static bool set_text(es_viewer *v, const es_sink *sink, es_error *err)
{
    const char *bytes = SENTENCE;
    const size_t len = sizeof SENTENCE - 1;
    if (es_session_text(v->session))
        return true;
    es_text *t = es_session_read(v->session, &bytes, &len, 1, sink, err);
    if (t)
        es_session_keep(v->session, t);
    return t != NULL;
}

static bool run_lines(es_viewer *v, const es_lesson_picture *p, const es_sink *sink, es_error *err)
{
    running r = {sink, err};
    const es_sink quiet = {&r, no_result, keep_error, no_note, pass_progress, NULL};
    for (int i = 0; i < ES_LESSON_LINES && p->line[i]; i++)
        if (es_session_run_part(v->session, p->line[i], strlen(p->line[i]), &quiet) != ES_DONE)
            return false;
    return true;
}

bool es_lesson_picture_show(es_viewer *v, int n, const es_sink *sink, es_error *err)
{
    const es_lesson_picture *p = es_lesson_picture_at(n);
    es_view_id before = v->view;
    int lesson = v->lesson;
    es_viewer_follow(v);
    bool ok = es_lesson_picture_fits(v, n, err) && (!p->text || set_text(v, sink, err)) &&
              run_lines(v, p, sink, err);
    if (!ok)
        v->view = before;
    v->lesson = ok ? n : lesson;
    es_session_touch(v->session);
    return ok;
}

/* ---- is it still the one? ---- */

static bool same_part(const es_viewer *v, const es_lesson_picture *p)
{
    const es_view_kind *kind = es_view_kind_at((int)p->view);
    es_str part = {0};
    if (p->part && kind->as_shown)
        kind->as_shown(v, &part);
    bool same = !p->part || !strcmp(es_str_text(&part), p->part);
    es_str_free(&part);
    return same;
}

/* The map of components, an analogy: these views have others. */
static bool same_form(const es_viewer *v, const es_lesson_picture *p)
{
    const es_axes_chosen *axes = v->chosen[ES_VIEW_AXES];
    if (p->view == ES_VIEW_AXES)
        return axes && axes->form == ES_AXES_ANALOGY;
    return p->view != ES_VIEW_MAP || v->layout == ES_LAYOUT_PCA;
}

int es_lesson_picture_shown(const es_viewer *v)
{
    const es_lesson_picture *p = es_lesson_picture_at(v->lesson);
    es_error err = ES_ERROR_NONE;
    if (!p || v->view != p->view || !same_part(v, p) || !same_form(v, p))
        return 0;
    bool fits = es_lesson_picture_fits(v, v->lesson, &err);
    es_error_free(&err);
    return fits ? v->lesson : 0;
}

void es_lesson_picture_say(es_viewer *v, int n, es_lesson_says *says)
{
    es_lesson_words[n - 1](v, says);
}
