// SPDX-License-Identifier: GPL-3.0-or-later
/* "%d of %s" % (n, s): each %… is turned into what a format specification says, and formatted by that. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/visible.h"
#include "expr/format.h"
#include "expr/inside.h"
#include "torch/host.h"

/* One %[(name)][flags][width][.precision]type. */
typedef struct hole {
    const char *name; /* n_name bytes; NULL: the next value */
    size_t n_name;
    bool left, zero, plus, space, alternate;
    const char *width; /* n_width digits, with ".precision" */
    size_t n_width;
    char type;
} hole;

typedef struct values {
    const es_value *all;
    int64_t used, n; /* of a tuple; -1: one value */
} values;

static bool incomplete(es_error *err)
{
    return es_fail(err, ES_ERR_VALUE, "incomplete format");
}

static bool read_flags(hole *h, const char **s)
{
    for (;; ++*s)
        switch (**s) {
        case '-': h->left = true; break;
        case '0': h->zero = true; break;
        case '+': h->plus = true; break;
        case ' ': h->space = true; break;
        case '#': h->alternate = true; break;
        default: return true;
        }
}

static bool read_hole(hole *h, const char **s, const char *begin, es_error *err)
{
    *h = (hole){0};
    if (**s == '(') {
        h->name = *s + 1;
        h->n_name = strcspn(h->name, ")");
        if (!h->name[h->n_name])
            return es_fail(err, ES_ERR_VALUE, "incomplete format key");
        *s = h->name + h->n_name + 1;
    }
    read_flags(h, s);
    h->width = *s;
    *s += strspn(*s, "0123456789");
    if (**s == '.')
        *s += 1 + strspn(*s + 1, "0123456789");
    h->n_width = (size_t)(*s - h->width);
    if (!**s)
        return incomplete(err);
    h->type = *(*s)++;
    if (strchr("diufFeEgGxXosrc%", h->type))
        return true;
    es_str shown = {0};
    es_show_prose(&shown, *s - 1, 1);
    es_fail(err, ES_ERR_VALUE, "unsupported format character '%s' (0x%x) at index %d",
            es_str_text(&shown), (unsigned char)h->type, (int)(*s - 1 - begin));
    es_str_free(&shown);
    return false;
}

/* ---- the values ---- */

static bool next_value(es_interp *in, values *of, const hole *h, es_value *out, es_error *err)
{
    if (h->name) {
        es_value key = es_value_str(h->name, h->n_name);
        bool ok = of->all->kind == ES_V_DICT
                      ? es_index(in, of->all, &key, out, err)
                      : es_fail(err, ES_ERR_TYPE, "format requires a mapping");
        es_value_unref(&key);
        return ok;
    }
    if (of->used >= (of->n < 0 ? 1 : of->n))
        return es_fail(err, ES_ERR_TYPE, "not enough arguments for format string");
    *out = es_value_ref(of->n < 0 ? of->all : &es_value_items(of->all)->of[of->used]);
    of->used++;
    return true;
}

/* A number for %d or %f: of a tensor its one number. */
static bool as_number(es_interp *in, es_value *v, char type, es_error *err)
{
    if (v->kind == ES_V_TENSOR) {
        const es_tensor *t = es_value_as_tensor(v);
        double number;
        if (es_shape_count(&t->shape) == 1 &&
            es_torch_read_float(&in->torch, &number, t, "a format", err)) {
            es_value_unref(v);
            *v = es_value_float(number);
        } else if (err->code != ES_OK)
            return false;
    }
    if (v->kind == ES_V_BOOL)
        *v = es_value_int(v->u.b);
    bool whole = strchr("diuxXoc", type) != NULL;
    if (whole && v->kind == ES_V_FLOAT && strchr("diu", type) && es_fits_int64(v->u.f))
        *v = es_value_int((int64_t)v->u.f);
    if (v->kind == ES_V_INT || (v->kind == ES_V_FLOAT && !whole))
        return true;
    if (!whole)
        return es_fail(err, ES_ERR_TYPE, "must be real number, not %s", es_value_type_name(v));
    return es_fail(err, ES_ERR_TYPE, "%%%c format: %s is required, not %s", type,
                   strchr("diu", type) ? "a real number" : "an integer", es_value_type_name(v));
}

/* As format() has it: ">8.3f". */
static void to_spec(es_str *spec, const hole *h)
{
    bool text = strchr("sr", h->type) != NULL;
    if (h->left || text)
        es_str_char(spec, h->left ? '<' : '>');
    if (!text && (h->plus || h->space))
        es_str_char(spec, h->plus ? '+' : ' ');
    if (!text && h->alternate)
        es_str_char(spec, '#');
    if (!text && h->zero && !h->left)
        es_str_char(spec, '0');
    es_str_bytes(spec, h->width, h->n_width);
    if (h->n_width && h->width[h->n_width - 1] == '.')
        es_str_char(spec, '0');
    es_str_char(spec, text ? 's' : strchr("iu", h->type) ? 'd' : h->type);
}

static bool put_hole(es_interp *in, es_str *out, const hole *h, es_value *v, es_error *err)
{
    es_str text = {0}, spec = {0};
    bool ok = true;
    if (h->type == 's' || h->type == 'r') {
        ok = h->type == 's' ? es_value_str_of(in, &text, v, err) : es_value_repr(in, &text, v, err);
        es_value_unref(v);
        *v = es_value_str(es_str_text(&text), text.len);
    } else if (h->type != 'c' || v->kind != ES_V_STR)
        ok = as_number(in, v, h->type, err);
    else
        es_str_cat(&spec, "s");
    if (!spec.len)
        to_spec(&spec, h);
    ok = ok && es_value_format(in, out, v, es_str_text(&spec), spec.len, err);
    es_str_free(&text);
    es_str_free(&spec);
    return ok;
}

static bool put_next(es_interp *in, es_str *out, const hole *h, values *of, es_error *err)
{
    es_value v = es_none();
    if (h->type == '%') {
        es_str_char(out, '%');
        return true;
    }
    bool ok = next_value(in, of, h, &v, err) && put_hole(in, out, h, &v, err);
    es_value_unref(&v);
    return ok;
}

bool es_percent(es_interp *in, const es_value *format, const es_value *with, es_value *out,
                es_error *err)
{
    const es_str_object *f = es_value_as_str(format);
    values of = {.all = with, .n = with->kind == ES_V_TUPLE ? es_value_items(with)->n : -1};
    es_str text = {0};
    bool ok = true;
    for (const char *s = f->bytes, *end = s + f->n; ok && s < end;) {
        hole h;
        if (*s != '%') {
            es_str_char(&text, *s++);
            continue;
        }
        s++;
        ok = read_hole(&h, &s, f->bytes, err) && put_next(in, &text, &h, &of, err);
        if (ok && text.len > ES_MOST_STRING)
            ok = es_fail(err, ES_ERR_NOMEM, "more than %d bytes in a string", ES_MOST_STRING);
    }
    bool all = of.n < 0 ? of.used == 1 || with->kind == ES_V_DICT : of.used == of.n;
    if (ok && !all)
        ok = es_fail(err, ES_ERR_TYPE, "not all arguments converted during string formatting");
    if (ok)
        *out = es_value_str(es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}
