// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/brief.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "expr/modules.h"
#include "session/show_value.h"

enum { COLUMNS = 40, FEW = 3, LONG_STRING = 200 };

/* ---- for a reader ---- */

static void brief_tensor(es_str *out, const es_tensor *t)
{
    es_shape_show(out, &t->shape);
    es_str_add(out, " %s", es_dtype_name(t->dtype));
    if (strcmp(t->buf->be->name, "cpu"))
        es_str_add(out, " %s", t->buf->be->name);
}

static void brief_size(es_str *out, const es_items *sizes)
{
    es_str_cat(out, "Size [");
    for (int64_t i = 0; i < sizes->n; i++) {
        const char *label = sizes->of[i].label.s;
        es_str_add(out, "%s%s%s%" PRId64, i ? ", " : "", label, *label ? "=" : "",
                   sizes->of[i].u.i);
    }
    es_str_char(out, ']');
}

/* The first of them, and how many more. */
static void brief_items(es_str *out, es_interp *in, const es_value *v)
{
    es_items *items = es_value_items(v);
    bool list = v->kind == ES_V_LIST;
    if (items->busy) {
        es_str_cat(out, "…");
        return;
    }
    items->busy = true;
    es_str_char(out, list ? '[' : '(');
    for (int64_t i = 0; i < items->n && i < FEW; i++) {
        es_str_cat(out, i ? ", " : "");
        es_brief(out, in, &items->of[i]);
    }
    if (items->n > FEW)
        es_str_add(out, ", … %" PRId64 " more", items->n - FEW);
    es_str_char(out, list ? ']' : ')');
    items->busy = false;
}

/* As Python prints it; only for what can be printed without calling anything. */
static void brief_repr(es_str *out, es_interp *in, const es_value *v)
{
    es_str repr = {0}, prose = {0};
    es_error err = ES_ERROR_NONE;
    if (es_value_repr(in, &repr, v, &err)) {
        size_t n = strcspn(es_str_text(&repr), "\n");
        es_show_prose(&prose, es_str_text(&repr), n < LONG_STRING ? n : LONG_STRING);
        es_show_fit(out, es_str_text(&prose), prose.len, COLUMNS);
    }
    es_error_free(&err);
    es_str_free(&repr);
    es_str_free(&prose);
}

bool es_brief_weight(const es_value *module, es_value *out)
{
    const es_value *own = module->kind == ES_V_INSTANCE ? es_own_get(module, "weight", 6) : NULL;
    bool found = own && own->kind == ES_V_TENSOR;
    *out = found ? es_value_ref(own) : es_none();
    return found;
}

/* What class it is of; a table as it prints, another of nn's own by its weight too. */
static void brief_instance(es_str *out, const es_value *v)
{
    const es_tensor *table = es_embedding_weight(v);
    es_value weight;
    es_str_cat(out, es_value_type_name(v));
    if (table && table->shape.ndim == 2) {
        es_str_add(out, "(%" PRId64 ", %" PRId64 ")", table->shape.dim[0], table->shape.dim[1]);
        return;
    }
    if (!es_module_kind(v) || !es_brief_weight(v, &weight))
        return;
    es_str_cat(out, " of ");
    es_shape_show(out, &es_value_as_tensor(&weight)->shape);
    es_value_unref(&weight);
}

void es_brief(es_str *out, es_interp *in, const es_value *v)
{
    switch (v->kind) {
    case ES_V_TENSOR: brief_tensor(out, es_value_as_tensor(v)); break;
    case ES_V_INT:
        es_str_add(out, "%s%s%" PRId64, v->label.s, v->label.s[0] ? " = " : "", v->u.i);
        break;
    case ES_V_SIZE: brief_size(out, es_value_items(v)); break;
    case ES_V_TUPLE:
    case ES_V_LIST: brief_items(out, in, v); break;
    case ES_V_DICT: es_str_add(out, "dict of %" PRId64, es_value_items(v)->n / 2); break;
    case ES_V_NONE:
    case ES_V_BOOL:
    case ES_V_FLOAT:
    case ES_V_STR:
    case ES_V_RANGE:
    case ES_V_DTYPE:
    case ES_V_DEVICE: brief_repr(out, in, v); break;
    case ES_V_INSTANCE: brief_instance(out, v); break;
    default: es_str_cat(out, es_value_type_name(v));
    }
}

static bool is_called(const char *name, size_t n, const es_value *v)
{
    return v->kind == ES_V_INT && strlen(v->label.s) == n && !memcmp(v->label.s, name, n);
}

void es_brief_named(es_str *out, es_interp *in, const char *name, size_t n, const es_value *v)
{
    es_show_prose(out, name, n);
    if (is_called(name, n, v)) {
        es_str_add(out, " = %" PRId64, v->u.i);
        return;
    }
    es_str_cat(out, v->kind == ES_V_TENSOR ? " " : " = ");
    es_brief(out, in, v);
}

/* ---- as JSON ---- */

static void json_value(es_json *j, es_interp *in, const es_value *v)
{
    bool plain = v->kind == ES_V_BOOL || v->kind == ES_V_INT || v->kind == ES_V_FLOAT ||
                 v->kind == ES_V_SIZE || v->kind == ES_V_DTYPE || v->kind == ES_V_DEVICE ||
                 (v->kind == ES_V_STR && es_value_as_str(v)->n <= LONG_STRING);
    if (plain)
        es_json_value(j, in, v, false, NULL);
    if (v->kind == ES_V_INT && v->label.s[0])
        es_json_key_string(j, "dim", v->label.s);
}

void es_brief_json(es_json *j, es_interp *in, const es_value *v)
{
    es_json_open(j, '{');
    es_json_type(j, v);
    json_value(j, in, v);
    es_json_close(j, '}');
}
