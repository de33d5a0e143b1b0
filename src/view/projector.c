// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/projector.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/visible.h"
#include "view/atlas.h"
#include "view/token_cell.h"

enum { N_FILES = 2, TRIES = 100 };

/* A file on its way: what it will be called, what it is called until then, and what the one it replaces is meanwhile. */
typedef struct part {
    es_str path, temporary, aside;
    FILE *to;
} part;

typedef struct export
{
    es_projector *of;
    part part[N_FILES]; /* vectors, metadata */
    bool made_folder;
    int64_t V, C;
    double *mean; /* (C); NULL: nothing is taken off */
    float *row;   /* (C) */
    es_str line;
    es_watch *watch;
    es_error *err;
}
export;

/* ---- files ---- */

static bool refuse_existing(const part *p, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, p->path.s, p->path.len);
    es_fail(err, ES_ERR_IO, "%s is there already", shown.s);
    es_str_free(&shown);
    return es_hint(err, "try: another folder, or force behind this one to replace its files");
}

static bool may_be_written(const export *x)
{
    struct stat st;
    for (int i = 0; i < N_FILES; i++) {
        const char *path = x->part[i].path.s;
        bool there = lstat(path, &st) == 0;
        if (there && !x->of->force)
            return refuse_existing(&x->part[i], x->err);
        if (there && !es_file_is_plain("write", path, x->err))
            return false;
    }
    return true;
}

static bool open_folder(export *x)
{
    struct stat st;
    const char *folder = x->of->folder;
    x->made_folder = mkdir(folder, 0777) == 0;
    if (!x->made_folder && errno != EEXIST)
        return es_file_error(x->err, "make", folder, errno);
    if (stat(folder, &st) || !S_ISDIR(st.st_mode))
        return es_file_error(x->err, "write to", folder, ENOTDIR);
    return true;
}

