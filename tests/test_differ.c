// SPDX-License-Identifier: GPL-3.0-or-later
/* compare(x, y): the numbers, against plain loops; and the causes, each on tables of random sizes, among them such
 * on which other causes nearly fit as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/backend.h"
#include "language.h"
#include "support.h"
#include "torch/causes.h"
#include "torch/rounding.h"

Suite *differ_suite(void);

/* ---- a model and a text of random size ---- */

enum { ROWS = 40, PLACES = 60, SEEDS = 50 };

/* How the tables are made. */
typedef enum flavour {
    PLAIN,  /* normal numbers */
    ALIKE,  /* rows of wpe are nearly the same */
    ROUND,  /* all numbers of the tables fit bf16 */
    SMOOTH, /* wpe is slow waves: the next row is nearly this one */
    ECHOES, /* all sentences are nearly the same */
    N_FLAVOURS
} flavour;

typedef struct world {
    es_torch k;
    uint64_t state;
    int B, T, C;
    flavour flavour;
    float *wte, *wpe, *y; /* (ROWS, C), (PLACES, C), (B, T, C) = tok + pos */
    int64_t *ids;         /* (B, T) */
    float *x;             /* as large as y: what a case fills, of shape */
    int64_t shape[4];
    int ndim;
    bool model; /* the tables and ids are known */
} world;

static double normal(world *w)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)next_random(&w->state) / 4294967296.0;
    return sum;
}

static int below(world *w, int n)
{
    return (int)random_below(&w->state, (uint32_t)n);
}

static float tok(const world *w, int b, int t, int c)
{
    return w->wte[w->ids[b * w->T + t] * w->C + c];
}

static float pos(const world *w, int t, int c)
{
    return w->wpe[t * w->C + c];
}

static float *y_at(const world *w, int b, int t, int c)
{
    return &w->y[(b * w->T + t) * w->C + c];
}

static float *x_at(const world *w, int b, int t, int c)
{
    return &w->x[(b * w->T + t) * w->C + c];
}

#define EACH_PLACE(w)                                                                              \
    for (int b = 0; b < (w)->B; b++)                                                               \
        for (int t = 0; t < (w)->T; t++)                                                           \
            for (int c = 0; c < (w)->C; c++)

static void fill_tables(world *w)
{
    for (int i = 0; i < ROWS * w->C; i++)
        w->wte[i] = (float)(0.02 * normal(w));
    for (int i = 0; i < PLACES * w->C; i++) {
        int p = i / w->C, c = i % w->C;
        double v = 0.01 * normal(w);
        if (w->flavour == ALIKE)
            v = p ? (double)w->wpe[c] + 0.02 * v : v;
        if (w->flavour == SMOOTH)
            v = 0.02 * sin(0.05 * p + 1.7 * c) + 1e-4 * v;
        w->wpe[i] = (float)v;
    }
    if (w->flavour == ROUND) {
        for (int i = 0; i < ROWS * w->C; i++)
            w->wte[i] = (float)es_narrowed(&es_bf16, (double)w->wte[i]);
        for (int i = 0; i < PLACES * w->C; i++)
            w->wpe[i] = (float)es_narrowed(&es_bf16, (double)w->wpe[i]);
    }
}

static void open_world(world *w, int seed)
{
    *w = (world){.state = 77 + (uint64_t)seed * 1000003, .ndim = 3};
    w->k = (es_torch){.most_bytes = (int64_t)1 << 30, .be = es_backend_open("cpu", 1, NULL)};
    w->flavour = (flavour)(seed % N_FLAVOURS);
    bool large = seed % 10 == 9;
    w->B = large ? 3 : 2 + below(w, 3);
    w->T = large ? 24 : seed % 7 == 3 ? w->B : 3 + below(w, 5);
    w->T = w->T < 3 ? 3 : w->T;
    w->C = large ? 64 : seed % 7 == 5 ? w->T + 1 : 5 + below(w, 8);
    size_t n = (size_t)(w->B * w->T * w->C);
    w->wte = es_alloc_array((size_t)(ROWS * w->C), sizeof(float));
    w->wpe = es_alloc_array((size_t)(PLACES * w->C), sizeof(float));
    w->y = es_alloc_array(n, sizeof(float));
    w->x = es_alloc_array(n, sizeof(float));
    w->ids = es_alloc_array((size_t)(w->B * w->T), sizeof *w->ids);
    fill_tables(w);
    for (int i = 0; i < w->B * w->T; i++) /* neighbours are never the same */
        w->ids[i] = w->flavour == ECHOES && i >= w->T && i % w->T && below(w, 4)
                        ? w->ids[i % w->T]
                        : 1 + (i * 7 + below(w, 5)) % (ROWS - 2);
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c) = tok(w, b, t, c) + pos(w, t, c);
    w->shape[0] = w->B;
    w->shape[1] = w->T;
    w->shape[2] = w->C;
    w->model = true;
}

