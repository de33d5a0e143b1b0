// SPDX-License-Identifier: GPL-3.0-or-later
/* What the player says of a question: the question itself, what is awaited, hints, solutions. */
#include <string.h>

#include "lesson/player_inside.h"

/* ---- the question ---- */

/* On one line. */
static void add_option(es_str *list, char letter, const es_lesson_note *o)
{
    const char *message = o->message ? o->message : "";
    es_str_add(list, "- **%c** `%s`%s", letter, o->code, *message ? ": " : "");
    for (; *message; message++)
        es_str_char(list, *message == '\n' ? ' ' : *message);
    es_str_char(list, '\n');
}

static void add_options(const es_player *p, es_says *s)
{
    const es_lesson_notes *o = &es_player_step(p)->option;
    es_str list = {0};
    for (size_t i = 0; i < o->n; i++)
        add_option(&list, (char)('a' + (int)(i % 26)), &o->of[i]);
    es_says_part(s, "options", ES_SAYS_OPTIONS, NULL, es_str_text(&list), &p->drawn);
    es_str_free(&list);
}

/* The question itself, beside what the step says in words of its own. */
static void add_asked(const es_player *p, es_says *s)
{
    const es_lesson_step *step = es_player_step(p);
    const char *what = step->answers == ES_ANSWER_SHAPE ? "shape" : "value";
    es_says_part(s, "question", ES_SAYS_PROSE, NULL, step->question, &p->drawn);
    if (step->kind != ES_LESSON_PREDICT || !*step->code)
        return;
    es_str ask = {0};
    if (strpbrk(step->code, "\n`")) {
        es_str_add(&ask, "What is the %s of this?", what);
        es_says_part(s, "asked", ES_SAYS_PROSE, NULL, ask.s, NULL);
        es_says_part(s, "code", ES_SAYS_CODE, NULL, step->code, NULL);
    } else {
        es_str_add(&ask, "What is the %s of `%s`?", what, step->code);
        es_says_part(s, "asked", ES_SAYS_PROSE, NULL, ask.s, NULL);
    }
    es_str_free(&ask);
}

void es_player_add_question(const es_player *p, es_says *s)
{
    add_asked(p, s);
    add_options(p, s);
}

/* Every bool of a lesson is answered with one of these words. */
static bool is_yes_or_no(const es_lesson_step *step)
{
    static const char *const words[] = {"yes", "no", "True", "False"};
    for (size_t i = 0; step->answer.n && i < sizeof words / sizeof *words; i++)
        if (!strcmp(step->answer.of[0].code, words[i]))
            return true;
    return false;
}

static void how_to_do(const es_player *p, es_str *out)
{
    if (es_player_step(p)->text_mode)
        es_str_cat(out, "Type a text or a command; it is looked at once it has run.");
    else if (p->wanted.len)
        es_str_add(out, "Type code that makes %s, in a line or several.", p->wanted.s);
    else
        es_str_cat(out, "Type code, in a line or several; what it changes is looked at.");
}

void es_player_say_how(const es_player *p, es_str *out)
{
    const es_lesson_step *step = es_player_step(p);
    switch (step->answers) {
    case ES_ANSWER_SHAPE: es_str_cat(out, "Type the shape, such as [B, T]."); break;
    case ES_ANSWER_VALUE:
        es_str_cat(out, is_yes_or_no(step) ? "Type yes or no." : "Type the value.");
        break;
    case ES_ANSWER_CHOICE: es_str_cat(out, "Type the letter or the word."); break;
    default:
        if (step->kind == ES_LESSON_TASK)
            how_to_do(p, out);
        else
            es_str_cat(out, "Enter goes on.");
    }
}

/* ---- help ---- */

