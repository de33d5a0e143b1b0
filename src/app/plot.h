// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope plot -o FILE: a picture in a file, without a display. */
#ifndef ES_APP_PLOT_H
#define ES_APP_PLOT_H

#include "app/options.h"
#include "repl/output.h"

/* The exit status; err is filled unless it is ES_STATUS_OK. */
int es_plot(es_options *o, es_output *out, es_error *err);

#endif
