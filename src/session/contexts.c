// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void forget(void *data)
{
    es_contexts *c = data;
    es_context_unref(c->context);
    for (size_t i = 0; i < c->n; i++)
        free(c->of[i].at);
    free(c->of);
    free(c);
}

es_result es_result_contexts(es_contexts *c)
{
    static const es_kind kind = {"contexts", es_show_contexts, es_json_of_contexts, forget};
    es_contexts *data = es_alloc(sizeof *data);
    *data = *c;
    *c = (es_contexts){0};
    return (es_result){.kind = &kind, .data = data};
}

/* A token of white space that holds a line break is its own surroundings' end: to both sides. */
es_surroundings es_boxed_around(const es_boxed *b, size_t token)
{
    const char *text = (const char *)b->file.data;
    size_t begin = b->tokens.begin[token], end = b->tokens.begin[token + 1];
    const char *before = memrchr(text, '\n', begin);
    const char *after = memchr(text + end, '\n', b->file.size - end);
    const char *left = before ? before + 1 : text;
    const char *stop = after ? after : text + b->file.size;
    return (es_surroundings){.left = left,
                             .n_left = (size_t)(text + begin - left),
                             .token = text + begin,
                             .n_token = end - begin,
                             .right = text + end,
                             .n_right = (size_t)(stop - (text + end)),
                             .begin = begin};
}
