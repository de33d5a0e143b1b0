// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements of the language, with little memory and few steps: whatever comes in, an error has a place and
 * a message, what is asked for its type changes nothing, and a type that was foretold is the type that comes. */
#include <string.h>

#include "expr/inside.h"
#include "expr/modules.h"
#include "fuzz/fuzz.h"
#include "fuzz/state.h"

enum { MOST_SOURCE = 1000, MOST_STEPS = 2000, MOST_BYTES = 1 << 16 };

typedef struct world {
    es_interp *in;
    es_value last; /* what the last statement at the top was worth */
} world;

static es_backend *be;
static es_table *wte, *wpe;

static void row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t j = 0; j < C; j++)
        out[j] = (float)((i * C + j) * 7 % 17 - 8) / 8;
}

static void on_value(void *user, const es_value *v, bool quiet)
{
    world *w = user;
    es_str s = {0};
    es_error err = ES_ERROR_NONE;
    (void)quiet;
    es_value_unref(&w->last);
    w->last = es_value_ref(v);
    promise(es_value_repr(w->in, &s, v, &err) || (err.message && *err.message));
    es_str_free(&s);
    es_error_free(&err);
}

static void on_print(void *user, const char *bytes, size_t n)
{
    (void)user;
    promise(bytes || !n);
}

static void on_note(void *user, const char *text)
{
    (void)user;
    promise(text && *text);
}

static int on_name(void *user, const char *name, size_t n, es_value *out, es_error *err)
{
    static const int64_t of[10] = {3, 7, 1, 7, 49, 0, 2, 4, 6, 8};
    es_shape shape = es_shape_2d("B", 2, "T", 5);
    es_tensor t;
    es_interp *in = ((world *)user)->in;
    (void)err;
    if (n == 3 && !memcmp(name, "wte", 3))
        *out = es_embedding_of_table(in, "wte", wte, be);
    else if (n == 3 && !memcmp(name, "wpe", 3))
        *out = es_embedding_of_table(in, "wpe", wpe, be);
    else if (n == 3 && !memcmp(name, "ids", 3)) {
        promise(es_tensor_new(&t, be, ES_INT64, &shape, NULL) && es_tensor_write(&t, of, NULL));
        *out = es_value_tensor(&t);
    } else
        return 0;
    return 1;
}

static void check_error(const es_error *err, size_t len)
{
    promise(err->code != ES_OK && err->message && *err->message);
    promise(err->begin <= err->end && err->end <= (ptrdiff_t)len);
    promise(err->op_begin <= err->op_end && err->op_end <= (ptrdiff_t)len);
}

static bool find_type(es_interp *in, es_unit *unit, es_str *type)
{
    es_error err = ES_ERROR_NONE;
    es_value v;
    bool ok = es_interp_type(in, unit, &v, &err);
    if (!ok)
        check_error(&err, unit->len);
    else if (v.kind == ES_V_TENSOR)
        es_shape_show(type, &es_value_as_tensor(&v)->shape);
    es_value_unref(&v);
    es_error_free(&err);
    return ok;
}

static void run(world *w, es_unit *unit)
{
    es_error err = ES_ERROR_NONE;
    es_str type = {0}, before = {0}, after = {0}, shape = {0};
    show_variables(w->in, &before);
    w->in->steps_left = MOST_STEPS;
    bool foretold = find_type(w->in, unit, &type);
    show_variables(w->in, &after);
    promise(before.len == after.len &&
            !memcmp(es_str_text(&before), es_str_text(&after), after.len));
    w->in->steps_left = MOST_STEPS;
    es_value_unref(&w->last);
    bool ok = es_interp_run(w->in, unit, &err);
    if (!ok)
        check_error(&err, unit->len);
    if (ok && foretold && w->last.kind == ES_V_TENSOR) {
        es_shape_show(&shape, &es_value_as_tensor(&w->last)->shape);
        promise(!strcmp(es_str_text(&shape), es_str_text(&type)));
    }
    es_str_free(&type);
    es_str_free(&before);
    es_str_free(&after);
    es_str_free(&shape);
    es_error_free(&err);
}

/* Blank lines part the source into units: those after the first meet variables. */
int fuzz_eval(const uint8_t *data, size_t size)
{
    if (size > MOST_SOURCE)
        return 0;
    if (!be) {
        be = es_backend_open("cpu", 1, NULL);
        wte = es_table_generated(50, 8, row, NULL, 0);
        wpe = es_table_generated(16, 8, row, NULL, 0);
    }
    world w = {.last = es_none()};
    const es_interp_host host = {
        .user = &w, .name = on_name, .value = on_value, .print = on_print, .note = on_note};
    w.in = es_interp_new(&host, be);
    w.in->torch.most_bytes = MOST_BYTES;
    const char *s = (const char *)data, *end = s + size;
    while (s < end) {
        const char *blank = memmem(s, (size_t)(end - s), "\n\n", 2);
        size_t len = (size_t)((blank ? blank : end) - s);
        es_error err = ES_ERROR_NONE;
        es_unit *unit = es_parse(s, len, &err);
        if (unit)
            run(&w, unit);
        else
            check_error(&err, len);
        es_unit_unref(unit);
        es_error_free(&err);
        s += len + (blank ? 2 : 0);
    }
    es_value_unref(&w.last);
    es_interp_free(w.in);
    return 0;
}

ES_FUZZ_TARGET(fuzz_eval)
