// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/kernels.h"

/* Made from kernels/ while building.  No compiler that builds this has trouble with a long text. */
#pragma GCC diagnostic ignored "-Woverlength-strings"
#include "kernels.inc"
