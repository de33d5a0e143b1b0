// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes of a reader's own: what a class statement makes, what its instances do, what goes wrong. */
#include <string.h>

#include "expr/inside.h"
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
        {"def twice(f):\n    def g(*args):\n        return 2 * f(*args)\n    return g\n"
         "@twice\n@twice\ndef f(x):\n    return x\nf(3)",
         "12"},
        {"class A:\n    @twice\n    def f(self):\n        return 5\nA().f()", "10"},
        {"def named(n):\n    def tell(c):\n        c.tag = n\n        return c\n    return tell\n"
         "@named('a')\nclass B:\n    pass\nB.tag",
         "'a'"},
        {"@len\ndef f():\n    pass", "error[type]: object of type 'function' has no len()"});
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
         "error[type]: Config.__init__() takes from 2 to 4 positional arguments but 5 were given"},
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
    CHECK_LINES(
        {"class Count:\n"
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
        {"c = iter(Count(3))\nnext(c), next(c), list(c)", "(1, 2, [3])"},
        {"l = [1, 2, 3]\nit = iter(l)\nnext(it), next(it), list(it), l", "(1, 2, [3], [1, 2, 3])"},
        {"next(iter([]))", "error[value]: StopIteration"},
        {"next(iter([]), 0), list(iter('ab'))", "(0, ['a', 'b'])"},
        {"iter(3)", "error[type]: 'int' object is not iterable"},
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

/* ---- scopes ---- */

START_TEST(methods_see_what_is_around_the_class_and_not_its_body)
{
    CHECK_LINES({"def outer():\n"
                 "    n = 0\n"
                 "    class Q:\n"
                 "        n = 100\n"
                 "        def bump(self):\n"
                 "            nonlocal n\n"
                 "            n += 1\n"
                 "            return n\n"
                 "    q = Q()\n"
                 "    q.bump()\n"
                 "    return q.bump(), n, Q.n\n"
                 "outer()",
                 "(2, 2, 100)"},
                {"g = 1\n"
                 "class W:\n"
                 "    h = g + 1\n"
                 "    def set(self):\n"
                 "        global g\n"
                 "        g = 7\n"
                 "    def get(self):\n"
                 "        return h\n"
                 "W().set()\n"
                 "g, W.h",
                 "(7, 2)"},
                {"W().get()", "error[name]: nothing is called h here"},
                {"class Outer:\n"
                 "    class Inner:\n"
                 "        def f(self, x):\n"
                 "            return lambda: (self, x)\n"
                 "Outer.Inner().f(3)()[1]",
                 "3"},
                {"Outer.Inner().f()",
                 "error[type]: Outer.Inner.f() missing 1 required positional argument: 'x'"},
                {"def make(n):\n"
                 "    class Of:\n"
                 "        def get(self):\n"
                 "            return n, __class__ is Of\n"
                 "    return Of\n"
                 "make(1)().get(), make(2)().get()",
                 "((1, True), (2, True))"});
}
END_TEST

START_TEST(the_programs_self_is_hidden_by_a_methods_and_comes_back)
{
    CHECK_LINES({"self.token_embeddings is wte", "True"},
                {"class X:\n"
                 "    def __init__(self):\n"
                 "        self.token_embeddings = 5\n"
                 "    def get(self):\n"
                 "        return self.token_embeddings\n"
                 "X().get()",
                 "5"},
                {"self.token_embeddings is wte", "True"},
                {"self = X()\nself.token_embeddings", "5"},
                {"del self\nself.token_embeddings is wte", "True"});
}
END_TEST

/* ---- what has no effect, and what is let go ---- */

static const char *type_of(const char *source)
{
    es_value v = es_none();
    es_unit *unit = es_parse(source, strlen(source), NULL);
    ck_assert(unit != NULL);
    es_error_free(&l.err);
    bool ok = es_interp_type(l.in, unit, &v, &l.err);
    const char *name = ok ? es_value_type_name(&v) : l.err.message;
    es_value_unref(&v);
    es_unit_unref(unit);
    return name;
}

START_TEST(a_trial_leaves_instances_and_classes_as_they_are)
{
    language_says(&l, point);
    language_says(&l, "p = Point(1)\np.list = [1]\np.me = p\nfirst = Point(0)\nat = first\n"
                      "for i in range(300):\n    at.next = Point(i)\n    at = at.next\n");
    ck_assert_str_eq(type_of("p.x = torch.ones(2)\np.me.list.append(2)\nPoint.dims = 9\n"
                             "del p.y\np.me.x"),
                     "Tensor");
    ck_assert_str_eq(type_of("p.moved(by=3)\np.moved(by=3).x"), "int");
    ck_assert_str_eq(type_of("p.sum.__self__.x = 5\np"), "Point");
    ck_assert_str_eq(type_of("while hasattr(first, 'next'):\n    first = first.next\n"
                             "    first.x = -1\nfirst"),
                     "Point");
    CHECK_LINES({"p.x, p.y, p.list, Point.dims", "(1, 0, [1], 2)"},
                {"first.next.x, at.x", "(0, 299)"}, {"p.me is p", "True"});
    language_says(&l, "p");
    ck_assert_str_eq(type_of("_.x = 4\n_.x"), "int");
    CHECK_LINES({"p.x", "1"});
}
END_TEST

static int64_t count_containers(void)
{
    int64_t n = 0;
    for (const es_items *items = *es_interp_containers(l.in); items; items = items->next)
        n++;
    return n;
}

START_TEST(cycles_of_instances_and_classes_are_let_go)
{
    language_says(&l, "class Node:\n"
                      "    def __init__(self):\n"
                      "        self.parent = self\n"
                      "        self.method = self.up\n"
                      "    def up(self):\n"
                      "        return super()\n"
                      "    all = []\n");
    es_collect(l.in);
    int64_t before = count_containers();
    language_says(&l, "for i in range(30000):\n    n = Node()\ndel n\n");
    demand(count_containers() < 15000, "%d containers are left", (int)count_containers());
    es_collect(l.in);
    ck_assert_int_eq(count_containers(), before);
    language_says(&l, "for i in range(50):\n"
                      "    class Own:\n"
                      "        def f(self):\n"
                      "            return super().f\n"
                      "    Own.all = [Own()]\n"
                      "del Own\n");
    es_collect(l.in);
    ck_assert_int_eq(count_containers(), before);
}
END_TEST

/* ---- what goes wrong ---- */

START_TEST(mistakes_in_classes_are_named_as_python_names_them)
{
    language_says(&l, "class A:\n"
                      "    def __init__(self, d_model, n=1):\n"
                      "        self.d_model = d_model\n"
                      "    def forward(self, x):\n"
                      "        return x * self.d_modle\n"
                      "    def nothing():\n"
                      "        pass\n"
                      "    def alone(x, y):\n"
                      "        pass\n");
    CHECK_LINES(
        {"A()", "error[type]: A.__init__() missing 1 required positional argument: 'd_model'"},
        {"A(1, 2, 3)",
         "error[type]: A.__init__() takes from 2 to 3 positional arguments but 4 were given"},
        {"A(1, dmodel=2)", "error[type]: A.__init__() got an unexpected keyword argument 'dmodel'"},
        {"A(1).nothing()", "error[type]: A.nothing() takes 0 positional arguments but 1 was given"},
        {"A(1).forward(2)", "error[name]: 'A' object has no attribute 'd_modle'"},
        {"A.y", "error[name]: type object 'A' has no attribute 'y'"},
        {"A(1)(2)", "error[type]: 'A' object is not callable"},
        {"A(1)[0]", "error[type]: 'A' object is not subscriptable"},
        {"A(1)[0] = 2", "error[type]: 'A' object does not support item assignment"},
        {"for x in A(1):\n    pass", "error[type]: 'A' object is not iterable"},
        {"len(A(1))", "error[type]: object of type 'A' has no len()"},
        {"del A(1).z", "error[name]: 'A' object has no attribute 'z'"},
        {"del A(1).forward", "error[name]: 'A' has no forward of its own"},
        {"A.__name__ = 'B'", "error[unsupported]: a class's __name__ is not changed here"},
        {"A(1).__class__ = A", "error[unsupported]: A's __class__ is not changed here"},
        {"class B(int):\n    pass", "error[unsupported]: classes are not derived from int here"},
        {"class B(3):\n    pass", "error[type]: a class is derived from classes, not from 'int'"},
        {"class B(A, A):\n    pass", "error[type]: duplicate base class A"},
        {"class B(object, A):\n    pass",
         "error[type]: these bases stand in no order that suits each of them"},
        {"class B(metaclass=M):\n    pass",
         "error[unsupported]: bases are given one by one here, without names and stars"},
        {"class B:\n    return 3", "error[parse]: a class's body has nothing to return to"},
        {"super()", "error[value]: super() is for methods: there is no class around it here"},
        {"super(A, 3)",
         "error[type]: super(type, obj): obj must be an instance or subtype of type"},
        {"class C:\n    pass\nC(1)", "error[type]: C() takes no arguments"},
        {"class C:\n    def __init__(self):\n        return 3\nC()",
         "error[type]: __init__() should return None, not 'int'"},
        {"class C:\n    def f(self):\n        return self.f()\nC().f()",
         "error[range]: C.f calls itself, or others, nested more than 200 deep"},
        {"class C:\n    def __getattr__(self, name):\n        return self.x\nC().y",
         "error[range]: C.__getattr__ calls itself, or others, nested more than 200 deep"},
        {"class C:\n    def __repr__(self):\n        return 3\nrepr(C())",
         "error[type]: __repr__ returned non-string (type int)"},
        {"class C:\n    def __bool__(self):\n        return 3\nnot C()",
         "error[type]: __bool__ should return bool, returned int"});
}
END_TEST

START_TEST(hints_say_what_to_do)
{
    static const line hints[] = {
        {"A(1).alone(2, 3)", "the instance itself comes first: def alone(self, x, …)"},
        {"A(1).forwrd(2)", "did you mean .forward?"},
        {"A(1).dmodel", "did you mean .d_model?"},
        {"A(1)(2)", "modules run forward when they are called: class A(nn.Module)"},
        {"A(1).parameters()", "modules have it: class A(nn.Module)"},
        {"A(c=1)", "it is written __init__(self, d_model)"},
        {"A.alone()", "it is written alone(x, y)"},
        {"A.forward(3)", "it is written forward(self, x)\n"
                         "it is a method of what A(…) makes: m = A(…), then m(…)"},
        {"B()()", "a method __call__ would be called: def __call__(self, …)"},
        {"M()(1)", "it has one called forwad"},
        {"M().paramters()", "did you mean .parameters?"},
    };
    language_says(&l, "class A:\n"
                      "    def __init__(self, d_model):\n"
                      "        self.d_model = d_model\n"
                      "    def forward(self, x):\n"
                      "        return x\n"
                      "    def alone(x, y):\n"
                      "        pass\n"
                      "class B:\n"
                      "    pass\n"
                      "class M(nn.Module):\n"
                      "    def forwad(self, x):\n"
                      "        return x\n");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        language_says(&l, hints[i].source);
        const char *hint = l.err.hint ? l.err.hint : "";
        demand(!strcmp(hint, hints[i].shown), "%s\n  hints: %s\n  not:   %s", hints[i].source, hint,
               hints[i].shown);
    }
    language_says(&l, "M()(1)");
    ck_assert_str_eq(l.err.torch, "NotImplementedError: Module [M] is missing the required "
                                  "\"forward\" function");
}
END_TEST

START_TEST(slips_of_who_writes_a_module_are_named)
{
    static const line hints[] = {
        {"N(5)(torch.tensor([1]))", "emb is a variable of __init__ alone; self.emb = … keeps it"},
        {"N(5).v", "__init__ is given v; self.v = v in it keeps it"},
        {"N(5)(1, 2)", "it is written forward(self, ids)"},
        {"I(5)", "it is called as Module()\n"
                 "I has no __init__ (two underscores on either side), but it has _init_"},
        {"I().emb", "I has no __init__ (two underscores on either side), but it has _init_"},
        {"N(torch.tensor([1]), 2)",
         "it is written __init__(self, v)\n"
         "N is the class: m = N(…) makes a module, and m(…) runs its forward"},
        {"E()(1)", "in the class: def forward(self, x): …, indented as far as __init__"},
        {"nn.ModuleList([])(1)", "it only keeps modules: a loop runs them, or nn.Sequential(…)"},
        {"def forward(self, x):\n    return x\nE()(1)",
         "one stands outside the class, which an empty line ended; it is put in by E.forward = "
         "forward"},
        {"E.forward = forward\nE()(1).x", ""},
        {"Linear(3, 4)", "did you mean nn.Linear?"},
        {"class X(Module):\n    pass", "did you mean nn.Module?"},
        {"J()(ids)", "did you mean self.emb?"},
        {"J().weight", "did you mean .emb.weight?"},
        {"nn.Linear(3, 4)(None)", "None is what a function without return gives"},
        {"nn.Linear(6 / 2, 4)", "/ gives a float, // a whole number"},
        {"ids.view(2 / 2)", "/ gives a float, // a whole number"},
        {"ids[2 / 2]", "/ gives a float, // a whole number"},
        {"[1, 2][2 / 2]", "/ gives a float, // a whole number"},
        {"J().two()", "did you mean self.one?"},
        {"nn.Embedding[3, 2]", "help: nn.Embedding(3, 2)"},
        {"copy.deepcopy(ids)", "import copy makes it known"},
        {"super.__init__()", "it is called first: super().__init__()"},
        {"None.shape", "None is what a function without return gives"},
        {"None + 1", "None is what a function without return gives"},
        {"ids.float.shape", "float is a function, which is called: float(…)"},
        {"E().parameters.shape", "parameters is a function, which is called: parameters(…)"},
        {"forward.shape", "forward is a function, which is called: forward(…)"},
        {"2 * nn.Linear(3, 4)", "Linear is a module, which is called: m(…)"},
        {"for p in E():\n    pass", "E is a module, which is called: m(…)"},
    };
    language_says(&l, "ids = torch.tensor([1])\n"
                      "class N(nn.Module):\n"
                      "    def __init__(self, v):\n"
                      "        super().__init__()\n"
                      "        emb = nn.Embedding(v, 2)\n"
                      "    def forward(self, ids):\n"
                      "        return self.emb(ids)\n"
                      "class I(nn.Module):\n"
                      "    def _init_(self, v):\n"
                      "        self.emb = nn.Embedding(v, 2)\n"
                      "class J(nn.Module):\n"
                      "    def __init__(self):\n"
                      "        super().__init__()\n"
                      "        self.emb = nn.Embedding(3, 2)\n"
                      "    def one(self):\n"
                      "        return 1\n"
                      "    def two(self):\n"
                      "        return one() + 1\n"
                      "    def forward(self, ids):\n"
                      "        return emb(ids)\n"
                      "class E(nn.Module):\n"
                      "    pass\n");
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        language_says(&l, hints[i].source);
        const char *hint = l.err.hint ? l.err.hint : "";
        demand(!strcmp(hint, hints[i].shown), "%s\n  hints: %s\n  not:   %s", hints[i].source, hint,
               hints[i].shown);
    }
}
END_TEST

