// SPDX-License-Identifier: GPL-3.0-or-later
/* Fuzz targets: functions that abort when a promise is broken.  libFuzzer calls one (make fuzz); the
 * test suite calls all of them with the seeds and a fixed number of mutations. */
#ifndef ES_TESTS_FUZZ_FUZZ_H
#define ES_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int fuzz_calls(const uint8_t *data, size_t size);
int fuzz_checkpoint(const uint8_t *data, size_t size);
int fuzz_classes(const uint8_t *data, size_t size);
int fuzz_encode(const uint8_t *data, size_t size);
int fuzz_eval(const uint8_t *data, size_t size);
int fuzz_lesson(const uint8_t *data, size_t size);
int fuzz_lines(const uint8_t *data, size_t size);
int fuzz_merges(const uint8_t *data, size_t size);
int fuzz_meta(const uint8_t *data, size_t size);
int fuzz_npy(const uint8_t *data, size_t size);
int fuzz_parse(const uint8_t *data, size_t size);
int fuzz_pictures(const uint8_t *data, size_t size);
int fuzz_prose(const uint8_t *data, size_t size);
int fuzz_safetensors(const uint8_t *data, size_t size);
int fuzz_why(const uint8_t *data, size_t size);

/* A broken promise ends the process, which is what a fuzzer looks for. */
#define promise(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#ifdef ES_LIBFUZZER
#define ES_FUZZ_TARGET(name)                                                                       \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);                                  \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)                                   \
    {                                                                                              \
        return name(data, size);                                                                   \
    }
#else
#define ES_FUZZ_TARGET(name)
#endif

#endif