static bool open_part(export *x, part *p)
{
    int fd = -1;
    for (int i = 0; fd < 0 && i < TRIES; i++) {
        es_str_cut(&p->temporary, 0);
        es_str_add(&p->temporary, "%s.%ld-%d", p->path.s, (long)getpid(), i);
        fd = open(p->temporary.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    int reason = errno;
    p->to = fd < 0 ? NULL : fdopen(fd, "w");
    if (p->to)
        return true;
    es_str_free(&p->temporary);
    return es_file_error(x->err, "write", p->path.s, reason);
}

/* All that was written is on the disk. */
static bool close_part(export *x, part *p)
{
    bool ok = fflush(p->to) == 0 && fsync(fileno(p->to)) == 0;
    int reason = errno;
    if (fclose(p->to) && ok) {
        ok = false;
        reason = errno;
    }
    p->to = NULL;
    return ok || es_file_error(x->err, "write", p->path.s, reason);
}

static bool put_line(export *x, part *p)
{
    es_str_char(&x->line, '\n');
    bool ok = fwrite(x->line.s, 1, x->line.len, p->to) == x->line.len;
    es_str_cut(&x->line, 0);
    return ok || es_file_error(x->err, "write", p->path.s, errno);
}

static bool name_part(part *p)
{
    es_str_add(&p->aside, "%s.old", p->temporary.s);
    if (rename(p->path.s, p->aside.s)) {
        es_str_free(&p->aside);
        if (errno != ENOENT)
            return false;
    }
    if (rename(p->temporary.s, p->path.s))
        return false;
    es_str_free(&p->temporary);
    return true;
}

static void take_back(part *p)
{
    if (!p->temporary.len)
        unlink(p->path.s);
    if (p->aside.len)
        rename(p->aside.s, p->path.s);
}

/* Both get their names, or what was there is there again. */
static bool name_parts(export *x)
{
    if (!may_be_written(x))
        return false;
    for (int i = 0; i < N_FILES; i++) {
        if (name_part(&x->part[i]))
            continue;
        es_file_error(x->err, "write", x->part[i].path.s, errno);
        for (; i >= 0; i--)
            take_back(&x->part[i]);
        return false;
    }
    for (int i = 0; i < N_FILES; i++)
        if (x->part[i].aside.len)
            unlink(x->part[i].aside.s);
    return true;
}

/* ---- rows ---- */

static bool step(export *x, int64_t row)
{
    return es_watch_step(x->watch, (uint64_t)row, x->err);
}

static bool is_finite(const float *row, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        if (!isfinite(row[c]))
            return false;
    return true;
}

static bool find_mean(export *x)
{
    int64_t n = 0;
    x->mean = es_alloc_array((size_t)x->C, sizeof *x->mean);
    for (int64_t i = 0; i < x->V; i++) {
        if (!step(x, i) || !es_table_row(x->of->context->model->wte, i, x->row, x->err))
            return false;
        if (!is_finite(x->row, x->C))
            continue;
        n++;
        for (int64_t c = 0; c < x->C; c++)
            x->mean[c] += (double)x->row[c];
    }
    for (int64_t c = 0; n && c < x->C; c++)
        x->mean[c] /= (double)n;
    return true;
}

static bool write_vectors(export *x)
{
    int64_t before = x->mean ? x->V : 0;
    for (int64_t i = 0; i < x->V; i++) {
        if (!step(x, before + i) || !es_table_row(x->of->context->model->wte, i, x->row, x->err))
            return false;
        x->of->left_out += !is_finite(x->row, x->C);
        for (int64_t c = 0; c < x->C; c++) {
            double value = (double)x->row[c] - (x->mean ? x->mean[c] : 0);
            es_str_cat(&x->line, c ? "\t" : "");
            if (isnan(value))
                es_str_cat(&x->line, "nan");
            else
                es_str_add(&x->line, "%.9g", value);
        }
        if (!put_line(x, &x->part[0]))
            return false;
    }
    return true;
}

/* ---- what the rows are ---- */

static void add_header(export *x)
{
    const es_meta *m = x->of->meta;
    es_str_cat(&x->line, "Token\tId");
    es_str_cat(&x->line, x->of->context->model->counts ? "\tCount" : "");
    es_str_cat(&x->line, "\tScript");
    for (int k = 0; m && k < m->n; k++) {
        es_str_char(&x->line, '\t');
        es_str_bytes(&x->line, m->column[k].name.s, m->column[k].name.len);
    }
}

static void add_token(export *x, int32_t id)
{
    const es_context *c = x->of->context;
    const es_meta *m = x->of->meta;
    size_t n = 0;
    const char *bytes = es_bpe_bytes(c->bpe, id, &n);
    if (bytes)
        es_token_cell(&x->line, bytes, n);
    es_str_add(&x->line, "\t%" PRId32, id);
    if (c->model->counts)
        es_str_add(&x->line, "\t%" PRId64, es_model_count(c->model, id));
    es_token_kind kind = es_token_kind_of(bytes, bytes ? n : 0);
    es_str_add(&x->line, "\t%s", es_script_name((es_script)kind.script));
    for (int k = 0; m && k < m->n; k++) {
        const char *value = "";
        size_t len = es_meta_value(m, k, id, &value);
        es_str_char(&x->line, '\t');
        es_str_bytes(&x->line, value, len);
    }
}

static bool write_metadata(export *x)
{
    enum { LOOK = 256 };
    add_header(x);
    if (!put_line(x, &x->part[1]))
        return false;
    for (int64_t id = 0; id < x->V; id++) {
        if (id % LOOK == 0 &&
            !es_watch_step(x->watch, (uint64_t)(x->mean ? 2 : 1) * (uint64_t)x->V, x->err))
            return false;
        add_token(x, (int32_t)id);
        if (!put_line(x, &x->part[1]))
            return false;
    }
    return true;
}

/* ---- both ---- */

static bool write_both(export *x)
{
    if (!open_folder(x) || !may_be_written(x))
        return false;
    for (int i = 0; i < N_FILES; i++)
        if (!open_part(x, &x->part[i]))
            return false;
    if (x->watch)
        atomic_store(&x->watch->total, (uint64_t)(x->V * (x->of->centred ? 2 : 1)));
    if ((x->of->centred && !find_mean(x)) || !write_vectors(x) || !write_metadata(x))
        return false;
    for (int i = 0; i < N_FILES; i++)
        if (!close_part(x, &x->part[i]))
            return false;
    return name_parts(x);
}

/* What did not come to its name goes. */
static void clean_up(export *x)
{
    for (int i = 0; i < N_FILES; i++) {
        part *p = &x->part[i];
        if (p->to)
            fclose(p->to);
        if (p->temporary.len)
            unlink(p->temporary.s);
        es_str_free(&p->path);
        es_str_free(&p->temporary);
        es_str_free(&p->aside);
    }
    free(x->mean);
    free(x->row);
    es_str_free(&x->line);
}

bool es_projector_write(void *work, es_watch *watch, es_error *err)
{
    static const char *const names[] = {ES_PROJECTOR_VECTORS, ES_PROJECTOR_METADATA};
    es_projector *of = work;
    const es_config *config = &of->context->model->config;
    export x = {.of = of, .V = config->vocab_size, .C = config->n_embd, .watch = watch, .err = err};
    of->left_out = 0;
    x.row = es_alloc_array((size_t)x.C, sizeof *x.row);
    for (int i = 0; i < N_FILES; i++)
        es_str_add(&x.part[i].path, "%s/%s", of->folder, names[i]);
    bool ok = write_both(&x);
    clean_up(&x);
    if (!ok && x.made_folder)
        rmdir(of->folder);
    return ok;
}
