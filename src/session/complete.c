// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/complete.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/visible.h"
#include "model/shelf.h"
#include "session/complete_tensor.h"

static void offer(es_completion *c, const char *typed, size_t n_typed, const char *word, size_t n)
{
    if (n < n_typed || memcmp(word, typed, n_typed))
        return;
    c->word = es_realloc(c->word, (c->n + 1) * sizeof *c->word);
    c->word[c->n++] = es_copy_bytes(word, n);
}

static void offer_commands(es_completion *c, es_session *s, const char *typed, size_t n, bool colon)
{
    const es_command_list *all = es_session_commands(s);
    for (size_t i = 0; i < all->n; i++) {
        es_str name = {0};
        es_str_add(&name, "%s%s", colon ? ":" : "", all->of[i]->name);
        offer(c, typed, n, name.s, name.len);
        es_str_free(&name);
    }
}

/* Words separated by spaces; those in capitals stand for something else. */
static void offer_choices(es_completion *c, const char *typed, size_t n_typed, const char *words)
{
    while (words && *words) {
        size_t n = strcspn(words, " ");
        if (*words < 'A' || *words > 'Z')
            offer(c, typed, n_typed, words, n);
        words += n + (words[n] == ' ');
    }
}

/* Choices that come and go. */
static void offer_more(es_completion *c, const es_session *s, const char *typed, size_t n_typed,
                       const es_command *command)
{
    es_str words = {0};
    command->more(s, &words);
    for (const char *at = es_str_text(&words); *at;) {
        size_t n = strcspn(at, " ");
        offer(c, typed, n_typed, at, n);
        at += n + (at[n] == ' ');
    }
    es_str_free(&words);
}

/* `:set NAME VALUE`: names, then that setting's choices. */
static void offer_settings(es_completion *c, const char *args, const char *typed, size_t n_typed)
{
    for (size_t i = 0; es_setting_at(i); i++) {
        const es_setting *setting = es_setting_at(i);
        size_t n = strlen(setting->name);
        if (args == typed)
            offer(c, typed, n_typed, setting->name, n);
        else if (!strncmp(args, setting->name, n) && args[n] == ' ' && typed == args + n + 1)
            offer_choices(c, typed, n_typed, setting->choices);
    }
}

/* ---- tokens and files ---- */

/* The word as it stands in quotes, without them. */
static void offer_quoted(es_completion *c, const char *typed, size_t n_typed, const char *word,
                         size_t n)
{
    es_str shown = {0};
    es_show_quoted(&shown, word, n);
    offer(c, typed, n_typed, shown.s + 1, shown.len - 2);
    es_str_free(&shown);
}

/* Every token that begins with what is typed; with nothing typed that would be all of them. */
static void offer_tokens(es_completion *c, const es_bpe *bpe, const char *typed, size_t n_typed)
{
    for (int32_t id = 0; n_typed && id < es_bpe_vocab_size(bpe); id++) {
        size_t n;
        const char *bytes = es_bpe_bytes(bpe, id, &n);
        if (bytes)
            offer_quoted(c, typed, n_typed, bytes, n);
    }
}

/* The folder that a path as typed names: what its quotes stand for, ~ for the home folder, "." for
 * nothing.  False while it makes no sense. */
static bool folder_of(es_str *folder, const char *typed, size_t n, bool quoted)
{
    es_str line = {0};
    es_str_cat(&line, quoted ? "\"" : "");
    es_str_bytes(&line, typed, n);
    es_str_cat(&line, quoted ? "\"" : "");
    const es_call call = {.line = es_str_text(&line), .len = line.len};
    bool ok = n == 0 || es_arg_path(&call, 0, folder, NULL);
    if (n == 0)
        es_str_cat(folder, ".");
    es_str_free(&line);
    return ok;
}

/* Can a name be typed as it is?  One with a line break, an invisible character or a blank at its end
 * cannot, nor one that begins with a quote; in quotes they all can. */
static bool stands_as_it_is(const char *name, size_t n)
{
    es_str shown = {0};
    es_show_prose(&shown, name, n);
    bool same = shown.len == n && !memcmp(shown.s, name, n);
    es_str_free(&shown);
    return same && n && name[0] != '"' && name[n - 1] != ' ';
}

static void offer_name(es_completion *c, const char *typed, size_t n_typed, const es_str *name)
{
    if (c->quoted)
        offer_quoted(c, typed, n_typed, name->s, name->len);
    else if (stands_as_it_is(name->s, name->len))
        offer(c, typed, n_typed, name->s, name->len);
}

