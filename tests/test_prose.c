// SPDX-License-Identifier: GPL-3.0-or-later
/* Markdown for a terminal and for a page, word for word. */
#include "lesson/prose.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "balance.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "support.h"

Suite *prose_suite(void);

static const es_style sixty = {.width = 60};

static void shows(const char *markdown, const es_style *style, const char *want)
{
    es_str out = {0};
    es_prose_show(&out, markdown, style);
    ck_assert_str_eq(es_str_text(&out), want);
    es_str_free(&out);
}

static void pages(const char *markdown, const char *want)
{
    es_str out = {0};
    es_prose_html(&out, markdown);
    ck_assert_str_eq(es_str_text(&out), want);
    ck_assert_ptr_null(balance_fault(es_str_text(&out)));
    es_str_free(&out);
}

#if ES_HAVE_MD4C

static const es_style plain = {.width = 60, .plain = true},
                      coloured = {.width = 60, .colour = true};

/* Has everything: what is wide, what nests, what does not fit. */
static const char rich[] =
    "# An embedding is a *table* of numbers that were learned, and of nothing else\n\n"
    "The row of id **3** is `wte.weight[3]`, a vector of C&nbsp;=&nbsp;64 numbers: "
    "`x = wte(ids) + wpe(torch.arange(0, T).unsqueeze(0))`. [Text](https://example.org/an/address) "
    "猫はマットの上に座った。猫はマットの上に座った。🙂🙂🙂🙂 "
    "e\u0301e\u0301e\u0301 "
    "שלום "
    "12 עולם\n\n"
    "- one\n  - two that is long enough to be broken at each of the widths that there are in this "
    "test\n    - three\n      1. four\n         - five\n           - six\n             - seven\n"
    "               - eight and more than fits\n\n"
    "> a quote that goes on\n>\n> > and on, and on, and on, and on, and on, and on, and on, and "
    "on\n"
    ">\n> 1. with\n> 2. a list\n\n"
    "    code = that_is_wider(than, the, screen) + averyveryveryveryveryveryveryverylongname\n\n"
    "| name | shape | what it is | and a note |\n|:--|--:|:-:|---|\n"
    "| `wte` | [V, C] | the **token** table | learned |\n"
    "| `wpe` | [P, C] | the position table, a row for each place | learned as well, and so on |\n\n"
    "***\n\nlast";

START_TEST(nothing_is_wider_than_the_screen)
{
    for (int width = 40; width <= 100; width++)
        for (int k = 0; k < 8; k++) {
            const es_style style = {
                .width = width, .plain = k & 1, .colour = k & 2, .isolate = k & 4};
            es_str out = {0};
            es_prose_show(&out, rich, &style);
            for (const char *s = out.s, *end; *s; s = end + 1) {
                end = strchr(s, '\n');
                demand(end != NULL, "a line without an end: %s", s);
                int columns = es_columns(s, (size_t)(end - s));
                demand(columns <= width, "%d columns of %d: %.*s", columns, width, (int)(end - s),
                       s);
                demand(end == s || end[-1] != ' ', "a space at the end of: %.*s", (int)(end - s),
                       s);
            }
            es_str_free(&out);
        }
}
END_TEST

START_TEST(prose_is_at_most_88_columns_and_60_for_a_projector)
{
    es_str long_line = {0}, out = {0};
    const es_style wide = {.width = 200}, big = {.width = 200, .big = true};
    for (int i = 0; i < 100; i++)
        es_str_cat(&long_line, "word ");
    es_prose_show(&out, long_line.s, &wide);
    ck_assert_int_eq((int)strcspn(out.s, "\n"), 84); /* with the next word 89 */
    es_str_cut(&out, 0);
    es_prose_show(&out, long_line.s, &big);
    ck_assert_int_eq((int)strcspn(out.s, "\n"), 59);
    es_str_free(&long_line);
    es_str_free(&out);
}
END_TEST

START_TEST(paragraphs_flow_and_stand_apart)
{
    shows("", &sixty, "");
    shows("\n\n", &sixty, "");
    shows("one\ntwo\n\nthree", &sixty, "one two\n\nthree\n");
    shows("A row is looked up by its number; nothing is multiplied with anything.", &sixty,
          "A row is looked up by its number; nothing is multiplied with\nanything.\n");
    shows("here  \nthere\\\nand there", &sixty, "here\nthere\nand there\n");
    shows("a&nbsp;b &amp; &lt;c&gt; &quot;d&quot; &hellip; &mdash; &ndash; 3&#215;4 &#x2026; "
          "5&times;6 "
          "&unknown; &#0; &#xD800; &#9999999;",
          &sixty, "a b & <c> \"d\" … — – 3×4 … 5×6 &unknown; � � �\n");
}
END_TEST

