// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/pairs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "session/numbers.h"
#include "view/row_named.h"

/* ---- what is kept ---- */

typedef struct kept {
    bool made; /* or it cannot be, and `why` says so */
    uint64_t seed;
    es_pairs pairs;
    es_str why;
    es_pairs_picture picture;
} kept;

static kept *keep(const es_viewer *v)
{
    return es_view_keep(v, ES_VIEW_PAIRS, sizeof(kept));
}

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_PAIRS];
    if (!k)
        return;
    es_pairs_free(&k->pairs);
    es_str_free(&k->why);
    free(k);
    v->of[ES_VIEW_PAIRS] = NULL;
}

static void say_none(const es_pairs *p, es_str *why)
{
    if (!p->found) {
        es_str_cat(why, "This vocabulary has no token that there is with a space before it, too: "
                        "there is no pair to show.");
        return;
    }
    es_str_cat(why, "Of ");
    es_show_count(why, p->found);
    es_str_cat(why, " pairs of the vocabulary none has two rows in wte");
    if (p->not_finite) {
        es_str_cat(why, " without NaN or Inf (");
        es_show_count(why, p->not_finite);
        es_str_cat(why, " have)");
    }
    es_str_cat(why, ". A model with all rows, such as :model mini, has.");
}

static void make(const es_viewer *v, kept *k)
{
    es_error err = ES_ERROR_NONE;
    es_pairs_free(&k->pairs);
    es_str_cut(&k->why, 0);
    k->picture = (es_pairs_picture){0};
    k->made = true;
    k->seed = v->seed;
    if (!v->atlas->context->model->config.vocab_size)
        es_str_cat(&k->why, "This model has no wte, so its tokens have no vectors to compare.");
    else if (!es_pairs_make(&k->pairs, v->atlas, v->seed, &err))
        es_str_cat(&k->why, err.message);
    else if (!k->pairs.n)
        say_none(&k->pairs, &k->why);
    es_error_free(&err);
}

const es_pairs *es_pairs_of(const es_viewer *v, es_str *why)
{
    kept *k = keep(v);
    if (!k->made || k->seed != v->seed)
        make(v, k);
    if (!k->why.len)
        return &k->pairs;
    if (why)
        es_str_cat(why, k->why.s);
    return NULL;
}

int64_t es_pairs_focus(const es_viewer *v, const es_pairs *p)
{
    int64_t place;
    int32_t id = es_viewer_focus(v, &place);
    return id < 0 ? -1 : es_pairs_of_token(p, id);
}

int es_pairs_shown(const es_viewer *v, const es_pairs *p)
{
    int most = v->camera[ES_VIEW_PAIRS].solid ? 3 : 2;
    return p->K < most ? p->K : most;
}

double es_pairs_seen(const es_viewer *v, const es_pairs *p)
{
    double sum = 0;
    for (int k = 0; k < es_pairs_shown(v, p); k++)
        sum += p->seen[k];
    return sum < 1 ? sum : 1;
}

void es_pairs_tell_axes(const es_viewer *v, const es_pairs *p)
{
    es_session_set_axes(v->session, p->axes, p->K + 1, p->C);
}

void es_pairs_place(const es_viewer *v, const es_pairs *p, int32_t id, float at[3])
{
    const es_mapped *t = &v->atlas->tokens;
    for (int k = 0; k < 3; k++)
        at[k] = k < p->K ? t->at[(int64_t)id * t->K + k] : 0;
}

/* ---- the picture ---- */

static unsigned needs(const es_viewer *v)
{
    return es_session_context(v->session)->model->config.vocab_size > 1 ? ES_ATLAS_TOKENS : 0;
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    es_str why = {0};
    const es_pairs *p = es_pairs_of(v, &why);
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    if (p)
        es_pairs_draw(v, p, c, es_canvas_room(c, area, es_viewer_em(v)), &keep(v)->picture);
    else
        es_view_instead(v, c, area, es_str_text(&why));
    es_canvas_clip(c, before);
    es_str_free(&why);
}

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    (void)c, (void)area;
    const es_pairs *p = es_pairs_of(v, NULL);
    *out = ES_PICK_NONE;
    return p && es_pairs_pick(v, p, &keep(v)->picture, at, out);
}

static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    (void)area;
    const es_pairs_picture *p = &keep(v)->picture;
    if (!p->drawn || !es_box_has(p->main, at.x, at.y))
        return false;
    *out = p->main;
    *extent = p->extent;
    return true;
}

/* ---- :show pairs [TOKEN] ---- */

/* Is the token one of a pair of the vocabulary, whatever the table has? */
static bool of_a_pair(const es_viewer *v, int32_t id, es_error *err)
{
    es_str token = {0};
    if (es_pairs_partner(es_session_context(v->session)->bpe, id) >= 0)
        return true;
    es_scene_token(&token, es_session_context(v->session), id, 24);
    es_fail(err, ES_ERR_VALUE,
            "%s (#%" PRId32 ") is in no pair: with and without a space before "
            "it, one of the two is no token of text",
            token.s, id);
    es_str_free(&token);
    return es_hint(err, "try: a token that there is both ways, such as \" cat\"");
}

static bool arguments(es_viewer *v, es_call *call, size_t at, es_error *err)
{
    es_token_name name;
    es_arg arg = {0};
    int found = es_arg_next(call, &at, &arg, err);
    bool ok = found == 0 ||
              (found > 0 && es_row_named(v, call, &arg, &name, err) && es_arg_end(call, at, err));
    if (ok && found && !of_a_pair(v, name.id, err))
        ok = es_error_locate(err, arg.begin, arg.end);
    if (ok && found) {
        v->focus = name.id;
        v->focus_place = name.pos;
    }
    es_str_free(&arg.value);
    return ok;
}

const es_view_kind es_view_pairs = {
    .name = "pairs",
    .summary = "from each token to the same with a space before it",
    .args = "[TOKEN]",
    .solid = true,
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = es_pairs_honesty,
    .expression = es_pairs_expression,
    .plain = es_pairs_plain,
    .json = es_pairs_json,
    .arguments = arguments,
    .ground = ground,
    .forget = forget,
};
