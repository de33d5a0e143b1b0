// SPDX-License-Identifier: GPL-3.0-or-later
/* The map, drawn on a canvas that remembers: what stands where, against the components it is said to show. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/points.h"
#include "base/mem.h"
#include "box_font.h"
#include "pictures.h"
#include "support.h"
#include "view/neighbours.h"
#include "view/views.h"

Suite *map_suite(void);

enum { V = 600, C = 6, P = 16, BROKEN = 7, A = 64, COMMA = 11, B = 65 };

static const es_box area = {10, 20, 640, 420};

/* ---- a canvas that remembers ---- */

typedef struct stroke {
    es_spot from, to; /* of its first segment */
    size_t n;
    float width, dash;
} stroke;

typedef struct word {
    char text[64];
    es_box box;
    bool bold;
    es_argb colour;
} word;

typedef struct notebook {
    es_canvas canvas;
    es_disc *disc;
    stroke *line;
    word *text;
    size_t n_discs, n_lines, n_texts;
} notebook;

static void on_clip(es_canvas *c, es_box to)
{
    (void)c;
    (void)to;
}

static void on_fill(es_canvas *c, es_box box, es_argb colour)
{
    (void)c;
    (void)box;
    (void)colour;
}

static void on_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    (void)c;
    (void)box;
    (void)colour;
    (void)rows;
    (void)columns;
}

static void on_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour)
{
    notebook *b = (notebook *)c;
    (void)colour;
    b->line = es_realloc(b->line, (b->n_lines + 1) * sizeof *b->line);
    b->line[b->n_lines++] = (stroke){at[0], at[1], n, width, dash};
}

static void on_discs(es_canvas *c, const es_disc *disc, size_t n)
{
    notebook *b = (notebook *)c;
    b->disc = es_realloc(b->disc, (b->n_discs + n + 1) * sizeof *b->disc);
    memcpy(b->disc + b->n_discs, disc, n * sizeof *disc);
    b->n_discs += n;
}

static float on_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    (void)c;
    (void)text;
    return 0.5f * ink->size * (float)n;
}

static void on_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    notebook *b = (notebook *)c;
    word w = {.bold = ink->bold,
              .colour = ink->colour,
              .box = {x, y - ink->size / 2, on_width(c, text, n, ink), ink->size}};
    memcpy(w.text, text, n < 63 ? n : 63);
    b->text = es_realloc(b->text, (b->n_texts + 1) * sizeof *b->text);
    b->text[b->n_texts++] = w;
}

static const es_canvas_ops ops = {on_clip, on_fill, on_line, on_discs, on_cells, on_text, on_width};

static es_session *session;
static es_viewer *viewer;
static notebook book;
static char small[4096], flat[4096];

static void forget_book(void)
{
    free(book.disc);
    free(book.line);
    free(book.text);
    book = (notebook){.canvas = {&ops, 700, 500, {0, 0, 700, 500}, 0}};
}

/* ---- a model of a few numbers, one of its rows broken ---- */

static float gaussian(uint64_t *state)
{
    double u = (next_random(state) + 1.0) / 4294967297.0, v = next_random(state) / 4294967296.0;
    return (float)(sqrt(-2 * log(u)) * cos(2 * M_PI * v));
}

static void write_model(const char *path, bool broken, bool constant)
{
    static float row[(V + P) * C];
    uint64_t state = 3;
    for (int i = 0; i < (V + P) * C; i++)
        row[i] = constant ? 0.5f : gaussian(&state) * (float)(C - i % C) / (i < V * C ? 1 : 3);
    if (broken)
        row[BROKEN * C + 2] = NAN;
    char header[256];
    snprintf(header, sizeof header,
             "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%d]},"
             "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[%d,%d]}}",
             V, C, V * C * 4, P, C, V * C * 4, (V + P) * C * 4);
    write_safetensors(path, header, 0, row, sizeof row);
}

static void open_model(const char *model)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = model, .settings.pad = -1};
    session = es_session_new(&o, &err);
    ck_assert_works(session != NULL, err);
    viewer = es_viewer_new(session);
}

static void close_model(void)
{
    es_viewer_free(viewer);
    es_session_free(session);
    forget_book();
}

