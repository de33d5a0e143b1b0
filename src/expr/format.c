// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "expr/comparison.h"
#include "expr/protocols.h"

/* ---- numbers and strings ---- */

void es_float_repr(es_str *out, double f)
{
    char digits[32];
    int places = 0;
    if (!isfinite(f)) {
        es_str_cat(out, isnan(f) ? "nan" : f < 0 ? "-inf" : "inf");
        return;
    }
    do
        snprintf(digits, sizeof digits, "%.*e", places, f);
    while (strtod(digits, NULL) != f && ++places <= 17);
    int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent < -4 || exponent >= 16)
        es_str_cat(out, digits);
    else
        es_str_add(out, "%.*f", places > exponent ? places - exponent : 1, f);
}

static char escaped(char c)
{
    switch (c) {
    case '\n': return 'n';
    case '\t': return 't';
    case '\r': return 'r';
    case '\\': return '\\';
    default: return 0;
    }
}

static void repr_char(es_str *out, const char *bytes, size_t n, uint32_t cp)
{
    if (!n)
        es_str_add(out, "\\x%02x", (unsigned char)*bytes); /* no text */
    else if (es_char_visible(cp))
        es_str_bytes(out, bytes, n);
    else if (cp < 0x100)
        es_str_add(out, "\\x%02x", cp);
    else
        es_str_add(out, cp < 0x10000 ? "\\u%04x" : "\\U%08x", cp);
}

void es_str_repr(es_str *out, const char *bytes, size_t n)
{
    bool single = n && memchr(bytes, '\'', n), both = single && memchr(bytes, '"', n);
    char quote = single && !both ? '"' : '\'';
    es_str_char(out, quote);
    for (size_t i = 0; i < n;) {
        uint32_t cp = 0;
        size_t size = (size_t)es_utf8_next(bytes + i, n - i, &cp);
        char escape = bytes[i] == quote ? quote : escaped(bytes[i]);
        if (escape)
            es_str_add(out, "\\%c", escape);
        else
            repr_char(out, bytes + i, size, cp);
        i += size ? size : 1;
    }
    es_str_char(out, quote);
}

/* ---- what holds other values ---- */

typedef struct writer {
    es_interp *in;
    es_torch *k;
    es_str *out;
    int depth;
    es_error *err;
} writer;

static bool repr(writer *w, const es_value *v);

static bool too_much(const writer *w)
{
    if (w->out->len > ES_MOST_PRINTED)
        return !es_fail(w->err, ES_ERR_NOMEM, "as text it would be longer than %d MiB",
                        ES_MOST_PRINTED >> 20);
    return !es_watch_step(w->k->watch, 0, w->err);
}

static bool deeper(writer *w)
{
    if (es_too_nested(w->in, w->err))
        return false;
    if (w->depth == ES_MOST_DEPTH)
        return es_fail(w->err, ES_ERR_RANGE, "lists within lists more than %d deep are not printed",
                       ES_MOST_DEPTH);
    w->in->nested++;
    w->depth++;
    return true;
}

static void back(writer *w)
{
    w->depth--;
    w->in->nested--;
}

/* The values with `between` in turn before each but the first: ", " and ": " for a dict. */
static bool each(writer *w, const es_items *items, const char *const between[2])
{
    for (int64_t i = 0; i < items->n; i++) {
        if (i)
            es_str_cat(w->out, between[i % 2]);
        if (too_much(w) || !repr(w, &items->of[i]))
            return false;
    }
    return true;
}

/* PyTorch's named tuples: a member on a line of its own. */
static bool fields(writer *w, const es_items *items)
{
    const char *name = items->fields;
    es_str_add(w->out, "%s(", items->type);
    for (int64_t i = 0; i < items->n; i++) {
        int n = (int)strcspn(name, " ");
        es_str_add(w->out, "%s\n%.*s=", i ? "," : "", n, name);
        name += name[n] ? n + 1 : n;
        if (!repr(w, &items->of[i]))
            return false;
    }
    es_str_char(w->out, ')');
    return true;
}

static bool bracketed(writer *w, es_value_kind kind, const es_items *items)
{
    static const struct {
        const char *open, *close, *itself;
    } as[ES_V_KINDS] = {
        [ES_V_TUPLE] = {"(", ")", "(...)"},
        [ES_V_SIZE] = {"torch.Size([", "])", "torch.Size([...])"},
        [ES_V_LIST] = {"[", "]", "[...]"},
        [ES_V_DICT] = {"{", "}", "{...}"},
    };
    static const char *const commas[] = {", ", ", "}, *const pairs[] = {", ", ": "};
    es_str_cat(w->out, as[kind].open);
    if (!each(w, items, kind == ES_V_DICT ? pairs : commas))
        return false;
    if (kind == ES_V_TUPLE && items->n == 1)
        es_str_char(w->out, ',');
    es_str_cat(w->out, as[kind].close);
    return true;
}

