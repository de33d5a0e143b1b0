// SPDX-License-Identifier: GPL-3.0-or-later
/* state_dict and load_state_dict: all that a module keeps, by name. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/visible.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- all that it keeps ---- */

typedef struct state {
    es_interp *in;
    es_value dict; /* from names to tensors: the module's own, which are views of them elsewhere */
    const char *prefix;
} state;

static bool add(state *s, const char *module, const es_member *m, es_error *err)
{
    es_str name = {0};
    es_str_add(&name, "%s%s%s%s", s->prefix, module, *module ? "." : "", m->name);
    es_items *items = es_value_items(&s->dict);
    bool ok = es_items_add(items, es_value_str(name.s, name.len), err) &&
              es_items_add(items, es_value_ref(m->x), err);
    es_str_free(&name);
    return ok;
}

/* Parameters first, then buffers, as PyTorch has them. */
static bool add_module(void *user, const char *name, const es_value *module, es_error *err)
{
    state *s = user;
    es_member m;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; es_module_member(module, i, &m); i++) {
            bool wanted = m.x->kind == ES_V_TENSOR && m.as == (pass ? ES_BUFFER : ES_PARAMETER);
            if (wanted && !add(s, name, &m, err))
                return false;
        }
    return true;
}

static bool gather(state *s, const es_value *m, es_error *err)
{
    s->dict = es_value_dict(es_interp_containers(s->in));
    es_value_items(&s->dict)->type = ES_ORDERED_DICT;
    if (es_module_walk(s->in, m, "", false, add_module, s, err))
        return true;
    es_value_unref(&s->dict);
    return false;
}

/* In place of parameters, tensors of their memory. */
static void detach(es_items *items)
{
    for (int64_t i = 1; i < items->n; i += 2) {
        es_tensor t;
        es_tensor_view(&t, es_value_as_tensor(&items->of[i]));
        es_value_unref(&items->of[i]);
        items->of[i] = es_value_tensor(&t);
    }
}

bool es_state_dict_run(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    state s = {.in = a->in, .prefix = ""};
    bool keep;
    if (!self || !es_arg_bool(a, 3, false, &keep, err))
        return false;
    if (es_given(a, 1)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "a state is a dict of its own here: no destination");
        return es_arg_blame(a, 1, err);
    }
    if (es_given(a, 2) && a->v[2].kind != ES_V_STR)
        return es_arg_wrong(a, 2, "str", err);
    if (es_given(a, 2))
        s.prefix = es_value_as_str(&a->v[2])->bytes;
    if (!gather(&s, self, err))
        return false;
    if (!keep)
        detach(es_value_items(&s.dict));
    return es_answer(out, s.dict);
}

/* ---- whether another fits ---- */

typedef struct fitting {
    es_args *a;
    state of;                     /* what the module keeps */
    const es_value *given;        /* a dict */
    es_value missing, unexpected; /* lists of names */
    es_str misfits;               /* what PyTorch says of each that does not fit, a line each */
    int64_t n_misfits;
    const char *wrong; /* the first of them */
} fitting;

static bool add_name(es_value *list, const es_value *name, es_error *err)
{
    return es_items_add(es_value_items(list), es_value_ref(name), err);
}

static void add_sizes(es_str *out, const es_tensor *t)
{
    es_str_cat(out, "torch.Size([");
    for (int d = 0; d < t->shape.ndim; d++)
        es_str_add(out, "%s%" PRId64, d ? ", " : "", t->shape.dim[d]);
    es_str_cat(out, "])");
}

