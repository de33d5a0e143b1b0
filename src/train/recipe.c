// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/recipe.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/visible.h"

#define AT(field) offsetof(es_recipe, field)
#define MANY      1e12

static const es_recipe_entry entries[] = {
    {"seed", 'i', AT(seed), 0, 9e18, "of everything drawn by chance"},
    {"threads", 'i', AT(threads), 1, 256, "more than one: not the same bytes twice"},
    {"n-embd", 'i', AT(n_embd), 1, 65536, "numbers a token: C"},
    {"n-ctx", 'i', AT(n_ctx), 1, 1 << 20, "rows of wpe"},
    {"n-layer", 'i', AT(n_layer), 0, 1000, "blocks"},
    {"n-head", 'i', AT(n_head), 1, 1000, "heads of attention; divides n-embd"},
    {"tied", 'b', AT(tied), 0, 1, "is the output matrix wte?"},
    {"epochs", 'd', AT(epochs), 0, 1000, "passes of stage 1 over the text; 0: none"},
    {"window", 'i', AT(window), 1, 100, "contexts to either side, at most"},
    {"noise", 'i', AT(noise), 1, 100, "negatives a pair in stage 1"},
    {"subsample", 'd', AT(subsample), 0, 1, "share beyond which tokens are thinned out"},
    {"rate", 'd', AT(rate), 0, 1, "of stage 1 at its start; falls to 0"},
    {"steps", 'i', AT(steps), 0, MANY, "of stage 2"},
    {"batch", 'i', AT(batch), 1, 1 << 20, "windows a step"},
    {"context", 'i', AT(context), 1, 1 << 20, "tokens a window: T"},
    {"negatives", 'i', AT(negatives), 0, 1 << 20, "shared by a step; 0: the whole vocabulary"},
    {"shift", 'b', AT(shift), 0, 1, "do windows stand anywhere in wpe?"},
    {"spread", 'd', AT(spread), 0, 1, "share of the steps until they stand anywhere"},
    {"warmup", 'i', AT(warmup), 0, MANY, "steps until the rate is at its highest"},
    {"lr", 'd', AT(lr), 0, 10, "Adam's rate at its highest"},
    {"floor", 'd', AT(floor), 0, 1, "share of it that the cosine ends with"},
    {"wte-lr", 'd', AT(wte_lr), 0, 100, "share of it for wte and the output matrix"},
    {"wpe-lr", 'd', AT(wpe_lr), 0, 100, "share of it for wpe"},
    {"beta1", 'd', AT(beta1), 0, 0.9999999, "Adam's memory of gradients"},
    {"beta2", 'd', AT(beta2), 0, 0.9999999, "Adam's memory of their squares"},
    {"clip", 'd', AT(clip), 0, 1e9, "largest length of a step's gradient; 0: any"},
};

es_recipe es_recipe_default(void)
{
    return (es_recipe){.seed = 1,
                       .threads = 1,
                       .n_embd = 64,
                       .n_ctx = 1024,
                       .n_layer = 1,
                       .n_head = 4,
                       .tied = true,
                       .epochs = 2,
                       .window = 5,
                       .noise = 5,
                       .subsample = 1e-4,
                       .rate = 0.025,
                       .steps = 1500,
                       .batch = 32,
                       .context = 128,
                       .negatives = 2048,
                       .shift = true,
                       .spread = 0.5,
                       .warmup = 100,
                       .lr = 3e-3,
                       .floor = 0.02,
                       .wte_lr = 1,
                       .wpe_lr = 1,
                       .beta1 = 0.9,
                       .beta2 = 0.98,
                       .clip = 1};
}

const es_recipe_entry *es_recipe_at(size_t i)
{
    return i < sizeof entries / sizeof *entries ? &entries[i] : NULL;
}

static const es_recipe_entry *find(const char *name)
{
    for (size_t i = 0; es_recipe_at(i); i++)
        if (!strcmp(entries[i].name, name))
            return &entries[i];
    return NULL;
}

