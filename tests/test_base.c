// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/rng.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "support.h"

Suite *base_suite(void);

/* ---- errors and strings ---- */

START_TEST(an_error_keeps_every_byte_of_a_long_message)
{
    es_error err = ES_ERROR_NONE;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    ck_assert(!es_fail(&err, ES_ERR_VALUE, "%s", long_text));
    ck_assert_str_eq(err.message, long_text);
    ck_assert(!es_hint(&err, "first"));
    ck_assert(!es_hint(&err, "second"));
    ck_assert_str_eq(err.hint, "first\nsecond");
    es_error_locate(&err, 3, 5);
    es_error_locate(&err, 7, 9);
    ck_assert_int_eq(err.begin, 3);                 /* the innermost knew first */
    es_fail(&err, ES_ERR_IO, "after %s", err.hint); /* its own text may be an argument */
    ck_assert_str_eq(err.message, "after first\nsecond");
    ck_assert_ptr_null(err.hint);
    es_error_free(&err);
    ck_assert_int_eq(err.code, ES_OK);
    ck_assert(!es_fail(NULL, ES_ERR_IO, "nobody listens"));
}
END_TEST

START_TEST(every_error_code_has_a_name)
{
    for (int code = 0; code < ES_N_CODES; code++)
        ck_assert_ptr_nonnull(es_code_name((es_code)code));
    ck_assert_str_eq(es_code_name(ES_ERR_CONTEXT_OVERFLOW), "context_overflow");
}
END_TEST

START_TEST(strings_hold_nul_and_grow)
{
    es_str s = {0};
    ck_assert_str_eq(es_str_text(&s), "");
    es_str_bytes(&s, "a\0b", 3);
    es_str_fill(&s, '-', 100);
    es_str_add(&s, "%d", 42);
    ck_assert_uint_eq(s.len, 105);
    ck_assert_mem_eq(s.s, "a\0b-", 4);
    ck_assert_str_eq(s.s + 102, "-42");
    es_str_cut(&s, 1);
    ck_assert_str_eq(s.s, "a");
    es_str_free(&s);
}
END_TEST

