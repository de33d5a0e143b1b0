// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "view/words.h"

static float *numbers_of(const es_tensor *t, int64_t n, es_error *err)
{
    float *out = es_try_alloc((size_t)n, sizeof *out, "the vectors of a picture", err);
    if (out && es_tensor_read(t, out, err))
        return out;
    free(out);
    return NULL;
}

static void forget_vectors(es_scene *scene)
{
    free(scene->tok_emb);
    free(scene->pos_emb);
    free(scene->x);
    scene->tok_emb = scene->pos_emb = scene->x = NULL;
    es_str_free(&scene->why);
}

/* How many places of the text have vectors: with learned positions no more than there are rows. */
static int64_t places(const es_text *t)
{
    const es_sentence *first = &t->sentences->of[0];
    int64_t T = (int64_t)first->tokens.n, most = ES_SCENE_PLACES;
    const es_embedding *layer = &t->context->layer;
    if (layer->positions == ES_POSITIONS_LEARNED && es_table_rows(layer->wpe) - first->at < most)
        most = es_table_rows(layer->wpe) - first->at;
    most = most > 0 ? most : 0;
    return T < most ? T : most;
}

static void read_vectors(es_scene *scene)
{
    es_error err = ES_ERROR_NONE;
    es_embedded v = {0};
    int64_t n = scene->T * scene->C;
    bool ok = scene->T == 0 || es_text_rows(scene->text, 0, scene->at, scene->T, &v, &err);
    if (ok && v.tok_emb.buf)
        ok = (scene->tok_emb = numbers_of(&v.tok_emb, n, &err)) != NULL;
    if (ok && v.pos_emb.buf)
        ok = (scene->pos_emb = numbers_of(&v.pos_emb, n, &err)) != NULL;
    if (ok && v.x.buf)
        ok = (scene->x = numbers_of(&v.x, n, &err)) != NULL;
    if (!ok) {
        forget_vectors(scene);
        es_str_cat(&scene->why, err.message ? err.message : "");
    }
    es_embedded_free(&v);
    es_error_free(&err);
}

bool es_scene_follow(es_scene *scene, es_session *s)
{
    es_text *preview = es_session_preview_text(s);
    es_text *t = preview ? preview : es_session_text(s);
    if (t == scene->text && (preview != NULL) == scene->preview)
        return false;
    es_text *mine = t ? es_text_ref(t) : NULL;
    es_scene_free(scene);
    if (!mine)
        return true;
    scene->text = mine;
    scene->preview = preview != NULL;
    scene->at = mine->sentences->of[0].at;
    scene->T = places(mine);
    scene->left = (int64_t)mine->sentences->of[0].tokens.n - scene->T;
    scene->left = scene->left > 0 ? scene->left : 0;
    scene->C = mine->context->model->config.n_embd;
    scene->ids = es_text_ids(mine) + scene->at;
    read_vectors(scene);
    return true;
}

void es_scene_free(es_scene *scene)
{
    forget_vectors(scene);
    es_text_unref(scene->text);
    *scene = (es_scene){0};
}

/* ---- in words ---- */

void es_scene_shape(es_str *out, const es_scene *scene, es_scene_table table)
{
    int64_t B = scene->text ? es_text_B(scene->text) : 1, T = scene->T;
    if (scene->text)
        T = es_text_T(scene->text);
    es_str_add(out, table == ES_SCENE_POS_EMB ? " [1" : " [B=%" PRId64, B);
    es_str_add(out, ", T=%" PRId64 ", C=%" PRId64 "]", T, scene->C);
}

int64_t es_scene_beyond(const es_scene *scene)
{
    const es_embedding *layer = scene->text ? &scene->text->context->layer : NULL;
    int64_t rows = layer && layer->wpe ? es_table_rows(layer->wpe) : 0;
    if (!layer || layer->positions != ES_POSITIONS_LEARNED || es_text_T(scene->text) <= rows)
        return 0;
    return es_text_T(scene->text) - rows;
}

void es_scene_caution(es_str *out, const es_scene *scene)
{
    int64_t B = scene->text ? es_text_B(scene->text) : 0, beyond = es_scene_beyond(scene);
    if (beyond) {
        es_str_cat(out, "too long by ");
        es_show_count(out, beyond);
        es_str_cat(out, beyond == 1 ? " token: no x" : " tokens: no x");
    } else if (scene->preview && scene->T) {
        es_str_cat(out, ES_NOT_ENTERED);
    } else if (B > 1) {
        es_str_cat(out, "the first of ");
        es_show_count(out, B);
        es_str_cat(out, " sentences");
    }
}

void es_scene_token(es_str *out, const es_context *c, int32_t id, int columns)
{
    size_t n = 0;
    es_str whole = {0};
    const char *bytes = es_bpe_bytes(c->bpe, id, &n);
    if (bytes)
        es_show_token(&whole, bytes, n);
    else
        es_str_add(&whole, "#%d", (int)id);
    es_show_fit(out, es_str_text(&whole), whole.len, columns);
    es_str_free(&whole);
}

void es_scene_quote(es_str *out, const es_context *c, int32_t id)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(c->bpe, id, &n);
    if (bytes)
        es_show_quoted(out, bytes, n);
    else
        es_str_add(out, "#%" PRId32, id);
}