START_TEST(a_hard_space_ends_no_line)
{
    static const char words[] =
        "It has as many columns as there are channels in it, that is, C&nbsp;=&nbsp;64.";
    shows(words, &sixty, "It has as many columns as there are channels in it, that is,\nC = 64.\n");
    shows("Sixty columns are not enough for the whole line, so `a + b + c` is kept.", &sixty,
          "Sixty columns are not enough for the whole line, so\n`a + b + c` is kept.\n");
}
END_TEST

START_TEST(marks_stand_where_colours_do_not)
{
    static const char words[] = "a `wte(ids)`, **not** *this*, ***both***, **a `c`**";
    shows(words, &sixty, "a `wte(ids)`, *not* _this_, _*both*_, *a `c`*\n");
    shows(words, &plain, "a `wte(ids)`, *not* _this_, _*both*_, *a `c`*\n");
    shows(words, &coloured,
          "a \x1b[38;5;30mwte(ids)\x1b[0m, \x1b[1mnot\x1b[0m \x1b[4mthis\x1b[0m, "
          "\x1b[1mboth\x1b[0m, \x1b[1ma \x1b[0m\x1b[38;5;30mc\x1b[0m\n");
}
END_TEST

START_TEST(links_and_pictures_are_told)
{
    shows("see [the *paper*](https://a.org/b?c=1&amp;d=2 \"title\").", &sixty,
          "see the _paper_ (https://a.org/b?c=1&d=2).\n");
    shows("<https://a.org>, <me@a.org>, [](https://a.org)", &sixty,
          "https://a.org, me@a.org, https://a.org\n");
    shows("![a heat *map*](map.png)", &coloured, "a heat \x1b[4mmap\x1b[0m\n");
}
END_TEST

START_TEST(a_space_that_code_begins_with_is_seen_with_colours_too)
{
    es_str out = {0};
    es_prose_show(&out, "is ` cat` near `dog`", &coloured);
    ck_assert_ptr_nonnull(strstr(out.s, "␣cat"));
    ck_assert_ptr_null(strstr(out.s, "␣dog"));
    es_str_free(&out);
    shows("is ` cat` near", &plain, "is ` cat` near\n");
}
END_TEST

START_TEST(headings_are_known_without_colour)
{
    shows("# Rows\ntext\n\n## And *columns*", &sixty,
          "Rows\n────\n\ntext\n\nAnd _columns_\n─────────────\n");
    shows("# Rows\ntext\n\n## And `columns`", &plain, "# Rows\n\ntext\n\n## And `columns`\n");
    shows("# Rows\ntext", &coloured, "\x1b[1mRows\x1b[0m\n\ntext\n");
    shows("#\n\ntext", &sixty, "text\n");
}
END_TEST

START_TEST(lists_hang)
{
    shows("- one\n- two that is long enough to go on in the line below it, here\n  - nested\n\n"
          "1. a\n2. b\n",
          &sixty,
          "• one\n• two that is long enough to go on in the line below it,\n  here\n  • nested\n\n"
          "1. a\n2. b\n");
    shows("9. nine\n10. ten\n    - dash\n\n      para", &plain,
          "9. nine\n10. ten\n    - dash\n\n      para\n");
    shows("- a\n\n- b\n\nc", &sixty, "• a\n\n• b\n\nc\n");
    shows("-\n- b\n", &sixty, "•\n• b\n");
    shows("- - a\n  - b\n- c", &sixty, "• • a\n  • b\n• c\n");
    shows("text\n- a\n\n  > q\n", &sixty, "text\n\n• a\n\n  │ q\n");
}
END_TEST

START_TEST(quotes_have_a_bar)
{
    shows("a\n\n> b\n>\n> c\n>\n> > d\n\ne", &sixty, "a\n\n│ b\n│\n│ c\n│\n│ │ d\n\ne\n");
    shows("> b\n>\n> - c", &plain, "> b\n>\n> - c\n");
    shows("> b", &coloured, "\x1b[2m│ \x1b[0mb\n");
    shows(">", &sixty, "│\n");
}
END_TEST

