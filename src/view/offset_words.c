// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>

#include "session/numbers.h"
#include "view/offset.h"

#define ALL 0.995 /* of a length: what is missing would not be seen */

const char *es_offset_axis_name(es_offset_axis axis)
{
    static const char *const name[] = {"component 1", "component 2", "component 3",
                                       "the move across components 1 and 2"};
    return name[axis];
}

void es_offset_move_text(const es_offset *o, es_str *out)
{
    es_str_add(out, "wte.weight[%" PRId32 "]", o->token);
    if (o->second >= 0)
        es_str_add(out, " - wte.weight[%" PRId32 "]", o->second);
}

void es_offset_honesty(const es_viewer *v, es_str *out)
{
    const es_offset *o = es_offset_of(v, out);
    if (!o)
        return;
    int axes = es_offset_shown(v, o);
    double seen = es_offset_seen(o, axes);
    es_str_cat(out, "The copy is exact: at each of ");
    es_show_count(out, o->of.n);
    es_str_add(out, " positions the same arrow, %.3g long", o->length);
    if (seen < ALL)
        es_str_add(out, ", of which %.3g is seen", seen * o->length);
    es_str_add(out, ". Of the curve's spread the axes keep %.0f %%.",
               100 * es_offset_share(o, axes));
}

/* "wte.weight[464] + wpe.weight [P=1024, C=64]   " */
static void add_curve(const es_offset *o, int32_t id, es_str *out)
{
    if (id >= 0)
        es_str_add(out, "wte.weight[%" PRId32 "] + ", id);
    es_str_add(out, "%s [P=%" PRId64 ", C=%" PRId64 "]   ",
               o->of.learned ? "wpe.weight" : "sinusoidal", o->of.n, o->of.C);
}

void es_offset_expression(const es_viewer *v, es_str *out)
{
    const es_offset *o = es_offset_of(v, NULL);
    if (!o)
        return;
    add_curve(o, o->token, out);
    add_curve(o, o->second, out);
    es_str_cat(out, "arrow = ");
    es_offset_move_text(o, out);
    es_str_add(out, " [C=%" PRId64 "]", o->of.C);
}

static void list_token(const es_viewer *v, const char *key, int32_t id, es_str *out)
{
    es_str_add(out, "%s: ", key);
    es_scene_token(out, v->atlas->context, id, 40);
    es_str_add(out, " (id %" PRId32 ")\n", id);
}

void es_offset_plain(es_viewer *v, es_str *out)
{
    es_str why = {0}, remark = {0};
    const es_offset *o = es_offset_of(v, &why);
    if (!o) {
        es_str_add(out, "problem: %s\n", es_str_text(&why));
        es_str_free(&why);
        return;
    }
    int axes = es_offset_shown(v, o);
    es_offset_tell_axes(v, o);
    es_places_remark(&remark, &o->of, v->atlas->context);
    if (remark.len)
        es_str_add(out, "note: %s\n", remark.s);
    es_str_free(&remark);
    list_token(v, "token", o->token, out);
    if (o->second >= 0)
        list_token(v, "second token", o->second, out);
    es_str_add(out, "positions: %" PRId64 " of %s\nmove: ", o->of.n, es_places_name(&o->of));
    es_offset_move_text(o, out);
    es_str_add(out,
               "\nlength of the move: %.4g\nlength of the move in the picture: %.4g\n"
               "largest difference between two arrows: %.2g (rounding to float32)\n",
               o->length, es_offset_seen(o, axes) * o->length, o->off);
    for (int k = 0; k < axes; k++)
        es_str_add(out, "axis %d: %s\n", k + 1, es_offset_axis_name(o->axis[k]));
    es_str_add(out, "spread of the curve that the axes keep: %.1f %%\n",
               100 * es_offset_share(o, axes));
}

static void key_double(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value);
}

void es_offset_json(es_viewer *v, es_json *j)
{
    const es_offset *o = es_offset_of(v, NULL);
    if (!o)
        return;
    int axes = es_offset_shown(v, o);
    es_offset_tell_axes(v, o);
    es_json_key_int(j, "token", o->token);
    es_json_key(j, "second");
    if (o->second >= 0)
        es_json_int(j, o->second);
    else
        es_json_null(j);
    es_json_key(j, "learned");
    es_json_bool(j, o->of.learned);
    es_json_key(j, "in_use");
    es_json_bool(j, o->of.used);
    es_json_key_int(j, "positions", o->of.n);
    key_double(j, "move_length", o->length);
    key_double(j, "move_seen", es_offset_seen(o, axes));
    key_double(j, "largest_difference", o->off);
    key_double(j, "share", es_offset_share(o, axes));
    es_json_key(j, "axes");
    es_json_open(j, '[');
    for (int k = 0; k < axes; k++)
        es_json_string(j, es_offset_axis_name(o->axis[k]));
    es_json_close(j, ']');
}
