// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/prompt_inside.h"

#if ES_HAVE_READLINE /* else prompt_plain.c */

#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "base/visible.h"

static volatile sig_atomic_t pasting; /* the terminal marks the ends of what is pasted */

static es_prompt *the_prompt;

es_prompt *es_prompt_current(void)
{
    return the_prompt;
}

static void show_prompt(es_prompt *p);

static bool run_line(es_prompt *p, const char *line)
{
    bool more = true;
    bool half_way = es_session_waiting(p->session) && !es_session_collecting(p->session);
    if (half_way && !es_session_teaches(p->session, line, strlen(line)))
        es_history_remember_too(p, line);
    else if (half_way)
        ; /* no part of the statement that is the last entry */
    else if (!es_session_step_key(p->session, line))
        es_history_remember(p, line);
    if (!es_session_tensor(p->session) && *line != '=') /* no line can follow that belongs to it */
        es_history_save(p);
    /* A paste arrives as one line with line breaks in it: each of them is a line of its own. */
    bool several = strchr(line, '\n') != NULL;
    for (size_t n = strcspn(line, "\n"); more; n = strcspn(line, "\n")) {
        bool last = !line[n] || !line[n + 1];
        es_session_set_paste(p->session, !several ? ES_TYPED : last ? ES_PASTED_LAST : ES_PASTED);
        more = p->on_line(p->user, line, n);
        if (last)
            break;
        line += n + 1;
    }
    es_session_set_paste(p->session, ES_TYPED);
    if (!es_session_waiting(p->session))
        es_history_save(p);
    return more;
}

static void on_enter(char *line)
{
    es_prompt *p = the_prompt;
    rl_callback_handler_remove();
    p->editing = false;
    pasting = false;
    bool more = true;
    if (line) {
        more = run_line(p, line);
        free(line);
    } else if (!p->excuses) {
        putc('\n', rl_outstream);
        fflush(rl_outstream);
        more = p->on_line(p->user, NULL, 0);
    }
    if (more)
        show_prompt(p);
}

static void show_prompt(es_prompt *p)
{
    es_str text = {0};
    es_session_prompt(p->session, &text);
    const char *bracketed = rl_variable_value("enable-bracketed-paste");
    pasting = bracketed && !strcmp(bracketed, "on");
    rl_callback_handler_install(text.s, on_enter);
    p->editing = true;
    es_str_free(&text);
}

/* Readline takes UTF-8 for Meta keys unless the locale says UTF-8, and it asks the environment. */
static void insist_on_utf8(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8")) {
        setenv("LC_ALL", "C.UTF-8", 1);
        setlocale(LC_CTYPE, "");
    }
}

es_prompt *es_prompt_new(es_session *s, const es_sink *sink, es_line_fn on_line, void *user,
                         const atomic_bool *called)
{
    es_prompt *p = es_alloc(sizeof *p);
    *p = (es_prompt){.session = s, .on_line = on_line, .user = user, .called = called};
    the_prompt = p;
    insist_on_utf8();
    rl_readline_name = "embedscope";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_change_environment = 0;
    rl_prep_term_function = es_prompt_prepare_terminal;
    rl_getc_function = es_prompt_get_key;
    rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
    rl_attempted_completion_function = es_prompt_complete;
    rl_completer_word_break_characters = (char *)" ";
    rl_completer_quote_characters = "\"";
    es_history_open(p, sink);
    show_prompt(p);
    return p;
}

void es_prompt_free(es_prompt *p)
{
    if (!p)
        return;
    if (p->editing)
        rl_callback_handler_remove();
    es_history_save(p);
    the_prompt = NULL;
    es_str_free(&p->history);
    es_str_free(&p->typed);
    free(p);
}

void es_prompt_within(es_prompt *p)
{
    if (!p->editing)
        show_prompt(p);
}

void es_prompt_read(es_prompt *p)
{
    p->excuses = 0;
    rl_callback_read_char();
    if (p->excuses)
        rl_variable_bind("bell-style", p->bell);
}

