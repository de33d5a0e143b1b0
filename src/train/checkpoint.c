// SPDX-License-Identifier: GPL-3.0-or-later
/* The file: a preamble, lines "name=value" that say what the run is and which pieces follow, the pieces. */
#include "train/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/mem.h"
#include "base/visible.h"

enum { VERSION = 1 };

static const char magic[8] = "es-train";

typedef struct preamble {
    char magic[8];
    uint32_t version;
    uint32_t length;   /* of the lines */
    uint64_t checksum; /* of the lines; they hold those of the pieces */
} preamble;

/* ---- writing ---- */

static void write_lines(es_str *out, const es_checkpoint_head *head,
                        const es_checkpoint_piece *piece, int n)
{
    const es_recipe_entry *e;
    for (size_t i = 0; (e = es_recipe_at(i)); i++) {
        es_recipe_show(out, &head->recipe, e);
        es_str_char(out, '\n');
    }
    es_str_add(out, "corpus=%016" PRIx64 "\nstage=%" PRId64 "\nseconds=%.17g\n", head->digest,
               head->stage, head->seconds);
    for (int i = 0; i < n; i++)
        es_str_add(out, "piece=%s %zu %016" PRIx64 "\n", piece[i].name, piece[i].bytes,
                   es_checksum(piece[i].data, piece[i].bytes));
}

bool es_checkpoint_write(const char *path, const es_checkpoint_head *head,
                         const es_checkpoint_piece *piece, int n, es_error *err)
{
    es_str lines = {0};
    write_lines(&lines, head, piece, n);
    preamble p = {.version = VERSION,
                  .length = (uint32_t)lines.len,
                  .checksum = es_checksum(lines.s, lines.len)};
    memcpy(p.magic, magic, sizeof magic);
    es_piece all[2 + ES_CHECKPOINT_PIECES] = {{&p, sizeof p}, {lines.s, lines.len}};
    for (int i = 0; i < n; i++)
        all[2 + i] = (es_piece){piece[i].data, piece[i].bytes};
    bool ok = es_file_replace_pieces(path, all, (size_t)n + 2, 0666, NULL, err);
    es_str_free(&lines);
    return ok;
}

/* ---- reading ---- */

static bool bad(es_error *err, const es_checkpoint *c, const char *fmt, ...) ES_PRINTF(3, 4);
static bool bad(es_error *err, const es_checkpoint *c, const char *fmt, ...)
{
    es_str name = {0}, why = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&why, fmt, ap);
    va_end(ap);
    es_show_name(&name, c->path, strlen(c->path));
    es_fail(err, ES_ERR_FORMAT, "cannot go on from %s: %s", es_str_text(&name), es_str_text(&why));
    es_str_free(&name);
    es_str_free(&why);
    return false;
}

static bool read_hex(uint64_t *to, const char *text)
{
    char *end;
    *to = strtoull(text, &end, 16);
    return strlen(text) == 16 && !*end && text[strspn(text, "0123456789abcdef")] == '\0';
}

static bool read_count(uint64_t *to, const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    *to = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *to <= most;
}

/* "wte 12865792 0123456789abcdef": where it lies is filled in later, in the order of the lines. */
static bool read_piece(es_checkpoint *c, uint64_t *sum, char *line)
{
    char *checksum = strrchr(line, ' '),
         *size = checksum ? memrchr(line, ' ', (size_t)(checksum - line)) : NULL;
    uint64_t bytes;
    if (!size || c->n == ES_CHECKPOINT_PIECES || size - line >= ES_CHECKPOINT_NAME)
        return false;
    *size = *checksum = '\0';
    if (!read_count(&bytes, size + 1, PTRDIFF_MAX) || !read_hex(&sum[c->n], checksum + 1))
        return false;
    es_checkpoint_piece *p = &c->piece[c->n++];
    snprintf(p->name, sizeof p->name, "%s", line);
    p->bytes = (size_t)bytes;
    return true;
}

/* One line; false when this version would not have written it. */
static bool read_line(es_checkpoint *c, uint64_t *sum, char *line)
{
    char *value = strchr(line, '='), *end;
    uint64_t n;
    if (!value)
        return false;
    *value++ = '\0';
    if (!strcmp(line, "piece"))
        return read_piece(c, sum, value);
    if (!strcmp(line, "corpus"))
        return read_hex(&c->head.digest, value);
    if (!strcmp(line, "stage")) {
        bool ok = read_count(&n, value, 2) && n > 0;
        c->head.stage = ok ? (int64_t)n : 0;
        return ok;
    }
    if (!strcmp(line, "seconds")) {
        c->head.seconds = strtod(value, &end);
        return end != value && !*end && c->head.seconds >= 0 && c->head.seconds < 1e12;
    }
    return es_recipe_set(&c->head.recipe, line, value, NULL);
}

static bool read_lines(es_checkpoint *c, uint64_t *sum, const char *text, size_t n)
{
    char *copy = es_copy_bytes(text, n), *line = copy;
    bool ok = n > 0 && copy[n - 1] == '\n' && !memchr(copy, '\0', n);
    c->head.recipe = es_recipe_default();
    for (char *end; ok && *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        ok = read_line(c, sum, line);
    }
    free(copy);
    return ok && c->head.stage > 0 && es_recipe_check(&c->head.recipe, NULL);
}

