// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that take texts in and show their tokens. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/visible.h"
#include "session/commands.h"
#include "session/results.h"
#include "session/token_name.h"

enum { MOST_BYTES = 1 << 30 }; /* of a text made by :repeat */

static bool take_text(es_call *call, const char *bytes, size_t len, es_error *err)
{
    es_text *t = es_session_read(call->session, &bytes, &len, 1, call->sink, err);
    return t && es_session_show(call, t, err);
}

static bool run_text(es_call *call, es_error *err)
{
    es_str text = {0};
    if (call->args >= call->len) {
        es_session_set_tensor(call->session, false);
        es_call_answer(call, es_result_none());
        return true;
    }
    bool ok = es_arg_text(call, call->args, &text, err) &&
              take_text(call, es_str_text(&text), text.len, err);
    es_str_free(&text);
    return ok;
}

/* ---- tokens, merges, decode ---- */

static bool run_tokens(es_call *call, es_error *err)
{
    es_text *t = es_session_text(call->session);
    if (call->args >= call->len) {
        if (!t)
            return es_no_text_yet(err);
        es_call_answer(call, es_result_tokens(t));
        return true;
    }
    es_str text = {0};
    t = NULL;
    if (es_arg_text(call, call->args, &text, err)) {
        const char *bytes = es_str_text(&text);
        t = es_session_read(call->session, &bytes, &text.len, 1, call->sink, err);
    }
    if (t) {
        es_session_keep(call->session, t);
        es_call_answer(call, es_result_tokens(t));
    }
    es_str_free(&text);
    return t != NULL;
}

static bool run_merges(es_call *call, es_error *err)
{
    es_str text = {0};
    if (call->args >= call->len)
        return es_call_usage(call, err);
    bool ok = es_arg_text(call, call->args, &text, err);
    if (ok)
        es_call_answer(call, es_result_merges(es_session_context(call->session), es_str_text(&text),
                                              text.len));
    es_str_free(&text);
    return ok;
}

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '[' || c == ']' || c == '\r' || c == '\n';
}

/* One id of the list at *at, appended decoded. */
static bool decode_one(const es_call *call, size_t *at, size_t nth, es_str *out, es_error *err)
{
    es_arg arg = {.begin = *at};
    while (*at < call->len && !is_separator(call->line[*at]))
        es_str_char(&arg.value, call->line[(*at)++]);
    arg.end = *at;

    const es_bpe *bpe = es_session_context(call->session)->bpe;
    int64_t value = 0, V = es_bpe_vocab_size(bpe);
    size_t len;
    bool ok = es_arg_int(&arg, "a token id", INT32_MIN, INT32_MAX, &value, err);
    const char *bytes = ok ? es_bpe_bytes(bpe, (int32_t)value, &len) : NULL;
    es_str_free(&arg.value);
    if (bytes) {
        es_str_bytes(out, bytes, len);
        return true;
    }
    if (ok) {
        es_fail(err, ES_ERR_INDEX_RANGE, "there is no token %" PRId64 " (number %zu in the list)",
                value, nth);
        es_hint(err, "the vocabulary has V=%" PRId64 " tokens, 0..%" PRId64, V, V - 1);
    }
    return es_error_locate(err, arg.begin, arg.end);
}

static bool run_decode(es_call *call, es_error *err)
{
    es_str bytes = {0};
    size_t at = call->args, n = 0;
    bool ok = true;
    for (; ok; n++) {
        while (at < call->len && is_separator(call->line[at]))
            at++;
        if (at >= call->len)
            break;
        ok = decode_one(call, &at, n, &bytes, err);
    }
    if (ok && n == 0)
        ok = es_call_usage(call, err);
    if (ok)
        es_call_answer(call, es_result_decode(&bytes));
    es_str_free(&bytes);
    return ok;
}

/* ---- long texts ---- */

/* By doubling, so that a long text is made in a few strides. */
static bool repeat(const es_call *call, es_str *all, const es_str *once, size_t n, es_error *err)
{
    enum { MOST = 1 << 24 }; /* bytes between two looks at the interrupt flag */
    size_t whole = once->len * n;
    es_str_bytes(all, es_str_text(once), once->len);
    while (all->len < whole) {
        size_t more = all->len < whole - all->len ? all->len : whole - all->len;
        if (more > MOST) /* as many as are whole */
            more = MOST / once->len ? MOST / once->len * once->len : once->len;
        if (es_session_interrupted(call->session))
            return es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
        es_str_bytes(all, all->s, more);
    }
    return true;
}

