// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/sha256.h"
#include "lesson/player.h"
#include "repl/prompt.h"
#include "repl/script.h"
#include "session/devices.h"
#include "session/numbers.h"
#include "session/results.h"
#include "view/module.h"

static void add(es_list *l, const char *what, const char *found)
{
    es_list_add(l, "%s", what);
    es_list_add(l, "%s", found);
}

static void add_devices(es_list *l)
{
    es_devices all;
    es_str said = {0};
    es_devices_list(&all);
    for (int i = 0; i < all.n; i++) {
        const es_device *d = &all.of[i];
        es_list_add(l, "device");
        es_show_device(&said, d, 0);
        es_list_add(l, "%s: %s", d->name, es_str_text(&said));
        es_str_free(&said);
    }
    if (*all.none) {
        es_list_add(l, "device");
        es_list_add(l, "gpu: none: %s", all.none);
    }
}

/* ---- assets ---- */

/* Its size, and whether it is the file that was released. */
static void add_checked(es_list *l, const char *path, const char *sha256)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    es_list_add(l, "asset");
    if (es_file_open(&f, path, &err)) {
        char is[ES_SHA256_DIGITS + 1];
        es_str size = {0};
        es_sha256(is, f.data, f.size);
        es_show_bytes(&size, (double)f.size);
        es_list_add(l, "%s, %s, %s", path, size.s,
                    strcmp(is, sha256) ? "not as released: its sha256 is another" : "as released");
        es_str_free(&size);
        es_file_close(&f);
    } else
        es_list_add(l, "%s", err.message);
    es_error_free(&err);
}

/* An asset by name; sha256 NULL: it differs from machine to machine. */
static void add_asset(es_list *l, const char *name, const char *sha256)
{
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    if (!es_place_asset(&path, name, &err))
        add(l, "asset", err.message);
    else if (sha256)
        add_checked(l, path.s, sha256);
    else
        add(l, "asset", path.s);
    es_error_free(&err);
    es_str_free(&path);
}

/* The list of checksums is as sha256sum reads it: digits, two spaces, a name. */
static void add_released(es_list *l)
{
    es_str path = {0};
    es_error err = ES_ERROR_NONE;
    es_file f;
    if (!es_place_asset(&path, "checksums", &err) || !es_file_open(&f, path.s, &err)) {
        add(l, "asset", err.message);
        es_error_free(&err);
        es_str_free(&path);
        return;
    }
    const size_t before = ES_SHA256_DIGITS + 2;
    for (const char *line = (const char *)f.data, *end = line + f.size; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);
        if (n > before) {
            char *sha256 = es_copy_bytes(line, ES_SHA256_DIGITS);
            char *name = es_copy_bytes(line + before, n - before);
            add_asset(l, name, sha256);
            free(sha256);
            free(name);
        }
        line += n + 1;
    }
    es_file_close(&f);
    es_str_free(&path);
}

static void add_assets(es_list *l, const es_context *c)
{
    add_asset(l, "bpe/gpt2.tables", NULL);
    add_released(l);
    es_list_add(l, "vocabulary");
    es_list_add(l, "%s, %d merges, V=%d", c->vocab, (int)es_bpe_n_merges(c->bpe),
                (int)es_bpe_vocab_size(c->bpe));
}

/* ---- the rest ---- */

static void add_pictures(es_list *l)
{
    es_str window = {0}, fonts = {0};
    es_module_doctor(&window, &fonts);
    add(l, "window", es_str_text(&window));
    add(l, "fonts", es_str_text(&fonts));
    es_str_free(&window);
    es_str_free(&fonts);
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

static void add_lessons(es_list *l, const es_session *s)
{
    es_player *p = es_player_of(s);
    int done, all;
    if (!p || !es_player_count(p, &done, &all))
        return;
    es_list_add(l, "lessons");
    es_list_add(l, "%d of %d done", done, all);
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
    add_pictures(&l);
    add_assets(&l, c);
    add_terminal(&l);
    add_state(&l);
    add_lessons(&l, call->session);
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
};

void es_add_doctor(es_session *s)
{
    es_session_add_commands(s, commands, sizeof commands / sizeof *commands);
}
