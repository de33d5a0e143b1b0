// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs every suite; CK_RUN_SUITE=bpe runs one. */
#include <check.h>
#include <stdlib.h>

/* One a line, by name. */
/* clang-format off */
#define SUITES(X) \
    X(backends) \
    X(base) \
    X(bpe) \
    X(builtin_examples) \
    X(code) \
    X(compare) \
    X(doors) \
    X(embedding) \
    X(explain) \
    X(expr_cases) \
    X(fuzz) \
    X(golden) \
    X(habits) \
    X(interp) \
    X(language_shapes) \
    X(model) \
    X(near) \
    X(near_commands) \
    X(parse) \
    X(program) \
    X(pty) \
    X(safetensors) \
    X(session) \
    X(signals) \
    X(tensor) \
    X(tensor_mode) \
    X(torch_numbers) \
    X(torch_shapes) \
    X(transcript) \
    X(value) \
    X(why)

/* clang-format on */

#define DECLARED(name) Suite *name##_suite(void);
#define LISTED(name)   name##_suite,

SUITES(DECLARED)

int main(void)
{
    Suite *(*const suites[])(void) = {SUITES(LISTED)};
    SRunner *sr = srunner_create(NULL);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        srunner_add_suite(sr, suites[i]());
    srunner_run_all(sr, CK_ENV);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
