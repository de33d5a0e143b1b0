// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/png.h"

#include <SDL_image.h>

/* ---- a string that SDL writes to ---- */

/* PNG is written from front to back. */
static Sint64 size_of(SDL_RWops *rw)
{
    return (Sint64)((const es_str *)rw->hidden.unknown.data1)->len;
}

static Sint64 seek(SDL_RWops *rw, Sint64 offset, int whence)
{
    if (offset == 0 && whence == RW_SEEK_CUR)
        return size_of(rw);
    return SDL_SetError("a string cannot be sought in");
}

static size_t no_read(SDL_RWops *rw, void *to, size_t size, size_t n)
{
    (void)rw, (void)to, (void)size, (void)n;
    return 0;
}

static size_t append(SDL_RWops *rw, const void *from, size_t size, size_t n)
{
    es_str_bytes(rw->hidden.unknown.data1, from, size * n);
    return n;
}

static int close_none(SDL_RWops *rw)
{
    SDL_FreeRW(rw);
    return 0;
}

/* NULL: no memory. */
static SDL_RWops *write_to(es_str *out)
{
    SDL_RWops *rw = SDL_AllocRW();
    if (!rw)
        return NULL;
    *rw = (SDL_RWops){.size = size_of,
                      .seek = seek,
                      .read = no_read,
                      .write = append,
                      .close = close_none,
                      .type = SDL_RWOPS_UNKNOWN,
                      .hidden.unknown.data1 = out};
    return rw;
}

bool es_png_write(es_str *out, const uint32_t *pixels, int w, int h, es_error *err)
{
    size_t begin = out->len;
    if (w < 1 || h < 1)
        return es_fail(err, ES_ERR_RANGE, "a picture of %d x %d has no pixels", w, h);
    SDL_Surface *s = SDL_CreateRGBSurfaceWithFormatFrom((void *)pixels, w, h, 32, 4 * w,
                                                        SDL_PIXELFORMAT_ARGB8888);
    SDL_RWops *rw = write_to(out);
    if (!s || !rw) {
        SDL_FreeSurface(s);
        if (rw)
            SDL_RWclose(rw);
        return es_fail(err, ES_ERR_NOMEM, "no room for a picture of %d x %d as PNG", w, h);
    }
    bool ok = !IMG_SavePNG_RW(s, rw, 0);
    SDL_RWclose(rw);
    SDL_FreeSurface(s);
    if (ok)
        return true;
    es_str_cut(out, begin);
    return es_fail(err, ES_ERR_IO, "SDL_image cannot write a picture of %d x %d as PNG: %s", w, h,
                   IMG_GetError());
}
