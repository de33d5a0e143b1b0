// SPDX-License-Identifier: GPL-3.0-or-later
/* What does not count in a text, taken out: white space, quotes, colours, large letters, a web page's marks. */
#include "expr/why_match.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* A colour or another control sequence: its length, or 0. */
static size_t control_sequence(const char *s, size_t n)
{
    size_t i = 2;
    if (n < 3 || s[0] != '\x1b' || s[1] != '[')
        return 0;
    while (i < n && i < 32 && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x40)
        i++;
    return i < n ? i + 1 : n;
}

/* What a web page makes of a character. */
static size_t entity(const char *s, size_t n, char *c)
{
    static const struct {
        const char *name;
        char is; /* 0: does not count */
    } entities[] = {{"&#39;", 0},  {"&quot;", 0}, {"&#34;", 0},  {"&nbsp;", 0},
                    {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};
    for (size_t i = 0; s[0] == '&' && i < sizeof entities / sizeof *entities; i++) {
        size_t len = strlen(entities[i].name);
        if (len <= n && !memcmp(s, entities[i].name, len)) {
            *c = entities[i].is;
            return len;
        }
    }
    return 0;
}

/* The plain character that an odd one stands for: 0 if it does not count, -1 if it stands for itself. */
static int plain_form(uint32_t cp)
{
    static const struct {
        uint32_t first, last;
        char is;
    } forms[] = {
        {0x00A0, 0x00A0, 0},   {0x00AB, 0x00AB, 0}, {0x00B4, 0x00B4, 0},   {0x00BB, 0x00BB, 0},
        {0x00D7, 0x00D7, 'x'}, {0x2000, 0x200F, 0}, {0x2010, 0x2015, '-'}, {0x2018, 0x201F, 0},
        {0x2028, 0x202F, 0},   {0x2032, 0x2036, 0}, {0x2039, 0x203A, 0},   {0x2212, 0x2212, '-'},
        {0x2500, 0x257F, 0},   {0xFEFF, 0xFEFF, 0}, {0xFF02, 0xFF02, 0},   {0xFF07, 0xFF07, 0},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (cp >= forms[i].first && cp <= forms[i].last)
            return forms[i].is;
    return -1;
}

static bool counts(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f && !strchr("'\"`*\\", c);
}

/* Most of a text: itself whatever stands around it. */
static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == ',' || c == '_';
}

/* The bytes at s that stand for one character: how many, and *c, 0 if it does not count, or *copy
 * of them as they are. */
static size_t next_plain(const char *s, size_t n, bool line_begins, char *c, size_t *copy)
{
    uint32_t cp;
    size_t len = control_sequence(s, n);
    *c = 0;
    *copy = 0;
    if (len || (len = entity(s, n, c)))
        return len;
    if (s[0] == '\\' && n > 1 && strchr("nrt", s[1])) /* as JSON and repr() write a line break */
        return 2;
    if ((unsigned char)s[0] < 0x80) {
        bool quoted_mail = s[0] == '>' && line_begins;
        if (counts(s[0]) && !quoted_mail)
            *c = s[0] >= 'A' && s[0] <= 'Z' ? (char)(s[0] + 32) : s[0];
        return 1;
    }
    len = (size_t)es_utf8_next(s, n, &cp);
    int form = len ? plain_form(cp) : -1;
    *c = form > 0 ? (char)form : 0;
    *copy = form < 0 ? (len ? len : 1) : 0;
    return len ? len : 1;
}

void es_squeeze(es_squeezed *q, const char *text, size_t len)
{
    *q = (es_squeezed){.from = text,
                       .s = es_alloc(len + ES_WHY_KEY + 8),
                       .at = es_alloc_array(len + 1, sizeof *q->at),
                       .apart = es_alloc_array(len + 1, sizeof *q->apart)};
    bool line_begins = false, apart = true;
    for (size_t i = 0, step; i < len; i += step) {
        char c;
        size_t copy;
        if (is_plain(text[i])) {
            q->s[q->n] = text[i];
            q->at[q->n] = (uint32_t)i;
            q->apart[q->n++] = apart;
            apart = line_begins = false;
            step = 1;
            continue;
        }
        step = next_plain(text + i, len - i, line_begins, &c, &copy);
        for (size_t k = 0; k < (copy ? copy : c != 0); k++) {
            q->s[q->n] = copy ? text[i + k] : c;
            q->at[q->n] = (uint32_t)(i + k);
            q->apart[q->n++] = apart;
            apart = false;
        }
        if (!copy && !c)
            apart = true;
        line_begins = text[i] == '\n' || (line_begins && !copy && !c);
    }
}

void es_squeezed_free(es_squeezed *q)
{
    free(q->s);
    free(q->at);
    free(q->apart);
    *q = (es_squeezed){0};
}
