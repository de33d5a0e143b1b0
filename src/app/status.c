// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/status.h"

int es_status_of_session(const es_error *err, const char *device)
{
    switch (err->code) {
    case ES_ERR_BACKEND: return ES_STATUS_FAILED;
    case ES_ERR_NOMEM: return device ? ES_STATUS_FAILED : ES_STATUS_UNREADABLE;
    case ES_ERR_USAGE: return ES_STATUS_USAGE;
    case ES_ERR_INTERRUPTED: return ES_STATUS_INTERRUPTED;
    default: return ES_STATUS_UNREADABLE;
    }
}
