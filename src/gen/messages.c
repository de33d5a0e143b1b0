// SPDX-License-Identifier: GPL-3.0-or-later
/* Writes what the program's tables say (commands, settings, options) as strings of C, for xgettext: messages > FILE */
#include <stdio.h>
#include <stdlib.h>

#include "app/doctor.h"
#include "app/options.h"
#include "app/train_options.h"
#include "lesson/player.h"
#include "repl/cmd_repl.h"
#include "session/session.h"
#include "session/settings.h"
#include "view/viewer.h"

static void put(const char *text)
{
    if (!text || !*text)
        return;
    fputs("ES_TEXT(\"", stdout);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", stdout);
        else
            printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    puts("\")");
}

int main(void)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options options = {.settings.pad = -1};
    es_session *s = es_session_new(&options, &err);
    if (!s) {
        fprintf(stderr, "messages: %s\n", err.message);
        return EXIT_FAILURE;
    }
    es_add_repl_commands(s);
    es_add_doctor(s);
    es_viewer *v = es_viewer_new(s);
    es_player *player = es_player_new(s);
    const es_command_list *all = es_session_commands(s);
    for (size_t i = 0; i < all->n; i++) {
        put(all->of[i]->summary);
        put(all->of[i]->help);
    }
    for (size_t i = 0; es_setting_at(i); i++)
        put(es_setting_at(i)->help);
    for (size_t i = 0; es_option_at(i); i++)
        put(es_option_at(i)->help);
    es_option of_train;
    for (size_t i = 0; es_train_option_at(i, &of_train); i++)
        put(of_train.help);
    es_player_free(player);
    es_viewer_free(v);
    es_session_free(s);
    return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
