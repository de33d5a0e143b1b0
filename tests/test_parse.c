// SPDX-License-Identifier: GPL-3.0-or-later
/* The parser in its own words; what Python says of the same sources, tests/parse_ast.py asks. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ast_show.h"
#include "expr/parse.h"
#include "support.h"

Suite *parse_suite(void);

static es_unit *parse(const char *source)
{
    es_error err = ES_ERROR_NONE;
    es_unit *u = es_parse(source, strlen(source), &err);
    if (!u)
        ck_abort_msg("%s: %s", source, err.message);
    return u;
}

static const es_node *first(const es_unit *u)
{
    return u->root->kid[0];
}

/* ---- mistakes ---- */

static const struct {
    const char *source;
    ptrdiff_t begin, end;
    const char *message, *hint;
    es_code code;
} mistakes[] = {
    {"if x = 3:", 5, 6, "\"=\" gives a name to a value; two values are compared with \"==\"", NULL,
     0},
    {"if x == 3\n    y", 9, 9,
     "expected \":\" at the end of the \"if\" line, found the end of the line", NULL, 0},
    {"else if x: y", 0, 7, "Python writes \"else if\" as \"elif\"", NULL, 0},
    {"if a:\n    b\nelse if c:\n    d", 12, 19, "Python writes \"else if\" as \"elif\"", NULL, 0},
    {"else: x", 0, 4, "\"else\" belongs to no statement above it",
     "it is indented as far as its \"if\", and follows it without another statement between", 0},
    {"for i = 0", 6, 7, "expected \"in\" and what \"for\" goes through, found \"=\"",
     "for example: for i in range(10):", 0},
    {"if x:\ny = 2", 6, 7, "expected an indented line after the \"if\" of line 1, found \"y\"",
     NULL, 0},
    {"x = 1\n    y = 2", 10, 11, "this line is indented, and no line above it ends in \":\"", NULL,
     0},
    {"if x:\n    y\n  z", 12, 14, "this line is indented like no line above it",
     "a line that ends an indented part begins where an earlier line began", 0},
    {"def f(x):\n\treturn\n        y", 18, 26, "tabs and spaces are mixed before this line",
     "how far it is indented depends on the width of a tab: use spaces only", 0},
    {"if x:\n    y\n:help", 12, 13, "a command cannot stand within a statement",
     "end the statement with an empty line, then give the command", 0},
    {"x = 1; if y: z", 7, 9, "\"if\" begins a line of its own", NULL, 0},
    {"forward(x):", 10, 11, "\":\" ends the line of if, for, def and the like, and this is none",
     NULL, 0},
    {"@f\nx = 1", 3, 4, "expected \"def\" or \"class\" after a decorator, found \"x\"", NULL, 0},
    {"def f:", 5, 6, "expected \"(\" and the parameters, found \":\"", NULL, 0},
    {"def f(a=1, b): pass", 11, 12,
     "a parameter without a default value stands behind one that has it", NULL, 0},
    {"def f(a, a): pass", 9, 10, "two parameters are called \"a\"", NULL, 0},
    {"def f(*): pass", 7, 8, "expected the name of a parameter after \"*\", found \")\"", NULL, 0},
    {"lambda **k, a: 1", 12, 13, "expected \":\" behind the parameter with \"**\", found \"a\"",
     NULL, 0},

    {"f(1, (2", 5, 6, "\"(\" is never closed", NULL, 0},
    {"x = f(1, 2\ny = 3", 5, 6, "\"(\" is never closed", NULL, 0},
    {"x = [1, 2)", 9, 10, "\")\" does not close \"[\"", NULL, 0},
    {"x = [1,\n2)", 9, 10, "\")\" does not close the \"[\" of line 1", NULL, 0},
    {"x = 3)", 5, 6, "\")\" closes nothing: no \"(\" is open", NULL, 0},
    {"f(a b)", 4, 5, "expected \",\" or \")\", found \"b\"", "perhaps a comma is missing before it",
     0},
    {"[1 2]", 3, 4, "expected \",\" or \"]\", found \"2\"", "perhaps a comma is missing before it",
     0},
    {"[1,, 2]", 3, 4, "expected \",\" or \"]\", found \",\"", NULL, 0},
    {"{1: 2, 3}", 8, 9, "expected \":\" and the value of this key, found \"}\"", NULL, 0},
    {"x[]", 2, 3, "expected a value after \"[\", found \"]\"", NULL, 0},
    {"f(x=1, 2)", 7, 8, "an argument without a name stands behind one with a name",
     "in a call come first the values, then name=value", 0},
    {"f(**k, *a)", 7, 9, "an argument with \"*\" stands before those with \"**\"",
     "in a call come first the values, then name=value", 0},
    {"f(a.b=1)", 5, 6, "before \"=\" in a call stands the name of an argument",
     "to compare two values: ==", 0},
    {"f(x for x in y, 1)", 2, 14,
     "beside other arguments, \"… for … in …\" needs parentheses of its own", NULL, 0},
    {"[*x for x in y]", 1, 3, "\"*\" does not unpack within a comprehension", NULL, 0},

    {"s = 'abc", 4, 8, "the string that begins here does not end on this line",
     "close it with '; a string of several lines stands in '''", 0},
    {"s = \"\"\"abc", 4, 10, "the string that begins here in three quotes is never closed", NULL,
     0},
    {"x = 1 \\", 6, 7, "the \"\\\" at the end asks for another line, and there is none", NULL, 0},
    {"x = 1 \\ + 2", 6, 7, "\"\\\" joins two lines: nothing stands after it on its line", NULL, 0},
    {"\"\\x4\"", 1, 4, "\"\\x\" is followed by 2 hexadecimal digits",
     "a backslash itself is written \\\\, or the string r\"…\"", 0},
    {"\"\\ud800\"", 1, 7, "U+D800 is no character", NULL, 0},
    {"\"\\N{DASH}\"", 1, 3, "characters by their names, \"\\N{…}\", are not supported",
     "by its number: \\u00e9", ES_ERR_UNSUPPORTED},
    {"f\"{x\"", 2, 3, "\"{\" in this f-string is never closed",
     "a brace itself is written twice: {{ }}; quotes within the braces are of the other kind", 0},
    {"f\"{d[\"a\"]}\"", 4, 5, "\"[\" is never closed",
     "quotes within the braces of an f-string are of the other kind", 0},
    {"f\"{}\"", 2, 4, "nothing stands between the braces", "a brace itself is written twice: {{ }}",
     0},
    {"f\"a}b\"", 3, 4, "\"}\" alone in an f-string", "a brace itself is written twice: }}", 0},
    {"f\"{x!z}\"", 4, 5, "after \"!\" stands r, s or a", NULL, 0},
    {"f\"{a b}\"", 5, 6, "expected \"}\", found \"b\"", NULL, 0},
    {"f\"{a +}\"", 6, 6, "expected a value after \"+\", found the end of the braces", NULL, 0},
    {"f\"{x # y}\"", 5, 6, "\"#\" cannot stand in the braces of an f-string", NULL, 0},
    {"f\"{a:{b:{c}}}\"", 8, 9, "braces in the format of a format", NULL, 0},
    {"b'abc'", 0, 6, "bytes, b\"…\", are not supported", "without the b it is a string",
     ES_ERR_UNSUPPORTED},

    {"x = 12ab", 4, 8, "\"12ab\" is neither a number nor a name",
     "a name begins with a letter; between a number and a name stands an operator, such as *", 0},
    {"x = 1__0", 4, 8, "\"1__0\" is neither a number nor a name",
     "in a number \"_\" stands between two digits: 50_257", 0},
    {"x = 0123", 4, 8, "a whole number does not begin with 0: \"0123\"",
     "octal numbers begin with 0o", 0},
    {"x = 0b12", 4, 8, "\"0b12\" is no number: after 0b come digits from 0 to 1", NULL, 0},
    {"x = 0x", 4, 6, "no digits follow \"0x\"", NULL, 0},
    {"x = 3j", 4, 6, "complex numbers such as \"3j\" are not supported", NULL, ES_ERR_UNSUPPORTED},
    {"9223372036854775808", 0, 19,
     "a whole number of more than 64 bits: the largest is 9223372036854775807",
     "as a float it fits: write a point behind it, or 1e20", ES_ERR_RANGE},

    {"x = \xE2\x80\x9C"
     "a\xE2\x80\x9D",
     4, 7, "the character \"\xE2\x80\x9C\" is not part of the language", "try: \"", 0},
    {"x = 2\xC3\x97"
     "3",
     5, 7, "the character \"\xC3\x97\" is not part of the language", "try: *", 0},
    {"x = a ? b : c", 6, 7, "the character \"?\" is not part of the language",
     "Python writes a ? b : c as: b if a else c", 0},
    {"x\xE2\x80\x8B = 1", 1, 4, "an invisible character, \"\\u{200b}\", stands here", "delete it",
     0},
    {"x = \xFF", 4, 5, "the byte \\xFF is no text: outside of strings the language is UTF-8", NULL,
     0},

    {"print x", 0, 5, "print is a function: what it prints stands in parentheses", "try: print(…)",
     0},
    {"x++", 1, 3, "Python has no \"++\" here", "Python writes: x += 1", 0},
    {"a && b", 2, 4, "Python has no \"&&\" here", "Python writes: a and b", 0},
    {"a || b", 2, 4, "Python has no \"||\" here", "Python writes: a or b", 0},
    {"if !x: y", 3, 4, "Python has no \"!\" here", "Python writes: not a", 0},
    {"a <> b", 2, 4, "Python has no \"<>\" here", "Python writes: a != b", 0},
    {"a === b", 2, 5, "Python has no \"===\" here", "Python writes: a == b", 0},
    {"a => b", 2, 4, "Python has no \"=>\" here", "Python writes: a >= b", 0},
    {"x->y", 1, 3, "Python has no \"->\" here", "Python writes: a.b", 0},
    {"// a", 0, 2, "Python has no \"//\" here", "Python writes: # a comment", 0},
    {"/* a */", 0, 2, "Python has no \"/*\" here", "Python writes: # a comment", 0},
    {"int x = 3", 4, 5, "expected an operator or the end of the line, found \"x\"",
     "a name needs no declaration: leave the first word out", 0},
    {"The cat sat", 4, 7, "expected an operator or the end of the line, found \"cat\"",
     "text stands in quotes: \"The cat sat\"", 0},
    {"x = a b", 6, 7, "expected an operator or the end of the line, found \"b\"", NULL, 0},
    {"x =", 3, 3, "expected a value after \"=\", found the end of the line", NULL, 0},
    {"* 3", 0, 3, "\"*\" unpacks into a list, a tuple or a call, and none is here",
     "a comma makes a tuple: *x,", 0},
    {"/ 3", 0, 1, "expected a value, found \"/\"", NULL, 0},
    {"class = 3", 6, 7, "expected a name after \"class\", found \"=\"", NULL, 0},
    {"x.class", 2, 7, "expected a name after \".\", found \"class\"",
     "\"class\" is a word of the language and no name", 0},
    {"a if b", 6, 6, "expected \"else\" and a value, found the end of the line",
     "a condition within an expression has both: a if b else c", 0},
    {"1 + not x", 4, 7, "\"not\" needs parentheses here", "try: (not …)", 0},
    {"1 + lambda: x", 4, 10, "\"lambda\" needs parentheses here", "try: (lambda …)", 0},
    {"3 = x", 0, 1, "a number cannot be given a value", "to compare two values: ==", 0},
    {"f(x) = 3", 0, 4, "the result of a call cannot be given a value",
     "to compare two values: ==", 0},
    {"x + 1 = y", 0, 5, "the result of an operation cannot be given a value",
     "to compare two values: ==", 0},
    {"None = 3", 0, 4, "None cannot be given a value", "to compare two values: ==", 0},
    {"a, b += 1", 0, 4,
     "a tuple cannot be changed in place: only a name, an attribute or an item can", NULL, 0},
    {"(a, b): int = 3", 1, 5,
     "a tuple cannot have a type: only a name, an attribute or an item can", NULL, 0},
    {"del f()", 4, 7, "the result of a call cannot be deleted", NULL, 0},
    {"import", 6, 6, "expected the name of a module, found the end of the line", NULL, 0},
    {"from torch import", 17, 17, "expected a name, found the end of the line", NULL, 0},
    {"global 3", 7, 8, "expected a name, found \"3\"", NULL, 0},
    {"x := 3", 2, 4, "\":=\" stands within an expression, after a name",
     "here in parentheses, (n := 3); as a statement it is n = 3", 0},
    {"try:\n    x", 0, 3, "\"try\" is followed by \"except\" or \"finally\"",
     "for example: except ValueError as e:", 0},
    {"try:\n    x\nexcept:\n    y\nexcept E:\n    z", 25, 31,
     "\"except\" without a type catches all, and comes last", NULL, 0},
    {"try:\n    x\nexcept E as 3:\n    y", 23, 24, "expected a name after \"as\", found \"3\"",
     NULL, 0},
    {"x = yield", 4, 9, "\"yield\" is not supported", NULL, ES_ERR_UNSUPPORTED},
};