START_TEST(attributes_are_asked_for_by_name_too)
{
    language_says(&l, point);
    CHECK_LINES(
        {"p = Point(1, 2)\nsetattr(p, 'z', 3)\nvars(p)", "{'x': 1, 'y': 2, 'z': 3}"},
        {"getattr(p, 'x'), getattr(p, 'w', 0), hasattr(p, 'sum'), hasattr(p, 'w')",
         "(1, 0, True, False)"},
        {"delattr(p, 'z')\np.__dict__", "{'x': 1, 'y': 2}"},
        {"p.__class__ is Point, type(p).__name__, p.__doc__", "(True, 'Point', 'two numbers')"},
        {"p.sum.__name__, p.sum.__self__ is p, Point.sum.__name__, p.sum",
         "('sum', True, 'sum', <bound method Point.sum of <Point object>>)"},
        {"issubclass(Point, object), issubclass(bool, (str, int)), isinstance(3, Point)",
         "(True, True, False)"},
        {"class S:\n"
         "    def __setattr__(self, name, v):\n"
         "        super().__setattr__(name, v * 2)\n"
         "    def __getattr__(self, name):\n"
         "        return name + '!'\n"
         "s = S()\n"
         "s.x = 4\n"
         "s.x, s.y",
         "(8, 'y!')"});
}
END_TEST