static es_tensor tensor(world *w, es_dtype dtype, const int64_t *dims, int ndim, const void *data)
{
    es_shape s = {.ndim = ndim};
    es_tensor t;
    memcpy(s.dim, dims, (size_t)ndim * sizeof *dims);
    ck_assert(es_torch_new(&w->k, &t, w->k.be, dtype, &s, NULL));
    ck_assert(es_tensor_write(&t, data, NULL));
    return t;
}

static void close_world(world *w)
{
    free(w->wte);
    free(w->wpe);
    free(w->y);
    free(w->x);
    free(w->ids);
    es_backend_close(w->k.be);
}

/* What compare calls the cause of x against y, and what it says. */
static void name_cause(world *w, char *name, size_t size, es_str *says)
{
    const int64_t sizes[] = {w->B, w->T, w->C}, V[] = {ROWS, w->C}, P[] = {PLACES, w->C};
    es_tensor t[] = {tensor(w, ES_FLOAT32, w->shape, w->ndim, w->x),
                     tensor(w, ES_FLOAT32, sizes, 3, w->y),
                     w->model ? tensor(w, ES_FLOAT32, V, 2, w->wte) : (es_tensor){0},
                     w->model ? tensor(w, ES_FLOAT32, P, 2, w->wpe) : (es_tensor){0},
                     w->model ? tensor(w, ES_INT64, sizes, 2, w->ids) : (es_tensor){0}};
    es_error err = ES_ERROR_NONE;
    es_difference d = {0};
    es_cause cause;
    es_causes asked = {.x_name = "x", .y_name = "y", .rtol = 1e-5, .atol = 1e-8};
    if (w->model) {
        asked.wte = &t[2];
        asked.wpe = &t[3];
        asked.ids = &t[4];
    }
    if (es_shape_equal(&t[0].shape, &t[1].shape)) {
        ck_assert_works(es_torch_differ(&w->k, &d, &t[0], &t[1], 1e-5, 1e-8, &err), err);
        asked.difference = &d;
    }
    ck_assert_works(es_torch_cause(&w->k, &cause, &t[0], &t[1], &asked, &err), err);
    snprintf(name, size, "%s", cause.name);
    if (says)
        es_str_add(says, "%s | %s | others %s | nearest %s", es_str_text(&cause.says),
                   es_str_text(&cause.fix), cause.others, cause.nearest);
    es_cause_free(&cause);
    es_difference_free(&d);
    for (int i = 0; i < 5; i++)
        es_tensor_free(&t[i]);
}

/* ---- what can happen to x ---- */

static void shaped(world *w, int ndim, int64_t a, int64_t b, int64_t c)
{
    w->ndim = ndim;
    w->shape[0] = a;
    w->shape[1] = b;
    w->shape[2] = c;
}

static void swap_B_T(world *w)
{
    shaped(w, 3, w->T, w->B, w->C);
    EACH_PLACE(w) w->x[(t * w->B + b) * w->C + c] = *y_at(w, b, t, c);
}

static void swap_T_C(world *w)
{
    shaped(w, 3, w->B, w->C, w->T);
    EACH_PLACE(w) w->x[(b * w->C + c) * w->T + t] = *y_at(w, b, t, c);
}

static void turn_round(world *w)
{
    shaped(w, 3, w->C, w->B, w->T);
    EACH_PLACE(w) w->x[(c * w->B + b) * w->T + t] = *y_at(w, b, t, c);
}

static void flatten(world *w)
{
    shaped(w, 2, w->B * w->T, w->C, 0);
}

static void view_for_transpose(world *w)
{
    EACH_PLACE(w) w->x[(t * w->B + b) * w->C + c] = *y_at(w, b, t, c);
}

static void fortran(world *w)
{
    EACH_PLACE(w) w->x[(c * w->T + t) * w->B + b] = *y_at(w, b, t, c);
}

static void fortran_the_other_way(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = w->y[(c * w->T + t) * w->B + b];
}

static void no_positions(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c);
}

static void positions_twice(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c) + pos(w, t, c);
}

static void positions_from(world *w, int k)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c) + pos(w, (t + k + PLACES) % PLACES, c);
}

static void off_by_1(world *w)
{
    positions_from(w, 1);
}

static void off_by_2(world *w)
{
    positions_from(w, 2);
}

