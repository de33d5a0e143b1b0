// SPDX-License-Identifier: GPL-3.0-or-later
/* The directives: where each may stand, and what its line says. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/lesson_inside.h"

static bool read_setup(es_lesson_reader *r);
static bool read_step(es_lesson_reader *r);

static const es_lesson_directive directives[] = {
    {"lesson", true, 0, es_lesson_read_lesson},
    {"draw", true, 0, es_lesson_read_draw},
    {"setup", true, 0, read_setup},
    {"show", false, ES_LESSON_SHOW, read_step},
    {"predict", false, ES_LESSON_PREDICT, read_step},
    {"task", false, ES_LESSON_TASK, read_step},
    {"error", false, ES_LESSON_ERROR, read_step},
};
enum { N_DIRECTIVES = sizeof directives / sizeof *directives };

const char *es_lesson_directive_at(size_t i)
{
    return i < N_DIRECTIVES ? directives[i].name : NULL;
}

const es_lesson_directive *es_lesson_directive_named(es_lesson_piece name)
{
    for (size_t i = 0; i < N_DIRECTIVES; i++)
        if (es_lesson_is(name, directives[i].name))
            return &directives[i];
    return NULL;
}

static bool needs_text(es_lesson_reader *r, es_lesson_piece p, const char *example)
{
    if (p.n)
        return true;
    es_lesson_fault(r, r->block.head.line, "@%s has nothing behind it", r->block.is->name);
    return es_hint(r->err, "try: @%s %s", r->block.is->name, example);
}

static bool read_setup(es_lesson_reader *r)
{
    es_lesson_piece p = es_lesson_piece_of(&r->block.head.text);
    if (!needs_text(r, p, "ids = torch.randint(0, V, (B, T))"))
        return false;
    es_lesson_add_note(&r->l->setup, r->block.head.line)->code = es_lesson_copy(p);
    return true;
}

/* ---- steps ---- */

char *es_lesson_take_prose(es_lesson_reader *r)
{
    size_t n = r->prose.len;
    while (n && (r->prose.s[n - 1] == '\n' || r->prose.s[n - 1] == ' '))
        n--;
    char *prose = es_copy_bytes(es_str_text(&r->prose), n);
    es_str_cut(&r->prose, 0);
    return prose;
}

bool es_lesson_read_answer_kind(es_lesson_reader *r, es_answer_kind *kind, es_lesson_piece *p,
                                const char *of, int line)
{
    static const char *const names[] = {
        [ES_ANSWER_SHAPE] = "shape", [ES_ANSWER_VALUE] = "value", [ES_ANSWER_CHOICE] = "choice"};
    es_lesson_piece word = es_lesson_word(p);
    for (size_t i = ES_ANSWER_SHAPE; i < sizeof names / sizeof *names; i++)
        if (es_lesson_is(word, names[i])) {
            *kind = (es_answer_kind)i;
            return true;
        }
    if (word.n)
        es_lesson_fault(r, line, "%s is answered by a shape, a value or a choice, not by %s", of,
                        es_lesson_quote(r, word.s, word.n));
    else
        es_lesson_fault(r, line, "%s does not say what answers it", of);
    return es_hint(r->err, "try: %s shape, %s value or %s choice", of, of, of);
}

/* Text with attributes at its end, or at the end of its first line. */
static bool read_text(es_lesson_reader *r, es_lesson_step *s, es_lesson_piece p, char **into)
{
    es_str text = {0};
    unsigned seen = 0;
    bool ok = es_lesson_read_attributes(r, s, &p, &seen);
    const char *more = p.n ? memchr(p.s, '\n', p.n) : NULL;
    size_t n = more ? (size_t)(more - p.s) : p.n;
    es_lesson_piece first = {p.s, n};
    ok = ok && (!more || es_lesson_read_attributes(r, s, &first, &seen));
    es_str_bytes(&text, first.s, first.n);
    es_str_bytes(&text, p.s + n, p.n - n);
    *into = es_lesson_copy(es_lesson_piece_of(&text));
    es_str_free(&text);
    return ok;
}

/* The line's code, or what it asks. */
static bool read_head(es_lesson_reader *r, es_lesson_step *s)
{
    static const char *const examples[] = {
        [ES_LESSON_SHOW] = "wte.weight.shape",
        [ES_LESSON_PREDICT] = "shape wte(ids)",
        [ES_LESSON_TASK] = "Make `h`, the input of block 1.",
        [ES_LESSON_ERROR] = "wte(torch.tensor([V]))  kind=index_range",
    };
    es_lesson_piece p = es_lesson_piece_of(&r->block.head.text);
    if (s->kind == ES_LESSON_PREDICT &&
        !es_lesson_read_answer_kind(r, &s->answers, &p, "@predict", s->line))
        return false;
    bool choice = s->answers == ES_ANSWER_CHOICE, asks = choice || s->kind == ES_LESSON_TASK;
    char **into = asks ? &s->question : &s->code;
    free(*into);
    *into = NULL;
    return read_text(r, s, p, into) &&
           (choice || needs_text(r, (es_lesson_piece){*into, strlen(*into)}, examples[s->kind]));
}

static es_lesson_step *add_step(es_lesson_reader *r)
{
    es_lesson *l = r->l;
    if (!(l->n_steps & (l->n_steps - 1))) /* room for twice as many */
        l->step = es_realloc(l->step, (l->n_steps ? 2 * l->n_steps : 1) * sizeof *l->step);
    es_lesson_step *s = &l->step[l->n_steps++];
    *s = (es_lesson_step){.kind = r->block.is->kind,
                          .line = r->block.head.line,
                          .text_mode = r->text_mode,
                          .prose = es_lesson_take_prose(r),
                          .code = es_copy_string(""),
                          .question = es_copy_string("")};
    return s;
}

static bool read_step(es_lesson_reader *r)
{
    es_lesson_step *s = add_step(r);
    if (!read_head(r, s))
        return false;
    for (size_t i = 0; i < r->block.n_parts; i++)
        if (!es_lesson_read_particular(r, s, &r->block.part[i]))
            return false;
    return es_lesson_is_whole(r, s);
}

/* ---- in their order ---- */

static bool in_order(es_lesson_reader *r)
{
    const es_lesson_directive *is = r->block.is;
    int line = r->block.head.line;
    bool lesson = is->read == es_lesson_read_lesson;
    if (!lesson && !r->lesson_line) {
        es_lesson_fault(r, line, "@lesson comes first, and here is @%s", is->name);
        return es_hint(r->err, "try: @lesson my-lesson  title=\"My lesson\"  minutes=8");
    }
    if (lesson && r->lesson_line) {
        es_lesson_fault(r, line, "here is a second @lesson; the first is on line %d",
                        r->lesson_line);
        return es_hint(r->err, "one file is one lesson");
    }
    if (is->before_steps && r->l->n_steps) {
        es_lesson_fault(r, line, "@%s stands behind a step", is->name);
        return es_hint(r->err, "what is drawn and set up comes before the first step, on line %d",
                       r->l->step[0].line);
    }
    if (is->before_steps && r->block.n_parts)
        return es_lesson_fault(r, r->block.part[0].line, "@%s has no particulars", is->name);
    return true;
}

bool es_lesson_read_block(es_lesson_reader *r)
{
    return in_order(r) && r->block.is->read(r);
}
