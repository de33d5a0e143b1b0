// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/message.h"
#include "base/place.h"
#include "base/utf8.h"
#include "base/visible.h"

enum { MAX_NAME = 32 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t es_command_name_end(const char *line, size_t len)
{
    size_t end = 1;
    while (end < len && !is_blank(line[end]))
        end++;
    return end;
}

static const es_command *nearest(const es_command_list *list, const char *name, size_t n)
{
    const es_command *best = NULL;
    int least = es_slip(n); /* farther is no slip of the finger */
    for (size_t i = 0; i < list->n; i++) {
        const char *other = list->of[i]->name;
        int d = es_distance(name, n, other, strlen(other), least);
        if (d < least) {
            least = d;
            best = list->of[i];
        }
    }
    return best;
}

static bool fail_unknown(const es_command_list *list, const char *name, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, name, n < MAX_NAME ? n : MAX_NAME);
    es_fail(err, ES_ERR_NAME, "there is no command :%s", es_str_text(&shown));
    es_str_free(&shown);
    const es_command *meant = nearest(list, name, n);
    if (n == 1 && name[0] == '?')
        es_hint(err, "did you mean :help ?");
    else if (n == 0)
        es_hint(err, "a command's name follows the colon at once: :help lists them all");
    else if (meant)
        es_hint(err, "did you mean :%s ?", meant->name);
    else
        es_hint(err, "try: :help for all commands");
    return false;
}

const es_command *es_command_find(const es_command_list *list, const char *name, size_t n,
                                  bool loose, es_error *err)
{
    const es_command *begins = NULL;
    es_str candidates = {0};
    int n_begin = 0;
    for (size_t i = 0; i < list->n; i++) {
        const es_command *c = list->of[i];
        bool exact = strlen(c->name) == n && !memcmp(c->name, name, n);
        bool brief = loose && c->brief && strlen(c->brief) == n && !memcmp(c->brief, name, n);
        if (exact || brief) {
            es_str_free(&candidates);
            return c;
        }
        if (n && strlen(c->name) > n && !memcmp(c->name, name, n)) {
            es_str_add(&candidates, "%s:%s", n_begin++ ? ", " : "", c->name);
            begins = c;
        }
    }
    if (loose && n_begin == 1) {
        es_str_free(&candidates);
        return begins;
    }
    fail_unknown(list, name, n, err);
    if (n_begin && err) {
        free(err->hint);
        err->hint = NULL;
        if (loose)
            es_hint(err, "that could be %s", candidates.s);
        else
            es_hint(err, "scripts use full names: %s", candidates.s);
    }
    es_str_free(&candidates);
    return NULL;
}

const char *es_command_group_after(const es_command_list *list, const char *before)
{
    static const char last[] = "the program";
    const char *next = NULL;
    if (before == last)
        return NULL;
    for (size_t i = 0; i < list->n; i++) {
        const char *group = list->of[i]->group;
        bool later = !before || strcmp(group, before) > 0;
        if (strcmp(group, last) && later && (!next || strcmp(group, next) < 0))
            next = group;
    }
    return next ? next : last;
}

/* ---- arguments ---- */

static size_t skip_blanks(const es_call *call, size_t at)
{
    while (at < call->len && is_blank(call->line[at]))
        at++;
    return at;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Up to max hex digits at s; returns how many, fills *value. */
static size_t read_hex(const char *s, size_t n, size_t max, uint32_t *value)
{
    size_t i = 0;
    for (*value = 0; i < n && i < max && hex_digit(s[i]) >= 0; i++)
        *value = *value << 4 | (uint32_t)hex_digit(s[i]);
    return i;
}

/* The escape after a backslash: its length without the backslash, 0 if it is none. */
static size_t read_escape(es_str *out, const char *s, size_t n)
{
    static const char from[] = "ntr\"\\", to[] = "\n\t\r\"\\";
    uint32_t value;
    const char *simple = n && s[0] ? strchr(from, s[0]) : NULL;
    if (simple) {
        es_str_char(out, to[simple - from]);
        return 1;
    }
    if (n >= 3 && s[0] == 'x' && read_hex(s + 1, n - 1, 2, &value) == 2) {
        es_str_char(out, (char)value);
        return 3;
    }
    if (n >= 4 && s[0] == 'u' && s[1] == '{') {
        size_t digits = read_hex(s + 2, n - 2, 6, &value);
        bool scalar = value <= 0x10FFFF && !(value >= 0xD800 && value < 0xE000);
        if (digits && digits + 2 < n && s[digits + 2] == '}' && scalar) {
            char utf8[4];
            es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, value));
            return digits + 3;
        }
    }
    return 0;
}

static int bad_quote(es_arg *arg, size_t begin, size_t end, const char *why, es_error *err)
{
    es_str_free(&arg->value);
    es_fail(err, ES_ERR_PARSE, "%s", why);
    es_error_locate(err, begin, end);
    es_hint(
        err,
        "in quotes these are known: \\n \\t \\r \\\" \\\\ \\xNN (a byte) \\u{NNNN} (a character)");
    return -1;
}

