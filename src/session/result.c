// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/result.h"

void es_result_free(es_result *r)
{
    if (r->kind && r->kind->forget)
        r->kind->forget(r->data);
    *r = (es_result){0};
}

/* ---- a sink that drops all it is given ---- */

static void silent_result(void *user, es_result *r)
{
    (void)user;
    es_result_free(r);
}

static void silent_error(void *user, const es_error *err, const char *line, size_t len,
                         es_result *partial)
{
    (void)user;
    (void)err;
    (void)line;
    (void)len;
    (void)partial;
}

static void silent_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void silent_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

static void silent_print(void *user, const char *bytes, size_t n)
{
    (void)user;
    (void)bytes;
    (void)n;
}

const es_sink es_sink_silent = {NULL,        silent_result,   silent_error,
                                silent_note, silent_progress, silent_print};
