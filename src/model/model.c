// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"
#include "model/block_source.h"
#include "model/counts.h"
#include "model/shelf.h"
#include "model/tables.h"
#include "model/untrained.h"

enum { NAME_COLUMNS = 24 };

static void warn(es_str *warnings, const char *fmt, ...) ES_PRINTF(2, 3);
static void warn(es_str *warnings, const char *fmt, ...)
{
    va_list ap;
    es_str_cat(warnings, warnings->len ? "\n" : "");
    va_start(ap, fmt);
    es_str_vadd(warnings, es_translate(fmt), ap);
    va_end(ap);
}

/* ---- tables ---- */

static es_table **table_of(es_model *m, es_role role)
{
    return role == ES_ROLE_WTE ? &m->wte : &m->wpe;
}

static es_table_origin *origin_of(es_model *m, es_role role)
{
    return role == ES_ROLE_WTE ? &m->wte_from : &m->wpe_from;
}

static void forget_origin(es_table_origin *o)
{
    free(o->path);
    free(o->tensor);
    *o = (es_table_origin){0};
}

/* Take the tensor that was found as the table of that role, in place of any other. */
static bool take(es_model *m, es_role role, const es_located *found, es_error *err)
{
    es_table *t = es_safetensors_table(found->file, found->tensor, err);
    if (!t)
        return false;
    es_table_unref(*table_of(m, role));
    *table_of(m, role) = t;
    forget_origin(origin_of(m, role));
    *origin_of(m, role) = (es_table_origin){.path = es_copy_string(found->file->path),
                                            .tensor = es_copy_string(found->tensor->name),
                                            .dtype = found->tensor->type->torch};
    return true;
}

/* Both tables of a model's files, or the one that is there. */
static bool take_both(es_model *m, es_weights *w, es_str *warnings, es_error *err)
{
    int n = 0;
    for (es_role role = ES_ROLE_WTE; role <= ES_ROLE_WPE; role++) {
        es_located found;
        if (!es_find_table(&found, w, role, false, warnings, err))
            return false;
        if (found.file && !take(m, role, &found, err))
            return false;
        n += found.file != NULL;
    }
    m->n_others += w->n_tensors - (size_t)n;
    return n || es_no_table(w, "token or position table", err);
}

/* How often the rows of wte, just taken from w, were seen. */
static bool take_counts(es_model *m, es_weights *w, es_str *warnings, es_error *err)
{
    m->n_others += m->counts != NULL;
    free(m->counts);
    m->counts = NULL;
    if (m->wte && !es_counts_read(&m->counts, w, es_table_rows(m->wte), warnings, err))
        return false;
    m->n_others -= m->counts != NULL;
    return true;
}

/* The blocks of the model's own files; these stay open for them. */
static void take_blocks(es_model *m, es_weights *w)
{
    size_t n;
    m->blocks = es_block_source_of_files(w, &n);
    m->n_others -= n;
}

static bool take_one(es_model *m, es_role role, es_weights *w, es_str *warnings, es_error *err)
{
    es_located found;
    if (!es_find_table(&found, w, role, true, warnings, err))
        return false;
    m->n_others += w->n_tensors - (found.file != NULL);
    if (found.file)
        return take(m, role, &found, err);
    return es_no_table(w, role == ES_ROLE_WTE ? "token table" : "position table", err);
}

/* ---- names ---- */

/* "gpt2" of "models/gpt2.safetensors" and of "gpt2/model.safetensors"; ready to print. */
static char *name_of(const char *path)
{
    static const char *const ends[] = {".index.json", ".safetensors"};
    size_t end = strlen(path), begin;
    es_str shown = {0}, fit = {0};
    for (;;) {
        while (end > 1 && path[end - 1] == '/')
            end--;
        for (begin = end; begin && path[begin - 1] != '/';)
            begin--;
        size_t n = end - begin;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
            size_t cut = strlen(ends[i]);
            if (n > cut && !memcmp(path + begin + n - cut, ends[i], cut))
                n -= cut;
        }
        bool says_nothing = n == 5 && !memcmp(path + begin, "model", 5) && begin > 1 &&
                            path[begin - 2] != '.' && path[begin - 2] != '/';
        if (!says_nothing) {
            es_show_prose(&shown, path + begin, n);
            break;
        }
        end = begin;
    }
    es_show_fit(&fit, es_str_text(&shown), shown.len, NAME_COLUMNS);
    es_str_free(&shown);
    return es_str_take(&fit);
}

