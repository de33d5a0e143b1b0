// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/help_builtin.h"

#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/mem.h"
#include "session/results.h"

bool es_builtin_is_here(const es_builtin *b)
{
    return b->example != NULL;
}

bool es_builtin_is_listed(const es_builtin *b)
{
    return es_builtin_is_here(b) && !strstr(b->name, "._");
}

void es_builtin_signature(es_str *out, const es_builtin *b)
{
    bool only_after_dot =
        !(b->where & ~(unsigned)(ES_METHOD | ES_ATTRIBUTE | ES_IN_PLACE | ES_OF_VALUE));
    es_str_add(out, "%s%s", only_after_dot ? "." : "", b->name);
    const char *params = es_builtin_params(b);
    if (b->params && !only_after_dot) {
        es_str_add(out, "(%s)", params);
    } else if (b->params) { /* a method's first parameter is what stands before the dot */
        const char *rest = params + strcspn(params, ",");
        es_str_add(out, "(%s)", *rest ? rest + strspn(rest, ", ") : "");
    }
}

void es_builtin_origin(es_str *out, const es_builtin *b)
{
    static const struct {
        unsigned where;
        const char *before, *after;
    } places[] = {
        {ES_IN_TORCH, "torch.", ""},     {ES_IN_F, "F.", ""},
        {ES_IN_NN, "nn.", ""},           {ES_IN_MATH, "math.", ""},
        {ES_METHOD, "TENSOR.", ""},      {ES_IN_PLACE, "TENSOR.", "_"},
        {ES_ATTRIBUTE, "TENSOR.", ""},   {ES_IN_INIT, "nn.init.", ""},
        {ES_OF_VALUE, "Python's .", ""}, {ES_IN_NUMPY, "np.", ""},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (b->where & places[i].where)
            es_str_add(out, "%s%s%s%s", out->len ? ", " : "", places[i].before, b->name,
                       places[i].after);
    if (b->where & ES_OWN)
        es_str_cat(out, out->len ? "; without a prefix this program's own"
                                 : "this program's own, not PyTorch's");
    else if (b->where & ES_IN_PLAIN)
        es_str_add(out, "%sPython's %s", out->len ? ", " : "", b->name);
}

/* ---- one name ---- */

/* Behind the last dot: of torch.nn.functional.softmax, x.mean, softmax. */
static const char *base_name(const char *name, size_t *n)
{
    for (size_t i = *n; i > 0; i--)
        if (name[i - 1] == '.') {
            *n -= i;
            return name + i;
        }
    return name;
}

/* A method of modules is called by the last part of its name: parameters is Module.parameters. */
static bool is_called(const es_builtin *b, const char *name, size_t n)
{
    const char *dot = strchr(b->name, '.'), *last = dot ? dot + 1 : b->name;
    return strlen(last) == n && !memcmp(last, name, n);
}

bool es_help_has_builtin(const char *name, size_t n)
{
    const es_builtin *b;
    name = base_name(name, &n);
    for (size_t i = 0; (b = es_builtin_listed(i)); i++)
        if (is_called(b, name, n))
            return true;
    return false;
}

const char *es_help_nearest_builtin(const char *name, size_t n)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    const char *best = NULL;
    name = base_name(name, &n);
    int least = es_slip(n);
    for (size_t i = 0, n_all = es_builtin_all(all); i < n_all; i++) {
        int d = es_distance(name, n, all[i]->name, strlen(all[i]->name), least);
        if (d < least && (size_t)d < n) {
            least = d;
            best = all[i]->name;
        }
    }
    return best;
}

void es_show_example(es_str *out, const char *example, const es_style *style)
{
    for (const char *e = example; e && *e;) {
        es_str line = {0};
        size_t n = strcspn(e, "\n");
        es_str_add(&line, "%s %.*s", e == example ? "example:" : "        ", (int)n, e);
        es_wrap(out, line.s, 2, style);
        es_str_free(&line);
        e += n + (e[n] == '\n');
    }
}

static void show_one(es_str *out, const es_builtin *b, const es_style *style)
{
    es_str line = {0};
    es_builtin_signature(&line, b);
    es_wrap(out, line.s, 0, style);
    es_wrap(out, b->summary, 2, style);
    if (b->rule && *b->rule) {
        es_str_cut(&line, 0);
        es_str_add(&line, "shape: %s", b->rule);
        es_wrap(out, line.s, 2, style);
    }
    if (b->help)
        es_wrap(out, b->help, 2, style);
    es_str_cut(&line, 0);
    es_str_cat(&line, "is ");
    es_str origin = {0};
    es_builtin_origin(&origin, b);
    es_str_cat(&line, es_str_text(&origin));
    es_wrap(out, line.s, 2, style);
    es_show_example(out, b->example, style);
    es_str_free(&origin);
    es_str_free(&line);
}