static bool run_repeat(es_call *call, es_error *err)
{
    size_t at = call->args;
    es_arg count;
    int64_t n = 0;
    int found = es_arg_next(call, &at, &count, err);
    if (found == 0)
        return es_call_usage(call, err);
    if (found < 0)
        return false;
    bool ok = es_arg_int(&count, "N of :repeat", 1, MOST_BYTES, &n, err);
    es_str_free(&count.value);
    if (!ok)
        return false;
    if (at >= call->len || call->line[at] != ' ' || at + 1 == call->len)
        return es_call_usage(call, err);

    es_str once = {0}, all = {0};
    ok = es_arg_text(call, at + 1, &once, err);
    if (ok && once.len && n > (int64_t)(MOST_BYTES / once.len)) {
        ok = es_fail(err, ES_ERR_RANGE,
                     "%" PRId64 " times %zu bytes is more than the %d bytes a text may have", n,
                     once.len, MOST_BYTES);
        es_error_locate(err, count.begin, count.end);
    }
    ok = ok && es_str_room(&all, once.len * (size_t)n, "this text", err);
    ok = ok && repeat(call, &all, &once, (size_t)n, err) &&
         take_text(call, es_str_text(&all), all.len, err);
    es_str_free(&once);
    es_str_free(&all);
    return ok;
}

static bool open_path(es_call *call, es_file *f, es_error *err)
{
    es_str path = {0};
    bool ok = es_arg_path(call, call->args, &path, err);
    if (ok && es_session_person(call->session) && !strcmp(es_str_text(&path), "-")) {
        ok = es_fail(err, ES_ERR_USAGE, "standard input is this prompt, not a file");
        es_hint(err, "try: :paste, then lines, then a lone .");
    }
    if (ok && !es_file_open(f, es_str_text(&path), err))
        ok = es_error_locate(err, call->args, call->len);
    es_str_free(&path);
    return ok;
}

static bool run_file(es_call *call, es_error *err)
{
    es_file f;
    if (call->args >= call->len)
        return es_call_usage(call, err);
    if (!open_path(call, &f, err))
        return false;
    bool ok = take_text(call, (const char *)f.data, f.size, err);
    es_file_close(&f);
    return ok;
}

static bool run_paste(es_call *call, es_error *err)
{
    size_t newline = es_command_name_end(call->line, call->len);
    if (newline < call->len && call->line[newline] == '\n') { /* all of it came as one line */
        const char *text = call->line + newline + 1;
        size_t n = call->len - newline - 1;
        if (n >= 2 && !memcmp(text + n - 2, "\n.", 2))
            n -= 2;
        return take_text(call, text, n, err);
    }
    if (!es_arg_end(call, call->args, err))
        return false;
    es_session_collect(call->session, take_text);
    call->sink->note(call->sink->user, "a line with a dot alone ends the text, Ctrl-C drops it",
                     true);
    return true;
}

/* ---- batches ---- */

typedef struct batch {
    const char **bytes;
    size_t *len;
    es_str *owned; /* texts that came in quotes */
    size_t n, cap;
} batch;

static void batch_add(batch *b, const char *bytes, size_t len)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 16;
        b->bytes = es_realloc(b->bytes, b->cap * sizeof *b->bytes);
        b->len = es_realloc(b->len, b->cap * sizeof *b->len);
        b->owned = es_realloc(b->owned, b->cap * sizeof *b->owned);
    }
    b->owned[b->n] = (es_str){0};
    b->bytes[b->n] = bytes;
    b->len[b->n++] = len;
}

static void batch_free(batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        es_str_free(&b->owned[i]);
    free(b->bytes);
    free(b->len);
    free(b->owned);
}

