// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of picture commands, texts and a hand at the mouse, on models of all sorts: whatever is asked for, a picture
 * can be drawn on every canvas, says no number that is none, and what the mouse does is a line that works. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/answers.h"
#include "model/write.h"
#include "view/cells.h"
#include "view/gesture.h"
#include "view/picture.h"
#include "view/raster.h"
#include "view/svg.h"
#include "view/viewer.h"

enum { MOST_INPUT = 600, MOST_LINES = 30, W = 420, H = 340 };

typedef struct world {
    es_session *session;
    es_viewer *v;
    es_raster raster; /* what the mouse is over */
    es_gesture gesture;
    es_style style;
} world;

/* ---- models ---- */

enum { V = 40, P = 6, C = 3, N_FILES = 5 };

static float fill(int which, int64_t i)
{
    static const float odd[] = {1, NAN, -2, INFINITY, 0.5f, -INFINITY, 0, 3e38f};
    switch (which) {
    case 0: return 0;
    case 1: return 1.5f;
    case 2: return (i % 8 ? 1 : -1) * 3e38f;
    case 3: return odd[i * 7 / 5 % 8];
    default: return NAN;
    }
}

static void write_model(int which)
{
    float wte[V * C], wpe[P * C];
    char path[16];
    snprintf(path, sizeof path, "%d.safetensors", which);
    for (int64_t i = 0; i < V * C; i++)
        wte[i] = fill(which, i);
    for (int64_t i = 0; i < P * C; i++)
        wpe[i] = fill(which, i + 1);
    const es_model_numbers numbers = {
        .config = {.vocab_size = V, .n_ctx = P, .n_embd = C}, .wte = wte, .wpe = wpe};
    promise(es_model_write(path, &numbers, ES_STORE_F32, NULL, NULL, NULL));
}

/* Files are read from a folder of their own; the caller's is where a fuzzer keeps its corpus. */
static int outside = -1, inside = -1;

static void make_models(void)
{
    static char folder[] = "/tmp/fuzz-pictures-XXXXXX";
    outside = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    promise(outside >= 0 && mkdtemp(folder) && chdir(folder) == 0);
    inside = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < N_FILES; i++)
        write_model(i);
}

/* ---- drawing ---- */

static void check_svg(world *w)
{
    es_svg s;
    es_str out = {0};
    es_svg_open(&s, W, H, es_viewer_palette(w->v)->ground, NULL);
    es_frame_draw(w->v, &s.canvas, ES_FRAME_FILE);
    es_svg_finish(&s, &out, "fuzz");
    es_svg_close(&s);
    for (size_t i = 0; i < out.len;) {
        uint32_t cp;
        int len = es_utf8_next(out.s + i, out.len - i, &cp);
        promise(len && (cp == '\n' || es_char_visible(cp)));
        i += (size_t)len;
    }
    promise(!strstr(out.s, "=\"nan") && !strstr(out.s, "=\"-nan"));
    promise(!strstr(out.s, "=\"inf") && !strstr(out.s, "=\"-inf"));
    es_str_free(&out);
}

static void check_cells(world *w)
{
    es_str out = {0};
    es_picture_text(w->v, &out, 4 + w->style.width % 20, &w->style);
    check_shown(&out, &w->style);
    es_str_free(&out);
}

static void draw(world *w)
{
    es_error err = ES_ERROR_NONE;
    const es_sink sink = answers_sink(&w->style);
    if (!es_viewer_make(w->v, &sink, &err))
        promise(err.message && *err.message);
    es_error_free(&err);
    es_frame_draw(w->v, &w->raster.canvas, ES_FRAME_WINDOW);
}

/* ---- the mouse and the keys ---- */

static void run(world *w, const char *line, size_t n)
{
    const es_sink sink = answers_sink(&w->style);
    promise(es_session_run(w->session, line, n, &sink) != ES_QUIT);
}

/* What the hand has done is a line that works; but where there is no window, and nothing to be measured, another view
 * is an error. */
static void take_lines(world *w)
{
    es_message kind;
    es_str line = {0};
    const es_sink sink = answers_sink(&w->style);
    while (es_session_take(w->session, &kind, &line)) {
        if (kind == ES_MESSAGE_QUIET)
            promise(es_session_run(w->session, line.s, line.len, &sink) == ES_DONE ||
                    !strncmp(line.s, ":show ", 6));
        es_str_cut(&line, 0);
    }
    es_str_free(&line);
}

static void press_key(world *w, unsigned which, unsigned held)
{
    static const char *const keys[] = {"F1", "F2", "F3", "F4", "F5", "Escape", "Left", "Up",
                                       "F",  "O",  "X",  "Y",  "Z",  "C",      "L",    "T",
                                       "[",  "]",  "+",  "-",  "B",  "G",      "Down", "Return"};
    es_gesture_key(&w->gesture, w->v, &w->raster.canvas, keys[which % (sizeof keys / sizeof *keys)],
                   held);
}