/* A string in quotes that begins at `begin`. */
static int read_quoted(const es_call *call, size_t begin, es_arg *arg, es_error *err)
{
    const char *line = call->line;
    size_t at = begin + 1;
    while (at < call->len && line[at] != '"') {
        if (line[at] != '\\') {
            es_str_char(&arg->value, line[at++]);
            continue;
        }
        size_t n = read_escape(&arg->value, line + at + 1, call->len - at - 1);
        if (!n)
            return bad_quote(arg, at, at + 2 < call->len ? at + 2 : call->len,
                             "this is no escape that quotes know", err);
        at += n + 1;
    }
    if (at == call->len)
        return bad_quote(arg, begin, call->len, "the quote that opens here is never closed", err);
    arg->end = at + 1;
    return 1;
}

int es_arg_next(const es_call *call, size_t *at, es_arg *arg, es_error *err)
{
    size_t begin = skip_blanks(call, *at), end = begin;
    *arg = (es_arg){.begin = begin};
    if (begin == call->len)
        return 0;
    if (call->line[begin] == '"') {
        arg->quoted = true;
        int found = read_quoted(call, begin, arg, err);
        *at = arg->end;
        return found;
    }
    while (end < call->len && !is_blank(call->line[end]))
        end++;
    es_str_bytes(&arg->value, call->line + begin, end - begin);
    arg->end = *at = end;
    return 1;
}

bool es_arg_text(const es_call *call, size_t at, es_str *text, es_error *err)
{
    if (at < call->len && call->line[at] == '"') {
        es_arg arg;
        size_t after = at;
        es_error why = ES_ERROR_NONE;
        int found = es_arg_next(call, &after, &arg, &why);
        bool whole = found > 0 && skip_blanks(call, after) == call->len;
        if (whole) {
            es_str_free(text);
            *text = arg.value;
            es_error_free(&why);
            return true;
        }
        if (found > 0)
            es_str_free(&arg.value);
        if (found < 0 && why.begin > (ptrdiff_t)at) { /* closed or not, it holds a wrong escape */
            if (err)
                *err = why;
            else
                es_error_free(&why);
            return false;
        }
        es_error_free(&why);
    }
    if (!es_str_room(text, call->len - at, "this text", err))
        return false;
    es_str_bytes(text, call->line + at, call->len - at);
    return true;
}

bool es_arg_path(const es_call *call, size_t at, es_str *path, es_error *err)
{
    es_str text = {0};
    if (!es_arg_text(call, at, &text, err))
        return false;
    while (text.len && is_blank(text.s[text.len - 1]))
        es_str_cut(&text, text.len - 1);
    bool ok = es_place_typed(path, es_str_text(&text), text.len, err);
    if (!ok)
        es_error_locate(err, at, call->len);
    es_str_free(&text);
    return ok;
}

bool es_arg_cut_option(es_call *call, const char *option, es_arg *value)
{
    size_t end = call->len, n = strlen(option);
    while (end > call->args && is_blank(call->line[end - 1]))
        end--;
    size_t begin = end;
    while (begin > call->args && !is_blank(call->line[begin - 1]))
        begin--;
    if (begin == call->args || end - begin < n || memcmp(call->line + begin, option, n) != 0)
        return false;
    *value = (es_arg){.begin = begin + n, .end = end};
    es_str_bytes(&value->value, call->line + value->begin, end - value->begin);
    call->len = begin - 1;
    return true;
}

bool es_arg_is(const es_call *call, size_t at, const char *word)
{
    es_arg arg = {0};
    bool is = es_arg_next(call, &at, &arg, NULL) > 0 && !arg.quoted &&
              !strcmp(es_str_text(&arg.value), word) && es_arg_end(call, at, NULL);
    es_str_free(&arg.value);
    return is;
}

bool es_arg_int(const es_arg *arg, const char *what, int64_t low, int64_t high, int64_t *value,
                es_error *err)
{
    const char *s = es_str_text(&arg->value);
    size_t i = s[0] == '-', n = arg->value.len;
    int64_t v = 0;
    bool ok = i < n;
    for (; ok && i < n; i++) {
        ok = s[i] >= '0' && s[i] <= '9' && v < INT64_MAX / 100;
        v = ok ? v * 10 + (s[i] - '0') : 0;
    }
    v = s[0] == '-' ? -v : v;
    if (ok && v >= low && v <= high) {
        *value = v;
        return true;
    }
    es_str shown = {0};
    es_show_brief(&shown, s, n);
    if (ok || (n && s[strspn(s, "-0123456789")] == '\0'))
        es_fail(err, ES_ERR_RANGE, "%s is a whole number from %lld to %lld, not %s", what,
                (long long)low, (long long)high, shown.s);
    else
        es_fail(err, ES_ERR_VALUE, "%s is a whole number, not %s", what, shown.s);
    es_str_free(&shown);
    return es_error_locate(err, arg->begin, arg->end);
}

bool es_arg_end(const es_call *call, size_t at, es_error *err)
{
    size_t begin = skip_blanks(call, at);
    if (begin == call->len)
        return true;
    es_call_usage(call, err);
    return es_error_locate(err, begin, call->len);
}

bool es_call_usage(const es_call *call, es_error *err)
{
    const es_command *c = call->command;
    es_fail(err, ES_ERR_USAGE, "the form is :%s%s%s", c->name, *c->args ? " " : "", c->args);
    return es_hint(err, "try: :help %s", c->name);
}

void es_call_answer(const es_call *call, es_result r)
{
    call->sink->result(call->sink->user, &r);
}

void es_call_note(const es_call *call, const char *fmt, ...)
{
    es_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&text, es_translate(fmt), ap);
    va_end(ap);
    call->sink->note(call->sink->user, text.s, false);
    es_str_free(&text);
}
