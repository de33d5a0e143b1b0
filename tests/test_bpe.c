// SPDX-License-Identifier: GPL-3.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "support.h"
#include "text/bpe_tables.h"
#include "text/classes.h"
#include "text/pretoken.h"
#include "text/vocab.h"

Suite *bpe_suite(void);

static es_bpe *bpe;

static void setup(void)
{
    bpe = gpt2();
}

static void teardown(void)
{
    es_bpe_free(bpe);
}

static void encode(es_tokens *out, const char *text, size_t n, bool special)
{
    es_error err = ES_ERROR_NONE;
    demand(es_bpe_encode(bpe, out, text, n, &(es_encoding){.special = special}, NULL, &err), "%s",
           err.message);
}

/* What came out decodes to what went in. */
static void check_back(const es_tokens *got, const char *text, size_t n)
{
    es_str back = {0};
    demand(es_bpe_decode(bpe, &back, got->id, got->n, NULL), "an id that is none");
    demand(back.len == n && (!n || !memcmp(back.s, text, n)), "%zu bytes came back as %zu", n,
           back.len);
    es_str_free(&back);
}

/* Ids as wanted, and back to the same bytes; offsets tile the text. */
static void check_encoding(const char *text, size_t n, json_t *ids, bool special, int line)
{
    es_tokens got = {0};
    encode(&got, text, n, special);
    demand(got.n == json_array_size(ids), "line %d: %zu tokens instead of %zu", line, got.n,
           json_array_size(ids));
    for (size_t i = 0; i < got.n; i++) {
        int want = (int)json_integer_value(json_array_get(ids, i));
        demand(got.id[i] == want, "line %d: token %zu is %d instead of %d", line, i, got.id[i],
               want);
        size_t len;
        const char *bytes = es_bpe_bytes(bpe, got.id[i], &len);
        demand(got.begin[i + 1] - got.begin[i] == len && !memcmp(bytes, text + got.begin[i], len),
               "line %d: token %zu is not where its bytes are", line, i);
    }
    check_back(&got, text, n);
    es_tokens_free(&got);
}

static int n_cases;

static void check_text_case(json_t *o, int line)
{
    json_t *text = json_object_get(o, "text");
    check_encoding(json_string_value(text), json_string_length(text), json_object_get(o, "ids"),
                   json_is_true(json_object_get(o, "allow_special")), line);
    n_cases++;
}

START_TEST(every_text_case_has_the_ids_of_the_reference)
{
    each_json_line("tests/data/gpt2_cases.jsonl", check_text_case);
    ck_assert_int_eq(n_cases, 1139);
}
END_TEST

static void check_bytes_case(json_t *o, int line)
{
    const char *hex = json_string_value(json_object_get(o, "hex"));
    size_t n = strlen(hex) / 2;
    char *bytes = malloc(n + 1);
    for (size_t i = 0; i < n; i++) {
        unsigned byte;
        demand(sscanf(hex + 2 * i, "%2x", &byte) == 1, "line %d: no hex", line);
        bytes[i] = (char)byte;
    }
    check_encoding(bytes, n, json_object_get(o, "ids"), false, line);
    free(bytes);
    n_cases++;
}

START_TEST(every_byte_case_has_the_ids_of_the_reference)
{
    each_json_line("tests/data/gpt2_bytes_cases.jsonl", check_bytes_case);
    ck_assert_int_eq(n_cases, 668);
}
END_TEST

static uint64_t fnv(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001B3u;
    return h;
}

/* tests/codepoints.py computes the same hash from the ranges of Unicode 16 and GPT-2's merge list
 * alone, with neither our scanner nor our merge loop. */
