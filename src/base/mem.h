// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory for our own small needs: these never return NULL.  What a user sizes
 * (a text, a table) goes through es_try_alloc and can fail politely. */
#ifndef ES_BASE_MEM_H
#define ES_BASE_MEM_H

#include <stddef.h>

#include "base/error.h"

/* Says so on stderr and aborts. */
_Noreturn void es_out_of_memory(size_t bytes);

/* Zeroed memory; aborts with a message when the machine has none left.  Free with free(). */
void *es_alloc(size_t bytes);

/* n objects of `size` bytes, zeroed; aborts on overflow as well. */
void *es_alloc_array(size_t n, size_t size);

/* realloc that aborts instead of failing; new bytes are not zeroed. */
void *es_realloc(void *p, size_t bytes);

/* A copy of n bytes followed by a NUL that n does not count. */
char *es_copy_bytes(const char *bytes, size_t n);
char *es_copy_string(const char *s); /* NULL stays NULL */

/* n objects of `size` bytes, not zeroed.  NULL and ES_ERR_NOMEM ("no room for the x of this text:
 * 1234 bytes") when there is no room or n * size overflows. */
void *es_try_alloc(size_t n, size_t size, const char *what, es_error *err);

/* Is there memory for so many bytes more?  ES_ERR_NOMEM where this process would have more than half of the
 * machine's: what asks for large things many times is told before the machine ends it.  Reads a file: for a megabyte
 * and more, or now and then. */
bool es_memory_for(double bytes, es_error *err);

/* That message, for memory that comes another way; returns false. */
bool es_no_room(es_error *err, const char *what, double bytes);

#endif
