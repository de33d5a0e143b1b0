// SPDX-License-Identifier: GPL-3.0-or-later
/* Steps as JSON: an object each, the same fields in all. */
#include "session/results.h"
#include "session/show_steps.h"

static void json_facts(es_json *j, const char *key, const es_facts *f)
{
    es_json_key(j, key);
    es_json_open(j, '{');
    es_str_bytes(j->out, es_str_text(&f->json), f->json.len);
    es_json_close(j, '}');
}

static void json_truth(es_json *j, const es_step *s)
{
    es_json_key(j, "condition");
    if (s->truth < 0)
        es_json_null(j);
    else
        es_json_bool(j, s->truth);
}

static void json_function(es_json *j, const es_str *function)
{
    es_json_key_string(j, "function", function->len ? function->s : NULL);
}

static void json_step(es_json *j, const es_step *s)
{
    static const char *const events[] = {"line", "call", "return", "module"};
    es_json_open(j, '{');
    es_json_key_string(j, "event", events[s->kind]);
    es_json_key_int(j, "depth", s->depth);
    json_function(j, &s->function);
    es_json_key_int(j, "line", s->line);
    es_json_key(j, "source");
    es_json_text(j, es_str_text(&s->source), s->source.len);
    json_facts(j, "reads", &s->reads);
    json_facts(j, "binds", &s->binds);
    json_truth(j, s);
    es_json_key(j, "value");
    if (s->value_json.len) {
        es_str_bytes(j->out, s->value_json.s, s->value_json.len);
        j->comma = true;
    } else {
        es_json_null(j);
    }
    es_json_key_string(j, "raises", s->exception.len ? s->exception.s : NULL);
    es_json_key(j, "failed");
    es_json_bool(j, s->failed);
    es_json_close(j, '}');
}

static void json_steps(es_json *j, const es_walked *w)
{
    es_json_key(j, "steps");
    es_json_open(j, '[');
    for (size_t i = 0; i < w->steps.n && !es_str_braked(j->out); i++)
        json_step(j, &w->steps.of[i]);
    es_json_close(j, ']');
    es_json_key_int(j, "not_shown", (int64_t)w->hidden);
}

static bool json_value(es_json *j, const es_walked *w, bool values, es_error *err)
{
    es_json_key(j, "value");
    if (!w->value.kind) {
        es_json_null(j);
        return true;
    }
    return es_json_object(j, &w->value, values, err);
}

static void json_printed(es_json *j, const es_str *printed)
{
    if (!printed->len)
        return;
    es_json_key(j, "printed");
    es_json_text(j, printed->s, printed->len);
}

bool es_json_of_step(es_json *j, void *data, bool values, es_error *err)
{
    const es_walked *w = data;
    json_steps(j, w);
    es_json_key(j, "at");
    if (w->stopped)
        json_step(j, &w->at);
    else
        es_json_null(j);
    bool ok = json_value(j, w, values, err);
    json_printed(j, &w->printed);
    return ok;
}

bool es_json_of_trace(es_json *j, void *data, bool values, es_error *err)
{
    const es_walked *w = data;
    json_steps(j, w);
    bool ok = json_value(j, w, values, err);
    if (w->complete) { /* else these are fields of the error's object */
        es_json_key(j, "error");
        es_json_null(j);
    }
    json_printed(j, &w->printed);
    return ok;
}

/* ---- where it stands ---- */

static void json_lines(es_json *j, const char *key, const es_standing *s, bool where)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (size_t i = 0; i < s->n && !es_str_braked(j->out); i++) {
        const es_standing_line *l = &s->of[i];
        es_json_open(j, '{');
        if (where) {
            es_json_key_int(j, "depth", l->depth);
            json_function(j, &l->function);
        }
        es_json_key_int(j, "line", l->line);
        es_json_key(j, "source");
        es_json_text(j, es_str_text(&l->text), l->text.len);
        if (!where) {
            es_json_key(j, "here");
            es_json_bool(j, l->here);
        }
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

bool es_json_of_source(es_json *j, void *data, bool values, es_error *err)
{
    (void)values;
    (void)err;
    json_lines(j, "lines", data, false);
    return true;
}

bool es_json_of_where(es_json *j, void *data, bool values, es_error *err)
{
    (void)values;
    (void)err;
    json_lines(j, "calls", data, true);
    return true;
}

bool es_json_of_seen(es_json *j, void *data, bool values, es_error *err)
{
    const es_seen_values *v = data;
    bool ok = true;
    es_json_key(j, "values");
    es_json_open(j, '{');
    for (size_t i = 0; ok && i < v->n && !es_str_braked(j->out); i++) {
        es_json_key(j, v->name[i].s);
        ok = es_json_object(j, &v->of[i], values, err);
    }
    es_json_close(j, '}');
    return ok;
}
