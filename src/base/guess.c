// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/guess.h"

enum { LONGEST = 32 };

int es_distance(const char *a, size_t na, const char *b, size_t nb, int limit)
{
    int row[LONGEST + 1];
    if (na > LONGEST || nb > LONGEST)
        return limit;
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            best = row[j] + 1 < best ? row[j] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb] < limit ? row[nb] : limit;
}

int es_slip(size_t n)
{
    return n < 4 ? 2 : 3;
}
