// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/message.h"
#include "base/visible.h"
#include "repl/pager.h"
#include "session/results.h"
#include "session/show_lines.h"

/* A log of errors is not wrapped: who searches it for a message finds it on one line. */
static int default_width(int fd)
{
    struct winsize size;
    if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return fd == STDERR_FILENO ? ES_MAX_WIDTH : ES_DEFAULT_WIDTH;
}

static int screen_lines(int fd)
{
    struct winsize size;
    return isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

static bool wants_colour(es_choice choice, int fd)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    if (choice != ES_AUTO)
        return choice == ES_ALWAYS;
    return isatty(fd) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

static es_style style_of(const es_output *o, int fd)
{
    es_settings s = o->session  ? *es_session_settings(o->session)
                    : o->before ? *o->before
                                : (es_settings){0};
    int width = s.width ? s.width : default_width(fd);
    if (s.big && (fd == STDOUT_FILENO || isatty(fd)) && width > ES_BIG_WIDTH)
        width = ES_BIG_WIDTH;
    return (es_style){
        .width = width < ES_MIN_WIDTH   ? ES_MIN_WIDTH
                 : width > ES_MAX_WIDTH ? ES_MAX_WIDTH
                                        : width,
        .height = screen_lines(fd),
        .plain = s.plain,
        .colour = wants_colour(s.colour, fd),
        .isolate = isatty(fd),
        .quoted = s.quoted,
        .big = s.big,
        .digits = s.digits,
    };
}

es_style es_output_style(const es_output *o)
{
    return style_of(o, STDOUT_FILENO);
}

/* What is printed goes into the transcript too, if one is written. */
static void take_down(const es_output *o, const char *text, size_t n)
{
    if (o->session)
        es_transcript_put(es_session_transcript(o->session), text, n);
}

/* The next bytes to write: whole lines of about a block where there are any. */
static size_t block_of(const char *s, size_t n)
{
    enum { BLOCK = 1 << 16 };
    const char *newline = n > BLOCK ? memrchr(s, '\n', BLOCK) : NULL;
    return n <= BLOCK ? n : newline ? (size_t)(newline - s) + 1 : BLOCK;
}

/* In blocks, so that Ctrl-C need not wait for a long answer; a JSON object is cut only where nobody reads
 * it. */
static void print(es_output *o, const es_str *text, const atomic_bool *stop)
{
    for (size_t at = 0, n; at < text->len && !o->broken; at += n) {
        if (stop && *stop && !o->json)
            return;
        n = block_of(text->s + at, text->len - at);
        take_down(o, text->s + at, n);
        if (fwrite(text->s + at, 1, n, stdout) == n && fflush(stdout) == 0)
            continue;
        o->broken = true;
        if (!(stop && *stop))
            fprintf(stderr, "error[io]: cannot write the answer: %s\n", strerror(errno));
    }
}

static void print_error(es_output *o, const es_error *err, const char *line, size_t len)
{
    es_style style = style_of(o, STDERR_FILENO);
    es_source source = o->session ? es_session_source(o->session) : (es_source){0};
    es_str out = {0}, where = {0};
    if (source.name) {
        es_show_prose(&where, source.name, strlen(source.name));
        es_str_add(&where, ":%zu", source.line);
    }
    es_show_error(&out, err, line, len, source.name ? where.s : NULL, &style);
    take_down(o, out.s, out.len);
    fwrite(out.s, 1, out.len, stderr);
    es_str_free(&where);
    es_str_free(&out);
}

/* A transcript that cannot be written is given up, and that is said once: on stderr, for stdout may be
 * JSON, an object a line. */
static void check_transcript(es_output *o)
{
    es_error err = ES_ERROR_NONE;
    if (!o->session || !es_transcript_failed(es_session_transcript(o->session), &err))
        return;
    es_session_set_transcript(o->session, NULL);
    print_error(o, &err, "", 0);
    es_error_free(&err);
    o->failed = true;
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    es_output *o = user;
    const atomic_bool *stop = o->session ? es_session_interrupt(o->session) : NULL;
    es_brake brake = ES_BRAKE(stop);
    es_str out = {.brake = &brake}, alone = {0};
    if (o->json) {
        es_json_error(&out, err, partial);
        if (es_str_braked(&out)) /* without what is known all the same */
            es_json_error(&alone, err, NULL);
        print(o, es_str_braked(&out) ? &alone : &out, NULL);
    } else {
        es_style style = es_output_style(o);
        if (partial->kind && es_show_result(&out, partial, &style, NULL) && !es_str_braked(&out))
            print(o, &out, NULL);
        print_error(o, err, line, len);
    }
    es_error_free(&brake.err);
    es_str_free(&alone);
    es_str_free(&out);
    check_transcript(o);
}

static void on_note(void *user, const char *text, bool person)
{
    es_output *o = user;
    if (person && !o->person)
        return;
    es_style style = style_of(o, STDERR_FILENO);
    es_str shown = {0}, out = {0};
    bool advice = !strncmp(text, "try: ", 5);
    es_str_cat(&shown, advice ? "" : "note: ");
    text = es_translate(text);
    es_show_prose(&shown, text, strlen(text));
    es_wrap(&out, shown.s, 0, &style);
    take_down(o, out.s, out.len);
    fwrite(out.s, 1, out.len, stderr);
    es_str_free(&shown);
    es_str_free(&out);
    check_transcript(o);
}

/* Through the pager if it is one for that.  A pager that is not there is mentioned once, and the
 * answer printed all the same. */
static void print_answer(es_output *o, const es_str *text, const atomic_bool *stop)
{
    es_choice choice = o->session ? es_session_settings(o->session)->pager : ES_NEVER;
    es_str complaint = {0};
    bool shown = false;
    bool try = o->person && !o->json && (!o->no_pager || choice == ES_ALWAYS);
    if (try && es_pager_wanted(text, choice, screen_lines(STDOUT_FILENO))) {
        fflush(stdout);
        shown = es_pager_show(text, &complaint);
        o->no_pager = !shown;
    }
    if (shown)
        take_down(o, text->s, text->len);
    else
        print(o, text, stop);
    if (complaint.len) {
        es_str_cat(&complaint, "; :set pager off does without");
        on_note(o, complaint.s, true);
    }
    es_str_free(&complaint);
}

static void on_result(void *user, es_result *r)
{
    es_output *o = user;
    const atomic_bool *stop = o->session ? es_session_interrupt(o->session) : NULL;
    es_brake brake = ES_BRAKE(stop);
    es_str out = {.brake = &brake};
    es_error err = ES_ERROR_NONE;
    es_style style = es_output_style(o);
    bool ok =
        o->json ? es_json_result(&out, r, o->values, &err) : es_show_result(&out, r, &style, &err);
    if (ok && !es_str_braked(&out))
        print_answer(o, &out, stop);
    if (!ok || es_str_braked(&out)) {
        es_output_error(o, ok ? &brake.err : &err);
        o->failed = true;
    }
    es_error_free(&brake.err);
    es_error_free(&err);
    es_str_free(&out);
    es_result_free(r);
    check_transcript(o);
}

/* What a statement prints comes as it is printed; in JSON its object has it. */
static void on_print(void *user, const char *bytes, size_t n)
{
    es_output *o = user;
    const atomic_bool *stop = o->session ? es_session_interrupt(o->session) : NULL;
    es_brake brake = ES_BRAKE(stop);
    es_str out = {.brake = &brake};
    es_show_lines(&out, bytes, n);
    print(o, &out, stop);
    es_error_free(&brake.err);
    es_str_free(&out);
}

/* The one thing that moves: a line that is written over and taken away.  Without motion it is said once
 * what is being done, and that stays. */
static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    es_output *o = user;
    bool still = o->session && es_session_settings(o->session)->still;
    bool over = total && done >= total;
    if (!o->person || o->json || !isatty(STDERR_FILENO) || (still && o->progress_shown && !over))
        return;
    if (over && o->progress_shown && !still)
        fputs("\r\x1b[K", stderr);
    else if (!over && total && !still)
        fprintf(stderr, "\r%s %2" PRIu64 " %%, Ctrl-C stops", what, 100 * done / total);
    else if (!over)
        fprintf(stderr, "%s%s, Ctrl-C stops%s", still ? "" : "\r", what, still ? "\n" : "");
    o->progress_shown = !over;
    fflush(stderr);
}

es_sink es_output_sink(es_output *o)
{
    return (es_sink){.user = o,
                     .result = on_result,
                     .error = on_error,
                     .note = on_note,
                     .progress = on_progress,
                     .print = o->json ? NULL : on_print};
}

void es_output_error(es_output *o, const es_error *err)
{
    es_result nothing = {0};
    on_error(o, err, "", 0, &nothing);
}
