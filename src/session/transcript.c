// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/transcript.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/visible.h"

struct es_transcript {
    char *path;
    int fd;
    uint64_t before, written;
    bool failed, within; /* within: the last line has no end yet */
    int why;             /* errno; 0: somebody removed the file */
};

/* A file, or a device such as /dev/null: what is there already must be one. */
static bool fit_for_text(const char *path, es_error *err)
{
    struct stat st;
    if (stat(path, &st) || S_ISREG(st.st_mode) || S_ISCHR(st.st_mode))
        return true;
    es_str shown = {0};
    es_show_prose(&shown, path, strlen(path));
    es_fail(err, ES_ERR_IO, "cannot write %s: a transcript is a file, and this is none", shown.s);
    es_str_free(&shown);
    return false;
}

es_transcript *es_transcript_open(const char *path, es_error *err)
{
    struct stat st;
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    if (!fit_for_text(path, err))
        return NULL;
    int fd = open(path, flags, 0666);
    if (fd < 0 || fstat(fd, &st)) {
        es_file_error(err, "write", path, errno);
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    fcntl(fd, F_SETFL, O_APPEND);
    es_transcript *t = es_alloc(sizeof *t);
    *t = (es_transcript){.path = es_copy_string(path), .fd = fd};
    t->before = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    return t;
}

void es_transcript_close(es_transcript *t)
{
    if (!t)
        return;
    close(t->fd);
    free(t->path);
    free(t);
}

static void fail(es_transcript *t, int why)
{
    t->failed = true;
    t->why = why;
}

/* A file without a name left takes bytes that nobody will read. */
static bool removed(const es_transcript *t)
{
    struct stat st;
    return fstat(t->fd, &st) == 0 && st.st_nlink == 0;
}

static void write_all(es_transcript *t, const char *s, size_t n)
{
    while (n && !t->failed) {
        ssize_t done = write(t->fd, s, n);
        if (done < 0 && errno != EINTR) {
            fail(t, errno);
        } else if (done > 0) {
            t->written += (uint64_t)done;
            s += done;
            n -= (size_t)done;
        }
    }
}

/* ---- typed lines and others ---- */

static const struct {
    const char *word;
    bool settings; /* may follow in parentheses */
    es_typed typed;
} prompts[] = {
    {"text", true, ES_TYPED_TEXT},    {"tensor", true, ES_TYPED_TENSOR},
    {"L", true, ES_TYPED_LESSON},     {"step", false, ES_TYPED_STEP},
    {"paste", false, ES_TYPED_PASTE}, {"bytes", false, ES_TYPED_BYTES},
    {"...", false, ES_TYPED_MORE},
};
enum { N_PROMPTS = sizeof prompts / sizeof *prompts };

static size_t digits(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= '0' && s[i] <= '9')
        i++;
    return i;
}

/* How long the name of a step, "L3.4", at s is, or what there is of one before the end of n bytes; 0: it is none. */
static size_t step_length(const char *s, size_t n, bool whole)
{
    size_t lesson = n > 1 ? digits(s + 1, n - 1) : 0, dot = 1 + lesson;
    if (!n || *s != 'L')
        return 0;
    if (dot >= n)
        return whole ? 0 : n;
    if (!lesson || s[dot] != '.')
        return 0;
    size_t step = digits(s + dot + 1, n - dot - 1);
    return step || (!whole && dot + 1 == n) ? dot + 1 + step : 0;
}

/* How long the i-th prompt's word at s is; 0: it does not stand there. */
static size_t word_length(size_t i, const char *s, size_t n)
{
    size_t len = strlen(prompts[i].word);
    if (prompts[i].typed == ES_TYPED_LESSON)
        return step_length(s, n, true);
    return n >= len && !memcmp(s, prompts[i].word, len) ? len : 0;
}

/* Behind the "> " at `at`, whose space an editor may have taken from the end of a line; 0: there is none. */
static size_t behind_mark(const char *line, size_t len, size_t at)
{
    if (at >= len || line[at] != '>')
        return 0;
    if (at + 1 == len)
        return len;
    return line[at + 1] == ' ' ? at + 2 : 0;
}

/* Behind the settings that begin at `at`, or `at`. */
static size_t behind_settings(const char *line, size_t len, size_t at)
{
    const char *end =
        len - at > 2 && !memcmp(line + at, " (", 2) ? memmem(line + at, len - at, ")>", 2) : NULL;
    return end ? (size_t)(end - line) + 1 : at;
}

es_typed es_transcript_typed(const char *line, size_t len, size_t *begin)
{
    size_t spaces = 0;
    while (spaces < len && line[spaces] == ' ')
        spaces++;
    for (size_t i = 0; i < N_PROMPTS; i++) {
        size_t at = prompts[i].typed == ES_TYPED_MORE ? spaces : 0;
        size_t n = word_length(i, line + at, len - at);
        if (!n)
            continue;
        at += n;
        *begin = behind_mark(line, len, prompts[i].settings ? behind_settings(line, len, at) : at);
        if (*begin)
            return prompts[i].typed;
    }
    return ES_NOT_TYPED;
}

/* Nothing is answered while lines of a paste or a statement are typed: there an answer cannot be taken for one. */
static bool among_answers(es_typed typed)
{
    return typed != ES_NOT_TYPED && typed != ES_TYPED_PASTE && typed != ES_TYPED_MORE;
}

