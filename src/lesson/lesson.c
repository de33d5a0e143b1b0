// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson's file, line by line: which lines are prose, and which belong to a directive. */
#include "lesson/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "lesson/lesson_inside.h"

const char *es_lesson_kind_name(es_lesson_kind kind)
{
    static const char *const names[] = {
        [ES_LESSON_SHOW] = "show",
        [ES_LESSON_PREDICT] = "predict",
        [ES_LESSON_TASK] = "task",
        [ES_LESSON_ERROR] = "error",
    };
    return names[kind];
}

bool es_lesson_lists(const char *list, const char *s, size_t n)
{
    static const char apart[] = ", \t\n";
    while (n && *(list += strspn(list, apart))) {
        size_t word = strcspn(list, apart);
        if (word == n && !memcmp(list, s, n))
            return true;
        list += word;
    }
    return false;
}

/* ---- freeing ---- */

static void notes_free(es_lesson_notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        free(notes->of[i].code);
        free(notes->of[i].message);
    }
    free(notes->of);
}

static void step_free(es_lesson_step *s)
{
    es_lesson_notes *lists[] = {&s->answer, &s->wrong,  &s->check, &s->solution,
                                &s->prints, &s->option, &s->hint,  &s->after};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        notes_free(lists[i]);
    free(s->prose);
    free(s->code);
    free(s->question);
    free(s->error_kind);
    free(s->fixed);
}

static void drawable_free(es_drawable *d)
{
    for (size_t i = 0; d->word && i < d->n; i++)
        free(d->word[i]);
    free(d->word);
    free(d->number);
    free(d->name);
}

void es_lesson_free(es_lesson *l)
{
    for (size_t i = 0; i < l->n_draws; i++)
        drawable_free(&l->draw[i]);
    for (size_t i = 0; i < l->n_steps; i++)
        step_free(&l->step[i]);
    notes_free(&l->setup);
    char *texts[] = {l->path, l->slug, l->title, l->model, l->needs, l->about, l->end};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(l->draw);
    free(l->step);
    *l = (es_lesson){0};
}

/* ---- blocks ---- */

static void block_free(es_lesson_block *b)
{
    for (size_t i = 0; i < b->n_parts; i++)
        es_str_free(&b->part[i].text);
    free(b->part);
    es_str_free(&b->head.text);
    *b = (es_lesson_block){0};
}

static bool end_block(es_lesson_reader *r)
{
    bool ok = !r->block.is || es_lesson_read_block(r);
    block_free(&r->block);
    return ok;
}

static bool unknown_directive(es_lesson_reader *r, es_lesson_piece name)
{
    es_lesson_fault(r, r->line, "there is no directive %s",
                    es_lesson_quote(r, name.s - 1, name.n + 1));
    const char *meant = es_lesson_meant(name.s, name.n, es_lesson_directive_at);
    if (meant)
        return es_hint(r->err, "did you mean @%s ?", meant);
    es_hint(r->err, "there are @lesson, @draw, @setup, @show, @predict, @task and @error");
    return es_hint(r->err, "prose that begins with @ is written \\@");
}

static bool begin_block(es_lesson_reader *r, es_lesson_piece line)
{
    es_lesson_piece rest = {line.s + 1, line.n - 1};
    es_lesson_piece name = rest.n && *rest.s != ' ' && *rest.s != '\t'
                               ? es_lesson_word(&rest)
                               : (es_lesson_piece){rest.s, 0};
    const es_lesson_directive *is = es_lesson_directive_named(name);
    r->block.goes_on = is && !is->before_steps && is->kind == ES_LESSON_SHOW && !r->block.closed;
    if (!end_block(r))
        return false;
    if (!is)
        return unknown_directive(r, name);
    if (r->prose.len) /* what is on both sides of a directive are two paragraphs */
        es_str_char(&r->prose, '\n');
    r->block.is = is;
    r->block.head.line = r->line;
    es_str_bytes(&r->block.head.text, rest.s, rest.n);
    return true;
}

