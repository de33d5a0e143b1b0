// SPDX-License-Identifier: GPL-3.0-or-later
/* What a name means, and what is meant by one that means nothing. */
#include <ctype.h>
#include <stdlib.h>

#include "base/guess.h"
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "torch/label.h"

/* ---- looking up ---- */

static bool fail_unbound(const char *name, size_t n, bool enclosing, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    es_fail(err, ES_ERR_NAME, "%s has no value yet", shown.s);
    es_hint(err,
            enclosing ? "it is a variable of the function around this one"
                      : "it is assigned to in this function, so it is the function's own; "
                        "\"global %s\" would mean the one outside",
            shown.s);
    es_torch_says(err,
                  enclosing ? "cannot access free variable '%s' where it is not associated with a "
                              "value in enclosing scope"
                            : "cannot access local variable '%s' where it is not associated with a "
                              "value",
                  shown.s);
    es_str_free(&shown);
    return false;
}

/* In the scopes around the place that runs: 1 found, 0 not, -1 it has no value. */
static int in_scopes(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    bool enclosing = false;
    for (es_scope *s = in->frame ? in->frame->scope : NULL; s; s = s->parent) {
        const es_slot *slot = es_trial_find(in, s, name, n);
        if (slot && slot->state == ES_SLOT_GLOBAL)
            break;
        if (slot && slot->state == ES_SLOT_BOUND) {
            *out = es_value_ref(&slot->v);
            return 1;
        }
        if (slot && slot->state == ES_SLOT_UNBOUND) {
            fail_unbound(name, n, enclosing, err);
            return -1;
        }
        enclosing = true;
    }
    const es_slot *slot = es_trial_find(in, in->globals, name, n);
    if (!slot || slot->state != ES_SLOT_BOUND)
        return 0;
    *out = es_value_ref(&slot->v);
    return 1;
}

int es_host_value(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    int found = in->host->name ? in->host->name(in->host->user, name, n, out, err) : 0;
    if (found > 0 && in->trial && out->kind == ES_V_INSTANCE) {
        es_value own = *out;
        *out = es_trial_value(in, &own);
        es_value_unref(&own);
    }
    return found;
}

/* Names of the program's own: the last value, the host's, namespaces, types, functions. */
static int predefined(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    if (in->last.kind != ES_V_NONE && (es_name_is(name, n, "_") || es_name_is(name, n, "ans"))) {
        *out = in->trial ? es_trial_value(in, &in->last) : es_value_ref(&in->last);
        return 1;
    }
    int found = es_host_value(in, name, n, out, err);
    if (found)
        return found;
    if (es_namespace_named(name, n, out) || es_type_named(name, n, out))
        return 1;
    const es_builtin *b = es_builtin_find(name, n, ES_IN_PLAIN);
    if (!b)
        b = es_builtin_find(name, n, ES_IN_TORCH | ES_IN_F);
    if (!b)
        return 0;
    return es_use_entry(in, b, NULL, out, err) ? 1 : -1;
}

bool es_name_value(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    *out = es_none();
    int found = in_scopes(in, name, n, out, err);
    if (!found)
        found = predefined(in, name, n, out, err);
    if (found)
        return found > 0;
    es_str shown = {0};
    es_show_name(&shown, name, n);
    es_fail(err, ES_ERR_NAME, "nothing is called %s here", shown.s);
    es_name_guess(in, name, n, err);
    es_torch_says(err, "name '%s' is not defined", shown.s);
    es_str_free(&shown);
    return false;
}

/* ---- did you mean ---- */

es_guess es_guess_begin(const char *name, size_t n)
{
    return (es_guess){.name = name, .n = n, .least = es_slip(n)};
}

/* How far apart; capitals alone are a small slip whatever the length, and a name that has nothing in common
 * with another is not near it. */
static int distance(const es_guess *g, const char *other, size_t n)
{
    if (n == g->n && !strncasecmp(g->name, other, n))
        return 1;
    int d = es_distance(g->name, g->n, other, n, g->least);
    size_t longer = n > g->n ? n : g->n;
    return (size_t)d < longer && g->n > 1 ? d : g->least;
}

void es_guess_offer(es_guess *g, const char *other)
{
    size_t n = strlen(other);
    int d = n < sizeof g->best ? distance(g, other, n) : g->least;
    if (d >= g->least || !d)
        return;
    g->least = d;
    memcpy(g->best, other, n + 1);
}

bool es_guess_hint(const es_guess *g, const char *before, es_error *err)
{
    if (!g->best[0])
        return false;
    es_hint(err, "did you mean %s%s?", before, g->best);
    return true;
}

