// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/vocab.h"

#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "base/visible.h"

/* Tables that are damaged or of an older build are no disaster while the merge list is there. */
static es_bpe *open_gpt2(es_error *err)
{
    es_str path = {0};
    es_error why = ES_ERROR_NONE;
    es_bpe *bpe = NULL;
    if (es_place_asset(&path, "bpe/gpt2.tables", &why))
        bpe = es_bpe_from_tables(path.s, &why);
    es_error_free(&why);
    if (!bpe && es_place_asset(&path, "bpe/gpt2.vocab.bpe", err))
        bpe = es_bpe_from_merges(path.s, err);
    es_str_free(&path);
    return bpe;
}

es_bpe *es_vocab_open(const char *name, es_error *err)
{
    if (!strcmp(name, "gpt2"))
        return open_gpt2(err);
    if (strchr(name, '/') || access(name, F_OK) == 0)
        return es_bpe_from_merges(name, err);
    es_str shown = {0};
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_NAME, "there is no vocabulary %s, and no file of that name",
            es_str_text(&shown));
    es_hint(err, "try: gpt2, or the path of a merge list such as GPT-2's vocab.bpe");
    es_str_free(&shown);
    return NULL;
}