static void off_by_minus_1(world *w)
{
    positions_from(w, -1);
}

static void positions_reversed(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c) + pos(w, w->T - 1 - t, c);
}

static void positions_all_0(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c) + pos(w, 0, c);
}

static void positions_by_sentence(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c) + pos(w, b, c);
}

static void sinusoidal(world *w)
{
    EACH_PLACE(w)
    {
        double angle = t / pow(10000.0, (double)(c - c % 2) / w->C);
        *x_at(w, b, t, c) = tok(w, b, t, c) + (float)(c % 2 ? cos(angle) : sin(angle));
    }
}

static void tables_swapped(world *w)
{
    EACH_PLACE(w)
    *x_at(w, b, t, c) = w->wpe[w->ids[b * w->T + t] * w->C + c] + w->wte[t * w->C + c];
}

static void next_ids(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = w->wte[(w->ids[b * w->T + t] + 1) * w->C + c] + pos(w, t, c);
}

static void tokens_scaled(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, t, c) * sqrtf((float)w->C) + pos(w, t, c);
}

static void positions_alone(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = pos(w, t, c);
}

static void tokens_reversed(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = tok(w, b, w->T - 1 - t, c) + pos(w, t, c);
}

static void times(world *w, float by)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c) * by;
}

static void times_root(world *w)
{
    times(w, sqrtf((float)w->C));
}

static void by_root(world *w)
{
    times(w, 1 / sqrtf((float)w->C));
}

static void by_T(world *w)
{
    times(w, 1 / (float)w->T);
}

static void times_some(world *w)
{
    times(w, 1.37F);
}

static void negated(world *w)
{
    times(w, -1);
}

static void plus_constant(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c) + 0.37F;
}

static void plus_bias(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c) + 0.03F * sinf(1 + 2.9F * (float)c);
}

static void rounded(world *w, const es_narrow *f)
{
    for (int i = 0; i < w->B * w->T * w->C; i++)
        w->x[i] = (float)es_narrowed(f, (double)w->x[i]);
}

static void to_bf16(world *w)
{
    rounded(w, &es_bf16);
}

static void to_f16(world *w)
{
    rounded(w, &es_f16);
}

static void cut_to_bf16(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = (float)es_narrow_cut(&es_bf16, (double)*y_at(w, b, t, c));
}

static void y_to_bf16(world *w)
{
    EACH_PLACE(w) * y_at(w, b, t, c) = (float)es_narrowed(&es_bf16, (double)*x_at(w, b, t, c));
    w->model = false;
}

static void twice_to_bf16(world *w)
{
    EACH_PLACE(w)
    {
        double a = es_narrowed(&es_bf16, (double)tok(w, b, t, c)),
               p = es_narrowed(&es_bf16, (double)pos(w, t, c));
        *x_at(w, b, t, c) = (float)es_narrowed(&es_bf16, a + p);
    }
    w->model = false;
}

static void tables_f16(world *w)
{
    EACH_PLACE(w)
    *x_at(w, b, t, c) = (float)es_narrowed(&es_f16, (double)tok(w, b, t, c)) +
                        (float)es_narrowed(&es_f16, (double)pos(w, t, c));
}

static void swap_B_T_to_bf16(world *w)
{
    swap_B_T(w);
    to_bf16(w);
}

static void no_positions_to_f16(world *w)
{
    no_positions(w);
    to_f16(w);
}

static void root_to_bf16(world *w)
{
    times_root(w);
    to_bf16(w);
}

static void other_bytes(world *w)
{
    EACH_PLACE(w)
    {
        uint32_t bits;
        memcpy(&bits, y_at(w, b, t, c), sizeof bits);
        bits = __builtin_bswap32(bits);
        memcpy(x_at(w, b, t, c), &bits, sizeof bits);
    }
}

static void f16_as_bf16(world *w)
{
    EACH_PLACE(w)
    {
        *y_at(w, b, t, c) = (float)es_narrowed(&es_f16, (double)*y_at(w, b, t, c));
        *x_at(w, b, t, c) = (float)es_f16_as_bf16((double)*y_at(w, b, t, c));
    }
}

static void moved_in_time(world *w, int by, bool turned)
{
    EACH_PLACE(w)
    *x_at(w, b, t, c) = *y_at(w, b, turned ? w->T - 1 - t : (t + by + w->T) % w->T, c);
}

static void flipped(world *w)
{
    moved_in_time(w, 0, true);
}

static void rolled(world *w)
{
    moved_in_time(w, 1, false);
}

static void shifted(world *w)
{
    moved_in_time(w, -1, false);
    for (int b = 0; b < w->B; b++)
        memset(x_at(w, b, 0, 0), 0, (size_t)w->C * sizeof(float));
}