START_TEST(code_points_before_an_apostrophe_hash_as_computed_by_a_second_way)
{
    static const uint64_t want[] = {0x2B26A499F66ECBAD, 0x360EDC991C5928BA};
    uint64_t h = 0xCBF29CE484222325u;
    uint32_t end = thoroughness(0x110000, 0x3000) == 0x110000 ? 0x110000 : 0x3000;
    es_tokens got = {0};
    for (uint32_t cp = 0; cp < end; cp++) {
        char text[8];
        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        int n = es_utf8_put(text, cp);
        memcpy(text + n, "'s", 2);
        encode(&got, text, (size_t)n + 2, false);
        for (size_t i = 0; i < got.n; i++) {
            unsigned char id[4] = {(unsigned char)got.id[i], (unsigned char)(got.id[i] >> 8), 0, 0};
            h = fnv(h, id, sizeof id);
        }
        h = fnv(h, "\xFF\xFF\xFF\xFF", 4);
    }
    es_tokens_free(&got);
    ck_assert_msg(h == want[end != 0x110000], "the hash is 0x%016llX", (unsigned long long)h);
}
END_TEST

START_TEST(classes_are_those_of_unicode_16)
{
    ck_assert_int_eq(es_class_of('a'), ES_CLASS_LETTER);
    ck_assert_int_eq(es_class_of('7'), ES_CLASS_NUMBER);
    ck_assert_int_eq(es_class_of(0x85), ES_CLASS_SPACE);   /* NEL is white space */
    ck_assert_int_eq(es_class_of(0xFEFF), ES_CLASS_OTHER); /* the byte order mark is not */
    ck_assert_int_eq(es_class_of(0x180E), ES_CLASS_OTHER); /* nor the Mongolian vowel separator */
    ck_assert_int_eq(es_class_of(0x3000), ES_CLASS_SPACE);
    ck_assert_int_eq(es_class_of(0x0301), ES_CLASS_OTHER);   /* a combining mark is no letter */
    ck_assert_int_eq(es_class_of(0x10D4A), ES_CLASS_LETTER); /* Garay, new in Unicode 16 */
    ck_assert_int_eq(es_class_of(0x10FFFF), ES_CLASS_OTHER);
}
END_TEST