START_TEST(mistakes_are_named_where_they_are)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const char *source = mistakes[i].source;
        es_error err = ES_ERROR_NONE;
        es_unit *u = es_parse(source, strlen(source), &err);
        demand(!u, "%s: is accepted", source);
        demand(!strcmp(err.message, mistakes[i].message), "%s: says %s", source, err.message);
        demand((err.hint == NULL) == (mistakes[i].hint == NULL) &&
                   (!err.hint || !strcmp(err.hint, mistakes[i].hint)),
               "%s: hints %s", source, err.hint ? err.hint : "nothing");
        demand(err.begin == mistakes[i].begin && err.end == mistakes[i].end,
               "%s: points to %td-%td", source, err.begin, err.end);
        demand(err.code == (mistakes[i].code ? mistakes[i].code : ES_ERR_PARSE), "%s: is %s",
               source, es_code_name(err.code));
        es_error_free(&err);
    }
}
END_TEST

START_TEST(nul_bytes_are_refused_outside_of_strings)
{
    es_error err = ES_ERROR_NONE;
    static const char outside[] = "x = \0", inside[] = "'a\0b\xFF'";
    ck_assert_fails(es_parse(outside, 5, &err), err, ES_ERR_PARSE, "a NUL byte stands here");
    es_unit *u = es_parse(inside, sizeof inside - 1, NULL);
    ck_assert_ptr_nonnull(u);
    ck_assert_uint_eq(first(u)->kid[0]->n_text, 4);
    ck_assert_mem_eq(first(u)->kid[0]->text, "a\0b\xFF", 5);
    es_unit_unref(u);
}
END_TEST