START_TEST(a_brake_stops_a_long_answer)
{
    atomic_bool stop = false;
    es_brake brake = ES_BRAKE(&stop);
    es_str s = {.brake = &brake};
    es_json j = {.out = &s};
    es_json_open(&j, '[');
    es_json_int(&j, 1);
    ck_assert(!es_str_braked(&s));
    stop = true;
    ck_assert(es_str_braked(&s));
    es_json_double(&j, 0.5);
    es_json_text(&j, "text", 4);
    es_json_close(&j, ']');
    es_str_add(&s, "%d", 2);
    es_str_fill(&s, 'x', 1000);
    ck_assert_str_eq(s.s, "[1");
    ck_assert_fails(!brake.on, brake.err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    es_str_free(&s);

    es_brake full = ES_BRAKE(NULL);
    es_str big = {.brake = &full};
    es_str_fill(&big, 'x', SIZE_MAX / 4);
    ck_assert(es_str_braked(&big));
    ck_assert_str_eq(es_str_text(&big), "");
    ck_assert_str_eq(es_code_name(full.err.code), "nomem");
    es_error_free(&full.err);
    es_error err = ES_ERROR_NONE;
    ck_assert(!es_str_room(&big, SIZE_MAX / 4, "this text", &err));
    ck_assert(strstr(err.message, "no room for this text: "));
    es_error_free(&err);
}
END_TEST

/* ---- UTF-8 ---- */

START_TEST(utf8_is_what_table_3_7_says)
{
    static const struct {
        const char *bytes;
        int len;
        uint32_t cp;
    } cases[] = {
        {"A", 1, 'A'},
        {"\xC2\x80", 2, 0x80},
        {"\xC1\xBF", 0, 0},
        {"\xDF\xBF", 2, 0x7FF},
        {"\xE0\xA0\x80", 3, 0x800},
        {"\xE0\x9F\xBF", 0, 0},
        {"\xED\x9F\xBF", 3, 0xD7FF},
        {"\xED\xA0\x80", 0, 0},
        {"\xEF\xBF\xBF", 3, 0xFFFF},
        {"\xF0\x90\x80\x80", 4, 0x10000},
        {"\xF0\x8F\xBF\xBF", 0, 0},
        {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
        {"\xF4\x90\x80\x80", 0, 0},
        {"\xF5\x80\x80\x80", 0, 0},
        {"\x80", 0, 0},
        {"\xE2\x82", 0, 0},
        {"\xFF", 0, 0},
        {"\xC2"
         "A",
         0, 0},
        {"\xE2\x82"
         "A",
         0, 0},
        {"\xF0\x9F\x98"
         "A",
         0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t cp = 0;
        int len = es_utf8_next(cases[i].bytes, strlen(cases[i].bytes), &cp);
        ck_assert_msg(len == cases[i].len, "case %zu: length %d", i, len);
        if (len)
            ck_assert_uint_eq(cp, cases[i].cp);
    }
    ck_assert(es_utf8_valid("h\u00e9", 3));
    ck_assert(!es_utf8_valid("h\xC3", 2));
}
END_TEST

START_TEST(every_scalar_value_is_written_and_read_back)
{
    for (uint32_t cp = 0; cp < 0x110000; cp += 1 + (cp > 0x3000) * 7) {
        char text[4];
        uint32_t back = 1;
        if (cp >= 0xD800 && cp < 0xE000)
            continue;
        int n = es_utf8_put(text, cp);
        demand(es_utf8_next(text, (size_t)n, &back) == n && back == cp, "U+%04X", (unsigned)cp);
    }
}
END_TEST

/* ---- the sanitiser ---- */

static void check_shown(void (*show)(es_str *, const char *, size_t), const char *bytes, size_t n,
                        const char *want)
{
    es_str got = {0};
    show(&got, bytes, n);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

#define SHOWS(show, bytes, want) check_shown(show, bytes, sizeof(bytes) - 1, want)

START_TEST(what_is_shown_is_visible)
{
    SHOWS(es_show_prose, "plain \u00e9 \u6f22 \U0001F917", "plain \u00e9 \u6f22 \U0001F917");
    SHOWS(es_show_prose, "a\x1b[31mb\n\t\r\0", "a\\x1b[31mb\\n\\t\\r\\x00");
    SHOWS(es_show_prose, "\xC2\x85\xC2\x9B\u202e\u2066\u200d\ufeff\u00a0",
          "\\u{85}\\u{9b}\\u{202e}\\u{2066}\\u{200d}\\u{feff}\\u{a0}");
    SHOWS(es_show_prose, "\xE6\x9C", "\\xE6\\x9C");
    SHOWS(es_show_prose, "C:\\new \"x\"", "C:\\new \"x\"");
    SHOWS(es_show_quoted, "C:\\new \"x\"\n", "\"C:\\\\new \\\"x\\\"\\n\"");
    SHOWS(es_show_token, " cat", "\u2423cat");
    SHOWS(es_show_token, "\\n", "\\\\n");
    SHOWS(es_show_token, "\n", "\\n");
    SHOWS(es_show_token, "\u2423", "\\u{2423}");
    SHOWS(es_show_token, " \xE6\x9C", "\u2423<E6 9C>");
    SHOWS(es_show_token,
          "\xA0"
          "a\x80",
          "<A0>a<80>");
    SHOWS(es_show_token, "\u0301", "\u25cc\u0301");
    SHOWS(es_show_token, "e\u0301", "e\u0301");
    SHOWS(es_show_token, " \u0301", "\u2423\u25cc\u0301");
}
END_TEST

/* The property behind the examples: whatever goes in, nothing comes out that moves a cursor. */
START_TEST(no_control_character_passes_the_sanitiser)
{
    uint64_t state = 5;
    void (*const shows[])(es_str *, const char *, size_t) = {
        es_show_prose, es_show_quoted, es_show_token, es_show_brief, es_show_name};
    for (int round = 0; round < thoroughness(20000, 1000); round++) {
        char bytes[40];
        size_t n = random_below(&state, sizeof bytes);
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)(round % 2 ? next_random(&state) : random_below(&state, 0x40));
        if (round % 3 == 0 && n > 4)
            es_utf8_put(bytes, 0x2000 + random_below(&state, 0x70));
        for (size_t k = 0; k < sizeof shows / sizeof *shows; k++) {
            es_str shown = {0};
            shows[k](&shown, bytes, n);
            for (size_t i = 0; i < shown.len;) {
                uint32_t cp;
                int len = es_utf8_next(shown.s + i, shown.len - i, &cp);
                demand(len > 0, "not UTF-8 at byte %zu", i);
                demand(es_char_visible(cp), "U+%04X came through", (unsigned)cp);
                i += (size_t)len;
            }
            es_str_free(&shown);
        }
    }
}
END_TEST

START_TEST(columns_are_counted_as_a_terminal_does)
{
    ck_assert_int_eq(es_columns("abc", 3), 3);
    ck_assert_int_eq(es_columns("\u6f22\u5b57", 6), 4);
    ck_assert_int_eq(es_columns("e\u0301", 3), 1);
    ck_assert_int_eq(es_columns("\U0001F917", 4), 2);
    ck_assert_int_eq(es_columns("\x1b[1;31mred\x1b[0m", 14), 3);
    ck_assert_int_eq(es_columns("\u2068\u0627\u2069", 8), 1);
    ck_assert_int_eq(es_columns("\u2423\u2584\u2026", 9), 3);
    ck_assert_int_eq(es_columns("\u092f\u093e", 6), 2);       /* a spacing mark */
    ck_assert_int_eq(es_columns("\u1112\u1161\u11ab", 9), 2); /* three letters, one syllable */

    es_str cut = {0};
    es_show_fit(&cut, "\u6f22\u5b57\u6f22", 9, 5);
    ck_assert_str_eq(cut.s, "\u6f22\u5b57\u2026");
    es_str_cut(&cut, 0);
    es_show_fit(&cut, "\u6f22\u5b57\u6f22", 9, 4); /* a wide character is not halved */
    ck_assert_str_eq(cut.s, "\u6f22\u2026");
    es_str_cut(&cut, 0);
    es_show_fit(&cut, "abc", 3, 3);
    ck_assert_str_eq(cut.s, "abc");
    es_str_free(&cut);
    ck_assert(es_has_rtl("a\u0627", 3));
    ck_assert(!es_has_rtl("a\u00e9\u6f22", 6));
}
END_TEST

/* ---- JSON ---- */

START_TEST(json_is_json)
{
    es_str out = {0};
    es_json j = {.out = &out};
    const float values[] = {0.1f, NAN, -INFINITY, 1e-30f};
    es_json_open(&j, '{');
    es_json_key_string(&j, "a\"b", "q\"\\\n\x1b\xC2\x85\u202e\U000E0001 \u00e9");
    es_json_key(&j, "none");
    es_json_string(&j, NULL);
    es_json_key(&j, "bad");
    es_json_text(&j, "\xE6", 1);
    es_json_key(&j, "hex");
    es_json_hex(&j, "\xE6\x00", 2);
    es_json_key(&j, "list");
    es_json_floats(&j, values, 4);
    es_json_key(&j, "empty");
    es_json_open(&j, '[');
    es_json_close(&j, ']');
    es_json_key(&j, "yes");
    es_json_bool(&j, true);
    es_json_key(&j, "wide");
    es_json_double(&j, 0.1);
    es_json_close(&j, '}');
    ck_assert_str_eq(
        out.s,
        "{\"a\\\"b\":\"q\\\"\\\\\\u000a\\u001b\\u0085\\u202e\\udb40\\udc01 \u00e9\",\"none\":null,"
        "\"bad\":null,\"hex\":\"e600\",\"list\":[0.100000001,null,null,1e-30],"
        "\"empty\":[],\"yes\":true,\"wide\":0.10000000000000001}");
    json_error_t why;
    json_t *o = json_loadb(out.s, out.len, 0, &why);
    ck_assert_msg(o != NULL, "%s", why.text);
    json_decref(o);
    es_str_free(&out);
}
END_TEST

/* ---- random numbers ---- */

/* The known answers that come with Random123 (kat_vectors, philox4x32 10). */
START_TEST(philox_gives_the_known_answers)
{
    static const uint32_t cases[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        es_philox(out, cases[i], cases[i] + 4);
        ck_assert_mem_eq(out, cases[i] + 6, sizeof out);
    }
}
END_TEST

/* Quantiles to 16 digits, by bisection on the complementary error function. */
START_TEST(normal_quantiles_are_right)
{
    static const double cases[][2] = {
        {0.5, 0.0},
        {0.975, 1.9599639845400545},
        {0.1, -1.2815515655446004},
        {0.001, -3.0902323061678132},
        {1e-10, -6.3613409024040557},
        {1e-20, -9.262340089798409},
        {0.925, 1.4395314709384563},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq_tol(es_normal_quantile(cases[i][0]), cases[i][1], 1e-13);
}
END_TEST

START_TEST(rows_are_a_function_of_seed_stream_and_row)
{
    float a[70], b[70], c[70];
    es_normal_row(a, 70, 3, 1, 12345, 0.02);
    es_normal_row(b, 70, 3, 1, 12345, 0.02);
    ck_assert_mem_eq(a, b, sizeof a);
    es_normal_row(b, 64, 3, 1, 12345, 0.02); /* narrower: the same beginning */
    ck_assert_mem_eq(a, b, 64 * sizeof *a);
    es_normal_row(b, 70, 4, 1, 12345, 0.02);
    es_normal_row(c, 70, 3, 2, 12345, 0.02);
    ck_assert(memcmp(a, b, sizeof a) && memcmp(a, c, sizeof a) && memcmp(b, c, sizeof b));

    enum { N = 100000 };
    static float many[N];
    double sum = 0, squares = 0;
    es_normal_row(many, N, 0, 1, 0, 0.02);
    for (int i = 0; i < N; i++) {
        sum += (double)many[i];
        squares += (double)many[i] * (double)many[i];
    }
    ck_assert_double_eq_tol(sum / N, 0, 4 * 0.02 / sqrt(N));
    ck_assert_double_eq_tol(sqrt(squares / N), 0.02, 0.02 * 0.01);
}
END_TEST

/* ---- files, lines, places ---- */

static void write_text(const char *path, const char *text, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(text, 1, n, f) == n && fclose(f) == 0);
}

START_TEST(files_are_mapped_read_or_refused)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    es_error err = ES_ERROR_NONE;
    es_file f;
    write_text("some", "abc", 3);
    write_text("none", "", 0);
    ck_assert_works(es_file_open(&f, "some", &err), err);
    ck_assert_uint_eq(f.size, 3);
    ck_assert_mem_eq(f.data, "abc", 3);
    es_file_close(&f);
    ck_assert_works(es_file_open(&f, "none", &err), err);
    ck_assert_uint_eq(f.size, 0);
    ck_assert_ptr_nonnull(f.data);
    es_file_close(&f);
    es_file_close(&f);
    ck_assert_fails(es_file_open(&f, "no\x1bwhere", &err), err, ES_ERR_IO,
                    "cannot open no\\x1bwhere: No such file or directory");
    ck_assert_fails(es_file_open(&f, ".", &err), err, ES_ERR_IO, "cannot read .: Is a directory");
    ck_assert_fails(es_file_open(&f, "/dev/zero", &err), err, ES_ERR_IO,
                    "cannot read /dev/zero: it is a device, not a file");
    free(folder);
}
END_TEST

START_TEST(a_file_is_replaced_whole_or_not_at_all)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    es_error err = ES_ERROR_NONE;
    es_file f;
    write_text("it", "old", 3);
    ck_assert_works(es_file_replace("it", "newer", 5, &err), err);
    ck_assert(es_file_open(&f, "it", &err));
    ck_assert_uint_eq(f.size, 5);
    es_file_close(&f);
    ck_assert(!es_file_replace("nowhere/it", "x", 1, &err));
    ck_assert_int_eq(err.code, ES_ERR_IO);
    es_error_free(&err);
    free(folder);
}
END_TEST

START_TEST(lines_are_bytes_with_a_length)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    static char long_line[200000];
    memset(long_line, 'x', sizeof long_line);
    FILE *file = fopen("lines", "wb");
    ck_assert(file && fwrite("a\0b\n\n\xff\r\n", 1, 8, file) == 8);
    ck_assert(fwrite(long_line, 1, sizeof long_line, file) == sizeof long_line);
    ck_assert(fputs("\nlast", file) >= 0 && fclose(file) == 0);

    int fd = open("lines", O_RDONLY);
    es_lines l = es_lines_of(fd);
    static const size_t want[] = {3, 0, 2, sizeof long_line, 4};
    const char *line;
    size_t len;
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(es_lines_next(&l, &line, &len), 1);
        ck_assert_uint_eq(len, want[i]);
        if (i == 0)
            ck_assert_mem_eq(line, "a\0b", 3);
        if (i == 2)
            ck_assert_mem_eq(line, "\xff\r", 2);
    }
    ck_assert_int_eq(es_lines_next(&l, &line, &len), 0);
    ck_assert_int_eq(es_lines_next(&l, &line, &len), 0);
    es_lines_free(&l);
    close(fd);
    l = es_lines_of(-1);
    ck_assert_int_eq(es_lines_next(&l, &line, &len), -1);
    es_lines_free(&l);
    free(folder);
}
END_TEST

