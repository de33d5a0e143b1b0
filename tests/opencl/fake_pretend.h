// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices that are not there, inside.  Buffers are memory of the host, and what is read, written and copied is right; kernels do
 * nothing.  What a good driver would refuse is refused: handles of nothing, places outside a buffer, groups that do not divide. */
#ifndef ES_TESTS_OPENCL_FAKE_PRETEND_H
#define ES_TESTS_OPENCL_FAKE_PRETEND_H

#include "fake.h"

enum { FAKE_MOST_ARGS = 32, FAKE_MOST_GROUP = 256 };

/* What is made and released: they know each other, so that a handle can be told from a number. */
typedef struct fake_object {
    fake_kind kind;
    struct fake_object *next;
} fake_object;

/* of at least sizeof(fake_object) bytes, zeroed behind it; free() it once it is taken out */
void *fake_make(fake_kind kind, size_t bytes);
bool fake_is(const void *handle, fake_kind kind);
bool fake_take(const void *handle, fake_kind kind);
bool fake_is_device(cl_device_id device);

/* NULL, and why. */
void *fake_fail(cl_int *code, cl_int with);

/* The answer to a question: `bytes` at `what`, where there is room. */
cl_int fake_give(const void *what, size_t bytes, size_t room, void *out, size_t *n);
cl_int fake_give_text(const char *text, size_t room, void *out, size_t *n);
#define GIVE(type, value) fake_give(&(type){value}, sizeof(type), room, out, n)

#define FAKE_DECLARED(name) extern __typeof__(name) fake_##name;
ES_CL_FUNCTIONS(FAKE_DECLARED)
#undef FAKE_DECLARED

#endif
