// SPDX-License-Identifier: GPL-3.0-or-later
/* What prompt and window tell each other: the line before Enter as a text, and messages. */
#include <string.h>

#include "base/mem.h"
#include "session/state.h"

/* A statement that is a text: what stands in its quotes, closed yet or not.  Not where a backslash says something else
 * than itself. */
static size_t quoted_text(const char **line, size_t len)
{
    size_t begin = 0;
    while (begin < len && (*line)[begin] == ' ')
        begin++;
    if (begin == len || ((*line)[begin] != '"' && (*line)[begin] != '\''))
        return 0;
    const char *text = *line + begin + 1, *end = *line + len;
    const char *quote = memchr(text, text[-1], (size_t)(end - text));
    const char *stop = quote ? quote : end;
    for (const char *after = quote ? quote + 1 : end; after < end; after++)
        if (*after != ' ')
            return 0;
    if (memchr(text, '\\', (size_t)(stop - text)))
        return 0;
    *line = text;
    return (size_t)(stop - text);
}

/* How much of a line is text, from *line on; 0: none. */
static size_t text_of_line(const es_session *s, const char **line, size_t len)
{
    if (!len || s->stepper || es_session_waiting(s))
        return 0;
    if (s->tensor)
        return quoted_text(line, len);
    return **line == ':' || **line == '=' ? 0 : len;
}

void es_session_preview(es_session *s, const char *line, size_t len)
{
    len = text_of_line(s, &line, len);
    if (len == s->preview_line.len && !memcmp(es_str_text(&s->preview_line), line, len))
        return;
    es_str_cut(&s->preview_line, 0);
    es_str_bytes(&s->preview_line, line, len);
    es_text_unref(s->preview);
    s->preview = NULL;
    s->stamp++;
}

es_text *es_session_preview_text(es_session *s)
{
    if (!s->preview && s->preview_line.len) {
        const es_reading how = {.special = s->settings.special};
        const char *bytes = s->preview_line.s;
        s->preview = es_text_new(s->context, &how, &bytes, &s->preview_line.len, 1, NULL, NULL);
    }
    return s->preview;
}

void es_session_post(es_session *s, es_message kind, const char *bytes, size_t len)
{
    s->messages = es_realloc(s->messages, (s->n_messages + 1) * sizeof *s->messages);
    es_queued *m = &s->messages[s->n_messages++];
    *m = (es_queued){.kind = kind};
    es_str_bytes(&m->bytes, bytes, len);
}

bool es_session_take(es_session *s, es_message *kind, es_str *bytes)
{
    if (!s->n_messages)
        return false;
    *kind = s->messages[0].kind;
    es_str_free(bytes);
    *bytes = s->messages[0].bytes;
    memmove(s->messages, s->messages + 1, --s->n_messages * sizeof *s->messages);
    return true;
}

bool es_session_has_messages(const es_session *s)
{
    return s->n_messages > 0;
}
