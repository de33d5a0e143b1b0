// SPDX-License-Identifier: GPL-3.0-or-later
#include "xvfb.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support.h"

enum { PATIENCE_MS = 20000, LOOK_MS = 20, REPLY = 32, SHIFT = 0xffe1 };

/* Requests of X's core protocol, and what XTEST has of its own. */
enum {
    GET_ATTRIBUTES = 3,
    DESTROY = 4,
    CONFIGURE = 12,
    GET_GEOMETRY = 14,
    QUERY_TREE = 15,
    INTERN_ATOM = 16,
    SEND_EVENT = 25,
    SET_FOCUS = 42,
    GET_FOCUS = 43,
    GET_IMAGE = 73,
    QUERY_EXTENSION = 98,
    GET_KEYS = 101,
    FAKE_INPUT = 2
};
enum { KEY_PRESS = 2, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION };

static pid_t server;
static int wire = -1;
static uint32_t root, shown; /* windows */
static uint8_t xtest, first_key, n_columns;
static uint32_t *keysym; /* of each key, n_columns of them */
static int n_keys;

/* ---- bytes ---- */

static void put2(uint8_t *to, uint32_t v)
{
    to[0] = (uint8_t)v;
    to[1] = (uint8_t)(v >> 8);
}

static void put4(uint8_t *to, uint32_t v)
{
    put2(to, v);
    put2(to + 2, v >> 16);
}

static uint32_t get2(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8;
}

static uint32_t get4(const uint8_t *from)
{
    return get2(from) | get2(from + 2) << 16;
}

static void get_bytes(void *to, size_t n)
{
    for (size_t got = 0; got < n;) {
        ssize_t more = read(wire, (uint8_t *)to + got, n - got);
        demand(more > 0, "Xvfb has gone");
        got += (size_t)more;
    }
}

static void send_bytes(const uint8_t *bytes, size_t n)
{
    demand(send(wire, bytes, n, MSG_NOSIGNAL) == (ssize_t)n, "Xvfb does not listen");
}

/* A request: its number, the byte behind it, then n bytes that are padded to a multiple of four. */
static void request(uint8_t number, uint8_t detail, const uint8_t *body, size_t n)
{
    uint8_t bytes[128] = {number, detail};
    size_t padded = (n + 3) / 4 * 4;
    demand(padded + 4 <= sizeof bytes, "a long request");
    put2(bytes + 2, (uint32_t)(1 + padded / 4));
    if (n)
        memcpy(bytes + 4, body, n);
    send_bytes(bytes, 4 + padded);
}

/* Its answer: the head, and what follows (NULL: it is not wanted), which the caller frees.  false: it is an error. */
static bool answered(uint8_t head[REPLY], uint8_t **rest)
{
    do
        get_bytes(head, REPLY);
    while (head[0] > 1); /* events */
    if (!head[0])
        return false;
    size_t n = 4 * (size_t)get4(head + 4);
    uint8_t *more = es_alloc(n ? n : 1);
    get_bytes(more, n);
    if (rest)
        *rest = more;
    else
        free(more);
    return true;
}

static void answer(uint8_t head[REPLY], uint8_t **rest)
{
    demand(answered(head, rest), "X error %d of request %d", head[1], head[10]);
}

/* false: there is no such window, any more. */
static bool asked_window(uint8_t number, uint32_t window, uint8_t head[REPLY], uint8_t **rest)
{
    uint8_t body[4];
    put4(body, window);
    request(number, 0, body, sizeof body);
    return answered(head, rest);
}

static void ask_window(uint8_t number, uint32_t window, uint8_t head[REPLY], uint8_t **rest)
{
    demand(asked_window(number, window, head, rest), "no window %u", window);
}

/* The server has done all that it was told. */
static void settle(void)
{
    uint8_t head[REPLY];
    request(GET_FOCUS, 0, NULL, 0);
    answer(head, NULL);
}

/* ---- start ---- */

static void run_server(int tell, int w, int h)
{
    char fd[16], screen[32];
    snprintf(fd, sizeof fd, "%d", tell);
    snprintf(screen, sizeof screen, "%dx%dx24", w, h);
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++)
        dup2(nowhere, i);
    execlp("Xvfb", "Xvfb", "-displayfd", fd, "-screen", "0", screen, "-nolisten", "tcp", NULL);
    _exit(127);
}

/* The number of the display that it found free; empty: it did not start. */
static void read_number(int from, char out[16])
{
    size_t n = 0;
    while (n < 15 && read(from, out + n, 1) == 1 && out[n] != '\n')
        n++;
    out[n] = '\0';
}

