// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope encode and decode: whole files, no session. */
#ifndef ES_APP_BULK_H
#define ES_APP_BULK_H

#include "app/options.h"

/* Exit status; what went wrong is in err. */
int es_bulk_encode(const es_options *o, es_error *err);
int es_bulk_decode(const es_options *o, es_error *err);

#endif
