// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

enum { MOST_IN_CLUSTER = 16, JOINER = 0x200D };

/* Digits keep their order among letters that run from right to left; spaces and signs go with what is around them. */
typedef enum way { WAY_LEFT, WAY_RIGHT, WAY_DIGIT, WAY_NEITHER } way;

/* A letter with the marks on it: drawn by one face. */
typedef struct cluster {
    size_t at, n; /* of the line's bytes */
    int face;
    const char *script; /* NULL: any */
    way way;
} cluster;

typedef struct cutter {
    es_runs *out;
    es_faces *faces;
    int style;
    size_t most; /* clusters that are wanted */
    cluster *of;
    size_t n, room;
} cutter;

/* ---- characters ---- */

static const char *script_of(uint32_t c)
{
    static const struct {
        uint32_t from, to;
        char name[5];
    } blocks[] = {
        {0x0041, 0x024F, "Latn"}, {0x0370, 0x03FF, "Grek"}, {0x0400, 0x052F, "Cyrl"},
        {0x0530, 0x058F, "Armn"}, {0x0590, 0x05FF, "Hebr"}, {0x0600, 0x06FF, "Arab"},
        {0x0700, 0x074F, "Syrc"}, {0x0750, 0x077F, "Arab"}, {0x0780, 0x07BF, "Thaa"},
        {0x07C0, 0x07FF, "Nkoo"}, {0x08A0, 0x08FF, "Arab"}, {0x0900, 0x097F, "Deva"},
        {0x0980, 0x09FF, "Beng"}, {0x0A00, 0x0A7F, "Guru"}, {0x0A80, 0x0AFF, "Gujr"},
        {0x0B00, 0x0B7F, "Orya"}, {0x0B80, 0x0BFF, "Taml"}, {0x0C00, 0x0C7F, "Telu"},
        {0x0C80, 0x0CFF, "Knda"}, {0x0D00, 0x0D7F, "Mlym"}, {0x0D80, 0x0DFF, "Sinh"},
        {0x0E00, 0x0E7F, "Thai"}, {0x0E80, 0x0EFF, "Laoo"}, {0x0F00, 0x0FFF, "Tibt"},
        {0x1000, 0x109F, "Mymr"}, {0x10A0, 0x10FF, "Geor"}, {0x1100, 0x11FF, "Hang"},
        {0x1200, 0x139F, "Ethi"}, {0x1780, 0x17FF, "Khmr"}, {0x1800, 0x18AF, "Mong"},
        {0x1E00, 0x1EFF, "Latn"}, {0x1F00, 0x1FFF, "Grek"}, {0x3040, 0x309F, "Hira"},
        {0x30A0, 0x30FF, "Kana"}, {0x3130, 0x318F, "Hang"}, {0x3400, 0x9FFF, "Hani"},
        {0xAC00, 0xD7FF, "Hang"}, {0xF900, 0xFAFF, "Hani"}, {0xFB1D, 0xFB4F, "Hebr"},
        {0xFB50, 0xFDFF, "Arab"}, {0xFE70, 0xFEFC, "Arab"}, {0x20000, 0x3FFFF, "Hani"},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (c >= blocks[i].from && c <= blocks[i].to)
            return blocks[i].name;
    return NULL;
}

static way way_of(uint32_t c)
{
    if (es_char_rtl(c))
        return WAY_RIGHT;
    if ((c >= '0' && c <= '9') || (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9))
        return WAY_DIGIT;
    bool sign = c < 'A' || (c > 'Z' && c < 'a') || (c > 'z' && c < 0xC0) ||
                (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x3020);
    return sign ? WAY_NEITHER : WAY_LEFT;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

/* The order they ask for is worked out here in a simpler way. */
static bool is_bidi_control(uint32_t c)
{
    return c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069);
}

/* Drawn with the character before it: marks, joiners, selectors of forms and of skins. */
static bool joins(uint32_t c)
{
    if (is_bidi_control(c))
        return false;
    return (c >= 0x300 && es_char_combines(c)) || c == JOINER || c == 0x200C ||
           (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x1F3FB && c <= 0x1F3FF);
}

/* ---- clusters ---- */

static void add(cutter *c, const uint32_t *character, size_t n, int face)
{
    cluster new = {.at = c->out->text.len, .face = face};
    if (c->n >= c->most)
        return;
    for (size_t i = 0; i < n; i++) {
        char utf8[4];
        es_str_bytes(&c->out->text, utf8, (size_t)es_utf8_put(utf8, character[i]));
    }
    new.n = c->out->text.len - new.at;
    new.script = script_of(character[0]);
    new.way = way_of(character[0]);
    if (c->n == c->room) {
        c->room = 2 * c->room + 32;
        c->of = es_realloc(c->of, c->room * sizeof *c->of);
    }
    c->of[c->n++] = new;
}

/* In letters that every font has: as text, for a box says nothing. */
static void add_code(cutter *c, const char *code)
{
    for (; *code; code++) {
        uint32_t letter = (unsigned char)*code;
        int face = es_faces_with(c->faces, c->style, &letter, 1);
        if (face >= 0)
            add(c, &letter, 1, face);
    }
}

static void add_number(cutter *c, uint32_t character)
{
    es_str code = {0};
    es_str_add(&code, "<U+%04X>", (unsigned)character);
    add_code(c, code.s);
    es_str_free(&code);
}

/* All of a cluster by one face, else each of its characters by its own, else as numbers. */
static void add_cluster(cutter *c, const uint32_t *character, size_t n)
{
    int face = es_faces_with(c->faces, c->style, character, n);
    if (face >= 0)
        add(c, character, n, face);
    else if (n == 1)
        add_number(c, character[0]);
    else
        for (size_t i = 0; i < n; i++)
            add_cluster(c, character + i, 1);
}

/* Bytes that are no text, up to the next that are; returns how many. */
static size_t add_bytes(cutter *c, const char *text, size_t n)
{
    es_str code = {0};
    uint32_t character;
    size_t len = 0;
    for (; len < n && !es_utf8_next(text + len, n - len, &character); len++)
        es_str_add(&code, "%s%02X", len ? " " : "<", (unsigned)(unsigned char)text[len]);
    es_str_char(&code, '>');
    add_code(c, code.s);
    es_str_free(&code);
    return len;
}

/* The characters at text that belong together; returns their bytes. */
static size_t next_cluster(const char *text, size_t n, uint32_t out[MOST_IN_CLUSTER], size_t *n_out)
{
    size_t len = (size_t)es_utf8_next(text, n, &out[0]);
    *n_out = 1;
    while (len < n && *n_out < MOST_IN_CLUSTER) {
        uint32_t c;
        int more = es_utf8_next(text + len, n - len, &c);
        if (!more || is_control(c) || !(joins(c) || out[*n_out - 1] == JOINER))
            break;
        out[(*n_out)++] = c;
        len += (size_t)more;
    }
    return len;
}

static void cut_clusters(cutter *c, const char *text, size_t n)
{
    for (size_t i = 0; i < n && c->n < c->most;) {
        uint32_t character[MOST_IN_CLUSTER];
        size_t n_characters;
        if (!es_utf8_next(text + i, n - i, &character[0])) {
            i += add_bytes(c, text + i, n - i);
            continue;
        }
        i += next_cluster(text + i, n - i, character, &n_characters);
        if (is_control(character[0]))
            add_number(c, character[0]);
        else if (!is_bidi_control(character[0]))
            add_cluster(c, character, n_characters);
    }
}

/* ---- runs ---- */

/* Signs and digits have the script of what stands before them, at the beginning of what follows. */
static void settle_scripts(cutter *c)
{
    const char *script = NULL;
    for (size_t i = 0; i < c->n && !script; i++)
        script = c->of[i].script;
    for (size_t i = 0; i < c->n; i++) {
        if (c->of[i].script)
            script = c->of[i].script;
        c->of[i].script = script ? script : "Latn";
    }
}

static bool same_run(const cluster *a, const cluster *b)
{
    return a->face == b->face && !strcmp(a->script, b->script) &&
           (a->way == WAY_RIGHT) == (b->way == WAY_RIGHT);
}

static void put_run(es_runs *out, const cluster *from, const cluster *to)
{
    const cluster *last = to - 1;
    out->run[out->n++] = (es_run){.at = from->at,
                                  .n = last->at + last->n - from->at,
                                  .face = from->face,
                                  .rtl = from->way == WAY_RIGHT,
                                  .script = from->script};
}

/* The runs of from..to in the order of the text. */
static void put_runs(es_runs *out, const cluster *from, const cluster *to)
{
    for (const cluster *at = from; at < to;) {
        const cluster *next = at + 1;
        while (next < to && same_run(at, next))
            next++;
        put_run(out, at, next);
        at = next;
    }
}

/* From a letter that runs from right to left to the last of its kind before one that does not. */
static cluster *stretch_end(cluster *at, cluster *end)
{
    cluster *last = at;
    for (cluster *c = at; c < end && c->way != WAY_LEFT; c++)
        if (c->way == WAY_RIGHT)
            last = c;
    return last + 1;
}

/* What is seen from right to left: its runs in reverse, digits among it in their own order. */
static void put_stretch(es_runs *out, cluster *from, cluster *to)
{
    size_t first = out->n;
    for (cluster *c = from; c < to; c++)
        if (c->way == WAY_NEITHER)
            c->way = WAY_RIGHT;
    put_runs(out, from, to);
    for (size_t i = first, j = out->n; i + 1 < j; i++) {
        es_run swap = out->run[i];
        out->run[i] = out->run[--j];
        out->run[j] = swap;
    }
}

void es_runs_cut(es_runs *out, es_faces *f, int style, const char *text, size_t n, size_t most)
{
    cutter c = {.out = out, .faces = f, .style = style, .most = most};
    *out = (es_runs){0};
    cut_clusters(&c, text, n);
    settle_scripts(&c);
    out->run = es_alloc_array(c.n ? c.n : 1, sizeof *out->run);
    for (cluster *at = c.of, *end = c.of + c.n; at < end;) {
        cluster *next = at;
        if (at->way == WAY_RIGHT) {
            next = stretch_end(at, end);
            put_stretch(out, at, next);
        } else {
            while (next < end && next->way != WAY_RIGHT)
                next++;
            put_runs(out, at, next);
        }
        at = next;
    }
    free(c.of);
}

void es_runs_free(es_runs *r)
{
    es_str_free(&r->text);
    free(r->run);
    *r = (es_runs){0};
}
