// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "support.h"
#include "view/canvas.h"

Suite *canvas_suite(void);

/* A canvas that remembers what it was last asked for; a byte of text is half an em wide, so that "…" is 1.5. */
typedef struct memory {
    es_canvas canvas; /* first */
    es_box clip, fill[4];
    int fills;
    es_spot at[8];
    size_t n;
    es_str text;
    float x;
} memory;

static void note_clip(es_canvas *c, es_box to)
{
    ((memory *)c)->clip = to;
}

static void note_fill(es_canvas *c, es_box box, es_argb colour)
{
    (void)colour;
    memory *m = (memory *)c;
    m->fill[m->fills++ % 4] = box;
}

static void note_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                      es_argb colour)
{
    (void)width, (void)dash, (void)colour;
    memory *m = (memory *)c;
    m->n = n;
    memcpy(m->at, at, n * sizeof *at);
}

static void note_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    (void)y, (void)ink;
    memory *m = (memory *)c;
    m->x = x;
    es_str_cut(&m->text, 0);
    es_str_bytes(&m->text, text, n);
}

static float byte_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    (void)c, (void)text;
    return 0.5f * (float)n * ink->size;
}

static const es_canvas_ops ops = {.clip = note_clip,
                                  .fill = note_fill,
                                  .line = note_line,
                                  .text = note_text,
                                  .width = byte_width};

static memory fresh(void)
{
    return (memory){.canvas = {&ops, 100, 50, {0, 0, 100, 50}, 0}};
}

static bool same_box(es_box a, es_box b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

START_TEST(boxes_meet_where_both_are)
{
    ck_assert(same_box(es_box_meet((es_box){0, 0, 10, 10}, (es_box){4, 6, 10, 10}),
                       (es_box){4, 6, 6, 4}));
    es_box none = es_box_meet((es_box){0, 0, 10, 10}, (es_box){20, 20, 5, 5});
    ck_assert(none.w == 0 && none.h == 0);
    none = es_box_meet((es_box){0, 0, 10, 10}, (es_box){2, 2, -1, NAN});
    ck_assert(none.w == 0 && none.h == 0);
}
END_TEST

START_TEST(a_box_has_its_first_edges_only)
{
    es_box b = {1, 2, 3, 4};
    ck_assert(es_box_has(b, 1, 2) && es_box_has(b, 3.9f, 5.9f));
    ck_assert(!es_box_has(b, 4, 3) && !es_box_has(b, 2, 6) && !es_box_has(b, NAN, 3));
}
END_TEST

START_TEST(a_box_is_moved_until_it_covers_no_other)
{
    const es_box others[] = {{0, 0, 10, 10}, {14, 0, 10, 10}}, box = {2, 2, 6, 6};
    es_box up = es_box_apart(box, others, 2, 0, -1), along = es_box_apart(box, others, 2, 1, 0);
    ck_assert_float_le(up.y + up.h, 0);
    ck_assert_float_ge(up.y, -10);
    ck_assert_float_eq(up.x, 2);
    ck_assert_float_ge(along.x, 16); /* not between them, where it would touch the second */
    ck_assert(same_box(es_box_apart(box, others, 0, 0, 1), box));
    ck_assert(
        same_box(es_box_apart((es_box){40, 40, 5, 5}, others, 2, 0, 1), (es_box){40, 40, 5, 5}));
    es_box_apart(box, others, 2, NAN, NAN);
}
END_TEST

START_TEST(cuts_add_up_to_the_box)
{
    es_box b = {0, 0, 100, 50};
    ck_assert(same_box(es_box_cut_left(&b, 10), (es_box){0, 0, 10, 50}));
    ck_assert(same_box(es_box_cut_right(&b, 20), (es_box){80, 0, 20, 50}));
    ck_assert(same_box(es_box_cut_top(&b, 5), (es_box){10, 0, 70, 5}));
    ck_assert(same_box(es_box_cut_bottom(&b, 15), (es_box){10, 35, 70, 15}));
    ck_assert(same_box(b, (es_box){10, 5, 70, 30}));
    ck_assert(same_box(es_box_cut_top(&b, 1000), (es_box){10, 5, 70, 30}));
    ck_assert(same_box(b, (es_box){10, 35, 70, 0}));
    ck_assert(same_box(es_box_inset((es_box){0, 0, 10, 4}, 3), (es_box){3, 2, 4, 0}));
}
END_TEST

START_TEST(the_clip_is_on_the_canvas_and_the_old_one_comes_back)
{
    memory m = fresh();
    es_box before = es_canvas_clip(&m.canvas, (es_box){-10, 10, 50, 100});
    ck_assert(same_box(before, (es_box){0, 0, 100, 50}));
    ck_assert(same_box(m.clip, (es_box){0, 10, 40, 40}));
    ck_assert(same_box(m.canvas.inside, m.clip));
    ck_assert(same_box(es_canvas_clip(&m.canvas, before), (es_box){0, 10, 40, 40}));
    ck_assert(same_box(m.clip, before));
}
END_TEST

START_TEST(an_edge_is_four_boxes_that_do_not_overlap)
{
    memory m = fresh();
    float area = 0;
    es_canvas_edge(&m.canvas, (es_box){10, 10, 20, 8}, 1, 0xFF000000);
    ck_assert_int_eq(m.fills, 4);
    for (int i = 0; i < 4; i++)
        area += m.fill[i].w * m.fill[i].h;
    ck_assert_float_eq(area, 20 * 8 - 18 * 6);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) {
            es_box both = es_box_meet(m.fill[i], m.fill[k]);
            ck_assert(both.w == 0 || both.h == 0);
        }
}
END_TEST

