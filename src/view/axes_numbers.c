// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view's numbers: as lines, and as JSON. */
#include <inttypes.h>
#include <math.h>

#include "view/axes.h"

enum { ENDS = 5 }; /* tokens told at either end of an axis */

/* ---- as lines ---- */

/* out = the tokens at one end, the farthest first; how many there are. */
static int ends_of(const es_map *m, int k, bool high, int32_t out[ENDS])
{
    float at[ENDS];
    int n = 0;
    for (int32_t id = 0; id < m->n; id++) {
        float x = m->at[3 * (int64_t)id + k] * (high ? 1 : -1);
        int i = n < ENDS ? n : ENDS - 1;
        if (isnan(x) || (n == ENDS && !(x > at[i])))
            continue;
        for (; i && x > at[i - 1]; i--) {
            at[i] = at[i - 1];
            out[i] = out[i - 1];
        }
        at[i] = x;
        out[i] = id;
        n += n < ENDS;
    }
    return n;
}

static void plain_end(const es_viewer *v, const es_axes *ax, int k, bool high, es_str *out)
{
    int32_t id[ENDS];
    int n = ends_of(ax->map, k, high, id);
    es_str_add(out, "%s, %s end:", k ? "y" : "x", high ? "high" : "low");
    for (int i = 0; i < n; i++) {
        es_str_cat(out, i ? ", " : " ");
        es_scene_quote(out, v->atlas->context, id[i]);
        es_str_add(out, " %.4g", (double)ax->map->at[3 * (int64_t)id[i] + k]);
    }
    es_str_char(out, '\n');
}

static void plain_nearest(const es_viewer *v, const char *name, const es_axes_nearest *near,
                          es_str *out)
{
    es_str_add(out, "nearest, %s:", name);
    for (int i = 0; i < near->n; i++) {
        es_str_cat(out, i ? ", " : " ");
        es_scene_quote(out, v->atlas->context, (int32_t)near->of[i].id);
        es_str_add(out, " %.4f", near->of[i].score);
    }
    es_str_char(out, '\n');
}

static void plain_sum(const es_viewer *v, const es_near_ask *sum, es_str *out)
{
    for (size_t i = 0; i < sum->n; i++) {
        if (i || sum->factor[i] < 0)
            es_str_cat(out, sum->factor[i] < 0 ? (i ? " - " : "- ") : " + ");
        if (fabs(sum->factor[i]) != 1)
            es_str_add(out, "%g * ", fabs(sum->factor[i]));
        es_scene_quote(out, v->atlas->context, sum->id[i]);
    }
}

static void plain_axes(const es_viewer *v, const es_axes *ax, es_str *out)
{
    for (int k = 0; k < ax->n_units; k++) {
        es_str_add(out, "%s: from ", k ? "y" : "x");
        plain_sum(v, &ax->of.from[k], out);
        es_str_cat(out, " to ");
        plain_sum(v, &ax->of.to[k], out);
        es_str_add(out, ", %.4g apart", ax->length[k]);
        es_str_cat(out, k && ax->fourth ? ", what of it is at right angles to x\n" : "\n");
    }
    if (ax->n_units == 1)
        es_str_cat(out, "y: how far a row is from the axis\n");
    else
        es_str_add(out, "angle between: %.1f degrees\n", es_axes_angle(ax));
}

static void plain_analogy(const es_viewer *v, const es_axes *ax, es_str *out)
{
    static const char *const names[] = {"b", "a", "a - b + c", "c"};
    for (int i = 0; i < 4; i++)
        es_str_add(out, "%s at %.4g, %.4g\n", names[i], ax->corner[i][0], ax->corner[i][1]);
    es_str_add(out, "outside of the plane: %.1f %% of the fourth point's length squared\n",
               100 * ax->outside);
    plain_nearest(v, "of all rows", &ax->all, out);
    plain_nearest(v, "less the three", &ax->others, out);
}

static void plain_places(const es_viewer *v, const es_axes *ax, es_str *out)
{
    for (int64_t t = 0; t < ax->map->T; t++) {
        const es_map_place *p = &ax->map->place[t];
        es_str_add(out, "place %" PRId64 ": ", v->scene.at + t);
        es_scene_quote(out, v->atlas->context, p->id);
        es_str_add(out, " (#%" PRId32 ") at %.4g, %.4g", p->id, (double)p->at[0], (double)p->at[1]);
        if (!isnan(p->x_at[0]))
            es_str_add(out, "; x at %.4g, %.4g", (double)p->x_at[0], (double)p->x_at[1]);
        es_str_char(out, '\n');
    }
}

