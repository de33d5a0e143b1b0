// SPDX-License-Identifier: GPL-3.0-or-later
/* Which errors get what: a drawing, edits that are tried, advice. */
#include "expr/explain.h"

#include <stdlib.h>

#include "expr/advice.h"
#include "expr/depict.h"
#include "expr/fix.h"

static const struct {
    es_code code;
    bool alone; /* what helps here says all that a hint from further down says, and more */
    void (*draw)(es_scene *s);
    void (*fix)(es_fix *f);
    void (*advise)(const es_scene *s); /* where no fix was found */
} explained[] = {
    {ES_ERR_BROADCAST, false, es_depict_broadcast, es_fix_broadcast, NULL},
    {ES_ERR_MATMUL, true, es_depict_matmul, es_fix_matmul, NULL},
    {ES_ERR_CAT, true, es_depict_cat, es_fix_cat, NULL},
    {ES_ERR_VIEW, true, es_depict_view, es_fix_view, es_advise_view},
    {ES_ERR_EXPAND, false, es_depict_expand, es_fix_expand, NULL},
    {ES_ERR_DIM_RANGE, false, es_depict_axes, es_fix_dim, NULL},
    {ES_ERR_INDEX_RANGE, true, es_depict_index, es_fix_index, es_advise_index},
    {ES_ERR_SLICE, true, NULL, es_fix_slice, NULL},
    {ES_ERR_DTYPE, true, es_depict_dtypes, es_fix_dtype, NULL},
    {ES_ERR_DEVICE, true, es_depict_devices, es_fix_device, es_advise_device},
    {ES_ERR_TYPE, true, NULL, es_fix_type, NULL},
    {ES_ERR_RAGGED, true, es_depict_ragged, NULL, es_advise_ragged},
    {ES_ERR_UNPACK, false, es_depict_unpack, NULL, es_advise_unpack},
    {ES_ERR_AMBIGUOUS, true, NULL, NULL, es_advise_ambiguous},
    {ES_ERR_VALUE, true, NULL, NULL, es_advise_value},
};

/* x.view(3, -1): the tensor is the operand, the method the operator. */
static void mark_method(const es_scene *s)
{
    const es_node *node = s->node, *callee = node->kind == ES_N_CALL ? node->kid[0] : NULL;
    size_t ignored, dot;
    if (!s->method || !callee || s->err->begin != (ptrdiff_t)node->begin ||
        s->err->end != (ptrdiff_t)node->end)
        return;
    es_excerpt_span(s->unit, callee->kid[0], &ignored, &dot);
    s->err->op_begin = (ptrdiff_t)dot;
    s->err->op_end = (ptrdiff_t)node->end;
}

/* x + y: the operator between its operands, unless one of them alone is to blame. */
static void mark_operator(const es_scene *s)
{
    const es_node *node = s->node;
    bool two =
        node->kind == ES_N_BINARY || node->kind == ES_N_COMPARAND || node->kind == ES_N_AUGMENT;
    if (!two || s->err->begin > (ptrdiff_t)node->op_begin || s->err->end < (ptrdiff_t)node->op_end)
        return;
    s->err->op_begin = (ptrdiff_t)node->op_begin;
    s->err->op_end = (ptrdiff_t)node->op_end;
}

/* The line of help, behind what was hinted at, or in its place. */
static void help(const es_scene *s, size_t i)
{
    es_fix f = {0};
    char *hinted = s->err->hint;
    s->err->hint = NULL;
    if (explained[i].fix && es_fix_begin(&f, s))
        explained[i].fix(&f);
    if (f.found)
        es_hint(s->err, "help: %s", f.help.s);
    else if (explained[i].advise)
        explained[i].advise(s);
    if (hinted && !(s->err->hint && explained[i].alone)) {
        es_str both = {0};
        es_str_add(&both, "%s%s%s", hinted, s->err->hint ? "\n" : "",
                   s->err->hint ? s->err->hint : "");
        free(s->err->hint);
        s->err->hint = es_str_take(&both);
    }
    free(hinted);
    es_str_free(&f.help);
}

void es_explain(es_interp *in, es_unit *unit, const es_node *node, const es_value *operands, int n,
                es_error *err)
{
    es_scene s;
    if (!err || !es_scene_set(&s, in, unit, node, operands, n, err)) {
        es_error_locate(err, node->begin, node->end);
        return;
    }
    es_error_locate(err, s.begin, s.end);
    mark_operator(&s);
    mark_method(&s);
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++) {
        if (explained[i].code != err->code)
            continue;
        if (explained[i].draw)
            explained[i].draw(&s);
        help(&s, i);
    }
}
