// SPDX-License-Identifier: GPL-3.0-or-later
/* The class statement: its bases, its body in a scope of its own, whose names become the class's. */
#include "expr/classes.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/inside.h"

enum { MOST_BASES = 64 };

/* ---- bases ---- */

static bool fail_base(const es_value *v, es_error *err)
{
    if (v->kind != ES_V_TYPE && v->kind != ES_V_BUILTIN)
        return es_fail(err, ES_ERR_TYPE, "a class is derived from classes, not from '%s'",
                       es_value_type_name(v));
    es_fail(err, ES_ERR_UNSUPPORTED, "classes are not derived from %s here",
            v->kind == ES_V_TYPE ? v->u.name : ((const es_bound *)v->u.o)->builtin->name);
    return es_hint(err, "keep one in an attribute instead: self.data = …");
}

static bool may_be_base(const es_value *v)
{
    return v->kind == ES_V_CLASS ||
           (v->kind == ES_V_TYPE &&
            (es_is_module_type(v->u.name) || !strcmp(v->u.name, "object") ||
             !strcmp(v->u.name, ES_TYPE_ABC) || es_exception_code(v->u.name) != ES_OK));
}

/* metaclass=ABCMeta: the same as to be derived from ABC. */
static bool is_abstract_metaclass(const es_node *n)
{
    return n->kind == ES_N_KEYWORD && !strcmp(n->text, "metaclass") && n->kid[0]->text &&
           !strcmp(n->kid[0]->text, "ABCMeta");
}

static bool eval_base(es_interp *in, const es_node *n, es_value *base, es_error *err)
{
    if (is_abstract_metaclass(n)) {
        *base = es_value_named(ES_V_TYPE, ES_TYPE_ABC);
        return true;
    }
    if (n->kind == ES_N_KEYWORD || n->kind == ES_N_STAR) {
        es_fail(err, ES_ERR_UNSUPPORTED,
                "bases are given one by one here, without names and stars");
        return es_blame(in, n, NULL, 0, err);
    }
    if (!es_eval(in, n, base, err))
        return false;
    if (may_be_base(base))
        return true;
    fail_base(base, err);
    es_blame(in, n, NULL, 0, err);
    es_value_unref(base);
    return false;
}

/* The bases, n of them, references; object where there is none. */
static bool eval_bases(es_interp *in, const es_node *bases, es_value *of, int64_t *n, es_error *err)
{
    bool ok = true;
    *n = 0;
    for (int i = 0; ok && i < bases->n_kids; i++) {
        if (*n == MOST_BASES) {
            es_fail(err, ES_ERR_RANGE, "more than %d bases", MOST_BASES);
            ok = es_blame(in, bases, NULL, 0, err);
        }
        ok = ok && eval_base(in, bases->kid[i], &of[*n], err);
        *n += ok;
    }
    if (ok && *n == 0)
        of[(*n)++] = es_value_named(ES_V_TYPE, "object");
    while (!ok && *n)
        es_value_unref(&of[--*n]);
    return ok;
}

/* ---- what the body left ---- */

es_value es_docstring(const es_node *body)
{
    const es_node *first = body->n_kids ? body->kid[0] : NULL;
    if (first && first->kind == ES_N_EXPR && first->kid[0]->kind == ES_N_STRING)
        return es_value_str(first->kid[0]->text, first->kid[0]->n_text);
    return es_none();
}

/* x: int = 3 and x: int, in order: "int". */
static es_value annotations_of(es_interp *in, const es_node *body)
{
    es_value dict = es_value_dict(es_interp_containers(in));
    for (int i = 0; i < body->n_kids; i++) {
        const es_node *n = body->kid[i];
        if (n->kind != ES_N_ANNOTATE || n->kid[0]->kind != ES_N_NAME)
            continue;
        const char *source = in->frame->unit->source;
        es_value key = es_value_str(n->kid[0]->text, n->kid[0]->n_text);
        es_value as = es_value_str(source + n->kid[1]->begin, n->kid[1]->end - n->kid[1]->begin);
        es_dict_put(in, &dict, &key, &as, NULL);
        es_value_unref(&key);
        es_value_unref(&as);
    }
    return dict;
}

static int by_order(const void *a, const void *b)
{
    const es_slot *x = *(const es_slot *const *)a, *y = *(const es_slot *const *)b;
    return (x->order > y->order) - (x->order < y->order);
}

static bool is_part(const es_slot *slot)
{
    for (int i = 0; i < ES_CLASS_PARTS; i++)
        if (es_name_is(slot->name, slot->n, es_class_part_name(i)))
            return i != ES_CLASS_DOC;
    return false;
}

