// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensor mode from the session's side: lines that become statements, names, answers, commands, completion; and
 * at the prompt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "listener.h"
#include "repl/cmd_repl.h"
#include "session/complete.h"
#include "support.h"
#include "terminal.h"

Suite *tensor_mode_suite(void);

/* ---- a session, and what it says ---- */

static listener heard;
static atomic_bool interrupt;

static void open_session(bool person, bool tensor)
{
    const es_session_options o = {.model = "untrained:C=4",
                                  .settings.pad = -1,
                                  .person = person,
                                  .tensor = tensor,
                                  .lines_before = 100,
                                  .interrupt = &interrupt};
    listener_open(&heard, &o);
    es_add_repl_commands(heard.session);
}

static void setup(void)
{
    open_session(false, true);
}

static void teardown(void)
{
    listener_close(&heard);
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

static void check_json(const char *line, const char *want)
{
    run(line);
    ck_assert_msg(!strcmp(es_str_text(&heard.json), want), "%s\n  wanted: %s  got:    %s", line,
                  want, es_str_text(&heard.json));
}

static void check_shown(const char *line, const char *want)
{
    run(line);
    ck_assert_msg(!strcmp(es_str_text(&heard.shown), want), "%s\nwanted:\n%sgot:\n%s%s", line, want,
                  es_str_text(&heard.shown), es_str_text(&heard.errors));
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
}

static void check_prompt(const char *want)
{
    es_str prompt = {0};
    es_session_prompt(heard.session, &prompt);
    ck_assert_str_eq(es_str_text(&prompt), want);
    es_str_free(&prompt);
}

static bool says(const es_str *where, const char *what)
{
    return strstr(es_str_text(where), what) != NULL;
}

/* ---- answers ---- */

START_TEST(each_kind_of_value_has_its_object)
{
    check_json("7", "{\"kind\":\"int\",\"value\":7}\n");
    check_json("2.5", "{\"kind\":\"float\",\"value\":2.5}\n");
    check_json("float('nan')", "{\"kind\":\"float\",\"value\":null}\n");
    check_json("True", "{\"kind\":\"bool\",\"value\":true}\n");
    check_json("'a' + 'b'", "{\"kind\":\"str\",\"value\":\"ab\"}\n");
    check_json("None", "{\"kind\":\"none\"}\n");
    check_json("a = 1", "{\"kind\":\"none\"}\n");
    check_json("a;", "{\"kind\":\"none\"}\n");
    check_json("torch.float32", "{\"kind\":\"dtype\",\"value\":\"float32\"}\n");
    check_json("wte.weight.device", "{\"kind\":\"device\",\"value\":\"cpu\"}\n");
    check_json("torch.zeros(2, 5).shape", "{\"kind\":\"size\",\"value\":[2,5]}\n");
    check_json("(1, [True])",
               "{\"kind\":\"tuple\",\"items\":[{\"kind\":\"int\",\"value\":1},{\"kind\":\"list\","
               "\"items\":[{\"kind\":\"bool\",\"value\":true}]}]}\n");
    check_json("torch.tensor([[1.5, float('inf')]])",
               "{\"kind\":\"tensor\",\"shape\":[1,2],\"dims\":[null,null],\"dtype\":\"float32\","
               "\"device\":\"cpu\",\"values\":[1.5,null]}\n");
    check_json("torch.arange(0, C) > 2",
               "{\"kind\":\"tensor\",\"shape\":[4],\"dims\":[\"C\"],\"dtype\":\"bool\",\"device\":"
               "\"cpu\",\"values\":[false,false,false,true]}\n");
    check_json("wte",
               "{\"kind\":\"module\",\"class\":\"Embedding\",\"value\":\"Embedding(50257, 4)\","
               "\"parameters\":201028,\"bytes\":804112,\"tensors\":[{\"name\":\"weight\","
               "\"parameter\":true,\"shape\":[50257,4],\"dims\":[\"V\",\"C\"],"
               "\"dtype\":\"float32\",\"device\":\"cpu\"}],\"children\":[]}\n");
    check_json("torch.zeros(4097)",
               "{\"kind\":\"tensor\",\"shape\":[4097],\"dims\":[null],\"dtype\":\"float32\","
               "\"device\":\"cpu\",\"values\":null}\n");
    check_json("", "");
    check_json("  # a remark", "");
}
END_TEST

START_TEST(each_statement_of_a_line_has_an_object)
{
    check_json("a = 1; a; 2;", "{\"kind\":\"none\"}\n{\"kind\":\"int\",\"value\":1}\n"
                               "{\"kind\":\"none\"}\n");
    run("a = 5; nobody; a");
    ck_assert(says(&heard.json, "{\"kind\":\"none\"}\n{\"kind\":\"error\",\"error\":\"name\""));
}
END_TEST

static es_str printed;

static void on_print(void *user, const char *bytes, size_t n)
{
    (void)user;
    es_str_bytes(&printed, bytes, n);
}

START_TEST(what_is_printed_stands_in_the_object_or_comes_as_it_is_printed)
{
    check_json("print('a', 1)", "{\"kind\":\"none\",\"printed\":\"a 1\\u000a\"}\n");
    check_json("a = 1", "{\"kind\":\"none\"}\n");
    run("for i in range(3):\n    print(i)\n    if i == 1: nobody");
    es_session_end(heard.session, &heard.sink);
    ck_assert(says(&heard.json, "\"error\":\"name\""));
    ck_assert(says(&heard.json, "\"printed\":\"0\\u000a1\\u000a\""));
    check_shown("print('x\\x1b[31my\\tz')", "x\\x1b[31my      z\n");
    heard.sink.print = on_print;
    check_json("print('a', end='')", "{\"kind\":\"none\"}\n");
    ck_assert_str_eq(es_str_text(&printed), "a");
    es_str_free(&printed);
}
END_TEST

START_TEST(a_quoted_string_alone_is_a_text)
{
    run("'The cat'");
    ck_assert(says(&heard.json, "{\"kind\":\"text\",\"text\":\"The cat\""));
    check_json("T", "{\"kind\":\"int\",\"value\":2}\n");
    check_json("'The cat' + ''", "{\"kind\":\"str\",\"value\":\"The cat\"}\n");
    check_json("decode(ids)", "{\"kind\":\"str\",\"value\":\"The cat\"}\n");
    run(":text");
    run("= \"A dog\"");
    ck_assert(says(&heard.json, "{\"kind\":\"text\",\"text\":\"A dog\""));
}
END_TEST

START_TEST(three_quotes_in_a_file_or_paste_begin_a_docstring)
{
    const es_source typed = es_session_source(heard.session);
    es_session_set_source(heard.session, (es_source){.name = "net.py", .line = 1});
    run("\"\"\"What this file is for.");
    check_json("Two lines.\"\"\"", "{\"kind\":\"none\"}\n");
    check_json("'''One line.'''", "{\"kind\":\"none\"}\n");
    run("'The cat'");
    ck_assert(says(&heard.json, "{\"kind\":\"text\",\"text\":\"The cat\""));
    es_session_set_source(heard.session, typed);
    run("'''The cat'''");
    ck_assert(says(&heard.json, "{\"kind\":\"text\",\"text\":\"The cat\""));
    es_session_set_paste(heard.session, ES_PASTED);
    check_json("'''The cat'''", "{\"kind\":\"none\"}\n");
    es_session_set_paste(heard.session, ES_PASTED_LAST);
    run("'''The cat'''");
    ck_assert(says(&heard.json, "{\"kind\":\"text\",\"text\":\"The cat\""));
}
END_TEST

/* ---- names ---- */

START_TEST(the_last_text_and_the_model_have_names)
{
    check_error("ids", "name", "ids is of the last text, and there is no text yet");
    ck_assert(says(&heard.errors, "try: a text in quotes on a line of its own"));
    run(":batch \"The cat sat\" \"A dog\"");
    check_json("(B, T, C, V, P) == (batch_size, seq_len, d_model, vocab_size, max_seq_len)",
               "{\"kind\":\"bool\",\"value\":true}\n");
    check_json("(B, T, C, V, P)",
               "{\"kind\":\"tuple\",\"items\":[{\"kind\":\"int\",\"value\":2},{\"kind\":\"int\","
               "\"value\":3},{\"kind\":\"int\",\"value\":4},{\"kind\":\"int\",\"value\":50257},{"
               "\"kind\":\"int\",\"value\":1024}]}\n");
    check_json("ids", "{\"kind\":\"tensor\",\"shape\":[2,3],\"dims\":[\"B\",\"T\"],\"dtype\":"
                      "\"int64\",\"device\":\"cpu\",\"values\":[464,3797,3332,32,3290,50256]}\n");
    check_json("positions", "{\"kind\":\"tensor\",\"shape\":[1,3],\"dims\":[null,\"T\"],\"dtype\":"
                            "\"int64\",\"device\":\"cpu\",\"values\":[0,1,2]}\n");
    check_json("torch.equal(tok_emb, wte(input_ids)) and torch.equal(pos_emb, wpe(positions)) and "
               "torch.equal(x, tok_emb + pos_emb)",
               "{\"kind\":\"bool\",\"value\":true}\n");
    check_json("(x.names, pos_emb.names)[1][1:] == ('T', 'C')",
               "{\"kind\":\"bool\",\"value\":true}\n");
    run(":positions none");
    check_json("torch.equal(x, tok_emb)", "{\"kind\":\"bool\",\"value\":true}\n");
    check_error("pos_emb", "name", "there is no pos_emb: positions are none, x is tok_emb alone");
}
END_TEST

START_TEST(pictures_leave_their_selection_and_axes)
{
    static const float directions[] = {1, 0, 0, 0, 0, 0.5f, 0, 0};
    check_error("sel", "name", "sel is what is selected in the map, and nothing is");
    ck_assert(says(&heard.errors,
                   "try: :select x=-1..1 y=-1..1, or Shift and a drag in the window's map"));
    check_error("axes", "name", "axes are those of the picture, and none that has any is shown");
    ck_assert(says(&heard.errors, "try: :show map, whose axes are components of wte"));
    es_session_select(heard.session, (const int32_t[]){464, 3797}, 2);
    check_json("sel", "{\"kind\":\"tensor\",\"shape\":[2],\"dims\":[\"N\"],\"dtype\":\"int64\","
                      "\"device\":\"cpu\",\"values\":[464,3797]}\n");
    es_session_set_axes(heard.session, directions, 2, 4);
    check_json("axes", "{\"kind\":\"tensor\",\"shape\":[2,4],\"dims\":[\"K\",\"C\"],\"dtype\":"
                       "\"float32\",\"device\":\"cpu\",\"values\":[1,0,0,0,0,0.5,0,0]}\n");
    check_json("(wte(sel) @ axes.T).shape", "{\"kind\":\"size\",\"value\":[2,2]}\n");
    run("sel[0] = 5; axes[0, 0] = 2.0");
    es_session_set_axes(heard.session, directions, 2, 4); /* the same once more */
    check_json("sel[0].item() + axes[0, 0].item()", "{\"kind\":\"float\",\"value\":7}\n");
    es_session_select(heard.session, (const int32_t[]){464}, 1);
    check_json("sel[0].item()", "{\"kind\":\"int\",\"value\":464}\n");
    run(":model untrained:C=8");
    check_error("axes", "name", "axes are those of the picture, and none that has any is shown");
    run(":reset");
    check_error("sel", "name", "sel is what is selected in the map, and nothing is");
}
END_TEST

START_TEST(what_find_found_stays_for_the_map)
{
    size_t n;
    run(":find cats");
    const int32_t *ids = es_session_found(heard.session, &n);
    ck_assert_uint_eq(n, 3);
    ck_assert_int_eq(ids[1], 24619);
    run("\"The cat\"");
    es_session_found(heard.session, &n);
    ck_assert_uint_eq(n, 3);
    run(":find zzzzqq");
    es_session_found(heard.session, &n);
    ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(a_variable_hides_a_name_until_it_is_deleted)
{
    run("\"The cat\"");
    run("x = 5");
    check_json("x", "{\"kind\":\"int\",\"value\":5}\n");
    run("\"A dog\"");
    ck_assert_str_eq(es_str_text(&heard.notes), "x is your own; del x gives the text's back\n");
    run("T = 1");
    run("\"A dog\"");
    ck_assert_str_eq(es_str_text(&heard.notes),
                     "T, x are your own; del T, x gives the text's back\n");
    run("del T, x");
    check_json("x.shape", "{\"kind\":\"size\",\"value\":[1,2,4]}\n");
    run("\"A dog\"");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
}
END_TEST

START_TEST(what_is_written_lasts_and_leaves_the_model_alone)
{
    run(":row #5");
    char *row = es_str_take(&heard.json);
    run("\"The cat\"");
    run("wte.weight[5] = 9.0; x[0, 0] = 7.0; ids[0, 0] = 5");
    check_json("wte.weight[5].sum().item()", "{\"kind\":\"float\",\"value\":36}\n");
    check_json("wte(ids[0, :1]).sum().item()", "{\"kind\":\"float\",\"value\":36}\n");
    check_json("x[0, 0].sum().item()", "{\"kind\":\"float\",\"value\":28}\n");
    run(":row #5");
    ck_assert_str_eq(es_str_text(&heard.json), row);
    check_json(":decode 464", "{\"kind\":\"decode\",\"text\":\"The\",\"hex\":\"546865\"}\n");
    run(":model untrained:C=4");
    check_json("wte.weight[5].sum().item() == 36", "{\"kind\":\"bool\",\"value\":false}\n");
    run("wte.weight[5] = 9.0; a = 1");
    run(":reset");
    check_error("a", "name", "nothing is called a here");
    check_json("wte.weight[5].sum().item() == 36", "{\"kind\":\"bool\",\"value\":false}\n");
    free(row);
}
END_TEST

START_TEST(encode_and_decode_go_between_texts_and_ids)
{
    check_json("encode('The cat')", "{\"kind\":\"tensor\",\"shape\":[2],\"dims\":[\"T\"],\"dtype\":"
                                    "\"int64\",\"device\":\"cpu\",\"values\":[464,3797]}\n");
    check_json("encode(['The cat', 'A'])",
               "{\"kind\":\"tensor\",\"shape\":[2,2],\"dims\":[\"B\",\"T\"],\"dtype\":\"int64\","
               "\"device\":\"cpu\",\"values\":[464,3797,32,50256]}\n");
    check_json("decode([464, 3797])", "{\"kind\":\"str\",\"value\":\"The cat\"}\n");
    check_json("decode(encode('a \\u6f22'))", "{\"kind\":\"str\",\"value\":\"a 漢\"}\n");
    check_error("encode([])", "value", "encode() was given no text at all: the list is empty");
    check_error("encode(['a', 5])", "type", "encode() takes a text or a list of texts, not int");
    check_error("decode(torch.tensor([1, 60000]))", "index_range",
                "there is no token 60000 (at [1])");
    check_error("decode(torch.zeros(2))", "dtype",
                "decode() takes ids, whole numbers, not float32");
    check_error("decode(encode(['a', 'b']))", "value",
                "decode() takes the ids of one text, [T], not [B=2, T=1]");
}
END_TEST

/* ---- lines ---- */

START_TEST(a_statement_may_take_several_lines)
{
    ck_assert_int_eq(run("a = [1,"), ES_MORE);
    check_prompt("                   ...> ");
    ck_assert_int_eq(run(""), ES_MORE);
    ck_assert_int_eq(run("  2]"), ES_DONE);
    check_prompt("tensor (untrained:C=4)> ");
    check_json("len(a)", "{\"kind\":\"int\",\"value\":2}\n");
    ck_assert_int_eq(run("for i in a:"), ES_MORE);
    ck_assert_int_eq(run("    b = i"), ES_MORE);
    ck_assert_int_eq(run(""), ES_MORE); /* nobody typed this */
    ck_assert_int_eq(run("    c = 2 * i"), ES_MORE);
    check_json("(b, c)", "{\"kind\":\"none\"}\n{\"kind\":\"tuple\",\"items\":[{\"kind\":\"int\","
                         "\"value\":2},{\"kind\":\"int\",\"value\":4}]}\n");
    ck_assert_int_eq(run("if b == 2:"), ES_MORE);
    run("    b = 3");
    ck_assert_int_eq(run(":decode 464"), ES_DONE); /* a command ends it as well */
    ck_assert(says(&heard.json, "{\"kind\":\"none\"}\n{\"kind\":\"decode\""));
    check_json("b", "{\"kind\":\"int\",\"value\":3}\n");
    check_json("b +\\", "");
    check_json("1", "{\"kind\":\"int\",\"value\":4}\n");
    check_json("if b:\n    b = 9\nb", "{\"kind\":\"none\"}\n{\"kind\":\"int\",\"value\":9}\n");
}
END_TEST

START_TEST(the_end_finishes_and_ctrl_c_drops_a_statement)
{
    run("if True:");
    run("    a = 1");
    ck_assert_int_eq(es_session_end(heard.session, &heard.sink), ES_DONE);
    check_json("a", "{\"kind\":\"int\",\"value\":1}\n");
    run("a = (2,");
    ck_assert_int_eq(es_session_end(heard.session, &heard.sink), ES_FAILED);
    ck_assert(says(&heard.json, "\"error\":\"parse\""));
    run("a = (2,");
    es_session_abandon(heard.session);
    check_json("a", "{\"kind\":\"int\",\"value\":1}\n");
}
END_TEST

START_TEST(an_empty_line_ends_a_suite_that_is_typed)
{
    teardown();
    open_session(true, true);
    run("if True:");
    run("    a = 1");
    ck_assert_int_eq(run("  "), ES_DONE);
    check_json("a", "{\"kind\":\"int\",\"value\":1}\n");
    es_session_set_paste(heard.session, ES_PASTED);
    run("if True:");
    ck_assert_int_eq(run(""), ES_MORE);
    es_session_set_paste(heard.session, ES_PASTED_LAST);
    ck_assert_int_eq(run("    a = 2"), ES_DONE);
    es_session_set_paste(heard.session, ES_TYPED);
    check_json("a", "{\"kind\":\"int\",\"value\":2}\n");
}
END_TEST

START_TEST(errors_point_into_the_whole_line)
{
    run(":text");
    run("=  1 + nobody");
    ck_assert(says(&heard.json, "\"begin\":7,\"end\":13}"));
    run(":tensor (1,");
    run("nobody)");
    ck_assert(says(&heard.json, "\"begin\":12,\"end\":18}"));
    run(":type nobody");
    ck_assert(says(&heard.json, "\"begin\":6,\"end\":12}"));
    run("=1 +");
    ck_assert(says(&heard.json, "\"error\":\"parse\""));
}
END_TEST

START_TEST(an_example_is_pasted_with_its_answers)
{
    es_session_set_paste(heard.session, ES_PASTED);
    run(">>> y = 3");
    run(">>> y + 1");
    check_shown("4", "");
    ck_assert(says(&heard.notes, "lines without >>> are taken for answers, and left out\n"));
    run(">>> for i in range(2):");
    run("...     y + i");
    run("...");
    check_shown("3", "3\n4\n");
    check_shown("error!", "");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    es_session_set_paste(heard.session, ES_TYPED);
    check_shown("5", "5\n");
}
END_TEST

/* Not a space of a token is lost where a line ends. */
START_TEST(what_is_wide_is_shown_line_by_line)
{
    heard.style.width = 40;
    check_shown("[(3797, ' cat', 0.9), (6142, ' environmental', 0.5)]",
                "[(3797, ' cat', 0.9),\n (6142, ' environmental', 0.5)]\n");
    check_shown("list(range(16))", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,\n 12, 13, 14, 15]\n");
    check_shown("'a b ' * 12", "'a b a b a b a b a b a b a b a b a b a b\n a b a b '\n");
    check_shown("(1, 2)", "(1, 2)\n");
    check_shown("torch.zeros(2, 3).shape", "torch.Size([2, 3])\n");
    check_shown("torch.zeros(2) / 0", "[2] float32 cpu   NaN! 2\n[nan nan]\n");
    check_shown("torch.tensor([0.1, 0.25, 100])", "[3] float32 cpu\n[  0.10   0.25 100.00]\n");
    check_shown("torch.arange(12)", "[12] int64 cpu   0 ██████ 11\n"
                                    "[ 0  1  2  3  4  5  6  7  8  9 10 11]\n");
}
END_TEST

START_TEST(some_words_are_no_statements)
{
    run("help");
    ck_assert(says(&heard.json, "{\"kind\":\"help\",\"commands\""));
    run(" ? ");
    ck_assert(says(&heard.json, "{\"kind\":\"help\",\"commands\""));
    run("torch.arange?");
    ck_assert(says(&heard.json, "{\"kind\":\"help\",\"functions\":[{\"name\":\"arange\""));
    run("?softmax");
    ck_assert(says(&heard.json, "{\"kind\":\"help\",\"functions\":[{\"name\":\"softmax\""));
    run("help(softmax)");
    ck_assert(says(&heard.json, "{\"kind\":\"help\",\"functions\":[{\"name\":\"softmax\""));
    ck_assert_int_eq(run("exit()"), ES_QUIT);
}
END_TEST

/* Of a text, of a model, the reader's own, a function, a module. */
START_TEST(a_name_and_a_question_mark_say_what_it_is)
{
    run("x?");
    ck_assert(says(&heard.json,
                   "{\"kind\":\"name\",\"name\":\"x\",\"meaning\":\"[B, T, C], tok_emb + "
                   "pos_emb, what the first block receives\",\"now\":null}"));
    run("\"The cat\"");
    run("input_ids??");
    ck_assert_str_eq(heard.shown.s, "input_ids\n  [B, T], the tokens as numbers; also input_ids\n"
                                    "  now [B=1, T=2] int64 cpu\n");
    run("def f(a): return a + 1");
    run("");
    run("help(f)"); /* not the command whose short form is :f */
    ck_assert_str_eq(heard.shown.s,
                     "f\n  your own\n  def f(a): return a + 1\n  line 1 of what was typed\n");
    run("T = 3");
    run("?T");
    ck_assert_str_eq(heard.shown.s,
                     "T\n  your own; del T gives this back: time: tokens a text; also "
                     "seq_len\n  now 3 (int)\n");
    run("nn?");
    ck_assert_str_eq(heard.shown.s, "nn\n  a module: Tab behind \"nn.\" lists what is in it\n");
    run("pca?");
    ck_assert(says(&heard.shown, "  is this program's own, not PyTorch's\n"));
    run(":help functions");
    ck_assert(says(&heard.shown, "\nnumbers\n  math.acos "));
    ck_assert(says(&heard.shown, "\nthis program's own\n  compare "));
    run("nobody?");
    ck_assert(says(&heard.errors, "error[name]: nothing is called nobody here"));
}
END_TEST

START_TEST(text_that_looks_like_python_is_answered_and_advised)
{
    teardown();
    open_session(true, false);
    run("x = torch.arange(5)");
    ck_assert(says(&heard.json, "{\"kind\":\"text\""));
    ck_assert(says(&heard.notes, "(person) that was text; = before it runs it as a statement"));
    run("The cat sat");
    ck_assert(!says(&heard.notes, "that was text"));
}
END_TEST

/* ---- commands and settings ---- */

START_TEST(types_are_known_without_computing)
{
    check_json(":type torch.zeros(90000, 90000) @ torch.zeros(90000, C)",
               "{\"kind\":\"type\",\"of\":\"tensor\",\"shape\":[90000,4],\"dims\":[null,\"C\"],"
               "\"dtype\":\"float32\",\"device\":\"cpu\",\"bytes\":1440000}\n");
    check_json(":type 1 + 1", "{\"kind\":\"type\",\"of\":\"int\"}\n");
    check_shown(":type torch.zeros(3, C)", "[3, C=4] float32 cpu   48 B\n");
    run(":type a = 5");
    check_error("a", "name", "nothing is called a here");
}
END_TEST

START_TEST(variables_and_named_sizes_are_listed)
{
    run(":vars");
    ck_assert_str_eq(es_str_text(&heard.notes),
                     "there are no variables yet: y = x + 1 makes one\n");
    run("a = torch.zeros(2, C)");
    run("b = a.T; c = [1, 2]");
    check_shown(":vars", "a  [2, C=4]  float32  cpu  32 B\n"
                         "b  [C=4, 2]  float32  cpu  32 B  a view of a\n"
                         "c  [1, 2]    list\n");
    check_json(":dim H=12", "{\"kind\":\"none\"}\n");
    check_json("torch.zeros(H).names", "{\"kind\":\"tuple\",\"items\":[{\"kind\":\"str\",\"value\":"
                                       "\"H\"}]}\n");
    run(":dims");
    ck_assert(
        says(&heard.json, "{\"name\":\"C\",\"size\":\"4\",\"of\":\"channels: numbers a token\"}"));
    ck_assert(says(&heard.json, "{\"name\":\"H\",\"size\":\"12\",\"of\":\"your variable\"}"));
    check_error(":dim 5=H", "usage", "the form is :dim NAME=SIZE");
    check_error(":dim H=x", "value", "a size is a whole number, not \"x\"");
}
END_TEST

START_TEST(forward_without_return_is_noted_once)
{
    run("class Net(nn.Module):");
    run("    def forward(self, x):");
    run("        y = x + 1");
    run("Net()(1)");
    ck_assert_str_eq(es_str_text(&heard.notes), "Net.forward gives None: it has no return\n");
    run("Net()(1)");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    run("class Net(nn.Module):");
    run("    def forward(self, x):");
    run("        if x is None:");
    run("            return 1");
    run("Net()(1)");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
}
END_TEST

START_TEST(settings_stand_in_the_prompt)
{
    check_prompt("tensor (untrained:C=4)> ");
    run(":set shapes only");
    check_prompt("tensor (untrained:C=4, shapes only)> ");
    check_json("torch.zeros(90000, 90000)[:2, :3]",
               "{\"kind\":\"tensor\",\"shape\":[2,3],\"dims\":[null,null],\"dtype\":\"float32\","
               "\"device\":\"cpu\",\"values\":null}\n");
    check_shown("torch.zeros(C)", "[C=4] float32 cpu   no numbers: shapes only\n");
    check_shown("torch.zeros(175_000_000_000).repeat_interleave(10**6)", /* at once */
                "[175000000000000000] float32 cpu   no numbers: shapes only\n");
    run(":set shapes computed");
    run(":set strict on");
    check_prompt("tensor (untrained:C=4, strict)> ");
    run("a = (1,");
    check_prompt("                           ...> ");
    es_session_abandon(heard.session);
    run(":text");
    check_prompt("text (untrained:C=4)> ");
}
END_TEST

/* ---- for a reader ---- */

START_TEST(tensors_are_shown_with_names_spread_and_aligned_numbers)
{
    check_shown("torch.tensor([[0.5, -1.25], [10.0, 2.0]])", "[2, 2] float32 cpu\n"
                                                             "[[ 0.50 -1.25]\n"
                                                             " [10.00  2.00]]\n");
    check_shown("torch.arange(3)", "[3] int64 cpu\n[0 1 2]\n");
    check_shown("torch.tensor(2.5)", "[] float32 cpu\n2.500\n");
    check_shown("torch.zeros(0, 3)", "[0, 3] float32 cpu   no elements\n");
    check_shown("torch.ones(3, 4)",
                "[3, 4] float32 cpu   all 1\n"
                "[[1.0 1.0 1.0 1.0]\n [1.0 1.0 1.0 1.0]\n [1.0 1.0 1.0 1.0]]\n");
    check_shown("torch.tensor([float('nan'), 1.0, float('-inf')])",
                "[3] float32 cpu   NaN! 1   Inf! 1\n[ nan  1.0 -inf]\n");
    check_shown("torch.arange(9) > 4", "[9] bool cpu   4 of 9 true\n"
                                       "[False False False False False  True  True  True  True]\n");
    run("torch.arange(80).reshape(2, 5, 8) / 8");
    ck_assert(
        says(&heard.shown, "[2, 5, 8] float32 cpu   0.00 ██████ 9.88   mean 4.94  std 2.90\n"));
    check_shown("torch.zeros(3, 3)", "[3, 3] float32 cpu   all zeros\n"
                                     "[[0.0 0.0 0.0]\n [0.0 0.0 0.0]\n [0.0 0.0 0.0]]\n");
    run("a = torch.arange(4).view(2, 2)");
    check_shown("a", "[2, 2] int64 cpu\n[[0 1]\n [2 3]]\n");
    check_shown("a[1]", "[2] int64 cpu   a view of a\n[2 3]\n");
    heard.style.plain = true;
    check_shown("a.T", "tensor: [2, 2] int64 cpu\nmemory: a view of a\n[0]: 0, 2\n[1]: 1, 3\n");
    check_shown("'a\\x1b' + ''", "str: 'a\\x1b'\n");
}
END_TEST

START_TEST(what_does_not_fit_is_left_out_of_the_middle)
{
    check_shown(
        "torch.arange(2000).reshape(40, 50)[:, :]",
        "[40, 50] int64 cpu   0 ██████ 1999\n"
        "[[   0    1    2    3    4    5    6    7 …   43   44   45   46   47   48   49]\n"
        " [  50   51   52   53   54   55   56   57 …   93   94   95   96   97   98   99]\n"
        " [ 100  101  102  103  104  105  106  107 …  143  144  145  146  147  148  149]\n"
        " [ 150  151  152  153  154  155  156  157 …  193  194  195  196  197  198  199]\n"
        " [ 200  201  202  203  204  205  206  207 …  243  244  245  246  247  248  249]\n"
        " [ 250  251  252  253  254  255  256  257 …  293  294  295  296  297  298  299]\n"
        " [ 300  301  302  303  304  305  306  307 …  343  344  345  346  347  348  349]\n"
        " [ 350  351  352  353  354  355  356  357 …  393  394  395  396  397  398  399]\n"
        " … 24 more\n"
        " [1600 1601 1602 1603 1604 1605 1606 1607 … 1643 1644 1645 1646 1647 1648 1649]\n"
        " [1650 1651 1652 1653 1654 1655 1656 1657 … 1693 1694 1695 1696 1697 1698 1699]\n"
        " [1700 1701 1702 1703 1704 1705 1706 1707 … 1743 1744 1745 1746 1747 1748 1749]\n"
        " [1750 1751 1752 1753 1754 1755 1756 1757 … 1793 1794 1795 1796 1797 1798 1799]\n"
        " [1800 1801 1802 1803 1804 1805 1806 1807 … 1843 1844 1845 1846 1847 1848 1849]\n"
        " [1850 1851 1852 1853 1854 1855 1856 1857 … 1893 1894 1895 1896 1897 1898 1899]\n"
        " [1900 1901 1902 1903 1904 1905 1906 1907 … 1943 1944 1945 1946 1947 1948 1949]\n"
        " [1950 1951 1952 1953 1954 1955 1956 1957 … 1993 1994 1995 1996 1997 1998 1999]]\n");
}
END_TEST

START_TEST(no_answer_is_wider_than_the_screen)
{
    static const char *const lines[] = {
        "torch.randn(3, 200)",
        "torch.randn(70, 3, 40)",
        "torch.randn(2, 3, 2, 3, 2, 3, 2, 2)",
        "torch.randn(1000)",
        "torch.randn(20000)",
        "torch.arange(5000)",
        "torch.randn(30, 30) * 1e30",
        "torch.arange(10) * 10**17",
        "torch.randn(9).double() / 1e9",
        "torch.arange(60).reshape(3, 20) > 7",
        "torch.randn(4, 9).max(-1)",
        "[1, 'x' * 300, torch.zeros(3)]",
        "'word ' * 100",
        "wte.weight",
        "x",
        ":type x",
        ":vars",
        ":dims",
        ":help functions",
        "softmax?",
    };
    static const int widths[] = {40, 61, 80, 133};
    run("\"The cat sat on the mat\"");
    run("a_long_name_of_a_variable = torch.zeros(B, T, C).transpose(1, 2); b = 'x' * 1000");
    for (size_t w = 0; w < 12; w++)
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            heard.style = (es_style){
                .width = widths[w % 4], .plain = w / 4 == 1, .digits = w / 4 == 2 ? 9 : 0};
            if (heard.style.plain && (lines[i][0] == ':' || strchr(lines[i], '?')))
                continue; /* lists are a line each there */
            demand(run(lines[i]) == ES_DONE, "%s: %s", lines[i], es_str_text(&heard.errors));
            for (const char *s = es_str_text(&heard.shown); *s; s += strcspn(s, "\n") + 1)
                demand(es_columns(s, strcspn(s, "\n")) <= heard.style.width, "%s at %d: %.*s",
                       lines[i], heard.style.width, (int)strcspn(s, "\n"), s);
        }
}
END_TEST

/* Of twice the length in twice the time: squared it would be minutes. */
START_TEST(a_text_of_megabytes_is_shown_in_a_moment)
{
    static const char *const lines[] = {"'a' * %d", "raise ValueError('a' * %d)", "print('a' * %d)",
                                        "['a' * %d, 1]"};
    int n = thoroughness(4000000, 100000);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        es_str line = {0};
        struct timespec begin, end;
        const char *number = strchr(lines[i], '%');
        es_str_add(&line, "%.*s%d%s", (int)(number - lines[i]), lines[i], n, number + 2);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        run(line.s);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        demand(end.tv_sec - begin.tv_sec < 4, "%s took %d s", line.s,
               (int)(end.tv_sec - begin.tv_sec));
        es_str_free(&line);
    }
}
END_TEST

