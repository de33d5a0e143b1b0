// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/why_fill.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/visible.h"

enum { SMALL = 1 << 12, NAME_COLUMNS = 60 };

/* ---- templates ---- */

static void put_text(es_str *out, const es_squeezed *q, const es_capture *c)
{
    es_str shown = {0};
    size_t from = q->at[c->begin], to = q->at[c->end - 1] + 1;
    es_show_prose(&shown, q->from + from,
                  to - from < 4 * NAME_COLUMNS ? to - from : 4 * NAME_COLUMNS);
    es_show_fit(out, es_str_text(&shown), shown.len, NAME_COLUMNS);
    es_str_free(&shown);
}

static void put_shape(es_str *out, const es_capture *c)
{
    es_str_char(out, '[');
    for (int i = 0; i < c->n_dims; i++)
        es_str_add(out, "%s%" PRId64, i ? ", " : "", c->dims[i]);
    es_str_char(out, ']');
}

static bool put_number(es_str *out, int64_t value, const es_fill *f)
{
    if (f->small && (value > SMALL || value < -SMALL))
        return false;
    es_str_add(out, "%" PRId64, value);
    return true;
}

static bool put_product(es_str *out, const es_capture *c, const es_fill *f)
{
    int64_t product = 1;
    for (int i = 0; i < c->n_dims; i++)
        if (c->dims[i] >= 0 && __builtin_mul_overflow(product, c->dims[i], &product))
            return false;
    return put_number(out, product, f);
}

static bool put_size(es_str *out, const es_capture *c, const char *which, const es_fill *f)
{
    int i = atoi(which);
    i += i < 0 ? c->n_dims : 0;
    return i >= 0 && i < c->n_dims && put_number(out, c->dims[i], f);
}

/* One placeholder; how: what stands behind the slot's digit. */
static bool put(es_str *out, const es_capture *c, const char *how, const es_fill *f)
{
    int64_t value = c->number;
    if (c->kind == ES_CAPTURE_SHAPE && *how == '.')
        return put_size(out, c, how + 1, f);
    if (c->kind == ES_CAPTURE_SHAPE && *how == '*')
        return put_product(out, c, f);
    if (c->kind == ES_CAPTURE_SHAPE && *how == '}')
        put_shape(out, c);
    else if (c->kind == ES_CAPTURE_NUMBER)
        return !__builtin_add_overflow(value, *how == '}' ? 0 : atoi(how), &value) &&
               put_number(out, value, f);
    else if (c->kind == ES_CAPTURE_TEXT && *how == '}')
        put_text(out, f->text, c);
    else
        return false;
    return true;
}

bool es_fill_in(es_str *out, const char *template, const es_fill *f)
{
    while (*template) {
        size_t n = strcspn(template, "{");
        es_str_bytes(out, template, n);
        template += n;
        if (!*template)
            break;
        if (!put(out, &f->match->slot[template[1] - '0'], template + 2, f))
            return false;
        template = strchr(template, '}') + 1;
    }
    return true;
}

bool es_fill_whole(const char *s, int64_t *value)
{
    size_t digits = strspn(s + (*s == '-'), "0123456789");
    if (digits == 0 || digits > 18 || s[(*s == '-') + digits])
        return false;
    *value = strtoll(s, NULL, 10);
    return true;
}

/* ---- what else a number may be ---- */

static int64_t size_named(const es_fill *f, const char *name)
{
    for (size_t i = 0; i < f->n_sizes; i++)
        if (!strcmp(f->sizes[i].name, name))
            return f->sizes[i].value;
    return 0;
}

static void remark_own(es_str *out, int64_t value, const es_fill *f)
{
    es_str names = {0};
    for (size_t i = 0; i < f->n_sizes; i++)
        if (f->sizes[i].value == value)
            es_str_add(&names, "%s%s", names.len ? " or " : "", f->sizes[i].name);
    if (names.len)
        es_str_add(out, "; perhaps %s, which is %" PRId64 " here", names.s, value);
    es_str_free(&names);
}