/* What Python would call by itself, and this program does not. */
static bool is_unheard(const es_slot *slot)
{
    static const char *const names[] = {"__getattribute__", "__get__", "__set__", "__delete__",
                                        "__set_name__"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (es_name_is(slot->name, slot->n, names[i]))
            return true;
    return false;
}

/* What belongs to the class and not to its instances is that without being said. */
static es_value implied(const es_slot *slot)
{
    bool new = es_name_is(slot->name, slot->n, "__new__");
    es_value v = es_value_ref(&slot->v);
    if (v.kind != ES_V_FUNCTION || (!new && !es_name_is(slot->name, slot->n, "__init_subclass__")))
        return v;
    return es_value_parts(
        ES_V_DESCRIPTOR,
        (es_value[]){es_value_named(ES_V_TYPE, new ? "staticmethod" : "classmethod"), v}, 2);
}

static bool take_name(const es_value *cls, const es_slot *slot, es_error *err)
{
    if (is_unheard(slot))
        return es_fail(err, ES_ERR_UNSUPPORTED, "nothing asks for %s here", slot->name);
    es_str made = {0};
    size_t n = slot->n;
    const char *name =
        es_is_private(slot->name, n) ? es_private_name(cls, slot->name, &n, &made) : slot->name;
    bool ok = es_own_put(cls, name, n, implied(slot), err);
    es_str_free(&made);
    return ok;
}

static bool take_names(const es_value *cls, const es_scope *s, es_error *err)
{
    const es_slot **of = es_alloc_array(s->n_used + 1, sizeof *of);
    size_t n = 0;
    for (size_t i = 0; i < s->n_slots; i++)
        if (s->slot[i].name && s->slot[i].state == ES_SLOT_BOUND && !is_part(&s->slot[i]))
            of[n++] = &s->slot[i];
    qsort(of, n, sizeof *of, by_order);
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++)
        ok = take_name(cls, of[i], err);
    free(of);
    return ok;
}

/* ---- the statement ---- */

static es_value begin_class(es_interp *in, const es_node *n, const es_value *bases, int64_t n_bases,
                            const es_value *order)
{
    es_value cls = es_value_attributes(ES_V_CLASS, es_interp_containers(in));
    for (int64_t i = 0; i < n_bases; i++)
        es_value_ref(&bases[i]);
    const es_value part[ES_CLASS_PARTS] = {
        [ES_CLASS_NAME] = es_value_str(n->text, n->n_text),
        [ES_CLASS_BASES] = es_value_tuple(bases, n_bases),
        [ES_CLASS_DOC] = es_docstring(n->kid[1]),
        [ES_CLASS_MRO] = es_value_ref(order),
        [ES_CLASS_ANNOTATIONS] = annotations_of(in, n->kid[1]),
    };
    for (int i = 0; i < ES_CLASS_PARTS; i++) {
        const char *name = es_class_part_name(i);
        es_own_put(&cls, name, strlen(name), part[i], NULL);
    }
    return cls;
}

/* The body runs in a scope that its functions do not see; they see one more around them, where __class__ is:
 * what super() asks for. */
static bool run_body(es_interp *in, const es_node *n, const es_value *cls, es_error *err)
{
    es_frame frame = {.unit = in->frame->unit, .up = in->frame};
    es_scope *cell = es_scope_new(&in->scopes, in->frame->scope);
    cell->cell = true;
    es_str name = {0};
    if (frame.up->class_name)
        es_str_add(&name, "%s.", frame.up->class_name);
    es_str_cat(&name, n->text);
    frame.class_name = name.s;
    frame.scope = frame.class_scope = es_scope_new(&in->scopes, cell);
    es_scope_bind(cell, "__class__", 9, es_value_ref(cls));
    in->frame = &frame;
    es_flow flow = es_exec(in, n->kid[1], err);
    bool ok =
        flow == ES_NEXT && (take_names(cls, frame.scope, err) || es_blame(in, n, NULL, 0, err));
    if (flow != ES_FAILED && flow != ES_NEXT) {
        es_fail(err, ES_ERR_PARSE, "a class's body has nothing to return to");
        es_blame(in, frame.at, NULL, 0, err);
    }
    in->frame = frame.up;
    es_scope_unref(frame.scope);
    es_scope_unref(cell);
    es_str_free(&name);
    return ok;
}

/* The class behind this one is told that there is another: its __init_subclass__. */
static bool tell_bases(es_interp *in, const es_node *n, const es_value *cls, es_error *err)
{
    es_value found, f, out = es_none();
    if (!es_class_find(cls, 1, "__init_subclass__", 17, &found))
        return true;
    bool own = es_is_descriptor(&found, "classmethod");
    if (own) {
        f = es_method_new(&es_value_items(&found)->of[1], cls);
        own = es_call_value(in, &f, NULL, 0, &out, err);
        es_value_unref(&f);
        es_value_unref(&out);
        es_value_unref(&found);
        return own || es_blame(in, n, NULL, 0, err);
    }
    es_value_unref(&found);
    return true;
}

static bool make_class(es_interp *in, const es_node *n, const es_value *bases, int64_t n_bases,
                       es_error *err)
{
    es_value order;
    if (!es_class_order(bases, n_bases, &order, err))
        return es_blame(in, n->kid[0], NULL, 0, err);
    es_value cls = begin_class(in, n, bases, n_bases, &order);
    es_value_unref(&order);
    bool ok = run_body(in, n, &cls, err) && tell_bases(in, n, &cls, err) &&
              es_decorate(in, n, ES_CLASS_DECORATORS, &cls, err);
    if (ok)
        es_name_bind(in, n->text, n->n_text, cls);
    else
        es_value_unref(&cls);
    return ok;
}

bool es_exec_class(es_interp *in, const es_node *n, es_error *err)
{
    es_value bases[MOST_BASES];
    int64_t n_bases;
    if (!eval_bases(in, n->kid[0], bases, &n_bases, err))
        return false;
    bool ok = make_class(in, n, bases, n_bases, err);
    while (n_bases)
        es_value_unref(&bases[--n_bases]);
    return ok;
}
