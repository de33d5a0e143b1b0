// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/device.h"

#include <string.h>

static bool is_cpu(const char *device)
{
    return !strcmp(device, "cpu");
}

bool es_torch_goes_anywhere(const es_tensor *t)
{
    return t->number || (t->shape.ndim == 0 && is_cpu(t->buf->be->name));
}

/* PyTorch numbers all devices but the cpu; what it would call the stand-in is cuda:0. */
bool es_torch_says_devices(const char *x, const char *y, const char *checked, es_error *err)
{
    bool sim = !strcmp(x, "sim") || !strcmp(y, "sim");
    char a[ES_DEVICE_NAME], b[ES_DEVICE_NAME];
    es_str more = {0};
    es_device_torch_name(a, x);
    es_device_torch_name(b, y);
    if (checked)
        es_str_add(&more, " (when checking argument for %s)", checked);
    es_str_cat(&more, sim ? "  (on a GPU: cuda:0 for sim:0)" : "");
    es_torch_says(err,
                  "Expected all tensors to be on the same device, but found at least two devices, "
                  "%s%s and %s%s!%s",
                  a, strcmp(x, "sim") ? "" : ":0", b, strcmp(y, "sim") ? "" : ":0",
                  es_str_text(&more));
    es_str_free(&more);
    return false;
}

bool es_torch_two_devices(const es_tensor *x, const es_tensor *y, const char *checked,
                          es_error *err)
{
    const char *a = x->buf->be->name, *b = y->buf->be->name;
    if (!es_backend_answers(x->buf->be, err) || !es_backend_answers(y->buf->be, err))
        return false; /* the other may be the same device, opened again */
    es_fail(err, ES_ERR_DEVICE, "one tensor is on %s, the other on %s", a, b);
    return es_torch_says_devices(a, b, checked, err);
}

bool es_torch_same_device(const es_tensor *x, const es_tensor *y, const char *checked,
                          es_error *err)
{
    return x->buf->be == y->buf->be || es_torch_two_devices(x, y, checked, err);
}
