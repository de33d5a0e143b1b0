// SPDX-License-Identifier: GPL-3.0-or-later
/* What a trained model is judged by: which words it found to belong together, and the shape of its positions.
 * Shared by the tests of the bundled model and by build/score, which compares candidates. */
#ifndef ES_TESTS_FIGURES_H
#define ES_TESTS_FIGURES_H

#include "text/bpe.h"

enum {
    FIGURES_SEEN = 20, /* rarer tokens are not judged */
    FIGURES_LISTS = 24,
    FIGURES_LAGS = 9, /* 1, 2, 4 … 256 places apart */
    FIGURES_SHARES = 6
};

/* Words that belong together (a line of tests/data/neighbour_lists.tsv, whose header has the rule). */
typedef struct list_score {
    char name[16];
    int words;    /* n: single tokens seen often enough */
    double share; /* P: of each word's n - 1 nearest rows, those in the list; the mean over words */
    int firsts;   /* words whose nearest row is in the list */
} list_score;

typedef struct figures {
    int64_t bytes, vocab_size, n_embd, n_ctx;
    const char *wte_type, *wpe_type; /* "float16" */
    int64_t seen;                    /* tokens seen at least FIGURES_SEEN times */
    list_score list[FIGURES_LISTS];
    int n_lists;
    double score; /* the mean over lists of their share */
    double first; /* the share of all words whose nearest row is in their list */
    double
        lag[FIGURES_LAGS]; /* mean cosine of two rows of wpe 2^i places apart; NaN: too few rows */
    double share[FIGURES_SHARES]; /* of the variance of wpe's rows, by principal component */
} figures;

/* Of a model file with wte, wpe and token_count (V, int32), whose ids are bpe's. */
bool figures_read(figures *f, const char *path, const es_bpe *bpe, es_error *err);

#endif