/* ---- completion ---- */

/* Candidates joined by spaces, "(" behind a function that is the only one. */
static void check_completion(const char *line, const char *want)
{
    es_completion c = es_complete(heard.session, line, strlen(line));
    es_str got = {0};
    for (size_t i = 0; i < c.n; i++)
        es_str_add(&got, "%s%s", i ? " " : "", c.word[i]);
    es_str_cat(&got, c.call ? "(" : "");
    ck_assert_msg(!strcmp(es_str_text(&got), want), "%s: %s", line, es_str_text(&got));
    es_str_free(&got);
    es_completion_free(&c);
}

START_TEST(tab_indents_a_line_that_goes_on)
{
    check_completion("", "");
    run("class Net(nn.Module):");
    check_completion("", "    ");
    check_completion("  ", "  ");
    check_completion("    ", "    ");
    run("    def forward(self, a):");
    check_completion("", "        ");
    check_completion("    ", "    ");
    run("        b = a");
    check_completion("", "        ");
    check_completion("        ", "    ");
    es_session_abandon(heard.session);
    check_completion("", "");
}
END_TEST

START_TEST(tab_completes_paths_where_a_path_stands)
{
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    setenv("HOME", folder, 1);
    ck_assert_int_eq(system("mkdir sub; touch acts.npy acts.f32 'my acts.npy' sub/deep.npy"), 0);
    check_completion("x = load(\"ac", "acts.f32 acts.npy");
    check_completion("load('acts.n", "acts.npy");
    check_completion("load( \"su", "sub/");
    check_completion("load(\"sub/", "deep.npy");
    check_completion("load(\"~/sub/d", "deep.npy");
    check_completion("torch.load(\"my", "my acts.npy");
    check_completion("fromfile(\"acts.f", "acts.f32");
    check_completion("save(x, \"acts.n", "acts.npy");
    check_completion("np.save(\"acts.n", "acts.npy");
    check_completion(":type load(\"acts.n", "acts.npy");
    check_completion("y = torch.equal(x, load(\"acts.n", "acts.npy");
    check_completion("save(\"acts.n", ""); /* that is what is saved */
    check_completion("fromfile(\"acts.f32\", dtype=\"ac", "");
    check_completion("print(\"ac", "");
    check_completion("load = 1 # load(\"ac", "");
    ck_assert_int_eq(chdir(here), 0);
    free(folder);
}
END_TEST

