// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors as readers see them: the place, the drawing, what would help. */
#include <stdlib.h>
#include <string.h>

#include "expr/draw.h"
#include "language.h"
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

static void finish(drawn *d)
{
    for (int i = 0; i < d->n; i++) {
        es_str_free(&d->of[i].text);
        es_tensor_free(&d->t[i]);
    }
    es_error_free(&d->err);
    es_backend_close(d->be);
}

#define ON  "\x1b[1m"
#define OFF "\x1b[0m"

/* What is drawn, without the message. */
static void draws(drawn *d, const es_style *style, const char *want)
{
    es_str got = {0};
    es_show_error(&got, &d->err, "", 0, NULL, style);
    const char *newline = strchr(got.s, '\n');
    ck_assert_ptr_nonnull(newline);
    ck_assert_str_eq(newline + 1, want);
    es_str_free(&got);
}

static drawn article(void)
{
    drawn d = start();
    operand(&d, "wte(ids)", "B=2 T=5 C=64", ES_FLOAT32);
    operand(&d, "wpe(…)", "B=2 C=64", ES_FLOAT32);
    es_draw_broadcast(&d.err, d.of, 2);
    return d;
}

START_TEST(broadcast_stands_axis_under_axis)
{
    drawn d = article();
    es_style wider = wide;
    wider.width = 100;
    draws(&d, &wider,
          "    axis        -3     -2     -1\n"
          "    wte(ids)    B=2    T=5    C=64\n"
          "    wpe(…)       ·     B=2    C=64\n"
          "                ok     XX     ok        aligned from the right; a 1 or nothing "
          "stretches\n");
    finish(&d);
}
END_TEST