START_TEST(code_stays_as_it_is)
{
    shows("```python\nx = 1\n\n\ty  =  [2]\n```\nend", &sixty,
          "    x = 1\n\n        y  =  [2]\n\nend\n");
    shows("    a b\n      c\n", &coloured,
          "    \x1b[38;5;30ma b\x1b[0m\n    \x1b[38;5;30m  c\x1b[0m\n");
    shows("```\naveryverylongname = averyveryverylongfunction(of_some, arguments)\n```", &sixty,
          "    averyverylongname = averyveryverylongfunction(of_some,\n      arguments)\n");
    shows("```\n```", &sixty, "");
}
END_TEST

#define TABLE                                                                                      \
    "| name | n | what |\n|---|--:|:-:|\n| `wte` | 50257 | **t** |\n| wpe | 1024 | positions |\n"

START_TEST(tables_have_columns_or_are_told_row_by_row)
{
    shows(TABLE, &sixty,
          "name       n    what\n─────  ─────  ─────────\n`wte`  50257     *t*\n"
          "wpe     1024  positions\n");
    shows(TABLE, &plain,
          "name: `wte`\nn: 50257\nwhat: *t*\n\nname: wpe\nn: 1024\nwhat: positions\n");
    shows("a\n\n> | a |\n> |---|\n> | b |\n", &sixty, "a\n\n│ a\n│ ─\n│ b\n");
    shows("| a | b |\n|---|---|\n| one | a cell with so many words that it is broken into lines "
          "|\n| two "
          "| x |",
          &sixty,
          "a    b\n───  ──────────────────────────────────────────────────────\n"
          "one  a cell with so many words that it is broken into lines\ntwo  x\n");
    static const es_style narrow = {.width = 40};
    shows(
        "| a | b |\n|---|---|\n| one | a cell with so many words that it is broken |\n| two | x |",
        &narrow,
        "a    b\n───  ───────────────────────────────────\n"
        "one  a cell with so many words that it\n     is broken\n\ntwo  x\n");
    shows("|averylongname1|averylongname2|averylongname3|\n|---|---|---|\n|1|2||", &narrow,
          "averylongname1: 1\naverylongname2: 2\n");
}
END_TEST

START_TEST(rules_are_for_who_sees_them)
{
    static const es_style narrow = {.width = 40};
    shows("a\n\n***\n\nb", &narrow, "a\n\n────────────────────────────────────────\n\nb\n");
    shows("a\n\n***\n\nb", &plain, "a\n\nb\n");
}
END_TEST

START_TEST(markup_of_pages_is_text)
{
    shows("<b>bold</b> <script>alert(1)</script>\n\n<div>\n*x*\n</div>", &sixty,
          "<b>bold</b> <script>alert(1)</script>\n\n<div> _x_ </div>\n");
    pages("<b>bold</b> <script>alert(\"1\")</script>",
          "<p>&lt;b&gt;bold&lt;/b&gt; &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</p>\n");
    pages("`<i>` &lt;u&gt; &#60;s&#62;", "<p><code>&lt;i&gt;</code> &lt;u&gt; &lt;s&gt;</p>\n");
    pages("```<x onload=1>\n</code></pre><script>\n```",
          "<pre><code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;\n</code></pre>\n");
    pages("[a](javascript:alert(1)) [b](<https://x\" onclick=\"y>) [c](data:text/html,x)",
          "<p><a>a</a> <a href=\"https://x&quot; onclick=&quot;y\">b</a> <a>c</a></p>\n");
    pages("![alt <b>](https://x/y.png)", "<p><span class=\"image\">alt &lt;b&gt;</span></p>\n");
}
END_TEST

START_TEST(pages_have_the_elements_that_say_what_it_is)
{
    pages("", "");
    pages("a *b* **c** `d`  \ne",
          "<p>a <em>b</em> <strong>c</strong> <code>d</code><br/>\ne</p>\n");
    pages("## a\n\n# b\n\n### c", "<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n");
    pages("- a\n- b\n\n3. c\n",
          "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start=\"3\">\n<li>c</li>\n"
          "</ol>\n");
    pages("> a\n\n***", "<blockquote>\n<p>a</p>\n</blockquote>\n<hr/>\n");
    pages("|a|b|\n|---|--:|\n|c|d|",
          "<table>\n<thead>\n<tr><th scope=\"col\">a</th><th scope=\"col\" "
          "class=\"right\">b</th></tr>\n"
          "</thead>\n<tbody>\n<tr><td>c</td><td class=\"right\">d</td></tr>\n</tbody>\n</table>\n");
    pages("|a|\n|:-:|", "<table>\n<thead>\n<tr><th scope=\"col\" class=\"centre\">a</th></tr>\n"
                        "</thead>\n</table>\n");
    pages("see [a](https://a.org) and <https://b.org>",
          "<p>see <a href=\"https://a.org\">a</a> and <a "
          "href=\"https://b.org\">https://b.org</a></p>\n");
}
END_TEST