/* The word pattern, by examples of each of its branches. */
START_TEST(words_are_cut_as_the_pattern_says)
{
    static const struct {
        const char *text, *cut;
    } cases[] = {
        {"I've we're he'll 'twas", "I|'ve| we|'re| he|'ll| '|twas"},
        {"I'VE", "I|'|VE"},
        {"don't'x", "don|'t|'|x"},
        {"a1b22 33", "a|1|b|22| 33"},
        {"hello   world", "hello|  | world"},
        {"hello   ", "hello|   "},
        {"a \n b", "a| \n| b"},
        {"a\n\nb", "a|\n|\n|b"},
        {"x\u00a0y", "x|\u00a0|y"}, /* a no-break space does not lead a word */
        {"x \u3000y", "x| |\u3000|y"},
        {" ...!? ok", " ...!?| ok"},
        {"\u0645\u0631\u062d\u0628\u0627 \u4f60\u597d",
         "\u0645\u0631\u062d\u0628\u0627| \u4f60\u597d"},
        {"e\u0301a", "e|\u0301|a"},
        {"\xff\xfe!a", "\xff\xfe!|a"}, /* bytes that are no text go with punctuation */
        {"\xe2\x82", "\xe2\x82"},
        {" ", " "},
        {"'", "'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_str got = {0};
        const char *s = cases[i].text;
        uint32_t end[16];
        size_t pieces = es_pretoken_gpt2(s, strlen(s), end, 16);
        for (size_t k = 0, at = 0; k < pieces; at = end[k++]) {
            es_str_cat(&got, got.len ? "|" : "");
            es_str_bytes(&got, s + at, end[k] - at);
        }
        ck_assert_str_eq(got.s, cases[i].cut);
        es_str_free(&got);
    }
}
END_TEST

/* ---- the merge loop as one would write it first, over a sorted list of pairs ---- */

typedef struct ranked_pair {
    uint64_t pair;
    int32_t made;
} ranked_pair;

static ranked_pair *sorted;

static int by_pair(const void *a, const void *b)
{
    uint64_t x = ((const ranked_pair *)a)->pair, y = ((const ranked_pair *)b)->pair;
    return x < y ? -1 : x > y;
}

static void sort_pairs(void)
{
    size_t n = (size_t)es_bpe_n_merges(bpe);
    sorted = malloc(n * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (ranked_pair){(uint64_t)bpe->pair[2 * i] << 32 | bpe->pair[2 * i + 1],
                                  256 + (int32_t)i};
    qsort(sorted, n, sizeof *sorted, by_pair);
}

static int32_t merge_of(int32_t left, int32_t right)
{
    ranked_pair key = {.pair = (uint64_t)(uint32_t)left << 32 | (uint32_t)right};
    const ranked_pair *found =
        bsearch(&key, sorted, (size_t)es_bpe_n_merges(bpe), sizeof *sorted, by_pair);
    return found ? found->made : INT32_MAX;
}

static size_t merge_naively(int32_t *part, const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        part[i] = (int32_t)bpe->byte_id[(unsigned char)word[i]];
    for (;;) {
        size_t at = 0;
        int32_t best = INT32_MAX;
        for (size_t i = 0; i + 1 < n; i++)
            if (merge_of(part[i], part[i + 1]) < best) {
                best = merge_of(part[i], part[i + 1]);
                at = i;
            }
        if (best == INT32_MAX)
            return n;
        part[at] = best;
        memmove(part + at + 1, part + at + 2, (n - at - 2) * sizeof *part);
        n--;
    }
}

/* A text that merges deeply: tokens pasted together, then some bytes spoilt. */
static size_t random_text(char *text, size_t room, uint64_t *state)
{
    size_t n = 0;
    while (n < room) {
        size_t len;
        const char *token =
            es_bpe_bytes(bpe, (int32_t)random_below(state, (uint32_t)es_bpe_vocab_size(bpe)), &len);
        len = len < room - n ? len : room - n;
        memcpy(text + n, token, len);
        n += len;
    }
    for (uint32_t i = random_below(state, 4); i > 0; i--)
        text[random_below(state, (uint32_t)n)] = (char)next_random(state);
    return n;
}

START_TEST(the_heap_merges_as_the_naive_loop_does)
{
    uint64_t state = 20;
    sort_pairs();
    for (int round = 0; round < thoroughness(3000, 100); round++) {
        char text[96];
        size_t n = random_text(text, 1 + random_below(&state, sizeof text), &state);
        int32_t want[96];
        es_tokens got = {0};
        demand(es_bpe_encode_plain(bpe, &got, text, n, NULL), "no memory");
        size_t n_want = 0;
        for (size_t at = 0, len; at < n; at += len) {
            len = es_bpe_word(bpe, text + at, n - at);
            n_want += merge_naively(want + n_want, text + at, len);
        }
        demand(got.n == n_want && !memcmp(got.id, want, n_want * sizeof *want), "round %d", round);
        es_tokens_free(&got);
    }
    free(sorted);
}
END_TEST

/* One long word in which most places could be the edge of a token: letters that tokens begin, go on or
 * end with, of a few tokens that come again. */
static size_t random_word(char *text, size_t room, uint64_t *state)
{
    int32_t some[8];
    for (int i = 0; i < 8; i++)
        some[i] = (int32_t)random_below(state, (uint32_t)es_bpe_vocab_size(bpe));
    size_t n = 0;
    while (n < room) {
        size_t len;
        int32_t id = random_below(state, 3)
                         ? some[random_below(state, 8)]
                         : (int32_t)random_below(state, (uint32_t)es_bpe_vocab_size(bpe));
        const char *token = es_bpe_bytes(bpe, id, &len);
        size_t from = random_below(state, (uint32_t)len),
               to = from + 1 + random_below(state, (uint32_t)(len - from));
        for (; from < to && n < room; from++)
            text[n++] = isalpha((unsigned char)token[from]) ? token[from] : 'e';
    }
    return n;
}

/* The fast encoder and the definition, on a text of n bytes: ids and places. */
static void check_against_plain(const char *text, size_t n, int threads, const char *what)
{
    es_tokens fast = {0}, plain = {0}, ids = {.ids_only = true};
    es_error err = ES_ERROR_NONE;
    const es_encoding how = {.threads = threads};
    demand(es_bpe_encode(bpe, &fast, text, n, &how, NULL, &err), "%s", err.message);
    demand(es_bpe_encode(bpe, &ids, text, n, &how, NULL, &err), "%s", err.message);
    demand(es_bpe_encode_plain(bpe, &plain, text, n, &err), "%s", err.message);
    demand(fast.n == plain.n && ids.n == plain.n, "%s: %zu tokens, not %zu", what, fast.n, plain.n);
    demand(!n || (!memcmp(fast.id, plain.id, plain.n * sizeof *plain.id) &&
                  !memcmp(ids.id, plain.id, plain.n * sizeof *plain.id)),
           "%s: other ids", what);
    demand(!n || !memcmp(fast.begin, plain.begin, (plain.n + 1) * sizeof *plain.begin),
           "%s: other places", what);
    es_tokens_free(&fast);
    es_tokens_free(&plain);
    es_tokens_free(&ids);
}

/* Random strings over alphabets that merge much, or in ways that must be taken back. */
static size_t random_over(char *text, size_t room, const char *const *unit, size_t n_units,
                          uint64_t *state)
{
    size_t n = 0;
    for (;;) {
        const char *u = unit[random_below(state, (uint32_t)n_units)];
        size_t len = strlen(u);
        if (n + len > room)
            return n;
        memcpy(text + n, u, len);
        n += len;
    }
}

static const char *const alphabets[][8] = {
    {"a", "b"},
    {"e", "r", "s", "t"},
    {"0", "1", "2", "9"},
    {" ", "\n", "\t"},
    {" ", "x", "  "},
    {"in", "ing", "g", "s"},
    {"=", "-", "=="},
    {"\u3042", "\u3044", "\u307e\u3059"},
    {"\u200d", "\U0001F468", "\ufe0f"},
    {"\xe3", "\x81", "\x82", "\xff"},
    {"\u0627\u0644", "\u0645", "\u0646"},
    {"'s", "'", "t", "S", " '"},
    {"\u3000", " ", "\u00a0", "y"},
};

START_TEST(the_fast_encoder_is_the_plain_one)
{
    uint64_t state = 21;
    static char text[5000];
    for (int round = 0; round < thoroughness(20000, 300); round++)
        check_against_plain(text, random_text(text, 1 + random_below(&state, 300), &state), 1,
                            "tokens pasted together");
    for (int round = 0; round < thoroughness(20000, 300); round++)
        check_against_plain(text, random_word(text, 1 + random_below(&state, 300), &state), 1,
                            "pieces of tokens in one word");
    for (size_t a = 0; a < sizeof alphabets / sizeof *alphabets; a++) {
        size_t units = 0;
        while (units < 8 && alphabets[a][units])
            units++;
        for (int round = 0; round < thoroughness(300, 6); round++) {
            size_t room = round % 10 ? 1 + random_below(&state, 60) : sizeof text;
            check_against_plain(text, random_over(text, room, alphabets[a], units, &state), 1,
                                alphabets[a][0]);
        }
    }
    for (int round = 0; round < thoroughness(300, 10); round++) {
        size_t n = random_below(&state, sizeof text);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)(round % 2 ? next_random(&state) : 'a' + random_below(&state, 26));
        check_against_plain(text, n, 1, "random bytes and letters");
    }
}
END_TEST

/* Wherever the threads' stretches meet. */
START_TEST(threads_give_the_same_tokens)
{
    static const char *const endless[] = {"a", " ", " x", "\u3000", "\xe3\x80", "x\n"};
    size_t n = (size_t)thoroughness(3 << 20, 5 << 18);
    char *text = malloc(n + 16);
    uint64_t state = 22;
    for (size_t u = 0; u < sizeof endless / sizeof *endless; u++) {
        size_t len = strlen(endless[u]);
        for (size_t i = 0; i < n; i++)
            text[i] = endless[u][i % len];
        check_against_plain(text, n, 2 + (int)u, endless[u]);
    }
    for (int round = 0; round < thoroughness(4, 1); round++) {
        size_t at = 0;
        while (at < n) {
            const char *const *units = alphabets[random_below(&state, 13)];
            size_t n_units = 0;
            while (n_units < 8 && units[n_units])
                n_units++;
            size_t room = n - at < 200 ? n - at : 200,
                   more = random_over(text + at, 1 + random_below(&state, (uint32_t)room), units,
                                      n_units, &state);
            at += more ? more : 1;
            text[at - 1] = more ? text[at - 1] : '.';
        }
        check_against_plain(text, n, 3 + round, "mixed text");
    }
    free(text);
}
END_TEST

/* A place to cut is the end of a piece in whatever text it stands. */
START_TEST(places_to_cut_end_pieces)
{
    uint64_t state = 23;
    char text[200];
    uint32_t end[200];
    for (int round = 0; round < thoroughness(20000, 300); round++) {
        size_t n = 0;
        while (n < 60) {
            size_t a = random_below(&state, 13), units = 0;
            while (units < 8 && alphabets[a][units])
                units++;
            n += random_over(text + n, 6, alphabets[a], units, &state);
        }
        size_t pieces = es_pretoken_gpt2(text, n, end, 200), k = 0;
        for (size_t at = 1; at < n; at++) {
            while (k < pieces && end[k] < at)
                k++;
            demand(!es_pretoken_gpt2_parts(text, n, at) || end[k] == at, "round %d, byte %zu",
                   round, at);
        }
    }
}
END_TEST

/* Long words: the time is linear, the answer that of the short ones. */
START_TEST(a_million_of_anything_is_encoded_and_comes_back)
{
    static const char *const units[] = {" ",    "a", "ab",     "=",  "\u200d",
                                        "\xff", "9", "\u3042", "\n "};
    size_t n = (size_t)thoroughness(1000000, 20000);
    char *text = malloc(n);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t len = strlen(units[u]);
        for (size_t i = 0; i < n; i++)
            text[i] = units[u][i % len];
        es_tokens got = {0};
        encode(&got, text, n, false);
        check_back(&got, text, n);
        es_tokens_free(&got);
    }
    free(text);
}
END_TEST

