// SPDX-License-Identifier: GPL-3.0-or-later
/* save(): one tensor as .npy, several as .safetensors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/visible.h"
#include "model/npy.h"
#include "model/safetensors_write.h"
#include "session/host_files.h"
#include "torch/cast.h"
#include "torch/host.h"

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}

/* ---- numbers, one behind the other ---- */

/* t in host memory, its numbers in order. */
static bool make_dense(es_torch *k, es_tensor *out, const es_tensor *t, es_error *err)
{
    es_tensor there;
    *out = (es_tensor){0};
    if (!es_torch_ready(k, t, "save()", err) || !es_torch_contiguous(k, &there, t, err))
        return false;
    bool ok = es_torch_here(k, out, &there, "save()", err);
    es_tensor_free(&there);
    return ok;
}

static es_piece bytes_of(const es_tensor *dense)
{
    size_t size = es_dtype_size(dense->dtype);
    return (es_piece){(const char *)dense->buf->mem + (size_t)dense->offset * size,
                      (size_t)es_shape_count(&dense->shape) * size};
}

/* ---- files ---- */

/* Header and numbers of n tensors into path, whole or not at all. */
static bool write_file(es_interp *in, const char *path, const es_str *header,
                       const es_named_tensor *of, size_t n, es_error *err)
{
    enum { MODE = 0666 };
    es_torch *k = es_interp_torch(in);
    es_tensor *d = es_alloc_array(n + 1, sizeof *d);
    es_piece *piece = es_alloc_array(n + 1, sizeof *piece);
    bool ok = true;
    piece[0] = (es_piece){header->s, header->len};
    for (size_t i = 0; ok && i < n; i++) {
        ok = make_dense(k, &d[i], of[i].tensor, err);
        if (ok)
            piece[i + 1] = bytes_of(&d[i]);
    }
    ok = ok && es_file_replace_pieces(path, piece, n + 1, MODE, k->watch, err);
    for (size_t i = 0; i < n; i++)
        es_tensor_free(&d[i]);
    free(piece);
    free(d);
    return ok;
}

static bool save_npy(es_interp *in, const es_value *v, const char *path, es_error *err)
{
    if (v->kind != ES_V_TENSOR) {
        es_fail(err, ES_ERR_TYPE, "a .npy file holds one tensor, and this is a dict of them");
        return es_hint(err, "try: save(…, \"x.safetensors\"), or one of them: save(d[\"…\"], …)");
    }
    const es_named_tensor one = {.tensor = es_value_as_tensor(v)};
    es_str header = {0};
    es_npy_header(&header, one.tensor->dtype, &one.tensor->shape);
    bool ok = write_file(in, path, &header, &one, 1, err);
    es_str_free(&header);
    return ok;
}

/* The widest first, so that all of them lie aligned; else as the dict has them. */
static int by_width(const void *a, const void *b)
{
    const es_named_tensor *x = a, *y = b;
    size_t m = es_dtype_size(x->tensor->dtype), n = es_dtype_size(y->tensor->dtype);
    return m != n ? (m < n) - (m > n) : (x->place > y->place) - (x->place < y->place);
}

static bool save_safetensors(es_interp *in, const es_value *v, const char *path, es_error *err)
{
    if (v->kind != ES_V_DICT) {
        es_fail(err, ES_ERR_TYPE,
                "a .safetensors file holds tensors by their names, and this has none");
        return es_hint(err, "try: save({\"x\": x}, …), or a .npy file for one tensor");
    }
    const es_items *items = es_value_items(v);
    size_t n = (size_t)items->n / 2;
    es_named_tensor *of = es_alloc_array(n + 1, sizeof *of);
    es_str header = {0};
    for (size_t i = 0; i < n; i++) {
        const es_str_object *name = es_value_as_str(&items->of[2 * i]);
        of[i] = (es_named_tensor){.name = name->bytes,
                                  .n = name->n,
                                  .tensor = es_value_as_tensor(&items->of[2 * i + 1]),
                                  .place = i};
    }
    qsort(of, n, sizeof *of, by_width);
    bool ok = es_safetensors_header(&header, of, n, NULL, 0, err) &&
              write_file(in, path, &header, of, n, err);
    es_str_free(&header);
    free(of);
    return ok;
}

/* ---- which ---- */

/* What it can be saved as, and how Python reads that. */
static bool hint_formats(const es_value *v, bool pickle, es_error *err)
{
    if (v->kind == ES_V_DICT)
        es_hint(err, "try: save(…, \"m.safetensors\")");
    else
        es_hint(err, "try: save(x, \"x.npy\") or save({\"x\": x}, \"x.safetensors\")");
    if (pickle && v->kind == ES_V_TENSOR)
        es_hint(err, "in Python: torch.from_numpy(numpy.load(\"x.npy\"))");
    else if (pickle)
        es_hint(err, "in Python: safetensors.torch.load_file(\"m.safetensors\")");
    return false;
}

static bool fail_name(const es_value *v, const char *path, es_error *err)
{
    static const char *const pickles[] = {".pt", ".pth", ".bin", ".ckpt", ".pkl"};
    es_str shown = {0};
    bool pickle = false;
    es_show_name(&shown, path, strlen(path));
    for (size_t i = 0; i < sizeof pickles / sizeof *pickles; i++)
        pickle = pickle || ends_with(path, pickles[i]);
    if (pickle)
        es_fail(err, ES_ERR_UNSUPPORTED,
                "%s: PyTorch's own files are pickles, programs that make objects, and are not "
                "written here",
                shown.s);
    else
        es_fail(err, ES_ERR_VALUE, "%s: the name says in which format, .npy or .safetensors",
                shown.s);
    es_str_free(&shown);
    return hint_formats(v, pickle, err);
}

/* A file that may be replaced, or a place for a new one.  What a link names is replaced, not the link. */
static bool find_place(es_str *place, const char *path, es_error *err)
{
    if (!es_file_is_plain("write", path, err))
        return false;
    char *real = realpath(path, NULL);
    es_str_cat(place, real ? real : path);
    free(real);
    if (!real || access(path, W_OK) == 0)
        return true;
    return es_file_error(err, "write", path, errno);
}

bool es_host_save(es_interp *in, const es_value *v, const es_value *path, es_error *err)
{
    static const struct {
        const char *end;
        bool (*save)(es_interp *in, const es_value *v, const char *path, es_error *err);
    } formats[] = {{".npy", save_npy}, {".safetensors", save_safetensors}};
    es_str typed = {0}, place = {0};
    bool ok = es_host_path(&typed, path, err);
    size_t i = 0;
    while (ok && i < 2 && !ends_with(typed.s, formats[i].end))
        i++;
    ok = ok && (i < 2 || fail_name(v, typed.s, err)) && find_place(&place, typed.s, err) &&
         formats[i].save(in, v, place.s, err);
    es_str_free(&typed);
    es_str_free(&place);
    return ok;
}
