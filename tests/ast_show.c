// SPDX-License-Identifier: GPL-3.0-or-later
#include "ast_show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

typedef struct shown {
    es_str *out;
    bool places, within; /* an f-string */
} shown;

typedef enum context { LOAD, STORE, DELETE } context;

static void show(shown *s, const es_node *node, context use);

/* ---- leaves ---- */

static void show_bytes(es_str *out, const char *bytes, size_t n)
{
    bool apostrophe = memchr(bytes, '\'', n) != NULL;
    char quote = apostrophe && !memchr(bytes, '"', n) ? '"' : '\'';
    es_str_char(out, quote);
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        int len = es_utf8_next(bytes + i, n - i, &cp);
        if (!len)
            cp = 0xDC00 + (unsigned char)bytes[i]; /* as Python's surrogateescape has it */
        if (cp == '\n' || cp == '\r' || cp == '\t')
            es_str_add(out, "\\%c", cp == '\n' ? 'n' : cp == '\r' ? 'r' : 't');
        else if (cp == (unsigned char)quote || cp == '\\')
            es_str_add(out, "\\%c", (int)cp);
        else if (cp >= 0x20 && cp < 0x7F)
            es_str_char(out, (char)cp);
        else
            es_str_add(out,
                       cp < 0x100     ? "\\x%02x"
                       : cp < 0x10000 ? "\\u%04x"
                                      : "\\U%08x",
                       (unsigned)cp);
        i += len ? (size_t)len : 1;
    }
    es_str_char(out, quote);
}

static void show_text(es_str *out, const es_node *node)
{
    show_bytes(out, node->text, node->n_text);
}

