// SPDX-License-Identifier: GPL-3.0-or-later
#include "language.h"
#include "expr/modules.h"
#include "far.h"

#include "session/host_files.h"
#include "support.h"

static void row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t j = 0; j < C; j++)
        out[j] = (float)((i * C + j) * 7 % 17 - 8) / 8;
}

/* ---- the host ---- */

static void on_value(void *user, const es_value *v, bool quiet)
{
    language *l = user;
    es_error err = ES_ERROR_NONE;
    if (quiet || v->kind == ES_V_NONE)
        return;
    if (v->kind == ES_V_INT && v->label.s[0])
        es_str_add(&l->shown, "(%s) ", v->label.s);
    if (v->kind == ES_V_TENSOR) {
        es_shape_show(&l->shown, &es_value_as_tensor(v)->shape);
        es_str_char(&l->shown, ' ');
    }
    ck_assert_works(es_value_repr(l->in, &l->shown, v, &err), err);
    es_str_char(&l->shown, '\n');
}

static void on_print(void *user, const char *bytes, size_t n)
{
    es_str_bytes(&((language *)user)->printed, bytes, n);
}

static void on_note(void *user, const char *text)
{
    es_str_add(&((language *)user)->noted, "%s\n", text);
}

static bool is(const char *name, size_t n, const char *other)
{
    return strlen(other) == n && !memcmp(name, other, n);
}

static es_value ids(es_backend *be)
{
    const int64_t of[10] = {3, 7, 1, 7, 49, 0, 2, 4, 6, 8};
    es_shape shape = es_shape_2d("B", 2, "T", 5);
    es_tensor t;
    ck_assert(es_tensor_new(&t, be, ES_INT64, &shape, NULL));
    ck_assert(es_tensor_write(&t, of, NULL));
    return es_value_tensor(&t);
}

static int on_name(void *user, const char *name, size_t n, es_value *out, es_error *err)
{
    language *l = user;
    if (is(name, n, "pos_emb"))
        return es_fail(err, ES_ERR_VALUE, "there is no text yet") - 1;
    if (is(name, n, "wte") || is(name, n, "wpe"))
        *out = es_value_ref(&l->table[name[1] == 'p']);
    else if (is(name, n, "ids") || is(name, n, "input_ids"))
        *out = ids(l->be);
    else if (is(name, n, "C") || is(name, n, "V")) {
        *out = es_value_int(*name == 'C' ? 8 : 50);
        out->label = es_label_named(*name == 'C' ? "C" : "V");
    } else
        return 0;
    return 1;
}

static es_backend *on_device(void *user, const char *name, es_error *err)
{
    language *l = user;
    char called[ES_DEVICE_NAME];
    es_device_name(called, name);
    if (!strcmp(l->be->name, called))
        return l->be;
    es_backend **other = l->other;
    while (*other && strcmp((*other)->name, called) != 0)
        other++;
    *other = *other ? *other : es_backend_open(called, 1, err);
    return *other;
}

static const char *name_at(void *user, size_t i)
{
    static const char *const names[] = {"C", "V", "ids", "input_ids", "pos_emb", "wpe", "wte"};
    (void)user;
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

static bool load(void *user, const es_value *path, es_backend *be, es_value *out, es_error *err)
{
    return es_host_load(((language *)user)->in, path, be, out, err);
}

static bool fromfile(void *user, const es_value *path, const es_plain_numbers *numbers,
                     es_value *out, es_error *err)
{
    return es_host_fromfile(((language *)user)->in, path, numbers, out, err);
}

static bool save(void *user, const es_value *v, const es_value *path, es_error *err)
{
    return es_host_save(((language *)user)->in, v, path, err);
}

/* ---- life ---- */

void language_begin(language *l)
{
    language_begin_on(l, es_backend_open("cpu", 1, NULL));
}

void language_has_far(language *l)
{
    es_backend **other = l->other;
    while (*other)
        other++;
    *other = far_open(1);
}

void language_begin_on(language *l, es_backend *be)
{
    *l = (language){.err = ES_ERROR_NONE, .be = be};
    ck_assert_ptr_nonnull(be);
    l->wte = es_table_generated(50, 8, row, NULL, 0);
    l->wpe = es_table_generated(16, 8, row, NULL, 0);
    const es_interp_host host = {.user = l,
                                 .name = on_name,
                                 .name_at = name_at,
                                 .value = on_value,
                                 .print = on_print,
                                 .note = on_note,
                                 .device = on_device,
                                 .load = load,
                                 .fromfile = fromfile,
                                 .save = save};
    l->in = es_interp_new(&host, l->be);
    l->table[0] = es_embedding_of_table(l->in, "wte", l->wte, l->be);
    l->table[1] = es_embedding_of_table(l->in, "wpe", l->wpe, l->be);
    es_interp_torch(l->in)->watch = &l->watch;
    es_interp_torch(l->in)->most_bytes = 1 << 26;
}

void language_end(language *l)
{
    es_value_unref(&l->table[0]);
    es_value_unref(&l->table[1]);
    es_interp_free(l->in);
    es_table_unref(l->wte);
    es_table_unref(l->wpe);
    ck_assert_uint_eq(l->be->in_use, 0);
    es_backend_close(l->be);
    for (size_t i = 0; i < sizeof l->other / sizeof *l->other; i++)
        es_backend_close(l->other[i]);
    es_str_free(&l->shown);
    es_str_free(&l->printed);
    es_str_free(&l->noted);
    es_error_free(&l->err);
}

/* ---- running ---- */

bool language_run(language *l, const char *source)
{
    es_error_free(&l->err);
    es_str_cut(&l->shown, 0);
    es_str_cut(&l->printed, 0);
    es_str_cut(&l->noted, 0);
    es_unit *unit = es_parse(source, strlen(source), &l->err);
    bool ok = unit && es_interp_run(l->in, unit, &l->err);
    es_unit_unref(unit);
    return ok;
}

const char *language_says(language *l, const char *source)
{
    if (!language_run(l, source))
        es_str_add(&l->shown, "error[%s]: %s\n", es_code_name(l->err.code), l->err.message);
    if (l->shown.len)
        es_str_cut(&l->shown, l->shown.len - 1);
    return es_str_text(&l->shown);
}

const char *language_place(language *l, const char *source)
{
    es_str_cut(&l->shown, 0);
    if (l->err.begin >= 0)
        es_str_bytes(&l->shown, source + l->err.begin, (size_t)(l->err.end - l->err.begin));
    return es_str_text(&l->shown);
}