static void batch_permuted(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, (b + 1) % w->B, t, c);
}

static void channels_permuted(world *w)
{
    int half = (w->C + 1) / 2;
    EACH_PLACE(w) * x_at(w, b, t, c) = *y_at(w, b, t, c % 2 ? half + c / 2 : c / 2);
}

/* Sentence b has b tokens fewer than there are places: zeros behind it in y, before it in x. */
static void padded(world *w)
{
    EACH_PLACE(w)
    {
        int less = b % (w->T - 1);
        if (t >= w->T - less)
            *y_at(w, b, t, c) = 0;
    }
    EACH_PLACE(w)
    {
        int less = b % (w->T - 1);
        *x_at(w, b, t, c) = t < less ? 0 : *y_at(w, b, t - less, c);
    }
}

static void shorter(world *w)
{
    shaped(w, 3, w->B, w->T - 1, w->C);
    EACH_PLACE(w) if (t) w->x[(b * (w->T - 1) + t - 1) * w->C + c] = *y_at(w, b, t, c);
}

static void one_sentence(world *w)
{
    shaped(w, 2, w->T, w->C, 0);
    memcpy(w->x, y_at(w, w->B - 1, 0, 0), (size_t)(w->T * w->C) * sizeof(float));
}

static void normed(const world *w, float *out, const float *in)
{
    for (int row = 0; row < w->B * w->T; row++) {
        double mean = 0, var = 0;
        const float *v = in + row * w->C;
        for (int c = 0; c < w->C; c++)
            mean += (double)v[c] / w->C;
        for (int c = 0; c < w->C; c++)
            var += ((double)v[c] - mean) * ((double)v[c] - mean) / w->C;
        for (int c = 0; c < w->C; c++)
            out[row * w->C + c] = (float)(((double)v[c] - mean) / sqrt(var + 1e-5));
    }
}

static void norm_of_x(world *w)
{
    normed(w, w->x, w->y);
}

static void norm_of_y(world *w)
{
    normed(w, w->y, w->x);
}

static void dropped_out(world *w)
{
    EACH_PLACE(w)
    {
        uint32_t r = random_below(&w->state, 10);
        *x_at(w, b, t, c) = r < 2 ? 0 : *y_at(w, b, t, c) / 0.8F;
    }
}

static void all_zero(world *w)
{
    times(w, 0);
}

static const struct {
    const char *cause;
    void (*happens)(world *w);
    bool unknown;     /* without the model */
    const char * or ; /* the same thing by another name */
} cases[] = {
    {"transpose(0, 1)", swap_B_T, false, NULL},
    {"transpose(1, 2)", swap_T_C, false, NULL},
    {"permute(2, 0, 1)", turn_round, false, NULL},
    {"reshape", flatten, false, NULL},
    {"reread", view_for_transpose, false, "transpose(0, 1)"},
    {"fortran_order", fortran, false, "transpose(0, 2)"},
    {"fortran_order", fortran_the_other_way, false, "transpose(0, 2)"},
    {"positions_missing", no_positions, false, NULL},
    {"positions_extra", positions_twice, false, NULL},
    {"positions_off_by(1)", off_by_1, false, NULL},
    {"positions_off_by(2)", off_by_2, false, NULL},
    {"positions_off_by(-1)", off_by_minus_1, false, NULL},
    {"positions_reversed", positions_reversed, false, NULL},
    {"positions_all_0", positions_all_0, false, NULL},
    {"positions_by_sentence", positions_by_sentence, false, NULL},
    {"positions_sinusoidal", sinusoidal, false, NULL},
    {"tables_swapped", tables_swapped, false, NULL},
    {"ids_off_by(1)", next_ids, false, NULL},
    {"tokens_scaled", tokens_scaled, false, NULL},
    {"tokens_missing", positions_alone, false, NULL},
    {"tokens_reversed", tokens_reversed, false, NULL},
    {"positions_missing", no_positions, true, "positions_differ"},
    {"positions_differ", off_by_1, true, NULL},
    {"scaled", times_root, false, NULL},
    {"scaled", by_root, false, NULL},
    {"scaled", by_T, false, NULL},
    {"scaled", times_some, false, NULL},
    {"negated", negated, false, NULL},
    {"constant_added", plus_constant, false, NULL},
    {"bias", plus_bias, false, NULL},
    {"bf16", to_bf16, false, NULL},
    {"f16", to_f16, false, NULL},
    {"bf16_cut", cut_to_bf16, false, NULL},
    {"y_bf16", y_to_bf16, false, NULL},
    {"bf16_twice", twice_to_bf16, true, "bf16"},
    {"tables_f16", tables_f16, false, NULL},
    {"transpose(0, 1) + bf16", swap_B_T_to_bf16, false, NULL},
    {"positions_missing + f16", no_positions_to_f16, false, NULL},
    {"scaled + bf16", root_to_bf16, false, NULL},
    {"byte_order", other_bytes, false, NULL},
    {"f16_as_bf16", f16_as_bf16, false, NULL},
    {"flip(1)", flipped, false, NULL},
    {"roll(1, 1)", rolled, false, NULL},
    {"shift(-1, 1)", shifted, false, NULL},
    {"batch_permuted", batch_permuted, false, NULL},
    {"permuted(2)", channels_permuted, false, NULL},
    {"padding_side", padded, false, NULL},
    {"part(1, 1)", shorter, false, NULL},
    {"select", one_sentence, false, NULL},
    {"layer_norm", norm_of_x, false, NULL},
    {"layer_norm_missing", norm_of_y, false, NULL},
    {"dropout", dropped_out, false, NULL},
    {"zeros", all_zero, false, NULL},
};

