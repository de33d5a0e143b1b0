// SPDX-License-Identifier: GPL-3.0-or-later
/* What becomes of a line that is an answer, and of lines that do a task. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/parse.h"
#include "lesson/judge_inside.h"
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
    return line[0] == '?' || (line[len - 1] == '?' && !memchr(line, ' ', len));
}

/* Begins it with a number or a name that is known: "V * C", wte.weight, and not "half-way"? */
static bool begins_known(const es_player *p, const es_node *of)
{
    while (of->n_kids &&
           (of->kind == ES_N_CALL || of->kind == ES_N_INDEX || of->kind == ES_N_BINARY ||
            of->kind == ES_N_ATTRIBUTE || of->kind == ES_N_COMPARE))
        of = of->kid[0];
    return of->kind == ES_N_INT || of->kind == ES_N_FLOAT ||
           (of->kind == ES_N_NAME && es_has_name(p->session, of->text));
}

/* Code that only looks, or does something: a known name, an expression of more than a word or a number, a statement. */
static bool is_code(const es_player *p, const char *line, size_t len)
{
    es_unit *unit = es_parse(line, len, NULL);
    const es_node *root = unit && unit->root->n_kids == 1 ? unit->root->kid[0] : NULL;
    bool code = unit && unit->root->n_kids;
    if (root && root->kind == ES_N_EXPR) {
        const es_node *of = root->kid[0];
        code = of->kind == ES_N_CALL ||
               (of->kind == ES_N_NAME && es_has_name(p->session, of->text)) ||
               (of->n_kids && begins_known(p, of));
    }
    if (unit)
        es_unit_unref(unit);
    return code;
}

/* A choice is a word or two: lines of code are run. */
static bool is_choice(const es_player *p, const char *line, size_t len)
{
    return es_is_option(es_player_step(p), &p->drawn, line, len) || !is_code(p, line, len);
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
        return is_choice(p, line, len);
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

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does the text have the name as a word of its own? */
static bool has_name(const char *text, const char *name, size_t n)
{
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[n]))
            return true;
    return false;
}

bool es_player_touches(const es_player *p, const char *lines)
{
    for (const char *at = es_str_text(&p->wanted); *at;) {
        size_t n = strcspn(at, ",");
        char *name = es_copy_bytes(at, n);
        bool found = has_name(lines, name, n);
        free(name);
        if (found)
            return true;
        at += n + strspn(at + n, ", ");
    }
    return !p->wanted.len;
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
