// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/near_query.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/token_name.h"

enum { TOP = 10, LONGEST_NUMBER = 20 };

typedef struct reader {
    const es_call *call;
    es_near_ask *ask;
    size_t at;
    es_str *notes; /* a line each, for when all has been understood */
} reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t after_blanks(const es_call *call, size_t at)
{
    while (at < call->len && is_blank(call->line[at]))
        at++;
    return at;
}

static bool begins(const es_call *call, size_t at, const char *word)
{
    size_t n = strlen(word);
    return call->len - at >= n && !memcmp(call->line + at, word, n);
}

/* ---- options ---- */

static bool is_option(const es_call *call, size_t at)
{
    return begins(call, at, "top=") || begins(call, at, "by=");
}

static bool read_measure(es_near_ask *ask, const es_arg *arg, es_error *err)
{
    for (es_measure by = ES_BY_COSINE; by < ES_N_MEASURES; by++)
        if (!strcmp(es_str_text(&arg->value), es_measure_name(by))) {
            ask->by = by;
            return true;
        }
    es_str shown = {0};
    es_show_brief(&shown, es_str_text(&arg->value), arg->value.len);
    es_fail(err, ES_ERR_VALUE, "there is no measure %s", shown.s);
    es_hint(err, "try: by=cosine, by=dot or by=euclid");
    es_str_free(&shown);
    return es_error_locate(err, arg->begin, arg->end);
}

static bool read_option(reader *r, es_error *err)
{
    const es_call *call = r->call;
    bool top = begins(call, r->at, "top=");
    es_arg arg = {.begin = r->at + (top ? 4 : 3)};
    for (r->at = arg.begin; r->at < call->len && !is_blank(call->line[r->at]); r->at++)
        es_str_char(&arg.value, call->line[r->at]);
    arg.end = r->at;
    int64_t V = es_session_context(call->session)->model->config.vocab_size;
    bool ok =
        top ? es_arg_int(&arg, "top", 1, V, &r->ask->top, err) : read_measure(r->ask, &arg, err);
    es_str_free(&arg.value);
    return ok;
}

/* ---- signs and factors ---- */

/* The bytes of a + or - at `at`, 0: none.  U+2212 is what some keyboards and articles write. */
static size_t sign_at(const es_call *call, size_t at, double *sign)
{
    bool long_minus = begins(call, at, "\u2212");
    *sign = long_minus || begins(call, at, "-") ? -1 : 1;
    return long_minus ? 3 : begins(call, at, "-") || begins(call, at, "+");
}

/* Before the first term a sign is one if something it can belong to follows; alone it is a token. */
static bool leads(const es_call *call, size_t after)
{
    size_t next = after_blanks(call, after);
    if (next == call->len || is_option(call, next))
        return false;
    return next > after || strchr("\"#@", call->line[after]);
}

static bool sign_missing(const reader *r, es_error *err)
{
    size_t end = r->call->len;
    es_str shown = {0};
    es_show_brief(&shown, r->call->line + r->at, end - r->at);
    es_fail(err, ES_ERR_PARSE, "a + or - is missing before %s", shown.s);
    es_hint(err, "try: :near \" king\" - \" man\" + \" woman\", or 0.5 * \" king\"; a token with "
                 "a space in it stands in double quotes");
    es_str_free(&shown);
    return es_error_locate(err, r->at, end);
}

static bool read_sign(reader *r, double *sign, es_error *err)
{
    size_t n = sign_at(r->call, r->at, sign);
    if (r->ask->n == 0 && (!n || !leads(r->call, r->at + n))) {
        *sign = 1;
        return true;
    }
    if (!n)
        return sign_missing(r, err);
    r->at = after_blanks(r->call, r->at + n);
    return true;
}

/* "0.5 *": reads the number and moves behind the asterisk; anything else is left where it is. */
static double read_factor(reader *r)
{
    const es_call *call = r->call;
    char number[LONGEST_NUMBER + 1] = "";
    size_t n = 0, at = r->at;
    while (at + n < call->len && n < LONGEST_NUMBER && strchr("0123456789.", call->line[at + n]) &&
           call->line[at + n]) {
        number[n] = call->line[at + n];
        n++;
    }
    size_t star = after_blanks(call, at + n);
    char *end = number;
    double factor = strtod(number, &end);
    if (!n || *end || star == call->len || call->line[star] != '*')
        return 1;
    r->at = after_blanks(call, star + 1);
    return factor;
}

