// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_pretend.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static fake_object *all;

void *fake_make(fake_kind kind, size_t bytes)
{
    fake_object *o = calloc(1, bytes);
    if (!o)
        abort();
    o->kind = kind;
    pthread_mutex_lock(&lock);
    o->next = all;
    all = o;
    pthread_mutex_unlock(&lock);
    return o;
}

static fake_object **find(const void *handle, fake_kind kind)
{
    fake_object **o = &all;
    while (*o && *o != handle)
        o = &(*o)->next;
    return *o && (*o)->kind == kind ? o : NULL;
}

bool fake_is(const void *handle, fake_kind kind)
{
    pthread_mutex_lock(&lock);
    bool found = find(handle, kind) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}

/* Takes it out; whoever asked frees it. */
bool fake_take(const void *handle, fake_kind kind)
{
    pthread_mutex_lock(&lock);
    fake_object **o = find(handle, kind);
    if (o)
        *o = (*o)->next;
    pthread_mutex_unlock(&lock);
    return o != NULL;
}

void *fake_fail(cl_int *code, cl_int with)
{
    *code = with;
    return NULL;
}

#define HERE(name) .name = fake_##name,
const es_cl fake_pretended = {ES_CL_FUNCTIONS(HERE)};