START_TEST(what_python_calls_by_itself_is_called_or_refused)
{
    language_says(&l, "class One:\n"
                      "    only = None\n"
                      "    def __new__(cls, *args):\n"
                      "        if cls.only is None:\n"
                      "            cls.only = super().__new__(cls)\n"
                      "        return cls.only\n"
                      "    def __init__(self, x):\n"
                      "        self.x = x\n"
                      "class Bare:\n"
                      "    def __new__(cls, x):\n"
                      "        return object.__new__(cls) if x else x\n"
                      "class Known:\n"
                      "    all = []\n"
                      "    def __init_subclass__(cls, **kw):\n"
                      "        super().__init_subclass__(**kw)\n"
                      "        cls.all.append(cls.__name__)\n"
                      "class A(Known):\n"
                      "    pass\n"
                      "class B(A):\n"
                      "    pass\n"
                      "class Loud:\n"
                      "    def __setattr__(self, name, v):\n"
                      "        object.__setattr__(self, name, v + 1)\n"
                      "    def __delattr__(self, name):\n"
                      "        self.deleted = 0\n"
                      "        super().__delattr__(name)\n");
    CHECK_LINES(
        {"One(1) is One(2), One.only.x, Bare(0), Bare(1)", "(True, 2, 0, <Bare object>)"},
        {"Known.all", "['A', 'B']"}, {"p = Loud()\np.x = 3\ndel p.x\nvars(p)", "{'deleted': 1}"},
        {"class C:\n    def __getattribute__(self, name):\n        return 1",
         "error[unsupported]: nothing asks for __getattribute__ here"},
        {"class C:\n    def __get__(self, of, cls):\n        return 1",
         "error[unsupported]: nothing asks for __get__ here"},
        {"object.__new__(3)", "error[type]: object.__new__(X): X is not a type object (int)"});
}
END_TEST

