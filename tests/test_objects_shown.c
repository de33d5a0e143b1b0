// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes, objects and modules as the session shows them: answers, JSON, :vars, :type, help, completion. */
#include <string.h>

#include "listener.h"
#include "repl/cmd_repl.h"
#include "session/complete.h"
#include "support.h"

Suite *objects_shown_suite(void);

static listener heard;

/* Lines as from a file: an empty one ends nothing. */
static void run(const char *lines)
{
    listener_forget(&heard);
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        n = strcspn(lines, "\n");
        es_session_run(heard.session, lines, n, &heard.sink);
    }
    es_session_end(heard.session, &heard.sink);
}

static void check_shown(const char *lines, const char *want)
{
    run(lines);
    ck_assert_msg(!strcmp(es_str_text(&heard.shown), want), "%s\nwanted:\n%sgot:\n%s", lines, want,
                  es_str_text(&heard.shown));
}

static void check_json(const char *lines, const char *want)
{
    run(lines);
    ck_assert_msg(!strcmp(es_str_text(&heard.json), want), "%s\n  wanted: %s  got:    %s", lines,
                  want, es_str_text(&heard.json));
}

static const char POINT[] = "class Point:\n"
                            "    \"\"\"A place.\n"
                            "\n"
                            "    Of two numbers.\"\"\"\n"
                            "    n = 2\n"
                            "\n"
                            "    def __init__(self, a, b: float = 2.0):\n"
                            "        self.a, self.b = a, b\n"
                            "\n"
                            "    def moved(self, *by, far=None, **rest) -> tuple:\n"
                            "        \"Says where.\"\n"
                            "        return self.a + by[0]\n"
                            "\n"
                            "    @property\n"
                            "    def sum(self):\n"
                            "        return print(\"asked\")\n";

static void setup(void)
{
    const es_session_options o = {
        .model = "untrained:C=4", .settings.pad = -1, .tensor = true, .lines_before = 100};
    listener_open(&heard, &o);
    es_add_repl_commands(heard.session);
    run(POINT);
    run("p = Point(1)");
}

static void teardown(void)
{
    listener_close(&heard);
}

START_TEST(a_class_says_what_it_is_for_and_how_its_methods_are_called)
{
    check_shown("Point", "class Point\n"
                         "  A place.\n"
                         "  n = 2\n"
                         "  __init__(self, a, b: float = 2.0)\n"
                         "  moved(self, *by, far=None, **rest) -> tuple\n"
                         "  @property sum(self)\n");
    heard.style.plain = true;
    check_shown("class Sub(Point, nn.Module):\n    pass\nSub", "class: Sub(Point, nn.Module)\n");
    heard.style = (es_style){.width = 40};
    check_shown("Point", "class Point\n"
                         "  A place.\n"
                         "  n = 2\n"
                         "  __init__(self, a, b: float = 2.0)\n"
                         "  moved(self, *by, far=None, **rest) ->\n"
                         "  tuple\n"
                         "  @property sum(self)\n");
}
END_TEST

START_TEST(named_tensors_are_a_line_each)
{
    check_shown("m = nn.Linear(30, 20)\nm.state_dict()", "dict of 2\n"
                                                         "  'weight'  [20, 30] float32\n"
                                                         "  'bias'    [20] float32\n");
    check_shown("m.named_parameters()", "list of 2\n"
                                        "  'weight'  [20, 30] float32\n"
                                        "  'bias'    [20] float32\n");
    check_shown("{3: wte.weight, 'p': p, '\\n': [1, wpe.weight]}",
                "dict of 3\n"
                "  3     [V=50257, C=4] float32\n"
                "  'p'   Point\n"
                "  '\\n'  [1, [P=1024, C=4] float32]\n");
    check_shown("{'a': torch.tensor([1, 2])}", "{'a': tensor([1, 2])}\n");
    check_shown("[('a', torch.tensor([1, 2]))]", "[('a', tensor([1, 2]))]\n");
    heard.style = (es_style){.width = 40};
    check_shown("{'position_embeddings.weight': wpe.weight}", "dict of 1\n"
                                                              "  'position_embeddings.weight'\n"
                                                              "    [P=1024, C=4] float32\n");
    heard.style = (es_style){.width = 80, .plain = true};
    check_shown("m.state_dict()", "dict: 2\n"
                                  "'weight': [20, 30] float32\n"
                                  "'bias': [20] float32\n");
}
END_TEST

