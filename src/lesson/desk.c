// SPDX-License-Identifier: GPL-3.0-or-later
/* Variables set aside, and sessions made ready for a step. */
#include "lesson/desk.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/interp.h"
#include "lesson/desk_inside.h"
#include "session/tensor_mode.h"

/* ---- aside and back ---- */

es_desk es_desk_take(es_session *s)
{
    es_interp *in = es_mode_interp(s);
    const es_torch *k = es_interp_torch(in);
    es_desk d = {.seed = k->seed, .drawn = k->drawn, .be = k->be};
    const es_value *v;
    const char *name;
    while (es_interp_variable(in, d.n, &v))
        d.n++;
    d.of = es_alloc_array(d.n, sizeof *d.of);
    for (size_t i = 0; (name = es_interp_variable(in, i, &v)); i++) {
        d.of[i].name = es_copy_string(name);
        d.of[i].value = es_value_ref(v);
    }
    return d;
}

static bool has(const es_desk *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->of[i].name, name))
            return true;
    return false;
}

/* Variables that the desk does not have go; deleting changes the list, which is looked through anew. */
static void drop_others(es_interp *in, const es_desk *d)
{
    const char *name;
    for (size_t i = 0; (name = es_interp_variable(in, i, NULL));) {
        if (has(d, name)) {
            i++;
            continue;
        }
        char *gone = es_copy_string(name);
        es_interp_del(in, gone, strlen(gone));
        free(gone);
        i = 0;
    }
}

void es_desk_put(es_session *s, const es_desk *d)
{
    es_interp *in = es_mode_interp(s);
    es_torch *k = es_interp_torch(in);
    drop_others(in, d);
    for (size_t i = 0; i < d->n; i++)
        es_interp_set(in, d->of[i].name, strlen(d->of[i].name), es_value_ref(&d->of[i].value));
    k->seed = d->seed;
    k->drawn = d->drawn;
    k->be = d->be->lost ? k->be : d->be;
}

void es_desk_free(es_desk *d)
{
    for (size_t i = 0; i < d->n; i++) {
        free(d->of[i].name);
        es_value_unref(&d->of[i].value);
    }
    free(d->of);
    *d = (es_desk){0};
}

/* ---- commands ---- */

static const es_command *command_of(const es_session *s, const char *line)
{
    es_error err = ES_ERROR_NONE;
    size_t end = es_command_name_end(line, strlen(line));
    const es_command *c = es_command_find(es_session_commands(s), line + 1, end - 1, true, &err);
    es_error_free(&err);
    return c;
}

/* Of one line, or of any among several. */
bool es_desk_lacks(const es_session *s, const char *lines)
{
    for (const char *at = lines; *at; at += strspn(at, "\n")) {
        if (*at == ':' && !command_of(s, at))
            return true;
        at += strcspn(at, "\n");
    }
    return false;
}

bool es_desk_only_looks(const char *line)
{
    static const char looks[] = " near row cosine onehot concat contexts help vocab why predict "
                                "type vars dims shapes tokens merges decode history ";
    size_t end = es_command_name_end(line, strlen(line));
    if (line[0] != ':')
        return false;
    es_str word = {0};
    es_str_char(&word, ' ');
    es_str_bytes(&word, line + 1, end - 1);
    es_str_char(&word, ' ');
    bool found = strstr(looks, word.s) != NULL;
    /* with an argument these make it the last text */
    bool of_text =
        end < strlen(line) && (!strncmp(line, ":tokens", end) || !strncmp(line, ":shapes", end));
    es_str_free(&word);
    return found && !of_text;
}

char *es_desk_lines_that_do(const es_session *s, const char *lines)
{
    es_str out = {0};
    for (const char *at = lines; *at;) {
        size_t n = strcspn(at, "\n");
        char *line = es_copy_bytes(at, n);
        if (!es_desk_only_looks(line) && !es_desk_lacks(s, line))
            es_str_add(&out, "%s\n", line);
        free(line);
        at += n + (at[n] == '\n');
    }
    return out.s ? es_str_take(&out) : es_copy_string("");
}

