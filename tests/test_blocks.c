// SPDX-License-Identifier: GPL-3.0-or-later
/* Blocks and counts in a model's files: narrow numbers, what is written, what is read back. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/blocks.h"
#include "model/safetensors.h"
#include "model/write.h"
#include "support.h"

Suite *blocks_suite(void);

/* ---- narrow numbers ---- */

static uint32_t half_after(float x, float towards)
{
    return es_half_of_float(nextafterf(x, towards));
}

/* Every finite one comes back; what lies between two goes to the nearer, in the middle to the even one. */
START_TEST(halves_are_rounded_to_the_nearest_and_to_even)
{
    enum { INFINITE = 0x7C00, SIGN = 0x8000 };
    for (uint32_t h = 0; h < INFINITE; h++) {
        float x = es_float_of_half(h);
        float next = h + 1 < INFINITE ? es_float_of_half(h + 1) : 0x1p16F;
        float middle = (x + next) / 2;
        demand(es_half_of_float(x) == h && es_half_of_float(-x) == (h | SIGN), "%u", h);
        demand(es_half_of_float(middle) == h + (h & 1), "half-way after %u", h);
        demand(half_after(middle, 0) == h && half_after(middle, INFINITY) == h + 1,
               "around the middle after %u", h);
    }
    ck_assert_uint_eq(es_half_of_float(65519.996F), 0x7BFF);
    ck_assert_uint_eq(es_half_of_float(65520), INFINITE);
    ck_assert_uint_eq(es_half_of_float(-INFINITY), SIGN | INFINITE);
    ck_assert(isnan(es_float_of_half(es_half_of_float(NAN))));
    ck_assert_uint_eq(es_half_of_float(0x1p-25F), 0);
    ck_assert_uint_eq(es_half_of_float(FLT_TRUE_MIN), 0);
}
END_TEST

START_TEST(numbers_are_stored_up_to_one_that_does_not_fit)
{
    static const float x[] = {1, -0.0F, 65504, INFINITY, 65520, 1};
    unsigned char f16[sizeof x], bf16[sizeof x], f64[2 * sizeof x];
    ck_assert_uint_eq(es_store_numbers(f16, ES_STORE_F16, x, 6), 4);
    ck_assert_mem_eq(f16, "\x00\x3C\x00\x80\xFF\x7B\x00\x7C", 8);
    ck_assert_uint_eq(es_store_numbers(f64, ES_STORE_F64, x, 6), 6);
    ck_assert_mem_eq(f64, "\x00\x00\x00\x00\x00\x00\xF0\x3F", 8);

    static const float y[] = {1.00390625F /* 1 + 2^-8 */, 1.01171875F /* 1 + 3 * 2^-8 */, NAN,
                              FLT_MAX};
    ck_assert_uint_eq(es_store_numbers(bf16, ES_STORE_BF16, y, 4), 3);
    ck_assert_mem_eq(bf16, "\x80\x3F\x82\x3F", 4);
    ck_assert_uint_eq(bf16[4] | bf16[5] << 8, 0x7FC0);
}
END_TEST

/* ---- a small model ---- */

enum { V = 7, P = 5, C = 8, L = 2, HEADS = 4, MOST_PARAMS = L * (12 * C * C + 13 * C) + 2 * C };

typedef struct small {
    float wte[V * C], wpe[P * C], head[V * C], params[MOST_PARAMS];
    int64_t counts[V];
    es_model_numbers numbers; /* of these */
} small;

static void random_floats(float *x, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)random_below(state, 20001) / 1e4F - 1;
}

