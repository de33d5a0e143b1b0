// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors to and from the device, copies, and operations on each number by itself: kernels/pointwise.cl. */
#include "opencl/grid.h"
#include "opencl/slots.h"

enum { GROUP = 128, FOUR = 4 };

static size_t bytes_of(int64_t n)
{
    return (size_t)n * sizeof(float);
}

/* ---- memory of our own ---- */

/* A dense view of it. */
typedef struct staged {
    es_view v;
    es_buffer buf;
} staged;

/* As large as `like`, with the numbers at `from` (NULL: unset). */
static bool staged_new(staged *s, const es_view *like, const float *from, es_error *err)
{
    int64_t n = 1;
    s->v = *like;
    s->v.buf = &s->buf;
    s->v.offset = 0;
    for (int i = like->ndim - 1; i >= 0; i--) {
        s->v.stride[i] = n;
        n *= like->dim[i];
    }
    s->buf = (es_buffer){.be = like->buf->be, .bytes = bytes_of(n)};
    s->buf.mem = es_cl_scratch(es_cl_of(s->buf.be), s->buf.bytes, from, err);
    return s->buf.mem != NULL;
}

static void staged_free(staged *s)
{
    if (s->buf.mem)
        es_cl_scratch_free(es_cl_of(s->buf.be), s->buf.mem);
}

/* ---- do two views share memory? ---- */

/* The first and the last place of a view with at least one element. */
static void reach(const es_view *v, int64_t *first, int64_t *last)
{
    *first = *last = v->offset;
    for (int i = 0; i < v->ndim; i++) {
        int64_t way = (v->dim[i] - 1) * v->stride[i];
        *(way < 0 ? first : last) += way;
    }
}

/* Two that go through each other without meeting count as well. */
static bool may_overlap(const es_view *a, const es_view *b)
{
    int64_t a_first, a_last, b_first, b_last;
    if (es_cl_mem(a) != es_cl_mem(b))
        return false;
    reach(a, &a_first, &a_last);
    reach(b, &b_first, &b_last);
    return a_first <= b_last && b_first <= a_last;
}

/* Each element where the other has it? */
static bool same_places(const es_view *a, const es_view *b)
{
    for (int i = 0; i < a->ndim; i++)
        if (a->dim[i] != 1 && a->stride[i] != b->stride[i])
            return false;
    return a->offset == b->offset;
}

/* ---- four numbers at once ---- */

/* Is view v made of rows that begin at multiples of four, or of numbers that stretch over them? */
static bool takes_fours(const es_cl_grid *g, int v)
{
    int last = g->ndim - 1;
    if (g->stride[v][last] == 0)
        return v > 0;
    bool fits = g->stride[v][last] == 1 && g->offset[v] % FOUR == 0;
    for (int d = 0; d < last; d++)
        fits = fits && g->stride[v][d] % FOUR == 0;
    return fits;
}

/* If all views of the grid do, its last axis counts fours from here on, and rest is what is left over: of several rows there
 * may be none. */
static bool in_fours(es_cl_grid *g, cl_int *rest)
{
    int last = g->ndim - 1;
    *rest = (cl_int)(g->dim[last] % FOUR);
    if (*rest && last > 0)
        return false;
    for (int v = 0; v < g->n_views; v++)
        if (!takes_fours(g, v))
            return false;
    g->dim[last] /= FOUR;
    g->count /= FOUR;
    for (int v = 0; v < g->n_views; v++)
        g->stride[v][last] *= FOUR;
    return true;
}

/* A work-item for each of n. */
static void spread(const es_cl_device *d, int64_t n, size_t *global, size_t *local)
{
    *local = d->most_group < GROUP ? d->most_group : GROUP;
    *global = es_cl_up((size_t)n, *local);
}

/* ---- copies ---- */

static bool run_copy(const es_view *dst, const es_view *src, es_error *err)
{
    es_cl_device *d = es_cl_of(dst->buf->be);
    const es_view *views[] = {dst, src};
    es_cl_grid g = es_cl_grid_of(views, 2, 0), in_four = g;
    cl_mem to = es_cl_mem(dst), from = es_cl_mem(src);
    cl_int rest;
    size_t local, global;
    bool fours = in_fours(&in_four, &rest) && !rest;
    if (fours)
        g = in_four;
    spread(d, g.count, &global, &local);
    return ES_CL_RUN(d, fours ? ES_KERNEL_copy_fours : ES_KERNEL_copy, 1, &global, &local, err,
                     ES_CL_ARG(to), ES_CL_ARG(from), ES_CL_ARG(g));
}

