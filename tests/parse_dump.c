// SPDX-License-Identifier: GPL-3.0-or-later
/* For tests/parse_ast.py: sources from standard input, each after a line with its length, to a line each: the
 * tree as ast.dump has it, or "error: " and why. */
#include <stdio.h>
#include <stdlib.h>

#include "ast_show.h"
#include "expr/parse.h"

static void answer(const char *source, size_t len)
{
    es_error err = ES_ERROR_NONE;
    es_str out = {0};
    es_unit *u = es_parse(source, len, &err);
    if (u)
        show_tree(&out, u->root, true);
    else
        es_str_add(&out, "error: %s: %s [%td, %td)", es_code_name(err.code), err.message, err.begin,
                   err.end);
    puts(es_str_text(&out));
    es_str_free(&out);
    es_unit_unref(u);
    es_error_free(&err);
}

int main(void)
{
    size_t len;
    while (scanf("%zu%*1[\n]", &len) == 1) {
        char *source = malloc(len + 1);
        if (!source || fread(source, 1, len, stdin) != len)
            return EXIT_FAILURE;
        answer(source, len);
        free(source);
    }
    return EXIT_SUCCESS;
}
