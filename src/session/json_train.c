// SPDX-License-Identifier: GPL-3.0-or-later
/* What a run of :train changed, as JSON. */
#include "session/training.h"

enum { MOST_ROWS = 1000 }; /* of those that moved, without --values */

static void json_token(es_json *j, const es_train_report *r, int64_t id)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(r->context->bpe, (int32_t)id, &n);
    es_json_key_int(j, "id", id);
    es_json_key(j, "text");
    bytes ? es_json_text(j, bytes, n) : es_json_null(j);
    es_json_key(j, "hex");
    bytes ? es_json_hex(j, bytes, n) : es_json_null(j);
}

static void json_number(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_float(j, (float)value);
}

static void json_bool(es_json *j, const char *key, bool value)
{
    es_json_key(j, key);
    es_json_bool(j, value);
}

static void json_recipe(es_json *j, const es_recipe *p)
{
    es_json_key(j, "recipe");
    es_json_open(j, '{');
    es_json_key_int(j, "seed", p->seed);
    es_json_key_int(j, "batch", p->batch);
    es_json_key_int(j, "context", p->context);
    es_json_key_int(j, "negatives", p->negatives);
    json_number(j, "lr", p->lr);
    json_bool(j, "tied", p->tied);
    es_json_key_int(j, "n_layer", p->n_layer);
    es_json_key_int(j, "n_head", p->n_head);
    es_json_close(j, '}');
}

static void json_best(es_json *j, const char *key, const es_train_report *r,
                      const es_neighbour *best, int64_t n)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int64_t i = 0; i < n; i++) {
        es_json_open(j, '{');
        json_token(j, r, best[i].id);
        json_number(j, "score", best[i].score);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_near(es_json *j, const es_train_report *r)
{
    es_json_key(j, "near");
    es_json_open(j, '[');
    for (size_t i = 0; i < r->n_near; i++) {
        const es_train_near *near = &r->near[i];
        es_json_open(j, '{');
        json_token(j, r, near->id);
        json_best(j, "before", r, near->before, near->n_before);
        json_best(j, "after", r, near->after, near->n_after);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_one_of_two(es_json *j, const char *key, const es_train_report *r, int32_t id)
{
    es_json_key(j, key);
    es_json_open(j, '{');
    json_token(j, r, id);
    es_json_close(j, '}');
}

static void json_pairs(es_json *j, const es_train_report *r)
{
    es_json_key(j, "together");
    es_json_open(j, '[');
    for (size_t i = 0; i < r->n_pairs; i++) {
        es_json_open(j, '{');
        json_one_of_two(j, "a", r, r->pair[i].a);
        json_one_of_two(j, "b", r, r->pair[i].b);
        json_number(j, "before", r->pair[i].before);
        json_number(j, "after", r->pair[i].after);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_moves(es_json *j, const char *key, const es_train_report *r,
                       const es_train_moves *m, bool tokens, bool all)
{
    es_json_key(j, key);
    es_json_open(j, '{');
    es_json_key_int(j, "rows", m->rows);
    es_json_key_int(j, "moved", m->n);
    es_json_key_int(j, "looked_up", m->looked_up);
    es_json_key(j, "of");
    es_json_open(j, '[');
    for (int64_t i = 0; i < m->n && (all || i < MOST_ROWS) && !es_str_braked(j->out); i++) {
        es_json_open(j, '{');
        if (tokens)
            json_token(j, r, m->of[i].row);
        else
            es_json_key_int(j, "pos", m->of[i].row);
        es_json_key_int(j, "looked_up", m->of[i].looked_up);
        json_number(j, "by", m->of[i].by);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    es_json_close(j, '}');
}

bool es_json_of_train(es_json *j, void *data, bool values, es_error *err)
{
    const es_train_report *r = data;
    (void)err;
    es_json_key_string(j, "from", r->context->model->name);
    es_json_key_int(j, "steps", r->steps);
    es_json_key_int(j, "tokens", r->tokens);
    json_recipe(j, &r->recipe);
    es_json_key(j, "loss");
    es_json_open(j, '{');
    json_number(j, "before", r->loss_before);
    json_number(j, "after", r->loss_after);
    es_json_key_int(j, "tokens", r->measured);
    es_json_close(j, '}');
    json_near(j, r);
    json_pairs(j, r);
    es_json_key(j, "moved");
    es_json_open(j, '{');
    json_moves(j, "wte", r, &r->wte, true, values);
    json_moves(j, "wpe", r, &r->wpe, false, values);
    es_json_close(j, '}');
    return true;
}
