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

/* A line, and what is answered. */
static void ask(const char *line, const char *answer)
{
    es_str keys = {0};
    expect("tensor> ");
    es_str_add(&keys, "%s\r", line);
    type(keys.s);
    expect(answer);
    es_str_free(&keys);
}

/* Made, called, overflowed, made equal to x. */
static void expect_module(void)
{
    ask("\"The cat sat\"", "what the first block receives");
    ask("m = TransformerEmbeddings(50257, 64, 1024)", "\n");
    ask("m", "TransformerEmbeddings(\r\n"
             "  (token_embeddings): Embedding(50257, 64)\r\n"
             "  (position_embeddings): Embedding(1024, 64)\r\n"
             ")\r\n"
             "3,281,984 parameters, 13.1 MB\r\n");
    ask("m(ids).shape", "torch.Size([1, 3, 64])");
    ask("m.token_embeddings.weight.shape", "torch.Size([50257, 64])");
    ask("m(torch.zeros(1, 2000, dtype=torch.long))",
        "error[value]: Sequence length (2000) exceeds maximum context window (1024)\r\n"
        "    m(torch.zeros(1, 2000, dtype=torch.long))\r\n"
        "    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\r\n"
        "  in forward, ");
    expect("raise ValueError(\r\n");
    ask("torch.allclose(m(ids), x)", "False");
    ask("m.token_embeddings.weight.copy_(wte.weight);", "\n");
    ask("m.position_embeddings.weight.copy_(wpe.weight);", "\n");
    ask("torch.allclose(m(ids), x)", "True");
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

/* By hand, Tab for the indentation; an empty line ends it. */
START_TEST(typed_by_hand)
{
    begin();
    type("class Double(nn.Module):\r");
    expect("...> ");
    type("\tdef __init__(self, by: int = 2):\r");
    expect("...> ");
    type("\tself.by = by\r");
    expect("...> ");
    type("    def forward(self, a):\r");
    expect("...> ");
    type("\treturn self.b");
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
    tcase_add_test(tc, left_by_an_editor);
    suite_add_tcase(s, tc);
    return s;
}
