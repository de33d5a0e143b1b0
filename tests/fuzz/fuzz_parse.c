// SPDX-License-Identifier: GPL-3.0-or-later
/* Sources of the tensor mode: words cover the source in order, trees keep their limits and places, a mistake is
 * placed and explained, and whether a line goes on is answered for anything. */
#include <string.h>

#include "base/utf8.h"
#include "expr/parse.h"
#include "fuzz/fuzz.h"

static void check_words(const char *s, size_t n)
{
    es_lexer lex;
    size_t end = 0, most = 3 * n + ES_MOST_INDENTS + 2;
    es_lex_begin(&lex, s, n);
    lex.comments = n % 2 == 1;
    for (es_token t; (t = es_lex_next(&lex)).kind != ES_T_END; most--) {
        promise(t.begin >= end && t.begin <= t.end && t.end <= n && most > 0);
        promise((t.kind == ES_T_BAD) == (t.fault != ES_LEX_FINE));
        if (t.kind == ES_T_BAD) {
            es_error err = ES_ERROR_NONE;
            es_lex_explain(&lex, &t, &err);
            promise(err.code != ES_OK && err.message && *err.message);
            es_error_free(&err);
        }
        end = t.end;
    }
}

static int check_node(const es_node *node, size_t len)
{
    int height = 0;
    promise(node->begin <= node->end && node->end <= len);
    promise(node->op_begin <= node->op_end && node->op_end <= len);
    for (int i = 0; i < node->n_kids; i++) {
        int h = node->kid[i] ? check_node(node->kid[i], len) : 0;
        height = h > height ? h : height;
    }
    promise(node->height == height + 1 && node->height <= ES_MOST_HEIGHT);
    promise(!node->text || node->text[node->n_text] == '\0');
    return node->height;
}

static es_input_state look_at_once(const char *s, size_t size)
{
    es_input *in = es_input_new();
    es_input_state state = es_input_add(in, s, size);
    es_input_free(in);
    return state;
}

/* How the source stands; line by line it stands the same, until it is whole. */
static es_input_state look_by_lines(const char *s, size_t size)
{
    es_input *in = es_input_new();
    es_input_state state = ES_INPUT_EMPTY;
    for (size_t at = 0, n; at <= size && state != ES_INPUT_COMPLETE; at += n + 1) {
        const char *cut = memchr(s + at, '\n', size - at);
        n = cut ? (size_t)(cut - s) - at : size - at;
        es_input_takes(in, s + at, n);
        state = es_input_add(in, s + at, n);
        promise(n == 0 || state == look_at_once(s, at + n)); /* an empty last line is none there */
    }
    es_input_free(in);
    return look_at_once(s, size);
}

int fuzz_parse(const uint8_t *data, size_t size)
{
    const char *s = (const char *)data;
    es_error err = ES_ERROR_NONE;
    es_unit *u = es_parse(s, size, &err);
    es_input_state state = look_by_lines(s, size);
    check_words(s, size);
    if (u) {
        promise(u->len == size && (state != ES_INPUT_EMPTY || u->root->n_kids == 0));
        check_node(u->root, size);
    } else {
        promise(err.code == ES_ERR_PARSE || err.code == ES_ERR_UNSUPPORTED ||
                err.code == ES_ERR_RANGE);
        promise(es_utf8_valid(err.message, strlen(err.message)));
        promise(err.begin >= 0 && err.begin <= err.end && err.end <= (ptrdiff_t)size);
    }
    es_unit_unref(u);
    es_error_free(&err);
    es_looks_like_python(s, size);
    return 0;
}

ES_FUZZ_TARGET(fuzz_parse)