static bool unknown(const char *name, es_error *err)
{
    es_str shown = {0};
    const char *nearest = NULL;
    int least = es_slip(strlen(name)) + 1;
    es_show_brief(&shown, name, strlen(name));
    for (size_t i = 0; es_recipe_at(i); i++) {
        int d = es_distance(name, strlen(name), entries[i].name, strlen(entries[i].name), least);
        if (d < least) {
            least = d;
            nearest = entries[i].name;
        }
    }
    es_fail(err, ES_ERR_NAME, "a training run has no number %s", es_str_text(&shown));
    es_str_free(&shown);
    return nearest ? es_hint(err, "did you mean %s?", nearest) : false;
}

/* "1500", "3e-4" or "yes" as a number; false when it is none. */
static bool read_number(double *d, const es_recipe_entry *e, const char *value)
{
    static const char *const words[] = {"no", "yes"};
    for (int i = 0; e->kind == 'b' && i < 2; i++)
        if (!strcmp(value, words[i])) {
            *d = i;
            return true;
        }
    if (value[strspn(value, "+-.0123456789eE")]) /* strtod reads more: " 1", "0x1", "nan" */
        return false;
    char *end;
    *d = strtod(value, &end);
    return end != value && !*end && isfinite(*d) && (e->kind == 'd' || *d == floor(*d));
}

/* A whole number with all its digits, of which d has the first sixteen. */
static int64_t whole(const char *value, double d)
{
    char *end;
    long long all = strtoll(value, &end, 10);
    return *end ? (int64_t)d : all; /* it stops at the e of 1e3 */
}

/* What the number may be, and what was given. */
static bool refuse_value(const es_recipe_entry *e, const char *value, es_error *err)
{
    es_str shown = {0};
    es_show_brief(&shown, value, strlen(value));
    if (e->kind == 'b')
        es_fail(err, ES_ERR_VALUE, "%s is yes or no, not %s", e->name, es_str_text(&shown));
    else
        es_fail(err, ES_ERR_VALUE, "%s is a %snumber from %.10g to %.10g, not %s", e->name,
                e->kind == 'i' ? "whole " : "", e->least, e->most, es_str_text(&shown));
    es_str_free(&shown);
    return false;
}

bool es_recipe_set(es_recipe *r, const char *name, const char *value, es_error *err)
{
    const es_recipe_entry *e = find(name);
    if (!e)
        return unknown(name, err);
    double d;
    void *field = (char *)r + e->offset;
    if (!read_number(&d, e, value) || d < e->least || d > e->most)
        return refuse_value(e, value, err);
    switch (e->kind) {
    case 'b': *(bool *)field = d != 0; break;
    case 'i': *(int64_t *)field = whole(value, d); break;
    default: *(double *)field = d;
    }
    return true;
}

bool es_recipe_check(const es_recipe *r, es_error *err)
{
    if (r->n_embd % r->n_head)
        return es_fail(err, ES_ERR_VALUE,
                       "n-embd %" PRId64 " cannot be shared by %" PRId64 " heads of one size",
                       r->n_embd, r->n_head);
    if (r->context > r->n_ctx)
        return es_fail(err, ES_ERR_VALUE,
                       "a context of %" PRId64 " tokens is longer than wpe, which has %" PRId64
                       " rows",
                       r->context, r->n_ctx);
    return true;
}

/* With as few digits as read back as d. */
static void show_number(es_str *out, double d)
{
    char text[32];
    int digits = 1;
    do
        snprintf(text, sizeof text, "%.*g", digits, d);
    while (strtod(text, NULL) != d && digits++ < 17);
    es_str_cat(out, text);
}

void es_recipe_show(es_str *out, const es_recipe *r, const es_recipe_entry *e)
{
    const void *field = (const char *)r + e->offset;
    switch (e->kind) {
    case 'b': es_str_add(out, "%s=%s", e->name, *(const bool *)field ? "yes" : "no"); break;
    case 'i': es_str_add(out, "%s=%" PRId64, e->name, *(const int64_t *)field); break;
    default: es_str_add(out, "%s=", e->name); show_number(out, *(const double *)field);
    }
}
