// SPDX-License-Identifier: GPL-3.0-or-later
/* What a line means while something is stepped through. */
#include <stdio.h>
#include <string.h>

#include "session/results.h"
#include "session/statement.h"
#include "session/step.h"
#include "session/steps.h"

static bool next(es_call *call, es_error *err)
{
    return es_step_go(call, ES_STEP_OVER, err);
}

static bool into(es_call *call, es_error *err)
{
    return es_step_go(call, ES_STEP_INTO, err);
}

static bool out(es_call *call, es_error *err)
{
    return es_step_go(call, ES_STEP_OUT, err);
}

static bool go_on(es_call *call, es_error *err)
{
    return es_step_go(call, ES_STEP_ON, err);
}

static bool quit(es_call *call, es_error *err)
{
    (void)err;
    es_step_end(call->session);
    es_call_answer(call, es_result_none());
    return true;
}

static bool values(es_call *call, es_error *err)
{
    (void)err;
    es_call_answer(
        call, es_result_values(es_mode_interp(call->session), es_step_last_line(call->session)));
    return true;
}

static bool source(es_call *call, es_error *err)
{
    (void)err;
    es_call_answer(call, es_result_source(es_mode_interp(call->session)));
    return true;
}

static bool where(es_call *call, es_error *err)
{
    (void)err;
    es_call_answer(call, es_result_where(es_mode_interp(call->session)));
    return true;
}

static bool keys(es_call *call, es_error *err);

static const struct {
    const char *key, *does;
    bool runs; /* there is nothing left to run where a line has failed: it ends the stepping */
    bool (*run)(es_call *call, es_error *err);
} all_keys[] = {
    {"", "run this line, and stop at the next", true, next},
    {"i", "into: stop in what this line calls, a module's forward too", true, into},
    {"o", "out: run the rest of this function, and stop where it was called", true, out},
    {"v", "values: what the last line bound, and the names on this one; v NAME: of one", false,
     values},
    {"c", "continue to the end", true, go_on},
    {"q", "quit: the rest is not run", true, quit},
    {"l", "list the source around this line", false, source},
    {"w", "where: the chain of calls", false, where},
    {"?",
     "these keys; so does h.  Anything else is a statement that is run here, and : begins a "
     "command",
     false, keys},
};

static bool keys(es_call *call, es_error *err)
{
    static const char *const columns[] = {"key", "does"};
    static const es_kind kind = {"keys", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "keys", .align = "lw", .columns = columns};
    (void)err;
    for (size_t i = 0; i < sizeof all_keys / sizeof *all_keys; i++) {
        es_list_add(&l, "%s", *all_keys[i].key ? all_keys[i].key : "Enter");
        es_list_add(&l, "%s", all_keys[i].does);
    }
    es_call_answer(call, es_result_list(&kind, &l));
    return true;
}

/* "v NAME" is no statement of Python's: its NAME is one. */
static size_t statement_at(const es_call *call, size_t begin, size_t end)
{
    if (end - begin < 3 || call->line[begin] != 'v' || call->line[begin + 1] != ' ')
        return 0;
    es_error err = ES_ERROR_NONE;
    es_unit *unit = es_parse(call->line + begin, end - begin, &err);
    bool python = unit != NULL;
    es_unit_unref(unit);
    es_error_free(&err);
    return python ? 0 : begin + 2;
}

/* What pdb and GDB have for it: "n", or "p x" with something behind. */
static const char *key_instead(const char *line, size_t len)
{
    static const struct {
        const char *words, *key;
    } others[] = {
        {" n ", "Enter runs this line and stops at the next"},
        {" s step ", "i goes into the calls of this line"},
        {" r return finish ", "o runs the rest of this function"},
        {" cont continue ", "c goes on to the end"},
        {" p pp print ", "v shows values, v NAME one of them"},
        {" bt where backtrace ", "w shows the chain of calls"},
        {" ll list ", "l lists the source around this line"},
        {" b break tbreak until unt j jump d down ", "? lists what can be typed here"},
    };
    size_t n = 0;
    while (n < len && line[n] != ' ')
        n++;
    for (size_t i = 0; n && n < 10 && i < sizeof others / sizeof *others; i++) {
        char word[12];
        snprintf(word, sizeof word, " %.*s ", (int)n, line);
        if (strstr(others[i].words, word))
            return others[i].key;
    }
    return NULL;
}

/* A statement, and if it is none, the key that was meant. */
static bool statement(es_call *call, const char *word, size_t n, es_error *err)
{
    const char *key = key_instead(word, n);
    if (es_statement_line(call, err))
        return true;
    bool alone = !memchr(word, ' ', n);
    bool unknown = err->code == (alone ? ES_ERR_NAME : ES_ERR_PARSE);
    return key && unknown ? es_hint(err, "%s", key) : false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The place of a key in the table, or -1. */
static int key_at(const char *word, size_t n)
{
    for (size_t i = 0; i < sizeof all_keys / sizeof *all_keys; i++)
        if (n == strlen(all_keys[i].key) && !memcmp(word, all_keys[i].key, n))
            return (int)i;
    return n == 1 && *word == 'h' ? key_at("?", 1) : -1;
}

bool es_session_step_key(const es_session *s, const char *line)
{
    return s->stepper && key_at(line, strlen(line)) >= 0;
}

bool es_step_line(es_call *call, es_error *err)
{
    size_t begin = 0, end = call->len;
    while (begin < end && is_blank(call->line[begin]))
        begin++;
    while (end > begin && is_blank(call->line[end - 1]))
        end--;
    const char *word = call->line + begin;
    size_t n = end - begin;
    bool typed = call->session->paste == ES_TYPED; /* among pasted lines are no keys */
    int key = typed ? key_at(word, n) : -1;
    if (key >= 0)
        return all_keys[key].runs && es_step_has_failed(call->session)
                   ? quit(call, err)
                   : all_keys[key].run(call, err);
    size_t at = statement_at(call, begin, end);
    return at ? es_statement_begin(call, at, es_mode_run, err) : statement(call, word, n, err);
}
