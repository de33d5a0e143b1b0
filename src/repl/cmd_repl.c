// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/cmd_repl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/place.h"
#include "base/visible.h"
#include "repl/prompt.h"
#include "repl/script.h"
#include "session/results.h"

/* ---- run ---- */

static bool run_run(es_call *call, es_error *err)
{
    es_str path = {0};
    if (call->args >= call->len)
        return es_call_usage(call, err);
    bool ok = es_arg_path(call, call->args, &path, err);
    if (ok) {
        es_outcome o = es_script_run_file(call->session, es_str_text(&path), call->sink, err);
        ok = o != ES_FAILED;
        if (!ok && err->code != ES_OK)
            es_error_locate(err, call->args, call->len);
    }
    es_str_free(&path);
    return ok;
}

/* ---- history ---- */

static bool run_history(es_call *call, es_error *err)
{
    static const char *const columns[] = {"line"};
    static const es_kind kind = {"history", es_list_show, es_list_json, es_list_forget};
    es_arg arg;
    size_t at = call->args, n = es_history_count();
    int64_t most = (int64_t)n;
    int found = es_arg_next(call, &at, &arg, err);
    bool ok = found >= 0;
    if (found > 0) {
        ok = es_arg_end(call, at, err) &&
             es_arg_int(&arg, "N of :history", 1, INT32_MAX, &most, err);
        es_str_free(&arg.value);
    }
    if (!ok)
        return false;
    size_t first = (size_t)most < n ? n - (size_t)most : 0;
    es_list l = {
        .key = "lines", .align = "w", .columns = columns, .counted = true, .first = first + 1};
    for (size_t i = first; i < n; i++)
        es_list_add_bytes(&l, es_history_line(i), strlen(es_history_line(i)));
    es_call_answer(call, es_result_list(&kind, &l));
    return true;
}

/* ---- doctor ---- */

static void add(es_list *l, const char *what, const char *found)
{
    es_list_add(l, "%s", what);
    es_list_add(l, "%s", found);
}

static void add_devices(es_list *l)
{
    for (int i = 0; es_backend_at(i); i++) {
        es_list_add(l, "device");
        es_list_add(l, "%s: %s", es_backend_at(i)->device, es_backend_at(i)->about);
    }
    add(l, "device", "gpu: none, this version has no GPU backend");
}

static void add_assets(es_list *l, const es_context *c)
{
    static const char *const names[] = {"bpe/gpt2.tables", "bpe/gpt2.vocab.bpe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_str path = {0};
        es_error err = ES_ERROR_NONE;
        if (es_place_asset(&path, names[i], &err))
            add(l, "asset", path.s);
        else
            add(l, "asset", err.message);
        es_error_free(&err);
        es_str_free(&path);
    }
    es_list_add(l, "vocabulary");
    es_list_add(l, "%s, %d merges, V=%d", c->vocab, (int)es_bpe_n_merges(c->bpe),
                (int)es_bpe_vocab_size(c->bpe));
}

static void add_terminal(es_list *l)
{
    const char *term = getenv("TERM"), *lang = getenv("LANG");
    es_list_add(l, "terminal");
    es_list_add(l, "%s, TERM=%s, LANG=%s, prompt by %s",
                isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? "yes" : "no", term ? term : "",
                lang ? lang : "", es_prompt_library());
}

static void add_startup(es_list *l)
{
    es_str path = {0};
    bool place = es_script_startup_path(&path);
    es_list_add(l, "startup");
    es_list_add(l, "%s%s", place ? path.s : "no place for one",
                place && access(path.s, F_OK) ? ", not there" : "");
    es_str_free(&path);
}

static void add_state(es_list *l)
{
    es_str path = {0};
    size_t n = es_history_saved(&path);
    es_list_add(l, "history");
    es_list_add(l, "%zu lines in %s", n, path.len ? path.s : "no file");
    es_str_free(&path);
}

static bool run_doctor(es_call *call, es_error *err)
{
    static const char *const columns[] = {"what", "found"};
    static const es_kind kind = {"doctor", es_list_show, es_list_json, es_list_forget};
    if (!es_arg_end(call, call->args, err))
        return false;
    const es_context *c = es_session_context(call->session);
    es_list l = {.key = "checks", .align = "lw", .columns = columns};
    add(&l, "embedscope", ES_VERSION);
    es_list_add(&l, "in use");
    es_list_add(&l, "%s: %s", es_context_device(c), c->layer.be->about);
    add_devices(&l);
    es_list_add(&l, "model");
    es_list_add(&l, "%s: %s", c->model->name, c->model->about);
    add_assets(&l, c);
    add_terminal(&l);
    add_state(&l);
    add_startup(&l);
    es_call_answer(call, es_result_list(&kind, &l));
    return true;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "doctor",
     .args = "",
     .summary = "what was found: BLAS, devices, assets, terminal, state",
     .example = ":doctor",
     .run = run_doctor},
    {.group = "the program",
     .name = "history",
     .args = "[N]",
     .summary = "the lines typed so far, or the last N",
     .example = ":history 5",
     .run = run_history},
    {.group = "the program",
     .name = "run",
     .args = "PATH",
     .summary = "run a file of lines as if typed",
     .help = "A first line that begins with #! is skipped. The file stops at the first line that "
             "fails, "
             "unless the program was started with --keep-going.",
     .want = ES_WANT_FILE,
     .run = run_run},
};

void es_add_repl_commands(es_session *s)
{
    es_session_add_commands(s, commands, sizeof commands / sizeof *commands);
}
