// SPDX-License-Identifier: GPL-3.0-or-later
/* Files of tensors: load, fromfile, save, and what PyTorch and NumPy call them. */
#include <inttypes.h>

#include "base/visible.h"
#include "expr/interp.h"

static bool no_files(es_error *err)
{
    return es_fail(err, ES_ERR_UNSUPPORTED, "there are no files here");
}

static bool is_path(es_args *a, int i, es_error *err)
{
    return a->v[i].kind == ES_V_STR || es_arg_wrong(a, i, "a path, as a string", err);
}

/* ---- load ---- */

static bool load(es_args *a, es_backend *be, es_value *out, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    if (!host->load)
        return no_files(err);
    if (!is_path(a, 0, err))
        return false;
    return host->load(host->user, &a->v[0], be, out, err) || es_arg_blame(a, 0, err);
}

static bool run_load(es_args *a, es_value *out, es_error *err)
{
    es_backend *be;
    return es_arg_device(a, 1, a->k->be, &be, err) && load(a, be, out, err);
}

/* NumPy's further arguments are about memory and pickles. */
static bool run_np_load(es_args *a, es_value *out, es_error *err)
{
    return load(a, a->k->be, out, err);
}

/* ---- fromfile ---- */

/* "float16", or torch.float32, or float. */
static bool read_dtype(es_args *a, int i, const char *otherwise, es_plain_numbers *p, es_error *err)
{
    es_dtype dtype;
    p->dtype = otherwise;
    if (a->v[i].kind == ES_V_STR) {
        p->dtype = es_value_as_str(&a->v[i])->bytes;
        p->n_dtype = es_value_as_str(&a->v[i])->n;
        return true;
    }
    if (!es_arg_dtype(a, i, ES_FLOAT32, &dtype, err))
        return es_hint(err, "a name in quotes will do: dtype=\"float16\"");
    if (es_given(a, i))
        p->dtype = es_dtype_name(dtype);
    p->n_dtype = strlen(p->dtype);
    return true;
}

static bool read_order(es_args *a, int i, es_plain_numbers *p, es_error *err)
{
    static const struct {
        const char *name;
        int order;
    } orders[] = {{"little", ES_ORDER_LITTLE}, {"<", ES_ORDER_LITTLE},   {"big", ES_ORDER_BIG},
                  {">", ES_ORDER_BIG},         {"native", ES_ORDER_OWN}, {"=", ES_ORDER_OWN}};
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_wrong(a, i, "\"little\" or \"big\"", err);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        if (es_value_is_str(&a->v[i], orders[o].name)) {
            p->order = orders[o].order;
            return true;
        }
    es_str shown = {0};
    es_show_brief(&shown, es_value_as_str(&a->v[i])->bytes, es_value_as_str(&a->v[i])->n);
    es_fail(err, ES_ERR_VALUE, "a byte order is \"little\" or \"big\", not %s", shown.s);
    es_str_free(&shown);
    return es_arg_blame(a, i, err);
}

static bool read_offset(es_args *a, int i, es_plain_numbers *p, es_error *err)
{
    if (!es_given(a, i))
        return true;
    if (!es_arg_int64(a, i, &p->offset, err))
        return false;
    if (p->offset >= 0)
        return true;
    es_fail(err, ES_ERR_RANGE, "an offset is a number of bytes from 0 on, not %" PRId64, p->offset);
    return es_arg_blame(a, i, err);
}

/* A tuple or list of sizes, or one. */
static bool read_sizes(es_args *a, int i, es_plain_numbers *p, es_error *err)
{
    p->shaped = es_given(a, i);
    if (!p->shaped)
        return true;
    if (es_value_is_sequence(&a->v[i]))
        return es_arg_shape(a, i, &p->shape, err);
    p->shape.ndim = 1;
    if (!es_arg_size(a, i, &p->shape.dim[0], &p->shape.label[0], err))
        return false;
    if (p->shape.dim[0] >= -1)
        return true;
    es_fail(err, ES_ERR_VALUE, "a size cannot be %" PRId64, p->shape.dim[0]);
    return es_arg_blame(a, i, err);
}

