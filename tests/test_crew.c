// SPDX-License-Identifier: GPL-3.0-or-later
/* Threads that share chunks: each is worked on once, by one, however many there are. */
#include <stdlib.h>

#include "analysis/crew.h"
#include "core/backend.h"
#include "support.h"

Suite *crew_suite(void);

enum { CHUNKS = 300, ROOM = 100 };

typedef struct tally {
    _Atomic int times[CHUNKS];
    atomic_bool crooked; /* some room was not on a multiple of 64 */
    es_watch *cancels;   /* from chunk 5 on */
} tally;

static void count(void *of, int64_t i, void *room)
{
    tally *t = of;
    t->times[i]++;
    if ((uintptr_t)room % 64)
        t->crooked = true;
    for (char *byte = room; byte < (char *)room + ROOM; byte++)
        *byte = (char)i;
    if (t->cancels && i == 5)
        t->cancels->cancel = true;
}

static es_crew *of_threads(int threads)
{
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open("cpu", threads, &err);
    ck_assert_works(be != NULL, err);
    es_crew *c = es_crew_new();
    es_backend_close(be);
    return c;
}

static void check_calls(es_crew *c, bool alone)
{
    es_error err = ES_ERROR_NONE;
    tally t = {0};
    int calls = 0;
    for (int64_t n = 0; n <= CHUNKS; n += 7, calls++) {
        const es_chunks chunks = {n, ROOM, count, alone};
        ck_assert_works(es_crew_work(c, &chunks, &t, NULL, &err), err);
    }
    for (int i = 0; i < CHUNKS; i++)
        demand(t.times[i] == calls - 1 - i / 7, "chunk %d: %d times", i, t.times[i]);
    ck_assert(!t.crooked);
}

START_TEST(each_chunk_is_worked_on_once)
{
    for (int threads = 1; threads <= 4; threads++) {
        es_crew *c = of_threads(threads);
        check_calls(c, false);
        check_calls(c, true);
        es_crew_free(c);
    }
}
END_TEST

START_TEST(a_crew_that_never_worked_goes_home)
{
    es_crew_free(of_threads(3));
    es_crew_free(NULL);
}
END_TEST

START_TEST(interrupted_it_leaves_the_rest)
{
    for (int threads = 1; threads <= 2; threads++) {
        es_error err = ES_ERROR_NONE;
        es_watch watch = {.done = 3, .total = 9};
        tally t = {.cancels = &watch};
        const es_chunks chunks = {CHUNKS, ROOM, count, false};
        es_crew *c = of_threads(threads);
        ck_assert_fails(es_crew_work(c, &chunks, &t, &watch, &err), err, ES_ERR_INTERRUPTED,
                        "stopped by Ctrl-C");
        ck_assert_int_eq(watch.done, 3);
        if (threads == 1)
            ck_assert_int_eq(t.times[6], 0);
        watch.cancel = false;
        t.cancels = NULL;
        ck_assert_works(es_crew_work(c, &chunks, &t, &watch, &err), err);
        ck_assert_int_eq(t.times[CHUNKS - 1], t.times[CHUNKS - 2]);
        es_crew_free(c);
    }
}
END_TEST

Suite *crew_suite(void)
{
    Suite *s = suite_create("crew");
    TCase *tc = tcase_create("crew");
    tcase_add_test(tc, each_chunk_is_worked_on_once);
    tcase_add_test(tc, a_crew_that_never_worked_goes_home);
    tcase_add_test(tc, interrupted_it_leaves_the_rest);
    suite_add_tcase(s, tc);
    return s;
}
