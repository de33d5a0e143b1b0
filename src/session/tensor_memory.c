// SPDX-License-Identifier: GPL-3.0-or-later
/* Whose memory a tensor's numbers lie in, and whose names hide others. */
#include <string.h>

#include "session/host_names.h"
#include "session/module_parts.h"
#include "session/state.h"

static bool same_layout(const es_tensor *a, const es_tensor *b)
{
    if (!es_shape_equal(&a->shape, &b->shape) || a->offset != b->offset || a->dtype != b->dtype)
        return false;
    for (int d = 0; d < a->shape.ndim; d++)
        if (a->shape.dim[d] != 1 && a->stride[d] != b->stride[d])
            return false;
    return true;
}

/* Are t's elements, in row-major order, all there is in its memory? */
static bool is_whole(const es_tensor *t)
{
    int64_t n = 1;
    for (int d = t->shape.ndim - 1; d >= 0; d--) {
        if (t->shape.dim[d] != 1 && t->stride[d] != n)
            return false;
        n *= t->shape.dim[d];
    }
    return t->buf->bytes == (size_t)n * es_dtype_size(t->dtype);
}

/* What is known so far of the names for one piece of memory. */
typedef struct search {
    const es_tensor *t;
    bool own;         /* t is what one of the names stands for, and whole */
    es_str of, with;  /* a name for all of it, or for a part */
    const char *name; /* of the module that is looked into */
} search;

static void found(es_str *out, const char *name, const char *suffix)
{
    if (!out->len)
        es_str_add(out, "%s%s%s", name, *suffix ? "." : "", suffix);
}

static void look_at_tensor(search *s, const char *name, const char *suffix, const es_tensor *other)
{
    const es_buffer *a = other->buf,
                    *b = s->t->buf; /* rows of a table may be kept apart until one is written to */
    if (a->be != b->be || a->number != b->number)
        return;
    bool whole = is_whole(other), same = same_layout(other, s->t);
    s->own = s->own || (same && whole);
    if (whole)
        found(&s->of, name, suffix);
    else if (!same)
        found(&s->with, name, suffix);
}

static bool look_within(void *user, const char *path, const es_value *tensor)
{
    search *s = user;
    look_at_tensor(s, s->name, path, es_value_as_tensor(tensor));
    return true;
}

static void look_at(search *s, const char *name, const es_value *v)
{
    s->name = name;
    if (es_is_module(v))
        es_module_tensors(v, look_within, s);
    else if (v->kind == ES_V_TENSOR)
        look_at_tensor(s, name, "", es_value_as_tensor(v));
}

void es_mode_memory(es_session *session, const es_tensor *t, es_str *out)
{
    es_interp *in = es_mode_interp(session);
    const es_host_names *names = es_mode_names(session);
    search s = {.t = t};
    const es_value *v;
    const char *name;
    if (t->buf->meta)
        return;
    for (size_t i = 0; (name = es_host_name_at(i)); i++) /* first: variables are views of these */
        if ((v = es_host_name_kept(names, i)))
            look_at(&s, name, v);
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++)
        look_at(&s, name, v);
    if (!s.own && s.of.len)
        es_str_add(out, "a view of %s", s.of.s);
    else if (!s.own && s.with.len)
        es_str_add(out, "shares memory with %s", s.with.s);
    es_str_free(&s.of);
    es_str_free(&s.with);
}

void es_mode_hidden(es_session *session, es_str *out)
{
    es_str names = {0};
    const es_value *v;
    const char *name;
    int n = 0;
    if (!session->mode)
        return;
    es_interp *in = es_mode_interp(session);
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++)
        if (es_host_name_of_text(name))
            es_str_add(&names, "%s%s", n++ ? ", " : "", name);
    if (n)
        es_str_add(out, "%s %s your own; del %s gives the text's back", names.s,
                   n == 1 ? "is" : "are", names.s);
    es_str_free(&names);
}
