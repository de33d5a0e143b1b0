// SPDX-License-Identifier: GPL-3.0-or-later
/* What lines typed for a task are worth: values are looked at, on these sizes and on others. */
#include <check.h>
#include <string.h>

#include "learner.h"
#include "support.h"

Suite *judge_task_suite(void);

#define SIZES                                                                                      \
    "@draw B = 2..4\n@draw T = 5..8\n"                                                             \
    "@setup ids = torch.randint(0, V, (B, T))\n@setup positions = torch.arange(0, T)\n\n"

static const char task[] = SIZES
    "@task Make `h`.\n"
    "  check allclose(h, wte(ids) + wpe(positions))  \"h is not their sum.\"\n"
    "  solution h = wte(ids) + wpe(positions)\n"
    "  wrong h = torch.cat([wte(ids), wpe(positions).expand(B, -1, -1)], dim=-1)  \"2*C wide.\"\n"
    "  wrong h = wte(ids) + wpe(ids % P)  \"Where it stands, not which it is.\"\n"
    "  wrong else \"Something else.\"\n";

static const char *const verdicts[] = {"right", "wrong", "no answer", "unfinished", "one size"};

#define types(k, line, want)                                                                       \
    do {                                                                                           \
        es_verdict got_ = learner_types(k, line);                                                  \
        ck_assert_msg(got_ == (want), "%s is %s: %s", line, verdicts[got_],                        \
                      es_str_text(&(k)->told.detail));                                             \
    } while (0)

START_TEST(what_comes_to_the_same_is_right)
{
    static const char *const ways[] = {
        "h = wte(ids) + wpe(positions)",
        "h = wte(ids) + wpe(torch.arange(T))",
        "h = wpe(torch.arange(0, T).unsqueeze(0)) + wte(ids)",
        "h = wte.weight[ids] + wpe.weight[:T]",
        "tok = wte(ids)\npos = wpe(positions)\nh = tok + pos",
        "h = torch.stack([wte(row) for row in ids]) + wpe(positions)",
        "h = wte(ids)\nh = h + wpe(positions)",
        "h = wte(ids).clone()\nh += wpe(positions)",
        "h = (wte(ids) + wpe(positions)) * (1 + 1e-7)",
        "h = F.embedding(ids, wte.weight) + F.embedding(positions, wpe.weight)",
        "def both(i):\n    return wte(i) + wpe(torch.arange(i.shape[1]))\n\nh = both(ids)"};
    learner k;
    learner_open(&k, task);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        learner_at(&k, 0, i);
        types(&k, ways[i], ES_VERDICT_RIGHT);
    }
    learner_close(&k);
}
END_TEST