static void setup(void)
{
    calm_environment();
    char *folder = fresh_folder();
    snprintf(small, sizeof small, "%s/small.safetensors", folder);
    snprintf(flat, sizeof flat, "%s/flat.safetensors", folder);
    free(folder);
    write_model(small, true, false);
    write_model(flat, false, true);
    forget_book();
    open_model(small);
}

/* What the view needs, without a session's job: nobody waits here. */
static void make(void)
{
    es_error err = ES_ERROR_NONE;
    es_viewer_follow(viewer);
    int n = viewer->camera[ES_VIEW_MAP].solid ? 3 : 2;
    ck_assert_works(
        es_atlas_make(viewer->atlas, es_view_map.needs(viewer), viewer->component, n, NULL, &err),
        err);
}

static void say(const char *text)
{
    es_session_preview(session, text, strlen(text));
}

static void draw(void)
{
    forget_book();
    make();
    es_view_map.draw(viewer, &book.canvas, area);
}

/* ---- where things should be ---- */

/* (row - mean) along the components shown, in float64. */
static void along(const float *row, float out[3])
{
    const es_pca *p = &viewer->atlas->tokens.pca;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int c = 0; c < C; c++)
            sum += ((double)row[c] - p->mean[c]) * (double)p->axes[viewer->component[k] * C + c];
        out[k] = k < 2 || viewer->camera[ES_VIEW_MAP].solid ? (float)sum : 0;
    }
}

static es_spot seen(const float *row)
{
    es_box plot;
    es_extent extent;
    float at[3];
    ck_assert(es_view_map.ground(viewer, area, (es_spot){100, 100}, &plot, &extent));
    es_camera camera = es_viewer_camera(viewer);
    es_lens lens = es_lens_of(&camera, &extent, plot);
    along(row, at);
    return es_lens_spot(&lens, at, NULL);
}

static es_spot seen_token(int32_t id)
{
    float row[C];
    ck_assert(es_table_row(es_session_context(session)->model->wte, id, row, NULL));
    return seen(row);
}

static es_spot seen_x(int64_t t)
{
    return seen(viewer->scene.x + t * C);
}

static bool close_to(es_spot a, es_spot b, float far)
{
    return hypotf(a.x - b.x, a.y - b.y) <= far;
}

static const es_disc *disc_of(int32_t id)
{
    for (size_t i = 0; i < book.n_discs; i++)
        if (book.disc[i].id == id)
            return &book.disc[i];
    return NULL;
}

static const word *word_of(const char *text)
{
    for (size_t i = 0; i < book.n_texts; i++)
        if (!strcmp(book.text[i].text, text))
            return &book.text[i];
    return NULL;
}

static int count_words(const char *text)
{
    int n = 0;
    for (size_t i = 0; i < book.n_texts; i++)
        n += !strcmp(book.text[i].text, text);
    return n;
}

/* Arrows on the way from a to b: one that begins within `far` of a and ends within `far` of b. */
static int count_arrows(es_spot a, es_spot b, float far)
{
    int n = 0;
    for (size_t i = 0; i < book.n_lines; i++) {
        const stroke *s = &book.line[i];
        bool arrow = s->n == 6 || (s->n == 2 && s->dash == 0 && s->width < 2);
        n += arrow && close_to(s->from, a, far) && close_to(s->to, b, far);
    }
    return n;
}

/* ---- points ---- */

static void check_all_points(void)
{
    int there = 0;
    for (int32_t id = 0; id < V; id++) {
        const es_disc *d = disc_of(id);
        es_spot want = seen_token(id);
        if (id == BROKEN) {
            demand(!d, "a broken row is drawn");
            continue;
        }
        if (!es_box_has(area, want.x, want.y))
            continue;
        there++;
        demand(d, "token %d is not drawn", id);
        demand(close_to((es_spot){d->x, d->y}, want, 0.02F),
               "token %d is at (%g, %g), not (%g, %g)", id, (double)d->x, (double)d->y,
               (double)want.x, (double)want.y);
    }
    demand(there > V - 20, "only %d are in sight", there);
}

START_TEST(every_row_is_drawn_where_its_components_are)
{
    draw();
    check_all_points();
    viewer->component[0] = 3;
    viewer->component[1] = 1;
    draw();
    check_all_points();
    viewer->camera[ES_VIEW_MAP].solid = true;
    draw();
    check_all_points();
}
END_TEST

