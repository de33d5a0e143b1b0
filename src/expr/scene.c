// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/scene.h"

#include <inttypes.h>
#include <string.h>

#include "expr/modules.h"

enum { TEXT_COLUMNS = 20 };

static void add_part(es_scene *s, const es_node *node, const es_value *v)
{
    if (s->n == ES_MOST_PARTS)
        return;
    es_part p = {.node = node, .v = v, .member = -1};
    if (node && node->kind == ES_N_KEYWORD) {
        p.keyword = node->text;
        p.node = node->kid[0];
    }
    if (node && node->kind == ES_N_STAR)
        p.node = NULL;
    s->part[s->n++] = p;
}

/* ---- who was asked for what ---- */

/* One of nn's modules, called or asked to go forward; NULL: something else was called. */
static const es_value *module_of(const es_value *f)
{
    if (f->kind == ES_V_INSTANCE)
        return es_module_kind(f) ? f : NULL;
    const es_bound *b = f->kind == ES_V_BUILTIN ? (const es_bound *)f->u.o : NULL;
    const char *dot = b ? strchr(b->builtin->name, '.') : NULL;
    return dot && !strcmp(dot, ".forward") && es_module_kind(&b->self) ? &b->self : NULL;
}

/* What a module brings with it, as if it had been written: F.linear(x, fc.weight, fc.bias). */
static void add_weights(es_scene *s, const es_node *callee)
{
    es_member m;
    s->table = es_embedding_weight(s->module);
    bool known = !s->table && *s->name;
    for (int64_t i = 0; known && es_module_member(s->module, i, &m); i++)
        if (m.x->kind == ES_V_TENSOR && s->n < ES_MOST_PARTS)
            s->part[s->n++] =
                (es_part){.v = m.x, .member = -1, .whole = callee, .member_of_module = m.name};
}

static void set_call(es_scene *s, const es_value *operands, int n)
{
    const es_node *callee = s->node->kid[0];
    const es_value *f = &operands[0];
    s->module = module_of(f);
    if (s->module) {
        s->name = es_module_function(s->module);
    } else if (f->kind == ES_V_BUILTIN) {
        const es_bound *b = (const es_bound *)f->u.o;
        s->name = b->builtin->name;
        s->method = b->self.kind != ES_V_NONE && callee->kind == ES_N_ATTRIBUTE;
        if (b->self.kind != ES_V_NONE)
            add_part(s, s->method ? callee->kid[0] : callee, &b->self);
    }
    for (int i = 1; i < n && i < s->node->n_kids; i++)
        add_part(s, s->node->kid[i], &operands[i]);
    if (s->module)
        add_weights(s, callee);
}

