// SPDX-License-Identifier: GPL-3.0-or-later
/* Where a name that is at fault got its value: positions = torch.arange(0, T), some lines above. */
#include <string.h>

#include "expr/fix.h"
#include "expr/walk.h"

enum { MOST_VALUE = 1024 };

/* The last assignment to that name alone that stands before `end`, in n and all it holds, functions within it
 * left out. */
static const es_node *assigned_in(const es_node *n, const es_node *name, size_t end)
{
    const es_node *found = NULL;
    if (n->begin >= end)
        return NULL;
    if (n->kind == ES_N_ASSIGN)
        return n->n_kids == 2 && n->kid[0]->kind == ES_N_NAME && n->end <= end &&
                       !strcmp(n->kid[0]->text, name->text)
                   ? n
                   : NULL;
    for (int i = n->n_kids - 1; i >= 0 && !found; i--)
        if (n->kid[i] && n->kid[i]->kind != ES_N_DEF && n->kid[i]->kind != ES_N_CLASS)
            found = assigned_in(n->kid[i], name, end);
    return found;
}

static const es_node *origin_of(const es_scene *s, const es_node *name)
{
    es_spot spot;
    if (!name || name->kind != ES_N_NAME || !es_interp_spot(s->in, 0, &spot) ||
        spot.unit != s->unit || (spot.def && spot.def->kind != ES_N_DEF))
        return NULL;
    const es_node *n = assigned_in(spot.def ? spot.def->kid[1] : s->unit->root, name, s->begin);
    return n && n->kid[1]->end - n->kid[1]->begin <= MOST_VALUE ? n : NULL;
}

/* "ids", a parameter of the function that runs, which is a tensor on that device. */
static const char *parameter_on(const es_scene *s, const es_backend *be)
{
    es_spot spot;
    const es_node *def = es_interp_spot(s->in, 0, &spot) ? spot.def : NULL;
    const char *found = NULL;
    for (int i = 0; def && !found && i < def->kid[0]->n_kids; i++) {
        const es_node *param = def->kid[0]->kid[i];
        es_error err = ES_ERROR_NONE;
        es_value v = es_none();
        if (param->text && es_interp_lookup(s->in, param->text, param->n_text, &v, &err) &&
            v.kind == ES_V_TENSOR && es_value_as_tensor(&v)->buf->be == be)
            found = param->text;
        es_value_unref(&v);
        es_error_free(&err);
    }
    return found;
}

/* The value of the assignment, device= where its maker makes it. */
static void with_device(es_str *out, const es_scene *s, const es_node *value, const es_node *maker,
                        const char *where)
{
    const char *source = s->unit->source;
    size_t at = maker->end - 1, begin, end; /* at: its closing parenthesis */
    es_excerpt_span(s->unit, value, &begin, &end);
    es_str_bytes(out, source + begin, at - begin);
    es_str_add(out, "%sdevice=%s.device", maker->n_kids > 1 ? ", " : "", where);
    es_str_bytes(out, source + at, end - at);
}

void es_fix_origin_device(es_fix *f, const es_part *p, const es_backend *be, const char *otherwise)
{
    const es_node *origin = f->found ? NULL : origin_of(f->s, p->node);
    const es_node *maker = origin ? es_fix_maker(origin->kid[1]) : NULL;
    if (!maker || es_fix_keyword(maker, "device"))
        return;
    const char *parameter = parameter_on(f->s, be);
    es_str value = {0}, whole = {0};
    with_device(&value, f->s, origin->kid[1], maker, parameter ? parameter : otherwise);
    es_str_add(&whole, "(%s)", value.s);
    es_fix_edits(f, &(es_edit){p->node->begin, p->node->end, whole.s}, 1,
                 (es_telling){.quiet = true});
    if (f->found) {
        es_str_cut(&f->help, 0);
        es_str_add(&f->help, "%s = ", p->node->text);
        es_fix_line(&f->help, &value);
    }
    es_str_free(&value);
    es_str_free(&whole);
}