/* May x be copied into t?  If not, one line more. */
static bool check_one(fitting *f, const char *name, const es_tensor *t, const es_value *x)
{
    const es_tensor *from = x->kind == ES_V_TENSOR ? es_value_as_tensor(x) : NULL;
    if (from && from->shape.ndim == t->shape.ndim &&
        !memcmp(from->shape.dim, t->shape.dim, (size_t)t->shape.ndim * sizeof *t->shape.dim))
        return true;
    es_str shown = {0};
    es_show_name(&shown, name, strlen(name));
    es_str_cat(&f->misfits, "\n\t");
    if (!from) {
        es_str_add(&f->misfits,
                   "While copying the parameter named \"%s\", expected torch.Tensor or "
                   "Tensor-like object from checkpoint but received %s",
                   es_str_text(&shown), es_value_type_name(x));
    } else {
        es_str_add(&f->misfits, "size mismatch for %s: copying a param with shape ",
                   es_str_text(&shown));
        add_sizes(&f->misfits, from);
        es_str_cat(&f->misfits, " from checkpoint, the shape in current model is ");
        add_sizes(&f->misfits, t);
        es_str_char(&f->misfits, '.');
    }
    es_str_free(&shown);
    f->wrong = f->n_misfits++ ? f->wrong : name;
    return false;
}

static bool failed(const es_error *err)
{
    return err && err->code != ES_OK;
}

/* Finds what is missing and what does not fit. */
static bool check_own(fitting *f, es_error *err)
{
    const es_items *own = es_value_items(&f->of.dict);
    for (int64_t i = 0; i + 1 < own->n; i += 2) {
        const es_value *x = es_dict_find(f->a->in, f->given, &own->of[i], err);
        if (!x && failed(err))
            return false;
        if (!x && !add_name(&f->missing, &own->of[i], err))
            return false;
        if (x)
            check_one(f, es_value_as_str(&own->of[i])->bytes, es_value_as_tensor(&own->of[i + 1]),
                      x);
    }
    return true;
}

static bool check_given(fitting *f, es_error *err)
{
    const es_items *given = es_value_items(f->given);
    for (int64_t i = 0; i + 1 < given->n; i += 2) {
        const es_value *own = es_dict_find(f->a->in, &f->of.dict, &given->of[i], err);
        if (!own && failed(err))
            return false;
        if (!own && !add_name(&f->unexpected, &given->of[i], err))
            return false;
    }
    return true;
}

/* ---- what is said where it does not ---- */

static void list_names(es_str *out, const es_value *list)
{
    const es_items *items = es_value_items(list);
    for (int64_t i = 0; i < items->n; i++) {
        es_str_cat(out, i ? ", \"" : "\"");
        if (items->of[i].kind == ES_V_STR)
            es_show_name(out, es_value_as_str(&items->of[i])->bytes,
                         es_value_as_str(&items->of[i])->n);
        es_str_char(out, '"');
    }
}

static void say_in_their_words(const fitting *f, bool strict, es_error *err)
{
    es_str said = {0};
    es_str_add(&said, "Error(s) in loading state_dict for %s:", es_value_type_name(&f->a->v[0]));
    if (strict && es_value_items(&f->missing)->n) {
        es_str_cat(&said, "\n\tMissing key(s) in state_dict: ");
        list_names(&said, &f->missing);
        es_str_cat(&said, ". ");
    }
    if (strict && es_value_items(&f->unexpected)->n) {
        es_str_cat(&said, "\n\tUnexpected key(s) in state_dict: ");
        list_names(&said, &f->unexpected);
        es_str_cat(&said, ". ");
    }
    es_str_cat(&said, es_str_text(&f->misfits));
    es_torch_says(err, "%s", said.s);
    es_str_free(&said);
}

static void count(es_str *out, int64_t n, const char *what)
{
    if (n)
        es_str_add(out, "%s%" PRId64 " %s", out->len ? ", " : "", n, what);
}

