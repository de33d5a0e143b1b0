// SPDX-License-Identifier: GPL-3.0-or-later
/* :why: error texts as people meet them, and what is made of them. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "expr/why.h"
#include "listener.h"
#include "session/session.h"
#include "support.h"
#include "why_texts.h"

Suite *why_suite(void);

static const es_why_size sizes[] = {{"C", 8}, {"V", 50}, {"P", 16}, {"B", 2}, {"T", 5}};

static void find(es_why_answer *a, const char *text)
{
    es_why_find(a, text, strlen(text), sizes, sizeof sizes / sizeof *sizes);
}

static bool begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

/* ---- texts ---- */

/* The numbers of w as "5: size of a; 4: size of b", each meaning as far as `want` has it. */
static void check_numbers(const es_why *w, const char *want, const char *text)
{
    size_t i = 0;
    for (; *want; i++) {
        es_str have = {0};
        size_t n = strcspn(want, ";");
        demand(i < w->n_numbers, "%s\n  has only %zu numbers, not: %s", text, i, want);
        es_str_add(&have, "%s: %s", w->numbers[i].value, w->numbers[i].means);
        demand(!strncmp(have.s, want, n), "%s\n  wanted: %.*s\n  got:    %s", text, (int)n, want,
               have.s);
        es_str_free(&have);
        want += n + (want[n] == ';');
        want += *want == ' ';
    }
    demand(i == w->n_numbers, "%s\n  also has %s: %s", text, w->numbers[i].value,
           w->numbers[i].means);
}

START_TEST(texts_in_the_wild_are_known_with_their_numbers)
{
    for (const why_text *t = why_texts; t->text; t++) {
        es_why_answer a;
        find(&a, t->text);
        demand(a.n > 0, "not known: %s\n  nearest: %s", t->text, a.nearest ? a.nearest : "none");
        demand(begins(a.of[0].operation, t->operation), "%s\n  wanted: %s\n  got:    %s", t->text,
               t->operation, a.of[0].operation);
        check_numbers(&a.of[0], t->numbers, t->text);
        demand(a.n == 1, "%s\n  may also be: %s", t->text, a.of[1].operation);
        es_why_free(&a);
    }
}
END_TEST

START_TEST(every_operation_has_a_text_and_every_explanation_its_parts)
{
    const char *operation, *try;
    for (size_t i = 0; es_why_known(i, &operation, &try); i++) {
        bool tested = false;
        for (const why_text *t = why_texts; t->text && !tested; t++)
            tested = begins(operation, t->operation);
        demand(tested, "no text in the tests for: %s", operation);
    }
    for (const why_text *t = why_texts; t->text; t++) {
        es_why_answer a;
        find(&a, t->text);
        demand(a.of[0].n_causes && a.of[0].n_look && *a.of[0].says, "%s", t->text);
        demand(!strpbrk(a.of[0].says, "{}"), "%s", a.of[0].says);
        es_why_free(&a);
    }
}
END_TEST

START_TEST(prose_is_not_an_error)
{
    static const char *const prose[] = {
        "",
        "hello world",
        "The cat sat on the mat and looked at the size of the tensor.",
        "Why is the sky blue? Because short waves are scattered more.",
        "My model trains well but the loss does not go below 3.2 after 1000 steps",
        "index.html was not found on this server",
        "ValueError",
        "RuntimeError: CUDA",
        "Segmentation fault (core dumped)",
        "KeyError: 'wte'",
        "error[broadcast]: the time axis differs",
        "shape",
        "expected a nice day but found rain",
        "ModuleNotFoundError: No module named 'torch'",
        "The size of the batch must match the size of the GPU",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import x",
    };
    for (size_t i = 0; i < sizeof prose / sizeof *prose; i++) {
        es_why_answer a;
        find(&a, prose[i]);
        demand(a.n == 0, "%s\n  taken for: %s", prose[i], a.of[0].matched);
        es_why_free(&a);
    }
}
END_TEST

START_TEST(an_unknown_text_gets_the_nearest_by_its_words_or_nothing)
{
    es_why_answer a;
    find(&a,
         "The sizes of tensor a and tensor b must match at a non-singleton dimension, the size");
    ck_assert_uint_eq(a.n, 0);
    ck_assert_str_eq(a.nearest, "The size of tensor a (…) must match the size of tensor b (…) at "
                                "non-singleton dimension …");
    es_why_free(&a);
    find(&a, "CUDA error: no kernel image is available for execution on the device");
    ck_assert_uint_eq(a.n, 0);
    ck_assert_ptr_null(a.nearest);
    es_why_free(&a);
}
END_TEST

