// SPDX-License-Identifier: GPL-3.0-or-later
/* The module of pictures, build/embedscope-view.so: fonts, PNG and the window, which want SDL2.  It is opened when the
 * first picture needs it; without it everything but pictures works. */
#ifndef ES_VIEW_MODULE_H
#define ES_VIEW_MODULE_H

#include "view/font.h"
#include "view/viewer.h"

enum { ES_MODULE_VERSION = 1 };

struct es_module {
    int version;
    void (*about)(es_str *out); /* "SDL 2.26.5, SDL_ttf 2.20.1, SDL_image 2.6.3" */

    /* The system's fonts; a display is not needed.  Owned by the module (not to be freed), the same at every call.  NULL with
     * ES_ERR_UNSUPPORTED: no font was found, and which to install. */
    es_font *(*font)(es_error *err);
    void (*fonts)(es_str *out); /* "DejaVu Sans, Unifont" */

    /* Append a PNG of (h, w) pixels 0xFFRRGGBB.  ES_ERR_NOMEM, ES_ERR_IO. */
    bool (*png)(es_str *out, const uint32_t *pixels, int w, int h, es_error *err);

    /* Is there a display?  *driver (may be NULL): "x11". */
    bool (*display)(const char **driver);

    /* Open the window on v.  ES_ERR_UNSUPPORTED without a display: names both ways out.  Close with `close`. */
    es_window *(*open)(es_viewer *v, es_error *err);
    void (*close)(es_window *w);
    bool (*full)(es_window *w, bool on, es_error *err); /* the whole screen */

    /* Wait until one of n descriptors can be read (returned as bits), something is waiting in the session for the
     * prompt, or so many milliseconds went by (-1: no end).  Events of the window are handled, and what changed is
     * drawn.  v->window is NULL afterwards when the reader closed it or the display died. */
    unsigned (*wait)(es_viewer *v, const int *fd, int n, int milliseconds);

    /* Draw soon: something a picture shows has changed.  Draw now, if it is time for a frame (for long work, whose
     * session is in the middle of something: the picture is that of before, only the window's own events are acted on,
     * and Ctrl-C among the keys is raised as SIGINT). */
    void (*changed)(es_window *w);
    void (*breathe)(es_viewer *v);

    /* Milliseconds of the last n frames, newest first, from event to shown; returns how many.  For measuring. */
    size_t (*times)(const es_window *w, float *ms, size_t n);
};

/* The module, loaded on the first call and kept in v (NULL: in nobody).  It is looked for in $EMBEDSCOPE_VIEW alone,
 * else beside the program, else where it is installed.  ES_ERR_UNSUPPORTED says where and what to install. */
const es_module *es_module_load(es_viewer *v, es_error *err);

/* Append what doctor says of pictures: "module found, SDL 2.26.5, …, display by x11"; "DejaVu Sans, Unifont". */
void es_module_doctor(es_str *window, es_str *fonts);

/* What the module has to export under this name. */
#define ES_MODULE_SYMBOL "es_view_module"

#endif
