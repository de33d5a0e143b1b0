// SPDX-License-Identifier: GPL-3.0-or-later
/* What a typed answer is worth, however it is written. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "learner.h"
#include "support.h"

#define SIZES                                                                                      \
    "@draw B = 2..4\n@draw T = 5..8\n"                                                             \
    "@setup ids = torch.randint(0, V, (B, T))\n@setup positions = torch.arange(0, T)\n"

Suite *judge_suite(void);

static const char *const verdicts[] = {"right", "wrong", "no answer", "unfinished", "one size"};

#define says(k, answer, want)                                                                      \
    do {                                                                                           \
        es_verdict got_ = learner_answers(k, answer);                                              \
        ck_assert_msg(got_ == (want), "\"%s\" is %s (%s)", answer, verdicts[got_],                 \
                      (k)->err.message ? (k)->err.message : "");                                   \
    } while (0)
#define right(k, answer) says(k, answer, ES_VERDICT_RIGHT)
#define wrong(k, answer) says(k, answer, ES_VERDICT_WRONG)

/* First and second number in the place of # and @. */
static void fill(char *out, size_t room, const char *way, int first, int second)
{
    size_t n = 0;
    for (; *way && n + 1 < room; way++)
        if (*way == '#' || *way == '@')
            n += (size_t)snprintf(out + n, room - n, "%d", *way == '#' ? first : second);
        else
            out[n++] = *way;
    out[n < room ? n : room - 1] = '\0';
}

/* ---- shapes ---- */

static const char shape[] = SIZES "\n@predict shape wte(ids) + wpe(positions)\n"
                                  "  answer [B, T, C]\n"
                                  "  wrong [T, C] \"The batch axis does not vanish.\"\n"
                                  "  wrong [B, T, 2*C] \"That is torch.cat.\"\n";

START_TEST(a_shape_may_be_written_in_every_way)
{
    static const char *const ways[] = {"[B, T, C]",
                                       "(B, T, C)",
                                       "B, T, C",
                                       "B,T,C",
                                       "[B,T,C]",
                                       "B T C",
                                       "[B T C]",
                                       "(B T C)",
                                       " [B, T, C] ",
                                       "[B, T, C,]",
                                       "B x T x C",
                                       "BxTxC",
                                       "B × T × C",
                                       "B×T×C",
                                       "torch.Size([B, T, C])",
                                       "Size([B, T, C])",
                                       "{B, T, C}",
                                       "[B, T, C/1]",
                                       "B; T; C",
                                       "[B, T, 2*C - C]",
                                       "B T 2*C//2",
                                       "ids.shape + (C,)",
                                       "(*ids.shape, C)",
                                       "*ids.shape, C",
                                       "wte(ids).shape",
                                       "[ids.shape[0], T, C]",
                                       "list(ids.shape) + [C]",
                                       "B=B, T=T, C=C",
                                       "len(ids), T, C",
                                       "T-T+B, T, C",
                                       "B, T, 64",
                                       "(B, T, C)\n"};
    learner k;
    learner_open(&k, shape);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        right(&k, ways[i]);
    learner_close(&k);
}
END_TEST

START_TEST(a_shape_may_be_written_in_numbers)
{
    static const char *const ways[] = {"[#, @, 64]",
                                       "(#, @, 64)",
                                       "#, @, 64",
                                       "# @ 64",
                                       "#x@x64",
                                       "# x @ x 64",
                                       "#×@×64",
                                       "# × @ × 64",
                                       "[#x@x64]",
                                       "torch.Size([#, @, 64])",
                                       "#,@,64",
                                       "B=# T=@ C=64",
                                       "[B=#, T=@, C=64]",
                                       "B=#, T=@, C=64",
                                       "[# @ 64]",
                                       "#*1, @, 64",
                                       "B = #, T = @, C = 64",
                                       "# X @ X 64",
                                       "#; @; 64",
                                       "  #   @   64  "};
    learner k;
    learner_open(&k, shape);
    for (uint64_t seed = 0; seed < 50; seed++) {
        char answer[80];
        learner_at(&k, 0, seed);
        const char *way = ways[seed % (sizeof ways / sizeof *ways)];
        fill(answer, sizeof answer, way, atoi(k.drawn.text[0]), atoi(k.drawn.text[1]));
        right(&k, answer);
        fill(answer, sizeof answer, way, atoi(k.drawn.text[1]), atoi(k.drawn.text[0]));
        wrong(&k, answer);
    }
    learner_close(&k);
}
END_TEST

