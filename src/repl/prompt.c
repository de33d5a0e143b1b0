// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/prompt.h"

#if ES_HAVE_READLINE /* else prompt_plain.c */

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/mem.h"
#include "base/visible.h"
#include "repl/history_path.h"
#include "session/complete.h"
#include "session/indent.h"

enum { MOST_HISTORY = 10000 };

struct es_prompt {
    es_session *session;
    es_line_fn on_line;
    void *user;
    const atomic_bool *called;
    int excuses;      /* since the last es_prompt_read: what get_key gave in place of keys */
    const char *bell; /* how Readline rings when it is not told to abort by us */
    es_str history;   /* the file's path; empty: none is kept */
    bool unsaved;     /* the last entry is not in the file yet */
    bool editing;     /* Readline has the terminal */
    es_str typed;     /* keys pressed elsewhere that it has not read yet: from `read` on */
    size_t read;
};

static volatile sig_atomic_t pasting; /* the terminal marks the ends of what is pasted */

/* Readline's callbacks carry no argument. */
static es_prompt *the_prompt;

/* ---- history ---- */

/* Entries of several lines come back whole when each has a time stamp before it; the stamp's mark is
 * a character that no typed line begins with. */
static void read_old_history(es_prompt *p)
{
    history_comment_char = '\001';
    history_write_timestamps = 1;
    stifle_history(MOST_HISTORY);
    if (!p->history.len)
        return;
    read_history(p->history.s);
    history_truncate_file(p->history.s, MOST_HISTORY);
}

/* Without a place for it the history lasts as long as the session, and that is said once. */
static void find_history(es_prompt *p, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    if (!es_history_ready(&p->history, &err) && err.code != ES_OK) {
        es_str note = {0};
        es_str_add(&note, "lines are remembered only until you leave: %s", err.message);
        sink->note(sink->user, note.s, true);
        es_str_free(&note);
    }
    es_error_free(&err);
}

static HIST_ENTRY *last_entry(void)
{
    return history_length ? history_get(history_base + history_length - 1) : NULL;
}

/* The last entry goes to the file once it is whole. */
static void save(es_prompt *p)
{
    if (p->unsaved && p->history.len)
        append_history(1, p->history.s);
    p->unsaved = false;
}

static void remember(es_prompt *p, const char *line)
{
    HIST_ENTRY *last = last_entry();
    if (!*line || (last && !strcmp(last->line, line)))
        return;
    save(p);
    add_history(line);
    p->unsaved = true;
}

/* One more line of the statement that is the last entry. */
static void remember_too(es_prompt *p, const char *line)
{
    HIST_ENTRY *last = last_entry();
    if (!last || !p->unsaved) {
        remember(p, line);
    } else if (*line) {
        es_str both = {0};
        es_str_add(&both, "%s\n%s", last->line, line);
        HIST_ENTRY *old = replace_history_entry(history_length - 1, both.s, NULL);
        free_history_entry(old);
        es_str_free(&both);
    }
}

void es_history_add(const char *lines)
{
    if (the_prompt)
        remember(the_prompt, lines);
}

size_t es_history_count(void)
{
    return (size_t)history_length;
}

const char *es_history_line(size_t i)
{
    return history_get(history_base + (int)i)->line;
}

/* ---- completion ---- */

static es_completion offered;
static size_t offered_from; /* where Readline's word begins: it splits at spaces, paths have them */

/* The i-th candidate for Readline's word. */
static char *readlines_word(size_t i)
{
    es_str word = {0};
    if (offered_from < offered.begin)
        es_str_bytes(&word, rl_line_buffer + offered_from, offered.begin - offered_from);
    es_str_cat(&word,
               offered.word[i] + (offered_from > offered.begin ? offered_from - offered.begin : 0));
    return word.s ? es_str_take(&word) : strdup("");
}

static char *next_word(const char *text, int state)
{
    static size_t i;
    (void)text;
    if (!state)
        i = 0;
    return i < offered.n ? readlines_word(i++) : NULL;
}

static char **complete(const char *text, int start, int end)
{
    offered = es_complete(the_prompt->session, rl_line_buffer, (size_t)end);
    offered_from = (size_t)start;
    rl_attempted_completion_over = 1; /* never fall back to file names */
    rl_completion_append_character = offered.call                    ? '('
                                     : offered.open || offered.tight ? '\0'
                                                                     : ' ';
    rl_completion_suppress_quote = offered.open;
    rl_sort_completion_matches = 0;
    char **matches = rl_completion_matches(text, next_word);
    es_completion_free(&offered);
    return matches;
}

/* ---- keys ---- */

/* Backspace in the indentation of a suite takes a step of it, as Tab gives one. */
static int take_back(int count, int key)
{
    size_t n = es_indent_back(the_prompt->session, rl_line_buffer, (size_t)rl_point);
    if (count != 1 || n < 2)
        return rl_rubout(count, key);
    rl_delete_text(rl_point - (int)n, rl_point);
    rl_point -= (int)n;
    return 0;
}