/* ---- tokens ---- */

static void note(reader *r, const char *fmt, ...) ES_PRINTF(2, 3);
static void note(reader *r, const char *fmt, ...)
{
    es_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&text, es_translate(fmt), ap);
    va_end(ap);
    es_str_char(&text, '\n');
    if (!strstr(es_str_text(r->notes), text.s)) /* a word may be there twice */
        es_str_cat(r->notes, text.s);
    es_str_free(&text);
}

/* A word as it is written and with a space before it: tokens that have a row or -1, and both in quotes. */
typedef struct forms {
    int32_t id[2];
    es_str quoted[2];
} forms;

static int32_t find_row(const es_context *c, const char *word, size_t n)
{
    int32_t id = es_bpe_find(c->bpe, word, n);
    return id < c->model->config.vocab_size ? id : -1;
}

static forms forms_of(const es_context *c, const char *word, size_t n)
{
    forms f = {{find_row(c, word, n), -1}, {{0}, {0}}};
    es_str with = {0};
    es_str_char(&with, ' ');
    es_str_bytes(&with, word, n);
    f.id[1] = find_row(c, with.s, with.len);
    es_show_quoted(&f.quoted[0], word, n);
    es_show_quoted(&f.quoted[1], with.s, with.len);
    es_str_free(&with);
    return f;
}

/* Both are tokens: which is meant, and why? */
static int32_t choose(reader *r, const forms *f)
{
    const es_model *m = es_session_context(r->call->session)->model;
    int64_t seen[] = {es_model_count(m, f->id[0]), es_model_count(m, f->id[1])};
    const char *plain = f->quoted[0].s, *spaced = f->quoted[1].s;
    if (seen[0] < 0 || seen[1] < 0) {
        note(r,
             "%s and %s are two tokens; how often each was seen in training is not known, so this "
             "takes %s, the word as it stands inside a sentence (in quotes, %s is the other)",
             plain, spaced, spaced, plain);
        return f->id[1];
    }
    bool take = seen[1] >= seen[0];
    es_str counts[2] = {{0}, {0}};
    es_show_count(&counts[0], seen[0]);
    es_show_count(&counts[1], seen[1]);
    note(r,
         "%s and %s are two tokens; in training %s was seen %s times, %s %s: taking %s (in quotes, "
         "%s is the other)",
         plain, spaced, spaced, counts[1].s, plain, counts[0].s, f->quoted[take].s,
         f->quoted[!take].s);
    es_str_free(&counts[0]);
    es_str_free(&counts[1]);
    return f->id[take];
}

/* A bare word: with a space before it, without, or in several pieces, which is refused. */
static bool bare_word(reader *r, const es_arg *arg, int32_t *id, es_error *err)
{
    const char *word = es_str_text(&arg->value);
    size_t n = arg->value.len;
    forms f = forms_of(es_session_context(r->call->session), word, n);
    es_token_name name = {.id = f.id[0]};
    bool ok = true;
    if (f.id[0] >= 0 && f.id[1] >= 0) {
        name.id = choose(r, &f);
    } else if (f.id[1] >= 0) {
        note(r, "this takes %s, one token; without its space the word is several", f.quoted[1].s);
        name.id = f.id[1];
    } else if (f.id[0] < 0) {
        ok = es_token_named(r->call, arg, &name, err);
    }
    if (ok && n && strspn(word, "0123456789") == n)
        note(r, "this is the token whose text is %s; #%s is the token with that id", word, word);
    es_str_free(&f.quoted[0]);
    es_str_free(&f.quoted[1]);
    *id = name.id;
    return ok;
}

