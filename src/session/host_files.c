// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/host_files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guess.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/visible.h"
#include "model/content.h"
#include "model/npy.h"
#include "model/weights.h"
#include "torch/weight.h"

enum { AT_ONCE = 64 << 20 /* bytes of a file */ };

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

bool es_host_path(es_str *path, const es_value *typed, es_error *err)
{
    const es_str_object *s = es_value_as_str(typed);
    if (s->n == 1 && s->bytes[0] == '-') /* a file of that name: standard input has lines */
        es_str_cat(path, "./");
    return es_place_typed(path, s->bytes, s->n, err);
}

/* ---- opening ---- */

/* "m" of "m.safetensors" */
static size_t stem_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot > name ? (size_t)(dot - name) : strlen(name);
}

/* How many letters of a name would have to be others; another ending counts as one, and a name of which half
 * would is not meant: at least `limit` then. */
static int far_apart(const char *name, const char *other, int limit)
{
    size_t n = strlen(name), stem = stem_of(name);
    if (stem < n && stem == stem_of(other) && !memcmp(name, other, stem))
        return strcmp(name, other) != 0;
    int d = es_distance(name, n, other, strlen(other), limit);
    return 2 * (size_t)d > n ? limit : d;
}

/* The name in a folder that is nearest to the one that is not there. */
static void hint_near(const char *folder, const char *name, es_error *err)
{
    enum { MOST = 10000 }; /* names that are looked at */
    int least = es_slip(strlen(name));
    es_str best = {0}, shown = {0};
    DIR *dir = opendir(folder);
    for (int i = 0; dir && i < MOST; i++) {
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        int d = far_apart(name, entry->d_name, least + 1);
        bool later = d == least && best.len && strcmp(entry->d_name, best.s) > 0;
        if (d > least || later || !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        least = d;
        es_str_cut(&best, 0);
        es_str_cat(&best, entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (best.len) {
        es_show_brief(&shown, best.s, best.len);
        es_hint(err, "did you mean %s?", shown.s);
    }
    es_str_free(&best);
    es_str_free(&shown);
}

bool es_host_open(es_file *f, const char *path, es_error *err)
{
    if (!es_file_is_plain("read", path, err))
        return false;
    if (es_file_open(f, path, err))
        return true;
    if (access(path, F_OK) == 0)
        return false;
    const char *slash = strrchr(path, '/');
    es_str folder = {0};
    es_str_bytes(&folder, slash ? path : "./", slash ? (size_t)(slash - path) + 1 : 2);
    hint_near(folder.s, slash ? slash + 1 : path, err);
    es_str_free(&folder);
    return false;
}

/* ---- numbers ---- */

static void close_kept(void *of)
{
    es_file_close(of);
    free(of);
}

es_keeper es_keep_file(es_file *f)
{
    es_file *kept = es_alloc(sizeof *kept);
    *kept = *f;
    return (es_keeper){kept->size, kept, close_kept};
}

static void note_odd(es_interp *in, const es_tensor *t, const char *what)
{
    const es_odd odd = es_raw_odd(t);
    es_str place = {0};
    if (!odd.nan && !odd.infinite)
        return;
    for (int d = 0; d < t->shape.ndim; d++)
        es_str_add(&place, "%s%" PRId64, d ? ", " : "", odd.first[d]);
    es_torch_note(es_interp_torch(in),
                  "%s: %" PRId64 " NaN, %" PRId64 " infinite, the first at [%s]", what, odd.nan,
                  odd.infinite, es_str_text(&place));
    es_str_free(&place);
}

/* Narrow numbers in rows: a row is read alone where one is looked up, and whole tensors when they are wanted. */
static bool in_rows(const es_raw *raw, es_store *store)
{
    const char *name = raw->type->name;
    *store = !strcmp(name, "float16") ? ES_STORE_F16 : ES_STORE_BF16;
    return raw->shape.ndim == 2 && raw->shape.dim[0] && raw->shape.dim[1] && !raw->fortran &&
           !raw->big_endian && (*store == ES_STORE_F16 || !strcmp(name, "bfloat16"));
}

static bool read_later(es_tensor *out, es_backend *be, const es_raw *raw, es_keeper keeper,
                       es_error *err)
{
    es_store store;
    (void)err;
    if (!in_rows(raw, &store)) {
        es_raw_later(out, be, raw, keeper.of, keeper.release);
        return true;
    }
    es_table *rows = es_table_mapped(raw->data, store, raw->shape.dim[0], raw->shape.dim[1],
                                     keeper.of, keeper.release);
    bool ok = es_torch_weight(out, rows, be, "", "");
    es_table_unref(rows);
    return ok;
}

bool es_host_numbers(es_interp *in, es_tensor *out, es_backend *be, const es_raw *raw,
                     es_keeper keeper, const char *what, es_error *err)
{
    es_torch *k = es_interp_torch(in);
    es_dtype dtype = raw->type->dtype;
    bool many = es_shape_count(&raw->shape) > (int64_t)1 << ES_MOST_ELEMENTS_LOG2, ok;
    *out = (es_tensor){0};
    if (k->shapes_only) {
        ok = es_torch_new(k, out, be, dtype, &raw->shape, err);
        if (ok)
            es_raw_strides(out, raw->fortran);
    } else if (keeper.size <= AT_ONCE || many) {
        ok = es_torch_fits(k, dtype, &raw->shape, err) && es_raw_read(out, be, raw, k->watch, err);
        if (ok)
            note_odd(in, out, what);
    } else {
        return read_later(out, be, raw, keeper, err);
    }
    keeper.release(keeper.of);
    return ok;
}

static bool changes(const es_raw_type *type)
{
    return strcmp(type->name, es_dtype_name(type->dtype)) != 0;
}

void es_host_note_type(es_interp *in, const es_raw_type *type, const char *path)
{
    es_str shown = {0};
    es_show_name(&shown, path, strlen(path));
    if (changes(type))
        es_torch_note(es_interp_torch(in), "%s holds %s, and here it is %s, exactly", shown.s,
                      type->name, es_dtype_name(type->dtype));
    es_str_free(&shown);
}

/* ---- one array ---- */

static bool load_npy(es_interp *in, es_file *f, const char *path, es_backend *be, es_value *out,
                     es_error *err)
{
    es_npy npy;
    es_tensor t;
    es_str shown = {0};
    if (!es_npy_read(&npy, f->data, f->size, path, err)) {
        es_file_close(f);
        return false;
    }
    es_show_name(&shown, path, strlen(path));
    bool ok = es_host_numbers(in, &t, be, &npy.raw, es_keep_file(f), shown.s, err);
    if (ok) {
        *out = es_value_tensor(&t);
        es_host_note_type(in, npy.raw.type, path);
        if (npy.left)
            es_torch_note(es_interp_torch(in),
                          "%s: %" PRIu64 " bytes behind its numbers are not read", shown.s,
                          npy.left);
        if (npy.raw.fortran && npy.raw.shape.ndim > 1)
            es_torch_note(es_interp_torch(in),
                          "%s is in Fortran order: its first axis varies fastest in memory",
                          shown.s);
    }
    es_str_free(&shown);
    return ok;
}

/* ---- many tensors ---- */

/* What is said once about all of them. */
typedef struct remarks {
    es_str left, changed; /* names, types */
    int64_t n_left;
} remarks;

static const es_raw_type *type_of(const es_stored *t)
{
    const es_raw_type *type = es_raw_type_named(t->type->name, strlen(t->type->name));
    return t->rank <= ES_MAX_DIMS ? type : NULL;
}

/* The tensor can be none of ours: its kind of numbers, its axes or its size. */
static void leave_out(remarks *r, const char *name, const es_stored *t)
{
    enum { NAMED = 3 };
    if (r->n_left++ >= NAMED)
        return;
    es_str_cat(&r->left, r->left.len ? ", " : "");
    es_show_brief(&r->left, name, strlen(name));
    es_str_add(&r->left, " (%s)", t->type->name);
}

static void remember_type(remarks *r, const es_raw_type *type)
{
    es_str one = {0};
    es_str_add(&one, "%s is %s", type->name, es_dtype_name(type->dtype));
    if (changes(type) && !strstr(es_str_text(&r->changed), one.s)) {
        es_str_cat(&r->changed, r->changed.len ? ", " : "");
        es_str_cat(&r->changed, one.s);
    }
    es_str_free(&one);
}

static void tell(es_interp *in, remarks *r, const char *path)
{
    es_torch *k = es_interp_torch(in);
    es_str shown = {0};
    es_show_name(&shown, path, strlen(path));
    if (r->changed.len)
        es_torch_note(k, "%s: %s here, exactly", shown.s, r->changed.s);
    if (r->n_left)
        es_torch_note(k, "%s: left out, because no tensor here holds such: %" PRId64 ", %s%s",
                      shown.s, r->n_left, r->left.s, r->n_left > 3 ? ", …" : "");
    es_str_free(&shown);
    es_str_free(&r->left);
    es_str_free(&r->changed);
}

static void let_go(void *f)
{
    es_safetensors_unref(f);
}

static bool stored_tensor(es_interp *in, const es_located *at, const char *name, es_backend *be,
                          es_tensor *out, es_error *err)
{
    es_safetensors *f = at->file;
    es_str what = {0};
    es_raw raw = {.type = type_of(at->tensor),
                  .shape = {.ndim = (int)at->tensor->rank},
                  .data = f->data + at->tensor->begin};
    for (int d = 0; d < raw.shape.ndim; d++)
        raw.shape.dim[d] = at->tensor->dim[d];
    const es_keeper keeper = {f->file.size, es_safetensors_ref(f), let_go};
    es_show_brief(&what, name, strlen(name));
    bool ok = es_host_numbers(in, out, be, &raw, keeper, what.s, err);
    es_str_free(&what);
    return ok;
}

static bool countable(const es_stored *t)
{
    const es_raw raw = {.type = type_of(t), .shape = {.ndim = 0}};
    es_shape shape = raw.shape;
    for (shape.ndim = 0; shape.ndim < (int)t->rank; shape.ndim++)
        shape.dim[shape.ndim] = t->dim[shape.ndim];
    return es_torch_countable(&shape, NULL) &&
           es_shape_count(&shape) <= (int64_t)1 << ES_MOST_ELEMENTS_LOG2;
}

static bool add_tensor(es_interp *in, es_weights *w, size_t i, es_backend *be, es_items *dict,
                       remarks *r, es_error *err)
{
    es_located at;
    es_tensor t;
    const char *name;
    if (!es_watch_step(es_interp_torch(in)->watch, i, err) || !es_weights_at(w, i, &at, &name, err))
        return false;
    const es_raw_type *type = type_of(at.tensor);
    if (!type || !countable(at.tensor)) {
        leave_out(r, name, at.tensor);
        return true;
    }
    remember_type(r, type);
    if (!stored_tensor(in, &at, name, be, &t, err))
        return false;
    es_value v = es_value_tensor(&t);
    if (es_items_add(dict, es_value_str(name, strlen(name)), err))
        return es_items_add(dict, v, err);
    es_value_unref(&v);
    return false;
}

static bool load_all(es_interp *in, const char *path, es_backend *be, es_value *out, es_error *err)
{
    es_weights w;
    remarks r = {0};
    *out = es_value_dict(es_interp_containers(in));
    bool ok = es_weights_open(&w, path, err);
    for (size_t i = 0; ok && i < w.n_tensors; i++)
        ok = add_tensor(in, &w, i, be, es_value_items(out), &r, err);
    tell(in, &r, path);
    es_weights_close(&w);
    if (!ok)
        es_value_unref(out);
    return ok;
}

/* ---- what it is ---- */

static bool fail_content(const es_content *c, const es_file *f, const char *path, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, path, strlen(path));
    if (f->size == 0)
        es_fail(err, ES_ERR_FORMAT, "%s is empty", shown.s);
    else if (c->is)
        es_fail(err, ES_ERR_FORMAT, "%s is %s", shown.s, c->is);
    else
        es_fail(err, ES_ERR_FORMAT, "%s begins like no format that is read here", shown.s);
    es_str_free(&shown);
    if (c->how)
        es_hint(err, "%s", c->how);
    if (!c->is && f->size)
        es_hint(err, "numbers alone: fromfile(\"FILE\", (8, 64), dtype=\"float32\")");
    return es_hint(err, "load() reads .npy and .safetensors");
}

static bool load(es_interp *in, const char *path, es_backend *be, es_value *out, es_error *err)
{
    es_file f;
    if (!es_host_open(&f, path, err))
        return false;
    const es_content c = es_content_of(f.data, f.size);
    if (c.kind == ES_CONTENT_NPY)
        return load_npy(in, &f, path, be, out, err);
    bool many =
        c.kind == ES_CONTENT_SAFETENSORS || (c.kind == ES_CONTENT_JSON && ends_with(path, ".json"));
    if (!many)
        fail_content(&c, &f, path, err);
    es_file_close(&f);
    return many && load_all(in, path, be, out, err);
}

bool es_host_load(es_interp *in, const es_value *path, es_backend *be, es_value *out, es_error *err)
{
    es_str p = {0};
    bool ok = es_host_path(&p, path, err) && load(in, p.s, be, out, err);
    es_str_free(&p);
    return ok;
}
