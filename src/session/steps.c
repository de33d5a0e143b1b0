// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/brief.h"

/* ---- facts ---- */

static void add_fact(es_facts *f, es_interp *in, const char *name, size_t n, const es_value *v)
{
    es_json j = {.out = &f->json, .comma = f->n > 0};
    es_str key = {0};
    es_str_bytes(&key, name, n);
    es_json_key(&j, es_str_text(&key));
    es_brief_json(&j, in, v);
    es_str_free(&key);
    f->text = es_realloc(f->text, (f->n + 1) * sizeof *f->text);
    f->text[f->n] = (es_str){0};
    es_brief_named(&f->text[f->n++], in, name, n, v);
}

static void free_facts(es_facts *f)
{
    for (size_t i = 0; i < f->n; i++)
        es_str_free(&f->text[i]);
    free(f->text);
    es_str_free(&f->json);
    *f = (es_facts){0};
}

static void add_chain(es_facts *f, es_interp *in, const es_unit *unit, const es_node *chain,
                      const es_value *v)
{
    add_fact(f, in, unit->source + chain->begin, chain->end - chain->begin, v);
}

/* A part of a chain that was told before: x of x.shape and x.view. */
static bool is_told(const es_facts *f, const es_str *text)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->text[i].len == text->len && !memcmp(f->text[i].s, text->s, text->len))
            return true;
    return false;
}

/* What it is about to read.  The object a method belongs to says little; a module that is called says what it
 * will do. */
static void add_reads(es_step *s, es_interp *in, const es_unit *unit, const es_node *n)
{
    es_mentions names;
    es_mentions_read(&names, n);
    for (int i = 0; i < names.n; i++) {
        es_value v;
        const es_node *seen = es_interp_peek(in, names.of[i], &v);
        if (!seen)
            continue;
        es_str text = {0};
        es_brief_named(&text, in, unit->source + seen->begin, seen->end - seen->begin, &v);
        bool object = v.kind == ES_V_INSTANCE && !(names.mark[i] && seen == names.of[i]);
        if (!object && !is_told(&s->reads, &text))
            add_chain(&s->reads, in, unit, seen, &v);
        es_str_free(&text);
        es_value_unref(&v);
    }
}

static void look_before(es_step *s, es_interp *in, const es_node *n)
{
    es_mentions names;
    es_mentions_bound(&names, n);
    for (int i = 0; i < names.n; i++)
        es_interp_peek(in, names.of[i], &s->before[i]);
}

static bool same_shape(const es_value *a, const es_value *b)
{
    const es_tensor *x = es_value_as_tensor(a), *y = es_value_as_tensor(b);
    return x->dtype == y->dtype && es_shape_equal(&x->shape, &y->shape);
}

/* "x [B=2, C=4] float32 -> [C=4, B=2] float32", and whether it is the same object with other numbers. */
static void add_change(es_facts *f, es_interp *in, const es_value *before, const es_value *after,
                       bool within)
{
    es_str *text = &f->text[f->n - 1];
    bool tensors = before->kind == ES_V_TENSOR && after->kind == ES_V_TENSOR;
    bool same = within && before->kind == after->kind && before->kind >= ES_V_STR &&
                before->u.o == after->u.o;
    if (tensors && !same_shape(before, after)) {
        es_str now = {0}, was = {0};
        es_brief(&now, in, after);
        es_brief(&was, in, before);
        es_str_cut(text, text->len - now.len);
        es_str_add(text, "%s -> %s", was.s, now.s);
        es_str_free(&now);
        es_str_free(&was);
    }
    if (same)
        es_str_cat(text, " in place");
}

static void add_binds(es_step *s, es_interp *in, const es_unit *unit, const es_node *n)
{
    es_mentions names;
    es_mentions_bound(&names, n);
    for (int i = 0; i < names.n; i++) {
        es_value v;
        const es_node *seen = es_interp_peek(in, names.of[i], &v);
        if (seen && (seen == names.of[i] || v.kind == ES_V_TENSOR)) {
            add_chain(&s->binds, in, unit, seen, &v);
            add_change(&s->binds, in, &s->before[i], &v, names.mark[i]);
        }
        es_value_unref(&v);
    }
}