static void connect_to(const char *number)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "/tmp/.X11-unix/X%s", number);
    wire = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    demand(!connect(wire, (struct sockaddr *)&at, sizeof at), "Xvfb is not at %s", at.sun_path);
}

static void shake_hands(void)
{
    uint8_t hello[12] = {'l', 0, 11}, head[8];
    send_bytes(hello, sizeof hello);
    get_bytes(head, sizeof head);
    size_t n = 4 * (size_t)get2(head + 6);
    uint8_t *rest = es_alloc(n ? n : 1);
    get_bytes(rest, n);
    demand(head[0] == 1, "Xvfb refuses: %.*s", (int)n, rest);
    size_t screen = 32 + (get2(rest + 16) + 3) / 4 * 4 + 8 * (size_t)rest[21];
    root = get4(rest + screen);
    first_key = rest[26];
    n_keys = rest[27] - rest[26] + 1;
    free(rest);
}

static void find_xtest(void)
{
    uint8_t body[12] = {5}, head[REPLY];
    memcpy(body + 4, "XTEST", 5);
    request(QUERY_EXTENSION, 0, body, sizeof body);
    answer(head, NULL);
    demand(head[8], "Xvfb has no XTEST");
    xtest = head[9];
}

static void read_keys(void)
{
    uint8_t body[4] = {first_key, (uint8_t)n_keys}, head[REPLY], *rest;
    request(GET_KEYS, 0, body, sizeof body);
    answer(head, &rest);
    n_columns = head[1];
    size_t n = (size_t)n_keys * n_columns;
    keysym = es_alloc_array(n, sizeof *keysym);
    for (size_t i = 0; i < n; i++)
        keysym[i] = get4(rest + 4 * i);
    free(rest);
}

bool xvfb_start(int w, int h)
{
    int tell[2];
    char number[16];
    /* At the end of a program that had a window the leak checker itself can crash (its tracer, in the memory of
     * threads that libraries began): of programs run here it looks at everything but leaks. */
    setenv("ASAN_OPTIONS", "allocator_may_return_null=1:detect_leaks=0", 1);
    demand(!pipe(tell), "no pipe");
    server = fork();
    if (server == 0)
        run_server(tell[1], w, h);
    close(tell[1]);
    read_number(tell[0], number);
    close(tell[0]);
    if (!*number) {
        waitpid(server, NULL, 0);
        server = 0;
        fprintf(stderr, "skipped, for there is no Xvfb here\n");
        return false;
    }
    char display[20];
    snprintf(display, sizeof display, ":%s", number);
    setenv("DISPLAY", display, 1);
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("SDL_VIDEODRIVER");
    connect_to(number);
    shake_hands();
    find_xtest();
    read_keys();
    return true;
}

void xvfb_stop(void)
{
    if (server > 0) {
        kill(server, SIGTERM);
        waitpid(server, NULL, 0);
    }
    if (wire >= 0)
        close(wire);
    free(keysym);
    keysym = NULL;
    server = 0;
    wire = -1;
    unsetenv("DISPLAY");
}

/* ---- windows ---- */

static xvfb_box box_of(uint32_t window)
{
    uint8_t head[REPLY];
    ask_window(GET_GEOMETRY, window, head, NULL);
    return (xvfb_box){(int16_t)get2(head + 12), (int16_t)get2(head + 14), (int)get2(head + 16),
                      (int)get2(head + 18)};
}

static bool is_seen(uint32_t window)
{
    enum { VIEWABLE = 2, SMALL = 50 };
    uint8_t head[REPLY];
    bool seen = asked_window(GET_ATTRIBUTES, window, head, NULL) && head[26] == VIEWABLE;
    return seen && asked_window(GET_GEOMETRY, window, head, NULL) && get2(head + 16) > SMALL;
}

bool xvfb_has_window(void)
{
    uint8_t head[REPLY], *rest;
    ask_window(QUERY_TREE, root, head, &rest);
    shown = 0;
    for (size_t i = 0; i < get2(head + 16) && !shown; i++)
        shown = is_seen(get4(rest + 4 * i)) ? get4(rest + 4 * i) : 0;
    free(rest);
    return shown != 0;
}

static void wait_until(bool there)
{
    int waited = 0;
    for (; xvfb_has_window() != there && waited < PATIENCE_MS; waited += LOOK_MS)
        usleep(1000 * LOOK_MS);
    demand(waited < PATIENCE_MS, there ? "no window was opened" : "the window is still there");
}

