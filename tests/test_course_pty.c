// SPDX-License-Identifier: GPL-3.0-or-later
/* The course that comes with the program, taken from its first step to its last in a pseudo-terminal, by somebody who gives
 * each wrong answer there is a word on, then the right one, and whose program is killed on the way.
 *
 * Each lesson is taken in one of three ways and killed after every third step; ES_TEST_WHOLE_COURSE=1: in all three, and
 * killed after each. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/utf8.h"
#include "learner.h"
#include "lesson/course.h"
#include "lesson/draw.h"
#include "lesson/prose.h"
#include "support.h"
#include "terminal.h"

Suite *course_pty_suite(void);

/* How it is taken. */
typedef struct way {
    const char *name, *term, *args[4];
    int columns;
    bool plain, colour;
} way;
static const way ways[] = {
    {"80 columns", "xterm", {"-q", "--color=always"}, 80, false, true},
    {"50 columns", "xterm", {"-q", "--color=never"}, 50, false, false},
    {"plain", "dumb", {"-q", "--plain", "--color=never"}, 80, true, false},
};
enum { N_WAYS = sizeof ways / sizeof *ways, KILL_EVERY = 3, SLOW_LESSONS = 2 };

static es_course course;
static es_error err;
static es_drawn drawn;
static const way *how;
static const es_course_entry *lesson;
static size_t step; /* from 0 */

static es_str said;   /* since the last line was typed, without sequences of the terminal */
static es_str prompt; /* that waits now */
static int kills;

static bool whole(void)
{
    return getenv("ES_TEST_WHOLE_COURSE") != NULL;
}

static void setup(void)
{
    calm_environment();
    unsetenv("EMBEDSCOPE_MODEL");
    err = ES_ERROR_NONE;
    ck_assert_works(es_course_open(&course, &err), err);
}

static void teardown(void)
{
    terminal_close();
    es_str_free(&said);
    es_str_free(&prompt);
    es_drawn_free(&drawn);
    es_course_free(&course);
}

#define fail_here(...)                                                                             \
    do {                                                                                           \
        es_str why = {0};                                                                          \
        es_str_add(&why, __VA_ARGS__);                                                             \
        ck_abort_msg("%d.%zu at %s: %s\n%.2500s", lesson->number, step + 1, how->name, why.s,      \
                     es_str_text(&said));                                                          \
    } while (0)

/* ---- what comes out ---- */

/* "near: …", as --plain has answers: those are as long as they are. */
static bool is_named_value(const char *line, size_t n)
{
    const char *colon = memchr(line, ':', n);
    return how->plain && colon && colon[1] == ' ' && colon - line < 60;
}

/* A line that is whole: as wide as the terminal at most. */
static void look_at_line(const char *line, size_t n)
{
    int columns = es_columns(line, n);
    if (columns > how->columns && !is_named_value(line, n))
        fail_here("a line of %d columns: %.*s", columns, (int)n, line);
}

/* The end of a sequence that begins at s: colours where they are wanted, and what erases a line; anything else fails. */
static const char *pass_sequence(const char *s)
{
    size_t digits = s[1] == '[' ? strspn(s + 2, "0123456789;") : 0;
    char end = s[1] == '[' ? s[2 + digits] : '\0';
    if (!((end == 'm' && how->colour) || (end == 'K' && digits == 0)))
        fail_here("a sequence of the terminal: ESC %.8s", s + 1);
    return s + 3 + digits;
}

/* What keeps a word that is written from right to left in its place. */
static bool is_isolate(uint32_t cp)
{
    return cp >= 0x2066 && cp <= 0x2069;
}

/* What the program printed, n bytes, as a reader has it in the end: appended to said. */
static void look_at(const char *s, size_t n)
{
    es_str line = {0};
    for (const char *end = s + n; s < end;) {
        uint32_t cp;
        int bytes = es_utf8_next(s, (size_t)(end - s), &cp);
        if (*s == '\x1b') {
            s = pass_sequence(s);
        } else if (*s == '\n' || *s == '\r') {
            look_at_line(es_str_text(&line), line.len);
            bool over = *s == '\r' && s[1] != '\n'; /* it begins anew */
            if (*s++ == '\n')
                es_str_add(&said, "%s\n", es_str_text(&line));
            if (over || s[-1] == '\n')
                es_str_cut(&line, 0);
        } else {
            if (bytes == 0 || !(es_char_visible(cp) || is_isolate(cp)))
                fail_here("a byte %02X that is not to be seen", (unsigned char)*s);
            es_str_bytes(&line, s, (size_t)bytes);
            s += bytes;
        }
    }
    es_str_cat(&said, es_str_text(&line));
    es_str_free(&line);
}

/* ---- prompts ---- */