START_TEST(every_byte_string_decodes_to_itself)
{
    uint64_t state = 7;
    for (int round = 0; round < thoroughness(20000, 500); round++) {
        char text[64];
        size_t n = random_below(&state, sizeof text);
        for (size_t i = 0; i < n; i++)
            text[i] = (char)next_random(&state);
        es_tokens got = {0};
        encode(&got, text, n, round % 2);
        check_back(&got, text, n);
        es_tokens_free(&got);
    }
}
END_TEST

START_TEST(every_token_is_found_by_its_bytes)
{
    for (int32_t id = 0; id < es_bpe_vocab_size(bpe); id += thoroughness(1, 97)) {
        size_t len;
        const char *bytes = es_bpe_bytes(bpe, id, &len);
        demand(es_bpe_find(bpe, bytes, len) == id, "token %d", (int)id);
    }
    ck_assert_int_eq(es_bpe_find(bpe, " catdog", 7), -1);
    ck_assert_int_eq(es_bpe_find(bpe, "", 0), -1);
}
END_TEST

static void note_merge(void *user, size_t at, int32_t left, int32_t right, int32_t made)
{
    es_str_add(user, "%zu:%d+%d=%d#%d ", at, left, right, made, es_bpe_rank(bpe, made));
}

START_TEST(merges_are_replayed_rank_by_rank)
{
    es_str seen = {0};
    ck_assert(es_bpe_trace(bpe, "lowest", 6, note_merge, &seen, NULL, NULL));
    ck_assert_str_eq(seen.s, "3:68+82=274#18 1:78+86=322#66 3:274+83=395#139 0:75+322=9319#9063 ");
    es_str_free(&seen);
}
END_TEST

