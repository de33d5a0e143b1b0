// SPDX-License-Identifier: GPL-3.0-or-later
/* Layouts of the map: steps, rests, figures and words, with a job behind a window and without. */
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/points.h"
#include "base/mem.h"
#include "stage.h"
#include "support.h"
#include "view/layouts.h"
#include "view/neighbours.h"

Suite *layouts_suite(void);

enum { V = 160, C = 6, P = 4, NEAREST = 15 };

static stage s;
static float wte[V * C], wpe[P * C];

/* Four clouds, so that there is something to keep. */
static void setup(void)
{
    uint64_t state = 11;
    for (int i = 0; i < V * C; i++) {
        double u = next_random(&state) / 4294967296.0;
        wte[i] = (float)(u - 0.5) + (i / C % 4 == i % C ? 1.5f : 0);
    }
    for (int i = 0; i < P * C; i++)
        wpe[i] = 0.1f * (float)i;
    stage_open(&s, wte, V, wpe, P, C, ES_VIEW_MAP);
    s.viewer->camera[ES_VIEW_MAP].solid = false;
}

static void teardown(void)
{
    stage_close(&s);
}

static void run(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
}

static void refused(const char *line, const char *message)
{
    ck_assert_int_eq(stage_run(&s, line), ES_FAILED);
    ck_assert_str_eq(es_str_text(&s.message), message);
}

static const es_sight *sight(void)
{
    es_layouts_look(s.viewer);
    const es_sight *now = es_layouts_of(s.viewer, s.viewer->layout);
    ck_assert_ptr_nonnull(now);
    return now;
}

/* A copy of where the points are; freed by the caller. */
static float *points(void)
{
    float *at = malloc(V * 2 * sizeof *at);
    memcpy(at, sight()->at, V * 2 * sizeof *at);
    return at;
}

static void check_same(const float *a, bool same)
{
    ck_assert(!memcmp(a, sight()->at, V * 2 * sizeof *a) == same);
}

/* ---- steps ---- */

static const char *const recipes[] = {":layout tsne perplexity=5 steps=40",
                                      ":layout umap neighbours=6 steps=30"};

START_TEST(however_often_it_rests_the_same_recipe_gives_the_same_bytes)
{
    run(recipes[_i]);
    float *at_once = points();
    run(":layout again");
    check_same(at_once, true);
    run(":layout to=7");
    ck_assert_int_eq(sight()->done, 7);
    check_same(at_once, false);
    run(":layout step 4");
    run(":layout step");
    ck_assert_int_eq(sight()->done, 12);
    run(":layout pca");
    run(_i ? ":layout umap" : ":layout tsne"); /* it is where it was */
    ck_assert_int_eq(sight()->done, 12);
    run(":layout go");
    check_same(at_once, true);
    free(at_once);
}
END_TEST

START_TEST(another_seed_is_another_umap_and_the_first_is_found_again)
{
    run(":layout umap steps=20");
    float *first = points();
    run(":layout seed=5");
    check_same(first, false);
    run(":layout seed=0");
    check_same(first, true);
    free(first);
}
END_TEST

START_TEST(it_starts_from_the_first_two_components_whatever_is_shown)
{
    run(":components 3 4");
    run(":layout tsne to=0");
    const es_mapped *m = &s.viewer->atlas->tokens;
    for (int i = 0; i < V; i++)
        for (int k = 0; k < 2; k++)
            demand(sight()->at[2 * i + k] == m->at[i * m->K + k], "token %d", i);
    ck_assert_int_eq(sight()->done, 0);
}
END_TEST

START_TEST(a_small_table_has_fewer_neighbours_to_ask_for)
{
    const float few[5 * 3] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1};
    stage_close(&s);
    stage_open(&s, few, 5, wpe, P, 3, ES_VIEW_MAP);
    run(":layout tsne steps=5");
    ck_assert_double_eq(sight()->recipe.perplexity, 1);
    run(":layout umap steps=5");
    ck_assert_int_eq(sight()->recipe.neighbours, 4);
}
END_TEST

