// SPDX-License-Identifier: GPL-3.0-or-later
#include "lesson/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/visible.h"

enum { MOST_BYTES = 1 << 22, MOST_NUMBER = 1000000 };

static const char file_name[] = "progress.txt", version[] = "v1";
static const char *const words[] = {"open", "done", "skipped"};

/* ---- steps in memory ---- */

static es_progress_step *find(const es_progress *p, const char *lesson, size_t n, int step)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->of[i].step == step && strlen(p->of[i].lesson) == n &&
            !memcmp(p->of[i].lesson, lesson, n))
            return &p->of[i];
    return NULL;
}

static es_progress_step *find_or_add(es_progress *p, const char *lesson, size_t n, int step)
{
    es_progress_step *s = find(p, lesson, n, step);
    if (s)
        return s;
    p->of = es_realloc(p->of, (p->n + 1) * sizeof *p->of);
    s = &p->of[p->n++];
    *s = (es_progress_step){.lesson = es_copy_bytes(lesson, n), .step = step};
    return s;
}

static int rank(es_progress_status status)
{
    return status == ES_PROGRESS_DONE ? 2 : status == ES_PROGRESS_SKIPPED ? 1 : 0;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void raise_to(es_progress_step *s, es_progress_status status, int attempts, int hints)
{
    if (rank(status) > rank(s->status))
        s->status = status;
    s->attempts = larger(s->attempts, attempts);
    s->hints = larger(s->hints, hints);
}

void es_progress_free(es_progress *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->of[i].lesson);
    free(p->of);
    es_str_free(&p->rest);
    *p = (es_progress){0};
}

/* ---- lines ---- */

/* The next word of a line, n bytes; false: there is none. */
static bool word(const char **at, const char *end, const char **w, size_t *n)
{
    while (*at < end && **at == ' ')
        ++*at;
    *w = *at;
    while (*at < end && **at != ' ')
        ++*at;
    *n = (size_t)(*at - *w);
    return *n > 0;
}

static bool number(const char **at, const char *end, int low, int *value)
{
    const char *w;
    size_t n;
    long sum = 0;
    if (!word(at, end, &w, &n) || n > 7)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (w[i] < '0' || w[i] > '9')
            return false;
        sum = 10 * sum + (w[i] - '0');
    }
    *value = (int)sum;
    return sum >= low && sum <= MOST_NUMBER;
}

static bool status_word(const char **at, const char *end, es_progress_status *status)
{
    const char *w;
    size_t n;
    if (!word(at, end, &w, &n))
        return false;
    for (int i = 0; i < 3; i++)
        if (strlen(words[i]) == n && !memcmp(words[i], w, n)) {
            *status = (es_progress_status)i;
            return true;
        }
    return false;
}

/* slug step status attempts hints time */
static bool read_step(es_progress *p, const char *line, size_t len)
{
    const char *at = line, *end = line + len, *slug, *when, *more;
    size_t n_slug, n_when, n_more;
    int step, attempts, hints;
    es_progress_status status;
    if (!word(&at, end, &slug, &n_slug) || memchr(slug, '\0', n_slug) ||
        !number(&at, end, 1, &step) || !status_word(&at, end, &status) ||
        !number(&at, end, 0, &attempts) || !number(&at, end, 0, &hints) ||
        !word(&at, end, &when, &n_when) || n_when >= sizeof(((es_progress_step *)0)->when) ||
        word(&at, end, &more, &n_more))
        return false;
    es_progress_step *s = find_or_add(p, slug, n_slug, step);
    raise_to(s, status, attempts, hints);
    memcpy(s->when, when, n_when);
    s->when[n_when] = '\0';
    return true;
}

static void read_lines(es_progress *p, const char *bytes, size_t size)
{
    bool first = true;
    for (const char *line = bytes, *end = bytes + size; line < end; first = false) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((newline ? newline : end) - line);
        bool head = first && len == strlen(version) && !memcmp(line, version, len);
        if (len && !head && !read_step(p, line, len)) {
            es_str_bytes(&p->rest, line, len);
            es_str_char(&p->rest, '\n');
            p->n_rest++;
        }
        line += len + 1;
    }
}

/* ---- the file ---- */

/* *p is empty, or as the file has it. */
static bool read_file(es_progress *p, const char *path, es_error *err)
{
    es_file f;
    es_error why = ES_ERROR_NONE;
    if (!es_file_is_plain("read", path, err))
        return false;
    if (access(path, F_OK) && errno == ENOENT)
        return true;
    if (!es_file_open(&f, path, &why)) {
        bool gone = access(path, F_OK) && errno == ENOENT; /* between the two looks */
        if (!gone)
            es_fail(err, why.code, "%s", why.message);
        es_error_free(&why);
        return gone;
    }
    bool ours = f.size <= MOST_BYTES && !memchr(f.data, '\0', f.size);
    if (ours)
        read_lines(p, (const char *)f.data, f.size);
    es_file_close(&f);
    if (ours)
        return true;
    es_str shown = {0};
    es_show_name(&shown, path, strlen(path));
    es_fail(err, ES_ERR_FORMAT, "%s is no record of what was done: it is left as it is", shown.s);
    es_str_free(&shown);
    return es_hint(err, "move it away, and lessons remember again what is done");
}

