// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/eigen.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The rows of v stay a basis: a = vᵀ t v all along, and t becomes diagonal. */
typedef struct matrix {
    int64_t n;
    double *a, *v;
    double *main, *beside; /* t's diagonal, and the one next to it */
    double *x, *y;         /* room for two vectors */
} matrix;

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void add(double *to, const double *x, double factor, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] += factor * x[i];
}

/* Is it still wanted?  How far the work is that the eigenvalues are a part of stays as it was. */
static bool wanted(es_watch *watch, es_error *err)
{
    return es_watch_step(watch, watch ? watch->done : 0, err);
}

static bool not_found(es_error *err)
{
    return es_fail(err, ES_ERR_VALUE, "the eigenvalues of this matrix are not to be found");
}

/* ---- to three diagonals ---- */

/* The unit vector whose reflection turns column k below the diagonal into its first component; false: it is that
 * already. */
static bool reflection(matrix *m, int64_t k, double *u)
{
    int64_t n = m->n - k - 1;
    for (int64_t i = 0; i < n; i++)
        u[i] = m->a[(k + 1 + i) * m->n + k];
    double length = sqrt(dot(u, u, n)), rest = sqrt(dot(u + 1, u + 1, n - 1));
    if (rest == 0)
        return false;
    u[0] += u[0] < 0 ? -length : length;
    double scale = 1 / sqrt(dot(u, u, n));
    for (int64_t i = 0; i < n; i++)
        u[i] *= scale;
    return true;
}

/* a - 2 u wᵀ - 2 w uᵀ with w = a u - (u a u) u, on the part behind k. */
static void reflect_matrix(matrix *m, int64_t k, const double *u, double *w)
{
    int64_t n = m->n - k - 1;
    double *part = m->a + (k + 1) * m->n + k + 1;
    for (int64_t i = 0; i < n; i++)
        w[i] = dot(part + i * m->n, u, n);
    add(w, u, -dot(u, w, n), n);
    for (int64_t i = 0; i < n; i++) {
        add(part + i * m->n, w, -2 * u[i], n);
        add(part + i * m->n, u, -2 * w[i], n);
    }
    double *column = m->a + (k + 1) * m->n + k;
    double along = 0;
    for (int64_t i = 0; i < n; i++)
        along += u[i] * column[i * m->n];
    for (int64_t i = 0; i < n; i++)
        column[i * m->n] -= 2 * along * u[i];
}

static void reflect_basis(matrix *m, int64_t k, const double *u, double *w)
{
    double *rows = m->v + (k + 1) * m->n;
    int64_t n = m->n - k - 1;
    memset(w, 0, (size_t)m->n * sizeof *w);
    for (int64_t i = 0; i < n; i++)
        add(w, rows + i * m->n, u[i], m->n);
    for (int64_t i = 0; i < n; i++)
        add(rows + i * m->n, w, -2 * u[i], m->n);
}

static bool three_diagonals(matrix *m, es_watch *watch, es_error *err)
{
    for (int64_t k = 0; k + 2 < m->n; k++) {
        if (!wanted(watch, err))
            return false;
        if (!reflection(m, k, m->x))
            continue;
        reflect_matrix(m, k, m->x, m->y);
        reflect_basis(m, k, m->x, m->y);
    }
    for (int64_t k = 0; k < m->n; k++) {
        m->main[k] = m->a[k * m->n + k];
        m->beside[k] = k + 1 < m->n ? m->a[(k + 1) * m->n + k] : 0;
    }
    return true;
}

/* ---- to one ---- */

static void turn_rows(double *x, double *y, double c, double s, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a + s * b;
        y[i] = c * b - s * a;
    }
}

/* Near to an eigenvalue of the last two by two. */
static double shift(const matrix *m, int64_t last)
{
    double e = m->beside[last - 1], d = (m->main[last - 1] - m->main[last]) / 2;
    double root = hypot(d, e);
    return m->main[last] - e * e / (d + (d < 0 ? -root : root));
}

/* One step on first..last: a rotation makes something outside the diagonals, the next ones chase it out below. */
static void step(matrix *m, int64_t first, int64_t last)
{
    double x = m->main[first] - shift(m, last), z = m->beside[first];
    for (int64_t k = first; k < last; k++) {
        double r = hypot(x, z), c = r > 0 ? x / r : 1, s = r > 0 ? z / r : 0;
        double a = m->main[k], b = m->beside[k], d = m->main[k + 1];
        if (k > first)
            m->beside[k - 1] = r;
        m->main[k] = c * c * a + 2 * c * s * b + s * s * d;
        m->main[k + 1] = s * s * a - 2 * c * s * b + c * c * d;
        m->beside[k] = c * s * (d - a) + (c * c - s * s) * b;
        x = m->beside[k];
        if (k + 1 < last) {
            z = s * m->beside[k + 1];
            m->beside[k + 1] *= c;
        }
        turn_rows(m->v + k * m->n, m->v + (k + 1) * m->n, c, s, m->n);
    }
}

