// SPDX-License-Identifier: GPL-3.0-or-later
/* Corpus files: plain, packed, damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"
#include "train/reader.h"

Suite *reader_suite(void);

static es_error err;
static es_reader r;

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    err = ES_ERROR_NONE;
}

static void teardown(void)
{
    es_reader_close(&r);
    es_error_free(&err);
}

static void write_bytes(const char *path, const void *bytes, size_t n)
{
    unlink(path); /* a file that is cut short is written to disk at once */
    FILE *f = fopen(path, "wb");
    demand(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0, "%s cannot be written", path);
}

#define TEXT(path, text) write_bytes(path, text, sizeof(text) - 1)

static void reads(const char *path, const char *text, size_t n)
{
    ck_assert_works(es_reader_open(&r, path, NULL, &err), err);
    demand(r.size == n && !memcmp(r.text, text, n), "%s: %zu bytes, not %zu", path, r.size, n);
}

/* As zstd 1.5.4 packs it, with a checksum; a frame to be skipped; 300,000 zeros; a frame that promises 2^62
 * bytes and holds five. */
#define HELLO "hello, hello, hello, hello\n"
static const unsigned char packed[] = {0x28, 0xb5, 0x2f, 0xfd, 0x24, 0x1b, 0x75, 0x00, 0x00,
                                       0x40, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x2c, 0x20, 0x0a,
                                       0x01, 0x00, 0x4a, 0x8a, 0x11, 0xf0, 0x97, 0x7b, 0x2a};