/* As terminals send F1 to F10, the first five kind by kind; which views these are is known above. */
enum { VIEW_KEYS = 10, FIRST_KEYS = 5 };
static const char *const views[][FIRST_KEYS] = {
    {"\\eOP", "\\eOQ", "\\eOR", "\\eOS", "\\e[15~"},
    {"\\e[11~", "\\e[12~", "\\e[13~", "\\e[14~", "\\e[15~"},
    {"\\e[[A", "\\e[[B", "\\e[[C", "\\e[[D", "\\e[[E"},
};
static const char *const more_views[] = {"\\e[17~", "\\e[18~", "\\e[19~", "\\e[20~", "\\e[21~"};

static int view_key(int f)
{
    char name[8];
    int n = snprintf(name, sizeof name, "F%d", f);
    es_session_post(the_prompt->session, ES_MESSAGE_KEY, name, (size_t)n);
    return 0;
}

#define VIEW_KEY(f)                                                                                \
    static int view_##f(int count, int key)                                                        \
    {                                                                                              \
        (void)count, (void)key;                                                                    \
        return view_key(f);                                                                        \
    }
VIEW_KEY(1)
VIEW_KEY(2)
VIEW_KEY(3)
VIEW_KEY(4)
VIEW_KEY(5)
VIEW_KEY(6)
VIEW_KEY(7)
VIEW_KEY(8)
VIEW_KEY(9)
VIEW_KEY(10)

static void bind_views(void)
{
    static rl_command_func_t *const run[VIEW_KEYS] = {view_1, view_2, view_3, view_4, view_5,
                                                      view_6, view_7, view_8, view_9, view_10};
    for (size_t kind = 0; kind < sizeof views / sizeof *views; kind++)
        for (size_t f = 0; f < FIRST_KEYS; f++)
            rl_bind_keyseq_if_unbound(views[kind][f], run[f]);
    for (size_t f = FIRST_KEYS; f < VIEW_KEYS; f++)
        rl_bind_keyseq_if_unbound(more_views[f - FIRST_KEYS], run[f]);
}

/* Not where the reader has bound the key to something else. */
static void bind_backspace(void)
{
    static const char *const keys[] = {"\177", "\b"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (rl_function_of_keyseq(keys[i], NULL, NULL) == rl_rubout)
            rl_bind_key(keys[i][0], take_back);
}

/* Ctrl-C, Ctrl-Z and Ctrl-\\ make the terminal forget the keys that it had promised to poll().  A read that
 * then waits would leave the signal, and the loop, waiting too; so a read gives what there is. */
static void prepare_terminal(int meta)
{
    struct termios t;
    rl_prep_terminal(meta); /* binds the terminal's own keys anew */
    bind_backspace();
    bind_views();
    if (tcgetattr(fileno(rl_instream), &t))
        return;
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    tcsetattr(fileno(rl_instream), TCSANOW, &t);
}

/* In place of a key, for the loop is called for: the one that aborts, without a bell; to who has had that
 * and still reads, the end. */
static int excuse(es_prompt *p)
{
    if (p->excuses++)
        return EOF;
    p->bell = rl_variable_value("bell-style");
    rl_variable_bind("bell-style", "none");
    return CTRL('G');
}

/* The next key.  Readline waits here only in the middle of something, such as a question of its own; a
 * signal is noticed at the latest after a LOOK. */
static int get_key(FILE *in)
{
    enum { LOOK = 20 }; /* milliseconds */
    es_prompt *p = the_prompt;
    struct pollfd fd = {.fd = fileno(in), .events = POLLIN};
    unsigned char key;
    if (p->read < p->typed.len)
        return (unsigned char)p->typed.s[p->read++];
    while (!*p->called) {
        ssize_t n = read(fd.fd, &key, 1);
        if (n == 1)
            return key;
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return EOF;
        if (n == 0 && fd.revents & (POLLHUP | POLLERR | POLLNVAL))
            return EOF;
        poll(&fd, 1, LOOK);
    }
    return excuse(p);
}

/* ---- the line ---- */

static void show_prompt(es_prompt *p);

static bool run_line(es_prompt *p, const char *line)
{
    bool more = true;
    if (es_session_waiting(p->session) && !es_session_collecting(p->session))
        remember_too(p, line);
    else if (!es_session_step_key(p->session, line))
        remember(p, line);
    if (!es_session_tensor(p->session) && *line != '=') /* no line can follow that belongs to it */
        save(p);
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
        save(p);
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
    rl_prep_term_function = prepare_terminal;
    rl_getc_function = get_key;
    rl_outstream = isatty(STDOUT_FILENO) ? stdout : stderr;
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = (char *)" ";
    rl_completer_quote_characters = "\"";
    using_history();
    find_history(p, sink);
    read_old_history(p);
    show_prompt(p);
    return p;
}

void es_prompt_free(es_prompt *p)
{
    if (!p)
        return;
    if (p->editing)
        rl_callback_handler_remove();
    save(p);
    the_prompt = NULL;
    es_str_free(&p->history);
    es_str_free(&p->typed);
    free(p);
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
    prepare_terminal(1);
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
