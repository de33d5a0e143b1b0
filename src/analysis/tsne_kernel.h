// SPDX-License-Identifier: GPL-3.0-or-later
/* The kernels of t-SNE's field, as frequencies. */
#ifndef ES_ANALYSIS_TSNE_KERNEL_H
#define ES_ANALYSIS_TSNE_KERNEL_H

#include "analysis/tsne_field.h"

/* f->kernel and f->self for its length and spacing; in the kernels is what other passes leave out: one over the length of
 * transforms, splines undone, halves where two rows of charges come apart.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_field_make_kernels(es_field *f, es_watch *watch, es_error *err);

#endif
