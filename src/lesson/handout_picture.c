// SPDX-License-Identifier: GPL-3.0-or-later
/* A picture that was made as a file of its own, as a part of a page with others. */
#include <string.h>

#include "lesson/handout_inside.h"
#include "lesson/prose.h"

/* Behind these a name of the file is given or meant. */
static const char *const names[] = {
    " id=\"",
    "url(#",
    " href=\"#",
    " xlink:href=\"#",
    " aria-labelledby=\"",
    " aria-describedby=\"",
};

/* How many bytes at s stand before a name: 0, none do. */
static size_t before_name(const char *s)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(s, names[i], strlen(names[i])))
            return strlen(names[i]);
    return 0;
}

/* Bytes of an attribute that a part of a page does without. */
static size_t needless(const char *s)
{
    static const char *const attributes[] = {" xmlns=\"", " xmlns:xlink=\"", " xml:space=\"",
                                             " version=\""};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        size_t n = strlen(attributes[i]);
        const char *end = strncmp(s, attributes[i], n) ? NULL : strchr(s + n, '"');
        if (end)
            return (size_t)(end - s) + 1;
    }
    return 0;
}

/* The picture's own title, or what is given, for who cannot see it. */
static void put_label(es_str *out, const char *inside, const char *title)
{
    static const char open[] = "<title>", close[] = "</title>";
    const char *own = strstr(inside, open), *end = own ? strstr(own, close) : NULL;
    es_str_cat(out, "<svg role=\"img\" aria-label=\"");
    if (end)
        for (own += strlen(open); own < end; own++)
            es_str_cat(out, *own == '"' ? "&quot;" : (char[]){*own, 0});
    else
        es_html_text(out, title, strlen(title));
    es_str_char(out, '"');
}

/* What stands in the tag <svg …>, n bytes. */
static void put_attributes(es_str *out, const char *svg, size_t n)
{
    for (size_t i = strlen("<svg"), skip; i < n; i += skip ? skip : 1) {
        skip = needless(svg + i);
        if (!skip)
            es_str_char(out, svg[i]);
    }
}

void es_handout_svg(es_str *out, const char *svg, const char *name, const char *title)
{
    const char *s = strstr(svg, "<svg"), *tag_end = s ? strchr(s, '>') : NULL;
    if (!tag_end)
        return;
    put_label(out, tag_end, title);
    put_attributes(out, s, (size_t)(tag_end - s));
    bool tag = true; /* is s within one? */
    for (s = tag_end; *s;) {
        tag = *s == '<' || (tag && *s != '>');
        size_t n = tag && (*s == ' ' || *s == 'u') ? before_name(s) : 0;
        es_str_bytes(out, s, n ? n : 1);
        es_str_cat(out, n ? name : "");
        s += n ? n : 1;
    }
}