START_TEST(what_fails_once_fails_again)
{
    static const char few[] = "a layout is of 4 tokens or more, and of these 3 have neighbours";
    const float three[3 * 3] = {1, 0, 0, 0, 1, 0, 1, 1, 0};
    stage_close(&s);
    stage_open(&s, three, 3, wpe, P, 3, ES_VIEW_MAP);
    for (int i = 0; i < 2; i++) {
        refused(":layout tsne", few);
        refused(":layout umap", few);
        ck_assert_int_eq(s.viewer->layout, ES_LAYOUT_PCA);
    }
}
END_TEST

START_TEST(where_nobody_has_neighbours_nothing_is_torn)
{
    static const float nothing[20 * 3];
    stage_close(&s);
    stage_open(&s, nothing, 20, wpe, P, 3, ES_VIEW_MAP);
    run(":torn 3");
    ck_assert_ptr_nonnull(strstr(es_str_text(&s.json), "\"tokens\":[]"));
    refused(":torn \"z\"", "id 89 is outside wte (20 rows: 0..19)");
}
END_TEST

/* ---- behind a window ---- */

static int wakes[2];

/* As the window's loop does: what is missing is begun, what has come is taken over. */
static bool turn(int milliseconds)
{
    char byte;
    struct pollfd p = {.fd = wakes[0], .events = POLLIN};
    es_layouts_begin(s.viewer, wakes[1]);
    bool woken = poll(&p, 1, milliseconds) > 0;
    while (woken && poll(&p, 1, 0) > 0)
        ck_assert_int_eq(read(wakes[0], &byte, 1), 1);
    es_layouts_settle(s.viewer);
    return woken;
}

static bool rests(void)
{
    const es_sight *now = sight();
    return now->done == now->target && es_layouts_figures(s.viewer) != NULL;
}

static void turn_until_it_rests(void)
{
    for (int i = 0; i < 2000 && !rests(); i++)
        turn(20);
    ck_assert(rests());
}

static void choose(es_layout_id id, int steps)
{
    es_layout_recipe r = es_layouts_recipe(s.viewer, id);
    r.perplexity = 5;
    r.neighbours = 6;
    r.steps = steps;
    es_layouts_choose(s.viewer, &r);
    es_layouts_show(s.viewer, id);
}

START_TEST(a_job_that_is_paused_and_taken_on_gives_the_same_bytes)
{
    run(recipes[_i]);
    float *at_once = points();
    es_layout_id id = s.viewer->layout;
    int steps = sight()->recipe.steps;
    ck_assert_int_eq(pipe(wakes), 0);
    es_layouts_drop(s.viewer);
    choose(id, steps);
    turn(1000);
    int at = es_layouts_pause(s.viewer, id);
    turn_until_it_rests();
    ck_assert_int_eq(sight()->done, at);
    for (int to = at; to < steps; to += 9) {
        es_layouts_aim(s.viewer, id, to);
        turn(1);
    }
    es_layouts_aim(s.viewer, id, steps);
    turn_until_it_rests();
    check_same(at_once, true);
    es_layouts_aim(s.viewer, id, 3); /* from the start again */
    turn_until_it_rests();
    ck_assert_int_eq(sight()->done, 3);
    es_layouts_aim(s.viewer, id, steps);
    turn_until_it_rests();
    check_same(at_once, true);
    free(at_once);
}
END_TEST

START_TEST(the_one_that_is_shown_is_taken_on)
{
    ck_assert_int_eq(pipe(wakes), 0);
    choose(ES_LAYOUT_TSNE, 5000);
    turn(1000);
    choose(ES_LAYOUT_UMAP, 12);
    turn_until_it_rests();
    ck_assert_int_eq(sight()->done, 12);
    ck_assert_int_lt(es_layouts_of(s.viewer, ES_LAYOUT_TSNE)->done, 5000);
    es_layouts_show(s.viewer, ES_LAYOUT_TSNE);
    turn(1000);
    run(":model untrained:V=50,C=4"); /* while it moves */
    ck_assert_ptr_null(s.viewer->layouts);
}
END_TEST

/* ---- where the graph cannot be kept ---- */

static const char not_kept[] =
    "the neighbours are not kept for the next time: cannot make a folder for "
    "/dev/null/embedscope/neighbours-";