START_TEST(modules_that_nothing_finds_are_named)
{
    check_shown("class N(nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                "        self.layers = [nn.Linear(2, 2), nn.Linear(2, 2)]\n"
                "        self.heads = {'a': nn.Linear(2, 2), 'b': 3}\n"
                "        self.sizes = [1, 2]\n"
                "N()",
                "N()\n"
                "0 parameters\n"
                "not counted: 2 modules in layers, a plain list; nn.ModuleList keeps modules\n"
                "not counted: 1 module in heads, a plain dict; nn.ModuleDict keeps modules\n");
}
END_TEST

START_TEST(help_explains_words_of_the_language)
{
    check_shown(":help del",
                "del\n"
                "  forgets a name, or removes what it leads to\n"
                "  A name of the program's own that was taken, such as x, is what it was "
                "again.\n"
                "  example: x = 3\n"
                "           del x\n");
    run(":help except");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "try, except, finally\n"));
    run("self?");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "in a method: the instance"));
    run("sim = 3\nsim?");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "your own"));
    check_json(":help while", "{\"kind\":\"word\",\"name\":\"while\",\"summary\":\"runs lines as "
                              "long as a condition holds\",\"help\":\"Ctrl-C stops it.\","
                              "\"example\":\"n = 1\\u000awhile n < 100:\\u000a    n = 2 * "
                              "n\\u000an\"}\n");
}
END_TEST

START_TEST(five_hundred_names_are_enough)
{
    run("d = {str(i): torch.zeros(2, 2) for i in range(501)}\nd");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "dict of 501\n"));
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "  '499'  [2, 2] float32\n… 1 more\n"));
}
END_TEST

START_TEST(json_has_a_class_with_its_methods)
{
    check_json(
        "Point",
        "{\"kind\":\"class\",\"value\":\"<class 'Point'>\",\"name\":\"Point\",\"bases\":"
        "[\"object\"],\"doc\":\"A place.\\u000a\\u000a    Of two numbers.\",\"methods\":["
        "{\"name\":\"__init__\",\"signature\":\"__init__(self, a, b: float = 2.0)\",\"doc\":null,"
        "\"line\":7},"
        "{\"name\":\"moved\",\"signature\":\"moved(self, *by, far=None, **rest) -> tuple\","
        "\"doc\":\"Says where.\",\"line\":10},"
        "{\"name\":\"sum\",\"signature\":\"sum(self)\",\"doc\":null,\"line\":15}]}\n");
}
END_TEST

START_TEST(json_has_an_object_with_its_attributes)
{
    check_json("p", "{\"kind\":\"object\",\"class\":\"Point\",\"value\":\"<Point object>\","
                    "\"attributes\":[{\"name\":\"a\",\"kind\":\"int\",\"value\":1},"
                    "{\"name\":\"b\",\"kind\":\"float\",\"value\":2}]}\n");
    check_json("p.b = [p]\np", "{\"kind\":\"none\"}\n"
                               "{\"kind\":\"object\",\"class\":\"Point\",\"value\":\"<Point "
                               "object>\",\"attributes\":[{\"name\":\"a\",\"kind\":\"int\","
                               "\"value\":1},{\"name\":\"b\",\"kind\":\"list\",\"items\":["
                               "{\"kind\":\"object\",\"class\":\"Point\",\"value\":\"<Point "
                               "object>\",\"attributes\":null}]}]}\n");
    check_json(":type p", "{\"kind\":\"type\",\"of\":\"object\",\"class\":\"Point\"}\n");
    check_json("p.moved", "{\"kind\":\"method\",\"value\":\"<bound method Point.moved of <Point "
                          "object>>\"}\n");
}
END_TEST

START_TEST(a_question_mark_tells_how_it_is_called_and_where_it_stands)
{
    check_shown("Point.moved?", "Point.moved\n"
                                "  your own\n"
                                "  moved(self, *by, far=None, **rest) -> tuple\n"
                                "  Says where.\n"
                                "  lines 10-12 of what was typed\n");
    check_shown("p?", "p\n"
                      "  your own\n"
                      "  now <Point object> (Point)\n"
                      "  Point\n"
                      "  A place.\n"
                      "\n"
                      "  Of two numbers.\n"
                      "    n = 2\n"
                      "    __init__(self, a, b: float = 2.0)\n"
                      "    moved(self, *by, far=None, **rest) -> tuple\n"
                      "    @property sum(self)\n"
                      "  lines 7-16 of what was typed\n");
    run("p.nothing?");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "nothing is called p.nothing here"));
}
END_TEST

