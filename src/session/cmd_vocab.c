// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands about the vocabulary: which tokens hold something, and what is in use. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/commands.h"
#include "session/results.h"
#include "text/pattern.h"

/* ---- find: what is asked ---- */

typedef struct finding {
    const es_bpe *bpe;
    es_str text;
    bool regex, any_case;
    es_pattern *pattern;
    int64_t top; /* 0: not said */
    int32_t *ids;
    size_t n;
} finding;

static bool read_top(es_call *rest, finding *f, es_error *err)
{
    es_arg value = {0};
    if (!es_arg_cut_option(rest, "top=", &value))
        return true;
    bool ok = es_arg_int(&value, "top", 1, es_bpe_vocab_size(f->bpe), &f->top, err);
    es_str_free(&value.value);
    return ok;
}

/* "/…/" or "/…/i": cut the slashes off. */
static void take_slashes(finding *f)
{
    size_t n = f->text.len;
    f->any_case = n > 3 && f->text.s[n - 1] == 'i' && f->text.s[n - 2] == '/';
    n -= f->any_case;
    f->regex = n > 2 && f->text.s[0] == '/' && f->text.s[n - 1] == '/';
    if (!f->regex)
        return;
    es_str inner = {0};
    es_str_bytes(&inner, f->text.s + 1, n - 2);
    es_str_free(&f->text);
    f->text = inner;
}

/* Outside quotes ␣ is a space, as tokens are shown. */
static void take_marks(es_str *text)
{
    static const char mark[] = "\u2423";
    size_t n = 0;
    for (size_t i = 0; i < text->len; n++) {
        bool space = text->len - i >= 3 && !memcmp(text->s + i, mark, 3);
        text->s[n] = space ? ' ' : text->s[i];
        i += space ? 3 : 1;
    }
    if (text->len)
        es_str_cut(text, n);
}

static bool read_find(const es_call *call, finding *f, es_error *err)
{
    es_call rest = *call;
    if (!read_top(&rest, f, err))
        return false;
    bool quoted = rest.args < rest.len && rest.line[rest.args] == '"';
    if (!es_arg_text(&rest, rest.args, &f->text, err))
        return false;
    if (!quoted) {
        take_slashes(f);
        take_marks(&f->text);
    }
    if (f->text.len)
        return true;
    if (!quoted)
        return es_call_usage(call, err);
    es_fail(err, ES_ERR_VALUE, "an empty text is in every token");
    return es_error_locate(err, rest.args, rest.len);
}

/* ---- find: the work ---- */

static int holds(const finding *f, const char *bytes, size_t n)
{
    if (f->pattern)
        return es_pattern_in(f->pattern, bytes, n);
    return memmem(bytes, n, f->text.s, f->text.len) != NULL;
}

static bool gave_up(const char *bytes, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_brief(&shown, bytes, n);
    es_fail(err, ES_ERR_RANGE, "this pattern takes too many steps on the token %s", shown.s);
    es_hint(err, "a repetition inside a repetition, such as (a+)+, is what makes them explode");
    es_str_free(&shown);
    return false;
}

static bool find_all(void *work, es_watch *watch, es_error *err)
{
    finding *f = work;
    int32_t V = es_bpe_vocab_size(f->bpe);
    es_watch_begin(watch, (uint64_t)V);
    for (int32_t id = 0; id < V; id++) {
        size_t n;
        const char *bytes = es_bpe_bytes(f->bpe, id, &n);
        int found = holds(f, bytes, n);
        if (found < 0)
            return gave_up(bytes, n, err);
        if (found)
            f->ids[f->n++] = id;
        if (!es_watch_step(watch, (uint64_t)id, err))
            return false;
    }
    return true;
}

static bool compile(const es_call *call, finding *f, es_error *err)
{
    if (!f->regex)
        return true;
    f->pattern = es_pattern_new(f->text.s, f->text.len, f->any_case, err);
    return f->pattern || es_error_locate(err, call->args, call->len);
}

static bool find(es_call *call, finding *f, es_error *err)
{
    es_context *c = es_session_context(call->session);
    if (!read_find(call, f, err) || !compile(call, f, err))
        return false;
    f->ids = es_alloc_array((size_t)es_bpe_vocab_size(f->bpe), sizeof *f->ids);
    if (!es_session_work(call->session, "looking for tokens", find_all, f, call->sink, err))
        return false;
    es_session_set_found(call->session, f->ids, f->n);
    es_found found = {.context = es_context_ref(c), .regex = f->regex, .ids = f->ids, .n = f->n};
    found.top = (size_t)f->top;
    found.query = f->text;
    f->ids = NULL;
    f->text = (es_str){0};
    es_call_answer(call, es_result_find(&found));
    return true;
}

static bool run_find(es_call *call, es_error *err)
{
    finding f = {.bpe = es_session_context(call->session)->bpe};
    bool ok = find(call, &f, err);
    es_pattern_free(f.pattern);
    es_str_free(&f.text);
    free(f.ids);
    return ok;
}

/* ---- vocab ---- */

static bool run_vocab(es_call *call, es_error *err)
{
    es_context *c = es_session_context(call->session);
    es_str name = {0};
    bool ok = call->args >= call->len || es_arg_path(call, call->args, &name, err);
    if (ok && name.len && strcmp(name.s, c->vocab)) {
        es_str shown = {0};
        es_show_brief(&shown, name.s, name.len);
        ok = es_fail(err, ES_ERR_UNSUPPORTED,
                     "the vocabulary is chosen when the program starts, %s is not taken up now",
                     shown.s);
        es_hint(err, "try: embedscope --vocab NAME, or PATH of a merge list");
        es_error_locate(err, call->args, call->len);
        es_str_free(&shown);
    }
    if (ok)
        es_call_answer(call, es_result_vocab(c, es_session_vocab_path(call->session)));
    es_str_free(&name);
    return ok;
}

static const es_command commands[] = {
    {.group = "texts",
     .name = "find",
     .brief = "f",
     .args = "TEXT|/REGEX/ [top=N]",
     .summary = "tokens that contain something",
     .help =
         "TEXT is bytes: ␣ is a space, and in double quotes \\n \\xNN \\u{NNNN} are known. Between "
         "slashes stands a regular expression in PCRE2's syntax, which is Perl's, over "
         "characters: /^ [A-Z]at$/, /\\p{Han}/, /colou?r/i for either case. What is no "
         "character, \"\\xE6\", only TEXT finds. The map shows what was found in a colour of its "
         "own "
         "until :clear or another :find.",
     .example = ":find ␣cat\n:find \"\\n\\n\" top=5",
     .want = ES_WANT_TEXT,
     .choices = "top=",
     .run = run_find},
    {.group = "texts",
     .name = "vocab",
     .args = "[NAME|PATH]",
     .summary = "the vocabulary in use: size, merges, special tokens",
     .help = "Another one is chosen when the program starts, by --vocab.",
     .example = ":vocab",
     .want = ES_WANT_FILE,
     .run = run_vocab},
};

const es_command *es_vocab_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
