// SPDX-License-Identifier: GPL-3.0-or-later
/* Lessons from anywhere: what is refused says on which line, in words fit to be read; of what is read, each step has
 * what its kind promises, and what is drawn is of its list. */
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "lesson/draw.h"

static void check_words(const char *s)
{
    uint32_t cp;
    for (size_t n = strlen(s), i = 0; i < n;) {
        int len = es_utf8_next(s + i, n - i, &cp);
        promise(len && (cp == '\n' || es_char_visible(cp)));
        i += (size_t)len;
    }
}

static void check_error(es_error *err, size_t size)
{
    promise(err->code == ES_ERR_FORMAT && !strncmp(err->message, "x.md:", 5));
    char *end;
    long line = strtol(err->message + 5, &end, 10);
    promise(line >= 1 && (size_t)line <= size + 1 && *end == ':');
    check_words(err->message);
    if (err->hint)
        check_words(err->hint);
    es_error_free(err);
}

static void check_notes(const es_lesson_notes *notes, int line)
{
    for (size_t i = 0; i < notes->n; i++) {
        promise(notes->of[i].code && notes->of[i].line > line);
        promise(*notes->of[i].code || notes->of[i].message);
    }
}

static void check_step(const es_lesson_step *s)
{
    const es_lesson_notes *lists[] = {&s->answer, &s->wrong,  &s->check, &s->solution,
                                      &s->prints, &s->option, &s->hint,  &s->after};
    bool code = s->kind != ES_LESSON_TASK && s->answers != ES_ANSWER_CHOICE;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        check_notes(lists[i], s->line);
    promise(s->prose && s->code && s->question && s->within >= 0 && s->after.n <= 1);
    promise(s->kind == ES_LESSON_ERROR || code == (*s->code != '\0'));
    promise((s->kind == ES_LESSON_ERROR) == (s->error_kind != NULL));
    promise((s->answers != ES_ANSWER_NONE) == (s->answer.n > 0));
    promise(s->kind != ES_LESSON_TASK || (*s->question && s->check.n && s->solution.n));
    for (size_t i = 0; i < s->wrong.n; i++)
        promise(s->wrong.of[i].message && *s->wrong.of[i].message);
}

static void check_draws(const es_lesson *l, uint64_t seed)
{
    es_str out = {0};
    es_drawn d = es_draw(l, seed);
    for (size_t i = 0; i < l->n_draws; i++)
        promise(*d.text[i] && (l->draw[i].n || l->draw[i].low <= l->draw[i].high));
    es_drawn_statements(&out, &d);
    for (size_t i = 0; i < l->n_steps; i++) {
        es_drawn_fill(&out, &d, l->step[i].prose);
        es_drawn_stranger(l, l->step[i].prose, &out);
    }
    es_drawn_free(&d);
    es_str_free(&out);
}

int fuzz_lesson(const uint8_t *data, size_t size)
{
    es_error err = ES_ERROR_NONE;
    es_lesson l;
    if (!es_lesson_parse(&l, "x.md", (const char *)data, size, &err)) {
        check_error(&err, size);
        promise(!l.path && !l.step && !l.draw);
        return 0;
    }
    promise(l.n_steps && *l.slug && *l.title && l.minutes > 0 && l.needs && l.about && l.end);
    for (size_t i = 0; i < l.n_steps; i++)
        check_step(&l.step[i]);
    check_draws(&l, size);
    es_lesson_free(&l);
    return 0;
}

ES_FUZZ_TARGET(fuzz_lesson)