static small *small_new(void)
{
    uint64_t state = 7;
    small *s = calloc(1, sizeof *s);
    random_floats(s->wte, V * C, &state);
    random_floats(s->wpe, P * C, &state);
    random_floats(s->head, V * C, &state);
    random_floats(s->params, MOST_PARAMS, &state);
    for (int64_t id = 0; id < V; id++)
        s->counts[id] = id ? 1000003 * id : 0;
    s->numbers = (es_model_numbers){.config = {.vocab_size = V, .n_ctx = P, .n_embd = C},
                                    .sizes = {.n_layer = L, .n_head = HEADS, .n_embd = C},
                                    .wte = s->wte,
                                    .wpe = s->wpe,
                                    .blocks = s->params,
                                    .head = s->head,
                                    .counts = s->counts};
    return s;
}

static const char path[] = "small.safetensors";

static void setup(void)
{
    char *folder = fresh_folder();
    calm_environment();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
}

static void write_small(const small *s, es_store store)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_model_write(path, &s->numbers, store, "a test", NULL, &err), err);
}

static es_model *open_model(const char *name)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open(name, 0, &err);
    ck_assert_works(m != NULL, err);
    return m;
}

static const es_blocks *blocks_of(const es_model *m)
{
    es_error err = ES_ERROR_NONE;
    const es_blocks *b = es_model_blocks(m, NULL, &err);
    ck_assert_works(b != NULL, err);
    return b;
}

static float as_stored(float x, es_store store)
{
    uint32_t bits;
    unsigned char two[2];
    if (store == ES_STORE_F32)
        return x;
    if (store == ES_STORE_F16)
        return es_float_of_half(es_half_of_float(x));
    ck_assert_uint_eq(es_store_numbers(two, store, &x, 1), 1);
    bits = (uint32_t)two[0] << 16 | (uint32_t)two[1] << 24;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void check_numbers(const float *got, const float *want, int64_t n, es_store store)
{
    for (int64_t i = 0; i < n; i++)
        demand(got[i] == as_stored(want[i], store), "number %d: %g, not %g", (int)i, (double)got[i],
               (double)as_stored(want[i], store));
}

static void check_table(const es_table *t, const float *want, int64_t rows, es_store store)
{
    float row[C];
    ck_assert_int_eq(es_table_rows(t), rows);
    ck_assert_int_eq(es_table_width(t), C);
    for (int64_t i = 0; i < rows; i++) {
        ck_assert(es_table_row(t, i, row, NULL));
        check_numbers(row, want + i * C, C, store);
    }
}

static void check_model(const es_model *m, const small *s, es_store store)
{
    const es_blocks *b = blocks_of(m);
    ck_assert_int_eq(es_model_n_layer(m), L);
    ck_assert_int_eq(b->sizes.n_layer, L);
    ck_assert_int_eq(b->sizes.n_head, HEADS);
    ck_assert_int_eq(b->sizes.n_embd, C);
    check_table(m->wte, s->wte, V, store);
    check_table(m->wpe, s->wpe, P, store);
    check_table(b->head, s->head, V, store);
    check_numbers(b->params, s->params, MOST_PARAMS, store);
    for (int32_t id = 0; id < V; id++)
        ck_assert_int_eq(es_model_count(m, id), s->counts[id]);
}

/* ---- written and read ---- */

START_TEST(what_is_written_is_read_back_number_by_number)
{
    small *s = small_new();
    for (es_store store = ES_STORE_F32; store <= ES_STORE_BF16; store++) {
        write_small(s, store);
        es_model *m = open_model(path);
        ck_assert(es_model_has_blocks(m) && !m->warnings);
        ck_assert_uint_eq(m->n_others, 0);
        check_model(m, s, store);
        es_model_unref(m);
    }
    free(s);
}
END_TEST

START_TEST(a_model_in_memory_has_copies_of_its_numbers)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    es_backend *be = es_backend_open("cpu", 1, &err);
    es_model_numbers given = s->numbers;
    small *gone = malloc(sizeof *gone);
    *gone = *s;
    given.wte = gone->wte, given.wpe = gone->wpe, given.head = gone->head;
    given.blocks = gone->params, given.counts = gone->counts;
    es_model *m = es_model_of_numbers(&given, "trained", "about", "brief", be, &err);
    ck_assert_works(m != NULL, err);
    memset(gone, 0, sizeof *gone);
    free(gone);
    ck_assert_str_eq(m->name, "trained");
    ck_assert_str_eq(m->about, "about");
    ck_assert_str_eq(m->brief, "brief");
    check_model(m, s, ES_STORE_F32);
    es_model_unref(m);

    given = (es_model_numbers){.config = s->numbers.config, .wte = s->wte};
    m = es_model_of_numbers(&given, "half", "about", "brief", be, &err);
    ck_assert_works(m != NULL, err);
    ck_assert(!es_model_has_blocks(m) && es_table_rows(m->wpe) == 0);
    ck_assert_int_eq(es_model_count(m, 1), -1);
    es_model_unref(m);
    es_backend_close(be);
    free(s);
}
END_TEST