/* ---- trees ---- */

static void check_tree(const char *source, const char *want)
{
    es_unit *u = parse(source);
    es_str shown = {0};
    show_tree(&shown, first(u), false);
    demand(!strcmp(shown.s, want), "%s: %s", source, shown.s);
    es_str_free(&shown);
    es_unit_unref(u);
}

START_TEST(operators_bind_as_in_python)
{
    check_tree(
        "-x ** -2 @ y",
        "Expr(value=BinOp(left=UnaryOp(op=USub(), operand=BinOp(left=Name(id='x', ctx=Load()), "
        "op=Pow(), right=UnaryOp(op=USub(), operand=Constant(value=2)))), op=MatMult(), "
        "right=Name(id='y', ctx=Load())))");
    check_tree(
        "not a in b is not c",
        "Expr(value=UnaryOp(op=Not(), operand=Compare(left=Name(id='a', ctx=Load()), ops=[In(), "
        "IsNot()], comparators=[Name(id='b', ctx=Load()), Name(id='c', ctx=Load())])))");
    check_tree(
        "x[..., 1:, None]",
        "Expr(value=Subscript(value=Name(id='x', ctx=Load()), slice=Tuple(elts=[Constant("
        "value=Ellipsis), Slice(lower=Constant(value=1)), Constant(value=None)], ctx=Load()), "
        "ctx=Load()))");
}
END_TEST