xvfb_box xvfb_expect_window(void)
{
    uint8_t body[8] = {0};
    wait_until(true);
    put4(body, shown);
    request(SET_FOCUS, 2, body, sizeof body); /* there is nobody else to do it */
    settle();
    return box_of(shown);
}

void xvfb_expect_none(void)
{
    wait_until(false);
}

static uint32_t atom(const char *name)
{
    uint8_t body[64] = {0}, head[REPLY];
    size_t n = strlen(name);
    put2(body, (uint32_t)n);
    memcpy(body + 4, name, n);
    request(INTERN_ATOM, 0, body, 4 + n);
    answer(head, NULL);
    return get4(head + 8);
}

void xvfb_close_window(void)
{
    uint8_t body[40] = {0}, *event = body + 8;
    enum { CLIENT_MESSAGE = 33 };
    put4(body, shown);
    event[0] = CLIENT_MESSAGE;
    event[1] = 32; /* bits of each number */
    put4(event + 4, shown);
    put4(event + 8, atom("WM_PROTOCOLS"));
    put4(event + 12, atom("WM_DELETE_WINDOW"));
    request(SEND_EVENT, 0, body, sizeof body);
    settle();
}

void xvfb_destroy_window(void)
{
    uint8_t body[4];
    put4(body, shown);
    request(DESTROY, 0, body, sizeof body);
    settle();
}

void xvfb_resize(int w, int h)
{
    enum { WIDTH_AND_HEIGHT = 4 | 8 };
    uint8_t body[16] = {0};
    put4(body, shown);
    put2(body + 4, WIDTH_AND_HEIGHT);
    put4(body + 8, (uint32_t)w);
    put4(body + 12, (uint32_t)h);
    request(CONFIGURE, 0, body, sizeof body);
    settle();
}

uint32_t *xvfb_pixels(xvfb_box of)
{
    enum { Z_PIXMAP = 2 };
    uint8_t body[16] = {0}, head[REPLY], *rest;
    put4(body, root);
    put2(body + 4, (uint32_t)of.x);
    put2(body + 6, (uint32_t)of.y);
    put2(body + 8, (uint32_t)of.w);
    put2(body + 10, (uint32_t)of.h);
    put4(body + 12, 0xffffffff);
    request(GET_IMAGE, Z_PIXMAP, body, sizeof body);
    answer(head, &rest);
    size_t n = (size_t)of.w * (size_t)of.h;
    uint32_t *out = es_alloc_array(n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = get4(rest + 4 * i) & 0xffffff;
    free(rest);
    return out;
}

/* ---- keys and the pointer ---- */

static void fake(uint8_t type, uint8_t detail, int x, int y)
{
    uint8_t body[32] = {type, detail};
    put4(body + 8, root);
    put2(body + 20, (uint32_t)x);
    put2(body + 22, (uint32_t)y);
    request(xtest, FAKE_INPUT, body, sizeof body);
    settle();
}

/* The key that bears it; *shifted: with Shift. */
static uint8_t key_of(uint32_t sym, bool *shifted)
{
    for (int column = 0; column < 2 && column < n_columns; column++)
        for (int i = 0; i < n_keys; i++)
            if (keysym[i * n_columns + column] == sym) {
                *shifted = column == 1;
                return (uint8_t)(first_key + i);
            }
    demand(false, "no key bears 0x%x", (unsigned)sym);
    return 0;
}

static void press(uint32_t sym, bool down)
{
    bool shifted = false;
    uint8_t key = key_of(sym, &shifted);
    if (shifted && down)
        press(SHIFT, true);
    fake(down ? KEY_PRESS : KEY_RELEASE, key, 0, 0);
    if (shifted && !down)
        press(SHIFT, false);
}

void xvfb_key(uint32_t sym, uint32_t held)
{
    if (held)
        press(held, true);
    press(sym, true);
    press(sym, false);
    if (held)
        press(held, false);
}

void xvfb_type(const char *ascii)
{
    for (; *ascii; ascii++)
        xvfb_key((unsigned char)*ascii, 0);
}

void xvfb_point(int x, int y)
{
    fake(MOTION, 0, x, y);
}

void xvfb_button(int button, bool down)
{
    fake(down ? BUTTON_PRESS : BUTTON_RELEASE, (uint8_t)button, 0, 0);
}

void xvfb_click(int x, int y, int button)
{
    xvfb_point(x, y);
    xvfb_button(button, true);
    xvfb_button(button, false);
}
