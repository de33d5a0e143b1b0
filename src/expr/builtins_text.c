// SPDX-License-Identifier: GPL-3.0-or-later
/* Values as text, characters, and how many of them. */
#include "base/utf8.h"
#include "expr/format.h"
#include "expr/protocols.h"

/* ---- printing ---- */

/* sep and end: a string, or None for what is usual. */
static bool read_text(es_args *a, int i, const char *usual, const char **s, size_t *n,
                      es_error *err)
{
    *s = usual;
    *n = strlen(usual);
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_wrong(a, i, "None or a string", err);
    *s = es_value_as_str(&a->v[i])->bytes;
    *n = es_value_as_str(&a->v[i])->n;
    return true;
}

static bool run_print(es_args *a, es_value *out, es_error *err)
{
    const char *sep, *end;
    size_t n_sep, n_end;
    (void)out;
    if (!read_text(a, 1, " ", &sep, &n_sep, err) || !read_text(a, 2, "\n", &end, &n_end, err))
        return false;
    es_str text = {0};
    bool ok = true;
    for (int64_t i = 0; ok && i < a->n_rest; i++) {
        es_str_bytes(&text, sep, i ? n_sep : 0);
        ok = es_value_str_of(a->in, &text, &a->rest[i], err);
    }
    es_str_bytes(&text, end, n_end);
    const es_interp_host *host = es_interp_host_of(a->in);
    if (ok && host->print)
        host->print(host->user, es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}

static bool give_text(es_value *out, es_str *text, bool made)
{
    if (made)
        *out = es_value_str(es_str_text(text), text->len);
    es_str_free(text);
    return made;
}

static bool run_str(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_value_str("", 0));
    return give_text(out, &text, es_value_str_of(a->in, &text, &a->v[0], err));
}

static bool run_repr(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    return give_text(out, &text, es_value_repr(a->in, &text, &a->v[0], err));
}

static bool run_format(es_args *a, es_value *out, es_error *err)
{
    es_str text = {0};
    const char *spec;
    size_t n;
    return read_text(a, 1, "", &spec, &n, err) &&
           give_text(out, &text, es_value_format(a->in, &text, &a->v[0], spec, n, err));
}

/* hex(255), bin(5), oct(8): the entry's first letter says which. */
static bool run_based(es_args *a, es_value *out, es_error *err)
{
    int64_t i;
    es_str text = {0};
    if (!es_arg_int64(a, 0, &i, err))
        return false;
    const char spec[] = {'#', a->of->name[0] == 'h' ? 'x' : a->of->name[0]};
    es_value v = es_value_int(i);
    return give_text(out, &text, es_value_format(a->in, &text, &v, spec, 2, err));
}

static bool run_chr(es_args *a, es_value *out, es_error *err)
{
    int64_t i;
    char s[4];
    if (!es_arg_int64(a, 0, &i, err))
        return false;
    if (i < 0 || i > 0x10ffff || (i >= 0xd800 && i < 0xe000)) {
        es_fail(err, ES_ERR_VALUE, "chr() arg not in range(0x110000)");
        return es_arg_blame(a, 0, err);
    }
    return es_answer(out, es_value_str(s, (size_t)es_utf8_put(s, (uint32_t)i)));
}

static bool run_ord(es_args *a, es_value *out, es_error *err)
{
    uint32_t cp;
    if (a->v[0].kind != ES_V_STR)
        return es_arg_wrong(a, 0, "a character", err);
    const es_str_object *s = es_value_as_str(&a->v[0]);
    if (!s->n || es_utf8_next(s->bytes, s->n, &cp) != (int)s->n) {
        es_fail(err, ES_ERR_TYPE, "ord() expects one character");
        return es_arg_blame(a, 0, err);
    }
    return es_answer(out, es_value_int(cp));
}

/* ---- how many ---- */

static int64_t characters(const es_str_object *s)
{
    int64_t count = 0;
    uint32_t cp;
    for (size_t i = 0; i < s->n; count++) {
        int size = es_utf8_next(s->bytes + i, s->n - i, &cp);
        i += size ? (size_t)size : 1;
    }
    return count;
}

static bool count_of_range(const es_range *r, es_value *out, es_error *err)
{
    int64_t n = es_range_count(r);
    if (n < INT64_MAX)
        return es_answer(out, es_value_int(n));
    es_fail(err, ES_ERR_RANGE, "this range is longer than 64 bits can say");
    return es_torch_says(err, "OverflowError: Python int too large to convert to C ssize_t");
}

static bool run_len(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    int64_t n;
    int asked = es_object_len(a->in, v, &n, err);
    if (asked)
        return asked > 0 && es_answer(out, es_value_int(n));
    switch (v->kind) {
    case ES_V_STR: return es_answer(out, es_value_int(characters(es_value_as_str(v))));
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST: return es_answer(out, es_value_int(es_value_items(v)->n));
    case ES_V_DICT: return es_answer(out, es_value_int(es_value_items(v)->n / 2));
    case ES_V_RANGE: return count_of_range((const es_range *)v->u.o, out, err);
    case ES_V_TENSOR: break;
    default:
        es_fail(err, ES_ERR_TYPE, "object of type '%s' has no len()", es_value_type_name(v));
        return es_arg_blame(a, 0, err);
    }
    if (es_value_as_tensor(v)->shape.ndim)
        return es_answer(out, es_value_size_of(es_value_as_tensor(v), 0));
    es_fail(err, ES_ERR_TYPE, "a tensor of rank 0, a single number, has no length");
    es_torch_says(err, "len() of a 0-d tensor");
    return es_arg_blame(a, 0, err);
}

const es_builtin es_builtins_text[] = {
    {"bin", ES_IN_PLAIN, "x", "an integer in the digits 0 and 1", "a string", NULL, "bin(10)",
     run_based},
    {"chr", ES_IN_PLAIN, "i", "the character of a code point", "a string", NULL, "chr(960)",
     run_chr},
    {"format", ES_IN_PLAIN, "value, spec=\"\"", "a value as an f-string writes it", "a string",
     NULL, "format(3.14159, \".2f\")", run_format},
    {"hex", ES_IN_PLAIN, "x", "an integer in base 16", "a string", NULL, "hex(50257)", run_based},
    {"len", ES_IN_PLAIN, "obj", "how many there are in it", "an int; of a tensor its first size",
     NULL, "len(torch.zeros(2, 3))", run_len},
    {"oct", ES_IN_PLAIN, "x", "an integer in base 8", "a string", NULL, "oct(8)", run_based},
    {"ord", ES_IN_PLAIN, "c", "the code point of a character", "an int", NULL, "ord(\"a\")",
     run_ord},
    {"print", ES_IN_PLAIN, "*objects, sep=\" \", end=\"\\n\", file=None, flush=False",
     "writes values, one after another", "None", NULL, "print(\"T =\", 3)", run_print},
    {"repr", ES_IN_PLAIN, "obj", "a value as the prompt shows it", "a string", NULL,
     "repr(\"a\\n\")", run_repr},
    {"str", ES_IN_PLAIN, "object=\"\"", "a value as print writes it", "a string", NULL,
     "str(torch.arange(3))", run_str},
    {.name = NULL},
};