START_TEST(joined_lines_in_front_of_a_statement_are_blanks)
{
    const char *one = "Expr(value=Constant(value=1))";
    check_tree("1\n\\\r\n\r\n", one);
    check_tree("\\\n\\\n\n1", one);
    check_tree("1\n\\\n# nothing\n", one);
    const char *suite = "If(test=Constant(value=1), body=[Expr(value=Name(id='a', ctx=Load())), "
                        "Expr(value=Name(id='b', ctx=Load()))], orelse=[])";
    check_tree("if 1:\n  a\n  \\\nb", suite);
    check_tree("if 1:\n  a\n\\\n  b", suite);
    check_tree("if 1:\n  a\n\\\n\n  b", suite);
}
END_TEST

START_TEST(a_name_is_given_within_an_expression)
{
    check_tree("(n := 3)", "Expr(value=NamedExpr(target=Name(id='n', ctx=Store()), "
                           "value=Constant(value=3)))");
    check_tree("x[n := 3]",
               "Expr(value=Subscript(value=Name(id='x', ctx=Load()), slice=NamedExpr(target=Name("
               "id='n', ctx=Store()), value=Constant(value=3)), ctx=Load()))");
    check_tree("while n := f(): pass",
               "While(test=NamedExpr(target=Name(id='n', ctx=Store()), value=Call(func=Name("
               "id='f', ctx=Load()), args=[], keywords=[])), body=[Pass()], orelse=[])");
}
END_TEST

START_TEST(strings_side_by_side_are_one)
{
    check_tree("'a' \"b\" r'\\n' '\\x41\\u00e9\\101'",
               "Expr(value=Constant(value='ab\\\\nA\\xe9A'))");
    check_tree(
        "'a' f'{x!r:>{w}}' '{b}'",
        "Expr(value=JoinedStr(values=[Constant(value='a'), FormattedValue(value=Name(id='x', "
        "ctx=Load()), conversion=114, format_spec=JoinedStr(values=[Constant(value='>'), "
        "FormattedValue(value=Name(id='w', ctx=Load()), conversion=-1)])), "
        "Constant(value='{b}')]))");
    check_tree("f'{x = }'",
               "Expr(value=JoinedStr(values=[Constant(value='x = '), FormattedValue(value=Name("
               "id='x', ctx=Load()), conversion=114)]))");
    check_tree("'''a\r\nb'''", "Expr(value=Constant(value='a\\nb'))");
}
END_TEST

START_TEST(nodes_know_their_places)
{
    es_unit *u = parse("y = (a + b).sum(dim=-1)  # the sum\n");
    const es_node *call = first(u)->kid[1], *sum = call->kid[0], *plus = sum->kid[0];
    ck_assert_uint_eq(call->begin, 4);
    ck_assert_uint_eq(call->end, 23);
    ck_assert_uint_eq(sum->op_begin, 12);
    ck_assert_uint_eq(sum->op_end, 15);
    ck_assert_uint_eq(plus->begin, 5);
    ck_assert_uint_eq(plus->end, 10);
    ck_assert_uint_eq(plus->op_begin, 7);
    ck_assert(plus->parens && !call->parens);
    ck_assert_int_eq(call->height, 4);
    es_unit_unref(u);
}
END_TEST

START_TEST(a_semicolon_at_the_end_keeps_quiet)
{
    es_unit *u = parse("x; y;\nz");
    ck_assert_int_eq(u->root->n_kids, 3);
    ck_assert(!first(u)->quiet && u->root->kid[1]->quiet && !u->root->kid[2]->quiet);
    ck_assert_int_eq(u->root->kid[2]->line, 2);
    es_unit_unref(u);
}
END_TEST

START_TEST(prompts_and_indentation_are_blanks)
{
    static const char *const pasted[] = {
        "if x:\n    y\nz\n",
        ">>> if x:\n...     y\n... \n>>> z\n",
        "  >>> if x:\n  ...     y\n  >>> z",
        "In [3]: if x:\n   ...:     y\n   ...:\nIn [4]: z",
        "        if x:\n\n            y\n    # z\n        z",
        "\xEF\xBB\xBFif x:\r\n\ty\r\nz",
        "if x:\n\xC2\xA0\xC2\xA0y\nz\xC2\xA0",
    };
    for (size_t i = 0; i < sizeof pasted / sizeof *pasted; i++) {
        es_str shown = {0};
        es_unit *u = parse(pasted[i]);
        show_tree(&shown, u->root, false);
        ck_assert_str_eq(shown.s,
                         "Module(body=[If(test=Name(id='x', ctx=Load()), body=[Expr(value=Name("
                         "id='y', ctx=Load()))], orelse=[]), Expr(value=Name(id='z', "
                         "ctx=Load()))], type_ignores=[])");
        const es_node *z = u->root->kid[1];
        ck_assert_int_eq(pasted[i][z->begin], 'z'); /* places stay those of what was given */
        ck_assert_uint_eq(u->len, strlen(pasted[i]));
        es_str_free(&shown);
        es_unit_unref(u);
    }
}
END_TEST

