// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes that are well-formed and mean anything: bytes choose bodies, bases, methods, and what is done with
 * instances.  All of it parses; an error has a message; what is asked for its type changes nothing. */
#include <string.h>

#include "expr/inside.h"
#include "fuzz/fuzz.h"
#include "fuzz/state.h"

enum { MOST_STEPS = 2000, MOST_BYTES = 1 << 16, MOST_UNITS = 6, MOST_SOURCE = 6000 };

/* ---- a grammar whose choices are bytes; without bytes it takes the first, which ends ---- */

typedef struct writer {
    const uint8_t *s;
    size_t n;
    es_str out;
    int indent;
} writer;

static uint32_t take(writer *w, uint32_t below)
{
    if (!w->n || w->out.len > MOST_SOURCE)
        return 0;
    w->n--;
    return *w->s++ % below;
}

#define PICK(w, of) ((of)[take((w), sizeof(of) / sizeof *(of))])

static const char *const classes[] = {"A", "B", "C", "D"};
static const char *const names[] = {"x", "y", "f", "g", "n", "forward", "args", "training"};
static const char *const methods[] = {
    "f",           "g",           "__init__",    "forward",      "__repr__",   "__call__",
    "__getattr__", "__add__",     "__radd__",    "__eq__",       "__len__",    "__getitem__",
    "__iter__",    "__next__",    "__bool__",    "__contains__", "__lt__",     "__setattr__",
    "__str__",     "__setitem__", "__delitem__", "__iadd__",     "__matmul__", "__post_init__",
    "x",           "__neg__"};

static void newline(writer *w)
{
    es_str_char(&w->out, '\n');
    es_str_fill(&w->out, ' ', (size_t)w->indent * 4);
}

static void add(writer *w, const char *text)
{
    es_str_cat(&w->out, text);
}

static void expression(writer *w, int depth)
{
    static const char *const leaves[] = {"1",
                                         "self",
                                         "x",
                                         "[1, 2]",
                                         "'s'",
                                         "None",
                                         "{'a': 1}",
                                         "torch.ones(2)",
                                         "True",
                                         "0",
                                         "other",
                                         "NotImplemented",
                                         "super()",
                                         "range(3)",
                                         "__class__",
                                         "g",
                                         "nn.Embedding(3, 2)",
                                         "-1",
                                         "field()",
                                         "field(default_factory=list)",
                                         "[]",
                                         "len",
                                         "f'{self}'",
                                         "f'{x!r:>9}'",
                                         "type"};
    static const char *const around[][2] = {{"len(", ")"},      {"repr(", ")"},
                                            {"list(", ")"},     {"str(", ")"},
                                            {"property(", ")"}, {"[", "]"},
                                            {"(", ",)"},        {"lambda *a: ", ""},
                                            {"vars(", ")"},     {"sum(", ")"},
                                            {"sorted(", ")"},   {"type(", ")"},
                                            {"next(", ", 0)"},  {"[v for v in ", "]"},
                                            {"-(", ")"},        {"not ", ""},
                                            {"bool(", ")"},     {"callable(", ")"},
                                            {"{1: ", "}"},      {"dataclass(", ")"},
                                            {"asdict(", ")"},   {"staticmethod(", ")"},
                                            {"tuple(", ")"}};
    static const char *const between[] = {" + ",   " == ", " in ", " @ ",
                                          " and ", " < ",  " is ", ", "};
    uint32_t kind = depth > 0 ? take(w, 9) : 0;
    if (kind == 1) {
        add(w, PICK(w, classes));
        add(w, "(");
        expression(w, depth - 1);
        add(w, ")");
    } else if (kind == 2 || kind == 3) {
        add(w, kind == 2 ? "self." : "(");
        if (kind == 3) {
            expression(w, depth - 1);
            add(w, ").");
        }
        add(w, PICK(w, names));
    } else if (kind == 4) {
        add(w, "self.");
        add(w, PICK(w, methods));
        add(w, "(");
        expression(w, depth - 1);
        add(w, ")");
    } else if (kind == 5 || kind == 8) {
        const char *const *a = PICK(w, around);
        add(w, "(");
        add(w, a[0]);
        expression(w, depth - 1);
        add(w, a[1]);
        add(w, ")");
    } else if (kind == 6) {
        add(w, "(");
        expression(w, depth - 1);
        add(w, PICK(w, between));
        expression(w, depth - 1);
        add(w, ")");
    } else if (kind == 7) {
        add(w, "(");
        expression(w, depth - 1);
        add(w, ")[");
        expression(w, depth - 1);
        add(w, "]");
    } else
        add(w, PICK(w, leaves));
}

static void class_statement(writer *w, int depth);

static void suite(writer *w, int depth);

static void statement(writer *w, int depth)
{
    static const char *const heads[] = {"if ", "for self.x in ", "while ", "for x in "};
    newline(w);
    switch (take(w, 12)) {
    case 0: add(w, "pass"); return;
    case 1:
    case 2:
        add(w, "return ");
        expression(w, depth);
        return;
    case 3:
    case 4:
        add(w, "self.");
        add(w, PICK(w, names));
        add(w, take(w, 3) ? " = " : " += ");
        expression(w, depth);
        return;
    case 5:
        add(w, "del self.");
        add(w, PICK(w, names));
        return;
    case 6:
        add(w, "raise ");
        expression(w, depth);
        return;
    case 7:
        add(w, "super().");
        add(w, PICK(w, methods));
        add(w, "(");
        expression(w, depth - 1);
        add(w, ")");
        return;
    case 8:
        add(w, PICK(w, heads));
        expression(w, depth - 1);
        add(w, ":");
        suite(w, depth - 1);
        return;
    case 9:
        if (depth > 1) {
            class_statement(w, depth - 1);
            return;
        }
        add(w, "global x, g");
        return;
    case 10:
        add(w, PICK(w, classes));
        add(w, ".");
        add(w, PICK(w, names));
        add(w, " = ");
        expression(w, depth);
        return;
    default: expression(w, depth);
    }
}

