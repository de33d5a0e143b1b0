// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/pager.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/visible.h"
#include "repl/child.h"

/* The pager's command line; empty: none is wanted. */
static const char *command(void)
{
    const char *own = getenv("EMBEDSCOPE_PAGER"), *anyones = getenv("PAGER");
    return own ? own : anyones ? anyones : "less -FRX";
}

static bool longer_than(const es_str *text, size_t lines)
{
    size_t n = 0;
    for (size_t i = 0; i < text->len && n <= lines; i++)
        n += text->s[i] == '\n';
    return n > lines;
}

bool es_pager_wanted(const es_str *text, es_choice choice, int screen_lines)
{
    const char *term = getenv("TERM");
    if (choice == ES_NEVER || !text->len || !command()[strspn(command(), " \t")] ||
        !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return false;
    if (choice == ES_ALWAYS)
        return true;
    bool dumb = !term || !*term || !strcmp(term, "dumb"); /* nothing there that a pager can use */
    return screen_lines > 0 && !dumb &&
           longer_than(text, (size_t)screen_lines - 1); /* the next prompt has one */
}

/* Did it end as a pager does: by itself, or because the reader was through with it? */
static bool ended_well(const es_child_end *end)
{
    return !es_child_complaint(end) ||
           (WIFSIGNALED(end->status) &&
            (WTERMSIG(end->status) == SIGINT || WTERMSIG(end->status) == SIGPIPE));
}

bool es_pager_show(const es_str *text, es_str *complaint)
{
    const es_child pager = {.command = command(), .input = text->s, .n = text->len};
    setenv("LESS", "FRXPsspace\\: on, q\\: back to the prompt$", 0); /* a person's own stays */
    es_child_end end = es_child_run(&pager);
    es_str shown = {0};
    es_show_brief(&shown, pager.command, strlen(pager.command));
    if (end.reason)
        es_str_add(complaint, "the pager %s cannot be run: %s", shown.s, strerror(end.reason));
    else if (!ended_well(&end))
        es_str_add(complaint, "the pager %s %s", shown.s, es_child_complaint(&end));
    es_str_free(&shown);
    return !end.reason;
}
