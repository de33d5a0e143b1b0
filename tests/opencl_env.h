// SPDX-License-Identifier: GPL-3.0-or-later
/* Tests with the OpenCL driver of tests/opencl, which fails where it is told to and writes down what it is asked. */
#ifndef ES_TESTS_OPENCL_ENV_H
#define ES_TESTS_OPENCL_ENV_H

#include <stdbool.h>

/* From now on the driver does what these words say (tests/opencl/fake.h has them), in this process and in programs started by
 * it; counts begin again, and so does the log, a file in the home folder.  After calm_environment. */
void driver_is(const char *words, ...) __attribute__((format(printf, 1, 2)));

/* A function of the library, by its name; once driver_is was called. */
void *driver_function(const char *name);

/* ---- what was asked of it in this process ---- */

unsigned long driver_calls(const char *function); /* "*": of all functions */
int driver_alive(void); /* contexts, queues, buffers, programs and kernels that are not released */
unsigned long driver_n_functions(void);
const char *driver_function_name(unsigned long i);

/* ---- what was written down, by programs too ---- */

int logged(const char *begin); /* how many lines of the log begin so */
const char *whole_log(void);   /* borrowed until the next call */

#endif