static void check_still_there(const small *s)
{
    es_model *m = open_model(path);
    check_model(m, s, ES_STORE_F32);
    es_model_unref(m);
    ck_assert_int_eq(access("other.safetensors", F_OK), -1);
}

START_TEST(a_file_is_written_whole_or_stays_as_it_was)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new(), *bad = small_new();
    es_watch watch = {.cancel = true};
    write_small(s, ES_STORE_F32);
    ck_assert_fails(es_model_write(path, &bad->numbers, ES_STORE_F16, NULL, &watch, &err), err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    check_still_there(s);
    bad->params[MOST_PARAMS - 2 * C + 3] = 65520;
    ck_assert(!es_model_write(path, &bad->numbers, ES_STORE_F16, NULL, NULL, &err));
    ck_assert_str_eq(err.hint, "try: float32; numbers so large are mostly a training that went "
                               "wrong");
    ck_assert_fails(false, err, ES_ERR_VALUE,
                    "number 3 of ln_f.weight is 65520, more than F16 can hold");
    check_still_there(s);
    ck_assert_fails(es_model_write(path, &s->numbers, ES_STORE_F32, "\xFF", NULL, &err), err,
                    ES_ERR_VALUE, "the recipe of a model is not UTF-8");
    check_still_there(s);
    ck_assert_fails(
        es_model_write("no/where.safetensors", &s->numbers, ES_STORE_F32, NULL, NULL, &err), err,
        ES_ERR_IO, "cannot write no/where.safetensors: No such file or directory");
    free(bad);
    free(s);
}
END_TEST

START_TEST(the_metadata_say_how_it_was_made)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    write_small(s, ES_STORE_F16);
    es_safetensors *f = es_safetensors_open(path, &err);
    ck_assert_works(f != NULL, err);
    static const char *const said[][2] = {{"recipe", "a test"}, {"n_head", "4"}, {"format", "pt"}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char *value = es_safetensors_metadata(f, said[i][0]);
        ck_assert_str_eq(value, said[i][1]);
        free(value);
    }
    ck_assert_ptr_null(es_safetensors_metadata(f, "else"));
    ck_assert_str_eq(es_safetensors_find(f, "token_count")->type->name, "I32");
    ck_assert_str_eq(es_safetensors_find(f, "h.1.attn.c_attn.weight")->type->name, "F16");
    es_safetensors_unref(f);
    free(s);
}
END_TEST

/* ---- files of others ---- */

/* How a file differs from one that is read without a word. */
typedef struct file {
    const char *prefix, *metadata;
    const char *without;         /* this tensor */
    const char *odd, *odd_shape; /* this one has that shape, or that dtype */
    const char *odd_dtype;
    const float *head;
    bool masks;
} file;

static void add_tensor(es_str *header, es_str *data, const file *f, const char *name,
                       const char *shape, const void *numbers, size_t n)
{
    bool odd = f->odd && !strcmp(name, f->odd);
    if (f->without && !strcmp(name, f->without))
        return;
    es_str_add(header, "%s\"%s%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}",
               header->len > 1 ? "," : "", strcmp(name, "lm_head.weight") ? f->prefix : "", name,
               odd && f->odd_dtype ? f->odd_dtype : "F32",
               odd && f->odd_shape ? f->odd_shape : shape, data->len,
               data->len + n * sizeof(float));
    es_str_bytes(data, numbers, n * sizeof(float));
}

