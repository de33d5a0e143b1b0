// SPDX-License-Identifier: GPL-3.0-or-later
/* What Tab could mean in a statement: names, members behind a dot, keywords of a call.  Nothing is called to
 * find out. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/signature.h"
#include "session/complete_tensor.h"
#include "session/help_builtin.h"
#include "session/host_names.h"
#include "session/indent.h"
#include "session/members.h"
#include "session/module_parts.h"
#include "session/state.h"

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---- where we are ---- */

/* What is open at the end of a source. */
typedef struct place {
    bool text;     /* in a string or a comment */
    size_t string; /* if in a string: behind its quote; else 0 */
    size_t call;   /* behind the parenthesis of the innermost call; 0: in none */
} place;

/* The quote at s[i] ends where it is found again: one of the same kind, or three. */
static size_t end_of_string(const char *s, size_t i, size_t n)
{
    char quote = s[i];
    bool three = i + 2 < n && s[i + 1] == quote && s[i + 2] == quote;
    for (i += three ? 3 : 1; i < n; i++) {
        if (s[i] == '\\')
            i++;
        else if (s[i] == quote && (!three || (i + 2 < n && s[i + 1] == quote && s[i + 2] == quote)))
            return i + (three ? 3 : 1);
    }
    return n + 1;
}

static place look(const char *s, size_t n)
{
    enum { DEEPEST = 64 };
    size_t open[DEEPEST] = {0};
    int depth = 0;
    for (size_t i = 0; i < n;) {
        if (s[i] == '"' || s[i] == '\'') {
            size_t begin = i + 1;
            i = end_of_string(s, i, n);
            if (i > n)
                return (place){true, begin, depth && depth <= DEEPEST ? open[depth - 1] : 0};
            continue;
        }
        if (s[i] == '#') {
            const char *newline = memchr(s + i, '\n', n - i);
            if (!newline)
                return (place){.text = true};
            i = (size_t)(newline - s);
        }
        if (s[i] && strchr("([{", s[i])) {
            open[depth % DEEPEST] = s[i] == '(' && i && is_name(s[i - 1]) ? i + 1 : 0;
            depth++;
        } else if (s[i] && strchr(")]}", s[i]) && depth) {
            depth--;
        }
        i++;
    }
    return (place){.call = depth && depth <= DEEPEST ? open[depth - 1] : 0};
}

/* ---- candidates ---- */

typedef struct offers {
    es_completion *c;
    const char *typed;
    size_t n_typed;
    bool call; /* the last one is a function */
} offers;

static void offer(offers *o, const char *word, const char *after, bool call)
{
    es_str whole = {0};
    if (strncmp(word, o->typed, o->n_typed) || (word[0] == '_' && !o->n_typed))
        return;
    es_str_add(&whole, "%s%s", word, after);
    for (size_t i = 0; i < o->c->n; i++)
        if (!strcmp(o->c->word[i], whole.s)) {
            es_str_free(&whole);
            return;
        }
    o->c->word = es_realloc(o->c->word, (o->c->n + 1) * sizeof *o->c->word);
    o->c->word[o->c->n++] = es_str_take(&whole);
    o->call = call;
}

static void offer_builtins(offers *o, unsigned where)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    for (size_t i = 0, n = es_builtin_all(all); i < n; i++) {
        const es_builtin *b = all[i];
        if (!es_builtin_is_here(b) || strchr(b->name, '.'))
            continue;
        if (b->where & where)
            offer(o, b->name, "", b->params != NULL);
        if (b->where & where & ES_METHOD && b->where & ES_IN_PLACE)
            offer(o, b->name, "_", true);
    }
}

/* Those of strings, lists and the like. */
static void offer_methods(offers *o, es_value_kind kind)
{
    const es_builtin *b;
    for (size_t i = 0; (b = es_value_method_at(kind, i)); i++)
        offer(o, b->name, "", true);
}

static void offer_words(offers *o, const char *const *words)
{
    for (; *words; words++)
        offer(o, *words, "", false);
}

static bool is_called(const es_value *v)
{
    return v->kind == ES_V_FUNCTION || v->kind == ES_V_BUILTIN || v->kind == ES_V_METHOD ||
           v->kind == ES_V_CLASS || es_is_module(v);
}

static void offer_names(offers *o, es_session *s)
{
    static const char *const words[] = {
        "F",     "False",  "None",  "True",  "and",      "assert", "break", "continue", "def",
        "del",   "elif",   "else",  "for",   "from",     "global", "if",    "import",   "in",
        "is",    "lambda", "math",  "nn",    "nonlocal", "not",    "np",    "or",       "pass",
        "raise", "return", "torch", "while", "with",     NULL};
    es_interp *in = es_mode_interp(s);
    const es_value *v;
    const char *name;
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++)
        offer(o, name, "", is_called(v));
    for (size_t i = 0; (name = es_host_name_at(i)); i++)
        offer(o, name, "", false);
    offer_words(o, words);
    offer_builtins(o, ES_IN_TORCH | ES_IN_F | ES_IN_PLAIN);
}

