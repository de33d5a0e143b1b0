// SPDX-License-Identifier: GPL-3.0-or-later
#include "module.h"

#include <stdio.h>
#include <string.h>

#include "support.h"

const es_module *picture_module(void)
{
    es_error err = ES_ERROR_NONE;
    const es_module *m = es_module_load(NULL, &err);
    bool there = m || !strstr(err.message, "is not there");
    demand(m || !there, "%s", err.message);
    if (!m)
        fprintf(stderr, "skipped, for there is no module of pictures here: %s\n", err.message);
    es_error_free(&err);
    return m;
}

static int leaks_left_alone;

/* The leak checker asks this before it begins. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void)
{
    return leaks_left_alone;
}

void leave_leaks_alone(void)
{
    leaks_left_alone = 1;
}
