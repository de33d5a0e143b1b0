// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/code.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMNS = 40 };

/* A line of a program.  when: * always, l s n with learned, sinusoidal, no positions, + with any;
 * i m with few or many ids.  In the text $B $T $C $V $P are sizes, $b $t $c an element of x, $N how
 * many ids there are, and a line $I stands for the rows of ids. */
typedef struct line {
    char when;
    const char *stage, *text;
} line;

static const line torch_lines[] = {
    {'*', NULL, "import torch"},
    {'*', NULL, ""},
    {'*', NULL, "B, T, C = $B, $T, $C"},
    {'l', NULL, "V, P = $V, $P"},
    {'s', NULL, "V = $V"},
    {'n', NULL, "V = $V"},
    {'*', NULL, "wte = torch.nn.Embedding(V, C)"},
    {'*', NULL, "torch.nn.init.normal_("},
    {'*', NULL, "    wte.weight, std=0.02)"},
    {'l', NULL, "wpe = torch.nn.Embedding(P, C)"},
    {'l', NULL, "torch.nn.init.normal_("},
    {'l', NULL, "    wpe.weight, std=0.01)"},
    {'*', NULL, "# put a model's own numbers here"},
    {'*', NULL, ""},
    {'i', "ids", "ids = torch.tensor(["},
    {'i', "ids", "$I"},
    {'i', "ids", "])"},
    {'m', "ids", "# they stand for the text's $N"},
    {'m', "ids", "ids = torch.arange(B * T) % V"},
    {'m', "ids", "ids = ids.reshape(B, T)"},
    {'*', "tok_emb", "tok_emb = wte(ids)"},
    {'+', "positions", "positions = torch.arange(0, T)"},
    {'+', "positions", "positions = positions.unsqueeze(0)"},
    {'l', "pos_emb", "pos_emb = wpe(positions)"},
    {'s', "pos_emb", "k = torch.arange(0, C).double()"},
    {'s', "pos_emb", "p = positions.double().unsqueeze(-1)"},
    {'s', "pos_emb", "angle = p / 10000 ** ((k - k % 2) / C)"},
    {'s', "pos_emb", "even = k % 2 == 0"},
    {'s', "pos_emb", "pos_emb = torch.where("},
    {'s', "pos_emb", "    even, angle.sin(), angle.cos())"},
    {'s', "pos_emb", "pos_emb = pos_emb.float()"},
    {'+', "x", "x = tok_emb + pos_emb"},
    {'n', "x", "x = tok_emb"},
    {'*', NULL, ""},
    {'*', NULL, "# where x[b, t, c] lies in memory"},
    {'*', NULL, "b, t, c = $b, $t, $c"},
    {'*', NULL, "sb, st, sc = x.stride()"},
    {'*', NULL, "i = b * sb + t * st + c * sc"},
    {'*', NULL, "assert x.flatten()[i] == x[b, t, c]"},
    {'*', NULL, "print(list(x.shape), x.stride(), i)"},
    {'*', NULL, "print(float(x[b, t, c]))"},
    {0, NULL, NULL},
};

