// SPDX-License-Identifier: GPL-3.0-or-later
/* Attributes of a directive: those of @lesson, name=value one behind the other, and those at the end of a step's line. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/mem.h"
#include "lesson/lesson_inside.h"

enum { MOST_MINUTES = 240, LONGEST_SLUG = 64 };

static bool read_mode(es_lesson_reader *r, es_lesson_piece value, int line, bool *text_mode)
{
    *text_mode = es_lesson_is(value, "text");
    if (*text_mode || es_lesson_is(value, "tensor"))
        return true;
    return es_lesson_fault(r, line, "mode is text or tensor, not %s",
                           es_lesson_quote(r, value.s, value.n));
}

/* ---- @lesson ---- */

typedef struct lesson_attribute {
    const char *name;
    bool (*read)(es_lesson_reader *r, const struct lesson_attribute *a, es_lesson_piece value);
    size_t at; /* in es_lesson */
} lesson_attribute;

static bool read_text(es_lesson_reader *r, const lesson_attribute *a, es_lesson_piece value)
{
    char **into = (char **)(void *)((char *)r->l + a->at);
    *into = es_lesson_copy(es_lesson_trim(value));
    return **into || es_lesson_fault(r, r->block.head.line, "%s= has nothing behind it", a->name);
}

static bool read_list(es_lesson_reader *r, const lesson_attribute *a, es_lesson_piece value)
{
    *(char **)(void *)((char *)r->l + a->at) = es_lesson_copy(es_lesson_trim(value));
    return true;
}

static bool read_minutes(es_lesson_reader *r, const lesson_attribute *a, es_lesson_piece value)
{
    int64_t minutes;
    (void)a;
    if (!es_lesson_number(value, MOST_MINUTES, &minutes) || minutes < 1)
        return es_lesson_fault(r, r->block.head.line,
                               "minutes is a whole number from 1 to %d, not %s", MOST_MINUTES,
                               es_lesson_quote(r, value.s, value.n));
    r->l->minutes = (int)minutes;
    return true;
}

static bool read_lesson_mode(es_lesson_reader *r, const lesson_attribute *a, es_lesson_piece value)
{
    (void)a;
    return read_mode(r, value, r->block.head.line, &r->text_mode);
}

static const lesson_attribute lesson_attributes[] = {
    {"title", read_text, offsetof(es_lesson, title)},
    {"minutes", read_minutes, 0},
    {"needs", read_list, offsetof(es_lesson, needs)},
    {"about", read_list, offsetof(es_lesson, about)},
    {"model", read_text, offsetof(es_lesson, model)},
    {"mode", read_lesson_mode, 0},
};
enum { N_LESSON_ATTRIBUTES = sizeof lesson_attributes / sizeof *lesson_attributes };

static const char *lesson_attribute_at(size_t i)
{
    return i < N_LESSON_ATTRIBUTES ? lesson_attributes[i].name : NULL;
}

static bool unknown_attribute(es_lesson_reader *r, es_lesson_piece name)
{
    es_lesson_fault(r, r->block.head.line, "@lesson has no attribute %s",
                    es_lesson_quote(r, name.s, name.n));
    const char *meant = es_lesson_meant(name.s, name.n, lesson_attribute_at);
    if (meant)
        return es_hint(r->err, "did you mean %s= ?", meant);
    return es_hint(r->err, "there are title, minutes, needs, about, model and mode");
}

static bool no_attribute(es_lesson_reader *r, es_lesson_piece rest)
{
    es_lesson_piece word = es_lesson_word(&rest);
    es_lesson_fault(r, r->block.head.line, "behind the slug stand name=value, not %s",
                    es_lesson_quote(r, word.s, word.n));
    return es_hint(r->err, "a value with spaces is in double quotes: title=\"Two words\"");
}

/* The value that rest begins with, a word or a string in quotes. */
static bool take_value(es_lesson_reader *r, es_lesson_piece *rest, const char *name, es_str *value)
{
    if (!rest->n || *rest->s != '"') {
        size_t n = 0;
        while (n < rest->n && !es_lesson_is_blank(rest->s[n]))
            n++;
        es_str_bytes(value, rest->s, n);
        *rest = (es_lesson_piece){rest->s + n, rest->n - n};
        return true;
    }
    if (!es_lesson_string(rest, value))
        return es_lesson_fault(r, r->block.head.line, "%s= has a quote without its end", name);
    if (rest->n && !es_lesson_is_blank(*rest->s))
        return no_attribute(r, *rest);
    return true;
}