static void remark_known(es_str *out, int64_t value)
{
    static const struct {
        int64_t value;
        const char *is;
    } known[] = {
        {50257, "GPT-2's vocabulary has so many tokens"},
        {50256, "GPT-2's last token, <|endoftext|>, has this id"},
        {50304, "GPT-2's 50257 tokens rounded up to a multiple of 64"},
        {1024, "GPT-2's position table has so many rows"},
        {768, "the smallest GPT-2 has vectors of this width"},
        {30522, "BERT's vocabulary has so many tokens"},
        {32000, "Llama 2's vocabulary has so many tokens"},
        {128256, "Llama 3's vocabulary has so many tokens"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].value == value)
            es_str_add(out, "; %s", known[i].is);
}

static void remark_folded(es_str *out, int64_t value, const es_fill *f)
{
    int64_t B = size_named(f, "B"), T = size_named(f, "T"), product;
    if (B > 0 && T > 0 && !__builtin_mul_overflow(B, T, &product) && product == value && B > 1)
        es_str_add(out, "; B*T is %" PRId64 "*%" PRId64 " = %" PRId64 " here", B, T, value);
}

static void remark_index(es_str *out, int64_t value, const es_fill *f)
{
    static const char *const ends[] = {"V", "P"};
    for (int i = 0; i < 2; i++)
        if (value > 1 && size_named(f, ends[i]) == value)
            es_str_add(out, "; %s is %" PRId64 " here, so that its last row is %" PRId64, ends[i],
                       value, value - 1);
}

static void remark_dtype(es_str *out, const char *name)
{
    static const struct {
        const char *name, *is;
    } dtypes[] = {
        {"longtensor", "int64, whole numbers: what ids are"},
        {"long", "int64, whole numbers: what ids are"},
        {"int64", "whole numbers: what ids are"},
        {"inttensor", "int32, whole numbers"},
        {"int", "int32, whole numbers"},
        {"short", "int16, whole numbers"},
        {"byte", "uint8, whole numbers from 0 to 255"},
        {"bool", "true or false"},
        {"float", "float32: what weights and vectors are"},
        {"floattensor", "float32: what weights and vectors are"},
        {"double", "float64: what NumPy makes of 0.5"},
        {"doubletensor", "float64: what NumPy makes of 0.5"},
        {"half", "float16, half the bytes of float32"},
        {"halftensor", "float16, half the bytes of float32"},
        {"bfloat16", "16 bits, with float32's range"},
    };
    static const char *const before[] = {"torch.", "cuda.", "c10::", "at::"};
    for (size_t i = 0; i < 4; i++)
        name += strncasecmp(name, before[i], strlen(before[i])) ? 0 : strlen(before[i]);
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        if (!strcasecmp(name, dtypes[i].name))
            es_str_add(out, "; %s", dtypes[i].is);
}

static void remark_device(es_str *out, const char *name)
{
    if (!strncasecmp(name, "cpu", 3))
        es_str_cat(out,
                   "; the computer's own memory, where a tensor is made unless one says device=");
    else if (!strncasecmp(name, "cuda", 4) || !strncasecmp(name, "gpu", 3))
        es_str_cat(out, "; a GPU's memory, where .to(\"cuda\") puts a tensor");
    else if (!strncasecmp(name, "mps", 3))
        es_str_cat(out, "; an Apple GPU");
    else if (!strncasecmp(name, "meta", 4))
        es_str_cat(out, "; a tensor with a shape and no numbers: weights that were not loaded yet");
}

void es_fill_remark(es_str *out, const es_why_number *number, es_why_role role, const es_fill *f)
{
    bool size = role == ES_WHY_SIZE || role == ES_WHY_FOLDED;
    if (role == ES_WHY_DTYPE)
        remark_dtype(out, number->value);
    if (role == ES_WHY_DEVICE)
        remark_device(out, number->value);
    if (number->whole && role == ES_WHY_FOLDED)
        remark_folded(out, number->i, f);
    if (number->whole && role == ES_WHY_INDEX)
        remark_index(out, number->i, f);
    if (number->whole && size && number->i > 1)
        remark_own(out, number->i, f);
    if (number->whole && (size || role == ES_WHY_INDEX))
        remark_known(out, number->i);
}
