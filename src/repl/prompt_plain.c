// SPDX-License-Identifier: GPL-3.0-or-later
/* The prompt where there is no Readline: the terminal's own line editing, no history. */
#include "repl/prompt.h"

#if !ES_HAVE_READLINE

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/lines.h"
#include "base/mem.h"

struct es_prompt {
    es_session *session;
    es_line_fn on_line;
    void *user;
    es_lines lines;
};

static void show_prompt(const es_prompt *p)
{
    es_str text = {0};
    es_session_prompt(p->session, &text);
    fputs(es_str_text(&text), stdout);
    fflush(stdout);
    es_str_free(&text);
}

es_prompt *es_prompt_new(es_session *s, const es_sink *sink, es_line_fn on_line, void *user,
                         const atomic_bool *called)
{
    (void)sink;
    (void)called;
    es_prompt *p = es_alloc(sizeof *p);
    *p = (es_prompt){
        .session = s, .on_line = on_line, .user = user, .lines = es_lines_of(STDIN_FILENO)};
    show_prompt(p);
    return p;
}

void es_prompt_free(es_prompt *p)
{
    if (!p)
        return;
    es_lines_free(&p->lines);
    free(p);
}

void es_prompt_within(es_prompt *p)
{
    show_prompt(p);
}

/* The terminal gives whole lines, so reading one never waits in the middle. */
void es_prompt_read(es_prompt *p)
{
    const char *line;
    size_t len;
    int found = es_lines_next(&p->lines, &line, &len);
    if (found < 0 && errno == EINTR)
        return;
    if (found <= 0)
        putchar('\n');
    if (p->on_line(p->user, found > 0 ? line : NULL, found > 0 ? len : 0))
        show_prompt(p);
}

void es_prompt_interrupt(es_prompt *p)
{
    es_session_abandon(p->session);
    putchar('\n');
    show_prompt(p);
}

void es_prompt_resize(es_prompt *p)
{
    (void)p;
}

void es_prompt_stop(es_prompt *p)
{
    (void)p;
}

void es_prompt_continue(es_prompt *p)
{
    show_prompt(p);
}

void es_prompt_rescue(void)
{
}

const char *es_prompt_line(const es_prompt *p, size_t *len)
{
    (void)p;
    *len = 0;
    return "";
}

size_t es_prompt_cursor(const es_prompt *p)
{
    (void)p;
    return 0;
}

void es_prompt_type(es_prompt *p, const char *keys, size_t len)
{
    (void)p;
    (void)keys;
    (void)len;
}

void es_prompt_insert(es_prompt *p, const char *bytes, size_t len)
{
    (void)p;
    (void)bytes;
    (void)len;
}

void es_prompt_run(es_prompt *p, const char *bytes, size_t len)
{
    fwrite(bytes, 1, len, stdout);
    putchar('\n');
    if (p->on_line(p->user, bytes, len))
        show_prompt(p);
}

/* The terminal has the line: a prompt in the middle of it would be part of nothing. */
void es_prompt_refresh(es_prompt *p)
{
    (void)p;
}

void es_prompt_above(es_prompt *p, void (*say)(void *user), void *user)
{
    putchar('\n');
    fflush(stdout);
    say(user);
    show_prompt(p);
}

size_t es_history_count(void)
{
    return 0;
}

void es_history_add(const char *lines)
{
    (void)lines;
}

const char *es_history_line(size_t i)
{
    (void)i;
    return "";
}

const char *es_prompt_library(void)
{
    return "the terminal's own (no Readline)";
}

#endif
