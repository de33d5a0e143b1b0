// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "session/numbers.h"
#include "view/frame.h"
#include "view/words.h"

/* In ems. */
#define MARGIN 1.0F
#define PAD    0.5F /* left and right of a chip's text */
#define LINE   1.4F
#define MORE   8.5F /* "… 4,744 more" */
#define TINT   0.22F

enum { TOKEN_COLUMNS = 24 };

/* The tokens first..first + n of the scene, and where they are. */
typedef struct row {
    es_box box; /* of all chips */
    int64_t first, n;
    float x[ES_SCENE_PLACES + 1]; /* where a chip begins; the last: where they end */
} row;

static void label_of(const es_scene *scene, int64_t t, es_str *token, es_str *id)
{
    es_scene_token(token, scene->text->context, scene->ids[t], TOKEN_COLUMNS);
    es_str_add(id, "%" PRId32, scene->ids[t]);
}

static float width_of(const es_scene *scene, es_canvas *c, int64_t t, float em)
{
    const es_ink ink = {.size = em};
    es_str token = {0}, id = {0};
    label_of(scene, t, &token, &id);
    float w = fmaxf(es_canvas_width(c, es_str_text(&token), token.len, &ink),
                    es_canvas_width(c, id.s, id.len, &ink));
    es_str_free(&token);
    es_str_free(&id);
    return w + 2 * PAD * em;
}

/* The token the cursor is in, of a line that is being typed; else the one in focus. */
static int64_t anchor(const es_viewer *v)
{
    const es_scene *scene = &v->scene;
    int64_t place, t = 0;
    es_viewer_focus(v, &place);
    if (!scene->preview)
        return place >= 0 && place < scene->T ? place : 0;
    for (size_t bytes = 0, n; t < scene->T - 1; t++) {
        es_text_token(scene->text, 0, (size_t)t, &n);
        bytes += n;
        if (bytes >= v->cursor)
            break;
    }
    return t;
}

/* From the anchor to the left as far as room goes, then to the right. */
static void fill_row(row *r, const es_viewer *v, es_canvas *c, float em)
{
    const es_scene *scene = &v->scene;
    int64_t first = anchor(v), last = first;
    float w[ES_SCENE_PLACES], used = w[first] = width_of(scene, c, first, em);
    while (first > 0 && used + (w[first - 1] = width_of(scene, c, first - 1, em)) <= r->box.w)
        used += w[--first];
    while (last < scene->T - 1 &&
           used + (w[last + 1] = width_of(scene, c, last + 1, em)) <= r->box.w)
        used += w[++last];
    r->first = first;
    r->n = last - first + 1;
    r->x[0] = r->box.x;
    for (int64_t i = 0; i < r->n; i++)
        r->x[i + 1] = r->x[i] + w[first + i];
}

/* First as if all had room; where they have not, with room for what is said of the others. */
static row row_of(const es_viewer *v, es_canvas *c, es_box area, float em)
{
    const es_scene *scene = &v->scene;
    const es_box whole = {area.x + MARGIN * em, area.y, area.w - 2 * MARGIN * em, area.h};
    bool before = false, after = false;
    row r = {.box = whole};
    for (int i = 0; scene->T && whole.w > 0 && i < 3; i++) {
        r.box.x = whole.x + (before ? MORE * em : 0);
        r.box.w = whole.x + whole.w - r.box.x - (after ? MORE * em : 0);
        fill_row(&r, v, c, em);
        bool right = r.first + r.n < scene->T + scene->left;
        if ((before || !r.first) && (after || !right))
            break;
        before |= r.first > 0;
        after |= right;
    }
    return r;
}

static es_box chip_box(const row *r, int64_t i, float em)
{
    float h = fminf(2 * LINE * em, r->box.h);
    return (es_box){r->x[i], r->box.y + (r->box.h - h) / 2, r->x[i + 1] - r->x[i], h};
}

/* A token that is known without a place is marked wherever it stands. */
static bool marked(const es_viewer *v, int64_t t)
{
    const es_scene *scene = &v->scene;
    int64_t place;
    int32_t id = es_viewer_focus(v, &place);
    if (v->hovering && v->hover.id >= 0) {
        id = v->hover.id;
        place = v->hover.place < 0 ? -1 : v->hover.place - scene->at;
    }
    return id == scene->ids[t] && (place < 0 || place == t);
}

