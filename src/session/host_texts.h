// SPDX-License-Identifier: GPL-3.0-or-later
/* Texts in the tensor language: encode() and decode(), as es_interp_host has them. */
#ifndef ES_SESSION_HOST_TEXTS_H
#define ES_SESSION_HOST_TEXTS_H

#include "expr/interp.h"
#include "session/command.h"

/* The ids of a text (T,), or of a list of texts (B, T), on the session's device; progress goes to call's sink.
 * ES_ERR_TYPE, ES_ERR_VALUE, and errors of es_session_read. */
bool es_host_encode(es_interp *in, es_call *call, const es_value *text, es_tensor *out,
                    es_error *err);

/* Append the bytes of ids: an int, a list or tuple of ints, a tensor (T,) or (1, T) of whole numbers.  ES_ERR_TYPE,
 * ES_ERR_DTYPE, ES_ERR_VALUE; ES_ERR_INDEX_RANGE: no token has that id. */
bool es_host_decode(es_interp *in, const es_session *s, const es_value *ids, es_str *out,
                    es_error *err);

#endif
