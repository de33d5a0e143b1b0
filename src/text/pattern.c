// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pattern.h"

#include "base/mem.h"

#if ES_HAVE_PCRE2 /* the only file that asks */

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>

enum { MOST_STEPS = 100000, MOST_KILOBYTES = 4096 };

struct es_pattern {
    pcre2_code *code;
    pcre2_match_data *match;
    pcre2_match_context *limits;
};

static bool refuse(int why, size_t at, es_error *err)
{
    PCRE2_UCHAR words[160];
    pcre2_get_error_message(why, words, sizeof words);
    es_fail(err, ES_ERR_PARSE, "this is no regular expression: %s", (const char *)words);
    es_hint(err, "the syntax is PCRE2's: . any character, * + ? {2,3}, [a-z], \\d, \\p{Han}, "
                 "^ and $ for the token's ends");
    return es_error_locate(err, at, at);
}

es_pattern *es_pattern_new(const char *regex, size_t n, bool any_case, es_error *err)
{
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C |
                       PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | (any_case ? PCRE2_CASELESS : 0);
    int why;
    PCRE2_SIZE at;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)regex, n, options, &why, &at, NULL);
    if (!code) {
        refuse(why, at < n ? at : n, err);
        return NULL;
    }
    es_pattern *p = es_alloc(sizeof *p);
    p->code = code;
    p->match = pcre2_match_data_create(1, NULL);
    p->limits = pcre2_match_context_create(NULL);
    if (!p->match || !p->limits) {
        es_pattern_free(p);
        es_no_room(err, "this pattern", sizeof *p);
        return NULL;
    }
    pcre2_set_match_limit(p->limits, MOST_STEPS);
    pcre2_set_depth_limit(p->limits, MOST_STEPS);
    pcre2_set_heap_limit(p->limits, MOST_KILOBYTES);
    return p;
}

void es_pattern_free(es_pattern *p)
{
    if (!p)
        return;
    pcre2_match_context_free(p->limits);
    pcre2_match_data_free(p->match);
    pcre2_code_free(p->code);
    free(p);
}

int es_pattern_in(es_pattern *p, const char *bytes, size_t n)
{
    int found = pcre2_match(p->code, (PCRE2_SPTR)bytes, n, 0, 0, p->match, p->limits);
    return found >= 0 ? 1 : found == PCRE2_ERROR_NOMATCH ? 0 : -1;
}

#else

es_pattern *es_pattern_new(const char *regex, size_t n, bool any_case, es_error *err)
{
    (void)regex;
    (void)n;
    (void)any_case;
    es_fail(err, ES_ERR_UNSUPPORTED, "this program was built without regular expressions (PCRE2)");
    es_hint(err, "try: the text itself, or in double quotes if it stands between slashes");
    return NULL;
}

void es_pattern_free(es_pattern *p)
{
    (void)p;
}

int es_pattern_in(es_pattern *p, const char *bytes, size_t n)
{
    (void)p;
    (void)bytes;
    (void)n;
    return -1;
}

#endif
