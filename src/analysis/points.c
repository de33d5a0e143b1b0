// SPDX-License-Identifier: GPL-3.0-or-later
/* Of all points: by a tree of boxes (Bentley 1975), each halved across its longest side at the point in the middle, so
 * that neither clumps nor a point far away nor points on one spot make it deep.  A box is left out when it is no nearer
 * than the worst point found, and of those as near only if its first id comes later: rounding is the same for a box and
 * its points, so this is exact. */
#include "analysis/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/crew.h"
#include "base/mem.h"

enum { LEAF = 12, MOST_AXES = 3, BATCH = 256, SHARED = 4096 };

typedef struct box {
    float low[MOST_AXES], high[MOST_AXES];
    int32_t first, n; /* its points, in the tree's order */
    int32_t least_id; /* of these */
} box;

typedef struct tree {
    const float *at; /* (.., d) as they were given */
    int d;
    int32_t *id;   /* [n] in the tree's order */
    float *sorted; /* (n, d) in that order */
    box *box;      /* box i has the halves 2 i + 1 and 2 i + 2 */
    int64_t n, n_inner;
} tree;

/* ---- the tree ---- */

static bool is_somewhere(const float *p, int d)
{
    for (int c = 0; c < d; c++)
        if (isnan(p[c]))
            return false;
    return true;
}

static bool comes_before(const tree *t, int axis, int32_t a, int32_t b)
{
    float x = t->at[(int64_t)a * t->d + axis], y = t->at[(int64_t)b * t->d + axis];
    return x < y || (x == y && a < b);
}

static int32_t middle_of_three(const tree *t, int axis, const int32_t *id, int64_t n)
{
    int32_t a = id[0], b = id[n / 2], c = id[n - 1];
    if (comes_before(t, axis, b, a)) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    return comes_before(t, axis, c, a) ? a : comes_before(t, axis, b, c) ? b : c;
}

/* id[0..k) = those that come before id[k..n) along an axis. */
static void split(const tree *t, int axis, int32_t *id, int64_t n, int64_t k)
{
    int64_t from = 0, to = n; /* where the border still has to be found */
    while (to - from > 1) {
        int32_t pivot = middle_of_three(t, axis, id + from, to - from);
        int64_t i = from, j = to - 1;
        while (i <= j) {
            while (comes_before(t, axis, id[i], pivot))
                i++;
            while (comes_before(t, axis, pivot, id[j]))
                j--;
            if (i > j)
                break;
            int32_t swap = id[i];
            id[i++] = id[j];
            id[j--] = swap;
        }
        if (k <= j)
            to = j + 1;
        else if (k >= i)
            from = i;
        else
            return;
    }
}

/* The box of its points: returns its longest side. */
static int enclose(const tree *t, box *b)
{
    b->least_id = t->id[b->first];
    for (int c = 0; c < t->d; c++) {
        b->low[c] = INFINITY;
        b->high[c] = -INFINITY;
    }
    for (int32_t i = b->first; i < b->first + b->n; i++) {
        const float *p = t->at + (int64_t)t->id[i] * t->d;
        b->least_id = t->id[i] < b->least_id ? t->id[i] : b->least_id;
        for (int c = 0; c < t->d; c++) {
            b->low[c] = p[c] < b->low[c] ? p[c] : b->low[c];
            b->high[c] = p[c] > b->high[c] ? p[c] : b->high[c];
        }
    }
    int longest = 0;
    for (int c = 1; c < t->d; c++)
        if ((double)b->high[c] - (double)b->low[c] >
            (double)b->high[longest] - (double)b->low[longest])
            longest = c;
    return longest;
}

/* From the whole down: every box comes after the one it is half of. */
static bool grow(tree *t, es_watch *watch, es_error *err)
{
    t->box[0] = (box){.first = 0, .n = (int32_t)t->n};
    for (int64_t i = 0; i < 2 * t->n_inner + 1; i++) {
        box *b = &t->box[i];
        int axis = enclose(t, b);
        if (i >= t->n_inner)
            continue;
        if (!es_watch_look(watch, err))
            return false;
        int32_t half = b->n / 2;
        split(t, axis, t->id + b->first, b->n, half);
        t->box[2 * i + 1] = (box){.first = b->first, .n = half};
        t->box[2 * i + 2] = (box){.first = b->first + half, .n = b->n - half};
    }
    for (int64_t i = 0; i < t->n; i++)
        memcpy(t->sorted + i * t->d, t->at + (int64_t)t->id[i] * t->d,
               (size_t)t->d * sizeof *t->sorted);
    return true;
}

static bool tree_open(tree *t, int64_t n, es_watch *watch, es_error *err)
{
    t->id = es_try_alloc((size_t)n, sizeof *t->id, "the points", err);
    for (int64_t i = 0; t->id && i < n; i++)
        if (is_somewhere(t->at + i * t->d, t->d))
            t->id[t->n++] = (int32_t)i;
    for (int64_t leaf = t->n; leaf > LEAF; leaf = (leaf + 1) / 2)
        t->n_inner = 2 * t->n_inner + 1;
    size_t boxes = 2 * (size_t)t->n_inner + 1;
    t->sorted =
        t->id ? es_try_alloc((size_t)t->n, (size_t)t->d * sizeof *t->sorted, "the points", err)
              : NULL;
    t->box = t->sorted ? es_try_alloc(boxes, sizeof *t->box, "the points", err) : NULL;
    return t->box && (t->n == 0 || grow(t, watch, err));
}

