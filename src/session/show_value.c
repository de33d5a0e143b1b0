// SPDX-License-Identifier: GPL-3.0-or-later
/* Values for a reader: tensors as tables of numbers, all else as Python's prompt prints it. */
#include "session/show_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "expr/comparison.h"
#include "session/module_parts.h"
#include "session/numbers.h"
#include "session/show_lines.h"

typedef struct answer {
    es_interp *in;
    es_value value; /* one reference */
    es_str printed, memory;
} answer;

enum { ROWS = 16, ROWS_BIG = 8, FEW_ROWS = 4, MOST_ITEMS = 12 };

static void show_printed(es_str *out, const es_str *printed)
{
    es_show_lines(out, es_str_text(printed), printed->len);
    if (printed->len && printed->s[printed->len - 1] != '\n')
        es_str_char(out, '\n');
}

/* ---- values ---- */

bool es_show_repr_brief(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    size_t before = out->len;
    bool ok = es_value_repr(in, out, v, &own), stopped = own.code == ES_ERR_INTERRUPTED;
    if (!ok && stopped && err) {
        *err = own;
        return false;
    }
    if (!ok) {
        es_str_cut(out, before);
        es_str_add(out, "<%s object>", es_value_type_name(v));
    }
    es_error_free(&own);
    return !stopped;
}

static bool is_wide_sequence(const es_value *v, const es_str *repr, const es_style *style)
{
    bool sequence = v->kind == ES_V_LIST || (v->kind == ES_V_TUPLE && !es_value_items(v)->fields);
    const char *text = es_str_text(repr);
    return sequence && !style->plain && !strchr(text, '\n') &&
           es_columns(text, repr->len) > style->width;
}

static bool show_repr(es_str *out, es_interp *in, const es_value *v, const es_style *style,
                      es_error *err)
{
    es_str repr = {.brake = out->brake};
    if (style->plain)
        es_str_add(&repr, "%s: ", es_value_kind_name(v));
    bool ok = es_value_repr(in, &repr, v, err);
    if (ok && v->kind == ES_V_SIZE) { /* with the names that its ints carry */
        const es_items *sizes = es_value_items(v);
        es_str named = {0};
        bool any = false;
        for (int64_t i = 0; i < sizes->n; i++) {
            const char *label = sizes->of[i].label.s;
            any = any || *label;
            es_str_add(&named, "%s%s%s%" PRId64, i ? ", " : "", label, *label ? "=" : "",
                       sizes->of[i].u.i);
        }
        if (any)
            es_str_add(&repr, "   [%s]", named.s);
        es_str_free(&named);
    }
    const char *text = es_str_text(&repr);
    bool fits = !strchr(text, '\n') && es_columns(text, repr.len) <= style->width;
    if (ok && !fits && es_has_named_tensors(v)) {
        es_str_free(&repr);
        es_show_named_tensors(out, in, v, style);
        return true;
    }
    if (ok && is_wide_sequence(v, &repr, style)) {
        es_str_cut(&repr, 0);
        ok = es_show_sequence(&repr, in, v, style, err);
    }
    if (ok)
        es_show_folded(out, es_str_text(&repr), repr.len, style);
    es_str_free(&repr);
    return ok;
}

static bool holds_tensors(const es_value *v)
{
    if (v->kind != ES_V_TUPLE && v->kind != ES_V_LIST)
        return false;
    const es_items *items = es_value_items(v);
    for (int64_t i = 0; i < items->n; i++)
        if (items->of[i].kind == ES_V_TENSOR)
            return true;
    return false;
}

/* The name of member i of a tuple with named members, or its number. */
static void item_name(es_str *out, const es_items *items, int64_t i)
{
    const char *field = items->fields;
    for (int64_t skip = i; field && skip > 0; skip--) {
        field = strchr(field, ' ');
        field += field != NULL;
    }
    if (field)
        es_str_bytes(out, field, strcspn(field, " "));
    else
        es_str_add(out, "[%" PRId64 "]", i);
}

static bool show_items(es_str *out, es_interp *in, const es_value *v, const es_style *style,
                       es_error *err)
{
    const es_items *items = es_value_items(v);
    int64_t n = items->n <= MOST_ITEMS ? items->n : MOST_ITEMS;
    for (int64_t i = 0; i < n && i < items->n; i++) {
        es_value item = es_value_ref(&items->of[i]); /* a __repr__ may change the list */
        item_name(out, items, i);
        es_str_cat(out, ":\n");
        bool ok = item.kind == ES_V_TENSOR
                      ? es_show_tensor(out, in, es_value_as_tensor(&item), "", FEW_ROWS, style, err)
                      : show_repr(out, in, &item, style, err);
        es_value_unref(&item);
        if (!ok)
            return false;
    }
    if (n < items->n)
        es_str_add(out, "… %" PRId64 " more\n", items->n - n);
    return true;
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const answer *a = data;
    show_printed(out, &a->printed);
    if (a->value.kind == ES_V_NONE)
        return true;
    if (a->value.kind == ES_V_TENSOR)
        return es_show_tensor(out, a->in, es_value_as_tensor(&a->value), es_str_text(&a->memory),
                              style->big ? ROWS_BIG : ROWS, style, err);
    if (a->value.kind == ES_V_CLASS)
        return es_show_class(out, a->in, &a->value, style, err);
    const es_value *report = es_comparison_report(&a->value);
    if (report) {
        const es_str_object *text = es_value_as_str(report);
        es_show_wrapped(out, text->bytes, text->n, style);
        return true;
    }
    if (holds_tensors(&a->value))
        return show_items(out, a->in, &a->value, style, err);
    bool ok = show_repr(out, a->in, &a->value, style, err);
    if (ok && es_is_module(&a->value))
        es_show_module_size(out, &a->value, style);
    return ok;
}

