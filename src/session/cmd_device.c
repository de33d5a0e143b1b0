// SPDX-License-Identifier: GPL-3.0-or-later
/* The command about devices: which there are, and which one the model lives on. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "session/commands.h"
#include "session/numbers.h"
#include "session/results.h"
#include "session/state.h"

/* ---- what there is ---- */

typedef struct devices {
    es_devices list;
    size_t in_use[ES_MOST_DEVICES]; /* bytes */
    char current[ES_DEVICE_NAME];
} devices;

static void describe(es_str *out, const devices *all, int i)
{
    es_show_device(out, &all->list.of[i], all->in_use[i]);
}

static void show_lines(es_str *out, const devices *all, const es_style *style)
{
    es_grid g = {.align = "lw"};
    for (int i = 0; i < all->list.n; i++) {
        const char *name = all->list.of[i].name;
        es_grid_text(&g, "%s%s", strcmp(name, all->current) ? "" : "* ", name);
        describe(es_grid_cell(&g, ES_PAINT_NONE), all, i);
    }
    if (*all->list.none) {
        es_grid_text(&g, "gpu");
        es_grid_text(&g, "none: %s", all->list.none);
    }
    es_grid_end(&g, out, 0, 2, style);
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const devices *all = data;
    (void)err;
    if (!style->plain) {
        show_lines(out, all, style);
        return true;
    }
    for (int i = 0; i < all->list.n; i++) {
        const char *name = all->list.of[i].name;
        es_str_add(out, "%s%s: ", name, strcmp(name, all->current) ? "" : ", in use");
        describe(out, all, i);
        es_str_char(out, '\n');
    }
    if (*all->list.none)
        es_str_add(out, "gpu: none: %s\n", all->list.none);
    return true;
}

static void json_device(es_json *j, const devices *all, int i)
{
    const es_device *d = &all->list.of[i];
    es_json_open(j, '{');
    es_json_key_string(j, "name", d->name);
    es_json_key_string(j, "about", d->about);
    es_json_key_string(j, "driver", *d->driver ? d->driver : NULL);
    es_json_key_int(j, "memory", (int64_t)d->memory);
    es_json_key_int(j, "in_use", (int64_t)all->in_use[i]);
    es_json_key(j, "emulated");
    es_json_bool(j, d->emulated);
    es_json_key(j, "usable");
    es_json_bool(j, !*d->why);
    es_json_key_string(j, "why", *d->why ? d->why : NULL);
    es_json_close(j, '}');
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const devices *all = data;
    (void)values;
    (void)err;
    es_json_key(j, "devices");
    es_json_open(j, '[');
    for (int i = 0; i < all->list.n; i++)
        json_device(j, all, i);
    es_json_close(j, ']');
    es_json_key_string(j, "none", *all->list.none ? all->list.none : NULL);
    es_json_key_string(j, "current", all->current);
    return true;
}

static bool list(es_call *call)
{
    static const es_kind kind = {"device", show, json, free};
    const es_session *s = call->session;
    devices *all = es_alloc(sizeof *all);
    es_devices_list(&all->list);
    for (int i = 0; i < all->list.n; i++)
        all->in_use[i] = es_session_in_use(s, all->list.of[i].name);
    memcpy(all->current, s->be->name, sizeof all->current);
    es_call_answer(call, (es_result){&kind, all});
    return true;
}

/* ---- another one ---- */

/* "device gpu: maker, 6.9 GB; the model is there: 13 MB, in 0.21 s" */
static void tell(es_call *call, double seconds)
{
    const es_backend *be = call->session->be;
    es_str bytes = {0};
    es_show_bytes(&bytes, (double)be->in_use);
    if (be->ops->host_memory)
        es_call_note(call, "device %s: %s", be->name, be->about);
    else
        es_call_note(call, "device %s: %s; the model is there: %s, in %.2f s", be->name, be->about,
                     es_str_text(&bytes), seconds);
    es_str_free(&bytes);
}

static bool run_device(es_call *call, es_error *err)
{
    es_arg name;
    size_t at = call->args;
    double start = es_now();
    if (es_arg_end(call, at, NULL))
        return list(call);
    if (es_arg_next(call, &at, &name, err) < 0)
        return false;
    bool ok = es_arg_end(call, at, err) &&
              (es_session_set_device(call->session, es_str_text(&name.value), err) ||
               es_error_locate(err, name.begin, name.end));
    if (ok) {
        tell(call, es_now() - start);
        es_call_answer(call, es_result_none());
    }
    es_str_free(&name.value);
    return ok;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "device",
     .args = "[NAME]",
     .summary = "where the model lives: cpu, sim, a GPU; which there are",
     .help =
         "Without an argument all are listed, with memory and driver, and why one cannot be used. "
         "With one the model moves there, and new tensors are made there, as after "
         "torch.set_default_device; variables stay where they are. gpu is the first GPU, gpu:1 the "
         "second; PyTorch's cuda is understood. sim is the cpu's memory labelled as another "
         "device: "
         "what mixes the two fails as it would with a GPU.",
     .example = ":device sim\nThe cat\n:device cpu",
     .want = ES_WANT_CHOICE,
     .choices = "cpu gpu sim",
     .run = run_device},
};

const es_command *es_device_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
