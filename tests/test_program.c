// SPDX-License-Identifier: GPL-3.0-or-later
/* The program from outside: arguments, pipes, files, exit statuses, signals. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/options.h"
#include "app/train_options.h"
#include "base/file.h"
#include "base/utf8.h"
#include "support.h"

Suite *program_suite(void);

enum { MOST_ARGS = 20 };

static run_result r;
static char source_folder[4096];

static void setup(void)
{
    calm_environment();
    ck_assert_ptr_nonnull(getcwd(source_folder, sizeof source_folder - 4));
    strcat(source_folder, "/src");
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
}

static void teardown(void)
{
    run_result_free(&r);
}

static void run_with(const char *const *args, const char *input, size_t n)
{
    const char *argv[MOST_ARGS + 2] = {program()};
    for (int i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    run_result_free(&r);
    run_program(&r, argv, input, n);
}

#define RUN(...) run_with((const char *const[]){__VA_ARGS__, NULL}, "", 0)
#define FEED(input, ...)                                                                           \
    run_with((const char *const[]){__VA_ARGS__, NULL}, input, sizeof(input) - 1)

static void check(int status, const char *out, const char *err)
{
    ck_assert_msg(r.status == status, "status %d, not %d: %s", r.status, status,
                  es_str_text(&r.err));
    if (out)
        ck_assert_str_eq(es_str_text(&r.out), out);
    if (err)
        ck_assert_str_eq(es_str_text(&r.err), err);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static int n_lines(const es_str *s)
{
    int n = 0;
    for (size_t i = 0; i < s->len; i++)
        n += s->s[i] == '\n';
    return n;
}

/* ---- lines ---- */

START_TEST(lines_from_everywhere_run_in_order)
{
    write_text("three", "#!/usr/bin/env -S embedscope -f\n:decode 3\n");
    FEED("", "--json", "-c", ":decode 1", "-f", "three", "-c", ":decode 4", "-c", "");
    check(0,
          "{\"kind\":\"decode\",\"text\":\"\\\"\",\"hex\":\"22\"}\n"
          "{\"kind\":\"decode\",\"text\":\"$\",\"hex\":\"24\"}\n"
          "{\"kind\":\"decode\",\"text\":\"%\",\"hex\":\"25\"}\n",
          "");
    FEED(":decode 5\n\n:decode 6", "--json", "-f", "-");
    check(0,
          "{\"kind\":\"decode\",\"text\":\"&\",\"hex\":\"26\"}\n{\"kind\":\"decode\",\"text\":\"'"
          "\",\"hex\":\"27\"}\n",
          "");
    FEED(":decode 5\n:quit\n:decode 6\n", "--json");
    check(0, "{\"kind\":\"decode\",\"text\":\"&\",\"hex\":\"26\"}\n{\"kind\":\"none\"}\n", "");
}
END_TEST

START_TEST(a_script_stops_at_the_first_failure_unless_told)
{
    FEED(":decode 1\n:decode x\n:decode 2\n", "--json");
    check(1, NULL, "");
    ck_assert_int_eq(n_lines(&r.out), 2);
    FEED(":decode 1\n:decode x\n:decode 2\n", "--json", "--keep-going");
    check(1, NULL, "");
    ck_assert_int_eq(n_lines(&r.out), 3);
    FEED("hi\n:decode x\n", "-q");
    check(1, NULL,
          "stdin:2: error[value]: a token id is a whole number, not \"x\"\n    :decode x\n         "
          "   ^\n");
    FEED(":decode 1\r\n:decode 2\r\n", "-q");
    check(0, "\"\\\"\"\n\"#\"\n",
          "note: lines here end in \\r\\n, as on Windows: the \\r is part of each text\n");
    write_text("script", ":positions none\n:positions nowhere\n");
    RUN("-f", "script");
    check(1, "",
          "note: positions none: nothing is added, so the order of tokens is lost\n"
          "script:2: error[value]: there are no positions \"nowhere\"\n    :positions nowhere\n"
          "               ^^^^^^^\n  try: learned, sinusoidal or none\n");
    RUN("-c", "=1 +", "-c", "hi");
    check(1, "", NULL);
    RUN("--keep-going", "-c", "=1 +", "-c", "hi");
    check(1, NULL, NULL);
    ck_assert_uint_gt(r.out.len, 0);
}
END_TEST

START_TEST(lines_may_hold_any_byte_and_any_length)
{
    static char long_line[300000];
    memset(long_line, 'a', sizeof long_line);
    memcpy(long_line + 5, "\0\xff\x1b", 3);
    const char *const args[] = {"--json", "-c", ":positions none", "-f", "-", NULL};
    run_with(args, long_line, sizeof long_line);
    check(0, NULL, NULL);
    json_error_t why;
    char *second = strchr(r.out.s, '\n') + 1;
    json_t *o = json_loads(second, JSON_ALLOW_NUL, &why);
    ck_assert_msg(o != NULL, "%s", why.text);
    ck_assert_uint_eq(strlen(json_string_value(json_object_get(o, "hex"))), 2 * sizeof long_line);
    json_decref(o);
    ck_assert_ptr_null(strchr(r.out.s, '\x1b'));
}
END_TEST