START_TEST(that_neighbours_cannot_be_kept_is_said_once)
{
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    run(":layout tsne perplexity=5 steps=5");
    ck_assert(!strncmp(es_str_text(&s.note), not_kept, strlen(not_kept)));
    ck_assert(strstr(s.note.s, ".graph: Not a directory\n") != NULL);
    es_str_cut(&s.note, 0);
    run(":layout umap neighbours=20 steps=5"); /* a graph of more */
    run(":model untrained:V=50,C=4");
    run(":layout umap steps=5");
    ck_assert_int_eq(sight()->done, 5);
    ck_assert_str_eq(es_str_text(&s.note), "");
}
END_TEST

START_TEST(behind_a_window_that_is_a_message_to_the_prompt)
{
    es_message kind;
    es_str bytes = {0};
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    ck_assert_int_eq(pipe(wakes), 0);
    choose(ES_LAYOUT_UMAP, 5);
    turn_until_it_rests();
    ck_assert(es_session_take(s.session, &kind, &bytes));
    ck_assert_int_eq(kind, ES_MESSAGE_NOTE);
    ck_assert(!strncmp(bytes.s, not_kept, strlen(not_kept)));
    choose(ES_LAYOUT_TSNE, 5); /* a graph of more */
    turn_until_it_rests();
    ck_assert(!es_session_has_messages(s.session));
    es_str_free(&bytes);
}
END_TEST

/* ---- what becomes of it ---- */

START_TEST(another_model_drops_it_and_other_positions_do_not)
{
    run(":layout tsne steps=12");
    run(":torn 3");
    run(":positions none");
    es_viewer_follow(s.viewer);
    ck_assert_int_eq(sight()->done, 12);
    run(":model untrained:V=90,C=5");
    es_viewer_follow(s.viewer);
    ck_assert_ptr_null(s.viewer->layouts);
    ck_assert_int_eq(s.viewer->layout, ES_LAYOUT_PCA);
    ck_assert_int_eq(s.viewer->torn, 0);
}
END_TEST

static void check_recall(const char *want)
{
    es_str lines = {0};
    es_viewer_recall(s.viewer, &lines);
    ck_assert_str_eq(es_str_text(&lines), want);
    es_str_free(&lines);
}

START_TEST(the_lines_that_lead_back_give_the_same_bytes)
{
    run(":layout umap neighbours=6 min_dist=0.3 seed=4 steps=30 to=9");
    run(":torn 2");
    check_recall(":layout umap neighbours=6 min_dist=0.3 seed=4 steps=30 to=9\n:torn 2\n"
                 ":show map\n");
    float *before = points();
    es_layouts_drop(s.viewer);
    run(":layout umap neighbours=6 min_dist=0.3 seed=4 steps=30 to=9");
    check_same(before, true);
    run(":layout go");
    run(":torn off");
    check_recall(":layout umap neighbours=6 min_dist=0.3 seed=4 steps=30\n:show map\n");
    run(":layout pca");
    check_recall("");
    run(":quality all");
    check_recall(":quality all\n:show map\n");
    free(before);
}
END_TEST

START_TEST(components_and_space_are_of_pca)
{
    run(":camera 3d");
    run(":layout tsne steps=3");
    ck_assert(!s.viewer->camera[ES_VIEW_MAP].solid);
    refused(":camera 3d", "t-SNE is a picture in the plane, not in space");
    ck_assert_str_eq(es_str_text(&s.hint), "try: :layout pca, whose components fill a space too");
    refused(":show map 3d", "t-SNE is a picture in the plane, not in space");
    run(":components 2 3 4");
    ck_assert_int_eq(s.viewer->layout, ES_LAYOUT_PCA);
    ck_assert(s.viewer->camera[ES_VIEW_MAP].solid);
}
END_TEST

START_TEST(what_cannot_be_is_said)
{
    refused(":layout go", "PCA takes no steps: its components are worked out at once");
    ck_assert_str_eq(es_str_text(&s.hint), "try: :layout tsne, or :layout umap");
    refused(":layout neighbours=3", "neighbours is a setting of UMAP, not of PCA");
    refused(":layout tsne min_dist=0.5", "min_dist is a setting of UMAP, not of t-SNE");
    refused(":layout tsne perplexity=80", "perplexity is a number from 1 to 53, not \"80\"");
    refused(":layout umap steps=2.5", "steps is a whole number, not 2.5");
    refused(":layout umap to=201", "to is a number from 0 to 200, not \"201\"");
    refused(":torn", "no token is in focus, there is no text yet");
    refused(":torn 0", "N of :torn is a whole number from 1 to 200, not \"0\"");
    ck_assert_int_eq(s.viewer->layout, ES_LAYOUT_PCA);
}
END_TEST

