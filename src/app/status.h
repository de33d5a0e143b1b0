// SPDX-License-Identifier: GPL-3.0-or-later
/* Exit statuses; scripts rely on them. */
#ifndef ES_APP_STATUS_H
#define ES_APP_STATUS_H

#include "base/error.h"

enum {
    ES_STATUS_OK = 0,
    ES_STATUS_FAILED = 1,     /* a line failed */
    ES_STATUS_USAGE = 2,      /* wrong usage */
    ES_STATUS_UNREADABLE = 3, /* a file, model or vocabulary could not be read */
    ES_STATUS_INTERRUPTED = 130
};

/* What kept a session from beginning: the device (NULL: the usual one), which may be too small, or something else that the command
 * line names. */
int es_status_of_session(const es_error *err, const char *device);

#endif
