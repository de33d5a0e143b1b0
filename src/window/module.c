// SPDX-License-Identifier: GPL-3.0-or-later
/* What the program finds when it opens the module. */
#include <SDL_image.h>
#include <SDL_ttf.h>
#include <stdlib.h>

#include "view/module.h"
#include "window/font.h"
#include "window/png.h"
#include "window/video.h"
#include "window/window.h"

/* The system's fonts are the same for all. */
static es_font *fonts;

static void add_version(es_str *out, const char *name, const SDL_version *v)
{
    es_str_add(out, "%s %d.%d.%d", name, v->major, v->minor, v->patch);
}

static void about(es_str *out)
{
    SDL_version sdl;
    SDL_GetVersion(&sdl);
    add_version(out, "SDL", &sdl);
    add_version(out, ", SDL_ttf", TTF_Linked_Version());
    add_version(out, ", SDL_image", IMG_Linked_Version());
}

static void free_fonts(void)
{
    es_font_free(fonts);
    fonts = NULL;
}

/* At the end they are freed: fontconfig's patterns point to their parts in a way no search for leaks follows. */
static es_font *font(es_error *err)
{
    if (fonts)
        return fonts;
    fonts = es_system_font_new(err);
    if (fonts)
        atexit(free_fonts);
    return fonts;
}

static void font_names(es_str *out)
{
    if (font(NULL))
        es_system_font_names(fonts, out);
}

extern const es_module es_view_module;
__attribute__((visibility("default"))) const es_module es_view_module = {
    .version = ES_MODULE_VERSION,
    .about = about,
    .font = font,
    .fonts = font_names,
    .png = es_png_write,
    .display = es_video_display,
    .open = es_window_open,
    .close = es_window_close,
    .full = es_window_full,
    .wait = es_window_wait,
    .changed = es_window_changed,
    .breathe = es_window_breathe,
    .times = es_window_times,
};