START_TEST(a_model_without_wte_has_no_layout)
{
    stage_close(&s);
    stage_open(&s, NULL, 0, wpe, P, C, ES_VIEW_MAP);
    ck_assert_int_eq(stage_run(&s, ":layout tsne"), ES_FAILED);
    ck_assert_int_eq(s.viewer->layout, ES_LAYOUT_PCA);
    ck_assert_int_eq(stage_run(&s, ":quality"), ES_FAILED);
    ck_assert_int_eq(stage_run(&s, ":torn 3"), ES_FAILED);
}
END_TEST

/* ---- figures ---- */

static double cosine(int i, int j)
{
    double ab = 0, aa = 0, bb = 0;
    for (int c = 0; c < C; c++) {
        double a = (double)wte[i * C + c], b = (double)wte[j * C + c];
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    return ab / sqrt(aa) / sqrt(bb);
}

/* Is j one of the nearest rows of i? */
static bool is_near(int i, int j)
{
    int closer = 0;
    for (int other = 0; other < V; other++)
        closer += other != i && cosine(i, other) > cosine(i, j);
    return i != j && closer < NEAREST;
}

/* How many of i's nearest rows are among its nearest points, by a plain loop. */
static int kept_of(const float *at, int i)
{
    int32_t near[NEAREST];
    int n = es_points_near(near, NEAREST, at, V, 2, i), kept = 0;
    for (int k = 0; k < n; k++)
        kept += is_near(i, near[k]);
    return kept;
}

static double kept_mean(void)
{
    int d;
    double sum = 0;
    float *at = es_layouts_points(s.viewer, &d);
    ck_assert_int_eq(d, 2);
    for (int i = 0; i < V; i++)
        sum += kept_of(at, i);
    free(at);
    return sum / V;
}

static void check_honesty_keeps(double kept)
{
    es_str want = {0}, said = {0};
    es_str_add(&want, "Of a token's 15 nearest, %.2f are still near on average (all 160 tokens); ",
               kept);
    stage_draw(&s, 300, 200);
    stage_honesty(&s, &said);
    ck_assert_msg(strstr(said.s, want.s) != NULL, "%s: not %s", said.s, want.s);
    es_str_free(&want);
    es_str_free(&said);
}

START_TEST(the_figures_shown_are_those_of_the_points)
{
    static const char *const lines[] = {":quality",     ":components 2 3",
                                        ":quality all", ":layout tsne perplexity=5 steps=60",
                                        ":layout to=0", ":layout umap steps=20"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        run(lines[i]);
        if (i != 1)
            check_honesty_keeps(kept_mean());
    }
}
END_TEST

START_TEST(every_token_has_its_own_figure)
{
    run(":layout tsne perplexity=5 steps=60");
    const es_figures *f = es_layouts_figures(s.viewer);
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < V; i += 7) {
        const es_neighbours *near = es_neighbours_of(s.viewer, i);
        int pictured = 0;
        for (int k = 0; k < near->n; k++)
            pictured += near->of[k].pictured;
        demand(pictured == f->kept[i], "token %d: %d, and %d", i, pictured, f->kept[i]);
        demand(kept_of(sight()->at, i) == f->kept[i], "token %d", i);
    }
}
END_TEST

START_TEST(those_that_lost_most_come_first)
{
    int n;
    run(":layout tsne perplexity=5 steps=60");
    run(":torn 9");
    const es_figures *f = es_layouts_figures(s.viewer);
    const es_torn *torn = es_layouts_torn(s.viewer, &n);
    int least = NEAREST;
    for (int i = 0; i < V; i++)
        least = f->kept[i] < least ? f->kept[i] : least;
    ck_assert_int_eq(n, 9);
    ck_assert_int_eq(torn[0].kept, least);
    for (int i = 0; i < n; i++) {
        demand(torn[i].kept == f->kept[torn[i].id] && torn[i].n == NEAREST, "%d", i);
        demand(!i || torn[i - 1].kept <= torn[i].kept, "%d", i);
        for (int k = 0; k < torn[i].n; k++)
            demand(is_near(torn[i].id, torn[i].near[k]), "%d is not near %d", torn[i].near[k],
                   torn[i].id);
    }
    run(":torn off");
    es_layouts_torn(s.viewer, &n);
    ck_assert_int_eq(n, 0);
}
END_TEST

