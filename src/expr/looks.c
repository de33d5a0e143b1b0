// SPDX-License-Identifier: GPL-3.0-or-later
/* Is a line of text Python that was meant for the tensor mode?  Only if it parses, and has something that prose
 * does not have: prose that parses is short, and its words are nobody's functions. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/blank.h"
#include "expr/parse.h"
#include "expr/parser.h"

static const char *const modules[] = {"torch", "nn", "F", "np", "numpy", "math", "self"};
static const char *const packages[] = {"torch",    "numpy",        "math",
                                       "tiktoken", "transformers", "matplotlib"};
static const char *const functions[] = {"print",
                                        "wte",
                                        "wpe",
                                        "encode",
                                        "decode",
                                        "len",
                                        "range",
                                        "zip",
                                        "tensor",
                                        "arange",
                                        "zeros",
                                        "ones",
                                        "cat",
                                        "stack",
                                        "softmax",
                                        "one_hot",
                                        "token_embeddings",
                                        "position_embeddings"};
static const char *const values[] = {"ids",     "input_ids", "positions", "tok_emb", "pos_emb",
                                     "weight",  "wte",       "wpe",       "logits",  "batch_size",
                                     "seq_len", "d_model",   "T",         "shape"};
static const char *const attributes[] = {"shape", "dtype", "device", "T", "mT", "weight", "ndim"};
static const char *const methods[] = {
    "size",   "view",   "reshape",    "unsqueeze",     "squeeze", "transpose", "permute",
    "expand", "sum",    "mean",       "float",         "long",    "item",      "tolist",
    "numel",  "argmax", "topk",       "softmax",       "norm",    "flatten",   "repeat",
    "to",     "dim",    "contiguous", "num_embeddings"};

typedef struct line {
    const es_parser *p;
    const es_token *first, *end;
} line;

#define IN(l, t, table) is_one_of((l), (t), table, sizeof(table) / sizeof *(table))

static bool is_one_of(const line *l, const es_token *t, const char *const *table, size_t n)
{
    size_t len = t->end - t->begin;
    const char *s = l->p->lexer.source + t->begin;
    for (size_t i = 0; t->kind == ES_T_NAME && i < n; i++)
        if (strlen(table[i]) == len && !memcmp(table[i], s, len))
            return true;
    return false;
}

/* Is the next word that mark, without a blank between? */
static bool touches(const es_token *t, es_token_kind kind)
{
    return t[1].kind == kind && t[1].begin == t->end;
}

/* ---- what prose does not have ---- */

/* torch.arange(, nn.Linear(, torch.float32 */
static bool of_module(const line *l, const es_token *t)
{
    if (!IN(l, t, modules) || !touches(t, ES_T_DOT) || t[2].kind != ES_T_NAME)
        return false;
    size_t n = t->end - t->begin;
    return n > 2 || touches(t + 2, ES_T_LPAREN) || touches(t + 2, ES_T_DOT);
}

/* wte(ids */
static bool calls_function(const line *l, const es_token *t)
{
    return IN(l, t, functions) && touches(t, ES_T_LPAREN);
}

/* x.shape, x.view( */
static bool has_attribute(const line *l, const es_token *t)
{
    if (t == l->first || t[-1].kind != ES_T_DOT || t[-1].end != t->begin || t - 1 == l->first)
        return false;
    return IN(l, t, attributes) || (IN(l, t, methods) && touches(t, ES_T_LPAREN));
}

/* ids[0], a[1:3] */
static bool has_subscript(const line *l, const es_token *t)
{
    if (t->kind != ES_T_NAME || !touches(t, ES_T_LSQUARE))
        return false;
    bool known = IN(l, t, values) || t->end - t->begin == 1;
    for (const es_token *in = t + 2; !known && in < l->end && in->kind != ES_T_RSQUARE; in++)
        known = in->kind == ES_T_COLON;
    return known;
}

static bool is_operand(const line *l, const es_token *t)
{
    bool bracket = t->kind == ES_T_RPAREN || t->kind == ES_T_RSQUARE || t->kind == ES_T_LPAREN;
    return bracket || t->end - t->begin <= 2 || IN(l, t, values) || IN(l, t, modules);
}

/* a @ b, but not me@x.org */
static bool multiplies(const line *l, const es_token *t)
{
    bool apart = t > l->first && t[-1].end < t->begin && t[1].begin > t->end;
    return t->kind == ES_T_AT && apart && is_operand(l, t - 1) && is_operand(l, t + 1);
}

static bool changes(const line *l, const es_token *t)
{
    (void)l;
    return t->kind >= ES_T_PLUS_IS && t->kind < ES_T_KINDS;
}

/* name = … f( …, name = [1, 2] */
static bool assigns(const line *l, const es_token *t)
{
    if (t->kind != ES_T_ASSIGN || t == l->first || l->first->kind != ES_T_NAME)
        return false;
    for (const es_token *in = t + 1; in < l->end; in++)
        if (in->kind == ES_T_NAME && (touches(in, ES_T_LPAREN) || touches(in, ES_T_LSQUARE)))
            return true;
    return t[1].kind == ES_T_LSQUARE;
}

static bool imports(const line *l, const es_token *t)
{
    return (t->kind == ES_T_IMPORT || t->kind == ES_T_FROM) && t == l->first &&
           IN(l, t + 1, packages);
}

/* def f(, class X( */
static bool defines(const line *l, const es_token *t)
{
    return (t->kind == ES_T_DEF || t->kind == ES_T_CLASS) && t == l->first &&
           t[1].kind == ES_T_NAME && touches(t + 1, ES_T_LPAREN);
}

/* for i in …:, for word in f(…): */
static bool loops(const line *l, const es_token *t)
{
    if (t->kind != ES_T_FOR || t != l->first || l->end[-1].kind != ES_T_COLON)
        return false;
    bool brief = t[1].end - t[1].begin <= 2;
    for (const es_token *in = t; in < l->end; in++)
        brief = brief || in->kind == ES_T_LPAREN || in->kind == ES_T_LSQUARE || IN(l, in, values);
    return brief;
}

/* ids and nothing else, as one looks at a value; x alone is a text that is tried. */
static bool looks_at(const line *l, const es_token *t)
{
    static const char *const names[] = {"ids", "input_ids", "wte", "wpe", "tok_emb", "pos_emb"};
    return t == l->first && t + 1 == l->end && IN(l, t, names);
}

static bool has_evidence(const line *l)
{
    static bool (*const evidence[])(const line *, const es_token *) = {
        of_module, calls_function, has_attribute, has_subscript, multiplies, changes,
        assigns,   imports,        defines,       loops,         looks_at,
    };
    for (const es_token *t = l->first; t < l->end; t++)
        for (size_t i = 0; i < sizeof evidence / sizeof *evidence; i++)
            if (evidence[i](l, t))
                return true;
    return false;
}

bool es_looks_like_python(const char *text, size_t len)
{
    if (len > ES_MOST_LINE || es_prompt_of(text, len) == ES_PROMPT_PYTHON)
        return len <= ES_MOST_LINE;
    es_parser p = {0};
    es_lex_begin(&p.lexer, text, len);
    es_parser_read(&p);
    line l = {.p = &p, .first = p.token, .end = p.token + p.n_tokens - 1};
    while (l.end > l.first && l.end[-1].kind < ES_T_COMMENT)
        l.end--;
    bool looks = has_evidence(&l) && es_parser_may_go_on(text, len);
    es_parser_end(&p);
    return looks;
}
