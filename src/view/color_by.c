// SPDX-License-Identifier: GPL-3.0-or-later
/* What colours mean: numbers on a scale, kinds by a hue each. */
#include <math.h>

#include "session/numbers.h"
#include "view/atlas.h"

const char *es_color_by_name(es_color_by by)
{
    static const char *const names[] = {"length", "id",   "script", "space",
                                        "digit",  "case", "count"};
    return names[by];
}

/* ---- kinds ---- */

/* Beside the hues, what stands back: told apart by how bright it is. */
enum { FAINT = -1, BACK = -2 };

typedef struct entry {
    const char *name; /* NULL: es_script_name */
    int hue;
} entry;

typedef struct kinds {
    int n;
    entry of[ES_SCRIPT_BYTES + 1];
} kinds;

static const kinds all_kinds[ES_N_COLOR_BY] = {
    [ES_BY_SCRIPT] = {ES_SCRIPT_BYTES + 1,
                      {[ES_SCRIPT_NONE] = {NULL, BACK},
                       [ES_SCRIPT_LATIN] = {NULL, 0},
                       [ES_SCRIPT_CYRILLIC] = {NULL, 1},
                       [ES_SCRIPT_GREEK] = {NULL, 2},
                       [ES_SCRIPT_ARABIC] = {NULL, 3},
                       [ES_SCRIPT_HEBREW] = {NULL, 4},
                       [ES_SCRIPT_HAN] = {NULL, 5},
                       [ES_SCRIPT_KANA] = {NULL, 6},
                       [ES_SCRIPT_OTHER] = {NULL, 7},
                       [ES_SCRIPT_BYTES] = {NULL, FAINT}}},
    [ES_BY_SPACE] = {2, {{"no space before it", 0}, {"begins with a space", 1}}},
    [ES_BY_DIGIT] = {2, {{"not digits alone", BACK}, {"digits alone", 1}}},
    [ES_BY_CASE] = {5,
                    {{"no letters with case", BACK},
                     {"lower case", 0},
                     {"Capital", 1},
                     {"UPPER CASE", 2},
                     {"miXed", 3}}},
};

static int value_of(const es_token_kind *kind, es_color_by by)
{
    switch (by) {
    case ES_BY_SCRIPT: return kind->script;
    case ES_BY_SPACE: return kind->space;
    case ES_BY_DIGIT: return kind->digit;
    default: return kind->letter_case;
    }
}

unsigned es_token_kind_bit(const es_token_kind *kind, es_color_by by)
{
    return 1u << value_of(kind, by);
}

static es_argb colour_of(const es_palette *p, es_color_by by, int value)
{
    int hue = all_kinds[by].of[value].hue;
    es_argb back = es_blend(p->ground, es_fade(p->faint, 0.6f));
    return hue == BACK ? back : hue == FAINT ? p->faint : p->hue[hue];
}

static bool kind_entry(const es_atlas *a, const es_palette *p, es_color_by by, int i,
                       es_argb *colour, es_str *label)
{
    int value = 0;
    for (; value < all_kinds[by].n; value++)
        if (a->kinds[by] & 1u << value && i-- == 0)
            break;
    if (value == all_kinds[by].n)
        return false;
    const char *name = all_kinds[by].of[value].name;
    *colour = colour_of(p, by, value);
    es_str_cat(label, name ? name : es_script_name((es_script)value));
    return true;
}

/* ---- numbers ---- */

/* Where x is between the ends, 0..1; all the same: in the middle. */
static float between(double x, double low, double high)
{
    return high > low ? (float)((x - low) / (high - low)) : isfinite(x) ? 0.5f : NAN;
}

static float part_of(const es_atlas *a, es_color_by by, int32_t id)
{
    const es_mapped *m = &a->tokens;
    switch (by) {
    case ES_BY_LENGTH: return between((double)m->length[id], m->short_end, m->long_end);
    case ES_BY_ID: return between(id, 0, (double)a->context->model->config.vocab_size - 1);
    default:
        return between(log1p((double)es_model_count(a->context->model, id)), 0,
                       log1p((double)a->most_seen));
    }
}

static bool is_known(const es_atlas *a, es_color_by by, int32_t id)
{
    return by != ES_BY_COUNT || es_model_count(a->context->model, id) >= 0;
}

static void show_end(const es_atlas *a, es_color_by by, bool high, es_str *label)
{
    int64_t last = a->context->model->config.vocab_size - 1;
    if (by == ES_BY_LENGTH)
        es_str_add(label, "%s %.3g", high ? "≥" : "≤",
                   (double)(high ? a->tokens.long_end : a->tokens.short_end));
    else
        es_show_count(label, !high ? 0 : by == ES_BY_ID ? last : a->most_seen);
}

static bool number_entry(const es_atlas *a, const es_palette *p, es_color_by by, int i,
                         es_argb *colour, es_str *label)
{
    bool known = by != ES_BY_COUNT || a->most_seen >= 0;
    if (i > (known ? 1 : 0))
        return false;
    *colour = known ? es_sequential(p, (float)i) : p->faint;
    if (known)
        show_end(a, by, i == 1, label);
    else
        es_str_cat(label, "not known");
    return true;
}

/* ---- either ---- */

es_argb es_atlas_colour(const es_atlas *a, const es_palette *p, es_color_by by, int32_t id)
{
    if (id < 0 || id >= a->context->model->config.vocab_size || !is_known(a, by, id))
        return p->faint;
    if (all_kinds[by].n)
        return colour_of(p, by, value_of(&a->kind[id], by));
    return es_sequential(p, part_of(a, by, id));
}

bool es_atlas_legend(const es_atlas *a, const es_palette *p, es_color_by by, int i, es_argb *colour,
                     es_str *label)
{
    return (all_kinds[by].n ? kind_entry : number_entry)(a, p, by, i, colour, label);
}
