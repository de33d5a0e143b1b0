// SPDX-License-Identifier: GPL-3.0-or-later
#include "stage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "box_font.h"
#include "session/results.h"
#include "support.h"

static void on_result(void *user, es_result *r)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_json_result(&((stage *)user)->json, r, true, &err), err);
    es_result_free(r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    (void)line, (void)len, (void)partial;
    es_str_cat(&((stage *)user)->message, err->message);
    es_str_cat(&((stage *)user)->hint, err->hint ? err->hint : "");
}

static void on_note(void *user, const char *text, bool person)
{
    if (!person)
        es_str_add(&((stage *)user)->note, "%s\n", text);
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user, (void)what, (void)done, (void)total;
}

static es_sink sink_of(stage *s)
{
    return (es_sink){s, on_result, on_error, on_note, on_progress, NULL};
}

/* ---- the model ---- */

static void write_model(const char *path, const float *wte, int V, const float *wpe, int P, int C)
{
    size_t first = (size_t)V * (size_t)C * sizeof(float);
    size_t all = first + (size_t)P * (size_t)C * sizeof(float);
    es_str header = {0}, data = {0};
    es_str_char(&header, '{');
    if (V)
        es_str_add(
            &header,
            "\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%zu]}%s", V, C,
            first, P ? "," : "");
    if (P)
        es_str_add(
            &header,
            "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[%zu,%zu]}", P, C,
            first, all);
    es_str_char(&header, '}');
    if (V)
        es_str_bytes(&data, (const char *)wte, first);
    if (P)
        es_str_bytes(&data, (const char *)wpe, all - first);
    write_safetensors(path, header.s, 0, data.s, data.len);
    es_str_free(&header);
    es_str_free(&data);
}

/* A table may be one that has no components, and the view has to do without. */
static void make_ready(stage *s)
{
    es_error err = ES_ERROR_NONE;
    es_sink sink = sink_of(s);
    ck_assert_works(es_viewer_make(s->viewer, &sink, &err) || err.code == ES_ERR_VALUE, err);
    es_error_free(&err);
}

void stage_open(stage *s, const float *wte, int V, const float *wpe, int P, int C, es_view_id view)
{
    char *folder = fresh_folder();
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    calm_environment();
    es_str_add(&path, "%s/m.safetensors", folder);
    write_model(path.s, wte, V, wpe, P, C);
    const es_session_options o = {.model = path.s, .settings.pad = -1};
    *s = (stage){.session = es_session_new(&o, &err), .font = box_font()};
    ck_assert_works(s->session != NULL, err);
    s->viewer = es_viewer_new(s->session);
    s->viewer->view = view;
    s->viewer->camera[view].solid = true;
    make_ready(s);
    unlink(path.s);
    rmdir(folder);
    es_str_free(&path);
    free(folder);
}

static void forget_answer(stage *s)
{
    es_str_free(&s->json);
    es_str_free(&s->message);
    es_str_free(&s->hint);
    es_str_free(&s->note);
}

void stage_close(stage *s)
{
    forget_answer(s);
    es_raster_close(&s->raster);
    es_font_free(s->font);
    es_viewer_free(s->viewer);
    es_session_free(s->session);
}

es_outcome stage_run(stage *s, const char *line)
{
    es_sink sink = sink_of(s);
    forget_answer(s);
    es_outcome outcome = es_session_run(s->session, line, strlen(line), &sink);
    make_ready(s);
    return outcome;
}

/* ---- what it shows ---- */

static const es_view_kind *kind(const stage *s)
{
    return es_view_kind_at((int)s->viewer->view);
}

void stage_draw(stage *s, int w, int h)
{
    es_error err = ES_ERROR_NONE;
    es_raster_close(&s->raster);
    ck_assert_works(es_raster_open(&s->raster, w, h, 1, false, s->font, &err), err);
    es_raster_clear(&s->raster, es_viewer_palette(s->viewer)->ground);
    s->area = (es_box){0, 0, (float)w, (float)h};
    kind(s)->draw(s->viewer, &s->raster.canvas, s->area);
}

bool stage_pick(stage *s, float x, float y, es_pick *out)
{
    *out = ES_PICK_NONE;
    return kind(s)->pick(s->viewer, &s->raster.canvas, s->area, (es_spot){x, y}, out);
}

static size_t take_numbers(const json_t *j, double *out, size_t n)
{
    size_t found = 0;
    if (json_is_number(j) && n)
        out[found++] = json_number_value(j);
    for (size_t i = 0; i < json_array_size(j); i++)
        found += take_numbers(json_array_get(j, i), out + found, n - found);
    return found;
}

void stage_value(stage *s, const char *statement, double *out, size_t n)
{
    es_str line = {0};
    es_str_add(&line, "= %s", statement);
    ck_assert_msg(stage_run(s, line.s) == ES_DONE, "%s: %s", statement, es_str_text(&s->message));
    json_t *answer = json_loadb(s->json.s, s->json.len, 0, NULL);
    ck_assert_msg(take_numbers(json_object_get(answer, "values"), out, n) == n, "%s: %s", statement,
                  s->json.s);
    json_decref(answer);
    es_str_free(&line);
}

void stage_honesty(stage *s, es_str *out)
{
    kind(s)->honesty(s->viewer, out);
}

void stage_expression(stage *s, es_str *out)
{
    kind(s)->expression(s->viewer, out);
}

void stage_plain(stage *s, es_str *out)
{
    kind(s)->plain(s->viewer, out);
}

void stage_json(stage *s, es_str *out)
{
    es_json j = {.out = out};
    es_json_open(&j, '{');
    kind(s)->json(s->viewer, &j);
    es_json_close(&j, '}');
}
