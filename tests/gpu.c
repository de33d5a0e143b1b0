// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "support.h"

typedef struct tally {
    atomic_int ran, skipped;
} tally;

static tally *shared;

void gpu_tally(void)
{
    if (shared)
        return;
    void *mem =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared = mem == MAP_FAILED ? NULL : mem;
}

int gpu_tests_ran(void)
{
    return shared ? atomic_load(&shared->ran) : 0;
}

/* None is there.  It is said once. */
static void skip(const char *why)
{
    const char *wanted = getenv("ES_TEST_GPU");
    ck_assert_msg(!wanted || strcmp(wanted, "required") != 0, "no GPU can be used here: %s", why);
    if (!shared || atomic_fetch_add(&shared->skipped, 1) == 0)
        fprintf(stderr, "skipped, for no GPU can be used here: %s\n", why);
}

int each_gpu(void (*test)(const char *device))
{
    es_devices found;
    int n = 0;
    es_devices_list(&found);
    for (int i = 0; i < found.n; i++) {
        if (!es_device_is_gpu(found.of[i].name) || *found.of[i].why)
            continue;
        test(found.of[i].name);
        n++;
        if (shared)
            atomic_fetch_add(&shared->ran, 1);
    }
    if (!n)
        skip(*found.none ? found.none : "this program has no GPU backend");
    return n;
}

void keep_compiled(void)
{
    const char *tmp = getenv("TMPDIR"); /* of this run of the tests */
    es_str ours = {0}, driver = {0};
    es_str_add(&ours, "%s/compiled", tmp ? tmp : "/tmp");
    es_str_add(&driver, "%s/pocl", ours.s);
    mkdir(ours.s, 0700);
    mkdir(driver.s, 0700);
    setenv("XDG_CACHE_HOME", ours.s, 1);
    setenv("POCL_CACHE_DIR", driver.s, 1);
    es_str_free(&ours);
    es_str_free(&driver);
}

bool also_on_sim(void)
{
    return !getenv("ES_TEST_GPU");
}