/* ---- made ready ---- */

const char *es_lesson_file(const es_lesson *l)
{
    const char *slash = l->path ? strrchr(l->path, '/') : NULL;
    return slash ? slash + 1 : l->path ? l->path : "lesson";
}

bool es_desk_failed(es_error *err, const es_lesson *l, int line, const es_ear *ear)
{
    es_code code = ear->code ? ear->code : ES_ERR_USAGE;
    es_fail(err, code, "%s:%d: %s", es_lesson_file(l), line, es_str_text(&ear->error));
    if (ear->hint.len)
        es_hint(err, "%s", ear->hint.s);
    return false;
}

static bool run(es_session *s, const es_lesson *l, const es_drawn *d, const char *code, int line,
                bool text_mode, es_error *err)
{
    es_ear ear;
    es_ear_open(&ear, NULL);
    bool ok = es_desk_run(s, d, code, text_mode, &ear);
    if (!ok && es_session_interrupted(s))
        es_fail(err, ES_ERR_INTERRUPTED, "%s:%d: stopped by Ctrl-C", es_lesson_file(l), line);
    else if (!ok)
        es_desk_failed(err, l, line, &ear);
    es_ear_close(&ear);
    return ok;
}

/* Settings that change what lines give; how answers look stays the reader's choice. */
static void set_back(es_settings *settings)
{
    settings->special = settings->pad_left = false;
    settings->shapes_only = settings->strict = false;
    settings->pad = -1;
}

/* As it was when the program began, but for how answers look and what pictures show. */
static bool begin_anew(es_session *s, const es_lesson *l, es_error *err)
{
    const char *model = l->model ? l->model : "mini";
    const es_context *c = es_session_context(s);
    es_session_abandon(s);
    es_mode_clear(s);
    es_session_keep(s, NULL);
    es_session_select(s, NULL, 0);
    es_session_set_found(s, NULL, 0);
    set_back(es_session_settings(s));
    if (strcmp(c->model->name, model) != 0 && !es_session_set_model(s, model, err))
        return false;
    if (es_session_context(s)->layer.positions != ES_POSITIONS_LEARNED)
        es_session_set_positions(s, ES_POSITIONS_LEARNED);
    es_interp_torch(es_mode_interp(s))->be = es_session_context(s)->layer.be;
    return true;
}

bool es_desk_begin(es_session *s, const es_lesson *l, const es_drawn *d, es_error *err)
{
    es_str first = {0};
    if (!begin_anew(s, l, err))
        return false;
    es_str_cat(&first, "torch.manual_seed(0);\n");
    es_drawn_statements(&first, d);
    bool ok = run(s, l, d, es_str_text(&first), l->n_draws ? l->draw[0].line : 1, false, err);
    es_str_free(&first);
    for (size_t i = 0; ok && i < l->setup.n; i++)
        ok = run(s, l, d, l->setup.of[i].code, l->setup.of[i].line, false, err);
    return ok;
}

/* What a step leaves behind for those after it. */
static bool leave_behind(es_session *s, const es_lesson *l, const es_drawn *d, size_t i,
                         es_error *err)
{
    const es_lesson_step *step = &l->step[i];
    if (step->kind == ES_LESSON_SHOW) {
        char *lines =
            step->text_mode ? es_copy_string(step->code) : es_desk_lines_that_do(s, step->code);
        bool ok = run(s, l, d, lines, step->line, step->text_mode, err);
        free(lines);
        return ok;
    }
    if (step->kind != ES_LESSON_TASK || !step->solution.n)
        return true;
    return run(s, l, d, step->solution.of[0].code, step->solution.of[0].line, step->text_mode, err);
}

bool es_desk_ready(es_session *s, const es_lesson *l, const es_drawn *d, size_t step, es_error *err)
{
    if (!es_desk_begin(s, l, d, err))
        return false;
    for (size_t i = 0; i < step && i < l->n_steps; i++)
        if (!leave_behind(s, l, d, i, err))
            return false;
    return true;
}

es_session *es_desk_new(const es_session *like, es_error *err)
{
    return es_session_like(like, err);
}