static const line numpy_lines[] = {
    {'*', NULL, "import numpy as np"},
    {'*', NULL, ""},
    {'*', NULL, "B, T, C = $B, $T, $C"},
    {'l', NULL, "V, P = $V, $P"},
    {'s', NULL, "V = $V"},
    {'n', NULL, "V = $V"},
    {'*', NULL, "random = np.random.default_rng(0)"},
    {'*', NULL, "def table(rows, std):"},
    {'*', NULL, "    w = random.normal(0, std, (rows, C))"},
    {'*', NULL, "    return w.astype(np.float32)"},
    {'*', NULL, ""},
    {'*', NULL, "wte = table(V, 0.02)"},
    {'l', NULL, "wpe = table(P, 0.01)"},
    {'*', NULL, "# put a model's own numbers here"},
    {'*', NULL, ""},
    {'i', "ids", "ids = np.array(["},
    {'i', "ids", "$I"},
    {'i', "ids", "])"},
    {'m', "ids", "# they stand for the text's $N"},
    {'m', "ids", "ids = np.arange(B * T) % V"},
    {'m', "ids", "ids = ids.reshape(B, T)"},
    {'*', "tok_emb", "tok_emb = wte[ids]"},
    {'+', "positions", "positions = np.arange(0, T)[None, :]"},
    {'l', "pos_emb", "pos_emb = wpe[positions]"},
    {'s', "pos_emb", "k = np.arange(0, C)"},
    {'s', "pos_emb", "p = positions[:, :, None]"},
    {'s', "pos_emb", "angle = p / 10000 ** ((k - k % 2) / C)"},
    {'s', "pos_emb", "pos_emb = np.where(k % 2 == 0,"},
    {'s', "pos_emb", "    np.sin(angle), np.cos(angle))"},
    {'s', "pos_emb", "pos_emb = pos_emb.astype(np.float32)"},
    {'+', "x", "x = tok_emb + pos_emb"},
    {'n', "x", "x = tok_emb"},
    {'*', NULL, ""},
    {'*', NULL, "# where x[b, t, c] lies in memory;"},
    {'*', NULL, "# NumPy's strides count bytes"},
    {'*', NULL, "b, t, c = $b, $t, $c"},
    {'*', NULL, "sb, st, sc = (s // 4 for s in x.strides)"},
    {'*', NULL, "i = b * sb + t * st + c * sc"},
    {'*', NULL, "assert x.ravel()[i] == x[b, t, c]"},
    {'*', NULL, "print(list(x.shape), (sb, st, sc), i)"},
    {'*', NULL, "print(float(x[b, t, c]))"},
    {0, NULL, NULL},
};

