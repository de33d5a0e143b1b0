// SPDX-License-Identifier: GPL-3.0-or-later
/* What kind of token some bytes are. */
#include "base/utf8.h"
#include "text/classes.h"
#include "view/atlas.h"

const char *es_script_name(es_script s)
{
    static const char *const names[] = {
        [ES_SCRIPT_NONE] = "no letters",
        [ES_SCRIPT_LATIN] = "Latin",
        [ES_SCRIPT_CYRILLIC] = "Cyrillic",
        [ES_SCRIPT_GREEK] = "Greek",
        [ES_SCRIPT_ARABIC] = "Arabic",
        [ES_SCRIPT_HEBREW] = "Hebrew",
        [ES_SCRIPT_HAN] = "Han",
        [ES_SCRIPT_KANA] = "kana",
        [ES_SCRIPT_OTHER] = "another script",
        [ES_SCRIPT_BYTES] = "bytes, no text",
    };
    return names[s];
}

/* Where the letters of a script are, by the blocks of Unicode 16. */
static es_script script_of(uint32_t letter)
{
    static const struct {
        uint32_t first, last;
        es_script script;
    } blocks[] = {
        {0x0041, 0x02FF, ES_SCRIPT_LATIN},    {0x0370, 0x03E1, ES_SCRIPT_GREEK},
        {0x03F0, 0x03FF, ES_SCRIPT_GREEK},    {0x0400, 0x052F, ES_SCRIPT_CYRILLIC},
        {0x0590, 0x05FF, ES_SCRIPT_HEBREW},   {0x0600, 0x06FF, ES_SCRIPT_ARABIC},
        {0x0750, 0x077F, ES_SCRIPT_ARABIC},   {0x0870, 0x08FF, ES_SCRIPT_ARABIC},
        {0x1C80, 0x1C8F, ES_SCRIPT_CYRILLIC}, {0x1D00, 0x1D25, ES_SCRIPT_LATIN},
        {0x1E00, 0x1EFF, ES_SCRIPT_LATIN},    {0x1F00, 0x1FFF, ES_SCRIPT_GREEK},
        {0x2C60, 0x2C7F, ES_SCRIPT_LATIN},    {0x2DE0, 0x2DFF, ES_SCRIPT_CYRILLIC},
        {0x2E80, 0x2FDF, ES_SCRIPT_HAN},      {0x3005, 0x3007, ES_SCRIPT_HAN},
        {0x3041, 0x30FF, ES_SCRIPT_KANA},     {0x31F0, 0x31FF, ES_SCRIPT_KANA},
        {0x3400, 0x4DBF, ES_SCRIPT_HAN},      {0x4E00, 0x9FFF, ES_SCRIPT_HAN},
        {0xA640, 0xA69F, ES_SCRIPT_CYRILLIC}, {0xA722, 0xA7FF, ES_SCRIPT_LATIN},
        {0xAB30, 0xAB64, ES_SCRIPT_LATIN},    {0xF900, 0xFAFF, ES_SCRIPT_HAN},
        {0xFB00, 0xFB06, ES_SCRIPT_LATIN},    {0xFB1D, 0xFB4F, ES_SCRIPT_HEBREW},
        {0xFB50, 0xFDFF, ES_SCRIPT_ARABIC},   {0xFE70, 0xFEFC, ES_SCRIPT_ARABIC},
        {0xFF21, 0xFF5A, ES_SCRIPT_LATIN},    {0xFF66, 0xFF9D, ES_SCRIPT_KANA},
        {0x1AFF0, 0x1B16F, ES_SCRIPT_KANA},   {0x20000, 0x323AF, ES_SCRIPT_HAN},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (letter >= blocks[i].first && letter <= blocks[i].last)
            return blocks[i].script;
    return ES_SCRIPT_OTHER;
}

/* What is known after some characters. */
typedef struct seen {
    es_script script;
    int lower, upper, others; /* letters with case; characters that are no digits */
    bool first_upper;         /* the first letter with case is */
    int digits;
} seen;

static void see(seen *s, uint32_t cp)
{
    int letter_case = es_char_case(cp);
    bool digit = cp >= '0' && cp <= '9';
    s->digits += digit;
    s->others += !digit;
    s->first_upper |= letter_case == 2 && !s->lower && !s->upper;
    s->lower += letter_case == 1;
    s->upper += letter_case == 2;
    if (es_class_of(cp) != ES_CLASS_LETTER)
        return;
    es_script script = script_of(cp);
    if (s->script == ES_SCRIPT_NONE || (s->script == ES_SCRIPT_HAN && script == ES_SCRIPT_KANA))
        s->script = script; /* Japanese is told from Chinese by its kana */
}

static uint8_t case_of(const seen *s)
{
    if (s->lower + s->upper == 0)
        return 0;
    if (s->upper == 0)
        return 1;
    if (s->upper == 1 && s->first_upper)
        return 2;
    return s->lower ? 4 : 3;
}

es_token_kind es_token_kind_of(const char *bytes, size_t n)
{
    es_token_kind kind = {.script = ES_SCRIPT_BYTES, .space = n && *bytes == ' '};
    seen s = {0};
    uint32_t cp;
    for (size_t i = kind.space; i < n;) {
        int length = es_utf8_next(bytes + i, n - i, &cp);
        if (!length)
            return kind;
        see(&s, cp);
        i += (size_t)length;
    }
    kind.script = (uint8_t)s.script;
    kind.digit = s.digits && !s.others;
    kind.letter_case = case_of(&s);
    return kind;
}
