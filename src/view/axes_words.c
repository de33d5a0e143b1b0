// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view in words and numbers. */
#include <inttypes.h>
#include <math.h>

#include "base/visible.h"
#include "layer/noise.h"
#include "session/numbers.h"
#include "view/axes.h"

enum { ENDS = 5 }; /* tokens told at either end of an axis */

static const es_context *context_of(const es_viewer *v)
{
    return v->atlas->context;
}

static double degrees(double cosine)
{
    return acos(cosine) * 180 / M_PI;
}

static void name_token(const es_viewer *v, int64_t id, es_str *out)
{
    es_scene_token(out, context_of(v), (int32_t)id, ES_MAP_COLUMNS);
}

void es_axes_name(const es_viewer *v, const es_axes *ax, int k, es_str *out)
{
    es_axes_sum_name(context_of(v), &ax->of.from[k], out);
    es_str_cat(out, " → ");
    es_axes_sum_name(context_of(v), &ax->of.to[k], out);
}

void es_axes_fourth_name(const es_viewer *v, const es_axes *ax, es_str *out)
{
    const es_near_ask sum = {.id = {ax->of.a, ax->of.b, ax->of.c}, .factor = {1, -1, 1}, .n = 3};
    es_axes_sum_name(context_of(v), &sum, out);
}

/* ---- what is seen ---- */

static void say_towards(const es_viewer *v, const es_axes *ax, int k, es_str *out)
{
    es_str_cat(out, k ? "; up towards " : "Right is towards ");
    es_axes_sum_name(context_of(v), &ax->of.to[k], out);
    es_str_cat(out, ", away from ");
    es_axes_sum_name(context_of(v), &ax->of.from[k], out);
}

/* "Of 32 pairs like ␣boy, ␣girl 30 go right, at a mean cosine of 0.38 with the axis" */
static void say_pairs(const es_viewer *v, const es_axes *ax, es_str *out)
{
    for (int k = 0; k < 2; k++) {
        const es_axes_pair *like = &ax->pair[k][0];
        es_str_add(out, k ? "; of %d like " : " Of %d pairs like ", ax->n_pairs[k]);
        name_token(v, like->low, out);
        es_str_cat(out, ", ");
        name_token(v, like->high, out);
        es_str_add(out, k ? " %d go up, at %.2f" : " %d go right, at a mean cosine of %.2f with it",
                   ax->held[k], ax->along[k]);
    }
    es_str_cat(out, ": by chance half would, at 0.");
}

static void say_one(const es_viewer *v, const es_axes *ax, es_str *out)
{
    if (ax->usual)
        es_str_cat(out,
                   "The usual words are not all in this table: its first row and its last make "
                   "the axis. ");
    say_towards(v, ax, 0, out);
    es_str_cat(out, "; up is how far a row is from the axis. From 0 each row is seen at its true "
                    "length and its true angle with the axis");
    if (ax->map)
        es_str_add(out, ": half of all rows are within %.0f° of a right angle.", ax->lean);
}

static bool is_word(const es_axes *ax, int64_t id)
{
    return id == ax->of.a || id == ax->of.b || id == ax->of.c;
}

/* Is even the best no nearer than the best of as many random rows? */
static bool by_chance(const es_axes *ax)
{
    int64_t V = ax->map->n;
    return V < 2 || ax->others.of[0].score < es_noise_floor(V - 1, ax->C);
}

static void say_answer(const es_viewer *v, const es_neighbour *who, es_str *out)
{
    name_token(v, who->id, out);
    es_str_add(out, " (%.2f)", who->score);
}

/* Was it near before anything was added? */
static void say_beside(const es_viewer *v, const es_axes *ax, es_str *out)
{
    if (!ax->rank_of_a)
        return;
    es_str_cat(out, " But ");
    name_token(v, ax->others.of[0].id, out);
    if (ax->rank_of_a == 1)
        es_str_cat(out, " is the row nearest to ");
    else
        es_str_add(out, " is number %" PRId64 " of the rows nearest to ", ax->rank_of_a);
    name_token(v, ax->of.a, out);
    es_str_cat(out, " anyway.");
}

static void say_chance(const es_axes *ax, es_str *out)
{
    int64_t others = ax->map->n > 1 ? ax->map->n - 1 : 1;
    es_str_add(out, " That is chance: the best of as many random rows has %.2f.",
               es_noise_floor(others, ax->C));
}

/* Does it work?  What is asked for is usually left out, which is said, and what the answer is without that. */
static void say_analogy(const es_viewer *v, const es_axes *ax, es_str *out)
{
    es_axes_fourth_name(v, ax, out);
    if (!ax->map || !ax->all.n) {
        es_str_cat(out, " = ◇, which has no direction: no row is near it.");
        return;
    }
    bool word = is_word(ax, ax->all.of[0].id);
    es_str_cat(out, " = ◇. Of all rows ");
    say_answer(v, &ax->all.of[0], out);
    es_str_cat(out, word ? " is nearest to it, a word that was asked for: as it stands the analogy "
                           "fails."
                         : " is nearest to it, and nothing had to be left out.");
    if (!ax->others.n)
        return;
    if (word) {
        es_str_cat(out, " Less the three, as is usual, it is ");
        say_answer(v, &ax->others.of[0], out);
        es_str_char(out, '.');
    }
    if (by_chance(ax))
        say_chance(ax, out);
    else
        say_beside(v, ax, out);
}