#define ASKS "\x1b[?2004h"   /* a prompt stands behind it */
#define TOOK "\x1b[?2004l\r" /* and what the program says behind this */

static const char *last(const char *s, const char *what)
{
    const char *found = NULL;
    for (; (s = strstr(s, what)); s++)
        found = s;
    return found;
}

static bool ends_in_prompt(const char *s)
{
    size_t n = strlen(s);
    return n > 2 && !strcmp(s + n - 2, "> ") && n < 60 && !strchr(s, '\n');
}

/* Is a prompt there, and where do the program's words begin and end?  In a dumb terminal readline marks neither. */
static bool find_words(const char *all, const char **from, const char **to, const char **at)
{
    bool dumb = !strcmp(how->term, "dumb");
    const char *took = dumb ? "\n" : TOOK, *asks = dumb ? "\n" : ASKS;
    const char *typed = strstr(all, took);
    *from = typed ? typed + strlen(took) : all;
    const char *end = typed ? last(dumb ? typed : *from, asks) : NULL;
    *at = end ? end + strlen(asks) : all;
    *to = dumb ? *at : end;
    return end && ends_in_prompt(*at);
}

/* Until the program waits for a line; only then is nothing more to come. */
static void await_prompt(void)
{
    double end = now() + 3 * PATIENCE / 1000.0; /* a short training is among the steps */
    const char *from, *to, *at;
    while (!find_words(es_str_text(&seen), &from, &to, &at) || read_more(10))
        if (!read_more(50) && now() > end)
            fail_here("no prompt came: %.1000s", es_str_text(&seen));
    find_words(es_str_text(&seen), &from, &to, &at);
    es_str_cut(&prompt, 0);
    es_str_cat(&prompt, at);
    look_at(from, (size_t)(to - from));
}

/* Type a line, and hear all that is said to it. */
static void say(const char *line)
{
    es_str_cut(&said, 0);
    es_str_cut(&seen, 0);
    type(line);
    type("\r");
    await_prompt();
}

static void begin(void)
{
    setenv("TERM", how->term, 1);
    start(how->args, how->columns);
    expect("text> ");
}

static void killed(void)
{
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    waitpid(child, NULL, 0);
    child = 0;
    terminal_close();
    kills++;
}

/* ---- what is said ---- */

/* Letters alone: where lines break, whether code stands in backquotes, and how its spaces are drawn, is another matter. */
static void squeeze(es_str *out, const char *s)
{
    static const char space[] = "␣";
    for (; *s; s++)
        if (!strncmp(s, space, sizeof space - 1))
            s += sizeof space - 2;
        else if (!strchr(" \n\\`*_", *s))
            es_str_char(out, *s);
}

static bool has_said(const char *text)
{
    es_str all = {0}, wanted = {0};
    squeeze(&all, es_str_text(&said));
    squeeze(&wanted, text);
    bool found = strstr(es_str_text(&all), es_str_text(&wanted)) != NULL;
    es_str_free(&all);
    es_str_free(&wanted);
    return found;
}

static void must_say(const char *text)
{
    if (!has_said(text))
        fail_here("it does not say: %s", text);
}

static void must_tell(const char *markdown)
{
    const es_style style = {.width = how->columns, .plain = how->plain};
    es_str text = {0}, filled = {0};
    es_drawn_fill(&filled, &drawn, markdown);
    es_prose_show(&text, es_str_text(&filled), &style);
    must_say(es_str_text(&text));
    es_str_free(&text);
    es_str_free(&filled);
}

/* The prompt begins so; behind it may stand what is unusual: "L5.1 (untrained)> ". */
static void must_ask(const char *wanted)
{
    size_t n = strlen(wanted);
    const char *is = es_str_text(&prompt);
    if (strncmp(is, wanted, n) || (strcmp(is + n, "> ") && is[n] != ' '))
        fail_here("the prompt is %s, not %s", es_str_text(&prompt), wanted);
}

static void no_error(void)
{
    if (strstr(es_str_text(&said), "error["))
        fail_here("an error that nobody wanted");
}

/* ---- a step ---- */

static const es_lesson_step *this_step(void)
{
    return &lesson->lesson.step[step];
}

static bool asks(void)
{
    return this_step()->kind == ES_LESSON_TASK || this_step()->answers != ES_ANSWER_NONE;
}

/* The step is on, just said: its prompt waits, and it shows an error if it is about one. */
static void is_on(void)
{
    es_str wanted = {0};
    es_str_add(&wanted, "L%d.%zu", lesson->number, step + 1);
    must_ask(wanted.s);
    es_str_cut(&wanted, 0);
    if (how->plain)
        es_str_add(&wanted, "step: %d.%zu of %zu\n", lesson->number, step + 1,
                   lesson->lesson.n_steps);
    else
        es_str_add(&wanted, "step %zu of %zu ─", step + 1, lesson->lesson.n_steps);
    must_say(wanted.s);
    if (this_step()->kind != ES_LESSON_ERROR) {
        no_error();
    } else {
        es_str_cut(&wanted, 0);
        es_str_add(&wanted, "error[%s]", this_step()->error_kind);
        must_say(wanted.s);
    }
    es_str_free(&wanted);
}

