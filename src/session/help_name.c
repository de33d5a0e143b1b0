// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/help_name.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/help_own.h"
#include "session/help_word.h"
#include "session/members.h"
#include "session/module_parts.h"
#include "session/numbers.h"
#include "session/results.h"
#include "session/show_value.h"
#include "session/tensor_mode.h"

enum { WIDTH_OF_VALUE = 60 };

typedef struct entry {
    const char *name, *also, *meaning; /* also: names of the same thing, with a space between */
} entry;

static const entry entries[] = {
    {"B", "batch_size", "batch: how many texts at once"},
    {"T", "seq_len", "time: tokens a text"},
    {"C", "d_model n_embd", "channels: numbers a token"},
    {"V", "vocab_size", "vocabulary: rows of wte"},
    {"P", "n_ctx max_seq_len", "positions: rows of wpe, the context window"},
    {"ids", "input_ids", "[B, T], the tokens as numbers"},
    {"positions", "", "[1, T], the places 0 to T-1"},
    {"wte", "token_embeddings", "[V, C], the token table, a row for each id"},
    {"wpe", "position_embeddings", "[P, C], the position table, a row for each place"},
    {"tok_emb", "", "[B, T, C], the rows of wte that ids select: wte(ids)"},
    {"pos_emb", "", "[1, T, C], the rows of wpe for places 0 to T-1: wpe(positions)"},
    {"x", "", "[B, T, C], tok_emb + pos_emb, what the first block receives"},
    {"sel", "", "[N], the ids that :select or a rectangle in the window picked out"},
    {"axes", "", "[K, C], the directions of the picture that is shown, a row for each axis"},
    {"_", "ans", "the value of the last statement"},
};
enum { N_ENTRIES = sizeof entries / sizeof *entries };

/* ---- all of them ---- */

static void meaning(es_str *out, const entry *e)
{
    es_str_cat(out, e->meaning);
    for (const char *other = e->also; *other; other += strspn(other, " ")) {
        size_t n = strcspn(other, " ");
        es_str_add(out, "%s%.*s", other == e->also ? "; also " : ", ", (int)n, other);
        other += n;
    }
}

es_result es_help_names(void)
{
    static const char *const columns[] = {"name", "meaning"};
    static const es_kind kind = {"names", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "names", .align = "lw", .columns = columns};
    for (size_t i = 0; i < N_ENTRIES; i++) {
        es_str text = {0};
        meaning(&text, &entries[i]);
        es_list_add(&l, "%s", entries[i].name);
        es_list_add(&l, "%s", text.s);
        es_str_free(&text);
    }
    return es_result_list(&kind, &l);
}

/* ---- one ---- */

typedef struct about {
    es_str name, meaning, value;
    es_own_help own; /* of a function, class or module of the reader's own */
} about;

static bool is(const char *name, size_t n, const char *other, size_t len)
{
    return n == len && !memcmp(name, other, n);
}

static const entry *entry_of(const char *name, size_t n)
{
    for (size_t i = 0; i < N_ENTRIES; i++) {
        const entry *e = &entries[i];
        if (is(name, n, e->name, strlen(e->name)))
            return e;
        for (const char *other = e->also; *other; other += strspn(other, " ")) {
            size_t len = strcspn(other, " ");
            if (is(name, n, other, len))
                return e;
            other += len;
        }
    }
    return NULL;
}

/* The first line of what the prompt would print. */
static void show_beginning(es_str *out, es_interp *in, const es_value *v)
{
    es_str text = {0}, line = {0};
    es_show_repr_brief(in, &text, v, NULL);
    es_show_prose(&line, es_str_text(&text), strcspn(es_str_text(&text), "\n"));
    es_show_fit(out, es_str_text(&line), line.len, WIDTH_OF_VALUE);
    es_str_free(&text);
    es_str_free(&line);
}

static void show_module(es_str *out, const es_value *v)
{
    es_module_sums sums = es_module_sum(v);
    es_str_add(out, "%s, ", es_value_type_name(v));
    es_show_parameters(out, sums.parameters);
    if (!sums.parameters)
        return;
    es_str_cat(out, ", ");
    es_show_bytes(out, sums.bytes);
}

static void show_now(es_str *out, es_interp *in, const es_value *v)
{
    if (v->kind == ES_V_TENSOR) {
        const es_tensor *t = es_value_as_tensor(v);
        es_shape_show(out, &t->shape);
        es_str_add(out, " %s %s", es_dtype_name(t->dtype), t->buf->be->name);
    } else if (es_is_module(v)) {
        show_module(out, v);
    } else {
        show_beginning(out, in, v);
        es_str_add(out, " (%s)", es_value_type_name(v));
    }
}

