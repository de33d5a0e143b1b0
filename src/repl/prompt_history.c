// SPDX-License-Identifier: GPL-3.0-or-later
/* What was typed before, in the memory of Readline and in a file. */
#include "repl/prompt_inside.h"

#if ES_HAVE_READLINE /* else prompt_plain.c */

#include <string.h>

#include <readline/history.h>

#include "repl/history_path.h"

enum { MOST_HISTORY = 10000 };

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

void es_history_open(es_prompt *p, const es_sink *sink)
{
    using_history();
    find_history(p, sink);
    read_old_history(p);
}

static HIST_ENTRY *last_entry(void)
{
    return history_length ? history_get(history_base + history_length - 1) : NULL;
}

void es_history_save(es_prompt *p)
{
    if (p->unsaved && p->history.len)
        append_history(1, p->history.s);
    p->unsaved = false;
}

void es_history_remember(es_prompt *p, const char *line)
{
    HIST_ENTRY *last = last_entry();
    if (!*line || (last && !strcmp(last->line, line)))
        return;
    es_history_save(p);
    add_history(line);
    p->unsaved = true;
}

void es_history_remember_too(es_prompt *p, const char *line)
{
    HIST_ENTRY *last = last_entry();
    if (!last || !p->unsaved) {
        es_history_remember(p, line);
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
    if (es_prompt_current())
        es_history_remember(es_prompt_current(), lines);
}

size_t es_history_count(void)
{
    return (size_t)history_length;
}

const char *es_history_line(size_t i)
{
    return history_get(history_base + (int)i)->line;
}

#endif