START_TEST(what_is_abstract_is_not_made)
{
    language_says(&l, "from abc import ABC, ABCMeta, abstractmethod\n"
                      "class Shape(ABC):\n"
                      "    @abstractmethod\n"
                      "    def area(self):\n"
                      "        return 1\n"
                      "    @property\n"
                      "    @abstractmethod\n"
                      "    def name(self):\n"
                      "        pass\n"
                      "class Half(Shape):\n"
                      "    name = 'half'\n"
                      "class Whole(Half):\n"
                      "    def area(self):\n"
                      "        return super().area() + 1\n"
                      "class Meta(metaclass=ABCMeta):\n"
                      "    @abstractmethod\n"
                      "    def f(self):\n"
                      "        pass\n"
                      "class Plain:\n"
                      "    @abstractmethod\n"
                      "    def f(self):\n"
                      "        return 5\n");
    CHECK_LINES({"Whole().area(), Whole().name, Plain().f()", "(2, 'half', 5)"},
                {"Shape()", "error[type]: Can't instantiate abstract class Shape with abstract "
                            "methods area, name"},
                {"Half()", "error[type]: Can't instantiate abstract class Half with abstract "
                           "method area"},
                {"Meta()", "error[type]: Can't instantiate abstract class Meta with abstract "
                           "method f"});
}
END_TEST

START_TEST(a_comprehension_does_not_see_the_body_of_a_class)
{
    CHECK_LINES({"y = 'outside'\n"
                 "class K:\n"
                 "    y = 'inside'\n"
                 "    n = 2\n"
                 "    seen = [y for _ in range(n)]\n"
                 "K.seen",
                 "['outside', 'outside']"},
                {"class K:\n    n_own = 2\n    of = [n_own for _ in range(3)]",
                 "error[name]: nothing is called n_own here"});
}
END_TEST