/* OrderedDict([('a', 1)]) */
static bool ordered(writer *w, const es_items *items)
{
    es_str_add(w->out, items->n ? "%s([" : "%s(", items->type);
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        es_str_cat(w->out, i ? ", (" : "(");
        if (too_much(w) || !repr(w, &items->of[i]))
            return false;
        es_str_cat(w->out, ", ");
        if (i + 1 < items->n && !repr(w, &items->of[i + 1])) /* __repr__ may have changed it */
            return false;
        es_str_char(w->out, ')');
    }
    es_str_cat(w->out, items->n ? "])" : ")");
    return true;
}

/* One of Python's own, which load_state_dict gives. */
static bool is_named_tuple(const es_items *items)
{
    return !strcmp(items->type, ES_INCOMPATIBLE_KEYS);
}

/* _IncompatibleKeys(missing_keys=['a'], unexpected_keys=[]); where there are none, what PyTorch says then. */
static bool named_tuple(writer *w, const es_items *items)
{
    const char *name = items->fields;
    bool none = true;
    for (int64_t i = 0; i < items->n; i++)
        none = none && items->of[i].kind == ES_V_LIST && !es_value_items(&items->of[i])->n;
    if (none) {
        es_str_cat(w->out, "<All keys matched successfully>");
        return true;
    }
    es_str_add(w->out, "%s(", items->type);
    for (int64_t i = 0; i < items->n; i++) {
        int n = (int)strcspn(name, " ");
        es_str_add(w->out, "%s%.*s=", i ? ", " : "", n, name);
        name += name[n] ? n + 1 : n;
        if (!repr(w, &items->of[i]))
            return false;
    }
    es_str_char(w->out, ')');
    return true;
}

static bool repr_items(writer *w, const es_value *v)
{
    es_items *items = es_value_items(v);
    const es_value *report = es_comparison_report(v);
    if (report) {
        es_str_bytes(w->out, es_value_as_str(report)->bytes, es_value_as_str(report)->n);
        return true;
    }
    if (items->busy) {
        es_str_cat(w->out, v->kind == ES_V_DICT   ? "{...}"
                           : v->kind == ES_V_LIST ? "[...]"
                                                  : "(...)");
        return true;
    }
    if (!deeper(w))
        return false;
    items->busy = true;
    bool ok = !items->type            ? bracketed(w, v->kind, items)
              : v->kind == ES_V_DICT  ? ordered(w, items)
              : is_named_tuple(items) ? named_tuple(w, items)
                                      : fields(w, items);
    items->busy = false;
    back(w);
    return ok;
}

/* ---- the rest ---- */

static void repr_range(es_str *out, const es_range *r)
{
    es_str_add(out, "range(%" PRId64 ", %" PRId64, r->start.u.i, r->stop.u.i);
    if (r->step.u.i != 1)
        es_str_add(out, ", %" PRId64, r->step.u.i);
    es_str_char(out, ')');
}

static bool repr_slice(writer *w, const es_slice *s)
{
    if (!deeper(w))
        return false;
    es_str_cat(w->out, "slice(");
    bool ok = repr(w, &s->begin);
    es_str_cat(w->out, ", ");
    ok = ok && repr(w, &s->end);
    es_str_cat(w->out, ", ");
    ok = ok && repr(w, &s->step);
    es_str_char(w->out, ')');
    back(w);
    return ok;
}

static void repr_builtin(es_str *out, const es_bound *b)
{
    if (b->self.kind == ES_V_NONE)
        es_str_add(out, "<built-in function %s>", b->builtin->name);
    else
        es_str_add(out, "<built-in method %s of %s object>", b->builtin->name,
                   es_value_type_name(&b->self));
}

static bool repr_exception(writer *w, const es_exception *e)
{
    bool one = e->message.kind != ES_V_TUPLE; /* or its arguments, more than one */
    if (!deeper(w))
        return false;
    es_str_cat(w->out, e->type);
    es_str_cat(w->out, one ? "(" : "");
    bool ok = e->message.kind == ES_V_NONE || repr(w, &e->message);
    es_str_cat(w->out, one ? ")" : "");
    back(w);
    return ok;
}

static void repr_device(es_str *out, const char *device)
{
    es_str_add(out, strcmp(device, "cpu") ? "device(type='%.3s', index=%d)" : "device(type='%.3s')",
               device, es_device_number(device));
}