static void write_file(const file *f, const small *s)
{
    es_str header = {0}, data = {0};
    char shape[40];
    es_str_char(&header, '{');
    if (f->metadata)
        es_str_add(&header, "\"__metadata__\":%s", f->metadata);
    add_tensor(&header, &data, f, "wte.weight", "[7,8]", s->wte, V * C);
    add_tensor(&header, &data, f, "wpe.weight", "[5,8]", s->wpe, P * C);
    for (int i = 0; i < es_block_n_parts(&s->numbers.sizes); i++) {
        es_block_part p = es_block_part_at(&s->numbers.sizes, i);
        int64_t n = (p.rows ? p.rows : 1) * p.cols;
        if (p.rows)
            snprintf(shape, sizeof shape, "[%d,%d]", (int)p.rows, (int)p.cols);
        else
            snprintf(shape, sizeof shape, "[%d]", (int)p.cols);
        add_tensor(&header, &data, f, p.name, shape, s->params + p.offset, (size_t)n);
    }
    if (f->masks)
        add_tensor(&header, &data, f, "h.0.attn.bias", "[1,1,5,5]", s->params, 25);
    if (f->head)
        add_tensor(&header, &data, f, "lm_head.weight", "[7,8]", f->head, V * C);
    es_str_char(&header, '}');
    write_safetensors(path, header.s, 0, data.s, data.len);
    es_str_free(&header);
    es_str_free(&data);
}

START_TEST(blocks_are_found_by_all_their_names)
{
    static const char *const prefixes[] = {"", "transformer.", "model."};
    small *s = small_new();
    for (int i = 0; i < 3; i++) {
        const file f = {.prefix = prefixes[i],
                        .metadata = "{\"n_head\":\"4\"}",
                        .head = s->head,
                        .masks = true};
        write_file(&f, s);
        es_model *m = open_model(path);
        ck_assert_uint_eq(m->n_others, 1); /* the mask */
        const es_blocks *b = blocks_of(m);
        ck_assert_int_eq(b->sizes.n_layer, L);
        ck_assert_int_eq(b->sizes.n_head, HEADS);
        check_numbers(b->params, s->params, MOST_PARAMS, ES_STORE_F32);
        check_table(b->head, s->head, V, ES_STORE_F32);
        ck_assert_ptr_null(m->counts);
        es_model_unref(m);
    }
    free(s);
}
END_TEST

/* A model may have no block, only the LayerNorm after the last: written, read, and not guessed at. */
START_TEST(no_blocks_and_the_last_layer_norm_are_a_model_too)
{
    small *s = small_new();
    s->numbers.sizes.n_layer = 0;
    write_small(s, ES_STORE_F32);
    es_model *m = open_model(path);
    ck_assert(es_model_has_blocks(m));
    ck_assert_int_eq(es_model_n_layer(m), 0);
    check_numbers(blocks_of(m)->params, s->params, 2 * C, ES_STORE_F32);
    es_model_unref(m);
    write_file(&(file){.prefix = "", .without = "ln_f.bias"}, s);
    m = open_model(path);
    ck_assert(!es_model_has_blocks(m));
    es_model_unref(m);
    free(s);
}
END_TEST

START_TEST(an_output_matrix_that_is_wte_is_no_other)
{
    small *s = small_new();
    write_file(&(file){.prefix = "", .head = s->wte}, s);
    es_model *m = open_model(path);
    ck_assert_ptr_null(blocks_of(m)->head);
    es_model_unref(m);
    write_file(&(file){.prefix = ""}, s);
    m = open_model(path);
    ck_assert_ptr_null(blocks_of(m)->head);
    es_model_unref(m);
    free(s);
}
END_TEST

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
}

