// SPDX-License-Identifier: GPL-3.0-or-later
/* Texts: encoded, in a job where that takes long, kept as the last one, and answered with. */
#include "session/model_notes.h"
#include "session/results.h"
#include "session/state.h"

enum {
    LONG_TEXT = 1 << 18, /* bytes from which encoding is a job */
    TICK = 50            /* milliseconds between two looks at a job */
};

typedef struct reading {
    es_context *context;
    es_reading how;
    const char *const *bytes;
    const size_t *len;
    int64_t B;
    es_text *made;
} reading;

static bool read_texts(void *work, es_watch *watch, es_error *err)
{
    reading *r = work;
    r->made = es_text_new(r->context, &r->how, r->bytes, r->len, r->B, watch, err);
    return r->made != NULL;
}

bool es_session_work(es_session *s, const char *what, es_job_fn fn, void *work, const es_sink *sink,
                     es_error *err)
{
    uint64_t done, total;
    es_job *job = es_job_start(fn, work, -1, err);
    if (!job)
        return false;
    while (!es_job_wait(job, TICK)) {
        if (es_session_interrupted(s))
            es_job_cancel(job);
        es_job_progress(job, &done, &total);
        sink->progress(sink->user, what, done, total);
    }
    sink->progress(sink->user, what, 1, 1);
    if (!es_job_finish(job, err))
        return false;
    if (es_session_interrupted(s)) /* Ctrl-C came just before the end: it still means no */
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    return true;
}

static bool read_as_job(es_session *s, reading *r, const es_sink *sink, es_error *err)
{
    if (es_session_work(s, "encoding", read_texts, r, sink, err))
        return true;
    es_text_unref(r->made);
    return false;
}

es_text *es_session_read(es_session *s, const char *const *bytes, const size_t *len, int64_t B,
                         const es_sink *sink, es_error *err)
{
    int32_t pad = s->settings.pad < 0 ? es_bpe_endoftext(s->bpe) : s->settings.pad;
    reading r = {
        .context = s->context,
        .how = {.special = s->settings.special, .pad = pad, .pad_left = s->settings.pad_left},
        .bytes = bytes,
        .len = len,
        .B = B};
    size_t all = 0;
    for (int64_t b = 0; b < B; b++)
        all += len[b];
    bool ok = all < LONG_TEXT ? read_texts(&r, NULL, err) : read_as_job(s, &r, sink, err);
    return ok ? r.made : NULL;
}

void es_session_keep(es_session *s, es_text *t)
{
    es_mode_forget_text(s);
    es_text_unref(s->text);
    s->text = t;
    s->stamp++;
}

bool es_session_show(es_call *call, es_text *t, es_error *err)
{
    es_session_keep(call->session, t);
    bool places = es_text_places_only(t);
    if (places ? !es_embedding_guard(&t->context->layer, es_text_T(t), err)
               : !es_text_guard(t, err)) {
        call->partial = es_result_tokens_brief(t);
        return false;
    }
    es_note_nonfinite_rows(call, t);
    es_str hidden = {0};
    if (!es_session_taught(call->session)) /* there they are the lesson's */
        es_mode_hidden(call->session, &hidden);
    if (hidden.len)
        call->sink->note(call->sink->user, hidden.s, false);
    es_str_free(&hidden);
    es_call_answer(call, es_text_B(t) == 1 ? es_result_text(t) : es_result_batch(t));
    return true;
}
