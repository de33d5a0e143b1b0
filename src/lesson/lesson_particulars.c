// SPDX-License-Identifier: GPL-3.0-or-later
/* The particulars of steps: which directive has which, and what they fill. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/lesson_inside.h"

es_lesson_note *es_lesson_add_note(es_lesson_notes *notes, int line)
{
    if (!(notes->n & (notes->n - 1))) /* room for twice as many */
        notes->of = es_realloc(notes->of, (notes->n ? 2 * notes->n : 1) * sizeof *notes->of);
    notes->of[notes->n] = (es_lesson_note){.line = line};
    return &notes->of[notes->n++];
}

typedef struct particular particular;

/* What a reader of one is given. */
typedef struct reading {
    es_lesson_reader *r;
    es_lesson_step *step;
    const particular *is;
    es_lesson_piece text; /* behind its name; never empty */
    int line;
} reading;

struct particular {
    const char *name, *example;
    unsigned in; /* a bit a kind */
    bool once;
    bool (*read)(const reading *g);
    size_t list; /* in es_lesson_step */
};

static es_lesson_note *add(const reading *g)
{
    return es_lesson_add_note((es_lesson_notes *)(void *)((char *)g->step + g->is->list), g->line);
}

/* ---- a message at the end ---- */

static bool is_escaped(const char *s, size_t at)
{
    size_t n = 0;
    while (n < at && s[at - 1 - n] == '\\')
        n++;
    return n % 2;
}

/* Can no code end here?  Then a string behind it is part of the code. */
static bool wants_more(es_lesson_piece code)
{
    static const char *const words[] = {"in", "and", "or", "not", "is", "if", "else", "return"};
    if (!code.n || strchr("=+-*/%@<>&|^~,([{:", code.s[code.n - 1]))
        return true;
    size_t n = 0;
    while (n < code.n && es_lesson_is_letter(code.s[code.n - 1 - n]))
        n++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (n < code.n && es_lesson_is((es_lesson_piece){code.s + code.n - n, n}, words[i]))
            return true;
    return false;
}

/* Where the string in double quotes at the end of p begins, behind white space; p.n: there is none. */
static size_t find_message(es_lesson_piece p, bool statement)
{
    size_t at = p.n;
    if (p.n < 2 || p.s[p.n - 1] != '"' || is_escaped(p.s, p.n - 1))
        return p.n;
    do
        at--;
    while (at > 0 && (p.s[at - 1] != '"' || is_escaped(p.s, at - 1)));
    if (at < 2 || !es_lesson_is_blank(p.s[at - 2]) ||
        (statement && wants_more(es_lesson_trim((es_lesson_piece){p.s, at - 1}))))
        return p.n;
    return at - 1;
}

/* Code and message; false: there is no message, and all is code. */
static bool split(es_lesson_note *note, es_lesson_piece p, bool statement)
{
    size_t at = find_message(p, statement);
    note->code = es_lesson_copy(es_lesson_trim((es_lesson_piece){p.s, at}));
    if (at == p.n)
        return false;
    es_str message = {0};
    es_lesson_piece quoted = {p.s + at, p.n - at};
    es_lesson_string(&quoted, &message);
    note->message = es_lesson_copy(es_lesson_piece_of(&message));
    es_str_free(&message);
    return true;
}

/* Has the language's source a string without its end? */
static bool is_open(const char *s)
{
    char quote = '\0';
    for (; *s; s++) {
        if (quote && *s == '\\' && s[1])
            s++;
        else if (quote ? *s == quote : *s == '"' || *s == '\'')
            quote = quote ? '\0' : *s;
        else if (!quote && *s == '#')
            while (s[1] && s[1] != '\n')
                s++;
    }
    return quote;
}

static bool no_end(const reading *g)
{
    es_lesson_fault(g->r, g->line, "this %s has a quote without its end", g->is->name);
    return es_hint(g->r->err, "in a message \" is written \\\"");
}

/* ---- readers ---- */

static bool read_code(const reading *g)
{
    add(g)->code = es_lesson_copy(g->text);
    return true;
}

static bool read_markdown(const reading *g)
{
    es_lesson_note *note = add(g);
    note->code = es_copy_string("");
    note->message = es_lesson_copy(g->text);
    return true;
}

static bool read_check(const reading *g)
{
    es_lesson_note *note = add(g);
    split(note, g->text, true);
    return !is_open(note->code) || no_end(g);
}

static bool read_wrong(const reading *g)
{
    es_lesson_note *note = add(g);
    bool statement = !g->step->text_mode && g->step->answers != ES_ANSWER_CHOICE;
    bool told = split(note, g->text, statement);
    if (told && *note->message) {
        if (!strcmp(note->code, "else"))
            *note->code = '\0';
        return true;
    }
    if (!told && statement && is_open(note->code))
        return no_end(g);
    es_lesson_fault(g->r, g->line, "this wrong has no message");
    return es_hint(g->r->err, "why people answer so stands behind it: wrong %s  \"…\"",
                   g->r->block.is->kind == ES_LESSON_TASK ? "h = wte(ids)" : "[T, C]");
}

