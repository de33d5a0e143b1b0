// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "support.h"

static atomic_int *ran;

void gpu_tally(void)
{
    void *shared =
        mmap(NULL, sizeof *ran, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ran = shared == MAP_FAILED ? NULL : shared;
}

int gpu_tests_ran(void)
{
    return ran ? atomic_load(ran) : 0;
}

int each_gpu(void (*test)(const char *device))
{
    const char *wanted = getenv("ES_TEST_GPU");
    es_devices found;
    int n = 0;
    es_devices_list(&found);
    for (int i = 0; i < found.n; i++) {
        if (!es_device_is_gpu(found.of[i].name) || *found.of[i].why)
            continue;
        test(found.of[i].name);
        n++;
        if (ran)
            atomic_fetch_add(ran, 1);
    }
    if (n)
        return n;
    ck_assert_msg(!wanted || strcmp(wanted, "required") != 0, "no GPU can be used here: %s",
                  found.none);
    fprintf(stderr, "skipped, for no GPU can be used here: %s\n", found.none);
    return 0;
}
