// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables as tensors: whose memory is made late, is lent by the table, and becomes the tensor's own before
 * anything is written into it. */
#ifndef ES_TORCH_WEIGHT_H
#define ES_TORCH_WEIGHT_H

#include "core/table.h"
#include "torch/torch.h"

/* (rows, C) of a table as a float32 tensor with those labels: its memory is the table's whole, made on first
 * need and lent; es_torch_embedding and x[…] read single rows of it without that. */
bool es_torch_weight(es_tensor *out, es_table *table, es_backend *be, const char *rows,
                     const char *C);

/* The table whose rows t is, all of them in their order, or NULL: there is none, or something was written.
 * Borrowed until t changes. */
es_table *es_torch_table_of(const es_tensor *t);

/* The rows begin…end-1 of such a tensor as a view of it that reads no others; on a device whose memory the host cannot
 * read, a part of the whole there. */
void es_torch_rows(es_tensor *out, const es_tensor *weight, int64_t begin, int64_t end);

/* (n, …) = the rows i[0..n) of weight, all of them legal; single rows of a table where that will do; on a
 * device whose memory the host cannot read they are gathered there. */
bool es_torch_gather_rows(es_torch *k, es_tensor *out, const es_tensor *weight, const int64_t *i,
                          int64_t n, es_error *err);

/* Something is about to be written into t: from here on its memory is no table's.  All views of it see the
 * same numbers as before, and will see what is written.  Cheap where the memory is t's own already.
 * ES_ERR_NOMEM. */
bool es_torch_own(const es_tensor *t, es_error *err);

#endif
