// SPDX-License-Identifier: GPL-3.0-or-later
/* At build time: a merge list to the tables that the program maps when it starts. */
#include <stdio.h>
#include <stdlib.h>

#include "text/bpe.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: bpe MERGES TABLES\n");
        return 2;
    }
    es_error err = ES_ERROR_NONE;
    es_bpe *bpe = es_bpe_from_merges(argv[1], &err);
    bool ok = bpe && es_bpe_save(bpe, argv[2], &err);
    if (!ok)
        fprintf(stderr, "bpe: %s\n", err.message);
    es_bpe_free(bpe);
    es_error_free(&err);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