static void draw_chip(es_viewer *v, es_canvas *c, es_box box, int64_t t)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v), x = box.x + box.w / 2;
    es_argb ground = es_blend(p->panel, es_fade(p->hue[t % 2 ? 1 : 0], TINT));
    const es_ink ink = {.size = em, .colour = p->ink}, dim = {.size = em, .colour = p->dim};
    es_str token = {0}, id = {0};
    label_of(&v->scene, t, &token, &id);
    es_canvas_fill(c, box, ground);
    es_canvas_fit(c, x, box.y + 0.27F * box.h, box.w, 0.5F, es_str_text(&token), &ink);
    es_canvas_fit(c, x, box.y + 0.73F * box.h, box.w, 0.5F, id.s, &dim);
    if (marked(v, t))
        es_canvas_edge(c, box, 1.5F, p->strong);
    es_str_free(&token);
    es_str_free(&id);
}

static void say_others(es_viewer *v, es_canvas *c, const row *r)
{
    const es_ink dim = {.size = es_viewer_em(v), .colour = es_viewer_palette(v)->dim};
    int64_t after = v->scene.T + v->scene.left - r->first - r->n;
    float y = r->box.y + r->box.h / 2, gap = 0.5F * dim.size;
    es_str text = {0};
    if (r->first) {
        es_show_count(&text, r->first);
        es_str_cat(&text, " more …");
        es_canvas_fit(c, r->box.x - gap, y, MORE * dim.size - gap, 1, text.s, &dim);
        es_str_cut(&text, 0);
    }
    if (after > 0) {
        es_str_cat(&text, "… ");
        es_show_count(&text, after);
        es_str_cat(&text, " more");
        es_canvas_fit(c, r->x[r->n] + gap, y, MORE * dim.size - gap, 0, text.s, &dim);
    }
    es_str_free(&text);
}

/* The tag of what is to be known of the text takes its room off the right end; w 0: there is none. */
static es_box take_tag(const es_viewer *v, es_canvas *c, es_box *area, es_str *says)
{
    float em = es_viewer_em(v);
    es_scene_caution(says, &v->scene);
    if (!says->len)
        return (es_box){0};
    es_box_cut_right(area, MARGIN * em);
    return es_words_tag(c, area, says->s, em);
}

void es_chips_draw(es_viewer *v, es_canvas *c, es_box area)
{
    float em = es_viewer_em(v);
    const es_ink dim = {.size = em, .colour = es_viewer_palette(v)->dim};
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    es_str says = {0};
    es_box tag = take_tag(v, c, &area, &says);
    row r = row_of(v, c, area, em);
    if (tag.w > 0)
        es_words_tag_draw(c, tag, says.s, es_viewer_palette(v), em);
    es_str_free(&says);
    for (int64_t i = 0; i < r.n; i++)
        draw_chip(v, c, chip_box(&r, i, em), r.first + i);
    if (r.n)
        say_others(v, c, &r);
    else
        es_canvas_fit(c, r.box.x, r.box.y + r.box.h / 2, r.box.w, 0,
                      v->scene.text ? "This text has no tokens."
                                    : "No text yet: a sentence stands here, token by token.",
                      &dim);
    es_canvas_clip(c, before);
}

bool es_chips_pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    const es_scene *scene = &v->scene;
    float em = es_viewer_em(v);
    es_str says = {0};
    take_tag(v, c, &area, &says);
    es_str_free(&says);
    row r = row_of(v, c, area, em);
    for (int64_t i = 0; es_box_has(area, at.x, at.y) && i < r.n; i++) {
        es_box box = chip_box(&r, i, em);
        int64_t t = r.first + i;
        if (!es_box_has(box, at.x, at.y))
            continue;
        out->id = scene->ids[t];
        out->place = scene->at + t;
        out->value = (double)out->id;
        es_scene_token(&out->what, scene->text->context, out->id, TOKEN_COLUMNS);
        es_str_add(&out->what, ", id %" PRId32 ", place %" PRId64, out->id, out->place);
        if (!scene->preview)
            es_str_add(&out->statement, "ids[0, %" PRId64 "]", out->place);
        return true;
    }
    return false;
}
