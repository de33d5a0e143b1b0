// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/content.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

#define PAGE "download the file itself, not the page that shows it"
#define PYTORCH                                                                                    \
    "a pickle is a program, and is not read.  In Python, for named tensors:\n"                     \
    "from safetensors.torch import save_file; save_file(torch.load(\"m.pt\"), "                    \
    "\"m.safetensors\")\n"                                                                         \
    "or for one: numpy.save(\"x.npy\", x.numpy())"
#define NPZ                                                                                        \
    "several arrays in one; not read yet.  In Python: numpy.save(\"x.npy\", z[\"x\"]) for each"

static const struct {
    const char *begins;
    es_content content;
} known[] = {
    {"\x93NUMPY", {ES_CONTENT_NPY, "a NumPy array", NULL}},
    {"version https://git-lfs",
     {ES_CONTENT_STAND_IN, "a Git LFS pointer, a note that stands for the file",
      "the tensors themselves were not fetched: git lfs pull in its folder, or download the file"}},
    {"<!DOCTYPE", {ES_CONTENT_STAND_IN, "a web page", PAGE}},
    {"<!doctype", {ES_CONTENT_STAND_IN, "a web page", PAGE}},
    {"<html", {ES_CONTENT_STAND_IN, "a web page", PAGE}},
    {"GGUF",
     {ES_CONTENT_OTHER, "a GGUF file",
      "not read yet; the same model is often there as .safetensors too"}},
    {"\x89HDF\r\n\x1a\n",
     {ES_CONTENT_OTHER, "an HDF5 file, as Keras writes them",
      "not read here.  In Python: numpy.save(\"x.npy\", h5py.File(\"m.h5\")[\"name\"][:])"}},
    {"\x1f\x8b", {ES_CONTENT_OTHER, "a file packed by gzip", "unpack it first: gunzip FILE"}},
    {"\x80\x02", {ES_CONTENT_OTHER, "a pickle, as PyTorch's older .pt and .bin are", PYTORCH}},
    {"\x80\x03", {ES_CONTENT_OTHER, "a pickle of Python objects", PYTORCH}},
    {"\x80\x04", {ES_CONTENT_OTHER, "a pickle of Python objects", PYTORCH}},
    {"\x80\x05", {ES_CONTENT_OTHER, "a pickle of Python objects", PYTORCH}},
    {"{", {ES_CONTENT_JSON, "JSON", NULL}},
};

static bool begins(const char *p, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n >= m && !memcmp(p, with, m);
}

/* A header's length of less than 4 GiB, and the header. */
static bool is_safetensors(const char *p, size_t n)
{
    return n > 8 && !memcmp(p + 4, "\0\0\0\0{", 5);
}

/* Whose zip it is, the name of its first member tells. */
static es_content zip(const char *p, size_t n)
{
    enum { LENGTH = 26, NAME = 30 };
    size_t len =
        n < NAME ? 0 : (size_t)(unsigned char)p[LENGTH] | (size_t)(unsigned char)p[LENGTH + 1] << 8;
    const char *name = p + NAME;
    len = n < NAME || len > n - NAME ? 0 : len;
    if (len > 4 && !memcmp(name + len - 4, ".npy", 4))
        return (es_content){ES_CONTENT_OTHER, "a NumPy .npz", NPZ};
    if (len && (memmem(name, len, "/data.pkl", 9) || memmem(name, len, "/version", 8)))
        return (es_content){ES_CONTENT_OTHER, "a file of PyTorch's, a zip with a pickle", PYTORCH};
    return (es_content){ES_CONTENT_OTHER, "a zip file", "unpack it first: unzip FILE"};
}

/* Only its beginning is looked at; a character may be cut there. */
static bool is_text(const char *p, size_t n)
{
    enum { ENOUGH = 512, LONGEST = 4 };
    size_t most = n < ENOUGH ? n : ENOUGH, i = 0;
    while (i < most) {
        uint32_t cp;
        int len = es_utf8_next(p + i, n - i, &cp);
        if (!len || (!es_char_visible(cp) && !strchr("\t\n\r\f", (int)cp)) || cp == 0)
            return false;
        i += (size_t)len;
    }
    return n > 0;
}

es_content es_content_of(const void *bytes, size_t n)
{
    if (is_safetensors(bytes, n))
        return (es_content){ES_CONTENT_SAFETENSORS, "a safetensors file", NULL};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begins(bytes, n, known[i].begins))
            return known[i].content;
    if (begins(bytes, n, "PK\x03\x04"))
        return zip(bytes, n);
    if (is_text(bytes, n))
        return (es_content){ES_CONTENT_OTHER, "text",
                            "if it holds numbers, in Python: numpy.save(\"x.npy\", "
                            "numpy.loadtxt(\"FILE\"))"};
    return (es_content){.kind = ES_CONTENT_UNKNOWN};
}
