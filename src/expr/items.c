// SPDX-License-Identifier: GPL-3.0-or-later
/* Items of lists, tuples, strings, ranges and dicts, by their subscript. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/protocols.h"
#include "expr/slips.h"

/* ---- sequences ---- */

static const char *called(const es_value *v)
{
    return v->kind == ES_V_SIZE ? "tuple" : v->kind == ES_V_STR ? "string" : es_value_type_name(v);
}

static bool fail_range(const es_value *v, int64_t i, int64_t n, es_error *err)
{
    const char *name = v->kind == ES_V_SIZE ? "torch.Size" : called(v);
    if (n)
        es_fail(err, ES_ERR_INDEX_RANGE,
                "index %" PRId64 " is outside this %s of %" PRId64 ": 0 to %" PRId64, i, name, n,
                n - 1);
    else
        es_fail(err, ES_ERR_INDEX_RANGE, "index %" PRId64 " is outside this %s, which is empty", i,
                name);
    return es_torch_says(err, "%s%s index out of range", called(v),
                         v->kind == ES_V_RANGE ? " object" : "");
}

static bool fail_index(const es_value *v, const es_value *sub, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "%s indices must be integers or slices, not %s", called(v),
            es_value_type_name(sub));
    es_advise_whole(sub, err);
    return false;
}

/* 0 <= *i < n from what stands in the brackets. */
static bool position(es_interp *in, const es_value *v, const es_value *sub, int64_t n, int64_t *i,
                     es_error *err)
{
    bool has;
    int64_t typed = 0;
    if (sub->kind != ES_V_BOOL && sub->kind != ES_V_INT && sub->kind != ES_V_TENSOR)
        return fail_index(v, sub, err);
    if (!es_slice_bound(in, sub, &typed, &has, err))
        return false;
    if (typed < -n || typed >= n)
        return fail_range(v, typed, n, err);
    *i = typed < 0 ? typed + n : typed;
    return true;
}

/* Python's bounds of a slice: first, one step after another, so many. */
typedef struct cut {
    int64_t first, step, count;
} cut;

static int64_t clamp(int64_t i, int64_t low, int64_t high)
{
    return i < low ? low : i > high ? high : i;
}

static bool read_cut(es_interp *in, const es_value *sub, int64_t n, cut *c, es_error *err)
{
    es_sub s;
    if (!es_slice_read(in, sub, &s, err))
        return false;
    c->step = s.has.step ? s.step : 1;
    if (c->step == 0)
        return es_fail(err, ES_ERR_SLICE, "slice step cannot be zero");
    if (c->step == INT64_MIN)
        c->step++;
    bool down = c->step < 0;
    int64_t low = down ? -1 : 0, high = down ? n - 1 : n;
    int64_t begin = s.has.begin ? (s.begin < 0 ? s.begin + n : s.begin) : down ? high : low;
    int64_t end = s.has.end ? (s.end < 0 ? s.end + n : s.end) : down ? low : high;
    begin = clamp(begin, low, high);
    end = clamp(end, low, high);
    int64_t span = down ? begin - end : end - begin, step = down ? -c->step : c->step;
    c->first = begin;
    c->count = span > 0 ? (span - 1) / step + 1 : 0;
    return true;
}

static bool cut_items(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                      es_error *err)
{
    const es_items *items = es_value_items(v);
    cut c;
    if (!read_cut(in, sub, items->n, &c, err))
        return false;
    *out = es_value_list(&in->containers);
    es_items *taken = es_value_items(out);
    if (!es_items_room(taken, (double)c.count, err)) {
        es_value_unref(out);
        return false;
    }
    for (int64_t k = 0; k < c.count; k++)
        taken->of[taken->n++] = es_value_ref(&items->of[c.first + k * c.step]);
    if (v->kind != ES_V_LIST)
        es_list_to_tuple(out, v->kind);
    return true;
}

static bool index_items(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                        es_error *err)
{
    int64_t i;
    if (sub->kind == ES_V_SLICE)
        return cut_items(in, v, sub, out, err);
    if (!position(in, v, sub, es_value_items(v)->n, &i, err))
        return false;
    *out = es_value_ref(&es_value_items(v)->of[i]);
    return true;
}