static bool read_lesson_attribute(es_lesson_reader *r, es_lesson_piece *rest, unsigned *seen)
{
    size_t n = 0, i = 0;
    while (n < rest->n && rest->s[n] != '=' && !es_lesson_is_blank(rest->s[n]))
        n++;
    if (n == 0 || n == rest->n || rest->s[n] != '=')
        return no_attribute(r, *rest);
    es_lesson_piece name = {rest->s, n};
    while (i < N_LESSON_ATTRIBUTES && !es_lesson_is(name, lesson_attributes[i].name))
        i++;
    if (i == N_LESSON_ATTRIBUTES)
        return unknown_attribute(r, name);
    if (*seen & 1u << i)
        return es_lesson_fault(r, r->block.head.line, "%s= is here twice",
                               lesson_attributes[i].name);
    *seen |= 1u << i;
    *rest = (es_lesson_piece){rest->s + n + 1, rest->n - n - 1};
    es_str value = {0};
    bool ok = take_value(r, rest, lesson_attributes[i].name, &value) &&
              lesson_attributes[i].read(r, &lesson_attributes[i],
                                        (es_lesson_piece){es_str_text(&value), value.len});
    es_str_free(&value);
    *rest = es_lesson_trim(*rest);
    return ok;
}

static bool is_slug(es_lesson_piece slug)
{
    if (!slug.n || slug.n > LONGEST_SLUG || !es_lesson_is_letter(*slug.s))
        return false;
    for (size_t i = 0; i < slug.n; i++)
        if (!es_lesson_is_letter(slug.s[i]) && !es_lesson_is_digit(slug.s[i]) && slug.s[i] != '-' &&
            slug.s[i] != '_')
            return false;
    return true;
}

static bool read_slug(es_lesson_reader *r, es_lesson_piece *rest)
{
    bool missing = !rest->n || memchr(rest->s, '=', strcspn(rest->s, " \t\n"));
    es_lesson_piece slug = missing ? *rest : es_lesson_word(rest);
    r->l->slug = es_lesson_copy(slug);
    if (!missing && is_slug(slug))
        return true;
    if (missing)
        es_lesson_fault(r, r->block.head.line, "@lesson has no slug");
    else
        es_lesson_fault(r, r->block.head.line, "a lesson cannot have the slug %s",
                        es_lesson_quote(r, slug.s, slug.n));
    return es_hint(r->err,
                   "a slug is one word of at most %d letters, digits, - and _, a letter first: "
                   "add-not-concatenate",
                   LONGEST_SLUG);
}

bool es_lesson_read_lesson(es_lesson_reader *r)
{
    es_lesson_piece rest = es_lesson_piece_of(&r->block.head.text);
    es_lesson *l = r->l;
    unsigned seen = 0;
    r->lesson_line = r->block.head.line;
    if (!read_slug(r, &rest))
        return false;
    while (rest.n)
        if (!read_lesson_attribute(r, &rest, &seen))
            return false;
    if (!l->title || !l->minutes) {
        es_lesson_fault(r, r->lesson_line,
                        l->title ? "@lesson has no minutes=" : "@lesson has no title=");
        return es_hint(r->err, "try: @lesson %s  title=\"My lesson\"  minutes=8", l->slug);
    }
    l->needs = l->needs ? l->needs : es_copy_string("");
    l->about = l->about ? l->about : es_copy_string("");
    return true;
}

/* ---- a step's line ---- */

typedef struct step_attribute {
    const char *name, *of;
    bool (*read)(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece value);
} step_attribute;

static bool read_step_mode(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece value)
{
    return read_mode(r, value, step->line, &step->text_mode);
}

static const char *code_at(size_t i)
{
    return i + 1 < ES_N_CODES ? es_code_name((es_code)(i + 1)) : NULL; /* ok is none */
}

static bool read_kind(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece value)
{
    for (size_t i = 0; code_at(i); i++)
        if (es_lesson_is(value, code_at(i))) {
            step->error_kind = es_lesson_copy(value);
            return true;
        }
    es_lesson_fault(r, step->line, "no error is of the kind %s",
                    es_lesson_quote(r, value.s, value.n));
    const char *meant = es_lesson_meant(value.s, value.n, code_at);
    if (meant)
        return es_hint(r->err, "did you mean kind=%s ?", meant);
    return es_hint(r->err, "it is the word in error[…] when the line is run");
}