static void json_printed(es_json *j, const es_str *printed)
{
    es_json_key(j, "printed");
    es_json_text(j, es_str_text(printed), printed->len);
    if (es_utf8_valid(es_str_text(printed), printed->len))
        return;
    es_json_key(j, "printed_hex");
    es_json_hex(j, printed->s, printed->len);
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const answer *a = data;
    bool ok = es_json_value(j, a->in, &a->value, values, err);
    if (ok && a->printed.len)
        json_printed(j, &a->printed);
    return ok;
}

static void forget(void *data)
{
    answer *a = data;
    es_value_unref(&a->value);
    es_str_free(&a->printed);
    es_str_free(&a->memory);
    free(a);
}

static answer *answer_of(es_interp *in, const es_value *v)
{
    answer *a = es_alloc(sizeof *a);
    *a = (answer){.in = in, .value = es_value_ref(v)};
    return a;
}

/* A kind for each kind of value: they differ by name. */
#define VALUE_KIND(KIND, NAME) [KIND] = {NAME, show, json, forget}
static const es_kind kinds[ES_V_KINDS] = {
    VALUE_KIND(ES_V_NONE, "none"),
    VALUE_KIND(ES_V_BOOL, "bool"),
    VALUE_KIND(ES_V_INT, "int"),
    VALUE_KIND(ES_V_FLOAT, "float"),
    VALUE_KIND(ES_V_STR, "str"),
    VALUE_KIND(ES_V_TUPLE, "tuple"),
    VALUE_KIND(ES_V_SIZE, "size"),
    VALUE_KIND(ES_V_LIST, "list"),
    VALUE_KIND(ES_V_DICT, "dict"),
    VALUE_KIND(ES_V_RANGE, "range"),
    VALUE_KIND(ES_V_SLICE, "slice"),
    VALUE_KIND(ES_V_ELLIPSIS, "ellipsis"),
    VALUE_KIND(ES_V_TENSOR, "tensor"),
    VALUE_KIND(ES_V_DTYPE, "dtype"),
    VALUE_KIND(ES_V_DEVICE, "device"),
    VALUE_KIND(ES_V_BUILTIN, "function"),
    VALUE_KIND(ES_V_FUNCTION, "function"),
    VALUE_KIND(ES_V_NAMESPACE, "namespace"),
    VALUE_KIND(ES_V_TYPE, "type"),
    VALUE_KIND(ES_V_EXCEPTION, "exception"),
    VALUE_KIND(ES_V_CLASS, "class"),
    VALUE_KIND(ES_V_INSTANCE, "object"),
    VALUE_KIND(ES_V_METHOD, "method"),
    VALUE_KIND(ES_V_SUPER, "super"),
    VALUE_KIND(ES_V_DESCRIPTOR, "descriptor"),
};

static const es_kind *kind_of(const es_value *v)
{
    static const es_kind module = {"module", show, json, forget},
                         comparison = {"comparison", show, json, forget};
    if (es_comparison_report(v))
        return &comparison;
    return es_is_module(v) ? &module : &kinds[v->kind];
}

const char *es_value_kind_name(const es_value *v)
{
    return kind_of(v)->name;
}

es_result es_result_value(es_interp *in, const es_value *v, es_str *printed, es_str *memory)
{
    answer *a = answer_of(in, v);
    a->printed = *printed;
    a->memory = *memory;
    *printed = *memory = (es_str){0};
    return (es_result){.kind = kind_of(v), .data = a};
}

/* ---- the type alone ---- */

static bool show_type(es_str *out, void *data, const es_style *style, es_error *err)
{
    const answer *a = data;
    if (a->value.kind != ES_V_TENSOR) {
        es_str_add(out, "%s%s\n", style->plain ? "type: " : "", es_value_type_name(&a->value));
        if (es_is_module(&a->value))
            es_show_module_size(out, &a->value, style);
        return true;
    }
    const es_tensor *t = es_value_as_tensor(&a->value);
    es_flow f = es_flow_start(out, style->plain ? ", " : "   ", style);
    es_str shape = {0}, bytes = {0};
    (void)err;
    es_shape_show(&shape, &t->shape);
    es_show_bytes(&bytes, (double)es_shape_count(&t->shape) * (double)es_dtype_size(t->dtype));
    es_flow_item(&f, "%s%s %s %s", style->plain ? "type: " : "", shape.s, es_dtype_name(t->dtype),
                 t->buf->be->name);
    es_flow_item(&f, "%s", bytes.s);
    es_flow_end(&f);
    es_str_free(&shape);
    es_str_free(&bytes);
    return true;
}

static bool json_type(es_json *j, void *data, bool values, es_error *err)
{
    const answer *a = data;
    (void)values;
    (void)err;
    es_json_type(j, &a->value);
    return true;
}

es_result es_result_type(es_interp *in, const es_value *v)
{
    static const es_kind kind = {"type", show_type, json_type, forget};
    return (es_result){.kind = &kind, .data = answer_of(in, v)};
}

/* ---- printed before an error ---- */

static bool show_only_printed(es_str *out, void *data, const es_style *style, es_error *err)
{
    (void)style;
    (void)err;
    show_printed(out, data);
    return true;
}

static bool json_only_printed(es_json *j, void *data, bool values, es_error *err)
{
    (void)values;
    (void)err;
    json_printed(j, data);
    return true;
}

static void forget_printed(void *data)
{
    es_str_free(data);
    free(data);
}

es_result es_result_printed(es_str *printed)
{
    static const es_kind kind = {"printed", show_only_printed, json_only_printed, forget_printed};
    es_str *data = es_alloc(sizeof *data);
    *data = *printed;
    *printed = (es_str){0};
    return (es_result){.kind = &kind, .data = data};
}