/* The names in a folder, hidden ones only where a dot is typed; c->begin moves to the last slash. */
void es_complete_files(es_completion *c, const char *line, size_t point)
{
    const char *typed = line + c->begin, *slash = memrchr(typed, '/', point - c->begin);
    size_t n_folder = slash ? (size_t)(slash - typed) + 1 : 0;
    es_str folder = {0}, name = {0};
    DIR *dir = folder_of(&folder, typed, n_folder, c->quoted) ? opendir(folder.s) : NULL;
    c->begin += n_folder;
    typed += n_folder;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct stat st;
        bool hidden = entry->d_name[0] == '.' && *typed != '.';
        if (hidden || !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        es_str_cut(&name, 0);
        es_str_cat(&name, entry->d_name);
        if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode))
            es_str_char(&name, '/');
        offer_name(c, typed, point - c->begin, &name);
    }
    if (dir)
        closedir(dir);
    es_str_free(&name);
    es_str_free(&folder);
    c->open = !c->quoted || (c->n == 1 && c->word[0][strlen(c->word[0]) - 1] == '/');
}

/* `:model NAME`, beside file names. */
static void offer_models(es_completion *c, const char *typed, size_t n_typed)
{
    es_names names = es_shelf_names();
    for (size_t i = 0; i < names.n; i++)
        offer(c, typed, n_typed, names.of[i], strlen(names.of[i]));
    es_names_free(&names);
}

/* ---- the line ---- */

/* Where the quote that is open at `point` begins, behind it; 0: none is. */
static size_t open_quote(const char *line, size_t at, size_t point)
{
    size_t open = 0;
    for (; at < point; at++) {
        if (open && line[at] == '\\')
            at++;
        else if (line[at] == '"' && (open || line[at - 1] == ' '))
            open = open ? 0 : at + 1;
    }
    return open;
}

static void complete_argument(es_completion *c, es_session *s, const es_command *command,
                              const char *line, size_t point)
{
    size_t args = es_command_name_end(line, point) + 1, quote = open_quote(line, args, point);
    const char *typed;
    bool file = command->want == ES_WANT_FILE ? !quote || quote == args + 1
                                              : command->want == ES_WANT_TEXTS_OR_FILE && !quote;
    if (file || quote) {
        c->quoted = quote > 0;
        c->begin = quote ? quote : args;
    }
    for (; !file && !quote && c->begin > args && line[c->begin - 1] != ' ';)
        c->begin--;
    typed = line + c->begin;
    if (!quote && !strcmp(command->name, "model"))
        offer_models(c, typed, point - c->begin);
    if (file)
        es_complete_files(c, line, point);
    else if (command->want == ES_WANT_TOKEN && quote)
        offer_tokens(c, es_session_context(s)->bpe, typed, point - c->begin);
    else if (!quote && !strcmp(command->name, "set"))
        offer_settings(c, line + args, typed, point - c->begin);
    else if (!quote && command->want == ES_WANT_COMMAND && c->begin == args)
        offer_commands(c, s, typed, point - c->begin, false);
    bool anywhere =
        command->want == ES_WANT_TEXT || command->want == ES_WANT_TOKEN; /* once begun */
    if (!quote && (anywhere ? typed < line + point : c->begin == args))
        offer_choices(c, typed, point - c->begin, command->choices);
    if (!quote && c->begin == args && command->more)
        offer_more(c, s, typed, point - c->begin, command);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

es_completion es_complete(es_session *s, const char *line, size_t point)
{
    es_completion c = {.begin = point};
    bool waiting = es_session_waiting(s);
    if (es_session_collecting(s) || (point == 0 && !waiting))
        return c;
    if (waiting ||
        (line[0] != ':' && line[0] != '=' && (es_session_tensor(s) || es_session_stepping(s))))
        return es_complete_statement(s, line, 0, point);
    if (line[0] == '=')
        return es_complete_statement(s, line, 1, point);
    if (line[0] != ':')
        return c;
    size_t name_end = es_command_name_end(line, point);
    if (name_end == point) {
        c.begin = 0;
        offer_commands(&c, s, line, point, true);
        return c;
    }
    const es_command *command =
        es_command_find(es_session_commands(s), line + 1, name_end - 1, true, NULL);
    if (!command)
        return c;
    if (command->want == ES_WANT_LINE) {
        c = es_complete(s, line + name_end + 1, point - name_end - 1);
        c.begin += name_end + 1;
        return c;
    }
    if (command->want == ES_WANT_STATEMENT)
        return es_complete_statement(s, line, name_end + 1, point);
    complete_argument(&c, s, command, line, point);
    if (command->want != ES_WANT_CHOICE && c.n)
        qsort(c.word, c.n, sizeof *c.word, by_name);
    return c;
}

void es_completion_free(es_completion *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->word[i]);
    free(c->word);
    *c = (es_completion){0};
}