static void offer_scope(es_guess *g, const es_scope *s)
{
    for (; s; s = s->shadows)
        for (size_t i = 0; i < s->n_slots; i++)
            if (s->slot[i].name && s->slot[i].state == ES_SLOT_BOUND)
                es_guess_offer(g, s->slot[i].name);
}

/* What fingers know from other prompts. */
static bool hint_habit(const char *name, size_t n, es_error *err)
{
    static const struct {
        const char *name, *instead;
    } habits[] = {
        {"help", "NAME? explains a function or a name, :help functions lists them"},
        {"dir", "Tab behind \"x.\" lists what is in x, :vars your variables"},
        {"globals", ":vars lists your variables"},
        {"locals", ":vars lists your variables"},
        {"clear", ":clear empties the screen"},
        {"cls", ":clear empties the screen"},
        {"pd", "there is no pandas here; tensors do the rest"},
        {"plt", "there is no matplotlib here; a tensor's line shows how its numbers spread"},
        {"tokenizer", "encode(\"The cat\") gives ids, decode(ids) the text"},
        {"tiktoken", "encode(\"The cat\") gives ids, decode(ids) the text"},
        {"model", "wte and wpe are the model's two tables"},
    };
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (es_name_is(name, n, habits[i].name)) {
            es_hint(err, "%s", habits[i].instead);
            return true;
        }
    return false;
}

/* emb in a method, where self.emb was meant. */
static bool hint_attribute(es_interp *in, const char *name, size_t n, es_error *err)
{
    const es_function *f = in->frame ? in->frame->called : NULL;
    const es_node *params = f && f->def->kind == ES_N_DEF ? f->def->kid[0] : NULL;
    const es_node *first = params && params->n_kids ? params->kid[0] : NULL;
    const es_slot *slot =
        first && first->text ? es_scope_find(in->frame->scope, first->text, first->n_text) : NULL;
    es_value found = es_none();
    if (!slot || slot->state != ES_SLOT_BOUND || slot->v.kind != ES_V_INSTANCE)
        return false;
    bool has = es_own_get(&slot->v, name, n) ||
               es_class_find(es_instance_class(&slot->v), 0, name, n, &found);
    es_value_unref(&found);
    if (has)
        es_hint(err, "did you mean %s.%.*s?", first->text, (int)n, name);
    return has;
}

void es_name_guess(es_interp *in, const char *name, size_t n, es_error *err)
{
    if (hint_habit(name, n, err))
        return;
    es_value module;
    if (es_namespace_imported(name, n, &module)) {
        es_hint(err, "import %.*s makes it known", (int)n, name);
        return;
    }
    if (hint_attribute(in, name, n, err))
        return;
    if (es_builtin_find(name, n, ES_IN_NN)) {
        es_hint(err, "did you mean nn.%.*s?", (int)n, name);
        return;
    }
    es_guess g = es_guess_begin(name, n);
    for (const es_scope *s = in->frame ? in->frame->scope : NULL; s; s = s->parent)
        offer_scope(&g, s);
    offer_scope(&g, in->globals);
    const char *other;
    for (size_t i = 0; in->host->name_at && (other = in->host->name_at(in->host->user, i)); i++)
        es_guess_offer(&g, other);
    for (size_t i = 0; (other = es_namespace_at(i)); i++)
        es_guess_offer(&g, other);
    for (size_t i = 0; (other = es_type_at(i)); i++)
        es_guess_offer(&g, other);
    const es_builtin *b;
    for (size_t i = 0; (b = es_builtin_listed(i)); i++)
        if (b->where & (ES_IN_PLAIN | ES_IN_TORCH | ES_IN_F))
            es_guess_offer(&g, b->name);
    es_guess_hint(&g, "", err);
}

void es_name_hint_hidden(es_interp *in, const es_node *name, es_error *err)
{
    const es_slot *slot = in->frame->scope || name->kind != ES_N_NAME
                              ? NULL
                              : es_trial_find(in, in->globals, name->text, name->n_text);
    es_value hidden = es_none();
    es_error none = ES_ERROR_NONE;
    if (slot && slot->state == ES_SLOT_BOUND &&
        predefined(in, name->text, name->n_text, &hidden, &none))
        es_hint(err, "%s is your own here; del %s gives back what it was", name->text, name->text);
    es_value_unref(&hidden);
    es_error_free(&none);
}

/* ---- binding ---- */

/* The scope that an assignment to the name goes to. */
static es_scope *scope_of(es_interp *in, const char *name, size_t n)
{
    es_scope *s = in->frame ? in->frame->scope : NULL;
    for (; s; s = s->parent) {
        const es_slot *slot = es_trial_find(in, s, name, n);
        if (slot && slot->state == ES_SLOT_GLOBAL)
            break;
        if (slot ? slot->state != ES_SLOT_NONLOCAL : !s->cell)
            return s;
    }
    return in->globals;
}

