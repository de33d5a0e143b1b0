// SPDX-License-Identifier: GPL-3.0-or-later
/* fromfile(): numbers of a file that says nothing about them. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "session/host_files.h"

/* What was asked for, and what there is. */
typedef struct request {
    const es_plain_numbers *asked;
    const char *path; /* ready to print */
    es_raw raw;
    int64_t bytes, n; /* behind the offset; so many whole numbers */
} request;

/* "(8, 64, 768)" */
static void show_tuple(es_str *out, const es_shape *s)
{
    es_str_char(out, '(');
    for (int d = 0; d < s->ndim; d++)
        es_str_add(out, "%s%" PRId64, d ? ", " : "", s->dim[d]);
    es_str_cat(out, s->ndim == 1 ? ",)" : ")");
}

/* ---- which numbers ---- */

static bool fail_dtype(const es_plain_numbers *asked, es_error *err)
{
    es_str shown = {0}, known = {0};
    es_show_brief(&shown, asked->dtype, asked->n_dtype);
    for (size_t i = 0; es_raw_type_at(i); i++)
        es_str_add(&known, "%s%s", i ? " " : "", es_raw_type_at(i)->name);
    es_fail(err, ES_ERR_VALUE, "fromfile() knows no dtype %s", shown.s);
    es_hint(err, "one of %s, or as NumPy has them, \"<f4\"", known.s);
    es_str_free(&shown);
    es_str_free(&known);
    return false;
}

static bool read_type(request *r, es_error *err)
{
    const es_plain_numbers *asked = r->asked;
    const char *name = asked->dtype;
    size_t n = asked->n_dtype;
    char order = n && strchr("<>=|", name[0]) ? name[0] : '\0';
    name += order != '\0';
    n -= order != '\0';
    r->raw.type = es_raw_type_named(name, n);
    if (!r->raw.type)
        return fail_dtype(asked, err);
    r->raw.big_endian =
        asked->order == ES_ORDER_BIG || (asked->order == ES_ORDER_OWN && order == '>');
    bool clash = (order == '>' && asked->order == ES_ORDER_LITTLE) ||
                 (order == '<' && asked->order == ES_ORDER_BIG);
    return !clash ||
           es_fail(err, ES_ERR_VALUE, "dtype and byteorder say opposite things: leave one out");
}

/* ---- how many ---- */

/* The sizes that would do: one axis longer or shorter. */
static void hint_shapes(const request *r, int64_t want, es_error *err)
{
    es_str fit = {0};
    const es_shape *asked = &r->asked->shape;
    for (int d = 0; d < asked->ndim; d++) {
        int64_t others = asked->dim[d] > 0 ? want / asked->dim[d] : 0;
        es_shape s = *asked;
        if (others <= 0 || r->n % others)
            continue;
        s.dim[d] = r->n / others;
        es_str_cat(&fit, fit.len ? " or " : "");
        show_tuple(&fit, &s);
    }
    if (fit.len)
        es_hint(err, "it would fit %s", fit.s);
    else
        es_hint(err, "without a shape it is one axis of %" PRId64, r->n);
    es_str_free(&fit);
}

/* Other widths with which the file has exactly that many. */
static void hint_types(const request *r, int64_t want, es_error *err)
{
    es_str fit = {0};
    for (size_t i = 0; es_raw_type_at(i); i++) {
        const es_raw_type *t = es_raw_type_at(i);
        if (want > 0 && r->bytes % t->size == 0 && r->bytes / t->size == want)
            es_str_add(&fit, "%s%s", fit.len ? ", " : "", t->name);
    }
    if (fit.len)
        es_hint(err, "there would be that many if they were %s", fit.s);
    es_str_free(&fit);
}

static bool fail_count(const request *r, int64_t want, es_error *err)
{
    const es_raw_type *type = r->raw.type;
    es_str shape = {0};
    show_tuple(&shape, &r->asked->shape);
    es_fail(err, ES_ERR_FORMAT, "%s holds %" PRId64 " numbers of %s, and %s is %" PRId64, r->path,
            r->n, type->name, shape.s, want);
    es_str_free(&shape);
    hint_types(r, want, err);
    hint_shapes(r, want, err);
    if (r->n > want)
        es_hint(err, "offset=%" PRId64 " would leave out the first %" PRId64 " bytes",
                r->asked->offset + r->bytes - want * type->size, r->bytes - want * type->size);
    return false;
}

