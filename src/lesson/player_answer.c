// SPDX-License-Identifier: GPL-3.0-or-later
/* What becomes of a line that is an answer, and of lines that do a task. */
#include <ctype.h>
#include <string.h>

#include "expr/parse.h"
#include "lesson/player_inside.h"

/* ---- which lines are answers ---- */

/* "B=2 T=5": sizes by name, without blanks around the sign, as nobody writes assignments who has learnt to. */
static bool is_named_sizes(const char *line, size_t len)
{
    size_t at = 0, n = 0;
    while (at < len) {
        size_t begin = at;
        while (at < len && (isalnum((unsigned char)line[at]) || line[at] == '_'))
            at++;
        if (at == begin || at >= len || line[at++] != '=')
            return false;
        begin = at;
        while (at < len && isalnum((unsigned char)line[at]))
            at++;
        if (at == begin)
            return false;
        while (at < len && strchr(", ", line[at]))
            at++;
        n++;
    }
    return n > 1;
}

/* A statement that is no expression, or the beginning of several lines: those are run. */
static bool is_statement(const char *line, size_t len)
{
    es_input *in = es_input_new();
    es_input_state state = es_input_add(in, line, len);
    es_input_free(in);
    if (state == ES_INPUT_OPEN || state == ES_INPUT_SUITE)
        return true;
    es_unit *unit = es_parse(line, len, NULL);
    bool statement = unit && (unit->root->n_kids != 1 || unit->root->kid[0]->kind != ES_N_EXPR);
    if (unit)
        es_unit_unref(unit);
    return statement;
}

/* What fingers know from other prompts, and NAME?, mean commands here as ever. */
static bool means_command(const char *line, size_t len)
{
    static const char *const words[] = {"help", "help()", "quit", "quit()", "exit", "exit()"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (len == strlen(words[i]) && !memcmp(line, words[i], len))
            return true;
    return line[0] == '?' || line[len - 1] == '?';
}

bool es_player_is_answer(const es_player *p, const char *line, size_t len)
{
    const es_lesson_step *step = es_player_step(p);
    if (p->finished || step->answers == ES_ANSWER_NONE || !len || line[0] == ':' || line[0] == '=')
        return false;
    if (step->text_mode)
        return true;
    if (means_command(line, len))
        return false;
    if (step->answers == ES_ANSWER_CHOICE)
        return true;
    if (step->answers == ES_ANSWER_SHAPE && is_named_sizes(line, len))
        return true;
    return !is_statement(line, len);
}

/* ---- answers ---- */

static void right(es_player *p, const es_sink *sink)
{
    p->finished = true;
    es_player_record(p, ES_PROGRESS_DONE, sink);
    es_player_say_right(p, sink);
}

static void wrong(es_player *p, const es_judgement *j, const es_sink *sink)
{
    es_player_record(p, ES_PROGRESS_OPEN, sink);
    es_player_say_wrong(p, j, sink);
}

void es_player_answer(es_player *p, const char *line, size_t len, const es_sink *sink)
{
    es_judgement j = {.verdict = ES_VERDICT_NO_ANSWER};
    es_error err = ES_ERROR_NONE;
    es_desk was = es_player_as_own(p);
    bool judged = es_judge_answer(&j, p->session, es_player_step(p), &p->drawn, line, len, &err);
    es_player_as_was(p, &was);
    if (j.verdict == ES_VERDICT_NO_ANSWER) {
        es_player_say_unclear(p, &err, sink);
    } else if (!judged) {
        es_player_error(sink, &err);
    } else {
        p->attempts++;
        if (j.verdict == ES_VERDICT_RIGHT)
            right(p, sink);
        else
            wrong(p, &j, sink);
    }
    es_error_free(&err);
    es_judgement_free(&j);
}

/* ---- tasks ---- */

/* What is told of an attempt, to tell it from the last one. */
static void tell_apart(es_str *out, const es_judgement *j)
{
    es_str_add(out, "%d %d ", (int)j->verdict, j->why ? j->why->line : 0);
    es_str_bytes(out, es_str_text(&j->detail), j->detail.len);
}

static void attempt(es_player *p, const es_judgement *j, bool looked, const es_sink *sink)
{
    es_str told = {0};
    tell_apart(&told, j);
    bool same = p->told.len && !strcmp(p->told.s, told.s);
    es_str_free(&p->told);
    p->told = told;
    if (same && looked)
        return;
    p->attempts++;
    wrong(p, j, sink);
}

void es_player_judge(es_player *p, bool looked, const es_sink *sink)
{
    es_judgement j = {.verdict = ES_VERDICT_UNFINISHED};
    es_error err = ES_ERROR_NONE;
    bool ok = p->tries || (p->tries = es_desk_new(p->session, &err));
    ok = ok && es_judge_task(&j, p->session, p->tries, es_player_lesson(p), p->step, &p->drawn,
                             es_str_text(&p->lines), &err);
    if (!ok) {
        es_player_error(sink, &err);
    } else if (j.verdict == ES_VERDICT_RIGHT) {
        p->attempts++;
        right(p, sink);
    } else if (j.verdict != ES_VERDICT_UNFINISHED) {
        attempt(p, &j, looked, sink);
    }
    es_error_free(&err);
    es_judgement_free(&j);
}