START_TEST(the_component_of_largest_spread_lies_across)
{
    draw();
    float least[2] = {1e9F, 1e9F}, most[2] = {-1e9F, -1e9F};
    for (size_t i = 0; i < book.n_discs; i++) {
        const float at[] = {book.disc[i].x, book.disc[i].y};
        for (int k = 0; k < 2 && book.disc[i].id >= 0; k++) {
            least[k] = fminf(least[k], at[k]);
            most[k] = fmaxf(most[k], at[k]);
        }
    }
    ck_assert(most[0] - least[0] > most[1] - least[1]);
    ck_assert(least[0] >= area.x && most[0] <= area.x + area.w);
}
END_TEST

START_TEST(what_was_found_lights_up_and_the_rest_fades)
{
    const int32_t found[] = {33, 20, V + 5};
    draw();
    es_argb before = disc_of(50)->colour >> 24;
    es_session_set_found(session, found, 3);
    draw();
    ck_assert_uint_lt(2 * (disc_of(50)->colour >> 24), before);
    int lit = 0;
    for (size_t i = 0; i < book.n_discs; i++)
        lit += book.disc[i].id >= 0 && book.disc[i].colour == es_viewer_palette(viewer)->found;
    ck_assert_int_eq(lit, 2);
    ck_assert_uint_eq(word_of("B")->colour, es_viewer_palette(viewer)->found);
    ck_assert_ptr_null(word_of("C"));
    ck_assert_int_eq(count_words("found by :find"), 1);
    es_session_set_found(session, NULL, 0);
    draw();
    ck_assert_int_eq(count_words("found by :find"), 0);
    ck_assert_uint_eq(disc_of(50)->colour >> 24, before);
}
END_TEST

/* Neighbours of the focus give way, and a token of the sentence is lit like any other. */
START_TEST(a_few_that_were_found_are_all_named)
{
    int32_t found[20];
    say("a,b");
    draw();
    const es_neighbours near = *es_neighbours_of(viewer, B);
    ck_assert_int_eq(near.n, ES_KEPT_NEAREST);
    for (int i = 0; i < 20; i++)
        found[i] = B + i;
    es_session_set_found(session, found, 20);
    draw();
    for (int i = 0; i < 20; i++) {
        es_str name = {0};
        es_scene_token(&name, es_session_context(session), found[i], 24);
        if (i == 0)
            es_str_cut(&name, 0), es_str_cat(&name, "2 b");
        const word *w = word_of(name.s);
        demand(w && w->colour == es_viewer_palette(viewer)->found, "%s", name.s);
        es_str_free(&name);
    }
}
END_TEST

START_TEST(points_that_crowd_are_fainter)
{
    draw();
    viewer->camera[ES_VIEW_MAP].zoom = ES_MIN_ZOOM;
    es_argb apart = disc_of(50)->colour >> 24;
    draw();
    ck_assert_uint_lt(disc_of(50)->colour >> 24, apart);
}
END_TEST

START_TEST(colours_are_those_of_the_atlas)
{
    viewer->color_by = ES_BY_ID;
    draw();
    for (int32_t id = 0; id < V; id += 50) {
        es_argb want = es_atlas_colour(viewer->atlas, es_viewer_palette(viewer), ES_BY_ID, id);
        demand((disc_of(id)->colour & 0xFFFFFF) == (want & 0xFFFFFF), "token %d", id);
    }
    ck_assert_ptr_nonnull(word_of("colour: id of the token"));
}
END_TEST

/* ---- the sentence ---- */

START_TEST(the_path_and_the_arrows_to_x_end_where_they_should)
{
    const int32_t ids[] = {A, COMMA, B, COMMA};
    say("a,b,");
    viewer->camera[ES_VIEW_MAP].zoom = 3;
    draw();
    ck_assert_int_eq(viewer->scene.T, 4);
    for (int64_t t = 0; t < 4; t++) {
        ck_assert_int_eq(viewer->scene.ids[t], ids[t]);
        es_spot token = seen_token(ids[t]);
        ck_assert_int_ge(count_arrows(token, seen_x(t), 14), 1);
        if (t)
            ck_assert_int_ge(count_arrows(seen_token(ids[t - 1]), token, 14), 1);
    }
}
END_TEST

