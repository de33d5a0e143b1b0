// SPDX-License-Identifier: GPL-3.0-or-later
/* Keys: how they are read, what Tab completes, and those that do what Readline has no command for. */
#include "repl/prompt_inside.h"

#if ES_HAVE_READLINE /* else prompt_plain.c */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <readline/readline.h>

#include "session/complete.h"
#include "session/indent.h"

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

char **es_prompt_complete(const char *text, int start, int end)
{
    offered = es_complete(es_prompt_current()->session, rl_line_buffer, (size_t)end);
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
    size_t n = es_indent_back(es_prompt_current()->session, rl_line_buffer, (size_t)rl_point);
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
    es_session_post(es_prompt_current()->session, ES_MESSAGE_KEY, name, (size_t)n);
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
void es_prompt_prepare_terminal(int meta)
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
int es_prompt_get_key(FILE *in)
{
    enum { LOOK = 20 }; /* milliseconds */
    es_prompt *p = es_prompt_current();
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

#endif
