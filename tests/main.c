// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs every suite; CK_RUN_SUITE=bpe runs one. */
#include <check.h>
#include <stdlib.h>

Suite *backends_suite(void);
Suite *base_suite(void);
Suite *bpe_suite(void);
Suite *code_suite(void);
Suite *compare_suite(void);
Suite *doors_suite(void);
Suite *embedding_suite(void);
Suite *fuzz_suite(void);
Suite *golden_suite(void);
Suite *habits_suite(void);
Suite *model_suite(void);
Suite *near_commands_suite(void);
Suite *near_suite(void);
Suite *program_suite(void);
Suite *pty_suite(void);
Suite *safetensors_suite(void);
Suite *session_suite(void);
Suite *signals_suite(void);
Suite *tensor_suite(void);
Suite *torch_numbers_suite(void);
Suite *transcript_suite(void);

int main(void)
{
    Suite *(*const suites[])(void) = {
        backends_suite,    base_suite,          bpe_suite,     code_suite,    compare_suite,
        doors_suite,       embedding_suite,     fuzz_suite,    golden_suite,  habits_suite,
        model_suite,       near_commands_suite, near_suite,    program_suite, pty_suite,
        safetensors_suite, session_suite,       signals_suite, tensor_suite,  torch_numbers_suite,
        transcript_suite,
    };
    SRunner *sr = srunner_create(NULL);
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        srunner_add_suite(sr, suites[i]());
    srunner_run_all(sr, CK_ENV);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
