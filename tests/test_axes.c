// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view: rows along directions made of tokens beside plain dot products, an analogy's parallelogram, what is
 * refused. */
#include "view/axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stage.h"
#include "support.h"

Suite *axes_suite(void);

enum { V = 120, C = 12, P = 16, SAME = 20, BROKEN = 30, A = 1, B = 2, D = 3, EXACT = 4 };

static float wte[V * C], wpe[P * C];
static stage s;

static float at(const float *table, int row, int c)
{
    return table[row * C + c];
}

/* Rows at random; SAME and the one behind it are equal, one of BROKEN is not finite, and EXACT is A - B + D. */
static void make_tables(void)
{
    uint64_t state = 5;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)random_below(&state, 2001) / 1000 - 1);
    for (int i = 0; i < P * C; i++)
        wpe[i] = (float)((double)random_below(&state, 2001) / 2000 - 0.5);
    for (int c = 0; c < C; c++) {
        wte[(SAME + 1) * C + c] = at(wte, SAME, c);
        wte[EXACT * C + c] = at(wte, A, c) - at(wte, B, c) + at(wte, D, c);
    }
    wte[BROKEN * C + 7] = INFINITY;
}

static void open_stage(const float *rows, int n, int width)
{
    stage_open(&s, rows, n, wpe, P, width, ES_VIEW_AXES);
    s.viewer->camera[ES_VIEW_AXES].solid = false;
}

static void setup(void)
{
    make_tables();
    open_stage(wte, V, C);
}

static void teardown(void)
{
    stage_close(&s);
}

static const es_axes *axes_of(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
    const es_axes *ax = es_axes_follow(s.viewer);
    ck_assert_str_eq(es_str_text(&ax->why), "");
    ck_assert_ptr_nonnull(ax->map);
    return ax;
}

static double dot(const double *x, const double *y)
{
    double sum = 0;
    for (int c = 0; c < C; c++)
        sum += x[c] * y[c];
    return sum;
}

static void row_of(int id, double out[C])
{
    for (int c = 0; c < C; c++)
        out[c] = (double)at(wte, id, c);
}

/* The unit vector from one row to another. */
static void unit(int from, int to, double out[C])
{
    double a[C], b[C];
    row_of(from, a);
    row_of(to, b);
    for (int c = 0; c < C; c++)
        out[c] = b[c] - a[c];
    double length = sqrt(dot(out, out));
    for (int c = 0; c < C; c++)
        out[c] /= length;
}

/* ---- where rows lie ---- */

START_TEST(rows_lie_where_their_dot_products_are)
{
    const es_axes *ax = axes_of(":axes #5 #9; #7 #11");
    double x[C], y[C], row[C];
    unit(5, 9, x);
    unit(7, 11, y);
    for (int id = 0; id < V; id++) {
        const float *where = ax->map->at + 3 * id;
        row_of(id, row);
        if (id == BROKEN) {
            demand(isnan(where[0]) && isnan(where[1]), "a broken row is somewhere");
            continue;
        }
        demand(fabs((double)where[0] - dot(row, x)) < 1e-5, "row %d, x %g", id, (double)where[0]);
        demand(fabs((double)where[1] - dot(row, y)) < 1e-5, "row %d, y %g", id, (double)where[1]);
    }
    ck_assert_double_eq_tol(ax->between, dot(x, y), 1e-9);
}
END_TEST

START_TEST(with_one_axis_the_other_is_how_far_a_row_is)
{
    const es_axes *ax = axes_of(":axes #5 #9");
    double x[C], row[C];
    unit(5, 9, x);
    for (int id = 0; id < V; id++) {
        const float *where = ax->map->at + 3 * id;
        row_of(id, row);
        double along = dot(row, x);
        if (id != BROKEN) {
            demand(fabs((double)where[0] - along) < 1e-5, "row %d, x %g", id, (double)where[0]);
            demand(fabs((double)where[1] - sqrt(dot(row, row) - along * along)) < 1e-4,
                   "row %d, y %g", id, (double)where[1]);
        }
    }
}
END_TEST

