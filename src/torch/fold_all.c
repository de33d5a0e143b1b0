// SPDX-License-Identifier: GPL-3.0-or-later
/* The walks of reductions.  Along the axes that go, for one element of the result after another; or, where that
 * would jump through memory, for a few hundred of them side by side. */
#include "torch/folds.h"
#include "torch/grid.h"

enum { COLUMNS = 256 };

typedef struct job {
    es_torch *k;
    const es_folding *f;
    bool whole;    /* computed in integers */
    es_tensor run; /* with the offset of the element that is folded */
    es_grid over_run;
    int64_t length, worked;
    es_fold fold[COLUMNS];
    int64_t n_columns, column_step;
} job;

static bool is_due(job *j, int64_t n, es_error *err)
{
    j->worked += n;
    if (j->worked < ES_STRETCH_WORK)
        return true;
    j->worked = 0;
    return es_watch_step(j->k->watch, 0, err);
}

/* ---- one after another ---- */

static bool fold_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    job *j = ctx;
    if (j->whole) {
        int64_t v[ES_ROW];
        es_cells_to_ints(v, row, n, row->dtype);
        es_folds[j->f->op].ints(j->fold, v, n);
    } else {
        double v[ES_ROW];
        es_cells_to_floats(v, row, n, row->dtype);
        es_folds[j->f->op].floats(j->fold, v, n);
    }
    j->fold->seen += n;
    return is_due(j, n, err);
}

/* ---- side by side ---- */

/* row: places along the axes that go; at each of them begin the columns. */
static bool fold_columns(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    job *j = ctx;
    const es_fold_kind *kind = &es_folds[j->f->op];
    int64_t size = (int64_t)es_dtype_size(row->dtype);
    for (int64_t i = 0; i < n; i++) {
        const es_cells across = {(char *)row->at + i * row->step * size, row->dtype,
                                 j->column_step};
        double v[COLUMNS];
        int64_t w[COLUMNS];
        if (j->whole)
            es_cells_to_ints(w, &across, j->n_columns, row->dtype);
        else
            es_cells_to_floats(v, &across, j->n_columns, row->dtype);
        for (int64_t c = 0; c < j->n_columns; c++) {
            if (j->whole)
                kind->ints(&j->fold[c], &w[c], 1);
            else
                kind->floats(&j->fold[c], &v[c], 1);
            j->fold[c].seen++;
        }
        if (!is_due(j, j->n_columns, err))
            return false;
    }
    return true;
}

/* Does memory run along what is kept rather than along what goes? */
static bool is_across(const job *j, const es_cells *kept)
{
    int64_t along = j->over_run.stride[0][j->over_run.ndim - 1];
    return along < 0 ? -along > kept->step : along > kept->step;
}

/* ---- */

static void store(const es_cells *row, int64_t i, const es_fold *f, bool whole)
{
    es_cells one = *row;
    one.at = (char *)row->at + i * row->step * (int64_t)es_dtype_size(row->dtype);
    if (whole)
        es_cells_from_ints(&one, &f->i, 1);
    else
        es_cells_from_floats(&one, &f->a, 1);
}

/* The n results from place `from` of the row on. */
static bool fold_some(job *j, const es_cells *row, int64_t from, int64_t n, es_error *err)
{
    const es_fold_kind *kind = &es_folds[j->f->op];
    for (int64_t c = 0; c < n; c++)
        j->fold[c] =
            (es_fold){.p = j->f->p, .length = j->length, .a = kind->start_a, .i = kind->start_i};
    j->n_columns = n;
    j->column_step = row[1].step;
    for (int pass = 0; pass < kind->passes; pass++) {
        for (int64_t c = 0; c < n; c++) {
            j->fold[c].pass = pass;
            j->fold[c].seen = 0;
        }
        if (!es_grid_rows(j->k, &j->over_run, n > 1 ? fold_columns : fold_row, j, err))
            return false;
    }
    for (int64_t c = 0; c < n; c++) {
        if (kind->finish)
            kind->finish(&j->fold[c]);
        store(&row[0], from + c, &j->fold[c], !es_dtype_is_float(row[0].dtype));
        const es_fold place = {.i = j->fold[c].at};
        if (j->f->places)
            store(&row[2], from + c, &place, true);
    }
    return is_due(j, n, err);
}

/* row[0]: the result; row[1]: where each of its elements begins in x; row[2], perhaps: places. */
static bool fold_results(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    job *j = ctx;
    int64_t size = (int64_t)es_dtype_size(row[1].dtype);
    int64_t first = ((char *)row[1].at - (char *)j->run.buf->mem) / size;
    int64_t most = is_across(j, &row[1]) ? COLUMNS : 1;
    for (int64_t i = 0, some; i < n; i += some) {
        some = n - i < most ? n - i : most;
        j->run.offset = first + i * row[1].step;
        if (!fold_some(j, row, i, some, err))
            return false;
    }
    return true;
}

bool es_fold_all(es_torch *k, const es_folding *f, es_error *err)
{
    job j = {.k = k, .f = f, .run = *f->run, .whole = !es_dtype_is_float(f->run->dtype)};
    const es_tensor *const run[] = {&j.run};
    j.over_run = es_grid_over(run, 1);
    j.length = es_shape_count(&f->run->shape);
    const es_tensor *const t[] = {f->out, f->kept, f->places};
    es_grid g = es_grid_over(t, f->places ? 3 : 2);
    return es_grid_rows(k, &g, fold_results, &j, err);
}
