// SPDX-License-Identifier: GPL-3.0-or-later
/* Where in the functions of earlier lines an error happened, told by their own source. */
#include "base/mem.h"
#include "expr/inside.h"

enum { MOST_LINES = 4, MOST_COLUMNS = 4096 /* kept of a line */ };

/* Some of a unit's source as it is to be read, and what becomes of places in it. */
typedef struct excerpt {
    const es_unit *unit;
    es_str text;
    ptrdiff_t from[4], to[4];
} excerpt;

static ptrdiff_t least(ptrdiff_t a, ptrdiff_t b)
{
    return a < b ? a : b;
}

static size_t line_begin(const es_unit *u, size_t at)
{
    while (at > 0 && u->source[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const es_unit *u, size_t at)
{
    while (at < u->len && u->source[at] != '\n')
        at++;
    return at;
}

static size_t indentation(const es_unit *u, size_t at, size_t most)
{
    size_t n = 0;
    while (n < most && at + n < u->len && (u->source[at + n] == ' ' || u->source[at + n] == '\t'))
        n++;
    return n;
}

/* One line from `begin` on; places in it move along. */
static void add_line(excerpt *e, size_t begin, size_t end)
{
    for (int i = 0; i < 4; i++)
        if (e->to[i] < 0 && e->from[i] <= (ptrdiff_t)end)
            e->to[i] = (ptrdiff_t)e->text.len +
                       (e->from[i] > (ptrdiff_t)begin ? e->from[i] - (ptrdiff_t)begin : 0);
    es_str_bytes(&e->text, e->unit->source + begin, end - begin);
}

/* The part of a long line that the place is in. */
static void trim_line(const excerpt *e, size_t *begin, size_t *end)
{
    size_t at = (size_t)e->from[2]; /* the operator, or the beginning */
    if (*end - *begin <= MOST_COLUMNS)
        return;
    if (at > *begin + MOST_COLUMNS / 2 && at <= *end)
        *begin = at - MOST_COLUMNS / 2;
    while (*begin < at && ((unsigned char)e->unit->source[*begin] & 0xC0) == 0x80)
        ++*begin;
    if (*end - *begin > MOST_COLUMNS)
        *end = *begin + MOST_COLUMNS;
}

/* Where a line ends: before a remark behind the statement. */
static size_t code_end(const es_unit *u, const es_node *statement, size_t begin, size_t end)
{
    size_t at = statement ? statement->end : end;
    if (at <= begin || at >= end)
        return end;
    size_t next = at + indentation(u, at, end - at);
    return next < end && u->source[next] == '#' ? at : end;
}

/* The lines from e->from[0] to e->from[1]. */
static void add_lines(excerpt *e, const es_node *statement)
{
    size_t at = line_begin(e->unit, (size_t)e->from[0]);
    size_t indent = indentation(e->unit, at, SIZE_MAX);
    for (int i = 0; i < MOST_LINES && at < (size_t)e->from[1]; i++) {
        size_t begin = at + indentation(e->unit, at, indent), end = line_end(e->unit, at);
        at = end + 1;
        end = code_end(e->unit, statement, begin, end);
        trim_line(e, &begin, &end);
        if (i > 0)
            es_str_char(&e->text, '\n');
        add_line(e, begin, end);
    }
    for (int i = 0; i < 4; i++) /* what is not shown ends where it does */
        if (e->to[i] < 0)
            e->to[i] = (ptrdiff_t)e->text.len;
}

static int64_t line_of(const es_unit *u, size_t at)
{
    int64_t line = u->first_line;
    for (size_t i = 0; i < at; i++)
        line += u->source[i] == '\n';
    return line;
}

/* Of a raise the line where it begins: no part of what it says is at fault. */
static void shorten(const es_frame *left, es_error *err)
{
    if (left->at && left->at->kind == ES_N_RAISE && err->begin == (ptrdiff_t)left->at->begin)
        err->end = least(err->end, (ptrdiff_t)line_end(left->unit, left->at->begin));
}

void es_leave_place(const es_interp *in, const es_frame *left, es_error *err)
{
    if (in->trying || err->placed)
        return;
    if (err->begin < 0 && left->at)
        es_error_locate(err, left->at->begin, left->at->end);
    if (err->begin < 0)
        return;
    if (left->unit == in->unit) { /* what was typed has it */
        err->placed = true;
        return;
    }
    shorten(left, err);
    bool marked =
        err->op_begin >= err->begin && err->op_begin < err->op_end && err->op_end <= err->end;
    excerpt e = {.unit = left->unit,
                 .from = {err->begin, err->end, marked ? err->op_begin : err->begin,
                          marked ? err->op_end : err->begin},
                 .to = {-1, -1, -1, -1}};
    add_lines(&e, left->at);
    es_error_within(err, (es_place){.function = es_copy_string(es_function_name(left->called)),
                                    .file = es_copy_string(left->unit->file),
                                    .line = line_of(left->unit, (size_t)e.from[0]),
                                    .source = es_str_take(&e.text),
                                    .begin = e.to[0],
                                    .end = e.to[1],
                                    .op_begin = e.to[2],
                                    .op_end = e.to[3]});
}
