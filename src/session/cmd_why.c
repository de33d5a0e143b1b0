// SPDX-License-Identifier: GPL-3.0-or-later
/* :why, which explains error texts that come from elsewhere, and this session's own. */
#include <string.h>

#include "session/commands.h"
#include "session/show_why.h"

static bool explain(es_call *call, const char *text, size_t len, es_error *err)
{
    const es_session *s = call->session;
    const es_config *m = &es_session_context(s)->model->config;
    const es_text *t = es_session_text(s);
    const es_why_size sizes[] = {{"C", m->n_embd},
                                 {"V", m->vocab_size},
                                 {"P", m->n_ctx},
                                 {"B", t ? es_text_B(t) : 0},
                                 {"T", t ? es_text_T(t) : 0}};
    es_why_answer answer;
    if (strspn(text, " \t\r\n") >= len) {
        es_fail(err, ES_ERR_VALUE, "there is no error text here");
        return es_hint(err, "the form is :why TEXT, or :why paste, then lines, then a lone .");
    }
    es_why_find(&answer, text, len, sizes, sizeof sizes / sizeof *sizes);
    es_call_answer(call, es_result_why(&answer));
    return true;
}

static bool collect(es_call *call)
{
    es_session_collect(call->session, explain);
    call->sink->note(call->sink->user,
                     "paste the error text; a line with a dot alone ends it, Ctrl-C drops it",
                     true);
    return true;
}

/* Only the first line of a traceback: a terminal that sends a paste line by line has more to come. */
static bool is_beginning(const es_str *text)
{
    static const char first[] = "Traceback (most recent call last)";
    return text->len >= sizeof first - 1 && text->len <= sizeof first + 2 &&
           !memcmp(text->s, first, sizeof first - 1);
}

static bool run_why(es_call *call, es_error *err)
{
    const char *last = es_session_last_error(call->session);
    es_str text = {0};
    if (!es_arg_text(call, call->args, &text, err))
        return false;
    bool ok, alone = strspn(es_str_text(&text), " \t\r\n") == text.len;
    if (alone && last)
        ok = explain(call, last, strlen(last), err);
    else if (alone || !strcmp(es_str_text(&text), "paste") || is_beginning(&text))
        ok = collect(call);
    else
        ok = explain(call, es_str_text(&text), text.len, err);
    es_str_free(&text);
    return ok;
}

static const es_command commands[] = {
    {.group = "tensors",
     .name = "why",
     .args = "[TEXT|paste]",
     .summary = "what an error text of PyTorch or NumPy means",
     .help = "TEXT is the message, or a whole traceback; line breaks and quotes do not matter. In "
             "double quotes \\n is a line break. :why alone explains the last error of this "
             "session; where there was none, and after :why paste, lines are taken until a lone .",
     .example =
         ":why The size of tensor a (5) must match the size of tensor b (4) at non-singleton "
         "dimension 1\n:why paste\nIndexError: index out of range in self\n.",
     .run = run_why},
};

const es_command *es_why_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