/* Could what stands there without an end become a prompt, when more comes? */
static bool may_become_typed(const char *s, size_t n)
{
    for (size_t i = 0; i < N_PROMPTS; i++) {
        bool lesson = prompts[i].typed == ES_TYPED_LESSON;
        size_t most = lesson ? step_length(s, n, false) : strlen(prompts[i].word);
        const char *after = s + most;
        if (!most)
            continue;
        bool whole = n <= most || *after == '>' ||
                     (prompts[i].settings && *after == ' ' && (n == most + 1 || after[1] == '('));
        if (among_answers(prompts[i].typed) && whole &&
            (lesson || !memcmp(s, prompts[i].word, n < most ? n : most)))
            return true;
    }
    return false;
}

static bool looks_typed(const char *s, size_t n)
{
    size_t begin;
    const char *newline = memchr(s, '\n', n);
    size_t len = newline ? (size_t)(newline - s) : n;
    return among_answers(es_transcript_typed(s, len, &begin)) ||
           (!newline && may_become_typed(s, n));
}

/* What was printed must not be run for something that was typed. */
static void write_answer(es_transcript *t, const char *s, size_t n)
{
    size_t from = 0;
    for (size_t at = 0; at < n;) {
        if (!t->within && looks_typed(s + at, n - at)) {
            write_all(t, s + from, at - from);
            write_all(t, " ", 1);
            from = at;
        }
        const char *newline = memchr(s + at, '\n', n - at);
        t->within = !newline;
        at = newline ? (size_t)(newline - s) + 1 : n;
    }
    write_all(t, s + from, n - from);
}

/* ---- what is added ---- */

/* How long the colour sequence or isolate at s is; 0: it is neither. */
static size_t paint_length(const char *s, size_t n)
{
    if (n >= 3 && (!memcmp(s, "\u2068", 3) || !memcmp(s, "\u2069", 3)))
        return 3;
    if (n < 3 || s[0] != '\x1b' || s[1] != '[')
        return 0;
    size_t end = 2;
    while (end < n && s[end] != 'm')
        end++;
    return end < n ? end + 1 : 0;
}

void es_transcript_put(es_transcript *t, const char *text, size_t n)
{
    if (!t || t->failed || !n)
        return;
    es_str kept = {0};
    size_t from = 0;
    for (size_t i = 0, skip; i < n; i += skip ? skip : 1) {
        skip = (text[i] == '\x1b' || text[i] == '\xe2') ? paint_length(text + i, n - i) : 0;
        if (!skip)
            continue;
        es_str_bytes(&kept, text + from, i - from);
        from = i + skip;
    }
    if (removed(t))
        fail(t, 0);
    if (from) {
        es_str_bytes(&kept, text + from, n - from);
        write_answer(t, es_str_text(&kept), kept.len);
    } else {
        write_answer(t, text, n);
    }
    es_str_free(&kept);
}

/* Up to a block of a line, and not in the middle of a character. */
static size_t part_of(const char *s, size_t n)
{
    enum { BLOCK = 1 << 16 };
    size_t part = n < BLOCK ? n : BLOCK;
    for (int back = 0; part < n && back < 3 && ((unsigned char)s[part] & 0xC0) == 0x80; back++)
        part--;
    return part;
}

/* Is it shown as it is, so that what is shown can be run again? */
static bool stands_as_it_is(const char *line, size_t len)
{
    bool same = true;
    es_str shown = {0};
    for (size_t part; same && len; line += part, len -= part) {
        part = part_of(line, len);
        es_str_cut(&shown, 0);
        es_show_prose(&shown, line, part);
        same = shown.len == part && !memcmp(shown.s, line, part);
    }
    es_str_free(&shown);
    return same;
}

static void write_bytes(es_transcript *t, const char *line, size_t len)
{
    es_str hex = {0};
    es_str_cat(&hex, "bytes> ");
    for (size_t i = 0; i < len; i++)
        es_str_add(&hex, "%02X", (unsigned char)line[i]);
    es_str_char(&hex, '\n');
    write_all(t, hex.s, hex.len);
    es_str_free(&hex);
}

void es_transcript_line(es_transcript *t, const char *prompt, const char *line, size_t len)
{
    if (!t || t->failed)
        return;
    if (removed(t))
        fail(t, 0);
    if (t->within)
        write_all(t, "\n", 1);
    if (!stands_as_it_is(line, len))
        write_bytes(t, line, len);
    es_str shown = {0};
    es_show_prose(&shown, prompt, strlen(prompt));
    for (size_t part; len; line += part, len -= part) {
        part = part_of(line, len);
        es_show_prose(&shown, line, part);
        write_all(t, es_str_text(&shown), shown.len);
        es_str_cut(&shown, 0);
    }
    es_str_char(&shown, '\n');
    write_all(t, shown.s, shown.len);
    t->within = false;
    es_str_free(&shown);
}

bool es_transcript_failed(const es_transcript *t, es_error *err)
{
    if (!t || !t->failed)
        return false;
    es_str shown = {0};
    es_show_prose(&shown, t->path, strlen(t->path));
    if (t->why)
        es_fail(err, ES_ERR_IO, "the transcript ends here: cannot write %s: %s", shown.s,
                strerror(t->why));
    else
        es_fail(err, ES_ERR_IO, "the transcript ends here: %s was removed", shown.s);
    es_hint(err, "what was answered since then is not in it; :transcript FILE begins another");
    es_str_free(&shown);
    return true;
}

bool es_transcript_is(const es_transcript *t, int fd)
{
    struct stat ours, other;
    return t && fstat(t->fd, &ours) == 0 && fstat(fd, &other) == 0 && S_ISREG(ours.st_mode) &&
           ours.st_dev == other.st_dev && ours.st_ino == other.st_ino;
}

const char *es_transcript_path(const es_transcript *t)
{
    return t->path;
}

uint64_t es_transcript_before(const es_transcript *t)
{
    return t->before;
}

uint64_t es_transcript_written(const es_transcript *t)
{
    return t->written;
}
