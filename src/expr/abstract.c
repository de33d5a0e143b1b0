// SPDX-License-Identifier: GPL-3.0-or-later
/* Classes derived from ABC: none is made while a method of it is marked @abstractmethod. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/classes.h"

static bool says_abstract(const es_function *f)
{
    for (int i = ES_DEF_DECORATORS; f->def->kind == ES_N_DEF && i < f->def->n_kids; i++)
        if (f->def->kid[i]->text && !strcmp(f->def->kid[i]->text, "abstractmethod"))
            return true;
    return false;
}

static bool is_abstract(const es_value *v)
{
    const es_value *f = v->kind == ES_V_DESCRIPTOR ? &es_value_items(v)->of[1] : v;
    return f->kind == ES_V_FUNCTION && says_abstract((const es_function *)f->u.o);
}

/* Names of the classes' own, in order. */
typedef struct names {
    const char **of;
    int64_t n, cap;
} names;

static int by_letters(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_left(const es_value *cls, const char *name)
{
    es_value found;
    if (!es_class_find(cls, 0, name, strlen(name), &found))
        return false;
    bool left = is_abstract(&found);
    es_value_unref(&found);
    return left;
}

static void add(names *all, const char *name)
{
    if (all->n == all->cap) {
        all->cap = 2 * all->cap + 8;
        all->of = es_realloc(all->of, (size_t)all->cap * sizeof *all->of);
    }
    all->of[all->n++] = name;
}

/* Those that are abstract in a class behind this one, and in it still. */
static names find_left(const es_value *cls)
{
    names all = {0};
    es_value at;
    const es_value *x;
    const char *name;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        for (int64_t j = 0; at.kind == ES_V_CLASS && (name = es_own_at(&at, j, &x)); j++)
            if (is_abstract(x) && is_left(cls, name))
                add(&all, name);
    if (all.n)
        qsort(all.of, (size_t)all.n, sizeof *all.of, by_letters);
    return all;
}

bool es_class_whole(const es_value *cls, es_error *err)
{
    const es_value abc = es_value_named(ES_V_TYPE, ES_TYPE_ABC);
    if (cls->kind != ES_V_CLASS || !es_is_subclass(cls, &abc))
        return true;
    names left = find_left(cls);
    es_str list = {0};
    int64_t n = 0;
    for (int64_t i = 0; i < left.n; i++)
        if (!i || strcmp(left.of[i], left.of[i - 1]) != 0)
            es_str_add(&list, "%s%s", n++ ? ", " : "", left.of[i]);
    if (n)
        es_fail(err, ES_ERR_TYPE, "Can't instantiate abstract class %s with abstract method%s %s",
                es_class_name(cls), n == 1 ? "" : "s", list.s);
    es_str_free(&list);
    free(left.of);
    return n == 0;
}