static void check_heads(const char *metadata, const char *config, int64_t want)
{
    small *s = small_new();
    write_file(&(file){.prefix = "", .metadata = metadata}, s);
    remove("config.json");
    if (config)
        write_text("config.json", config);
    es_model *m = open_model(path);
    ck_assert_int_eq(blocks_of(m)->sizes.n_head, want);
    es_model_unref(m);
    free(s);
}

START_TEST(heads_are_counted_by_the_file_then_config_json_then_the_rule)
{
    check_heads("{\"n_head\":\"2\"}", "{\"n_head\":4}", 2);
    check_heads("{\"n_head\":\"many\"}", "{\"n_head\":4}", 4);
    check_heads(NULL, "{\"n_head\":8,\"n_embd\":8}", 8);
    check_heads(NULL, "{\"num_attention_heads\":2,\"hidden_size\":8}", 2);
    check_heads(NULL, "{\"n_head\":8,\"n_embd\":768}", 1); /* another model's */
    check_heads(NULL, "{}", 1);
    check_heads(NULL, NULL, 1);
}
END_TEST

/* The model opens, for its tables are there, and says what is wrong with its blocks when they are wanted. */
static void check_refused(const file *f, const char *message, const char *hint)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    write_file(f, s);
    es_model *m = open_model(path);
    ck_assert(es_model_has_blocks(m));
    for (int again = 0; again < 2; again++) {
        ck_assert(!es_model_blocks(m, NULL, &err));
        ck_assert_str_eq(err.hint ? err.hint : "", hint);
        ck_assert_fails(false, err, ES_ERR_FORMAT, message);
    }
    es_model_unref(m);
    free(s);
}

START_TEST(what_is_wrong_with_blocks_is_named)
{
    check_refused(&(file){.prefix = "transformer.", .without = "h.1.mlp.c_proj.bias"},
                  "small.safetensors: tensor \"transformer.h.1.mlp.c_proj.bias\" is missing, "
                  "while others of the blocks are there",
                  "blocks are read as GPT-2 has them: :predict needs each of them whole");
    check_refused(&(file){.prefix = "", .odd = "h.0.attn.c_attn.weight", .odd_shape = "[24,8]"},
                  "small.safetensors: tensor \"h.0.attn.c_attn.weight\" has the shape [24, 8], "
                  "but in GPT-2's blocks beside this wte it is [8, 24]",
                  "it looks as if it were saved the other way round, (out, in), as nn.Linear has "
                  "it; GPT-2 has (in, out)");
    check_refused(&(file){.prefix = "", .odd = "ln_f.bias", .odd_shape = "[4,2]"},
                  "small.safetensors: tensor \"ln_f.bias\" has the shape [4, 2], but in GPT-2's "
                  "blocks beside this wte it is [8]",
                  "");
    check_refused(
        &(file){.prefix = "", .odd = "h.1.ln_1.bias", .odd_shape = "[1,8]"},
        "small.safetensors: tensor \"h.1.ln_1.bias\" has the shape [1, 8], but in GPT-2's "
        "blocks beside this wte it is [8]",
        "");
    check_refused(&(file){.prefix = "", .odd = "h.0.ln_2.bias", .odd_dtype = "I32"},
                  "small.safetensors: tensor \"h.0.ln_2.bias\" holds I32; blocks are read from "
                  "F32, F16, BF16 or F64",
                  "");
    check_refused(&(file){.prefix = "", .metadata = "{\"n_head\":\"3\"}"},
                  "small.safetensors: 8 channels cannot be shared out to 3 heads",
                  "n_head in its metadata, or in a config.json beside it, says how many there "
                  "are; without either one has 64 channels");
    small *s = small_new();
    check_refused(
        &(file){.prefix = "", .head = s->head, .odd = "lm_head.weight", .odd_shape = "[8,7]"},
        "small.safetensors: tensor \"lm_head.weight\" has the shape [8, 7], but in "
        "GPT-2's blocks beside this wte it is [7, 8]",
        "");
    free(s);
}
END_TEST

