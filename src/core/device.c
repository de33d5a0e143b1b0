// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/backend.h"

/* ---- names ---- */

/* What follows the word, or NULL if `written` does not begin with it. */
static const char *after(const char *written, const char *word)
{
    size_t n = strlen(word);
    return strncmp(written, word, n) == 0 ? written + n : NULL;
}

/* A number without the zeros before it. */
static const char *significant(const char *number)
{
    const char *rest = number + strspn(number, "0");
    if (*rest >= '1' && *rest <= '9')
        return rest;
    return *number && !*rest ? "0" : number;
}

void es_device_name(char *out, const char *written)
{
    const char *cuda = after(written, "cuda"), *number = cuda ? cuda : after(written, "gpu");
    if (!number || (*number && *number != ':')) {
        snprintf(out, ES_DEVICE_NAME, "%s", written);
        return;
    }
    number = significant(*number ? number + 1 : "0");
    bool first = !strcmp(number, "0");
    snprintf(out, ES_DEVICE_NAME, "gpu%s%s", first ? "" : ":", first ? "" : number);
}

bool es_device_is_gpu(const char *name)
{
    const char *number = after(name, "gpu");
    return number && (!*number || *number == ':');
}

void es_device_torch_name(char *out, const char *name)
{
    if (es_device_is_gpu(name))
        snprintf(out, ES_DEVICE_NAME, "cuda%.10s", name[3] ? name + 3 : ":0");
    else
        snprintf(out, ES_DEVICE_NAME, "%s", name);
}

int es_device_number(const char *name)
{
    return es_device_is_gpu(name) && name[3] ? atoi(name + 4) : 0;
}

const char *es_device_kept(const char *name)
{
    static const char *const gpus[ES_MOST_DEVICES] = {
        "gpu",   "gpu:1", "gpu:2",  "gpu:3",  "gpu:4",  "gpu:5",  "gpu:6",  "gpu:7",
        "gpu:8", "gpu:9", "gpu:10", "gpu:11", "gpu:12", "gpu:13", "gpu:14", "gpu:15"};
    if (es_device_is_gpu(name))
        return gpus[es_device_number(name) % ES_MOST_DEVICES];
    return strcmp(name, "sim") != 0 ? "cpu" : "sim";
}

/* ---- which there are ---- */

void es_devices_list(es_devices *out)
{
    *out = (es_devices){0};
    for (int i = 0; es_backend_at(i); i++) {
        const es_backend_ops *ops = es_backend_at(i);
        if (ops->list) {
            ops->list(out);
        } else if (out->n < ES_MOST_DEVICES) {
            es_device *d = &out->of[out->n++];
            snprintf(d->name, sizeof d->name, "%s", ops->device);
            snprintf(d->about, sizeof d->about, "%s", ops->about);
        }
    }
}

const es_device *es_devices_gpu(const es_devices *list, int i)
{
    for (int k = 0; k < list->n; k++) {
        const es_device *d = &list->of[k];
        if (es_device_is_gpu(d->name) && !d->emulated && !*d->why && i-- == 0)
            return d;
    }
    return NULL;
}

/* ---- what was computed where ---- */

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

void es_backend_ran_there(es_backend *be)
{
    pthread_mutex_lock(&counting);
    be->ran.launches++;
    pthread_mutex_unlock(&counting);
}

void es_backend_ran_beside(es_backend *be, const char *what)
{
    if (be->ops->host_memory)
        return;
    es_ran *r = &be->ran;
    int i = 0;
    pthread_mutex_lock(&counting);
    while (i < r->n_beside && strcmp(r->beside[i].what, what) != 0)
        i++;
    if (i < ES_MOST_RAN) {
        r->beside[i].what = what;
        r->beside[i].times += 1;
        r->n_beside = i < r->n_beside ? r->n_beside : i + 1;
    }
    pthread_mutex_unlock(&counting);
}

es_ran es_backend_ran(es_backend *be)
{
    pthread_mutex_lock(&counting);
    es_ran was = be->ran;
    be->ran = (es_ran){0};
    pthread_mutex_unlock(&counting);
    return was;
}
