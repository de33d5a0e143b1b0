// SPDX-License-Identifier: GPL-3.0-or-later
/* Which operands may stand on which device, and what is said where they do not. */
#ifndef ES_TORCH_DEVICE_H
#define ES_TORCH_DEVICE_H

#include "torch/torch.h"

/* One number on the cpu, or Python's: it goes to any device. */
bool es_torch_goes_anywhere(const es_tensor *t);

/* ES_ERR_DEVICE: x is on one, y on another; both named as they stand, "one tensor is on sim, the other on cpu".
 * checked: what PyTorch adds, "argument index in method wrapper_CUDA_gather", or NULL.  Returns false. */
bool es_torch_two_devices(const es_tensor *x, const es_tensor *y, const char *checked,
                          es_error *err);

/* y belongs where x is, whatever its rank. */
bool es_torch_same_device(const es_tensor *x, const es_tensor *y, const char *checked,
                          es_error *err);

/* The same in PyTorch's words alone, for who has better ones of their own. */
bool es_torch_says_devices(const char *x, const char *y, const char *checked, es_error *err);

#endif