static void tree_close(tree *t)
{
    free(t->id);
    free(t->sorted);
    free(t->box);
}

/* ---- one point ---- */

typedef struct query {
    const float *at;
    int32_t id, *best; /* best[0..found), the nearest first */
    double *far;       /* [found] squares of their distances */
    int d, k, found;
} query;

static bool may_enter(const query *q, double far, int32_t id)
{
    double worst = q->found < q->k ? INFINITY : q->far[q->found - 1];
    return q->found < q->k || far < worst || (far == worst && id < q->best[q->found - 1]);
}

static void enter(query *q, double far, int32_t id)
{
    int place = q->found < q->k ? q->found++ : q->found - 1;
    for (; place > 0 &&
           (far < q->far[place - 1] || (far == q->far[place - 1] && id < q->best[place - 1]));
         place--) {
        q->far[place] = q->far[place - 1];
        q->best[place] = q->best[place - 1];
    }
    q->far[place] = far;
    q->best[place] = id;
}

static double distance_to(const query *q, const float *p)
{
    double sum = 0;
    for (int c = 0; c < q->d; c++)
        sum += ((double)p[c] - (double)q->at[c]) * ((double)p[c] - (double)q->at[c]);
    return sum;
}

static void look_at_point(query *q, const float *p, int32_t id)
{
    double far = distance_to(q, p);
    /* to who is nowhere there is no distance, nor between two points at infinity */
    if (id != q->id && !isnan(far) && may_enter(q, far, id))
        enter(q, far, id);
}

int es_points_near(int32_t *out, int k, const float *at, int64_t n, int d, int64_t id)
{
    query q = {.at = at + id * d, .id = (int32_t)id, .best = out, .d = d, .k = k};
    q.far = es_alloc_array((size_t)k + 1, sizeof *q.far);
    for (int64_t i = 0; k > 0 && i < n; i++)
        look_at_point(&q, at + i * d, (int32_t)i);
    free(q.far);
    return q.found;
}

/* ---- one point, in the tree ---- */

/* At most the distance of each of its points, to the bit. */
static double distance_to_box(const query *q, const box *b)
{
    double sum = 0;
    for (int c = 0; c < q->d; c++) {
        float x = q->at[c], nearest = x < b->low[c] ? b->low[c] : x > b->high[c] ? b->high[c] : x;
        double gap = nearest == x ? 0 : (double)nearest - (double)x;
        sum += gap * gap;
    }
    return sum;
}

/* The halves of a box, the nearer first; as deep as the tree, which is halved at each step. */
static void look_into(query *q, const tree *t, int64_t i)
{
    const box *b = &t->box[i];
    if (i >= t->n_inner) {
        for (int32_t p = b->first; p < b->first + b->n; p++)
            look_at_point(q, t->sorted + (int64_t)p * t->d, t->id[p]);
        return;
    }
    int64_t near = 2 * i + 1, far = near + 1;
    double near_by = distance_to_box(q, &t->box[near]), far_by = distance_to_box(q, &t->box[far]);
    if (far_by < near_by || (far_by == near_by && t->box[far].least_id < t->box[near].least_id)) {
        double swap = near_by;
        near_by = far_by;
        far_by = swap;
        near = far--;
    }
    if (may_enter(q, near_by, t->box[near].least_id))
        look_into(q, t, near);
    if (may_enter(q, far_by, t->box[far].least_id))
        look_into(q, t, far);
}

/* ---- all of them ---- */

typedef struct search {
    tree tree;
    int32_t *out;
    int k;
    es_watch *watch;
} search;

/* A batch of points that are near each other; far: room for the distances of one. */
static void look_around(void *of, int64_t batch, void *far)
{
    const search *s = of;
    const tree *t = &s->tree;
    int64_t first = batch * BATCH, end = first + BATCH < t->n ? first + BATCH : t->n;
    for (int64_t i = first; i < end; i++) {
        query q = {.at = t->sorted + i * t->d, .id = t->id[i], .far = far, .d = t->d, .k = s->k};
        q.best = s->out + (int64_t)q.id * s->k;
        look_into(&q, t, 0);
    }
    es_watch_add(s->watch, (uint64_t)(end - first));
}

bool es_points_nearest(int32_t *out, int k, const float *at, int64_t n, int d, es_watch *watch,
                       es_error *err)
{
    search s = {.tree = {.at = at, .d = d}, .out = out, .k = k, .watch = watch};
    for (int64_t i = 0; i < n * k; i++)
        out[i] = -1;
    es_watch_begin(watch, (uint64_t)n);
    bool ok = es_watch_look(watch, err) && tree_open(&s.tree, n, watch, err);
    const es_chunks batches = {(s.tree.n + BATCH - 1) / BATCH, (size_t)k * sizeof(double),
                               look_around, s.tree.n < SHARED};
    ok = ok && (k == 0 || es_crew_once(&batches, &s, watch, err));
    tree_close(&s.tree);
    return ok;
}
