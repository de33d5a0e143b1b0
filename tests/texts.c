// SPDX-License-Identifier: GPL-3.0-or-later
#include "texts.h"

#include <string.h>

#include "base/file.h"
#include "base/place.h"
#include "support.h"

static es_file open_asset(const char *name)
{
    es_file f;
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_place_asset(&path, name, &err), err);
    ck_assert_works(es_file_open(&f, path.s, &err), err);
    es_str_free(&path);
    return f;
}

static void write_file(const char *path, const es_str *text)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_replace(path, text->s, text->len, &err), err);
}

void write_text(const char *path, size_t n)
{
    es_file f = open_asset("text/boxed.txt");
    es_str text = {0};
    ck_assert_uint_ge(f.size, n);
    for (size_t i = 0; i < n; i++) {
        es_str_char(&text, (char)f.data[i]);
        if (f.data[i] == '\n')
            es_str_char(&text, '\n');
    }
    write_file(path, &text);
    es_str_free(&text);
    es_file_close(&f);
}

void write_small_vocab(const char *path, int merges)
{
    es_file f = open_asset("bpe/gpt2.vocab.bpe");
    es_str list = {0};
    const char *line = (const char *)f.data, *end = line + f.size;
    for (int i = 0; i <= merges && line < end; i++) { /* the first line is a version */
        const char *next = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
        es_str_bytes(&list, line, (size_t)(next - line));
        line = next;
    }
    write_file(path, &list);
    es_str_free(&list);
    es_file_close(&f);
}