static const unsigned char skipped[] = {0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
static const unsigned char zeros[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x54, 0x00, 0x00, 0x10, 0x00, 0x00, 0x01, 0x00, 0xfb, 0xff,
    0x39, 0xc0, 0x02, 0x02, 0x00, 0x10, 0x00, 0x03, 0x9f, 0x04, 0x00, 0x2d, 0x28, 0xde, 0x26};
static const unsigned char boast[] = {0x28, 0xb5, 0x2f, 0xfd, 0xC0, 0x00, 0,   0,   0,   0,   0,
                                      0,    0,    0x40, 0x29, 0,    0,    'h', 'e', 'l', 'l', 'o'};
static const unsigned char wide[] = {0x28, 0xb5, 0x2f, 0xfd, 0x04, 0xF8, 0, 0, 0};

static size_t join(unsigned char *out, size_t at, const void *bytes, size_t n)
{
    memcpy(out + at, bytes, n);
    return at + n;
}

START_TEST(plain_text_is_mapped_as_it_is)
{
    TEXT("a.zst", "not packed, whatever its name\n");
    reads("a.zst", "not packed, whatever its name\n", 30);
    ck_assert(r.is_utf8 && r.file.mapped);
    es_reader_close(&r);
    TEXT("empty", "");
    reads("empty", "", 0);
    ck_assert(r.is_utf8);
}
END_TEST

START_TEST(frames_are_one_text_and_skippable_ones_are_none)
{
    unsigned char file[3 * sizeof packed + 2 * sizeof skipped];
    size_t n = join(file, 0, skipped, sizeof skipped);
    n = join(file, n, packed, sizeof packed);
    n = join(file, n, skipped, sizeof skipped);
    n = join(file, n, packed, sizeof packed);
    write_bytes("two", file, n);
    reads("two", HELLO HELLO, 2 * (sizeof HELLO - 1));
    ck_assert(r.is_utf8);
    es_reader_close(&r);
    write_bytes("skipped", skipped, sizeof skipped);
    reads("skipped", "", 0);
}
END_TEST

START_TEST(a_text_longer_than_its_file_is_unpacked_in_blocks)
{
    write_bytes("zeros", zeros, sizeof zeros);
    ck_assert_works(es_reader_open(&r, "zeros", NULL, &err), err);
    ck_assert_uint_eq(r.size, 300000);
    for (size_t i = 0; i < r.size; i++)
        demand(r.text[i] == 0, "byte %zu", i);
    ck_assert_uint_lt(r.unpacked.cap, 1 << 20);
}
END_TEST

START_TEST(a_packed_file_cut_anywhere_is_refused)
{
    char want[200];
    for (size_t n = 4; n < sizeof packed; n++) {
        write_bytes("cut", packed, n);
        snprintf(want, sizeof want,
                 "cannot train on cut: its zstd data are cut off at byte %zu, the end of the file",
                 n);
        demand(!es_reader_open(&r, "cut", NULL, &err), "%zu bytes are enough", n);
        demand(err.code == ES_ERR_FORMAT && !strcmp(err.message, want), "%s", err.message);
        es_error_free(&err);
    }
}
END_TEST

START_TEST(damage_is_named_by_its_byte)
{
    unsigned char file[2 * sizeof packed];
    size_t n = join(file, 0, packed, sizeof packed);
    n = join(file, n, packed, sizeof packed);
    file[n - 1] ^= 1;
    write_bytes("sum", file, n);
    ck_assert_fails(es_reader_open(&r, "sum", NULL, &err), err, ES_ERR_FORMAT,
                    "cannot train on sum: its zstd data are damaged at byte 50 (Restored data "
                    "doesn't match checksum)");
    memcpy(file, packed, sizeof packed);
    memcpy(file + sizeof packed, "rest", 4);
    write_bytes("rest", file, sizeof packed + 4);
    ck_assert_fails(es_reader_open(&r, "rest", NULL, &err), err, ES_ERR_FORMAT,
                    "cannot train on rest: its zstd data are damaged at byte 27 (Unknown frame "
                    "descriptor)");
    write_bytes("boast", boast, sizeof boast);
    ck_assert(!es_reader_open(&r, "boast", NULL, &err));
    ck_assert_int_eq(err.code, ES_ERR_FORMAT);
    es_error_free(&err);
    write_bytes("wide", wide, sizeof wide);
    ck_assert_fails(es_reader_open(&r, "wide", NULL, &err), err, ES_ERR_FORMAT,
                    "cannot train on wide: its zstd frame wants a window beyond 128 MiB (byte 5)");
}
END_TEST

START_TEST(any_damaged_byte_gives_an_error_or_a_text)
{
    unsigned char file[sizeof zeros];
    for (size_t i = 0; i < sizeof zeros; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(file, zeros, sizeof zeros);
            file[i] ^= (unsigned char)(1 << bit);
            write_bytes("bit", file, sizeof file);
            if (!es_reader_open(&r, "bit", NULL, &err))
                demand(err.code == ES_ERR_FORMAT, "byte %zu: %s", i, err.message);
            es_error_free(&err);
            es_reader_close(&r);
        }
}
END_TEST

START_TEST(what_is_packed_twice_is_refused)
{
    static const unsigned char twice[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 4,   0x21,
                                          0,    0,    0x28, 0xb5, 0x2f, 0xfd};
    write_bytes("twice", twice, sizeof twice);
    ck_assert_fails(es_reader_open(&r, "twice", NULL, &err), err, ES_ERR_FORMAT,
                    "cannot train on twice: it is packed by zstd twice");
}
END_TEST

START_TEST(what_is_no_utf8_is_noted_and_kept)
{
    TEXT("latin", "caf\xe9\n");
    reads("latin", "caf\xe9\n", 5);
    ck_assert(!r.is_utf8);
    ck_assert_uint_eq(r.odd, 3);
    es_reader_close(&r);
    TEXT("gzip", "\x1f\x8b\x08\0\0\0\0\0");
    ck_assert_fails(es_reader_open(&r, "gzip", NULL, &err), err, ES_ERR_FORMAT,
                    "cannot train on gzip: it is a file packed by gzip");
    ck_assert_ptr_null(r.text);
    ck_assert_fails(es_reader_open(&r, "missing", NULL, &err), err, ES_ERR_IO,
                    "cannot open missing: No such file or directory");
}
END_TEST

START_TEST(unpacking_can_be_stopped)
{
    es_watch watch = {.cancel = true};
    write_bytes("packed", packed, sizeof packed);
    ck_assert_fails(es_reader_open(&r, "packed", &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    TEXT("plain", "a text");
    ck_assert_fails(es_reader_open(&r, "plain", &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
}
END_TEST

START_TEST(without_zstd_a_packed_file_is_said_to_be_one)
{
    write_bytes("packed", packed, sizeof packed);
    ck_assert_fails(es_reader_open(&r, "packed", NULL, &err), err, ES_ERR_UNSUPPORTED,
                    "cannot train on packed: it is packed by zstd, and this program was built "
                    "without");
}
END_TEST

Suite *reader_suite(void)
{
    Suite *s = suite_create("reader");
    TCase *tc = tcase_create("files");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, plain_text_is_mapped_as_it_is);
    tcase_add_test(tc, what_is_no_utf8_is_noted_and_kept);
    if (es_reader_knows_zstd()) {
        tcase_add_test(tc, what_is_packed_twice_is_refused);
        tcase_add_test(tc, frames_are_one_text_and_skippable_ones_are_none);
        tcase_add_test(tc, a_text_longer_than_its_file_is_unpacked_in_blocks);
        tcase_add_test(tc, a_packed_file_cut_anywhere_is_refused);
        tcase_add_test(tc, damage_is_named_by_its_byte);
        tcase_add_test(tc, any_damaged_byte_gives_an_error_or_a_text);
        tcase_add_test(tc, unpacking_can_be_stopped);
    } else {
        tcase_add_test(tc, without_zstd_a_packed_file_is_said_to_be_one);
    }
    suite_add_tcase(s, tc);
    return s;
}
