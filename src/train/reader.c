// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/reader.h"

#include <string.h>

#if ES_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "model/content.h"

/* "cannot train on X: why", the byte included where it is known. */
static bool bad(es_error *err, es_code code, const char *path, const char *why)
{
    es_str name = {0};
    es_show_name(&name, path, strlen(path));
    es_fail(err, code, "cannot train on %s: %s", es_str_text(&name), why);
    es_str_free(&name);
    return false;
}

/* ---- zstd ---- */

/* RFC 8878, sections 3.1.1 and 3.1.2: a frame, or one to be skipped, of which there are sixteen. */
static bool is_packed(const unsigned char *p, size_t n)
{
    return n >= 4 && (!memcmp(p, "\x28\xB5\x2F\xFD", 4) ||
                      ((p[0] & 0xF0) == 0x50 && !memcmp(p + 1, "\x2A\x4D\x18", 3)));
}

bool es_reader_knows_zstd(void)
{
    return ES_HAVE_ZSTD;
}

#if ES_HAVE_ZSTD

/* A file that is being unpacked. */
typedef struct unpacking {
    ZSTD_DCtx *zstd;
    const es_file *file;
    const char *path;
    size_t at;    /* bytes of the file that are done with */
    size_t first; /* bytes that zstd asks for where a frame begins */
    size_t want;  /* how many next: to the end of a block; 0: between frames */
    es_str *out;
} unpacking;

static bool damaged(const unpacking *u, size_t result, es_error *err)
{
    es_str why = {0};
    ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    if (code == ZSTD_error_memory_allocation)
        return bad(err, ES_ERR_NOMEM, u->path, "no room to unpack it");
    if (code == ZSTD_error_frameParameter_windowTooLarge)
        es_str_add(&why, "its zstd frame wants a window beyond 128 MiB (byte %zu)", u->at);
    else
        es_str_add(&why, "its zstd data are damaged at byte %zu (%s)", u->at,
                   ZSTD_getErrorName(result));
    bad(err, ES_ERR_FORMAT, u->path, why.s);
    if (code == ZSTD_error_frameParameter_windowTooLarge)
        es_hint(err, "unpack it first: unzstd --long=31 FILE");
    es_str_free(&why);
    return false;
}

static bool cut_off(const unpacking *u, es_error *err)
{
    es_str why = {0};
    es_str_add(&why, "its zstd data are cut off at byte %zu, the end of the file", u->file->size);
    bad(err, ES_ERR_FORMAT, u->path, why.s);
    es_str_free(&why);
    return es_hint(err, "fetch or pack the file again");
}

/* A few kilobytes may hold more text than a machine has memory: from a megabyte on it is asked each time the text
 * has doubled. */
static bool room(const unpacking *u, es_error *err)
{
    es_str *out = u->out;
    size_t block = ZSTD_DStreamOutSize();
    if (out->cap > out->len + block)
        return true;
    if (out->cap >= 1 << 20 && !es_memory_for(2 * (double)out->cap, NULL))
        return bad(err, ES_ERR_NOMEM, u->path, "unpacked, it takes half of this machine's memory");
    return es_str_room(out, block, "a text", err);
}

/* One block at most, so that an error is known by the block's first byte. */
static bool unpack_block(unpacking *u, bool *full, es_error *err)
{
    if (!room(u, err))
        return false;
    size_t left = u->file->size - u->at, ask = u->want ? u->want : u->first;
    ZSTD_inBuffer in = {u->file->data + u->at, ask < left ? ask : left, 0};
    ZSTD_outBuffer out = {u->out->s + u->out->len, u->out->cap - u->out->len - 1, 0};
    size_t result = ZSTD_decompressStream(u->zstd, &out, &in);
    if (ZSTD_isError(result))
        return damaged(u, result, err);
    u->at += in.pos;
    u->want = result;
    u->out->len += out.pos;
    u->out->s[u->out->len] = '\0';
    *full = out.pos == out.size;
    return true;
}

static bool unpack_all(unpacking *u, es_watch *watch, es_error *err)
{
    bool full = false;
    while (u->at < u->file->size || (full && u->want))
        if (!es_watch_step(watch, u->at, err) || !unpack_block(u, &full, err))
            return false;
    return u->want == 0 || cut_off(u, err);
}

static bool unpack(es_reader *r, const char *path, es_watch *watch, es_error *err)
{
    unpacking u = {.zstd = ZSTD_createDCtx(), .file = &r->file, .path = path, .out = &r->unpacked};
    if (!u.zstd)
        return bad(err, ES_ERR_NOMEM, path, "no room to unpack it");
    u.first = ZSTD_initDStream(u.zstd);
    bool ok = unpack_all(&u, watch, err);
    ZSTD_freeDCtx(u.zstd);
    return ok;
}

#else

static bool unpack(es_reader *r, const char *path, es_watch *watch, es_error *err)
{
    (void)r;
    (void)watch;
    bad(err, ES_ERR_UNSUPPORTED, path, "it is packed by zstd, and this program was built without");
    return es_hint(err, "unpack it first: unzstd FILE");
}

#endif

/* ---- any file ---- */

static bool look_for_utf8(es_reader *r, es_watch *watch, es_error *err)
{
    enum { BLOCK = 1 << 20 };
    size_t step = 0;
    for (size_t i = 0, n; i < r->size; i += n) {
        uint32_t cp;
        if (i >= step && !es_watch_step(watch, r->file.size, err))
            return false;
        step = i >= step ? i + BLOCK : step;
        n = (size_t)es_utf8_next(r->text + i, r->size - i, &cp);
        if (!n) {
            r->odd = i;
            return true;
        }
    }
    r->is_utf8 = true;
    return true;
}

/* What is no text and known by its first bytes was named by mistake. */
static bool is_text(const es_reader *r, const char *path, es_error *err)
{
    if (is_packed((const unsigned char *)r->text, r->size)) {
        bad(err, ES_ERR_FORMAT, path, "it is packed by zstd twice");
        return es_hint(err, "unpack it first: unzstd FILE");
    }
    es_content content = es_content_of(r->text, r->size);
    if (r->is_utf8 || !content.is)
        return true;
    es_str why = {0};
    es_str_add(&why, "it is %s", content.is);
    bad(err, ES_ERR_FORMAT, path, why.s);
    es_str_free(&why);
    return es_hint(err, "a corpus is plain text, or text packed by zstd");
}

static bool read_text(es_reader *r, const char *path, es_watch *watch, es_error *err)
{
    if (!es_file_open_watched(&r->file, path, watch, err))
        return false;
    es_watch_begin(watch, r->file.size);
    bool packed = is_packed(r->file.data, r->file.size);
    if (packed && !unpack(r, path, watch, err))
        return false;
    r->text = packed ? es_str_text(&r->unpacked) : (const char *)r->file.data;
    r->size = packed ? r->unpacked.len : r->file.size;
    return look_for_utf8(r, watch, err) && is_text(r, path, err);
}

bool es_reader_open(es_reader *r, const char *path, es_watch *watch, es_error *err)
{
    *r = (es_reader){0};
    if (read_text(r, path, watch, err))
        return true;
    es_reader_close(r);
    return false;
}

void es_reader_close(es_reader *r)
{
    es_file_close(&r->file);
    es_str_free(&r->unpacked);
    *r = (es_reader){0};
}