void es_player_say_help(const es_player *p, const es_sink *sink)
{
    es_says *s = es_player_says(p, "help");
    es_str awaited = {0};
    if (p->finished)
        es_str_cat(&awaited, "Enter goes on.");
    else
        es_player_say_how(p, &awaited);
    es_says_part(s, "text", ES_SAYS_PROSE, NULL,
                 "- `:hint` a little help, more each time\n"
                 "- `:solution` what is asked for\n"
                 "- `:next` on to the next step, `:back` to the one before\n"
                 "- `:restart` this step again, from its beginning\n"
                 "- `= LINE` run a line just to see what it gives; `:play` many\n"
                 "- `:vars` the variables there are, `:help NAME` what a name means\n"
                 "- `:lesson off` out of the lesson, which is kept; `:help` all commands",
                 NULL);
    es_says_part(s, "next", ES_SAYS_FOOT, NULL, awaited.s, NULL);
    es_player_say(sink, s);
    es_str_free(&awaited);
}

void es_player_say_hint(es_player *p, const es_sink *sink)
{
    const es_lesson_notes *hint = &es_player_step(p)->hint;
    if (!hint->n || !es_player_asks(es_player_step(p))) {
        es_player_say_short(p, "hint",
                            es_player_asks(es_player_step(p))
                                ? "This step has no hints; :solution shows what is asked."
                                : "Nothing is asked here; Enter goes on.",
                            sink);
        return;
    }
    size_t i = (size_t)p->hints < hint->n ? (size_t)p->hints : hint->n - 1;
    p->hints = (int)i + 1;
    es_str lead = {0};
    es_says *s = es_player_says(p, "hint");
    es_str_add(&lead, "hint %zu of %zu: ", i + 1, hint->n);
    es_says_number(s, "number", (int)i + 1);
    es_says_number(s, "of", (int)hint->n);
    es_says_part(s, "text", ES_SAYS_PROSE, lead.s, hint->of[i].message, &p->drawn);
    es_player_say(sink, s);
    es_str_free(&lead);
}

/* The answer, or the line that does it. */
static void add_solution(const es_player *p, es_says *s)
{
    const es_lesson_step *step = es_player_step(p);
    if (step->kind == ES_LESSON_TASK && step->solution.n)
        es_says_part(s, "solution", ES_SAYS_CODE, NULL, step->solution.of[0].code,
                     es_player_fills(p, step->solution.of[0].code, step->text_mode));
    else if (step->answer.n)
        es_says_part(s, "solution", ES_SAYS_CODE, NULL, step->answer.of[0].code, NULL);
}

void es_player_say_solution(const es_player *p, const es_sink *sink)
{
    if (!es_player_asks(es_player_step(p))) {
        es_player_say_short(p, "solution", "Nothing is asked here; Enter goes on.", sink);
        return;
    }
    es_says *s = es_player_says(p, "solution");
    add_solution(p, s);
    es_player_say(sink, s);
}

/* "[b, t]" says nothing to whoever does not see b and t. */
bool es_player_answer_runs(const es_player *p)
{
    const es_lesson_step *step = es_player_step(p);
    es_value v;
    if (step->kind != ES_LESSON_ERROR || step->answers != ES_ANSWER_VALUE || !step->answer.n ||
        is_yes_or_no(step) || !es_desk_value(p->session, step->answer.of[0].code, &v, NULL))
        return false;
    bool runs = v.kind != ES_V_STR && v.kind != ES_V_BUILTIN;
    es_value_unref(&v);
    return runs;
}

void es_player_say_skipped(const es_player *p, const es_sink *sink)
{
    const es_lesson_step *step = es_player_step(p);
    es_str text = {0};
    es_says *s = es_player_says(p, "skipped");
    es_str_add(&text, "%d.%zu skipped. %s", p->on->number, p->step + 1,
               step->kind == ES_LESSON_TASK ? "This does it:" : "The answer is:");
    es_says_part(s, "text", ES_SAYS_FOOT, NULL, text.s, NULL);
    add_solution(p, s);
    if (step->kind == ES_LESSON_PREDICT && *step->code) {
        es_says_part(s, "run", ES_SAYS_FOOT, NULL, "And this is what the program says:", NULL);
        es_says_part(s, "code", ES_SAYS_CODE, NULL, step->code, NULL);
    }
    es_player_say(sink, s);
    es_str_free(&text);
}