static const line c_lines[] = {
    {'*', NULL, "// cc -O2 code.c -lm && ./a.out"},
    {'s', NULL, "#include <math.h>"},
    {'*', NULL, "#include <stdio.h>"},
    {'*', NULL, "#include <stdlib.h>"},
    {'*', NULL, "#include <string.h>"},
    {'*', NULL, ""},
    {'*', NULL, "enum { B = $B, T = $T };"},
    {'*', NULL, "enum { C = $C, V = $V };"},
    {'l', NULL, "enum { P = $P };"},
    {'*', NULL, ""},
    {'*', NULL, "// n random numbers, -most to most"},
    {'*', NULL, "static void *table(size_t n, float most)"},
    {'*', NULL, "{"},
    {'*', NULL, "    float *w = malloc(n * sizeof *w);"},
    {'*', NULL, "    if (!w)"},
    {'*', NULL, "        abort();"},
    {'*', NULL, "    for (size_t i = 0; i < n; i++) {"},
    {'*', NULL, "        int r = rand() % 2001 - 1000;"},
    {'*', NULL, "        w[i] = most * (float)r / 1000;"},
    {'*', NULL, "    }"},
    {'*', NULL, "    return w;"},
    {'*', NULL, "}"},
    {'*', NULL, ""},
    {'*', NULL, "int main(void)"},
    {'*', NULL, "{"},
    {'*', NULL, "    size_t n = (size_t)B * T * C;"},
    {'*', NULL, "    float(*wte)[C] ="},
    {'*', NULL, "        table((size_t)V * C, 0.02f);"},
    {'l', NULL, "    float(*wpe)[C] ="},
    {'l', NULL, "        table((size_t)P * C, 0.01f);"},
    {'*', NULL, "    // put a model's own numbers here"},
    {'*', NULL, ""},
    {'i', "ids", "    static const int ids[B][T] = {"},
    {'i', "ids", "$I"},
    {'i', "ids", "    };"},
    {'m', "ids", "    // they stand for the text's $N"},
    {'m', "ids", "    static int ids[B][T];"},
    {'m', "ids", "    for (int i = 0; i < B * T; i++)"},
    {'m', "ids", "        ids[i / T][i % T] = i % V;"},
    {'*', "tok_emb", "    float(*tok_emb)[T][C] = table(n, 0);"},
    {'*', "tok_emb", "    for (int b = 0; b < B; b++)"},
    {'*', "tok_emb", "        for (int t = 0; t < T; t++)"},
    {'*', "tok_emb", "            memcpy(tok_emb[b][t],"},
    {'*', "tok_emb", "                   wte[ids[b][t]],"},
    {'*', "tok_emb", "                   sizeof(float[C]));"},
    {'+', "pos_emb", "    float(*pos_emb)[C] ="},
    {'+', "pos_emb", "        table((size_t)T * C, 0);"},
    {'+', "pos_emb", "    for (int t = 0; t < T; t++)"},
    {'l', "pos_emb", "        memcpy(pos_emb[t], wpe[t],"},
    {'l', "pos_emb", "               sizeof(float[C]));"},
    {'s', "pos_emb", "        for (int k = 0; k < C; k++) {"},
    {'s', "pos_emb", "            double angle = t /"},
    {'s', "pos_emb", "                pow(10000, (double)"},
    {'s', "pos_emb", "                    (k - k % 2) / C);"},
    {'s', "pos_emb", "            pos_emb[t][k] = (float)("},
    {'s', "pos_emb", "                k % 2 ? cos(angle)"},
    {'s', "pos_emb", "                      : sin(angle));"},
    {'s', "pos_emb", "        }"},
    {'+', "x", "    float(*x)[T][C] = table(n, 0);"},
    {'+', "x", "    for (int b = 0; b < B; b++)"},
    {'+', "x", "        for (int t = 0; t < T; t++)"},
    {'+', "x", "            for (int k = 0; k < C; k++)"},
    {'+', "x", "                x[b][t][k] ="},
    {'+', "x", "                    tok_emb[b][t][k] +"},
    {'+', "x", "                    pos_emb[t][k];"},
    {'n', "x", "    float(*x)[T][C] = tok_emb;"},
    {'*', NULL, ""},
    {'*', NULL, "    // where x[b][t][c] lies in memory"},
    {'*', NULL, "    size_t b = $b, t = $t, c = $c;"},
    {'*', NULL, "    size_t sb = (size_t)T * C, st = C;"},
    {'*', NULL, "    size_t i = b * sb + t * st + c;"},
    {'*', NULL, "    float *flat = x[0][0];"},
    {'*', NULL, "    if (&flat[i] != &x[b][t][c])"},
    {'*', NULL, "        return 1;"},
    {'*', NULL, "    printf(\"[%d, %d, %d] \", B, T, C);"},
    {'*', NULL, "    printf(\"(%zu, %zu, 1) \", sb, st);"},
    {'*', NULL, "    printf(\"%zu\\n%.9g\\n\", i, flat[i]);"},
    {'*', NULL, "    return 0;"},
    {'*', NULL, "}"},
    {0, NULL, NULL},
};

static const struct language {
    const char *name;
    const line *lines;
    const char *open, *close; /* around a row of ids */
    const char *comment;
} languages[] = {
    [ES_TORCH] = {"torch", torch_lines, "    [", "],", "# "},
    [ES_NUMPY] = {"numpy", numpy_lines, "    [", "],", "# "},
    [ES_C] = {"c", c_lines, "        {", "},", "    // "},
};

const char *es_language_name(es_language language)
{
    return languages[language].name;
}

es_element es_code_element(const es_text *t)
{
    int64_t T = es_text_T(t), C = t->context->model->config.n_embd;
    es_element e = {.b = es_text_B(t) - 1, .t = T > 1, .c = C > 2 ? 2 : 0, .stride = {T * C, C, 1}};
    e.offset = e.b * e.stride[0] + e.t * e.stride[1] + e.c;
    return e;
}

