// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes and modules as JSON: how methods are called; the tree of modules with their tensors' shapes. */
#include <string.h>

#include "base/utf8.h"
#include "expr/classes.h"
#include "expr/seen.h"
#include "expr/signature.h"
#include "session/module_parts.h"
#include "session/show_value.h"

/* ---- classes ---- */

static void json_doc(es_json *j, const char *bytes, size_t n)
{
    es_json_key(j, "doc");
    if (bytes)
        es_json_text(j, bytes, n);
    else
        es_json_null(j);
}

static void json_method(es_json *j, const char *name, const es_function *f)
{
    es_str signature = {0};
    const es_node *doc = es_function_doc(f);
    es_signature(&signature, f);
    es_json_open(j, '{');
    es_json_key_string(j, "name", name);
    es_json_key_string(j, "signature", signature.s);
    json_doc(j, doc ? doc->text : NULL, doc ? doc->n_text : 0);
    es_json_key_int(j, "line", f->unit->first_line + f->def->line - 1);
    es_json_close(j, '}');
    es_str_free(&signature);
}

bool es_json_class(es_json *j, es_interp *in, const es_value *cls, es_error *err)
{
    const es_items *bases = es_value_items(es_class_part(cls, ES_CLASS_BASES));
    const es_str_object *doc = es_class_doc(cls);
    const es_value *x;
    const char *name;
    (void)in;
    (void)err;
    es_json_key_string(j, "name", es_class_name(cls));
    es_json_key(j, "bases");
    es_json_open(j, '[');
    for (int64_t i = 0; i < bases->n; i++)
        es_json_string(j, bases->of[i].kind == ES_V_TYPE ? bases->of[i].u.name
                                                         : es_class_name(&bases->of[i]));
    es_json_close(j, ']');
    json_doc(j, doc ? doc->bytes : NULL, doc ? doc->n : 0);
    es_json_key(j, "methods");
    es_json_open(j, '[');
    for (int64_t i = 0; (name = es_own_at(cls, i, &x)); i++)
        if (es_function_in(x))
            json_method(j, name, es_function_in(x));
    es_json_close(j, ']');
    return true;
}

/* ---- modules ---- */

static void json_tensor(es_json *j, const char *name, const es_value *v)
{
    const es_tensor *t = es_value_as_tensor(v);
    es_json_open(j, '{');
    es_json_key_string(j, "name", name);
    es_json_key(j, "parameter");
    es_json_bool(j, es_is_parameter(v));
    es_json_tensor_header(j, t);
    es_json_close(j, '}');
}

static void json_tensors(es_json *j, const es_value *module)
{
    const es_value *x;
    const char *name;
    es_json_key(j, "tensors");
    es_json_open(j, '[');
    for (int64_t i = 0; (name = es_own_at(module, i, &x)); i++)
        if (x->kind == ES_V_TENSOR)
            json_tensor(j, name, x);
    es_json_close(j, ']');
}

static void json_within(es_json *j, const es_value *module, es_seen *seen, int depth);

/* Those of a module that was met before, or hides too deep, are null. */
static void json_children(es_json *j, const es_value *module, es_seen *seen, int depth)
{
    enum { DEEPEST = 64 };
    const es_value *x;
    const char *name;
    es_json_key(j, "children");
    if (es_seen_find(seen, module->u.o) || depth == DEEPEST) {
        es_json_null(j);
        return;
    }
    es_seen_add(seen, module->u.o);
    es_json_open(j, '[');
    for (int64_t i = 0; (name = es_own_at(module, i, &x)) && !es_str_braked(j->out); i++)
        if (es_is_module(x)) {
            es_json_open(j, '{');
            es_json_key_string(j, "name", name);
            es_json_key_string(j, "class", es_value_type_name(x));
            json_within(j, x, seen, depth + 1);
            es_json_close(j, '}');
        }
    es_json_close(j, ']');
}

static void json_within(es_json *j, const es_value *module, es_seen *seen, int depth)
{
    es_module_sums sums = es_module_sum(module);
    es_json_key_int(j, "parameters", sums.parameters);
    es_json_key(j, "bytes");
    es_json_double(j, sums.bytes);
    json_tensors(j, module);
    json_children(j, module, seen, depth);
}

void es_json_module(es_json *j, const es_value *module)
{
    es_seen seen = {0};
    json_within(j, module, &seen, 0);
    es_seen_free(&seen);
}