/* Candidates joined by spaces. */
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

START_TEST(tab_lists_attributes_and_methods_and_asks_no_property)
{
    run("p.own = Point(p)");
    check_completion("p.", "a b moved n own sum");
    check_completion("p._", "__init__(");
    check_completion("p.mo", "moved(");
    check_completion("p.own.a.", "a b moved n own sum");
    check_completion("Point.", "moved n sum");
    check_completion("p.sum.", "");
    check_completion("Poi", "Point(");
    check_completion("Point(", "a= b=");
    check_completion("p.moved(fa", "far=");
    ck_assert_ptr_null(strstr(es_str_text(&heard.shown), "asked"));
}
END_TEST

START_TEST(tab_behind_self_lists_what_the_class_sets)
{
    static const char *const lines[] = {
        "class Net:", "    def __init__(self):", "        self.scale = 1"};
    for (size_t i = 0; i < 3; i++)
        es_session_run(heard.session, lines[i], strlen(lines[i]), &heard.sink);
    check_completion("        self.sc", "scale");
    check_completion("        self.__in", "__init__(");
    es_session_abandon(heard.session);
}
END_TEST

/* It may fail, print, or ask for what only a running statement has. */
START_TEST(a_repr_that_fails_spoils_no_list)
{
    run("class Odd:\n    def __repr__(self):\n        print(encode('a'))\n        return 1 + 'a'\n"
        "p = Odd()");
    check_shown(":vars", "Odd    Odd           class\n"
                         "Point  Point         class\n"
                         "p      <Odd object>  Odd\n");
    run("p?");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "now <Odd object> (Odd)"));
    check_shown("1", "1\n");
}
END_TEST

START_TEST(variables_have_a_line_each)
{
    run("f = lambda a, b=1: a");
    check_shown(":vars", "Point  Point             class\n"
                         "f      <lambda>(a, b=1)  function\n"
                         "p      <Point object>    Point\n");
}
END_TEST

/* ---- modules ---- */

static const char NET[] = "class Net(nn.Module):\n"
                          "    \"\"\"Two layers.\"\"\"\n"
                          "    def __init__(self):\n"
                          "        super().__init__()\n"
                          "        self.emb = nn.Embedding(5, 2)\n"
                          "        self.out = nn.Linear(2, 5, bias=False)\n"
                          "        self.out.weight = self.emb.weight\n"
                          "    def forward(self, ids):\n"
                          "        return self.out(self.emb(ids))\n"
                          "\n"
                          "m = Net()";

START_TEST(a_module_is_shown_with_its_size)
{
    run(NET);
    check_shown("m", "Net(\n"
                     "  (emb): Embedding(5, 2)\n"
                     "  (out): Linear(in_features=2, out_features=5, bias=False)\n"
                     ")\n"
                     "10 parameters, 40 B\n");
    check_shown("m.out.weight = nn.Parameter(torch.ones(5, 2))\n_",
                "Net(\n"
                "  (emb): Embedding(5, 2)\n"
                "  (out): Linear(in_features=2, out_features=5, bias=False)\n"
                ")\n"
                "20 parameters, 80 B\n");
    check_shown("nn.Dropout(0.5)", "Dropout(p=0.5, inplace=False)\n0 parameters\n");
    check_shown(":type m", "Net\n20 parameters, 80 B\n");
    check_shown("m.extra = m\n:vars", "Net    Net(nn.Module)  class\n"
                                      "Point  Point           class\n"
                                      "m      20 parameters   Net      80 B\n"
                                      "p      <Point object>  Point\n");
    check_shown("m?", "m\n"
                      "  your own\n"
                      "  now Net, 20 parameters, 80 B\n"
                      "  Net(nn.Module)\n"
                      "  Two layers.\n"
                      "    forward(self, ids)\n"
                      "  lines 3-9 of what was typed\n");
}
END_TEST

