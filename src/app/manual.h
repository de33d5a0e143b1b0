// SPDX-License-Identifier: GPL-3.0-or-later
/* The manual page, embedscope.1, from the tables the program itself goes by. */
#ifndef ES_APP_MANUAL_H
#define ES_APP_MANUAL_H

#include "session/command.h"

/* Append the page as man(7) source, ASCII only: options, commands, settings, statuses, environment and
 * files. */
void es_manual(es_str *out, const es_command_list *commands);

#endif
