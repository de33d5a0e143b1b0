// SPDX-License-Identifier: GPL-3.0-or-later
/* The examples that :help and the manual show, run as they stand: each entry of the tables of functions works,
 * and so does each method of strings, lists, tuples and dicts. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "expr/interp.h"
#include "expr/methods.h"
#include "expr/modules.h"
#include "expr/parse.h"
#include "far.h"
#include "same_shown.h"
#include "session/help_word.h"
#include "session/host_files.h"
#include "support.h"

Suite *builtin_examples_suite(void);

/* GPT-2's words, tables of few channels, and the last text's ids. */
typedef struct world {
    es_interp *in;
    es_backend *be, *sim, *cpu; /* cpu: where be is another */
    es_str shown;
    es_bpe *bpe;
    es_table *wte, *wpe;
} world;

static void row(const void *context, int64_t i, float *out, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)((i * C + c) * *(const int *)context % 17 - 8) / 8;
}

static bool encode(void *user, const es_value *text, es_tensor *out, es_error *err)
{
    world *w = user;
    es_tokens tokens = {0};
    const es_str_object *s = es_value_as_str(text);
    ck_assert_works(es_bpe_encode(w->bpe, &tokens, s->bytes, s->n, &(es_encoding){0}, NULL, err),
                    *err);
    const es_shape shape = es_shape_1d("T", (int64_t)tokens.n);
    ck_assert(es_tensor_new(out, w->be, ES_INT64, &shape, err));
    for (size_t i = 0; i < tokens.n; i++)
        ((int64_t *)out->buf->mem)[i] = tokens.id[i];
    es_tokens_free(&tokens);
    return true;
}

static bool decode(void *user, const es_value *ids, es_str *out, es_error *err)
{
    const es_tensor *t = es_value_as_tensor(ids);
    for (int64_t i = 0; i < es_shape_count(&t->shape); i++) {
        int32_t id = (int32_t)es_torch_get_int(t, i);
        if (!es_bpe_decode(((world *)user)->bpe, out, &id, 1, err))
            return false;
    }
    return true;
}

static int named(void *user, const char *name, size_t n, es_value *out, es_error *err)
{
    world *w = user;
    (void)err;
    if (n != 3 || (memcmp(name, "wte", 3) && memcmp(name, "wpe", 3)))
        return 0;
    bool tokens = name[1] == 't';
    *out = es_embedding_of_table(w->in, tokens ? "wte" : "wpe", tokens ? w->wte : w->wpe, w->be);
    return 1;
}

static es_backend *device(void *user, const char *name, es_error *err)
{
    world *w = user;
    if (!strcmp(name, "cpu"))
        return w->cpu ? w->cpu : w->be;
    if (!strcmp(name, w->be->name))
        return w->be;
    if (!strcmp(name, "sim"))
        return w->sim;
    es_fail(err, ES_ERR_BACKEND, "only cpu and sim are here");
    return NULL;
}

static bool load(void *user, const es_value *path, es_backend *be, es_value *out, es_error *err)
{
    return es_host_load(((world *)user)->in, path, be, out, err);
}

static bool fromfile(void *user, const es_value *path, const es_plain_numbers *numbers,
                     es_value *out, es_error *err)
{
    return es_host_fromfile(((world *)user)->in, path, numbers, out, err);
}

static bool save(void *user, const es_value *v, const es_value *path, es_error *err)
{
    return es_host_save(((world *)user)->in, v, path, err);
}

/* A value is worth nothing unless it can be shown. */
static void show(void *user, const es_value *v, bool quiet)
{
    world *w = user;
    es_error err = ES_ERROR_NONE;
    size_t begin = w->shown.len;
    demand(es_value_repr(w->in, &w->shown, v, &err), "%s", err.message);
    es_str_char(&w->shown, '\n');
    if (quiet)
        es_str_cut(&w->shown, begin);
}

static void print(void *user, const char *bytes, size_t n)
{
    es_str_bytes(&((world *)user)->shown, bytes, n);
}

/* The names that are always there at the prompt. */
static const char setup[] = "ids = tok(\"The cat sat on the mat\").unsqueeze(0)\n"
                            "positions = torch.arange(ids.shape[1]).unsqueeze(0)\n"
                            "tok_emb = wte(ids)\n"
                            "pos_emb = wpe(positions)\n"
                            "x = tok_emb + pos_emb\n"
                            "B, T, C = x.shape\n"
                            "V, P = wte.num_embeddings, wpe.num_embeddings\n";

static void run_lines(world *w, const char *what, const char *source)
{
    es_error err = ES_ERROR_NONE;
    es_unit *unit = es_parse(source, strlen(source), &err);
    demand(unit && es_interp_run(w->in, unit, &err), "%s: %s\n%s", what, source, err.message);
    es_unit_unref(unit);
}

