// SPDX-License-Identifier: GPL-3.0-or-later
/* Checkpoints from anywhere.  The input is a file, or, where it does not begin as one, its lines and behind a NUL its
 * numbers: what is accepted lies inside the file, fits itself, and is the same after it was written and read again. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "train/checkpoint.h"

/* What stands before the lines, with the checksum that a mutated file seldom has. */
static void write_preamble(int fd, const uint8_t *lines, size_t n)
{
    struct {
        char magic[8];
        uint32_t version, length;
        uint64_t checksum;
    } p = {"", 1, (uint32_t)n, es_checksum(lines, n)};
    memcpy(p.magic, "es-train", 8);
    promise(write(fd, &p, sizeof p) == sizeof p);
}

static void write_file(int fd, const uint8_t *data, size_t size)
{
    const uint8_t *end = memchr(data, '\0', size);
    size_t n = end ? (size_t)(end - data) : size;
    if (size < 8 || memcmp(data, "es-train", 8)) {
        write_preamble(fd, data, n);
        promise(write(fd, data, n) == (ssize_t)n);
        data += end ? n + 1 : n;
        size -= end ? n + 1 : n;
    }
    promise(write(fd, data, size) == (ssize_t)size);
}

static void check_error(es_error *err)
{
    promise(err->code == ES_ERR_FORMAT && err->message && err->hint);
    promise(es_utf8_valid(err->message, strlen(err->message)));
    for (const char *s = err->message; *s; s++)
        promise((unsigned char)*s >= ' ');
    es_error_free(err);
}

static void check_same(const es_checkpoint *a, const es_checkpoint *b)
{
    promise(es_checkpoint_fits(a, &b->head.recipe, b->head.digest, NULL));
    promise(a->n == b->n && a->head.stage == b->head.stage && a->head.seconds == b->head.seconds);
    for (int i = 0; i < a->n; i++) {
        const es_checkpoint_piece *p = &a->piece[i], *q = &b->piece[i];
        promise(!strcmp(p->name, q->name) && p->bytes == q->bytes);
        promise(!p->bytes || !memcmp(p->data, q->data, p->bytes));
    }
}

static void check_checkpoint(const es_checkpoint *c)
{
    es_checkpoint again;
    const unsigned char *end = c->file.data + c->file.size;
    for (int i = 0; i < c->n; i++) {
        const unsigned char *at = c->piece[i].data;
        promise(at >= c->file.data && at <= end && c->piece[i].bytes <= (size_t)(end - at));
    }
    promise(es_checkpoint_write("again", &c->head, c->piece, c->n, NULL));
    promise(es_checkpoint_open(&again, "again", NULL));
    check_same(c, &again);
    es_checkpoint_close(&again);
}

int fuzz_checkpoint(const uint8_t *data, size_t size)
{
    char path[64];
    es_checkpoint c;
    es_error err = ES_ERROR_NONE;
    int fd = memfd_create("checkpoint", MFD_CLOEXEC);
    promise(fd >= 0);
    write_file(fd, data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (es_checkpoint_open(&c, path, &err))
        check_checkpoint(&c);
    else
        check_error(&err);
    es_checkpoint_close(&c);
    close(fd);
    return 0;
}

ES_FUZZ_TARGET(fuzz_checkpoint)