START_TEST(tab_completes_names_members_and_keywords)
{
    run("\"The cat\"");
    run("my_tensor = x; my_list = [1]");
    check_completion("", "");
    check_completion("my_", "my_list my_tensor");
    check_completion("1 + tok_", "tok_emb");
    check_completion("tok", "tok tok_emb token_embeddings");
    check_completion("torch.aran", "arange(");
    check_completion("F.one_h", "one_hot(");
    check_completion("np.fromf", "fromfile(");
    check_completion("torch.fromf", "");
    check_completion("my_tensor.unsq", "unsqueeze(");
    check_completion("x.sha", "shape");
    check_completion("x.T.sha", "shape");
    check_completion("wte.num", "num_embeddings");
    check_completion("x[0].unsq", "unsqueeze(");
    check_completion("x.mean(keep", "keepdim=");
    check_completion("y = x.mean(-1, keep", "keepdim=");
    check_completion("'tok", "");
    check_completion("x # tok", "");
    check_completion("my_list.shap", "");
    check_completion("5.sha", "");
    check_completion("nobody.sha", "");
    check_completion(":type tok_", "tok_emb");
    check_completion(":time tok_", "tok_emb");
    run(":text");
    check_completion("tok_", "");
    check_completion("= tok_", "tok_emb");
    check_completion(":tensor my_t", "my_tensor");
}
END_TEST

