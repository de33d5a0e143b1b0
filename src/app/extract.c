// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/extract.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/signals.h"
#include "app/status.h"
#include "base/visible.h"
#include "model/tables.h"

enum { LENGTH = 8, ALIGNED = 64, N_TABLES = 2 };

/* ---- where to ---- */

static bool refuse(const char *out, const char *why, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, out, strlen(out));
    es_fail(err, ES_ERR_IO, "cannot write %s: %s", shown.s, why);
    es_str_free(&shown);
    return es_hint(err, "try: another name after -o");
}

/* Not onto a file it is read from, by whatever name or link, nor onto what is no file. */
static bool may_write(const char *out, const es_weights *w, es_error *err)
{
    struct stat there, input;
    if (stat(out, &there))
        return errno == ENOENT || es_file_error(err, "write", out, errno);
    if (S_ISDIR(there.st_mode))
        return refuse(out, "it is a folder", err);
    if (!S_ISREG(there.st_mode))
        return refuse(out, "it is a device, not a file", err);
    for (size_t i = 0; i <= w->n_files; i++) {
        const char *path = i < w->n_files ? w->file[i]->path : w->path;
        if (!stat(path, &input) && input.st_dev == there.st_dev && input.st_ino == there.st_ino)
            return refuse(out, "it is the file the tables are read from", err);
    }
    return true;
}

/* ---- what ---- */

/* The header that says where the tables lie, GPT-2's names and the file's formats; spaces at its end so
 * that they begin at a multiple of 64 bytes. */
static void write_header(es_str *header, const es_located found[N_TABLES])
{
    uint64_t at = 0;
    es_str_fill(header, '\0', LENGTH);
    es_str_char(header, '{');
    for (es_role role = ES_ROLE_WTE; role <= ES_ROLE_WPE; role++) {
        const es_stored *t = found[role].tensor;
        if (!t)
            continue;
        es_str_add(header,
                   "%s\"%s.weight\":{\"dtype\":\"%s\",\"shape\":[%" PRId64 ",%" PRId64
                   "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}",
                   at ? "," : "", es_role_name(role), t->type->name, t->dim[0], t->dim[1], at,
                   at + t->bytes);
        at += t->bytes;
    }
    es_str_char(header, '}');
    es_str_fill(header, ' ', (ALIGNED - header->len % ALIGNED) % ALIGNED);
    for (size_t i = 0; i < LENGTH; i++)
        header->s[i] = (char)((header->len - LENGTH) >> 8 * i);
}

static bool find_tables(es_located found[N_TABLES], es_weights *w, es_error *err)
{
    es_str warnings = {0};
    bool ok = true;
    for (es_role role = ES_ROLE_WTE; ok && role <= ES_ROLE_WPE; role++) {
        ok = es_find_table(&found[role], w, role, false, &warnings, err);
        if (!ok || !found[role].file)
            continue;
        es_table *t = es_safetensors_table(found[role].file, found[role].tensor, err);
        ok = t != NULL; /* what is written can be read again */
        es_table_unref(t);
    }
    es_str_free(&warnings);
    if (ok && !found[ES_ROLE_WTE].file && !found[ES_ROLE_WPE].file)
        ok = es_no_table(w, "token or position table", err);
    return ok;
}

static void report(const char *out, const es_located found[N_TABLES], size_t bytes)
{
    es_str line = {0};
    es_show_prose(&line, out, strlen(out));
    es_str_cat(&line, ": ");
    for (es_role role = ES_ROLE_WTE; role <= ES_ROLE_WPE; role++) {
        const es_stored *t = found[role].tensor;
        if (!t)
            continue;
        es_str_add(&line, "%s.weight ", es_role_name(role));
        es_stored_shape(&line, t);
        es_str_add(&line, " %s, ", t->type->name);
    }
    es_str_add(&line, "%zu bytes\n", bytes);
    fputs(line.s, stdout);
    es_str_free(&line);
}

static int extract(es_weights *w, const es_options *o, es_error *err)
{
    es_located found[N_TABLES] = {{0}};
    es_str header = {0};
    es_watch watch = {.stop = es_signals_interrupt()};
    if (!es_weights_open(w, o->file[0], err) || !find_tables(found, w, err))
        return ES_STATUS_UNREADABLE;
    if (!may_write(o->output, w, err))
        return ES_STATUS_FAILED;
    write_header(&header, found);
    es_piece pieces[1 + N_TABLES] = {{header.s, header.len}};
    size_t bytes = header.len, n = 1;
    for (int i = 0; i < N_TABLES; i++) {
        const es_stored *t = found[i].tensor;
        if (!t)
            continue;
        pieces[n++] = (es_piece){found[i].file->data + t->begin, (size_t)t->bytes};
        bytes += (size_t)t->bytes;
    }
    bool ok = es_file_replace_pieces(o->output, pieces, n, 0666, &watch, err);
    if (ok)
        report(o->output, found, bytes);
    es_str_free(&header);
    return ok                                ? ES_STATUS_OK
           : err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED
                                             : ES_STATUS_FAILED;
}

int es_extract(const es_options *o, es_error *err)
{
    es_weights w = {0};
    es_signals_catch_interrupt();
    int status = extract(&w, o, err);
    es_weights_close(&w);
    return status;
}