START_TEST(the_articles_module_is_read)
{
    const char *source =
        "class TransformerEmbeddings(nn.Module):\n"
        "    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:\n"
        "        batch_size, seq_len = input_ids.shape\n\n"
        "        # Guard clause\n"
        "        if seq_len > self.position_embeddings.num_embeddings:\n"
        "            raise ValueError(\n"
        "                f\"Sequence length ({seq_len}) exceeds maximum context window \"\n"
        "                f\"({self.position_embeddings.num_embeddings})\"\n"
        "            )\n"
        "        return tok_emb + pos_emb\n";
    es_unit *u = parse(source);
    const es_node *class = first(u), *def = class->kid[1]->kid[0], *guard = def->kid[1]->kid[1];
    ck_assert_str_eq(class->text, "TransformerEmbeddings");
    ck_assert_int_eq(def->kid[0]->n_kids, 2);
    ck_assert_int_eq(guard->kind, ES_N_IF);
    ck_assert_int_eq(guard->line, 6);
    ck_assert_uint_eq(def->end, strlen(source) - 1);
    ck_assert_int_eq(guard->kid[1]->kid[0]->kid[0]->kid[1]->n_kids, 5);
    es_unit_unref(es_unit_ref(u));
    es_unit_unref(u);
}
END_TEST

/* ---- limits ---- */

/* n times a, then b, then n times c. */
static char *nest(const char *a, const char *b, const char *c, int n)
{
    es_str s = {0};
    for (int i = 0; i < n; i++)
        es_str_cat(&s, a);
    es_str_cat(&s, b);
    for (int i = 0; i < n; i++)
        es_str_cat(&s, c);
    return es_str_take(&s);
}

static const struct {
    const char *a, *b, *c;
    int fits, too_many;
    const char *message;
} deep[] = {
    {"(", "x", ")", 200, 201, "more than 200 brackets are open"},
    {"[", "", "]", 200, 30000, "more than 200 brackets are open"},
    {"f(", "x", ")", 200, 201, "more than 200 brackets are open"},
    {"{x: ", "x", "}", 200, 201, "more than 200 brackets are open"},
    {"-", "x", "", 200, 30000, "more than 200 operations wait for the next"},
    {"not ", "x", "", 200, 201, "more than 200 operations wait for the next"},
    {"x ** ", "x", "", 200, 201, "more than 200 operations wait for the next"},
    {"x if x else ", "x", "", 200, 201, "more than 200 operations wait for the next"},
    {"lambda: ", "x", "", 200, 201, "more than 200 operations wait for the next"},
    {"", "x", " + 1", 997, 30000 / 2, "more than 999 operations, one on the result of another"},
    {"", "x", ".T", 997, 30000, "more than 999 operations, one on the result of another"},
    {"", "x", "[0]", 997, 20000, "more than 999 operations, one on the result of another"},
    {"x = ", "x", "", 10000, 0, NULL},
    {"x or ", "x", "", 10000, 0, NULL},
    {"x < ", "x", "", 10000, 0, NULL},
    {"x, ", "x", "", 10000, 0, NULL},
    {"", "if x: y\n", "elif x: y\n", 200, 201, "more than 200 \"elif\""},
};

START_TEST(depth_is_limited_and_length_is_not)
{
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        es_error err = ES_ERROR_NONE;
        char *fine = nest(deep[i].a, deep[i].b, deep[i].c, deep[i].fits);
        es_unit *u = es_parse(fine, strlen(fine), &err);
        demand(u, "%zu: %s", i, err.message);
        es_unit_unref(u);
        free(fine);
        if (!deep[i].message)
            continue;
        char *much = nest(deep[i].a, deep[i].b, deep[i].c, deep[i].too_many);
        u = es_parse(much, strlen(much), &err);
        demand(!u && !strcmp(err.message, deep[i].message), "%zu: %s", i, err.message);
        free(much);
        es_error_free(&err);
    }
}
END_TEST

START_TEST(sources_and_lines_have_a_length)
{
    es_error err = ES_ERROR_NONE;
    char *line = nest("", "x", " ", ES_MOST_LINE), *source = nest("", "x", "\n", ES_MOST_SOURCE);
    ck_assert_fails(es_parse(line, ES_MOST_LINE + 1, &err), err, ES_ERR_PARSE,
                    "a line of 65537 bytes: the longest has 65536");
    ck_assert_fails(es_parse(source, ES_MOST_SOURCE + 1, &err), err, ES_ERR_PARSE,
                    "a source of 1048577 bytes: at most 1048576 are read at once");
    es_unit *u = es_parse(line, ES_MOST_LINE, &err);
    ck_assert_works(u != NULL, err);
    es_unit_unref(u);
    u = es_parse(source, ES_MOST_SOURCE, &err);
    ck_assert_works(u != NULL, err);
    es_unit_unref(u);
    free(line);
    free(source);
}
END_TEST

START_TEST(indentation_has_a_depth)
{
    es_str s = {0};
    es_error err = ES_ERROR_NONE;
    for (int i = 0; i < 101; i++) {
        es_str_fill(&s, ' ', (size_t)i);
        es_str_cat(&s, "if x:\n");
    }
    ck_assert_fails(es_parse(s.s, s.len, &err), err, ES_ERR_PARSE,
                    "more than 100 levels of indentation");
    es_str_free(&s);
}
END_TEST

/* ---- is it whole? ---- */