/* Where each character of a string begins, and where the last ends. */
static size_t *char_starts(const es_str_object *s, int64_t *n)
{
    size_t *start = es_alloc_array(s->n + 1, sizeof *start);
    *n = 0;
    for (size_t at = 0; at < s->n; at += (size_t)es_char_at(s->bytes + at, s->n - at))
        start[(*n)++] = at;
    start[*n] = s->n;
    return start;
}

static bool index_string(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                         es_error *err)
{
    const es_str_object *s = es_value_as_str(v);
    int64_t n;
    size_t *start = char_starts(s, &n);
    cut c = {.step = 1, .count = 1};
    bool ok = sub->kind == ES_V_SLICE ? read_cut(in, sub, n, &c, err)
                                      : position(in, v, sub, n, &c.first, err);
    es_str taken = {0};
    for (int64_t k = 0; ok && k < c.count; k++) {
        int64_t i = c.first + k * c.step;
        es_str_bytes(&taken, s->bytes + start[i], start[i + 1] - start[i]);
    }
    if (ok)
        *out = es_value_str(es_str_text(&taken), taken.len);
    es_str_free(&taken);
    free(start);
    return ok;
}

static bool index_range(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                        es_error *err)
{
    const es_range *r = (const es_range *)v->u.o;
    int64_t n = es_range_count(r);
    cut c = {.step = 1, .count = 1};
    bool slice = sub->kind == ES_V_SLICE;
    if (slice ? !read_cut(in, sub, n, &c, err) : !position(in, v, sub, n, &c.first, err))
        return false;
    uint64_t start = (uint64_t)r->start.u.i, step = (uint64_t)r->step.u.i;
    es_value first = es_value_int((int64_t)(start + (uint64_t)c.first * step));
    if (!slice) {
        *out = first;
        return true;
    }
    uint64_t stride = step * (uint64_t)c.step;
    es_value by = es_value_int((int64_t)stride);
    es_value stop = es_value_int((int64_t)((uint64_t)first.u.i + (uint64_t)c.count * stride));
    *out = es_value_range(&first, &stop, &by);
    return true;
}

/* ---- dicts ---- */

bool es_fail_key(es_interp *in, const es_value *key, es_error *err)
{
    if (err->code != ES_OK)
        return false;
    es_str text = {0}, shown = {0};
    if (!es_value_repr(in, &text, key, err)) {
        es_str_free(&text);
        return false;
    }
    es_show_prose(&shown, es_str_text(&text), text.len < 60 ? text.len : 60);
    es_value_unref(&in->raised);
    in->raised = es_value_exception("KeyError", key); /* e.args has the key itself */
    es_fail(err, ES_ERR_NAME, "the dict has no key %s", es_str_text(&shown));
    es_torch_says(err, "KeyError: %s", es_str_text(&shown));
    es_str_free(&shown);
    es_str_free(&text);
    return false;
}

static bool index_dict(es_interp *in, const es_value *v, const es_value *key, es_value *out,
                       es_error *err)
{
    const es_value *found = es_dict_find(in, v, key, err);
    if (!found)
        return es_fail_key(in, key, err);
    *out = es_value_ref(found);
    return true;
}

bool es_item_get(es_interp *in, const es_value *v, const es_value *sub, es_value *out,
                 es_error *err)
{
    switch (v->kind) {
    case ES_V_STR: return index_string(in, v, sub, out, err);
    case ES_V_RANGE: return index_range(in, v, sub, out, err);
    case ES_V_DICT: return index_dict(in, v, sub, out, err);
    default: return index_items(in, v, sub, out, err);
    }
}

/* ---- changing them ---- */

