// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/video.h"

#include <SDL_syswm.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/visible.h"

/* SDL has one video in a process, so there is one of these. */
static struct {
    bool started;
    bool waits;       /* its driver can wait for events */
    SDL_sem *woken;   /* else: counts events that were pushed */
    uint32_t wake;    /* the event that only ends a wait */
    atomic_bool dead; /* the display has gone; SDL must not be asked again */
} video;

static _Thread_local jmp_buf *escape; /* out of Xlib, which would end the program */

/* ---- a display that dies ---- */

/* Xlib calls this when it has lost its server, and exits if it returns. */
static int on_lost_server(void *display)
{
    (void)display;
    atomic_store(&video.dead, true);
    if (escape)
        longjmp(*escape, 1);
    return 0;
}

/* Xlib would end the program as well where the server refuses something, as it does when another program has destroyed
 * the window that is asked about. */
static int on_refusal(void *display, void *event)
{
    (void)display, (void)event;
    return 0;
}

/* SDL has opened Xlib by itself; where it has not there is none to be survived. */
static void survive_xlib(void)
{
    typedef int (*lost_handler)(void *display);
    typedef int (*refusal_handler)(void *display, void *event);
    void *x11 = dlopen("libX11.so.6", RTLD_NOW | RTLD_NOLOAD);
    lost_handler (*set_lost)(lost_handler) = NULL;
    refusal_handler (*set_refusal)(refusal_handler) = NULL;
    if (!x11)
        return;
    *(void **)&set_lost = dlsym(x11, "XSetIOErrorHandler");
    *(void **)&set_refusal = dlsym(x11, "XSetErrorHandler");
    if (set_lost)
        set_lost(on_lost_server);
    if (set_refusal)
        set_refusal(on_refusal);
    dlclose(x11);
}

#ifdef SDL_VIDEO_DRIVER_X11
bool es_video_destroyed(SDL_Window *w, const SDL_SysWMmsg *m)
{
    SDL_SysWMinfo own;
    SDL_VERSION(&own.version);
    if (!m || m->subsystem != SDL_SYSWM_X11 || m->msg.x11.event.type != DestroyNotify)
        return false;
    return SDL_GetWindowWMInfo(w, &own) &&
           m->msg.x11.event.xdestroywindow.window == own.info.x11.window;
}
#else
bool es_video_destroyed(SDL_Window *w, const SDL_SysWMmsg *m)
{
    (void)w, (void)m;
    return false;
}
#endif

bool es_video_try(void (*work)(void *user), void *user)
{
    jmp_buf here, *volatile outer = escape;
    if (atomic_load(&video.dead))
        return false;
    if (!setjmp(here)) {
        escape = &here;
        work(user);
    }
    escape = outer;
    return !atomic_load(&video.dead);
}

/* ---- start ---- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

bool es_video_ways_out(es_error *err)
{
    return es_hint(err, "without one: :export FILE or embedscope plot -o FILE write the picture "
                        "as PNG or SVG; :show draws it in the terminal");
}

static bool no_display(es_error *err, const char *why)
{
    es_fail(err, ES_ERR_UNSUPPORTED, "a window needs a display, and %s", why);
    return es_video_ways_out(err);
}

static bool refused(es_error *err)
{
    es_str why = {0};
    const char *said = SDL_GetError(), *display = getenv("DISPLAY");
    es_str_cat(&why, "SDL cannot open one: ");
    es_show_prose(&why, said, strlen(said));
    if (display && *display) {
        es_str_cat(&why, " (DISPLAY is ");
        es_show_brief(&why, display, strlen(display));
        es_str_cat(&why, ")");
    }
    no_display(err, why.s);
    es_str_free(&why);
    return false;
}

/* Before SDL looks: on a bare console it would take the whole of it, elsewhere draw where nobody looks. */
static bool has_display(void)
{
#ifdef __linux__
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("SDL_VIDEODRIVER");
#else
    return true;
#endif
}

