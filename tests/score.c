// SPDX-License-Identifier: GPL-3.0-or-later
/* How good trained models are: the figures the bundled one is chosen by, and must keep (tests/figures.h).
 *
 * usage: build/score FILE.safetensors…    from the folder that holds tests/ */
#include <stdio.h>
#include <stdlib.h>

#include "figures.h"
#include "text/vocab.h"

static void print_neighbours(const figures *f)
{
    int words = 0;
    for (int i = 0; i < f->n_lists; i++)
        words += f->list[i].words;
    printf(
        "  neighbours  mean %.3f, top-1 %.3f; %d words in %d lists, %lld tokens seen %d times or "
        "more\n",
        f->score, f->first, words, f->n_lists, (long long)f->seen, FIGURES_SEEN);
    for (int i = 0; i < f->n_lists; i++) {
        const list_score *l = &f->list[i];
        printf("    %-10s P %.3f  top-1 %2d of %2d\n", l->name, l->share, l->firsts, l->words);
    }
}

static void print_positions(const figures *f)
{
    double sum = 0;
    printf("  positions   cosine by lag ");
    for (int i = 0; i < FIGURES_LAGS; i++)
        printf(" %d: %.3f", 1 << i, f->lag[i]);
    printf("\n              share of variance");
    for (int i = 0; i < FIGURES_SHARES; i++) {
        sum += f->share[i];
        printf(" %.3f", f->share[i]);
        if (i == 2)
            printf(" (three: %.3f)", sum);
    }
    printf("; first six: %.3f\n", sum);
}

static bool print_figures(const char *path, const es_bpe *bpe)
{
    es_error err = ES_ERROR_NONE;
    figures f;
    bool ok = figures_read(&f, path, bpe, &err);
    if (ok) {
        printf("%s: %lld bytes, C=%lld, wte %s (V=%lld), wpe %s (n_ctx=%lld)\n", path,
               (long long)f.bytes, (long long)f.n_embd, f.wte_type, (long long)f.vocab_size,
               f.wpe_type, (long long)f.n_ctx);
        print_neighbours(&f);
        print_positions(&f);
    } else
        fprintf(stderr, "%s: %s\n", path, err.message);
    es_error_free(&err);
    return ok;
}

int main(int argc, char **argv)
{
    es_error err = ES_ERROR_NONE;
    es_bpe *bpe = es_vocab_open("gpt2", &err);
    bool ok = bpe != NULL;
    if (!bpe)
        fprintf(stderr, "%s\n", err.message);
    for (int i = 1; bpe && i < argc; i++)
        ok = print_figures(argv[i], bpe) && ok;
    es_bpe_free(bpe);
    es_error_free(&err);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
