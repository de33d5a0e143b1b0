// SPDX-License-Identifier: GPL-3.0-or-later
/* What the suites share. */
#ifndef ES_TESTS_SUPPORT_H
#define ES_TESTS_SUPPORT_H

#include <check.h>
#include <jansson.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"
#include "core/tensor.h"
#include "text/bpe.h"

/* It fails with this code, and the message is word for word this: messages are the product. */
#define ck_assert_fails(call, err, want_code, want_message)                                        \
    do {                                                                                           \
        ck_assert(!(call));                                                                        \
        ck_assert_str_eq(es_code_name((err).code), es_code_name(want_code));                       \
        ck_assert_str_eq((err).message, want_message);                                             \
        es_error_free(&(err));                                                                     \
    } while (0)

/* It works; if not, the test says why. */
#define ck_assert_works(call, err)                                                                 \
    ck_assert_msg((call), "%s: %s", es_code_name((err).code), (err).message)

/* An assertion for loops: Check's own tells the parent of each one that holds, which takes a while. */
#define demand(condition, ...)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ck_abort_msg(__VA_ARGS__);                                                             \
    } while (0)

/* GPT-2's vocabulary, from the assets beside the program under test. */
es_bpe *gpt2(void);

/* Random numbers that are the same in every run. */
uint32_t next_random(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t n);

/* Slow checks, such as all code points, do less under valgrind. */
int thoroughness(int full, int slow);

/* The program under test, and a fresh folder that the test may fill; both absolute. */
const char *program(void);
char *fresh_folder(void); /* freed by the caller */

/* A calm environment without a display, in a fresh folder. */
void begin_apart(void);

/* Run a program to its end: argv (NULL-terminated) with n bytes on its standard input. */
typedef struct run_result {
    es_str out, err;
    int status; /* as a shell has it: 128 + n for signal n */
} run_result;
void run_program(run_result *r, const char *const *argv, const char *input, size_t n);
void run_result_free(run_result *r);

/* A safetensors file: that header, `pad` spaces behind it, then n bytes of data (NULL: zeros). */
void write_safetensors(const char *path, const char *header, size_t pad, const void *data,
                       size_t n);

/* HOME, the XDG folders and the rest of the environment as a test wants them: empty folders, no
 * terminal type, no colour settings.  For the test's own process, so that children inherit it. */
void calm_environment(void);

/* Lines of a file of JSON objects; calls each(object, line number). */
void each_json_line(const char *path, void (*each)(json_t *object, int line));

/* tensor of float32 with random contents */
void random_tensor(es_tensor *out, es_backend *be, const es_shape *shape, uint64_t *state);

#endif