/* ---- how texts arrive ---- */

static void check_same(const char *text, const char *operation, const char *numbers)
{
    es_why_answer a;
    find(&a, text);
    demand(a.n > 0 && begins(a.of[0].operation, operation), "%s", text);
    check_numbers(&a.of[0], numbers, text);
    es_why_free(&a);
}

START_TEST(line_breaks_quotes_colours_and_case_do_not_count)
{
    static const char *const view[] = {
        "shape '[3, -1]' is invalid for input of size 80",
        "SHAPE \xE2\x80\x98[3, -1]\xE2\x80\x99 IS INVALID FOR INPUT OF SIZE 80",
        "shape `[3,\n-1]` is inva\nlid for   input\tof size\r\n80",
        "\x1b[31mRuntimeError\x1b[0m: shape \x1b[1m'[3, -1]'\x1b[0m is invalid for input of size "
        "80",
        "> RuntimeError: shape '[3, -1]' is invalid for\n> input of size 80",
        "**RuntimeError**: shape &#39;[3, -1]&#39; is invalid for input of size 80",
        "{\"error\": \"shape \\\"[3, -1]\\\" is invalid\\nfor input of size 80\"}",
        "shape \xE2\x80\x9C[3, \xE2\x88\x92"
        "1]\xE2\x80\x9D is invalid for\xC2\xA0input of size 80",
    };
    for (size_t i = 0; i < sizeof view / sizeof *view; i++)
        check_same(view[i], "view() or reshape(): another number",
                   "[3, -1]: the shape; 80: elements the tensor has");
}
END_TEST

START_TEST(a_text_that_was_cut_keeps_the_numbers_it_has)
{
    check_same("The size of tensor a (5) must match the size of", "broadcasting",
               "5: size of a, the left operand");
    check_same("must match the size of tensor b (4) at non-singleton dimension 1", "broadcasting",
               "4: size of b; 1: the axis");
    check_same("Sizes of tensors must match except in dimension 2. Expected size 2 but",
               "torch.cat", "2: the axis they are joined along; 2: size of the first");
    check_same("mat1 and mat2 shapes cannot be multiplied", "a matrix product", "");
    check_same("mat1 and mat2 shapes cannot be multiplied (10x8 and 5", "a matrix product",
               "10: rows of the left side; 8: its last axis");
}
END_TEST

START_TEST(the_most_specific_comes_first_and_the_rest_may_be_as_well)
{
    static const char log[] =
        "../aten/src/ATen/native/cuda/Indexing.cu:1146: indexSelectLargeIndex: block: [12,0,0], "
        "thread: [96,0,0] Assertion `srcIndex < srcSelectDimSize` failed.\n"
        "Traceback (most recent call last):\n"
        "  File \"train.py\", line 88, in <module>\n"
        "    loss = model(ids)\n"
        "RuntimeError: CUDA error: device-side assert triggered\n"
        "CUDA kernel errors might be asynchronously reported at some other API call.\n";
    es_why_answer a;
    find(&a, log);
    ck_assert_uint_eq(a.n, 2);
    ck_assert(begins(a.of[0].operation, "the lookup on a GPU"));
    ck_assert_str_eq(a.of[0].matched, "srcIndex < srcSelectDimSize");
    ck_assert(begins(a.of[1].operation, "a GPU (CUDA) has stopped"));
    es_why_free(&a);
}
END_TEST

START_TEST(a_traceback_names_the_last_line_of_the_readers_own)
{
    static const char log[] =
        "Traceback (most recent call last):\n"
        "  File \"/home/ann/gpt/train.py\", line 88, in <module>\n"
        "    loss = model(ids)\n"
        "  File \"/usr/lib/python3/site-packages/torch/nn/modules/module.py\", line 1501, in "
        "_call\n"
        "    return forward_call(*args, **kwargs)\n"
        "  File \"/home/ann/gpt/model.py\", line 20, in forward\n"
        "    x = self.wte(ids) + self.wpe(positions)\n"
        "  File \"/usr/lib/python3/site-packages/torch/nn/functional.py\", line 2199, in "
        "embedding\n"
        "    return torch.embedding(weight, input, padding_idx)\n"
        "IndexError: index out of range in self\n";
    es_why_answer a;
    find(&a, log);
    ck_assert_str_eq(a.file, "/home/ann/gpt/model.py");
    ck_assert_int_eq(a.line, 20);
    ck_assert_str_eq(a.code, "x = self.wte(ids) + self.wpe(positions)");
    es_why_free(&a);
}
END_TEST

