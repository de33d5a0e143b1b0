// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/learning.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "session/model_notes.h"
#include "session/numbers.h"
#include "session/results.h"
#include "session/state.h"

enum { TICK = 50 }; /* milliseconds between two looks at a job that is waited for */

/* ---- the model that comes of it ---- */

/* The model that training from `from` began with, and the steps since. */
static es_model *first_of(const es_learning *l, es_model *from, int64_t *steps)
{
    *steps = from == l->trained ? l->steps : 0;
    return from == l->trained ? l->before : from;
}

static bool use_what_was_learned(es_session *s, const es_training *t, es_error *err)
{
    es_learning *l = &s->learning;
    int64_t steps;
    es_model *first = first_of(l, t->context->model, &steps);
    es_str about = {0};
    steps += t->report.steps;
    es_str_add(&about, "%" PRId64 " step%s on the boxed text from %s", steps, steps == 1 ? "" : "s",
               first->name);
    es_backend *cpu =
        es_session_device(s, "cpu", err); /* where no failure of another one reaches */
    es_model *made = cpu ? es_training_model(t, about.s, cpu, err) : NULL;
    es_str_free(&about);
    if (!made)
        return false;
    es_model_ref(first);
    es_model_unref(l->before);
    es_model_unref(l->trained);
    l->before = first;
    l->steps = steps;
    l->trained = es_model_ref(made);
    es_session_use_model(s, made);
    return true;
}

static void say_time(const es_training *t, const es_sink *sink)
{
    es_str said = {0};
    double seconds = t->report.seconds;
    es_show_count(&said, t->report.steps);
    es_str_add(&said, " step%s took %.*f s, ", t->report.steps == 1 ? "" : "s",
               seconds < 10 ? 2 : 0, seconds);
    es_show_count(&said, llround((double)t->report.tokens / fmax(seconds, 1e-9)));
    es_str_cat(&said, " tokens a second");
    sink->note(sink->user, said.s, true);
    es_str_free(&said);
}

/* The run has ended well: its model is in use from here on. */
static bool conclude(es_session *s, es_training *t, const es_sink *sink, es_error *err)
{
    if (!use_what_was_learned(s, t, err))
        return false;
    if (!es_session_send_model(s->model, s->be, NULL)) /* no reason to lose what was learned */
        es_session_rescue(s, sink);
    t->report.brief = es_session_taught(s) && t->report.steps <= ES_TRAIN_WHOLE;
    es_result r = es_result_train(&t->report);
    sink->result(sink->user, &r);
    return true;
}

/* ---- running ---- */

static void describe(const es_training *t, es_str *out)
{
    float loss = t->loss;
    es_str_add(out, "step %" PRId64 " of %" PRId64, (int64_t)t->step, t->recipe.steps);
    if (!isnan(loss))
        es_str_add(out, ", loss %.2f", (double)loss);
}

/* Wait for the end of the job, which is freed; Ctrl-C cancels it. */
static bool wait_for(es_session *s, es_job *job, const es_training *t, const es_sink *sink,
                     es_error *err)
{
    while (!es_job_wait(job, TICK)) {
        es_str what = {0};
        float loss = t->loss;
        if (es_session_interrupted(s))
            es_job_cancel(job);
        es_str_cat(&what, "training");
        if (!isnan(loss))
            es_str_add(&what, ", loss %.2f:", (double)loss);
        int64_t done = t->step < t->recipe.steps ? t->step : t->recipe.steps - 1;
        sink->progress(sink->user, what.s, (uint64_t)done, (uint64_t)t->recipe.steps);
        es_str_free(&what);
    }
    sink->progress(sink->user, "training", 1, 1);
    if (!es_job_finish(job, err))
        return false;
    return !es_session_interrupted(s) || es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}

/* Only a line that somebody typed, and that no other line waits for, leaves its work behind; in a lesson what comes next
 * is about what was learned. */
static bool may_go_on_behind(const es_session *s)
{
    return s->learning.wake >= 0 && s->depth == 1 && !s->source.name && s->paste != ES_PASTED &&
           !es_session_taught(s);
}

static bool run_to_the_end(es_session *s, es_training *t, const es_sink *sink, es_error *err)
{
    es_job *job = es_job_start(es_training_run, t, -1, err);
    if (!job || !wait_for(s, job, t, sink, err))
        return false;
    say_time(t, sink);
    return conclude(s, t, sink, err);
}

bool es_learning_start(es_call *call, es_training *t, es_error *err)
{
    es_session *s = call->session;
    if (!may_go_on_behind(s)) {
        bool ok = run_to_the_end(s, t, call->sink, err);
        es_training_free(t);
        return ok;
    }
    es_job *job = es_job_start(es_training_run, t, s->learning.wake, err);
    if (!job) {
        es_training_free(t);
        return false;
    }
    s->learning.job = job;
    s->learning.run = t;
    es_call_note(
        call, "training goes on while you type; :train says how far it is, :train stop keeps what "
              "was learned so far, Ctrl-C on an empty line keeps nothing");
    es_call_answer(call, es_result_none());
    return true;
}

/* Take what runs out of the session. */
static es_training *take(es_session *s, es_job **job)
{
    es_training *t = s->learning.run;
    *job = s->learning.job;
    s->learning.run = NULL;
    s->learning.job = NULL;
    s->stamp++;
    return t;
}

bool es_learning_stop(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_job *job;
    if (!s->learning.run) {
        es_fail(err, ES_ERR_VALUE, "nothing is being trained");
        es_hint(err, "try: :train 100");
        return es_error_locate(err, call->args, call->len);
    }
    es_training *t = take(s, &job);
    t->enough = true;
    bool ok = wait_for(s, job, t, call->sink, err);
    if (ok)
        say_time(t, call->sink);
    ok = ok && conclude(s, t, call->sink, err);
    es_training_free(t);
    return ok;
}

bool es_learning_progress(const es_session *s, es_str *out)
{
    if (s->learning.run)
        describe(s->learning.run, out);
    return s->learning.run != NULL;
}

/* ---- for the loop ---- */

int es_session_set_wake(es_session *s, int fd)
{
    int before = s->learning.wake;
    s->learning.wake = fd;
    return before;
}

bool es_session_busy(const es_session *s)
{
    return s->learning.run != NULL;
}

bool es_session_settles(const es_session *s)
{
    return s->learning.job && !s->stepper && !es_job_running(s->learning.job);
}

void es_session_settle(es_session *s, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_result nothing = {0};
    es_job *job;
    if (!es_session_settles(s))
        return;
    es_training *t = take(s, &job);
    if (es_job_finish(job, &err)) {
        say_time(t, sink);
        conclude(s, t, sink, &err);
    }
    if (err.code != ES_OK)
        sink->error(sink->user, &err, "", 0, &nothing);
    es_error_free(&err);
    es_training_free(t);
}

bool es_session_cancel(es_session *s)
{
    es_job *job;
    if (!s->learning.run)
        return false;
    es_training *t = take(s, &job);
    es_job_cancel(job);
    es_job_finish(job, NULL);
    es_training_free(t);
    return true;
}

/* ---- reset and free ---- */

void es_learning_reset(es_session *s)
{
    es_learning *l = &s->learning;
    es_session_cancel(s);
    if (l->trained && s->model == l->trained)
        es_session_use_model(s, es_model_ref(l->before));
    es_model_unref(l->trained);
    es_model_unref(l->before);
    l->trained = l->before = NULL;
    l->steps = 0;
}

void es_learning_free(es_session *s)
{
    es_session_cancel(s);
    es_model_unref(s->learning.trained);
    es_model_unref(s->learning.before);
}