enum { N_CASES = sizeof cases / sizeof *cases };

/* Does what this case does to x leave any trace on tables of that flavour? */
static bool is_told(const char *cause, const world *w)
{
    bool narrow = !strcmp(cause, "tables_f16") || strstr(cause, "f16") == cause ||
                  !strcmp(cause, "positions_missing + f16");
    return w->flavour != ROUND || !narrow || !strcmp(cause, "f16_as_bf16");
}

START_TEST(each_cause_is_named)
{
    char name[64];
    es_str wrong = {0};
    int right = 0, all = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        world w;
        open_world(&w, seed);
        w.model = !cases[_i].unknown;
        cases[_i].happens(&w);
        es_str says = {0};
        name_cause(&w, name, sizeof name, &says);
        bool ok = !strcmp(name, cases[_i].cause) || (cases[_i].or &&!strcmp(name, cases[_i].or)) ||
                  (!strcmp(cases[_i].cause, "select") && !strncmp(name, "select(0, ", 10));
        if (is_told(cases[_i].cause, &w)) {
            all++;
            right += ok;
            if (!ok && wrong.len < 600)
                es_str_add(&wrong, "\n  seed %d, B=%d T=%d C=%d: '%s' (%s)", seed, w.B, w.T, w.C,
                           name, es_str_text(&says));
        }
        es_str_free(&says);
        close_world(&w);
    }
    demand(right == all, "%s: %d of %d named%s", cases[_i].cause, right, all, es_str_text(&wrong));
    es_str_free(&wrong);
}
END_TEST

/* ---- what no cause explains ---- */

static void noise(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) += (float)(1e-3 * normal(w));
}

static void small_noise(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) *= (float)(1 + 1e-4 * normal(w));
}

static void one_changed(world *w)
{
    *x_at(w, w->B - 1, w->T / 2, w->C - 1) += 0.1F;
}

static void unrelated(world *w)
{
    EACH_PLACE(w) * x_at(w, b, t, c) = (float)(0.02 * normal(w));
}

static void turned_with_noise(world *w)
{
    swap_B_T(w);
    noise(w);
}

static void no_positions_with_noise(world *w)
{
    no_positions(w);
    small_noise(w);
}

static void one_row_other(world *w)
{
    for (int c = 0; c < w->C; c++)
        *x_at(w, 0, 1, c) = (float)(0.02 * normal(w));
}

static void times_root_but_one(world *w)
{
    times_root(w);
    *x_at(w, 0, 0, 0) += 1;
}

static void two_mistakes(world *w)
{
    EACH_PLACE(w)
    *x_at(w, b, t, c) = 3 * tok(w, b, w->T - 1 - t, c) + pos(w, t + 1, c);
}

START_TEST(no_cause_is_named_where_there_is_none)
{
    static void (*const happen[])(world *) = {
        noise,        small_noise,       one_changed,
        unrelated,    turned_with_noise, no_positions_with_noise,
        two_mistakes, one_row_other,     times_root_but_one};
    char name[64];
    for (int seed = 0; seed < SEEDS; seed++)
        for (size_t i = 0; i < sizeof happen / sizeof *happen; i++) {
            world w;
            open_world(&w, seed);
            w.model = seed % 3 > 0;
            happen[i](&w);
            es_str says = {0};
            name_cause(&w, name, sizeof name, &says);
            demand(!name[0], "%zu, seed %d: %s (%s)", i, seed, name, says.s);
            es_str_free(&says);
            close_world(&w);
        }
}
END_TEST

