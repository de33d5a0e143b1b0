// SPDX-License-Identifier: GPL-3.0-or-later
/* @draw: a name, and what it is drawn from. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "expr/lex_scan.h"
#include "lesson/lesson_inside.h"

static bool bad_values(const es_lesson_reader *r)
{
    return es_hint(r->err, "numbers are drawn from 2..6 or 2 | 4 | 8, words from \"a\" | \"b\"");
}

static bool is_name(es_lesson_piece p)
{
    for (size_t i = 0; i < p.n; i++) {
        char c = p.s[i];
        if (!es_lesson_is_letter(c) && c != '_' && !(i && es_lesson_is_digit(c)))
            return false;
    }
    return p.n && es_lex_keyword(p.s, p.n) == ES_T_NAME;
}

static bool read_name(es_lesson_reader *r, es_lesson_piece name, es_drawable *d)
{
    const es_lesson *l = r->l;
    d->name = es_lesson_copy(name);
    if (!name.n)
        return es_lesson_fault(r, d->line, "@draw has no name"), bad_values(r);
    if (!is_name(name)) {
        es_lesson_fault(r, d->line, "%s cannot be the name of a variable",
                        es_lesson_quote(r, name.s, name.n));
        return es_hint(r->err, "a name to draw has letters, digits and _, and no digit first");
    }
    for (const es_drawable *other = l->draw; other < d; other++)
        if (!strcmp(other->name, d->name))
            return es_lesson_fault(r, d->line, "%s is drawn twice, first on line %d", d->name,
                                   other->line);
    return true;
}

/* ---- what it is drawn from ---- */

static bool read_number(es_lesson_reader *r, const es_drawable *d, es_lesson_piece p, int64_t *out)
{
    if (es_lesson_number(p, ES_LESSON_MOST_NUMBER, out))
        return true;
    size_t digits = p.n && *p.s == '-';
    digits += strspn(p.s + digits, "0123456789");
    if (p.n && digits == p.n)
        return es_lesson_fault(r, d->line, "%s: %s is too large: numbers go from %d to %d", d->name,
                               es_lesson_quote(r, p.s, p.n), -ES_LESSON_MOST_NUMBER,
                               ES_LESSON_MOST_NUMBER);
    if (p.n)
        es_lesson_fault(r, d->line, "%s: %s is neither a whole number nor a word in quotes",
                        d->name, es_lesson_quote(r, p.s, p.n));
    else
        es_lesson_fault(r, d->line, "%s: a number or a word is missing", d->name);
    return bad_values(r);
}

static bool read_range(es_lesson_reader *r, es_drawable *d, es_lesson_piece p, const char *dots)
{
    size_t n = (size_t)(dots - p.s);
    es_lesson_piece low = es_lesson_trim((es_lesson_piece){p.s, n}),
                    high = es_lesson_trim((es_lesson_piece){dots + 2, p.n - n - 2});
    if (!read_number(r, d, low, &d->low) || !read_number(r, d, high, &d->high))
        return false;
    if (d->low <= d->high)
        return true;
    es_lesson_fault(r, d->line, "%s: the range %" PRId64 "..%" PRId64 " is empty", d->name, d->low,
                    d->high);
    return es_hint(r->err, "the lower number comes first: %" PRId64 "..%" PRId64, d->high, d->low);
}

static void *room(void *of, size_t n, size_t size)
{
    return n & (n - 1) ? of : es_realloc(of, (n ? 2 * n : 1) * size);
}

static bool read_word(es_lesson_reader *r, es_drawable *d, es_lesson_piece *p)
{
    es_str word = {0};
    if (!es_lesson_string(p, &word)) {
        es_str_free(&word);
        return es_lesson_fault(r, d->line, "%s: a quote has no end", d->name);
    }
    d->word = room(d->word, d->n, sizeof *d->word);
    d->word[d->n++] = es_copy_bytes(es_str_text(&word), word.len);
    es_str_free(&word);
    if (!*d->word[d->n - 1])
        return es_lesson_fault(r, d->line, "%s: a word is empty", d->name), bad_values(r);
    *p = es_lesson_trim(*p);
    if (p->n && *p->s != '|') {
        es_lesson_fault(r, d->line, "%s: behind a word stands |, not %s", d->name,
                        es_lesson_quote(r, p->s, p->n));
        return bad_values(r);
    }
    return true;
}

/* One of those with | between them. */
static bool read_value(es_lesson_reader *r, es_drawable *d, es_lesson_piece *p)
{
    bool word = p->n && *p->s == '"';
    if (d->n && word != d->words)
        return es_lesson_fault(r, d->line, "%s: numbers and words are mixed", d->name),
               bad_values(r);
    d->words = word;
    if (word)
        return read_word(r, d, p);
    const char *bar = p->n ? memchr(p->s, '|', p->n) : NULL;
    size_t n = bar ? (size_t)(bar - p->s) : p->n;
    int64_t number;
    if (!read_number(r, d, es_lesson_trim((es_lesson_piece){p->s, n}), &number))
        return false;
    d->number = room(d->number, d->n, sizeof *d->number);
    d->number[d->n++] = number;
    *p = (es_lesson_piece){p->s + n, p->n - n};
    return true;
}

static bool read_values(es_lesson_reader *r, es_drawable *d, es_lesson_piece p)
{
    if (!p.n)
        return es_lesson_fault(r, d->line, "%s has nothing to be drawn from", d->name),
               bad_values(r);
    const char *dots = *p.s == '"' ? NULL : memmem(p.s, p.n, "..", 2);
    if (dots && !memchr(p.s, '|', p.n))
        return read_range(r, d, p, dots);
    for (;;) {
        if (!read_value(r, d, &p))
            return false;
        if (!p.n)
            return true;
        p = es_lesson_trim((es_lesson_piece){p.s + 1, p.n - 1}); /* behind the | */
    }
}

bool es_lesson_read_draw(es_lesson_reader *r)
{
    es_lesson *l = r->l;
    es_lesson_piece p = es_lesson_piece_of(&r->block.head.text);
    if (l->n_draws == ES_LESSON_MOST_DRAWS)
        return es_lesson_fault(r, r->block.head.line, "a lesson draws at most %d names",
                               ES_LESSON_MOST_DRAWS);
    l->draw = room(l->draw, l->n_draws, sizeof *l->draw);
    es_drawable *d = &l->draw[l->n_draws++];
    *d = (es_drawable){.line = r->block.head.line};
    const char *equals = p.n ? memchr(p.s, '=', p.n) : NULL;
    size_t n = equals ? (size_t)(equals - p.s) : p.n;
    if (!read_name(r, es_lesson_trim((es_lesson_piece){p.s, n}), d))
        return false;
    es_lesson_piece values = {p.s + n + (equals != NULL), p.n - n - (equals != NULL)};
    return read_values(r, d, es_lesson_trim(values));
}
