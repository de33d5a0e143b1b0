// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/block_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

enum { STREAM_BLOCKS = 22 }; /* of es_normal_row */

static const struct {
    const char *name;
    int rows, cols; /* in C; rows 0: a vector */
} parts[ES_N_PARTS] = {
    {"ln_1.weight", 0, 1},      {"ln_1.bias", 0, 1},          {"attn.c_attn.weight", 1, 3},
    {"attn.c_attn.bias", 0, 3}, {"attn.c_proj.weight", 1, 1}, {"attn.c_proj.bias", 0, 1},
    {"ln_2.weight", 0, 1},      {"ln_2.bias", 0, 1},          {"mlp.c_fc.weight", 1, 4},
    {"mlp.c_fc.bias", 0, 4},    {"mlp.c_proj.weight", 4, 1},  {"mlp.c_proj.bias", 0, 1},
};

static int64_t part_size(es_part p, int64_t C)
{
    return (parts[p].rows ? parts[p].rows * C : 1) * parts[p].cols * C;
}

static int64_t block_size(int64_t C)
{
    return 12 * C * C + 13 * C;
}

int64_t es_block_offset(const es_block_sizes *s, int64_t l, es_part p)
{
    int64_t offset = l * block_size(s->n_embd);
    for (es_part before = 0; before < p; before++)
        offset += part_size(before, s->n_embd);
    return offset;
}

int64_t es_block_n_params(const es_block_sizes *s)
{
    return s->n_layer * block_size(s->n_embd) + 2 * s->n_embd;
}

int es_block_n_parts(const es_block_sizes *s)
{
    return (int)s->n_layer * ES_N_PARTS + 2;
}

es_block_part es_block_part_at(const es_block_sizes *s, int i)
{
    int64_t l = i / ES_N_PARTS, C = s->n_embd;
    es_part p = (es_part)(i % ES_N_PARTS);
    es_block_part at = {.offset = es_block_offset(s, l, p)};
    if (l == s->n_layer) {
        snprintf(at.name, sizeof at.name, "ln_f.%s", p == ES_LN_F_WEIGHT ? "weight" : "bias");
        at.cols = C;
        return at;
    }
    snprintf(at.name, sizeof at.name, "h.%d.%s", (int)l, parts[p].name);
    at.rows = parts[p].rows * C;
    at.cols = parts[p].cols * C;
    return at;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcmp(name + n - m, end);
}

void es_block_init(float *params, const es_block_sizes *s, uint64_t seed)
{
    for (int i = 0; i < es_block_n_parts(s); i++) {
        es_block_part p = es_block_part_at(s, i);
        float *at = params + p.offset;
        int64_t n = (p.rows ? p.rows : 1) * p.cols;
        bool into_stream = ends_with(p.name, "c_proj.weight");
        double sd = into_stream ? 0.02 / sqrt(2.0 * (double)s->n_layer) : 0.02;
        if (p.rows)
            es_normal_row(at, n, seed, STREAM_BLOCKS, (uint64_t)i, sd);
        else
            for (int64_t j = 0; j < n; j++)
                at[j] = ends_with(p.name, "weight") ? 1.0f : 0.0f;
    }
}
