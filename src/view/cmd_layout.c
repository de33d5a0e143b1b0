// SPDX-License-Identifier: GPL-3.0-or-later
/* :layout: which layout the map shows, and how far it has come. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/layouts.h"

enum { MOST_STEPS = 100000, MOST_NEIGHBOURS = 1000 };

/* ---- what it answers ---- */

static void say_layout(es_str *out, const es_viewer *v)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    if (v->layout == ES_LAYOUT_PCA || !s) {
        es_str_add(out, "%s", es_layout_title(v->layout));
        return;
    }
    es_layouts_progress(s, out);
    es_str_cat(out, s->done < s->target ? "" : s->done < s->recipe.steps ? ", paused" : ", done");
    es_str_cat(out, ": ");
    es_layouts_settings(&s->recipe, out);
    if (s->done && !isnan(s->value[s->done - 1]))
        es_str_add(out, "; %s %.4g", es_layout_objective(v->layout), s->value[s->done - 1]);
    es_str_char(out, '.');
}

/* What one types next; a window shows it, and has keys. */
static const char *what_next(const es_viewer *v, const es_sight *s)
{
    if (v->window)
        return "";
    if (v->layout == ES_LAYOUT_PCA || !s)
        return " :layout tsne brings neighbours together.";
    if (s->why.len)
        return "";
    return s->done < s->recipe.steps ? " :layout go takes it on, :show draws it."
                                     : " :show draws it, :torn 20 whom it tears apart.";
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_viewer *v = data;
    const es_sight *s = es_layouts_of(v, v->layout);
    const es_figures *f = es_layouts_figures(v);
    es_str line = {0};
    (void)err;
    if (style->plain && v->layout != ES_LAYOUT_PCA && s)
        es_layouts_plain(s, out);
    else if (style->plain)
        es_str_add(out, "layout: %s\n", es_layout_title(v->layout));
    if (style->plain && f)
        es_figures_plain(&f->of, out);
    if (style->plain)
        return true;
    say_layout(&line, v);
    if (v->layout == ES_LAYOUT_PCA) {
        for (int k = 0; k < es_viewer_components(v); k++)
            es_str_add(&line, "%s%d", k ? ", " : ": components ", v->component[k] + 1);
        es_str_char(&line, '.');
    }
    if (f) {
        es_str_char(&line, ' ');
        es_figures_say(&f->of, &line);
    } else if (s && s->why.len) {
        es_str_add(&line, " It cannot be made: %s.", s->why.s);
    }
    es_str_cat(&line, what_next(v, s));
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    return true;
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const es_viewer *v = data;
    const es_sight *s = es_layouts_of(v, v->layout);
    const es_figures *f = es_layouts_figures(v);
    (void)values;
    (void)err;
    es_json_key_string(j, "name", es_layout_name(v->layout));
    if (v->layout != ES_LAYOUT_PCA && s)
        es_layouts_json(j, s);
    es_figures_json(j, f ? &f->of : NULL);
    return true;
}

/* ---- what is asked for ---- */

typedef enum verb { SHOW, PAUSE, GO, STEP, AGAIN, TO } verb;

typedef struct asked {
    es_layout_recipe recipe; /* its id: of which layout */
    bool named, changed;     /* by name; settings are others now */
    verb verb;
    int64_t n; /* steps of STEP, where TO goes */
} asked;

static bool read_name(asked *a, const es_viewer *v, const char *word)
{
    for (int i = 0; i < ES_N_LAYOUTS; i++)
        if (!strcmp(word, es_layout_name((es_layout_id)i))) {
            a->recipe = es_layouts_recipe(v, (es_layout_id)i);
            return a->named = true;
        }
    return false;
}

static bool read_verb(asked *a, const char *word)
{
    static const char *const verbs[] = {
        [PAUSE] = "pause", [GO] = "go", [STEP] = "step", [AGAIN] = "again"};
    for (int i = PAUSE; i <= AGAIN; i++)
        if (!strcmp(word, verbs[i])) {
            a->verb = (verb)i;
            return true;
        }
    return false;
}

