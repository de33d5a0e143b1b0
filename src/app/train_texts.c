// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train_texts.h"

#include <stdio.h>
#include <string.h>

#include "app/signals.h"
#include "base/visible.h"
#include "text/vocab.h"
#include "train/reader.h"

void es_train_say(es_bar *b, const char *fmt, ...)
{
    es_str line = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&line, fmt, ap);
    va_end(ap);
    es_str_char(&line, '\n');
    es_bar_clear(b);
    fwrite(line.s, 1, line.len, stderr);
    fflush(stderr);
    es_str_free(&line);
}

void es_train_text_name(es_str *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    es_show_name(out, name, strlen(name));
}

bool es_train_texts_open(es_train_texts *t, const es_train_options *o, int threads, es_error *err)
{
    *t = (es_train_texts){.options = o, .threads = threads, .bar = es_bar_new()};
    t->bpe = es_vocab_open(o->vocab, err);
    return t->bpe != NULL;
}

void es_train_texts_close(es_train_texts *t)
{
    es_bpe_free(t->bpe);
    *t = (es_train_texts){0};
}

/* One file's way to tokens. */
typedef struct adding {
    const es_train_texts *texts;
    const char *path;
    es_corpus *corpus;
    bool is_utf8;
    size_t odd;
} adding;

static bool add(void *work, es_watch *watch, es_error *err)
{
    adding *a = work;
    es_reader r;
    watch->stop = es_signals_interrupt();
    if (!es_reader_open(&r, a->path, watch, err))
        return false;
    a->is_utf8 = r.is_utf8;
    a->odd = r.odd;
    watch->done = 0;
    es_watch_begin(watch, r.size);
    bool ok =
        es_corpus_add(a->corpus, a->texts->bpe, r.text, r.size, a->texts->threads, watch, err);
    es_reader_close(&r);
    return ok;
}

bool es_train_texts_add(es_train_texts *t, es_corpus *c, size_t i, es_error *err)
{
    adding a = {.texts = t, .path = t->options->corpus[i], .corpus = c};
    es_str what = {0};
    es_str_cat(&what, "reading ");
    es_train_text_name(&what, a.path);
    bool ok = es_bar_run(&t->bar, what.s, add, &a, err);
    if (ok && !a.is_utf8)
        es_train_say(&t->bar,
                     "note: %s is no UTF-8 from byte %zu on; its bytes are learned from "
                     "as they are",
                     what.s + strlen("reading "), a.odd);
    es_str_free(&what);
    return ok;
}