static bool read_within(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece value)
{
    char *text = es_lesson_copy(value), *end;
    bool digits = text[strspn(text, "0123456789.eE+-")] == '\0';
    step->within = strtod(text, &end);
    bool ok = digits && *text && !*end && isfinite(step->within) && step->within >= 0;
    free(text);
    return ok || es_lesson_fault(r, step->line, "within is a number such as 0.1, not %s",
                                 es_lesson_quote(r, value.s, value.n));
}

static const step_attribute step_attributes[] = {
    {"mode", "a step", read_step_mode},
    {"kind", "@error", read_kind},
    {"within", "@predict value", read_within},
};
enum { N_STEP_ATTRIBUTES = sizeof step_attributes / sizeof *step_attributes };

static const char *step_attribute_at(size_t i)
{
    return i < N_STEP_ATTRIBUTES ? step_attributes[i].name : NULL;
}

static bool belongs(const step_attribute *a, const es_lesson_step *step)
{
    return a->read == read_step_mode || (a->read == read_kind && step->kind == ES_LESSON_ERROR) ||
           (a->read == read_within && step->kind == ES_LESSON_PREDICT &&
            step->answers == ES_ANSWER_VALUE);
}

/* Is the line code, where a slip in an attribute's name is nothing else? */
static bool is_statement(const es_lesson_step *step, es_lesson_piece p)
{
    return step->kind != ES_LESSON_TASK && step->answers != ES_ANSWER_CHOICE && !step->text_mode &&
           p.n && *p.s != ':' && !memchr(p.s, '#', p.n);
}

/* The word at the end of p, if it looks like name=value: how long the name is, else 0. */
static size_t last_attribute(es_lesson_piece p, es_lesson_piece *word)
{
    size_t at = p.n, n = 0;
    while (at > 0 && !es_lesson_is_blank(p.s[at - 1]))
        at--;
    *word = (es_lesson_piece){p.s + at, p.n - at};
    while (n < word->n && (es_lesson_is_letter(word->s[n]) || word->s[n] == '_'))
        n++;
    bool is = n && n < word->n && word->s[n] == '=' && (n + 1 == word->n || word->s[n + 1] != '=');
    for (size_t i = n; is && i < word->n; i++)
        is = !strchr("()[]{}\"',", word->s[i]);
    return is ? n : 0;
}

static bool misnamed(es_lesson_reader *r, const es_lesson_step *step, es_lesson_piece name,
                     const char *meant)
{
    es_lesson_fault(r, step->line, "@%s has no attribute %s", es_lesson_kind_name(step->kind),
                    es_lesson_quote(r, name.s, name.n));
    return es_hint(r->err, "did you mean %s= ?", meant);
}

static bool read_attribute(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece word,
                           size_t name, unsigned *seen)
{
    size_t i = 0;
    while (!es_lesson_is((es_lesson_piece){word.s, name}, step_attributes[i].name))
        i++;
    const step_attribute *a = &step_attributes[i];
    if (!belongs(a, step))
        return es_lesson_fault(r, step->line, "%s= is of %s, not of this @%s", a->name, a->of,
                               es_lesson_kind_name(step->kind));
    if (*seen & 1u << i)
        return es_lesson_fault(r, step->line, "%s= is here twice", a->name);
    *seen |= 1u << i;
    return a->read(r, step, (es_lesson_piece){word.s + name + 1, word.n - name - 1});
}

bool es_lesson_read_attributes(es_lesson_reader *r, es_lesson_step *step, es_lesson_piece *p,
                               unsigned *seen)
{
    es_lesson_piece word;
    for (size_t name; *p = es_lesson_trim(*p), (name = last_attribute(*p, &word));) {
        const char *meant = es_lesson_meant(word.s, name, step_attribute_at);
        bool known = meant && es_lesson_is((es_lesson_piece){word.s, name}, meant);
        es_lesson_piece before = es_lesson_trim((es_lesson_piece){p->s, p->n - word.n});
        if (!known && meant && is_statement(step, before))
            return misnamed(r, step, (es_lesson_piece){word.s, name}, meant);
        if (!known)
            return true;
        if (!read_attribute(r, step, word, name, seen))
            return false;
        *p = before;
    }
    return true;
}
