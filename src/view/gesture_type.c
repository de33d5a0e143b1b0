// SPDX-License-Identifier: GPL-3.0-or-later
/* What a click types: the token as the line wants it. */
#include <string.h>

#include "base/visible.h"
#include "view/gesture_keys.h"

/* Does the cursor stand between quotes? */
static bool in_quotes(const char *line, size_t cursor)
{
    char quote = 0;
    for (size_t i = 0; i < cursor; i++) {
        if (quote && line[i] == '\\')
            i++;
        else if (quote && line[i] == quote)
            quote = 0;
        else if (!quote && (line[i] == '"' || line[i] == '\''))
            quote = line[i];
    }
    return quote;
}

/* Texts stand as they are, and a command may take one; elsewhere a token with a space would be two words or none. */
static bool wants_quotes(const es_viewer *v, const char *line, size_t n)
{
    if (*line != ':')
        return *line == '=' || es_session_tensor(v->session);
    size_t end = es_command_name_end(line, n);
    const es_command *c =
        es_command_find(es_session_commands(v->session), line + 1, end - 1, true, NULL);
    return c && end < n && c->want != ES_WANT_TEXT && c->want != ES_WANT_LINE;
}

/* "\" and quotes after a "\". */
static void add_quoted(es_str *out, const char *bytes, size_t n)
{
    es_str_char(out, '"');
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == '"' || bytes[i] == '\\')
            es_str_char(out, '\\');
        es_str_char(out, bytes[i]);
    }
    es_str_char(out, '"');
}

void es_gesture_type(es_viewer *v, int32_t id)
{
    size_t n = 0;
    es_str shown = {0}, typed = {0};
    const char *bytes = es_bpe_bytes(es_session_context(v->session)->bpe, id, &n);
    const char *line = es_str_text(&v->line);
    size_t cursor = v->cursor < v->line.len ? v->cursor : v->line.len;
    if (bytes && n)
        es_show_prose(&shown, bytes, n);
    if (bytes && n && shown.len == n && !memcmp(shown.s, bytes, n)) {
        if (wants_quotes(v, line, v->line.len) && !in_quotes(line, cursor))
            add_quoted(&typed, bytes, n);
        else
            es_str_bytes(&typed, bytes, n);
        es_session_post(v->session, ES_MESSAGE_INSERT, typed.s, typed.len);
    }
    es_str_free(&typed);
    es_str_free(&shown);
}
