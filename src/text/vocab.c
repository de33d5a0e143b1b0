// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/vocab.h"

#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "base/visible.h"

/* Tables that are damaged or of an older build are no disaster while the merge list is there. */
static es_bpe *open_gpt2(es_str *path, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_bpe *bpe = NULL;
    if (es_place_asset(path, "bpe/gpt2.tables", &why))
        bpe = es_bpe_from_tables(path->s, &why);
    es_error_free(&why);
    if (!bpe && es_place_asset(path, "bpe/gpt2.vocab.bpe", err))
        bpe = es_bpe_from_merges(path->s, err);
    return bpe;
}

es_bpe *es_vocab_open(const char *name, es_error *err)
{
    es_str found = {0};
    es_bpe *bpe = es_vocab_open_at(name, &found, err);
    es_str_free(&found);
    return bpe;
}

es_bpe *es_vocab_open_at(const char *name, es_str *found, es_error *err)
{
    if (!strcmp(name, "gpt2"))
        return open_gpt2(found, err);
    if (strchr(name, '/') || access(name, F_OK) == 0) {
        es_str_cut(found, 0);
        es_str_cat(found, name);
        return es_bpe_from_merges(name, err);
    }
    es_str shown = {0};
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_NAME, "there is no vocabulary %s, and no file of that name",
            es_str_text(&shown));
    es_hint(err, "try: gpt2, or the path of a merge list such as GPT-2's vocab.bpe");
    es_str_free(&shown);
    return NULL;
}
