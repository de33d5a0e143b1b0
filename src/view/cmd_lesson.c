// SPDX-License-Identifier: GPL-3.0-or-later
/* :picture: the teaching pictures, and the list of them. */
#include "session/results.h"
#include "view/cmd.h"
#include "view/lesson_pictures.h"

/* "yes", or what is missing. */
static void say_fit(const es_viewer *v, int n, es_str *out)
{
    es_error err = ES_ERROR_NONE;
    if (n == es_lesson_picture_shown(v))
        es_str_cat(out, "shown");
    else if (!es_lesson_picture_fits(v, n, &err))
        es_str_cat(out, "not of this model");
    es_error_free(&err);
}

static void answer_list(es_call *call, const es_viewer *v)
{
    static const char *const columns[] = {"picture", "state", "title"};
    static const es_kind kind = {"picture", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "pictures", .align = "rlw", .columns = columns};
    for (int n = 1; n <= ES_LESSON_PICTURES; n++) {
        es_str state = {0};
        say_fit(v, n, &state);
        es_list_add(&l, "%d", n);
        es_list_add(&l, "%s", es_str_text(&state));
        es_list_add(&l, "%s", es_lesson_picture_at(n)->title);
        es_str_free(&state);
    }
    es_call_answer(call, es_result_list(&kind, &l));
}

bool es_cmd_lesson_picture(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int64_t n = 0;
    int found = es_arg_next(call, &at, &arg, err);
    es_viewer_follow(v);
    if (found == 0)
        answer_list(call, v);
    bool ok = found == 0 || (found > 0 && es_arg_end(call, at, err) &&
                             es_arg_int(&arg, "a picture", 1, ES_LESSON_PICTURES, &n, err));
    if (ok && n)
        ok = es_lesson_picture_show(v, (int)n, call->sink, err) &&
             es_cmd_answer_picture(call, v, err);
    es_str_free(&arg.value);
    return ok;
}
