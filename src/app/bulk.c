// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bulk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/status.h"
#include "base/cpus.h"
#include "base/file.h"
#include "base/visible.h"
#include "text/vocab.h"

static const char *const standard_input[] = {"-"};

static bool write_failed(es_error *err)
{
    return es_fail(err, ES_ERR_IO, "cannot write to standard output: %s", strerror(errno));
}

static size_t put_decimal(char *to, int32_t id)
{
    char digits[12];
    size_t n = 0, len = 0;
    do
        digits[n++] = (char)('0' + id % 10);
    while (id /= 10);
    while (n)
        to[len++] = digits[--n];
    return len;
}

static bool write_ids(const es_tokens *t, bool u32le, es_error *err)
{
    char block[1 << 14];
    size_t used = 0;
    for (size_t i = 0; i < t->n; i++) {
        if (used + 16 > sizeof block) {
            if (fwrite(block, 1, used, stdout) != used)
                return write_failed(err);
            used = 0;
        }
        if (u32le) {
            for (int b = 0; b < 4; b++)
                block[used++] = (char)((uint32_t)t->id[i] >> 8 * b);
        } else {
            if (i)
                block[used++] = ' ';
            used += put_decimal(block + used, t->id[i]);
        }
    }
    if (!u32le)
        block[used++] = '\n';
    return fwrite(block, 1, used, stdout) == used || write_failed(err);
}

static int encode_file(const es_bpe *bpe, es_tokens *t, const char *path, const es_options *o,
                       es_error *err)
{
    es_file f;
    if (!es_file_open(&f, path, err)) {
        es_hint(err, "embedscope encode reads files, or standard input: printf %%s 'a text' | "
                     "embedscope encode");
        return ES_STATUS_UNREADABLE;
    }
    const es_encoding how = {.special = o->special, .threads = es_threads(o->session.threads)};
    bool ok = es_bpe_encode(bpe, t, (const char *)f.data, f.size, &how, NULL, err) &&
              write_ids(t, o->u32le, err);
    es_file_close(&f);
    return ok ? ES_STATUS_OK : ES_STATUS_FAILED;
}

int es_bulk_encode(const es_options *o, es_error *err)
{
    es_bpe *bpe = es_vocab_open(o->session.vocab ? o->session.vocab : "gpt2", err);
    if (!bpe)
        return ES_STATUS_UNREADABLE;
    const char *const *file = o->n_files ? (const char *const *)o->file : standard_input;
    size_t n_files = o->n_files ? o->n_files : 1;
    es_tokens t = {.ids_only = true};
    int status = ES_STATUS_OK;
    for (size_t i = 0; i < n_files && status == ES_STATUS_OK; i++)
        status = encode_file(bpe, &t, file[i], o, err);
    if (fflush(stdout) && status == ES_STATUS_OK) {
        write_failed(err);
        status = ES_STATUS_FAILED;
    }
    es_tokens_free(&t);
    es_bpe_free(bpe);
    return status;
}

/* ---- decode ---- */

/* White space, and what people put around and between the numbers of a list. */
static bool is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == ',' || c == '[' || c == ']';
}

/* The number at s[*at]: false unless it is a decimal id in V; nth for the message. */
static bool read_id(const es_file *f, size_t *at, const es_bpe *bpe, size_t nth, int32_t *id,
                    es_error *err)
{
    size_t begin = *at;
    int64_t value = 0;
    bool digits = true;
    for (; *at < f->size && !is_space(f->data[*at]); ++*at) {
        digits = digits && f->data[*at] >= '0' && f->data[*at] <= '9';
        if (digits && value < INT32_MAX)
            value = value * 10 + (f->data[*at] - '0');
    }
    *id = (int32_t)value;
    if (digits && value < es_bpe_vocab_size(bpe))
        return true;
    es_str shown = {0};
    es_show_brief(&shown, (const char *)f->data + begin, *at - begin);
    if (digits) {
        es_fail(err, ES_ERR_INDEX_RANGE, "there is no token %s (number %zu in the list)", shown.s,
                nth);
        es_hint(err, "the vocabulary has V=%" PRId32 " tokens, 0..%" PRId32, es_bpe_vocab_size(bpe),
                es_bpe_vocab_size(bpe) - 1);
    } else {
        es_fail(err, ES_ERR_PARSE, "%s is no token id (number %zu in the list)", shown.s, nth);
        es_hint(
            err,
            "ids are decimal numbers with white space between them, as embedscope encode prints");
    }
    es_str_free(&shown);
    return false;
}

static bool decode(const es_file *f, const es_bpe *bpe, es_error *err)
{
    size_t at = 0;
    for (size_t nth = 0;; nth++) {
        while (at < f->size && is_space(f->data[at]))
            at++;
        if (at == f->size)
            return true;
        int32_t id;
        size_t len;
        if (!read_id(f, &at, bpe, nth, &id, err))
            return false;
        const char *bytes = es_bpe_bytes(bpe, id, &len);
        if (fwrite(bytes, 1, len, stdout) != len)
            return write_failed(err);
    }
}

int es_bulk_decode(const es_options *o, es_error *err)
{
    es_file f;
    es_bpe *bpe = es_vocab_open(o->session.vocab ? o->session.vocab : "gpt2", err);
    if (!bpe)
        return ES_STATUS_UNREADABLE;
    int status = ES_STATUS_UNREADABLE;
    if (es_file_open(&f, o->n_files ? o->file[0] : "-", err)) {
        bool ok = decode(&f, bpe, err);
        if (fflush(stdout) && ok)
            ok = write_failed(err);
        status = ok ? ES_STATUS_OK : ES_STATUS_FAILED;
        es_file_close(&f);
    }
    es_bpe_free(bpe);
    return status;
}