START_TEST(json_has_a_module_with_its_tree)
{
    run(NET);
    check_json("m", "{\"kind\":\"module\",\"class\":\"Net\",\"value\":\"Net(\\u000a  (emb): "
                    "Embedding(5, 2)\\u000a  (out): Linear(in_features=2, out_features=5, "
                    "bias=False)\\u000a)\",\"parameters\":10,\"bytes\":40,\"tensors\":[],"
                    "\"children\":[{\"name\":\"emb\",\"class\":\"Embedding\",\"parameters\":10,"
                    "\"bytes\":40,\"tensors\":[{\"name\":\"weight\",\"parameter\":true,\"shape\":"
                    "[5,2],\"dims\":[null,null],\"dtype\":\"float32\",\"device\":\"cpu\"}],"
                    "\"children\":[]},{\"name\":\"out\",\"class\":\"Linear\",\"parameters\":10,"
                    "\"bytes\":40,\"tensors\":[{\"name\":\"weight\",\"parameter\":true,\"shape\":"
                    "[5,2],\"dims\":[null,null],\"dtype\":\"float32\",\"device\":\"cpu\"}],"
                    "\"children\":[]}]}\n");
}
END_TEST

/* Forty modules, each twice in the one above it: 2^40 ways lead to the last. */
START_TEST(a_module_by_many_ways_is_gone_into_once)
{
    run("class Twice(nn.Module):\n"
        "    def __init__(self, of):\n"
        "        super().__init__()\n"
        "        self.a = of\n"
        "        self.b = of\n"
        "    def __repr__(self):\n"
        "        return 'Twice'\n"
        "m = nn.Linear(2, 3)\n"
        "for i in range(40):\n"
        "    m = Twice(m)\n"
        "q = torch.zeros(3)\n");
    check_shown("m", "Twice\n9 parameters, 36 B\n");
    ck_assert_uint_lt(heard.json.len, 40000);
    run("q[1:]\n:vars\n:type m\nm?");
}
END_TEST

START_TEST(tab_goes_into_modules)
{
    run(NET);
    check_completion("m.e", "emb eval extra_repr");
    check_completion("m.emb.we", "weight");
    check_completion("m.emb.weight.requires_g", "requires_grad requires_grad_");
    check_completion("m.out.num_", "");
    check_completion("m.out.in_", "in_features");
    check_completion("m.forw", "forward(");
    check_completion("m(", "ids=");
    run("m.list = nn.ModuleList([nn.Linear(2, 2)]); a = [m, torch.zeros(2)]");
    check_completion("m.list[0].in_f", "in_features");
    check_completion("a[0].emb.num_e", "num_embeddings");
    check_completion("a[1].unsq", "unsqueeze(");
    check_completion("m.list[7].in_f", "");
    check_completion("1 + a[0].emb.num_e", "num_embeddings");
    run("m.list[0]?");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "now Linear, 6 parameters, 24 B"));
}
END_TEST

START_TEST(memory_is_named_by_the_path_to_it)
{
    run(NET);
    run("m.emb.weight[1:]");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "a view of m.emb.weight"));
    run("m.emb.weight");
    ck_assert_ptr_null(strstr(heard.shown.s, "a view of"));
}
END_TEST

Suite *objects_shown_suite(void)
{
    Suite *s = suite_create("objects_shown");
    TCase *tc = tcase_create("classes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_class_says_what_it_is_for_and_how_its_methods_are_called);
    tcase_add_test(tc, json_has_a_class_with_its_methods);
    tcase_add_test(tc, json_has_an_object_with_its_attributes);
    tcase_add_test(tc, a_question_mark_tells_how_it_is_called_and_where_it_stands);
    tcase_add_test(tc, tab_lists_attributes_and_methods_and_asks_no_property);
    tcase_add_test(tc, tab_behind_self_lists_what_the_class_sets);
    tcase_add_test(tc, a_module_is_shown_with_its_size);
    tcase_add_test(tc, json_has_a_module_with_its_tree);
    tcase_add_test(tc, a_module_by_many_ways_is_gone_into_once);
    tcase_add_test(tc, tab_goes_into_modules);
    tcase_add_test(tc, memory_is_named_by_the_path_to_it);
    tcase_add_test(tc, a_repr_that_fails_spoils_no_list);
    tcase_add_test(tc, variables_have_a_line_each);
    tcase_add_test(tc, named_tensors_are_a_line_each);
    tcase_add_test(tc, modules_that_nothing_finds_are_named);
    tcase_add_test(tc, help_explains_words_of_the_language);
    tcase_add_test(tc, five_hundred_names_are_enough);
    suite_add_tcase(s, tc);
    return s;
}