START_TEST(a_model_without_blocks_says_which_has_them)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = open_model("untrained");
    ck_assert(!es_model_has_blocks(m) && es_model_n_layer(m) == 0);
    ck_assert(!es_model_blocks(m, NULL, &err));
    ck_assert_str_eq(err.hint, "try: :model mini, which has them");
    ck_assert_fails(false, err, ES_ERR_VALUE,
                    "model untrained has tables but no blocks, so x is where it ends");
    es_model_unref(m);
}
END_TEST

/* Only wanting the blocks opens the file they are in. */
START_TEST(a_file_with_blocks_alone_is_opened_when_they_are_wanted)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    es_str index = {0};
    write_small(s, ES_STORE_F32);
    ck_assert_int_eq(rename(path, "all.safetensors"), 0);
    es_str_cat(&index, "{\"weight_map\":{\"wte.weight\":\"all.safetensors\","
                       "\"wpe.weight\":\"all.safetensors\"");
    for (int i = 0; i < es_block_n_parts(&s->numbers.sizes); i++)
        es_str_add(&index, ",\"%s\":\"blocks.safetensors\"",
                   es_block_part_at(&s->numbers.sizes, i).name);
    es_str_cat(&index, "}}");
    write_text("m.index.json", index.s);
    es_model *m = open_model("m.index.json");
    ck_assert(es_model_has_blocks(m));
    ck_assert_fails(es_model_blocks(m, NULL, &err), err, ES_ERR_IO,
                    "cannot open blocks.safetensors: No such file or directory");
    ck_assert_int_eq(rename("all.safetensors", "blocks.safetensors"), 0);
    check_numbers(blocks_of(m)->params, s->params, MOST_PARAMS, ES_STORE_F32);
    es_model_unref(m);
    es_str_free(&index);
    free(s);
}
END_TEST

static void *ask(void *model)
{
    return (void *)es_model_blocks(model, NULL, NULL);
}

START_TEST(threads_that_ask_at_once_get_the_same_blocks)
{
    enum { THREADS = 8 };
    small *s = small_new();
    write_small(s, ES_STORE_F16);
    es_model *m = open_model(path);
    pthread_t thread[THREADS];
    void *got[THREADS];
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, ask, m), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_join(thread[i], &got[i]), 0);
    for (int i = 0; i < THREADS; i++)
        ck_assert_ptr_eq(got[i], blocks_of(m));
    es_model_unref(m);
    free(s);
}
END_TEST

START_TEST(reading_that_was_stopped_begins_anew)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    es_watch watch = {.cancel = true};
    write_small(s, ES_STORE_F16);
    es_model *m = open_model(path);
    ck_assert_fails(es_model_blocks(m, &watch, &err), err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    check_model(m, s, ES_STORE_F16);
    es_model_unref(m);
    free(s);
}
END_TEST

/* ---- counts ---- */

static void check_counts(const char *dtype, const char *shape, const void *counts, size_t n,
                         const char *warning)
{
    es_str header = {0}, data = {0};
    small *s = small_new();
    es_str_add(&header,
               "{\"token_count\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[0,%zu]},"
               "\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[7,8],\"data_offsets\":[%zu,%zu]}}",
               dtype, shape, n, n, n + sizeof s->wte);
    es_str_bytes(&data, counts, n);
    es_str_bytes(&data, (const char *)s->wte, sizeof s->wte);
    write_safetensors(path, header.s, 0, data.s, data.len);
    es_model *m = open_model(path);
    ck_assert_ptr_nonnull(m->warnings);
    es_str_free(&header);
    es_str_free(&data);
    size_t end = strcspn(m->warnings, "\n");
    if (warning) {
        ck_assert_ptr_null(m->counts);
        ck_assert_uint_eq(m->n_others, 1);
        ck_assert_msg(end == strlen(warning) && !memcmp(m->warnings, warning, end), "%s",
                      m->warnings);
    } else {
        ck_assert_int_eq(es_model_count(m, 6), 70);
        ck_assert_int_eq(es_model_count(m, 0), 0);
        ck_assert_uint_eq(m->n_others, 0);
    }
    es_model_unref(m);
    free(s);
}

