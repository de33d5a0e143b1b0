// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes view in words and numbers. */
#include <inttypes.h>
#include <math.h>

#include "base/visible.h"
#include "layer/noise.h"
#include "session/numbers.h"
#include "view/axes.h"

static const es_context *context_of(const es_viewer *v)
{
    return v->atlas->context;
}

double es_axes_angle(const es_axes *ax)
{
    return acos(ax->between) * 180 / M_PI;
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
    double angle = es_axes_angle(ax);
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
