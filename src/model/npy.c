// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/npy.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "model/npy_header.h"
#include "model/stored.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC = sizeof magic - 1, ALIGNED = 64, VERSION = 2 };

/* ---- numbers that are none of ours ---- */

static const struct {
    const char *begins, *are, *hint;
} foreign[] = {
    {"O", "Python objects, that is a pickle, which is never read here",
     "in Python: numpy.save(path, x.astype(\"float32\")), if they are numbers"},
    {"c", "complex numbers", "in Python: save x.real and x.imag, a file each"},
    {"S", "strings of bytes", "in Python: save numbers, x.astype(\"float32\")"},
    {"a", "strings of bytes", "in Python: save numbers, x.astype(\"float32\")"},
    {"U", "strings", "in Python: save numbers, x.astype(\"float32\")"},
    {"M", "dates", "in Python: save numbers, x.astype(\"int64\")"},
    {"m", "spans of time", "in Python: save numbers, x.astype(\"int64\")"},
    {"V2", "elements of 2 bytes that it says nothing about, as bfloat16 is written",
     "in Python: x.astype(\"float32\"); or fromfile(path, dtype=\"bfloat16\", offset=…)"},
    {"V", "elements that it says nothing about", "in Python: x.astype(\"float32\")"},
    {"f16", "floats of 16 bytes, which differ from machine to machine",
     "in Python: x.astype(\"float64\")"},
    {"f12", "floats of 12 bytes, which differ from machine to machine",
     "in Python: x.astype(\"float64\")"},
};

static bool structured(const char *path, es_error *err)
{
    es_bad_file(err, path, "it holds records of several fields (a structured dtype), not numbers");
    return es_hint(err, "in Python: save one field at a time, x[\"name\"]");
}

static bool fail_type(const es_npy_header_fields *f, const char *kind, size_t n, const char *path,
                      es_error *err)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        size_t m = strlen(foreign[i].begins);
        if (n < m || memcmp(kind, foreign[i].begins, m))
            continue;
        es_bad_file(err, path, "it holds %s", foreign[i].are);
        return es_hint(err, "%s", foreign[i].hint);
    }
    es_str shown = {0};
    es_show_brief(&shown, f->descr, f->n_descr);
    es_bad_file(err, path, "its descr is %s, which is no kind of number that NumPy has", shown.s);
    es_str_free(&shown);
    return es_hint(err, "such as '<f4': little-endian (< or >), a letter of f i u b, bytes");
}

/* "<f4": byte order, kind and size. */
static bool read_type(es_raw *raw, const es_npy_header_fields *f, const char *path, es_error *err)
{
    const char *kind = f->descr;
    size_t n = f->n_descr;
    raw->big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (n && strchr("<>=|", *kind)) {
        raw->big_endian = *kind == '>' || (*kind != '<' && raw->big_endian);
        kind++;
        n--;
    }
    if (n == 1 && *kind == '?')
        kind = "b1", n = 2;
    raw->type = es_raw_type_named(kind, n);
    /* "F32" and "int64" are our names for them, and no descr */
    bool numpys = raw->type && raw->type->npy && n == 2 && !memcmp(raw->type->npy, kind, 2);
    return numpys || fail_type(f, kind, n, path, err);
}

/* ---- the file ---- */

static bool cut_short(es_error *err)
{
    return es_hint(err,
                   "it may be a copy that broke off: compare its size, fetch or save it again");
}

static bool fail_version(const unsigned char *p, const char *path, es_error *err)
{
    es_bad_file(err, path, "it is a .npy file of version %d.%d, and there are 1.0, 2.0 and 3.0",
                p[MAGIC], p[MAGIC + 1]);
    return es_hint(err, "it is damaged, or of a NumPy of the future: save it again");
}

