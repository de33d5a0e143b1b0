// SPDX-License-Identifier: GPL-3.0-or-later
/* The explanation of an error text as a result. */
#ifndef ES_SESSION_SHOW_WHY_H
#define ES_SESSION_SHOW_WHY_H

#include "expr/why.h"
#include "session/result.h"

es_result es_result_why(es_why_answer *a); /* takes it over */

#endif
