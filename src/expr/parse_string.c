// SPDX-License-Identifier: GPL-3.0-or-later
/* Strings: prefixes, escapes, adjacent ones joined, and the holes of f-strings. */
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "expr/parser.h"

/* One quoted string: its bytes between the quotes. */
typedef struct quoted {
    size_t begin, end;
    bool raw, format, bytes;
    int line;
} quoted;

static quoted open_quotes(const es_parser *p, const es_token *t)
{
    const char *s = p->lexer.source;
    quoted q = {.begin = t->begin, .end = t->end, .line = t->line};
    for (; s[q.begin] != '"' && s[q.begin] != '\''; q.begin++) {
        char c = (char)(s[q.begin] | 0x20);
        q.raw = q.raw || c == 'r';
        q.format = q.format || c == 'f';
        q.bytes = q.bytes || c == 'b';
    }
    size_t n = q.end - q.begin;
    bool three = n >= 6 && s[q.begin + 1] == s[q.begin] && s[q.begin + 2] == s[q.begin];
    q.begin += three ? 3 : 1;
    q.end -= three ? 3 : 1;
    return q;
}

/* ---- escapes ---- */

static bool fails_at(es_parser *p, size_t begin, size_t end)
{
    es_error_locate(p->err, begin, end);
    return false;
}

/* \x41 \u0041 \U00000041: `digits` of them, from `at`. */
static bool hex_escape(es_parser *p, es_str *out, size_t at, size_t end, int digits)
{
    const char *s = p->lexer.source;
    uint32_t cp = 0;
    char utf8[4];
    int n = 0;
    for (; n < digits && at + (size_t)n < end; n++) {
        char c = s[at + (size_t)n], lower = (char)(c | 0x20);
        bool digit = c >= '0' && c <= '9';
        if (!digit && (lower < 'a' || lower > 'f'))
            break;
        cp = cp << 4 | (uint32_t)(digit ? c - '0' : lower - 'a' + 10);
    }
    if (n < digits) {
        es_fail(p->err, ES_ERR_PARSE, "\"\\%c\" is followed by %d hexadecimal digits", s[at - 1],
                digits);
        es_hint(p->err, "a backslash itself is written \\\\, or the string r\"…\"");
        return fails_at(p, at - 2, at + (size_t)n);
    }
    if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF)) {
        es_fail(p->err, ES_ERR_PARSE, "U+%04X is no character", (unsigned)cp);
        return fails_at(p, at - 2, at + (size_t)n);
    }
    es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, cp));
    return true;
}

static size_t octal_escape(es_str *out, const char *s, size_t n)
{
    uint32_t cp = 0;
    char utf8[4];
    size_t at = 0;
    for (; at < 3 && at < n && s[at] >= '0' && s[at] <= '7'; at++)
        cp = cp * 8 + (uint32_t)(s[at] - '0');
    es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, cp));
    return at;
}

/* The escape whose letter is at `at`, behind the backslash; *used of its bytes. */
static bool escape(es_parser *p, es_str *out, size_t at, size_t end, size_t *used)
{
    static const char letters[] = "abfnrtv\\'\"", meant[] = "\a\b\f\n\r\t\v\\'\"";
    const char *s = p->lexer.source;
    char c = s[at];
    const char *known = c ? strchr(letters, c) : NULL;
    int digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    *used = 1;
    if (known) {
        es_str_char(out, meant[known - letters]);
    } else if (digits) {
        *used = 1 + (size_t)digits;
        return hex_escape(p, out, at + 1, end, digits);
    } else if (c >= '0' && c <= '7') {
        *used = octal_escape(out, s + at, end - at);
    } else if (c == '\n' || c == '\r') {
        *used = c == '\r' && at + 1 < end && s[at + 1] == '\n' ? 2 : 1;
    } else if (c == 'N') {
        es_fail(p->err, ES_ERR_UNSUPPORTED,
                "characters by their names, \"\\N{…}\", are not supported");
        es_hint(p->err, "by its number: \\u00e9");
        return fails_at(p, at - 1, at + 1);
    } else { /* not an escape: the backslash stays */
        es_str_char(out, '\\');
        *used = 0;
    }
    return true;
}

/* Append what the bytes from begin to end mean. */
static bool decode(es_parser *p, es_str *out, size_t begin, size_t end, bool raw)
{
    const char *s = p->lexer.source;
    for (size_t at = begin; at < end;) {
        size_t plain = at, used = 1;
        while (at < end && s[at] != '\r' && (raw || s[at] != '\\'))
            at++;
        es_str_bytes(out, s + plain, at - plain);
        if (at == end)
            break;
        if (s[at] == '\r') { /* a line break is \n, whatever the file says */
            es_str_char(out, '\n');
            used = at + 1 < end && s[at + 1] == '\n' ? 2 : 1;
        } else if (at + 1 == end) {
            es_str_char(out, '\\');
        } else {
            at++;
            if (!escape(p, out, at, end, &used))
                return false;
        }
        at += used;
    }
    return true;
}

