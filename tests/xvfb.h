// SPDX-License-Identifier: GPL-3.0-or-later
/* A display of our own, Xvfb, with a hand on its keys, its mouse and its pixels.  It speaks X's protocol itself, so
 * nothing else has to be installed.  One at a time. */
#ifndef ES_TESTS_XVFB_H
#define ES_TESTS_XVFB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start it and set DISPLAY; false: there is no Xvfb here, and the log has a line about it. */
bool xvfb_start(int w, int h);
void xvfb_stop(void); /* and unset DISPLAY; whoever shows something there loses it */

typedef struct xvfb_box {
    int x, y, w, h; /* on the screen */
} xvfb_box;

/* Wait until a window is shown, give it the keys, and say where it is.  It fails the test after a while. */
xvfb_box xvfb_expect_window(void);
bool xvfb_has_window(void);
void xvfb_expect_none(void); /* wait until no window is shown */

/* A key by X's number for it: an ASCII character, XK_Return is 0xff0d; held: others that are down meanwhile. */
void xvfb_key(uint32_t keysym, uint32_t held);
void xvfb_type(const char *ascii);

/* The pointer, on the screen; buttons 1 to 3, 4 and 5 are the wheel. */
void xvfb_point(int x, int y);
void xvfb_button(int button, bool down);
void xvfb_click(int x, int y, int button);

/* As the window's frame would ask. */
void xvfb_close_window(void);
void xvfb_destroy_window(void); /* without asking */
void xvfb_resize(int w, int h);

/* 0x00RRGGBB, row by row; the caller frees. */
uint32_t *xvfb_pixels(xvfb_box of);

#endif
