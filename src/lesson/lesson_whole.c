// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a step has all that its kind needs, and nothing that has no use there. */
#include <string.h>
#include <strings.h>

#include "lesson/lesson_inside.h"

static bool bare(es_lesson_reader *r, const es_lesson_step *s, const char *what, const char *try)
{
    es_lesson_fault(r, s->line, "this @%s has no %s", es_lesson_kind_name(s->kind), what);
    return es_hint(r->err, "try:   %s", try);
}

/* ---- choices ---- */

static const es_lesson_note *option_of(const es_lesson_notes *options, const char *word)
{
    for (size_t i = 0; i < options->n; i++)
        if (!strcmp(options->of[i].code, word))
            return &options->of[i];
    return NULL;
}

static bool not_an_option(es_lesson_reader *r, const es_lesson_step *s, const es_lesson_note *note)
{
    es_str words = {0};
    for (size_t i = 0; i < s->option.n; i++)
        es_str_add(&words, "%s%s", i ? ", " : "", s->option.of[i].code);
    es_lesson_fault(r, note->line, "%s is none of the options",
                    es_lesson_quote(r, note->code, strlen(note->code)));
    es_hint(r->err, "the options are %s", words.s);
    es_str_free(&words);
    return false;
}

static bool options_differ(es_lesson_reader *r, const es_lesson_notes *options)
{
    for (size_t i = 1; i < options->n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcasecmp(options->of[i].code, options->of[k].code))
                return es_lesson_fault(
                    r, options->of[i].line, "the option %s is on line %d too",
                    es_lesson_quote(r, options->of[i].code, strlen(options->of[i].code)),
                    options->of[k].line);
    return true;
}

static bool is_choice(es_lesson_reader *r, const es_lesson_step *s)
{
    if (s->option.n < 2)
        return bare(r, s, s->option.n ? "second option" : "option",
                    "option wpe  the table of positions");
    if (s->option.n > ES_LESSON_MOST_OPTIONS)
        return es_lesson_fault(r, s->option.of[ES_LESSON_MOST_OPTIONS].line,
                               "a choice has at most %d options", ES_LESSON_MOST_OPTIONS);
    if (!options_differ(r, &s->option))
        return false;
    for (size_t i = 0; i < s->answer.n; i++)
        if (!option_of(&s->option, s->answer.of[i].code))
            return not_an_option(r, s, &s->answer.of[i]);
    for (size_t i = 0; i < s->wrong.n; i++) {
        const es_lesson_note *wrong = &s->wrong.of[i];
        if (*wrong->code && !option_of(&s->option, wrong->code))
            return not_an_option(r, s, wrong);
        if (option_of(&s->answer, wrong->code))
            return es_lesson_fault(r, wrong->line, "%s is both an answer and wrong",
                                   es_lesson_quote(r, wrong->code, strlen(wrong->code)));
    }
    return true;
}

/* ---- kinds ---- */

static bool no_use(es_lesson_reader *r, const es_lesson_notes *notes, const char *name,
                   const char *why)
{
    if (!notes->n)
        return true;
    es_lesson_fault(r, notes->of[0].line, "%s has no use here", name);
    return es_hint(r->err, "%s", why);
}

static bool is_answered(es_lesson_reader *r, const es_lesson_step *s)
{
    static const char why[] = "options are of a choice";
    if (!s->answer.n)
        return bare(r, s, "answer",
                    s->answers == ES_ANSWER_SHAPE ? "answer [B, T, C]" : "answer V");
    return s->answers == ES_ANSWER_CHOICE ? is_choice(r, s) : no_use(r, &s->option, "option", why);
}

static bool is_error(es_lesson_reader *r, const es_lesson_step *s)
{
    static const char why[] =
        "@error without an ask asks nothing; try:   ask value Which id is it?";
    if (!s->error_kind) {
        es_lesson_fault(r, s->line, "this @error has no kind=");
        return es_hint(r->err, "it is the word in error[…] when the line is run: kind=index_range");
    }
    if (s->answers != ES_ANSWER_NONE)
        return is_answered(r, s);
    return no_use(r, &s->answer, "answer", why) && no_use(r, &s->wrong, "wrong", why) &&
           no_use(r, &s->option, "option", why) && no_use(r, &s->hint, "hint", why);
}

static bool is_one_else(es_lesson_reader *r, const es_lesson_notes *wrong)
{
    const es_lesson_note *first = NULL;
    for (size_t i = 0; i < wrong->n; i++) {
        const es_lesson_note *note = &wrong->of[i];
        if (!*note->code && first)
            return es_lesson_fault(
                r, note->line, "here is a second wrong else; the first is on line %d", first->line);
        first = *note->code ? first : note;
    }
    return true;
}

bool es_lesson_is_whole(es_lesson_reader *r, const es_lesson_step *s)
{
    if (!is_one_else(r, &s->wrong))
        return false;
    switch (s->kind) {
    case ES_LESSON_SHOW:
        return s->check.n || s->prints.n || r->block.goes_on ||
               bare(r, s, "check and no prints", "check h.shape == (B, T, C)");
    case ES_LESSON_TASK:
        if (!s->check.n)
            return bare(r, s, "check", "check allclose(h, wte(ids))");
        return s->solution.n || bare(r, s, "solution", "solution h = wte(ids)");
    case ES_LESSON_PREDICT: return is_answered(r, s);
    case ES_LESSON_ERROR: return is_error(r, s);
    }
    return false;
}