START_TEST(ends_may_be_sums)
{
    const es_axes *ax = axes_of(":axes #5 + 2 * #6 #9 - #8");
    double x[C], sum[C] = {0}, row[C];
    const struct {
        int id;
        double factor;
    } terms[] = {{9, 1}, {8, -1}, {5, -1}, {6, -2}};
    for (int i = 0; i < 4; i++) {
        row_of(terms[i].id, row);
        for (int c = 0; c < C; c++)
            sum[c] += terms[i].factor * row[c];
    }
    for (int c = 0; c < C; c++)
        x[c] = sum[c] / sqrt(dot(sum, sum));
    row_of(40, row);
    ck_assert_double_eq_tol((double)ax->map->at[3 * 40], dot(row, x), 1e-5);
}
END_TEST

START_TEST(a_difference_is_an_axis_from_what_is_subtracted)
{
    const es_axes *ax = axes_of(":axes #9 - #5");
    ck_assert_int_eq(ax->of.form, ES_AXES_ONE);
    ck_assert_int_eq(ax->of.from[0].id[0], 5);
    ck_assert_int_eq(ax->of.to[0].id[0], 9);
}
END_TEST

/* The spread along two directions at right angles that span the plane, of all about the mean. */
START_TEST(the_share_is_that_of_the_plane)
{
    const es_axes *ax = axes_of(":axes #5 #9; #7 #11");
    double x[C], y[C], row[C], mean[C] = {0}, in = 0, all = 0;
    unit(5, 9, x);
    unit(7, 11, y);
    double back = dot(x, y), length = 0;
    for (int c = 0; c < C; c++)
        y[c] -= back * x[c];
    length = sqrt(dot(y, y));
    for (int c = 0; c < C; c++)
        y[c] /= length;
    for (int id = 0; id < V; id++)
        for (int c = 0; c < C && id != BROKEN; c++)
            mean[c] += (double)at(wte, id, c) / (V - 1);
    for (int id = 0; id < V; id++) {
        row_of(id, row);
        for (int c = 0; c < C; c++)
            row[c] -= mean[c];
        if (id == BROKEN)
            continue;
        in += dot(row, x) * dot(row, x) + dot(row, y) * dot(row, y);
        all += dot(row, row);
    }
    ck_assert_double_eq_tol(ax->share, in / all, 1e-5);
}
END_TEST

START_TEST(axes_are_names_of_tensor_mode)
{
    double x[C], value[2 * C];
    axes_of(":axes #5 #9; #7 #11");
    unit(5, 9, x);
    stage_value(&s, "axes", value, 2 * C);
    for (int c = 0; c < C; c++)
        demand(fabs(value[c] - x[c]) < 1e-6, "channel %d: %g", c, value[c]);
}
END_TEST

/* ---- an analogy ---- */

START_TEST(corners_are_a_parallelogram_of_true_lengths)
{
    const es_axes *ax = axes_of(":axes #50 - #51 + #52");
    const double *b = ax->corner[ES_AXES_B], *a = ax->corner[ES_AXES_A];
    const double *c = ax->corner[ES_AXES_C], *fourth = ax->corner[ES_AXES_FOURTH];
    double rows[3][C], off[C];
    for (int i = 0; i < 3; i++)
        row_of(50 + i, rows[i]);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(fourth[k], a[k] - b[k] + c[k], 1e-6);
    for (int i = 0; i < C; i++)
        off[i] = rows[0][i] - rows[1][i];
    ck_assert_double_eq_tol(hypot(a[0] - b[0], a[1] - b[1]), sqrt(dot(off, off)), 1e-6);
    for (int i = 0; i < C; i++)
        off[i] = rows[2][i] - rows[1][i];
    ck_assert_double_eq_tol(c[0] - b[0], sqrt(dot(off, off)), 1e-6);
    ck_assert_double_eq_tol(c[1], b[1], 1e-6);
    for (int i = 0; i < C; i++)
        off[i] = rows[0][i] - rows[1][i] + rows[2][i];
    double in = fourth[0] * fourth[0] + fourth[1] * fourth[1];
    ck_assert_double_eq_tol(ax->outside, 1 - in / dot(off, off), 1e-6);
}
END_TEST

