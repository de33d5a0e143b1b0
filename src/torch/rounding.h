// SPDX-License-Identifier: GPL-3.0-or-later
/* The narrow floats that tensors pass through on their way from one program to another: what is left of a number
 * there, and what its bytes mean when they are taken for something else. */
#ifndef ES_TORCH_ROUNDING_H
#define ES_TORCH_ROUNDING_H

#include "torch/torch.h"

typedef struct es_narrow {
    const char *name;
    int digits;  /* binary ones, the leading one counted */
    int least;   /* exponent of the smallest normal number */
    double most; /* the largest number that is not rounded to infinity lies below this */
} es_narrow;

extern const es_narrow es_bf16, es_f16;

/* v as the format keeps it, ties to even; NaN and infinity stay. */
double es_narrowed(const es_narrow *f, double v);
/* v without the digits that the format has no room for: towards 0. */
double es_narrow_cut(const es_narrow *f, double v);
/* The distance of the format's numbers around v. */
double es_narrow_step(const es_narrow *f, double v);

/* What v becomes when the bytes of a float32 are read in the other order, and so on; each its own inverse except
 * the last two, which are each other's. */
double es_bytes_of_f32(double v);
double es_bytes_of_f16(double v);
double es_bytes_of_bf16(double v);
double es_f16_as_bf16(double v);
double es_bf16_as_f16(double v);

#endif