START_TEST(a_token_that_comes_twice_is_one_point_with_two_arrows)
{
    say("a,b,a");
    draw();
    ck_assert_int_eq(count_words("0, 4 a"), 1);
    ck_assert(word_of("0, 4 a")->bold);
    const char *const places[] = {"@0", "@1", "@2", "@3", "@4"};
    for (int t = 0; t < 5; t++)
        ck_assert_int_eq(count_words(places[t]), 1);
    ck_assert_int_ge(count_arrows(seen_token(A), seen_x(0), 14), 1);
    ck_assert_int_ge(count_arrows(seen_token(A), seen_x(4), 14), 1);
}
END_TEST

START_TEST(without_positions_x_is_the_token_itself)
{
    es_session_set_positions(session, ES_POSITIONS_NONE);
    say("a,b");
    draw();
    ck_assert(close_to(seen_token(A), seen_x(0), 0.01F));
    ck_assert_int_eq(count_words("0 a"), 1);
    ck_assert_int_eq(count_words("its position added: x"), 0);
}
END_TEST

START_TEST(tokens_that_wte_has_no_row_for_are_nowhere)
{
    say("a cat");
    draw();
    ck_assert_int_eq(viewer->scene.ids[1], 3797);
    ck_assert_ptr_null(viewer->scene.x);
    ck_assert_ptr_nonnull(word_of("0 a"));
}
END_TEST

START_TEST(tokens_are_numbered_by_their_places)
{
    say("a,a,a,a,b");
    draw();
    ck_assert_int_eq(count_words("0, 2, 4, … a"), 1);
    ck_assert_int_eq(count_words("8 b"), 1);
    ck_assert_int_eq(count_words("the sentence, in order"), 1);
    ck_assert_int_eq(count_words("its position added: x"), 1);
    es_str text = {0};
    for (int i = 0; i < 21; i++)
        es_str_cat(&text, "b,");
    es_session_set_positions(session, ES_POSITIONS_SINUSOIDAL);
    say(text.s);
    draw();
    es_str_free(&text);
    ck_assert_int_eq(count_words("b"), 1);
}
END_TEST

START_TEST(x_beyond_the_first_look_is_told)
{
    es_str said = {0};
    es_session_set_positions(session, ES_POSITIONS_SINUSOIDAL);
    say("a,b");
    draw();
    for (int64_t k = 0; k < viewer->scene.C; k++)
        viewer->scene.x[k] *= 1e6F;
    es_view_map.forget(viewer);
    es_view_map.draw(viewer, &book.canvas, area);
    es_view_map.honesty(viewer, &said);
    ck_assert_ptr_nonnull(strstr(said.s, " x of 1 of 3 tokens lies outside: zoom out to see it."));
    es_str_cut(&said, 0);
    viewer->camera[ES_VIEW_MAP].zoom = 2;
    draw();
    es_view_map.honesty(viewer, &said);
    ck_assert_ptr_null(strstr(said.s, "outside"));
    es_str_free(&said);
}
END_TEST

START_TEST(texts_do_not_cover_each_other)
{
    say("a,b,a");
    for (int solid = 0; solid < 2; solid++) {
        viewer->camera[ES_VIEW_MAP].solid = solid;
        draw();
        demand(book.n_texts > 60, "%zu texts", book.n_texts);
        for (size_t i = 0; i < book.n_texts; i++)
            for (size_t j = 0; j < i; j++) {
                es_box both = es_box_meet(book.text[i].box, book.text[j].box);
                demand(!(both.w > 0.01F && both.h > 0.01F), "%s and %s overlap", book.text[i].text,
                       book.text[j].text);
            }
    }
}
END_TEST

START_TEST(no_more_labels_than_asked_for)
{
    draw();
    size_t all = book.n_texts;
    viewer->most_labels = 0;
    draw();
    size_t none = book.n_texts;
    viewer->most_labels = 5;
    draw();
    ck_assert_uint_eq(book.n_texts, none + 5);
    ck_assert_uint_gt(all, none + 50);
}
END_TEST

/* ---- neighbours ---- */

