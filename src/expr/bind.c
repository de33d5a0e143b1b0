// SPDX-License-Identifier: GPL-3.0-or-later
/* Arguments to parameters. */
#include <assert.h>
#include <inttypes.h>

#include "base/guess.h"
#include "base/visible.h"
#include "expr/interp.h"

/* What es_builtin.params says beside the names, which go to es_args. */
typedef struct signature {
    bool optional[ES_MOST_ARGS];
    int n_places; /* so many parameters may come by place */
    bool any_name;
} signature;

/* The end of a parameter: the comma that is in no parentheses and no quotes. */
static const char *end_of(const char *s)
{
    int depth = 0;
    char quote = 0;
    for (; *s && (*s != ',' || depth || quote); s++) {
        if (quote)
            quote = *s == quote ? 0 : quote;
        else if (*s == '"' || *s == '\'')
            quote = *s;
        else
            depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    }
    return s;
}

/* One parameter, without its stars. */
static void read_param(es_args *a, signature *sig, const char *s, const char *end, bool star)
{
    assert(a->n < ES_MOST_ARGS);
    int n = (int)strcspn(s, "=, ");
    a->param[a->n].s = s;
    a->param[a->n].n = n;
    if (star)
        a->tail = a->n;
    /* print() is a call; torch.zeros() is none, though torch.zeros(()) is */
    sig->optional[a->n++] =
        star ? es_builtin_is_python(a->of) : memchr(s, '=', (size_t)(end - s)) != NULL;
}

static void read_signature(es_args *a, signature *sig)
{
    *sig = (signature){.n_places = -1};
    a->n = 0;
    a->tail = -1;
    for (const char *s = a->of->params, *end; *s; s = *end ? end + 1 : end) {
        s += strspn(s, " ");
        end = end_of(s);
        bool star = *s == '*';
        if (star && sig->n_places < 0)
            sig->n_places = a->n;
        s += star;
        if (star && *s == '*')
            sig->any_name = true;
        else if (s < end) /* else it is the bare * */
            read_param(a, sig, s, end, star);
    }
    if (sig->n_places < 0)
        sig->n_places = a->n;
}

/* ---- which parameter a name means ---- */

static int param_called(const es_args *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (!strncmp(a->param[i].s, name, (size_t)a->param[i].n) && !name[a->param[i].n])
            return i;
    return -1;
}

static int find_param(const es_args *a, const char *name)
{
    static const struct {
        const char *also, *name;
    } aliases[] = {
        /* NumPy's names, which PyTorch takes as well */
        {"axis", "dim"},   {"keepdims", "keepdim"}, {"x", "input"},
        {"self", "input"}, {"axes", "dims"},
    };
    int found = param_called(a, name);
    for (size_t k = 0; found < 0 && k < sizeof aliases / sizeof *aliases; k++)
        if (!strcmp(aliases[k].also, name))
            found = param_called(a, aliases[k].name);
    return found;
}

static void suggest(const es_args *a, const char *name, es_error *err)
{
    int best = -1, least = es_slip(strlen(name));
    for (int i = 0; i < a->n; i++) {
        int d = es_distance(name, strlen(name), a->param[i].s, (size_t)a->param[i].n, least);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    if (best >= 0)
        es_hint(err, "did you mean %.*s?", a->param[best].n, a->param[best].s);
}

/* ---- a call that does not fit ---- */

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

/* What stands behind the name of a class in what Python says of its __init__. */
static const char *init_of(const es_builtin *b)
{
    return b->where & ES_CLASS ? ".__init__" : "";
}

static bool show_params(const es_builtin *b, es_error *err)
{
    return es_hint(err, "it is called as %s(%s)", b->name, es_builtin_params(b));
}

static bool fail_many(const es_args *a, const signature *sig, int64_t n, es_error *err)
{
    bool of_module = a->method && a->of->where & ES_IN_NN; /* Python counts self */
    int skipped = of_module ? 0 : a->method;
    int most = sig->n_places - skipped, least = 0;
    n += of_module;
    for (int i = skipped; i < sig->n_places; i++)
        least += !sig->optional[i];
    es_str takes = {0};
    if (least < most && of_module)
        es_str_add(&takes, "from %d to ", least);
    else if (least < most)
        es_str_cat(&takes, "at most ");
    es_fail(err, ES_ERR_TYPE, "%s%s() takes %s%d positional argument%s but %" PRId64 " %s given",
            a->of->name, init_of(a->of), es_str_text(&takes), most, plural(most), n,
            n == 1 ? "was" : "were");
    es_str_free(&takes);
    return show_params(a->of, err);
}

static bool fail_name(const es_args *a, const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, strlen(name));
    es_fail(err, ES_ERR_TYPE, "%s%s() got an unexpected keyword argument '%s'", a->of->name,
            init_of(a->of), es_str_text(&shown));
    es_str_free(&shown);
    suggest(a, name, err);
    const es_builtin *other = es_builtin_find(a->of->name, strlen(a->of->name), ES_IN_TORCH);
    if (other && other != a->of && es_builtin_is_python(a->of))
        es_hint(err, "%s() alone is Python's; PyTorch's is torch.%s(%s)", a->of->name, other->name,
                other->params ? other->params : "");
    return show_params(a->of, err);
}

