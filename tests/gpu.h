// SPDX-License-Identifier: GPL-3.0-or-later
/* Tests that run on each OpenCL device of this machine.  With ES_TEST_GPU=required in the environment there has to be one. */
#ifndef ES_TESTS_GPU_H
#define ES_TESTS_GPU_H

#include <stdbool.h>

/* Runs it with the name of each device that can be used; a device is opened inside the test, never before.  Where there is
 * none the test is over and stderr says why, or it fails if one is required.  Returns how many there were. */
int each_gpu(void (*test)(const char *device));

/* Is what runs on a GPU tried on `sim` too?  Not where a GPU is required: that is CI, whose minutes are few. */
bool also_on_sim(void);

/* Tests run in processes of their own.  A suite that calls gpu_tally while it is made says but once that there is no device, and
 * knows how many times a test ran on one. */
void gpu_tally(void);
int gpu_tests_ran(void);

/* What one test compiles for a device the others of this run find, though HOME is empty.  After calm_environment. */
void keep_compiled(void);

#endif