/* ---- far too much ---- */

static char *repeated(const char *piece, size_t n, const char *end)
{
    es_str s = {0};
    while (n--)
        es_str_cat(&s, piece);
    es_str_cat(&s, end);
    return es_str_take(&s);
}

START_TEST(too_much_is_neither_slow_nor_lost)
{
    static const char *const piece[] = {">",     "- ", "*a ", "[a",  "`a ",
                                        "a  \n", "|a", "1. ", "> - "};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
        char *markdown = repeated(piece[i], 10000, " deep");
        es_str shown = {0}, page = {0};
        clock_t begin = clock();
        es_prose_show(&shown, markdown, &(es_style){.width = 40});
        es_prose_html(&page, markdown);
        demand(clock() - begin < 5 * CLOCKS_PER_SEC, "%s: too slow", piece[i]);
        demand(strstr(shown.s, "deep") && strstr(page.s, "deep"), "%s: lost", piece[i]);
        demand(!balance_fault(page.s), "%s: not balanced", piece[i]);
        es_str_free(&shown);
        es_str_free(&page);
        free(markdown);
    }
}
END_TEST

START_TEST(deep_quotes_keep_room_for_words)
{
    char *markdown = repeated(">", 10000, " deep");
    shows(markdown, &(es_style){.width = 40}, "│ │ │ │ │ │ │ │ │ │ deep\n");
    free(markdown);
}
END_TEST

#else

START_TEST(text_is_shown_as_it_is_written)
{
    shows("# Rows\n\nof *it*, a line that is too long for a screen of sixty columns\n  - list",
          &sixty,
          "# Rows\n\nof *it*, a line that is too long for a screen of sixty\ncolumns\n  - list\n");
    pages("a <b>\n\n- c", "<pre>a &lt;b&gt;\n\n- c</pre>\n");
    pages("", "");
}
END_TEST

#endif

START_TEST(nothing_reaches_the_terminal_raw)
{
    shows("a\x1b[31m \x07 \x7f \xc2\x85 \xe2\x80\xae"
          "b\xff",
          &sixty, "a\\x1b[31m \\x07 \\x7f \\u{85} \\u{202e}b\\xFF\n");
    es_str out = {0};
    es_html_text(&out, "a\x1b <&>\"\n\xe2\x80\xae\xff", 12);
    ck_assert_str_eq(out.s, "a\\x1b &lt;&amp;&gt;&quot;\n\\u{202e}\\xFF");
    es_str_free(&out);
}
END_TEST

START_TEST(words_from_right_to_left_are_isolated)
{
    const es_style isolating = {.width = 60, .isolate = true};
    shows("אב 12", &isolating, "\u2068אב\u2069 12\n");
    shows("אב 12", &sixty, "אב 12\n");
}
END_TEST

Suite *prose_suite(void)
{
    Suite *s = suite_create("prose");
    TCase *tc = tcase_create("terminal");
    tcase_set_timeout(tc, 60);
#if ES_HAVE_MD4C
    tcase_add_test(tc, a_space_that_code_begins_with_is_seen_with_colours_too);
    tcase_add_test(tc, nothing_is_wider_than_the_screen);
    tcase_add_test(tc, prose_is_at_most_88_columns_and_60_for_a_projector);
    tcase_add_test(tc, paragraphs_flow_and_stand_apart);
    tcase_add_test(tc, a_hard_space_ends_no_line);
    tcase_add_test(tc, marks_stand_where_colours_do_not);
    tcase_add_test(tc, links_and_pictures_are_told);
    tcase_add_test(tc, headings_are_known_without_colour);
    tcase_add_test(tc, lists_hang);
    tcase_add_test(tc, quotes_have_a_bar);
    tcase_add_test(tc, code_stays_as_it_is);
    tcase_add_test(tc, tables_have_columns_or_are_told_row_by_row);
    tcase_add_test(tc, rules_are_for_who_sees_them);
    tcase_add_test(tc, markup_of_pages_is_text);
    tcase_add_test(tc, pages_have_the_elements_that_say_what_it_is);
    tcase_add_test(tc, too_much_is_neither_slow_nor_lost);
    tcase_add_test(tc, deep_quotes_keep_room_for_words);
#else
    tcase_add_test(tc, text_is_shown_as_it_is_written);
#endif
    tcase_add_test(tc, nothing_reaches_the_terminal_raw);
    tcase_add_test(tc, words_from_right_to_left_are_isolated);
    suite_add_tcase(s, tc);
    return s;
}