START_TEST(a_property_may_be_deleted)
{
    language_says(&l, "class P:\n"
                      "    def __init__(self):\n"
                      "        self._x = 1\n"
                      "    @property\n"
                      "    def x(self):\n"
                      "        return self._x\n"
                      "    @x.deleter\n"
                      "    def x(self):\n"
                      "        del self._x\n"
                      "    @property\n"
                      "    def y(self):\n"
                      "        return 2\n"
                      "def kind(f):\n"
                      "    try:\n"
                      "        f()\n"
                      "    except Exception as e:\n"
                      "        return type(e).__name__\n"
                      "p = P()\n");
    CHECK_LINES(
        {"del p.x\nvars(p)", "{}"},
        {"del p.y", "error[name]: property 'y' of 'P' object has no deleter"},
        {"p.x = 3", "error[name]: property 'x' of 'P' object has no setter"},
        {"kind(lambda: setattr(p, 'x', 3)), kind(lambda: delattr(p, 'y'))",
         "('AttributeError', 'AttributeError')"},
        {"kind(lambda: nn.Linear(2, 2).load_state_dict({}))", "'RuntimeError'"},
        {"@dataclass(frozen=True)\nclass D:\n    a: int\nkind(lambda: setattr(D(1), 'a', 2))",
         "'FrozenInstanceError'"},
        {"def f():\n    print(later)\n    later = 1\nkind(f)", "'UnboundLocalError'"},
        {"issubclass(UnboundLocalError, NameError)", "True"});
}
END_TEST

START_TEST(dataclasses_are_ordered_replaced_and_taken_apart)
{
    language_says(&l, "import dataclasses\n"
                      "from dataclasses import astuple, replace, fields\n"
                      "@dataclass(order=True)\n"
                      "class In:\n"
                      "    a: int\n"
                      "    b: int = 2\n"
                      "@dataclass\n"
                      "class Out:\n"
                      "    of: In\n"
                      "    many: list = field(default_factory=list)\n"
                      "    made: int = field(init=False, default=7)\n"
                      "@dataclass(frozen=True)\n"
                      "class Fixed:\n"
                      "    a: int = 1\n"
                      "o = Out(In(1), [In(2), (In(3), {'k': In(4)})])\n");
    CHECK_LINES(
        {"In(1) < In(2), In(1, 3) <= In(1, 2), sorted([In(3), In(1)]), max(In(1), In(1, 5))",
         "(True, False, [In(a=1, b=2), In(a=3, b=2)], In(a=1, b=5))"},
        {"In(1) < 3", "error[type]: '<' not supported between instances of 'In' and 'int'"},
        {"asdict(o)", "{'of': {'a': 1, 'b': 2}, 'many': [{'a': 2, 'b': 2}, ({'a': 3, 'b': 2}, "
                      "{'k': {'a': 4, 'b': 2}})], 'made': 7}"},
        {"astuple(o)", "((1, 2), [(2, 2), ((3, 2), {'k': (4, 2)})], 7)"},
        {"replace(In(1), b=5), dataclasses.replace(Fixed(), a=3)", "(In(a=1, b=5), Fixed(a=3))"},
        {"replace(In(1), c=5)",
         "error[type]: In.__init__() got an unexpected keyword argument 'c'"},
        {"[f.name for f in fields(Out)], fields(In(1))[1].default", "(['of', 'many', 'made'], 2)"},
        {"fields(3)", "error[type]: must be called with a dataclass type or instance"},
        {"In(1, 2, 3)",
         "error[type]: In.__init__() takes from 2 to 3 positional arguments but 4 were given"},
        {"f = Fixed()\ndel f.a", "error[name]: cannot delete field 'a'"});
}
END_TEST

START_TEST(private_names_belong_to_their_class)
{
    language_says(&l, "class M:\n"
                      "    __k = 5\n"
                      "    def __init__(self):\n"
                      "        self.__x = 1\n"
                      "    def get(self):\n"
                      "        return self.__x, self.__k, M.__k, self.__hidden()\n"
                      "    def __hidden(self):\n"
                      "        return [self.__x for _ in range(1)], (lambda: self.__x)()\n"
                      "    def change(self):\n"
                      "        self.__x += 1\n"
                      "        self.__y, self.z = 1, 2\n"
                      "        del self.__y\n"
                      "    def missing(self):\n"
                      "        return self.__none\n"
                      "class N(M):\n"
                      "    def __init__(self):\n"
                      "        super().__init__()\n"
                      "        self.__x = 7\n"
                      "class _P:\n"
                      "    def __init__(self):\n"
                      "        self.__q = self.__doc__\n"
                      "n = N()\n");
    CHECK_LINES({"n.get()", "(1, 5, 5, ([1], 1))"},
                {"n.change()\nvars(n)", "{'_M__x': 2, '_N__x': 7, 'z': 2}"},
                {"n._M__x, N._M__k, vars(_P())", "(2, 5, {'_P__q': None})"},
                {"n.__x", "error[name]: 'N' object has no attribute '__x'"},
                {"n.missing()", "error[name]: 'N' object has no attribute '_M__none'"});
}
END_TEST

