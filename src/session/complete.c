// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/shelf.h"

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

/* `:model NAME`, beside file names. */
static void offer_models(es_completion *c, const char *typed, size_t n_typed)
{
    es_names names = es_shelf_names();
    for (size_t i = 0; i < names.n; i++)
        offer(c, typed, n_typed, names.of[i], strlen(names.of[i]));
    es_names_free(&names);
}

es_completion es_complete(es_session *s, const char *line, size_t point)
{
    es_completion c = {.begin = point};
    if (point == 0 || line[0] != ':')
        return c;
    size_t name_end = es_command_name_end(line, point);
    if (name_end == point) {
        c.begin = 0;
        offer_commands(&c, s, line, point, true);
        return c;
    }
    const es_command *command =
        es_command_find(es_session_commands(s), line + 1, name_end - 1, true, NULL);
    while (c.begin > name_end + 1 && line[c.begin - 1] != ' ')
        c.begin--;
    const char *args = line + name_end + 1, *typed = line + c.begin;
    if (!command)
        return c;
    if (!strcmp(command->name, "set"))
        offer_settings(&c, args, typed, point - c.begin);
    else if (!strcmp(command->name, "model") && typed == args)
        offer_models(&c, typed, point - c.begin);
    else if (command->want == ES_WANT_COMMAND && typed == args)
        offer_commands(&c, s, typed, point - c.begin, false);
    else if (command->want == ES_WANT_CHOICE
                 ? typed == args
                 : command->want == ES_WANT_TEXT && typed < line + point)
        offer_choices(&c, typed, point - c.begin, command->choices);
    c.files = command->want == ES_WANT_FILE;
    return c;
}

void es_completion_free(es_completion *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->word[i]);
    free(c->word);
    *c = (es_completion){0};
}
