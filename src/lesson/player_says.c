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
const es_drawn *es_player_fills(const es_player *p, const char *code, bool text_mode)
{
    return text_mode || *code == ':' ? &p->drawn : NULL;
}

static void add_code(const es_player *p, es_says *s, const char *code)
{
    es_says_part(s, "code", ES_SAYS_CODE, NULL, code,
                 es_player_fills(p, code, es_player_step(p)->text_mode));
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

static void add_foot(const es_player *p, es_says *s)
{
    const es_lesson_step *step = es_player_step(p);
    es_str foot = {0};
    es_player_say_how(p, &foot);
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
        es_player_add_question(p, s);
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
    const char *lead = one_size ? "Right for these sizes, and for no others. " : "Not quite. ";
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
    es_says_part(s, "next", ES_SAYS_FOOT, NULL,
                 "= before a line runs it, to try something; help says what there is.", NULL);
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
