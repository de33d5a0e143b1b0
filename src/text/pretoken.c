// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/pretoken.h"

#include <stdbool.h>

#include "base/utf8.h"
#include "text/classes.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WIDE = ES_CLASS_SPACE + 1 }; /* a byte that a character beyond ASCII may begin with */

/* clang-format off */
#define O    ES_CLASS_OTHER
#define L    ES_CLASS_LETTER
#define N    ES_CLASS_NUMBER
#define S    ES_CLASS_SPACE
#define W    WIDE
#define O16  O,O,O,O, O,O,O,O, O,O,O,O, O,O,O,O
#define W16  W,W,W,W, W,W,W,W, W,W,W,W, W,W,W,W

/* Classes of bytes, sixteen a line. */
static const unsigned char class_of[256] = {
    O,O,O,O, O,O,O,O, O,S,S,S, S,S,O,O,
    O16,
    S,O,O,O, O,O,O,O, O,O,O,O, O,O,O,O,
    N,N,N,N, N,N,N,N, N,N,O,O, O,O,O,O,
    O,L,L,L, L,L,L,L, L,L,L,L, L,L,L,L,
    L,L,L,L, L,L,L,L, L,L,L,O, O,O,O,O,
    O,L,L,L, L,L,L,L, L,L,L,L, L,L,L,L,
    L,L,L,L, L,L,L,L, L,L,L,O, O,O,O,O,
    O16, O16, O16, O16, /* 80 to BF continue a character */
    O,O,W,W, W,W,W,W, W,W,W,W, W,W,W,W,
    W16, W16,
    W,W,W,W, W,O,O,O, O,O,O,O, O,O,O,O,
};

#undef O
#undef L
#undef N
#undef S
#undef W
#undef O16
#undef W16
/* clang-format on */

static inline unsigned class_of_byte(char c)
{
    return class_of[(unsigned char)c];
}

static inline bool continues(char c)
{
    return (c & 0xC0) == 0x80;
}

/* The class of the character at s and, in *len, its bytes. */
static inline unsigned class_at(const char *s, size_t n, size_t *len)
{
    unsigned class = class_of_byte(s[0]);
    *len = 1;
    if (class != WIDE)
        return class;
    if (n < 2 || !continues(s[1]))
        return ES_CLASS_OTHER;
    const unsigned char *u = (const unsigned char *)s;
    uint32_t cp;
    int bytes;
    if (u[0] < 0xE0) {
        bytes = 2;
        cp = (u[0] & 0x1Fu) << 6 | (u[1] & 0x3Fu);
    } else if (u[0] > 0xE0 && u[0] < 0xED && n > 2 && continues(s[2])) {
        bytes = 3;
        cp = (u[0] & 0x0Fu) << 12 | (u[1] & 0x3Fu) << 6 | (u[2] & 0x3Fu);
    } else if (u[0] == 0xF0 && u[1] >= 0x90 && n > 3 && continues(s[2]) && continues(s[3])) {
        bytes = 4;
        cp = (u[1] & 0x3Fu) << 12 | (u[2] & 0x3Fu) << 6 | (u[3] & 0x3Fu);
    } else {
        bytes = es_utf8_next(s, n, &cp);
    }
    if (!bytes)
        return ES_CLASS_OTHER;
    *len = (size_t)bytes;
    return es_class_of(cp);
}

/* How many of the bytes from s + i on are ASCII letters: i moves behind them. */
static inline size_t skip_letters(const char *s, size_t i, size_t n)
{
#ifdef __SSE2__
    for (; i + 16 <= n; i += 16) {
        __m128i c = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
        /* upper to lower case, then shifted so that a-z are the 26 lowest of all signed bytes */
        __m128i low =
            _mm_sub_epi8(_mm_or_si128(c, _mm_set1_epi8(0x20)), _mm_set1_epi8((char)('a' + 128)));
        int letters = _mm_movemask_epi8(_mm_cmplt_epi8(low, _mm_set1_epi8(-128 + 26)));
        if (letters != 0xFFFF)
            return i + (size_t)__builtin_ctz(~(unsigned)letters);
    }
#endif
    while (i < n && class_of_byte(s[i]) == ES_CLASS_LETTER)
        i++;
    return i;
}

/* Where the run of one class that s[i] is in the middle of ends. */
static size_t run_end(unsigned class, const char *s, size_t i, size_t n)
{
    for (;;) {
        if (class == ES_CLASS_LETTER)
            i = skip_letters(s, i, n);
        while (i < n && class_of_byte(s[i]) == class)
            i++;
        size_t len;
        if (i == n || class_of_byte(s[i]) != WIDE || class_at(s + i, n - i, &len) != class)
            return i;
        i += len;
    }
}

static inline size_t contraction(const char *s, size_t n)
{
    if (n < 2)
        return 0;
    switch (s[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    case 'r':
    case 'v': return n > 2 && s[2] == 'e' ? 3 : 0;
    case 'l': return n > 2 && s[2] == 'l' ? 3 : 0;
    default: return 0;
    }
}

/* A run of white space, less its last character when something else follows. */
static size_t white_space(const char *s, size_t begin, size_t n)
{
    size_t i = begin, last = 0, len;
    while (i < n && class_at(s + i, n - i, &len) == ES_CLASS_SPACE) {
        i += len;
        last = len;
    }
    return i == n || i - begin == last ? i : i - last;
}

static inline size_t piece_end(const char *s, size_t i, size_t n)
{
    size_t len;
    if (s[i] == '\'' && (len = contraction(s + i, n - i)))
        return i + len;
    size_t start = i + (s[i] == ' ' && i + 1 < n);
    unsigned class = class_at(s + start, n - start, &len);
    return class == ES_CLASS_SPACE ? white_space(s, i, n) : run_end(class, s, start + len, n);
}

size_t es_pretoken_gpt2(const char *text, size_t n, uint32_t *end, size_t most)
{
    size_t i = 0, k = 0;
    for (; i < n && k < most; k++) {
        i = piece_end(text, i, n);
        end[k] = (uint32_t)i;
    }
    return k;
}

int es_pretoken_gpt2_parts(const char *text, size_t n, size_t at)
{
    size_t len;
    if (at == 0 || at >= n || class_of_byte(text[at]) != ES_CLASS_SPACE)
        return 0;
    /* the character that ends here: UTF-8 can be read backwards */
    for (size_t back = 2; back <= 4 && back <= at; back++)
        if (continues(text[at - 1]) && class_at(text + at - back, back, &len) == ES_CLASS_SPACE &&
            len == back)
            return 0;
    return class_of_byte(text[at - 1]) != ES_CLASS_SPACE;
}
