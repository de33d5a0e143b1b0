// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensor mode: the language of expr/ over a session.  Its variables, what names of the last text and
 * the model mean to it, and what becomes of the values of statements. */
#ifndef ES_SESSION_TENSOR_MODE_H
#define ES_SESSION_TENSOR_MODE_H

#include "expr/interp.h"
#include "session/command.h"

typedef struct es_mode es_mode;

/* What is done with a source of statements once it is whole: call->line from byte `begin` on.  Errors are
 * placed in call->line. */
typedef bool (*es_mode_fn)(es_call *call, size_t begin, es_error *err);

/* Run the statements: an answer for each, {"kind":"none"} for those without a value.  A quoted string alone
 * is a text, as if typed in text mode. */
bool es_mode_run(es_call *call, size_t begin, es_error *err);

/* What the last statement's value would be: its type, and a tensor's shape.  Nothing is computed, no
 * variable changes. */
bool es_mode_type(es_call *call, size_t begin, es_error *err);

/* For those who run statements in their own way: until es_mode_leave what these print and say goes where call's does,
 * and their values to take(user, …), which takes them over. */
typedef void (*es_take_fn)(void *user, es_result r);
es_interp *es_mode_enter(es_call *call, es_take_fn take, void *user);
/* *printed (empty) becomes what they printed, where nobody took it as it came. */
void es_mode_leave(es_session *s, es_str *printed);
/* What was typed, as a tree; it knows which lines of which file it is. */
es_unit *es_mode_parse(const es_call *call, size_t begin, es_error *err);
/* From places in the source to places in the line that holds it from byte `begin` on; returns false. */
bool es_mode_shift(es_error *err, size_t begin);

/* The interpreter, made on the first call.  Borrowed, as long as the session. */
es_interp *es_mode_interp(es_session *s);

/* How memory of t is known by another name: "a view of x", or "" where it is t's own. */
void es_mode_memory(es_session *s, const es_tensor *t, es_str *out);

/* "x is your own; del x gives the text's back": names of the text that variables hide; "" if none does. */
void es_mode_hidden(es_session *s, es_str *out);

/* "sel" or "axes" is another now. */
void es_mode_forget_picture(es_session *s, const char *name);

/* What came from the last text, or from the model too, is not theirs any more. */
void es_mode_forget_text(es_session *s);
void es_mode_forget_model(es_session *s);
/* New tensors are made on the session's device. */
void es_mode_use_device(es_session *s);
/* So they are where the device they were made on is lost; the sink is told. */
void es_mode_look_after_device(es_session *s, const es_sink *sink);
void es_mode_clear(es_session *s); /* no variables */
void es_mode_free(es_mode *m);     /* NULL is fine */

#endif
