// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables of one's own from anywhere: what is refused says why in words fit to be read, and of what is read every value
 * lies in the file, every token has a colour, and the legend says what all colours mean. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "text/vocab.h"
#include "view/meta.h"

enum { V = 20, MOST_ENTRIES = 16 };

static const es_bpe *vocabulary(void)
{
    static es_bpe *bpe; /* opened once: a vocabulary is immutable */
    if (!bpe)
        bpe = es_vocab_open("gpt2", NULL);
    promise(bpe);
    return bpe;
}

static void check_words(const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(s + i, n - i, &cp);
        promise(len && es_char_visible(cp));
        i += (size_t)len;
    }
}

static void check_error(es_error *err)
{
    promise(err->code == ES_ERR_FORMAT || err->code == ES_ERR_VALUE);
    check_words(err->message, strlen(err->message));
    es_error_free(err);
}

static int read_legend(const es_meta *m, int k, const es_palette *p, es_argb *colour)
{
    int n = 0;
    for (es_str label = {0}; es_meta_legend(m, k, p, n, &colour[n], &label); n++) {
        promise(n < MOST_ENTRIES - 1 && label.len);
        check_words(label.s, label.len);
        es_str_free(&label);
    }
    return n;
}

static void check_column(const es_meta *m, int k)
{
    const es_palette *p = es_palette_at(0);
    const es_meta_column *c = &m->column[k];
    es_argb colour[MOST_ENTRIES];
    int n = read_legend(m, k, p, colour);
    int64_t has = 0;
    promise(!c->numbers || (isfinite(c->low) && c->low <= c->high && c->n > 0));
    for (int32_t id = -1; id <= V; id++) {
        const char *bytes = m->bytes.s;
        size_t len = es_meta_value(m, k, id, &bytes);
        promise(bytes >= m->bytes.s && bytes + len < m->bytes.s + m->bytes.len + 1);
        promise(!memchr(bytes, '\t', len) && !memchr(bytes, '\n', len));
        has += es_meta_has(m, k, id);
        es_argb is = es_meta_colour(m, k, p, id);
        bool told = c->numbers || id < 0 || id >= V;
        for (int i = 0; !told && i < n; i++)
            told = colour[i] == is;
        promise(told);
    }
    promise(has == c->n);
    promise(es_meta_named(m, c->name.s, c->name.len) == k);
}

int fuzz_meta(const uint8_t *data, size_t size)
{
    es_error err = ES_ERROR_NONE;
    es_meta *m = es_meta_read((const char *)data, size, "table.tsv", vocabulary(), V, NULL, &err);
    if (!m) {
        check_error(&err);
        return 0;
    }
    promise(m->tokens > 0 && m->tokens <= V && m->n <= ES_META_COLUMNS);
    for (int k = 0; k < m->n; k++)
        check_column(m, k);
    es_meta_free(m);
    return 0;
}

ES_FUZZ_TARGET(fuzz_meta)