/* By a plain loop over all rows. */
START_TEST(nearest_rows_are_those_of_largest_cosine)
{
    const es_axes *ax = axes_of(":axes #50 - #51 + #52");
    double q[C] = {0}, row[C], best = -2, other = -2;
    int who = -1, who_else = -1;
    const double sign[] = {1, -1, 1};
    for (int i = 0; i < 3; i++) {
        row_of(50 + i, row);
        for (int c = 0; c < C; c++)
            q[c] += sign[i] * row[c];
    }
    for (int id = 0; id < V; id++) {
        row_of(id, row);
        double cosine = dot(q, row) / sqrt(dot(q, q) * dot(row, row));
        bool asked = id >= 50 && id <= 52;
        if (id != BROKEN && cosine > best)
            best = cosine, who = id;
        if (id != BROKEN && !asked && cosine > other)
            other = cosine, who_else = id;
    }
    ck_assert_int_eq(ax->all.of[0].id, who);
    ck_assert_int_eq(ax->others.of[0].id, who_else);
    ck_assert_double_eq_tol(ax->all.of[0].score, best, 1e-9);
    ck_assert_double_eq_tol(ax->others.of[0].score, other, 1e-9);
}
END_TEST

static es_str caption(const es_axes *ax)
{
    es_str says = {0};
    es_axes_caption(s.viewer, ax, &says);
    return says;
}

START_TEST(an_analogy_that_holds_has_nothing_left_out)
{
    es_str holds = caption(axes_of(":axes #1 - #2 + #3"));
    ck_assert_str_eq(holds.s, "\" − # + $ = ◇. Of all rows % (1.00) is nearest to it, and nothing "
                              "had to be left out. But % is the row nearest to \" anyway.");
    es_str_free(&holds);
}
END_TEST

START_TEST(what_is_asked_for_is_an_answer_too_unless_left_out)
{
    static float few[5 * 3] = {4, 0, 0, 0, 0.1f, 0, 0, 0, 0.1f, 0, 1, 1, 2, 1, -1};
    stage_close(&s);
    stage_open(&s, few, 5, wpe, 4, 3, ES_VIEW_AXES);
    const es_axes *ax = axes_of(":axes #0 - #1 + #2");
    es_str says = caption(ax);
    ck_assert_int_eq(ax->all.of[0].id, 0);
    ck_assert_int_eq(ax->others.of[0].id, 4);
    ck_assert_str_eq(says.s,
                     "! − \" + # = ◇. Of all rows ! (1.00) is nearest to it, a word that was asked "
                     "for: as it stands the analogy fails. Less the three, as is usual, it is % "
                     "(0.80). But % is the row nearest to ! anyway.");
    es_str_free(&says);
}
END_TEST

/* ---- under the pointer ---- */

static void same_number(const char *statement, const float *where)
{
    double value[2];
    stage_value(&s, statement, value, 2);
    for (int k = 0; k < 2; k++)
        demand(fabs(value[k] - (double)where[k]) < 1e-5, "%s: %g, drawn at %g", statement, value[k],
               (double)where[k]);
}

static void check_pick(const char *line)
{
    const es_axes *ax = axes_of(line);
    es_pick p;
    stage_draw(&s, 640, 400);
    es_spot spot = ax->map->spot[40];
    ck_assert(stage_pick(&s, spot.x, spot.y, &p));
    ck_assert_int_ge(p.id, 0);
    same_number(p.statement.s, ax->map->at + 3 * (int64_t)p.id);
    es_pick_free(&p);
}

START_TEST(a_point_has_the_statement_of_its_numbers)
{
    check_pick(":axes #5 #9; #7 #11");
    check_pick(":axes #5 #9");
    check_pick(":axes #50 - #51 + #52");
}
END_TEST

START_TEST(a_point_is_told_with_both_numbers)
{
    const es_axes *ax = axes_of(":axes #5 #9; #7 #11");
    es_str wanted = {0};
    es_pick p;
    stage_draw(&s, 640, 400);
    ck_assert(stage_pick(&s, ax->map->spot[9].x, ax->map->spot[9].y, &p));
    const float *where = ax->map->at + 3 * (int64_t)p.id;
    es_scene_token(&wanted, s.viewer->atlas->context, p.id, 24);
    es_str_add(&wanted, ", & → *: %.4g, ( → ,: %.4g", (double)where[0], (double)where[1]);
    ck_assert_str_eq(p.what.s, wanted.s);
    es_str_free(&wanted);
    es_pick_free(&p);
}
END_TEST

