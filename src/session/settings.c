// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/visible.h"
#include "session/style.h"

static bool read_switch(bool *to, const char *value, const char *on, const char *off)
{
    bool is_on = !strcmp(value, on);
    if (!is_on && strcmp(value, off))
        return false;
    *to = is_on;
    return true;
}

static bool read_number(long *to, const char *value, long low, long high)
{
    char *end;
    long n = strtol(value, &end, 10);
    if (!*value || *end || n < low || n > high)
        return false;
    *to = n;
    return true;
}

static void get_colour(const es_settings *s, es_str *value)
{
    static const char *const names[] = {"auto", "always", "never"};
    es_str_cat(value, names[s->colour]);
}

static bool set_colour(es_settings *s, const char *value)
{
    bool ok = !strcmp(value, "auto") || !strcmp(value, "always") || !strcmp(value, "never");
    if (ok)
        s->colour = value[1] == 'u' ? ES_AUTO : value[0] == 'a' ? ES_ALWAYS : ES_NEVER;
    return ok;
}

static void get_pad(const es_settings *s, es_str *value)
{
    if (s->pad < 0)
        es_str_cat(value, "endoftext");
    else
        es_str_add(value, "%d", (int)s->pad);
}

static bool set_pad(es_settings *s, const char *value)
{
    long id = -1;
    bool ok = !strcmp(value, "endoftext") || read_number(&id, value, 0, INT32_MAX);
    if (ok)
        s->pad = (int32_t)id;
    return ok;
}

static void get_side(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->pad_left ? "left" : "right");
}

static bool set_side(es_settings *s, const char *value)
{
    return read_switch(&s->pad_left, value, "left", "right");
}

static void get_plain(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->plain ? "on" : "off");
}

static bool set_plain(es_settings *s, const char *value)
{
    return read_switch(&s->plain, value, "on", "off");
}

static void get_spaces(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->quoted ? "quoted" : "marked");
}

static bool set_spaces(es_settings *s, const char *value)
{
    return read_switch(&s->quoted, value, "quoted", "marked");
}

static void get_special(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->special ? "on" : "off");
}

static bool set_special(es_settings *s, const char *value)
{
    return read_switch(&s->special, value, "on", "off");
}

static void get_width(const es_settings *s, es_str *value)
{
    if (s->width)
        es_str_add(value, "%d", s->width);
    else
        es_str_cat(value, "auto");
}

static bool set_width(es_settings *s, const char *value)
{
    long n = 0;
    bool ok = !strcmp(value, "auto") || read_number(&n, value, ES_MIN_WIDTH, ES_MAX_WIDTH);
    if (ok)
        s->width = (int)n;
    return ok;
}

static const es_setting settings[] = {
    {"color", "auto always never", "colours in answers; NO_COLOR turns auto off", get_colour,
     set_colour},
    {"pad", "endoftext ID", "the id that fills the short rows of a :batch", get_pad, set_pad},
    {"pad-side", "left right", "where a :batch is padded", get_side, set_side},
    {"plain", "on off", "name: value lines without bars or grids, for screen readers and logs",
     get_plain, set_plain},
    {"spaces", "marked quoted", "tokens as \u2423cat or as \" cat\"", get_spaces, set_spaces},
    {"special", "on off", "read <|endoftext|> in a text as that one token", get_special,
     set_special},
    {"width", "auto COLUMNS", "how wide answers may be, 40 to 1000", get_width, set_width},
};

const es_setting *es_setting_at(size_t i)
{
    return i < sizeof settings / sizeof *settings ? &settings[i] : NULL;
}

void es_setting_choices(const es_setting *setting, es_str *out)
{
    for (const char *s = setting->choices; *s;) {
        size_t n = strcspn(s, " ");
        bool last = !s[n];
        es_str_cat(out, s == setting->choices ? "" : last ? " or " : ", ");
        es_str_bytes(out, s, n);
        s += n + !last;
    }
}

static bool unknown(const char *name, es_error *err)
{
    es_str shown = {0}, all = {0};
    const char *meant = NULL;
    int least = es_slip(strlen(name));
    es_show_brief(&shown, name, strlen(name));
    for (size_t i = 0; es_setting_at(i); i++) {
        const char *other = es_setting_at(i)->name;
        int d = es_distance(name, strlen(name), other, strlen(other), least);
        if (d < least) {
            least = d;
            meant = other;
        }
        es_str_add(&all, "%s%s", i ? ", " : "", other);
    }
    es_fail(err, ES_ERR_NAME, "there is no setting %s", shown.s);
    if (meant)
        es_hint(err, "did you mean %s ?", meant);
    es_hint(err, "settings: %s", all.s);
    es_str_free(&shown);
    es_str_free(&all);
    return false;
}

bool es_settings_set(es_settings *s, const char *name, const char *value, es_error *err)
{
    const es_setting *found = NULL;
    for (size_t i = 0; !found && es_setting_at(i); i++)
        if (!strcmp(es_setting_at(i)->name, name))
            found = es_setting_at(i);
    if (!found)
        return unknown(name, err);
    if (found->set(s, value))
        return true;
    es_str shown = {0}, choices = {0};
    es_show_brief(&shown, value, strlen(value));
    es_setting_choices(found, &choices);
    es_fail(err, ES_ERR_VALUE, "%s cannot be %s", name, shown.s);
    es_hint(err, "try: %s; %s", choices.s, found->help);
    es_str_free(&shown);
    es_str_free(&choices);
    return false;
}