/* The places first, first + 1, … first + count - 1 give way to the n values at `with`, which are taken over. */
static bool replace_run(es_items *items, int64_t first, int64_t count, const es_value *with,
                        int64_t n, es_error *err)
{
    if (n > count && !es_items_room(items, (double)(n - count), err))
        return false;
    es_value *old = es_alloc_array((size_t)count + 1, sizeof *old), *at = items->of + first;
    if (count)
        memcpy(old, at, (size_t)count * sizeof *old);
    if (items->n > first + count)
        memmove(at + n, at + count, (size_t)(items->n - first - count) * sizeof *at);
    if (n)
        memcpy(at, with, (size_t)n * sizeof *at);
    items->n += n - count;
    for (int64_t i = 0; i < count; i++)
        es_value_unref(&old[i]); /* last: what they hold may be the list itself */
    free(old);
    return true;
}

/* Every step-th place gets one value. */
static bool replace_steps(es_items *items, const cut *c, es_value *with, int64_t n, es_error *err)
{
    if (n != c->count)
        return es_fail(err, ES_ERR_VALUE,
                       "attempt to assign sequence of size %" PRId64 " to extended slice of size "
                       "%" PRId64,
                       n, c->count);
    for (int64_t i = 0; i < n; i++) {
        es_value *item = &items->of[c->first + i * c->step], old = *item;
        *item = with[i];
        with[i] = old;
    }
    return true;
}

/* l[a:b] = … */
static bool put_slice(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                      es_error *err)
{
    es_value list = es_value_list(&in->containers);
    es_items *items = es_value_items(of), *with = es_value_items(&list);
    cut c;
    bool ok = es_list_extend(in, &list, v, err) && read_cut(in, sub, items->n, &c, err);
    if (!ok && err->code == ES_ERR_TYPE) {
        es_error_free(err);
        es_fail(err, ES_ERR_TYPE, "can only assign an iterable");
    }
    if (ok && c.step == 1) {
        ok = replace_run(items, c.first, c.count, with->of, with->n, err);
        with->n = ok ? 0 : with->n; /* they have moved */
    } else if (ok) {
        ok = replace_steps(items, &c, with->of, with->n, err);
    }
    es_value_unref(&list);
    return ok;
}

/* del l[a:b] */
static bool delete_slice(es_interp *in, const es_value *of, const es_value *sub, es_error *err)
{
    es_items *items = es_value_items(of);
    cut c;
    if (!read_cut(in, sub, items->n, &c, err))
        return false;
    bool down = c.step < 0; /* from the end, so that places before it stay */
    for (int64_t i = 0; i < c.count; i++) {
        int64_t nth = down ? i : c.count - 1 - i;
        if (!replace_run(items, c.first + nth * c.step, 1, NULL, 0, err))
            return false;
    }
    return true;
}

static bool put_item(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                     es_error *err)
{
    int64_t i;
    if (sub->kind == ES_V_SLICE)
        return put_slice(in, of, sub, v, err);
    if (!position(in, of, sub, es_value_items(of)->n, &i, err))
        return false;
    es_value *item = &es_value_items(of)->of[i], old = *item;
    *item = es_value_ref(v);
    es_value_unref(&old);
    return true;
}

bool es_item_put(es_interp *in, const es_value *of, const es_value *sub, const es_value *v,
                 es_error *err)
{
    return of->kind == ES_V_DICT ? es_dict_put(in, of, sub, v, err) : put_item(in, of, sub, v, err);
}

bool es_index_delete(es_interp *in, const es_value *of, const es_value *sub, es_error *err)
{
    bool found = false;
    int64_t i;
    if (of->kind == ES_V_DICT)
        return es_dict_delete(in, of, sub, &found, err) && (found || es_fail_key(in, sub, err));
    if (of->kind == ES_V_INSTANCE)
        return es_object_item_delete(in, of, sub, err);
    if (of->kind != ES_V_LIST)
        return es_fail(err, ES_ERR_TYPE, "'%s' object does not support item deletion",
                       es_value_type_name(of));
    es_items *items = es_value_items(of);
    if (sub->kind == ES_V_SLICE)
        return delete_slice(in, of, sub, err);
    if (!position(in, of, sub, items->n, &i, err))
        return false;
    es_value old = items->of[i];
    memmove(&items->of[i], &items->of[i + 1], (size_t)(items->n - i - 1) * sizeof old);
    items->n--;
    es_value_unref(&old);
    return true;
}
