// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/visible.h"

bool es_file_error(es_error *err, const char *what, const char *path, int system_error)
{
    es_str name = {0};
    es_show_name(&name, path, strlen(path));
    es_fail(err, system_error == ENOMEM ? ES_ERR_NOMEM : ES_ERR_IO, "cannot %s %s: %s", what,
            es_str_text(&name), strerror(system_error));
    es_str_free(&name);
    return false;
}

static bool map(es_file *f, int fd, size_t size, const char *path, es_error *err)
{
    void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return es_file_error(err, "map", path, errno);
    *f = (es_file){.data = data, .size = size, .mapped = true};
    return true;
}

/* A pipe may never end: from a megabyte on there is to be memory each time its bytes have doubled. */
static bool has_room(es_str *bytes)
{
    enum { BLOCK = 1 << 16, MANY = 1 << 20 };
    bool grows = bytes->len + BLOCK >= bytes->cap;
    return (!grows || bytes->cap < MANY || es_memory_for(2 * (double)bytes->cap, NULL)) &&
           es_str_room(bytes, BLOCK, "a file", NULL);
}

/* Is there something to read, or an end?  With a watch nobody waits longer than until its next look. */
static bool is_ready(int fd, es_watch *watch)
{
    enum { LOOK = 50 }; /* milliseconds */
    struct pollfd from = {.fd = fd, .events = POLLIN};
    return !watch || poll(&from, 1, LOOK) > 0;
}

static bool slurp(es_file *f, int fd, const char *path, es_watch *watch, es_error *err)
{
    es_str bytes = {0};
    for (;;) {
        if (!es_watch_step(watch, bytes.len, err)) {
            es_str_free(&bytes);
            return false;
        }
        if (!is_ready(fd, watch))
            continue;
        bool room = has_room(&bytes);
        ssize_t n = room ? read(fd, bytes.s + bytes.len, 1 << 16) : -1;
        if (room && n < 0 && (errno == EINTR || (watch && errno == EAGAIN)))
            continue;
        if (n < 0) {
            int reason = room ? errno : ENOMEM;
            es_str_free(&bytes);
            return es_file_error(err, "read", path, reason);
        }
        if (n == 0)
            break;
        bytes.len += (size_t)n;
    }
    size_t size = bytes.len;
    *f = (es_file){.data = (unsigned char *)es_str_take(&bytes), .size = size};
    return true;
}

static bool is_null_device(const struct stat *st)
{
    struct stat null;
    return S_ISCHR(st->st_mode) && stat("/dev/null", &null) == 0 && null.st_rdev == st->st_rdev;
}

static bool open_fd(es_file *f, int fd, const char *path, es_watch *watch, es_error *err)
{
    struct stat st;
    if (fstat(fd, &st))
        return es_file_error(err, "examine", path, errno);
    if (S_ISDIR(st.st_mode))
        return es_file_error(err, "read", path, EISDIR);
    if (S_ISREG(st.st_mode) && st.st_size > 0)
        return map(f, fd, (size_t)st.st_size, path, err);
    if (S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || fd == STDIN_FILENO ||
        is_null_device(&st))
        return slurp(f, fd, path, watch, err);
    es_str name = {0};
    es_show_name(&name, path, strlen(path));
    es_fail(err, ES_ERR_IO, "cannot read %s: it is a device, not a file", es_str_text(&name));
    es_str_free(&name);
    return false;
}

bool es_file_open_watched(es_file *f, const char *path, es_watch *watch, es_error *err)
{
    *f = (es_file){0};
    if (!strcmp(path, "-"))
        return open_fd(f, STDIN_FILENO, "standard input", watch, err);

    int patience = watch ? O_NONBLOCK : 0; /* a pipe that nobody writes to opens all the same */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | patience);
    if (fd < 0)
        return es_file_error(err, "open", path, errno);
    bool ok = open_fd(f, fd, path, watch, err);
    close(fd);
    return ok;
}

bool es_file_open(es_file *f, const char *path, es_error *err)
{
    return es_file_open_watched(f, path, NULL, err);
}

bool es_file_is_plain(const char *what, const char *path, es_error *err)
{
    struct stat st;
    if (stat(path, &st) || S_ISREG(st.st_mode))
        return true;
    if (S_ISDIR(st.st_mode))
        return es_file_error(err, what, path, EISDIR);
    es_str name = {0};
    es_show_name(&name, path, strlen(path));
    es_fail(err, ES_ERR_IO, "cannot %s %s: it is %s, not a file", what, es_str_text(&name),
            S_ISFIFO(st.st_mode)   ? "a pipe"
            : S_ISSOCK(st.st_mode) ? "a socket"
                                   : "a device");
    es_str_free(&name);
    return false;
}

void es_file_close(es_file *f)
{
    if (f->mapped)
        munmap((void *)f->data, f->size);
    else
        free((void *)f->data);
    *f = (es_file){0};
}

static bool write_all(int fd, const char *data, size_t n)
{
    while (n) {
        ssize_t done = write(fd, data, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        data += done;
        n -= (size_t)done;
    }
    return true;
}

static bool write_pieces(int fd, const es_piece *piece, size_t n_pieces, es_watch *watch,
                         es_error *err)
{
    enum { BLOCK = 1 << 20 };
    uint64_t done = 0;
    for (size_t i = 0; i < n_pieces; i++)
        for (size_t at = 0; at < piece[i].n; at += BLOCK) {
            size_t n = piece[i].n - at < BLOCK ? piece[i].n - at : BLOCK;
            if (!es_watch_step(watch, done, err) ||
                !write_all(fd, (const char *)piece[i].data + at, n))
                return false;
            done += n;
        }
    return true;
}

/* The permissions a new file gets; there is no other way to ask than to set the mask. */
static mode_t less_umask(unsigned mode)
{
    mode_t mask = umask(0);
    umask(mask);
    return (mode_t)mode & ~mask;
}

bool es_file_replace_pieces(const char *path, const es_piece *piece, size_t n_pieces, unsigned mode,
                            es_watch *watch, es_error *err)
{
    es_str temporary = {0};
    es_error why = ES_ERROR_NONE;
    es_str_add(&temporary, "%s.XXXXXX", path);
    int fd = mkstemp(temporary.s);
    bool ok = fd >= 0 && fchmod(fd, less_umask(mode)) == 0 &&
              write_pieces(fd, piece, n_pieces, watch, &why) && fsync(fd) == 0;
    int reason = errno;
    if (fd >= 0 && close(fd) && ok) {
        ok = false;
        reason = errno;
    }
    if (ok && rename(temporary.s, path)) {
        ok = false;
        reason = errno;
    }
    if (!ok && fd >= 0)
        unlink(temporary.s);
    if (!ok && why.code != ES_OK)
        es_fail(err, why.code, "%s", why.message);
    else if (!ok)
        es_file_error(err, "write", path, reason);
    es_error_free(&why);
    es_str_free(&temporary);
    return ok;
}

bool es_file_replace(const char *path, const void *data, size_t n, es_error *err)
{
    return es_file_replace_pieces(path, &(es_piece){data, n}, 1, 0600, NULL, err);
}
