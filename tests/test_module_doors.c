// SPDX-License-Identifier: GPL-3.0-or-later
/* The article's module, unedited (tests/data/forward.py), by every door of the prompt: pasted, typed by hand, run
 * from a file, piped, and from an editor. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"
#include "terminal.h"

Suite *module_doors_suite(void);

static es_str file, path; /* the module's lines, and where they are */

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    char *whole = realpath("tests/data/forward.py", NULL);
    ck_assert_ptr_nonnull(whole);
    es_str_cat(&path, whole);
    free(whole);
    ck_assert_works(es_file_open(&f, path.s, &err), err);
    es_str_bytes(&file, (const char *)f.data, f.size);
    es_file_close(&f);
    calm_environment();
}

static void teardown(void)
{
    terminal_close();
    es_str_free(&file);
    es_str_free(&path);
}

/* It is there, whole. */
static void expect_class(void)
{
    expect("tensor> ");
    type("TransformerEmbeddings\r");
    expect("class TransformerEmbeddings(nn.Module)\r\n"
           "  __init__(self, vocab_size: int, d_model: int, max_seq_len: int)\r\n"
           "  forward(self, input_ids: torch.Tensor) -> torch.Tensor\r\n");
}

/* Lines and what is answered, line by line: the module is made, called, overflowed, stepped, made equal to x. */
static const struct {
    const char *line, *prompt;
    const char *answer[6];
} told[] = {
    {"\"The cat sat\"", "tensor> ", {"what the first block receives"}},
    {"m = TransformerEmbeddings(50257, 64, 1024)", "tensor> ", {NULL}},
    {"m",
     "tensor> ",
     {"TransformerEmbeddings(", "  (token_embeddings): Embedding(50257, 64)",
      "  (position_embeddings): Embedding(1024, 64)", ")", "3,281,984 parameters, 13.1 MB"}},
    {"m(ids).shape", "tensor> ", {"torch.Size([1, 3, 64])"}},
    {"m.token_embeddings.weight.shape", "tensor> ", {"torch.Size([50257, 64])"}},
    {"m(torch.zeros(1, 2000, dtype=torch.long))",
     "tensor> ",
     {"error[value]: Sequence length (2000) exceeds maximum context window (1024)",
      "    m(torch.zeros(1, 2000, dtype=torch.long))",
      "    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^", "  in forward, ", "raise ValueError("}},
    {":step m(ids)",
     "tensor> ",
     {"TransformerEmbeddings.forward(self, input_ids)  input_ids [B=1, T=3] int64",
      "→ batch_size, seq_len = input_ids.shape   input_ids [B=1, T=3] int64"}},
    {"", "step> ", {"   ⇒ batch_size = B = 1, seq_len = T = 3"}},
    {"", "step> ", {"   ⇒ 3 > 1024: no"}},
    {"", "step> ", {"   ⇒ positions [1, T=3] int64"}},
    {"v positions", "step> ", {"[1, T=3] int64 cpu", "[[0 1 2]]"}},
    {"i",
     "step> ",
     {"Embedding: [B=1, T=3] int64 × weight [50257, 64] → [B=1, T=3, 64] float32",
      "   ⇒ tok_emb [B=1, T=3, 64] float32"}},
    {"", "step> ", {"   ⇒ pos_emb [1, T=3, 64] float32", "→ return tok_emb + pos_emb"}},
    {"c", "step> ", {"[B=1, T=3, 64] float32 cpu"}},
    {":step m(torch.zeros(1, 2000, dtype=torch.long))", "tensor> ", {"→ batch_size"}},
    {"c",
     "step> ",
     {"! raise ValueError(", "self.position_embeddings.num_embeddings = 1024, this line failed",
      "error[value]: Sequence length (2000) exceeds maximum context window (1024)"}},
    {"seq_len", "step> ", {"2000"}},
    {"q", "step> ", {NULL}},
    {"torch.allclose(m(ids), x)", "tensor> ", {"False"}},
    {"m.token_embeddings.weight.copy_(wte.weight);", "tensor> ", {NULL}},
    {"m.position_embeddings.weight.copy_(wpe.weight);", "tensor> ", {NULL}},
    {"torch.allclose(m(ids), x)", "tensor> ", {"True"}},
};

enum { LINES = sizeof told / sizeof *told, ANSWERS = sizeof told->answer / sizeof *told->answer };

static void expect_module(void)
{
    for (size_t i = 0; i < LINES; i++) {
        es_str keys = {0};
        expect(told[i].prompt);
        es_str_add(&keys, "%s\r", told[i].line);
        type(keys.s);
        for (int a = 0; a < ANSWERS && told[i].answer[a]; a++)
            expect(told[i].answer[a]);
        es_str_free(&keys);
    }
}

