// SPDX-License-Identifier: GPL-3.0-or-later
/* A table of one's own: its columns, and whose row is which. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/visible.h"
#include "view/meta_inside.h"
#include "view/token_cell.h"

/* ---- the header ---- */

/* The first cell of the first line that is called so, capitals or not. */
static int column_called(const es_meta *m, const char *name)
{
    size_t n = strlen(name);
    for (int64_t k = 0; k < m->width; k++)
        if (m->cell[k + 1] - m->cell[k] - 1 == n && !strncasecmp(m->bytes.s + m->cell[k], name, n))
            return (int)k;
    return -1;
}

static bool wrong_height(const es_meta_reading *r)
{
    const es_meta *m = r->m;
    es_str path = {0};
    es_meta_show_path(r, &path);
    es_fail(r->err, ES_ERR_FORMAT,
            "%s: %" PRId64 " line%s and no column called id or token; without one there is a row "
            "for each of the %" PRId64 " tokens, with or without a header",
            path.s, m->rows, m->rows == 1 ? "" : "s", m->V);
    es_str_free(&path);
    bool commas = m->width == 1 && memchr(m->bytes.s, ',', m->cell[1]);
    if (commas)
        es_hint(r->err, "columns are separated by tabs, and here are commas");
    return es_hint(r->err, "try: a first line with the names of the columns, one of them token");
}

static bool find_header(es_meta_reading *r)
{
    const es_meta *m = r->m;
    bool bare = m->width == 1 && m->rows == m->V;
    r->by_id = bare ? -1 : column_called(m, "id");
    r->by_token = bare ? -1 : column_called(m, "token");
    bool named = r->by_id >= 0 || r->by_token >= 0;
    if (!named && m->rows != m->V && m->rows != m->V + 1)
        return wrong_height(r);
    r->header = named || m->rows == m->V + 1;
    return true;
}

static bool same_name(const es_meta_column *a, const es_meta_column *b)
{
    return a->name.len == b->name.len && !memcmp(a->name.s, b->name.s, a->name.len);
}

static bool name_columns(const es_meta_reading *r)
{
    es_meta *m = r->m;
    for (int k = 0; k < (int)m->width; k++) {
        if (k == r->by_id || k == r->by_token)
            continue;
        es_meta_column *c = &m->column[m->n];
        size_t n = r->header ? m->cell[k + 1] - m->cell[k] - 1 : 0;
        c->at = k;
        es_str_bytes(&c->name, m->bytes.s + m->cell[k], n);
        if (!n)
            es_str_add(&c->name, "column%d", k + 1);
        m->n++;
        for (int i = 0; i < m->n - 1; i++)
            if (same_name(&m->column[i], c))
                return es_meta_fail_at(r, 0, k, "another column has that name");
    }
    return true;
}

/* ---- whose row it is ---- */

static bool read_id(const es_meta_reading *r, int64_t line, const char *s, size_t n, int64_t *id)
{
    es_str what = {0};
    *id = n ? 0 : -1;
    for (size_t i = 0; i < n && *id >= 0; i++) {
        bool digit = s[i] >= '0' && s[i] <= '9';
        *id = digit ? 10 * *id + s[i] - '0' : -1;
        if (*id > INT32_MAX)
            break;
    }
    if (*id >= 0 && *id < r->m->V)
        return true;
    es_str_add(&what, "an id is a whole number from 0 to %" PRId64 ", not ", r->m->V - 1);
    es_show_brief(&what, s, n);
    es_meta_fail_at(r, line, r->by_id, what.s);
    es_str_free(&what);
    return false;
}

/* -1: it is no token's. */
static bool owner_of(const es_meta_reading *r, int64_t line, int64_t *id)
{
    es_meta *m = r->m;
    int by = r->by_id >= 0 ? r->by_id : r->by_token;
    *id = line - r->header;
    if (by < 0)
        return true;
    const uint32_t *cell = m->cell + line * (m->width + 1) + by;
    const char *s = m->bytes.s + cell[0];
    size_t n = cell[1] - cell[0] - 1;
    if (r->by_id >= 0)
        return read_id(r, line, s, n, id);
    *id = es_token_of_cell(r->bpe, s, n);
    if (*id < m->V)
        return true;
    *id = -1;
    return true;
}

