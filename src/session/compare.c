// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/compare.h"

#include <stdlib.h>

#include "base/mem.h"

void es_cosines_free(es_cosines *c)
{
    for (int64_t i = 0; i < c->n; i++) {
        free(c->of[i].before);
        free(c->of[i].after);
        free(c->of[i].of_before);
        free(c->of[i].of_after);
    }
    free(c->of);
    es_text_unref(c->text);
    *c = (es_cosines){0};
}

static void forget_cosine(void *data)
{
    es_cosines_free(data);
    free(data);
}

es_result es_result_cosine(es_cosines *c)
{
    static const es_kind kind = {"cosine", es_show_cosine, es_json_of_cosine, forget_cosine};
    es_cosines *data = es_alloc(sizeof *data);
    *data = *c;
    *c = (es_cosines){0};
    return (es_result){.kind = &kind, .data = data};
}

static void forget_onehot(void *data)
{
    es_text_unref(((es_onehot_answer *)data)->text);
    free(data);
}

es_result es_result_onehot(es_onehot_answer *a)
{
    static const es_kind kind = {"onehot", es_show_onehot, es_json_of_onehot, forget_onehot};
    es_onehot_answer *data = es_alloc(sizeof *data);
    *data = *a;
    *a = (es_onehot_answer){0};
    return (es_result){.kind = &kind, .data = data};
}

static void forget_concat(void *data)
{
    es_text_unref(((es_concat *)data)->text);
    free(data);
}

es_result es_result_concat(es_concat *c)
{
    static const es_kind kind = {"concat", es_show_concat, es_json_of_concat, forget_concat};
    es_concat *data = es_alloc(sizeof *data);
    *data = *c;
    *c = (es_concat){0};
    return (es_result){.kind = &kind, .data = data};
}
