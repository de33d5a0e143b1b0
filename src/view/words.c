// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/words.h"

#include <math.h>
#include <string.h>

enum { NARROW = 36 }; /* ems: a wider paragraph is hard to read */

/* The bytes up to the end of the next word; a sign of percent stays with its number. */
static size_t word_end(const char *text)
{
    size_t end = strcspn(text, " ");
    if (text[end] && text[end + 1] == '%')
        end += 1 + strcspn(text + end + 1, " ");
    return end;
}

/* The bytes of the next line of at most `width`: whole words, at least one; *next is where the line after it begins. */
static size_t take_line(es_canvas *c, float width, const char *text, const es_ink *ink,
                        const char **next)
{
    size_t line = 0;
    for (size_t at = 0;;) {
        size_t word = at + word_end(text + at);
        if (line && es_canvas_width(c, text, word, ink) > width)
            break;
        line = word;
        if (!text[word])
            break;
        at = word + strspn(text + word, " ");
    }
    *next = text + line + strspn(text + line, " ");
    return line;
}

float es_words_height(es_canvas *c, float width, const char *text, const es_ink *ink)
{
    int lines = 0;
    for (; *text; lines++)
        take_line(c, width, text, ink, &text);
    return (float)lines * es_canvas_lines(c, ES_LEADING * ink->size);
}

float es_words_draw(es_canvas *c, es_box box, float align, const char *text, const es_ink *ink)
{
    float step = es_canvas_lines(c, ES_LEADING * ink->size), y = 0;
    float x = box.x + align * box.w;
    while (*text && y + step <= box.h + 0.5f) {
        const char *line = text;
        size_t n = take_line(c, box.w, text, ink, &text);
        bool last = y + 2 * step > box.h + 0.5f;
        float middle = box.y + y + step / 2;
        if (*text && last) { /* the rest of it, cut by es_canvas_fit */
            es_canvas_fit(c, x, middle, box.w, align, line, ink);
            return y + step;
        }
        float w = es_canvas_width(c, line, n, ink);
        es_canvas_text(c, x - align * w, middle, line, n, ink);
        y += step;
    }
    return y;
}

es_box es_words_tag(es_canvas *c, es_box *line, const char *text, float em)
{
    const es_ink ink = {.size = em};
    float w = es_canvas_width(c, text, strlen(text), &ink) + em, h = fminf(1.3F * em, line->h);
    if (w > line->w)
        return (es_box){line->x, line->y, 0, 0};
    es_box tag = es_box_cut_right(line, w);
    es_box_cut_right(line, 0.6F * em);
    return (es_box){tag.x, tag.y + (tag.h - h) / 2, w, h};
}

void es_words_tag_draw(es_canvas *c, es_box tag, const char *text, const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = es_ink_on(p, p->second)};
    es_canvas_fill(c, tag, p->second);
    es_canvas_fit(c, tag.x + tag.w / 2, tag.y + tag.h / 2, tag.w, 0.5F, text, &ink);
}

void es_words_instead(es_canvas *c, es_box box, const char *text, const es_ink *ink)
{
    float w = fminf(box.w - 2 * ink->size, NARROW * ink->size);
    float h = fminf(es_words_height(c, w, text, ink), box.h);
    es_words_draw(c, (es_box){box.x + (box.w - w) / 2, box.y + (box.h - h) / 2, w, h}, 0.5F, text,
                  ink);
}
