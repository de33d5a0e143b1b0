// SPDX-License-Identifier: GPL-3.0-or-later
/* At build time: ranges of code points on standard input ("L 0041..005A", L N or S) to a two-stage
 * table in C on standard output.  Equal blocks of 256 are stored once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_CODE_POINTS = 0x110000, BLOCK = 256, N_BLOCKS = N_CODE_POINTS / BLOCK };

static unsigned char class_of[N_CODE_POINTS];
static int block_of[N_BLOCKS], distinct[N_BLOCKS];

static void read_ranges(void)
{
    char line[128], letter;
    unsigned first, last;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == '#')
            continue;
        const char *known = "LNS", *found;
        if (sscanf(line, "%c %x..%x", &letter, &first, &last) != 3 ||
            !(found = strchr(known, letter)) || first > last || last >= N_CODE_POINTS) {
            fprintf(stderr, "classes: not a range: %s", line);
            exit(EXIT_FAILURE);
        }
        memset(class_of + first, (int)(found - known) + 1, last - first + 1);
    }
}

static int find_distinct(void)
{
    int n = 0;
    for (int b = 0; b < N_BLOCKS; b++) {
        int i = 0;
        while (i < n && memcmp(class_of + b * BLOCK, class_of + distinct[i] * BLOCK, BLOCK))
            i++;
        if (i == n)
            distinct[n++] = b;
        block_of[b] = i;
    }
    return n;
}

int main(void)
{
    read_ranges();
    int n = find_distinct();

    printf("static const unsigned char block_of[%d] = {", N_BLOCKS);
    for (int b = 0; b < N_BLOCKS; b++)
        printf("%s%d,", b % 32 ? "" : "\n", block_of[b]);
    printf("\n};\nstatic const unsigned char class_in[%d][%d] = {\n", n, BLOCK);
    for (int i = 0; i < n; i++) {
        printf("{");
        for (int k = 0; k < BLOCK; k++)
            printf("%d,", class_of[distinct[i] * BLOCK + k]);
        printf("},\n");
    }
    printf("};\n");
    return EXIT_SUCCESS;
}
