// SPDX-License-Identifier: GPL-3.0-or-later
/* How numbers lie in a file, little-endian, and what they are as float32. */
#ifndef ES_CORE_STORE_H
#define ES_CORE_STORE_H

#include <stddef.h>
#include <stdint.h>

typedef enum es_store { ES_STORE_F32, ES_STORE_F16, ES_STORE_BF16, ES_STORE_F64 } es_store;

const char *es_store_name(es_store store); /* "F16" */
size_t es_store_size(es_store store);      /* bytes a number */
float es_float_of_half(uint32_t bits);     /* IEEE 754 binary16, exactly */
uint32_t es_half_of_float(float x);        /* the nearest binary16, of two the even one */

/* out = n numbers as a file holds them, little-endian, each rounded to the nearest of the format, ties to even.
 * Returns how many were written: it stops before a finite number that the format has only as infinity. */
size_t es_store_numbers(void *out, es_store store, const float *x, size_t n);

/* The way back: n numbers at data, which need not be aligned, widened (F64: rounded) to float32. */
void es_store_floats(float *out, es_store store, const void *data, size_t n);

#endif