void es_name_bind(es_interp *in, const char *name, size_t n, es_value v)
{
    es_name_labels(in, name, n, &v);
    es_scope_bind(scope_of(in, name, n), name, n, v);
}

void es_name_unbind(es_interp *in, const char *name, size_t n)
{
    es_scope *s = scope_of(in, name, n);
    es_trial_find(in, s, name, n); /* so that a trial unbinds its own */
    es_scope_unbind(s, name, n);
}

bool es_name_delete(es_interp *in, const es_node *name, es_error *err)
{
    es_scope *s = scope_of(in, name->text, name->n_text);
    es_trial_find(in, s, name->text, name->n_text); /* so that a trial unbinds its own */
    if (es_scope_unbind(s, name->text, name->n_text))
        return true;
    es_value v;
    if (es_name_value(in, name->text, name->n_text, &v, err)) {
        es_value_unref(&v);
        es_fail(err, ES_ERR_NAME, "%s is no variable: it is always there", name->text);
        es_torch_says(err, "name '%s' is not defined", name->text);
    }
    return es_blame(in, name, NULL, 0, err);
}

/* ---- names of sizes ---- */

/* T, N1, HEADS: what people call sizes. */
static bool is_size_name(const char *name, size_t n)
{
    if (n > 8 || !isupper((unsigned char)name[0]))
        return false;
    for (size_t i = 1; i < n; i++)
        if (!isupper((unsigned char)name[i]) && !isdigit((unsigned char)name[i]))
            return false;
    return true;
}

/* The article's names, and what their axes are called when nothing else named them. */
static const struct {
    const char *name, *axis[3];
    int ndim;
    bool floating;
    bool shared; /* one for all sentences: a first axis of size 1 is not B */
} article[] = {
    {"ids", {"B", "T", ""}, 2, false, false},      {"input_ids", {"B", "T", ""}, 2, false, false},
    {"positions", {"B", "T", ""}, 2, false, true}, {"positions", {"T", "", ""}, 1, false, false},
    {"x", {"B", "T", "C"}, 3, true, false},        {"tok_emb", {"B", "T", "C"}, 3, true, false},
    {"pos_emb", {"B", "T", "C"}, 3, true, true},
};

static bool has_names(const es_shape *s)
{
    for (int d = 0; d < s->ndim; d++)
        if (s->label[d].s[0])
            return true;
    return false;
}

/* Is n the model's number of channels? */
static bool is_width(es_interp *in, int64_t n)
{
    es_error err = ES_ERROR_NONE;
    es_value C = es_none();
    bool found = in->host->name && in->host->name(in->host->user, "C", 1, &C, &err) > 0;
    bool same = found && C.kind == ES_V_INT && C.u.i == n;
    es_value_unref(&C);
    es_error_free(&err);
    return same;
}

static void name_axes(es_interp *in, es_value *v, const char *const *axis, bool shared)
{
    es_tensor t;
    es_tensor_view(&t, es_value_as_tensor(v));
    for (int d = 0; d < t.shape.ndim; d++)
        if (strcmp(axis[d], "C") != 0 || is_width(in, t.shape.dim[d]))
            t.shape.label[d] = es_label_named(axis[d]);
    if (shared && t.shape.dim[0] == 1)
        t.shape.label[0] = es_label_named("");
    const es_tensor_object was = *(es_tensor_object *)v->u.o;
    es_value_unref(v);
    *v = es_value_tensor(&t);
    ((es_tensor_object *)v->u.o)->parameter = was.parameter;
    ((es_tensor_object *)v->u.o)->requires_grad = was.requires_grad;
}

void es_name_labels(es_interp *in, const char *name, size_t n, es_value *v)
{
    if (v->kind == ES_V_INT && !es_label_is_named(&v->label) && is_size_name(name, n))
        v->label = es_label_named(name);
    if (v->kind != ES_V_TENSOR || has_names(&es_value_as_tensor(v)->shape))
        return;
    const es_tensor *t = es_value_as_tensor(v);
    bool floating = t->dtype == ES_FLOAT32 || t->dtype == ES_FLOAT64;
    bool integer = t->dtype == ES_INT64 || t->dtype == ES_INT32;
    for (size_t i = 0; i < sizeof article / sizeof *article; i++)
        if (es_name_is(name, n, article[i].name) && t->shape.ndim == article[i].ndim &&
            (article[i].floating ? floating : integer)) {
            name_axes(in, v, article[i].axis, article[i].shared);
            return;
        }
}
