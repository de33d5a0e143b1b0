// SPDX-License-Identifier: GPL-3.0-or-later
/* Any bytes as Markdown: what the terminal gets has nothing raw and nothing wider than the screen, what a page gets has balanced
 * tags. */
#include <string.h>

#include "balance.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "lesson/prose.h"

/* Bytes of a colour sequence at s, and of marks that isolate. */
static size_t ours(const char *s, const es_style *style)
{
    bool isolates = style->isolate && (!strncmp(s, "\u2068", 3) || !strncmp(s, "\u2069", 3));
    if (isolates || !style->colour || strncmp(s, "\x1b[", 2) != 0)
        return isolates ? 3 : 0;
    size_t n = strspn(s + 2, "0123456789;");
    return s[2 + n] == 'm' ? n + 3 : 0;
}

static void check_shown(const es_str *text, const es_style *style)
{
    size_t line = 0;
    for (size_t i = 0; i < text->len;) {
        uint32_t cp = 0;
        size_t len = ours(text->s + i, style);
        if (!len) {
            len = (size_t)es_utf8_next(text->s + i, text->len - i, &cp);
            promise(len && (cp == '\n' || es_char_visible(cp)));
        }
        if (cp == '\n') {
            promise(es_columns(text->s + line, i - line) <= style->width);
            line = i + 1;
        }
        i += len;
    }
    promise(line == text->len);
}

int fuzz_prose(const uint8_t *data, size_t size)
{
    enum { MOST = 4096 };
    if (size < 2 || size > MOST)
        return 0;
    es_str shown = {0}, page = {0};
    const es_style style = {.width = ES_MIN_WIDTH + data[0] % 61,
                            .plain = data[1] & 1,
                            .colour = data[1] & 2,
                            .isolate = data[1] & 4,
                            .big = data[1] & 8};
    char *markdown = es_copy_bytes((const char *)data + 2, size - 2);
    es_prose_show(&shown, markdown, &style);
    check_shown(&shown, &style);
    es_prose_html(&page, markdown);
    promise(!balance_fault(es_str_text(&page)));
    promise(es_utf8_valid(es_str_text(&page), page.len));
    es_str_free(&shown);
    es_str_free(&page);
    free(markdown);
    return 0;
}

ES_FUZZ_TARGET(fuzz_prose)
