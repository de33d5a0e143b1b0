// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpus.h"

#include <unistd.h>

enum { MOST = 4 };

int es_threads(int asked)
{
    long n = asked ? asked : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : !asked && n > MOST ? MOST : (int)n;
}