START_TEST(endoftext_is_special_only_where_asked)
{
    es_tokens got = {0};
    encode(&got, "a<|endoftext|>b", 15, false);
    ck_assert_uint_gt(got.n, 3);
    encode(&got, "a<|endoftext|>b", 15, true);
    ck_assert_uint_eq(got.n, 3);
    ck_assert_int_eq(got.id[1], 50256);
    ck_assert_uint_eq(got.begin[1], 1);
    ck_assert_uint_eq(got.begin[2], 14);
    es_tokens_free(&got);
}
END_TEST

START_TEST(an_unknown_id_names_itself_and_its_place)
{
    es_error err = ES_ERROR_NONE;
    es_str out = {0};
    const int32_t ids[] = {464, 50257}, negative[] = {-1};
    ck_assert(!es_bpe_decode(bpe, &out, ids, 2, &err));
    ck_assert_str_eq(err.hint, "the vocabulary has V=50257 tokens, 0..50256");
    ck_assert_fails(es_bpe_decode(bpe, &out, ids, 2, &err), err, ES_ERR_INDEX_RANGE,
                    "there is no token 50257 (number 1 in the list)");
    ck_assert_fails(es_bpe_decode(bpe, &out, negative, 1, &err), err, ES_ERR_INDEX_RANGE,
                    "there is no token -1 (number 0 in the list)");
    es_str_free(&out);
}
END_TEST