static const struct {
    const char *source;
    es_input_state state;
} inputs[] = {
    {"", ES_INPUT_EMPTY},
    {"   \n # a note", ES_INPUT_EMPTY},
    {">>> ", ES_INPUT_EMPTY},
    {"x", ES_INPUT_COMPLETE},
    {"x = (1,\n2)", ES_INPUT_COMPLETE},
    {"x)", ES_INPUT_COMPLETE},
    {"x = 'abc", ES_INPUT_COMPLETE},
    {"x = f(1))", ES_INPUT_COMPLETE},
    {"x = [1)", ES_INPUT_COMPLETE},
    {"x = (12ab", ES_INPUT_COMPLETE},
    {"The cat (sat", ES_INPUT_COMPLETE},
    {"if x = 3:", ES_INPUT_COMPLETE},
    {"x = lambda:", ES_INPUT_COMPLETE},
    {"f(x):", ES_INPUT_COMPLETE},
    {"def f(x): return x", ES_INPUT_COMPLETE},
    {"class A: pass", ES_INPUT_COMPLETE},
    {"if a: b\nelse: c", ES_INPUT_COMPLETE},
    {"if a:\n    b\nelse: c", ES_INPUT_COMPLETE},
    {"for x in y:\n    z\nw", ES_INPUT_COMPLETE},
    {"if x:\ny", ES_INPUT_COMPLETE},
    {"x = 'abc\\\ndef'", ES_INPUT_COMPLETE},
    {"try = 3", ES_INPUT_COMPLETE},
    {"x = (1,", ES_INPUT_OPEN},
    {"raise ValueError(\n    f\"a\"", ES_INPUT_OPEN},
    {"if f(", ES_INPUT_OPEN},
    {"x = '''abc\n\n", ES_INPUT_OPEN},
    {"x = f('''", ES_INPUT_OPEN},
    {"x = 1 + \\", ES_INPUT_OPEN},
    {"x = 1 + \\\n", ES_INPUT_OPEN},
    {"x = 'abc\\", ES_INPUT_OPEN},
    {"x = 'abc\\\n", ES_INPUT_OPEN},
    {"@torch.no_grad()", ES_INPUT_OPEN},
    {">>> x = [1,\n... 2,", ES_INPUT_OPEN},
    {"if x:", ES_INPUT_SUITE},
    {"if x:  # why\n", ES_INPUT_SUITE},
    {"if x:\n    y", ES_INPUT_SUITE},
    {"if x:\n    y\n\n    # z\n", ES_INPUT_SUITE},
    {"if x:\n    if y:\n        z\n    w", ES_INPUT_SUITE},
    {"if x: y", ES_INPUT_SUITE},
    {"for i in x: print(i)", ES_INPUT_SUITE},
    {"def f(x):", ES_INPUT_SUITE},
    {"@f\ndef g():\n    pass", ES_INPUT_SUITE},
    {"x = 1\nwhile x:\n    x = 0", ES_INPUT_SUITE},
    {">>> for i in x:\n...     y", ES_INPUT_SUITE},
    {"        if x:\n            y", ES_INPUT_SUITE},
};

static es_input_state whole_or_not(const char *source, size_t len)
{
    es_input *in = es_input_new();
    es_input_state state = es_input_add(in, source, len);
    es_input_free(in);
    return state;
}

START_TEST(a_source_says_whether_it_is_whole)
{
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        es_input_state state = whole_or_not(inputs[i].source, strlen(inputs[i].source));
        demand(state == inputs[i].state, "%s: is %d", inputs[i].source, (int)state);
    }
}
END_TEST

static const struct {
    const char *source, *line;
    bool continues;
} lines[] = {
    {"if x:", "    y", true},
    {"if x:", "\ty", true},
    {"if x:\n    y", "", true},
    {"if x:\n    y", "   ", true},
    {"if x:\n    y", "# note", true},
    {"if x:\n    y", "else:", true},
    {"if x:\n    y", "elif z:", true},
    {"if x:\n    y", "z", false},
    {"if x:\n    y", "elsewhere = 3", false},
    {"if x:\n    y", ":help", false},
    {"    if x:\n        y", "    z", false},
    {"    if x:\n        y", "        z", true},
    {"    if x:\n        y", "    else:", true},
    {">>> if x:\n...     y", "...     z", true},
    {">>> if x:\n...     y", "... ", true},
    {">>> if x:\n...     y", ">>> z", false},
    {"In [3]: if x:", "   ...:     y", true},
    {"In [3]: if x:", "In [4]: y", false},
};

START_TEST(a_line_says_whether_it_belongs_to_the_suite)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        es_input *in = es_input_new();
        es_input_add(in, lines[i].source, strlen(lines[i].source));
        demand(es_input_takes(in, lines[i].line, strlen(lines[i].line)) == lines[i].continues,
               "%s, then %s", lines[i].source, lines[i].line);
        es_input_free(in);
    }
}
END_TEST

static const char *const long_sources[] = {
    "x = [1,\n2,\n\n# note\n3,\n]\n",
    "x = '''a\nb\\\n\\'''\n\"\"\"\nc''' + [\n4]",
    "x = 'a\\\nb\\\nc'",
    "x = 1 + \\\n2 + \\\n3",
    "x = (f'''{\n1}''',\nr'a\\\nb')",
    "def f(x):\n    '''it\n  says'''\n    if x:\n\n        y\n# note\n        z\n    w\n",
    "    if x:\n        if y: z\n        while w:\n            v\n    else:\n        u",
    ">>> for i in x:\n...     y = [\n...         3,\n...     ]\n...     z",
    "@f\n@g\ndef h():\n    pass",
};