static void wrap_lines(es_str *out, const char *lines, int indent, const es_style *style)
{
    for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
        es_str line = {0};
        n = strcspn(lines, "\n");
        es_str_bytes(&line, lines, n);
        es_wrap(out, es_str_text(&line), indent, style);
        es_str_free(&line);
    }
}

/* How it is called, what it says of itself, what is in it, where it stands. */
static void show_own(es_str *out, const es_own_help *h, const es_style *style)
{
    wrap_lines(out, es_str_text(&h->call), 2, style);
    wrap_lines(out, es_str_text(&h->doc), 2, style);
    wrap_lines(out, es_str_text(&h->members), 4, style);
    wrap_lines(out, es_str_text(&h->place), 2, style);
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const about *a = data;
    es_str line = {0};
    (void)err;
    es_wrap(out, a->name.s, 0, style);
    es_wrap(out, a->meaning.s, 2, style);
    if (a->value.len) {
        es_str_add(&line, "now %s", a->value.s);
        es_wrap(out, line.s, 2, style);
    }
    show_own(out, &a->own, style);
    es_str_free(&line);
    return true;
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const about *a = data;
    (void)values;
    (void)err;
    es_json_key_string(j, "name", a->name.s);
    es_json_key_string(j, "meaning", a->meaning.s);
    es_json_key_string(j, "now", a->value.len ? a->value.s : NULL);
    if (!a->own.call.len)
        return true;
    es_json_key_string(j, "signature", a->own.call.s);
    es_json_key_string(j, "members", a->own.members.s);
    es_json_key_string(j, "doc", a->own.doc.s);
    es_json_key_string(j, "place", a->own.place.s);
    return true;
}

static void forget(void *data)
{
    about *a = data;
    es_str_free(&a->name);
    es_str_free(&a->meaning);
    es_str_free(&a->value);
    es_own_help_free(&a->own);
    free(a);
}

/* "your own; del x gives this back: …", of a module where to find what is in it; "" for no name that is explained here. */
static void say_meaning(es_str *out, const char *name, bool own, const es_value *v)
{
    const entry *e = entry_of(name, strlen(name));
    if (own)
        es_str_cat(out, "your own");
    if (own && e)
        es_str_add(out, "; del %s gives this back: ", name);
    if (e)
        meaning(out, e);
    else if (!own && v->kind == ES_V_NAMESPACE && !es_help_word_find(name, strlen(name)))
        es_str_add(out, "a module: Tab behind \"%s.\" lists what is in it", name);
}

/* What stands before dots and indices. */
static size_t first_name(const char *name, size_t n)
{
    size_t first = 0;
    while (first < n && name[first] != '.' && name[first] != '[')
        first++;
    return first;
}

/* Does the name, or the one before its first dot, belong to the reader?  Then what is behind dots does, but
 * for the program's own methods. */
static bool is_own(es_interp *in, const char *name, size_t n, const es_value *v)
{
    size_t first = first_name(name, n);
    return es_interp_has_variable(in, name, first) && !(first < n && v->kind == ES_V_BUILTIN);
}

bool es_help_name(es_session *s, const char *name, size_t n, es_result *out)
{
    static const es_kind kind = {"name", show, json, forget};
    es_interp *in = es_mode_interp(s);
    es_error none = ES_ERROR_NONE; /* there is no text yet: then it holds nothing */
    es_value v = es_none();
    about *a = es_alloc(sizeof *a);
    *a = (about){0};
    es_str_bytes(&a->name, name, n);
    bool dotted = first_name(name, n) < n;
    bool holds =
        dotted ? es_member_chain(in, name, n, &v) : es_interp_lookup(in, name, n, &v, &none);
    bool own = holds && is_own(in, name, n, &v);
    if (!dotted || own)
        say_meaning(&a->meaning, a->name.s, own, &v);
    bool known = a->meaning.len > 0;
    bool described = known && own && es_own_help_of(&a->own, in, &v);
    if (known && holds && v.kind != ES_V_NAMESPACE && (!described || v.kind == ES_V_INSTANCE))
        show_now(&a->value, in, &v);
    es_value_unref(&v);
    es_error_free(&none);
    if (known)
        *out = (es_result){.kind = &kind, .data = a};
    else
        forget(a);
    return known;
}