/* ---- at the prompt ---- */

static void calm(void)
{
    calm_environment();
}

static void leave(void)
{
    expect("tensor> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
    terminal_close();
}

START_TEST(brackets_and_suites_go_on_in_the_next_line)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("torch.tensor([1,\r");
    expect("   ...> ");
    type("2])\r");
    expect("[2] int64 cpu");
    expect("tensor> ");
    type("for i in range(3):\r");
    expect("   ...> ");
    type("    print(i * 7)\r");
    expect("   ...> ");
    type("\r");
    expect("14");
    expect("tensor> ");
    type("\x1b[A"); /* all of it, as one */
    expect("print(i * 7)");
    type("\r");
    expect("14");
    expect("tensor> ");
    type("a = [\r");
    expect("   ...> ");
    type("\x03");
    expect("tensor> ");
    type("a = [\r");
    expect("   ...> ");
    type("\x04"); /* ends the statement, not the program */
    expect("error[parse]");
    expect("tensor> ");
    type("while True: pass\r");
    expect("   ...> ");
    type("\r");
    usleep(100000);
    double start = now();
    type("\x03");
    expect("error[interrupted]");
    ck_assert(now() - start < 2);
    leave();
}
END_TEST

START_TEST(a_paste_of_the_articles_lines_runs_unedited)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("\"The cat sat\"\r");
    expect("tensor> ");
    type(
        "\x1b[200~"
        "        batch_size, seq_len = input_ids.shape\n"
        "\n"
        "        # Guard clause: protect against context window overflow\n"
        "        if seq_len > self.position_embeddings.num_embeddings:\n"
        "            raise ValueError(\n"
        "                f\"Sequence length ({seq_len}) exceeds maximum context window \"\n"
        "                f\"({self.position_embeddings.num_embeddings})\"\n"
        "            )\n"
        "\n"
        "        positions = torch.arange(0, seq_len, device=input_ids.device).unsqueeze(0)\n"
        "\n"
        "        tok_emb = self.token_embeddings(input_ids)      # (batch_size, seq_len, d_model)\n"
        "        pos_emb = self.position_embeddings(positions)   # (1, seq_len, d_model)\n"
        "\n"
        "        return tok_emb + pos_emb\n"
        "\x1b[201~\r");
    expect("[B=1, T=3, C=64] float32 cpu");
    expect("tensor> ");
    type("torch.equal(_, x)\r");
    expect("True");
    leave();
}
END_TEST

