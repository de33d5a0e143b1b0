// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands of pictures: :window, :show, :export, :camera, :components, :color-by, :labels, :layout,
 * :quality, :torn, :focus, :select, :selection, :clear. */
#ifndef ES_VIEW_COMMANDS_H
#define ES_VIEW_COMMANDS_H

#include "session/command.h"

const es_command *es_view_commands(size_t *n);

#endif