START_TEST(the_sentence_lies_where_its_vectors_are)
{
    double value[2];
    axes_of(":axes #5 #9; #7 #11");
    ck_assert_int_eq(stage_run(&s, "z"), ES_DONE);
    const es_axes *ax = es_axes_follow(s.viewer);
    ck_assert_int_gt(ax->map->T, 0);
    float there[2] = {ax->map->place[0].x_at[0], ax->map->place[0].x_at[1]};
    stage_value(&s, "x[0, 0] @ axes.T", value, 2);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(value[k], (double)there[k], 1e-5);
}
END_TEST

/* ---- what is refused ---- */

static const struct {
    const char *line, *message;
} refused[] = {
    {":axes \"catdog\" #3", "\"catdog\" is not one token but 2: cat #9246, dog #9703"},
    {":axes #5 #5", "both ends of the axis are &: it has no direction"},
    {":axes #20 #21", "5 and 6 are one point in wte: an axis between them has no direction"},
    {":axes #5 + #6 #5 + #6", "both ends of the axis are & + ': it has no direction"},
    {":axes #1 #2; #3 #4; #5 #6", "a picture has two axes, x and y, and this is a third"},
    {":axes #1 #2 #3", "an axis goes from one token to another, and this is a third"},
    {":axes #1", "an axis goes from one token to another, and \" is alone"},
    {":axes #1 + #2", "an axis goes from one token to another, and \" + # is alone"},
    {":axes #1 - #2 + #1", "an analogy is made of three tokens, and one of these is there twice"},
    {":axes #30 #2", "row 30 of wte has Inf in channel 7, so no axis goes there"},
    {":axes #400 #2", "id 400 is outside wte (120 rows: 0..119)"},
    {":axes ;", "the form is :axes [FROM TO [; FROM TO] | TOKEN - TOKEN + TOKEN | off]"},
};

START_TEST(what_is_no_axis_is_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        demand(stage_run(&s, refused[i].line) == ES_FAILED, "%s works", refused[i].line);
        demand(!strcmp(es_str_text(&s.message), refused[i].message), "%s: %s", refused[i].line,
               es_str_text(&s.message));
    }
    ck_assert_ptr_null(s.viewer->chosen[ES_VIEW_AXES]);
}
END_TEST

START_TEST(three_rows_on_a_line_span_no_plane)
{
    static float line[4 * 2] = {0, 1, 1, 1, 2, 1, 0, 3};
    stage_close(&s);
    stage_open(&s, line, 4, wpe, 4, 2, ES_VIEW_AXES);
    ck_assert_int_eq(stage_run(&s, ":axes #0 - #1 + #2"), ES_DONE);
    ck_assert_str_eq(
        es_str_text(&es_axes_follow(s.viewer)->why),
        "The three rows of the analogy ! − \" + # lie on one line: they span no plane. "
        ":axes off goes back to the usual axes.");
    stage_draw(&s, 640, 400);
}
END_TEST

/* ---- what was chosen ---- */

static es_str recalled(void)
{
    es_str lines = {0};
    es_view_kind_at(ES_VIEW_AXES)->recall(s.viewer, &lines);
    return lines;
}

START_TEST(what_was_chosen_is_chosen_again_by_its_lines)
{
    static const char *const lines[] = {":axes #5 #9", ":axes #5 #9 ; #7 #11",
                                        ":axes #5 + 2 * #6 #9 - 0.25 * #8 ; - #7 #11",
                                        ":axes #50 - #51 + #52"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        axes_of(lines[i]);
        es_str again = recalled();
        demand(strlen(lines[i]) + 1 == again.len && !strncmp(again.s, lines[i], again.len - 1),
               "%s: %s", lines[i], again.s);
        es_str_free(&again);
    }
    ck_assert_int_eq(stage_run(&s, ":axes off"), ES_DONE);
    es_str none = recalled();
    ck_assert_uint_eq(none.len, 0);
}
END_TEST