START_TEST(an_arrow_has_a_head_where_there_is_room)
{
    memory m = fresh();
    es_canvas_arrow(&m.canvas, (es_spot){0, 0}, (es_spot){20, 0}, 1, 0xFF000000);
    ck_assert_uint_eq(m.n, 6);
    ck_assert(m.at[1].x == 20 && m.at[4].x == 20 && isnan(m.at[2].x));
    ck_assert_float_eq(m.at[3].x, m.at[5].x);
    ck_assert_float_eq(m.at[3].y, -m.at[5].y);
    ck_assert(m.at[3].x > 10 && m.at[3].x < 20);
    es_canvas_arrow(&m.canvas, (es_spot){0, 0}, (es_spot){2, 0}, 1, 0xFF000000);
    ck_assert_uint_eq(m.n, 2);
    es_canvas_arrow(&m.canvas, (es_spot){0, 0}, (es_spot){NAN, 0}, 1, 0xFF000000);
    ck_assert_uint_eq(m.n, 2);
}
END_TEST

static const es_ink ink = {.size = 2}; /* a byte is 1 wide */

static void check_fit(float room, const char *text, const char *want)
{
    memory m = fresh();
    es_canvas_fit(&m.canvas, 0, 0, room, 0, text, &ink);
    demand(!strcmp(es_str_text(&m.text), want), "%s in %g: %s", text, (double)room,
           es_str_text(&m.text));
    es_str_free(&m.text);
}

START_TEST(text_is_cut_between_characters)
{
    check_fit(5, "hello", "hello");
    check_fit(4.9f, "hello", "h…");
    check_fit(10, "hello, world", "hello, …");
    check_fit(3, "hello", "…");
    check_fit(2.9f, "hello", "");
    check_fit(NAN, "hello", "");
    check_fit(6, "äöüß", "ä…"); /* two bytes each */
    check_fit(7, "äöüß", "äö…");
    check_fit(6, "e\u0301e\u0301e\u0301", "e\u0301…"); /* a letter keeps its mark */
    check_fit(5.9f, "e\u0301e\u0301e\u0301", "…");
    check_fit(5, "\xFF\xFE\xFD\xFF\xFE\xFD", "\xFF\xFE…"); /* no promise, but no harm */
}
END_TEST

START_TEST(text_is_aligned_by_what_is_drawn)
{
    memory m = fresh();
    es_canvas_fit(&m.canvas, 50, 0, 20, 0.5f, "abcd", &ink);
    ck_assert_float_eq(m.x, 48);
    es_canvas_fit(&m.canvas, 50, 0, 20, 1, "abcd", &ink);
    ck_assert_float_eq(m.x, 46);
    es_canvas_fit(&m.canvas, 50, 0, 6, 1, "abcdefgh", &ink);
    ck_assert_str_eq(m.text.s, "abc…");
    ck_assert_float_eq(m.x, 44);
    es_str_free(&m.text);
}
END_TEST

Suite *canvas_suite(void)
{
    Suite *s = suite_create("canvas");
    TCase *t = tcase_create("canvas");
    tcase_add_test(t, boxes_meet_where_both_are);
    tcase_add_test(t, a_box_has_its_first_edges_only);
    tcase_add_test(t, a_box_is_moved_until_it_covers_no_other);
    tcase_add_test(t, cuts_add_up_to_the_box);
    tcase_add_test(t, the_clip_is_on_the_canvas_and_the_old_one_comes_back);
    tcase_add_test(t, an_edge_is_four_boxes_that_do_not_overlap);
    tcase_add_test(t, an_arrow_has_a_head_where_there_is_room);
    tcase_add_test(t, text_is_cut_between_characters);
    tcase_add_test(t, text_is_aligned_by_what_is_drawn);
    suite_add_tcase(s, t);
    return s;
}