START_TEST(a_watch_stops_the_work)
{
    enum { N = 200000 };
    static char text[N];
    memset(text, ' ', N);
    es_tokens got = {0};
    es_watch watch = {0};
    es_error err = ES_ERROR_NONE;
    ck_assert(es_bpe_encode(bpe, &got, text, N, &(es_encoding){0}, &watch, &err));
    ck_assert_uint_eq(watch.total, N);
    watch.cancel = true;
    ck_assert_fails(es_bpe_encode(bpe, &got, text, N, &(es_encoding){0}, &watch, &err), err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    es_tokens_free(&got);
}
END_TEST

/* ---- vocabularies from files ---- */

static void write_file(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(data, 1, n, f) == n);
    ck_assert_int_eq(fclose(f), 0);
}

START_TEST(a_bad_merge_list_names_the_line)
{
    static const struct {
        const char *list, *says;
    } cases[] = {
        {"", "list.bpe, line 1: the file has no line with a merge"},
        {"#version: 0.2\n", "list.bpe, line 1: the file has no line with a merge"},
        {"a b\nab\n", "list.bpe, line 2: not two tokens that earlier lines have made"},
        {"a b\nabc d\n", "list.bpe, line 2: not two tokens that earlier lines have made"},
        {"a b\r\nab c\na b\n", "list.bpe, line 3: an earlier line has made this token"},
        {"a \x01\n", "list.bpe, line 1: not two tokens that earlier lines have made"},
        {"a \n", "list.bpe, line 1: not two tokens that earlier lines have made"},
    };
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_error err = ES_ERROR_NONE;
        write_file("list.bpe", cases[i].list, strlen(cases[i].list));
        ck_assert_fails(es_bpe_from_merges("list.bpe", &err), err, ES_ERR_FORMAT, cases[i].says);
    }
    free(folder);
}
END_TEST

START_TEST(a_small_merge_list_makes_a_vocabulary)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    static const char list[] = "#version: 0.2\n\u0120 t\nh e\n\u0120t he\n";
    write_file("list.bpe", list, sizeof list - 1);
    es_error err = ES_ERROR_NONE;
    es_bpe *small = es_vocab_open("./list.bpe", &err);
    ck_assert_works(small != NULL, err);
    ck_assert_int_eq(es_bpe_vocab_size(small), 260);
    es_tokens got = {0};
    ck_assert(es_bpe_encode(small, &got, " the", 4, &(es_encoding){0}, NULL, &err));
    ck_assert_uint_eq(got.n, 1);
    ck_assert_int_eq(got.id[0], 258);
    es_tokens_free(&got);
    es_bpe_free(small);
    free(folder);
}
END_TEST

