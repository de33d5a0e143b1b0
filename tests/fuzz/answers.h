// SPDX-License-Identifier: GPL-3.0-or-later
/* A sink that asks of every answer what is promised of all: JSON is JSON, nothing raw and nothing wider than the screen
 * is printed, an error says why. */
#ifndef ES_TESTS_FUZZ_ANSWERS_H
#define ES_TESTS_FUZZ_ANSWERS_H

#include <jansson.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "session/results.h"

static inline void check_json(const es_str *text)
{
    json_error_t why;
    json_t *o = json_loadb(text->s, text->len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
    promise(o && json_is_string(json_object_get(o, "kind")));
    promise(!memchr(text->s, '\n', text->len - 1));
    json_decref(o);
}

static inline void check_shown(const es_str *text, const es_style *style)
{
    size_t line = 0;
    for (size_t i = 0; i < text->len;) {
        uint32_t cp;
        int len = es_utf8_next(text->s + i, text->len - i, &cp);
        promise(len && (cp == '\n' || es_char_visible(cp)));
        if (cp == '\n') {
            promise(style->plain || es_columns(text->s + line, i - line) <= style->width);
            line = i + 1;
        }
        i += (size_t)len;
    }
}

static inline void answers_result(void *user, es_result *r)
{
    const es_style *style = user;
    es_str json = {0}, shown = {0};
    promise(es_json_result(&json, r, style->width % 2, NULL));
    check_json(&json);
    promise(es_show_result(&shown, r, style, NULL));
    check_shown(&shown, style);
    es_str_free(&json);
    es_str_free(&shown);
    es_result_free(r);
}

static inline void answers_error(void *user, const es_error *err, const char *line, size_t len,
                                 es_result *partial)
{
    const es_style *style = user;
    es_str json = {0}, shown = {0};
    promise(err->code != ES_OK && err->message && *err->message);
    promise(err->begin <= err->end && err->end <= (ptrdiff_t)len);
    es_json_error(&json, err, partial);
    check_json(&json);
    es_show_error(&shown, err, line, len, NULL, style);
    check_shown(&shown, style);
    es_str_free(&json);
    es_str_free(&shown);
}

static inline void answers_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)person;
    promise(text && *text);
}

static inline void answers_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    promise(what && (!total || done <= total));
}

/* As this style shows it; the style is borrowed. */
static inline es_sink answers_sink(es_style *style)
{
    return (es_sink){style, answers_result, answers_error, answers_note, answers_progress, NULL};
}

#endif