START_TEST(an_exception_has_its_arguments_and_what_came_before)
{
    language_says(&l, "def of(f):\n"
                      "    try:\n"
                      "        f()\n"
                      "    except Exception as e:\n"
                      "        return str(e), repr(e), e.args\n"
                      "def fail(e):\n"
                      "    raise e\n"
                      "class Mine(KeyError):\n"
                      "    pass\n");
    CHECK_LINES(
        {"of(lambda: {}['x'])", "(\"'x'\", \"KeyError('x')\", ('x',))"},
        {"of(lambda: {}[3])", "('3', 'KeyError(3)', (3,))"},
        {"of(lambda: fail(KeyError('x'))) == of(lambda: {}.pop('x'))", "True"},
        {"of(lambda: fail(Mine('x')))", "(\"'x'\", \"Mine('x')\", ('x',))"},
        {"of(lambda: fail(ValueError('a', 3)))",
         "(\"('a', 3)\", \"ValueError('a', 3)\", ('a', 3))"},
        {"of(lambda: fail(ValueError())) == of(lambda: fail(ValueError))", "True"},
        {"of(lambda: fail(ValueError()))", "('', 'ValueError()', ())"},
        {"raise ValueError('a') from 3",
         "error[type]: exception causes must derive from BaseException"},
        {"raise ValueError('a') from unknown", "error[name]: nothing is called unknown here"});
    static const line hints[] = {
        {"try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('bad')",
         "it came while dealing with ZeroDivisionError: division by zero"},
        {"try:\n    {}['a']\nexcept KeyError as e:\n    raise ValueError('bad') from e",
         "the cause is KeyError: 'a'"},
        {"try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('bad') from None", ""},
        {"try:\n    raise ValueError('a')\nexcept ValueError as e:\n    raise e", ""},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        language_says(&l, hints[i].source);
        const char *hint = l.err.hint ? l.err.hint : "";
        demand(!strcmp(hint, hints[i].shown), "%s\n  hints: %s\n  not:   %s", hints[i].source, hint,
               hints[i].shown);
    }
}
END_TEST

START_TEST(classes_and_functions_tell_about_themselves)
{
    language_says(&l, "class A:\n"
                      "    def f(self):\n"
                      "        'what f does'\n"
                      "    @property\n"
                      "    def x(self):\n"
                      "        'of x'\n"
                      "class B(A):\n"
                      "    pass\n"
                      "def g(a, b=2, *, c=3):\n"
                      "    pass\n");
    CHECK_LINES({"[c.__name__ for c in B.mro()], B.__base__ is A", "(['B', 'A', 'object'], True)"},
                {"A.f.__qualname__, A().f.__doc__, A.x.__doc__, g.__doc__",
                 "('A.f', 'what f does', 'of x', None)"},
                {"g.__defaults__, (lambda x: x).__defaults__, A.x.fget(1)", "((2,), None, None)"});
}
END_TEST

START_TEST(functions_keep_arguments_and_iterators_their_place)
{
    language_says(&l, "import functools\n"
                      "from functools import partial, reduce, wraps\n"
                      "def h(a, b, c=3, *d, e=5):\n"
                      "    return a, b, c, d, e\n"
                      "class Count:\n"
                      "    def __init__(self, n):\n"
                      "        self.n = n\n"
                      "    def __iter__(self):\n"
                      "        return self\n"
                      "    def __next__(self):\n"
                      "        if not self.n:\n"
                      "            raise StopIteration\n"
                      "        self.n -= 1\n"
                      "        return self.n\n");
    CHECK_LINES(
        {"partial(h, 1)(2), partial(h, 1, e=7)(2, 3, 4), functools.partial(h, 1, c=8)(2, c=9)",
         "((1, 2, 3, (), 5), (1, 2, 3, (4,), 7), (1, 2, 9, (), 5))"},
        {"partial(nn.LayerNorm, eps=1e-06)(4)",
         "LayerNorm((4,), eps=1e-06, elementwise_affine=True)"},
        {"p = partial(h, 1, c=2)\np.args, p.keywords, p.func is h, p, callable(p)",
         "((1,), {'c': 2}, True, functools.partial(<function h>, 1, c=2), True)"},
        {"partial(3)", "error[type]: the first argument must be callable"},
        {"reduce(lambda a, b: a * b, [2, 3, 4]), reduce(lambda a, b: a + b, [], 7)", "(24, 7)"},
        {"reduce(lambda a, b: a, [])",
         "error[type]: reduce() of empty iterable with no initial value"},
        {"@wraps(h)\ndef g():\n    return 1\ng()", "1"},
        {"it = iter([3, 7])\nnext(it), next(it), next(it, 'end'), next(it, 'end')",
         "(3, 7, 'end', 'end')"},
        {"it = iter('abc')\nnext(it)\nlist(it), list(it)", "'a'\n(['b', 'c'], [])"},
        {"next(iter(nn.Linear(2, 3).parameters())).shape, list(iter(Count(3)))",
         "(torch.Size([3, 2]), [2, 1, 0])"},
        {"next(iter([]))", "error[value]: StopIteration"},
        {"iter(3)", "error[type]: 'int' object is not iterable"});
}
END_TEST