/* ---- words ---- */

static void check_says(void (*say)(stage *, es_str *), const char *want)
{
    es_str said = {0};
    stage_draw(&s, 300, 200);
    say(&s, &said);
    ck_assert_str_eq(es_str_text(&said), want);
    es_str_free(&said);
}

static void check_begins(void (*say)(stage *, es_str *), const char *begin, const char *end)
{
    es_str said = {0};
    stage_draw(&s, 300, 200);
    say(&s, &said);
    size_t n = strlen(end);
    ck_assert_msg(!strncmp(said.s, begin, strlen(begin)), "%s", said.s);
    ck_assert_msg(said.len >= n && !strcmp(said.s + said.len - n, end), "%s", said.s);
    es_str_free(&said);
}

START_TEST(it_says_what_it_is_and_hides)
{
    run(":layout tsne perplexity=5 steps=40 to=9");
    check_begins(stage_honesty, "t-SNE, iteration 9 of 40. Of a token's 15 nearest, ",
                 ". How far apart groups lie in t-SNE says nothing.");
    run(":layout go");
    check_begins(stage_honesty, "Of a token's 15 nearest, ",
                 ". How far apart groups lie in t-SNE says nothing.");
    check_says(stage_expression, "wte [V=160, C=6], 15 nearest of each by cosine, t-SNE from "
                                 "components 1 and 2, 40 iterations = [V=160, 2]");
    run("a"); /* x has no place in a layout */
    check_begins(
        stage_honesty, "Of a token's",
        " How far apart groups lie in t-SNE says nothing. Rows alone have a place in it, x has "
        "none.");
}
END_TEST

START_TEST(what_was_not_measured_is_said)
{
    ck_assert_int_eq(pipe(wakes), 0);
    choose(ES_LAYOUT_TSNE, 100000);
    check_begins(stage_honesty, "t-SNE, iteration 0 of 100000: it still moves (Alt+P pauses), ",
                 "what it keeps is measured when it rests.");
    turn(1000);
    ck_assert_ptr_null(es_layouts_figures(s.viewer));
}
END_TEST

START_TEST(numbers_come_as_lines_and_as_json)
{
    es_str said = {0};
    run(":layout umap neighbours=6 steps=30 to=20");
    json_t *o = json_loads(s.json.s, 0, NULL);
    const es_quality *q = &es_layouts_figures(s.viewer)->of;
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "layout");
    ck_assert_str_eq(json_string_value(json_object_get(o, "name")), "umap");
    ck_assert_str_eq(json_string_value(json_object_get(o, "state")), "paused");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "steps")), 20);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "of")), 30);
    ck_assert_double_eq(json_real_value(json_object_get(o, "objective")), sight()->value[19]);
    ck_assert_double_eq(json_real_value(json_object_get(o, "kept")), q->kept);
    ck_assert_double_eq(json_real_value(json_object_get(o, "trust")), q->trust);
    ck_assert_double_eq(json_real_value(json_object_get(o, "spearman")), q->spearman);
    json_decref(o);
    stage_json(&s, &said);
    o = json_loads(said.s, 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(o, "layout")), "umap");
    ck_assert_double_eq(json_real_value(json_object_get(o, "kept")), q->kept);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "components")), 0);
    json_decref(o);
    es_str_free(&said);
    stage_plain(&s, &said);
    ck_assert_msg(strstr(said.s, "\nepoch: 20 of 30, paused\ncross-entropy: ") != NULL, "%s",
                  said.s);
    es_str_free(&said);
}
END_TEST

/* ---- the picture ---- */