static bool read_token(reader *r, int32_t *id, es_error *err)
{
    es_arg arg;
    es_token_name name;
    if (es_arg_next(r->call, &r->at, &arg, err) < 0)
        return false;
    char first = es_str_text(&arg.value)[0];
    bool named = arg.quoted || (arg.value.len > 1 && (first == '#' || first == '@'));
    bool ok = named ? es_token_named(r->call, &arg, &name, err) : bare_word(r, &arg, &name.id, err);
    ok = ok && es_token_has_row(es_session_context(r->call->session)->model, name.id, &arg, err);
    *id = name.id;
    es_str_free(&arg.value);
    return ok;
}

static bool read_term(reader *r, es_error *err)
{
    es_near_ask *ask = r->ask;
    size_t begin = r->at;
    double sign;
    if (ask->n == ES_MOST_TERMS) {
        es_fail(err, ES_ERR_RANGE, "more than %d tokens are not added up", ES_MOST_TERMS);
        return es_error_locate(err, begin, r->call->len);
    }
    if (!read_sign(r, &sign, err))
        return false;
    double factor = read_factor(r);
    if (r->at == r->call->len || is_option(r->call, r->at)) {
        es_fail(err, ES_ERR_PARSE, "a token is missing here");
        es_hint(err, "a token that is a sign or a number stands in double quotes: \"+\"");
        return es_error_locate(err, begin, r->at);
    }
    if (!read_token(r, &ask->id[ask->n], err))
        return false;
    ask->factor[ask->n++] = sign * factor;
    return true;
}

void es_near_tell(const es_call *call, const es_str *notes)
{
    for (const char *s = es_str_text(notes); *s; s += strcspn(s, "\n") + 1)
        es_call_note(call, "%.*s", (int)strcspn(s, "\n"), s);
}

static bool read_all(reader *r, es_error *err)
{
    const es_call *call = r->call;
    for (r->at = after_blanks(call, call->args); r->at < call->len;
         r->at = after_blanks(call, r->at))
        if (is_option(call, r->at) ? !read_option(r, err) : !read_term(r, err))
            return false;
    return r->ask->n > 0 || es_call_usage(call, err);
}

bool es_near_read(const es_call *call, es_near_ask *ask, es_error *err)
{
    es_str notes = {0};
    reader r = {.call = call, .ask = ask, .notes = &notes};
    *ask = (es_near_ask){.by = ES_BY_COSINE, .top = TOP};
    bool ok = read_all(&r, err);
    if (ok)
        es_near_tell(call, &notes);
    es_str_free(&notes);
    return ok;
}

/* From where the reader is up to a term that has no sign before it. */
static bool read_sum(reader *r, es_error *err)
{
    double sign;
    do {
        if (!read_term(r, err))
            return false;
        r->at = after_blanks(r->call, r->at);
    } while (r->at < r->call->len && sign_at(r->call, r->at, &sign));
    return true;
}

static bool read_sums(reader *r, es_near_ask *sums, size_t *begin, int most, int *n, es_error *err)
{
    const es_call *call = r->call;
    for (r->at = after_blanks(call, call->args); r->at < call->len; ++*n) {
        if (*n == most) {
            es_call_usage(call, err);
            return es_error_locate(err, r->at, call->len);
        }
        begin[*n] = r->at;
        r->ask = &sums[*n];
        *r->ask = (es_near_ask){.by = ES_BY_COSINE, .top = TOP};
        if (!read_sum(r, err))
            return false;
    }
    return true;
}

bool es_near_sums(const es_call *call, es_near_ask *sums, size_t *begin, int most, int *n,
                  es_str *notes, es_error *err)
{
    reader r = {.call = call, .notes = notes};
    size_t before = notes->len;
    *n = 0;
    bool ok = read_sums(&r, sums, begin, most, n, err);
    if (!ok)
        es_str_cut(notes, before);
    return ok;
}

bool es_near_token(const es_call *call, size_t *at, int32_t *id, es_error *err)
{
    es_str notes = {0};
    reader r = {.call = call, .at = *at, .notes = &notes};
    bool ok = read_token(&r, id, err);
    if (ok)
        es_near_tell(call, &notes);
    *at = r.at;
    es_str_free(&notes);
    return ok;
}