START_TEST(a_model_without_these_rows_says_so)
{
    axes_of(":axes #100 #101");
    es_axes_chosen far = *(es_axes_chosen *)s.viewer->chosen[ES_VIEW_AXES];
    stage_close(&s);
    open_stage(wte, 20, C);
    es_axes_choose(s.viewer, &far);
    ck_assert_str_eq(es_axes_follow(s.viewer)->why.s,
                     "id 100 is outside wte (20 rows: 0..19). :axes off goes back to the usual "
                     "axes.");
}
END_TEST

/* GPT-2's " he" is token 339, which this table has not. */
START_TEST(without_the_usual_words_the_first_and_the_last_row_make_an_axis)
{
    const es_axes *ax = es_axes_follow(s.viewer);
    es_str says = caption(ax);
    ck_assert_int_eq(ax->of.form, ES_AXES_ONE);
    ck_assert_int_eq(ax->of.from[0].id[0], 0);
    ck_assert_int_eq(ax->of.to[0].id[0], V - 1);
    ck_assert_ptr_nonnull(strstr(says.s, "The usual words are not all in this table: its first row "
                                         "and its last make the axis."));
    es_str_free(&says);
}
END_TEST

/* ---- work behind the window ---- */

static es_axes_chosen from_to(int32_t from, int32_t to)
{
    return (es_axes_chosen){.form = ES_AXES_ONE,
                            .from = {{.id = {from}, .factor = {1}, .n = 1}},
                            .to = {{.id = {to}, .factor = {1}, .n = 1}}};
}

static void finish_work(void)
{
    for (int i = 0; i < 5000 && s.viewer->making; i++)
        if (!es_viewer_settle(s.viewer))
            usleep(1000);
    ck_assert_ptr_null(s.viewer->making);
}

START_TEST(points_come_first_and_figures_later)
{
    const es_axes_chosen what = from_to(5, 9);
    es_axes_choose(s.viewer, &what);
    ck_assert(!es_viewer_ready(s.viewer));
    es_viewer_begin(s.viewer, -1);
    finish_work();
    ck_assert(es_viewer_ready(s.viewer));
    ck_assert(!es_axes_of(s.viewer)->measured);
    es_viewer_begin(s.viewer, -1);
    finish_work();
    ck_assert(es_axes_of(s.viewer)->measured);
    es_viewer_begin(s.viewer, -1);
    ck_assert_ptr_null(s.viewer->making);
}
END_TEST

START_TEST(axes_chosen_meanwhile_make_void_what_was_begun)
{
    const es_axes_chosen before = from_to(5, 9), after = from_to(7, 11);
    es_axes_choose(s.viewer, &before);
    ck_assert(!es_viewer_ready(s.viewer));
    es_viewer_begin(s.viewer, -1);
    es_axes_choose(s.viewer, &after);
    finish_work();
    ck_assert(!es_viewer_ready(s.viewer));
    es_viewer_begin(s.viewer, -1);
    finish_work();
    const es_axes *ax = es_axes_follow(s.viewer);
    double x[C], row[C];
    unit(7, 11, x);
    row_of(40, row);
    ck_assert_double_eq_tol((double)ax->map->at[3 * 40], dot(row, x), 1e-5);
}
END_TEST

/* ---- the words ---- */

START_TEST(the_honesty_line_has_the_angle_and_the_share)
{
    const es_axes *ax = axes_of(":axes #5 #9; #7 #11");
    es_str says = {0}, wanted = {0};
    stage_honesty(&s, &says);
    es_str_add(&wanted,
               "The axes are %.0f° apart, drawn at right angles. The plane keeps %.1f %% of the "
               "spread; %.2f of a token's 15 nearest are near in it, too (all 119 tokens). 1 row "
               "holds NaN or Inf and is left out.",
               acos(ax->between) * 180 / M_PI, 100 * ax->share, ax->kept);
    ck_assert_str_eq(says.s, wanted.s);
    es_str_free(&says);
    es_str_free(&wanted);
}
END_TEST

START_TEST(the_expression_has_its_shapes)
{
    es_str says = {0};
    axes_of(":axes #5 #9; #7 #11");
    stage_expression(&s, &says);
    ck_assert_str_eq(says.s, "wte [V=120, C=12] @ axes [2, C=12].T = [V=120, 2]   not centred");
    es_str_free(&says);
}
END_TEST