START_TEST(a_token_is_where_its_point_is)
{
    es_pick pick;
    es_str want = {0};
    int found = 0;
    run(":layout tsne perplexity=5 steps=60");
    stage_draw(&s, 500, 400);
    for (float y = 0; y < 400; y += 5)
        for (float x = 0; x < 500; x += 5) {
            if (!stage_pick(&s, x, y, &pick))
                continue;
            const float *at = sight()->at + 2 * pick.id;
            es_str_cut(&want, 0);
            es_scene_token(&want, s.viewer->atlas->context, pick.id, 24);
            es_str_add(&want, ", t-SNE: %.4g, %.4g", (double)at[0], (double)at[1]);
            demand(!strcmp(pick.what.s, want.s), "%s is not %s", pick.what.s, want.s);
            demand(!pick.statement.len, "%s", pick.statement.s);
            found++;
            es_pick_free(&pick);
        }
    ck_assert_int_gt(found, 100);
    es_str_free(&want);
}
END_TEST

START_TEST(the_same_state_gives_the_same_pixels)
{
    run(":layout tsne perplexity=5 steps=40");
    run(":torn 5");
    stage_draw(&s, 700, 500);
    size_t n = 700 * 500 * sizeof *s.raster.pixels;
    uint32_t *before = malloc(n);
    memcpy(before, s.raster.pixels, n);
    run(":layout to=13");
    es_labels_forget(s.viewer->labels);
    stage_draw(&s, 700, 500);
    ck_assert(memcmp(before, s.raster.pixels, n) != 0);
    run(":layout go");
    es_labels_forget(s.viewer->labels);
    stage_draw(&s, 700, 500);
    ck_assert(!memcmp(before, s.raster.pixels, n));
    free(before);
}
END_TEST

/* Axes are for statements, and a layout has none. */
START_TEST(statements_have_axes_with_components_alone)
{
    double axes[2 * C];
    stage_draw(&s, 300, 200);
    stage_value(&s, "axes", axes, 2 * C);
    run(":layout tsne steps=3");
    stage_draw(&s, 300, 200);
    ck_assert_int_eq(stage_run(&s, "= axes"), ES_FAILED);
    run(":layout pca");
    stage_draw(&s, 300, 200);
    stage_value(&s, "axes", axes, 2 * C);
}
END_TEST

START_TEST(a_picture_of_any_size_is_drawn)
{
    static const int sizes[][2] = {{1, 1}, {30, 400}, {400, 30}, {1200, 900}};
    run(":layout umap steps=5");
    run(":torn 200");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        stage_draw(&s, sizes[i][0], sizes[i][1]);
}
END_TEST

Suite *layouts_suite(void)
{
    Suite *suite = suite_create("layouts");
    TCase *t = tcase_create("layouts");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, however_often_it_rests_the_same_recipe_gives_the_same_bytes, 0, 2);
    tcase_add_test(t, another_seed_is_another_umap_and_the_first_is_found_again);
    tcase_add_test(t, it_starts_from_the_first_two_components_whatever_is_shown);
    tcase_add_test(t, a_small_table_has_fewer_neighbours_to_ask_for);
    tcase_add_test(t, what_fails_once_fails_again);
    tcase_add_test(t, where_nobody_has_neighbours_nothing_is_torn);
    tcase_add_loop_test(t, a_job_that_is_paused_and_taken_on_gives_the_same_bytes, 0, 2);
    tcase_add_test(t, the_one_that_is_shown_is_taken_on);
    tcase_add_test(t, that_neighbours_cannot_be_kept_is_said_once);
    tcase_add_test(t, behind_a_window_that_is_a_message_to_the_prompt);
    tcase_add_test(t, another_model_drops_it_and_other_positions_do_not);
    tcase_add_test(t, the_lines_that_lead_back_give_the_same_bytes);
    tcase_add_test(t, components_and_space_are_of_pca);
    tcase_add_test(t, what_cannot_be_is_said);
    tcase_add_test(t, a_model_without_wte_has_no_layout);
    tcase_add_test(t, the_figures_shown_are_those_of_the_points);
    tcase_add_test(t, every_token_has_its_own_figure);
    tcase_add_test(t, those_that_lost_most_come_first);
    tcase_add_test(t, it_says_what_it_is_and_hides);
    tcase_add_test(t, what_was_not_measured_is_said);
    tcase_add_test(t, numbers_come_as_lines_and_as_json);
    tcase_add_test(t, a_token_is_where_its_point_is);
    tcase_add_test(t, the_same_state_gives_the_same_pixels);
    tcase_add_test(t, statements_have_axes_with_components_alone);
    tcase_add_test(t, a_picture_of_any_size_is_drawn);
    suite_add_tcase(suite, t);
    return suite;
}
