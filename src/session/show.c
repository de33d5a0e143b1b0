// SPDX-License-Identifier: GPL-3.0-or-later
/* The two printers of results, and errors as JSON. */
#include "session/results.h"

bool es_show_result(es_str *out, const es_result *r, const es_style *style, es_error *err)
{
    return !r->kind->show || r->kind->show(out, r->data, style, err);
}

bool es_json_object(es_json *j, const es_result *r, bool values, es_error *err)
{
    es_json_open(j, '{');
    es_json_key_string(j, "kind", r->kind->name);
    bool ok = !r->kind->json || r->kind->json(j, r->data, values, err);
    es_json_close(j, '}');
    return ok;
}

bool es_json_result(es_str *out, const es_result *r, bool values, es_error *err)
{
    es_json j = {.out = out};
    bool ok = es_json_object(&j, r, values, err);
    es_str_char(out, '\n');
    return ok;
}

static void json_place(es_json *j, const char *key, ptrdiff_t place)
{
    es_json_key(j, key);
    if (place < 0)
        es_json_null(j);
    else
        es_json_int(j, place);
}

/* The functions it happened in, from the one that was called by the line inwards. */
static void json_within(es_json *j, const es_error *err)
{
    if (!err->n_within)
        return;
    es_json_key(j, "in");
    es_json_open(j, '[');
    for (int i = err->n_within - 1; i >= 0; i--) {
        const es_place *p = &err->within[i];
        es_json_open(j, '{');
        es_json_key_string(j, "function", p->function);
        es_json_key_string(j, "file", p->file);
        es_json_key_int(j, "line", p->line);
        es_json_key_string(j, "source", p->source);
        es_json_key_int(j, "begin", p->begin);
        es_json_key_int(j, "end", p->end);
        es_json_key_int(j, "times", p->times);
        es_json_key_int(j, "left_out", p->left_out);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

void es_json_error(es_str *out, const es_error *err, const es_result *partial)
{
    es_json j = {.out = out};
    es_json_open(&j, '{');
    es_json_key_string(&j, "kind", "error");
    es_json_key_string(&j, "error", es_code_name(err->code));
    es_json_key_string(&j, "message", err->message);
    es_json_key_string(&j, "hint", err->hint);
    es_json_key_string(&j, "torch", err->torch);
    json_place(&j, "begin", err->begin);
    json_place(&j, "end", err->begin < 0 ? -1 : err->end);
    json_within(&j, err);
    if (partial && partial->kind)
        partial->kind->json(&j, partial->data, false, NULL);
    es_json_close(&j, '}');
    es_str_char(out, '\n');
}
