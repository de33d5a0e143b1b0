// SPDX-License-Identifier: GPL-3.0-or-later
/* What the pictures above leave with the session, so that statements can name it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/state.h"

void es_session_set_guest(es_session *s, void *guest, es_recall_fn recall)
{
    s->guest = guest;
    s->recall = recall;
}

void *es_session_guest(const es_session *s)
{
    return s->guest;
}

/* ---- where the pictures are ---- */

static void recall_settings(const es_settings *settings, es_str *lines)
{
    const es_setting *setting;
    for (size_t i = 0; (setting = es_setting_at(i)); i++) {
        if (settings->origin[i] != ES_FROM_TYPING)
            continue;
        es_str_add(lines, ":set %s ", setting->name);
        setting->get(settings, lines);
        es_str_char(lines, '\n');
    }
}

/* One text as it was typed; several, and what a line cannot hold or takes for something else, in quotes. */
static void recall_text(const es_text *t, es_str *lines)
{
    const es_sentences *all = t->sentences;
    const es_sentence *first = &all->of[0];
    if (all->B == 1 && first->len && *first->bytes != ':' && *first->bytes != '=' &&
        !memchr(first->bytes, '\n', first->len)) {
        es_str_bytes(lines, first->bytes, first->len);
    } else {
        es_str_cat(lines, all->B == 1 ? ":text" : ":batch");
        for (int64_t b = 0; b < all->B; b++) {
            es_str_char(lines, ' ');
            es_show_quoted(lines, all->of[b].bytes, all->of[b].len);
        }
    }
    es_str_char(lines, '\n');
}

void es_session_recall(es_session *s, es_str *lines)
{
    es_str pictures = {0};
    es_positions positions = s->context->layer.positions;
    if (s->recall)
        s->recall(s->guest, &pictures);
    if (pictures.len) {
        recall_settings(&s->settings, lines);
        if (positions != s->first_positions)
            es_str_add(lines, ":positions %s\n", es_positions_name(positions));
        if (s->text)
            recall_text(s->text, lines);
        es_str_bytes(lines, pictures.s, pictures.len);
    }
    es_str_free(&pictures);
}

void es_session_touch(es_session *s)
{
    s->stamp++;
}

static void pick(es_session *s, struct es_picked *to, const int32_t *ids, size_t n)
{
    int32_t *copy = n ? es_alloc_array(n, sizeof *copy) : NULL;
    if (n)
        memcpy(copy, ids, n * sizeof *copy);
    free(to->ids);
    *to = (struct es_picked){copy, n};
    s->stamp++;
}

void es_session_select(es_session *s, const int32_t *ids, size_t n)
{
    pick(s, &s->selected, ids, n);
    es_mode_forget_picture(s, "sel");
}

const int32_t *es_session_selection(const es_session *s, size_t *n)
{
    *n = s->selected.n;
    return s->selected.ids;
}

void es_session_set_found(es_session *s, const int32_t *ids, size_t n)
{
    pick(s, &s->found, ids, n);
}

const int32_t *es_session_found(const es_session *s, size_t *n)
{
    *n = s->found.n;
    return s->found.ids;
}

void es_session_set_axes(es_session *s, const float *axes, int64_t K, int64_t C)
{
    size_t n = (size_t)(K * C);
    bool same = axes && s->axes && K == s->axes_K && C == s->axes_C &&
                !memcmp(axes, s->axes, n * sizeof *axes);
    if (same || (!axes && !s->axes))
        return;
    float *copy = axes ? es_alloc_array(n, sizeof *copy) : NULL;
    if (axes)
        memcpy(copy, axes, n * sizeof *copy);
    free(s->axes);
    s->axes = copy;
    s->axes_K = K;
    s->axes_C = C;
    es_mode_forget_picture(s, "axes");
}

const float *es_session_axes(const es_session *s, int64_t *K, int64_t *C)
{
    *K = s->axes_K;
    *C = s->axes_C;
    return s->axes;
}