/* XX, which says what is wrong, is not what is cut. */
START_TEST(on_a_narrow_screen_names_give_way)
{
    drawn d = start();
    operand(&d, "wte(ids)", "B=2 T=5 C=64", ES_FLOAT32);
    operand(&d, "wpe(torch.arange(4))", "4 C=64", ES_FLOAT32);
    es_draw_broadcast(&d.err, d.of, 2);
    draws(&d, &narrow,
          "    axis              -3     -2     -1\n"
          "    wte(ids)          B=2    T=5    C=64\n"
          "    wpe(torch.ara…     ·      4     C=64\n"
          "                      ok     XX     ok\n"
          "    aligned from the right; a 1 or\n"
          "    nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(a_remark_that_has_no_room_goes_below)
{
    drawn d = article();
    draws(&d, &wide,
          "    axis        -3     -2     -1\n"
          "    wte(ids)    B=2    T=5    C=64\n"
          "    wpe(…)       ·     B=2    C=64\n"
          "                ok     XX     ok\n"
          "    aligned from the right; a 1 or nothing stretches\n");
    draws(&d, &narrow,
          "    axis        -3     -2     -1\n"
          "    wte(ids)    B=2    T=5    C=64\n"
          "    wpe(…)       ·     B=2    C=64\n"
          "                ok     XX     ok\n"
          "    aligned from the right; a 1 or\n"
          "    nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(what_does_not_fit_is_bold)
{
    drawn d = article();
    draws(&d, &bold,
          "    axis        -3     " ON "-2" OFF "     -1\n"
          "    wte(ids)    B=2    " ON "T=5" OFF "    C=64\n"
          "    wpe(…)       ·     " ON "B=2" OFF "    C=64\n"
          "                ok     " ON "XX" OFF "     ok\n"
          "    aligned from the right; a 1 or nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(plain_says_it_in_words)
{
    drawn d = article();
    draws(&d, &plain,
          "  wte(ids): B=2, T=5, C=64\n"
          "  wpe(…): nothing, B=2, C=64\n"
          "  axis -3: B=2, nothing, ok\n"
          "  axis -2: T=5, B=2, does not fit\n"
          "  axis -1: C=64, C=64, ok\n"
          "  rule: aligned from the right; a 1 or nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(wide_characters_take_two_columns)
{
    drawn d = start();
    operand(&d, "f(\"猫\")", "2 3", ES_FLOAT32);
    operand(&d, "x", "10 3", ES_FLOAT32);
    es_draw_broadcast(&d.err, d.of, 2);
    draws(&d, &wide,
          "    axis       -2    -1\n"
          "    f(\"猫\")     2     3\n"
          "    x          10     3\n"
          "               XX    ok        aligned from the right; a 1 or nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(a_drawing_wider_than_the_screen_is_cut)
{
    drawn d = start();
    operand(&d, "a", "B=2 T=5 C=8 V=50 P=16", ES_FLOAT32);
    operand(&d, "b", "B=3 T=5 C=8 V=50 P=16", ES_FLOAT32);
    es_draw_broadcast(&d.err, d.of, 2);
    draws(&d, &narrow,
          "    axis    -5     -4     -3     -2    …\n"
          "    a       B=2    T=5    C=8    V=50  …\n"
          "    b       B=3    T=5    C=8    V=50  …\n"
          "            XX     ok     ok     ok    …\n"
          "    aligned from the right; a 1 or\n"
          "    nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(inner_axes_stand_in_brackets)
{
    drawn d = start();
    operand(&d, "x", "B=2 T=5 C=8", ES_FLOAT32);
    operand(&d, "wte.weight", "V=50 C=8", ES_FLOAT32);
    operand(&d, "v", "9", ES_FLOAT32);
    operand(&d, "y", "3 8 5", ES_FLOAT32);
    es_draw_matmul(&d.err, &d.of[0], &d.of[1]);
    draws(&d, &wide,
          "    x            B=2 T=5 [C=8]\n"
          "    wte.weight           [V=50] C=8\n");
    draws(&d, &plain,
          "  x: B=2, T=5, [C=8]\n"
          "  wte.weight: [V=50], C=8\n");
    es_draw_matmul(&d.err, &d.of[2], &d.of[1]);
    draws(&d, &bold,
          "    v            " ON "[9]" OFF "\n"
          "    wte.weight   " ON "[V=50]" OFF " C=8\n");
    es_draw_matmul(&d.err, &d.of[0], &d.of[3]);
    draws(&d, &wide,
          "    x         B=2 T=5 [C=8]\n"
          "    y          3      [8]   5\n"
          "    batches   XX\n"
          "    they stretch as those of + do, the last two axes are multiplied\n");
    finish(&d);
}
END_TEST

START_TEST(a_view_counts_the_numbers)
{
    drawn d = start();
    operand(&d, "x", "B=2 T=5 C=8", ES_FLOAT32);
    es_shape asked = {.ndim = 2, .dim = {3, -1}};
    es_draw_view(&d.err, d.of, &asked);
    draws(&d, &wide,
          "    x            [B=2, T=5, C=8]    2*5*8 = 80 numbers\n"
          "    asked for    [3, -1]            3*?: 80 / 3 leaves 2\n"
          "    divisors of 80: 1 2 4 5 8 10 16 20 40 80\n");
    asked.dim[1] = 4;
    es_draw_view(&d.err, d.of, &asked);
    draws(&d, &wide,
          "    x            [B=2, T=5, C=8]    2*5*8 = 80 numbers\n"
          "    asked for    [3, 4]             3*4 = 12, 68 too few\n");
    asked.dim[0] = asked.dim[1] = -1;
    es_draw_view(&d.err, d.of, &asked);
    draws(&d, &wide,
          "    x            [B=2, T=5, C=8]    2*5*8 = 80 numbers\n"
          "    asked for    [-1, -1]           ?*?: only one can be worked out\n");
    finish(&d);
}
END_TEST

START_TEST(a_view_of_a_transpose_shows_steps_in_memory)
{
    drawn d = start();
    operand(&d, "x.transpose(1, 2)", "B=2 C=8 T=5", ES_FLOAT32);
    d.t[0].stride[1] = 1;
    d.t[0].stride[2] = 8;
    es_draw_strides(&d.err, d.of, &(es_shape){.ndim = 2, .dim = {2, 40}});
    draws(&d, &wide,
          "    x.transpose(1, 2)    B=2    C=8    T=5\n"
          "    a step is            40      1      8\n"
          "                                XX\n"
          "    to merge with the axes behind it this step would be 5*8 = 40\n");
    finish(&d);
}
END_TEST

START_TEST(expand_shows_which_axis_is_no_1)
{
    drawn d = start();
    operand(&d, "zeros(3, 8)", "3 8", ES_FLOAT32);
    es_shape asked = {.ndim = 3, .dim = {2, 5, -1}};
    es_draw_expand(&d.err, d.of, &asked);
    draws(&d, &wide,
          "    axis           -3    -2    -1\n"
          "    zeros(3, 8)     ·     3     8\n"
          "    asked for       2     5    -1\n"
          "                   ok    XX    ok\n"
          "    aligned from the right; only a 1 grows, -1 keeps\n");
    finish(&d);
}
END_TEST

START_TEST(cat_marks_the_joined_axis_and_the_one_that_differs)
{
    drawn d = start();
    operand(&d, "tok_emb", "B=2 T=5 C=8", ES_FLOAT32);
    operand(&d, "pos_emb", "1 T=5 C=8", ES_FLOAT32);
    operand(&d, "wpe.weight", "P=16 C=8", ES_FLOAT32);
    es_draw_cat(&d.err, d.of, 2, 2, false);
    draws(&d, &wide,
          "    axis        0      1      2\n"
          "    tok_emb    B=2    T=5    C=8\n"
          "    pos_emb     1     T=5    C=8\n"
          "               XX     ok     join\n"
          "    only the joined axis may differ, nothing stretches\n");
    es_draw_cat(&d.err, (es_operand[]){d.of[0], d.of[2]}, 2, 0, true);
    draws(&d, &wide,
          "    axis           0       1      2\n"
          "    tok_emb       B=2     T=5    C=8\n"
          "    wpe.weight    P=16    C=8     ·\n"
          "                  XX      XX     XX\n"
          "    stack wants equal shapes, nothing stretches\n");
    finish(&d);
}
END_TEST

START_TEST(axes_are_counted_from_both_ends)
{
    drawn d = start();
    operand(&d, "x", "B=2 T=5 C=8", ES_FLOAT32);
    operand(&d, "s", "", ES_FLOAT32);
    es_draw_axes(&d.err, &d.of[0], false);
    draws(&d, &wide,
          "    x      B=2    T=5    C=8\n"
          "    dim     0      1      2\n"
          "    or     -3     -2     -1\n");
    es_draw_axes(&d.err, &d.of[0], true);
    draws(&d, &wide,
          "    x                 B=2    T=5    C=8\n"
          "    new axis at     0      1      2      3\n"
          "    or             -4     -3     -2     -1\n");
    es_draw_axes(&d.err, &d.of[1], false);
    draws(&d, &wide, "    s    a single number, no axes\n");
    finish(&d);
}
END_TEST

START_TEST(subscripts_stand_under_their_axes)
{
    drawn d = start();
    operand(&d, "x", "B=2 T=5 C=8", ES_FLOAT32);
    const es_drawn_sub sub[] = {{{.s = ":", .len = 1}, 0, false},
                                {{.s = "None", .len = 4}, -1, false},
                                {{.s = "5", .len = 1}, 1, true}},
                       many[] = {{{.s = "0", .len = 1}, 0, false},
                                 {{.s = "0", .len = 1}, 1, false},
                                 {{.s = "0", .len = 1}, 2, false},
                                 {{.s = "0", .len = 1}, 3, true}};
    es_draw_subscripts(&d.err, d.of, sub, 3);
    draws(&d, &wide,
          "    x            B=2            T=5     C=8\n"
          "    asked for     :     None     5\n"
          "    there is                    0..4\n");
    es_draw_subscripts(&d.err, d.of, many, 4);
    draws(&d, &wide,
          "    x            B=2    T=5    C=8     ·\n"
          "    asked for     0      0      0      0\n"
          "    there is                          no axis\n");
    finish(&d);
}
END_TEST

START_TEST(dtypes_and_devices_stand_behind_shapes)
{
    drawn d = start();
    operand(&d, "F.one_hot(ids)", "B=2 T=5 V=50", ES_INT64);
    operand(&d, "wte.weight", "V=50 C=8", ES_FLOAT32);
    es_draw_dtypes(&d.err, d.of, 2, (bool[]){true, false}, "both are to be of one dtype");
    draws(&d, &(es_style){.width = 100},
          "    F.one_hot(ids)    [B=2, T=5, V=50]    int64      XX        both are to be of one "
          "dtype\n"
          "    wte.weight        [V=50, C=8]         float32\n");
    es_draw_devices(&d.err, d.of, 2, (bool[]){true, false});
    draws(&d, &wide,
          "    F.one_hot(ids)    [B=2, T=5, V=50]    cpu    XX\n"
          "    wte.weight        [V=50, C=8]         cpu\n");
    finish(&d);
}
END_TEST

START_TEST(names_stand_above_what_there_is_for_them)
{
    drawn d = start();
    const es_str name[] = {{.s = "B", .len = 1}, {.s = "T", .len = 1}},
                 value[] = {{.s = "T=5", .len = 3}};
    es_draw_unpack(&d.err, name, 2, value, 1);
    draws(&d, &wide,
          "    names      B      T\n"
          "    values    T=5     ·\n"
          "              ok     XX\n");
    draws(&d, &plain,
          "  names: B, T\n"
          "  values: T=5, nothing\n");
    finish(&d);
}
END_TEST

START_TEST(ragged_rows_have_their_lengths)
{
    drawn d = start();
    const es_str row[] = {{.s = "[1, 2]", .len = 6}, {.s = "[3]", .len = 3}};
    es_draw_ragged(&d.err, row, (int64_t[]){2, 1}, 2, 2);
    draws(&d, &wide,
          "    [1, 2]    2 long\n"
          "    [3]       1 long    XX\n");
    finish(&d);
}
END_TEST

/* ---- the place ---- */

static void places(const char *source, ptrdiff_t begin, ptrdiff_t end, ptrdiff_t op_begin,
                   ptrdiff_t op_end, const es_style *style, const char *want)
{
    es_error err = ES_ERROR_NONE;
    es_str got = {0};
    es_fail(&err, ES_ERR_BROADCAST, "as it happened");
    err.begin = begin;
    err.end = end;
    err.op_begin = op_begin;
    err.op_end = op_end;
    es_show_error(&got, &err, source, strlen(source), NULL, style);
    ck_assert_str_eq(strchr(got.s, '\n') + 1, want);
    es_str_free(&got);
    es_error_free(&err);
}

START_TEST(an_operator_stands_between_its_operands)
{
    places("wte(ids) + wpe(T)", 0, 17, 9, 10, &wide,
           "    wte(ids) + wpe(T)\n"
           "    ~~~~~~~~ ^ ~~~~~~\n");
    places("y = (a @ b)", 5, 10, 7, 8, &bold,
           "    y = (a @ b)\n"
           "         \x1b[1;31m~\x1b[0m \x1b[1;31m^\x1b[0m \x1b[1;31m~\x1b[0m\n");
    places("x.T.view(2)", 0, 11, 3, 11, &wide,
           "    x.T.view(2)\n"
           "    ~~~^^^^^^^^\n");
    places("f(\"猫\") + x", 0, 12, 9, 10, &wide,
           "    f(\"猫\") + x\n"
           "    ~~~~~~~ ^ ~\n");
}
END_TEST

START_TEST(of_several_lines_those_of_the_place_are_shown)
{
    const char *source = "a = 1\nb = f(a,\n      b) + 2\nc = 3\n";
    places(source, 10, 27, 24, 25, &wide,
           "  lines 2-3:\n"
           "    b = f(a,\n"
           "        ~~~~\n"
           "          b) + 2\n"
           "          ~~ ^ ~\n");
    places(source, 28, 29, 0, 0, &wide,
           "  line 4:\n"
           "    c = 3\n"
           "    ^\n");
    places(source, 28, 29, 0, 0, &plain, "  in line 4: \"c\"\n");
    places("x\n", 0, 1, 0, 0, &plain, "  in the line: \"x\"\n");
}
END_TEST

START_TEST(a_place_far_to_the_right_is_scrolled_to)
{
    places("aaaaaaaaaa(bbbbbbbbbb, cccccccccc, dddddddddd) + eeeeeeeeee", 0, 59, 47, 48, &narrow,
           "    …ddddddddd) + eeeeeeeeee\n"
           "     ~~~~~~~~~~ ^ ~~~~~~~~~~\n");
}
END_TEST

/* ---- what helps ---- */

/* A statement, what it is helped with (NULL: nothing), and the part of it that is marked. */
static const struct {
    const char *source, *help, *place;
} helped[] = {
    /* the edit that works, with what it gives */
    {"x @ wte.weight", "wte.weight.T is [C=8, V=50]  ->  result [B=2, T=5, V=50] (logits)",
     "x @ wte.weight"},
    {"x @ x", "x.transpose(-1, -2) is [B=2, C=8, T=5]  ->  result [B=2, T=5, T=5]", "x @ x"},
    {"F.linear(x, wte.weight.T)", "wte.weight is [V=50, C=8]  ->  result [B=2, T=5, V=50] (logits)",
     "F.linear(x, wte.weight.T)"},
    {"torch.mm(x, wte.weight.T)", "torch.matmul(x, wte.weight.T)  ->  result [B=2, T=5, V=50]",
     "torch.mm(x, wte.weight.T)"},
    {"x.mean(-1) + x", "x.mean(-1, keepdim=True) is [B=2, T=5, 1]  ->  result [B=2, T=5, C=8]",
     "x.mean(-1) + x"},
    {"x * (ids + 1)", "(ids + 1).unsqueeze(-1) is [B=2, T=5, 1]  ->  result [B=2, T=5, C=8]",
     "x * (ids + 1)"},
    {"x * -ids", "(-ids).unsqueeze(-1) is [B=2, T=5, 1]  ->  result [B=2, T=5, C=8]", "x * -ids"},
    {"x > ids", "ids.unsqueeze(-1) is [B=2, T=5, 1]  ->  result [B=2, T=5, C=8]", "x > ids"},
    {"y = x\ny += ids", "ids.unsqueeze(-1) is [B=2, T=5, 1]  ->  result [B=2, T=5, C=8]",
     "y += ids"},
    {"x + wpe.weight", "wpe.weight[:T] is [P[:T]=5, C=8]  ->  result [B=2, T=5, C=8]",
     "x + wpe.weight"},
    {"torch.zeros(5, 8) + torch.zeros(8, 5)", "torch.zeros(8, 5).T is [5, 8]  ->  result [5, 8]",
     "torch.zeros(5, 8) + torch.zeros(8, 5)"},
    /* sizes by their names */
    {"x + wpe(torch.arange(0, B))", "positions count to T, not B: torch.arange(0, T)",
     "x + wpe(torch.arange(0, B))"},
    {"x + wpe(torch.arange(0, B).unsqueeze(0))", "positions count to T, not B: torch.arange(0, T)",
     "x + wpe(torch.arange(0, B).unsqueeze(0))"},
    {"batch_size, seq_len = ids.shape\nx + wpe(torch.arange(0, batch_size))",
     "positions count to seq_len, not batch_size: torch.arange(0, seq_len)",
     "x + wpe(torch.arange(0, batch_size))"},
    {"x + wpe(torch.arange(4))", "positions count to T, not 4: torch.arange(T)",
     "x + wpe(torch.arange(4))"},
    {"x + torch.zeros(T, B)", "torch.zeros(T, C)  ->  result [B=2, T=5, C=8]",
     "x + torch.zeros(T, B)"},
    /* kinds of numbers */
    {"wte(ids.float())", "wte(ids)  ->  result [B=2, T=5, C=8]", "wte(ids.float())"},
    {"f = ids.float()\nwte(f)", "wte(f.long())  ->  result [B=2, T=5, C=8]", "wte(f)"},
    {"F.one_hot(ids, V) @ wte.weight",
     "F.one_hot(ids, V).float() @ wte.weight  ->  result [B=2, T=5, C=8]",
     "F.one_hot(ids, V) @ wte.weight"},
    {"F.one_hot(ids) @ wte.weight",
     "F.one_hot(ids, V).float() @ wte.weight  ->  result [B=2, T=5, C=8]",
     "F.one_hot(ids) @ wte.weight"},
    {"ids @ wte.weight", "rows are looked up by their ids: wte(ids)  ->  result [B=2, T=5, C=8]",
     "ids @ wte.weight"},
    {"ids.mean()", "ids.float().mean()  ->  result []", "ids.mean()"},
    {"F.embedding(wte.weight, ids)",
     "the ids come first: F.embedding(ids, wte.weight)  ->  result [B=2, T=5, C=8]", "wte.weight"},
    {"wte(3)", "wte(torch.tensor([3]))  ->  result [1, C=8]", "3"},
    {"wte([3, 7])", "wte(torch.tensor([3, 7]))  ->  result [2, C=8]", "[3, 7]"},
    {"x @ 2.0", "each element times a number is x * 2.0  ->  result [B=2, T=5, C=8]", "x @ 2.0"},
    {"x.shape()", "x.shape", "x.shape()"},
    /* ids and places */
    {"wte(torch.tensor([[3, 50]]))", "the largest legal id is V-1 = 49", "50"},
    {"wte(torch.tensor([[3, 7], [1, -1]]).long())",
     "ids do not count from the end as weight[-1] does; the last row is V-1 = 49", "-1"},
    {"wpe(torch.arange(1, 17))",
     "the first position is 0 and the last P-1 = 15: torch.arange(0, 16)", "torch.arange(1, 17)"},
    {"wpe(torch.arange(17))",
     "there are rows for positions 0 to P-1 = 15: a shorter text, or :positions sinusoidal, which "
     "has no last row",
     "torch.arange(17)"},
    {"nn.Embedding(8, 50)(torch.tensor([3, 9]))",
     "it has 8 rows of 50 numbers each; how many rows is said first: nn.Embedding(50, 8)", "9"},
    {"nn.Embedding(8, 50)(torch.tensor([50]))", "the largest legal id is 7", "50"},
    {"x[:, 5]", "the last is x[:, -1]  ->  result [B=2, C=8]", "5"},
    {"x[-3]", "the first is x[0]  ->  result [T=5, C=8]", "-3"},
    {"x[torch.tensor([0, 2])]", NULL, "2"},
    {"x[0, 0, 0, 0]", "x[0, 0, 0]  ->  result []", "0"},
    {"x[::-1]", "x.flip(0)  ->  result [B=2, T=5, C=8]", "x[::-1]"},
    /* axes */
    {"x.mean(3)", "x.mean(-1)  ->  result [B=2, T=5]", "3"},
    {"x.unsqueeze(-5)", "x.unsqueeze(0)  ->  result [1, B=2, T=5, C=8]", "-5"},
    {"F.cosine_similarity(x[0, 0], x[0, 1])",
     "F.cosine_similarity(x[0, 0], x[0, 1], dim=-1)  ->  result []",
     "F.cosine_similarity(x[0, 0], x[0, 1])"},
    {"x.permute(0, 2)", "x.permute(0, 2, 1)  ->  result [B=2, C=8, T=5]", "x.permute(0, 2)"},
    {"x.transpose(1, 2).view(2, 40)",
     "reshape copies where it has to: x.transpose(1, 2).reshape(2, 40)  ->  result [B=2, C·T=40]",
     "x.transpose(1, 2).view(2, 40)"},
    /* an axis of equal parts */
    {"x.view(B, T, 3, C // 3)", "8 splits evenly into 2 or 4 parts, not into 3",
     "x.view(B, T, 3, C // 3)"},
    {"x.view(B, T, 5, -1)", "8 splits evenly into 4 or 8 parts, not into 5", "x.view(B, T, 5, -1)"},
    {"x.reshape(B, T, C // 3, 3)", "8 splits evenly into 2 or 4 parts, not into 3",
     "x.reshape(B, T, C // 3, 3)"},
    {"torch.zeros(5).view(2, -1)", "5 splits evenly into 5 parts, not into 2",
     "torch.zeros(5).view(2, -1)"},
    {"torch.zeros(10007).view(5000, 2)", "10007 does not split evenly into 5000 parts",
     "torch.zeros(10007).view(5000, 2)"},
    {"x.view(B, T, 3, 4)", NULL, "x.view(B, T, 3, 4)"},
    {"ids.expand(2, 5, 8)", "ids.unsqueeze(-1).expand(2, 5, 8)  ->  result [B=2, T=5, 8]",
     "ids.expand(2, 5, 8)"},
    {"torch.cat([x, x[:1]], dim=1)",
     "x[:1].expand(B, -1, -1) is [B=2, T=5, C=8]  ->  result [B=2, 2T=10, C=8]",
     "torch.cat([x, x[:1]], dim=1)"},
    {"torch.cat([x, x[:, :, :3]])",
     "torch.cat([x, x[:, :, :3]], dim=2)  ->  result [B=2, T=5, C+C[:3]=11]",
     "torch.cat([x, x[:, :, :3]])"},
    {"torch.cat([x, ids], dim=-1)",
     "ids.unsqueeze(-1) is [B=2, T=5, 1]  ->  result [B=2, T=5, C+1=9]",
     "torch.cat([x, ids], dim=-1)"},
    {"x @ x.T", "x.mT is [B=2, C=8, T=5]  ->  result [B=2, T=5, T=5]", "x @ x.T"},
    {"torch.cat(x, x)", "torch.cat([x, x])  ->  result [2B=4, T=5, C=8]", "x"},
    /* names, truth */
    {"B, T = ids[0].shape", "the batch axis is missing; ids[0].unsqueeze(0) is a batch of one",
     "B, T"},
    {"B, T = x.shape", "B, T, C = x.shape", "B, T"},
    {"if x > 0: 1", "is any of them true, (x > 0).any(), or all, (x > 0).all()?", "x > 0"},
    {"(x > 0) and (x < 1)", "element by element it is (x > 0) & (x < 1)", "x > 0"},
    {"0 < x < 1", "element by element it is (0 < x) & (x < 1)", "0 < x < 1"},
    /* where no single edit works, none is offered */
    {"x + wte.weight", NULL, "x + wte.weight"},
    {"wte(x)", NULL, "wte(x)"},
    {"x.view(3, -1)", NULL, "x.view(3, -1)"},
    {"torch.zeros(3) + torch.zeros(4)", NULL, "torch.zeros(3) + torch.zeros(4)"},
    /* nor tried, where that would run a reader's function */
    {"def g(a):\n    return a\n\ng(ids) + x", NULL, "g(ids) + x"},
    {"x + (lambda a: a)(ids)", NULL, "x + (lambda a: a)(ids)"},
};

/* The line of help among the hints; "" for none. */
static const char *help_of(const es_error *err)
{
    const char *at = err->hint ? strstr(err->hint, "help: ") : NULL;
    return at ? at + strlen("help: ") : "";
}

START_TEST(one_edit_that_works_is_offered)
{
    for (size_t i = 0; i < sizeof helped / sizeof *helped; i++) {
        language l;
        language_begin(&l);
        demand(language_run(&l, "B, T = ids.shape; x = wte(ids); P = 16"), "%s", l.err.message);
        demand(!language_run(&l, helped[i].source), "%s: works", helped[i].source);
        const char *help = helped[i].help ? helped[i].help : "";
        demand(!strcmp(help_of(&l.err), help), "%s\n  helps:  %s\n  wanted: %s", helped[i].source,
               help_of(&l.err), help);
        const char *place = language_place(&l, helped[i].source);
        demand(!strcmp(place, helped[i].place), "%s\n  marks:  %s\n  wanted: %s", helped[i].source,
               place, helped[i].place);
        language_end(&l);
    }
}
END_TEST

START_TEST(help_leaves_no_trace)
{
    language l;
    language_begin(&l);
    ck_assert(language_run(&l, "a = [1]; x = wte(ids); torch.manual_seed(1); r = torch.rand(3)"));
    ck_assert(!language_run(&l, "x.mean(-1) + x * a.pop() + torch.rand(9)"));
    ck_assert_str_eq(l.printed.len ? l.printed.s : "", "");
    ck_assert_str_eq(language_says(&l, "torch.manual_seed(1); a; (torch.rand(3) == r).all()"),
                     "[]\n[] tensor(True)");
    language_end(&l);
}
END_TEST

START_TEST(what_pytorch_folds_is_unfolded)
{
    language l;
    language_begin(&l);
    ck_assert(!language_run(&l, "wte(ids) @ wte.weight"));
    ck_assert_str_eq(l.err.torch,
                     "mat1 and mat2 shapes cannot be multiplied (10x8 and 50x8); 10 is B*T");
    language_end(&l);
}
END_TEST

Suite *explain_suite(void)
{
    Suite *s = suite_create("explain");
    TCase *tc = tcase_create("drawings");
    tcase_add_test(tc, broadcast_stands_axis_under_axis);
    tcase_add_test(tc, on_a_narrow_screen_names_give_way);
    tcase_add_test(tc, a_remark_that_has_no_room_goes_below);
    tcase_add_test(tc, what_does_not_fit_is_bold);
    tcase_add_test(tc, plain_says_it_in_words);
    tcase_add_test(tc, wide_characters_take_two_columns);
    tcase_add_test(tc, a_drawing_wider_than_the_screen_is_cut);
    tcase_add_test(tc, inner_axes_stand_in_brackets);
    tcase_add_test(tc, a_view_counts_the_numbers);
    tcase_add_test(tc, a_view_of_a_transpose_shows_steps_in_memory);
    tcase_add_test(tc, expand_shows_which_axis_is_no_1);
    tcase_add_test(tc, cat_marks_the_joined_axis_and_the_one_that_differs);
    tcase_add_test(tc, axes_are_counted_from_both_ends);
    tcase_add_test(tc, subscripts_stand_under_their_axes);
    tcase_add_test(tc, dtypes_and_devices_stand_behind_shapes);
    tcase_add_test(tc, names_stand_above_what_there_is_for_them);
    tcase_add_test(tc, ragged_rows_have_their_lengths);
    suite_add_tcase(s, tc);
    tc = tcase_create("places");
    tcase_add_test(tc, an_operator_stands_between_its_operands);
    tcase_add_test(tc, of_several_lines_those_of_the_place_are_shown);
    tcase_add_test(tc, a_place_far_to_the_right_is_scrolled_to);
    suite_add_tcase(s, tc);
    tc = tcase_create("help");
    tcase_add_test(tc, one_edit_that_works_is_offered);
    tcase_add_test(tc, help_leaves_no_trace);
    tcase_add_test(tc, what_pytorch_folds_is_unfolded);
    suite_add_tcase(s, tc);
    return s;
}