/* One size is -1, and it can be none. */
static bool fail_multiple(const request *r, int64_t others, es_error *err)
{
    es_str shape = {0};
    show_tuple(&shape, &r->asked->shape);
    es_fail(err, ES_ERR_FORMAT,
            "%s holds %" PRId64 " numbers of %s, and %s wants a multiple of %" PRId64, r->path,
            r->n, r->raw.type->name, shape.s, others);
    es_str_free(&shape);
    return es_hint(err, "without a shape it is one axis of %" PRId64, r->n);
}

static bool fail_part(const request *r, es_error *err)
{
    const es_raw_type *type = r->raw.type;
    es_fail(err, ES_ERR_FORMAT,
            "%s has %" PRId64 " bytes from byte %" PRId64
            " on, which are no whole number of %s (%d bytes each)",
            r->path, r->bytes, r->asked->offset, type->name, type->size);
    return es_hint(err, "another dtype, or offset=%" PRId64 ", if there is something before them",
                   r->asked->offset + r->bytes % type->size);
}

/* The product of all sizes but -1, and which axis that is, or -1. */
static bool count_asked(const es_shape *asked, int64_t *product, int *open, es_error *err)
{
    *product = 1;
    *open = -1;
    for (int d = 0; d < asked->ndim; d++) {
        if (asked->dim[d] < 0 && *open >= 0)
            return es_fail(err, ES_ERR_VALUE, "only one size can be -1, what is left");
        if (asked->dim[d] < 0)
            *open = d;
        else if (__builtin_mul_overflow(*product, asked->dim[d], product))
            return es_fail(err, ES_ERR_NOMEM, "that shape is more numbers than can be counted");
    }
    return true;
}

static bool read_shape(request *r, es_error *err)
{
    int64_t product;
    int open;
    es_shape *s = &r->raw.shape;
    *s = r->asked->shape;
    if (!r->asked->shaped) {
        *s = es_shape_1d("", r->n);
        return true;
    }
    if (!count_asked(s, &product, &open, err))
        return false;
    if (r->asked->in_part) {
        s->dim[0] = r->n < product ? r->n : product;
        return true;
    }
    if (open >= 0 && product > 0 && r->n % product == 0) {
        s->dim[open] = r->n / product;
        return true;
    }
    if (open >= 0)
        return fail_multiple(r, product, err);
    return product == r->n || fail_count(r, product, err);
}

/* ---- the file ---- */

static bool plan(request *r, const es_file *f, es_error *err)
{
    const es_plain_numbers *asked = r->asked;
    if (!read_type(r, err))
        return false;
    if ((uint64_t)asked->offset > f->size)
        return es_fail(err, ES_ERR_RANGE,
                       "%s has %zu bytes, and its numbers are to begin at byte %" PRId64, r->path,
                       f->size, asked->offset);
    r->raw.data = f->data + asked->offset;
    r->bytes = (int64_t)f->size - asked->offset;
    r->n = r->bytes / r->raw.type->size;
    if (r->bytes % r->raw.type->size && !asked->in_part)
        return fail_part(r, err);
    return read_shape(r, err);
}

static bool fromfile(es_interp *in, const char *path, const es_plain_numbers *asked, es_tensor *out,
                     es_error *err)
{
    es_file f;
    es_str shown = {0};
    if (!es_host_open(&f, path, err))
        return false;
    es_show_name(&shown, path, strlen(path));
    request r = {.asked = asked, .path = shown.s};
    bool ok = plan(&r, &f, err);
    if (ok)
        ok = es_host_numbers(in, out, asked->be, &r.raw, es_keep_file(&f), shown.s, err);
    else
        es_file_close(&f);
    if (ok)
        es_host_note_type(in, r.raw.type, path);
    es_str_free(&shown);
    return ok;
}

bool es_host_fromfile(es_interp *in, const es_value *path, const es_plain_numbers *numbers,
                      es_value *out, es_error *err)
{
    es_tensor t;
    es_str p = {0};
    bool ok = es_host_path(&p, path, err) && fromfile(in, p.s, numbers, &t, err);
    if (ok)
        *out = es_value_tensor(&t);
    es_str_free(&p);
    return ok;
}
