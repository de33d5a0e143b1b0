// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/fix.h"

#include <string.h>

#include "base/visible.h"
#include "expr/parse.h"

enum { MOST_SOURCE = 4096 };

/* ---- is it worth it ---- */

static bool is_own_function(const es_scene *s, const es_node *callee)
{
    es_error err = ES_ERROR_NONE;
    es_value v = es_none();
    if (callee->kind != ES_N_NAME)
        return false;
    bool own =
        !es_interp_lookup(s->in, callee->text, callee->n_text, &v, &err) || v.kind == ES_V_FUNCTION;
    es_value_unref(&v);
    es_error_free(&err);
    return own || !strcmp(callee->text, "print") || !strcmp(callee->text, "input");
}

static bool harmless(const es_scene *s, const es_node *n)
{
    switch (n->kind) {
    case ES_N_LAMBDA:
    case ES_N_LISTCOMP:
    case ES_N_SETCOMP:
    case ES_N_DICTCOMP:
    case ES_N_NAMED: return false;
    case ES_N_CALL:
        if (is_own_function(s, n->kid[0]))
            return false;
        break;
    default: break;
    }
    for (int i = 0; i < n->n_kids; i++)
        if (n->kid[i] && !harmless(s, n->kid[i]))
            return false;
    return true;
}

bool es_fix_begin(es_fix *f, const es_scene *s)
{
    *f = (es_fix){.s = s};
    return s->end - s->begin <= MOST_SOURCE && s->end <= s->unit->len && harmless(s, s->node);
}

/* ---- edited source ---- */

/* The source from begin to end as the edits leave it. */
static void edited(es_str *out, const es_scene *s, size_t begin, size_t end, const es_edit *edit,
                   int n)
{
    es_edit all[ES_MOST_EDITS + 1];
    memcpy(all, edit, (size_t)n * sizeof *edit);
    if (s->node->kind == ES_N_AUGMENT) /* x += y is tried as x + y */
        all[n++] = (es_edit){s->node->op_begin, s->node->op_end, es_op_name(s->node->op)};
    while (begin < end) {
        const es_edit *next = NULL;
        for (int i = 0; i < n; i++)
            if (all[i].begin >= begin && all[i].end <= end && (!next || all[i].begin < next->begin))
                next = &all[i];
        size_t to = next ? next->begin : end;
        es_str_bytes(out, s->unit->source + begin, to - begin);
        if (next) {
            es_str_cat(out, next->text);
            to = next->end;
            if (next->begin == next->end) { /* an insertion is done with */
                es_edit *done = &all[next - all];
                done->begin = 0;
                done->end = SIZE_MAX;
            }
        }
        begin = to;
    }
}

/* On one line, ready to print. */
void es_fix_line(es_str *out, const es_str *source)
{
    es_str flat = {0};
    for (size_t i = 0; i < source->len; i++) {
        char c = source->s[i];
        bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (!blank)
            es_str_char(&flat, c);
        else if (flat.len && flat.s[flat.len - 1] != ' ')
            es_str_char(&flat, ' ');
    }
    es_show_prose(out, es_str_text(&flat), flat.len);
    es_str_free(&flat);
}

/* ---- trying ---- */

/* The value of a text in the scope where the error happened. */
static bool value_of(const es_scene *s, const es_str *text, es_value *out)
{
    es_error err = ES_ERROR_NONE;
    es_str whole = {0};
    es_str_add(&whole, "(%s)", es_str_text(text)); /* so that it may go over several lines */
    es_unit *unit = es_parse(whole.s, whole.len, &err);
    const es_node *root = unit ? unit->root : NULL;
    bool ok = root && root->n_kids == 1 && root->kid[0]->kind == ES_N_EXPR &&
              es_interp_try(s->in, unit, root->kid[0]->kid[0], out);
    es_unit_unref(unit);
    es_str_free(&whole);
    es_error_free(&err);
    return ok;
}

bool es_fix_value(const es_scene *s, const es_node *node, es_value *out)
{
    return es_interp_try(s->in, s->unit, node, out);
}

/* The same where names that differ do not meet. */
static bool is_clean(const es_scene *s, const es_str *text)
{
    es_torch *k = es_interp_torch(s->in);
    bool strict = k->strict;
    es_value v = es_none();
    k->strict = true;
    bool ok = value_of(s, text, &v);
    k->strict = strict;
    es_value_unref(&v);
    return ok;
}

static const es_tensor *tensor_of(const es_value *v)
{
    return v->kind == ES_V_TENSOR ? es_value_as_tensor(v) : NULL;
}

/* What x += y leaves is x: of its shape. */
static bool is_possible(const es_scene *s, const es_value *result)
{
    const es_tensor *was = s->n ? es_part_tensor(&s->part[0]) : NULL, *is = tensor_of(result);
    return s->node->kind != ES_N_AUGMENT || !was || (is && es_shape_equal(&was->shape, &is->shape));
}

static void put_shape(es_str *out, const char *before, const es_value *v)
{
    const es_tensor *t = tensor_of(v);
    if (!t)
        return;
    es_str_cat(out, before);
    es_shape_show(out, &t->shape);
}

