// SPDX-License-Identifier: GPL-3.0-or-later
/* What the pictures above leave with the session, so that statements can name it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/state.h"

void es_session_set_guest(es_session *s, void *guest)
{
    s->guest = guest;
}

void *es_session_guest(const es_session *s)
{
    return s->guest;
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
