// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/cpus.h"
#include "base/mem.h"
#include "base/visible.h"

extern const es_backend_ops es_backend_cpu;
extern const es_backend_ops es_backend_ref;
extern const es_backend_ops es_backend_opencl;

static const es_backend_ops *const backends[] = {&es_backend_cpu, &es_backend_ref,
#if ES_HAVE_OPENCL
                                                 &es_backend_opencl,
#endif
                                                 NULL};

const es_backend_ops *es_backend_at(int i)
{
    return backends[i];
}

/* The kind that is called that, before a number. */
static const es_backend_ops *find(const char *name, int *number)
{
    size_t n = strcspn(name, ":");
    *number = 0;
    for (int i = 0; backends[i]; i++) {
        if (strlen(backends[i]->device) != n || memcmp(backends[i]->device, name, n) != 0)
            continue;
        if (!name[n])
            return backends[i];
        char *end;
        unsigned long k = strtoul(name + n + 1, &end, 10);
        *number = k < ES_MOST_DEVICES ? (int)k : ES_MOST_DEVICES;
        return backends[i]->list && name[n + 1] >= '0' && name[n + 1] <= '9' && !*end ? backends[i]
                                                                                      : NULL;
    }
    return NULL;
}

/* The backend of GPUs, or NULL where the program was built without one. */
static const es_backend_ops *of_gpus(void)
{
    for (int i = 0; backends[i]; i++)
        if (!strcmp(backends[i]->device, "gpu"))
            return backends[i];
    return NULL;
}

static void fail_unknown(es_error *err, const char *device, bool gpu)
{
    es_str shown = {0}, known = {0};
    bool none = gpu && !of_gpus();
    es_show_brief(&shown, device, strlen(device));
    for (int i = 0; backends[i]; i++)
        es_str_add(&known, "%s%s", i ? ", " : "", backends[i]->device);
    es_fail(err, none ? ES_ERR_BACKEND : ES_ERR_VALUE, "there is no device %s%s",
            es_str_text(&shown), none ? ": this program has no GPU backend" : "");
    if (gpu && !none)
        es_hint(err, "try: gpu, or gpu:1 for the second one; :device lists them");
    else
        es_hint(err, "try: one of %s", es_str_text(&known));
    if (none)
        es_hint(err, "sim is the cpu's memory under another name: mixing the two fails as it would "
                     "with a GPU");
    es_str_free(&shown);
    es_str_free(&known);
}

bool es_backend_answers(const es_backend *be, es_error *err)
{
    return !be->lost ||
           es_fail(err, ES_ERR_BACKEND,
                   "the device %s has failed, and what was in its memory is gone", be->name);
}

es_backend *es_backend_open(const char *device, int threads, es_error *err)
{
    char name[ES_DEVICE_NAME];
    int number;
    es_device_name(name, device);
    const es_backend_ops *ops = find(name, &number);
    if (!ops) {
        fail_unknown(err, device, es_device_is_gpu(name));
        return NULL;
    }
    es_backend *be = es_alloc(sizeof *be);
    be->ops = ops;
    be->number = number;
    memcpy(be->name, name, sizeof be->name);
    be->threads = es_threads(threads);
    if (!ops->open(be, err)) {
        free(be);
        return NULL;
    }
    return be;
}

void es_backend_close(es_backend *be)
{
    if (!be)
        return;
    be->ops->close(be);
    free(be);
}

static es_buffer *buffer(es_backend *be, size_t bytes, bool host)
{
    es_buffer *buf = es_alloc(sizeof *buf);
    buf->be = be;
    buf->bytes = bytes;
    buf->host = host;
    buf->number = ++be->made;
    atomic_init(&buf->refs, 1);
    return buf;
}

es_buffer *es_buffer_new(es_backend *be, size_t bytes, bool host, es_error *err)
{
    es_buffer *buf = buffer(be, bytes, host);
    bool ok = host ? (buf->mem = es_try_alloc(bytes, 1, "a tensor", err)) != NULL
                   : be->ops->alloc(be, buf, err);
    if (!ok) {
        free(buf);
        return NULL;
    }
    be->in_use += bytes;
    return buf;
}

es_buffer *es_buffer_meta(es_backend *be)
{
    es_buffer *buf = buffer(be, 0, true);
    buf->meta = true;
    return buf;
}

es_buffer *es_buffer_later(es_backend *be, size_t bytes, bool host, es_late late)
{
    es_buffer *buf = buffer(be, bytes, host);
    buf->late = late;
    return buf;
}

bool es_buffer_need(es_buffer *buf, es_error *err)
{
    return buf->mem || buf->late.make(buf, err);
}

static bool copy_all(es_buffer *to, es_buffer *from, es_error *err)
{
    if (from->host || from->be->ops->host_memory) {
        memcpy(to->mem, from->mem, from->bytes);
        return true;
    }
    int64_t n = (int64_t)(from->bytes / sizeof(float));
    es_view src = {.buf = from, .ndim = 1, .dim = {n}, .stride = {1}}, dst = src;
    dst.buf = to;
    return from->be->ops->copy(&dst, &src, err);
}

bool es_buffer_own(es_buffer *buf, es_error *err)
{
    if (!buf->late.make)
        return true;
    if (buf->late.own)
        return buf->late.own(buf, err);
    es_buffer *own = es_buffer_new(buf->be, buf->bytes, buf->host, err);
    if (!own)
        return false;
    if (!copy_all(own, buf, err)) {
        es_buffer_unref(own);
        return false;
    }
    buf->late.forget(buf);
    buf->late = (es_late){0};
    buf->mem = own->mem;
    free(own); /* its memory is buf's now */
    return true;
}

es_buffer *es_buffer_ref(es_buffer *buf)
{
    buf->refs++;
    return buf;
}

void es_buffer_unref(es_buffer *buf)
{
    if (!buf || --buf->refs > 0)
        return;
    if (buf->late.make) {
        buf->late.forget(buf);
    } else {
        buf->be->in_use -= buf->bytes;
        if (buf->host)
            free(buf->mem);
        else
            buf->be->ops->release(buf->be, buf);
    }
    free(buf);
}

int64_t es_view_count(const es_view *v)
{
    int64_t n = 1;
    for (int i = 0; i < v->ndim; i++)
        n *= v->dim[i];
    return n;
}

int64_t es_view_at(const es_view *v, int64_t i)
{
    int64_t at = v->offset;
    for (int d = v->ndim - 1; d >= 0; d--) {
        at += i % v->dim[d] * v->stride[d];
        i /= v->dim[d];
    }
    return at;
}

bool es_view_dense(const es_view *v)
{
    int64_t expected = 1;
    for (int d = v->ndim - 1; d >= 0; d--) {
        if (v->dim[d] != 1 && v->stride[d] != expected)
            return false;
        expected *= v->dim[d];
    }
    return true;
}