static void put_result(es_str *out, const es_scene *s, const es_value *v)
{
    const es_tensor *t = tensor_of(v);
    put_shape(out, "  ->  result ", v);
    if (t && t->shape.ndim > 1 && !strcmp(t->shape.label[t->shape.ndim - 1].s, "V") &&
        es_scene_is(s, "@ matmul linear"))
        es_str_cat(out, " (logits)");
}

static void tell(es_fix *f, const es_edit *edit, int n, es_telling t, const es_value *result)
{
    const es_scene *s = f->s;
    es_str piece = {0};
    es_value v = es_none();
    bool all = t.begin == t.end;
    edited(&piece, s, all ? s->begin : t.begin, all ? s->end : t.end, edit, n);
    es_str_cut(&f->help, 0);
    es_str_cat(&f->help, t.before ? t.before : "");
    es_fix_line(&f->help, &piece);
    if (t.shape && value_of(s, &piece, &v))
        put_shape(&f->help, " is ", &v);
    if (!t.quiet)
        put_result(&f->help, s, result);
    es_value_unref(&v);
    es_str_free(&piece);
}

bool es_fix_edits(es_fix *f, const es_edit *edit, int n, es_telling t)
{
    es_value v = es_none();
    es_str text = {0};
    if (f->clean || f->tries >= ES_MOST_TRIES || n > ES_MOST_EDITS)
        return f->clean;
    f->tries++;
    edited(&text, f->s, f->s->begin, f->s->end, edit, n);
    if (value_of(f->s, &text, &v) && is_possible(f->s, &v)) {
        f->clean = is_clean(f->s, &text);
        if (f->clean || !f->found)
            tell(f, edit, n, t, &v);
        f->found = true;
    }
    es_value_unref(&v);
    es_str_free(&text);
    return f->clean;
}

/* ---- common edits ---- */

static bool needs_parentheses(const es_node *node)
{
    switch (node->kind) {
    case ES_N_NAME:
    case ES_N_STRING:
    case ES_N_CONST:
    case ES_N_TUPLE:
    case ES_N_LIST:
    case ES_N_ATTRIBUTE:
    case ES_N_CALL:
    case ES_N_INDEX: return false;
    default: return true;
    }
}

void es_fix_source(es_str *out, const es_scene *s, const es_node *node)
{
    size_t begin, end;
    es_excerpt_span(s->unit, node, &begin, &end);
    es_str_bytes(out, s->unit->source + begin, end - begin);
}

bool es_fix_behind(es_fix *f, const es_part *p, const char *suffix)
{
    if (!p || !p->node || f->clean)
        return f->clean;
    es_edit e;
    es_str text = {0};
    es_excerpt_span(f->s->unit, p->node, &e.begin, &e.end);
    bool enclose = e.begin == p->node->begin && needs_parentheses(p->node);
    es_str_cat(&text, enclose ? "(" : "");
    es_fix_source(&text, f->s, p->node);
    es_str_add(&text, "%s%s", enclose ? ")" : "", suffix);
    e.text = text.s;
    bool done = es_fix_edits(f, &e, 1, (es_telling){.begin = e.begin, .end = e.end, .shape = true});
    es_str_free(&text);
    return done;
}

bool es_fix_around(es_fix *f, const es_part *p, const char *before, const char *after)
{
    if (!p || !p->node || f->clean)
        return f->clean;
    es_edit e;
    es_str text = {0};
    es_excerpt_span(f->s->unit, p->node, &e.begin, &e.end);
    bool enclose = *after == '.' && e.begin == p->node->begin && needs_parentheses(p->node);
    es_str_add(&text, "%s%s", before, enclose ? "(" : "");
    es_fix_source(&text, f->s, p->node);
    es_str_add(&text, "%s%s", enclose ? ")" : "", after);
    e.text = text.s;
    bool done = es_fix_edits(f, &e, 1, (es_telling){0});
    es_str_free(&text);
    return done;
}

bool es_fix_argument(es_fix *f, const es_node *call, const char *argument, es_telling t)
{
    size_t at = call->end - 1; /* of the closing parenthesis */
    es_str text = {0};
    es_str_add(&text, "%s%s", call->n_kids > 1 ? ", " : "", argument);
    es_edit e = {at, at, text.s};
    bool done = es_fix_edits(f, &e, 1, t);
    es_str_free(&text);
    return done;
}

/* ---- what edits look at ---- */

int es_fix_tensors(const es_scene *s, es_part from[ES_MOST_PARTS])
{
    es_operand of[ES_MOST_PARTS];
    int n = es_scene_tensors(s, of, from);
    es_operands_free(of, n);
    return n;
}

bool es_fix_is_word(const char *name, const char *words)
{
    return es_scene_is(&(es_scene){.name = name}, words);
}

const char *es_fix_callee(const es_node *node)
{
    const es_node *callee = node && node->kind == ES_N_CALL ? node->kid[0] : NULL;
    return callee && (callee->kind == ES_N_NAME || callee->kind == ES_N_ATTRIBUTE) ? callee->text
                                                                                   : "";
}
