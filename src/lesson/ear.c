// SPDX-License-Identifier: GPL-3.0-or-later
/* Keeps what a session says: answers as text, the last error apart. */
#include "lesson/ear.h"

#include <string.h>

#include "base/visible.h"
#include "session/results.h"

static void on_result(void *user, es_result *r)
{
    es_ear *e = user;
    if (!e->quiet)
        es_show_result(&e->shown, r, &e->style, NULL);
    es_result_free(r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    es_ear *e = user;
    e->code = err->code;
    es_str_free(&e->error);
    es_str_free(&e->hint);
    es_str_cat(&e->error, err->message ? err->message : "");
    es_str_cat(&e->hint, err->hint ? err->hint : "");
    if (e->quiet)
        return;
    if (partial && partial->kind)
        es_show_result(&e->shown, partial, &e->style, NULL);
    es_show_error(&e->shown, err, line, len, NULL, &e->style);
}

/* As the prompt says it, but not wrapped: what stands in it can be looked for. */
static void on_note(void *user, const char *text, bool person)
{
    es_ear *e = user;
    if (person || e->quiet)
        return;
    es_str_cat(&e->shown, "note: ");
    es_show_prose(&e->shown, text, strlen(text));
    es_str_char(&e->shown, '\n');
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

void es_ear_open(es_ear *e, const es_style *style)
{
    *e = (es_ear){.sink = {e, on_result, on_error, on_note, on_progress, NULL},
                  .quiet = style == NULL};
    if (style)
        e->style = *style;
}

void es_ear_forget(es_ear *e)
{
    es_str_free(&e->shown);
    es_str_free(&e->error);
    es_str_free(&e->hint);
    e->code = ES_OK;
}

void es_ear_close(es_ear *e)
{
    es_ear_forget(e);
}
