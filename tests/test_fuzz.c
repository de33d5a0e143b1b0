// SPDX-License-Identifier: GPL-3.0-or-later
/* The fuzz targets without a fuzzer: every seed, and 2,000 mutations (200 of pictures) that are the same in
 * every run. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/fuzz.h"
#include "support.h"

Suite *fuzz_suite(void);

enum { MUTATIONS = 2000, SLOW_MUTATIONS = 100, ROOM = 16384 };

typedef struct seed {
    uint8_t bytes[ROOM];
    size_t size;
} seed;

static seed *read_seeds(const char *pattern, size_t *n)
{
    glob_t found;
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    seed *seeds = calloc(found.gl_pathc, sizeof *seeds);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        es_file f;
        ck_assert(es_file_open(&f, found.gl_pathv[i], NULL));
        seeds[i].size = f.size < ROOM ? f.size : ROOM;
        memcpy(seeds[i].bytes, f.data, seeds[i].size);
        es_file_close(&f);
    }
    *n = found.gl_pathc;
    globfree(&found);
    return seeds;
}

/* One of the things a fuzzer does: change, remove, repeat or splice in a piece of another seed. */
static void mutate(seed *s, const seed *other, uint64_t *state)
{
    static const uint8_t telling[] = {0,    '\n', ' ',  ':',  '"',  '\\',
                                      0x1B, 0x80, 0xC3, 0xE2, 0xF0, 0xFF};
    size_t at = s->size ? random_below(state, (uint32_t)s->size) : 0;
    size_t n = random_below(state, 9);
    switch (random_below(state, 5)) {
    case 0: s->bytes[at] = (uint8_t)next_random(state); break;
    case 1: s->bytes[at] = telling[random_below(state, sizeof telling)]; break;
    case 2: /* remove */
        n = n < s->size - at ? n : s->size - at;
        memmove(s->bytes + at, s->bytes + at + n, s->size - at - n);
        s->size -= n;
        return;
    case 3: /* repeat */
        n = s->size + n <= ROOM && at + n <= s->size ? n : 0;
        memmove(s->bytes + at + n, s->bytes + at, s->size - at);
        s->size += n;
        return;
    default: { /* splice */
        size_t from = other->size ? random_below(state, (uint32_t)other->size) : 0;
        size_t room = ROOM - at, rest = other->size - from;
        n = rest < room ? rest : room;
        memcpy(s->bytes + at, other->bytes + from, n);
        s->size = at + n;
    }
    }
    if (s->size == 0)
        s->size = 1;
}

static const struct {
    const char *seeds;
    int (*target)(const uint8_t *data, size_t size);
} targets[] = {
    {"tests/fuzz/seeds/calls/*", fuzz_calls},
    {"tests/fuzz/seeds/checkpoint/*", fuzz_checkpoint},
    {"tests/fuzz/seeds/classes/*", fuzz_classes},
    {"tests/fuzz/seeds/encode/*", fuzz_encode},
    {"tests/fuzz/seeds/eval/*", fuzz_eval},
    {"tests/fuzz/seeds/lesson/*", fuzz_lesson},
    {"tests/fuzz/seeds/lines/*", fuzz_lines},
    {"tests/fuzz/seeds/merges/*", fuzz_merges},
    {"tests/fuzz/seeds/meta/*", fuzz_meta},
    {"tests/fuzz/seeds/npy/*", fuzz_npy},
    {"tests/fuzz/seeds/parse/*", fuzz_parse},
    {"tests/fuzz/seeds/pictures/*", fuzz_pictures},
    {"tests/fuzz/seeds/prose/*", fuzz_prose},
    {"tests/fuzz/seeds/safetensors/*", fuzz_safetensors},
    {"tests/fuzz/seeds/why/*", fuzz_why},
};

START_TEST(seeds_and_mutations_break_no_promise)
{
    size_t n;
    uint64_t state = 2000 + (uint64_t)_i;
    seed *seeds = read_seeds(targets[_i].seeds, &n);
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < n; i++)
        targets[_i].target(seeds[i].bytes, seeds[i].size);
    int few = targets[_i].target == fuzz_pictures ? 10 : 1;
    for (int k = 0; k < thoroughness(MUTATIONS, SLOW_MUTATIONS) / few; k++) {
        static seed s;
        s = seeds[random_below(&state, (uint32_t)n)];
        for (uint32_t m = 1 + random_below(&state, 4); m > 0; m--)
            mutate(&s, &seeds[random_below(&state, (uint32_t)n)], &state);
        targets[_i].target(s.bytes, s.size);
    }
    free(seeds);
    free(folder);
}
END_TEST

Suite *fuzz_suite(void)
{
    Suite *s = suite_create("fuzz");
    TCase *tc = tcase_create("mutations");
    tcase_set_timeout(tc, 240);
    tcase_add_loop_test(tc, seeds_and_mutations_break_no_promise, 0,
                        sizeof targets / sizeof *targets);
    suite_add_tcase(s, tc);
    return s;
}