/* Every single damaged byte is noticed, and none of them crashes. */
START_TEST(damaged_tables_are_refused)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    static const char list[] = "\u0120 t\nh e\n\u0120t he\n";
    es_error err = ES_ERROR_NONE;
    write_file("list.bpe", list, sizeof list - 1);
    es_bpe *small = es_bpe_from_merges("list.bpe", &err);
    ck_assert_works(small && es_bpe_save(small, "good.tables", &err), err);
    size_t size = small->block.size;
    unsigned char *bytes = malloc(size);
    memcpy(bytes, small->block.data, size);
    es_bpe_free(small);

    es_bpe *good = es_bpe_from_tables("good.tables", &err);
    ck_assert_works(good != NULL, err);
    es_bpe_free(good);
    for (size_t i = 0; i < size; i += i < 64 ? 1 : (size_t)thoroughness(499, 9973)) {
        bytes[i] ^= 0x10;
        write_file("bad.tables", bytes, size);
        demand(!es_bpe_from_tables("bad.tables", &err) && err.code == ES_ERR_FORMAT, "byte %zu", i);
        es_error_free(&err);
        bytes[i] ^= 0x10;
    }
    for (size_t n = 0; n < size; n += 1009) {
        write_file("bad.tables", bytes, n);
        ck_assert(!es_bpe_from_tables("bad.tables", &err));
        es_error_free(&err);
    }
    write_file("bad.tables", "not one", 7);
    ck_assert_fails(es_bpe_from_tables("bad.tables", &err), err, ES_ERR_FORMAT,
                    "bad.tables is no vocabulary of this program: it does not begin as one");
    free(bytes);
    free(folder);
}
END_TEST

START_TEST(an_unknown_vocabulary_says_what_there_is)
{
    es_error err = ES_ERROR_NONE;
    ck_assert(!es_vocab_open("gpt5\x1b", &err));
    ck_assert_str_eq(err.hint, "try: gpt2, or the path of a merge list such as GPT-2's vocab.bpe");
    ck_assert_fails(es_vocab_open("gpt5\x1b", &err), err, ES_ERR_NAME,
                    "there is no vocabulary \"gpt5\\x1b\", and no file of that name");
}
END_TEST

Suite *bpe_suite(void)
{
    Suite *s = suite_create("bpe");
    TCase *tc = tcase_create("gpt2");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, every_text_case_has_the_ids_of_the_reference);
    tcase_add_test(tc, every_byte_case_has_the_ids_of_the_reference);
    tcase_add_test(tc, code_points_before_an_apostrophe_hash_as_computed_by_a_second_way);
    tcase_add_test(tc, classes_are_those_of_unicode_16);
    tcase_add_test(tc, words_are_cut_as_the_pattern_says);
    tcase_add_test(tc, the_fast_encoder_is_the_plain_one);
    tcase_add_test(tc, threads_give_the_same_tokens);
    tcase_add_test(tc, places_to_cut_end_pieces);
    tcase_add_test(tc, the_heap_merges_as_the_naive_loop_does);
    tcase_add_test(tc, a_million_of_anything_is_encoded_and_comes_back);
    tcase_add_test(tc, every_byte_string_decodes_to_itself);
    tcase_add_test(tc, every_token_is_found_by_its_bytes);
    tcase_add_test(tc, merges_are_replayed_rank_by_rank);
    tcase_add_test(tc, endoftext_is_special_only_where_asked);
    tcase_add_test(tc, an_unknown_id_names_itself_and_its_place);
    tcase_add_test(tc, a_watch_stops_the_work);
    tcase_add_test(tc, a_bad_merge_list_names_the_line);
    tcase_add_test(tc, a_small_merge_list_makes_a_vocabulary);
    tcase_add_test(tc, damaged_tables_are_refused);
    tcase_add_test(tc, an_unknown_vocabulary_says_what_there_is);
    suite_add_tcase(s, tc);
    return s;
}
