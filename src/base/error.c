// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/str.h"
#include "base/visible.h"

static const char *const code_names[ES_N_CODES] = {
    [ES_OK] = "ok",
    [ES_ERR_PARSE] = "parse",
    [ES_ERR_NAME] = "name",
    [ES_ERR_TYPE] = "type",
    [ES_ERR_VALUE] = "value",
    [ES_ERR_DTYPE] = "dtype",
    [ES_ERR_BROADCAST] = "broadcast",
    [ES_ERR_MATMUL] = "matmul",
    [ES_ERR_INDEX_RANGE] = "index_range",
    [ES_ERR_DIM_RANGE] = "dim_range",
    [ES_ERR_RANGE] = "range",
    [ES_ERR_CAT] = "cat",
    [ES_ERR_VIEW] = "view",
    [ES_ERR_EXPAND] = "expand",
    [ES_ERR_SLICE] = "slice",
    [ES_ERR_UNPACK] = "unpack",
    [ES_ERR_RAGGED] = "ragged",
    [ES_ERR_AMBIGUOUS] = "ambiguous",
    [ES_ERR_DEVICE] = "device",
    [ES_ERR_CONTEXT_OVERFLOW] = "context_overflow",
    [ES_ERR_FORMAT] = "format",
    [ES_ERR_IO] = "io",
    [ES_ERR_NOMEM] = "nomem",
    [ES_ERR_BACKEND] = "backend",
    [ES_ERR_UNSUPPORTED] = "unsupported",
    [ES_ERR_USAGE] = "usage",
    [ES_ERR_INTERRUPTED] = "interrupted",
};

const char *es_code_name(es_code code)
{
    return code_names[code];
}

/* Its lines and tabs stay; nothing else that a name or a text brought along moves a cursor or changes a colour. */
ES_PRINTF(1, 0)
static char *print(const char *fmt, va_list ap)
{
    es_str text = {0}, shown = {0};
    es_str_vadd(&text, fmt, ap);
    for (const char *line = es_str_text(&text);; line++) {
        size_t n = strcspn(line, "\n\t");
        es_show_prose(&shown, line, n);
        line += n;
        if (!*line)
            break;
        es_str_char(&shown, *line);
    }
    es_str_free(&text);
    return es_str_take(&shown);
}

void es_error_set(es_error *err, es_code code, const char *file, int line, const char *fmt, ...)
{
    if (!err)
        return;

    va_list ap;
    va_start(ap, fmt);
    char *message =
        print(es_translate(fmt), ap); /* before the old texts go: they may be among the arguments */
    va_end(ap);

    es_error_free(err);
    err->code = code;
    err->message = message;
    err->file = file;
    err->line = line;
}

void es_error_hint(es_error *err, const char *fmt, ...)
{
    if (!err)
        return;

    va_list ap;
    va_start(ap, fmt);
    char *more = print(es_translate(fmt), ap);
    va_end(ap);

    if (err->hint) {
        es_str both = {0};
        es_str_add(&both, "%s\n%s", err->hint, more);
        free(err->hint);
        free(more);
        more = es_str_take(&both);
    }
    err->hint = more;
}

void es_error_torch(es_error *err, const char *fmt, ...)
{
    if (!err)
        return;

    va_list ap;
    va_start(ap, fmt);
    free(err->torch);
    err->torch = print(fmt, ap);
    va_end(ap);
}

static void place_free(es_place *p)
{
    free(p->function);
    free(p->file);
    free(p->source);
}

/* Is it the same call once more, of a function that calls itself? */
static bool place_again(const es_place *a, const es_place *b)
{
    return a->line == b->line && a->begin == b->begin && a->end == b->end &&
           !strcmp(a->function, b->function) && !strcmp(a->source, b->source);
}

void es_error_within(es_error *err, es_place place)
{
    if (!err->within) {
        err->within = es_alloc_array(ES_MOST_PLACES, sizeof *err->within);
        err->n_within = 0;
    }
    es_place *last = err->n_within ? &err->within[err->n_within - 1] : NULL;
    err->begin = err->end = -1;
    err->op_begin = err->op_end = 0;
    if (last && place_again(last, &place)) {
        last->times++;
        place_free(&place);
        return;
    }
    place.times = 1;
    place.left_out = 0;
    if (last && err->n_within == ES_MOST_PLACES) { /* the outermost says how it began */
        place.left_out = last->left_out + last->times;
        place_free(last);
        err->n_within--;
    }
    err->within[err->n_within++] = place;
}

void es_error_free(es_error *err)
{
    for (int i = 0; i < err->n_within; i++)
        place_free(&err->within[i]);
    free(err->within);
    free(err->message);
    free(err->hint);
    free(err->torch);
    free(err->drawing);
    free(err->words);
    *err = ES_ERROR_NONE;
}