/* ---- f-strings ---- */

enum { MOST_LEVELS = 2 };

/* What has been read of an f-string: literal text that is not a node yet; nodes are on the stack. */
typedef struct pieces {
    es_str text;
    size_t begin; /* of that text */
    const es_token *token;
} pieces;

static es_node *text_node(es_parser *p, es_node_kind kind, const es_token *t, const es_str *text)
{
    es_node *node = es_parser_make(p, kind, t, p->n_stack);
    node->n_text = text->len;
    node->text = es_arena_copy(p->arena, es_str_text(text), text->len);
    return node;
}

static void flush(es_parser *p, pieces *in, size_t end)
{
    if (in->text.len) {
        es_node *node = text_node(p, ES_N_STRING, in->token, &in->text);
        node->begin = in->begin;
        node->end = end;
        es_parser_push(p, node);
        es_str_cut(&in->text, 0);
    }
    in->begin = end;
}

static bool format_pieces(es_parser *p, pieces *in, const quoted *q, size_t *at, int level);

/* Read the words of a hole, up to what ends its expression; that becomes the end. */
static es_token read_hole(es_parser *sub)
{
    es_token stop;
    for (;;) {
        bool inner = sub->lexer.depth > 0;
        es_parser_read_one(sub);
        stop = sub->token[sub->n_tokens - 1];
        bool mark = stop.kind == ES_T_RBRACE || stop.kind == ES_T_COLON || stop.kind == ES_T_BANG ||
                    stop.kind == ES_T_ASSIGN || stop.kind == ES_T_WALRUS;
        if (stop.kind == ES_T_BAD || stop.kind == ES_T_END || stop.kind == ES_T_COMMENT)
            break;
        if (mark && !inner)
            break;
    }
    if (stop.kind != ES_T_BAD)
        sub->token[sub->n_tokens - 1].kind = ES_T_END;
    return stop;
}

static es_node *hole_value(es_parser *p, const quoted *q, size_t open, es_token *stop)
{
    es_parser sub = {.arena = p->arena, .nesting = p->nesting, .hole = true, .err = p->err};
    es_node *value = NULL;
    es_lex_within(&sub.lexer, p->lexer.source, open + 1, q->end, q->line);
    sub.lexer.comments = true;
    *stop = read_hole(&sub);
    if (stop->kind == ES_T_COMMENT) {
        es_fail(p->err, ES_ERR_PARSE, "\"#\" cannot stand in the braces of an f-string");
        es_error_locate(p->err, stop->begin, stop->begin + 1);
    } else if (es_ahead(&sub) == ES_T_END && stop->kind != ES_T_END) {
        es_fail(p->err, ES_ERR_PARSE, "nothing stands between the braces");
        es_hint(p->err, "a brace itself is written twice: {{ }}");
        es_error_locate(p->err, open, stop->end);
    } else if (stop->kind == ES_T_END && sub.lexer.depth == 0) {
        es_fail(p->err, ES_ERR_PARSE, "\"{\" in this f-string is never closed");
        es_hint(p->err, "a brace itself is written twice: {{ }}; quotes within the braces are of "
                        "the other kind");
        es_error_locate(p->err, open, open + 1);
    } else {
        value = es_parse_values(&sub);
        if (value && es_ahead(&sub) != ES_T_END)
            value = es_parser_expected(&sub, "expected \"}\", found %s",
                                       es_parser_found(&sub, es_look(&sub)));
    }
    es_parser_end(&sub);
    return value;
}

static char look_at(const es_parser *p, const quoted *q, size_t at)
{
    return at < q->end ? p->lexer.source[at] : '\0';
}

/* !r, if it is there. */
static bool conversion(es_parser *p, const quoted *q, es_node *node, size_t *at)
{
    if (look_at(p, q, *at) != '!')
        return true;
    char c = look_at(p, q, *at + 1);
    if (c != 'r' && c != 's' && c != 'a') {
        es_fail(p->err, ES_ERR_PARSE, "after \"!\" stands r, s or a");
        return fails_at(p, *at, *at + 1);
    }
    node->i = (unsigned char)c;
    *at += 2;
    return true;
}

