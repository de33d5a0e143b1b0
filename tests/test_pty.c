// SPDX-License-Identifier: GPL-3.0-or-later
/* The real prompt in a pseudo-terminal: keys in, screen out. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "repl/prompt.h"
#include "support.h"
#include "terminal.h"

Suite *pty_suite(void);

static void setup(void)
{
    calm_environment();
}

START_TEST(a_sentence_is_answered_and_ctrl_d_leaves)
{
    START(80, "--color=never");
    expect("embedscope 0.1.0");
    expect(":help lists the commands");
    expect("text> ");
    type("The cat sat\r");
    expect("3 tokens from 11 bytes");
    expect("their sum, what the first block receives");
    expect("try: :shapes shows how ids become x");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
    ck_assert_str_eq(seen.s + seen.len - 2, "\r\n"); /* the shell's prompt gets a line of its own */
}
END_TEST

START_TEST(quiet_has_no_banner_and_quit_leaves)
{
    START(80, "-q");
    expect("text> ");
    ck_assert_ptr_null(memmem(es_str_text(&seen), seen.len, "embedscope", 10));
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(ctrl_c_drops_a_half_typed_line)
{
    START(80, "-q");
    expect("text> ");
    type("half a line");
    expect("half a line");
    type("\x03");
    expect("text> ");
    type(":decode 464\r");
    expect("\"The\"");
    expect("text> ");
    type(":paste\r");
    expect("paste> ");
    type("some text\r");
    expect("paste> ");
    type("\x03");
    expect("text> ");
    type("\x12"
         "half"); /* in the middle of Ctrl-R too */
    type("\x03");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

/* Ctrl-C makes the terminal forget the keys before it: one that was there a moment ago is gone when it is
 * read, and the prompt must not wait for it. */
START_TEST(ctrl_c_right_behind_other_keys_is_not_lost)
{
    START(80, "-q");
    expect("text> ");
    for (int i = 0; i < thoroughness(400, 40); i++) {
        type(i % 2 ? "\x12half" : "half a line");
        usleep((useconds_t)(i * 7 % 300));
        type("\x03");
        expect("text> ");
    }
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(ctrl_c_stops_a_long_line_and_the_prompt_lives)
{
    START(80, "-q");
    expect("text> ");
    type(":repeat 60000000 \" \"\r");
    usleep(300000);
    double start_time = now();
    type("\x03");
    expect("[interrupted]: stopped by Ctrl-C");
    expect("text> ");
    ck_assert_double_lt(now() - start_time, thoroughness(3, 100));
    expect_quiet_without("text> "); /* one prompt, not two */
    type("fine\r");
    expect("1 token from 4 bytes");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

/* The encoding is over, the table of a million tokens is being made or printed. */
START_TEST(ctrl_c_stops_a_long_answer)
{
    START(80, "-q");
    expect("text> ");
    type(":repeat 1000000 hello\r");
    expect("text> ");
    for (int i = 0; i < 3; i++) {
        type(":tokens\r");
        usleep((useconds_t)(200000 + i * 900000));
        double start_time = now();
        type("\x03");
        expect("stopped by Ctrl-C");
        expect("text> ");
        ck_assert_double_lt(now() - start_time, thoroughness(3, 100));
    }
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(utf8_is_typed_in_every_locale)
{
    static const char *const locales[] = {"C", "POSIX", "C.UTF-8", "en_US.UTF-8"};
    for (int i = 0; i < 4; i++) {
        setenv("LC_ALL", locales[i], 1);
        START(80, "--json", "-q");
        expect("text> ");
        type("\u00e9\u6f22\r");
        expect("\"text\":\"\u00e9\u6f22\"");
        expect("text> ");
        type("\x04");
        ck_assert_int_eq(wait_end(), 0);
        close(screen);
    }
    unsetenv("LC_ALL");
    unsetenv("LANG");
    START(80, "--json", "-q");
    expect("text> ");
    type("\u6f22\r");
    expect("\"text\":\"\u6f22\"");
}
END_TEST

START_TEST(a_resize_changes_the_next_answer)
{
    START(80, "-q", "--color=never");
    expect("text> ");
    struct winsize narrow = {.ws_row = 30, .ws_col = 46};
    ck_assert_int_eq(ioctl(screen, TIOCSWINSZ, &narrow), 0);
    usleep(100000);
    type("The cat\r");
    expect("receives");
    expect("text> ");
    struct winsize wide = {.ws_row = 30, .ws_col = 120};
    ck_assert_int_eq(ioctl(screen, TIOCSWINSZ, &wide), 0);
    usleep(100000);
    type("The cat\r");
    expect("tok_emb = wte(ids)");
    expect("text> ");
}
END_TEST

START_TEST(tab_completes_commands_and_leaves_text_alone)
{
    START(80, "--json", "-q");
    expect("text> ");
    type(":pos\tnone\r"); /* the completed name brings its space */
    expect(":positions none");
    expect("{\"kind\":\"none\"}");
    expect("text (no positions)> ");
    type("so\tme /et\t\r");
    expect("\"text\":\"some /et\"");
    type(":model unt\t\r"); /* a name that the program brings, or a file's */
    expect(":model untrained");
    expect("{\"kind\":\"none\"}");
    type(":model /dev/nul\t\r");
    expect(":model /dev/null");
    expect("/dev/null: 0 bytes are no safetensors file");
}
END_TEST

START_TEST(tab_completes_tokens_and_paths)
{
    ck_assert_int_eq(chdir(getenv("HOME")), 0);
    ck_assert_int_eq(system("mkdir 'my dir' && echo :decode 464 > 'my dir/some lines'"), 0);
    START(80, "--json", "-q");
    expect("text> ");
    type("\t\t"); /* no flood */
    expect_quiet_without("Display");
    type(":row \" transfo\tati\tv\t\r"); /* as far as all agree, then with the quote closed */
    expect("\"text\":\" transformative\"");
    type(":run my\tso\t\r");
    expect(":run my dir/some lines");
    expect("\"text\":\"The\"");
    type(":run \"my\tso\t\r");
    expect(":run \"my dir/some lines\"");
    expect("\"text\":\"The\"");
    type("= load(\"my\tso\t)\r"); /* the quote is closed, and no space comes behind it */
    expect("= load(\"my dir/some lines\")");
    expect("my dir/some lines is text");
    type(":row \"c\t\t"); /* hundreds: asks first */
    expect("possibilities? (y or n)");
    type("n");
    type("\x03");
    expect("text> ");
    type("say \"ca\t\t\r"); /* a text is the reader's own */
    expect("\"text\":\"say \\\"ca\"");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(ctrl_d_ends_a_paste_and_not_the_program)
{
    START(80, "-q", "--json");
    expect("text> ");
    type(":paste\r");
    expect("note: a line with a dot alone ends the text, Ctrl-C drops it");
    expect("paste> ");
    type("one\r");
    expect("paste> ");
    type("\x04");
    expect("\"text\":\"one\"");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

/* As the window's keys do: nothing of them is left in the line, which stays. */
START_TEST(the_keys_of_views_draw_here_without_a_window)
{
    START(80, "--plain");
    expect("text> ");
    type("The c");
    expect("The c");
    type("\x1bOQ");
    expect("text> :show positions\r\n");
    expect("component 1: ");
    expect("text> The c");
    type("at\x1b[14~");
    expect("text> :show strips\r\n");
    expect("text> The cat");
    type("\x1b[17~");
    expect("text> :show axes\r\n");
    expect("text> The cat");
    type("\x1b[21~");
    expect("text> :show onehot\r\n");
    expect("text> The cat");
    type("\r");
    expect("tokens: 2\r\n");
}
END_TEST

START_TEST(abbreviations_work_where_a_person_types)
{
    START(80, "-q");
    expect("text> ");
    type(":dec 464\r");
    expect("\"The\"");
    type(":re\r");
    expect("that could be :repeat, :reset");
    type("quit\r");
    expect("that was text; :quit or Ctrl-D leaves");
    type(":q\r");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(history_is_kept_private_and_comes_back)
{
    struct stat st;
    es_str path = {0};
    START(80, "-q");
    expect("text> ");
    type("  first, with spaces\r");
    expect("receives");
    expect("text> ");
    type(":decode 1\r");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    close(screen);
    es_str_add(&path, "%s/.local/state/embedscope/history", getenv("HOME"));
    ck_assert_int_eq(stat(path.s, &st), 0);
    ck_assert_int_eq(st.st_mode & 0777, 0600);
    es_str_free(&path);

    START(80, "-q", "--json");
    expect("text> ");
    type("\x1b[A\x1b[A\r"); /* up, up */
    expect("\"text\":\"  first, with spaces\"");
    expect("text> ");
    type(":history\r");
    expect("{\"kind\":\"history\",\"lines\":[{\"line\":\"  first, with "
           "spaces\"},{\"line\":\":decode 1\"},"
           "{\"line\":\"  first, with spaces\"},{\"line\":\":history\"}]}");
}
END_TEST

/* Standard input is where the lines come from: it is no file to read to its end. */
START_TEST(the_prompt_is_no_file)
{
    START(120, "-q");
    expect("text> ");
    type(":file -\r");
    expect("standard input is this prompt, not a file");
    expect("try: :paste");
    expect("text> ");
    type(":batch -\r");
    expect("standard input is this prompt, not a file");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

/* A device as the history might never end: it is not read. */
START_TEST(a_history_without_an_end_is_refused)
{
    setenv("EMBEDSCOPE_HISTORY", "/dev/zero", 1);
    START(120, "-q");
    expect("note: lines are remembered only until you leave: cannot write /dev/zero: ");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(a_home_that_cannot_be_written_changes_nothing_else)
{
    setenv("HOME", "/proc/nobody", 1);
    START(120, "-q");
    expect("note: lines are remembered only until you leave: cannot make a folder in "
           "/proc/nobody: No such file");
    expect("text> ");
    type("The cat\r");
    expect("receives");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    close(screen);
    setenv("EMBEDSCOPE_HISTORY", "/", 1); /* not a file */
    START(120, "-q");
    expect("note: lines are remembered only until you leave: cannot write /: Is a directory");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    close(screen);
    setenv("EMBEDSCOPE_HISTORY", "", 1); /* none is wanted: nothing to say */
    START(120, "-q");
    expect_quiet_without("note");
}
END_TEST

START_TEST(a_paste_of_several_lines_runs_them_in_turn)
{
    START(80, "-q", "--json");
    expect("text> ");
    type("\x1b[200~:decode 1\n:decode 2\nthe end\x1b[201~\r");
    expect("\"hex\":\"22\"");
    expect("\"hex\":\"23\"");
    expect("\"text\":\"the end\"");
    expect("text> ");
}
END_TEST

START_TEST(a_terminating_signal_leaves_the_terminal_sane)
{
    static const int signals[] = {SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGSEGV, SIGABRT};
    for (int i = 0; i < thoroughness(7, 5); i++) { /* a crash is valgrind's own affair */
        START(80, "-q");
        expect("text> ");
        type("half");
        expect("half");
        ck_assert(!is_sane()); /* the line is being edited */
        kill(child, signals[i]);
        ck_assert_int_eq(wait_end(), 128 + signals[i]);
        ck_assert_msg(is_sane(), "signal %d", signals[i]);
        ck_assert_ptr_nonnull(memmem(seen.s, seen.len, "\x1b[?2004l", 8));
        close(screen);
    }
}
END_TEST

/* Under a shell with job control: a lone session leader cannot be stopped. */
START_TEST(ctrl_z_gives_the_terminal_back_and_fg_the_line)
{
    struct winsize size = {.ws_row = 30, .ws_col = 80};
    es_str line = {0};
    setenv("PS1", "shell$ ", 1);
    child = forkpty(&screen, NULL, NULL, &size);
    if (child == 0) {
        execlp("bash", "bash", "--norc", "--noprofile", "-i", NULL);
        _exit(127);
    }
    expect("shell$ ");
    es_str_add(&line, "%s -q --json\r", program());
    type(line.s);
    es_str_free(&line);
    expect("text> ");
    type("half");
    expect("half");
    type("\x1a");
    expect("Stopped");
    expect("shell$ ");
    type("stty -a | tr ' ' '\\n' | grep -x -e -icanon -e -echo; echo looked\r");
    expect("looked\r\n"); /* as typed */
    expect_quiet_without("-icanon");
    type("fg\r");
    expect("text> half");
    type(" more\r");
    expect("\"text\":\"half more\"");
    expect("text> ");
    type("\x04");
    expect("shell$ ");
}
END_TEST

START_TEST(the_end_of_the_terminal_ends_the_program)
{
    START(80, "-q");
    expect("text> ");
    close(screen);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    child = 0;
    screen = open("/dev/null", O_RDONLY);
}
END_TEST

START_TEST(colours_only_where_they_are_wanted)
{
    START(80, "-q");
    expect("text> ");
    type("The cat\r");
    expect("\x1b[30;48;5;153mThe\x1b[0m");
    expect("text> ");
    type("\x04");
    wait_end();
    close(screen);
    setenv("NO_COLOR", "1", 1);
    START(80, "-q");
    expect("text> ");
    type("The cat\r");
    expect_quiet_without("\x1b[30;48");
    type("\x04");
    wait_end();
    close(screen);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    START(80, "-q");
    expect("text> ");
    type("The cat\r");
    expect_quiet_without("\x1b");
}
END_TEST

START_TEST(ctrl_c_stops_a_long_product)
{
    START(80, "-q");
    expect("text> ");
    type(":positions none\r");
    expect("text (no positions)> ");
    type(":repeat 1000000 hello\r");
    expect("text (no positions)> ");
    type(":onehot\r");
    expect("multiplying");
    usleep(300000);
    double start_time = now();
    type("\x03");
    expect("[interrupted]: stopped by Ctrl-C");
    expect("text (no positions)> ");
    ck_assert_double_lt(now() - start_time, thoroughness(2, 100));
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

/* The terminal gets colours and isolates, the file gets text; and it is whole after a kill. */
START_TEST(a_transcript_of_a_terminal_is_text)
{
    char *folder = fresh_folder();
    es_str line = {0}, want = {0};
    es_str_add(&line, ":transcript %s/t\r", folder);
    START(80, "-q", "--color=always");
    expect("text> ");
    type(line.s);
    expect("is written to ");
    expect("text> ");
    type("\u0645\r");
    expect("\u2068\u0645\u2069");
    expect("try: ");
    expect("text> ");
    kill(child, SIGKILL);
    wait_end();
    es_file f;
    es_error err = ES_ERROR_NONE;
    es_str_cut(&line, 0);
    es_str_add(&line, "%s/t", folder);
    ck_assert_works(es_file_open(&f, line.s, &err), err);
    es_str_bytes(&want, (const char *)f.data, f.size);
    static const char first[] = "text> \u0645\n1 token from 2 bytes";
    ck_assert_msg(!strncmp(want.s, first, sizeof first - 1), "%s", want.s);
    ck_assert_ptr_nonnull(strstr(want.s, "\ntry: "));
    ck_assert_ptr_null(strchr(want.s, '\x1b'));
    ck_assert_ptr_null(strstr(want.s, "\u2068"));
    es_file_close(&f);
    es_str_free(&line);
    es_str_free(&want);
    free(folder);
}
END_TEST

/* Right-to-left cells stand between isolates here, and nowhere else. */
START_TEST(a_terminal_gets_isolates_around_arabic)
{
    START(80, "-q", "--color=never");
    expect("text> ");
    type("\u0645\r");
    expect("\u2068\u0645\u2069");
    expect("channel 0 of \u2068\u0645\u2069:");
    expect("text> ");
    type(":row \u0645\u0631\r");
    expect("\"\u2068\u0645\u0631\u2069\" is not one token but 2: \u2068\u0645\u2069 #25405, "
           "\u2068\u0631\u2069 #26897");
}
END_TEST

START_TEST(an_interactive_prompt_survives_a_missing_gpu)
{
    setenv("EMBEDSCOPE_OPENCL", "none", 1);
    START(80, "-q", "--device", "gpu");
    expect("[backend]: there is no ");
    expect("text> ");
    type("The cat\r");
    expect("receives");
}
END_TEST

/* ---- the startup file ---- */

static void write_startup(const char *folder, const char *text)
{
    es_str path = {0};
    es_str_add(&path, "mkdir -p %s/embedscope", folder);
    ck_assert_int_eq(system(path.s), 0);
    es_str_cut(&path, 0);
    es_str_add(&path, "%s/embedscope/rc", folder);
    FILE *f = fopen(path.s, "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    es_str_free(&path);
}

START_TEST(a_startup_file_is_run_before_the_prompt)
{
    es_str folder = {0};
    es_str_add(&folder, "%s/.config", getenv("HOME"));
    write_startup(folder.s,
                  "# mine\n\n:set plain on\n:set nothing 1\n:set width 200\n:positions none");
    START(120, "-q", "--color=never", "--width", "100");
    expect("/.config/embedscope/rc:4: error[name]: there is no setting \"nothing\"");
    expect("  in the line: \"nothing\"");
    expect("text (no positions)> ");
    type(":set\r");
    expect("plain: on, rc file, ");
    expect("width: 100, option, ");
    expect("text (no positions)> ");
    type("hi\r");
    expect("tokens: 1");
    expect("> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    terminal_close();
    START(120, "--norc", "-q");
    expect("text> ");
    type(":set plain\r");
    expect("off");
    expect("default");
    terminal_close();
    es_str_cut(&folder, 0);
    es_str_add(&folder, "%s/elsewhere", getenv("HOME"));
    setenv("XDG_CONFIG_HOME", folder.s, 1);
    write_startup(folder.s, ":set big on\n:decode 464\n");
    START(120, "-q");
    expect("\"The\"");
    expect("text> ");
    type(":set big\r");
    expect("rc file");
    terminal_close();
    write_startup(folder.s, ":quit\n");
    START(120, "-q");
    ck_assert_int_eq(wait_end(), 0);
    es_str_free(&folder);
}
END_TEST

START_TEST(a_startup_file_that_cannot_be_read_is_said_once)
{
    setenv("XDG_CONFIG_HOME", "/dev", 1); /* none there */
    START(120, "-q", "--color=never");
    expect("text> ");
    expect_quiet_without("error");
    terminal_close();
    setenv("XDG_CONFIG_HOME", getenv("HOME"), 1);
    ck_assert_int_eq(system("mkdir -p \"$HOME\"/embedscope/rc"), 0);
    START(120, "-q", "--color=never");
    expect("error[io]: cannot open ");
    expect("/embedscope/rc: Is a directory");
    expect("text> ");
    terminal_close();
    ck_assert_int_eq(system("rmdir \"$HOME\"/embedscope/rc && mkfifo \"$HOME\"/embedscope/rc"), 0);
    START(120, "-q", "--color=never");
    expect("/embedscope/rc is no file of lines");
    expect("text> ");
}
END_TEST

/* ---- the pager ---- */

/* A pager or an editor of our own. */
static void own_program(const char *variable, const char *script)
{
    es_str path = {0};
    es_str_add(&path, "%s/%s", getenv("HOME"), variable);
    FILE *f = fopen(path.s, "w");
    ck_assert(f && fprintf(f, "#!/bin/sh\n%s\n", script) > 0 && fclose(f) == 0);
    ck_assert_int_eq(chmod(path.s, 0700), 0);
    setenv(variable, path.s, 1);
    es_str_free(&path);
}

static bool is_there(const char *command)
{
    run_result r;
    const char *const argv[] = {"sh", "-c", command, NULL};
    run_program(&r, argv, "", 0);
    bool there = r.status == 0;
    run_result_free(&r);
    return there;
}

START_TEST(answers_longer_than_the_screen_are_paged)
{
    own_program("EMBEDSCOPE_PAGER", "n=$(wc -l); echo \"paged $n lines\"");
    START(80, "-q", "--color=never");
    expect("text> ");
    type(":decode 464\r");
    expect("\"The\"");
    expect("text> ");
    type(":repeat 300 a \r"); /* shown by as many rows as fit */
    expect("tokens from 600 bytes");
    expect("text> ");
    type(":tokens\r");
    expect("paged 303 lines");
    expect("text> ");
    resize(1000, 80); /* now it fits */
    usleep(100000);
    type(":tokens\r");
    expect("599-600");
    expect("text> ");
    type(":set pager always\r");
    expect("text> ");
    type(":decode 464\r");
    expect("paged 1 lines");
    expect("text> ");
    type(":set pager off\r");
    resize(10, 80);
    expect("text> ");
    type(":tokens\r");
    expect("599-600");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(json_and_dumb_terminals_are_not_paged)
{
    own_program("EMBEDSCOPE_PAGER", "cat > /dev/null; echo paged");
    START(80, "-q", "--json");
    resize(3, 80);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("}]}");
    expect_quiet_without("paged");
    type("\x04");
    wait_end();
    terminal_close();
    setenv("TERM", "dumb", 1);
    START(80, "-q");
    resize(3, 80);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("\u2423g");
    expect_quiet_without("paged");
}
END_TEST

/* The environment names the pager: its own variable before the common one, and empty means none. */
START_TEST(the_pager_is_the_one_the_environment_names)
{
    static const struct {
        const char *own, *common, *want;
    } cases[] = {{"sed s/^/own:/", "sed s/^/common:/", "own:\"The\""},
                 {NULL, "sed s/^/common:/ | sed s/com/un/", "unmon:\"The\""},
                 {"", "sed s/The/That/", "\"The\""},
                 {NULL, " ", "\"The\""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].own)
            setenv("EMBEDSCOPE_PAGER", cases[i].own, 1);
        else
            unsetenv("EMBEDSCOPE_PAGER");
        setenv("PAGER", cases[i].common, 1);
        START(80, "-q");
        expect("text> ");
        type(":set pager always\r");
        expect("text> ");
        type(":decode 464\r");
        expect(cases[i].want);
        expect("text> ");
        terminal_close();
    }
}
END_TEST

START_TEST(a_pager_that_is_missing_or_dies_costs_no_answer)
{
    setenv("EMBEDSCOPE_PAGER", "no-such-pager --at-all", 1);
    START(80, "-q");
    resize(5, 80);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("  6  ");
    expect("note: the pager \"no-such-pager --at-all\" cannot be run: No such file");
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("  6  ");
    expect_quiet_without("note"); /* said once */
    terminal_close();
    setenv("EMBEDSCOPE_PAGER", "no-such-pager || exit 127", 1);
    START(200, "-q");
    resize(5, 200);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("  6  ");
    expect("cannot be run: No such file or directory");
    terminal_close();
    own_program("EMBEDSCOPE_PAGER", "stty raw -echo < /dev/tty; kill -9 $$");
    START(200, "-q");
    resize(5, 200);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("was ended by signal 9 (Killed); :set pager off does without");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
    terminal_close();
    own_program("EMBEDSCOPE_PAGER", "exit 3");
    START(200, "-q");
    resize(5, 200);
    expect("text> ");
    type(":tokens a b c d e f g\r");
    expect("ended with status 3; :set pager off does without");
    expect("text> ");
}
END_TEST

/* A million lines, of which the reader wants the first. */
START_TEST(less_may_be_left_early_and_has_ctrl_c_for_itself)
{
    if (!is_there("command -v less"))
        return;
    unsetenv("EMBEDSCOPE_PAGER");
    START(80, "-q", "--color=always");
    expect("text> ");
    type(":repeat 300000 hello\r");
    expect("text> ");
    for (int i = 0; i < 2; i++) {
        type(":tokens\r");
        expect("pos");
        if (i) {
            usleep(200000);
            type("\x03");
            expect_quiet_without("text> ");
        }
        type("q");
        expect("text> ");
    }
    type(":decode 464\r");
    expect("The");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

/* ---- the editor, and looking back ---- */

START_TEST(edit_runs_what_the_editor_leaves)
{
    own_program("EDITOR", "sed -i s/464/262/ \"$1\"; echo :decode 1 >> \"$1\"; stat -c %a \"$1\"");
    START(100, "-q", "--json");
    expect("text> ");
    type(":decode 464\r");
    expect("\"The\"");
    expect("text> ");
    type(":ed\r"); /* shortened, and not the line to edit */
    expect("600\r\n");
    expect("\"text\":\" the\"");
    expect("\"text\":\"\\\"\"");
    expect("text> ");
    type("\x1b[A"); /* what was run is in the history, as one entry */
    expect(":decode 262");
    expect(":decode 1");
    type("\x03");
    expect("text> ");
    ck_assert_int_eq(setenv("VISUAL", "false", 1), 0);
    terminal_close();
    START(100, "-q", "--color=never");
    expect("text> ");
    type(":edit\r");
    expect("error[io]: the editor \"false\" ended with status 1");
    expect("text> ");
    terminal_close();
    setenv("VISUAL", "no-such-editor", 1);
    START(100, "-q", "--color=never");
    expect("text> ");
    type(":edit\r");
    expect("error[io]: the editor \"no-such-editor\" cannot be run: No such file or directory");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(history_finds_lines_by_what_is_in_them)
{
    START(100, "-q", "--json");
    expect("text> ");
    type(":decode 1\r");
    expect("text> ");
    type("The cat\r");
    expect("text> ");
    type(":decode 2\r");
    expect("text> ");
    type(":history -g code\r");
    expect("{\"kind\":\"history\",\"lines\":[{\"number\":\"1\",\"line\":\":decode 1\"},"
           "{\"number\":\"3\",\"line\":\":decode 2\"},"
           "{\"number\":\"4\",\"line\":\":history -g code\"}]}");
    type(":history -g \" cat\"\r");
    expect("\"lines\":[{\"number\":\"2\",\"line\":\"The cat\"},"
           "{\"number\":\"5\"");
    type(":history -g\r");
    expect("the form is :history [N|-g TEXT]");
}
END_TEST

Suite *pty_suite(void)
{
    Suite *s = suite_create("pty");
    TCase *tc = tcase_create("prompt");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, terminal_close);
    tcase_add_test(tc, a_sentence_is_answered_and_ctrl_d_leaves);
    tcase_add_test(tc, quiet_has_no_banner_and_quit_leaves);
    tcase_add_test(tc, ctrl_c_stops_a_long_line_and_the_prompt_lives);
    tcase_add_test(tc, the_keys_of_views_draw_here_without_a_window);
    tcase_add_test(tc, abbreviations_work_where_a_person_types);
    tcase_add_test(tc, ctrl_d_ends_a_paste_and_not_the_program);
    tcase_add_test(tc, the_prompt_is_no_file);
    tcase_add_test(tc, a_history_without_an_end_is_refused);
    tcase_add_test(tc, a_home_that_cannot_be_written_changes_nothing_else);
    tcase_add_test(tc, the_end_of_the_terminal_ends_the_program);
    tcase_add_test(tc, an_interactive_prompt_survives_a_missing_gpu);
    tcase_add_test(tc, a_terminal_gets_isolates_around_arabic);
    tcase_add_test(tc, a_resize_changes_the_next_answer);
    tcase_add_test(tc, ctrl_c_stops_a_long_answer);
    tcase_add_test(tc, ctrl_c_stops_a_long_product);
    tcase_add_test(tc, a_transcript_of_a_terminal_is_text);
    tcase_add_test(tc, ctrl_c_drops_a_half_typed_line);
    tcase_add_test(tc, ctrl_c_right_behind_other_keys_is_not_lost);
    tcase_add_test(tc, utf8_is_typed_in_every_locale);
    tcase_add_test(tc, tab_completes_tokens_and_paths);
    tcase_add_test(tc, tab_completes_commands_and_leaves_text_alone);
    tcase_add_test(tc, history_is_kept_private_and_comes_back);
    tcase_add_test(tc, a_paste_of_several_lines_runs_them_in_turn);
    tcase_add_test(tc, a_terminating_signal_leaves_the_terminal_sane);
    tcase_add_test(tc, ctrl_z_gives_the_terminal_back_and_fg_the_line);
    tcase_add_test(tc, colours_only_where_they_are_wanted);
    tcase_add_test(tc, a_startup_file_is_run_before_the_prompt);
    tcase_add_test(tc, a_startup_file_that_cannot_be_read_is_said_once);
    tcase_add_test(tc, answers_longer_than_the_screen_are_paged);
    tcase_add_test(tc, json_and_dumb_terminals_are_not_paged);
    tcase_add_test(tc, the_pager_is_the_one_the_environment_names);
    tcase_add_test(tc, a_pager_that_is_missing_or_dies_costs_no_answer);
    tcase_add_test(tc, less_may_be_left_early_and_has_ctrl_c_for_itself);
    tcase_add_test(tc, edit_runs_what_the_editor_leaves);
    tcase_add_test(tc, history_finds_lines_by_what_is_in_them);
    suite_add_tcase(s, tc);
    return s;
}