START_TEST(sizes_of_the_session_and_of_known_models_are_mentioned_as_possibilities)
{
    es_why_answer a;
    find(&a, "mat1 and mat2 shapes cannot be multiplied (10x8 and 50x768)");
    ck_assert_str_eq(a.of[0].numbers[0].means,
                     "rows of the left side; a left side of three or more axes is folded, so this "
                     "is probably B*T; B*T is 2*5 = 10 here");
    ck_assert_str_eq(a.of[0].numbers[1].means,
                     "its last axis, one number per channel; perhaps C, which is 8 here");
    ck_assert_str_eq(a.of[0].numbers[3].means, "columns of the right side; the smallest GPT-2 has "
                                               "vectors of this width");
    ck_assert_str_eq(a.of[0].try, "torch.zeros(10, 8) @ torch.zeros(50, 768)");
    es_why_free(&a);
    find(&a, "index 50 is out of bounds for dimension 0 with size 50");
    ck_assert_str_eq(a.of[0].says, "The axis has no such place. Places are 0 to size-1, and here "
                                   "negative numbers count from the end. On axis 0 they are 0 to "
                                   "49.");
    ck_assert_str_eq(a.of[0].numbers[0].means,
                     "the index that has no place; V is 50 here, so that its last row is 49");
    es_why_free(&a);
}
END_TEST

START_TEST(numbers_that_are_too_large_to_run_or_to_hold_do_no_harm)
{
    es_why_answer a;
    find(&a, "mat1 and mat2 shapes cannot be multiplied (999999x768 and 50257x768)");
    ck_assert_str_eq(a.of[0].try, "wte(torch.tensor([[1, 2, 3]])) @ wte.weight");
    es_why_free(&a);
    find(&a, "index 99999999999999999999999999 is out of bounds for dimension 0 with size "
             "-9223372036854775808");
    ck_assert_uint_eq(a.n, 1);
    es_why_free(&a);
}
END_TEST

/* ---- hostile texts ---- */

static double seconds_for(const char *piece)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    size_t n = strlen(piece);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = piece[i % n];
    struct timespec begin, end;
    es_why_answer a;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    es_why_find(&a, text, SIZE, sizes, 5);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    es_why_free(&a);
    free(text);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

START_TEST(a_megabyte_of_anything_is_answered_at_once)
{
    static const char *const pieces[] = {
        "a",        "index ", "The size of tensor a (", "not implemented for ", "\n", "((((",
        "1, 2, 3x", "[1,",    "expected scalar type ",  "size mismatch for ",   "'",  "\xC3",
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        double took = seconds_for(pieces[i]);
        demand(took < thoroughness(1, 40), "%s: %.3f s", pieces[i], took);
    }
}
END_TEST

/* ---- the command ---- */

static listener heard;

static void setup(void)
{
    calm_environment();
    listener_open(&heard, &(es_session_options){.settings.pad = -1});
}

static void teardown(void)
{
    listener_close(&heard);
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

/* The answer is about this operation. */
static void check_operation(const char *operation)
{
    json_t *o = listener_answer(&heard);
    const char *have = json_string_value(json_object_get(o, "operation"));
    demand(have && begins(have, operation), "%s", es_str_text(&heard.json));
    json_decref(o);
}

START_TEST(a_text_comes_bare_in_quotes_or_over_several_lines)
{
    ck_assert_int_eq(run(":why IndexError: index out of range in self"), ES_DONE);
    check_operation("nn.Embedding");
    ck_assert_int_eq(run(":why \"Traceback\\n  x\\nIndexError: index out of\\nrange in self\""),
                     ES_DONE);
    check_operation("nn.Embedding");
    ck_assert_int_eq(run(":why Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n"
                         "    wte(ids)\nIndexError: index out of range in self"),
                     ES_DONE);
    check_operation("nn.Embedding");
    ck_assert_int_eq(run(":why \"addmm_impl_cpu_\" not implemented for 'Half'"), ES_DONE);
    check_operation("an operation that the CPU does not have");
}
END_TEST

START_TEST(lines_are_collected_until_a_lone_dot)
{
    static const char *const begin[] = {":why", ":why paste",
                                        ":why Traceback (most recent call last):"};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(run(begin[i]), ES_MORE);
        ck_assert_int_eq(run("  File \"a.py\", line 1, in f"), ES_MORE);
        ck_assert_int_eq(run("IndexError: index out of range in self"), ES_MORE);
        ck_assert_int_eq(run("."), ES_DONE);
        check_operation("nn.Embedding");
    }
    run(":why paste");
    ck_assert_int_eq(run("."), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(heard.json.s, "there is no error text here"));
}
END_TEST