START_TEST(plain_and_json_have_the_numbers)
{
    const es_axes *ax = axes_of(":axes #50 - #51 + #52");
    es_str plain = {0}, json = {0};
    stage_plain(&s, &plain);
    stage_json(&s, &json);
    ck_assert_ptr_nonnull(strstr(plain.s, "\nnearest, less the three: "));
    json_t *j = json_loadb(json.s, json.len, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(j, "form")), "analogy");
    const json_t *others = json_object_get(j, "nearest_others");
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(others, 0), "id")),
                     ax->others.of[0].id);
    json_decref(j);
    es_str_free(&plain);
    es_str_free(&json);
}
END_TEST

/* ---- odd tables and sizes ---- */

static void draw_all(const float *rows, int n, int width)
{
    static const char *const lines[] = {":show axes", ":axes #0 #1", ":axes #0 #1; #1 #2",
                                        ":axes #0 - #1 + #2", ":axes off"};
    static const int sizes[][2] = {{1, 1}, {200, 160}};
    stage_close(&s);
    open_stage(rows, n, width);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        stage_run(&s, lines[i]);
        for (size_t k = 0; k < 2 && es_viewer_ready(s.viewer); k++) {
            es_str says = {0};
            stage_draw(&s, sizes[k][0], sizes[k][1]);
            stage_honesty(&s, &says);
            stage_plain(&s, &says);
            stage_json(&s, &says);
            es_str_free(&says);
        }
    }
}

START_TEST(odd_tables_are_drawn_or_said_to_be_odd)
{
    static float odd[6 * 2];
    draw_all(wte, 1, C);
    draw_all(wte, 2, C);
    draw_all(wte, 3, 1);
    draw_all(wte, 40, 2);
    draw_all(odd, 6, 2);
    for (int i = 0; i < 12; i++)
        odd[i] = i % 4 ? NAN : INFINITY;
    draw_all(odd, 6, 2);
    for (int i = 0; i < 12; i++)
        odd[i] = i % 2 ? 3e38f : -3e38f;
    draw_all(odd, 6, 2);
}
END_TEST

Suite *axes_suite(void)
{
    Suite *suite = suite_create("axes");
    TCase *tc = tcase_create("axes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows_lie_where_their_dot_products_are);
    tcase_add_test(tc, with_one_axis_the_other_is_how_far_a_row_is);
    tcase_add_test(tc, ends_may_be_sums);
    tcase_add_test(tc, a_difference_is_an_axis_from_what_is_subtracted);
    tcase_add_test(tc, the_share_is_that_of_the_plane);
    tcase_add_test(tc, axes_are_names_of_tensor_mode);
    tcase_add_test(tc, corners_are_a_parallelogram_of_true_lengths);
    tcase_add_test(tc, nearest_rows_are_those_of_largest_cosine);
    tcase_add_test(tc, an_analogy_that_holds_has_nothing_left_out);
    tcase_add_test(tc, what_is_asked_for_is_an_answer_too_unless_left_out);
    tcase_add_test(tc, a_point_has_the_statement_of_its_numbers);
    tcase_add_test(tc, a_point_is_told_with_both_numbers);
    tcase_add_test(tc, the_sentence_lies_where_its_vectors_are);
    tcase_add_test(tc, what_is_no_axis_is_refused);
    tcase_add_test(tc, three_rows_on_a_line_span_no_plane);
    tcase_add_test(tc, what_was_chosen_is_chosen_again_by_its_lines);
    tcase_add_test(tc, a_model_without_these_rows_says_so);
    tcase_add_test(tc, without_the_usual_words_the_first_and_the_last_row_make_an_axis);
    tcase_add_test(tc, points_come_first_and_figures_later);
    tcase_add_test(tc, axes_chosen_meanwhile_make_void_what_was_begun);
    tcase_add_test(tc, the_honesty_line_has_the_angle_and_the_share);
    tcase_add_test(tc, the_expression_has_its_shapes);
    tcase_add_test(tc, plain_and_json_have_the_numbers);
    tcase_add_test(tc, odd_tables_are_drawn_or_said_to_be_odd);
    suite_add_tcase(suite, tc);
    return suite;
}
