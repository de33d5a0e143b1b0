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

/* ---- decorators ---- */

START_TEST(properties_static_and_class_methods_are_pythons)
{
    CHECK_LINES(
        {"class Circle:\n"
         "    pi = 3\n"
         "    def __init__(self, r):\n"
         "        self.r = r\n"
         "    @property\n"
         "    def area(self):\n"
         "        return self.pi * self.r ** 2\n"
         "    @area.setter\n"
         "    def area(self, a):\n"
         "        self.r = (a / self.pi) ** 0.5\n"
         "    @staticmethod\n"
         "    def double(x):\n"
         "        return 2 * x\n"
         "    @classmethod\n"
         "    def unit(cls):\n"
         "        return cls(1)\n"
         "    @torch.no_grad()\n"
         "    def grown(self):\n"
         "        self.area *= 4\n"
         "        return self.r\n"
         "c = Circle(2)\n"
         "c.area, Circle.double(4), c.double(5), Circle.unit().area",
         "(12, 8, 10, 3)"},
        {"c.grown(), c.area", "(4.0, 48.0)"},
        {"class Fixed(Circle):\n"
         "    @property\n"
         "    def area(self):\n"
         "        return -1\n"
         "Fixed.unit().area",
         "-1"},
        {"Fixed(1).area = 2", "error[name]: property 'area' of 'Fixed' object has no setter"},
        {"@len\ndef f():\n    pass", "error[unsupported]: decorators are not run here"});
}
END_TEST

START_TEST(a_dataclass_is_made_from_its_annotated_names)
{
    CHECK_LINES(
        {"from dataclasses import dataclass, field\n"
         "@dataclass\n"
         "class Config:\n"
         "    n_embd: int\n"
         "    n_ctx: int = 1024\n"
         "    names: list = field(default_factory=list)\n"
         "    kind: ClassVar[str] = 'gpt'\n"
         "    @property\n"
         "    def head(self):\n"
         "        return self.n_embd // 12\n"
         "c = Config(768)\n"
         "c",
         "Config(n_embd=768, n_ctx=1024, names=[])"},
        {"c.names.append(1)\nc.names, Config(1).names, c.head, Config.n_ctx",
         "([1], [], 64, 1024)"},
        {"Config(1, n_ctx=2) == Config(1, 2), Config(1) == Config(2), Config(1) == 1",
         "(True, False, False)"},
        {"asdict(Config(1, 2)), Config.__annotations__['kind']",
         "({'n_embd': 1, 'n_ctx': 2, 'names': []}, 'ClassVar[str]')"},
        {"Config()", "error[type]: Config.__init__() missing 1 required positional argument: "
                     "'n_embd'"},
        {"Config(1, 2, 3, 4)",
         "error[type]: Config.__init__() takes 4 positional arguments but 5 were given"},
        {"Config(1, n_embd=2)",
         "error[type]: Config.__init__() got multiple values for argument 'n_embd'"},
        {"Config(nembd=2)",
         "error[type]: Config.__init__() got an unexpected keyword argument 'nembd'"},
        {"@dataclass(frozen=True)\n"
         "class Point(Config):\n"
         "    n_embd: int = 0\n"
         "    z: int = 3\n"
         "    def __post_init__(self):\n"
         "        print('made')\n"
         "p = Point()\n"
         "p",
         "Point(n_embd=0, n_ctx=1024, names=[], z=3)"},
        {"p.z = 4", "error[name]: cannot assign to field 'z'"},
        {"@dataclass\nclass A:\n    x: list = []", "error[value]: mutable default <class 'list'> "
                                                   "for field x is not allowed: use "
                                                   "default_factory"},
        {"@dataclass\nclass A:\n    x: int = 0\n    y: int",
         "error[type]: non-default argument 'y' follows default argument"},
        {"p.names.append(p)\np", "Point(n_embd=0, n_ctx=1024, names=[...], z=3)"});
}
END_TEST

/* ---- what Python calls by itself ---- */