/* A matrix that is nearly its own transpose. */
START_TEST(nearly_symmetric_matrices_are_told_from_their_transposes)
{
    char name[64];
    for (int seed = 0; seed < SEEDS; seed++) {
        world w;
        open_world(&w, seed);
        w.model = false;
        int n = w.B = w.C = w.T;
        free(w.x);
        free(w.y);
        w.x = es_alloc_array((size_t)(n * n * n), sizeof(float));
        w.y = es_alloc_array((size_t)(n * n * n), sizeof(float));
        for (int b = 0; b < n; b++)
            for (int i = 0; i < n * n; i++) {
                int r = i / n, c = i % n;
                *y_at(&w, b, r, c) = c < r ? *y_at(&w, b, c, r) : (float)normal(&w);
                *y_at(&w, b, r, c) *= (float)(1 + 1e-3 * normal(&w));
            }
        shaped(&w, 3, n, n, n);
        for (int i = 0; i < n * n * n; i++)
            w.x[i] = w.y[i / (n * n) * n * n + i % n * n + i / n % n];
        name_cause(&w, name, sizeof name, NULL);
        demand(!strcmp(name, "transpose(1, 2)"), "seed %d: %s", seed, name);
        for (int i = 0; i < n * n * n; i++)
            w.x[i] = (w.y[i] + w.x[i]) / 2;
        name_cause(&w, name, sizeof name, NULL);
        demand(!*name, "seed %d: %s", seed, name);
        close_world(&w);
    }
}
END_TEST

/* ---- numbers ---- */

static double element(const es_tensor *t, int64_t i)
{
    int64_t index[ES_MAX_DIMS];
    es_place_split(index, &t->shape, i);
    return es_place_number(t, index);
}

/* A tensor of some dtype, its axes perhaps in another order in memory. */
static es_tensor some_tensor(world *w, const es_shape *shape, es_dtype dtype)
{
    es_shape s = *shape;
    es_tensor t, turned;
    int last = s.ndim > 1 ? s.ndim - 1 : 0;
    bool turn = last && below(w, 2);
    s.dim[0] = shape->dim[turn ? last : 0];
    s.dim[last] = shape->dim[turn ? 0 : last];
    ck_assert(es_torch_new(&w->k, &t, w->k.be, dtype, &s, NULL));
    for (int64_t i = 0; i < es_shape_count(&s); i++) {
        int v = below(w, 5) - 2, odd = below(w, 30);
        double f = odd == 0 ? (double)NAN : odd == 1 ? (double)INFINITY : v + 1e-7 * below(w, 3);
        switch (dtype) {
        case ES_FLOAT32: ((float *)t.buf->mem)[i] = (float)f; break;
        case ES_FLOAT64: ((double *)t.buf->mem)[i] = f; break;
        case ES_INT64: ((int64_t *)t.buf->mem)[i] = v; break;
        case ES_INT32: ((int32_t *)t.buf->mem)[i] = v; break;
        default: ((bool *)t.buf->mem)[i] = v > 0; break;
        }
    }
    if (!turn)
        return t;
    ck_assert(es_tensor_transpose(&turned, &t, 0, last, NULL));
    es_tensor_free(&t);
    return turned;
}

/* The same as es_torch_differ, number by number. */
static void check_numbers(const es_difference *d, const es_tensor *x, const es_tensor *y,
                          double rtol, double atol)
{
    int64_t unequal = 0, different = 0, first = -1, largest = -1, relative = -1, nan = 0;
    double most = 0, most_relative = 0;
    for (int64_t i = 0; i < es_shape_count(&x->shape); i++) {
        double a = element(x, i), b = element(y, i), gap = fabs(a - b);
        nan += isnan(a);
        if (a == b || (isnan(a) && isnan(b)))
            continue;
        unequal++;
        if (isfinite(gap) && gap > most) {
            most = gap;
            largest = i;
        }
        if (isfinite(gap) && b != 0 && gap / fabs(b) > most_relative) {
            most_relative = gap / fabs(b);
            relative = i;
        }
        if (gap <= atol + rtol * fabs(b))
            continue;
        first = different++ ? first : i;
    }
    demand(d->unequal == unequal && d->different == different && d->nan_x == nan, "counts");
    demand(!different || d->first.at == first, "first");
    demand(d->absolute.at == largest && d->relative.at == relative, "largest");
}