static void add_part(es_lesson_reader *r, es_lesson_piece line)
{
    es_lesson_block *b = &r->block;
    if (!(b->n_parts & (b->n_parts - 1))) /* room for twice as many */
        b->part = es_realloc(b->part, (b->n_parts ? 2 * b->n_parts : 1) * sizeof *b->part);
    es_lesson_text *part = &b->part[b->n_parts++];
    *part = (es_lesson_text){.line = r->line};
    line = es_lesson_trim(line);
    es_str_bytes(&part->text, line.s, line.n);
}

static void go_on(es_lesson_reader *r, es_lesson_piece line)
{
    es_lesson_block *b = &r->block;
    es_lesson_text *text = b->n_parts ? &b->part[b->n_parts - 1] : &b->head;
    while (line.n && (line.s[line.n - 1] == ' ' || line.s[line.n - 1] == '\t'))
        line.n--;
    es_str_char(&text->text, '\n');
    es_str_bytes(&text->text, line.s + 4, line.n - 4);
}

/* ---- prose ---- */

/* A fence in column 0 opens, or is closed by one as long: lines within that begin with @ are prose. */
static void look_for_fence(es_lesson_reader *r, es_lesson_piece line)
{
    size_t indent = 0, n;
    while (r->fence && indent < 3 && indent < line.n && line.s[indent] == ' ')
        indent++;
    char c = indent < line.n ? line.s[indent] : '\0';
    if (c != '`' && c != '~')
        return;
    for (n = 0; indent + n < line.n && line.s[indent + n] == c; n++)
        ;
    es_lesson_piece info = {line.s + indent + n, line.n - indent - n};
    if (r->fence && c == r->fence_char && n >= r->fence && !es_lesson_trim(info).n)
        r->fence = 0;
    else if (!r->fence && n >= 3 && !(c == '`' && memchr(info.s, '`', info.n))) {
        r->fence = n;
        r->fence_char = c;
        r->fence_line = r->line;
    }
}

static bool add_prose(es_lesson_reader *r, es_lesson_piece line)
{
    bool escaped = !r->fence && line.n > 1 && line.s[0] == '\\' && line.s[1] == '@';
    bool blank = !es_lesson_trim(line).n;
    if (!blank && !r->lesson_line) {
        es_lesson_fault(r, r->line, "@lesson comes first, and here is %s",
                        es_lesson_quote(r, line.s, line.n));
        return es_hint(r->err, "try: @lesson my-lesson  title=\"My lesson\"  minutes=8");
    }
    look_for_fence(r, line);
    if (!blank || r->prose.len)
        es_str_bytes(&r->prose, line.s + escaped, line.n - escaped);
    if (r->prose.len)
        es_str_char(&r->prose, '\n');
    return true;
}

/* ---- lines ---- */

static bool astray(es_lesson_reader *r, es_lesson_piece line)
{
    es_lesson_piece name = es_lesson_word(&line);
    es_lesson_fault(r, r->line, "%s stands behind a blank line, which has ended @%s",
                    es_lesson_quote(r, name.s, name.n), r->block.is->name);
    return es_hint(r->err, "particulars follow their directive without a blank line");
}

/* A line that is not blank, with a directive open. */
static bool read_in_block(es_lesson_reader *r, es_lesson_piece line)
{
    size_t indent = 0;
    while (indent < line.n && line.s[indent] == ' ')
        indent++;
    bool particular = indent == 2 || indent == 3;
    if (r->block.closed && particular && !r->block.is->before_steps &&
        es_lesson_is_particular(line))
        return astray(r, line);
    if (r->block.closed || (indent == 0 && *line.s != '\t'))
        return end_block(r) && add_prose(r, line);
    if (indent < 2) {
        es_lesson_fault(r, r->line,
                        indent ? "one space begins this line under @%s"
                               : "a tab begins this line under @%s",
                        r->block.is->name);
        return es_hint(r->err,
                       "a particular begins with two spaces, a line that goes on with four");
    }
    if (particular)
        add_part(r, line);
    else
        go_on(r, line);
    return true;
}