void es_axes_caption(const es_viewer *v, const es_axes *ax, es_str *out)
{
    switch (ax->of.form) {
    case ES_AXES_ONE: say_one(v, ax, out); return;
    case ES_AXES_ANALOGY: say_analogy(v, ax, out); return;
    default: break;
    }
    say_towards(v, ax, 0, out);
    say_towards(v, ax, 1, out);
    es_str_char(out, '.');
    if (ax->n_pairs[0] && ax->n_pairs[1])
        say_pairs(v, ax, out);
    es_str_cat(out, " Numbers are dot products with axes of length 1: 0 is at right angles.");
}

/* ---- what it keeps and hides ---- */

static void say_angle(const es_axes *ax, es_str *out)
{
    double angle = degrees(ax->between);
    if (angle < 0.5 || angle > 179.5)
        es_str_cat(out, "The two axes are one direction, drawn at right angles. ");
    else
        es_str_add(out, "The axes are %.0f° apart, drawn at right angles. ", angle);
}

static void say_kept(const es_axes *ax, es_str *out)
{
    if (!ax->measured || !ax->kept_of) {
        es_str_cat(out, ax->measured ? "." : "; counting how many of a token's nearest it keeps …");
        return;
    }
    if (ax->fourth) {
        es_str_add(out, ", %.2f of %d nearest.", ax->kept, ax->kept_of);
        return;
    }
    es_str_add(out, "; %.2f of a token's %d nearest are near in it, too (", ax->kept, ax->kept_of);
    if (ax->by_lot)
        es_str_add(out, "%" PRId64 " tokens by lot).", ax->kept_over);
    else
        es_str_add(out, "all %" PRId64 " tokens).", ax->kept_over);
}

/* "Nearest to ◇ is ␣king itself; usually the words asked for are left out: ␣queen." */
static void say_verdict(const es_viewer *v, const es_axes *ax, es_str *out)
{
    if (!ax->all.n)
        return;
    bool word = is_word(ax, ax->all.of[0].id);
    es_str_cat(out, "Nearest to ◇ is ");
    name_token(v, ax->all.of[0].id, out);
    es_str_cat(out, word ? " itself" : ", nothing left out");
    if (word && ax->others.n) {
        es_str_cat(out, "; usually the words asked for are left out: ");
        name_token(v, ax->others.of[0].id, out);
    }
    es_str_cat(out, ". ");
}

void es_axes_honesty(const es_viewer *v, es_str *out)
{
    const es_axes *ax = es_axes_of(v);
    if (!ax || !ax->map)
        return;
    if (ax->fourth)
        say_verdict(v, ax, out);
    else if (ax->n_units == 2)
        say_angle(ax, out);
    if (ax->fourth)
        es_str_add(out, "%.0f %% of ◇'s length squared is outside of the plane, which keeps ",
                   100 * ax->outside);
    else
        es_str_cat(out, ax->n_units == 1 ? "The axis keeps " : "The plane keeps ");
    es_str_add(out, "%.1f %% of the spread", 100 * ax->share);
    say_kept(ax, out);
    int64_t gone = v->atlas->tokens.pca.left_out;
    if (gone)
        es_str_add(out, " %" PRId64 " row%s NaN or Inf and %s left out.", gone,
                   gone == 1 ? " holds" : "s hold", gone == 1 ? "is" : "are");
}

void es_axes_expression(const es_viewer *v, es_str *out)
{
    const es_axes *ax = es_axes_of(v);
    if (!ax || !ax->map)
        return;
    int64_t V = ax->map->n, C = ax->C;
    es_str_add(out,
               "wte [V=%" PRId64 ", C=%" PRId64 "] @ axes [%d, C=%" PRId64 "].T = [V=%" PRId64
               ", %d]",
               V, C, ax->n_units, C, V, ax->n_units);
    if (ax->n_units == 1)
        es_str_add(out, "   (wte - (wte @ axes.T) * axes).norm(dim=1) = [V=%" PRId64 "]", V);
    else
        es_str_cat(out, "   not centred");
}

/* ---- as lines ---- */

/* As a command takes it: plain lines are read aloud, and typed again. */
static void plain_token(const es_viewer *v, int64_t id, es_str *out)
{
    size_t n = 0;
    const char *bytes = es_bpe_bytes(context_of(v)->bpe, (int32_t)id, &n);
    if (bytes)
        es_show_quoted(out, bytes, n);
    else
        es_str_add(out, "#%" PRId64, id);
}

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
        plain_token(v, id[i], out);
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
        plain_token(v, near->of[i].id, out);
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
        plain_token(v, sum->id[i], out);
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
        es_str_add(out, "angle between: %.1f degrees\n", degrees(ax->between));
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
        plain_token(v, p->id, out);
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
    json_number(j, "angle", ax->n_units == 2 ? degrees(ax->between) : NAN);
    json_number(j, "share", ax->share);
    json_number(j, "kept", ax->kept);
    es_json_key_int(j, "kept_of", ax->kept_of);
    es_json_key_int(j, "kept_over", ax->kept_over);
    if (ax->fourth)
        json_analogy(j, ax);
    json_ends(j, ax);
    json_places(j, v, ax);
}
