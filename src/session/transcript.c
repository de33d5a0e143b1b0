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
    bool failed;
    int why; /* errno; 0: somebody removed the file */
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
        write_all(t, es_str_text(&kept), kept.len);
    } else {
        write_all(t, text, n);
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

void es_transcript_line(es_transcript *t, const char *prompt, const char *line, size_t len)
{
    if (!t || t->failed)
        return;
    es_str shown = {0};
    es_show_prose(&shown, prompt, strlen(prompt));
    for (size_t part; len; line += part, len -= part) {
        part = part_of(line, len);
        es_show_prose(&shown, line, part);
        es_transcript_put(t, es_str_text(&shown), shown.len);
        es_str_cut(&shown, 0);
    }
    es_str_char(&shown, '\n');
    es_transcript_put(t, shown.s, shown.len);
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