START_TEST(an_asset_that_is_nowhere_names_every_place_tried)
{
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    setenv("EMBEDSCOPE_DATA", "/no/such\x1b/place", 1);
    ck_assert_works(es_place_asset(&path, "bpe/gpt2.vocab.bpe", &err),
                    err); /* the build tree has it */
    ck_assert(!es_place_asset(&path, "no.such", &err));
    ck_assert_int_eq(err.code, ES_ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "/no/such\\x1b/place/no.such, "));
    ck_assert_ptr_nonnull(strstr(err.message, "/assets/no.such, "));
    ck_assert_ptr_nonnull(strstr(err.message, "share/embedscope/no.such"));
    es_error_free(&err);
    char *folder = fresh_folder();
    es_str file = {0};
    es_str_add(&file, "%s/own", folder);
    write_text(file.s, "x", 1);
    setenv("EMBEDSCOPE_DATA", folder, 1);
    ck_assert_works(es_place_asset(&path, "own", &err), err);
    ck_assert_str_eq(path.s, file.s);
    es_str_free(&file);
    es_str_free(&path);
    free(folder);
}
END_TEST

/* FIPS 180-4's own examples, and lengths around the end of a block (values by sha256sum). */
START_TEST(sha256_gives_the_known_answers)
{
    static const struct {
        size_t n;
        const char *want;
    } zeros[] = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"},
        {56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"},
        {63, "c7723fa1e0127975e49e62e753db53924c1bd84b8ac1ac08df78d09270f3d971"},
        {64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"},
        {119, "f616b0d54e78571a9611f343c9f8e022e859e920381ab0e4d3da01e193a7bd7e"},
        {120, "6edd9f6f9cc92cded36e6c4a580933f9c9f1b90562b46903b806f21902a1a54f"},
        {1000, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"},
    };
    static const char abc[] = "abc",
                      two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char is[ES_SHA256_DIGITS + 1];
    es_sha256(is, abc, strlen(abc));
    ck_assert_str_eq(is, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    es_sha256(is, two_blocks, strlen(two_blocks));
    ck_assert_str_eq(is, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static const char nothing[1000];
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        es_sha256(is, nothing, zeros[i].n);
        ck_assert_str_eq(is, zeros[i].want);
        for (size_t piece = 1; piece < 150; piece += 7) {
            es_sha256_sum sum;
            es_sha256_begin(&sum);
            for (size_t at = 0; at < zeros[i].n; at += piece)
                es_sha256_add(&sum, nothing, zeros[i].n - at < piece ? zeros[i].n - at : piece);
            es_sha256_end(is, &sum);
            demand(!strcmp(is, zeros[i].want), "%zu bytes in pieces of %zu", zeros[i].n, piece);
        }
    }
}
END_TEST

START_TEST(user_folders_are_private_and_follow_xdg)
{
    char *folder = fresh_folder();
    es_str path = {0}, want = {0};
    es_error err = ES_ERROR_NONE;
    struct stat st;
    setenv("HOME", folder, 1);
    unsetenv("XDG_STATE_HOME");
    ck_assert_works(es_place_user(&path, ES_XDG_STATE, "history", true, &err), err);
    es_str_add(&want, "%s/.local/state/embedscope/history", folder);
    ck_assert_str_eq(path.s, want.s);
    es_str_cut(&want, want.len - strlen("/history"));
    ck_assert_int_eq(stat(want.s, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0700);
    setenv("XDG_STATE_HOME", "relative", 1); /* to be ignored, says the specification */
    ck_assert(es_place_user(&path, ES_XDG_STATE, "history", false, &err));
    ck_assert_ptr_nonnull(strstr(path.s, "/.local/state/"));
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    ck_assert(es_place_user(&path, ES_XDG_CACHE, "x", false, &err));
    ck_assert_str_eq(path.s, "/somewhere/embedscope/x");
    unsetenv("HOME");
    ck_assert_fails(es_place_user(&path, ES_XDG_STATE, "history", true, &err), err, ES_ERR_IO,
                    "no place for history: neither XDG_STATE_HOME nor HOME is set");
    setenv("HOME", "/proc/nobody", 1);
    ck_assert(!es_place_user(&path, ES_XDG_STATE, "history", true, &err));
    es_error_free(&err);
    es_str_free(&path);
    es_str_free(&want);
    free(folder);
}
END_TEST

START_TEST(memory_a_user_asks_for_is_refused_politely)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_fails(es_try_alloc(SIZE_MAX / 4, 8, "the moon", &err), err, ES_ERR_NOMEM,
                    "no room for the moon: 3.69e+19 bytes");
    void *p = es_try_alloc(0, 8, "nothing", &err);
    ck_assert_ptr_nonnull(p);
    free(p);
}
END_TEST

Suite *base_suite(void)
{
    Suite *s = suite_create("base");
    TCase *tc = tcase_create("base");
    tcase_add_test(tc, an_error_keeps_every_byte_of_a_long_message);
    tcase_add_test(tc, every_error_code_has_a_name);
    tcase_add_test(tc, strings_hold_nul_and_grow);
    tcase_add_test(tc, a_brake_stops_a_long_answer);
    tcase_add_test(tc, utf8_is_what_table_3_7_says);
    tcase_add_test(tc, every_scalar_value_is_written_and_read_back);
    tcase_add_test(tc, what_is_shown_is_visible);
    tcase_add_test(tc, no_control_character_passes_the_sanitiser);
    tcase_add_test(tc, columns_are_counted_as_a_terminal_does);
    tcase_add_test(tc, json_is_json);
    tcase_add_test(tc, philox_gives_the_known_answers);
    tcase_add_test(tc, normal_quantiles_are_right);
    tcase_add_test(tc, rows_are_a_function_of_seed_stream_and_row);
    tcase_add_test(tc, files_are_mapped_read_or_refused);
    tcase_add_test(tc, a_file_is_replaced_whole_or_not_at_all);
    tcase_add_test(tc, lines_are_bytes_with_a_length);
    tcase_add_test(tc, an_asset_that_is_nowhere_names_every_place_tried);
    tcase_add_test(tc, sha256_gives_the_known_answers);
    tcase_add_test(tc, user_folders_are_private_and_follow_xdg);
    tcase_add_test(tc, memory_a_user_asks_for_is_refused_politely);
    suite_add_tcase(s, tc);
    return s;
}
