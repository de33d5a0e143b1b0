// SPDX-License-Identifier: GPL-3.0-or-later
/* Layouts and what they keep, in words and as numbers. */
#include <math.h>

#include "session/numbers.h"
#include "view/layouts.h"

static void json_number(es_json *j, const char *key, double value)
{
    es_json_key(j, key);
    es_json_double(j, value); /* NaN is null */
}

void es_layouts_progress(const es_sight *s, es_str *out)
{
    const es_layout_recipe *r = &s->recipe;
    es_str_add(out, "%s, %s %d of %d", es_layout_title(r->id), es_layout_unit(r->id), s->done,
               r->steps);
}

void es_layouts_settings(const es_layout_recipe *r, es_str *out)
{
    if (r->id == ES_LAYOUT_TSNE)
        es_str_add(out, "perplexity %g", r->perplexity);
    else
        es_str_add(out, "%d neighbours, min_dist %g, seed %llu", r->neighbours, r->min_dist,
                   (unsigned long long)r->seed);
}

/* At the points before the last step: what it is at those that are shown only the next one finds out. */
static double objective(const es_sight *s)
{
    return s->done ? s->value[s->done - 1] : NAN;
}

static const char *state_of(const es_sight *s)
{
    static const char *const going[] = {"waits", "finds neighbours", "moves", "moves"};
    return s->done < s->target ? going[s->phase] : s->done < s->recipe.steps ? "paused" : "done";
}

void es_layouts_plain(const es_sight *s, es_str *out)
{
    es_layout_id id = s->recipe.id;
    es_str_add(out, "layout: %s, ", es_layout_title(id));
    es_layouts_settings(&s->recipe, out);
    es_str_add(out, "\n%s: %d of %d, %s\n", es_layout_unit(id), s->done, s->recipe.steps,
               state_of(s));
    if (!isnan(objective(s)))
        es_str_add(out, "%s: %.4g\n", es_layout_objective(id), objective(s));
}

void es_layouts_json(es_json *j, const es_sight *s)
{
    const es_layout_recipe *r = &s->recipe;
    es_json_key_int(j, "steps", s->done);
    es_json_key_int(j, "of", r->steps);
    es_json_key_string(j, "state", state_of(s));
    json_number(j, "objective", objective(s));
    es_json_key(j, "recipe");
    es_json_open(j, '{');
    if (r->id == ES_LAYOUT_TSNE) {
        json_number(j, "perplexity", r->perplexity);
    } else {
        es_json_key_int(j, "neighbours", r->neighbours);
        json_number(j, "min_dist", r->min_dist);
        es_json_key_int(j, "seed", (int64_t)r->seed);
    }
    es_json_close(j, '}');
}

bool es_layouts_flat(const es_viewer *v, const es_arg *arg, es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "%s is a picture in the plane, not in space",
            es_layout_title(v->layout));
    es_hint(err, "try: :layout pca, whose components fill a space too");
    return es_error_locate(err, arg->begin, arg->end);
}

static void say_which(int64_t n, int64_t all, es_str *out)
{
    es_str_cat(out, n < all ? "" : "all ");
    es_show_count(out, n);
    es_str_cat(out, n < all ? " tokens drawn by lot" : " tokens");
}

/* Trustworthiness of points strewn by lot: each of the k near ones is then as likely any other row, of which n - 1 - k are
 * farther in wte, by (n - k) / 2 ranks on average.  Over the largest that these can be together, Venna and Kaski 2001, eq. 1. */
static double trust_by_chance(const es_quality *q)
{
    double n = (double)q->n_rows, k = q->k;
    if (q->k >= q->n_rows / 2)
        return 1 - k / (n - 1);
    return 1 - (n - 1 - k) * (n - k) / ((n - 1) * (2 * n - 3 * k - 1));
}

void es_figures_say(const es_quality *q, es_str *out)
{
    if (!q->k) {
        es_str_cat(out, "There are too few rows to say who is near whom.");
        return;
    }
    es_str_add(out, "Of a token's %d nearest, %.2f are still near on average (", q->k, q->kept);
    say_which(q->n_kept, q->n_rows, out);
    es_str_add(out, "); trustworthiness %.3f (chance: %.2g", q->trust, trust_by_chance(q));
    if (q->n_trust != q->n_kept) {
        es_str_cat(out, ", ");
        say_which(q->n_trust, q->n_rows, out);
    }
    es_str_char(out, ')');
    if (!isnan(q->spearman))
        es_str_add(out, "; order of distances %.2f (chance: 0)", q->spearman);
    es_str_char(out, '.');
}

void es_figures_plain(const es_quality *q, es_str *out)
{
    if (!q->k) {
        es_str_cat(out, "kept: too few rows to say\n");
        return;
    }
    es_str_add(out, "kept: %.2f of a token's %d nearest are near in the picture too, mean of ",
               q->kept, q->k);
    say_which(q->n_kept, q->n_rows, out);
    es_str_add(out, "\ntrustworthiness: %.4f, of ", q->trust);
    say_which(q->n_trust, q->n_rows, out);
    es_str_add(out, "; 1 is best, by chance %.2g\norder of distances: ", trust_by_chance(q));
    if (isnan(q->spearman))
        es_str_cat(out, "none, all are alike\n");
    else
        es_str_add(out, "%.4f, Spearman's rank correlation; 1 is best, by chance 0\n", q->spearman);
    bool all = q->n_pairs == q->n_rows * (q->n_rows - 1) / 2;
    es_str_cat(out, all ? "pairs for it: all " : "pairs for it: ");
    es_show_count(out, q->n_pairs);
    if (!all)
        es_str_add(out, ", by lot, seed %llu", (unsigned long long)q->seed);
    es_str_char(out, '\n');
}

void es_figures_json(es_json *j, const es_quality *q)
{
    const es_quality none = {.kept = NAN, .trust = NAN, .spearman = NAN};
    q = q && q->k ? q : &none;
    json_number(j, "kept", q->kept);
    es_json_key_int(j, "kept_of", q->k);
    es_json_key_int(j, "tokens", q->n_kept);
    json_number(j, "trust", q->trust);
    es_json_key_int(j, "trust_tokens", q->n_trust);
    json_number(j, "spearman", q->spearman);
    es_json_key_int(j, "pairs", q->n_pairs);
    es_json_key_int(j, "seed", (int64_t)q->seed);
}