/* :format, if it is there: text, or where it has holes of its own a node on the stack. */
static bool format(es_parser *p, const pieces *in, const quoted *q, es_node *node, size_t *at,
                   int level)
{
    if (look_at(p, q, *at) != ':')
        return true;
    size_t mark = p->n_stack, begin = ++*at;
    pieces own = {.begin = begin, .token = in->token};
    bool fine = format_pieces(p, &own, q, at, level + 1);
    if (fine && p->n_stack == mark) {
        node->n_text = own.text.len;
        node->text = es_arena_copy(p->arena, es_str_text(&own.text), own.text.len);
    } else if (fine) {
        flush(p, &own, *at);
        es_node *whole = es_parser_make(p, ES_N_FSTRING, in->token, mark);
        fine = whole != NULL;
        if (fine) {
            whole->begin = begin;
            whole->end = *at;
            es_parser_push(p, whole);
        }
    }
    es_str_free(&own.text);
    return fine;
}

/* The hole whose brace is at *at. */
static bool hole(es_parser *p, pieces *in, const quoted *q, size_t *at, int level)
{
    size_t open = *at;
    es_token stop;
    if (level > MOST_LEVELS) {
        es_fail(p->err, ES_ERR_PARSE, "braces in the format of a format");
        return fails_at(p, open, open + 1);
    }
    es_node *value = hole_value(p, q, open, &stop);
    if (!value)
        return false;
    const char *s = p->lexer.source;
    *at = stop.begin;
    bool shown = s[*at] == '=';
    if (shown) {
        ++*at;
        while (*at < q->end && strchr(" \t\n\r\f", s[*at]) && s[*at])
            ++*at;
        decode(p, &in->text, open + 1, *at, true);
    }
    flush(p, in, open);
    size_t mark = p->n_stack;
    es_node head = {.begin = open};
    es_parser_push(p, value);
    if (!conversion(p, q, &head, at) || !format(p, in, q, &head, at, level))
        return false;
    if (look_at(p, q, *at) != '}') {
        es_fail(p->err, ES_ERR_PARSE, "expected \"}\" to close the \"{\" of this f-string");
        return fails_at(p, open, *at);
    }
    ++*at;
    es_node *node = es_parser_make(p, ES_N_HOLE, in->token, mark);
    if (!node)
        return false;
    node->begin = open;
    node->end = in->begin = *at;
    node->text = head.text;
    node->n_text = head.n_text;
    bool plain = !head.i && !head.text && node->n_kids == 1;
    node->i = shown && plain ? 'r' : head.i;
    es_parser_push(p, node);
    return true;
}

/* Literal text and holes; of a format (level 2 and more) up to the brace that ends its hole. */
static bool format_pieces(es_parser *p, pieces *in, const quoted *q, size_t *at, int level)
{
    const char *s = p->lexer.source;
    size_t from = *at;
    while (*at < q->end) {
        char c = s[*at], next = *at + 1 < q->end ? s[*at + 1] : '\0';
        if (c != '{' && c != '}') {
            *at += c == '\\' && !q->raw && next && next != '{' && next != '}' ? 2 : 1;
            continue;
        }
        bool twice = c == next && level == 1;
        if (!decode(p, &in->text, from, *at + twice, q->raw))
            return false;
        if (c == '}' && level > 1)
            return true;
        if (twice) {
            *at += 2;
        } else if (c == '}') {
            es_fail(p->err, ES_ERR_PARSE, "\"}\" alone in an f-string");
            es_hint(p->err, "a brace itself is written twice: }}");
            return fails_at(p, *at, *at + 1);
        } else if (!hole(p, in, q, at, level)) {
            return false;
        }
        from = *at;
    }
    return decode(p, &in->text, from, q->end, q->raw);
}

/* ---- all strings that stand side by side ---- */

static bool read_string(es_parser *p, pieces *in)
{
    const es_token *t = in->token;
    quoted q = open_quotes(p, t);
    if (q.bytes) {
        es_fail(p->err, ES_ERR_UNSUPPORTED, "bytes, b\"…\", are not supported");
        es_hint(p->err, "without the b it is a string");
        es_error_locate(p->err, t->begin, t->end);
        return false;
    }
    size_t at = q.begin;
    return q.format ? format_pieces(p, in, &q, &at, 1)
                    : decode(p, &in->text, q.begin, q.end, q.raw);
}

es_node *es_parse_strings(es_parser *p)
{
    const es_token *first = es_look(p);
    size_t mark = p->n_stack;
    pieces in = {.begin = first->begin};
    bool fine = true, holes = false;
    for (; fine && es_ahead(p) == ES_T_STRING; p->at++) {
        in.token = es_look(p);
        holes = holes || open_quotes(p, in.token).format;
        fine = read_string(p, &in);
    }
    es_node *node = NULL;
    if (fine && !holes)
        node = text_node(p, ES_N_STRING, first, &in.text);
    if (fine && holes) {
        flush(p, &in, p->token[p->at - 1].end);
        node = es_parser_make(p, ES_N_FSTRING, first, mark);
    }
    es_str_free(&in.text);
    return node;
}