static bool twice(const es_meta_reading *r, int64_t line, int64_t id)
{
    es_str what = {0};
    size_t n = 0;
    const char *bytes = es_bpe_bytes(r->bpe, (int32_t)id, &n);
    if (bytes)
        es_show_token(&what, bytes, n);
    es_str_add(&what, "%s#%" PRId64 " has its row on line %d", bytes ? " " : "", id,
               r->m->row[id] + 1);
    es_meta_fail_at(r, line, r->by_id >= 0 ? r->by_id : r->by_token, what.s);
    es_str_free(&what);
    return es_hint(r->err, "a token has one row");
}

static bool fail_unknown(const es_meta_reading *r)
{
    const es_meta *m = r->m;
    es_str path = {0}, shown = {0};
    es_meta_show_path(r, &path);
    if (!m->unknown) {
        es_fail(r->err, ES_ERR_VALUE, "%s has a header and no rows", path.s);
    } else {
        const uint32_t *cell = m->cell + (m->first_unknown - 1) * (m->width + 1) + r->by_token;
        es_show_brief(&shown, m->bytes.s + cell[0], cell[1] - cell[0] - 1);
        es_fail(r->err, ES_ERR_VALUE,
                "%s: no row is of a token of this vocabulary; line %" PRId64 " has %s", path.s,
                m->first_unknown, shown.s);
        es_hint(r->err, "tokens are written as the program prints them: ␣cat with a space before "
                        "it, or in quotes: \" cat\"");
    }
    es_str_free(&path);
    es_str_free(&shown);
    return false;
}

static bool find_owners(const es_meta_reading *r)
{
    es_meta *m = r->m;
    m->row = es_try_alloc((size_t)m->V, sizeof *m->row, "the table", r->err);
    if (!m->row)
        return false;
    memset(m->row, -1, (size_t)m->V * sizeof *m->row);
    for (int64_t line = r->header; line < m->rows; line++) {
        int64_t id;
        if (line % ES_META_ROWS_A_LOOK == 0 && !es_watch_step(r->watch, m->bytes.len, r->err))
            return false;
        if (!owner_of(r, line, &id))
            return false;
        if (id < 0) {
            m->first_unknown = m->unknown++ ? m->first_unknown : line + 1;
            continue;
        }
        if (m->row[id] >= 0)
            return twice(r, line, id);
        m->row[id] = (int32_t)line;
        m->tokens++;
    }
    return m->tokens > 0 || fail_unknown(r);
}

/* ---- all of it ---- */

static bool read_table(es_meta_reading *r)
{
    return es_meta_take_cells(r) && find_header(r) && name_columns(r) && find_owners(r) &&
           es_meta_find_values(r->m, r->watch, r->err);
}

es_meta *es_meta_read(const char *bytes, size_t n, const char *path, const es_bpe *bpe, int64_t V,
                      es_watch *watch, es_error *err)
{
    es_meta *m = es_alloc(sizeof *m);
    es_meta_reading r = {
        .m = m, .bpe = bpe, .watch = watch, .err = err, .by_id = -1, .by_token = -1};
    m->V = V;
    es_str_cat(&m->path, path);
    bool ok = n <= ES_META_BYTES;
    if (!ok) {
        es_str shown = {0};
        es_meta_show_path(&r, &shown);
        es_fail(err, ES_ERR_VALUE, "%s has %zu bytes, and a table has at most %d", shown.s, n,
                ES_META_BYTES);
        es_str_free(&shown);
    } else {
        ok = es_str_room(&m->bytes, n + 1, "the table", err);
    }
    if (ok) {
        es_str_bytes(&m->bytes, bytes, n);
        ok = read_table(&r);
    }
    if (ok)
        return m;
    es_meta_free(m);
    return NULL;
}

void es_meta_free(es_meta *m)
{
    if (!m)
        return;
    for (int k = 0; k < ES_META_COLUMNS; k++) {
        es_str_free(&m->column[k].name);
        free(m->column[k].number);
        free(m->column[k].word);
    }
    es_str_free(&m->path);
    es_str_free(&m->bytes);
    free(m->cell);
    free(m->row);
    free(m);
}

size_t es_meta_value(const es_meta *m, int column, int32_t id, const char **bytes)
{
    if (id < 0 || id >= m->V || m->row[id] < 0)
        return 0;
    const uint32_t *cell = m->cell + m->row[id] * (m->width + 1) + m->column[column].at;
    *bytes = m->bytes.s + cell[0];
    return cell[1] - cell[0] - 1;
}

int es_meta_named(const es_meta *m, const char *name, size_t n)
{
    for (int k = 0; m && k < m->n; k++)
        if (m->column[k].name.len == n && !memcmp(m->column[k].name.s, name, n))
            return k;
    return -1;
}