static bool show_named(es_str *out, void *data, const es_style *style, es_error *err)
{
    const char *name = data;
    const es_builtin *all[ES_MOST_BUILTINS];
    (void)err;
    for (size_t i = 0, n = es_builtin_all(all); i < n; i++)
        if (is_called(all[i], name, strlen(name)))
            show_one(out, all[i], style);
    return true;
}

static void json_one(es_json *j, const es_builtin *b)
{
    es_str signature = {0}, origin = {0};
    es_builtin_signature(&signature, b);
    es_builtin_origin(&origin, b);
    es_json_open(j, '{');
    es_json_key_string(j, "name", b->name);
    es_json_key_string(j, "signature", signature.s);
    es_json_key_string(j, "is", origin.s);
    es_json_key_string(j, "summary", b->summary);
    es_json_key_string(j, "shape", b->rule);
    es_json_key_string(j, "help", b->help);
    es_json_key_string(j, "example", b->example);
    es_json_close(j, '}');
    es_str_free(&signature);
    es_str_free(&origin);
}

static bool json_named(es_json *j, void *data, bool values, es_error *err)
{
    const char *name = data;
    const es_builtin *all[ES_MOST_BUILTINS];
    (void)values;
    (void)err;
    es_json_key(j, "functions");
    es_json_open(j, '[');
    for (size_t i = 0, n = es_builtin_all(all); i < n; i++)
        if (name ? is_called(all[i], name, strlen(name)) : es_builtin_is_here(all[i]))
            json_one(j, all[i]);
    es_json_close(j, ']');
    return true;
}

es_result es_help_builtin(const char *name, size_t n)
{
    static const es_kind kind = {"help", show_named, json_named, free};
    name = base_name(name, &n);
    return (es_result){.kind = &kind, .data = es_copy_bytes(name, n)};
}

/* ---- all of them ---- */

/* Names mean different things in different places: abs of a number, abs of a tensor. */
typedef enum group { OF_TENSORS, OF_MODULES, OF_NUMBERS, OF_PYTHON, OWN, GROUPS } group;

static const char *const headings[GROUPS] = {
    [OF_TENSORS] = "tensors: functions of torch and F, or methods",
    [OF_MODULES] = "modules: classes of nn, their methods, nn.init",
    [OF_NUMBERS] = "numbers",
    [OF_PYTHON] = "Python's",
    [OWN] = "this program's own",
};

static group group_of(const es_builtin *b)
{
    const unsigned of_values = ES_IN_MATH | ES_IN_PLAIN | ES_OF_VALUE;
    const unsigned of_modules = ES_IN_NN | ES_IN_INIT;
    return b->where & ES_OWN       ? OWN
           : b->where & of_modules ? OF_MODULES
           : b->where & ~of_values ? OF_TENSORS
           : b->where & ES_IN_MATH ? OF_NUMBERS
                                   : OF_PYTHON;
}

static void list_one(es_str *out, es_grid *g, const es_builtin *b, const es_style *style)
{
    const char *before = b->where & ES_ATTRIBUTE     ? "."
                         : group_of(b) == OF_NUMBERS ? "math."
                         : b->where & ES_IN_NUMPY    ? "np."
                         : b->where & ES_IN_INIT     ? "init."
                                                     : "";
    if (style->plain) {
        es_str_add(out, "%s%s: %s\n", before, b->name, b->summary);
    } else {
        es_str_add(es_grid_cell(g, ES_PAINT_STRONG), "%s%s", before, b->name);
        es_grid_text(g, "%s", b->summary);
    }
}

static bool show_all(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    size_t n = es_builtin_all(all);
    (void)data;
    (void)err;
    for (group of = 0; of < GROUPS; of++) {
        es_grid g = {.align = "lw"};
        if (!style->plain)
            es_wrap(out, headings[of], 0, style);
        for (size_t i = 0; i < n; i++)
            if (es_builtin_is_listed(all[i]) && group_of(all[i]) == of)
                list_one(out, &g, all[i], style);
        es_grid_end(&g, out, 2, 2, style);
    }
    es_wrap(out, ":help NAME says more about one, and Tab behind \"x.\" lists what x has.", 0,
            style);
    return true;
}

es_result es_help_builtins(void)
{
    static const es_kind kind = {"help", show_all, json_named, NULL};
    return (es_result){.kind = &kind};
}