static void go_to_lesson(void)
{
    char line[32];
    snprintf(line, sizeof line, ":lesson %d", lesson->number);
    say(line);
    is_on();
}

/* All lines of code; what is said to the last of them stays. */
static void type_lines(const char *code)
{
    es_str filled = {0};
    if (this_step()->text_mode || *code == ':')
        es_drawn_fill(&filled, &drawn, code);
    else
        es_str_cat(&filled, code);
    char *line, *rest = filled.s;
    while ((line = strsep(&rest, "\n"))) {
        say(line);
        no_error();
    }
    if (!strcmp(es_str_text(&prompt), "...> "))
        say("");
    es_str_free(&filled);
}

static void give_wrong_answer(void)
{
    const es_lesson_notes *wrong = &this_step()->wrong;
    for (size_t i = 0; i < wrong->n; i++) {
        if (!*wrong->of[i].code)
            continue;
        type_lines(wrong->of[i].code);
        no_error();
        must_say("Not quite.");
        must_tell(wrong->of[i].message);
        return;
    }
}

static void give_answer(void)
{
    char done[64];
    bool task = this_step()->kind == ES_LESSON_TASK;
    if (!task)
        give_wrong_answer();
    type_lines(task ? this_step()->solution.of[0].code : this_step()->answer.of[0].code);
    no_error();
    snprintf(done, sizeof done, "%d.%zu done, Enter ", lesson->number, step + 1);
    must_say(done);
    if (this_step()->after.n)
        must_tell(this_step()->after.of[0].message);
}

/* ---- a lesson ---- */

/* ":lesson" has it as done, in the line that begins with its number. */
static void is_listed_as_done(void)
{
    char number[16];
    const char *end = how->plain ? ", done" : " done";
    say(":lesson");
    no_error();
    snprintf(number, sizeof number, how->plain ? "%d:" : "%d ", lesson->number);
    const char *line = es_str_text(&said);
    for (const char *next; (next = strchr(line, '\n')); line = next + 1) {
        size_t n = (size_t)(next - line), wide = strlen(end);
        line += strspn(line, " ");
        n = (size_t)(next - line);
        if (!strncmp(line, number, strlen(number)) && n > wide && !strncmp(next - wide, end, wide))
            return;
    }
    fail_here("it is not listed as done");
}

/* Its end is told where the last step's Enter is pressed. */
static void is_over(void)
{
    char over[64];
    snprintf(over, sizeof over, "Lesson %d is over: %zu steps.", lesson->number,
             lesson->lesson.n_steps);
    must_say(over);
    must_ask("text");
}

/* What this step wants; then to the next, by Enter or through another program. */
static void take_step(bool to_be_killed)
{
    size_t n = lesson->lesson.n_steps;
    if (asks())
        give_answer();
    bool on = !asks() || !to_be_killed;
    if (on)
        say("");
    step++;
    if (on && step < n)
        is_on();
    if (on && step == n)
        is_over();
    if (!to_be_killed)
        return;
    killed();
    begin();
    if (step < n)
        go_to_lesson();
}

static void take_lesson(size_t i, size_t in_which_way)
{
    double since = now();
    lesson = &course.of[i];
    how = &ways[in_which_way];
    drawn = es_draw(&lesson->lesson, 0);
    begin();
    step = 0;
    go_to_lesson();
    while (step < lesson->lesson.n_steps)
        take_step(whole() || (step + 1) % KILL_EVERY == 0 || step + 1 == lesson->lesson.n_steps);
    is_listed_as_done();
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    child = 0;
    if (whole())
        fprintf(stderr, "lesson %d at %s: %zu steps, killed %d times, %.1f s\n", lesson->number,
                how->name, lesson->lesson.n_steps, kills, now() - since);
}

START_TEST(a_lesson_is_taken_and_killed_on_the_way)
{
    size_t i = (size_t)_i / (whole() ? N_WAYS : 1);
    take_lesson(i, (size_t)(whole() ? _i : course.of[i].number) % N_WAYS);
}
END_TEST

Suite *course_pty_suite(void)
{
    int n = course_size();
    Suite *s = suite_create("course_pty");
    TCase *t = tcase_create("course");
    tcase_set_timeout(t, 240);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, a_lesson_is_taken_and_killed_on_the_way, 0,
                        whole() ? n * N_WAYS : thoroughness(n, SLOW_LESSONS));
    suite_add_tcase(s, t);
    return s;
}