/* Where the header is, and where it ends. */
static bool find_header(const unsigned char *p, size_t n, const char *path, size_t *begin,
                        size_t *length, es_error *err)
{
    if (n < MAGIC + VERSION + 2 || memcmp(p, magic, MAGIC)) {
        es_bad_file(err, path, "%zu bytes that are no .npy file: these begin with \\x93NUMPY", n);
        return cut_short(err);
    }
    int major = p[MAGIC];
    size_t wide = major == 1 ? 2 : 4;
    if (major < 1 || major > 3 || p[MAGIC + 1])
        return fail_version(p, path, err);
    *begin = MAGIC + VERSION + wide;
    *length = 0;
    for (size_t i = *begin; n >= *begin && i-- > MAGIC + VERSION;)
        *length = *length << 8 | p[i];
    if (n >= *begin && *length <= n - *begin)
        return true;
    es_bad_file(err, path, "its header has %zu bytes, but only %zu follow", *length,
                n > *begin ? n - *begin : 0);
    return cut_short(err);
}

static bool fail_size(const es_raw *raw, size_t rest, uint64_t bytes, const char *path,
                      es_error *err)
{
    es_str shape = {0};
    es_shape_show(&shape, &raw->shape);
    es_bad_file(err, path, "%s of %s takes %" PRIu64 " bytes, but only %zu follow its header",
                shape.s, raw->type->name, bytes, rest);
    es_str_free(&shape);
    return cut_short(err);
}

static bool read(es_npy *out, const unsigned char *p, size_t n, const char *path, es_error *err)
{
    size_t begin, length;
    uint64_t bytes;
    es_npy_header_fields f;
    es_raw *raw = &out->raw;
    if (!find_header(p, n, path, &begin, &length, err) ||
        !es_npy_header_read(&f, (const char *)p + begin, length, path, err))
        return false;
    if (f.structured)
        return structured(path, err);
    if (!read_type(raw, &f, path, err))
        return false;
    raw->shape = f.shape;
    raw->fortran = f.fortran;
    raw->data = p + begin + length;
    if (!es_raw_bytes(raw, &bytes))
        return es_bad_file(err, path, "its shape has more numbers than 64 bits can count");
    size_t rest = n - begin - length;
    out->left = bytes <= rest ? rest - bytes : 0;
    return bytes <= rest || fail_size(raw, rest, bytes, path, err);
}

bool es_npy_read(es_npy *out, const void *bytes, size_t n, const char *path, es_error *err)
{
    *out = (es_npy){0};
    if (read(out, bytes, n, path, err))
        return true;
    if (err && err->code == ES_ERR_FORMAT && !err->hint)
        es_hint(err, "it is damaged, or was not written by NumPy: save it again with numpy.save");
    return false;
}

/* ---- writing ---- */

void es_npy_header(es_str *out, es_dtype dtype, const es_shape *shape)
{
    static const char *const descr[ES_N_DTYPES] = {[ES_FLOAT32] = "f4",
                                                   [ES_FLOAT64] = "f8",
                                                   [ES_INT64] = "i8",
                                                   [ES_INT32] = "i4",
                                                   [ES_BOOL] = "b1"};
    char order = dtype == ES_BOOL ? '|' : __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    es_str dict = {0};
    es_str_add(&dict, "{'descr': '%c%s', 'fortran_order': False, 'shape': (", order, descr[dtype]);
    for (int d = 0; d < shape->ndim; d++)
        es_str_add(&dict, "%s%" PRId64, d ? ", " : "", shape->dim[d]);
    es_str_cat(&dict, shape->ndim == 1 ? ",), }" : "), }");
    size_t before = MAGIC + VERSION + 2, end = before + dict.len + 1;
    es_str_fill(&dict, ' ', (ALIGNED - end % ALIGNED) % ALIGNED);
    es_str_char(&dict, '\n');
    es_str_bytes(out, magic, MAGIC);
    es_str_bytes(out, "\x01\x00", VERSION);
    es_str_char(out, (char)(dict.len & 0xFF));
    es_str_char(out, (char)(dict.len >> 8));
    es_str_bytes(out, dict.s, dict.len);
    es_str_free(&dict);
}
