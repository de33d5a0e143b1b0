// SPDX-License-Identifier: GPL-3.0-or-later
/* Axes as they are said: for a reader, for :axes to read again, as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/axes.h"

/* As digits that es_near_read takes. */
static void add_factor(es_str *out, double factor)
{
    char text[64];
    int digits = 0;
    do
        snprintf(text, sizeof text, "%.*f", digits, factor);
    while (strtod(text, NULL) != factor && digits++ < 18);
    es_str_cat(out, text);
}

static void add_terms(const es_near_ask *sum, const es_context *c, const char *minus, es_str *out)
{
    for (size_t i = 0; i < sum->n; i++) {
        bool less = sum->factor[i] < 0;
        es_str_cat(out, i ? " " : "");
        if (i || less)
            es_str_add(out, "%s ", less ? minus : "+");
        if (fabs(sum->factor[i]) != 1) {
            add_factor(out, fabs(sum->factor[i]));
            es_str_cat(out, " * ");
        }
        if (c)
            es_scene_token(out, c, sum->id[i], ES_MAP_COLUMNS);
        else
            es_str_add(out, "#%" PRId32, sum->id[i]);
    }
}

void es_axes_sum_name(const es_context *c, const es_near_ask *sum, es_str *out)
{
    add_terms(sum, c, "−", out);
}

void es_axes_line(const es_axes_chosen *of, es_str *out)
{
    if (of->form == ES_AXES_ANALOGY) {
        es_str_add(out, "#%" PRId32 " - #%" PRId32 " + #%" PRId32, of->a, of->b, of->c);
        return;
    }
    for (int k = 0; k < (of->form == ES_AXES_TWO ? 2 : 1); k++) {
        es_str_cat(out, k ? " ; " : "");
        add_terms(&of->from[k], NULL, "-", out);
        es_str_char(out, ' ');
        add_terms(&of->to[k], NULL, "-", out);
    }
}

/* "x from ␣he to ␣she, y from ␣man to ␣men" */
void es_axes_describe(const es_context *c, const es_axes_chosen *of, es_str *out)
{
    if (of->form == ES_AXES_ANALOGY) {
        const es_near_ask sum = {.id = {of->a, of->b, of->c}, .factor = {1, -1, 1}, .n = 3};
        es_str_cat(out, "the analogy ");
        es_axes_sum_name(c, &sum, out);
        return;
    }
    for (int k = 0; k < (of->form == ES_AXES_TWO ? 2 : 1); k++) {
        es_str_cat(out, k ? ", y from " : "x from ");
        es_axes_sum_name(c, &of->from[k], out);
        es_str_cat(out, " to ");
        es_axes_sum_name(c, &of->to[k], out);
    }
    if (of->form == ES_AXES_ONE)
        es_str_cat(out, ", y how far a row is from this axis");
}

static void json_sum(es_json *j, const char *key, const es_near_ask *sum)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (size_t i = 0; i < sum->n; i++) {
        es_json_open(j, '{');
        es_json_key_int(j, "id", sum->id[i]);
        es_json_key(j, "factor");
        es_json_double(j, sum->factor[i]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

void es_axes_describe_json(es_json *j, const es_axes_chosen *of)
{
    static const char *const forms[] = {"one", "two", "analogy"};
    es_json_key_string(j, "form", forms[of->form]);
    es_json_key(j, "axes");
    es_json_open(j, '[');
    for (int k = 0; k < (of->form == ES_AXES_ONE ? 1 : 2); k++) {
        es_json_open(j, '{');
        json_sum(j, "from", &of->from[k]);
        json_sum(j, "to", &of->to[k]);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}