START_TEST(neighbours_are_those_of_near_and_say_whether_the_map_has_them)
{
    make();
    es_error err = ES_ERROR_NONE;
    const es_neighbours *near = es_neighbours_of(viewer, B);
    ck_assert_int_eq(near->n, ES_KEPT_NEAREST);
    ck_assert(near->mapped);
    float row[C];
    double q[C];
    int64_t n;
    int32_t in_map[ES_KEPT_NEAREST];
    int32_t self = B;
    es_neighbour best[ES_KEPT_NEAREST];
    es_table_row(es_session_context(session)->model->wte, B, row, NULL);
    for (int c = 0; c < C; c++)
        q[c] = (double)row[c];
    const es_near_query query = {q, ES_BY_COSINE, &self, 1};
    ck_assert_works(es_near_search(es_session_near(session, &err), best, ES_KEPT_NEAREST, &n,
                                   &query, NULL, &err),
                    err);
    static float at[V * 2];
    for (int32_t id = 0; id < V; id++)
        memcpy(at + 2 * id, viewer->atlas->tokens.at + id * viewer->atlas->tokens.K, 8);
    es_points_near(in_map, ES_KEPT_NEAREST, at, V, 2, B);
    for (int i = 0; i < near->n; i++) {
        bool there = false;
        for (int k = 0; k < ES_KEPT_NEAREST; k++)
            there |= in_map[k] == best[i].id;
        ck_assert_int_eq(near->of[i].id, best[i].id);
        ck_assert_float_eq_tol(near->of[i].cosine, (float)best[i].score, 1e-6F);
        ck_assert_int_eq(near->of[i].pictured, there);
    }
}
END_TEST

START_TEST(lines_join_the_focus_to_its_neighbours_solid_or_torn)
{
    viewer->focus = B;
    draw();
    const es_neighbours *near = es_neighbours_of(viewer, B);
    int solid = 0;
    for (int i = 0; i < near->n; i++) {
        es_spot to = seen_token(near->of[i].id);
        bool found = false;
        for (size_t k = 0; k < book.n_lines; k++) {
            const stroke *s = &book.line[k];
            found |= s->n == 2 && close_to(s->from, seen_token(B), 0.1F) &&
                     close_to(s->to, to, 0.1F) && s->width < 2 &&
                     (s->dash == 0) == near->of[i].pictured;
        }
        ck_assert(found);
        solid += near->of[i].pictured;
    }
    ck_assert_int_gt(solid, 0);
    ck_assert_int_lt(solid, near->n);
}
END_TEST

START_TEST(a_broken_row_has_no_neighbours_and_says_why)
{
    make();
    const es_neighbours *near = es_neighbours_of(viewer, BROKEN);
    ck_assert_int_eq(near->n, 0);
    ck_assert_str_eq(near->why.s, "row 7 of wte has NaN in channel 2, so nothing is near it");
    ck_assert_str_eq(es_neighbours_of(viewer, V)->why.s, "wte has no row 600");
}
END_TEST

START_TEST(other_components_are_another_picture_of_the_same_neighbours)
{
    make();
    es_neighbours before = *es_neighbours_of(viewer, B);
    viewer->component[0] = 4;
    viewer->component[1] = 5;
    const es_neighbours *after = es_neighbours_of(viewer, B);
    int differ = 0;
    for (int i = 0; i < after->n; i++) {
        ck_assert_int_eq(after->of[i].id, before.of[i].id);
        differ += after->of[i].pictured != before.of[i].pictured;
    }
    ck_assert_int_gt(differ, 0);
}
END_TEST

/* ---- what is under the pointer ---- */

START_TEST(tokens_are_found_at_their_place)
{
    uint64_t state = 9;
    make();
    for (int i = 0; i < 200; i++) {
        int32_t id = (int32_t)random_below(&state, V);
        if (id == BROKEN)
            continue;
        es_box plot;
        es_extent extent;
        es_view_map.ground(viewer, area, (es_spot){0, 0}, &plot, &extent);
        const es_mapped *m = &viewer->atlas->tokens;
        es_camera_at(&viewer->camera[ES_VIEW_MAP], &extent, plot, m->at + id * m->K, 1, m->K);
        viewer->camera[ES_VIEW_MAP].zoom = 60;
        viewer->most_labels = 0;
        draw();
        es_pick pick = ES_PICK_NONE;
        ck_assert(es_view_map.pick(viewer, &book.canvas, area, seen_token(id), &pick));
        demand(pick.id == id, "token %d, not %d", pick.id, id);
        demand(pick.place == -1, "it is of no sentence");
        es_pick_free(&pick);
    }
}
END_TEST