/* Between views that have no memory in common, and at least one element. */
static bool copy_apart(const es_view *dst, const es_view *src, es_error *err)
{
    if (!es_view_dense(dst) || !es_view_dense(src))
        return run_copy(dst, src, err);
    return es_cl_move(es_cl_of(dst->buf->be), es_cl_mem(dst), bytes_of(dst->offset), es_cl_mem(src),
                      bytes_of(src->offset), bytes_of(es_view_count(dst)), err);
}

/* A copy of v in memory of its own. */
static bool staged_copy(staged *s, const es_view *v, es_error *err)
{
    return staged_new(s, v, NULL, err) && copy_apart(&s->v, v, err);
}

bool es_cl_write(const es_view *dst, const float *src, es_error *err)
{
    int64_t n = es_view_count(dst);
    if (!n)
        return true;
    if (es_view_dense(dst))
        return es_cl_send(es_cl_of(dst->buf->be), es_cl_mem(dst), bytes_of(dst->offset),
                          bytes_of(n), src, err);
    staged s;
    bool ok = staged_new(&s, dst, src, err) && run_copy(dst, &s.v, err);
    staged_free(&s);
    return ok;
}

bool es_cl_read(float *dst, const es_view *src, es_error *err)
{
    es_cl_device *d = es_cl_of(src->buf->be);
    int64_t n = es_view_count(src);
    if (!n)
        return true;
    if (es_view_dense(src))
        return es_cl_fetch(d, dst, es_cl_mem(src), bytes_of(src->offset), bytes_of(n), err);
    staged s;
    bool ok =
        staged_copy(&s, src, err) && es_cl_fetch(d, dst, es_cl_mem(&s.v), 0, bytes_of(n), err);
    staged_free(&s);
    return ok;
}

bool es_cl_copy(const es_view *dst, const es_view *src, es_error *err)
{
    if (!es_view_count(dst))
        return true;
    if (!may_overlap(dst, src))
        return copy_apart(dst, src, err);
    staged s;
    bool ok = staged_copy(&s, src, err) && copy_apart(dst, &s.v, err);
    staged_free(&s);
    return ok;
}

/* ---- operations ---- */

/* Those that take no longer than reading their operands: for these it matters how the numbers are read. */
static const bool is_plain[ES_N_MAP_OPS] = {
    [ES_ADD] = true, [ES_SUB] = true, [ES_MUL] = true, [ES_DIV] = true,  [ES_MAX] = true,
    [ES_MIN] = true, [ES_NEG] = true, [ES_ABS] = true, [ES_SQRT] = true,
};

/* y NULL: one operand. */
static bool run_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                    es_error *err)
{
    es_cl_device *d = es_cl_of(out->buf->be);
    const es_view *views[] = {out, x, y};
    es_cl_grid g = es_cl_grid_of(views, y ? 3 : 2, 0);
    cl_mem to = es_cl_mem(out), from = es_cl_mem(x), other = y ? es_cl_mem(y) : NULL;
    cl_int which = (cl_int)op, rest;
    bool fours = is_plain[op] && in_fours(&g, &rest);
    size_t local, global;
    spread(d, fours && rest ? g.count + 1 : g.count, &global, &local);
    es_kernel kernel = y       ? fours ? ES_KERNEL_map2_fours : ES_KERNEL_map2
                       : fours ? ES_KERNEL_map1_fours
                               : ES_KERNEL_map1;
    es_cl_arg args[6];
    int n = 0;
    args[n++] = (es_cl_arg)ES_CL_ARG(to);
    args[n++] = (es_cl_arg)ES_CL_ARG(from);
    if (y)
        args[n++] = (es_cl_arg)ES_CL_ARG(other);
    args[n++] = (es_cl_arg)ES_CL_ARG(g);
    args[n++] = (es_cl_arg)ES_CL_ARG(which);
    if (fours)
        args[n++] = (es_cl_arg)ES_CL_ARG(rest);
    return es_cl_run(d, kernel, 1, &global, &local, args, n, err);
}

/* An operand may lie where out lies, element by element.  If it meets out otherwise it is copied first, for nobody knows which
 * element is written when. */
static bool keep_apart(const es_view **operand, const es_view *out, staged *s, es_error *err)
{
    if (!*operand || !may_overlap(*operand, out) || same_places(*operand, out))
        return true;
    bool ok = staged_copy(s, *operand, err);
    *operand = &s->v;
    return ok;
}

bool es_cl_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y, es_error *err)
{
    staged sx = {0}, sy = {0};
    if (!es_view_count(out))
        return true;
    bool ok = keep_apart(&x, out, &sx, err) && keep_apart(&y, out, &sy, err) &&
              run_map(op, out, x, y, err);
    staged_free(&sx);
    staged_free(&sy);
    return ok;
}
