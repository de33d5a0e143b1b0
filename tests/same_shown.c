// SPDX-License-Identifier: GPL-3.0-or-later
#include "same_shown.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* "cpu" stands for all devices; where nothing is said of one, it is that. */
static void without_device(es_str *out, const char *s)
{
    static const struct {
        const char *is, *as;
    } words[] = {{", device='gpu:0'", ""},
                 {",\n       device='gpu:0'", ""},
                 {"device(type='gpu', index=0)", "device(type='cpu')"},
                 {", device='cuda:0'", ""},
                 {"device(type='cuda', index=0)", "device(type='cpu')"},
                 {"cuda:0", "cpu"},
                 {"gpu:0", "cpu"},
                 {"gpu", "cpu"}};
    while (*s) {
        size_t i = 0, n = sizeof words / sizeof *words;
        while (isspace((unsigned char)*s))
            s++;
        while (i < n && strncmp(s, words[i].is, strlen(words[i].is)) != 0)
            i++;
        if (i < n) {
            es_str_cat(out, words[i].as);
            s += strlen(words[i].is);
        } else if (*s == ',' && isspace((unsigned char)s[1])) {
            es_str_char(out, *s++);
            const char *next = s + strspn(s, " \n");
            if (!strncmp(next, "device='", 8)) { /* on a line of its own */
                es_str_cut(out, out->len - 1);
                s = next + 8 + strcspn(next + 8, "'") + 1;
            }
        } else if (*s) { /* a string with a device in it has other quotes */
            es_str_char(out, *s == '"' ? '\'' : *s);
            s++;
        }
    }
}

static bool begins_number(const char *s)
{
    return isdigit((unsigned char)*s) || ((*s == '-' || *s == '.') && isdigit((unsigned char)s[1]));
}

static bool near(double a, double b, double within)
{
    return a == b || fabs(a - b) <= within * fmax(1, fmax(fabs(a), fabs(b)));
}

/* Where both begin a number, on behind it. */
static bool step_over_number(const char **a, const char **b, double within)
{
    char *a_end, *b_end;
    double x = strtod(*a, &a_end), y = strtod(*b, &b_end);
    *a = a_end;
    *b = b_end;
    return near(x, y, within);
}

bool same_but_for_device(const char *one, const char *other, double within)
{
    es_str x = {0}, y = {0};
    without_device(&x, one);
    without_device(&y, other);
    const char *a = es_str_text(&x), *b = es_str_text(&y);
    bool same = true;
    while (same && *a && *b) {
        bool minus = *a != *b && (*a == '-' || *b == '-'); /* -0.0000 and 0.0000 */
        if ((begins_number(a) && begins_number(b)) ||
            (minus && (begins_number(a) || begins_number(b))))
            same = step_over_number(&a, &b, within);
        else
            same = *a++ == *b++;
    }
    same = same && !*a && !*b;
    es_str_free(&x);
    es_str_free(&y);
    return same;
}