/* "transformer.wte.weight" where "wte.weight" is missing: names in a module are shorter by one. */
static void hint_prefix(const fitting *f, es_error *err)
{
    const es_items *missing = es_value_items(&f->missing), *given = es_value_items(&f->unexpected);
    const char *name =
        given->n && given->of[0].kind == ES_V_STR ? es_value_as_str(&given->of[0])->bytes : "";
    const char *dot = strchr(name, '.');
    for (int64_t i = 0; dot && i < missing->n; i++)
        if (es_value_is_str(&missing->of[i], dot + 1)) {
            es_str shown = {0};
            es_show_name(&shown, name, (size_t)(dot - name) + 1);
            es_hint(err, "its names begin with \"%s\": {k[%d:]: v for k, v in state.items()}",
                    es_str_text(&shown), (int)(dot - name) + 1);
            es_str_free(&shown);
            return;
        }
}

static bool fail_state(const fitting *f, bool strict, es_error *err)
{
    es_str what = {0};
    count(&what, strict ? es_value_items(&f->missing)->n : 0, "missing");
    count(&what, strict ? es_value_items(&f->unexpected)->n : 0, "not known");
    count(&what, f->n_misfits, "of another size");
    es_fail(err, ES_ERR_VALUE, "this state does not fit %s: of its tensors %s",
            es_value_type_name(&f->a->v[0]), what.s);
    es_str_free(&what);
    hint_prefix(f, err);
    if (strict && !f->n_misfits && !(err && err->hint))
        es_hint(err, "what fits is taken with strict=False; nothing was changed");
    say_in_their_words(f, strict, err);
    return es_arg_blame(f->a, 1, err);
}

/* ---- taking it over ---- */

static bool take(fitting *f, bool assign, es_error *err)
{
    const es_items *own = es_value_items(&f->of.dict);
    bool ok = true;
    for (int64_t i = 0; ok && i + 1 < own->n; i += 2) {
        const es_value *x = es_dict_find(f->a->in, f->given, &own->of[i], NULL);
        if (!x || x->kind != ES_V_TENSOR)
            continue;
        es_value held = es_value_ref(x);
        ok = assign ? es_tensor_attribute_put(f->a->in, &own->of[i + 1], "data", 4,
                                              es_value_ref(&held), err)
                    : es_write_into(f->a->in, es_value_as_tensor(&own->of[i + 1]),
                                    es_value_as_tensor(&held), false, err);
        es_value_unref(&held);
    }
    return ok;
}

static bool load(fitting *f, bool strict, bool assign, es_value *out, es_error *err)
{
    if (!check_own(f, err) || !check_given(f, err))
        return false;
    bool all = !es_value_items(&f->missing)->n && !es_value_items(&f->unexpected)->n;
    if (f->n_misfits || (strict && !all))
        return fail_state(f, strict, err);
    if (!take(f, assign, err))
        return false;
    *out = es_value_pair(es_value_ref(&f->missing), es_value_ref(&f->unexpected),
                         ES_INCOMPATIBLE_KEYS, "missing_keys unexpected_keys");
    return true;
}

bool es_load_state_dict_run(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    fitting f = {.a = a, .of = {.in = a->in, .prefix = ""}, .given = &a->v[1]};
    bool strict, assign;
    if (!self || !es_arg_bool(a, 2, true, &strict, err) || !es_arg_bool(a, 3, false, &assign, err))
        return false;
    if (a->v[1].kind != ES_V_DICT) {
        es_fail(err, ES_ERR_TYPE, "a state is a dict of tensors by their names, not '%s'",
                es_value_type_name(&a->v[1]));
        if (a->v[1].kind == ES_V_STR)
            es_hint(err, "a file is read first: load(\"…\")");
        es_torch_says(err, "Expected state_dict to be dict-like, got <class '%s'>.",
                      es_value_type_name(&a->v[1]));
        return es_arg_blame(a, 1, err);
    }
    if (!gather(&f.of, self, err))
        return false;
    f.missing = es_value_list(es_interp_containers(a->in));
    f.unexpected = es_value_list(es_interp_containers(a->in));
    bool ok = load(&f, strict, assign, out, err);
    es_value_unref(&f.of.dict);
    es_value_unref(&f.missing);
    es_value_unref(&f.unexpected);
    es_str_free(&f.misfits);
    return ok;
}
