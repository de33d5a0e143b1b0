// SPDX-License-Identifier: GPL-3.0-or-later
/* What was found on this machine: libraries, devices, assets (and whether they are whole), terminal, state. */
#ifndef ES_REPL_DOCTOR_H
#define ES_REPL_DOCTOR_H

#include "session/command.h"

/* The command's `run`. */
bool es_doctor(es_call *call, es_error *err);

#endif
