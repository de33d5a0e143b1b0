// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/message.h"

#include <libintl.h>
#include <locale.h>
#include <stdbool.h>

#include "base/place.h"

static const char domain[] = "embedscope";
static bool translated;

void es_messages_begin(void)
{
    es_str folder = {0};
    translated = es_place_asset(&folder, "locale", NULL) && setlocale(LC_MESSAGES, "") &&
                 bindtextdomain(domain, folder.s) && bind_textdomain_codeset(domain, "UTF-8");
    es_str_free(&folder);
}

const char *es_translate(const char *english)
{
    return translated ? dgettext(domain, english) : english;
}
