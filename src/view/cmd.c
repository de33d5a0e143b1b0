// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/cmd.h"

#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/visible.h"
#include "session/results.h"

void es_cmd_done(es_call *call)
{
    es_session_touch(call->session);
    es_call_answer(call, es_result_none());
}

bool es_cmd_number(const es_arg *arg, size_t from, size_t to, const char *what, double low,
                   double high, double *out, es_error *err)
{
    es_str text = {0}, shown = {0};
    es_str_bytes(&text, es_str_text(&arg->value) + from, to - from);
    const char *s = es_str_text(&text);
    char *end;
    bool plain = s[0] && strlen(s) == text.len && !s[strspn(s, "+-.0123456789eE")];
    double value = strtod(s, &end);
    bool ok = plain && !*end && value >= low && value <= high;
    if (ok) {
        *out = value;
    } else {
        es_show_brief(&shown, s, text.len);
        es_fail(err, plain && !*end ? ES_ERR_RANGE : ES_ERR_VALUE,
                "%s is a number from %g to %g, not %s", what, low, high, shown.s);
        es_error_locate(err, arg->begin + from, arg->begin + to);
    }
    es_str_free(&text);
    es_str_free(&shown);
    return ok;
}

bool es_cmd_stray(const es_call *call, const es_arg *arg, const char *words, es_error *err)
{
    const char *typed = es_str_text(&arg->value), *meant = NULL;
    size_t n = strcspn(typed, "="), n_meant = 0;
    int least = es_slip(n);
    es_call_usage(call, err);
    for (size_t len; *words; words += len + (words[len] == ' ')) {
        len = strcspn(words, " ");
        int d = es_distance(typed, n, words, strcspn(words, "= "), least);
        if (n > 1 && !strncmp(typed, words, n)) /* the beginning of it */
            d = 0;
        if (d < least) {
            least = d;
            meant = words;
            n_meant = len;
        }
    }
    if (meant)
        es_hint(err, "did you mean %.*s ?", (int)n_meant, meant);
    return es_error_locate(err, arg->begin, arg->end);
}

bool es_said_show(es_str *out, void *data, const es_style *style, es_error *err)
{
    (void)err;
    es_wrap(out, es_str_text(&((es_said *)data)->line), 0, style);
    return true;
}

bool es_said_json(es_json *j, void *data, bool values, es_error *err)
{
    const es_said *s = data;
    (void)values;
    (void)err;
    es_str_cat(j->out, j->comma && s->fields.len ? "," : "");
    es_str_cat(j->out, es_str_text(&s->fields));
    j->comma = j->comma || s->fields.len;
    return true;
}

void es_said_forget(void *data)
{
    es_said *s = data;
    es_str_free(&s->line);
    es_str_free(&s->fields);
    free(s);
}
