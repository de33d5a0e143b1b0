// SPDX-License-Identifier: GPL-3.0-or-later
/* Tests that run on each OpenCL device of this machine.  With ES_TEST_GPU=required in the environment there has to be one. */
#ifndef ES_TESTS_GPU_H
#define ES_TESTS_GPU_H

/* Runs it with the name of each device that can be used; a device is opened inside the test, never before.  Where there is
 * none the test is over and stderr says why, or it fails if one is required.  Returns how many there were. */
int each_gpu(void (*test)(const char *device));

/* How many times a test ran on a device since gpu_tally, which the suite calls while it is made: tests run in processes of their own. */
void gpu_tally(void);
int gpu_tests_ran(void);

#endif