START_TEST(statements_run_in_order_with_lines_and_files)
{
    write_text("lines", "seven = 7\n");
    RUN("--json", "-e", "a = 5", "-c", "The cat", "-e", "T", "-f", "lines", "-e", "a");
    check(0, NULL, "");
    const char *last = strstr(r.out.s, "{\"kind\":\"int\"");
    ck_assert_ptr_nonnull(last);
    ck_assert_ptr_nonnull(strstr(last, "{\"kind\":\"int\",\"value\":2}\n{\"kind\":\"text\""));
    ck_assert_ptr_nonnull(strstr(last, "{\"kind\":\"int\",\"value\":5}\n"));
    RUN("--json", "-t", "-f", "lines", "-c", "seven", "-c", ":text", "-c", "= seven", "-c",
        "seven");
    check(0, NULL, "");
    ck_assert_ptr_nonnull(strstr(r.out.s, "{\"kind\":\"none\"}\n{\"kind\":\"int\",\"value\":7}\n"
                                          "{\"kind\":\"none\"}\n{\"kind\":\"int\",\"value\":7}\n"
                                          "{\"kind\":\"text\",\"text\":\"seven\""));
    RUN("-e", "if True:\n    1 + (");
    ck_assert_int_eq(r.status, 1);
    ck_assert_ptr_nonnull(strstr(r.err.s, "error[parse]"));
    RUN("-e", "nobody");
    ck_assert_int_eq(r.status, 1);
    ck_assert_ptr_nonnull(strstr(r.err.s, "error[name]"));
}
END_TEST

START_TEST(a_run_command_includes_a_files_lines)
{
    write_text("lines", ":decode 1\n:decode 2\n");
    write_text("bad", ":decode 1\n:decode x\n");
    RUN("--json", "-c", ":run lines");
    check(0, NULL, "");
    ck_assert_int_eq(n_lines(&r.out), 2);
    RUN("-c", ":run bad");
    check(1, "\"\\\"\"\n", NULL);
    ck_assert_ptr_nonnull(strstr(r.err.s, "bad:2: error[value]"));
    RUN("-c", ":run nowhere");
    check(1, "", NULL);
}
END_TEST

/* ---- options ---- */

START_TEST(a_python_files_docstring_is_no_text)
{
    write_text("own.py", "\"\"\"What it is for.\n\nAnd more.\"\"\"\n\"and this\"\nn = 3\nn\n");
    RUN("-q", "-t", "-f", "own.py", "-e", "T");
    check(1, "3\n", NULL);
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.err), "there is no text yet"));
    RUN("-q", "-t", "-c", ":run own.py");
    check(0, "3\n", "");
    FEED("\"and this\"\n", "-q", "-t");
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.out), "and"));
}
END_TEST

