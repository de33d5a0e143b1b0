// SPDX-License-Identifier: GPL-3.0-or-later
#include "alike.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"

/* ---- names ---- */

enum { MOST_NAMES = 9 };

typedef struct name {
    char is[64];
    const char *mapped;
} name;

/* What is longer comes first, for it holds what is shorter. */
static void names_of(name *of, const char *device)
{
    char torch[ES_DEVICE_NAME];
    es_device_torch_name(torch, device);
    int kind = (int)strcspn(torch, ":");
    const char *index = torch[kind] ? torch + kind + 1 : "0";
    int n = 0;
    snprintf(of[n].is, sizeof of[n].is, "device(type='%.*s', index=%s)", kind, torch, index);
    of[n++].mapped = "device(type='cpu')";
    snprintf(of[n].is, sizeof of[n].is, "device(type='%.*s', index=%s)", (int)strcspn(device, ":"),
             device, index);
    of[n++].mapped = "device(type='cpu')";
    snprintf(of[n].is, sizeof of[n].is, ", device='%.*s:%s'", kind, torch, index);
    of[n++].mapped = "";
    snprintf(of[n].is, sizeof of[n].is, "%.*s:%s", kind, torch, index);
    of[n++].mapped = "cpu";
    snprintf(of[n].is, sizeof of[n].is, "%s", device);
    of[n++].mapped = "cpu";
    snprintf(of[n].is, sizeof of[n].is, "cpu");
    of[n++].mapped = "the host's";
    of[n].mapped = NULL;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* How many bytes at `at` are this name: a word, or what begins with a comma; blanks in it may be a line break. */
static size_t is_name(const char *start, const char *at, const char *is)
{
    const char *s = at;
    if (in_word(*is) && at > start && in_word(at[-1]))
        return 0;
    for (; *is; is++) {
        if (*is == ' ' && isspace((unsigned char)*s))
            s += strspn(s, " \n");
        else if (*is == *s)
            s++;
        else
            return 0;
    }
    return in_word(is[-1]) && in_word(*s) ? 0 : (size_t)(s - at);
}

void alike_mapped(es_str *out, const char *answer, const char *device)
{
    name of[MOST_NAMES];
    names_of(of, device);
    for (const char *s = answer; *s;) {
        size_t n = 0;
        int i = 0;
        while (of[i].mapped && !(n = is_name(answer, s, of[i].is)))
            i++;
        if (n)
            es_str_cat(out, of[i].mapped);
        else
            es_str_char(out, *s);
        s += n ? n : 1;
    }
}

/* ---- numbers ---- */

typedef struct number {
    size_t n; /* bytes; 0: here is none */
    bool exact;
    double value, unit; /* unit: one in the last digit */
} number;

static number read_number(const char *start, const char *at)
{
    number none = {0}, it = {0};
    const char *s = at + (*at == '-' || *at == '+');
    int places = 0;
    if (!isdigit((unsigned char)*s) || (at > start && (in_word(at[-1]) || at[-1] == '.')))
        return none;
    s += strspn(s, "0123456789");
    it.exact = *s != '.' && *s != 'e';
    if (*s == '.') {
        places = (int)strspn(s + 1, "0123456789");
        s += 1 + places;
    }
    if (*s == 'e' && (isdigit((unsigned char)s[1]) || strchr("+-", s[1]))) {
        places -= atoi(s + 1);
        s += 2 + strspn(s + 2, "0123456789");
    }
    it.value = strtod(at, NULL);
    it.unit = pow(10, -places);
    it.n = (size_t)(s - at);
    return isalnum((unsigned char)*s) || !isfinite(it.value) ? none : it; /* hexadecimal, a name */
}

static double largest(const char *line)
{
    double most = 0;
    for (const char *s = line; *s && *s != '\n';) {
        number it = read_number(line, s);
        most = it.n && !it.exact ? fmax(most, fabs(it.value)) : most;
        s += it.n ? it.n : 1;
    }
    return most;
}

/* Some lists name the device behind the dtype where it is not the CPU.  The bytes of " cpu" there, or 0. */
static size_t named_behind(const char *line, const char *at)
{
    static const char *const dtypes[] = {"int64", "int32", "float32", "float64", "bool"};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        size_t n = strlen(dtypes[i]);
        if ((size_t)(at - line) >= n && !memcmp(at - n, dtypes[i], n))
            return !strncmp(at, " cpu", 4) && !in_word(at[4]) ? 4 : 0;
    }
    return 0;
}

static bool near(number a, number b, double most)
{
    if (a.exact && b.exact)
        return a.value == b.value;
    double unit = a.exact ? b.unit : b.exact ? a.unit : fmax(a.unit, b.unit);
    return fabs(a.value - b.value) <=
           fmax(fmax(ALIKE_TOLERANCE * most, ALIKE_LEAST), 1.0001 * unit);
}

/* ---- lines ---- */

static bool ended(const char *s)
{
    s += strspn(s, " ");
    return !*s || *s == '\n';
}

bool alike_from(const char *want, const char *got, const char **w, const char **g)
{
    double most = fmax(largest(want), largest(got));
    *w = want;
    *g = got;
    while (!ended(*w) && !ended(*g)) {
        if (!named_behind(want, *w))
            *g += named_behind(got, *g);
        number a = read_number(want, *w), b = read_number(got, *g);
        bool numbers = a.n && b.n, blanks = **w == ' ' && **g == ' ';
        if (numbers ? !near(a, b, most) : **w != **g)
            return false;
        *w += numbers ? a.n : blanks ? strspn(*w, " ") : 1;
        *g += numbers ? b.n : blanks ? strspn(*g, " ") : 1;
    }
    if (!named_behind(want, *w))
        *g += named_behind(got, *g);
    return ended(*w) && ended(*g);
}

bool alike_line(const char *want, const char *got)
{
    const char *w, *g;
    return alike_from(want, got, &w, &g);
}

int alike_shown(const char *line)
{
    enum { MOST = 300 };
    size_t n = strcspn(line, "\n");
    return n < MOST ? (int)n : MOST;
}