static void leave(void)
{
    expect("tensor> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}

static void begin(void)
{
    START(100, "-t", "-q", "--color=never");
    expect("tensor> ");
}

START_TEST(pasted_between_the_terminals_marks)
{
    es_str keys = {0};
    begin();
    es_str_add(&keys, "\x1b[200~%s\x1b[201~\r", file.s);
    type(keys.s);
    es_str_free(&keys);
    expect_class();
    expect("tensor> ");
    type("\x1b[A\x1b[A"); /* it is one entry of the history */
    expect("class TransformerEmbeddings(nn.Module):");
    expect("return tok_emb + pos_emb");
    type("\x03");
    expect_module();
    leave();
}
END_TEST

/* As an editor pastes a selection: no line break behind the last line. */
START_TEST(pasted_without_its_last_line_break)
{
    es_str keys = {0};
    begin();
    while (file.s[file.len - 1] == '\n')
        es_str_cut(&file, file.len - 1);
    es_str_add(&keys, "\x1b[200~%s\x1b[201~\r", strstr(file.s, "class "));
    type(keys.s);
    es_str_free(&keys);
    expect_class();
    leave();
}
END_TEST

/* By hand, Tab for the indentation and Backspace for less of it; an empty line ends it. */
START_TEST(typed_by_hand)
{
    begin();
    type("class Double(nn.Module):\r");
    expect("...> ");
    type("\tdef __init__(self, by: int = 2):\r");
    expect("...> ");
    type("\tself.by = by\r");
    expect("...> ");
    type("\t\177def forward(self, a)\177):\r"); /* a parenthesis is taken away as ever */
    expect("...> ");
    type("\t  \177return self.b");
    type("\t * a\r"); /* self.by */
    expect("...> ");
    type("\r");
    expect("tensor> ");
    type("Double\r");
    expect("class Double(nn.Module)\r\n"
           "  __init__(self, by: int = 2)\r\n"
           "  forward(self, a)\r\n");
    leave();
}
END_TEST

START_TEST(run_from_a_file)
{
    es_str keys = {0};
    begin();
    es_str_add(&keys, ":run %s\r", path.s);
    type(keys.s);
    expect_class();
    expect_module();
    leave();
    terminal_close();
    START(100, "-q", "--color=never"); /* in text mode too */
    expect("text> ");
    type(keys.s);
    expect("note: the lines of a .py file are run as statements");
    expect("text> ");
    type("= TransformerEmbeddings\r");
    expect("class TransformerEmbeddings(nn.Module)");
    expect("text> ");
    es_str_free(&keys);
}
END_TEST

/* The answers come in this order, errors among them. */
START_TEST(through_a_pipe)
{
    run_result r;
    const char *const argv[] = {"sh", "-c", "exec 2>&1; exec \"$0\" -t --keep-going --width 100",
                                program(), NULL};
    for (size_t i = 0; i < LINES; i++)
        es_str_add(&file, "%s\n", told[i].line);
    run_program(&r, argv, file.s, file.len);
    const char *at = es_str_text(&r.out);
    for (size_t i = 0; i < LINES; i++)
        for (int a = 0; a < ANSWERS && told[i].answer[a]; a++) {
            const char *found = strstr(at, told[i].answer[a]);
            demand(found, "%s: no \"%s\" in\n%.1000s", told[i].line, told[i].answer[a], at);
            at = found + strlen(told[i].answer[a]);
        }
    run_result_free(&r);
}
END_TEST

START_TEST(left_by_an_editor)
{
    es_str editor = {0}, script = {0};
    es_str_add(&editor, "%s/editor", getenv("HOME"));
    es_str_add(&script, "#!/bin/sh\ncat '%s' > \"$1\"\n", path.s);
    FILE *f = fopen(editor.s, "w");
    ck_assert(f && fputs(script.s, f) >= 0 && fclose(f) == 0 && chmod(editor.s, 0700) == 0);
    setenv("VISUAL", editor.s, 1);
    es_str_free(&editor);
    es_str_free(&script);
    begin();
    type(":edit\r");
    expect_class();
    leave();
}
END_TEST

Suite *module_doors_suite(void)
{
    Suite *s = suite_create("module_doors");
    TCase *tc = tcase_create("terminal");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, pasted_between_the_terminals_marks);
    tcase_add_test(tc, pasted_without_its_last_line_break);
    tcase_add_test(tc, typed_by_hand);
    tcase_add_test(tc, run_from_a_file);
    tcase_add_test(tc, through_a_pipe);
    tcase_add_test(tc, left_by_an_editor);
    suite_add_tcase(s, tc);
    return s;
}
