// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/visible.h"
#include "layer/cosine.h"
#include "view/strips.h"

enum { TOKEN_COLUMNS = 24, MOST_DECIMALS = 9 };

/* ---- a number ---- */

/* So many decimals that three digits of the largest are seen, and that the sum holds as printed. */
static int sum_decimals(double a, double b, double sum)
{
    double most = fmax(fmax(fabs(a), fabs(b)), fabs(sum));
    int decimals = es_heat_decimals((float)most);
    for (int d = decimals; d <= MOST_DECIMALS && most < 1e6; d++) {
        double p = pow(10, d);
        if (round(a * p) + round(b * p) == round(sum * p))
            return d;
    }
    return decimals;
}

static void number(es_str *out, double value, int decimals)
{
    es_heat_number(out, value, (float)fabs(value) >= 1e6F ? 1e6F : 1, decimals);
}

static void say_number(es_str *out, const es_scene *scene, double value, int64_t cell)
{
    if (!scene->tok_emb || !scene->pos_emb || !scene->x) {
        number(out, value, es_heat_decimals((float)fabs(value)));
        return;
    }
    double a = (double)scene->tok_emb[cell], b = (double)scene->pos_emb[cell];
    double x = (double)scene->x[cell];
    int decimals = sum_decimals(a, b, x);
    number(out, a, decimals);
    es_str_cat(out, b < 0 ? " + (" : " + ");
    number(out, b, decimals);
    es_str_cat(out, b < 0 ? ") = " : " = ");
    number(out, x, decimals);
}

static const float *table_of(const es_scene *scene, const char *name)
{
    return !strcmp(name, "x")         ? scene->x
           : !strcmp(name, "tok_emb") ? scene->tok_emb
                                      : scene->pos_emb;
}

void es_strips_say(const es_scene *scene, const char *name, int64_t t, int64_t channel,
                   es_pick *out)
{
    int64_t cell = t * scene->C + channel, place = scene->at + t;
    out->id = scene->ids[t];
    out->place = place;
    out->channel = channel;
    out->value = (double)table_of(scene, name)[cell];
    es_str_add(&out->what, "%s of ", name);
    es_scene_token(&out->what, scene->text->context, out->id, TOKEN_COLUMNS);
    es_str_add(&out->what, ", channel %" PRId64 ": ", channel);
    say_number(&out->what, scene, out->value, cell);
    if (scene->preview)
        es_str_cat(&out->what, ", not entered yet");
    else
        es_str_add(&out->statement, "%s[0, %" PRId64 ", %" PRId64 "]", name, place, channel);
}

/* ---- the picture ---- */

/* The channels in view, those that are cut at an edge among them. */
static void in_view(const es_scene *scene, const es_strips *s, int64_t *first, int64_t *last)
{
    double seen = (double)s->of[0].map.w / s->per;
    *first = (int64_t)floor(s->left);
    *last = (int64_t)ceil(s->left + seen - 1e-9) - 1;
    *first = *first < 0 ? 0 : *first;
    *last = *last >= scene->C ? scene->C - 1 : *last;
}

static void add_note(es_str *out, const char *fmt, ...) ES_PRINTF(2, 3);
static void add_note(es_str *out, const char *fmt, ...)
{
    va_list ap;
    es_str_cat(out, out->len ? "; " : "");
    va_start(ap, fmt);
    es_str_vadd(out, fmt, ap);
    va_end(ap);
}

void es_strips_notes(const es_scene *scene, const es_strips *s, es_str *out)
{
    int64_t all = scene->T + scene->left, from = scene->at + s->first;
    double seen = (double)s->of[0].map.w / s->per;
    if (s->rows < all)
        add_note(out, "tokens %" PRId64 " to %" PRId64 " of %" PRId64 ", %" PRId64 " more", from,
                 from + s->rows - 1, all, all - s->rows);
    if (seen < (double)scene->C) {
        int64_t first, last;
        in_view(scene, s, &first, &last);
        add_note(out, "channels %" PRId64 " to %" PRId64 " of %" PRId64, first, last, scene->C);
    }
    if (s->scale.odd)
        add_note(out, "%" PRId64 " number%s NaN or infinite", s->scale.odd,
                 s->scale.odd == 1 ? " is" : "s are");
    if (!scene->tok_emb)
        add_note(out, "the model has no wte, so there is nothing to add pos_emb to");
}

void es_strips_legend(const es_strips *s, es_str *out)
{
    static const char *const says[] = {"the numbers", "one scale for both",
                                       "one scale for all three"};
    es_str_cat(out, says[s->n - 1]);
    if (s->scale.beyond)
        es_str_add(out, ", %" PRId64 " number%s beyond its ends", s->scale.beyond,
                   s->scale.beyond == 1 ? " is" : "s are");
}

