// SPDX-License-Identifier: GPL-3.0-or-later
/* torch's functions about devices, and those of torch.cuda. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "expr/interp.h"

/* ---- devices by name ---- */

/* "cuda" and 1 are cuda:1. */
static bool numbered(es_args *a, es_str *name, es_error *err)
{
    int64_t index = 0;
    if (!es_arg_int64(a, 1, &index, err))
        return false;
    if (a->v[0].kind != ES_V_STR)
        return es_arg_wrong(a, 0, "str", err);
    es_str_add(name, "%s:%" PRId64, es_value_as_str(&a->v[0])->bytes, index);
    return true;
}

static bool run_device(es_args *a, es_value *out, es_error *err)
{
    es_backend *be = NULL;
    es_str name = {0};
    bool ok = es_given(a, 1) ? numbered(a, &name, err) && es_arg_device_called(a, name.s, &be, err)
                             : es_arg_device(a, 0, a->k->be, &be, err);
    es_str_free(&name);
    return ok ? es_answer(out, es_value_device(be->name)) : es_arg_blame(a, es_given(a, 1), err);
}

static bool run_set_default(es_args *a, es_value *out, es_error *err)
{
    return es_arg_device(a, 0, a->k->be, &a->k->be, err) && es_answer(out, es_none());
}

static bool run_get_default(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_device(a->k->be->name));
}

/* ---- torch.cuda ---- */

static int count(const es_devices *list)
{
    int n = 0;
    while (es_devices_gpu(list, n))
        n++;
    return n;
}

static bool run_is_available(es_args *a, es_value *out, es_error *err)
{
    es_devices list;
    (void)a;
    (void)err;
    es_devices_list(&list);
    return es_answer(out, es_value_bool(count(&list) > 0));
}

static bool run_device_count(es_args *a, es_value *out, es_error *err)
{
    es_devices list;
    (void)a;
    (void)err;
    es_devices_list(&list);
    return es_answer(out, es_value_int(count(&list)));
}

/* What its maker calls it; of a processor that poses as a GPU too, where it is asked for by name. */
static bool run_get_device_name(es_args *a, es_value *out, es_error *err)
{
    es_devices list;
    es_backend *be = NULL;
    bool number = es_given(a, 0) && a->v[0].kind == ES_V_INT;
    char name[ES_DEVICE_NAME] = "gpu";
    es_devices_list(&list);
    if (number)
        snprintf(name, sizeof name, "gpu:%d", (int)(a->v[0].u.i & 0xFF));
    else if (es_given(a, 0) && !es_arg_device(a, 0, a->k->be, &be, err))
        return false;
    es_device_name(name, be ? be->name : name);
    for (int i = 0; i < list.n; i++)
        if (!strcmp(list.of[i].name, name))
            return es_answer(out, es_value_str(list.of[i].about, strlen(list.of[i].about)));
    es_fail(err, ES_ERR_BACKEND, "there is no device %s", name);
    es_hint(err, ":device lists which there are");
    return es_given(a, 0) ? es_arg_blame(a, 0, err) : false;
}

static bool run_current_device(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_int(es_device_number(a->k->be->name)));
}

/* Reading a number waits for what makes it, and memory goes back with its tensor. */
static bool run_nothing(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)err;
    return es_answer(out, es_none());
}

const es_builtin es_builtins_devices[] = {
    {"current_device", ES_IN_CUDA, "", "the number of the GPU in use", "an int", NULL,
     "torch.cuda.current_device()", run_current_device},
    {"device", ES_IN_TORCH, "type=None, index=None", "a device by its name", "a torch.device", NULL,
     "torch.device(\"cpu\")", run_device},
    {"device_count", ES_IN_CUDA, "", "how many GPUs there are", "an int",
     "A processor that poses as a GPU is none.", "torch.cuda.device_count()", run_device_count},
    {"empty_cache", ES_IN_CUDA, "", "does nothing: memory goes back with its tensor", "None", NULL,
     "torch.cuda.empty_cache()", run_nothing},
    {"get_default_device", ES_IN_TORCH, "", "where tensors are made unless said otherwise",
     "a torch.device", NULL, "torch.get_default_device()", run_get_default},
    {"get_device_name", ES_IN_CUDA, "device=None", "what the maker of a GPU calls it", "a str",
     NULL, NULL, run_get_device_name},
    {"is_available", ES_IN_CUDA, "", "is there a GPU?", "a bool",
     "A processor that poses as a GPU is none, though .to(\"gpu\") takes it.",
     "torch.cuda.is_available()", run_is_available},
    {"set_default_device", ES_IN_TORCH, "device", "where tensors are made from here on", "None",
     ":device does the same, and moves the model too.", "torch.set_default_device(\"cpu\")",
     run_set_default},
    {"synchronize", ES_IN_CUDA, "device=None", "does nothing: who reads a number waits for it",
     "None", NULL, "torch.cuda.synchronize()", run_nothing},
    {.name = NULL},
};
