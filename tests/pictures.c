// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "support.h"

static void put_picture(es_str *out, const es_raster *r)
{
    es_str_add(out, "P6\n%d %d\n255\n", r->w, r->h);
    for (size_t i = 0; i < (size_t)r->w * (size_t)r->h; i++)
        for (int shift = 16; shift >= 0; shift -= 8)
            es_str_char(out, (char)(r->pixels[i] >> shift));
}

static void write_picture(const char *path, const es_str *picture)
{
    FILE *f = fopen(path, "wb");
    demand(f && fwrite(picture->s, 1, picture->len, f) == picture->len, "cannot write %s", path);
    fclose(f);
}

static bool read_picture(const char *path, es_str *out)
{
    char block[1 << 16];
    FILE *f = fopen(path, "rb");
    for (size_t n; f && (n = fread(block, 1, sizeof block, f)) > 0;)
        es_str_bytes(out, block, n);
    if (f)
        fclose(f);
    return f != NULL;
}

/* Says how `got` differs from `want`, both with the same head; empty: it is the same picture. */
static void compare(es_str *out, const es_str *want, const es_str *got, size_t pixels)
{
    size_t head = got->len - 3 * pixels, apart = 0;
    int most = 0;
    if (want->len != got->len || memcmp(want->s, got->s, head) != 0) {
        es_str_cat(out, "has another size");
        return;
    }
    for (size_t i = 0; i < pixels; i++) {
        int here = 0;
        for (size_t k = head + 3 * i; k < head + 3 * i + 3; k++) {
            int by = abs((unsigned char)want->s[k] - (unsigned char)got->s[k]);
            here = by > here ? by : here;
        }
        apart += here > PICTURE_LITTLE;
        most = here > most ? here : most;
    }
    if (most > PICTURE_MOST || apart * PICTURE_FEW > pixels)
        es_str_add(out, "differs: %zu of %zu pixels, by up to %d", apart, pixels, most);
}

void same_picture(const es_raster *r, const char *name)
{
    es_str path = {0}, got = {0}, want = {0}, said = {0}, drawn = {0};
    const char *asked = getenv("ES_GOLDEN");
    es_str_add(&path, "tests/data/pictures/%s.ppm", name);
    put_picture(&got, r);
    if (asked && !strcmp(asked, "write"))
        write_picture(path.s, &got);
    if (!read_picture(path.s, &want))
        es_str_cat(&said, "is not there");
    else
        compare(&said, &want, &got, (size_t)r->w * (size_t)r->h);
    if (said.len) {
        mkdir("build", 0777);
        mkdir("build/pictures", 0777);
        es_str_add(&drawn, "build/pictures/%s.ppm", name);
        write_picture(drawn.s, &got);
    }
    demand(!said.len, "%s %s; drawn was %s", path.s, said.s, drawn.s);
    es_str_free(&path);
    es_str_free(&got);
    es_str_free(&want);
    es_str_free(&said);
    es_str_free(&drawn);
}
