// SPDX-License-Identifier: GPL-3.0-or-later
/* Answers about a walk: how they are filled, and freed. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/brief.h"
#include "session/show_steps.h"
#include "session/show_value.h"

enum { AROUND = 5 /* lines of source before the one that runs, and after it */ };

/* ---- what happened ---- */

static void forget_walked(void *data)
{
    es_walked *w = data;
    es_steps_free(&w->steps);
    es_step_free(&w->at);
    es_result_free(&w->value);
    es_str_free(&w->printed);
    free(w);
}

static es_result walked(const es_kind *kind, es_walked *w)
{
    es_walked *data = es_alloc(sizeof *data);
    *data = *w;
    *w = (es_walked){0};
    return (es_result){.kind = kind, .data = data};
}

es_result es_result_step(es_walked *w)
{
    static const es_kind kind = {"step", es_show_walked, es_json_of_step, forget_walked};
    return walked(&kind, w);
}

es_result es_result_trace(es_walked *w)
{
    static const es_kind kind = {"trace", es_show_walked, es_json_of_trace, forget_walked};
    w->whole = true;
    return walked(&kind, w);
}

/* ---- where it stands ---- */

static es_standing_line *add_line(es_standing *s)
{
    s->of = es_realloc(s->of, (s->n + 1) * sizeof *s->of);
    s->of[s->n] = (es_standing_line){0};
    return &s->of[s->n++];
}

static void forget_standing(void *data)
{
    es_standing *s = data;
    for (size_t i = 0; i < s->n; i++) {
        es_str_free(&s->of[i].function);
        es_str_free(&s->of[i].text);
    }
    free(s->of);
    free(s);
}

es_result es_result_source(es_interp *in)
{
    static const es_kind kind = {"source", es_show_source, es_json_of_source, forget_standing};
    es_standing *s = es_alloc(sizeof *s);
    es_spot spot;
    es_interp_spot(in, 0, &spot);
    const char *line = spot.unit->source, *end = line + spot.unit->len;
    for (int n = 1; line < end && n <= spot.at->line + AROUND; n++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((newline ? newline : end) - line);
        if (n >= spot.at->line - AROUND) {
            es_standing_line *l = add_line(s);
            l->line = n + (int)spot.before;
            l->here = n == spot.at->line;
            es_str_bytes(&l->text, line, len && line[len - 1] == '\r' ? len - 1 : len);
        }
        line += len + 1;
    }
    return (es_result){.kind = &kind, .data = s};
}

es_result es_result_where(es_interp *in)
{
    static const es_kind kind = {"where", es_show_where, es_json_of_where, forget_standing};
    es_standing *s = es_alloc(sizeof *s);
    es_spot spot;
    for (int up = 0; es_interp_spot(in, up, &spot); up++) {
        es_standing_line *l = add_line(s);
        l->depth = spot.depth;
        l->line = spot.at ? spot.at->line + (int)spot.before : 0;
        es_str_cat(&l->function, spot.function ? spot.function : "");
        if (spot.at)
            es_statement_text(&l->text, spot.unit, spot.at);
    }
    return (es_result){.kind = &kind, .data = s};
}

/* ---- values ---- */

static void forget_values(void *data)
{
    es_seen_values *v = data;
    for (size_t i = 0; i < v->n; i++) {
        es_str_free(&v->name[i]);
        es_str_free(&v->brief[i]);
        es_result_free(&v->of[i]);
    }
    free(v->name);
    free(v->brief);
    free(v->of);
    free(v);
}

static bool has_name(const es_seen_values *v, const char *name, size_t n)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->name[i].len == n && !memcmp(v->name[i].s, name, n))
            return true;
    return false;
}

/* Is all of it in its few words? */
static bool is_brief(const es_value *v)
{
    return v->kind <= ES_V_FLOAT || v->kind == ES_V_SIZE || v->kind == ES_V_DTYPE ||
           v->kind == ES_V_DEVICE;
}

static void add_value(es_seen_values *s, es_interp *in, const char *name, size_t n,
                      const es_value *v)
{
    es_str printed = {0}, memory = {0};
    s->name = es_realloc(s->name, (s->n + 1) * sizeof *s->name);
    s->of = es_realloc(s->of, (s->n + 1) * sizeof *s->of);
    s->brief = es_realloc(s->brief, (s->n + 1) * sizeof *s->brief);
    s->name[s->n] = s->brief[s->n] = (es_str){0};
    if (is_brief(v))
        es_brief_named(&s->brief[s->n], in, name, n, v);
    es_str_bytes(&s->name[s->n], name, n);
    s->of[s->n++] = es_result_value(in, v, &printed, &memory);
}

static void add_values(es_seen_values *s, es_interp *in, const es_unit *unit,
                       const es_mentions *names)
{
    for (int i = 0; i < names->n; i++) {
        es_value v;
        const es_node *seen = es_interp_peek(in, names->of[i], &v);
        if (!seen)
            continue;
        const char *name = unit->source + seen->begin;
        size_t n = seen->end - seen->begin;
        if (v.kind != ES_V_INSTANCE && !has_name(s, name, n))
            add_value(s, in, name, n, &v);
        es_value_unref(&v);
    }
}

es_result es_result_values(es_interp *in, const es_node *ran)
{
    static const es_kind kind = {"values", es_show_seen, es_json_of_seen, forget_values};
    es_seen_values *s = es_alloc(sizeof *s);
    es_spot spot;
    es_mentions names;
    es_interp_spot(in, 0, &spot);
    if (ran) {
        es_mentions_bound(&names, ran);
        add_values(s, in, spot.unit, &names);
    }
    es_mentions_read(&names, spot.at);
    add_values(s, in, spot.unit, &names);
    es_mentions_bound(&names, spot.at);
    add_values(s, in, spot.unit, &names);
    return (es_result){.kind = &kind, .data = s};
}