START_TEST(a_product_of_names_is_a_size)
{
    learner k;
    learner_open(&k, "@draw B = 2..4\n@draw T = 5..8\n\n@predict shape torch.zeros(B, 2*C)\n"
                     "  answer [B, 2*C]\n\n@predict shape torch.zeros(B*T)\n  answer [B*T]\n\n"
                     "@predict shape torch.tensor(1)\n  answer []\n");
    right(&k, "[B, 2C]");
    right(&k, "B 2C");
    right(&k, "[B=2, 2C=128]");
    right(&k, "B, C + C");
    right(&k, "B C + C");
    learner_at(&k, 1, 0);
    right(&k, "B·T");
    right(&k, "[B*T]");
    right(&k, "B * T");
    right(&k, "(B*T,)");
    right(&k, "B*T,");
    learner_at(&k, 2, 0);
    right(&k, "[]");
    right(&k, "()");
    right(&k, "scalar");
    right(&k, "torch.Size([])");
    wrong(&k, "[1]");
    wrong(&k, "1");
    learner_close(&k);
}
END_TEST

START_TEST(a_wrong_shape_is_told_its_misconception)
{
    learner k;
    learner_open(&k, shape);
    wrong(&k, "T x C");
    ck_assert_str_eq(learner_why(&k), "The batch axis does not vanish.");
    ck_assert_str_eq(k.told.detail.s, "that has 2 axes, and the answer has more");
    wrong(&k, "[B, T, 128]");
    ck_assert_str_eq(learner_why(&k), "That is torch.cat.");
    ck_assert_str_eq(k.told.detail.s, "the number of axes is right; axis 2 is another size");
    wrong(&k, "[C, T, B]");
    ck_assert_str_eq(learner_why(&k), "");
    learner_close(&k);
}
END_TEST

START_TEST(what_is_no_shape_is_no_answer)
{
    learner k;
    learner_open(&k, shape);
    says(&k, "[B, Q, C]", ES_VERDICT_NO_ANSWER);
    ck_assert_str_eq(k.err.message, "nothing is called Q here");
    says(&k, "wte", ES_VERDICT_NO_ANSWER);
    ck_assert_str_eq(k.err.message, "\"wte\" is no shape");
    ck_assert_str_eq(k.err.hint,
                     "a shape is typed like [B, T, C] or [2, 5, 64]; of a single number it is []");
    says(&k, "what?", ES_VERDICT_NO_ANSWER);
    says(&k, "", ES_VERDICT_NO_ANSWER);
    says(&k, "[B, T", ES_VERDICT_NO_ANSWER);
    says(&k, "1,2,3,4,5,6,7,8,9,10", ES_VERDICT_NO_ANSWER);
    learner_close(&k);
}
END_TEST

START_TEST(an_answer_changes_nothing)
{
    learner k;
    learner_open(&k, shape);
    right(&k, "(B, T, (q := C))");
    says(&k, "[B, q, C]", ES_VERDICT_NO_ANSWER);
    right(&k, "print(1) or [B, T, C]");
    learner_close(&k);
}
END_TEST

/* ---- values ---- */

static void ask(learner *k, const char *value, const char *particulars)
{
    es_str text = {0};
    es_str_add(&text, SIZES "\n@predict value %s\n%s", value, particulars);
    learner_open(k, es_str_text(&text));
    es_str_free(&text);
}

START_TEST(yes_and_no_are_true_and_false)
{
    static const char *const yes[] = {"True", "true", "yes", "y", "YES", "Yes.", "1 == 1", "TRUE"};
    static const char *const no[] = {"False", "no", "n", "N", "No", "false", "1 > 2"};
    learner k;
    ask(&k, "B < T", "  answer True\n  wrong False \"B is the smaller one.\"\n");
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        right(&k, yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        wrong(&k, no[i]);
        ck_assert_str_eq(learner_why(&k), "B is the smaller one.");
    }
    says(&k, "maybe", ES_VERDICT_NO_ANSWER);
    learner_close(&k);
    ask(&k, "(ids < V).all()", "  answer True\n");
    right(&k, "yes");
    wrong(&k, "no");
    learner_close(&k);
}
END_TEST

START_TEST(a_bare_word_is_a_string)
{
    learner k;
    ask(&k, "\"cat sat\"", "  answer \"cat sat\"\n  wrong dog \"That is another.\"\n");
    right(&k, "cat sat");
    right(&k, "\"cat sat\"");
    right(&k, "'cat sat'");
    right(&k, "cat␣sat");
    wrong(&k, "dog");
    ck_assert_str_eq(learner_why(&k), "That is another.");
    wrong(&k, "cat");
    learner_close(&k);
    ask(&k, "\"ids\"", "  answer \"ids\"\n");
    right(&k, "ids");
    wrong(&k, "wte");
    learner_close(&k);
    ask(&k, "torch.float32", "  answer torch.float32\n");
    right(&k, "float32");
    right(&k, "torch.float32");
    right(&k, "torch.float");
    wrong(&k, "int64");
    learner_close(&k);
}
END_TEST

