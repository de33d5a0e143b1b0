// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "session/numbers.h"

enum { NARROWEST = 8, WIDEST = 30 }; /* columns of the bar itself */

static const double redraw = 0.1, line_every = 5; /* seconds */

es_bar es_bar_new(void)
{
    const char *term = getenv("TERM");
    return (es_bar){.person = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
                    .last = es_now(),
                    .share = -1};
}

/* ---- the line ---- */

void es_bar_time(es_str *out, double seconds)
{
    int64_t s = (int64_t)(seconds + 0.5);
    if (s < 60)
        es_str_add(out, "%d s", (int)s);
    else if (s < 3600)
        es_str_add(out, "%d min %d s", (int)(s / 60), (int)(s % 60));
    else
        es_str_add(out, "%d h %d min", (int)(s / 3600), (int)(s / 60 % 60));
}

static int64_t share_of(const es_bar_state *s)
{
    return s->total > 0 ? (int64_t)(100.0 * (double)s->done / (double)s->total) : -1;
}

/* The parts of a line, as it has them from left to right. */
enum { WHAT, BAR, SHARE, PLACE, LOSS, SPEED, LEFT, N_PARTS };

static void say_parts(es_str part[N_PARTS], const es_bar_state *s)
{
    es_str_cat(&part[WHAT], s->what);
    if (s->total > 0)
        es_str_add(&part[SHARE], "%3d %%", (int)share_of(s));
    if (s->unit) {
        es_str_add(&part[PLACE], "%s ", s->unit);
        es_show_count(&part[PLACE], s->done);
        es_str_cat(&part[PLACE], " of ");
        es_show_count(&part[PLACE], s->total);
    }
    if (s->loss > 0)
        es_str_add(&part[LOSS], "loss %.3f", s->loss);
    if (s->speed > 0) {
        es_show_count(&part[SPEED], (int64_t)s->speed);
        es_str_cat(&part[SPEED], " tokens/s");
    }
    if (s->left >= 0) {
        es_bar_time(&part[LEFT], s->left);
        es_str_cat(&part[LEFT], " left");
    }
}

static int width_of(const es_str part[N_PARTS])
{
    int width = 0;
    for (int i = 0; i < N_PARTS; i++)
        if (part[i].len)
            width += (width ? 2 : 0) + es_columns(part[i].s, part[i].len);
    return width;
}

/* `columns` of which a share is filled, by eighths of a column. */
static void draw_bar(es_str *out, double share, int columns)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int filled = (int)(8 * columns * (share < 0 ? 0 : share > 1 ? 1 : share));
    for (int i = 0; i < filled / 8; i++)
        es_str_cat(out, "█");
    es_str_cat(out, eighths[filled % 8]);
    for (int i = (filled + 7) / 8; i < columns; i++)
        es_str_cat(out, "·");
}

/* Parts that do not fit are left out, the least telling first; what room is left is the bar's. */
static void fit(es_str part[N_PARTS], const es_bar_state *s, int width)
{
    static const int least[] = {PLACE, SPEED, LOSS, LEFT, SHARE};
    for (size_t i = 0; i < sizeof least / sizeof *least && width_of(part) > width; i++)
        es_str_free(&part[least[i]]);
    if (width_of(part) > width) {
        es_str cut = {0};
        es_show_fit(&cut, part[WHAT].s, part[WHAT].len, width);
        es_str_free(&part[WHAT]);
        part[WHAT] = cut;
    }
    int room = width - width_of(part) - 2;
    if (room >= NARROWEST && s->total > 0)
        draw_bar(&part[BAR], (double)s->done / (double)s->total, room < WIDEST ? room : WIDEST);
}

void es_bar_line(es_str *out, const es_bar_state *s, int width)
{
    es_str part[N_PARTS] = {{0}};
    say_parts(part, s);
    if (width)
        fit(part, s, width);
    bool first = true;
    for (int i = 0; i < N_PARTS; i++) {
        if (part[i].len)
            es_str_add(out, "%s%s", first ? "" : "  ", part[i].s);
        first = first && !part[i].len;
        es_str_free(&part[i]);
    }
}

/* ---- the screen ---- */

static int screen_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

static void put(es_bar *b, const es_bar_state *s, bool stays)
{
    es_str line = {0};
    es_str_cat(&line, b->shown ? "\r" : "");
    es_bar_line(&line, s, b->person ? screen_columns() - 1 : 0);
    es_str_cat(&line, b->person ? "\x1b[K" : "");
    es_str_cat(&line, stays || !b->person ? "\n" : "");
    fwrite(line.s, 1, line.len, stderr);
    fflush(stderr);
    es_str_free(&line);
    b->shown = b->person && !stays;
    b->last = es_now();
    b->share = share_of(s);
}

void es_bar_show(es_bar *b, const es_bar_state *s)
{
    double since = es_now() - b->last;
    if (b->person ? since >= redraw : since >= line_every && share_of(s) != b->share)
        put(b, s, false);
}

void es_bar_end(es_bar *b, const es_bar_state *s)
{
    put(b, s, true);
    b->share = -1;
}

void es_bar_clear(es_bar *b)
{
    if (b->shown)
        fputs("\r\x1b[K", stderr);
    b->shown = false;
}

bool es_bar_run(es_bar *b, const char *what, es_job_fn fn, void *work, es_error *err)
{
    es_job *job = es_job_start(fn, work, -1, err);
    if (!job)
        return false;
    while (!es_job_wait(job, (int)(1000 * redraw))) {
        uint64_t done, total;
        es_job_progress(job, &done, &total);
        es_bar_show(b,
                    &(es_bar_state){
                        .what = what, .done = (int64_t)done, .total = (int64_t)total, .left = -1});
    }
    es_bar_clear(b);
    return es_job_finish(job, err);
}