void es_strips_honesty(const es_scene *scene, const es_strips *s, es_str *out)
{
    if (!s || !s->n || !scene->T) {
        es_str_cat(out, "Nothing is hidden here: each number of a sentence gets a cell.");
        return;
    }
    int64_t all = scene->T + scene->left, first, last;
    in_view(scene, s, &first, &last);
    if (s->per < 1)
        es_str_add(out,
                   "A pixel is the mean of about %.1f channels here: zoom in to see each number.",
                   1 / s->per);
    else if (s->per * (double)scene->C > (double)s->of[0].map.w + 1)
        es_str_add(out,
                   "%" PRId64 " of %" PRId64 " channels are in view: zoom out to see the others.",
                   last - first + 1, scene->C);
    else
        es_str_cat(out, "Every channel is shown, each number by its colour alone: zoom in to read "
                        "it, or point at it.");
    if (s->rows < all)
        es_str_add(out, " %" PRId64 " of %" PRId64 " tokens have no room.", all - s->rows, all);
}

void es_strips_expression(const es_scene *scene, es_str *out)
{
    int64_t beyond = es_scene_beyond(scene);
    if (!scene->tok_emb && !scene->pos_emb) {
        es_str_cat(out, "x = tok_emb + pos_emb");
    } else if (beyond) {
        int64_t T = es_text_T(scene->text);
        es_str_add(out,
                   "wte(ids) [T=%" PRId64 "] + wpe [P=%" PRId64 "]: no row for places from %" PRId64
                   " on, so no x",
                   T, T - beyond, T - beyond);
    } else if (scene->tok_emb && scene->pos_emb) {
        es_str_cat(out, "x = wte(ids) + wpe(positions)  ");
        es_scene_shape(out, scene, ES_SCENE_X);
        es_str_cat(out, " =");
        es_scene_shape(out, scene, ES_SCENE_X);
        es_str_cat(out, " +");
        es_scene_shape(out, scene, ES_SCENE_POS_EMB);
    } else if (scene->tok_emb) {
        es_str_cat(out, "x = wte(ids)  ");
        es_scene_shape(out, scene, ES_SCENE_X);
        es_str_cat(out, ", no positions are added");
    } else {
        es_str_cat(out, "pos_emb = wpe(positions)  ");
        es_scene_shape(out, scene, ES_SCENE_POS_EMB);
    }
}

/* ---- without a picture ---- */

static const char *const names[ES_STRIPS] = {"tok_emb", "pos_emb", "x"};

static void plain_row(const es_scene *scene, int64_t t, es_str *out)
{
    const es_context *c = scene->text->context;
    size_t n = 0;
    const char *bytes = es_bpe_bytes(c->bpe, scene->ids[t], &n);
    es_str_add(out, "token %" PRId64 ": text ", scene->at + t);
    if (bytes)
        es_show_quoted(out, bytes, n);
    else
        es_str_cat(out, "none");
    es_str_add(out, ", id %" PRId32, scene->ids[t]);
    const char *says = ", length of";
    for (int i = 0; i < ES_STRIPS; i++) {
        const float *table = table_of(scene, names[i]);
        if (!table)
            continue;
        es_str_add(out, "%s %s %.4g", says, names[i], es_length(table + t * scene->C, scene->C));
        says = ", of";
    }
    es_str_char(out, '\n');
}

void es_strips_plain(const es_scene *scene, es_str *out)
{
    es_str_add(out, "tokens: %" PRId64 "\n", scene->T + scene->left);
    if (scene->why.len)
        es_str_add(out, "no rows: %s\n", scene->why.s);
    if (!scene->T || scene->why.len)
        return;
    if (scene->preview)
        es_str_cat(out, "entered: no\n");
    if (es_text_B(scene->text) > 1)
        es_str_add(out, "sentences: %" PRId64 ", the first is shown\n", es_text_B(scene->text));
    es_strips_scale scale = es_strips_scale_of(scene);
    es_str_add(out, "channels: %" PRId64 "\nscale: %.4g to %.4g\n", scene->C, -(double)scale.most,
               (double)scale.most);
    if (scale.beyond)
        es_str_add(out, "numbers beyond the scale: %" PRId64 "\n", scale.beyond);
    if (scale.odd)
        es_str_add(out, "numbers that are NaN or infinite: %" PRId64 "\n", scale.odd);
    for (int64_t t = 0; t < scene->T && !es_str_braked(out); t++)
        plain_row(scene, t, out);
    if (scene->left)
        es_str_add(out, "left out: %" PRId64 " tokens\n", scene->left);
}

static void json_lengths(const es_scene *scene, int64_t t, es_json *j)
{
    for (int i = 0; i < ES_STRIPS; i++) {
        const float *table = table_of(scene, names[i]);
        es_json_key(j, names[i]);
        if (table)
            es_json_double(j, es_length(table + t * scene->C, scene->C));
        else
            es_json_null(j);
    }
}

void es_strips_json(const es_scene *scene, es_json *j)
{
    bool rows = scene->T && !scene->why.len;
    es_json_key_int(j, "T", scene->T + scene->left);
    es_json_key_int(j, "C", scene->C);
    es_json_key(j, "entered");
    es_json_bool(j, scene->text && !scene->preview);
    es_json_key(j, "scale");
    es_json_float(j, rows ? es_strips_scale_of(scene).most : NAN);
    es_json_key(j, "lengths");
    es_json_open(j, '[');
    for (int64_t t = 0; rows && t < scene->T && !es_str_braked(j->out); t++) {
        es_json_open(j, '{');
        es_json_key_int(j, "pos", scene->at + t);
        es_json_key_int(j, "id", scene->ids[t]);
        json_lengths(scene, t, j);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}
