// SPDX-License-Identifier: GPL-3.0-or-later
#include "listener.h"

#include <inttypes.h>
#include <string.h>

#include "session/results.h"
#include "support.h"

/* What there is of the result is forgotten. */
static void fail_to_show(listener *l, size_t json, size_t shown, es_error *err)
{
    es_result none = {0};
    es_str_cut(&l->json, json);
    es_str_cut(&l->shown, shown);
    l->n_errors++;
    es_json_error(&l->json, err, &none);
    es_error_free(err);
}

static void on_result(void *user, es_result *r)
{
    listener *l = user;
    es_error err = ES_ERROR_NONE;
    size_t json = l->json.len, shown = l->shown.len;
    bool ok = es_json_result(&l->json, r, l->values, &err) &&
              es_show_result(&l->shown, r, &l->style, &err);
    if (!l->lenient)
        ck_assert_works(ok, err);
    if (ok)
        l->n_results++;
    else
        fail_to_show(l, json, shown, &err);
    es_result_free(r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    listener *l = user;
    l->n_errors++;
    es_json_error(&l->json, err, partial);
    if (partial->kind)
        es_show_result(&l->shown, partial, &l->style, NULL);
    es_show_error(&l->errors, err, line, len, NULL, &l->style);
    es_str_cat(&l->hint, err->hint ? err->hint : "");
}

static void on_note(void *user, const char *text, bool person)
{
    es_str_add(&((listener *)user)->notes, "%s%s\n", person ? "(person) " : "", text);
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    listener *l = user;
    (void)what;
    demand(!total || done <= total, "%" PRIu64 " of %" PRIu64 " are done", done, total);
    l->n_progress++;
    if (l->on_progress)
        l->on_progress(l, done, total);
}

void listener_open(listener *l, const es_session_options *o)
{
    es_error err = ES_ERROR_NONE;
    *l =
        (listener){.sink = {l, on_result, on_error, on_note, on_progress, NULL}, .style.width = 80};
    l->session = es_session_new(o, &err);
    ck_assert_works(l->session != NULL, err);
}

void listener_forget(listener *l)
{
    es_str *const all[] = {&l->json, &l->shown, &l->errors, &l->hint, &l->notes};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_str_free(all[i]);
    l->n_results = l->n_errors = l->n_progress = 0;
}

void listener_close(listener *l)
{
    listener_forget(l);
    es_session_free(l->session);
    l->session = NULL;
}

es_outcome listener_run_bytes(listener *l, const char *line, size_t n)
{
    listener_forget(l);
    return es_session_run(l->session, line, n, &l->sink);
}

es_outcome listener_run(listener *l, const char *line)
{
    return listener_run_bytes(l, line, strlen(line));
}

json_t *listener_answer(const listener *l)
{
    json_error_t why;
    json_t *o = json_loadb(es_str_text(&l->json), l->json.len,
                           JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);
    ck_assert_msg(o != NULL, "%s: %.200s", why.text, es_str_text(&l->json));
    ck_assert_str_eq(l->json.s + l->json.len - 1, "\n");
    return o;
}

void listener_refused(listener *l, const char *line, const char *code, const char *message)
{
    ck_assert_msg(listener_run(l, line) == ES_FAILED, "%s: %s", line, es_str_text(&l->json));
    ck_assert_int_eq(l->n_errors, 1);
    json_t *o = listener_answer(l);
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "error");
    ck_assert_str_eq(json_string_value(json_object_get(o, "error")), code);
    ck_assert_str_eq(json_string_value(json_object_get(o, "message")), message);
    json_decref(o);
}
