// SPDX-License-Identifier: GPL-3.0-or-later
/* The way of tensors to the host and back: for what no device computes, and for whoever reads numbers. */
#ifndef ES_TORCH_HOST_H
#define ES_TORCH_HOST_H

#include "torch/torch.h"

/* Does its memory belong to a device whose memory the host cannot read? */
static inline bool es_torch_far(const es_tensor *t)
{
    return !t->buf->host && !t->buf->be->ops->host_memory;
}

/* ---- numbers for a reader ---- */

/* t ready, in host memory: a view where it lies there, else a copy, read at once; what is stretched stays so.
 * what needs it, for a message. */
bool es_torch_here(es_torch *k, es_tensor *out, const es_tensor *t, const char *what,
                   es_error *err);

/* The one number of a tensor. */
bool es_torch_read_float(es_torch *k, double *out, const es_tensor *t, const char *what,
                         es_error *err);
bool es_torch_read_int(es_torch *k, int64_t *out, const es_tensor *t, const char *what,
                       es_error *err);

/* ---- operands and results of what the host computes ---- */

/* n operands as es_torch_here has them, each stretched to shape unless that is NULL.  It is counted that `what`, a
 * string that stays, was computed beside their device. */
bool es_host_operands(es_torch *k, es_tensor *out, const es_tensor *const *t, int n,
                      const es_shape *shape, const char *what, es_error *err);
bool es_host_operand(es_torch *k, es_tensor *out, const es_tensor *t, const es_shape *shape,
                     const char *what, es_error *err);

/* A new tensor's memory becomes such as the host can fill; es_host_done puts it on its device.  Both do
 * nothing where the device's memory is the host's, or there is none. */
bool es_host_instead(es_tensor *t, es_error *err);
bool es_host_done(es_torch *k, es_tensor *t, es_error *err);

/* What es_torch_here made of t was written into: so is t now. */
bool es_host_back(const es_tensor *t, const es_tensor *here, es_error *err);

#endif