START_TEST(wrong_usage_is_status_2_and_says_where_help_is)
{
    static const struct {
        const char *args[4], *err;
    } cases[] = {
        {{"--nonsense"}, "error[usage]: there is no option --nonsense\n"},
        {{"-x"}, "error[usage]: there is no option -x\n"},
        {{"-c"}, "error[usage]: -c wants an argument\n"},
        {{"--json=1"}, "error[usage]: --json takes no value\n"},
        {{"encode", "--json"},
         "error[usage]: --json and --values go with lines; encode and decode have plain output\n"},
        {{"--model"}, "error[usage]: --model wants an argument\n"},
        {{"--width", "12"},
         "error[usage]: --width is a whole number from 40 to 1000, not \"12\"\n"},
        {{"--width=-80"}, "error[usage]: --width is a whole number from 40 to 1000, not \"-80\"\n"},
        {{"--threads", "0"},
         "error[usage]: --threads is a whole number from 1 to 1024, not \"0\"\n"},
        {{"--seed", "x"},
         "error[usage]: --seed is a whole number from 0 to 18446744073709551615, not \"x\"\n"},
        {{"--color", "red"}, "error[usage]: --color cannot be \"red\"\n"},
        {{"--device", "tpu"}, "error[usage]: --device is cpu, gpu, gpu:N or sim, not \"tpu\"\n"},
        {{"--format", "csv", "encode"}, "error[usage]: --format is ids or u32le, not \"csv\"\n"},
        {{"--format=u32le", "decode"}, "error[usage]: --format belongs to embedscope encode\n"},
        {{"decode", "a", "b"}, "error[usage]: embedscope decode takes one file\n"},
        {{"extract", "a"}, "error[usage]: the form is embedscope extract FILE -o OUT\n"},
        {{"encode", "-o", "a"}, "error[usage]: -o belongs to embedscope extract and plot\n"},
        {{"doctor", "now"}, "error[usage]: embedscope doctor takes no arguments\n"},
        {{"encode", "-c", "hi"},
         "error[usage]: -c, -f and -e go without encode, decode, extract, plot or doctor\n"},
        {{"hi\x1b[2J"}, "error[usage]: embedscope does not know \"hi\\x1b[2J\"\n"},
        {{"The", "cat"},
         "error[usage]: embedscope does not know \"The\"\n  try: embedscope --help\n"
         "  a text is given with -c, in quotes: embedscope -c \"The cat\"\n"},
        {{"/dev/null"},
         "error[usage]: embedscope does not know \"/dev/null\"\n  try: embedscope --help\n"
         "  it is a file: -f runs its lines, embedscope encode FILE gives its ids\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_with(cases[i].args, "", 0);
        check(2, "", NULL);
        ck_assert_msg(!strncmp(r.err.s, cases[i].err, strlen(cases[i].err)), "%s", r.err.s);
        ck_assert_ptr_nonnull(strstr(r.err.s, "try: embedscope --help"));
    }
}
END_TEST

static void check_help(void)
{
    check(0, NULL, "");
    for (char *line = strtok(r.out.s, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(es_columns(line, strlen(line)) <= 80, "%s", line);
}

START_TEST(help_and_version_go_to_stdout)
{
    RUN("--help");
    check_help();
    RUN("train", "--help");
    check_help();
    RUN("-V");
    check(0, "embedscope 0.1.0\n", "");
    RUN("-h", "--json");
    check(0, NULL, "");
}
END_TEST

/* The page without its escapes, so that names are found as they are typed. */
static void read_manual(es_str *page)
{
    es_str path = {0};
    es_str_add(&path, "%.*sembedscope.1", (int)(strrchr(program(), '/') + 1 - program()),
               program());
    es_file f;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_open(&f, path.s, &err), err);
    for (size_t i = 0; i < f.size; i++) {
        ck_assert_msg(f.data[i] < 0x80, "byte %zu of the page is not ASCII", i);
        if (f.data[i] != '\\')
            es_str_char(page, (char)f.data[i]);
    }
    es_file_close(&f);
    es_str_free(&path);
}

static void check_listed(const es_str *page, const char *before, const char *name,
                         const char *after)
{
    es_str want = {0};
    es_str_add(&want, "%s%s%s", before, name, after);
    ck_assert_msg(strstr(page->s, want.s) != NULL, "the manual page has no %s", want.s);
    es_str_free(&want);
}

START_TEST(the_manual_page_has_all_that_the_tables_have)
{
    es_str page = {0};
    read_manual(&page);
    RUN("--help");
    for (size_t i = 0; es_option_at(i); i++) {
        check_listed(&page, "--", es_option_at(i)->name, "fR");
        check_listed(&r.out, "--", es_option_at(i)->name, "");
    }
    RUN("train", "--help");
    es_option of_train;
    for (size_t i = 0; es_train_option_at(i, &of_train); i++) {
        check_listed(&page, "--", of_train.name, "fR");
        check_listed(&r.out, "--", of_train.name, "");
    }
    for (size_t i = 0; es_setting_at(i); i++)
        check_listed(&page, "\n.TP\nfB", es_setting_at(i)->name, "fR");
    RUN("--json", "-c", ":help");
    json_t *o = json_loads(r.out.s, 0, NULL), *command;
    size_t i;
    json_array_foreach(json_object_get(o, "commands"), i, command) check_listed(
        &page, "\n.TP\nfB:", json_string_value(json_object_get(command, "name")), "fR");
    ck_assert_uint_gt(i, 15);
    json_decref(o);
    es_str_free(&page);
}
END_TEST

/* Every variable that the source asks for is explained. */
START_TEST(the_manual_page_knows_the_environment)
{
    es_str page = {0};
    read_manual(&page);
    const char *const look[] = {"sh", "-c",
                                "grep -rhoE 'getenv\\(\"[A-Z_]+\"|\"XDG_[A-Z]+_HOME\"' \"$0\" | "
                                "grep -oE '[A-Z_]{4,}' | sort -u",
                                source_folder, NULL};
    run_program(&r, look, "", 0);
    int n = 0;
    for (char *name = strtok(r.out.s, "\n"); name; name = strtok(NULL, "\n"), n++)
        check_listed(&page, "", name, "");
    ck_assert_int_ge(n, 12);
    es_str_free(&page);
}
END_TEST

/* By whoever of the two is here: nothing to complain about but the date, which the page has not. */
START_TEST(the_manual_page_is_clean)
{
    static const char script[] =
        "page=$(dirname \"$0\")/embedscope.1; "
        "if command -v mandoc >/dev/null; then mandoc -Tlint -Wstyle \"$page\" | grep -v 'missing "
        "date'; fi >&2; "
        "if command -v groff >/dev/null; then groff -man -Tutf8 -ww -z \"$page\"; fi; true";
    const char *const argv[] = {"sh", "-c", script, program(), NULL};
    run_program(&r, argv, "", 0);
    check(0, "", "");
}
END_TEST

START_TEST(version_tells_the_libraries_when_asked)
{
    RUN("--version", "-v");
    check(0, NULL, "");
    ck_assert_int_eq(n_lines(&r.out), 4);
    ck_assert(!strncmp(r.out.s, "embedscope 0.1.0\nproducts  ", 27));
}
END_TEST

START_TEST(what_the_command_line_names_and_cannot_be_read_is_status_3)
{
    static const char *const cases[][4] = {{"-f", "nowhere"},
                                           {"--vocab", "./nowhere"},
                                           {"--model", "midi"},
                                           {"--model", "./x.safetensors"},
                                           {"--wte", "x"},
                                           {"--wpe", "x"},
                                           {"extract", "x", "-ox.out"},
                                           {"--model", "untrained:C=0"},
                                           {"encode", "nowhere"},
                                           {"decode", "nowhere"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_with(cases[i], "", 0);
        check(3, "", NULL);
        ck_assert_msg(!strncmp(r.err.s, "error[", 6), "%s", r.err.s);
    }
    RUN("--json", "--model", "midi");
    check(3, NULL, "");
    ck_assert_ptr_nonnull(strstr(
        r.out.s,
        "{\"kind\":\"error\",\"error\":\"name\",\"message\":\"there is no model \\\"midi\\\"\""));
    setenv("EMBEDSCOPE_OPENCL", "none", 1);
    RUN("--device", "gpu", "-c", "hi");
    check(1, "", NULL);
    ck_assert_ptr_nonnull(strstr(r.err.s, "error[backend]: there is no "));
}
END_TEST

START_TEST(options_may_stand_before_or_after)
{
    write_text("a", "The cat");
    RUN("encode", "a", "--format", "ids");
    check(0, "464 3797\n", "");
    RUN("--format=ids", "encode", "a");
    check(0, "464 3797\n", "");
    RUN("-c", ":decode 1", "--json");
    check(0, "{\"kind\":\"decode\",\"text\":\"\\\"\",\"hex\":\"22\"}\n", "");
}
END_TEST

START_TEST(the_device_sim_and_the_seed_are_taken)
{
    RUN("--json", "--device", "sim", "--threads", "1", "-c", "a");
    check(0, NULL, "");
    ck_assert_ptr_nonnull(strstr(r.out.s, "\"device\":\"sim\""));
    RUN("--json", "--values", "--model", "untrained:C=2", "--seed", "5", "-c", "a");
    es_str first = r.out;
    r.out = (es_str){0};
    RUN("--json", "--values", "--model", "untrained:C=2", "--seed", "5", "-c", "a");
    ck_assert_str_eq(first.s, r.out.s);
    RUN("--json", "--values", "--model", "untrained:C=2", "--seed", "6", "-c", "a");
    ck_assert_str_ne(first.s, r.out.s);
    es_str_free(&first);
}
END_TEST

/* ---- encode and decode ---- */

START_TEST(encode_gives_a_line_a_file)
{
    write_text("a", "The cat");
    write_text("b", "");
    write_text("c", "a<|endoftext|>\n");
    RUN("encode", "a", "b", "c");
    check(0, "464 3797\n\n64 27 91 437 1659 5239 91 29 198\n", "");
    RUN("encode", "--special", "c");
    check(0, "64 50256 198\n", "");
    FEED("The cat", "encode");
    check(0, "464 3797\n", "");
    FEED("The cat", "encode", "-");
    check(0, "464 3797\n", "");
    RUN("encode", "--format=u32le", "a");
    ck_assert_int_eq(r.status, 0);
    ck_assert_uint_eq(r.out.len, 8);
    ck_assert_mem_eq(r.out.s, "\xD0\x01\0\0\xD5\x0E\0\0", 8);
    RUN("encode", "a", "nowhere", "c");
    check(3, "464 3797\n", NULL);
    ck_assert_ptr_nonnull(
        strstr(r.err.s, "error[io]: cannot open nowhere: No such file or directory\n"));
    ck_assert_ptr_nonnull(strstr(r.err.s, "reads files, or standard input"));
    RUN("encode", ".");
    check(3, "", NULL);
}
END_TEST

START_TEST(encode_gives_the_same_by_any_number_of_threads)
{
    es_str text = {0}, one = {0};
    uint64_t state = 9;
    while (text.len < (size_t)thoroughness(2000000, 600000))
        es_str_add(&text, "word%u \u3042\u3044 \n  the", (unsigned)random_below(&state, 1000));
    for (int threads = 1; threads < 4; threads++) {
        char number[4] = {(char)('0' + threads)};
        run_with((const char *const[]){"encode", "--threads", number, NULL}, text.s, text.len);
        check(0, NULL, "");
        if (threads == 1)
            es_str_bytes(&one, r.out.s, r.out.len);
        ck_assert(one.len == r.out.len && !memcmp(one.s, r.out.s, one.len));
    }
    es_str_free(&text);
    es_str_free(&one);
}
END_TEST

START_TEST(decode_gives_back_the_bytes)
{
    FEED("464 3797\n", "decode");
    check(0, "The cat", "");
    FEED("10545\t120\r\n95", "decode"); /* bytes are written raw */
    check(0, " \xE6\xBC\xA2", "");
    FEED("", "decode");
    check(0, "", "");
    FEED("[464, 3797]", "decode");
    check(0, "The cat", "");
    FEED("464 50257", "decode");
    check(1, "The",
          "error[index_range]: there is no token \"50257\" (number 1 in the list)\n"
          "  the vocabulary has V=50257 tokens, 0..50256\n");
    FEED("464 -1", "decode");
    check(1, "The",
          "error[parse]: \"-1\" is no token id (number 1 in the list)\n"
          "  ids are decimal numbers with white space between them, as embedscope encode prints\n");
    FEED("99999999999999999999999", "decode");
    check(1, "", NULL);
}
END_TEST

START_TEST(what_encode_writes_decode_reads)
{
    enum { N = 100000 };
    static char bytes[N];
    uint64_t state = 3;
    for (int i = 0; i < N; i++)
        bytes[i] =
            (char)(random_below(&state, 3) ? 'a' + random_below(&state, 26) : next_random(&state));
    const char *const encode[] = {"encode", NULL}, *const decode[] = {"decode", NULL};
    run_with(encode, bytes, N);
    check(0, NULL, "");
    es_str ids = r.out;
    r.out = (es_str){0};
    run_with(decode, ids.s, ids.len);
    check(0, NULL, "");
    ck_assert_uint_eq(r.out.len, N);
    ck_assert_mem_eq(r.out.s, bytes, N);
    es_str_free(&ids);
}
END_TEST

/* ---- surroundings ---- */

START_TEST(no_colour_prompt_or_history_without_a_terminal)
{
    FEED("The cat\n", "-q");
    check(0, NULL, "");
    ck_assert_ptr_null(strchr(r.out.s, '\x1b'));
    ck_assert_ptr_null(strstr(r.out.s, "text>"));
    es_str path = {0};
    struct stat st;
    es_str_add(&path, "%s/.local", getenv("HOME"));
    ck_assert_int_ne(stat(path.s, &st), 0);
    es_str_free(&path);
    RUN("--color=always", "-c", "The cat");
    ck_assert_ptr_nonnull(strstr(r.out.s, "\x1b["));
    setenv("NO_COLOR", "1", 1);
    RUN("-c", "The cat");
    ck_assert_ptr_null(strchr(r.out.s, '\x1b'));
}
END_TEST

START_TEST(the_same_bytes_in_every_locale)
{
    RUN("-c", "na\u00efve \u6f22\u5b57", "-c", ":nonsense");
    es_str out = r.out, err = r.err;
    r = (run_result){0};
    static const char *const locales[] = {"C", "POSIX", "en_US.UTF-8", "nonsense"};
    for (int i = 0; i < 4; i++) {
        setenv("LC_ALL", locales[i], 1);
        RUN("-c", "na\u00efve \u6f22\u5b57", "-c", ":nonsense");
        ck_assert_str_eq(r.out.s, out.s);
        ck_assert_str_eq(r.err.s, err.s);
    }
    es_str_free(&out);
    es_str_free(&err);
}
END_TEST

START_TEST(a_full_disk_and_a_closed_pipe_are_noticed)
{
    const char *const full[] = {"sh", "-c", "\"$0\" -c 'The cat' -c 'more' > /dev/full", program(),
                                NULL};
    run_program(&r, full, "", 0);
    check(1, "", "error[io]: cannot write the answer: No space left on device\n");
    const char *const bulk[] = {"sh", "-c", "printf 'The cat' | \"$0\" encode > /dev/full",
                                program(), NULL};
    run_result_free(&r);
    run_program(&r, bulk, "", 0);
    check(1, "", "error[io]: cannot write to standard output: No space left on device\n");
    const char *const head[] = {"sh", "-c", "\"$0\" -c ':repeat 1000 a ' -c :tokens | head -1",
                                program(), NULL};
    run_result_free(&r);
    run_program(&r, head, "", 0);
    check(0, NULL, "");
}
END_TEST

START_TEST(closed_standard_files_are_errors_and_nothing_else)
{
    static const struct {
        const char *script;
        int status;
        const char *out;
    } cases[] = {
        {"\"$0\" -c ':decode 1' 1>&-", 1, ""},
        {"\"$0\" 0<&-", 1, ""},
        {"\"$0\" -c ':decode 1' 2>&-", 0, "\"\\\"\"\n"},
        {"\"$0\" -c ':nothing' 2>&-", 1, ""},
        {"\"$0\" encode /dev/null", 0, "\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const argv[] = {"sh", "-c", cases[i].script, program(), NULL};
        run_result_free(&r);
        run_program(&r, argv, "", 0);
        check(cases[i].status, cases[i].out, NULL);
    }
}
END_TEST

START_TEST(without_a_person_no_startup_file_is_read)
{
    const char *const make[] = {
        "sh", "-c",
        "mkdir -p ~/.config/embedscope && echo ':set plain on' > ~/.config/embedscope/rc", NULL};
    run_program(&r, make, "", 0);
    ck_assert_int_eq(r.status, 0);
    write_text("lines", ":set plain\n");
    RUN("-c", ":set plain");
    es_str first = r.out;
    r.out = (es_str){0};
    ck_assert_ptr_nonnull(strstr(first.s, "plain  off  default  "));
    RUN("-f", "lines");
    check(0, first.s, "");
    FEED(":set plain\n", "-q");
    check(0, first.s, "");
    RUN("doctor");
    ck_assert_ptr_nonnull(strstr(r.out.s, "/.config/embedscope/rc\n"));
    es_str_free(&first);
}
END_TEST

START_TEST(doctor_says_what_was_found)
{
    setenv("EMBEDSCOPE_OPENCL", "none", 1);
    RUN("doctor");
    check(0, NULL, "");
    static const char *const words[] = {
        "embedscope  0.1.0", "cpu: OpenBLAS", "sim: ",     "gpu: none",
        "gpt2.tables",       "50000 merges",  "0 lines in"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(r.out.s, words[i]) || (i == 1 && strstr(r.out.s, "no BLAS")),
                      "no %s in %s", words[i], r.out.s);
    const char *window = strstr(r.out.s, "\nwindow "), *fonts = strstr(r.out.s, "\nfonts ");
    ck_assert_msg(window && fonts, "%s", r.out.s);
    ck_assert(strstr(window, "module found, SDL 2.") || strstr(window, "the module of pictures"));
    RUN("--json", "doctor");
    check(0, NULL, "");
    ck_assert_ptr_nonnull(strstr(
        r.out.s, "{\"kind\":\"doctor\",\"checks\":[{\"what\":\"embedscope\",\"found\":\"0.1.0\"}"));
}
END_TEST

/* A copy of the program alone finds its assets where EMBEDSCOPE_DATA says, or tells where it looked. */
START_TEST(assets_are_found_or_every_place_is_named)
{
    const char *const copy[] = {"cp", program(), "alone", NULL};
    run_program(&r, copy, "", 0);
    ck_assert_int_eq(r.status, 0);
    run_result_free(&r);
    const char *const alone[] = {"./alone", "-c", "hi", NULL};
    run_program(&r, alone, "", 0);
    if (r.status == 3) { /* unless a version is installed here */
        ck_assert_ptr_nonnull(
            strstr(r.err.s, "error[io]: cannot find the asset bpe/gpt2.vocab.bpe; tried "));
        ck_assert_ptr_nonnull(strstr(r.err.s, "/assets/bpe/gpt2.vocab.bpe, "));
    }
    es_str data = {0};
    es_str_add(&data, "%.*sassets", (int)(strrchr(program(), '/') + 1 - program()), program());
    setenv("EMBEDSCOPE_DATA", data.s, 1);
    run_result_free(&r);
    run_program(&r, alone, "", 0);
    check(0, NULL, "");
    es_str_free(&data);

    /* Tables of another build are no disaster while the merge list is beside them. */
    const char *const spoil[] = {"sh", "-c",
                                 "mkdir -p data/bpe && cp \"$0\"/bpe/gpt2.vocab.bpe data/bpe && "
                                 "echo old > data/bpe/gpt2.tables",
                                 getenv("EMBEDSCOPE_DATA"), NULL};
    run_result_free(&r);
    run_program(&r, spoil, "", 0);
    ck_assert_int_eq(r.status, 0);
    setenv("EMBEDSCOPE_DATA", "data", 1);
    const char *const json[] = {"./alone", "--json", "-c", "The cat", NULL};
    run_result_free(&r);
    run_program(&r, json, "", 0);
    check(0, NULL, "");
    ck_assert_ptr_nonnull(strstr(r.out.s, "\"ids\":[464,3797]"));

    const char *const mini[] = {"./alone", "--model", "mini", "-c", "hi", NULL};
    run_result_free(&r);
    run_program(&r, mini, "", 0);
    if (r.status) {
        check(3, "", NULL);
        ck_assert_ptr_nonnull(
            strstr(r.err.s, "error[io]: cannot find the asset models/mini.safetensors; tried "
                            "data/models/mini.safetensors, "));
        unsetenv("EMBEDSCOPE_MODEL");
        const char *const usual[] = {"./alone", "-c", "hi", NULL};
        run_result_free(&r);
        run_program(&r, usual, "", 0);
        check(0, NULL, NULL);
        ck_assert_ptr_nonnull(strstr(
            r.err.s, "note: model untrained: stands in for mini, which cannot be read: cannot find "
                     "the asset models/mini.safetensors; tried data/models/mini.safetensors, "));
    }
}
END_TEST

/* What is listed as sha256sum lists it is checked. */
START_TEST(doctor_tells_an_asset_that_is_not_as_released)
{
    ck_assert_int_eq(mkdir("data", 0700), 0);
    write_text("data/one", "abc");
    write_text("data/two", "abd");
    write_text("data/checksums",
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  one\n"
               "a line that is none\n"
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  two\n"
               "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  three");
    setenv("EMBEDSCOPE_DATA", "data", 1);
    RUN("--plain", "doctor");
    check(0, NULL, "");
    static const char *const words[] = {"data/one, 3 B, as released\n",
                                        "data/two, 3 B, not as released: its sha256 is another\n",
                                        "cannot find the asset three; tried data/three, "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        ck_assert_msg(strstr(r.out.s, words[i]), "no %s in %s", words[i], r.out.s);
    ck_assert_int_eq(unlink("data/checksums"), 0);
    RUN("--plain", "doctor");
    ck_assert_ptr_nonnull(strstr(r.out.s, "bpe/gpt2.vocab.bpe, 456 kB, as released\n"));
}
END_TEST

/* A message catalogue with one entry, as gettext's manual lays one out ("The Format of GNU MO Files"). */
static void write_catalogue(const char *path, const char *english, const char *other)
{
    uint32_t n[2] = {(uint32_t)strlen(english), (uint32_t)strlen(other)}, at = 28 + 16;
    uint32_t head[11] = {0x950412de, 0, 1, 28, 36, 0, 28, n[0], at, n[1], at + n[0] + 1};
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(head, sizeof head, 1, f) == 1 && fwrite(english, n[0] + 1, 1, f) == 1 &&
              fwrite(other, n[1] + 1, 1, f) == 1 && fclose(f) == 0);
}

START_TEST(a_slip_in_an_option_is_pointed_out)
{
    RUN("--widht", "50", "-c", "a");
    check(2, "",
          "error[usage]: there is no option --widht\n  try: embedscope --help\n"
          "  did you mean --width ?\n");
    RUN("--modle=x", "-c", "a");
    ck_assert_ptr_nonnull(strstr(r.err.s, "did you mean --model ?"));
    RUN("--json=x", "-c", "a");
    check(2, "", "error[usage]: --json takes no value\n  try: embedscope --help\n");
    RUN("--zzzzzz", "-c", "a");
    ck_assert_ptr_null(strstr(r.err.s, "did you mean"));
    RUN("-c", ":set big=on");
    check(1, "", NULL);
    ck_assert_ptr_nonnull(strstr(r.err.s, "  try: :set big VALUE, with a space\n"));
    RUN("-c", ":set mot");
    ck_assert_ptr_nonnull(strstr(r.err.s, "  did you mean motion ?\n"));
}
END_TEST

START_TEST(messages_come_in_the_language_of_a_reader)
{
    const char *const folders[] = {"sh", "-c",
                                   "mkdir -p data/locale/eo/LC_MESSAGES && "
                                   "ln -s \"$(dirname \"$0\")\"/assets/bpe data/bpe",
                                   program(), NULL};
    run_program(&r, folders, "", 0);
    ck_assert_int_eq(r.status, 0);
    write_catalogue("data/locale/eo/LC_MESSAGES/embedscope.mo", "there is no setting %s",
                    "agordo %s ne ekzistas");
    setenv("EMBEDSCOPE_DATA", "data", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("LANGUAGE", "eo", 1);
    RUN("-c", ":set wid");
    check(1, "", NULL);
    ck_assert_msg(strstr(r.err.s, "error[name]: agordo \"wid\" ne ekzistas\n"), "%s", r.err.s);
    ck_assert_ptr_nonnull(strstr(r.err.s, "settings: big, ")); /* not translated: English */
    RUN("--json", "-c", ":set wid"); /* programs read the same everywhere */
    check(1, NULL, NULL);
    ck_assert_ptr_nonnull(strstr(r.out.s, "\"message\":\"there is no setting \\\"wid\\\"\""));
}
END_TEST

START_TEST(marks_that_editors_leave_are_pointed_out)
{
    FEED("#!x\n", "--json"); /* a text, unless it is in a file of lines */
    check(0, NULL, "");
    ck_assert_int_eq(n_lines(&r.out), 1);
    FEED("\xEF\xBB\xBF:decode 1\n", "--json");
    check(0, NULL,
          "note: the first line begins with a byte order mark, which makes it a text: EF BB BF are "
          "its first bytes\n");
    FEED(":paste\r\na\r\n.\r\n:decode 1\r\n", "--json");
    ck_assert_int_eq(n_lines(&r.out), 2);
    FEED(":paste\na\n:decode 1\n", "--json");
    check(0, NULL, "note: what is being pasted has no line with a dot alone: it ends here\n");
    ck_assert_ptr_nonnull(strstr(r.out.s, "\"text\":\"a\\u000a:decode 1\""));
}
END_TEST

/* Not in a build with the address sanitiser, which wants all there is. */
START_TEST(without_memory_a_line_fails_and_the_next_is_run)
{
    static const char script[] =
        "ulimit -v 600000; export OPENBLAS_NUM_THREADS=1;"
        "printf ':repeat 1000000000 a\\n:decode 1\\n' | exec \"$0\" --json --keep-going";
    const char *const argv[] = {"sh", "-c", script, program(), NULL};
#if defined(__SANITIZE_ADDRESS__)
    return;
#endif
    if (getenv("ES_TEST_SLOW")) /* valgrind has not enough itself */
        return;
    run_program(&r, argv, "", 0);
    check(1, NULL, "");
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.out), "\"error\":\"nomem\""));
    ck_assert_int_eq(n_lines(&r.out), 2);
}
END_TEST

START_TEST(an_interrupt_ends_a_script_with_130)
{
    static const char *const lines[] = {
        "--json --values -c ':positions none' -c ':repeat 3000000 hello' >/dev/null & sleep 1",
        "-c ':positions none' -c ':repeat 3000000 hello' -c :tokens >/dev/null & sleep 1",
        "-c ':repeat 100000000 \" \"' & sleep 0.3",
        "< <(sleep 2; echo) & sleep 0.3",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        /* A shell starts background jobs with SIGINT ignored: bash -m gives them their own. */
        es_str script = {0};
        es_str_add(&script, "\"$0\" %s; kill -INT $!; wait $!; echo $?", lines[i]);
        const char *const argv[] = {"bash", "-mc", script.s, program(), NULL};
        run_result_free(&r);
        run_program(&r, argv, "", 0);
        ck_assert_msg(r.out.len >= 4 && !strcmp(r.out.s + r.out.len - 4, "130\n"), "%s%s",
                      es_str_text(&r.out), es_str_text(&r.err));
        es_str_free(&script);
    }
}
END_TEST

Suite *program_suite(void)
{
    Suite *s = suite_create("program");
    TCase *tc = tcase_create("program");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, lines_from_everywhere_run_in_order);
    tcase_add_test(tc, a_script_stops_at_the_first_failure_unless_told);
    tcase_add_test(tc, lines_may_hold_any_byte_and_any_length);
    tcase_add_test(tc, statements_run_in_order_with_lines_and_files);
    tcase_add_test(tc, a_run_command_includes_a_files_lines);
    tcase_add_test(tc, a_python_files_docstring_is_no_text);
    tcase_add_test(tc, wrong_usage_is_status_2_and_says_where_help_is);
    tcase_add_test(tc, help_and_version_go_to_stdout);
    tcase_add_test(tc, the_manual_page_has_all_that_the_tables_have);
    tcase_add_test(tc, the_manual_page_knows_the_environment);
    tcase_add_test(tc, the_manual_page_is_clean);
    tcase_add_test(tc, version_tells_the_libraries_when_asked);
    tcase_add_test(tc, what_the_command_line_names_and_cannot_be_read_is_status_3);
    tcase_add_test(tc, options_may_stand_before_or_after);
    tcase_add_test(tc, the_device_sim_and_the_seed_are_taken);
    tcase_add_test(tc, encode_gives_a_line_a_file);
    tcase_add_test(tc, encode_gives_the_same_by_any_number_of_threads);
    tcase_add_test(tc, decode_gives_back_the_bytes);
    tcase_add_test(tc, what_encode_writes_decode_reads);
    tcase_add_test(tc, no_colour_prompt_or_history_without_a_terminal);
    tcase_add_test(tc, the_same_bytes_in_every_locale);
    tcase_add_test(tc, a_full_disk_and_a_closed_pipe_are_noticed);
    tcase_add_test(tc, closed_standard_files_are_errors_and_nothing_else);
    tcase_add_test(tc, without_a_person_no_startup_file_is_read);
    tcase_add_test(tc, doctor_says_what_was_found);
    tcase_add_test(tc, doctor_tells_an_asset_that_is_not_as_released);
    tcase_add_test(tc, assets_are_found_or_every_place_is_named);
    tcase_add_test(tc, a_slip_in_an_option_is_pointed_out);
    tcase_add_test(tc, messages_come_in_the_language_of_a_reader);
    tcase_add_test(tc, marks_that_editors_leave_are_pointed_out);
    tcase_add_test(tc, without_memory_a_line_fails_and_the_next_is_run);
    tcase_add_test(tc, an_interrupt_ends_a_script_with_130);
    suite_add_tcase(s, tc);
    return s;
}