/* Three bytes a move: what, and where. */
static void move_hand(world *w, const uint8_t *byte, size_t n)
{
    es_canvas *c = &w->raster.canvas;
    for (size_t i = 0; i + 2 < n; i += 3) {
        unsigned what = byte[i] % 8, held = byte[i] / 8 % 8;
        es_spot at = {(float)byte[i + 1] * W / 250, (float)byte[i + 2] * H / 250};
        switch (what) {
        case 0: es_gesture_press(&w->gesture, w->v, c, at, ES_BUTTON_LEFT, held); break;
        case 1: es_gesture_press(&w->gesture, w->v, c, at, ES_BUTTON_RIGHT, held); break;
        case 2: es_gesture_release(&w->gesture, w->v, c, at, held); break;
        case 3: es_gesture_wheel(&w->gesture, w->v, c, at, byte[i] % 2 ? 1 : -1, held); break;
        case 4: es_gesture_leave(&w->gesture, w->v); break;
        case 5: press_key(w, byte[i + 1], held); break;
        default: es_gesture_move(&w->gesture, w->v, c, at, held); break;
        }
        w->v->clock += 0.2;
        es_gesture_tick(&w->gesture, w->v);
        take_lines(w);
        draw(w);
    }
}

/* ---- the lines ---- */

static void change_model(world *w, uint8_t which)
{
    static const char *const lines[] = {":model untrained:V=300,C=5,n_ctx=40",
                                        ":model untrained:V=1,C=1,n_ctx=1",
                                        ":model untrained:V=300,C=2,n_ctx=2",
                                        ":model 0.safetensors",
                                        ":model 1.safetensors",
                                        ":model 2.safetensors",
                                        ":model 3.safetensors",
                                        ":model 4.safetensors"};
    const char *line = lines[which % (sizeof lines / sizeof *lines)];
    run(w, line, strlen(line));
}

/* Commands of pictures, and of what pictures show. */
static bool in_scope(const char *line, size_t n)
{
    static const char *const commands[] = {
        ":show",      ":camera", ":components", ":color-by", ":labels",    ":focus",
        ":select",    ":clear",  ":find",       ":window",   ":positions", ":set pad",
        ":set batch", ":tokens", ":reset",      ":batch",    ":set big",   ":set palette"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (n >= strlen(commands[i]) && !memcmp(line, commands[i], strlen(commands[i])))
            return true;
    return false;
}

static void act_on(world *w, const char *line, size_t n)
{
    static const char *const statements[] = {"= sel",        "= axes",     "= axes.T", "= sel = 3",
                                             "= axes = ids", "= del axes", "= del sel"};
    enum { N_STATEMENTS = sizeof statements / sizeof *statements };
    const char *statement = statements[n ? (uint8_t)line[n - 1] % N_STATEMENTS : 0];
    switch (n ? line[0] : '\0') {
    case '\0': break;
    case '~': change_model(w, (uint8_t)line[n - 1]); break;
    case '!': move_hand(w, (const uint8_t *)line + 1, n - 1); break;
    case '?': es_session_preview(w->session, line + 1, n - 1); break;
    case '=': run(w, statement, strlen(statement)); break;
    case ':':
        if (in_scope(line, n))
            run(w, line, n);
        break;
    default: run(w, line, n);
    }
}

static void begin(world *w)
{
    static const char *const lines[] = {":reset",
                                        ":clear",
                                        ":model untrained:V=300,C=5,n_ctx=40",
                                        ":show positions all",
                                        ":camera fit turn=60 tilt=20 3d",
                                        ":show offset #0",
                                        ":camera fit turn=30 tilt=20 3d",
                                        ":show map",
                                        ":components 1 2",
                                        ":color-by length",
                                        ":labels 500",
                                        ":camera fit turn=30 tilt=20 2d",
                                        "!"};
    if (!w->session) {
        const es_session_options o = {
            .model = "untrained:V=300,C=5,n_ctx=40", .settings.pad = -1, .keep_going = true};
        make_models();
        w->session = es_session_new(&o, NULL);
        promise(w->session && es_raster_open(&w->raster, W, H, 1, true, NULL, NULL));
        w->v = es_viewer_new(w->session);
    }
    promise(fchdir(inside) == 0);
    w->gesture = (es_gesture){0};
    w->v->clock = 1;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        run(w, lines[i], strlen(lines[i]));
}

int fuzz_pictures(const uint8_t *data, size_t size)
{
    static world w;
    if (size < 2 || size > MOST_INPUT)
        return 0;
    w.style = (es_style){.width = ES_MIN_WIDTH + data[0] % 100, .plain = data[0] % 4 == 0};
    begin(&w);
    const char *line = (const char *)data + 1, *end = (const char *)data + size;
    for (int i = 0; i < MOST_LINES && line < end; i++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        act_on(&w, line, (size_t)(stop - line));
        draw(&w);
        line = stop + 1;
    }
    check_svg(&w);
    check_cells(&w);
    promise(fchdir(outside) == 0);
    return 0;
}

ES_FUZZ_TARGET(fuzz_pictures)
