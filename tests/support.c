// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/vocab.h"

es_bpe *gpt2(void)
{
    es_error err = ES_ERROR_NONE;
    es_bpe *bpe = es_vocab_open("gpt2", &err);
    ck_assert_works(bpe != NULL, err);
    return bpe;
}

/* xorshift64* (Vigna 2016) */
uint32_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 0x2545F4914F6CDD1Du >> 32);
}

uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((uint64_t)next_random(state) * n >> 32);
}

int thoroughness(int full, int slow)
{
    return getenv("ES_TEST_SLOW") ? slow : full;
}

const char *program(void)
{
    const char *path = getenv("ES_TEST_PROGRAM");
    ck_assert_msg(path != NULL, "ES_TEST_PROGRAM is not set: run the tests by make check");
    return path;
}

char *fresh_folder(void)
{
    const char *tmp = getenv("TMPDIR");
    es_str path = {0};
    es_str_add(&path, "%s/embedscope-test-XXXXXX", tmp ? tmp : "/tmp");
    ck_assert(mkdtemp(path.s) != NULL);
    return es_str_take(&path);
}

void each_json_line(const char *path, void (*each)(json_t *object, int line))
{
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    char *text = NULL;
    size_t cap = 0;
    int line = 0;
    for (ssize_t n; (n = getline(&text, &cap, f)) > 0;) {
        json_error_t why;
        json_t *object = json_loadb(text, (size_t)n, JSON_ALLOW_NUL, &why);
        ck_assert_msg(object != NULL, "%s:%d: %s", path, line + 1, why.text);
        each(object, ++line);
        json_decref(object);
    }
    free(text);
    fclose(f);
}

void random_tensor(es_tensor *out, es_backend *be, const es_shape *shape, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    int64_t n = es_shape_count(shape);
    float *values = malloc((size_t)(n ? n : 1) * sizeof *values);
    for (int64_t i = 0; i < n; i++)
        values[i] = (float)next_random(state) / 2147483648.0f - 1.0f;
    ck_assert_works(es_tensor_new(out, be, ES_FLOAT32, shape, &err), err);
    ck_assert_works(es_tensor_write(out, values, &err), err);
    free(values);
}
