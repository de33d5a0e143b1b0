// SPDX-License-Identifier: GPL-3.0-or-later
/* Any bytes as an error text: what is made of them is visible UTF-8, complete, and the same for any width. */
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "session/show_why.h"

static void check_visible(const char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(s + i, n - i, &cp);
        promise(len && es_char_visible(cp));
        i += (size_t)len;
    }
}

static void check(const es_why *w)
{
    promise(*w->operation && *w->matched && *w->says && w->n_causes && w->n_look);
    check_visible(w->matched);
    check_visible(w->says);
    for (size_t i = 0; i < w->n_numbers; i++) {
        check_visible(w->numbers[i].value);
        check_visible(w->numbers[i].means);
    }
    for (size_t i = 0; i < w->n_causes; i++)
        check_visible(w->causes[i]);
    if (w->try)
        check_visible(w->try);
}

static void show(es_why_answer *a)
{
    es_result r = es_result_why(a);
    es_str out = {0};
    for (int width = 40; width <= 100; width += 30) {
        const es_style style = {.width = width};
        es_str_cut(&out, 0);
        promise(r.kind->show(&out, r.data, &style, NULL));
        for (const char *s = out.s; *s; s += strcspn(s, "\n") + 1)
            promise(es_columns(s, strcspn(s, "\n")) <= width);
    }
    es_json j = {.out = &out};
    es_str_cut(&out, 0);
    es_json_open(&j, '{');
    promise(r.kind->json(&j, r.data, true, NULL));
    es_json_close(&j, '}');
    promise(es_utf8_valid(out.s, out.len));
    es_str_free(&out);
    es_result_free(&r);
}

int fuzz_why(const uint8_t *data, size_t size)
{
    static const es_why_size sizes[] = {{"C", 8}, {"V", 50}, {"P", 16}, {"B", 2}, {"T", 5}};
    es_why_answer a;
    es_why_find(&a, (const char *)data, size, sizes, sizeof sizes / sizeof *sizes);
    promise(a.n <= ES_WHY_MOST && (a.n == 0 || !a.nearest));
    for (size_t i = 0; i < a.n; i++)
        check(&a.of[i]);
    if (a.file)
        check_visible(a.file);
    if (a.code)
        check_visible(a.code);
    show(&a);
    return 0;
}

ES_FUZZ_TARGET(fuzz_why)
