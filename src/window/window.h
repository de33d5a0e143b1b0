// SPDX-License-Identifier: GPL-3.0-or-later
/* The window: SDL shows what view/frame.h draws, its events become gestures and keys.  All of it on the main thread. */
#ifndef ES_WINDOW_WINDOW_H
#define ES_WINDOW_WINDOW_H

#include "view/module.h"

/* As es_module has them. */
es_window *es_window_open(es_viewer *v, es_error *err);
void es_window_close(es_window *w);
bool es_window_full(es_window *w, bool on, es_error *err);
unsigned es_window_wait(es_viewer *v, const int *fd, int n, int milliseconds);
void es_window_changed(es_window *w);
void es_window_breathe(es_viewer *v);
size_t es_window_times(const es_window *w, float *ms, size_t n);

#endif
