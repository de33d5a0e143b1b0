// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lesson.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/signals.h"
#include "app/status.h"
#include "base/file.h"
#include "base/visible.h"
#include "lesson/handout.h"
#include "lesson/player.h"
#include "lesson/prove.h"
#include "repl/cmd_repl.h"
#include "view/picture.h"

enum { PICTURE_W = 800, PICTURE_H = 540 };

bool es_lesson_asked(const es_options *o)
{
    return o->verb == ES_VERB_LESSON && (o->check || o->fresh || o->html);
}

static int status_of(const es_error *err)
{
    return err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED
           : err->code == ES_ERR_USAGE     ? ES_STATUS_USAGE
                                           : ES_STATUS_UNREADABLE;
}

static bool open_course(es_course *c, const es_options *o, es_error *err)
{
    return o->n_files ? es_course_open_at(c, o->file[0], err) : es_course_open(c, err);
}

/* ---- at the prompt ---- */

/* "3", "3.4": what :lesson takes itself. */
static bool is_number(const char *s)
{
    return *s && s[strspn(s, "0123456789.")] == '\0';
}

bool es_lesson_line(es_str *line, es_player *p, const char *operand, es_error *err)
{
    bool number = operand && is_number(operand);
    bool path = operand && !number;
    if (path && !es_player_use(p, operand, err))
        return false;
    es_str_cat(line, ":lesson");
    if (number)
        es_str_add(line, " %s", operand);
    else if (path && es_player_only(p))
        es_str_add(line, " %d", es_player_only(p));
    return true;
}

/* ---- what was proved ---- */

typedef struct proved {
    const es_course_entry *entry;
    es_proof proof;
} proved;

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const proved *p = data;
    (void)style;
    (void)err;
    es_str_add(out, "%02d %s: ", p->entry->number, p->entry->lesson.slug);
    if (p->proof.faults)
        es_str_add(out, "%d fault%s\n%s", p->proof.faults, p->proof.faults == 1 ? "" : "s",
                   es_str_text(&p->proof.report));
    else
        es_str_add(out, "%d step%s, %d answers and solutions, %d draws: holds\n", p->proof.steps,
                   p->proof.steps == 1 ? "" : "s", p->proof.answers, ES_PROOF_SEEDS);
    return true;
}

static void json_report(es_json *j, const char *report)
{
    es_json_key(j, "faults");
    es_json_open(j, '[');
    for (size_t n; *report; report += n + (report[n] == '\n')) {
        n = strcspn(report, "\n");
        es_json_text(j, report, n);
    }
    es_json_close(j, ']');
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const proved *p = data;
    (void)values;
    (void)err;
    es_json_key_int(j, "lesson", p->entry->number);
    es_json_key_string(j, "slug", p->entry->lesson.slug);
    es_json_key_int(j, "steps", p->proof.steps);
    es_json_key_int(j, "answers", p->proof.answers);
    es_json_key_int(j, "draws", ES_PROOF_SEEDS);
    json_report(j, es_str_text(&p->proof.report));
    return true;
}

static const es_kind kind = {"lesson_check", show, json, NULL};

static int check(const es_course *c, es_session *s, const es_sink *sink, es_error *err)
{
    int faults = 0;
    for (size_t i = 0; i < c->n; i++) {
        proved p = {.entry = &c->of[i]};
        if (!es_prove(&p.proof, c, i, s, ES_PROOF_SEEDS, sink, err)) {
            es_proof_free(&p.proof);
            return status_of(err);
        }
        es_result answer = {&kind, &p};
        sink->result(sink->user, &answer);
        faults += p.proof.faults;
        es_proof_free(&p.proof);
    }
    return faults ? ES_STATUS_FAILED : ES_STATUS_OK;
}

/* ---- a handout ---- */

static bool picture(void *user, es_session *s, es_str *svg, es_error *err)
{
    const es_sink *sink = user;
    es_viewer *v = es_session_guest(s);
    return es_picture_svg(v, svg, PICTURE_W, PICTURE_H, sink, err);
}

static int handout(const es_course *c, es_session *s, const char *folder, const es_sink *sink,
                   es_error *err)
{
    es_settings *settings = es_session_settings(s);
    if (!settings->palette) /* pages are white, unless asked otherwise */
        es_settings_set(settings, "palette", "print", ES_FROM_COMMAND_LINE, NULL);
    bool ok = es_handout_write(c, s, folder, picture, (void *)sink, sink, err);
    return ok                                ? ES_STATUS_OK
           : err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED
                                             : ES_STATUS_FAILED;
}

/* ---- a start ---- */

/* What a slug is made of, so that the file is found again by number or name. */
static bool is_slug(const char *name)
{
    return *name && *name != '-' && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

static int begin(const char *name, es_error *err)
{
    es_str path = {0}, text = {0}, shown = {0};
    bool ok = is_slug(name);
    es_show_brief(&shown, name, strlen(name));
    es_str_add(&path, "%s.md", name);
    if (!ok) {
        es_fail(err, ES_ERR_USAGE, "a lesson's name is small letters, digits and hyphens, not %s",
                shown.s);
        es_hint(err, "try: --new why-add");
    } else if (access(path.s, F_OK) == 0) {
        ok = es_fail(err, ES_ERR_USAGE, "%s is there already, and stays as it is", path.s);
    } else {
        es_lesson_starter(&text, name);
        ok = es_file_replace(path.s, text.s, text.len, err);
    }
    es_str_free(&path);
    es_str_free(&text);
    es_str_free(&shown);
    return ok ? ES_STATUS_OK : err->code == ES_ERR_USAGE ? ES_STATUS_USAGE : ES_STATUS_FAILED;
}

/* ---- all three ---- */

static int in_session(es_options *o, const es_course *c, es_output *out, es_error *err)
{
    es_signals_catch_interrupt();
    o->session.interrupt = es_signals_interrupt();
    es_session *s = es_session_new(&o->session, err);
    if (!s)
        return es_status_of_session(err, o->session.device);
    const es_sink sink = es_output_sink(out);
    es_viewer *v = es_viewer_new(s);
    out->session = s;
    int status = o->check ? check(c, s, &sink, err) : handout(c, s, o->html, &sink, err);
    out->session = NULL;
    es_viewer_free(v);
    es_session_free(s);
    return status == ES_STATUS_OK && (out->failed || out->broken) ? ES_STATUS_FAILED : status;
}

int es_lesson_verb(es_options *o, es_output *out, es_error *err)
{
    es_course c = {0};
    if (o->fresh)
        return begin(o->fresh, err);
    int status = open_course(&c, o, err) ? in_session(o, &c, out, err) : status_of(err);
    es_course_free(&c);
    return status;
}