void es_prompt_interrupt(es_prompt *p)
{
    es_session_abandon(p->session);
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    rl_crlf();
    es_str text = {0}; /* an abandoned :paste changes it */
    es_session_prompt(p->session, &text);
    rl_set_prompt(text.s);
    es_str_free(&text);
    rl_on_new_line();
    rl_redisplay();
}

void es_prompt_resize(es_prompt *p)
{
    if (p->editing)
        rl_resize_terminal();
}

void es_prompt_stop(es_prompt *p)
{
    if (p->editing)
        rl_cleanup_after_signal();
}

void es_prompt_continue(es_prompt *p)
{
    if (!p->editing)
        return;
    rl_reset_after_signal();
    rl_resize_terminal();
    rl_forced_update_display();
}

void es_prompt_rescue(void)
{
    static const char off[] = "\x1b[?2004l\r\n";
    ssize_t n = pasting ? write(fileno(rl_outstream), off, sizeof off - 1) : 0;
    (void)n;
}

const char *es_prompt_line(const es_prompt *p, size_t *len)
{
    *len = p->editing ? (size_t)rl_end : 0;
    return rl_line_buffer;
}

size_t es_prompt_cursor(const es_prompt *p)
{
    return p->editing ? (size_t)rl_point : 0;
}

void es_prompt_type(es_prompt *p, const char *keys, size_t len)
{
    es_str_bytes(&p->typed, keys, len);
    while (p->read < p->typed.len && p->editing && !*p->called)
        es_prompt_read(p);
    es_str_cut(&p->typed, 0);
    p->read = 0;
}

void es_prompt_insert(es_prompt *p, const char *bytes, size_t len)
{
    if (!p->editing)
        return;
    char *text = es_copy_bytes(bytes, len);
    rl_insert_text(text);
    rl_redisplay();
    free(text);
}

typedef struct running {
    es_prompt *prompt;
    const char *line;
    size_t len;
} running;

static void show_and_run(void *user)
{
    running *r = user;
    es_str text = {0};
    es_session_prompt(r->prompt->session, &text);
    es_show_prose(&text, r->line, r->len);
    fprintf(rl_outstream, "%s\n", text.s);
    fflush(rl_outstream);
    es_str_free(&text);
    r->prompt->on_line(r->prompt->user, r->line, r->len);
}

void es_prompt_run(es_prompt *p, const char *bytes, size_t len)
{
    running r = {p, bytes, len};
    es_prompt_above(p, show_and_run, &r);
}

/* Readline is asking something of its own, in the prompt's place. */
static bool asks(void)
{
    return RL_ISSTATE(RL_STATE_ISEARCH) || RL_ISSTATE(RL_STATE_NSEARCH) ||
           RL_ISSTATE(RL_STATE_NUMERICARG) || RL_ISSTATE(RL_STATE_MOREINPUT);
}

static bool set_prompt(es_prompt *p)
{
    es_str text = {0};
    es_session_prompt(p->session, &text);
    bool changed = !rl_prompt || strcmp(rl_prompt, text.s) != 0;
    if (changed)
        rl_set_prompt(text.s);
    es_str_free(&text);
    return changed;
}

void es_prompt_refresh(es_prompt *p)
{
    if (p->editing && !asks() && set_prompt(p))
        rl_redisplay();
}

void es_prompt_above(es_prompt *p, void (*say)(void *user), void *user)
{
    if (!p->editing) {
        say(user);
        return;
    }
    rl_clear_visible_line();
    fflush(rl_outstream);
    rl_deprep_terminal();
    say(user);
    es_prompt_prepare_terminal(1);
    if (!asks())
        set_prompt(p);
    rl_on_new_line();
    rl_redisplay();
}

const char *es_prompt_library(void)
{
    static char name[32];
    snprintf(name, sizeof name, "Readline %s", rl_library_version);
    return name;
}

#endif
