// SPDX-License-Identifier: GPL-3.0-or-later
/* The caption of a teaching picture: its title, what to see, what not to conclude. */
#include <math.h>

#include "view/lesson_pictures.h"
#include "view/words.h"

#define SEE    "What to see: "
#define BEWARE "What not to conclude: "
#define MARGIN 0.4f  /* ems above and below */
#define MOST   0.42f /* of the picture's height */

/* Ready to be drawn, as much of it as there is room for. */
typedef struct caption {
    es_str title, see, beware;
    float height[3];
    int n; /* of the three */
} caption;

static es_ink ink_of(const es_viewer *v, int i)
{
    const es_palette *p = es_viewer_palette(v);
    return (es_ink){.size = es_viewer_em(v), .colour = i == 2 ? p->dim : p->ink, .bold = i == 0};
}

static const es_str *words(const caption *k, int i)
{
    return i == 0 ? &k->title : i == 1 ? &k->see : &k->beware;
}

/* n 0: no picture of these is shown, or there is no room for words about it. */
static caption caption_of(es_viewer *v, es_canvas *c, es_box picture)
{
    int n = es_viewer_ready(v) ? es_lesson_picture_shown(v) : 0;
    float em = es_viewer_em(v), w = picture.w - 2 * em, most = MOST * picture.h, all = MARGIN * em;
    es_lesson_says says = {0};
    caption k = {0};
    if (!n || w < 8 * em)
        return k;
    es_lesson_picture_say(v, n, &says);
    es_str_add(&k.title, "%d  %s", n, es_lesson_picture_at(n)->title);
    es_str_add(&k.see, SEE "%s", es_str_text(&says.see));
    es_str_add(&k.beware, BEWARE "%s", es_str_text(&says.beware));
    es_lesson_says_free(&says);
    for (int i = 0; i < 3; i++) {
        es_ink ink = ink_of(v, i);
        k.height[i] = es_words_height(c, w, es_str_text(words(&k, i)), &ink);
        all += k.height[i];
        if (all + MARGIN * em > most)
            break;
        k.n++;
    }
    return k;
}

static void caption_free(caption *k)
{
    es_str_free(&k->title);
    es_str_free(&k->see);
    es_str_free(&k->beware);
}

es_box es_lesson_caption_cut(es_viewer *v, es_canvas *c, es_box *picture)
{
    caption k = caption_of(v, c, *picture);
    float h = k.n ? 2 * MARGIN * es_viewer_em(v) : 0;
    for (int i = 0; i < k.n; i++)
        h += k.height[i];
    caption_free(&k);
    return es_box_cut_top(picture, ceilf(h));
}

void es_lesson_caption_draw(es_viewer *v, es_canvas *c, es_box box)
{
    float em = es_viewer_em(v);
    /* as it was when its room was taken */
    caption k = caption_of(v, c, (es_box){box.x, box.y, box.w, box.h / MOST + em});
    es_box inside = {box.x + em, box.y + MARGIN * em, box.w - 2 * em, 0};
    for (int i = 0; i < k.n && inside.y + k.height[i] <= box.y + box.h; i++) {
        es_ink ink = ink_of(v, i);
        inside.h = k.height[i];
        es_words_draw(c, inside, 0, es_str_text(words(&k, i)), &ink);
        inside.y += k.height[i];
    }
    caption_free(&k);
}

/* ---- without a frame ---- */

void es_lesson_caption_text(es_viewer *v, es_str *out, const es_style *style)
{
    int n = es_lesson_picture_shown(v);
    es_lesson_says says = {0};
    es_str line = {0};
    if (!n)
        return;
    es_lesson_picture_say(v, n, &says);
    const char *title = es_lesson_picture_at(n)->title, *see = es_str_text(&says.see),
               *beware = es_str_text(&says.beware);
    if (style->plain) {
        es_str_add(out, "picture: %d, %s\nsee: %s\ndo not conclude: %s\n", n, title, see, beware);
    } else {
        const char *const name[] = {"", SEE, BEWARE}, *const text[] = {title, see, beware};
        for (int i = 0; i < 3; i++) {
            es_str_cut(&line, 0);
            if (!i)
                es_str_add(&line, "%d  ", n);
            es_str_add(&line, "%s%s", name[i], text[i]);
            es_wrap(out, line.s, 0, style);
        }
    }
    es_str_free(&line);
    es_lesson_says_free(&says);
}

void es_lesson_caption_json(es_viewer *v, es_json *j)
{
    int n = es_lesson_picture_shown(v);
    es_lesson_says says = {0};
    if (!n)
        return;
    es_lesson_picture_say(v, n, &says);
    es_json_key_int(j, "picture", n);
    es_json_key_string(j, "title", es_lesson_picture_at(n)->title);
    es_json_key_string(j, "see", es_str_text(&says.see));
    es_json_key_string(j, "do_not_conclude", es_str_text(&says.beware));
    es_lesson_says_free(&says);
}
