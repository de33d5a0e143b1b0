// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's statements and expressions, as far as shape work needs them, to a tree. */
#ifndef ES_EXPR_PARSE_H
#define ES_EXPR_PARSE_H

#include "base/error.h"
#include "expr/ast.h"
#include "expr/lex.h" /* ES_MOST_NESTING */

enum { ES_MOST_SOURCE = 1 << 20, ES_MOST_LINE = 1 << 16 };

/* The unit of a complete source of one or more lines.  Python's and IPython's prompts (">>> ", "... ", "In [3]: ")
 * and common indentation are blanked out first: places stay those of the bytes given.
 * NULL and ES_ERR_PARSE, placed, with a hint where one can be given; ES_ERR_UNSUPPORTED for what is Python and not
 * here (:=, try, yield, bytes, complex numbers), ES_ERR_RANGE for whole numbers of more than 64 bits. */
es_unit *es_parse(const char *source, size_t len, es_error *err);

/* How a source that is typed line by line stands. */
typedef enum es_input_state {
    ES_INPUT_EMPTY,    /* white space and comments only */
    ES_INPUT_COMPLETE, /* parse it: as it stands it is whole, or wrong */
    ES_INPUT_OPEN,     /* a bracket, a quote or a backslash asks for another line */
    ES_INPUT_SUITE /* a suite goes on until an empty line (typed), a dedent, or the end (paste, file) */
} es_input_state;

/* A source as it comes, line by line; what has been read is not read again.  Free with es_input_free. */
typedef struct es_input es_input;
es_input *es_input_new(void);
void es_input_free(es_input *in); /* NULL is fine */

/* One more line, without its line break, or several with those between them: how does the whole stand now?  A
 * mistake that no further line can mend makes a short source COMPLETE; nothing is added to one that is. */
es_input_state es_input_add(es_input *in, const char *lines, size_t n);

/* Does this line, coming after a source that stands as ES_INPUT_SUITE, belong to it?  A line that is indented,
 * blank, a comment, or begins with else, elif, except, finally does. */
bool es_input_takes(const es_input *in, const char *line, size_t n);

/* Does a line of text look like Python meant for the tensor mode? */
bool es_looks_like_python(const char *line, size_t len);

#endif