static bool read_line(es_lesson_reader *r, es_lesson_piece line)
{
    bool blank = !es_lesson_trim(line).n;
    if (!r->fence && line.n && *line.s == '@')
        return begin_block(r, line);
    if (r->block.is && blank) {
        r->block.closed = true;
        return true;
    }
    return r->block.is ? read_in_block(r, line) : add_prose(r, line);
}

static bool read_lines(es_lesson_reader *r, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        const char *end = memchr(bytes + i, '\n', n - i);
        size_t len = end ? (size_t)(end - bytes) - i : n - i;
        es_lesson_piece line = {bytes + i, len};
        line.n -= len && bytes[i + len - 1] == '\r';
        r->line++;
        if (!read_line(r, line))
            return false;
        i += len + 1;
    }
    return true;
}

/* ---- the whole file ---- */

static int line_of(const char *bytes, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += bytes[i] == '\n';
    return line;
}

static bool is_text(es_lesson_reader *r, const char *bytes, size_t n)
{
    if (n > ES_LESSON_MOST_BYTES)
        return es_lesson_fault(r, 1, "the file has %zu bytes; a lesson has at most %d", n,
                               ES_LESSON_MOST_BYTES);
    size_t i = 0;
    uint32_t cp;
    for (int len; i < n && bytes[i] && (len = es_utf8_next(bytes + i, n - i, &cp));
         i += (size_t)len)
        ;
    if (i == n)
        return true;
    int line = line_of(bytes, i);
    if (!bytes[i])
        es_lesson_fault(r, line, "there is a NUL byte here");
    else
        es_lesson_fault(r, line, "here is a byte that is no UTF-8: %s",
                        es_lesson_quote(r, bytes + i, 1));
    return es_hint(r->err, "a lesson is text, saved as UTF-8");
}

static bool finish(es_lesson_reader *r)
{
    int last = r->line ? r->line : 1;
    if (!end_block(r))
        return false;
    if (!r->lesson_line) {
        es_lesson_fault(r, last, "there is no @lesson here");
        return es_hint(r->err, "try: @lesson my-lesson  title=\"My lesson\"  minutes=8");
    }
    if (r->fence) {
        es_lesson_fault(r, r->fence_line, "the block of code that begins here has no end");
        return es_hint(r->err, "it ends with a line of %zu times %c", r->fence, r->fence_char);
    }
    if (!r->l->n_steps) {
        es_lesson_fault(r, last, "the lesson has no step");
        return es_hint(r->err, "steps are @show, @predict, @task and @error");
    }
    r->l->end = es_lesson_take_prose(r);
    return true;
}

static bool is_marked(const char *bytes, size_t n)
{
    return n >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3);
}

bool es_lesson_parse(es_lesson *l, const char *path, const char *bytes, size_t n, es_error *err)
{
    es_str name = {0};
    es_show_name(&name, path, strlen(path));
    *l = (es_lesson){.path = es_copy_string(path)};
    es_lesson_reader r = {.l = l, .name = name.s, .err = err};
    size_t mark = is_marked(bytes, n) ? 3 : 0;
    bool ok = is_text(&r, bytes, n) && read_lines(&r, bytes + mark, n - mark) && finish(&r);
    block_free(&r.block);
    es_str_free(&r.prose);
    es_str_free(&r.quoted);
    es_str_free(&name);
    if (!ok)
        es_lesson_free(l);
    return ok;
}

bool es_lesson_read(es_lesson *l, const char *path, es_error *err)
{
    es_file f;
    *l = (es_lesson){0};
    if (!es_file_open(&f, path, err))
        return false;
    bool ok = es_lesson_parse(l, path, (const char *)f.data, f.size, err);
    es_file_close(&f);
    return ok;
}