/* Which settings a layout has. */
enum { OF_TSNE = 1 << ES_LAYOUT_TSNE, OF_UMAP = 1 << ES_LAYOUT_UMAP, OF_BOTH = OF_TSNE | OF_UMAP };

typedef struct setting {
    const char *name;
    double low, high;
    unsigned of;
    bool whole;
} setting;
enum { PERPLEXITY, NEIGHBOURS, STEPS, MIN_DIST, SEED, GO_TO, N_SETTINGS };

/* Limits depend on how many other rows there are. */
static setting setting_of(int which, const es_viewer *v, const asked *a)
{
    int64_t V = es_session_context(v->session)->model->config.vocab_size;
    double others = fmin((double)(V > 1 ? V - 1 : 1), MOST_NEIGHBOURS);
    const setting all[N_SETTINGS] = {
        [PERPLEXITY] = {"perplexity", 1, fmax(1, floor(others / 3)), OF_TSNE, false},
        [NEIGHBOURS] = {"neighbours", 2, fmax(2, others), OF_UMAP, true},
        [STEPS] = {"steps", 1, MOST_STEPS, OF_BOTH, true},
        [MIN_DIST] = {"min_dist", 0, 1, OF_UMAP, false},
        [SEED] = {"seed", 0, 1e15, OF_UMAP, true},
        [GO_TO] = {"to", 0, a->recipe.steps, OF_BOTH, true},
    };
    return all[which];
}

static void take(asked *a, int which, double value)
{
    es_layout_recipe *r = &a->recipe;
    a->changed = a->changed || which != GO_TO;
    switch (which) {
    case PERPLEXITY: r->perplexity = value; break;
    case NEIGHBOURS: r->neighbours = (int)value; break;
    case STEPS: r->steps = (int)value; break;
    case MIN_DIST: r->min_dist = value; break;
    case SEED: r->seed = (uint64_t)value; break;
    default:
        a->verb = TO;
        a->n = (int64_t)value;
        break;
    }
}

static bool refuse_setting(const asked *a, const setting *s, const es_arg *arg, es_error *err)
{
    const char *of = s->of == OF_TSNE ? "t-SNE" : s->of == OF_UMAP ? "UMAP" : "t-SNE and UMAP";
    es_fail(err, ES_ERR_VALUE, "%s is a setting of %s, not of %s", s->name, of,
            es_layout_title(a->recipe.id));
    es_hint(err, "try: :layout %s %s", s->of & OF_TSNE ? "tsne" : "umap", es_str_text(&arg->value));
    return es_error_locate(err, arg->begin, arg->end);
}

/* "perplexity=30"; false with *known unset: it is no setting. */
static bool read_setting(asked *a, const es_viewer *v, const es_arg *arg, bool *known,
                         es_error *err)
{
    const char *word = es_str_text(&arg->value);
    *known = false;
    for (int i = 0; i < N_SETTINGS; i++) {
        const setting s = setting_of(i, v, a);
        size_t n = strlen(s.name);
        double value;
        if (strncmp(word, s.name, n) || word[n] != '=')
            continue;
        *known = true;
        if (!(s.of & 1u << a->recipe.id))
            return refuse_setting(a, &s, arg, err);
        if (!es_cmd_number(arg, n + 1, arg->value.len, s.name, s.low, s.high, &value, err))
            return false;
        if (s.whole && value != floor(value)) {
            es_fail(err, ES_ERR_VALUE, "%s is a whole number, not %g", s.name, value);
            return es_error_locate(err, arg->begin + n + 1, arg->end);
        }
        take(a, i, value);
        return true;
    }
    return false;
}

