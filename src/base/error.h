// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors a reader can act on: what happened, what to try, and where in the typed line. */
#ifndef ES_BASE_ERROR_H
#define ES_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ES_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define ES_PRINTF(f, a)
#endif

typedef enum es_code {
    ES_OK,
    ES_ERR_PARSE,            /* the typed line is not in the language */
    ES_ERR_NAME,             /* nothing is called that */
    ES_ERR_TYPE,             /* the wrong kind of value */
    ES_ERR_VALUE,            /* the right kind, but not one that is allowed */
    ES_ERR_DTYPE,            /* float32 where int64 is wanted, and so on */
    ES_ERR_BROADCAST,        /* two shapes do not stretch to one */
    ES_ERR_MATMUL,           /* inner axes differ */
    ES_ERR_INDEX_RANGE,      /* an id or index is outside its axis */
    ES_ERR_DIM_RANGE,        /* an axis that the tensor does not have */
    ES_ERR_RANGE,            /* a number outside its limits */
    ES_ERR_CAT,              /* sizes differ beside the joined axis */
    ES_ERR_VIEW,             /* the elements do not fit the new shape */
    ES_ERR_EXPAND,           /* only an axis of size 1 stretches */
    ES_ERR_SLICE,            /* a step or bound a slice cannot have */
    ES_ERR_UNPACK,           /* more or fewer names than values */
    ES_ERR_RAGGED,           /* nested lists of unequal length */
    ES_ERR_AMBIGUOUS,        /* the truth of more than one value */
    ES_ERR_DEVICE,           /* two tensors live on two devices */
    ES_ERR_CONTEXT_OVERFLOW, /* more tokens than the position table has rows */
    ES_ERR_FORMAT,           /* a file is not what it claims to be */
    ES_ERR_IO,               /* the system refused: open, read, map */
    ES_ERR_NOMEM,            /* more memory was asked for than there is */
    ES_ERR_BACKEND,          /* the device or its driver failed */
    ES_ERR_UNSUPPORTED,      /* right, but this program does not do it */
    ES_ERR_USAGE,            /* the command line, or a command's arguments */
    ES_ERR_INTERRUPTED,      /* Ctrl-C */
    ES_N_CODES
} es_code;

/* The code's name in messages and JSON: "index_range". */
const char *es_code_name(es_code code);

/* A place in a function that the typed line called, as a traceback has it. */
typedef struct es_place {
    char *function; /* "forward", "<lambda>"; the three texts are owned */
    char *file;     /* which it stands in; NULL: it was typed */
    int64_t line;   /* of begin, in the file or in what was typed at once, from 1 */
    char *source;   /* the lines it is on, without their indentation */
    ptrdiff_t begin, end, op_begin, op_end; /* bytes of source, as in es_error */
    int64_t times;                          /* called from there so often in a row */
    int64_t left_out; /* calls between this place and the next inner one that are not kept */
} es_place;

enum { ES_MOST_PLACES = 4 };

typedef struct es_error {
    es_code code;
    char *message;        /* what happened, with the numbers involved; owned, no fixed limit */
    char *hint;           /* what it means and what to try, one thought a line; owned or NULL */
    char *torch;          /* what PyTorch says of the same mistake; owned or NULL */
    ptrdiff_t begin, end; /* bytes of the typed line this is about; begin < 0: none */
    ptrdiff_t op_begin, op_end; /* of those, the operator between two operands; equal: none */
    char *drawing; /* lines that show the operands, axis under axis; words that matter stand between
                      ES_MARK and ES_MARK_END, a remark on a line behind a tab; owned or NULL */
    char *words;   /* what the drawing says, in words (--plain); owned or NULL */
    es_place
        *within; /* in functions of earlier lines, innermost first: drawing and hint are about that
                         place; owned or NULL */
    int n_within;
    bool
        explained; /* by the evaluator: it has its drawing, and a place is only looked for on the way up */
    bool placed; /* begin and end are of the typed line; else of the function that is being left */
    const char *file; /* where our C noticed */
    int line;
} es_error;

#define ES_MARK       "\001"
#define ES_MARK_END   "\002"
#define ES_ERROR_NONE ((es_error){.code = ES_OK, .begin = -1, .end = -1})

/* What fails returns false; inline, so that an analyser knows it too. */
static inline bool es_failed(void)
{
    return false;
}

/* Fill *err (which may be NULL) and return false, so that a caller can write
 * `return es_fail(err, ES_ERR_INDEX_RANGE, "token id %d ...", id);`. */
#define es_fail(err, code, ...)                                                                    \
    (es_error_set((err), (code), __FILE__, __LINE__, __VA_ARGS__), es_failed())
void es_error_set(es_error *err, es_code code, const char *file, int line, const char *fmt, ...)
    ES_PRINTF(5, 6);

/* Add a line to the hint of an error already set, and return false. */
#define es_hint(err, ...) (es_error_hint((err), __VA_ARGS__), es_failed())
void es_error_hint(es_error *err, const char *fmt, ...) ES_PRINTF(2, 3);

/* Quote what PyTorch would have said, and return false. */
#define es_torch_says(err, ...) (es_error_torch((err), __VA_ARGS__), es_failed())
void es_error_torch(es_error *err, const char *fmt, ...) ES_PRINTF(2, 3);

/* Say which bytes of the typed line caused err.  The first caller to know wins: the innermost
 * expression is the most precise place.  Returns false. */
static inline bool es_error_locate(es_error *err, size_t begin, size_t end)
{
    if (err && err->begin < 0) {
        err->begin = (ptrdiff_t)begin;
        err->end = (ptrdiff_t)end;
    }
    return false;
}

/* It happened in a function called from elsewhere: keep that place (taken over; of a long chain the ends)
 * and forget begin to end, for the caller to say where the call is. */
void es_error_within(es_error *err, es_place place);

/* Forget the error and free its texts; safe on ES_ERROR_NONE. */
void es_error_free(es_error *err);

#endif