START_TEST(a_source_stands_the_same_read_at_once_or_line_by_line)
{
    for (size_t i = 0; i < sizeof long_sources / sizeof *long_sources; i++) {
        es_input *in = es_input_new();
        const char *s = long_sources[i];
        for (size_t at = 0, n; s[at]; at += n + (s[at + n] == '\n')) {
            n = strcspn(s + at, "\n");
            es_input_state state = es_input_add(in, s + at, n);
            es_input_state once = whole_or_not(s, at + n);
            demand(state == once, "%.*s: is %d, not %d", (int)(at + n), s, (int)state, (int)once);
        }
        es_input_free(in);
    }
}
END_TEST

/* A list, two strings and a suite of 100,000 lines: 50 GB, if each line meant reading all those before it. */
START_TEST(a_long_source_is_read_once)
{
    static const char *const first[] = {"x = [", "x = '''", "x = 'a\\", "def f():"},
                             *const next[] = {"   1,", "   \\'''", "abc\\", "    x = 3 # y"};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        es_input *in = es_input_new();
        es_input_state state = es_input_add(in, first[k], strlen(first[k]));
        for (int i = 0; i < 100000; i++)
            state = es_input_add(in, next[k], strlen(next[k]));
        ck_assert_int_eq(state, k == 3 ? ES_INPUT_SUITE : ES_INPUT_OPEN);
        es_input_free(in);
    }
}
END_TEST

/* ---- words ---- */

/* What kinds of words there are, as letters. */
static char letter(es_token_kind kind)
{
    switch (kind) {
    case ES_T_NEWLINE: return '/';
    case ES_T_INDENT: return '>';
    case ES_T_DEDENT: return '<';
    case ES_T_COMMENT: return '#';
    case ES_T_BAD: return '!';
    case ES_T_NAME: return 'n';
    case ES_T_INT:
    case ES_T_FLOAT: return '1';
    case ES_T_STRING: return 's';
    default: return es_token_is_keyword(kind) ? 'k' : '.';
    }
}

static const struct {
    const char *source, *letters;
} words[] = {
    {"if x:\n  y\nz", "kn./>n/<n/"},
    {"x = 'abc", "n.!/"},
    {"x = '''abc\n", "n.!/"},
    {"wte.weight[", "n.n."},
    {"f(x]) # why", "n.n!.#/"},
    {"1if x else 1.e5", "1knk1/"},
    {"a\xFF\x01 $b", "n!!!n/"},
    {"  # only\n\n# notes", "##"},
    {"(\n# in\n)", ".#./"},
    {"x \\\n y", "nn/"},
    {"rb'' Rf\"\" u'' ur''", "sssns/"},
};

START_TEST(words_come_one_by_one_whatever_is_typed)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        es_lexer lex;
        es_str got = {0};
        size_t end = 0;
        es_lex_begin(&lex, words[i].source, strlen(words[i].source));
        lex.comments = true;
        for (es_token t; (t = es_lex_next(&lex)).kind != ES_T_END; end = t.end) {
            es_str_char(&got, letter(t.kind));
            demand(t.begin >= end && t.end >= t.begin, "%s: goes back", words[i].source);
        }
        demand(!strcmp(es_str_text(&got), words[i].letters), "%s: %s", words[i].source, got.s);
        es_str_free(&got);
    }
}
END_TEST

/* ---- prose or Python? ---- */

static const char *const python[] = {
    "x = wte(ids)",
    "ids",
    "x = torch.arange(0, T)",
    "B, T = input_ids.shape",
    "batch_size, seq_len = input_ids.shape",
    "tok_emb = self.token_embeddings(input_ids)",
    "positions = torch.arange(0, seq_len, device=input_ids.device).unsqueeze(0)",
    "torch.tensor([[1, 2], [3, 4]])",
    "torch.arange(5)",
    "torch.float32",
    "torch.zeros(2, 3)",
    "torch.cat([tok_emb, pos_emb], dim=-1)",
    "F.one_hot(ids, V)",
    "F.softmax(x @ w.T, dim=-1)",
    "nn.Embedding(50257, 768)",
    "nn.functional.relu",
    "np.array([1, 2])",
    "wte(ids)",
    "wte(ids) + wpe(positions)",
    "wpe(torch.arange(4))",
    "print(x)",
    "print(x.shape)",
    "print(f\"{x.shape}\")",
    "import torch",
    "import torch.nn as nn",
    "import torch.nn.functional as F",
    "from torch import nn",
    "import numpy as np",
    "def f(x):",
    "def forward(self, input_ids: torch.Tensor) -> torch.Tensor:",
    "class Net(nn.Module):",
    "class X(Y):",
    "for i in range(3):",
    "for x in ids:",
    "for i in x:",
    "for row in wte.weight[:3]:",
    "for i, x in enumerate(ids):",
    "x.shape",
    "ids.shape",
    "x.dtype",
    "wte.weight",
    "wte.weight.T",
    "x.view(2, -1)",
    "x.unsqueeze(0)",
    "x.sum(dim=-1)",
    "x.mean()",
    "ids[0]",
    "ids[0, 1]",
    "ids[:, -1]",
    "x[0]",
    "tok_emb[0, :3]",
    "input_ids[0]",
    "a @ b",
    "x @ wte.weight.T",
    "q @ k.transpose(-2, -1)",
    "x += 1",
    "x *= 2",
    "y = [1, 2, 3]",
    "mask = ids[0] == 3",
    "if x.shape[0] > 3:",
    "with torch.no_grad():",
    "@torch.no_grad()",
    "while len(x) < 3:",
    "return self.dropout(x)",
    ">>> x",
    "x = torch.tensor([",
    "print(",
    "assert x.shape == (2, 3)",
    "encode(\"The cat\")",
    "len(ids)",
    "logits = x @ wte.weight.T",
};