START_TEST(numbers_are_equal_to_rounding)
{
    learner k;
    ask(&k, "V - 1", "  answer V - 1\n  wrong V \"Rows are counted from 0.\"\n");
    right(&k, "50256");
    right(&k, "50,256");
    right(&k, "V-1");
    right(&k, "50256.0");
    right(&k, "torch.tensor(50256)");
    wrong(&k, "50257");
    ck_assert_str_eq(learner_why(&k), "Rows are counted from 0.");
    wrong(&k, "50255");
    wrong(&k, "50,257");
    wrong(&k, "50257.0");
    learner_close(&k);
    ask(&k, "1 / 3", "  answer 1/3\n");
    right(&k, "0.33333");
    right(&k, "0,33333");
    right(&k, "~0.33333");
    right(&k, "≈ 0.33333");
    wrong(&k, "0.333");
    wrong(&k, "0.34");
    learner_close(&k);
    ask(&k, "1 / 3  within=0.05", "  answer 1/3\n  wrong 0.4 \"Too much.\"\n");
    right(&k, "0.3");
    right(&k, "0.38");
    right(&k, "torch.tensor([0.3])");
    wrong(&k, "0.4");
    ck_assert_str_eq(learner_why(&k), "Too much.");
    wrong(&k, "0.2");
    learner_close(&k);
    ask(&k, "torch.tensor(0.1) + torch.tensor(0.2)", "  answer 0.3\n");
    right(&k, "0.3");
    right(&k, "torch.tensor(0.3)");
    wrong(&k, "0");
    learner_close(&k);
}
END_TEST

START_TEST(lists_of_any_kind_are_the_same)
{
    static const char *const ways[] = {"[0, 1, 2]",
                                       "(0, 1, 2)",
                                       "0, 1, 2",
                                       "0 1 2",
                                       "[0 1 2]",
                                       "torch.tensor([0, 1, 2])",
                                       "range(3)",
                                       "list(range(3))",
                                       "torch.arange(3)",
                                       "[0, 1, 1 + 1]",
                                       "torch.Size([0, 1, 2])"};
    static const char *const of[] = {"[0, 1, 2]", "(0, 1, 2)", "torch.arange(0, 3)",
                                     "torch.zeros(0, 1, 2).shape"};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        learner k;
        ask(&k, of[i], "  answer [0, 1, 2]\n  wrong [1, 2, 3] \"From 0.\"\n");
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if (strncmp(ways[w], "torch.Size", 10) != 0 || strstr(of[i], "shape"))
                right(&k, ways[w]);
        wrong(&k, "1 2 3");
        ck_assert_str_eq(learner_why(&k), "From 0.");
        wrong(&k, "[0, 1]");
        wrong(&k, "0");
        learner_close(&k);
    }
}
END_TEST

START_TEST(a_tensor_is_of_a_kind_of_numbers)
{
    learner k;
    ask(&k, "torch.tensor([1, 2])", "  answer torch.tensor([1, 2])\n");
    right(&k, "torch.tensor([1, 2])");
    right(&k, "torch.tensor([1, 2], dtype=torch.int32)");
    right(&k, "[1.0, 2.0]");
    wrong(&k, "torch.tensor([1.0, 2.0])");
    learner_close(&k);
    ask(&k, "torch.tensor([[1, 2], [3, 4]])", "  answer torch.tensor([[1, 2], [3, 4]])\n");
    right(&k, "[[1, 2], [3, 4]]");
    wrong(&k, "[[1, 2], [3, 5]]");
    wrong(&k, "[1, 2, 3, 4]");
    learner_close(&k);
}
END_TEST

START_TEST(a_misconception_that_is_right_here_is_not_told)
{
    learner k;
    ask(&k, "T - T + 2", "  answer 2\n  wrong B \"Not B.\"\n  wrong else \"Something else.\"\n");
    bool both = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        learner_at(&k, 0, seed);
        right(&k, "2");
        both = both || !strcmp(k.drawn.text[0], "2");
        if (strcmp(k.drawn.text[0], "2") != 0) {
            wrong(&k, k.drawn.text[0]);
            ck_assert_str_eq(learner_why(&k), "Not B.");
        }
        wrong(&k, "77");
        ck_assert_str_eq(learner_why(&k), "Something else.");
    }
    ck_assert(both);
    learner_close(&k);
}
END_TEST

