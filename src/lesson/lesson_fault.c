// SPDX-License-Identifier: GPL-3.0-or-later
/* Faults of a lesson's file in words, and the pieces that its lines are read in. */
#include <limits.h>
#include <string.h>

#include "base/guess.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"
#include "lesson/lesson_inside.h"

bool es_lesson_fault(const es_lesson_reader *r, int line, const char *fmt, ...)
{
    es_str what = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&what, es_translate(fmt), ap);
    va_end(ap);
    es_fail(r->err, ES_ERR_FORMAT, "%s:%d: %s", r->name, line, es_str_text(&what));
    es_str_free(&what);
    return false;
}

const char *es_lesson_quote(es_lesson_reader *r, const char *s, size_t n)
{
    es_str_cut(&r->quoted, 0);
    es_show_brief(&r->quoted, s, n);
    return r->quoted.s;
}

const char *es_lesson_meant(const char *s, size_t n, const char *(*at)(size_t i))
{
    const char *best = NULL;
    int least = es_slip(n);
    for (size_t i = 0; at(i); i++) {
        int d = es_distance(s, n, at(i), strlen(at(i)), least);
        if (d < least && (size_t)d < n) {
            least = d;
            best = at(i);
        }
    }
    return best;
}

/* ---- pieces ---- */

bool es_lesson_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

bool es_lesson_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool es_lesson_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

es_lesson_piece es_lesson_trim(es_lesson_piece p)
{
    for (; p.n && es_lesson_is_blank(*p.s); p.n--)
        p.s++;
    while (p.n && es_lesson_is_blank(p.s[p.n - 1]))
        p.n--;
    return p;
}

es_lesson_piece es_lesson_piece_of(const es_str *text)
{
    return es_lesson_trim((es_lesson_piece){es_str_text(text), text->len});
}

es_lesson_piece es_lesson_word(es_lesson_piece *rest)
{
    es_lesson_piece word = es_lesson_trim(*rest);
    size_t n = 0;
    while (n < word.n && !es_lesson_is_blank(word.s[n]))
        n++;
    *rest = es_lesson_trim((es_lesson_piece){word.s + n, word.n - n});
    word.n = n;
    return word;
}

bool es_lesson_is(es_lesson_piece p, const char *word)
{
    return p.n == strlen(word) && !memcmp(p.s, word, p.n);
}

char *es_lesson_copy(es_lesson_piece p)
{
    return es_copy_bytes(p.s, p.n);
}

bool es_lesson_string(es_lesson_piece *p, es_str *out)
{
    size_t i = 1;
    for (; i < p->n && p->s[i] != '"'; i++) {
        bool escape =
            p->s[i] == '\\' && i + 1 < p->n && (p->s[i + 1] == '"' || p->s[i + 1] == '\\');
        i += escape;
        es_str_char(out, p->s[i]);
    }
    if (i >= p->n)
        return false;
    *p = (es_lesson_piece){p->s + i + 1, p->n - i - 1};
    return true;
}

bool es_lesson_number(es_lesson_piece p, int64_t most, int64_t *out)
{
    bool minus = p.n && *p.s == '-';
    int64_t value = 0;
    for (size_t i = minus; i < p.n; i++) {
        if (!es_lesson_is_digit(p.s[i]))
            return false;
        value = 10 * value + (p.s[i] - '0');
        if (value > most)
            return false;
    }
    *out = minus ? -value : value;
    return p.n > (size_t)minus;
}