/* The number behind "step", if there is one. */
static bool read_count(const es_call *call, size_t *at, asked *a, es_error *err)
{
    es_arg arg = {0};
    int found = es_arg_next(call, at, &arg, err);
    a->n = 1;
    bool ok = found == 0 ||
              (found > 0 && es_arg_int(&arg, "N of :layout step", 1, MOST_STEPS, &a->n, err));
    es_str_free(&arg.value);
    return ok;
}

static bool read_word(const es_call *call, size_t *at, asked *a, const es_arg *arg, es_error *err)
{
    static const char words[] =
        "pca tsne umap pause go step again perplexity= neighbours= steps= min_dist= seed= to=";
    const es_viewer *v = es_viewer_of(call->session);
    const char *word = es_str_text(&arg->value);
    bool known;
    if (read_name(a, v, word))
        return true;
    if (read_verb(a, word))
        return a->verb != STEP || read_count(call, at, a, err);
    bool ok = read_setting(a, v, arg, &known, err);
    return known ? ok : es_cmd_stray(call, arg, words, err);
}

static bool read(const es_call *call, asked *a, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found;
    while ((found = es_arg_next(call, &at, &arg, err)) > 0) {
        bool ok = read_word(call, &at, a, &arg, err);
        es_str_free(&arg.value);
        if (!ok)
            return false;
    }
    return found == 0;
}

/* ---- doing it ---- */

static bool takes_steps(const asked *a, es_error *err)
{
    if (a->recipe.id != ES_LAYOUT_PCA || a->verb == SHOW)
        return true;
    es_fail(err, ES_ERR_VALUE, "PCA takes no steps: its components are worked out at once");
    return es_hint(err, "try: :layout tsne, or :layout umap");
}

static void set_off(es_viewer *v, const asked *a)
{
    es_layout_id id = a->recipe.id;
    int steps = a->recipe.steps;
    int64_t to;
    switch (a->verb) {
    case SHOW: break;
    case PAUSE: es_layouts_pause(v, id); break;
    case GO: es_layouts_aim(v, id, steps); break;
    case STEP:
        to = es_layouts_pause(v, id) + a->n;
        es_layouts_aim(v, id, to < steps ? (int)to : steps);
        break;
    case AGAIN:
        es_layouts_aim(v, id, 0);
        es_layouts_aim(v, id, steps);
        break;
    case TO: es_layouts_aim(v, id, (int)(a->n < steps ? a->n : steps)); break;
    }
}

/* Without a window it is taken to where it rests, now. */
static bool lay_out(es_call *call, es_viewer *v, const asked *a, es_error *err)
{
    const es_layout_id before = v->layout;
    es_layouts_show(v, a->recipe.id);
    if (a->recipe.id != ES_LAYOUT_PCA)
        es_layouts_choose(v, &a->recipe);
    set_off(v, a);
    if (es_layouts_make(v, call->sink, err))
        return true;
    const es_sight *s = es_layouts_of(v, v->layout);
    if (err->code == ES_ERR_INTERRUPTED && s && s->n && v->layout != ES_LAYOUT_PCA)
        return es_hint(err, "it rests after %d %ss of %d: :layout go takes it on", s->done,
                       es_layout_unit(v->layout), s->recipe.steps);
    v->layout = before;
    return false;
}

bool es_cmd_layout(es_call *call, es_error *err)
{
    static const es_kind kind = {"layout", show, json, NULL};
    es_viewer *v = es_viewer_of(call->session);
    es_viewer_follow(v);
    asked a = {.recipe = es_layouts_recipe(v, v->layout)};
    if (!read(call, &a, err) || !takes_steps(&a, err))
        return false;
    bool ok = es_arg_end(call, call->args, NULL) || lay_out(call, v, &a, err);
    es_session_touch(call->session);
    if (!ok)
        return false;
    es_layouts_look(v);
    if (v->view != ES_VIEW_MAP && !es_arg_end(call, call->args, NULL))
        es_call_note(call, "layouts are of the map: :show map");
    es_call_answer(call, (es_result){.kind = &kind, .data = v});
    return true;
}