START_TEST(an_error_is_asked_about)
{
    learner k;
    learner_open(&k,
                 "@error wte(torch.tensor([V])) kind=index_range\n"
                 "  ask value Which is the largest id?\n  answer V - 1\n  wrong V \"From 0.\"\n\n"
                 "@error wte(torch.tensor([V])) kind=index_range\n"
                 "  ask value Is the table too small?\n  answer no\n\n"
                 "@error wte(torch.tensor([V])) kind=index_range\n"
                 "  ask value Which table?\n  answer the token table\n  answer wte\n");
    right(&k, "50256");
    wrong(&k, "50257");
    ck_assert_str_eq(learner_why(&k), "From 0.");
    learner_at(&k, 1, 0);
    right(&k, "No");
    right(&k, "False");
    wrong(&k, "yes");
    learner_at(&k, 2, 0);
    right(&k, "the token table");
    right(&k, "wte");
    wrong(&k, "wpe");
    learner_close(&k);
}
END_TEST

START_TEST(a_choice_is_a_word_or_its_letter)
{
    static const char *const ways[] = {"rows", "Rows", " ROWS ", "b",       "B",
                                       "b)",   "(b)",  "b.",     "\"rows\""};
    learner k;
    learner_open(
        &k,
        "@draw animal = \"cat\" | \"dog\"\n\n@predict choice Which?\n  option columns C of them\n"
        "  option rows V of them\n  option both all\n  answer rows\n"
        "  wrong columns \"Those are numbers.\"\n  wrong else \"One of them.\"\n");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        right(&k, ways[i]);
    wrong(&k, "columns");
    ck_assert_str_eq(learner_why(&k), "Those are numbers.");
    wrong(&k, "a");
    ck_assert_str_eq(learner_why(&k), "Those are numbers.");
    wrong(&k, "c");
    ck_assert_str_eq(learner_why(&k), "One of them.");
    says(&k, "d", ES_VERDICT_NO_ANSWER);
    ck_assert_str_eq(k.err.message, "\"d\" is none of the answers: columns, rows, both");
    ck_assert_str_eq(k.err.hint, "a letter will do: a to c");
    learner_close(&k);
}
END_TEST

/* ---- right answers are never refused ---- */

START_TEST(no_right_answer_is_refused_however_it_is_written)
{
    static const char *const shapes[] = {"torch.zeros(#, @)", "torch.zeros(#, @).T.T",
                                         "torch.ones(#, @) + 1"};
    static const char *const numbers[] = {"#", "#.0", "torch.tensor(#)", "int(#)", "# + 0", "(#)"};
    uint64_t state = 7;
    learner k;
    for (int round = 0; round < 50; round++) {
        char text[200], answer[80];
        int a = 1 + (int)random_below(&state, 40), b = 1 + (int)random_below(&state, 40);
        char expression[80];
        fill(expression, sizeof expression, shapes[round % 3], a, b);
        snprintf(text, sizeof text,
                 "@predict shape %s\n  answer [%d, %d]\n\n@predict value %d\n  answer %d\n",
                 expression, a, b, a * b, a * b);
        learner_open(&k, text);
        static const char *const ways[] = {"# @", "[#, @]", "#x@", "(#,@)", "# × @", "A=# B=@"};
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            fill(answer, sizeof answer, ways[w], a, b);
            right(&k, answer);
            fill(answer, sizeof answer, ways[w], a + 1, b);
            wrong(&k, answer);
        }
        learner_at(&k, 1, 0);
        for (size_t w = 0; w < sizeof numbers / sizeof *numbers; w++) {
            fill(answer, sizeof answer, numbers[w], a * b, 0);
            right(&k, answer);
            fill(answer, sizeof answer, numbers[w], a * b + 1, 0);
            wrong(&k, answer);
        }
        learner_close(&k);
    }
}
END_TEST

Suite *judge_suite(void)
{
    Suite *s = suite_create("judge");
    TCase *t = tcase_create("answers");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_shape_may_be_written_in_every_way);
    tcase_add_test(t, a_shape_may_be_written_in_numbers);
    tcase_add_test(t, a_product_of_names_is_a_size);
    tcase_add_test(t, a_wrong_shape_is_told_its_misconception);
    tcase_add_test(t, what_is_no_shape_is_no_answer);
    tcase_add_test(t, an_answer_changes_nothing);
    tcase_add_test(t, yes_and_no_are_true_and_false);
    tcase_add_test(t, a_bare_word_is_a_string);
    tcase_add_test(t, numbers_are_equal_to_rounding);
    tcase_add_test(t, lists_of_any_kind_are_the_same);
    tcase_add_test(t, a_tensor_is_of_a_kind_of_numbers);
    tcase_add_test(t, a_misconception_that_is_right_here_is_not_told);
    tcase_add_test(t, an_error_is_asked_about);
    tcase_add_test(t, a_choice_is_a_word_or_its_letter);
    tcase_add_test(t, no_right_answer_is_refused_however_it_is_written);
    suite_add_tcase(s, t);
    return s;
}