/* ---- steps ---- */

static void set_value(es_step *s, es_interp *in, const es_value *v)
{
    es_json j = {.out = &s->value_json};
    es_brief(&s->value, in, v);
    es_brief_json(&j, in, v);
}

es_step es_step_here(es_interp *in)
{
    es_step s = {.truth = -1};
    es_spot spot;
    if (!es_interp_spot(in, 0, &spot) || !spot.at)
        return s;
    s.depth = spot.depth;
    s.line = (int)(spot.at->line + spot.before);
    es_str_cat(&s.function, spot.function ? spot.function : "");
    es_statement_text(&s.source, spot.unit, spot.at);
    add_reads(&s, in, spot.unit, spot.at);
    return s;
}

/* "forward(self, input_ids)" */
static void add_signature(es_str *out, const es_spot *spot)
{
    const es_node *params = spot->def->kid[0];
    es_str_add(out, "%s(", spot->function);
    for (int i = 0; i < params->n_kids; i++) {
        const es_node *p = params->kid[i];
        const char *star = p->i == '*' ? "*" : p->i == 2 * '*' ? "**" : "";
        es_str_add(out, "%s%s", i ? ", " : "", star);
        es_str_cat(out, p->i == 'k' ? "*" : p->i == '/' ? "/" : p->text);
    }
    es_str_char(out, ')');
}

static es_step call_of(es_interp *in)
{
    es_step s = {.kind = ES_STEP_CALL, .truth = -1, .done = true};
    es_spot spot;
    es_interp_spot(in, 0, &spot);
    s.depth = spot.depth;
    s.line = (int)(spot.def->line + spot.before);
    es_str_cat(&s.function, spot.function);
    add_signature(&s.source, &spot);
    const es_node *params = spot.def->kid[0];
    for (int i = 0; i < params->n_kids; i++) {
        es_node name = *params->kid[i];
        es_value v;
        name.kind = ES_N_NAME;
        if (!name.text || !es_interp_peek(in, &name, &v))
            continue;
        if (v.kind != ES_V_INSTANCE || i > 0) /* all but self */
            add_fact(&s.binds, in, name.text, name.n_text, &v);
        es_value_unref(&v);
    }
    return s;
}

/* The line from which something was called. */
static int calling_line(es_interp *in)
{
    es_spot spot;
    bool there = es_interp_spot(in, 0, &spot) && spot.at;
    return there ? (int)(spot.at->line + spot.before) : 0;
}

/* A reader sees the shapes of a call alone, without the names. */
static void add_input(es_facts *f, es_interp *in, int64_t i, const es_value *v)
{
    char name[32] = "input";
    if (i > 0)
        snprintf(name, sizeof name, "input_%d", (int)i + 1);
    add_fact(f, in, name, strlen(name), v);
    es_str_cut(&f->text[f->n - 1], 0);
    es_brief(&f->text[f->n - 1], in, v);
}

static void add_weight(es_facts *f, es_interp *in, const es_value *module)
{
    es_value weight;
    if (!es_brief_weight(module, &weight))
        return;
    add_fact(f, in, "weight", 6, &weight);
    es_str *text = &f->text[f->n - 1];
    es_str_cut(text, 0);
    es_str_cat(text, "weight ");
    es_shape_show(text, &es_value_as_tensor(&weight)->shape);
    es_value_unref(&weight);
}

static es_step module_of(es_interp *in, const es_moment *m)
{
    es_step s = {.kind = ES_STEP_MODULE, .depth = m->depth + 1, .truth = -1, .done = true};
    s.line = calling_line(in);
    es_str_cat(&s.function, es_value_type_name(m->module));
    es_str_cat(&s.source, es_value_type_name(m->module));
    for (int64_t i = 0; i < m->n_args; i++)
        add_input(&s.reads, in, i, &m->args[i]);
    add_weight(&s.reads, in, m->module);
    set_value(&s, in, m->value);
    return s;
}

