// SPDX-License-Identifier: GPL-3.0-or-later
/* How ids become x: every shape, its bytes, the line of code that does it, and where a number lies. */
#include <inttypes.h>

#include "session/json_text.h"
#include "session/numbers.h"
#include "session/show_kinds.h"

enum { MAX_STAGES = 5 };

typedef struct stage {
    const char *name, *code, *dtype;
    es_shape shape;
    int size; /* bytes of a number */
} stage;

/* The stages of the last text, in order; returns how many. */
static int stages_of(stage *s, const es_text *t)
{
    int64_t B = es_text_B(t), T = es_text_T(t), C = t->context->model->config.n_embd;
    es_positions positions = t->context->layer.positions;
    es_shape btc = es_shape_3d("B", B, "T", T, "C", C);
    int n = 0;
    s[n++] = (stage){"ids", "encode(text)", "int64", es_shape_2d("B", B, "T", T), 8};
    s[n++] = (stage){"tok_emb", "wte(ids)", "float32", btc, 4};
    if (positions != ES_POSITIONS_NONE) {
        const char *look_up =
            positions == ES_POSITIONS_LEARNED ? "wpe(positions)" : "sin, cos of positions";
        s[n++] = (stage){"positions", "arange(0, T).unsqueeze(0)", "int64",
                         es_shape_2d("", 1, "T", T), 8};
        s[n++] = (stage){"pos_emb", look_up, "float32", es_shape_3d("", 1, "T", T, "C", C), 4};
    }
    const char *sum = positions == ES_POSITIONS_NONE ? "tok_emb" : "tok_emb + pos_emb";
    s[n++] = (stage){"x", sum, "float32", btc, 4};
    return n;
}

static double bytes_of(const stage *s)
{
    return (double)es_shape_count(&s->shape) * s->size;
}

static void plain_shapes(es_str *out, const stage *s, int n)
{
    for (int i = 0; i < n; i++) {
        es_str_add(out, "%s: %s = ", s[i].name, s[i].code);
        es_shape_show(out, &s[i].shape);
        es_str_add(out, " %s, %.0f bytes\n", s[i].dtype, bytes_of(&s[i]));
    }
}

static void grid_of_shapes(es_str *out, const stage *s, int n, const es_style *style)
{
    es_grid g = {.align = "lfllr"};
    for (int i = 0; i < n; i++) {
        es_grid_text(&g, "%s", s[i].name);
        es_grid_text(&g, "= %s", s[i].code);
        es_shape_show(es_grid_cell(&g, ES_PAINT_NONE), &s[i].shape);
        es_grid_text(&g, "%s", s[i].dtype);
        es_show_bytes(es_grid_cell(&g, ES_PAINT_NONE), bytes_of(&s[i]));
    }
    es_grid_end(&g, out, 0, 2, style);
}

/* The same where a row of the grid would not fit: two lines a stage. */
static void narrow_shapes(es_str *out, const stage *s, int n, const es_style *style)
{
    for (int i = 0; i < n; i++) {
        es_str line = {0};
        es_str_add(&line, "%s = %s", s[i].name, s[i].code);
        es_wrap(out, line.s, 0, style);
        es_str_cut(&line, 0);
        es_shape_show(&line, &s[i].shape);
        es_str_add(&line, " %s, ", s[i].dtype);
        es_show_bytes(&line, bytes_of(&s[i]));
        es_wrap(out, line.s, 4, style);
        es_str_free(&line);
    }
}

