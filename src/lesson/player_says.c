// SPDX-License-Identifier: GPL-3.0-or-later
/* What the player says, in words. */
#include <ctype.h>
#include <string.h>

#include "lesson/player_inside.h"

es_says *es_player_says(const es_player *p, const char *event)
{
    return es_says_new(event, p->on->number, (int)p->step + 1, (int)es_player_lesson(p)->n_steps);
}

void es_player_say(const es_sink *sink, es_says *s)
{
    es_result r = es_says_result(s);
    sink->result(sink->user, &r);
}

void es_player_error(const es_sink *sink, es_error *err)
{
    es_result nothing = {0};
    sink->error(sink->user, err, "", 0, &nothing);
    es_error_free(err);
}

void es_player_say_short(const es_player *p, const char *event, const char *text,
                         const es_sink *sink)
{
    es_says *s = es_player_says(p, event);
    es_says_part(s, "text", ES_SAYS_FOOT, NULL, text, NULL);
    es_player_say(sink, s);
}

/* ---- a step ---- */

/* Commands alone have words to fill in; braces of statements are their own. */
static const es_drawn *fills(const es_player *p, const char *code, bool text_mode)
{
    return text_mode || *code == ':' ? &p->drawn : NULL;
}

static void add_code(const es_player *p, es_says *s, const char *code)
{
    es_says_part(s, "code", ES_SAYS_CODE, NULL, code, fills(p, code, es_player_step(p)->text_mode));
}

void es_player_say_step(const es_player *p, const es_sink *sink)
{
    const es_lesson_step *step = es_player_step(p);
    es_says *s = es_player_says(p, "step");
    es_says_apart(s);
    es_says_part(s, "title", ES_SAYS_TITLE, NULL, es_player_lesson(p)->title, NULL);
    es_says_part(s, "text", ES_SAYS_PROSE, NULL, step->prose, &p->drawn);
    if (step->kind == ES_LESSON_ERROR)
        es_says_part(s, "purpose", ES_SAYS_PROSE, NULL,
                     "This line fails, on purpose: its message is what the step is about.", NULL);
    if (step->kind == ES_LESSON_SHOW || step->kind == ES_LESSON_ERROR)
        add_code(p, s, step->code);
    es_player_say(sink, s);
}

static void add_options(const es_player *p, es_says *s)
{
    const es_lesson_notes *o = &es_player_step(p)->option;
    es_str list = {0};
    for (size_t i = 0; i < o->n; i++) {
        const char *text = o->of[i].message ? o->of[i].message : "";
        es_str_add(&list, "- **%c** · `%s`%s%s\n", (char)('a' + (int)(i % 26)), o->of[i].code,
                   *text ? " · " : "", text);
    }
    es_says_part(s, "options", ES_SAYS_PROSE, NULL, es_str_text(&list), &p->drawn);
    es_str_free(&list);
}

/* The question itself, beside what the step says in words of its own. */
static void add_question(const es_player *p, es_says *s)
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

static const char *how_to_answer(const es_lesson_step *step)
{
    if (step->kind == ES_LESSON_TASK)
        return step->text_mode ? "Type a text or a command; it is looked at once it has run."
                               : "Type statements; what they make is looked at.";
    switch (step->answers) {
    case ES_ANSWER_SHAPE: return "Type the shape, such as [B, T].";
    case ES_ANSWER_VALUE: return "Type the value.";
    case ES_ANSWER_CHOICE: return "Type the letter or the word.";
    default: return "Enter goes on.";
    }
}

static void add_foot(const es_player *p, es_says *s)
{
    const es_lesson_step *step = es_player_step(p);
    es_str foot = {0};
    es_str_cat(&foot, how_to_answer(step));
    if (es_player_asks(step)) {
        if (step->hint.n)
            es_str_add(&foot, " :hint helps, :solution shows,");
        else
            es_str_cat(&foot, " :solution shows,");
        es_str_cat(&foot, p->before ? " :next goes on." : " :next skips.");
    }
    es_says_part(s, "next", ES_SAYS_FOOT, NULL, foot.s, NULL);
    es_str_free(&foot);
}

/* "1. ", "- ", "* ", "# ": what makes a block of its own at the beginning of a line. */
static bool is_block(const char *text)
{
    size_t n = strspn(text, "0123456789");
    if (n)
        return (text[n] == '.' || text[n] == ')') && text[n + 1] == ' ';
    return (strchr("-*+", *text) && text[1] == ' ') || strchr("#>|<~", *text) ||
           !strncmp(text, "```", 3);
}

/* Does Markdown go on in the same line behind a word, or begins with a list, a table, a heading? */
static bool goes_on(const char *text)
{
    return *text && !is_block(text);
}

/* "No, …", "None.", "Nothing …": behind a "Yes." these would contradict it. */
static bool says_no(const char *text)
{
    static const char *const words[] = {"No",      "None",  "Nothing", "Not",
                                        "Neither", "Never", "Nobody"};
    size_t n = 0;
    text += strspn(text, "*_`");
    while (isalpha((unsigned char)text[n]))
        n++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && !strncmp(text, words[i], n))
            return true;
    return false;
}

static const char *after_of(const es_lesson_step *step)
{
    return step->after.n && step->after.of[0].message ? step->after.of[0].message : "";
}

static void add_after(const es_player *p, es_says *s, const char *lead, const char *apart)
{
    const char *text = after_of(es_player_step(p));
    es_says_part(s, "after", ES_SAYS_PROSE, goes_on(text) || !*text ? lead : apart, text,
                 &p->drawn);
}