START_TEST(tab_ends_a_function_with_its_parenthesis)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("torch.aran\t");
    expect("torch.arange(");
    type("3)\r");
    expect("[0 1 2]");
    leave();
}
END_TEST

Suite *tensor_mode_suite(void)
{
    Suite *s = suite_create("tensor_mode");
    TCase *answers = tcase_create("answers");
    tcase_add_checked_fixture(answers, setup, teardown);
    tcase_set_timeout(answers, 60);
    tcase_add_test(answers, each_kind_of_value_has_its_object);
    tcase_add_test(answers, each_statement_of_a_line_has_an_object);
    tcase_add_test(answers, what_is_printed_stands_in_the_object_or_comes_as_it_is_printed);
    tcase_add_test(answers, a_quoted_string_alone_is_a_text);
    tcase_add_test(answers, three_quotes_in_a_file_or_paste_begin_a_docstring);
    tcase_add_test(answers, tensors_are_shown_with_names_spread_and_aligned_numbers);
    tcase_add_test(answers, what_does_not_fit_is_left_out_of_the_middle);
    tcase_add_test(answers, no_answer_is_wider_than_the_screen);
    tcase_add_test(answers, a_text_of_megabytes_is_shown_in_a_moment);
    suite_add_tcase(s, answers);
    TCase *names = tcase_create("names");
    tcase_add_checked_fixture(names, setup, teardown);
    tcase_add_test(names, the_last_text_and_the_model_have_names);
    tcase_add_test(names, pictures_leave_their_selection_and_axes);
    tcase_add_test(names, what_find_found_stays_for_the_map);
    tcase_add_test(names, a_variable_hides_a_name_until_it_is_deleted);
    tcase_add_test(names, what_is_written_lasts_and_leaves_the_model_alone);
    tcase_add_test(names, encode_and_decode_go_between_texts_and_ids);
    suite_add_tcase(s, names);
    TCase *lines = tcase_create("lines");
    tcase_add_checked_fixture(lines, setup, teardown);
    tcase_add_test(lines, a_statement_may_take_several_lines);
    tcase_add_test(lines, the_end_finishes_and_ctrl_c_drops_a_statement);
    tcase_add_test(lines, an_empty_line_ends_a_suite_that_is_typed);
    tcase_add_test(lines, errors_point_into_the_whole_line);
    tcase_add_test(lines, an_example_is_pasted_with_its_answers);
    tcase_add_test(lines, what_is_wide_is_shown_line_by_line);
    tcase_add_test(lines, some_words_are_no_statements);
    tcase_add_test(lines, a_name_and_a_question_mark_say_what_it_is);
    tcase_add_test(lines, text_that_looks_like_python_is_answered_and_advised);
    suite_add_tcase(s, lines);
    TCase *commands = tcase_create("commands");
    tcase_add_checked_fixture(commands, setup, teardown);
    tcase_add_test(commands, types_are_known_without_computing);
    tcase_add_test(commands, variables_and_named_sizes_are_listed);
    tcase_add_test(commands, forward_without_return_is_noted_once);
    tcase_add_test(commands, settings_stand_in_the_prompt);
    tcase_add_test(commands, tab_indents_a_line_that_goes_on);
    tcase_add_test(commands, tab_completes_names_members_and_keywords);
    tcase_add_test(commands, tab_completes_paths_where_a_path_stands);
    suite_add_tcase(s, commands);
    TCase *prompt = tcase_create("prompt");
    tcase_add_checked_fixture(prompt, calm, terminal_close);
    tcase_set_timeout(prompt, 60);
    tcase_add_test(prompt, brackets_and_suites_go_on_in_the_next_line);
    tcase_add_test(prompt, a_paste_of_the_articles_lines_runs_unedited);
    tcase_add_test(prompt, tab_ends_a_function_with_its_parenthesis);
    suite_add_tcase(s, prompt);
    return s;
}