static bool wanted(char when, const es_text *t)
{
    static const char *const marks[] = {
        [ES_POSITIONS_LEARNED] = "l+", [ES_POSITIONS_SINUSOIDAL] = "s+", [ES_POSITIONS_NONE] = "n"};
    bool many = es_text_B(t) * es_text_T(t) > ES_CODE_MOST_IDS;
    return when == '*' || when == (many ? 'm' : 'i') ||
           strchr(marks[t->context->layer.positions], when);
}

static int64_t value_of(char name, const es_text *t)
{
    const es_config *m = &t->context->model->config;
    es_element e = es_code_element(t);
    switch (name) {
    case 'B': return es_text_B(t);
    case 'T': return es_text_T(t);
    case 'C': return m->n_embd;
    case 'V': return m->vocab_size;
    case 'P': return m->n_ctx;
    case 'b': return e.b;
    case 't': return e.t;
    case 'c': return e.c;
    default: return es_text_B(t) * es_text_T(t);
    }
}

/* Every row of ids in its brackets, broken where a line would be too long. */
static void add_ids(es_str *out, const es_text *t, const struct language *l)
{
    int64_t B = es_text_B(t), T = es_text_T(t);
    const int32_t *ids = es_text_ids(t);
    size_t indent = strlen(l->open);
    for (int64_t b = 0; b < B; b++) {
        size_t begin = out->len;
        es_str_cat(out, l->open);
        for (int64_t i = 0; i < T; i++) {
            es_str id = {0};
            es_str_add(&id, "%" PRId32 "%s", ids[b * T + i], i + 1 < T ? "," : l->close);
            if (i && out->len - begin + 1 + id.len > COLUMNS) {
                es_str_char(out, '\n');
                begin = out->len;
                es_str_fill(out, ' ', indent);
            } else if (i) {
                es_str_char(out, ' ');
            }
            es_str_cat(out, id.s);
            es_str_free(&id);
        }
        es_str_char(out, '\n');
    }
}

static void add_line(es_str *out, const char *text, const es_text *t, const struct language *l)
{
    if (!strcmp(text, "$I")) {
        add_ids(out, t, l);
        return;
    }
    for (const char *s = text; *s; s++) {
        if (*s == '$')
            es_str_add(out, "%" PRId64, value_of(*++s, t));
        else
            es_str_char(out, *s);
    }
    es_str_char(out, '\n');
}

/* "# tok_emb [B=1, T=3, C=64]" */
static void add_shape(es_str *out, const char *stage, const es_text *t, const struct language *l)
{
    int64_t B = es_text_B(t), T = es_text_T(t), C = t->context->model->config.n_embd;
    es_shape shape = es_shape_3d("B", B, "T", T, "C", C);
    if (!strcmp(stage, "ids"))
        shape = es_shape_2d("B", B, "T", T);
    else if (!strcmp(stage, "positions"))
        shape = es_shape_2d("", 1, "T", T);
    else if (!strcmp(stage, "pos_emb"))
        shape =
            l->lines == c_lines ? es_shape_2d("T", T, "C", C) : es_shape_3d("", 1, "T", T, "C", C);
    es_str_add(out, "%s%s ", l->comment, stage);
    es_shape_show(out, &shape);
    es_str_char(out, '\n');
}

void es_code_program(es_str *out, const es_text *t, es_language language)
{
    const struct language *l = &languages[language];
    const char *stage = NULL;
    for (const line *one = l->lines; one->when; one++) {
        if (!wanted(one->when, t))
            continue;
        if (one->stage && (!stage || strcmp(one->stage, stage)))
            add_shape(out, one->stage, t, l);
        stage = one->stage;
        add_line(out, one->text, t, l);
    }
}

void es_code_stage(es_str *out, const es_text *t, es_language language, const char *stage)
{
    const struct language *l = &languages[language];
    for (const line *one = l->lines; one->when; one++)
        if (wanted(one->when, t) && one->stage && !strcmp(one->stage, stage))
            add_line(out, one->text, t, l);
    if (out->len && out->s[out->len - 1] == '\n')
        es_str_cut(out, out->len - 1);
}