static const char *const prose[] = {
    "The cat sat.",
    "The cat sat on the mat",
    "Hello",
    "Hello, world",
    "Hello, world!",
    "hello; goodbye",
    "for example, in this case: yes",
    "for all in all: yes",
    "for those in need:",
    "print the list",
    "print (see below)",
    "(see below)",
    "(see",
    "(note)",
    "a = b is an equation",
    "a = b",
    "E = mc",
    "x = 3",
    "2 + 2 = 4",
    "2 + 2",
    "1 + 1",
    "1, 2, 3",
    "42",
    "3.14",
    "yes or no",
    "this and that",
    "not now",
    "True",
    "None",
    "e.g.",
    "e.g. this",
    "i.e",
    "www.example.com",
    "file.txt",
    "bob@example.com",
    "me@x.org",
    "meet @ noon",
    "@bob hello",
    "\"The cat sat\"",
    "'quoted'",
    "It's a cat",
    "don't",
    "import duties",
    "import duties on cars",
    "from Germany import cars",
    "class dismissed",
    "class act (a good one)",
    "return home",
    "pass",
    "break",
    "while away the hours",
    "if so, then yes",
    "if only",
    "with love",
    "with love, Ann",
    "def leppard",
    "lambda calculus",
    "in the end",
    "is it true?",
    "transformer",
    "torch",
    "torch.",
    "a torch. A light",
    "F. Scott Fitzgerald",
    "the shape of x.shape",
    "C++ and C#",
    "# a heading",
    "* a point",
    "- a point",
    "1. first",
    "**bold**",
    "[1] see there",
    "see[note]",
    "well-known",
    "either/or",
    "100%",
    "$5",
    "50% off + 10% = 60%",
    "x",
    "no(t)",
    "wte (the token table)",
    "How are you (today)?",
    "Caf\xC3\xA9 au lait",
    "\xE4\xBD\xA0\xE5\xA5\xBD",
    "",
    "   ",
    "...",
    ":)",
    "\xFF\xFE",
};

START_TEST(python_is_told_from_prose)
{
    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        demand(es_looks_like_python(python[i], strlen(python[i])), "is Python: %s", python[i]);
    for (size_t i = 0; i < sizeof prose / sizeof *prose; i++)
        demand(!es_looks_like_python(prose[i], strlen(prose[i])), "is no Python: %s", prose[i]);
}
END_TEST

/* ---- Python itself ---- */

START_TEST(random_statements_are_read_as_python_reads_them)
{
    es_str dump = {0};
    es_str_add(&dump, "%.*s/parse_dump", (int)(strrchr(program(), '/') - program()), program());
    if (system("python3 -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null") !=
        0) {
        fprintf(stderr, "parse: 1 check skipped, no Python 3.11 here\n");
        es_str_free(&dump);
        return;
    }
    const char *const argv[] = {"/usr/bin/env",
                                "python3",
                                "tests/parse_ast.py",
                                dump.s,
                                thoroughness(1, 0) ? "2000" : "50",
                                NULL};
    run_result r;
    run_program(&r, argv, "", 0);
    demand(r.status == 0, "%s%s", es_str_text(&r.out), es_str_text(&r.err));
    run_result_free(&r);
    es_str_free(&dump);
}
END_TEST

Suite *parse_suite(void)
{
    Suite *s = suite_create("parse");
    TCase *tc = tcase_create("parse");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, mistakes_are_named_where_they_are);
    tcase_add_test(tc, nul_bytes_are_refused_outside_of_strings);
    tcase_add_test(tc, operators_bind_as_in_python);
    tcase_add_test(tc, joined_lines_in_front_of_a_statement_are_blanks);
    tcase_add_test(tc, a_name_is_given_within_an_expression);
    tcase_add_test(tc, strings_side_by_side_are_one);
    tcase_add_test(tc, nodes_know_their_places);
    tcase_add_test(tc, a_semicolon_at_the_end_keeps_quiet);
    tcase_add_test(tc, prompts_and_indentation_are_blanks);
    tcase_add_test(tc, the_articles_module_is_read);
    tcase_add_test(tc, depth_is_limited_and_length_is_not);
    tcase_add_test(tc, sources_and_lines_have_a_length);
    tcase_add_test(tc, indentation_has_a_depth);
    tcase_add_test(tc, a_source_says_whether_it_is_whole);
    tcase_add_test(tc, a_line_says_whether_it_belongs_to_the_suite);
    tcase_add_test(tc, a_source_stands_the_same_read_at_once_or_line_by_line);
    tcase_add_test(tc, a_long_source_is_read_once);
    tcase_add_test(tc, words_come_one_by_one_whatever_is_typed);
    tcase_add_test(tc, python_is_told_from_prose);
    tcase_add_test(tc, random_statements_are_read_as_python_reads_them);
    suite_add_tcase(s, tc);
    return s;
}
