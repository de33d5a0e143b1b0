// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/token_cell.h"

#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "session/command.h"

enum {
    SPACE_MARK = 0x2423,
    DOTTED_CIRCLE = 0x25CC,
    LONGEST = 4096
}; /* no token's cell is longer */

static void hide_quotes(es_str *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == '"')
            es_str_cat(out, "\\x22");
        else
            es_str_char(out, text[i]);
}

void es_token_cell(es_str *out, const char *bytes, size_t n)
{
    es_str shown = {0};
    es_show_token(&shown, bytes, n);
    hide_quotes(out, shown.s, shown.len);
    es_str_free(&shown);
}

/* ---- back again ---- */

static int32_t find(const es_bpe *bpe, const es_str *bytes)
{
    return bytes->len ? es_bpe_find(bpe, bytes->s, bytes->len) : -1;
}

static int32_t quoted(const es_bpe *bpe, const char *cell, size_t n)
{
    const es_call call = {.line = cell, .len = n};
    es_arg arg = {0};
    size_t at = 0;
    if (n < 2 || cell[0] != '"' || cell[n - 1] != '"')
        return -1;
    bool whole = es_arg_next(&call, &at, &arg, NULL) == 1 && arg.quoted && arg.end == n;
    int32_t id = whole ? find(bpe, &arg.value) : -1;
    es_str_free(&arg.value);
    return id;
}

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool byte_at(const char *s, size_t n, char *byte)
{
    if (n < 2 || digit(s[0]) < 0 || digit(s[1]) < 0)
        return false;
    *byte = (char)(16 * digit(s[0]) + digit(s[1]));
    return true;
}

/* "\n", "\x1b", "\u{ad}": how long it is; 0: it is none. */
static size_t read_escape(es_str *out, const char *s, size_t n)
{
    static const char letters[] = "ntr\\", stand_for[] = "\n\t\r\\";
    const char *letter = n > 1 && s[1] ? strchr(letters, s[1]) : NULL;
    char byte, utf8[4];
    if (letter) {
        es_str_char(out, stand_for[letter - letters]);
        return 2;
    }
    if (n > 3 && s[1] == 'x' && byte_at(s + 2, n - 2, &byte)) {
        es_str_char(out, byte);
        return 4;
    }
    if (n < 5 || s[1] != 'u' || s[2] != '{')
        return 0;
    uint32_t cp = 0;
    size_t i = 3;
    for (; i < n && digit(s[i]) >= 0 && cp < 0x110000; i++)
        cp = 16 * cp + (uint32_t)digit(s[i]);
    if (i == n || s[i] != '}' || cp >= 0x110000)
        return 0;
    es_str_bytes(out, utf8, (size_t)es_utf8_put(utf8, cp));
    return i + 1;
}

/* "<E6 9C>" */
static size_t read_lone_bytes(es_str *out, const char *s, size_t n)
{
    size_t before = out->len, i = 1;
    char byte;
    while (i + 2 < n && byte_at(s + i, n - i, &byte)) {
        es_str_char(out, byte);
        i += 2;
        if (s[i] == '>')
            return i + 1;
        if (s[i++] != ' ')
            break;
    }
    es_str_cut(out, before);
    return 0;
}

static size_t read_one(es_str *out, const char *s, size_t n)
{
    uint32_t cp = 0, next = 0;
    int len = es_utf8_next(s, n, &cp);
    size_t used = *s == '\\' ? read_escape(out, s, n) : *s == '<' ? read_lone_bytes(out, s, n) : 0;
    if (used)
        return used;
    size_t whole = len ? (size_t)len : 1;
    bool carries = cp == DOTTED_CIRCLE && n > whole && es_utf8_next(s + whole, n - whole, &next) &&
                   es_char_combines(next);
    if (cp == SPACE_MARK)
        es_str_char(out, ' ');
    else if (!carries)
        es_str_bytes(out, s, whole);
    return whole;
}

/* What it was made of would be written so, and not only read so. */
static bool is_written(const es_str *bytes, const char *cell, size_t n)
{
    es_str written = {0}, wanted = {0};
    es_token_cell(&written, es_str_text(bytes), bytes->len);
    hide_quotes(&wanted, cell, n);
    bool same = written.len == wanted.len &&
                !memcmp(es_str_text(&written), es_str_text(&wanted), wanted.len);
    es_str_free(&written);
    es_str_free(&wanted);
    return same;
}

static int32_t printed(const es_bpe *bpe, const char *cell, size_t n)
{
    es_str bytes = {0};
    for (size_t i = 0; i < n;)
        i += read_one(&bytes, cell + i, n - i);
    int32_t id = find(bpe, &bytes);
    if (id >= 0 && !is_written(&bytes, cell, n))
        id = -1;
    es_str_free(&bytes);
    return id;
}

int32_t es_token_of_cell(const es_bpe *bpe, const char *cell, size_t n)
{
    if (!n || n > LONGEST)
        return -1;
    int32_t id = quoted(bpe, cell, n);
    if (id < 0)
        id = printed(bpe, cell, n);
    return id < 0 ? es_bpe_find(bpe, cell, n) : id;
}