START_TEST(operators_ask_the_methods_python_has_for_them)
{
    language_says(&l, "class V:\n"
                      "    def __init__(self, x):\n"
                      "        self.x = x\n"
                      "    def __add__(self, o):\n"
                      "        return V(self.x + (o.x if isinstance(o, V) else o))\n"
                      "    def __radd__(self, o):\n"
                      "        return V(100 * o + self.x)\n"
                      "    def __matmul__(self, o):\n"
                      "        return 'at'\n"
                      "    def __neg__(self):\n"
                      "        return V(-self.x)\n"
                      "    def __eq__(self, o):\n"
                      "        if not isinstance(o, V):\n"
                      "            return NotImplemented\n"
                      "        return self.x == o.x\n"
                      "    def __lt__(self, o):\n"
                      "        return self.x < o.x\n"
                      "    def __repr__(self):\n"
                      "        return f'V({self.x})'\n"
                      "    def __len__(self):\n"
                      "        return self.x\n"
                      "    def __getitem__(self, i):\n"
                      "        if i >= self.x:\n"
                      "            raise IndexError('no more')\n"
                      "        return 10 * i\n"
                      "    def __setitem__(self, i, v):\n"
                      "        self.x = i + v\n"
                      "    def __call__(self, *args, **names):\n"
                      "        return args, names\n");
    CHECK_LINES(
        {"V(1) + V(2), V(1) + 5, 5 + V(1), V(1) @ 2, -V(3)", "(V(3), V(6), V(501), 'at', V(-3))"},
        {"V(1) == V(1), V(1) != V(1), V(1) == 1, V(1) in [V(2), V(1)]",
         "(True, False, False, True)"},
        {"sorted([V(3), V(1)]), V(1) < V(2), V(1) > V(2), max([V(1), V(4)])",
         "([V(1), V(3)], True, False, V(4))"},
        {"len(V(3)), list(V(3)), V(3)[1], [i for i in V(2)], 20 in V(3), 30 in V(3)",
         "(3, [0, 10, 20], 10, [0, 10], True, False)"},
        {"bool(V(0)), bool(V(2)), 'yes' if V(0) else 'no'", "(False, True, 'no')"},
        {"v = V(1)\nv[2] = 3\nv += 4\nv", "V(9)"},
        {"a, b = V(2)\na, b, V(0)(1, k=2)", "(0, 10, ((1,), {'k': 2}))"},
        {"f'{V(1)} {V(2)!r:>6}', str(V(1)), [V(1)]", "('V(1)   V(2)', 'V(1)', [V(1)])"},
        {"sum([V(1), V(2)], V(0)), callable(V(1)), callable(V)", "(V(3), True, True)"},
        {"V(1) - 1", "error[type]: unsupported operand type(s) for -: 'V' and 'int'"},
        {"V(1) < 3", "error[name]: 'int' object has no attribute 'x'"},
        {"del v[0]", "error[type]: 'V' object does not support item deletion"});
}
END_TEST

START_TEST(iterators_of_ones_own_end_where_they_raise_stop_iteration)
{
    CHECK_LINES({"class Count:\n"
                 "    def __init__(self, n):\n"
                 "        self.n = n\n"
                 "        self.i = 0\n"
                 "    def __iter__(self):\n"
                 "        return self\n"
                 "    def __next__(self):\n"
                 "        self.i += 1\n"
                 "        if self.i > self.n:\n"
                 "            raise StopIteration\n"
                 "        return self.i\n"
                 "list(Count(3)), [2 * x for x in Count(2)]",
                 "([1, 2, 3], [2, 4])"},
                {"next(Count(1)), next(Count(0), 'none')", "(1, 'none')"},
                {"class Bag:\n"
                 "    def __iter__(self):\n"
                 "        return [7, 8]\n"
                 "    def __contains__(self, x):\n"
                 "        return x == 3\n"
                 "list(Bag()), 3 in Bag(), 7 in Bag()",
                 "([7, 8], True, False)"},
                {"class Bad:\n"
                 "    def __iter__(self):\n"
                 "        return self\n"
                 "    def __len__(self):\n"
                 "        return 'x'\n"
                 "list(Bad())",
                 "error[type]: iter() returned non-iterator of type 'Bad'"},
                {"len(Bad())", "error[type]: __len__() should return an int, not 'str'"},
                {"for x in object():\n    pass", "error[unsupported]: object(…) is not done here"});
}
END_TEST

START_TEST(exceptions_of_ones_own_are_raised_by_their_name)
{
    CHECK_LINES({"class TooLong(ValueError):\n"
                 "    pass\n"
                 "raise TooLong(f'by {3}')",
                 "error[value]: TooLong: by 3"},
                {"raise TooLong", "error[value]: TooLong"},
                {"class Coded(IndexError):\n"
                 "    def __init__(self, code):\n"
                 "        super().__init__(f'code {code}')\n"
                 "        self.code = code\n"
                 "e = Coded(5)\n"
                 "e, str(e), e.args, e.code, isinstance(e, LookupError)",
                 "(Coded('code 5'), 'code 5', ('code 5',), 5, True)"},
                {"raise e", "error[index_range]: Coded: code 5"},
                {"class Shy(Exception):\n"
                 "    def __str__(self):\n"
                 "        return '\\x1b'\n"
                 "raise Shy()",
                 "error[value]: Shy: \\x1b"});
}
END_TEST

Suite *classes_suite(void)
{
    Suite *s = suite_create("classes");
    TCase *t = tcase_create("classes");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_class_makes_instances_with_attributes_of_their_own);
    tcase_add_test(t, the_classes_behind_are_asked_in_pythons_order);
    tcase_add_test(t, properties_static_and_class_methods_are_pythons);
    tcase_add_test(t, a_dataclass_is_made_from_its_annotated_names);
    tcase_add_test(t, operators_ask_the_methods_python_has_for_them);
    tcase_add_test(t, iterators_of_ones_own_end_where_they_raise_stop_iteration);
    tcase_add_test(t, exceptions_of_ones_own_are_raised_by_their_name);
    suite_add_tcase(s, t);
    return s;
}