static void offer_member(void *user, const char *name, const es_value *v)
{
    offer(user, name, "", !v || es_function_in(v));
}

static void offer_members(offers *o, const es_value *v)
{
    static const struct {
        const char *space;
        unsigned where;
        const char *others[8];
    } spaces[] = {
        {"torch", ES_IN_TORCH, {"bool", "float32", "float64", "int32", "int64", "long", "nn"}},
        {"torch.nn", ES_IN_NN, {"functional", "init"}},
        {"torch.nn.init", ES_IN_INIT, {0}},
        {"torch.nn.functional", ES_IN_F, {0}},
        {"math", ES_IN_MATH, {0}},
        {"numpy", ES_IN_NUMPY | ES_IN_MATH | ES_IN_TORCH, {0}},
        {"self", 0, {"position_embeddings", "token_embeddings"}},
    };
    switch (v->kind) {
    case ES_V_TENSOR: offer_builtins(o, ES_METHOD | ES_ATTRIBUTE); break;
    case ES_V_CLASS:
    case ES_V_INSTANCE: es_member_each(v, offer_member, o); break;
    case ES_V_DESCRIPTOR: break; /* what a property gives is not asked */
    case ES_V_NAMESPACE:
        for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
            if (!strcmp(spaces[i].space, v->u.name)) {
                offer_builtins(o, spaces[i].where);
                offer_words(o, spaces[i].others);
            }
        break;
    default: offer_methods(o, v->kind); break;
    }
}

/* What the class that is being typed says of self: what it sets, and its methods. */
static void offer_self(offers *o, const char *s, size_t end)
{
    static const char *const before[] = {"self.", "def "};
    const es_value module = es_value_named(ES_V_TYPE, "torch.nn.Module");
    for (size_t k = 0; k < sizeof before / sizeof *before; k++)
        for (const char *at = s; (at = strstr(at, before[k])) && at < s + end;) {
            at += strlen(before[k]);
            size_t n = 0;
            while (is_name(at[n]))
                n++;
            es_str name = {0};
            es_str_bytes(&name, at, n);
            if (n && at + n < s + end)
                offer(o, name.s, "", k == 1);
            es_str_free(&name);
        }
    es_member_each(&module, offer_member, o);
}

/* How long the link is that ends at s[end]: a letter of a name, a dot, "[12]"; 0: it is none. */
static size_t link_before(const char *s, size_t end)
{
    size_t at = end - 1;
    if (is_name(s[at]) || s[at] == '.')
        return 1;
    if (s[at] != ']')
        return 0;
    while (at && s[at - 1] >= '0' && s[at - 1] <= '9')
        at--;
    return at && at < end - 1 && s[at - 1] == '[' ? end - at + 1 : 0;
}

static size_t chain_begin(const char *s, size_t end)
{
    for (size_t n; end && (n = link_before(s, end)); end -= n)
        continue;
    return end;
}

/* Behind the dot at s[dot]: members of the names before it, or of a tensor where that is a call or an index. */
static void offer_behind(offers *o, es_session *session, const char *s, size_t dot)
{
    es_value v = es_none();
    size_t begin = chain_begin(s, dot);
    bool closed = dot && (s[dot - 1] == ')' || s[dot - 1] == ']');
    if (begin == dot && closed)
        offer_builtins(o, ES_METHOD | ES_ATTRIBUTE);
    if (begin == dot)
        return;
    if (s[begin] >= '0' && s[begin] <= '9')
        return;
    es_str name = {0};
    es_str_bytes(&name, s + begin, dot - begin);
    if (session->statement.source.len && dot - begin == 4 && !memcmp(s + begin, "self", 4))
        offer_self(o, s, dot);
    else if (es_member_chain(es_mode_interp(session), s + begin, dot - begin, &v))
        offer_members(o, &v);
    else if (closed || es_host_name_of_text(name.s)) /* there is no text yet */
        offer_builtins(o, ES_METHOD | ES_ATTRIBUTE);
    es_value_unref(&v);
    es_str_free(&name);
}

static void offer_keywords_of(offers *o, const es_builtin *b)
{
    for (const char *p = es_builtin_params(b); *p; p += strspn(p, ", ")) {
        size_t n = strcspn(p, ",="), all = strcspn(p, ",");
        es_str name = {0};
        es_str_bytes(&name, p, n);
        if (n && p[0] != '*')
            offer(o, name.s, "=", false);
        es_str_free(&name);
        p += all;
    }
}