static void suite(writer *w, int depth)
{
    w->indent++;
    statement(w, depth);
    for (uint32_t n = depth > 0 ? take(w, 3) : 0; n > 0; n--)
        statement(w, depth - 1);
    w->indent--;
}

static void method(writer *w, int depth)
{
    static const char *const decorators[] = {"property", "staticmethod",    "classmethod",
                                             "x.setter", "torch.no_grad()", "abstractmethod"};
    static const char *const params[] = {"self",       "self, other",        "self, *rest, **named",
                                         "",           "self, other=1",      "cls",
                                         "self, x, y", "self, *, other=None"};
    if (take(w, 4) == 1) {
        add(w, "@");
        add(w, PICK(w, decorators));
        newline(w);
    }
    add(w, "def ");
    add(w, PICK(w, methods));
    add(w, "(");
    add(w, PICK(w, params));
    add(w, "):");
    suite(w, depth);
}

static void member(writer *w, int depth)
{
    newline(w);
    switch (take(w, 5)) {
    case 0: add(w, "pass"); return;
    case 1:
        add(w, PICK(w, names));
        add(w, take(w, 2) ? ": list = " : " = ");
        expression(w, 2);
        return;
    case 2:
        add(w, PICK(w, names));
        add(w, ": int");
        return;
    default: method(w, depth);
    }
}

static void class_statement(writer *w, int depth)
{
    static const char *const bases[] = {"",
                                        "(A)",
                                        "(B, A)",
                                        "(nn.Module)",
                                        "(ValueError)",
                                        "(object)",
                                        "(C, B)",
                                        "(StopIteration)",
                                        "(ABC)",
                                        "(A, nn.Module)",
                                        "(IndexError)"};
    static const char *const decorators[] = {"@dataclass", "@dataclass(frozen=True)",
                                             "@dataclass(eq=False)"};
    if (take(w, 4) == 1) {
        add(w, PICK(w, decorators));
        newline(w);
    }
    add(w, "class ");
    add(w, PICK(w, classes));
    add(w, PICK(w, bases));
    add(w, ":");
    w->indent++;
    for (uint32_t n = 1 + take(w, 5); n > 0; n--)
        member(w, depth);
    w->indent--;
}

/* What is done at the top: classes, and self, which is one of their instances. */
static void unit_source(writer *w)
{
    if (take(w, 2) == 0)
        class_statement(w, 3);
    add(w, "\nself = ");
    add(w, PICK(w, classes));
    add(w, "(");
    if (take(w, 2))
        expression(w, 2);
    add(w, ")");
    for (uint32_t n = take(w, 4); n > 0; n--) {
        add(w, "\n");
        expression(w, 3);
    }
}

/* ---- running it ---- */

static void on_value(void *user, const es_value *v, bool quiet)
{
    es_interp **in = user;
    es_str s = {0};
    es_error err = ES_ERROR_NONE;
    (void)quiet;
    promise(es_value_repr(*in, &s, v, &err) || (err.message && *err.message));
    es_str_free(&s);
    es_error_free(&err);
}

static void check_error(bool ok, const es_error *err, size_t len)
{
    promise(ok || (err->code != ES_OK && err->message && *err->message));
    promise(ok || (err->begin <= err->end && err->end <= (ptrdiff_t)len));
}

static void run(es_interp *in, es_unit *unit)
{
    es_error why = ES_ERROR_NONE, err = ES_ERROR_NONE;
    es_str before = {0}, after = {0};
    es_value v;
    show_variables(in, &before);
    in->steps_left = MOST_STEPS;
    check_error(es_interp_type(in, unit, &v, &why), &why, unit->len);
    es_value_unref(&v);
    show_variables(in, &after);
    promise(!strcmp(es_str_text(&before), es_str_text(&after)));
    in->steps_left = MOST_STEPS;
    check_error(es_interp_run(in, unit, &err), &err, unit->len);
    es_str_free(&before);
    es_str_free(&after);
    es_error_free(&why);
    es_error_free(&err);
}

int fuzz_classes(const uint8_t *data, size_t size)
{
    static es_backend *be;
    if (!be)
        be = es_backend_open("cpu", 1, NULL);
    es_interp *in = NULL;
    const es_interp_host host = {.user = &in, .value = on_value};
    in = es_interp_new(&host, be);
    in->torch.most_bytes = MOST_BYTES;
    writer w = {data, size, {0}, 0};
    for (int i = 0; i < MOST_UNITS && w.n; i++) {
        w.out.len = 0;
        unit_source(&w);
        es_unit *unit = es_parse(w.out.s, w.out.len, NULL);
        if (!unit)
            fprintf(stderr, "%s\n", w.out.s);
        promise(unit);
        run(in, unit);
        es_unit_unref(unit);
    }
    es_collect(in);
    es_str_free(&w.out);
    es_interp_free(in);
    return 0;
}

ES_FUZZ_TARGET(fuzz_classes)
