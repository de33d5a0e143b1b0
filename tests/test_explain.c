// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors as readers see them: the place, the drawing, what would help. */
#include <stdlib.h>
#include <string.h>

#include "expr/draw.h"
#include "session/results.h"
#include "support.h"

Suite *explain_suite(void);

/* ---- tensors of which only the shape is known ---- */

typedef struct drawn {
    es_backend *be;
    es_error err;
    es_operand of[8];
    es_tensor t[8];
    int n;
} drawn;

static drawn start(void)
{
    drawn d = {.err = ES_ERROR_NONE};
    d.be = es_backend_open("cpu", 1, &d.err);
    ck_assert_ptr_nonnull(d.be);
    es_fail(&d.err, ES_ERR_BROADCAST, "as it happened");
    return d;
}

/* One more operand: "B=2 T=5 8". */
static void operand(drawn *d, const char *text, const char *shape, es_dtype dtype)
{
    es_tensor *t = &d->t[d->n];
    *t = (es_tensor){.dtype = dtype, .buf = es_buffer_meta(d->be)};
    for (const char *s = shape; *s;) {
        size_t name = strcspn(s, "= ");
        bool named = s[name] == '=';
        if (named)
            memcpy(t->shape.label[t->shape.ndim].s, s, name);
        t->shape.dim[t->shape.ndim++] = strtoll(named ? s + name + 1 : s, (char **)&s, 10);
        s += *s == ' ';
    }
    int64_t step = 1;
    for (int i = t->shape.ndim - 1; i >= 0; i--) {
        t->stride[i] = step;
        step *= t->shape.dim[i];
    }
    es_str_cat(&d->of[d->n].text, text);
    d->of[d->n++].t = t;
}

static const es_style wide = {.width = 80}, plain = {.width = 80, .plain = true},
                      bold = {.width = 80, .colour = true}, narrow = {.width = 40};

static void shows(const es_error *err, const char *line, const es_style *style, const char *want)
{
    es_str got = {0};
    es_show_error(&got, err, line, strlen(line), NULL, style);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

static void finish(drawn *d)
{
    for (int i = 0; i < d->n; i++) {
        es_str_free(&d->of[i].text);
        es_tensor_free(&d->t[i]);
    }
    es_error_free(&d->err);
    es_backend_close(d->be);
}

#define HEAD "error[broadcast]: as it happened\n"

START_TEST(broadcast_stands_axis_under_axis)
{
    drawn d = start();
    operand(&d, "wte(ids)", "B=2 T=5 C=64", ES_FLOAT32);
    operand(&d, "wpe(…)", "B=2 C=64", ES_FLOAT32);
    es_draw_broadcast(&d.err, d.of, 2);
    shows(&d.err, "", &wide,
          HEAD "    axis        -3     -2     -1\n"
               "    wte(ids)    B=2    T=5    C=64\n"
               "    wpe(…)       ·     B=2    C=64\n"
               "                ok     XX     ok        aligned from the right; a 1 or nothing "
               "stretches\n");
    shows(&d.err, "", &plain,
          HEAD "  wte(ids): B=2, T=5, C=64\n"
               "  wpe(…): nothing, B=2, C=64\n"
               "  axis -3: B=2, nothing, ok\n"
               "  axis -2: T=5, B=2, does not fit\n"
               "  axis -1: C=64, C=64, ok\n"
               "  rule: aligned from the right; a 1 or nothing stretches\n");
    shows(&d.err, "", &bold, "");
    shows(&d.err, "", &narrow, "");
    finish(&d);
}
END_TEST

static void show_all(drawn *d)
{
    es_str got = {0};
    es_show_error(&got, &d->err, "", 0, NULL, &wide);
    es_show_error(&got, &d->err, "", 0, NULL, &plain);
    puts(got.s);
    es_str_free(&got);
}

START_TEST(try_all)
{
    drawn d = start();
    operand(&d, "x", "B=2 T=5 C=8", ES_FLOAT32);
    operand(&d, "wte.weight", "V=50 C=8", ES_FLOAT32);
    operand(&d, "zeros(5, 1)", "5 1", ES_INT64);
    operand(&d, "torch.zeros(…)", "3 8 5", ES_INT64);
    operand(&d, "s", "", ES_INT64);
    es_draw_broadcast(&d.err, d.of, 4);
    show_all(&d);
    es_draw_matmul(&d.err, d.of, d.of + 1);
    show_all(&d);
    es_draw_matmul(&d.err, d.of, d.of + 3);
    show_all(&d);
    es_shape asked = {.ndim = 2, .dim = {3, -1}};
    es_draw_view(&d.err, d.of, &asked);
    show_all(&d);
    asked.dim[1] = 4;
    es_draw_view(&d.err, d.of, &asked);
    show_all(&d);
    asked.dim[0] = asked.dim[1] = -1;
    es_draw_view(&d.err, d.of, &asked);
    show_all(&d);
    asked = (es_shape){.ndim = 4, .dim = {3, -1, 4, 8}};
    es_draw_expand(&d.err, d.of, &asked);
    show_all(&d);
    es_draw_cat(&d.err, (es_operand[]){d.of[0], d.of[3]}, 2, 2, false);
    show_all(&d);
    es_draw_cat(&d.err, (es_operand[]){d.of[0], d.of[1]}, 2, 0, true);
    show_all(&d);
    es_draw_axes(&d.err, d.of, false);
    show_all(&d);
    es_draw_axes(&d.err, d.of, true);
    show_all(&d);
    es_draw_axes(&d.err, d.of + 4, true);
    show_all(&d);
    es_draw_dtypes(&d.err, d.of + 1, 2, (bool[]){false, true}, "wanted: float32");
    show_all(&d);
    es_draw_devices(&d.err, d.of, 2, (bool[]){false, true});
    show_all(&d);
    es_drawn_sub sub[] = {{{.s = ":", .len = 1}, 0, false}, {{.s = "5", .len = 1}, 1, true}};
    es_draw_subscripts(&d.err, d.of, sub, 2);
    show_all(&d);
    d.t[0].stride[1] = 1;
    d.t[0].stride[2] = 8;
    es_draw_strides(&d.err, d.of);
    show_all(&d);
    es_str nm[] = {{.s = "B", .len = 1}, {.s = "T", .len = 1}}, vl[] = {{.s = "T=5", .len = 3}};
    es_draw_unpack(&d.err, nm, 2, vl, 1);
    show_all(&d);
    es_str rw[] = {{.s = "[1, 2]", .len = 6}, {.s = "[3]", .len = 3}};
    es_draw_ragged(&d.err, rw, (int64_t[]){2, 1}, 2, 2);
    show_all(&d);
    finish(&d);
}
END_TEST

Suite *explain_suite(void)
{
    Suite *s = suite_create("explain");
    TCase *tc = tcase_create("drawings");
    tcase_add_test(tc, broadcast_stands_axis_under_axis);
    tcase_add_test(tc, try_all);
    suite_add_tcase(s, tc);
    return s;
}