static void check_pick(es_spot at, const char *what, const char *statement, int64_t place)
{
    es_pick pick = ES_PICK_NONE;
    ck_assert(es_view_map.pick(viewer, &book.canvas, area, at, &pick));
    ck_assert_str_eq(es_str_text(&pick.what), what);
    ck_assert_str_eq(es_str_text(&pick.statement), statement);
    ck_assert_int_eq(pick.place, place);
    ck_assert(es_box_has(pick.mark, at.x, at.y));
    es_pick_free(&pick);
}

static void coordinates(char out[80], const char *name, const float *row)
{
    float at[3];
    along(row, at);
    snprintf(out, 80, "%s, component 1: %.4g, component 2: %.4g", name, (double)at[0],
             (double)at[1]);
}

START_TEST(a_pick_says_what_it_is_and_the_statement_of_its_numbers)
{
    char token[80], x[100];
    say("a,b");
    viewer->camera[ES_VIEW_MAP].zoom = 4;
    draw();
    coordinates(token, "b", viewer->scene.tok_emb + 2 * C);
    coordinates(x, "x of b at place 2", viewer->scene.x + 2 * C);
    check_pick(seen_token(B), token, "(wte.weight[65] - wte.weight.mean(0)) @ axes.T", 2);
    strcat(x, ", not entered yet");
    check_pick(seen_x(2), x, "", 2); /* it is not entered: statements do not know it */
    es_pick none = ES_PICK_NONE;
    viewer->camera[ES_VIEW_MAP].x = 40;
    draw();
    ck_assert(!es_view_map.pick(viewer, &book.canvas, area, (es_spot){300, 200}, &none));
}
END_TEST

START_TEST(the_components_shown_are_the_axes_of_statements)
{
    int64_t K, n;
    draw();
    const float *axes = es_session_axes(session, &K, &n);
    ck_assert(K == 2 && n == C);
    ck_assert_mem_eq(axes, viewer->atlas->tokens.pca.axes, 2 * C * sizeof *axes);
    viewer->component[1] = 4;
    draw();
    axes = es_session_axes(session, &K, &n);
    ck_assert_mem_eq(axes + C, viewer->atlas->tokens.pca.axes + 4 * C, C * sizeof *axes);
}
END_TEST

/* ---- in words ---- */

static void check_says(void (*fn)(const es_viewer *, es_str *), const char *want)
{
    es_str said = {0};
    fn(viewer, &said);
    ck_assert_str_eq(said.s, want);
    es_str_free(&said);
}

START_TEST(it_says_what_it_keeps_and_hides)
{
    es_str want = {0};
    make();
    es_str_add(&want,
               "This picture is a shadow: %.1f %% of the spread. Of a token's 15 nearest, %.2f are "
               "still near on average (128 tokens drawn by lot); trustworthiness %.3f "
               "(chance: 0.51); order of distances %.2f (chance: 0). 1 row holds NaN or Inf and is "
               "left out.",
               100 * es_pca_share(&viewer->atlas->tokens.pca, (const int[]){0, 1}, 2),
               viewer->atlas->kept.kept, viewer->atlas->kept.trust, viewer->atlas->kept.spearman);
    check_says(es_view_map.honesty, want.s);
    check_says(es_view_map.expression,
               "(wte [V=600, C=6] - mean [C=6]) @ axes [2, C=6].T = [V=600, 2]");
    viewer->component[0] = 3;
    es_str_cut(&want, 0);
    es_str_add(&want,
               "This picture is a shadow: %.1f %% of the spread. Counting how many of a token's 15 "
               "nearest are near in it, too … 1 row holds NaN or Inf and is left out.",
               100 * es_pca_share(&viewer->atlas->tokens.pca, (const int[]){3, 1}, 2));
    check_says(es_view_map.honesty, want.s);
    es_str_free(&want);
}
END_TEST

START_TEST(plain_lines_have_the_numbers_that_matter)
{
    es_str said = {0};
    say("a,b");
    make();
    es_view_map.plain(viewer, &said);
    const char *const parts[] = {"rows: 600\nleft out: 1 with NaN or Inf\ncomponent 1: ",
                                 "% of the spread\ntogether: ",
                                 "\nkept: ",
                                 "\nplace 0: \"a\" (#64) at ",
                                 "\nplace 2: \"b\" (#65) at ",
                                 "; x at ",
                                 "\ncomponent 1, low end: ",
                                 "\ncomponent 2, high end: "};
    const char *from = said.s;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *at = strstr(from, parts[i]);
        ck_assert_msg(at, "no %s behind %s", parts[i], from);
        from = at + strlen(parts[i]);
    }
    es_str_free(&said);
}
END_TEST