static bool fail_twice(const es_args *a, int i, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "%s%s() got multiple values for argument '%.*s'", a->of->name,
            init_of(a->of), a->param[i].n, a->param[i].s);
    return show_params(a->of, err);
}

static bool fail_missing(const es_args *a, const signature *sig, es_error *err)
{
    es_str names = {0};
    int n = 0;
    for (int i = 0; i < a->n; i++)
        if (a->v[i].kind == ES_V_KINDS && !sig->optional[i])
            es_str_add(&names, "%s'%.*s'", n++ ? ", " : "", a->param[i].n, a->param[i].s);
    es_fail(err, ES_ERR_TYPE, "%s%s() missing %d required positional argument%s: %s", a->of->name,
            init_of(a->of), n, plural(n), es_str_text(&names));
    if (!es_builtin_is_python(a->of)) {
        for (char *c = names.s; c && *c; c++)
            *c = *c == '\'' ? '"' : *c;
        es_torch_says(err, "%s() missing %d required positional arguments: %s", a->of->name, n,
                      es_str_text(&names));
    }
    es_str_free(&names);
    return show_params(a->of, err);
}

/* ---- binding ---- */

static bool blame(const es_node *node, es_error *err)
{
    return node ? es_error_locate(err, node->begin, node->end) : false;
}

static void set(es_args *a, int i, const es_value *v, const es_node *node)
{
    a->v[i] = *v;
    a->node[i] = node;
}

/* The tail from the values left over, or from the one list they are. */
static void set_tail(es_args *a, const es_value *of, int64_t n, const es_node *const *nodes)
{
    bool unpack = n == 1 && es_value_is_sequence(of) && !es_builtin_is_python(a->of);
    a->rest = unpack ? es_value_items(of)->of : of;
    a->n_rest = unpack ? es_value_items(of)->n : n;
    a->rest_node = unpack ? NULL : nodes;
}

static bool bind_places(es_args *a, const signature *sig, const es_node *const *nodes,
                        es_error *err)
{
    int64_t n = 0;
    while (n < a->n_given && !(a->names && a->names[n]))
        n++;
    int next = a->method;
    int64_t i = 0;
    for (; i < n && next < sig->n_places; i++, next++)
        set(a, next, &a->given[i], nodes ? nodes[i] : NULL);
    a->by_place = next;
    if (i < n && a->tail < 0) {
        fail_many(a, sig, n, err);
        return blame(nodes ? nodes[i] : NULL, err);
    }
    if (i < n) {
        set(a, a->tail, &a->given[i], nodes ? nodes[i] : NULL);
        set_tail(a, a->given + i, n - i, nodes ? nodes + i : NULL);
    }
    return true;
}

static bool bind_name(es_args *a, const signature *sig, int64_t at, const es_node *node,
                      es_error *err)
{
    const char *name = a->names[at];
    int i = find_param(a, name);
    if (i < 0 && sig->any_name)
        return true;
    if (i < 0)
        fail_name(a, name, err);
    else if (a->v[i].kind != ES_V_KINDS)
        fail_twice(a, i, err);
    else {
        set(a, i, &a->given[at], node);
        if (i == a->tail)
            set_tail(a, &a->given[at], 1, NULL);
        return true;
    }
    return blame(node, err);
}

static bool bind(es_args *a, const es_value *self, const es_node *const *nodes, es_error *err)
{
    signature sig;
    read_signature(a, &sig);
    for (int i = 0; i < ES_MOST_ARGS; i++)
        a->v[i].kind = ES_V_KINDS;
    if (self)
        a->v[0] = *self;
    if (!bind_places(a, &sig, nodes, err))
        return false;
    for (int64_t i = 0; a->names && i < a->n_given; i++)
        if (a->names[i] && !bind_name(a, &sig, i, nodes ? nodes[i] : NULL, err))
            return false;
    for (int i = 0; i < a->n; i++)
        if (a->v[i].kind == ES_V_KINDS && !sig.optional[i])
            return fail_missing(a, &sig, err);
    return true;
}

bool es_builtin_call(es_interp *in, const es_builtin *b, const es_value *self, const es_value *args,
                     int64_t n, const char *const *names, const es_node *const *nodes,
                     es_value *out, es_error *err)
{
    es_args a = {.in = in, .k = es_interp_torch(in), .of = b, .given = args, .n_given = n};
    *out = es_none();
    a.names = names;
    a.method = self != NULL;
    if (b->params) {
        if (!bind(&a, self, nodes, err))
            return false;
    } else if (self) {
        a.v[0] = *self;
        a.n = 1;
        a.param[0].s = "input";
        a.param[0].n = 5;
    }
    if (b->run(&a, out, err))
        return true;
    es_value_unref(out);
    return false;
}