bool es_progress_load(es_progress *p, es_error *err)
{
    es_str path = {0};
    *p = (es_progress){0};
    bool ok =
        es_place_user(&path, ES_XDG_STATE, file_name, false, err) && read_file(p, path.s, err);
    es_str_free(&path);
    return ok;
}

static bool write_file(const es_progress *p, const char *path, es_error *err)
{
    es_str out = {0};
    es_str_add(&out, "%s\n", version);
    for (size_t i = 0; i < p->n; i++)
        es_str_add(&out, "%s %d %s %d %d %s\n", p->of[i].lesson, p->of[i].step,
                   words[p->of[i].status], p->of[i].attempts, p->of[i].hints, p->of[i].when);
    es_str_bytes(&out, es_str_text(&p->rest), p->rest.len);
    bool ok = es_file_replace(path, out.s, out.len, err);
    es_str_free(&out);
    return ok;
}

/* One program at a time reads and replaces; the file itself is replaced, so that another one is locked.  -1: it cannot
 * be, and writing will say why. */
static int lock(const char *path)
{
    es_str name = {0};
    es_str_add(&name, "%s.lock", path);
    int fd = open(name.s, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    es_str_free(&name);
    while (fd >= 0 && flock(fd, LOCK_EX) && errno == EINTR)
        continue;
    return fd;
}

/* ---- changes ---- */

typedef struct change {
    const char *lesson; /* NULL: all */
    int step;           /* 0: forget */
    es_progress_status status;
    int attempts, hints;
    char when[24];
} change;

static void forget(es_progress *p, const char *lesson)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->n; i++)
        if (lesson && strcmp(p->of[i].lesson, lesson))
            p->of[kept++] = p->of[i];
        else
            free(p->of[i].lesson);
    p->n = kept;
}

static void apply(es_progress *p, const change *c)
{
    if (!c->step) {
        forget(p, c->lesson);
        return;
    }
    es_progress_step *s = find_or_add(p, c->lesson, strlen(c->lesson), c->step);
    raise_to(s, c->status, c->attempts, c->hints);
    memcpy(s->when, c->when, sizeof s->when);
    s->unsaved = true;
}

/* What p knows and no file has. */
static void bring_unsaved(es_progress *to, const es_progress *from)
{
    for (size_t i = 0; i < from->n; i++) {
        const es_progress_step *s = &from->of[i];
        if (!s->unsaved)
            continue;
        es_progress_step *t = find_or_add(to, s->lesson, strlen(s->lesson), s->step);
        raise_to(t, s->status, s->attempts, s->hints);
        memcpy(t->when, s->when, sizeof t->when);
    }
}

static bool change_file(es_progress *p, const change *c, const char *path, es_error *err)
{
    es_progress fresh = {0};
    int fd = lock(path);
    bool ok = read_file(&fresh, path, err);
    if (ok) {
        bring_unsaved(&fresh, p);
        apply(&fresh, c);
        ok = write_file(&fresh, path, err);
    }
    if (fd >= 0)
        close(fd);
    if (!ok) {
        es_progress_free(&fresh);
        return false;
    }
    for (size_t i = 0; i < fresh.n; i++)
        fresh.of[i].unsaved = false;
    es_progress_free(p);
    *p = fresh;
    return true;
}

static bool make_change(es_progress *p, const change *c, es_error *err)
{
    es_str path = {0};
    bool ok =
        es_place_user(&path, ES_XDG_STATE, file_name, true, err) && change_file(p, c, path.s, err);
    if (!ok)
        apply(p, c);
    es_str_free(&path);
    return ok;
}

bool es_progress_set(es_progress *p, const char *lesson, int step, es_progress_status status,
                     int attempts, int hints, es_error *err)
{
    time_t now = time(NULL);
    struct tm utc;
    change c = {lesson, step, status, attempts, hints, ""};
    gmtime_r(&now, &utc);
    strftime(c.when, sizeof c.when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return make_change(p, &c, err);
}

bool es_progress_forget(es_progress *p, const char *lesson, es_error *err)
{
    return make_change(p, &(change){.lesson = lesson}, err);
}

/* ---- questions ---- */

const es_progress_step *es_progress_of(const es_progress *p, const char *lesson, int step)
{
    return find(p, lesson, strlen(lesson), step);
}

int es_progress_count(const es_progress *p, const char *lesson, int n, int *next)
{
    int done = 0, first = n + 1;
    for (int step = n; step >= 1; step--) {
        const es_progress_step *s = es_progress_of(p, lesson, step);
        if (s && s->status != ES_PROGRESS_OPEN)
            done++;
        else
            first = step;
    }
    if (next)
        *next = first;
    return done;
}