static es_step return_of(es_interp *in, const es_moment *m)
{
    es_step s = {.kind = ES_STEP_RETURN, .depth = m->depth + 1, .truth = -1, .done = true};
    s.line = calling_line(in);
    es_str_cat(&s.function, m->function);
    es_str_cat(&s.source, s.function.s);
    set_value(&s, in, m->value);
    s.returns = true;
    return s;
}

es_step es_step_of(es_interp *in, const es_moment *m)
{
    if (m->kind == ES_MOMENT_ENTER)
        return call_of(in);
    if (m->kind == ES_MOMENT_MODULE)
        return module_of(in, m);
    if (m->kind == ES_MOMENT_LEAVE)
        return return_of(in, m);
    es_step s = es_step_here(in);
    s.failed = m->kind == ES_MOMENT_FAILED;
    s.node = m->node;
    if (!s.failed)
        look_before(&s, in, m->node);
    return s;
}

static void forget_before(es_step *s)
{
    for (int i = 0; i < ES_MOST_MENTIONS; i++)
        es_value_unref(&s->before[i]);
}

void es_step_finish(es_step *s, es_interp *in, const es_moment *m)
{
    const es_node *n = m->node;
    es_spot spot;
    es_interp_spot(in, 0, &spot);
    s->done = true;
    s->truth = m->truth;
    s->loop = n->kind == ES_N_FOR;
    if (n->kind == ES_N_IF || n->kind == ES_N_WHILE || n->kind == ES_N_ASSERT)
        es_step_condition(s, in, spot.unit, n->kid[0]);
    if (!s->loop || m->truth)
        add_binds(s, in, spot.unit, n);
    s->returns = n->kind == ES_N_RETURN || n->kind < ES_N_EXPR; /* a lambda's expression */
    bool in_place = n->kind == ES_N_EXPR && s->binds.n; /* x.add_(1) gives x, which has been told */
    if (m->value && !in_place && (s->returns || m->value->kind != ES_V_NONE))
        set_value(s, in, m->value);
    forget_before(s);
}

static bool is_line_of(const es_step *s, const es_moment *m)
{
    return !s->done && s->depth == m->depth && s->node == m->node;
}

bool es_step_fail(es_step *s, es_interp *in, const es_moment *m)
{
    es_spot spot;
    if (!is_line_of(s, m))
        return false;
    s->failed = true;
    es_interp_spot(in, 0, &spot);
    if (m->node->kind == ES_N_ASSERT)
        es_step_condition(s, in, spot.unit, m->node->kid[0]);
    s->truth = s->condition.len ? 0 : -1;
    return true;
}

bool es_step_raise(es_step *s, es_interp *in, const es_moment *m)
{
    es_spot spot;
    if (!is_line_of(s, m))
        return false;
    es_interp_spot(in, 0, &spot);
    s->done = true;
    es_str_cat(&s->exception, es_value_type_name(m->value));
    es_str_cat(&s->raises, s->exception.s);
    if (m->by)
        es_str_add(&s->raises, ", caught in line %d", (int)(m->by->line + spot.before));
    forget_before(s);
    return true;
}

void es_step_free(es_step *s)
{
    es_str *const all[] = {&s->function, &s->source,     &s->condition, &s->value,
                           &s->raises,   &s->value_json, &s->exception};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_str_free(all[i]);
    free_facts(&s->reads);
    free_facts(&s->binds);
    forget_before(s);
    es_step_forget_compared(s);
    *s = (es_step){0};
}

void es_steps_add(es_steps *list, es_step *s)
{
    if (list->n == list->cap) {
        list->cap = 2 * list->cap + 8;
        list->of = es_realloc(list->of, list->cap * sizeof *list->of);
    }
    list->of[list->n++] = *s;
    *s = (es_step){0};
}

void es_steps_free(es_steps *list)
{
    for (size_t i = 0; i < list->n; i++)
        es_step_free(&list->of[i]);
    free(list->of);
    *list = (es_steps){0};
}