static bool read_option(const reading *g)
{
    es_lesson_piece rest = g->text, word = es_lesson_word(&rest);
    es_lesson_note *note = add(g);
    note->code = es_lesson_copy(word);
    note->message = es_lesson_copy(rest);
    if (rest.n)
        return true;
    es_lesson_fault(g->r, g->line, "the option %s does not say what it stands for",
                    es_lesson_quote(g->r, word.s, word.n));
    return es_hint(g->r->err, "try: option %s", g->is->example);
}

static bool read_fixed(const reading *g)
{
    g->step->fixed = es_lesson_copy(g->text);
    return true;
}

static bool read_ask(const reading *g)
{
    es_lesson_piece p = g->text;
    if (!es_lesson_read_answer_kind(g->r, &g->step->answers, &p, "ask", g->line))
        return false;
    if (!p.n) {
        es_lesson_fault(g->r, g->line, "ask has no question");
        return es_hint(g->r->err, "try: ask %s", g->is->example);
    }
    free(g->step->question);
    g->step->question = es_lesson_copy(p);
    return true;
}

/* ---- the table ---- */

enum {
    SHOW = 1u << ES_LESSON_SHOW,
    PREDICT = 1u << ES_LESSON_PREDICT,
    TASK = 1u << ES_LESSON_TASK,
    ERROR = 1u << ES_LESSON_ERROR,
    ALL = SHOW | PREDICT | TASK | ERROR
};

#define INTO(list) offsetof(es_lesson_step, list)

static const particular particulars[] = {
    {"answer", "[B, T, C]", PREDICT | ERROR, false, read_code, INTO(answer)},
    {"wrong", "[T, C]  \"The batch axis stays.\"", PREDICT | ERROR | TASK, false, read_wrong,
     INTO(wrong)},
    {"check", "h.shape == (B, T, C)", SHOW | TASK, false, read_check, INTO(check)},
    {"prints", "[B={B}, T={T}, C=64]", SHOW, false, read_code, INTO(prints)},
    {"solution", "h = wte(ids)", TASK, false, read_code, INTO(solution)},
    {"fixed", "the text is one of your own", TASK, true, read_fixed, 0},
    {"ask", "value Which is the largest id?", ERROR, true, read_ask, 0},
    {"option", "wpe  the table of positions", PREDICT | ERROR, false, read_option, INTO(option)},
    {"hint", "Which two tables?", PREDICT | ERROR | TASK, false, read_markdown, INTO(hint)},
    {"after", "The sum keeps C.", ALL, true, read_markdown, INTO(after)},
};
enum { N_PARTICULARS = sizeof particulars / sizeof *particulars };

static const char *particular_at(size_t i)
{
    return i < N_PARTICULARS ? particulars[i].name : NULL;
}

static const particular *particular_named(es_lesson_piece name)
{
    for (size_t i = 0; i < N_PARTICULARS; i++)
        if (es_lesson_is(name, particulars[i].name))
            return &particulars[i];
    return NULL;
}

bool es_lesson_is_particular(es_lesson_piece line)
{
    return particular_named(es_lesson_word(&line)) != NULL;
}

static bool not_of(es_lesson_reader *r, es_lesson_kind kind, es_lesson_piece name, int line)
{
    const char *meant =
        particular_named(name) ? NULL : es_lesson_meant(name.s, name.n, particular_at);
    es_lesson_fault(r, line, "@%s has no particular %s", es_lesson_kind_name(kind),
                    es_lesson_quote(r, name.s, name.n));
    if (meant)
        return es_hint(r->err, "did you mean %s ?", meant);
    es_str has = {0};
    for (size_t i = 0; i < N_PARTICULARS; i++)
        if (particulars[i].in & 1u << kind)
            es_str_add(&has, "%s%s", has.len ? ", " : "", particulars[i].name);
    es_hint(r->err, "it has %s", has.s);
    es_str_free(&has);
    return false;
}

/* The same particular in an earlier line of the block; 0: there is none. */
static int earlier(const es_lesson_reader *r, const es_lesson_text *part, const particular *is)
{
    for (const es_lesson_text *p = r->block.part; p < part; p++) {
        es_lesson_piece rest = es_lesson_piece_of(&p->text);
        if (es_lesson_is(es_lesson_word(&rest), is->name))
            return p->line;
    }
    return 0;
}

bool es_lesson_read_particular(es_lesson_reader *r, es_lesson_step *step,
                               const es_lesson_text *part)
{
    es_lesson_piece text = es_lesson_piece_of(&part->text), name = es_lesson_word(&text);
    const particular *is = particular_named(name);
    if (!is || !(is->in & 1u << step->kind))
        return not_of(r, step->kind, name, part->line);
    if (!text.n) {
        es_lesson_fault(r, part->line, "%s has nothing behind it", is->name);
        return es_hint(r->err, "try: %s %s", is->name, is->example);
    }
    int before = is->once ? earlier(r, part, is) : 0;
    if (before)
        return es_lesson_fault(r, part->line, "here is a second %s; the first is on line %d",
                               is->name, before);
    return is->read(&(reading){r, step, is, text, part->line});
}
