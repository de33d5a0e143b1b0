// SPDX-License-Identifier: GPL-3.0-or-later
/* A typed answer to a choice: an option's word, its letter, or words of its text. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/visible.h"
#include "lesson/judge_inside.h"

static char *filled(const es_drawn *d, const char *code)
{
    es_str out = {0};
    if (d)
        es_drawn_fill(&out, d, code);
    else
        es_str_cat(&out, code);
    return out.s ? es_str_take(&out) : es_copy_string("");
}

static bool same_word(const es_drawn *d, const char *code, const char *typed, size_t n)
{
    char *option = filled(d, code);
    bool same = strlen(option) == n && !strncasecmp(option, typed, n);
    free(option);
    return same;
}

static bool is_sign(char c)
{
    return c && strchr(" .,;:'\"`*_()", c) != NULL;
}

/* Letters small, without signs of Markdown, a blank for each run of others; free it. */
static char *plain_words(const char *text)
{
    es_str out = {0};
    for (; *text; text++)
        if (!is_sign(*text))
            es_str_char(&out, (char)tolower((unsigned char)*text));
        else if (strchr(" ,;:", *text) && out.len && out.s[out.len - 1] != ' ')
            es_str_char(&out, ' ');
    while (out.len && out.s[out.len - 1] == ' ')
        es_str_cut(&out, out.len - 1);
    return out.s ? es_str_take(&out) : es_copy_string("");
}

static bool has_words(const char *text, const char *words)
{
    size_t n = strlen(words);
    for (const char *at = text; (at = strstr(at, words)); at++)
        if ((at == text || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/* The only option whose text is that, or has these words in it; -1: none, or several. */
static int option_that_says(const es_lesson_step *step, const es_drawn *d, const char *typed)
{
    enum { SOME = 4 }; /* fewer letters are no part of a text, only all of it */
    char *words = plain_words(typed);
    int whole = -1, part = -1, n_parts = 0;
    for (size_t i = 0; *words && i < step->option.n; i++) {
        char *text = filled(d, step->option.of[i].message ? step->option.of[i].message : "");
        char *says = plain_words(text);
        if (!strcmp(says, words))
            whole = (int)i;
        if (strlen(words) >= SOME && has_words(says, words))
            part = (int)i, n_parts++;
        free(says);
        free(text);
    }
    free(words);
    return whole >= 0 ? whole : n_parts == 1 ? part : -1;
}

/* Which option it is, by its word, its letter ("b", "b)", "(B)"), or words of its text; -1: none. */
static int option_of(const es_lesson_step *step, const es_drawn *d, const char *typed)
{
    size_t n = strlen(typed);
    for (size_t i = 0; i < step->option.n; i++)
        if (same_word(d, step->option.of[i].code, typed, n))
            return (int)i;
    bool quoted = n > 2 && (typed[0] == '"' || typed[0] == '\'' || typed[0] == '(');
    typed += quoted;
    n -= quoted;
    while (n && strchr(")\"'.:", typed[n - 1]))
        n--;
    for (size_t i = 0; i < step->option.n; i++)
        if (same_word(d, step->option.of[i].code, typed, n))
            return (int)i;
    int letter = n == 1 ? tolower((unsigned char)typed[0]) - 'a' : -1;
    return letter >= 0 && (size_t)letter < step->option.n ? letter
                                                          : option_that_says(step, d, typed);
}

bool es_is_option(const es_lesson_step *step, const es_drawn *d, const char *line, size_t len)
{
    char *typed = es_typed_text(line, len);
    bool is = option_of(step, d, typed) >= 0;
    free(typed);
    return is;
}

static bool no_option(es_error *err, const es_lesson_step *step, const es_drawn *d,
                      const char *typed)
{
    es_str shown = {0}, words = {0};
    es_show_brief(&shown, typed, strlen(typed));
    for (size_t i = 0; i < step->option.n; i++) {
        char *option = filled(d, step->option.of[i].code);
        es_str_cat(&words, i ? ", " : "");
        es_show_prose(&words, option, strlen(option));
        free(option);
    }
    es_fail(err, ES_ERR_VALUE, "%s is none of the answers: %s", es_str_text(&shown),
            es_str_text(&words));
    if (step->option.n > 1)
        es_hint(err, "a letter will do: a to %c", (char)('a' + (int)step->option.n - 1));
    es_str_free(&shown);
    es_str_free(&words);
    return true;
}

bool es_judge_choice(es_judgement *j, const es_lesson_step *step, const es_drawn *d,
                     const char *typed, es_error *err)
{
    int chosen = option_of(step, d, typed);
    if (chosen < 0) {
        no_option(err, step, d, typed);
        return es_no_answer(j);
    }
    for (size_t i = 0; i < step->answer.n; i++)
        if (option_of(step, d, step->answer.of[i].code) == chosen)
            return true;
    j->verdict = ES_VERDICT_WRONG;
    j->why = es_wrong_else(step);
    for (size_t i = step->wrong.n; i-- > 0;)
        if (!es_is_else(&step->wrong.of[i]) && option_of(step, d, step->wrong.of[i].code) == chosen)
            j->why = &step->wrong.of[i];
    return true;
}