START_TEST(the_numbers_are_those_of_a_plain_loop)
{
    world w;
    open_world(&w, 1);
    for (int i = 0; i < 400; i++) {
        es_shape shape = {.ndim = below(&w, 5)};
        for (int a = 0; a < shape.ndim; a++)
            shape.dim[a] = below(&w, 12) ? 1 + below(&w, 5) : 0;
        es_tensor x = some_tensor(&w, &shape, (es_dtype)below(&w, ES_N_DTYPES)),
                  y = some_tensor(&w, &shape, (es_dtype)below(&w, ES_N_DTYPES));
        es_error err = ES_ERROR_NONE;
        es_difference d;
        double rtol = i % 2 ? 1e-5 : 0, atol = i % 3 ? 1e-8 : 0;
        ck_assert_works(es_torch_differ(&w.k, &d, &x, &y, rtol, atol, &err), err);
        check_numbers(&d, &x, &y, rtol, atol);
        es_difference_free(&d);
        es_causes asked = {.x_name = "x", .y_name = "y", .rtol = rtol, .atol = atol};
        es_cause cause;
        ck_assert_works(es_torch_cause(&w.k, &cause, &x, &y, &asked, &err), err);
        es_cause_free(&cause);
        es_tensor_free(&x);
        es_tensor_free(&y);
    }
    close_world(&w);
}
END_TEST