void es_player_say_question(const es_player *p, const es_sink *sink)
{
    es_says *s = es_player_says(p, "question");
    const es_lesson_step *step = es_player_step(p);
    if (es_player_asks(step)) {
        if (*step->prose || step->kind == ES_LESSON_ERROR)
            es_says_apart(s);
        add_question(p, s);
        add_options(p, s);
    } else if (step->after.n) { /* what was to be seen */
        add_after(p, s, NULL, NULL);
    }
    add_foot(p, s);
    es_player_say(sink, s);
}

void es_player_say_awaited(const es_player *p, const es_sink *sink)
{
    es_says *s = es_player_says(p, "awaited");
    add_foot(p, s);
    es_player_say(sink, s);
}

/* ---- answers ---- */

static void add_done(const es_player *p, es_says *s, const char *how)
{
    es_str foot = {0};
    bool last = p->step + 1 == es_player_lesson(p)->n_steps;
    es_str_add(&foot, "%d.%zu %s, Enter %s.", p->on->number, p->step + 1, how,
               last ? "ends the lesson" : "goes on");
    es_says_part(s, "next", ES_SAYS_FOOT, NULL, foot.s, NULL);
    es_str_free(&foot);
}

void es_player_say_right(const es_player *p, const es_sink *sink)
{
    es_says *s = es_player_says(p, "right");
    if (says_no(after_of(es_player_step(p))))
        add_after(p, s, "That is right. ", "That is right.\n\n");
    else
        add_after(p, s, "Yes. ", "Yes.\n\n");
    es_says_number(s, "attempts", p->attempts);
    add_done(p, s, "done");
    es_player_say(sink, s);
}

static void add_hint_at_hand(const es_player *p, es_says *s)
{
    const es_lesson_step *step = es_player_step(p);
    size_t n = step->hint.n, given = (size_t)p->hints;
    if (given < n)
        es_says_part(s, "next", ES_SAYS_FOOT, NULL, "Try again; :hint helps.", NULL);
}

/* As a sentence. */
static void add_detail(es_says *s, const es_str *detail)
{
    es_str text = {0};
    es_str_bytes(&text, es_str_text(detail), detail->len);
    if (text.len) {
        text.s[0] = (char)toupper((unsigned char)text.s[0]);
        es_str_cat(&text, strchr(".?!", text.s[text.len - 1]) ? "" : ".");
    }
    es_says_part(s, "detail", ES_SAYS_FOOT, NULL, es_str_text(&text), NULL);
    es_str_free(&text);
}

void es_player_say_wrong(es_player *p, const es_judgement *j, const es_sink *sink)
{
    es_says *s = es_player_says(p, "wrong");
    const char *why = j->why ? j->why->message : NULL;
    bool one_size = j->verdict == ES_VERDICT_ONE_SIZE;
    const char *lead = one_size ? "Right for these sizes, and for no others. " : "Not quite: ";
    if (why || one_size)
        es_says_part(s, "why", ES_SAYS_PROSE, lead, why, &p->drawn);
    else
        es_says_part(s, "why", ES_SAYS_PROSE, "That is not it.", NULL, NULL);
    if (one_size || !why)
        add_detail(s, &j->detail);
    es_says_number(s, "attempts", p->attempts);
    add_hint_at_hand(p, s);
    es_player_say(sink, s);
}

void es_player_say_unclear(const es_player *p, const es_error *err, const es_sink *sink)
{
    es_says *s = es_player_says(p, "unclear");
    es_str text = {0};
    es_str_add(&text, "That cannot be read as an answer: %s.", err->message ? err->message : "");
    es_says_part(s, "text", ES_SAYS_FOOT, NULL, text.s, NULL);
    es_says_part(s, "hint", ES_SAYS_FOOT, NULL, err->hint, NULL);
    es_player_say(sink, s);
    es_str_free(&text);
}

/* ---- help ---- */

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
                     fills(p, step->solution.of[0].code, step->text_mode));
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

void es_player_say_after(const es_player *p, const es_sink *sink)
{
    const es_lesson_notes *after = &es_player_step(p)->after;
    if (!after->n)
        return;
    es_says *s = es_player_says(p, "after");
    add_after(p, s, NULL, NULL);
    es_player_say(sink, s);
}

/* ---- the end ---- */

static void count_steps(const es_player *p, es_str *out)
{
    const es_lesson *l = es_player_lesson(p);
    es_str_add(out, "Lesson %d is over: %zu step%s", p->on->number, l->n_steps,
               l->n_steps == 1 ? "" : "s");
    if (p->skipped)
        es_str_add(out, ", %d of them skipped", p->skipped);
    es_str_cat(out, ".");
}

void es_player_say_end(const es_player *p, const es_course_entry *next, const es_sink *sink)
{
    es_str summary = {0}, then = {0};
    es_says *s = es_says_new("end", p->on->number, 0, 0);
    count_steps(p, &summary);
    if (next)
        es_str_add(&then, ":lesson %d is next: %s.", next->number, next->lesson.title);
    else
        es_str_cat(&then, "That was the last lesson; :lesson lists them all.");
    es_says_apart(s);
    es_says_part(s, "title", ES_SAYS_TITLE, NULL, es_player_lesson(p)->title, NULL);
    es_says_part(s, "text", ES_SAYS_PROSE, NULL, es_player_lesson(p)->end, &p->drawn);
    es_says_number(s, "skipped", p->skipped);
    es_says_part(s, "summary", ES_SAYS_FOOT, NULL, summary.s, NULL);
    es_says_part(s, "next", ES_SAYS_FOOT, NULL, then.s, NULL);
    es_player_say(sink, s);
    es_str_free(&summary);
    es_str_free(&then);
}
