// SPDX-License-Identifier: GPL-3.0-or-later
/* The devices a session has opened, and moving its model from one to another. */
#ifndef ES_SESSION_DEVICES_H
#define ES_SESSION_DEVICES_H

#include "session/session.h"

/* All stay open until the session ends: tensors may lie on them. */
typedef struct es_open_devices {
    es_backend **of;
    size_t n;
} es_open_devices;

/* The device of that name ("cuda" is "gpu"), opened on the first call; one that was lost is opened anew.  Borrowed.
 * NULL: ES_ERR_BACKEND, ES_ERR_VALUE. */
es_backend *es_session_device(es_session *s, const char *name, es_error *err);
void es_session_close_devices(es_session *s);

/* "OpenBLAS on the host", or maker, memory, driver, what of it is in use here (bytes), what else is to be said of it. */
void es_show_device(es_str *out, const es_device *d, size_t in_use);

/* Bytes on that device that are ours; 0 where it is not open. */
size_t es_session_in_use(const es_session *s, const char *name);

/* The tables of a model go to a device that has memory of its own, so that what is looked up is looked up there.  With tables that are
 * there already nothing happens.  ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_session_send_model(const es_model *m, es_backend *be, es_error *err);

/* The model's device is lost, or had no memory for it: it goes back to the cpu, and the sink is told. */
void es_session_rescue(es_session *s, const es_sink *sink);

#endif
