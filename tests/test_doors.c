// SPDX-License-Identifier: GPL-3.0-or-later
/* Every way by which bytes come in, with bytes that would steer a terminal: none comes out as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "support.h"

Suite *doors_suite(void);

/* Controls, DEL, C1 as UTF-8 and as lone bytes, marks and overrides of direction, what is no UTF-8. */
static const char hostile[] = "\x1b]0;x\x07\x1b[2J\b\x7f\t\x9b"
                              "31m\xc2\x9b"
                              "31m\u202e\u2066\u200f\u061c\xff\xed\xa0\x80\u2028z";

static run_result r;

static void setup(void)
{
    calm_environment();
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    FILE *f = fopen(hostile, "wb");
    ck_assert(f && fprintf(f, "a%sb\n:set %s\n#%s\n", hostile, hostile, hostile) > 0 &&
              fclose(f) == 0);
}

static void teardown(void)
{
    run_result_free(&r);
}

static bool steers(uint32_t cp)
{
    return (cp < 0x20 && cp != '\n') || (cp >= 0x7F && cp < 0xA0) || cp == 0x061C || cp == 0x200E ||
           cp == 0x200F || (cp >= 0x2028 && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069);
}

static void check_calm(const es_str *s, const char *door)
{
    for (size_t i = 0; i < s->len;) {
        uint32_t cp = 0;
        int len = es_utf8_next(s->s + i, s->len - i, &cp);
        demand(len && !steers(cp), "%s: byte %zu is %02x", door, i, (unsigned char)s->s[i]);
        i += (size_t)len;
    }
}

/* @ stands for the hostile bytes. */
static char *filled(const char *template)
{
    es_str s = {0};
    for (; *template; template ++)
        if (*template == '@')
            es_str_cat(&s, hostile);
        else
            es_str_bytes(&s, template, 1);
    return es_str_take(&s);
}

enum { MOST_WORDS = 12 };

/* argv after the program; words separated by |. */
static void run_door(const char *door, const char *mode)
{
    const char *argv[MOST_WORDS] = {program()};
    size_t n = 1;
    if (*mode)
        argv[n++] = mode;
    char *words = filled(door), *rest = words;
    for (char *word; n < MOST_WORDS - 1 && (word = strsep(&rest, "|"));)
        argv[n++] = word;
    char *input = filled("a@b\n:@\n:decode @\n:tokens @\n:set @ @\n:paste\n@\n.\n:history\n");
    run_result_free(&r);
    run_program(&r, argv, input, strlen(input));
    demand(r.status <= 3, "%s %s: status %d", door, mode, r.status);
    check_calm(&r.out, door);
    check_calm(&r.err, door);
    free(words);
    free(input);
}

static const char *const doors[] = {
    /* lines */
    "--keep-going",
    "-c|a @ b",
    "-c|:@",
    "-c|:help @",
    "-c|:tokens @",
    "-c|:merges @",
    "-c|:decode @",
    "-c|:row @",
    "-c|:row \"@\"",
    "-c|:row #@",
    "-c|:text @",
    "-c|:batch \"@\" \"@\"",
    "-c|:batch @",
    "-c|:repeat 3 @",
    "-c|:repeat @ 3",
    "-c|:positions @",
    "-c|:set @",
    "-c|:set @ on",
    "-c|:set width @",
    "-c|:time @",
    "-c|a b|-c|:cosine @",
    "-c|a b|-c|:cosine @0 @",
    "-c|a @ b|-c|:cosine|-c|:onehot|-c|:concat",
    "-c|a @ b|-c|:onehot @",
    "-c|a @ b|-c|:concat Cp=@",
    "-c|a @ b|-c|:shapes code=@",
    "-c|a @ b|-c|:shapes code=c",
    "-c|:transcript no@|-c|a @ b|-c|:transcript|-c|:transcript off",
    "-c|:transcript no@/no",
    "-c|:near @",
    "-c|:near \"@\" - #@",
    "-c|:near the by=@",
    "-c|:near the top=@",
    "-c|:find @",
    "-c|:find \"@\"",
    "-c|:find /@(/",
    "-c|:vocab @",
    "-c|= @",
    "-e|@",
    /* files, there or not */
    "-c|:file @",
    "-c|:file no@",
    "-c|:run @",
    "-c|:run no@",
    "-f|@|--keep-going",
    "-f|no@",
    "encode|no@",
    "decode|no@",
    "decode|@",
    "--vocab|@",
    "--vocab|no@",
    "--model|@",
    "--model|no@",
    "--model|untrained:@=3",
    "--wte|@",
    "--wpe|no@",
    "-c|:model @",
    "-c|:model no@",
    "-c|:model untrained:@",
    "extract|@|-o|x",
    "extract|no@|-o|@",
    /* the command line */
    "@",
    "--@",
    "--device|@",
    "--threads|@",
    "--seed|@",
    "--width|@",
    "--color=@",
    "encode|--format=@",
};

static const char *const modes[] = {"", "--plain", "--json", "--width=40"};

START_TEST(no_byte_that_steers_a_terminal_comes_out)
{
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        run_door(doors[_i], modes[m]);
}
END_TEST

/* The environment is a door too. */
START_TEST(no_folder_that_the_environment_names_comes_out)
{
    static const char *const names[] = {
        "EMBEDSCOPE_DATA", "HOME",          "XDG_STATE_HOME", "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",  "XDG_DATA_HOME", "TERM",           "EMBEDSCOPE_MODEL"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        calm_environment();
        setenv(names[i], hostile, 1);
        run_door("-c|:doctor|-c|a", "");
    }
}
END_TEST

Suite *doors_suite(void)
{
    Suite *s = suite_create("doors");
    TCase *tc = tcase_create("bytes");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, no_byte_that_steers_a_terminal_comes_out, 0,
                        (int)(sizeof doors / sizeof *doors));
    tcase_add_test(tc, no_folder_that_the_environment_names_comes_out);
    suite_add_tcase(s, tc);
    return s;
}