START_TEST(narrow_floats_are_rounded_to_even_and_read_byte_by_byte)
{
    const struct {
        const es_narrow *f;
        double v, kept, cut;
    } of[] = {
        {&es_bf16, 1 + 0x1p-8, 1, 1},
        {&es_bf16, 1 + 0x3p-8, 1 + 0x2p-7, 1 + 0x1p-7},
        {&es_bf16, -1.005, -1.0078125, -1},
        {&es_bf16, 3.4e38, (double)INFINITY, (double)INFINITY},
        {&es_f16, 2049, 2048, 2048},
        {&es_f16, 65519, 65504, 65504},
        {&es_f16, 65520, (double)INFINITY, (double)INFINITY},
        {&es_f16, 0x1.8p-25, 0x1p-24, 0},
        {&es_f16, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        ck_assert_double_eq(es_narrowed(of[i].f, of[i].v), of[i].kept);
        ck_assert_double_eq(es_narrow_cut(of[i].f, of[i].v), of[i].cut);
    }
    ck_assert(isnan(es_narrowed(&es_f16, (double)NAN)));
    ck_assert_double_eq(es_f16_as_bf16(1), 0x1p-7);    /* 3C00 */
    ck_assert_double_eq(es_bf16_as_f16(1), 1.875);     /* 3F80 */
    ck_assert_double_eq(es_bytes_of_f16(1), 0x3Cp-24); /* 003C */
    ck_assert_double_eq(es_bytes_of_f32(es_bytes_of_f32(0.3F)), (double)0.3F);
}
END_TEST

/* ---- at the prompt ---- */

static language l;

static void begin(void)
{
    language_begin(&l);
}

static void end(void)
{
    language_end(&l);
}

#define says(source, ...) ck_assert_str_eq(language_says(&l, source), (__VA_ARGS__))

START_TEST(the_answer_has_fields)
{
    says("c = compare(wte(ids), wte(ids) + wpe(torch.arange(5)))\nc.cause, c.same, c.different, "
         "c.first",
         "('positions_missing', False, 76, (0, 0, 0))");
    says("c.fix", "'wte(ids) + wpe(torch.arange(T))'");
    says("c.max_abs, c.max_rel", "(1.0, 8.0)");
    says("same, cause, *rest = compare(ids, ids)\nsame, cause", "(True, None)");
    says("compare(ids, ids + 0).report",
         "'compare: ids [B=2, T=5] and (ids + 0) [B=2, T=5], int64\\n"
         "  the same to the bit: all 10 numbers'");
    says("type(c)", "<class 'comparison'>");
}
END_TEST

START_TEST(it_prints_as_a_report)
{
    says("x = wte(ids)\ny = x.clone()\ny[1, 4, 7] = 3\ncompare(x, y)",
         "compare: x [B=2, T=5, C=8] and y [B=2, T=5, C=8], float32\n"
         "  differ: 1 of 80 numbers, at [b=1, t=4, c=7]: -0.5 against 3\n"
         "  largest difference 3.5 at [b=1, t=4, c=7]; largest relative 1.17 at [b=1, t=4, c=7]\n"
         "  cause: none of those tried explains it");
    says("compare(x * 8 ** 0.5, x)",
         "compare: (x * 8 ** 0.5) [B=2, T=5, C=8] and x [B=2, T=5, C=8], float32\n"
         "  differ: 75 of 80 numbers, all over; first at [b=0, t=0, c=0]: 2.475 against 0.875\n"
         "  largest difference 1.83 at [b=0, t=0, c=5]; largest relative 1.83 at [b=0, t=0, c=0]\n"
         "  cause: (x * 8 ** 0.5) is x times sqrt(C) (C=8)\n"
         "  these numbers do not tell it apart from: tokens_scaled\n"
         "  try: (x * 8 ** 0.5) / 8 ** 0.5");
    says("x[0, 0] = float('nan')\ncompare(x.transpose(1, 2), x)",
         "compare: x.transpose(1, 2) [B=2, C=8, T=5] and x [B=2, T=5, C=8], float32\n"
         "  the shapes differ: axis 1 is C=8 against T=5, axis 2 is T=5 against C=8\n"
         "  cause: x.transpose(1, 2) is x.transpose(1, 2): T and C are swapped\n"
         "  try: x.transpose(1, 2).transpose(1, 2)");
    says("y = x.clone()\ny[0, 0, 1:4] = 1\ncompare(x, y)",
         "compare: x [B=2, T=5, C=8] and y [B=2, T=5, C=8], float32\n"
         "  differ: 3 of 80 numbers, only at b=0, t=0, c=1 to 3; first at [b=0, t=0, c=1]: nan "
         "against 1\n"
         "  NaN: 8 in x, 5 in y\n"
         "  cause: none of those tried explains it");
}
END_TEST

START_TEST(unrelated_numbers_are_said_to_be_so)
{
    says("torch.manual_seed(1)\na = torch.randn(40, 30)\nb = torch.randn(40, 30)\n"
         "def odd(x, y):\n"
         "    return 'nothing in common (correlation ' in compare(x, y).report\n"
         "odd(a, b), odd(a + 3, b), odd(a, a + 2 * b)",
         "(True, True, False)");
    says("odd(a[0], b[0])", "False"); /* so few are unlike by chance */
    says("odd(torch.zeros(40, 30) + 1e9, b)", "False");
}
END_TEST

START_TEST(tolerances_are_the_readers)
{
    says(
        "a = torch.tensor([1., 2.])\ncompare(a, a + 0.1).same, compare(a, a + 0.1, atol=0.2).same, "
        "compare(a, a + 0.1, rtol=0.2).same",
        "(False, True, True)");
    says("compare(torch.tensor([500000]), torch.tensor([500001])).same", "False");
    says("compare(a, a, rtol=-1)", "error[value]: rtol is -1: a tolerance is a number from 0 on");
    says("compare(a, 3)",
         "error[type]: compare(): argument 'y' (position 2) must be Tensor, not int");
}
END_TEST

START_TEST(shapes_alone_are_compared_where_there_are_no_values)
{
    es_interp_torch(l.in)->shapes_only = true;
    says("compare(torch.rand(3, 2), torch.rand(2, 3))",
         "compare: torch.rand(3, 2) [3, 2] and torch.rand(2, 3) [2, 3], float32\n"
         "  the shapes differ: axis 0 is 3 against 2, axis 1 is 2 against 3\n"
         "  for a cause, values are needed");
    says("c = compare(torch.rand(3, 2), torch.rand(3, 2))\nc.same, c.cause, c.max_abs",
         "(None, None, None)");
}
END_TEST

START_TEST(ctrl_c_stops_it)
{
    ck_assert(language_run(&l, "x = torch.zeros(600, 600)\ny = x + 1"));
    atomic_store(&l.watch.cancel, true);
    ck_assert(!language_run(&l, "compare(x, y)"));
    ck_assert_int_eq(l.err.code, ES_ERR_INTERRUPTED);
}
END_TEST

Suite *differ_suite(void)
{
    Suite *s = suite_create("differ");
    TCase *t = tcase_create("causes");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, each_cause_is_named, 0, N_CASES);
    tcase_add_test(t, nearly_symmetric_matrices_are_told_from_their_transposes);
    tcase_add_test(t, no_cause_is_named_where_there_is_none);
    suite_add_tcase(s, t);
    t = tcase_create("numbers");
    tcase_add_test(t, the_numbers_are_those_of_a_plain_loop);
    tcase_add_test(t, narrow_floats_are_rounded_to_even_and_read_byte_by_byte);
    suite_add_tcase(s, t);
    t = tcase_create("prompt");
    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, the_answer_has_fields);
    tcase_add_test(t, it_prints_as_a_report);
    tcase_add_test(t, unrelated_numbers_are_said_to_be_so);
    tcase_add_test(t, tolerances_are_the_readers);
    tcase_add_test(t, shapes_alone_are_compared_where_there_are_no_values);
    tcase_add_test(t, ctrl_c_stops_it);
    suite_add_tcase(s, t);
    return s;
}