/* Where each piece lies: one behind the other to the last byte of the file. */
static bool find_pieces(es_checkpoint *c, size_t at, es_error *err)
{
    size_t whole = at;
    for (int i = 0; i < c->n; i++) {
        if (c->piece[i].bytes > PTRDIFF_MAX - whole)
            return bad(err, c, "its pieces are larger than any file");
        whole += c->piece[i].bytes;
    }
    if (c->file.size < whole)
        return bad(err, c, "it is cut off: %zu of its %zu bytes are there", c->file.size, whole);
    if (c->file.size > whole)
        return bad(err, c, "%zu bytes follow its end", c->file.size - whole);
    for (int i = 0; i < c->n; at += c->piece[i++].bytes)
        c->piece[i].data = (void *)(c->file.data + at);
    return true;
}

static bool pieces_are_whole(const es_checkpoint *c, const uint64_t *sum, es_error *err)
{
    for (int i = 0; i < c->n; i++) {
        const es_checkpoint_piece *p = &c->piece[i];
        if (sum[i] == es_checksum(p->data, p->bytes))
            continue;
        es_str name = {0};
        es_show_brief(&name, p->name, strlen(p->name));
        bad(err, c, "its numbers %s are damaged", name.s);
        es_str_free(&name);
        return false;
    }
    return true;
}

static bool read_all(es_checkpoint *c, es_error *err)
{
    preamble p = {.length = 0};
    uint64_t sum[ES_CHECKPOINT_PIECES] = {0};
    const char *lines = (const char *)c->file.data + sizeof p;
    size_t size = c->file.size, n = size < sizeof magic ? size : sizeof magic;
    if (memcmp(c->file.data, magic, n) || !n)
        return bad(err, c, "it is no checkpoint of a training run");
    if (size >= sizeof p)
        memcpy(&p, c->file.data, sizeof p);
    if (size < sizeof p || (p.version == VERSION && p.length > size - sizeof p))
        return bad(err, c, "it is cut off after %zu bytes", size);
    if (p.version != VERSION)
        return bad(err, c,
                   "it was written by another version of this program (%" PRIu32 ", not %d)",
                   p.version, VERSION);
    if (p.checksum != es_checksum(lines, p.length))
        return bad(err, c, "its header is damaged");
    if (!read_lines(c, sum, lines, p.length))
        return bad(err, c, "its header is not as this version writes it");
    return find_pieces(c, sizeof p + p.length, err) && pieces_are_whole(c, sum, err);
}

bool es_checkpoint_open(es_checkpoint *c, const char *path, es_error *err)
{
    *c = (es_checkpoint){.path = es_copy_string(path)};
    if (es_file_is_plain("read", path, err) && es_file_open(&c->file, path, err) &&
        (read_all(c, err) || es_hint(err, "--restart begins anew, and replaces it")))
        return true;
    es_checkpoint_close(c);
    return false;
}

void es_checkpoint_close(es_checkpoint *c)
{
    es_file_close(&c->file);
    free(c->path);
    *c = (es_checkpoint){0};
}

/* ---- going on ---- */

static bool differs(const es_checkpoint *c, const es_recipe *r, const es_recipe_entry *e,
                    es_error *err)
{
    es_str name = {0}, theirs = {0}, ours = {0};
    es_show_name(&name, c->path, strlen(c->path));
    es_recipe_show(&theirs, &c->head.recipe, e);
    es_recipe_show(&ours, r, e);
    bool same = !strcmp(theirs.s, ours.s);
    if (!same) {
        es_fail(err, ES_ERR_VALUE, "cannot go on from %s: it was begun with %s, not %s",
                es_str_text(&name), theirs.s, ours.s);
        es_hint(err, "try: --%s, or --restart to begin anew", theirs.s);
    }
    es_str_free(&name);
    es_str_free(&theirs);
    es_str_free(&ours);
    return !same;
}

bool es_checkpoint_fits(const es_checkpoint *c, const es_recipe *r, uint64_t digest, es_error *err)
{
    const es_recipe_entry *e;
    for (size_t i = 0; (e = es_recipe_at(i)); i++)
        if (strcmp(e->name, "threads") && differs(c, r, e, err))
            return false;
    if (c->head.digest == digest)
        return true;
    es_str name = {0};
    es_show_name(&name, c->path, strlen(c->path));
    es_fail(err, ES_ERR_VALUE, "cannot go on from %s: it was begun on another text",
            es_str_text(&name));
    es_str_free(&name);
    return es_hint(err, "name the same files in the same order, or --restart to begin anew");
}

static const es_checkpoint_piece *find(const es_checkpoint *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->piece[i].name, name))
            return &c->piece[i];
    return NULL;
}

bool es_checkpoint_read(const es_checkpoint *c, const es_checkpoint_piece *piece, int n,
                        es_error *err)
{
    for (int i = 0; i < n; i++) {
        const es_checkpoint_piece *found = find(c, piece[i].name);
        if (!found)
            return bad(err, c, "it has no numbers \"%s\"", piece[i].name);
        if (found->bytes != piece[i].bytes)
            return bad(err, c, "its numbers \"%s\" take %zu bytes, not %zu", piece[i].name,
                       found->bytes, piece[i].bytes);
    }
    for (int i = 0; i < n; i++)
        memcpy(piece[i].data, find(c, piece[i].name)->data, piece[i].bytes);
    return true;
}