/* <bound method X.forward of <X object>> */
static void repr_method(es_str *out, const es_value *v)
{
    const es_value *f = &es_value_items(v)->of[0], *self = &es_value_items(v)->of[1];
    const char *name = f->kind == ES_V_FUNCTION ? es_function_called((const es_function *)f->u.o)
                                                : es_value_type_name(f);
    es_str_add(out, "<bound method %s of ", name);
    if (self->kind == ES_V_CLASS)
        es_str_add(out, "<class '%s'>>", es_class_name(self));
    else
        es_str_add(out, "<%s object>>", es_value_type_name(self));
}

static bool write(writer *w, const es_value *v)
{
    es_str *out = w->out;
    switch (v->kind) {
    case ES_V_NONE: es_str_cat(out, "None"); return true;
    case ES_V_BOOL: es_str_cat(out, v->u.b ? "True" : "False"); return true;
    case ES_V_INT: es_str_add(out, "%" PRId64, v->u.i); return true;
    case ES_V_FLOAT: es_float_repr(out, v->u.f); return true;
    case ES_V_STR: es_str_repr(out, es_value_as_str(v)->bytes, es_value_as_str(v)->n); return true;
    case ES_V_RANGE: repr_range(out, (const es_range *)v->u.o); return true;
    case ES_V_SLICE: return repr_slice(w, (const es_slice *)v->u.o);
    case ES_V_ELLIPSIS: es_str_cat(out, "Ellipsis"); return true;
    case ES_V_DTYPE: es_str_add(out, "torch.%s", es_dtype_name(v->u.dtype)); return true;
    case ES_V_DEVICE: repr_device(out, v->u.name); return true;
    case ES_V_BUILTIN: repr_builtin(out, (const es_bound *)v->u.o); return true;
    case ES_V_FUNCTION: {
        const es_node *def = ((const es_function *)v->u.o)->def;
        es_str_add(out, "<function %s>", def->kind == ES_N_LAMBDA ? "<lambda>" : def->text);
        return true;
    }
    case ES_V_CLASS: es_str_add(out, "<class '%s'>", es_class_name(v)); return true;
    case ES_V_METHOD: repr_method(out, v); return true;
    case ES_V_INSTANCE: return es_object_repr(w->in, out, v, w->err);
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: es_str_add(out, "<%s object>", es_value_type_name(v)); return true;
    case ES_V_NAMESPACE: es_str_add(out, "<module '%s'>", v->u.name); return true;
    case ES_V_TYPE: es_str_add(out, "<class '%s'>", v->u.name); return true;
    case ES_V_EXCEPTION: return repr_exception(w, (const es_exception *)v->u.o);
    case ES_V_TENSOR:
        return es_tensor_repr(w->k, out, es_value_as_tensor(v),
                              ((const es_tensor_object *)v->u.o)->parameter,
                              ((const es_tensor_object *)v->u.o)->requires_grad, w->err);
    default: return repr_items(w, v);
    }
}

/* A reader's own __repr__ may change what holds the value: it is held here. */
static bool repr(writer *w, const es_value *v)
{
    es_value held = es_value_ref(v);
    bool ok = write(w, &held);
    es_value_unref(&held);
    return ok;
}

bool es_value_repr(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    writer w = {.in = in, .k = es_interp_torch(in), .out = out, .err = err};
    return repr(&w, v);
}

/* A KeyError's message is as it would be typed. */
static bool exception_str(es_interp *in, es_str *out, const es_exception *e, es_error *err)
{
    if (e->message.kind == ES_V_NONE)
        return true;
    if (es_too_nested(in, err)) /* it may be another exception */
        return false;
    in->nested++;
    bool ok = strcmp(e->type, "KeyError") ? es_value_str_of(in, out, &e->message, err)
                                          : es_value_repr(in, out, &e->message, err);
    in->nested--;
    return ok;
}

static bool str_of(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    switch (v->kind) {
    case ES_V_STR: es_str_bytes(out, es_value_as_str(v)->bytes, es_value_as_str(v)->n); return true;
    case ES_V_INSTANCE: return es_object_str(in, out, v, err);
    case ES_V_DEVICE:
        es_str_add(out, strcmp(v->u.name, "cpu") ? "%s:0" : "%s", v->u.name);
        return true;
    case ES_V_EXCEPTION: return exception_str(in, out, (const es_exception *)v->u.o, err);
    default: return es_value_repr(in, out, v, err);
    }
}

bool es_value_str_of(es_interp *in, es_str *out, const es_value *v, es_error *err)
{
    es_value held = es_value_ref(v);
    bool ok = str_of(in, out, &held, err);
    es_value_unref(&held);
    return ok;
}
