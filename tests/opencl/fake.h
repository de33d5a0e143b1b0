// SPDX-License-Identifier: GPL-3.0-or-later
/* The OpenCL driver of the tests, a library that the program takes for the loader where EMBEDSCOPE_OPENCL names it.  It passes
 * calls on to the real loader or pretends to have devices, fails where a test wants it to, counts what is not released and writes
 * down each call.
 *
 * FAKE_OPENCL says how, in words with commas between them:
 *   mode=pretend    devices without any OpenCL; kernels do nothing (this is what it does unasked)
 *   mode=pass       calls go on to libOpenCL.so.1
 *   log=FILE        a line a call is added to it: function, what matters of its arguments, = code
 *   fail=NAME:N:CODE  the N-th call of this function (*: of any) returns CODE; N+: so do all after it.  May be said several times
 *   platforms=N     0: clGetPlatformIDs returns -1001
 *   devices=N       of each platform; 0: clGetDeviceIDs returns -1
 *   device=N:KIND   the N-th device (from 0) is no-compiler, embedded, unavailable, old, big-endian, rude (its name is no text)
 *                   or a cpu
 *   memory=N        bytes a device has
 *   build=fail      no kernel compiles, and the compiler says much */
#ifndef ES_TESTS_OPENCL_FAKE_H
#define ES_TESTS_OPENCL_FAKE_H

#include "opencl/driver.h"

#define FAKE_ENUM(name) FAKE_##name,
typedef enum fake_function { ES_CL_FUNCTIONS(FAKE_ENUM) N_FAKE_FUNCTIONS } fake_function;
#undef FAKE_ENUM

typedef enum fake_kind {
    FAKE_CONTEXT,
    FAKE_QUEUE,
    FAKE_BUFFER,
    FAKE_PROGRAM,
    FAKE_KERNEL,
    N_FAKE_KINDS
} fake_kind;

typedef enum fake_oddity {
    FAKE_NO_COMPILER,
    FAKE_EMBEDDED,
    FAKE_UNAVAILABLE,
    FAKE_OLD,
    FAKE_BIG_ENDIAN,
    FAKE_RUDE,
    FAKE_CPU,
    N_FAKE_ODDITIES
} fake_oddity;

enum { FAKE_MOST_DEVICES = 8, FAKE_MOST_FAILURES = 8, FAKE_TEXT = 40 };

typedef struct fake_settings {
    bool pass, build_fails;
    unsigned platforms, devices;
    unsigned odd[FAKE_MOST_DEVICES]; /* bits of fake_oddity */
    cl_ulong memory;
    int log; /* -1: none */
    struct fake_failure {
        int function; /* N_FAKE_FUNCTIONS: any */
        unsigned long which;
        bool on; /* and all after it */
        cl_int code;
    } failure[FAKE_MOST_FAILURES];
    int n_failures;
} fake_settings;

/* As the words have them.  A word that means nothing ends the process: a test is wrong. */
void fake_read_settings(fake_settings *s, const char *words);

/* What is asked for now; read from FAKE_OPENCL when the first call comes. */
const fake_settings *fake_now(void);

/* ---- one call ---- */

typedef struct fake_call {
    fake_function function;
    bool chosen; /* by the settings: it fails, and nothing is done */
    cl_int code; /* what it returns */
} fake_call;

fake_call fake_begin(fake_function function);
/* Writes the call down and returns its code.  format: "" or what is to be said of its arguments. */
cl_int fake_end(const fake_call *call, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fake_count(fake_kind kind, int more); /* of those that are not released */
const es_cl *fake_behind(void);            /* who does it: the real loader, or we */

/* What a program was made from, what a kernel is called: "unknown" of other handles.  forget: it is asked for the last time. */
void fake_know(const void *handle, const char *text);
const char *fake_recall(const void *handle, bool forget, char text[FAKE_TEXT]);

/* Those that pretend. */
extern const es_cl fake_pretended;

/* ---- for tests, by dlsym ---- */

/* Other words from now on; all counts of calls begin again. */
void fake_set(const char *words);
unsigned long fake_calls(const char *function); /* how many came; "*": of all */
int fake_alive(void); /* contexts, queues, buffers, programs and kernels that are not released */
unsigned long fake_n_functions(void);
const char *fake_function_name(unsigned long i);

#endif