/* The comparison that a right side belongs to: what stands to its left. */
static const es_node *left_of(const es_node *tree, const es_node *comparand)
{
    if (comparand->begin < tree->begin || comparand->end > tree->end)
        return NULL;
    for (int i = 0; i < tree->n_kids; i++) {
        const es_node *kid = tree->kid[i];
        if (kid == comparand && i > 0 && tree->kid[i - 1]) {
            const es_node *left = tree->kid[i - 1];
            return left->kind == ES_N_COMPARAND ? left->kid[0] : left;
        }
        const es_node *found = kid ? left_of(kid, comparand) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static void set_operands(es_scene *s, const es_value *operands, int n)
{
    const es_node *node = s->node;
    s->name = es_op_name(node->op);
    if (node->kind == ES_N_COMPARAND && n == 2) {
        const es_node *left = left_of(s->unit->root, node);
        size_t ignored;
        add_part(s, left, &operands[0]);
        add_part(s, node->kid[0], &operands[1]);
        if (left)
            es_excerpt_span(s->unit, left, &s->begin, &ignored);
        es_excerpt_span(s->unit, node->kid[0], &ignored, &s->end);
        return;
    }
    for (int i = 0; i < n && i < node->n_kids; i++)
        add_part(s, node->kid[i], &operands[i]);
}

bool es_scene_set(es_scene *s, es_interp *in, es_unit *unit, const es_node *node,
                  const es_value *operands, int n, es_error *err)
{
    *s = (es_scene){.in = in,
                    .unit = unit,
                    .node = node,
                    .err = err,
                    .begin = node->begin,
                    .end = node->end,
                    .name = ""};
    if (n == 0)
        return false;
    if (err->code == ES_ERR_AMBIGUOUS && n == 1 &&
        !(node->kind == ES_N_UNARY && node->op == ES_OP_NOT)) {
        add_part(s, node, &operands[0]); /* the truth of what node gave */
        return true;
    }
    switch (node->kind) {
    case ES_N_CALL: set_call(s, operands, n); break;
    case ES_N_BINARY:
    case ES_N_COMPARAND:
    case ES_N_AUGMENT:
    case ES_N_UNARY: set_operands(s, operands, n); break;
    case ES_N_INDEX:
        set_operands(s, operands, n);
        s->name = "[]";
        break;
    case ES_N_ATTRIBUTE:
        add_part(s, node->kid[0], &operands[0]);
        s->name = node->text;
        s->method = true;
        break;
    default:
        for (int i = 0; i < n; i++)
            add_part(s, n == 1 ? node : NULL, &operands[i]);
    }
    return true;
}

bool es_scene_is(const es_scene *s, const char *names)
{
    size_t n = strlen(s->name);
    for (const char *at = names; n && *at;) {
        size_t word = strcspn(at, " ");
        if (word == n && !memcmp(at, s->name, n))
            return true;
        at += word + (at[word] == ' ');
    }
    return false;
}

const es_part *es_scene_part(const es_scene *s, const char *keyword, int i)
{
    for (int k = 0; k < s->n; k++)
        if (s->part[k].keyword && !strcmp(s->part[k].keyword, keyword))
            return &s->part[k];
    return i >= 0 && i < s->n && !s->part[i].keyword ? &s->part[i] : NULL;
}

es_wanted es_scene_wants(const es_scene *s)
{
    static const struct {
        es_wanted wanted;
        const char *names;
    } of[] = {
        {ES_WANTS_INTEGERS, "embedding one_hot [] bincount gather index_select & | ^ ~ << >>"},
        {ES_WANTS_ONE_KIND, "@ matmul mm bmm mv dot linear einsum addmm outer"},
        {ES_WANTS_FLOATS,
         "mean std var softmax log_softmax norm normalize layer_norm rms_norm cosine_similarity "
         "cdist dropout gelu cross_entropy mse_loss svd pca logsumexp"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (es_scene_is(s, of[i].names))
            return of[i].wanted;
    return ES_WANTS_ANY;
}

/* ---- what the parts are ---- */

const es_tensor *es_part_tensor(const es_part *p)
{
    return p && p->v->kind == ES_V_TENSOR ? es_value_as_tensor(p->v) : NULL;
}

bool es_part_int(const es_part *p, int64_t *out)
{
    if (!p || p->v->kind != ES_V_INT)
        return false;
    *out = p->v->u.i;
    return true;
}

static void put_text(es_str *out, const es_scene *s, const es_part *p)
{
    if (p->node) {
        es_excerpt(out, s->unit, p->node, TEXT_COLUMNS);
    } else if (p->member_of_module) {
        es_excerpt(out, s->unit, p->whole, TEXT_COLUMNS - 8);
        es_str_add(out, ".%s", p->member_of_module);
    } else if (p->whole) {
        es_excerpt(out, s->unit, p->whole, TEXT_COLUMNS - 3);
        es_str_add(out, "[%" PRId64 "]", p->member);
    } else {
        es_str_cat(out, "…");
    }
}

/* The i-th member of a list or tuple as a part; written there if the list is. */
static es_part member_of(const es_part *p, int64_t i)
{
    const es_items *items = es_value_items(p->v);
    es_part m = {.v = &items->of[i], .whole = p->node, .member = i};
    bool literal = p->node && (p->node->kind == ES_N_LIST || p->node->kind == ES_N_TUPLE) &&
                   p->node->n_kids == items->n;
    for (int k = 0; literal && k < p->node->n_kids; k++)
        literal = p->node->kid[k]->kind != ES_N_STAR;
    if (literal)
        m.node = p->node->kid[i];
    return m;
}

int es_scene_tensors(const es_scene *s, es_operand of[ES_MOST_PARTS], es_part from[ES_MOST_PARTS])
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        bool several = es_value_is_sequence(&*s->part[i].v);
        int64_t members = several ? es_value_items(s->part[i].v)->n : 1;
        for (int64_t k = 0; k < members && n < ES_MOST_PARTS; k++) {
            es_part p = several ? member_of(&s->part[i], k) : s->part[i];
            if (!es_part_tensor(&p))
                continue;
            of[n] = (es_operand){.t = es_part_tensor(&p)};
            put_text(&of[n].text, s, &p);
            if (from)
                from[n] = p;
            n++;
        }
    }
    return n;
}

void es_operands_free(es_operand *of, int n)
{
    for (int i = 0; i < n; i++)
        es_str_free(&of[i].text);
}

bool es_scene_sizes(const es_scene *s, int i, es_shape *out)
{
    *out = (es_shape){0};
    const es_part *p = es_scene_part(s, "size", i);
    p = p ? p : es_scene_part(s, "shape", i);
    bool several = p && es_value_is_sequence(p->v);
    int64_t n = several ? es_value_items(p->v)->n : s->n - i;
    for (int64_t k = 0; k < n; k++) {
        es_part one = several ? member_of(p, k) : s->part[i + k];
        if (out->ndim == ES_MAX_DIMS || one.keyword || !es_part_int(&one, &out->dim[out->ndim]))
            return false;
        out->label[out->ndim++] = one.v->label;
    }
    return out->ndim > 0;
}
