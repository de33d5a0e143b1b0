// SPDX-License-Identifier: GPL-3.0-or-later
/* A reader's own methods that change what is being looked at, lead to themselves, or bring odd names along. */
#include <string.h>

#include "language.h"
#include "support.h"

Suite *held_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

/* Source, and what is shown for it, one run after another in one world. */
typedef struct line {
    const char *source, *shown;
} line;

static void check_lines(const line *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = language_says(&l, of[i].source);
        demand(!strcmp(shown, of[i].shown), "%s\n  shows: %s\n  not:   %s", of[i].source, shown,
               of[i].shown);
    }
}

#define CHECK_LINES(...)                                                                           \
    do {                                                                                           \
        const line lines[] = {__VA_ARGS__};                                                        \
        check_lines(lines, sizeof lines / sizeof *lines);                                          \
    } while (0)

static const char emptier[] = "class E:\n"
                              "    def __init__(self, of):\n"
                              "        self.of = of\n"
                              "    def empty(self):\n"
                              "        self.of.clear()\n"
                              "        for i in range(40):\n"
                              "            if isinstance(self.of, list):\n"
                              "                self.of.append([i])\n"
                              "            else:\n"
                              "                self.of[i] = [i]\n"
                              "        return True\n"
                              "    def __hash__(self):\n"
                              "        return 1\n"
                              "    def __eq__(self, other):\n"
                              "        return self.empty()\n"
                              "    def __lt__(self, other):\n"
                              "        return self.empty()\n"
                              "    def __repr__(self):\n"
                              "        self.empty()\n"
                              "        return 'E'\n"
                              "def filled():\n"
                              "    of = []\n"
                              "    of += [(E(of), [E(of), 'ab' * 9]), (E(of), [E(of), 'ab' * 9])]\n"
                              "    return of\n"
                              "def keyed():\n"
                              "    of = {}\n"
                              "    of[(E(of), 'ab' * 9)] = [E(of), 'ab' * 9]\n"
                              "    return of\n";

START_TEST(a_list_emptied_while_it_is_compared_is_held)
{
    language_says(&l, emptier);
    CHECK_LINES({"a = filled()\na == [(1, [2, 'x']), 3]", "False"},
                {"a = filled()\na.index((1, [2, 'ab' * 9]))", "0"},
                {"a = filled()\na.count((1, [2, 'ab' * 9]))", "1"},
                {"a = filled()\n(1, [2, 'ab' * 9]) in a", "True"},
                {"a = filled()\na < [(1, [2, 'ab' * 9]), 3]",
                 "error[type]: '<' not supported between instances of 'list' and 'int'"},
                {"a = filled()\nlen(sorted([a[0], a[1]]))", "2"},
                {"a = filled()\na.sort()", "error[value]: list modified during sort"});
}
END_TEST

START_TEST(a_dict_emptied_while_a_key_is_looked_for_is_held)
{
    language_says(&l, emptier);
    CHECK_LINES({"d = keyed()\nd[(1, 'ab' * 9)]", "[0]"},
                {"d = keyed()\nd.get((1, 'ab' * 9))", "[0]"},
                {"d = keyed()\n(1, 'ab' * 9) in d", "True"},
                {"d = keyed()\nd == {(1, 'ab' * 9): 3}", "False"},
                {"d = keyed()\nd[(1, 'ab' * 9)] = 7\nd[0]", "7"},
                {"d = keyed()\nlen({(1, 'ab' * 9): 3, **d})", "40"});
}
END_TEST

START_TEST(a_list_emptied_while_it_is_printed_is_held)
{
    language_says(&l, emptier);
    CHECK_LINES({"a = filled()\nlen(repr(a)) > 100", "True"},
                {"a = filled()\nstr(a[0])", "\"(E, [E, 'ababababababababab'])\""},
                {"a = filled()\nlen(f'{a} {a!r}') > 100", "True"},
                {"d = keyed()\nlen(str(d)) > 100", "True"},
                {"from functools import partial\nk = {'b': 3}\np = partial(len, E([]), b=E([]))\n"
                 "class R:\n    def __repr__(self):\n        p.args = ()\n"
                 "        p.keywords.clear()\n        return 'R'\n"
                 "p = partial(len, R(), [R()], b=R(), c=R())\np",
                 "functools.partial(<built-in function len>, R, [R], b=R, c=R)"});
}
END_TEST