/* The model's name, then " + " and the file of a table that is not the model's own. */
static void add_name(es_model *m, char *name)
{
    es_str all = {0};
    es_str_add(&all, "%s%s%s", m->name ? m->name : "", m->name ? " + " : "", name);
    free(m->name);
    free(name);
    m->name = es_str_take(&all);
}

/* ---- putting it together ---- */

static bool read_file(es_model *m, const char *path, const char *name, es_str *warnings,
                      es_error *err)
{
    es_weights w;
    bool ok = es_weights_open(&w, path, err);
    if (ok) {
        m->path = es_copy_string(w.path);
        add_name(m, name ? es_copy_string(name) : name_of(w.path));
        ok = take_both(m, &w, warnings, err) && take_counts(m, &w, warnings, err);
        if (ok)
            take_blocks(m, &w);
    }
    es_weights_close(&w);
    return ok;
}

static bool add_model(es_model *m, const char *name, uint64_t seed, es_str *warnings, es_error *err)
{
    if (es_is_untrained(name)) {
        m->wte_from.dtype = m->wpe_from.dtype = "float32";
        add_name(m, es_copy_string(name));
        return es_untrained(&m->wte, &m->wpe, name, seed, err);
    }
    es_str path = {0};
    bool on_shelf, ok = es_shelf_find(&path, &on_shelf, name, err) &&
                        read_file(m, path.s, on_shelf ? name : NULL, warnings, err);
    es_str_free(&path);
    return ok;
}

static bool add_table(es_model *m, es_role role, const char *path, es_str *warnings, es_error *err)
{
    es_weights w;
    bool ok = es_weights_open(&w, path, err);
    if (ok) {
        if (!m->path)
            m->path = es_copy_string(w.path);
        add_name(m, name_of(w.path));
        ok = take_one(m, role, &w, warnings, err) &&
             (role != ES_ROLE_WTE || take_counts(m, &w, warnings, err));
    }
    es_weights_close(&w);
    return ok;
}

static void no_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    (void)i;
    memset(out, 0, (size_t)C * sizeof *out);
}

/* A table that is not there has no rows, and the other's width. */
static void fill_in(es_model *m, es_str *warnings)
{
    if (!m->wte) {
        m->wte = es_table_generated(0, es_table_width(m->wpe), no_row, "", 1);
        warn(warnings, "it has no token table (wte): tokens have no tok_emb and no x, only pos_emb "
                       "is shown");
    }
    if (!m->wpe) {
        m->wpe = es_table_generated(0, es_table_width(m->wte), no_row, "", 1);
        warn(warnings, "it has no position table (wpe): there are no learned positions, none or "
                       "sinusoidal ones can be added");
    }
}

static void show_origin(es_str *out, const es_table_origin *from)
{
    if (from->path)
        es_show_prose(out, from->path, strlen(from->path));
    else
        es_str_cat(out, "the untrained model");
}

static bool widths_agree(es_model *m, es_error *err)
{
    int64_t V = es_table_rows(m->wte), C = es_table_width(m->wte);
    int64_t P = es_table_rows(m->wpe), D = es_table_width(m->wpe);
    es_str wte = {0}, wpe = {0};
    if (C == D)
        return true;
    show_origin(&wte, &m->wte_from);
    show_origin(&wpe, &m->wpe_from);
    es_fail(err, m->wte_from.path && m->wpe_from.path ? ES_ERR_FORMAT : ES_ERR_BROADCAST,
            "wte [V=%" PRId64 ", C=%" PRId64 "] of %s and wpe [P=%" PRId64 ", C=%" PRId64
            "] of %s differ in C, so their rows cannot be added",
            V, C, wte.s, P, D, wpe.s);
    es_str_free(&wte);
    es_str_free(&wpe);
    if (V == D)
        return es_hint(err, "wte looks as if it were saved the other way round, (C, V)");
    if (!m->wte_from.path || !m->wpe_from.path)
        return es_hint(err, "try: --model untrained:C=%" PRId64, m->wte_from.path ? C : D);
    return es_hint(err, "try: one of them alone, by --wte FILE or --wpe FILE");
}

/* What the numbers are, long and short: of the bundled model, */
static void describe_bundled(es_model *m)
{
    es_str about = {0};
    es_str_add(&about, "%" PRId64 " numbers a token, trained for this program, not GPT-2's own 768",
               m->config.n_embd);
    m->about = es_str_take(&about);
    m->brief = es_copy_string("not GPT-2's");
}