/* "a" "b" …: a text in each pair of quotes. */
static bool batch_of_quotes(es_call *call, batch *b, es_error *err)
{
    size_t at = call->args;
    es_arg arg;
    int found;
    while ((found = es_arg_next(call, &at, &arg, err)) > 0) {
        if (!arg.quoted && !strcmp(es_str_text(&arg.value), ",")) { /* as people write lists */
            es_str_free(&arg.value);
            continue;
        }
        if (!arg.quoted) {
            es_str_free(&arg.value);
            es_call_usage(call, err);
            return es_error_locate(err, arg.begin, arg.end);
        }
        batch_add(b, es_str_text(&arg.value), arg.value.len);
        b->owned[b->n - 1] = arg.value;
    }
    return found == 0;
}

/* A file with a text a line. */
static void batch_of_lines(batch *b, const es_file *f)
{
    const char *s = (const char *)f->data, *end = s + f->size;
    while (s < end) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t n = (size_t)((newline ? newline : end) - s);
        batch_add(b, s, n);
        s += n + 1;
    }
}

static bool run_batch(es_call *call, es_error *err)
{
    batch b = {0};
    es_file f = {0};
    bool ok;
    if (call->args >= call->len)
        return es_call_usage(call, err);
    if (call->line[call->args] == '"') {
        ok = batch_of_quotes(call, &b, err);
    } else if ((ok = open_path(call, &f, err))) {
        batch_of_lines(&b, &f);
        if (b.n == 0)
            ok = es_fail(err, ES_ERR_VALUE, "there is no line in this file");
    } else {
        es_hint(err,
                "texts stand in double quotes, each in its own: :batch \"The cat sat\" \"A dog\"");
    }
    es_text *t =
        ok ? es_session_read(call->session, b.bytes, b.len, (int64_t)b.n, call->sink, err) : NULL;
    ok = t && es_session_show(call, t, err);
    batch_free(&b);
    es_file_close(&f);
    return ok;
}

static const es_command commands[] = {
    {.group = "texts",
     .name = "batch",
     .args = "\"TEXT\" \"TEXT\" …|FILE",
     .summary = "several texts as one (B, T) batch, padded to the longest",
     .help = "Each text in double quotes, or a file with a text a line. Short rows are filled up "
             "with a "
             "padding id; :set pad and :set pad-side say which and where.",
     .example = ":batch \"The cat sat\" \"A dog\"",
     .want = ES_WANT_TEXTS_OR_FILE,
     .run = run_batch},
    {.group = "texts",
     .name = "decode",
     .args = "ID …",
     .summary = "the text that token ids stand for",
     .help = "Ids separated by spaces or commas; brackets around them are fine.",
     .example = ":decode 464 3797 3332",
     .run = run_decode},
    {.group = "texts",
     .name = "file",
     .args = "PATH",
     .summary = "a whole file as one text, line breaks included",
     .example = NULL,
     .want = ES_WANT_FILE,
     .run = run_file},
    {.group = "texts",
     .name = "merges",
     .args = "TEXT",
     .summary = "how words are put together, merge by merge",
     .help =
         "Replays the byte-pair merges of each word in the order they happen: lowest rank first.",
     .example = ":merges lowest",
     .want = ES_WANT_TEXT,
     .run = run_merges},
    {.group = "texts",
     .name = "paste",
     .args = "",
     .summary = "a text of several lines, until a lone .",
     .example = ":paste\nfirst line\nsecond line\n.",
     .run = run_paste},
    {.group = "texts",
     .name = "repeat",
     .args = "N TEXT",
     .summary = "a text N times over, to make long ones",
     .help = "One space after N; what follows is the text, its own spaces included.",
     .example = ":repeat 3 the cat ",
     .want = ES_WANT_TEXT,
     .run = run_repeat},
    {.group = "texts",
     .name = "text",
     .args = "[TEXT]",
     .summary = "a text that would begin with : or =; alone: lines are text again",
     .help = "One space after :text; what follows is the text. In double quotes \\n \\t \\xNN "
             "\\u{NNNN} are "
             "known.",
     .example = ":text :) smiles",
     .want = ES_WANT_TEXT,
     .run = run_text},
    {.group = "texts",
     .name = "tokens",
     .args = "[TEXT]",
     .summary = "tokens with ids, bytes and places, of TEXT or the last text",
     .example = ":tokens The cat",
     .want = ES_WANT_TEXT,
     .run = run_tokens},
};

const es_command *es_text_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