START_TEST(what_is_equal_has_one_hash_or_none)
{
    language_says(&l, "class Same:\n"
                      "    def __eq__(self, other):\n"
                      "        return True\n"
                      "class Keyed(Same):\n"
                      "    def __hash__(self):\n"
                      "        return 7\n"
                      "@dataclass(frozen=True)\n"
                      "class Fixed:\n"
                      "    a: int\n"
                      "@dataclass\n"
                      "class Loose:\n"
                      "    a: int\n");
    CHECK_LINES(
        {"hash(3), hash(True), hash(-1), hash(2.0), hash('a') == hash('a')", "(3, 1, -2, 2, True)"},
        {"hash((1, 'a')) == hash((1, 'a')), hash(Keyed()), hash(Fixed(1)) == hash(Fixed(1))",
         "(True, 7, True)"},
        {"{Keyed(): 1}[Keyed()]", "1"}, {"hash(Same())", "error[type]: unhashable type: 'Same'"},
        {"{Same(): 1}", "error[type]: unhashable type: 'Same'"},
        {"{Loose(1): 1}", "error[type]: unhashable type: 'Loose'"},
        {"hash([1])", "error[type]: unhashable type: 'list'"},
        {"hash(((1, [2]),))", "error[type]: unhashable type: 'list'"});
}
END_TEST

START_TEST(an_instance_is_formatted_as_it_says)
{
    language_says(&l, "class F:\n"
                      "    def __format__(self, spec):\n"
                      "        return 'as ' + (spec or 'is')\n"
                      "class G:\n"
                      "    def __format__(self, spec):\n"
                      "        return 3\n");
    CHECK_LINES({"f'{F():.2f}, {F()}', '{:x}'.format(F()), format(F(), 'y')",
                 "('as .2f, as is', 'as x', 'as y')"},
                {"f'{G()}'", "error[type]: __format__ returned non-string (type int)"});
}
END_TEST

START_TEST(what_is_put_into_an_objects_dict_is_an_attribute)
{
    language_says(&l, "class Config:\n"
                      "    size = 4\n"
                      "    def __init__(self, **named):\n"
                      "        self.__dict__.update(named)\n"
                      "c = Config(a=1, b=2)\n");
    CHECK_LINES(
        {"c.a + c.b, len(c.__dict__)", "(3, 2)"},
        {"c.__dict__['d'] = 4\nvars(c).update({'e': 5}, f=6)\nc.d, c.e, c.f", "(4, 5, 6)"},
        {"c.__dict__.pop('a'), hasattr(c, 'a')", "(1, False)"},
        {"del c.__dict__['b']\ng = c.__dict__.setdefault('g', 7)\nc", "<Config object>"},
        {"c.g, vars(c)", "(7, {'d': 4, 'e': 5, 'f': 6, 'g': 7})"},
        {"c.__dict__.clear()\nvars(c)", "{}"},
        {"d = c.__dict__.copy()\nd['h'] = 8\nhasattr(c, 'h')", "False"},
        {"Config.__dict__['size'] = 5",
         "error[type]: 'mappingproxy' object does not support item assignment"},
        {"c.__dict__[3] = 5", "error[type]: attributes have names, and 'int' is none"},
        {"c.__dict__.pop('x')", "error[name]: the dict has no key 'x'"},
        {"for i in range(9):\n    c = Config()\n    c.own = c.__dict__\nc.own['i'] = i\nc.i", "8"},
        {"m = nn.Linear(2, 2)\nm.__dict__['bias'] = None\nm",
         "Linear(in_features=2, out_features=2, bias=False)"});
}
END_TEST

/* ---- try and with ---- */

/* A name in the source ends with its line; one made by a program may be of any length, or of none. */
START_TEST(a_name_without_end_is_cut_where_it_is_said)
{
    static const char *const ask[] = {
        "getattr(3, name)",
        "getattr(torch, name)",
        "getattr(ones, name)",
        "getattr(a, name)",
        "getattr(A, name)",
        "delattr(a, name)",
        "getattr(layer, name)",
        "layer.get_submodule(name)",
        "layer.load_state_dict({name: ones})",
        "nn.Linear(**{name: 3})",
        "(lambda: 3)(**{name: 3})",
        "load(name)",
        "save(ones, 'nowhere/' + name + '.npy')",
    };
    language_says(&l, "class A:\n    pass\na = A()\nlayer = nn.Linear(1, 1)\nones = torch.ones(2)");
    for (size_t i = 0; i < 2 * sizeof ask / sizeof *ask; i++) {
        const char *source = ask[i / 2];
        language_says(&l, i % 2 ? "name = ''" : "name = 'y' * 100000");
        language_says(&l, source);
        const es_error *e = &l.err;
        demand(strlen(e->message ? e->message : "") < 500, "%s: %s", source, e->message);
        demand(strlen(e->torch ? e->torch : "") < 500, "%s: %s", source, e->torch);
        demand(!e->message || !strstr(e->message, "null"), "%s: %s", source, e->message);
    }
    CHECK_LINES({"getattr(3, '')", "error[name]: 'int' object has no attribute ''"});
}
END_TEST