static void run_example(world *w, const es_builtin *b)
{
    if (!b->example) {
        demand(strstr(b->summary, "not here") || strstr(b->summary, "no GPU") ||
                   !strcmp(b->name, "cuda") || b->where & ES_IN_CUDA,
               "%s has no example", b->name);
        return;
    }
    run_lines(w, "before", setup);
    run_lines(w, b->name, b->example);
    const char *dot = strchr(b->name, '.');
    demand(strstr(b->example, dot ? dot + 1 : b->name) || b->where & ES_ATTRIBUTE,
           "%s is not in its example", b->name);
    es_interp_clear(w->in);
    es_interp_torch(w->in)->be = w->be; /* set_default_device is a function too */
}

/* In a folder of its own, for examples that write files. */
static void open_world_on(world *w, es_backend *be)
{
    es_error err = ES_ERROR_NONE;
    *w = (world){.be = be};
    ck_assert_ptr_nonnull(be);
    if (!be->ops->host_memory) {
        w->cpu = es_backend_open("cpu", 1, &err);
        ck_assert_works(w->cpu != NULL, err);
    }
    w->sim = es_backend_open("sim", 1, &err);
    ck_assert_works(w->sim != NULL, err);
    w->bpe = gpt2();
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    w->wte = es_table_generated(50257, 8, row, &(int){7}, sizeof(int));
    w->wpe = es_table_generated(16, 8, row, &(int){5}, sizeof(int));
    const es_interp_host host = {.user = w,
                                 .name = named,
                                 .value = show,
                                 .print = print,
                                 .encode = encode,
                                 .decode = decode,
                                 .device = device,
                                 .load = load,
                                 .fromfile = fromfile,
                                 .save = save};
    w->in = es_interp_new(&host, w->be);
}

static void open_world(world *w)
{
    open_world_on(w, es_backend_open("cpu", 1, NULL));
}

static void close_world(world *w)
{
    es_str_free(&w->shown);
    es_interp_free(w->in);
    es_table_unref(w->wte);
    es_table_unref(w->wpe);
    es_bpe_free(w->bpe);
    ck_assert_uint_eq(w->be->in_use, 0);
    ck_assert_uint_eq(w->sim->in_use, 0);
    es_backend_close(w->be);
    es_backend_close(w->sim);
    es_backend_close(w->cpu);
}

START_TEST(examples_of_functions_work_as_they_stand)
{
    world w;
    const es_builtin *b;
    open_world(&w);
    for (size_t i = 0; (b = es_builtin_listed(i)); i++)
        run_example(&w, b);
    close_world(&w);
}
END_TEST

START_TEST(examples_of_methods_work_as_they_stand)
{
    world w;
    const es_builtin *b;
    open_world(&w);
    for (int kind = 0; kind < ES_V_KINDS; kind++)
        for (size_t i = 0; (b = es_value_method_at((es_value_kind)kind, i)); i++)
            run_example(&w, b);
    close_world(&w);
}
END_TEST

START_TEST(examples_of_words_work_as_they_stand)
{
    world w;
    const es_help_word *word;
    open_world(&w);
    for (size_t i = 0; (word = es_help_word_at(i)); i++) {
        run_lines(&w, "before", setup);
        run_lines(&w, word->name, word->example);
        demand(strstr(word->example, word->name), "%s is not in its example", word->name);
        es_interp_clear(w.in);
    }
    close_world(&w);
}
END_TEST

/* Examples of where a tensor is, and of numbers that nobody wrote. */
static bool is_apart(const char *name)
{
    static const char *const names[] = {"is_cpu", "is_cuda",    "get_device",
                                        "empty",  "empty_like", "new_empty"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

/* What its example shows there must be what it shows on the cpu. */
static void check_example(world *here, world *there, const es_builtin *b, es_str *failures)
{
    es_str_cut(&here->shown, 0);
    es_str_cut(&there->shown, 0);
    run_example(here, b);
    run_example(there, b);
    if (!is_apart(b->name) &&
        !same_but_for_device(es_str_text(&here->shown), es_str_text(&there->shown), AS_PRINTED))
        es_str_add(failures, "\n%s\n  on the cpu: %.300s\n  there: %.300s", b->example,
                   here->shown.s, there->shown.s);
}

START_TEST(examples_show_the_same_where_the_host_cannot_read_memory)
{
    world here, there;
    const es_builtin *b;
    open_world(&here);
    open_world_on(&there, far_open(1));
    es_str failures = {0}; /* all of them: one alone would say little */
    for (size_t i = 0; (b = es_builtin_listed(i)); i++)
        check_example(&here, &there, b, &failures);
    ck_assert_msg(failures.len == 0, "%s", es_str_text(&failures));
    close_world(&here);
    close_world(&there);
}
END_TEST

Suite *builtin_examples_suite(void)
{
    Suite *s = suite_create("builtin_examples");
    TCase *t = tcase_create("builtin_examples");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, examples_of_functions_work_as_they_stand);
    tcase_add_test(t, examples_of_methods_work_as_they_stand);
    tcase_add_test(t, examples_of_words_work_as_they_stand);
    tcase_add_test(t, examples_show_the_same_where_the_host_cannot_read_memory);
    suite_add_tcase(s, t);
    return s;
}
