// SPDX-License-Identifier: GPL-3.0-or-later
/* Rows of named cells, and lines that were timed. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "session/results.h"
#include "session/show_kinds.h"

static void plain_list(es_str *out, const es_list *l, size_t n_columns)
{
    for (size_t i = 0; i < l->n; i++) {
        size_t c = i % n_columns;
        if (c == 0 && l->counted)
            es_str_add(out, "%zu: ", l->first + i / n_columns);
        if (c && l->cell[i].len)
            es_str_cat(out, c == 1 ? ": " : ", ");
        es_show_prose(out, es_str_text(&l->cell[i]), l->cell[i].len);
        if (c == n_columns - 1)
            es_str_char(out, '\n');
    }
}

bool es_list_show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_list *l = data;
    size_t n_columns = strlen(l->align);
    (void)err;
    if (style->plain) {
        plain_list(out, l, n_columns);
        return true;
    }
    es_str align = {0};
    es_str_add(&align, "%s%s", l->counted ? "r" : "", l->align);
    es_grid g = {.align = align.s};
    for (size_t i = 0; i < l->n; i++) {
        if (l->counted && i % n_columns == 0)
            es_grid_text(&g, "%zu", l->first + i / n_columns);
        es_show_prose(es_grid_cell(&g, ES_PAINT_NONE), es_str_text(&l->cell[i]), l->cell[i].len);
    }
    es_grid_end(&g, out, 0, 2, style);
    es_str_free(&align);
    return true;
}

bool es_list_json(es_json *j, void *data, bool values, es_error *err)
{
    const es_list *l = data;
    size_t n_columns = strlen(l->align);
    (void)values;
    (void)err;
    es_json_key(j, l->key);
    es_json_open(j, '[');
    for (size_t i = 0; i < l->n; i++) {
        size_t c = i % n_columns;
        if (c == 0)
            es_json_open(j, '{');
        es_json_key(j, l->columns[c]);
        es_json_text(j, es_str_text(&l->cell[i]), l->cell[i].len);
        if (c == n_columns - 1)
            es_json_close(j, '}');
    }
    es_json_close(j, ']');
    return true;
}

/* ---- time ---- */

static void show_seconds(es_str *out, double seconds)
{
    if (seconds < 1)
        es_str_add(out, "%.3f ms", 1e3 * seconds);
    else
        es_str_add(out, "%.3f s", seconds);
}

/* "gpu: 3 kernels; on the host: median, std" */
static void show_worked(es_str *out, const es_worked *w, const es_style *style)
{
    es_str line = {0};
    uint64_t n = w->ran.launches;
    es_str_add(&line, "%s: ", w->name);
    if (n)
        es_str_add(&line, "%" PRIu64 " kernel%s", n, n == 1 ? "" : "s");
    else
        es_str_cat(&line, "no kernels");
    for (int i = 0; i < w->ran.n_beside; i++)
        es_str_add(&line, "%s%s", i ? ", " : "; on the host: ", w->ran.beside[i].what);
    es_str_cat(&line, w->ran.n_beside == ES_MOST_RAN ? ", …" : "");
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

bool es_show_time(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_timed *t = data;
    for (size_t i = 0; i < t->n; i++)
        if (!es_show_result(out, &t->of[i], style, err))
            return false;
    es_str line = {0};
    es_str_cat(&line, "time: ");
    show_seconds(&line, t->seconds);
    if (t->vectors >= 0) {
        es_str_cat(&line, ", of that ");
        show_seconds(&line, t->vectors);
        es_str_cat(&line, " for the vectors");
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    for (size_t i = 0; i < t->n_devices; i++)
        show_worked(out, &t->device[i], style);
    return true;
}

static void json_worked(es_json *j, const es_worked *w)
{
    es_json_open(j, '{');
    es_json_key_string(j, "name", w->name);
    es_json_key(j, "launches");
    es_json_int(j, (int64_t)w->ran.launches);
    es_json_key(j, "host");
    es_json_open(j, '[');
    for (int i = 0; i < w->ran.n_beside; i++)
        es_json_string(j, w->ran.beside[i].what);
    es_json_close(j, ']');
    es_json_close(j, '}');
}

/* One is "device"; those beside it, "others". */
static void json_devices(es_json *j, const es_timed *t)
{
    if (!t->n_devices)
        return;
    es_json_key(j, "device");
    json_worked(j, &t->device[0]);
    if (t->n_devices == 1)
        return;
    es_json_key(j, "others");
    es_json_open(j, '[');
    for (size_t i = 1; i < t->n_devices; i++)
        json_worked(j, &t->device[i]);
    es_json_close(j, ']');
}

bool es_json_of_time(es_json *j, void *data, bool values, es_error *err)
{
    const es_timed *t = data;
    bool ok = true;
    es_json_key(j, "seconds");
    es_json_double(j, t->seconds);
    es_json_key(j, "vectors");
    if (t->vectors < 0)
        es_json_null(j);
    else
        es_json_double(j, t->vectors);
    json_devices(j, t);
    es_json_key(j, "results");
    es_json_open(j, '[');
    for (size_t i = 0; ok && i < t->n; i++)
        ok = es_json_object(j, &t->of[i], values, err);
    es_json_close(j, ']');
    return ok;
}