START_TEST(except_takes_what_is_of_its_type)
{
    language_says(&l, "class Mine(ValueError):\n"
                      "    pass\n"
                      "def attempt(f):\n"
                      "    try:\n"
                      "        return f()\n"
                      "    except Mine as e:\n"
                      "        return 'mine', e.args\n"
                      "    except (IndexError, KeyError) as e:\n"
                      "        return 'look up', str(e)\n"
                      "    except RuntimeError as e:\n"
                      "        return 'run', str(e)\n"
                      "    except Exception as e:\n"
                      "        return type(e).__name__, str(e)\n"
                      "def fail(e):\n"
                      "    raise e\n");
    CHECK_LINES(
        {"attempt(lambda: 3), attempt(lambda: fail(Mine(1, 2)))", "(3, ('mine', (1, 2)))"},
        {"attempt(lambda: fail(ValueError('no'))), attempt(lambda: fail(TypeError))",
         "(('ValueError', 'no'), ('TypeError', ''))"},
        {"attempt(lambda: [1][5]), attempt(lambda: {}['a'])",
         "(('look up', 'list index out of range'), ('look up', \"'a'\"))"},
        {"attempt(lambda: ones(2, 3) + ones(4))",
         "('run', 'The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
         "dimension 1')"},
        {"attempt(lambda: nothing), attempt(lambda: (1).x)",
         "(('NameError', \"name 'nothing' is not defined\"), ('AttributeError', \"'int' object has "
         "no attribute 'x'\"))"},
        {"attempt(lambda: 1 / 0)[0], attempt(lambda: attempt(1, 2))[0]",
         "('ZeroDivisionError', 'TypeError')"},
        {"try:\n    x = 1\nexcept ValueError:\n    x = 2\nelse:\n    x = 3\nfinally:\n    y = 4\n"
         "x, y",
         "(3, 4)"},
        {"try:\n    raise Mine('a')\nexcept:\n    x = 5\nx", "5"},
        {"try:\n    raise Mine('a')\nexcept Mine as e:\n    raise", "error[value]: Mine: a"},
        {"try:\n    raise Mine('a')\nexcept Mine as e:\n    undefined",
         "error[name]: nothing is called undefined here"},
        {"try:\n    raise Mine('a')\nexcept KeyError:\n    pass\nfinally:\n    y = 6",
         "error[value]: Mine: a"},
        {"y", "6"}, {"try:\n    1\nexcept 3:\n    pass\n'not looked at'", "'not looked at'"},
        {"try:\n    fail(1)\nexcept 3:\n    pass",
         "error[type]: catching classes that do not inherit from BaseException is not allowed"},
        {"def f():\n    for i in range(3):\n        try:\n            if i == 1:\n"
         "                continue\n            if i == 2:\n                return i\n"
         "        finally:\n            print(i)\nf()",
         "2"},
        {"def g():\n    try:\n        return 1\n    finally:\n        return 2\ng()", "2"},
        {"raise", "error[value]: there is no exception to raise again"});
}
END_TEST

START_TEST(what_is_entered_is_left)
{
    language_says(&l, "class Manager:\n"
                      "    def __init__(self, deal=False):\n"
                      "        self.deal = deal\n"
                      "        self.log = []\n"
                      "    def __enter__(self):\n"
                      "        self.log.append('in')\n"
                      "        return self\n"
                      "    def __exit__(self, kind, value, trace):\n"
                      "        self.log.append('out' if kind is None else kind.__name__)\n"
                      "        return self.deal\n");
    CHECK_LINES({"with Manager() as m, torch.no_grad():\n    x = len(m.log)\nx, m.log",
                 "(1, ['in', 'out'])"},
                {"with Manager(True) as m:\n    raise KeyError('a')\nm.log", "['in', 'KeyError']"},
                {"with Manager() as m:\n    raise KeyError('a')", "error[name]: 'a'"},
                {"m.log", "['in', 'KeyError']"},
                {"def f():\n    with Manager() as m:\n        return m\nf().log", "['in', 'out']"},
                {"with 3:\n    pass", "error[type]: 'int' object does not support the context "
                                      "manager protocol"});
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
    tcase_add_test(t, methods_see_what_is_around_the_class_and_not_its_body);
    tcase_add_test(t, the_programs_self_is_hidden_by_a_methods_and_comes_back);
    tcase_add_test(t, a_trial_leaves_instances_and_classes_as_they_are);
    tcase_add_test(t, cycles_of_instances_and_classes_are_let_go);
    tcase_add_test(t, mistakes_in_classes_are_named_as_python_names_them);
    tcase_add_test(t, hints_say_what_to_do);
    tcase_add_test(t, slips_of_who_writes_a_module_are_named);
    tcase_add_test(t, attributes_are_asked_for_by_name_too);
    tcase_add_test(t, what_python_calls_by_itself_is_called_or_refused);
    tcase_add_test(t, what_is_abstract_is_not_made);
    tcase_add_test(t, a_comprehension_does_not_see_the_body_of_a_class);
    tcase_add_test(t, a_property_may_be_deleted);
    tcase_add_test(t, dataclasses_are_ordered_replaced_and_taken_apart);
    tcase_add_test(t, private_names_belong_to_their_class);
    tcase_add_test(t, an_exception_has_its_arguments_and_what_came_before);
    tcase_add_test(t, classes_and_functions_tell_about_themselves);
    tcase_add_test(t, functions_keep_arguments_and_iterators_their_place);
    tcase_add_test(t, what_is_equal_has_one_hash_or_none);
    tcase_add_test(t, an_instance_is_formatted_as_it_says);
    tcase_add_test(t, what_is_put_into_an_objects_dict_is_an_attribute);
    tcase_add_test(t, a_name_without_end_is_cut_where_it_is_said);
    tcase_add_test(t, except_takes_what_is_of_its_type);
    tcase_add_test(t, what_is_entered_is_left);
    suite_add_tcase(s, t);
    return s;
}
