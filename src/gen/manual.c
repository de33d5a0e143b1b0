// SPDX-License-Identifier: GPL-3.0-or-later
/* Writes the manual page to standard output: manual > embedscope.1 */
#include <stdio.h>
#include <stdlib.h>

#include "app/doctor.h"
#include "app/manual.h"
#include "lesson/player.h"
#include "repl/cmd_repl.h"
#include "view/viewer.h"

int main(void)
{
    es_error err = ES_ERROR_NONE;
    es_str page = {0};
    const es_session_options options = {.settings.pad = -1};
    es_session *s = es_session_new(&options, &err);
    if (!s) {
        fprintf(stderr, "manual: %s\n", err.message);
        return EXIT_FAILURE;
    }
    es_add_repl_commands(s);
    es_add_doctor(s);
    es_viewer *v = es_viewer_new(s);
    es_player *player = es_player_new(s);
    es_manual(&page, es_session_commands(s));
    bool ok = fputs(page.s, stdout) >= 0 && fclose(stdout) == 0;
    es_str_free(&page);
    es_player_free(player);
    es_viewer_free(v);
    es_session_free(s);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