/* and of any other, table by table. */
static void describe_tables(es_model *m)
{
    const char *from[] = {m->wte_from.path, m->wpe_from.path};
    const char *dtype[] = {m->wte_from.dtype, m->wpe_from.dtype};
    es_str about = {0};
    bool random = false, file = false;
    for (es_role role = ES_ROLE_WTE; role <= ES_ROLE_WPE; role++) {
        bool there = dtype[role] != NULL;
        random = random || (there && !from[role]);
        file = file || from[role];
        if (!there)
            continue;
        es_str_add(&about, "%s%s ", about.len ? ", " : "", es_role_name(role));
        if (from[role])
            es_show_prose(&about, from[role], strlen(from[role]));
        else
            es_str_cat(&about, "random");
    }
    if (!file) {
        es_str_cut(&about, 0);
        es_str_cat(&about, "random numbers, nothing learned");
    }
    m->about = es_str_take(&about);
    m->brief = es_copy_string(!file ? "random" : random ? "partly random" : "from a file");
}

static bool build(es_model *m, const es_model_parts *p, es_str *warnings, es_error *err)
{
    if ((p->model && !add_model(m, p->model, p->seed, warnings, err)) ||
        (p->wte && !add_table(m, ES_ROLE_WTE, p->wte, warnings, err)) ||
        (p->wpe && !add_table(m, ES_ROLE_WPE, p->wpe, warnings, err)))
        return false;
    fill_in(m, warnings);
    if (!widths_agree(m, err))
        return false;
    m->config = (es_config){.vocab_size = es_table_rows(m->wte),
                            .n_ctx = es_table_rows(m->wpe),
                            .n_embd = es_table_width(m->wte)};
    m->bundled = p->model && es_is_bundled(p->model) && !p->wte && !p->wpe;
    if (m->bundled)
        describe_bundled(m);
    else
        describe_tables(m);
    return true;
}

es_model *es_model_build(const es_model_parts *parts, es_error *err)
{
    es_str warnings = {0};
    es_model *m = es_alloc(sizeof *m);
    atomic_init(&m->refs, 1);
    bool ok = build(m, parts, &warnings, err);
    m->warnings = warnings.len ? es_str_take(&warnings) : NULL;
    es_str_free(&warnings);
    if (ok)
        return m;
    es_model_unref(m);
    return NULL;
}

es_model *es_model_open(const char *name, uint64_t seed, es_error *err)
{
    return es_model_build(&(es_model_parts){.model = name, .seed = seed}, err);
}

/* A program that has lost its model still shows how an embedding works. */
static es_model *bundled_or_untrained(const char *name, uint64_t seed, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_str warnings = {0};
    es_model *m = es_model_open(name, seed, &why);
    if (!m && (m = es_model_open("untrained", seed, err))) {
        warn(&warnings, "stands in for %s, which cannot be read: %s", name, why.message);
        m->warnings = es_str_take(&warnings);
    }
    es_error_free(&why);
    return m;
}

es_model *es_model_usual(uint64_t seed, es_error *err)
{
    const char *usual = es_shelf_usual();
    if (es_is_bundled(usual))
        return bundled_or_untrained(usual, seed, err);
    es_model *m = es_model_open(usual, seed, err);
    if (!m)
        es_hint(err, "EMBEDSCOPE_MODEL in the environment names it; --model NAME is stronger");
    return m;
}

es_model *es_model_ref(es_model *m)
{
    m->refs++;
    return m;
}

void es_model_unref(es_model *m)
{
    if (!m || --m->refs > 0)
        return;
    es_table_unref(m->wte);
    es_table_unref(m->wpe);
    forget_origin(&m->wte_from);
    forget_origin(&m->wpe_from);
    free(m->name);
    free(m->about);
    free(m->brief);
    es_block_source_free(m->blocks);
    free(m->counts);
    free(m->path);
    free(m->warnings);
    free(m);
}

bool es_model_needs_wte(const es_model *m, es_error *err)
{
    if (m->config.vocab_size)
        return true;
    es_fail(err, ES_ERR_VALUE, "model %s has no token table (wte), so tokens have no rows",
            m->name);
    return es_hint(err, "try: --wte FILE beside it when the program starts, or :model NAME");
}

bool es_model_needs_wpe(const es_model *m, es_error *err)
{
    if (m->config.n_ctx)
        return true;
    es_fail(err, ES_ERR_VALUE, "model %s has no position table (wpe), so no learned positions",
            m->name);
    return es_hint(err,
                   "try: :positions sinusoidal or none, or --wpe FILE when the program starts");
}

int64_t es_model_count(const es_model *m, int32_t id)
{
    return m->counts && id >= 0 && id < m->config.vocab_size ? m->counts[id] : -1;
}