START_TEST(counts_are_read_or_a_warning_says_why_not)
{
    static const int32_t narrow[] = {0, 20, 30, 40, 50, 60, 70};
    static const int64_t wide[] = {0, 20, 30, 40, 50, 60, 70};
    static const int32_t odd[] = {0, 20, 30, -4, 50, -60, 70};
    check_counts("I32", "[7]", narrow, sizeof narrow, NULL);
    check_counts("I64", "[7]", wide, sizeof wide, NULL);
    check_counts("I32", "[6]", narrow, 24,
                 "token_count is not used: it has the shape [6], and wte has 7 rows");
    check_counts("I32", "[7,1]", narrow, sizeof narrow,
                 "token_count is not used: it has the shape [7, 1], and wte has 7 rows");
    check_counts("F32", "[7]", narrow, sizeof narrow,
                 "token_count is not used: it holds F32, and counts are I32 or I64");
    check_counts("I32", "[7]", odd, sizeof odd, "token_count is not used: token 3 has -4 there");
}
END_TEST

/* Counts are of the rows they came with. */
START_TEST(another_wte_brings_its_own_counts_or_none)
{
    es_error err = ES_ERROR_NONE;
    small *s = small_new();
    write_small(s, ES_STORE_F32);
    s->numbers.counts = NULL;
    ck_assert_works(es_model_write("b.safetensors", &s->numbers, ES_STORE_F32, NULL, NULL, &err),
                    err);
    const es_model_parts without = {.model = path, .wte = "b.safetensors"};
    const es_model_parts with = {.model = "b.safetensors", .wte = path};
    es_model *m = es_model_build(&without, &err);
    ck_assert_works(m != NULL, err);
    ck_assert_ptr_null(m->counts);
    es_model_unref(m);
    m = es_model_build(&with, &err);
    ck_assert_works(m != NULL, err);
    ck_assert_int_eq(es_model_count(m, 2), 2000006);
    es_model_unref(m);
    free(s);
}
END_TEST

Suite *blocks_suite(void)
{
    Suite *s = suite_create("blocks");
    TCase *narrow = tcase_create("narrow");
    tcase_add_test(narrow, halves_are_rounded_to_the_nearest_and_to_even);
    tcase_add_test(narrow, numbers_are_stored_up_to_one_that_does_not_fit);
    suite_add_tcase(s, narrow);

    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, setup, NULL);
    tcase_add_test(files, what_is_written_is_read_back_number_by_number);
    tcase_add_test(files, a_model_in_memory_has_copies_of_its_numbers);
    tcase_add_test(files, a_file_is_written_whole_or_stays_as_it_was);
    tcase_add_test(files, the_metadata_say_how_it_was_made);
    tcase_add_test(files, blocks_are_found_by_all_their_names);
    tcase_add_test(files, no_blocks_and_the_last_layer_norm_are_a_model_too);
    tcase_add_test(files, an_output_matrix_that_is_wte_is_no_other);
    tcase_add_test(files, heads_are_counted_by_the_file_then_config_json_then_the_rule);
    tcase_add_test(files, what_is_wrong_with_blocks_is_named);
    tcase_add_test(files, a_model_without_blocks_says_which_has_them);
    tcase_add_test(files, a_file_with_blocks_alone_is_opened_when_they_are_wanted);
    tcase_add_test(files, threads_that_ask_at_once_get_the_same_blocks);
    tcase_add_test(files, reading_that_was_stopped_begins_anew);
    tcase_add_test(files, counts_are_read_or_a_warning_says_why_not);
    tcase_add_test(files, another_wte_brings_its_own_counts_or_none);
    suite_add_tcase(s, files);
    return s;
}
