// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "session/state.h"

/* ---- open ones ---- */

static es_backend *find(const es_session *s, const char *name)
{
    char own[ES_DEVICE_NAME];
    es_device_name(own, name);
    for (size_t i = 0; i < s->devices.n; i++)
        if (!strcmp(s->devices.of[i]->name, own) && !s->devices.of[i]->lost)
            return s->devices.of[i];
    return NULL;
}

es_backend *es_session_device(es_session *s, const char *name, es_error *err)
{
    es_open_devices *d = &s->devices;
    es_backend *be = find(s, name);
    if (be)
        return be;
    be = es_backend_open(name, s->threads, err);
    if (!be)
        return NULL;
    d->of = es_realloc(d->of, (d->n + 1) * sizeof(es_backend *));
    d->of[d->n++] = be;
    return be;
}

void es_session_close_devices(es_session *s)
{
    for (size_t i = 0; i < s->devices.n; i++)
        es_backend_close(s->devices.of[i]);
    free(s->devices.of);
    s->devices = (es_open_devices){0};
}

void es_show_device(es_str *out, const es_device *d, size_t in_use)
{
    es_str_cat(out, d->about);
    if (d->memory) {
        es_str_cat(out, ", ");
        es_show_bytes(out, (double)d->memory);
    }
    if (*d->driver)
        es_str_add(out, ", %s", d->driver);
    if (in_use) {
        es_str_cat(out, "; in use here: ");
        es_show_bytes(out, (double)in_use);
    }
    if (*d->why)
        es_str_add(out, "; cannot be used: %s", d->why);
    else if (d->emulated)
        es_str_cat(out, "; a processor that poses as a GPU, slower than cpu");
}

size_t es_session_in_use(const es_session *s, const char *name)
{
    const es_backend *be = find(s, name);
    return be ? be->in_use : 0;
}

/* ---- moving the model ---- */

static bool send_table(es_table *t, es_backend *be, es_error *err)
{
    return !es_table_rows(t) || es_table_whole(t, be, err);
}

bool es_session_send_model(const es_model *m, es_backend *be, es_error *err)
{
    es_error why = ES_ERROR_NONE, *e = err ? err : &why;
    es_str bytes = {0};
    if (be->ops->host_memory || (send_table(m->wte, be, e) && send_table(m->wpe, be, e)))
        return true;
    if (e->code == ES_ERR_NOMEM) {
        be->full = false; /* said here, and what was there before still has its place */
        double rows = (double)es_table_rows(m->wte) + (double)es_table_rows(m->wpe);
        es_show_bytes(&bytes, rows * (double)m->config.n_embd * sizeof(float));
        es_hint(e, "the tables of model %s take %s there", m->name, es_str_text(&bytes));
    }
    es_str_free(&bytes);
    es_error_free(&why);
    return false;
}

bool es_session_set_device(es_session *s, const char *name, es_error *err)
{
    es_backend *be = es_session_device(s, name, err);
    if (be)
        be->full = false; /* what it had no room for is past */
    if (!be || !es_session_send_model(s->model, be, err))
        return false;
    if (be != s->be) {
        s->be = be;
        es_session_see_anew(s);
    }
    return true;
}

void es_session_rescue(es_session *s, const es_sink *sink)
{
    es_error err = ES_ERROR_NONE;
    es_str note = {0};
    es_backend *was = s->be;
    if (es_session_set_device(s, "cpu", &err)) {
        es_str_add(
            &note, "the device %s %s: the model is on the cpu again; :device %s tries %s once more",
            was->name, was->lost ? "has failed" : "had too little memory", was->name, was->name);
        sink->note(sink->user, note.s, false);
    }
    was->full = false;
    es_str_free(&note);
    es_error_free(&err);
}