static void hint_before(void)
{
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1"); /* Ctrl-C is the loop's */
    SDL_SetHint(SDL_HINT_QUIT_ON_LAST_WINDOW_CLOSE, "0");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_IME_SHOW_UI, "1");
    SDL_SetHint(SDL_HINT_APP_NAME, "embedscope");
    SDL_SetHint(SDL_HINT_VIDEO_WAYLAND_ALLOW_LIBDECOR, "0"); /* a second window crashes in it */
    SDL_SetHint("SDL_VIDEO_X11_WMCLASS", "embedscope");
    SDL_SetHint("SDL_VIDEO_WAYLAND_WMCLASS", "embedscope");
#ifdef __linux__
    bool x11 = is_set("DISPLAY"), wayland = is_set("WAYLAND_DISPLAY");
    if (!is_set("SDL_VIDEODRIVER")) /* that it is there and empty would be SDL's own choice */
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER,
                                !wayland ? "x11"
                                : x11    ? "x11,wayland"
                                         : "wayland",
                                SDL_HINT_OVERRIDE);
#endif
}

/* A driver that cannot wait is polled by SDL a thousand times a second: it is waited for in our own way. */
static int on_pushed(void *user, SDL_Event *e)
{
    (void)user;
    if (e->type != SDL_POLLSENTINEL) /* SDL's own mark where a round of polling ends */
        SDL_SemPost(video.woken);
    return 0;
}

static void prepare(const char *driver)
{
    bool unseen = !strcmp(driver, "dummy") || !strcmp(driver, "offscreen");
    if (!strcmp(driver, "x11") || unseen)
        SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* through Mesa it is slower */
    video.waits = !unseen;
    video.wake = SDL_RegisterEvents(1);
    if (unseen) {
        video.woken = SDL_CreateSemaphore(0);
        SDL_AddEventWatch(on_pushed, NULL);
    }
    SDL_EventState(SDL_DROPFILE, SDL_DISABLE);
    SDL_EventState(SDL_DROPTEXT, SDL_DISABLE);
    SDL_EventState(SDL_SYSWMEVENT, SDL_ENABLE); /* for es_video_destroyed */
    survive_xlib();
}

bool es_video_start(es_error *err)
{
    if (atomic_load(&video.dead))
        return no_display(err, "the one this program had has gone; a new start finds another");
    if (video.started)
        return true;
    if (!has_display())
        return no_display(err, "there is none: neither DISPLAY nor WAYLAND_DISPLAY is set");
    hint_before();
    if (SDL_Init(SDL_INIT_VIDEO))
        return refused(err);
    prepare(SDL_GetCurrentVideoDriver());
    video.started = true;
    return true;
}

bool es_video_display(const char **driver)
{
    if (!es_video_start(NULL))
        return false;
    if (driver)
        *driver = SDL_GetCurrentVideoDriver();
    return true;
}

float es_video_scale(void)
{
    const char *said = getenv("GDK_SCALE");
    int scale = said && !strcmp(SDL_GetCurrentVideoDriver(), "x11") ? atoi(said) : 1;
    return scale >= 1 && scale <= 4 ? (float)scale : 1;
}

/* ---- waiting ---- */

bool es_video_wait(SDL_Event *e, int milliseconds)
{
    if (video.waits)
        return SDL_WaitEventTimeout(e, milliseconds);
    if (SDL_PollEvent(e))
        return true;
    SDL_SemWaitTimeout(video.woken, milliseconds < 0 ? SDL_MUTEX_MAXWAIT : (Uint32)milliseconds);
    while (SDL_SemTryWait(video.woken) == 0)
        ;
    return SDL_PollEvent(e);
}

static void push(void *user)
{
    (void)user;
    SDL_Event e = {.type = video.wake};
    SDL_PushEvent(&e);
}

void es_video_wake(void)
{
    es_video_try(push, NULL);
}
