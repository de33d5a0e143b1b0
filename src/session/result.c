// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/result.h"

void es_result_free(es_result *r)
{
    if (r->kind && r->kind->forget)
        r->kind->forget(r->data);
    *r = (es_result){0};
}
