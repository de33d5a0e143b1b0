// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes of a reader's own: what a class statement makes, what its instances do, what goes wrong. */
#include <string.h>

#include "language.h"
#include "support.h"

Suite *classes_suite(void);

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

static const char point[] = "class Point:\n"
                            "    \"\"\"two numbers\"\"\"\n"
                            "    dims = 2\n"
                            "    label: str\n"
                            "    def __init__(self, x, y=0):\n"
                            "        self.x = x\n"
                            "        self.y = y\n"
                            "    def sum(self):\n"
                            "        return self.x + self.y\n"
                            "    def moved(self, *, by):\n"
                            "        self.x += by\n"
                            "        return self\n";

/* ---- classes and their instances ---- */

START_TEST(a_class_makes_instances_with_attributes_of_their_own)
{
    language_says(&l, point);
    CHECK_LINES({"p = Point(1, y=2)\nq = Point(5)\np.x, p.y, q.x, q.y", "(1, 2, 5, 0)"},
                {"p.sum(), p.moved(by=10).x, q.x", "(3, 11, 5)"},
                {"p.z = 7\n(p.v, p.w) = 1, 2\np.z + p.v + p.w", "10"},
                {"del p.z\nhasattr(p, 'z'), hasattr(p, 'v')", "(False, True)"},
                {"Point.dims = 3\np.dims, q.dims", "(3, 3)"},
                {"p.dims = 4\np.dims, q.dims, Point.dims", "(4, 3, 3)"},
                {"Point.__name__, Point.__doc__, Point.__annotations__",
                 "('Point', 'two numbers', {'label': 'str'})"},
                {"f = p.sum\np.y = 100\nf()", "111"}, {"Point.sum(q)", "5"},
                {"p, Point", "(<Point object>, <class 'Point'>)"});
}
END_TEST

START_TEST(the_classes_behind_are_asked_in_pythons_order)
{
    CHECK_LINES({"class A:\n"
                 "    def who(self):\n"
                 "        return 'A'\n"
                 "class B(A):\n"
                 "    def who(self):\n"
                 "        return 'B' + super().who()\n"
                 "class C(A):\n"
                 "    def who(self):\n"
                 "        return 'C' + super(C, self).who()\n"
                 "class D(B, C):\n"
                 "    pass\n"
                 "D().who()",
                 "'BCA'"},
                {"D.__mro__", "(<class 'D'>, <class 'B'>, <class 'C'>, <class 'A'>, <class "
                              "'object'>)"},
                {"isinstance(D(), A), isinstance(A(), D), isinstance(D(), object), type(D()) is D",
                 "(True, False, True, True)"});
}
END_TEST

Suite *classes_suite(void)
{
    Suite *s = suite_create("classes");
    TCase *t = tcase_create("classes");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_class_makes_instances_with_attributes_of_their_own);
    tcase_add_test(t, the_classes_behind_are_asked_in_pythons_order);
    suite_add_tcase(s, t);
    return s;
}
