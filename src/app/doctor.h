// SPDX-License-Identifier: GPL-3.0-or-later
/* :doctor, what was found on this machine: libraries, devices, the module of pictures, assets (and whether they are
 * whole), terminal, state. */
#ifndef ES_APP_DOCTOR_H
#define ES_APP_DOCTOR_H

#include "session/session.h"

void es_add_doctor(es_session *s);

#endif
