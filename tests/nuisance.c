// SPDX-License-Identifier: GPL-3.0-or-later
#include "nuisance.h"

#include <pthread.h>
#include <time.h>

#include "support.h"

typedef struct nuisance {
    es_watch watch;
    atomic_bool enough;
} nuisance;

static void *interrupt(void *of)
{
    nuisance *n = of;
    for (int i = 0; !n->enough; i++) {
        nanosleep(&(struct timespec){0, 30000L * (1 + i % 40)}, NULL);
        n->watch.cancel = true;
    }
    return NULL;
}

void step_through_nuisance(step_fn step, void *of, int n)
{
    es_error err = ES_ERROR_NONE;
    nuisance other = {.watch = {.done = 3, .total = 4}};
    pthread_t thread;
    int interrupted = 0;
    ck_assert_int_eq(pthread_create(&thread, NULL, interrupt, &other), 0);
    for (int done = 0; done < n;) {
        bool patient = interrupted % 4 == 3; /* so that it ends on any machine */
        if (step(of, patient ? NULL : &other.watch, &err)) {
            interrupted += patient;
            done++;
            continue;
        }
        ck_assert_int_eq(err.code, ES_ERR_INTERRUPTED);
        ck_assert_str_eq(err.message, "stopped by Ctrl-C");
        es_error_free(&err);
        other.watch.cancel = false;
        interrupted++;
    }
    other.enough = true;
    pthread_join(thread, NULL);
    ck_assert_int_gt(interrupted, 0);
    ck_assert_uint_eq(other.watch.done, 3);
    ck_assert_uint_eq(other.watch.total, 4);
}
