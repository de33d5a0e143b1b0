// SPDX-License-Identifier: GPL-3.0-or-later
/* Tells a damaged file from a whole one, at the speed of memory; no defence against malice. */
#ifndef ES_BASE_CHECKSUM_H
#define ES_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Of n bytes; machines of one byte order agree. */
uint64_t es_checksum(const void *data, size_t n);

#endif