START_TEST(names_of_a_dict_that_is_emptied_by_who_is_called_are_held)
{
    CHECK_LINES({"class N:\n    def __new__(cls, **k):\n        d.clear()\n"
                 "        return object.__new__(cls)\n"
                 "    def __init__(self, **k):\n        self.k = k\n"
                 "d = {'a' * 9: [1], 'b' * 9: [2]}\nN(**d).k",
                 "{'aaaaaaaaa': [1], 'bbbbbbbbb': [2]}"},
                {"from functools import partial\nd = {'a' * 9: [1]}\np = partial(N, **d)\n"
                 "N.__init__ = lambda self, **k: p.keywords.clear() or setattr(self, 'k', k)\n"
                 "p().k",
                 "{'aaaaaaaaa': [1]}"});
}
END_TEST

START_TEST(what_leads_to_itself_by_built_in_ways_is_an_error)
{
#define DEEP "error[range]: functions and expressions are nested too deep here"
    CHECK_LINES(
        {"class A:\n    pass\nA.__call__ = A()\nA()()", DEEP}, {"A.__eq__ = A()\nA() == 3", DEEP},
        {"A.__getattr__ = A()\nA().x", DEEP}, {"m = nn.Module()\nm.forward = m\nm(3)", DEEP},
        {"from functools import partial\np = partial(len)\np.func = p\np()", DEEP},
        {"from dataclasses import dataclass\n@dataclass\nclass P:\n"
         "    y: object = None\np, q = P(), P()\np.y, q.y = p, q\np == q",
         DEEP},
        {"class X(Exception):\n    pass\ne = X()\nfor i in range(5000): e = X(e)\nrepr(e)", DEEP},
        {"str(e)", DEEP},
        {"e = ValueError(1)\nfor i in range(9000): e = ValueError(e)\nstr(e)", DEEP},
        {"repr(e)", "error[range]: lists within lists more than 200 deep are not printed"});
#undef DEEP
}
END_TEST

START_TEST(the_class_of_an_instance_stays)
{
#define STAYS "error[unsupported]: the class of an instance is not changed here"
    CHECK_LINES(
        {"class A:\n    pass\na = A()\nobject.__setattr__(a, '__class__', 3)", STAYS},
        {"a.__dict__['__class__'] = 3", STAYS}, {"a.__dict__.update({'__class__': 3})", STAYS},
        {"nn.ModuleDict({'__class__': nn.Linear(2, 2)})", STAYS},
        {"from dataclasses import dataclass\n@dataclass\nclass S:\n    __class__: int\nS(3)",
         STAYS},
        {"a", "<A object>"});
#undef STAYS
}
END_TEST

/* Names may come from strings, and strings may hold what moves a cursor. */
START_TEST(no_name_brings_a_control_character_into_an_error)
{
    static const char *const sources[] = {
        "s = nn.Sequential(OrderedDict([('a\\x1b', nn.Linear(3, 3))]))\ns(torch.zeros(2))",
        "class A:\n    pass\nsetattr(A, 'p\\x1b', property(len))\nsetattr(A(), 'p\\x1b', 1)",
        "delattr(A(), 'p\\x1b')",
        "getattr(A(), 'x\\u202e')",
        "setattr(A, 'forwar\\x1bd', lambda self: 3)\nA()(3)",
        "m = nn.Module()\nm.add_module('\\x9b', nn.Linear(2, 2))\nm.weight",
        "nn.Linear(2, 2).load_state_dict({'weigh\\x1b': 3})",
        "{'a\\x1b': 1}['b\\x1b']",
        "raise ValueError('a\\x1b\\u202eb')",
        "assert 0, 'a\\x1b'",
        "(lambda **k: 1)(1, **{'a\\x1b': 3})",
        "(lambda: 1)(**{'a\\x1b': 3})",
        "torch.zeros(2).to('cp\\x1b')",
        "import_ = __import__('\\x1b')",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        language_says(&l, sources[i]);
        const char *said[] = {l.err.message, l.err.hint, l.err.torch};
        demand(l.err.message != NULL, "%s fails", sources[i]);
        for (size_t k = 0; k < 3; k++)
            demand(!said[k] || !(strpbrk(said[k], "\x1b\x7f") || strstr(said[k], "\xc2\x9b") ||
                                 strstr(said[k], "\xe2\x80\xae")),
                   "%s says a control character", sources[i]);
    }
}
END_TEST

Suite *held_suite(void)
{
    Suite *s = suite_create("held");
    TCase *t = tcase_create("held");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_list_emptied_while_it_is_compared_is_held);
    tcase_add_test(t, a_dict_emptied_while_a_key_is_looked_for_is_held);
    tcase_add_test(t, a_list_emptied_while_it_is_printed_is_held);
    tcase_add_test(t, names_of_a_dict_that_is_emptied_by_who_is_called_are_held);
    tcase_add_test(t, what_leads_to_itself_by_built_in_ways_is_an_error);
    tcase_add_test(t, the_class_of_an_instance_stays);
    tcase_add_test(t, no_name_brings_a_control_character_into_an_error);
    suite_add_tcase(s, t);
    return s;
}
