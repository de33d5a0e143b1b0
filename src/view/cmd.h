// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands of pictures, one function each, and what these share; commands.c has their table. */
#ifndef ES_VIEW_CMD_H
#define ES_VIEW_CMD_H

#include "view/viewer.h"

/* cmd_show.c: what is shown, and where. */
bool es_cmd_window(es_call *call, es_error *err);
bool es_cmd_show(es_call *call, es_error *err);
bool es_cmd_export(es_call *call, es_error *err);
bool es_cmd_projector(es_call *call, es_error *err); /* cmd_projector.c */

/* cmd_look.c: how it is looked at. */
bool es_cmd_camera(es_call *call, es_error *err);
bool es_cmd_components(es_call *call, es_error *err);
bool es_cmd_labels(es_call *call, es_error *err);

/* cmd_axes.c: of which tokens the axes view's axes are. */
bool es_cmd_axes(es_call *call, es_error *err);

/* cmd_layout.c and cmd_quality.c: layouts of the map, and what it keeps. */
bool es_cmd_layout(es_call *call, es_error *err);
bool es_cmd_quality(es_call *call, es_error *err);
bool es_cmd_torn(es_call *call, es_error *err);

/* cmd_pick.c and cmd_select.c: which tokens are picked out. */
bool es_cmd_focus(es_call *call, es_error *err);
bool es_cmd_select(es_call *call, es_error *err);
bool es_cmd_selection(es_call *call, es_error *err);
bool es_cmd_clear(es_call *call, es_error *err);

/* cmd_colour.c and cmd_meta.c: what colours say. */
bool es_cmd_color_by(es_call *call, es_error *err);
bool es_cmd_meta(es_call *call, es_error *err);
void es_cmd_columns(const es_session *s,
                    es_str *words); /* of the table that can be typed as they are */

/* cmd_lesson.c: the teaching pictures. */
bool es_cmd_lesson_picture(es_call *call, es_error *err);

/* cmd_isolate.c: what becomes of the others. */
bool es_cmd_isolate(es_call *call, es_error *err);

/* Where others are faded or hidden the camera goes to what is left; the map's points are ready. */
void es_cmd_look_at_isolated(es_viewer *v);

/* The camera goes there, on its way or at once. */
void es_cmd_move_camera(es_viewer *v, es_camera *to);

/* Show this view and answer with its picture, as :show does; on failure the view is what it was. */
bool es_cmd_picture(es_call *call, es_viewer *v, es_view_id view, es_error *err);

/* Answer with what is shown as it stands. */
bool es_cmd_answer_picture(es_call *call, es_viewer *v, es_error *err);

/* The picture is another: the window draws it again.  Answers with nothing. */
void es_cmd_done(es_call *call);

/* The bytes of an argument from `from` on as a number within limits, of the digits that %.6g writes. */
bool es_cmd_number(const es_arg *arg, size_t from, size_t to, const char *what, double low,
                   double high, double *out, es_error *err);

/* ES_ERR_USAGE at an argument that is none of the words (separated by spaces), the one that was meant in the hint;
 * returns false. */
bool es_cmd_stray(const es_call *call, const es_arg *arg, const char *words, es_error *err);

/* An answer of one line, the same in --plain, and what it says as fields of JSON.  Made by es_alloc, taken over by the
 * result; fields are written by an es_json whose `out` they are. */
typedef struct es_said {
    es_str line, fields;
} es_said;
bool es_said_show(es_str *out, void *data, const es_style *style, es_error *err);
bool es_said_json(es_json *j, void *data, bool values, es_error *err);
void es_said_forget(void *data);

/* Append the line that brings the camera of the view that is shown to where it stands. */
void es_camera_line(const es_viewer *v, es_str *out);

#endif
