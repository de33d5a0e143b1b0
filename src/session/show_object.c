// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes and what is made of them, for a reader: what a class can do, how large a module is. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/modules.h"
#include "expr/signature.h"
#include "session/module_parts.h"
#include "session/numbers.h"
#include "session/show_value.h"

enum { MOST_MEMBERS = 40, COLUMNS = 60 /* of an attribute's value */ };

/* ---- classes ---- */

/* "@property", "@staticmethod": what a member is beside a method. */
static void put_decorator(es_str *out, const es_value *v)
{
    if (v->kind == ES_V_DESCRIPTOR)
        es_str_add(out, "@%s ", es_value_items(v)->of[0].u.name);
}

bool es_put_member(es_str *out, es_interp *in, const char *name, const es_value *v, es_error *err)
{
    const es_function *f = es_function_in(v);
    if (f && f->def->kind == ES_N_DEF && !strcmp(f->def->text, name)) {
        put_decorator(out, v);
        es_signature(out, f);
        return true;
    }
    es_str repr = {0}, line = {0};
    es_show_prose(out, name, strlen(name));
    es_str_cat(out, " = ");
    bool ok = es_value_repr(in, &repr, v, err);
    es_show_prose(&line, es_str_text(&repr), strcspn(es_str_text(&repr), "\n"));
    es_show_fit(out, es_str_text(&line), line.len, COLUMNS);
    es_str_free(&repr);
    es_str_free(&line);
    return ok;
}

/* The first line of it that says something. */
static void put_doc(es_str *out, const es_str_object *doc)
{
    const char *s = doc->bytes + strspn(doc->bytes, " \t\r\n");
    size_t n = strcspn(s, "\r\n");
    es_show_prose(out, s, n);
}

bool es_show_class(es_str *out, es_interp *in, const es_value *cls, const es_style *style,
                   es_error *err)
{
    const es_str_object *doc = es_class_doc(cls);
    const es_value *x;
    const char *name;
    es_str line = {0};
    es_str_cat(&line, style->plain ? "class: " : "class ");
    es_class_heading(&line, cls);
    es_wrap(out, line.s, 0, style);
    if (doc) {
        es_str_cut(&line, 0);
        put_doc(&line, doc);
        es_wrap(out, es_str_text(&line), 2, style);
    }
    bool ok = true;
    for (int64_t i = 0; ok && (name = es_own_at(cls, i, &x)); i++) {
        if (i == MOST_MEMBERS) {
            es_str_cat(out, "  …\n");
            break;
        }
        es_str_cut(&line, 0);
        ok = es_put_member(&line, in, name, x, err);
        es_wrap(out, es_str_text(&line), 2, style);
    }
    es_str_free(&line);
    return ok;
}

/* ---- modules ---- */

/* How many modules a list, tuple or dict has in it, which no module knows of. */
static int64_t count_hidden(const es_value *v)
{
    int64_t n = 0;
    if (v->kind != ES_V_LIST && v->kind != ES_V_TUPLE && v->kind != ES_V_DICT)
        return 0;
    for (int64_t i = 0; i < es_value_items(v)->n; i++)
        n += es_is_module(&es_value_items(v)->of[i]);
    return n;
}

/* self.layers = [nn.Linear(…), …]: neither printed nor counted. */
static void show_hidden(es_str *out, const es_value *module, const es_style *style)
{
    es_member m;
    for (int64_t i = 0; es_module_member(module, i, &m); i++) {
        int64_t n = m.as == ES_PLAIN ? count_hidden(m.x) : 0;
        if (!n)
            continue;
        es_str line = {0};
        es_str_add(&line, "not counted: %" PRId64 " module%s in ", n, n == 1 ? "" : "s");
        es_show_prose(&line, m.name, strlen(m.name));
        es_str_add(&line, ", a plain %s; nn.Module%s keeps modules", es_value_type_name(m.x),
                   m.x->kind == ES_V_DICT ? "Dict" : "List");
        es_wrap(out, line.s, 0, style);
        es_str_free(&line);
    }
}

void es_show_module_size(es_str *out, const es_value *module, const es_style *style)
{
    es_module_sums sums = es_module_sum(module);
    es_str line = {0}, shown = {0};
    if (style->plain) {
        es_str_add(out, "parameters: %" PRId64 "\nbytes: %.0f\n", sums.parameters, sums.bytes);
        show_hidden(out, module, style);
        return;
    }
    es_show_parameters(&line, sums.parameters);
    if (sums.parameters) {
        es_str_cat(&line, ", ");
        es_show_bytes(&line, sums.bytes);
    }
    es_wrap(&shown, line.s, 0, style);
    es_str_cut(&shown, shown.len - 1);
    es_paint_text(out, ES_PAINT_FAINT, shown.s, style);
    es_str_char(out, '\n');
    show_hidden(out, module, style);
    es_str_free(&line);
    es_str_free(&shown);
}
