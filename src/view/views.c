// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/views.h"

#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "view/viewer.h"
#include "view/words.h"

static const es_view_kind *const views[ES_N_VIEWS] = {
    [ES_VIEW_MAP] = &es_view_map,           [ES_VIEW_POSITIONS] = &es_view_positions,
    [ES_VIEW_OFFSET] = &es_view_offset,     [ES_VIEW_STRIPS] = &es_view_strips,
    [ES_VIEW_COSINE] = &es_view_cosine,     [ES_VIEW_AXES] = &es_view_axes,
    [ES_VIEW_VARIANCE] = &es_view_variance, [ES_VIEW_SERIES] = &es_view_series,
    [ES_VIEW_PAIRS] = &es_view_pairs,       [ES_VIEW_ONEHOT] = &es_view_onehot,
};

void es_pick_free(es_pick *p)
{
    es_str_free(&p->what);
    es_str_free(&p->statement);
    *p = ES_PICK_NONE;
}

const es_view_kind *es_view_kind_at(int view)
{
    return view >= 0 && view < ES_N_VIEWS ? views[view] : NULL;
}

bool es_view_named(es_view_id *out, const char *name, size_t n, es_error *err)
{
    for (int i = 0; i < ES_N_VIEWS; i++)
        if (strlen(views[i]->name) == n && !memcmp(views[i]->name, name, n)) {
            *out = (es_view_id)i;
            return true;
        }
    es_str shown = {0}, all = {0};
    es_show_brief(&shown, name, n);
    for (int i = 0; i < ES_N_VIEWS; i++)
        es_str_add(&all, "%s%s", i ? ", " : "", views[i]->name);
    es_fail(err, ES_ERR_NAME, "there is no view %s", shown.s);
    es_hint(err, "views: %s", all.s);
    es_str_free(&shown);
    es_str_free(&all);
    return false;
}

void *es_view_keep(const es_viewer *v, es_view_id view, size_t size)
{
    void **slot = &((es_viewer *)v)->of[view];
    if (!*slot)
        *slot = es_alloc(size);
    return *slot;
}

void es_view_instead(const es_viewer *v, es_canvas *c, es_box area, const char *says)
{
    const es_ink ink = {.size = es_viewer_em(v), .colour = es_viewer_palette(v)->dim};
    es_words_instead(c, area, says, &ink);
}