static bool fromfile(es_args *a, const es_plain_numbers *p, es_value *out, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    if (!host->fromfile)
        return no_files(err);
    return host->fromfile(host->user, &a->v[0], p, out, err) || es_arg_blame(a, 0, err);
}

static bool run_fromfile(es_args *a, es_value *out, es_error *err)
{
    es_plain_numbers p = {.be = a->k->be};
    return is_path(a, 0, err) && read_sizes(a, 1, &p, err) &&
           read_dtype(a, 2, "float32", &p, err) && read_order(a, 3, &p, err) &&
           read_offset(a, 4, &p, err) && fromfile(a, &p, out, err);
}

/* "file, dtype=float, count=-1, sep='', offset=0" */
static bool run_np_fromfile(es_args *a, es_value *out, es_error *err)
{
    es_plain_numbers p = {.be = a->k->be};
    if (!is_path(a, 0, err) || !read_dtype(a, 1, "float64", &p, err) ||
        !read_sizes(a, 2, &p, err) || !read_offset(a, 4, &p, err))
        return false;
    if (es_given(a, 3) && !es_value_is_str(&a->v[3], "")) {
        es_fail(err, ES_ERR_UNSUPPORTED,
                "numbers as text, with something between them, are not read");
        return es_arg_blame(a, 3, err);
    }
    p.shaped = p.shaped && p.shape.dim[0] >= 0; /* count: -1 is all */
    p.in_part = p.shaped;
    return fromfile(a, &p, out, err);
}

/* ---- save ---- */

static bool fail_object(es_args *a, int i, es_error *err)
{
    const es_value *v = &a->v[i];
    es_arg_wrong(a, i, "a Tensor, or a dict of them", err);
    if (v->kind == ES_V_INSTANCE)
        es_hint(err, "of a module: its .state_dict(), or its .weight");
    else if (v->kind == ES_V_LIST || v->kind == ES_V_INT || v->kind == ES_V_FLOAT)
        es_hint(err, "a tensor of it: torch.tensor(…)");
    return false;
}

static bool check_item(es_args *a, int i, const es_value *key, const es_value *v, es_error *err)
{
    es_str shown = {0};
    if (key->kind == ES_V_STR && v->kind == ES_V_TENSOR)
        return true;
    if (key->kind == ES_V_STR) {
        es_show_brief(&shown, es_value_as_str(key)->bytes, es_value_as_str(key)->n);
        es_fail(err, ES_ERR_TYPE, "save() writes tensors, and %s is %s", shown.s,
                es_value_type_name(v));
    } else {
        es_fail(err, ES_ERR_TYPE, "save() writes tensors by their names, and a key is %s",
                es_value_type_name(key));
    }
    es_str_free(&shown);
    return es_arg_blame(a, i, err);
}

static bool check_object(es_args *a, int i, es_error *err)
{
    if (a->v[i].kind == ES_V_TENSOR)
        return true;
    if (a->v[i].kind != ES_V_DICT)
        return fail_object(a, i, err);
    const es_items *items = es_value_items(&a->v[i]);
    for (int64_t j = 0; j + 1 < items->n; j += 2)
        if (!check_item(a, i, &items->of[j], &items->of[j + 1], err))
            return false;
    return true;
}

static bool save(es_args *a, int object, int file, const es_value *path, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    if (!is_path(a, file, err) || !check_object(a, object, err))
        return false;
    if (!host->save) /* where nothing may have an effect, there are files all the same */
        return host->load || no_files(err);
    return host->save(host->user, &a->v[object], path, err) || es_arg_blame(a, file, err);
}

static bool run_save(es_args *a, es_value *out, es_error *err)
{
    return save(a, 0, 1, &a->v[1], err) && es_answer(out, es_none());
}