START_TEST(json_has_the_same_numbers)
{
    es_str said = {0};
    es_json j = {&said, false};
    say("a,b");
    make();
    es_json_open(&j, '{');
    es_view_map.json(viewer, &j);
    es_json_close(&j, '}');
    json_t *o = json_loads(said.s, 0, NULL);
    ck_assert_ptr_nonnull(o);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "rows")), V);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "left_out")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "components")), 2);
    json_t *place = json_array_get(json_object_get(o, "places"), 2);
    float at[3];
    along(viewer->scene.x + 2 * C, at);
    ck_assert_int_eq(json_integer_value(json_object_get(place, "id")), B);
    for (size_t k = 0; k < 2; k++)
        ck_assert_double_eq_tol(json_real_value(json_array_get(json_object_get(place, "x"), k)),
                                (double)at[k], 1e-5);
    json_decref(o);
    es_str_free(&said);
}
END_TEST

static bool ask_for(const char *line, es_error *err)
{
    static const es_command show = {.name = "show", .args = "VIEW"};
    es_call call = {.session = session, .command = &show, .line = line, .len = strlen(line)};
    return es_view_map.arguments(viewer, &call, 0, err);
}

START_TEST(it_is_seen_in_2d_or_in_3d)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(ask_for("3d", &err), err);
    ck_assert(viewer->camera[ES_VIEW_MAP].solid);
    ck_assert_works(ask_for(" 2d ", &err), err);
    ck_assert(!viewer->camera[ES_VIEW_MAP].solid);
    ck_assert_works(ask_for("", &err), err);
    ck_assert_fails(ask_for("4d", &err), err, ES_ERR_VALUE,
                    "the map is seen in 2d or in 3d, not in \"4d\"");
    ck_assert(!ask_for("3d 2d", &err));
    ck_assert_int_eq(err.code, ES_ERR_USAGE);
    es_error_free(&err);
    ck_assert(!viewer->camera[ES_VIEW_MAP].solid);
}
END_TEST

/* ---- odd models and areas ---- */

START_TEST(a_table_without_spread_is_drawn_and_said_to_have_none)
{
    close_model();
    open_model(flat);
    say("a,b");
    draw();
    ck_assert_uint_gt(book.n_texts, 4);
    ck_assert(close_to((es_spot){disc_of(A)->x, disc_of(A)->y}, (es_spot){330, 230}, 0.01F));
    es_str said = {0};
    es_view_map.honesty(viewer, &said);
    ck_assert_ptr_nonnull(strstr(said.s, "All rows are the same: there is no spread to show."));
    es_str_free(&said);
}
END_TEST

START_TEST(small_models_are_drawn)
{
    const char *const models[] = {"untrained:V=300,C=1", "untrained:V=2,C=2", "untrained:V=3,C=3"};
    for (size_t i = 0; i < 3; i++) {
        close_model();
        open_model(models[i]);
        for (int solid = 0; solid < 2; solid++) {
            viewer->camera[ES_VIEW_MAP].solid = solid;
            say("!\"#");
            draw();
            es_str said = {0};
            es_view_map.plain(viewer, &said);
            es_str_free(&said);
        }
    }
}
END_TEST

START_TEST(areas_of_any_size_are_drawn)
{
    const es_box areas[] = {{0, 0, 1, 1}, {5, 5, 30, 400}, {0, 0, 8000, 5000}, {3, 3, 0, 0}};
    say("a,b");
    make();
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
        forget_book();
        es_view_map.draw(viewer, &book.canvas, areas[i]);
    }
}
END_TEST

/* ---- pixels ---- */

static es_raster paint(int w, int h, es_font *font)
{
    es_raster r;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_raster_open(&r, w, h, 1, true, font, &err), err);
    es_raster_clear(&r, es_viewer_palette(viewer)->ground);
    make();
    es_view_map.draw(viewer, &r.canvas, (es_box){0, 0, r.canvas.w, r.canvas.h});
    return r;
}