/* The shortest digits that read back as the same number, as repr(float) has them. */
static void show_float(es_str *out, double f)
{
    char digits[40];
    int exponent;
    if (f > 1.7976931348623157e308) {
        es_str_cat(out, "inf");
        return;
    }
    for (int n = 0; n < 17; n++) {
        snprintf(digits, sizeof digits, "%.*e", n, f);
        if (strtod(digits, NULL) == f)
            break;
    }
    char *e = strchr(digits, 'e');
    exponent = (int)strtol(e + 1, NULL, 10);
    int figures = e - digits > 1 ? (int)(e - digits) - 1 : 1;
    if (exponent >= -4 && exponent < 16) {
        int after = figures - 1 - exponent;
        es_str_add(out, "%.*f", after > 0 ? after : 1, f);
    } else {
        es_str_bytes(out, digits, (size_t)(e - digits));
        es_str_add(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    }
}

/* ---- lists ---- */

static void show_list(shown *s, es_node *const *kid, int n, context use)
{
    es_str_char(s->out, '[');
    for (int i = 0; i < n; i++) {
        es_str_cat(s->out, i ? ", " : "");
        show(s, kid[i], use);
    }
    es_str_char(s->out, ']');
}

static void show_field(shown *s, const char *name, const es_node *node, context use)
{
    if (!node)
        return;
    es_str_cat(s->out, name);
    show(s, node, use);
}

static void show_context(shown *s, context use)
{
    static const char *const names[] = {", ctx=Load()", ", ctx=Store()", ", ctx=Del()"};
    es_str_cat(s->out, names[use]);
}

static const es_node *kid(const es_node *node, int i)
{
    return i < node->n_kids ? node->kid[i] : NULL;
}

/* ---- expressions ---- */

static const char *operator_name(es_op op)
{
    static const char *const names[ES_N_OPS] = {
        [ES_OP_ADD] = "Add",
        [ES_OP_SUB] = "Sub",
        [ES_OP_MUL] = "Mult",
        [ES_OP_DIV] = "Div",
        [ES_OP_FLOORDIV] = "FloorDiv",
        [ES_OP_MOD] = "Mod",
        [ES_OP_MATMUL] = "MatMult",
        [ES_OP_POW] = "Pow",
        [ES_OP_BITAND] = "BitAnd",
        [ES_OP_BITOR] = "BitOr",
        [ES_OP_BITXOR] = "BitXor",
        [ES_OP_SHL] = "LShift",
        [ES_OP_SHR] = "RShift",
        [ES_OP_LT] = "Lt",
        [ES_OP_LE] = "LtE",
        [ES_OP_GT] = "Gt",
        [ES_OP_GE] = "GtE",
        [ES_OP_EQ] = "Eq",
        [ES_OP_NE] = "NotEq",
        [ES_OP_IN] = "In",
        [ES_OP_NOT_IN] = "NotIn",
        [ES_OP_IS] = "Is",
        [ES_OP_IS_NOT] = "IsNot",
        [ES_OP_NEG] = "USub",
        [ES_OP_POS] = "UAdd",
        [ES_OP_INVERT] = "Invert",
        [ES_OP_NOT] = "Not",
        [ES_OP_TRUE] = "True",
        [ES_OP_FALSE] = "False",
        [ES_OP_NONE] = "None",
        [ES_OP_ELLIPSIS] = "Ellipsis",
    };
    return names[op];
}

static void show_compare(shown *s, const es_node *node)
{
    es_str_cat(s->out, "left=");
    show(s, node->kid[0], LOAD);
    es_str_cat(s->out, ", ops=[");
    for (int i = 1; i < node->n_kids; i++)
        es_str_add(s->out, "%s%s()", i > 1 ? ", " : "", operator_name(node->kid[i]->op));
    es_str_cat(s->out, "], comparators=[");
    for (int i = 1; i < node->n_kids; i++) {
        es_str_cat(s->out, i > 1 ? ", " : "");
        show(s, node->kid[i]->kid[0], LOAD);
    }
    es_str_char(s->out, ']');
}

static bool is_by_name(const es_node *node)
{
    return node->kind == ES_N_KEYWORD || (node->kind == ES_N_STAR && node->i == 2);
}

static void show_argument(shown *s, const es_node *node)
{
    if (!is_by_name(node)) {
        show(s, node, LOAD);
        return;
    }
    es_str_cat(s->out, "keyword(");
    if (node->kind == ES_N_KEYWORD) {
        es_str_cat(s->out, "arg=");
        show_text(s->out, node);
        es_str_cat(s->out, ", ");
    }
    show_field(s, "value=", node->kid[0], LOAD);
    es_str_char(s->out, ')');
}

/* Arguments from the `from`-th child on: those by place, then those by name. */
static void show_arguments(shown *s, const char *first, const es_node *node, int from)
{
    for (int named = 0; named < 2; named++) {
        const char *between = "";
        es_str_cat(s->out, named ? ", keywords=[" : first);
        for (int i = from; i < node->n_kids; i++) {
            const es_node *of = node->kid[i];
            if (is_by_name(of) != (named == 1))
                continue;
            es_str_cat(s->out, between);
            show_argument(s, of);
            between = ", ";
        }
        es_str_char(s->out, ']');
    }
}

static void show_pairs(shown *s, const es_node *node)
{
    for (int side = 0; side < 2; side++) {
        es_str_cat(s->out, side ? "], values=[" : "keys=[");
        for (int i = side; i < node->n_kids; i += 2) {
            es_str_cat(s->out, i > 1 ? ", " : "");
            if (node->kid[i])
                show(s, node->kid[i], LOAD);
            else
                es_str_cat(s->out, "None");
        }
    }
    es_str_char(s->out, ']');
}

static void show_generators(shown *s, const es_node *node, int from)
{
    es_str_cat(s->out, ", generators=[");
    for (int i = from; i < node->n_kids; i++) {
        const es_node *part = node->kid[i];
        es_str_add(s->out, "%scomprehension(target=", i > from ? ", " : "");
        show(s, part->kid[0], STORE);
        show_field(s, ", iter=", part->kid[1], LOAD);
        es_str_cat(s->out, ", ifs=");
        show_list(s, part->kid + 2, part->n_kids - 2, LOAD);
        es_str_cat(s->out, ", is_async=0)");
    }
    es_str_char(s->out, ']');
}

static void show_hole(shown *s, const es_node *node)
{
    show_field(s, "value=", node->kid[0], LOAD);
    es_str_add(s->out, ", conversion=%d", node->i ? (int)node->i : -1);
    show_field(s, ", format_spec=", kid(node, 1), LOAD);
    if (node->text && node->n_text == 0)
        es_str_cat(s->out, ", format_spec=JoinedStr(values=[])");
    if (node->text && node->n_text > 0) {
        es_str_cat(s->out, ", format_spec=JoinedStr(values=[Constant(value=");
        show_text(s->out, node);
        es_str_cat(s->out, ")])");
    }
}

/* One kind of parameters as a list of arg(…). */
static void show_params_of(shown *s, const es_node *node, int from, int to)
{
    const char *between = "";
    es_str_char(s->out, '[');
    for (int i = from; i < to; i++) {
        const es_node *param = node->kid[i];
        if (param->i)
            continue;
        es_str_cat(s->out, between);
        es_str_cat(s->out, "arg(arg=");
        show_text(s->out, param);
        show_field(s, ", annotation=", param->kid[1], LOAD);
        es_str_char(s->out, ')');
        between = ", ";
    }
    es_str_char(s->out, ']');
}

static void show_rest(shown *s, const char *name, const es_node *node, int64_t kind)
{
    for (int i = 0; i < node->n_kids; i++)
        if (node->kid[i]->i == kind) {
            es_str_add(s->out, ", %s=arg(arg=", name);
            show_text(s->out, node->kid[i]);
            show_field(s, ", annotation=", node->kid[i]->kid[1], LOAD);
            es_str_char(s->out, ')');
        }
}

static void show_defaults(shown *s, const es_node *node, int from, int to, bool all)
{
    const char *between = "";
    es_str_char(s->out, '[');
    for (int i = from; i < to; i++) {
        const es_node *param = node->kid[i];
        if (param->i || (!param->kid[0] && !all))
            continue;
        es_str_cat(s->out, between);
        if (param->kid[0])
            show(s, param->kid[0], LOAD);
        else
            es_str_cat(s->out, "None");
        between = ", ";
    }
    es_str_char(s->out, ']');
}

static void show_params(shown *s, const es_node *node)
{
    int placed = 0, star = node->n_kids;
    for (int i = node->n_kids - 1; i >= 0; i--) {
        int64_t kind = node->kid[i]->i;
        placed = kind == '/' && !placed ? i : placed;
        star = kind == '*' || kind == 'k' ? i : star;
    }
    es_str_cat(s->out, "arguments(posonlyargs=");
    show_params_of(s, node, 0, placed);
    es_str_cat(s->out, ", args=");
    show_params_of(s, node, placed, star);
    show_rest(s, "vararg", node, '*');
    es_str_cat(s->out, ", kwonlyargs=");
    show_params_of(s, node, star, node->n_kids);
    es_str_cat(s->out, ", kw_defaults=");
    show_defaults(s, node, star, node->n_kids, true);
    show_rest(s, "kwarg", node, 2 * '*');
    es_str_cat(s->out, ", defaults=");
    show_defaults(s, node, 0, star, false);
    es_str_char(s->out, ')');
}

static void show_pieces(shown *s, const es_node *node)
{
    bool before = s->within;
    s->within = true;
    show_list(s, node->kid, node->n_kids, LOAD);
    s->within = before;
}

static void show_expression(shown *s, const es_node *node, context use)
{
    switch (node->kind) {
    case ES_N_NAME:
        es_str_cat(s->out, "id=");
        show_text(s->out, node);
        show_context(s, use);
        break;
    case ES_N_INT: es_str_add(s->out, "value=%lld", (long long)node->i); break;
    case ES_N_FLOAT:
        es_str_cat(s->out, "value=");
        show_float(s->out, node->f);
        break;
    case ES_N_STRING:
        es_str_cat(s->out, "value=");
        show_text(s->out, node);
        break;
    case ES_N_CONST: es_str_add(s->out, "value=%s", operator_name(node->op)); break;
    case ES_N_FSTRING:
        es_str_cat(s->out, "values=");
        show_pieces(s, node);
        break;
    case ES_N_HOLE: show_hole(s, node); break;
    case ES_N_TUPLE:
    case ES_N_LIST:
        es_str_cat(s->out, "elts=");
        show_list(s, node->kid, node->n_kids, use);
        show_context(s, use);
        break;
    case ES_N_SET:
        es_str_cat(s->out, "elts=");
        show_list(s, node->kid, node->n_kids, LOAD);
        break;
    case ES_N_DICT: show_pairs(s, node); break;
    case ES_N_LISTCOMP:
    case ES_N_SETCOMP:
        show_field(s, "elt=", node->kid[0], LOAD);
        show_generators(s, node, 1);
        break;
    case ES_N_DICTCOMP:
        show_field(s, "key=", node->kid[0], LOAD);
        show_field(s, ", value=", node->kid[1], LOAD);
        show_generators(s, node, 2);
        break;
    case ES_N_LAMBDA:
        es_str_cat(s->out, "args=");
        show_params(s, node->kid[0]);
        show_field(s, ", body=", node->kid[1], LOAD);
        break;
    case ES_N_UNARY:
        es_str_add(s->out, "op=%s()", operator_name(node->op));
        show_field(s, ", operand=", node->kid[0], LOAD);
        break;
    case ES_N_BINARY:
        show_field(s, "left=", node->kid[0], LOAD);
        es_str_add(s->out, ", op=%s()", operator_name(node->op));
        show_field(s, ", right=", node->kid[1], LOAD);
        break;
    case ES_N_AND:
    case ES_N_OR:
        es_str_add(s->out, "op=%s(), values=", node->kind == ES_N_AND ? "And" : "Or");
        show_list(s, node->kid, node->n_kids, LOAD);
        break;
    case ES_N_COMPARE: show_compare(s, node); break;
    case ES_N_IFELSE:
        show_field(s, "test=", node->kid[1], LOAD);
        show_field(s, ", body=", node->kid[0], LOAD);
        show_field(s, ", orelse=", node->kid[2], LOAD);
        break;
    case ES_N_NAMED:
        show_field(s, "target=", node->kid[0], STORE);
        show_field(s, ", value=", node->kid[1], LOAD);
        break;
    case ES_N_ATTRIBUTE:
        show_field(s, "value=", node->kid[0], LOAD);
        es_str_cat(s->out, ", attr=");
        show_text(s->out, node);
        show_context(s, use);
        break;
    case ES_N_CALL:
        show_field(s, "func=", node->kid[0], LOAD);
        show_arguments(s, ", args=[", node, 1);
        break;
    case ES_N_STAR:
        show_field(s, "value=", node->kid[0], use);
        show_context(s, use);
        break;
    case ES_N_INDEX:
        show_field(s, "value=", node->kid[0], LOAD);
        show_field(s, ", slice=", node->kid[1], LOAD);
        show_context(s, use);
        break;
    default: { /* ES_N_SLICE */
        static const char *const parts[] = {"lower=", "upper=", "step="};
        const char *between = "";
        for (int i = 0; i < 3; i++)
            if (node->kid[i]) {
                es_str_cat(s->out, between);
                show_field(s, parts[i], node->kid[i], LOAD);
                between = ", ";
            }
    }
    }
}

/* ---- statements ---- */

static void show_body(shown *s, const char *name, const es_node *suite)
{
    es_str_cat(s->out, name);
    if (suite && suite->kind == ES_N_SUITE)
        show_list(s, suite->kid, suite->n_kids, LOAD);
    else /* an elif, or none */
        show_list(s, (es_node *[]){(es_node *)suite}, suite != NULL, LOAD);
}

static void show_names(shown *s, const es_node *node, int from)
{
    es_str_cat(s->out, "names=[");
    for (int i = from; i < node->n_kids; i++) {
        const es_node *name = node->kid[i];
        es_str_cat(s->out, i > from ? ", " : "");
        if (name->kind == ES_N_ALIAS)
            es_str_cat(s->out, "alias(name=");
        show_text(s->out, name);
        if (name->kind == ES_N_ALIAS && name->n_kids) {
            es_str_cat(s->out, ", asname=");
            show_text(s->out, name->kid[0]);
        }
        es_str_cat(s->out, name->kind == ES_N_ALIAS ? ")" : "");
    }
    es_str_char(s->out, ']');
}

static void show_import(shown *s, const es_node *node)
{
    const es_node *from = node->kid[0];
    size_t level = 0;
    while (from && level < from->n_text && from->text[level] == '.')
        level++;
    if (from && level < from->n_text) {
        es_str_cat(s->out, "module=");
        show_bytes(s->out, from->text + level, from->n_text - level);
        es_str_cat(s->out, ", ");
    }
    show_names(s, node, 1);
    if (from)
        es_str_add(s->out, ", level=%zu", level);
}

static void show_definition(shown *s, const es_node *node)
{
    bool def = node->kind == ES_N_DEF;
    int from = def ? 3 : 2;
    es_str_cat(s->out, "name=");
    show_text(s->out, node);
    if (def) {
        es_str_cat(s->out, ", args=");
        show_params(s, node->kid[0]);
    } else {
        show_arguments(s, ", bases=[", node->kid[0], 0);
    }
    show_body(s, ", body=", node->kid[1]);
    es_str_cat(s->out, ", decorator_list=");
    show_list(s, node->kid + from, node->n_kids - from, LOAD);
    if (def)
        show_field(s, ", returns=", node->kid[2], LOAD);
}

static void show_with(shown *s, const es_node *node)
{
    es_str_cat(s->out, "items=[");
    for (int i = 0; i + 1 < node->n_kids; i++) {
        es_str_add(s->out, "%swithitem(", i ? ", " : "");
        show_field(s, "context_expr=", node->kid[i]->kid[0], LOAD);
        show_field(s, ", optional_vars=", kid(node->kid[i], 1), STORE);
        es_str_char(s->out, ')');
    }
    es_str_char(s->out, ']');
    show_body(s, ", body=", node->kid[node->n_kids - 1]);
}

static void show_try(shown *s, const es_node *node)
{
    show_body(s, "body=", node->kid[0]);
    es_str_cat(s->out, ", handlers=[");
    for (int i = 1; i < node->n_kids - 2; i++) {
        const es_node *one = node->kid[i];
        es_str_add(s->out, "%sExceptHandler(", i > 1 ? ", " : "");
        show_field(s, "type=", one->kid[0], LOAD);
        if (one->text) {
            es_str_cat(s->out, one->kid[0] ? ", name=" : "name=");
            show_text(s->out, one);
        }
        show_body(s, one->kid[0] ? ", body=" : "body=", one->kid[1]);
        es_str_char(s->out, ')');
    }
    es_str_char(s->out, ']');
    show_body(s, ", orelse=", node->kid[node->n_kids - 2]);
    show_body(s, ", finalbody=", node->kid[node->n_kids - 1]);
}

static void show_statement(shown *s, const es_node *node)
{
    switch (node->kind) {
    case ES_N_ASSIGN:
        es_str_cat(s->out, "targets=");
        show_list(s, node->kid, node->n_kids - 1, STORE);
        show_field(s, ", value=", node->kid[node->n_kids - 1], LOAD);
        break;
    case ES_N_ANNOTATE:
        show_field(s, "target=", node->kid[0], STORE);
        show_field(s, ", annotation=", node->kid[1], LOAD);
        show_field(s, ", value=", node->kid[2], LOAD);
        es_str_add(s->out, ", simple=%d", node->kid[0]->kind == ES_N_NAME && !node->kid[0]->parens);
        break;
    case ES_N_AUGMENT:
        show_field(s, "target=", node->kid[0], STORE);
        es_str_add(s->out, ", op=%s()", operator_name(node->op));
        show_field(s, ", value=", node->kid[1], LOAD);
        break;
    case ES_N_RAISE:
        show_field(s, "exc=", kid(node, 0), LOAD);
        show_field(s, ", cause=", kid(node, 1), LOAD);
        break;
    case ES_N_ASSERT:
        show_field(s, "test=", node->kid[0], LOAD);
        show_field(s, ", msg=", kid(node, 1), LOAD);
        break;
    case ES_N_DEL:
        es_str_cat(s->out, "targets=");
        show_list(s, node->kid, node->n_kids, DELETE);
        break;
    case ES_N_IF:
    case ES_N_WHILE:
        show_field(s, "test=", node->kid[0], LOAD);
        show_body(s, ", body=", node->kid[1]);
        show_body(s, ", orelse=", kid(node, 2));
        break;
    case ES_N_FOR:
        show_field(s, "target=", node->kid[0], STORE);
        show_field(s, ", iter=", node->kid[1], LOAD);
        show_body(s, ", body=", node->kid[2]);
        show_body(s, ", orelse=", kid(node, 3));
        break;
    case ES_N_WITH: show_with(s, node); break;
    case ES_N_TRY: show_try(s, node); break;
    case ES_N_DEF:
    case ES_N_CLASS: show_definition(s, node); break;
    case ES_N_GLOBAL: show_names(s, node, 0); break;
    case ES_N_IMPORT: show_import(s, node); break;
    default: /* EXPR, RETURN; PASS, BREAK, CONTINUE have nothing */
        show_field(s, "value=", kid(node, 0), LOAD);
    }
}

/* ---- all ---- */

static const char *class_name(const es_node *node)
{
    static const char *const names[ES_N_KINDS] = {
        [ES_N_NAME] = "Name",
        [ES_N_INT] = "Constant",
        [ES_N_FLOAT] = "Constant",
        [ES_N_STRING] = "Constant",
        [ES_N_FSTRING] = "JoinedStr",
        [ES_N_HOLE] = "FormattedValue",
        [ES_N_CONST] = "Constant",
        [ES_N_TUPLE] = "Tuple",
        [ES_N_LIST] = "List",
        [ES_N_SET] = "Set",
        [ES_N_DICT] = "Dict",
        [ES_N_LISTCOMP] = "ListComp",
        [ES_N_SETCOMP] = "SetComp",
        [ES_N_DICTCOMP] = "DictComp",
        [ES_N_LAMBDA] = "Lambda",
        [ES_N_UNARY] = "UnaryOp",
        [ES_N_BINARY] = "BinOp",
        [ES_N_AND] = "BoolOp",
        [ES_N_OR] = "BoolOp",
        [ES_N_COMPARE] = "Compare",
        [ES_N_IFELSE] = "IfExp",
        [ES_N_NAMED] = "NamedExpr",
        [ES_N_ATTRIBUTE] = "Attribute",
        [ES_N_CALL] = "Call",
        [ES_N_STAR] = "Starred",
        [ES_N_INDEX] = "Subscript",
        [ES_N_SLICE] = "Slice",
        [ES_N_EXPR] = "Expr",
        [ES_N_ASSIGN] = "Assign",
        [ES_N_ANNOTATE] = "AnnAssign",
        [ES_N_AUGMENT] = "AugAssign",
        [ES_N_RETURN] = "Return",
        [ES_N_RAISE] = "Raise",
        [ES_N_ASSERT] = "Assert",
        [ES_N_DEL] = "Delete",
        [ES_N_IF] = "If",
        [ES_N_FOR] = "For",
        [ES_N_WHILE] = "While",
        [ES_N_WITH] = "With",
        [ES_N_TRY] = "Try",
        [ES_N_DEF] = "FunctionDef",
        [ES_N_CLASS] = "ClassDef",
        [ES_N_PASS] = "Pass",
        [ES_N_BREAK] = "Break",
        [ES_N_CONTINUE] = "Continue",
        [ES_N_GLOBAL] = "Global",
        [ES_N_IMPORT] = "Import",
    };
    if (node->kind == ES_N_LISTCOMP && node->i == 'g')
        return "GeneratorExp";
    if (node->kind == ES_N_GLOBAL && node->i == 'n')
        return "Nonlocal";
    return node->kind == ES_N_IMPORT && node->kid[0] ? "ImportFrom" : names[node->kind];
}

static void show(shown *s, const es_node *node, context use)
{
    es_str_add(s->out, "%s(", class_name(node));
    if (node->kind >= ES_N_EXPR) {
        show_statement(s, node);
    } else {
        size_t before = s->out->len;
        show_expression(s, node, use);
        bool parens = node->kind == ES_N_TUPLE || (node->kind == ES_N_LISTCOMP && node->i == 'g');
        if (s->places && !s->within && !parens)
            es_str_add(s->out, "%sat=(%zu, %zu)", s->out->len > before ? ", " : "", node->begin,
                       node->end);
    }
    es_str_char(s->out, ')');
}

void show_tree(es_str *out, const es_node *node, bool places)
{
    shown s = {.out = out, .places = places};
    if (node->kind != ES_N_SUITE) {
        show(&s, node, LOAD);
        return;
    }
    show_body(&s, "Module(body=", node);
    es_str_cat(out, ", type_ignores=[])");
}
