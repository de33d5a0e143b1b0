// SPDX-License-Identifier: GPL-3.0-or-later
/* What the prompt says: which mode is on, which lesson, and each setting that changes the numbers. */
#include <string.h>

#include "base/utf8.h"
#include "model/shelf.h"
#include "session/state.h"

static void why(es_str *out, const char *fmt, ...) ES_PRINTF(2, 3);
static void why(es_str *out, const char *fmt, ...)
{
    va_list ap;
    es_str_cat(out, out->len ? ", " : "");
    va_start(ap, fmt);
    es_str_vadd(out, fmt, ap);
    va_end(ap);
}

/* Every setting that changes the numbers. */
static void settings_in_prompt(const es_session *s, es_str *out)
{
    es_positions positions = s->context->layer.positions;
    es_str progress = {0};
    bool still = s->settings.still || s->settings.plain;
    if (es_learning_progress(s, &progress))
        why(out, "training%s%s", still ? "" : ", ", still ? "" : progress.s);
    es_str_free(&progress);
    if (strcmp(s->model->name, es_shelf_usual()))
        why(out, "%s", s->model->name);
    if (s->seed)
        why(out, "seed %llu", (unsigned long long)s->seed);
    if (strcmp(s->vocab, "gpt2"))
        why(out, "own vocabulary");
    if (positions != ES_POSITIONS_LEARNED)
        why(out, "%s positions", positions == ES_POSITIONS_NONE ? "no" : "sinusoidal");
    if (s->tensor && s->settings.shapes_only)
        why(out, "shapes only");
    if (s->tensor && s->settings.strict)
        why(out, "strict");
}

/* "text", or the step of the lesson that is on: "L3.4", "L3.4 (play)". */
static void name_in_prompt(const es_session *s, es_str *out)
{
    if (s->pausing && !s->stepper)
        es_str_cat(out, "pause");
    else if (!s->stepper && s->teacher)
        s->teacher->prompt(s->teacher->user, out);
    if (!out->len)
        es_str_cat(out, s->stepper ? "step" : s->tensor ? "tensor" : "text");
}

static void add_settings(es_str *prompt, const char *settings)
{
    bool more = prompt->s[prompt->len - 1] == ')';
    if (more)
        es_str_cut(prompt, prompt->len - 1);
    es_str_add(prompt, "%s%s)", more ? ", " : " (", settings);
}

void es_session_prompt(const es_session *s, es_str *out)
{
    static const char more[] = "...> ";
    if (s->collecting) {
        es_str_cat(out, "paste> ");
        return;
    }
    es_str settings = {0}, prompt = {0};
    if (!s->stepper && !s->pausing)
        settings_in_prompt(s, &settings);
    name_in_prompt(s, &prompt);
    if (settings.len)
        add_settings(&prompt, settings.s);
    es_str_cat(&prompt, "> ");
    if (s->statement.source.len) { /* as wide, so that lines stand under each other */
        int wide = es_columns(prompt.s, prompt.len);
        es_str_fill(out, ' ', (size_t)wide - (sizeof more - 1));
        es_str_cat(out, more);
    } else {
        es_str_bytes(out, prompt.s, prompt.len);
    }
    es_str_free(&settings);
    es_str_free(&prompt);
}