START_TEST(alone_it_explains_the_last_error_of_the_session)
{
    ck_assert_int_eq(run(":row #50257"), ES_FAILED);
    ck_assert_int_eq(run(":hepl"), ES_FAILED);
    ck_assert_int_eq(run(":why"), ES_DONE);
    check_operation("nn.Embedding");
    ck_assert_int_eq(run(":repeat 1030 the "), ES_FAILED);
    ck_assert_int_eq(run(":why"), ES_DONE);
    check_operation("the guard of GPT-like code");
}
END_TEST

START_TEST(an_unknown_text_is_an_honest_answer)
{
    ck_assert_int_eq(run(":why hello"), ES_DONE);
    ck_assert_str_eq(heard.json.s,
                     "{\"kind\":\"why\",\"operation\":null,\"matched\":null,\"says\":null,"
                     "\"numbers\":[],\"causes\":[],\"look\":[],\"try\":null,\"also\":[],"
                     "\"nearest\":null,\"file\":null,\"line\":null,\"code\":null}\n");
    ck_assert_str_eq(
        heard.shown.s,
        "No error text that is known here is in it, and a guess would not help.\n"
        "What counts is the last line of a traceback, with its numbers. Known are texts\n"
        "of PyTorch and NumPy about shapes, indices, dtypes, devices and memory.\n");
}
END_TEST

START_TEST(controls_in_a_text_do_not_reach_the_screen)
{
    ck_assert_int_eq(run(":why size mismatch for w\x1b]0;x\x07te: copying a param with shape "
                         "torch.Size([2]) from checkpoint, the shape in current model is "
                         "torch.Size([3])."),
                     ES_DONE);
    check_operation("load_state_dict");
    for (size_t i = 0; i < heard.shown.len; i++)
        ck_assert(heard.shown.s[i] == '\n' || (unsigned char)heard.shown.s[i] >= ' ');
}
END_TEST

Suite *why_suite(void)
{
    Suite *s = suite_create("why");
    TCase *tc = tcase_create("texts");
    tcase_add_test(tc, texts_in_the_wild_are_known_with_their_numbers);
    tcase_add_test(tc, every_operation_has_a_text_and_every_explanation_its_parts);
    tcase_add_test(tc, prose_is_not_an_error);
    tcase_add_test(tc, an_unknown_text_gets_the_nearest_by_its_words_or_nothing);
    tcase_add_test(tc, line_breaks_quotes_colours_and_case_do_not_count);
    tcase_add_test(tc, a_text_that_was_cut_keeps_the_numbers_it_has);
    tcase_add_test(tc, the_most_specific_comes_first_and_the_rest_may_be_as_well);
    tcase_add_test(tc, a_traceback_names_the_last_line_of_the_readers_own);
    tcase_add_test(tc, sizes_of_the_session_and_of_known_models_are_mentioned_as_possibilities);
    tcase_add_test(tc, numbers_that_are_too_large_to_run_or_to_hold_do_no_harm);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_megabyte_of_anything_is_answered_at_once);
    suite_add_tcase(s, tc);
    tc = tcase_create("command");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_text_comes_bare_in_quotes_or_over_several_lines);
    tcase_add_test(tc, lines_are_collected_until_a_lone_dot);
    tcase_add_test(tc, alone_it_explains_the_last_error_of_the_session);
    tcase_add_test(tc, an_unknown_text_is_an_honest_answer);
    tcase_add_test(tc, controls_in_a_text_do_not_reach_the_screen);
    suite_add_tcase(s, tc);
    return s;
}