START_TEST(a_map_looks_as_it_did)
{
    es_font *font = box_font();
    say("a,b");
    es_raster plane = paint(320, 200, font);
    same_picture(&plane, "map-plane");
    es_raster_close(&plane);
    viewer->camera[ES_VIEW_MAP].solid = true;
    es_labels_forget(viewer->labels);
    es_raster solid = paint(320, 200, font);
    same_picture(&solid, "map-space");
    es_raster_close(&solid);
    es_font_free(font);
}
END_TEST

START_TEST(the_same_state_is_the_same_picture)
{
    es_font *font = box_font();
    say("a,b,a");
    es_raster first = paint(400, 300, font), second = paint(400, 300, font);
    ck_assert_mem_eq(first.pixels, second.pixels, 400 * 300 * sizeof *first.pixels);
    es_raster_close(&first);
    es_raster_close(&second);
    es_font_free(font);
}
END_TEST

START_TEST(the_picture_holds_every_token_s_id)
{
    es_raster r;
    es_error err = ES_ERROR_NONE;
    int n = 0;
    viewer->most_labels = 0;
    make();
    ck_assert_works(es_raster_open(&r, 700, 500, 1, true, NULL, &err), err);
    es_raster_clear(&r, es_viewer_palette(viewer)->ground);
    es_view_map.draw(viewer, &r.canvas, area);
    for (int32_t id = 0; id < V; id++) {
        es_spot at = seen_token(id);
        n += es_raster_id(&r, at.x, at.y, 1) == id;
    }
    ck_assert_int_ge(n, V - 8); /* a few are further out, one is nowhere */
    es_raster_close(&r);
}
END_TEST

Suite *map_suite(void)
{
    Suite *s = suite_create("map");
    TCase *t = tcase_create("points");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, every_row_is_drawn_where_its_components_are);
    tcase_add_test(t, the_component_of_largest_spread_lies_across);
    tcase_add_test(t, what_was_found_lights_up_and_the_rest_fades);
    tcase_add_test(t, a_few_that_were_found_are_all_named);
    tcase_add_test(t, points_that_crowd_are_fainter);
    tcase_add_test(t, colours_are_those_of_the_atlas);
    suite_add_tcase(s, t);
    t = tcase_create("sentence");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, the_path_and_the_arrows_to_x_end_where_they_should);
    tcase_add_test(t, a_token_that_comes_twice_is_one_point_with_two_arrows);
    tcase_add_test(t, without_positions_x_is_the_token_itself);
    tcase_add_test(t, tokens_that_wte_has_no_row_for_are_nowhere);
    tcase_add_test(t, tokens_are_numbered_by_their_places);
    tcase_add_test(t, x_beyond_the_first_look_is_told);
    tcase_add_test(t, texts_do_not_cover_each_other);
    tcase_add_test(t, no_more_labels_than_asked_for);
    suite_add_tcase(s, t);
    t = tcase_create("neighbours");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, neighbours_are_those_of_near_and_say_whether_the_map_has_them);
    tcase_add_test(t, lines_join_the_focus_to_its_neighbours_solid_or_torn);
    tcase_add_test(t, a_broken_row_has_no_neighbours_and_says_why);
    tcase_add_test(t, other_components_are_another_picture_of_the_same_neighbours);
    suite_add_tcase(s, t);
    t = tcase_create("pointer");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, tokens_are_found_at_their_place);
    tcase_add_test(t, a_pick_says_what_it_is_and_the_statement_of_its_numbers);
    tcase_add_test(t, the_components_shown_are_the_axes_of_statements);
    suite_add_tcase(s, t);
    t = tcase_create("words");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, it_says_what_it_keeps_and_hides);
    tcase_add_test(t, plain_lines_have_the_numbers_that_matter);
    tcase_add_test(t, json_has_the_same_numbers);
    tcase_add_test(t, it_is_seen_in_2d_or_in_3d);
    suite_add_tcase(s, t);
    t = tcase_create("odd");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, a_table_without_spread_is_drawn_and_said_to_have_none);
    tcase_add_test(t, small_models_are_drawn);
    tcase_add_test(t, areas_of_any_size_are_drawn);
    suite_add_tcase(s, t);
    t = tcase_create("pixels");
    tcase_add_checked_fixture(t, setup, close_model);
    tcase_add_test(t, a_map_looks_as_it_did);
    tcase_add_test(t, the_same_state_is_the_same_picture);
    tcase_add_test(t, the_picture_holds_every_token_s_id);
    suite_add_tcase(s, t);
    return s;
}