/* Of the reader's own, a class by its __init__ and a module by its forward; false: it is none. */
static bool offer_own_keywords(offers *o, es_interp *in, const char *name, size_t n)
{
    es_value v = es_none(), called = es_none();
    bool found = es_member_chain(in, name, n, &v);
    const char *method = v.kind == ES_V_CLASS ? "__init__" : es_is_module(&v) ? "forward" : NULL;
    if (found && method)
        es_member_of(in, &v, method, strlen(method), &called);
    const es_function *f = found ? es_function_in(method ? &called : &v) : NULL;
    bool bound = method || v.kind == ES_V_METHOD;
    for (int i = bound; f && i < f->def->kid[0]->n_kids; i++) {
        const es_node *p = f->def->kid[0]->kid[i];
        if (p->text && !p->i)
            offer(o, p->text, "=", false);
    }
    es_value_unref(&called);
    es_value_unref(&v);
    return f != NULL;
}

/* "dim=" for the call whose parenthesis is at s[call - 1]. */
static void offer_keywords(offers *o, es_interp *in, const char *s, size_t call)
{
    size_t end = call - 1, begin = end, chain;
    const es_builtin *known[ES_MOST_BUILTINS];
    while (begin && is_name(s[begin - 1]))
        begin--;
    for (chain = begin; chain && (is_name(s[chain - 1]) || s[chain - 1] == '.');)
        chain--;
    if (offer_own_keywords(o, in, s + chain, end - chain))
        return;
    for (size_t i = 0, n_known = es_builtin_all(known); i < n_known; i++) {
        const es_builtin *b = known[i];
        if (strlen(b->name) == end - begin && !memcmp(b->name, s + begin, end - begin) && b->params)
            offer_keywords_of(o, b);
    }
}

/* ---- indentation ---- */

static void offer_indentation(es_completion *c, const char *lines, size_t n, size_t columns)
{
    es_str spaces = {0};
    es_str_fill(&spaces, ' ', es_indent_more(lines, n, columns));
    c->word = es_realloc(c->word, sizeof *c->word);
    c->word[c->n++] = es_str_take(&spaces);
}

/* ---- paths ---- */

static bool is_word(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(s, word, n);
}

/* Is the string that is open in s a path?  The first of load, fromfile and np.save, the second of save. */
static bool is_path(const char *s, const place *at)
{
    if (!at->string || !at->call)
        return false;
    size_t end = at->call - 1, begin = end, quote = at->string - 1;
    while (begin && is_name(s[begin - 1]))
        begin--;
    const char *name = s + begin;
    bool first = strspn(s + at->call, " ") == quote - at->call;
    bool numpys = begin > 2 && !memcmp(name - 3, "np.", 3);
    if (is_word(name, end - begin, "save"))
        return numpys ? first : !first && memchr(s + at->call, ',', quote - at->call);
    return first && (is_word(name, end - begin, "load") || is_word(name, end - begin, "fromfile"));
}

/* The path that is typed from line[from] on.  A single quote is none to whoever reads the line. */
static void complete_path(es_completion *c, const char *line, size_t from, size_t point)
{
    c->begin = from;
    c->quoted = line[from - 1] == '"';
    es_complete_files(c, line, point);
    c->tight = !c->open;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

es_completion es_complete_statement(es_session *s, const char *line, size_t begin, size_t point)
{
    es_completion c = {.begin = point, .open = true};
    const es_statement *st = &s->statement;
    es_str source = {0};
    if (st->source.len && es_is_blank(line + begin, point - begin)) {
        offer_indentation(&c, st->source.s, st->source.len, point - begin);
        return c;
    }
    if (st->source.len)
        es_str_add(&source, "%s\n", st->source.s + st->begin);
    es_str_bytes(&source, line + begin, point - begin);
    const char *text = es_str_text(&source);
    size_t end = source.len, word = end;
    while (word && is_name(text[word - 1]))
        word--;
    place at = look(text, end);
    offers o = {&c, text + word, end - word, false};
    c.begin = point - (end - word);
    if (is_path(text, &at) && end - at.string <= point - begin) {
        complete_path(&c, line, point - (end - at.string), point);
    } else if (!at.text && word && text[word - 1] == '.') {
        offer_behind(&o, s, text, word - 1);
    } else if (!at.text) {
        if (at.call)
            offer_keywords(&o, es_mode_interp(s), text, at.call);
        if (end > word && (text[word] < '0' || text[word] > '9'))
            offer_names(&o, s);
    }
    c.call = c.n == 1 && o.call;
    if (c.n)
        qsort(c.word, c.n, sizeof *c.word, by_name);
    es_str_free(&source);
    return c;
}