static bool is_small(const matrix *m, int64_t k)
{
    return fabs(m->beside[k]) <= DBL_EPSILON * (fabs(m->main[k]) + fabs(m->main[k + 1])) ||
           fabs(m->beside[k]) < DBL_MIN;
}

static bool one_diagonal(matrix *m, es_watch *watch, es_error *err)
{
    int64_t steps = 0, most = 60 * m->n;
    for (int64_t last = m->n - 1; last > 0;) {
        if (is_small(m, last - 1)) {
            m->beside[--last] = 0;
            continue;
        }
        int64_t first = last - 1;
        while (first > 0 && !is_small(m, first - 1))
            first--;
        if (!wanted(watch, err))
            return false;
        if (++steps > most)
            return not_found(err);
        step(m, first, last);
    }
    return true;
}

/* ---- in order ---- */

static void swap(double *x, double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* Of components that differ by rounding alone the first decides, on every machine. */
static void point_up(double *x, int64_t n)
{
    int64_t largest = 0;
    for (int64_t i = 1; i < n; i++)
        largest = fabs(x[i]) > fabs(x[largest]) * (1 + 1e-9) ? i : largest;
    bool down = x[largest] < 0;
    for (int64_t i = 0; down && i < n; i++)
        x[i] = -x[i];
}

static void sort(matrix *m)
{
    for (int64_t k = 0; k < m->n; k++) {
        int64_t largest = k;
        for (int64_t i = k + 1; i < m->n; i++)
            largest = m->main[i] > m->main[largest] ? i : largest;
        if (largest != k) {
            swap(&m->main[k], &m->main[largest], 1);
            swap(m->v + k * m->n, m->v + largest * m->n, m->n);
        }
        point_up(m->v + k * m->n, m->n);
    }
}

static bool all_finite(const double *a, int64_t n, es_error *err)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(a[i]))
            return es_fail(err, ES_ERR_VALUE, "a number of this matrix is not finite");
    return true;
}

bool es_eigen_plain(double *a, int64_t n, double *values, double *vectors, es_watch *watch,
                    es_error *err)
{
    if (n == 0)
        return true;
    double *room = es_try_alloc((size_t)n, 3 * sizeof *room, "the axes of a matrix", err);
    if (!room)
        return false;
    matrix m = {n, a, vectors, values, room, room + n, room + 2 * n};
    memset(vectors, 0, (size_t)(n * n) * sizeof *vectors);
    for (int64_t i = 0; i < n; i++)
        vectors[i * n + i] = 1;
    bool ok = all_finite(a, n * n, err) && three_diagonals(&m, watch, err) &&
              one_diagonal(&m, watch, err);
    if (ok)
        sort(&m);
    free(room);
    return ok;
}

/* ---- by LAPACK, where OpenBLAS brings it ---- */

#if ES_HAVE_OPENBLAS

/* Fortran's way of calling, with the lengths of its two strings behind.  Weak: some builds of OpenBLAS are without
 * it. */
__attribute__((weak)) void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a,
                                   const int *lda, double *w, double *work, const int *lwork,
                                   int *iwork, const int *liwork, int *info, size_t n_jobz,
                                   size_t n_uplo);

enum {
    LEAST = 96,  /* where it begins to be faster than ours */
    MOST = 32000 /* its sizes are ints, of which its room, 2 n * n, is the largest */
};

/* Vectors come as columns of Fortran, which are rows of ours, smallest value first. */
static bool lapack(double *a, int64_t n64, double *values, es_error *err)
{
    int n = (int)n64, info = 0, n_work = 1 + 6 * n + 2 * n * n, n_whole = 3 + 5 * n;
    double *work = es_try_alloc((size_t)n_work, sizeof *work, "the axes of a matrix", err);
    int *whole = es_alloc_array((size_t)n_whole, sizeof *whole);
    if (work)
        dsyevd_("V", "U", &n, a, &n, values, work, &n_work, whole, &n_whole, &info, 1, 1);
    free(work);
    free(whole);
    return work && (!info || not_found(err));
}

static void largest_first(const double *a, int64_t n, double *values, double *vectors)
{
    for (int64_t k = 0; k < n / 2; k++)
        swap(&values[k], &values[n - 1 - k], 1);
    for (int64_t k = 0; k < n; k++) {
        memcpy(vectors + k * n, a + (n - 1 - k) * n, (size_t)n * sizeof *a);
        point_up(vectors + k * n, n);
    }
}

static bool by_lapack(double *a, int64_t n, double *values, double *vectors, es_watch *watch,
                      es_error *err)
{
    if (!all_finite(a, n * n, err) || !wanted(watch, err) || !lapack(a, n, values, err))
        return false;
    largest_first(a, n, values, vectors);
    return wanted(watch, err);
}

#endif

bool es_eigen(double *a, int64_t n, double *values, double *vectors, es_watch *watch, es_error *err)
{
#if ES_HAVE_OPENBLAS
    if (n >= LEAST && n <= MOST && dsyevd_)
        return by_lapack(a, n, values, vectors, watch, err);
#endif
    return es_eigen_plain(a, n, values, vectors, watch, err);
}
