// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "model/npy.h"

enum { LOOK = 512 }; /* rows from one look at the watch to the next */

/* ---- what there is ---- */

static bool fail_without(const es_viewer *v, es_error *err)
{
    es_str others = {0};
    for (int i = 0; es_view_kind_at(i); i++)
        if (es_view_kind_at(i)->points)
            es_str_add(&others, "%s%s", others.len ? ", " : "", es_view_kind_at(i)->name);
    es_fail(err, ES_ERR_UNSUPPORTED, "%s has no points whose numbers could be written",
            es_view_kind_at((int)v->view)->name);
    es_hint(err, "views that have: %s", others.s);
    es_str_free(&others);
    return es_hint(err, "or: a picture of it, in a .png or .svg file");
}

bool es_coordinates_of(es_viewer *v, es_coordinates *out, es_error *err)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    if (!kind->points)
        return fail_without(v, err);
    if (es_viewer_ready(v) && kind->points(v, out))
        return true;
    return es_fail(err, ES_ERR_VALUE, "%s has no points just now%s%s", kind->name,
                   v->problem.len ? ": " : "", es_str_text(&v->problem));
}

const char *es_coordinate_name(int k)
{
    return k == 0 ? "x" : k == 1 ? "y" : "z";
}

/* ---- writing ---- */

typedef struct writing {
    es_viewer *v;
    const es_coordinates *of;
    const char *path;
} writing;

static bool write_file(const writing *w, const es_piece *piece, size_t n, es_watch *watch,
                       es_error *err)
{
    return es_file_replace_pieces(w->path, piece, n, 0666, watch, err);
}

static void add_number(es_str *out, float x)
{
    if (isnan(x))
        es_str_cat(out, "nan");
    else
        es_str_add(out, "%.9g", (double)x);
}

static void add_row(const writing *w, int64_t i, es_str *out)
{
    const es_coordinates *c = w->of;
    c->name(w->v, i, out);
    for (int k = 0; k < c->d; k++) {
        es_str_char(out, '\t');
        add_number(out, c->at[i * c->stride + k]);
    }
    es_str_char(out, '\n');
}

static bool add_rows(const writing *w, es_str *out, es_watch *watch, es_error *err)
{
    enum { LONG = 1 << 12 }; /* no row is longer, as a rule */
    es_str_cat(out, w->of->names);
    for (int k = 0; k < w->of->d; k++)
        es_str_add(out, "\t%s", es_coordinate_name(k));
    es_str_char(out, '\n');
    for (int64_t i = 0; i < w->of->n; i++) {
        if (i % LOOK == 0 && !es_watch_step(watch, (uint64_t)i, err))
            return false;
        if (i % LOOK == 0 && !es_str_room(out, (size_t)LOOK * LONG, "the table", err))
            return false;
        add_row(w, i, out);
    }
    return true;
}

static bool write_tsv(void *work, es_watch *watch, es_error *err)
{
    const writing *w = work;
    es_str out = {0};
    bool ok = add_rows(w, &out, watch, err);
    const es_piece all = {out.s, out.len};
    ok = ok && write_file(w, &all, 1, watch, err);
    es_str_free(&out);
    return ok;
}

static bool write_npy(void *work, es_watch *watch, es_error *err)
{
    const writing *w = work;
    const es_coordinates *c = w->of;
    const es_shape shape = {.ndim = 2, .dim = {c->n, c->d}};
    size_t n = (size_t)c->n * (size_t)c->d;
    float *dense = es_try_alloc(n, sizeof *dense, "the numbers", err);
    es_str header = {0};
    for (int64_t i = 0; dense && i < c->n; i++)
        memcpy(dense + i * c->d, c->at + i * c->stride, (size_t)c->d * sizeof *dense);
    es_npy_header(&header, ES_FLOAT32, &shape);
    const es_piece pieces[] = {{header.s, header.len}, {dense, n * sizeof *dense}};
    bool ok = dense && write_file(w, pieces, 2, watch, err);
    es_str_free(&header);
    free(dense);
    return ok;
}

bool es_coordinates_tsv(es_viewer *v, const es_coordinates *c, const char *path,
                        const es_sink *sink, es_error *err)
{
    writing w = {v, c, path};
    return es_session_work(v->session, "writing the table", write_tsv, &w, sink, err);
}

bool es_coordinates_npy(es_viewer *v, const es_coordinates *c, const char *path,
                        const es_sink *sink, es_error *err)
{
    writing w = {v, c, path};
    return es_session_work(v->session, "writing the numbers", write_npy, &w, sink, err);
}