void es_axes_plain(es_viewer *v, es_str *out)
{
    const es_axes *ax = es_axes_follow(v);
    if (!ax->map) {
        es_str_add(out, "no axes: %s\n", es_str_text(&ax->why));
        return;
    }
    es_str says = {0};
    es_axes_caption(v, ax, &says);
    plain_axes(v, ax, out);
    es_str_add(out, "rows: %" PRId64 "\nshare: %.2f %% of the spread\n", ax->map->n,
               100 * ax->share);
    if (ax->kept_of)
        es_str_add(out,
                   "kept: %.2f of a token's %d nearest are near in the picture too, mean of "
                   "%" PRId64 " tokens\n",
                   ax->kept, ax->kept_of, ax->kept_over);
    if (ax->fourth)
        plain_analogy(v, ax, out);
    es_str_add(out, "seen: %s\n", says.s);
    plain_places(v, ax, out);
    for (int k = 0; k < 2; k++) {
        plain_end(v, ax, k, false, out);
        plain_end(v, ax, k, true, out);
    }
    es_str_free(&says);
}

/* ---- as JSON ---- */

static void json_number(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    if (isfinite(value))
        es_json_double(j, value);
    else
        es_json_null(j);
}

static void json_nearest(es_json *j, const char *key, const es_axes_nearest *near)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int i = 0; i < near->n; i++) {
        es_json_open(j, '{');
        es_json_key_int(j, "id", near->of[i].id);
        json_number(j, "cosine", near->of[i].score);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_analogy(es_json *j, const es_axes *ax)
{
    static const char *const names[] = {"b", "a", "fourth", "c"};
    es_json_key(j, "corners");
    es_json_open(j, '{');
    for (int i = 0; i < 4; i++) {
        es_json_key(j, names[i]);
        es_json_open(j, '[');
        es_json_double(j, ax->corner[i][0]);
        es_json_double(j, ax->corner[i][1]);
        es_json_close(j, ']');
    }
    es_json_close(j, '}');
    json_number(j, "outside", ax->outside);
    json_nearest(j, "nearest", &ax->all);
    json_nearest(j, "nearest_others", &ax->others);
}

static void json_places(es_json *j, const es_viewer *v, const es_axes *ax)
{
    es_json_key(j, "places");
    es_json_open(j, '[');
    for (int64_t t = 0; t < ax->map->T; t++) {
        const es_map_place *p = &ax->map->place[t];
        es_json_open(j, '{');
        es_json_key_int(j, "place", v->scene.at + t);
        es_json_key_int(j, "id", p->id);
        es_json_key(j, "at");
        es_json_floats(j, p->at, 2);
        es_json_key(j, "x");
        es_json_floats(j, p->x_at, 2);
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

static void json_ends(es_json *j, const es_axes *ax)
{
    es_json_key(j, "ends");
    es_json_open(j, '[');
    for (int k = 0; k < 2; k++) {
        es_json_open(j, '{');
        for (int high = 0; high < 2; high++) {
            int32_t id[ENDS];
            int n = ends_of(ax->map, k, high, id);
            es_json_key(j, high ? "high" : "low");
            es_json_ints(j, id, n);
        }
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
}

void es_axes_json(es_viewer *v, es_json *j)
{
    const es_axes *ax = es_axes_follow(v);
    if (!ax->map) {
        es_json_key_string(j, "why", es_str_text(&ax->why));
        return;
    }
    es_axes_describe_json(j, &ax->of);
    es_json_key_int(j, "rows", ax->map->n);
    json_number(j, "angle", ax->n_units == 2 ? es_axes_angle(ax) : NAN);
    json_number(j, "share", ax->share);
    json_number(j, "kept", ax->kept);
    es_json_key_int(j, "kept_of", ax->kept_of);
    es_json_key_int(j, "kept_over", ax->kept_over);
    if (ax->fourth)
        json_analogy(j, ax);
    json_ends(j, ax);
    json_places(j, v, ax);
}