START_TEST(other_variables_do_no_harm)
{
    learner k;
    learner_open(&k, task);
    types(&k, "x = 3", ES_VERDICT_UNFINISHED);
    ck_assert_str_eq(k.told.detail.s, "h");
    types(&k, "tok_emb = wte(ids); junk = [1, 2]", ES_VERDICT_UNFINISHED);
    types(&k, "h = tok_emb + wpe(positions)", ES_VERDICT_RIGHT);
    types(&k, "y = 7", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(a_misconception_is_known_by_its_values)
{
    learner k;
    learner_open(&k, task);
    types(&k, "a = wte(ids); b = wpe(positions).unsqueeze(0).expand(B, T, C)",
          ES_VERDICT_UNFINISHED);
    types(&k, "h = torch.cat((a, b), 2)", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "2*C wide.");
    learner_at(&k, 0, 3);
    types(&k, "h = wpe(ids % n_ctx) + wte(ids)", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "Where it stands, not which it is.");
    learner_at(&k, 0, 4);
    types(&k, "h = wte(ids)", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "h is not their sum.");
    learner_close(&k);
}
END_TEST

START_TEST(a_number_in_the_place_of_a_size_is_found_out)
{
    learner k;
    es_str line = {0};
    learner_open(&k, task);
    es_str_add(&line, "h = wte(ids) + wpe(torch.arange(%s))", k.drawn.text[1]);
    types(&k, line.s, ES_VERDICT_ONE_SIZE);
    ck_assert_msg(!strncmp(k.told.detail.s, "with T=", 7), "%s", k.told.detail.s);
    ck_assert_ptr_nonnull(strstr(k.told.detail.s, " in place of T="));
    learner_close(&k);
    learner_open(&k, SIZES
                 "@task Make `m`.\n  check m.shape == (T, T)\n  solution m = torch.zeros(T, T)\n");
    es_str_free(&line);
    es_str_add(&line, "m = torch.zeros(%s, %s)", k.drawn.text[1], k.drawn.text[1]);
    types(&k, line.s, ES_VERDICT_ONE_SIZE);
    es_str_free(&line);
    es_str_add(&line, ", m is [%s, %s]", k.drawn.text[1], k.drawn.text[1]);
    ck_assert_msg(strstr(k.told.detail.s, line.s) != NULL, "%s", k.told.detail.s);
    types(&k, "m = torch.zeros(T, T)", ES_VERDICT_RIGHT);
    es_str_free(&line);
    learner_close(&k);
}
END_TEST

START_TEST(a_size_that_is_fixed_is_not_asked_about)
{
    learner k;
    learner_open(&k, "@draw T = 5..8\n\n@task Make `m`.\n  check m.shape == (T,)\n"
                     "  solution m = torch.zeros(T)\n  fixed It is yours.\n");
    es_str line = {0};
    es_str_add(&line, "m = torch.zeros(%s)", k.drawn.text[0]);
    types(&k, line.s, ES_VERDICT_RIGHT);
    es_str_free(&line);
    learner_close(&k);
}
END_TEST

START_TEST(a_name_of_an_earlier_step_is_no_size)
{
    learner k;
    learner_open(&k, SIZES
                 "@show wte(ids).shape\n  prints [\n\n@task Make `m`.\n  check m.shape == (T,)\n"
                 "  solution m = torch.zeros(T)\n");
    learner_at(&k, 1, 0);
    es_ear ear;
    es_ear_open(&ear, NULL);
    ck_assert(es_desk_run(k.session, NULL, "mine = T", false, &ear));
    es_ear_close(&ear);
    types(&k, "m = torch.zeros(mine)", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(a_line_that_failed_before_is_no_size)
{
    learner k;
    learner_open(&k, task);
    es_str_cat(&k.lines, "nonsense(\n1/0\n:picture 3\n");
    types(&k, "h = wte(ids) + wpe(positions)", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(a_variable_that_is_there_is_unfinished_until_it_changes)
{
    learner k;
    learner_open(&k,
                 SIZES "@task Give `positions` a batch axis.\n  check positions.shape == (1, T)\n"
                       "  solution positions = positions.unsqueeze(0)\n"
                       "  wrong positions = positions.unsqueeze(1)  \"That is behind T.\"\n");
    types(&k, "x = 1", ES_VERDICT_UNFINISHED);
    types(&k, "positions = positions[:, None]", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "That is behind T.");
    types(&k, "positions = torch.arange(T)[None]", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(a_function_is_known_by_what_it_gives)
{
    learner k;
    learner_open(&k, SIZES
                 "@task Write `embed`.\n  check allclose(embed(ids), wte(ids) + wpe(positions))\n"
                 "  solution embed = lambda ids: wte(ids) + wpe(torch.arange(ids.shape[1]))\n"
                 "  wrong embed = lambda ids: wte(ids)  \"Without positions.\"\n");
    types(&k, "def embed(x):\n    return wte(x)", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "Without positions.");
    types(&k,
          "def embed(x):\n    out = torch.zeros(x.shape[0], x.shape[1], C)\n    out[:] = wte(x)\n"
          "    out += wpe(torch.arange(x.shape[1]))\n    return out",
          ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(wrong_lines_that_write_in_place_spoil_nothing)
{
    learner k;
    learner_open(
        &k, SIZES
        "@setup table = torch.zeros(T, 2)\n\n@task Make `a`.\n  check allclose(a, table + 1)\n"
        "  solution a = table + 1\n  wrong a = table.add_(5)  \"Five.\"\n"
        "  wrong a = table + 2  \"Two.\"\n");
    types(&k, "a = torch.zeros(T, 2) + 2", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "Two.");
    types(&k, "a = torch.ones(T, 2)", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

START_TEST(texts_are_a_task_too)
{
    learner k;
    learner_open(
        &k, "@draw animal = \"cat\" | \"dog\"\n\n@task Type a text of three tokens. mode=text\n"
            "  check T == 3\n  solution the {animal} sat\n  fixed It is your text.\n"
            "  wrong the {animal}  \"Two.\"\n");
    types(&k, "one two three four", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "");
    types(&k, "a cat", ES_VERDICT_WRONG);
    ck_assert_str_eq(learner_why(&k), "Two.");
    types(&k, "some other cat", ES_VERDICT_RIGHT);
    learner_close(&k);
}
END_TEST

Suite *judge_task_suite(void)
{
    Suite *s = suite_create("judge_task");
    TCase *t = tcase_create("tasks");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, what_comes_to_the_same_is_right);
    tcase_add_test(t, other_variables_do_no_harm);
    tcase_add_test(t, a_misconception_is_known_by_its_values);
    tcase_add_test(t, a_number_in_the_place_of_a_size_is_found_out);
    tcase_add_test(t, a_size_that_is_fixed_is_not_asked_about);
    tcase_add_test(t, a_name_of_an_earlier_step_is_no_size);
    tcase_add_test(t, a_line_that_failed_before_is_no_size);
    tcase_add_test(t, a_variable_that_is_there_is_unfinished_until_it_changes);
    tcase_add_test(t, a_function_is_known_by_what_it_gives);
    tcase_add_test(t, wrong_lines_that_write_in_place_spoil_nothing);
    tcase_add_test(t, texts_are_a_task_too);
    suite_add_tcase(s, t);
    return s;
}