/* NumPy writes x.npy where it was told x. */
static bool run_np_save(es_args *a, es_value *out, es_error *err)
{
    static const char end[] = ".npy";
    if (!is_path(a, 0, err))
        return false;
    const es_str_object *typed = es_value_as_str(&a->v[0]);
    size_t n = sizeof end - 1;
    es_str path = {0};
    es_str_bytes(&path, typed->bytes, typed->n);
    if (path.len < n || memcmp(path.s + path.len - n, end, n) != 0)
        es_str_cat(&path, end);
    es_value whole = es_value_str(path.s, path.len);
    bool ok = save(a, 1, 0, &whole, err);
    es_value_unref(&whole);
    es_str_free(&path);
    return ok && es_answer(out, es_none());
}

static bool run_savez(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "np.%s: several arrays in one .npz are not written here",
            a->of->name);
    return es_hint(err, "try: save({\"x\": x, \"y\": y}, \"xy.safetensors\")");
}

#define SAVED                                                                                      \
    "The file is written whole or not at all, and one of that name is replaced.  The name says "   \
    "in "                                                                                          \
    "which format: .npy for one tensor, .safetensors for a dict of them."
#define LOADED                                                                                     \
    "What the file is, its first bytes say, not its name.  float16 and bfloat16 become float32, "  \
    "short integers int32, without loss.  A file of more than 64 MiB opens at once: its numbers "  \
    "are read when they are wanted, so leave it as it is meanwhile."

/* NumPy's come first: np. finds PyTorch's as well. */
const es_builtin es_builtins_files[] = {
    {"load", ES_IN_NUMPY, "file, mmap_mode=None, allow_pickle=False", "the tensor in a .npy file",
     "as saved", LOADED, "np.save(\"x.npy\", torch.arange(6).view(2, 3))\nnp.load(\"x.npy\")",
     run_np_load},
    {"save", ES_IN_NUMPY, "file, arr", "writes a tensor into a .npy file", "None", SAVED,
     "np.save(\"x.npy\", torch.arange(6).view(2, 3))", run_np_save},
    {"fromfile", ES_IN_NUMPY, "file, dtype=float, count=-1, sep='', offset=0",
     "the numbers of a file that holds nothing else", "(n)",
     "The dtype is a name in quotes too: \"uint16\", \">f4\".  offset is in bytes.",
     "np.save(\"x.npy\", torch.arange(6))\nnp.fromfile(\"x.npy\", dtype=\"int64\", offset=128)",
     run_np_fromfile},
    {"savez", ES_IN_NUMPY, "file, *args", "not here", "", NULL, NULL, run_savez},
    {"savez_compressed", ES_IN_NUMPY, "file, *args", "not here", "", NULL, NULL, run_savez},
    {"load", ES_IN_PLAIN | ES_IN_TORCH | ES_OWN, "file, map_location=None, weights_only=None",
     "the tensor in a .npy file, or the tensors of a .safetensors file in a dict", "as saved",
     LOADED,
     "save({\"a\": torch.arange(6).view(2, 3)}, \"m.safetensors\")\nload(\"m.safetensors\")[\"a\"]",
     run_load},
    {"save", ES_IN_PLAIN | ES_IN_TORCH | ES_OWN, "obj, file",
     "writes a tensor, or a dict of tensors, into a file", "None", SAVED,
     "a = torch.arange(6).view(2, 3)\nsave(a, \"a.npy\")\nsave({\"a\": a}, \"m.safetensors\")",
     run_save},
    {"fromfile", ES_IN_PLAIN | ES_OWN,
     "file, shape=None, dtype=float32, byteorder='little', offset=0",
     "the numbers of a file that holds nothing else", "the shape given, or (n)",
     "dtype: float16 bfloat16 float32 float64, int8 to int64, uint8 to uint64, bool, in quotes.  "
     "One size may be -1.  offset is in bytes; the file must hold as many numbers as the shape.",
     "save(torch.arange(6.), \"x.npy\")\nfromfile(\"x.npy\", (2, 3), dtype=\"float32\", "
     "offset=128)",
     run_fromfile},
    {.name = NULL},
};