/* "x[0, 1, 0] is number 64 of its memory" for a place that is there. */
static void show_memory(es_str *out, const es_text *t, const es_style *style)
{
    es_element e = es_code_element(t);
    es_str line = {0};
    es_str_add(&line,
               "x lies row by row, strides (%" PRId64 ", %" PRId64
               ", 1): x[b, t, c] is number b*%" PRId64 " + t*%" PRId64
               " + c of its memory, so x[%" PRId64 ", %" PRId64 ", %" PRId64 "] is number %" PRId64,
               e.stride[0], e.stride[1], e.stride[0], e.stride[1], e.b, e.t, e.c, e.offset);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

static void show_table(es_str *line, const char *name, const char *axis, int64_t rows, int64_t C)
{
    es_str_add(line, "%s [%s=%" PRId64 ", C=%" PRId64 "] (", name, axis, rows, C);
    es_show_bytes(line, 4.0 * (double)rows * (double)C);
    es_str_char(line, ')');
}

/* "3 rows of wte [V=50257, C=64] (12.9 MB) are looked up, and the first 3 of wpe …" */
static void show_tables(es_str *out, const es_text *t, const es_style *style)
{
    const es_config *m = &t->context->model->config;
    int64_t T = es_text_T(t), n = es_text_B(t) * T;
    es_str line = {0};
    es_str_add(&line, "%" PRId64 " row%s of ", n, n == 1 ? "" : "s");
    show_table(&line, "wte", "V", m->vocab_size, m->n_embd);
    es_str_cat(&line, n == 1 ? " is looked up" : " are looked up");
    if (t->context->layer.positions == ES_POSITIONS_LEARNED) {
        es_str_add(&line, ", and the first %" PRId64 " of ", T);
        show_table(&line, "wpe", "P", m->n_ctx, m->n_embd);
    }
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
}

bool es_show_shapes(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_text *t = data;
    stage s[MAX_STAGES];
    int n = stages_of(s, t);
    (void)err;
    if (style->plain)
        plain_shapes(out, s, n);
    else if (style->width < 72)
        narrow_shapes(out, s, n, style);
    else
        grid_of_shapes(out, s, n, style);
    show_tables(out, t, style);
    if (es_text_T(t))
        show_memory(out, t, style);
    return true;
}

bool es_show_code(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_code_answer *a = data;
    (void)style; /* a program is the same at every width, and plain as it is */
    (void)err;
    es_code_program(out, a->text, a->language);
    return true;
}

/* ---- JSON ---- */

static void json_ints(es_json *j, const char *key, const int64_t *values, int n)
{
    es_json_key(j, key);
    es_json_open(j, '[');
    for (int i = 0; i < n; i++)
        es_json_int(j, values[i]);
    es_json_close(j, ']');
}

static void json_stage(es_json *j, const stage *s, const char *code)
{
    int64_t stride[ES_MAX_DIMS];
    int n = s->shape.ndim;
    for (int i = n - 1; i >= 0; i--)
        stride[i] = i == n - 1 ? 1 : stride[i + 1] * s->shape.dim[i + 1];
    es_json_open(j, '{');
    es_json_key_string(j, "name", s->name);
    es_json_key_string(j, "code", code);
    json_ints(j, "shape", s->shape.dim, n);
    es_json_key(j, "dims");
    es_json_open(j, '[');
    for (int i = 0; i < n; i++)
        es_json_string(j, s->shape.label[i].s[0] ? s->shape.label[i].s : NULL);
    es_json_close(j, ']');
    json_ints(j, "stride", stride, n);
    es_json_key_string(j, "dtype", s->dtype);
    es_json_key(j, "bytes");
    es_json_int(j, (int64_t)bytes_of(s));
    es_json_close(j, '}');
}

/* "element":{"index":[0,1,2],"offset":66}: one number of x, and which of its memory it is. */
static void json_element(es_json *j, const es_text *t)
{
    es_json_key(j, "element");
    if (!es_text_T(t)) {
        es_json_null(j);
        return;
    }
    es_element e = es_code_element(t);
    es_json_open(j, '{');
    json_ints(j, "index", (const int64_t[]){e.b, e.t, e.c}, 3);
    es_json_key_int(j, "offset", e.offset);
    es_json_close(j, '}');
}

bool es_json_of_shapes(es_json *j, void *data, bool values, es_error *err)
{
    stage s[MAX_STAGES];
    int n = stages_of(s, data);
    (void)values;
    (void)err;
    es_json_shapes(j, data);
    es_json_key(j, "stages");
    es_json_open(j, '[');
    for (int i = 0; i < n; i++)
        json_stage(j, &s[i], s[i].code);
    es_json_close(j, ']');
    json_element(j, data);
    return true;
}

bool es_json_of_code(es_json *j, void *data, bool values, es_error *err)
{
    const es_code_answer *a = data;
    stage s[MAX_STAGES];
    int n = stages_of(s, a->text);
    es_str code = {0};
    (void)values;
    (void)err;
    es_json_shapes(j, a->text);
    es_json_key_string(j, "language", es_language_name(a->language));
    es_json_key(j, "stages");
    es_json_open(j, '[');
    for (int i = 0; i < n; i++) {
        es_code_stage(&code, a->text, a->language, s[i].name);
        json_stage(j, &s[i], code.len ? code.s : NULL);
        es_str_free(&code);
    }
    es_json_close(j, ']');
    json_element(j, a->text);
    es_code_program(&code, a->text, a->language);
    es_json_key_string(j, "program", code.s);
    es_str_free(&code);
    return true;
}
