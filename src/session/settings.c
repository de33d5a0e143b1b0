// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/message.h"
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

static void get_choice(es_str *value, es_choice choice, const char *never)
{
    es_str_cat(value, choice == ES_AUTO ? "auto" : choice == ES_ALWAYS ? "always" : never);
}

static bool read_choice(es_choice *to, const char *value, const char *never)
{
    bool ok = !strcmp(value, "auto") || !strcmp(value, "always") || !strcmp(value, never);
    if (ok)
        *to = value[1] == 'u' ? ES_AUTO : value[0] == 'a' ? ES_ALWAYS : ES_NEVER;
    return ok;
}

static void get_big(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->big ? "on" : "off");
}

static bool set_big(es_settings *s, const char *value)
{
    return read_switch(&s->big, value, "on", "off");
}

static void get_colour(const es_settings *s, es_str *value)
{
    get_choice(value, s->colour, "never");
}

static bool set_colour(es_settings *s, const char *value)
{
    return read_choice(&s->colour, value, "never");
}

static void get_motion(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->still ? "off" : "on");
}

static bool set_motion(es_settings *s, const char *value)
{
    return read_switch(&s->still, value, "off", "on");
}

static void get_numbers(const es_settings *s, es_str *value)
{
    if (s->digits == 0 || s->digits == ES_FULL_DIGITS)
        es_str_cat(value, s->digits ? "full" : "short");
    else
        es_str_add(value, "%d", s->digits);
}

static bool set_numbers(es_settings *s, const char *value)
{
    long n = !strcmp(value, "full") ? ES_FULL_DIGITS : 0;
    bool ok = n || !strcmp(value, "short") || read_number(&n, value, 1, ES_FULL_DIGITS);
    if (ok)
        s->digits = (int)n;
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

static void get_pager(const es_settings *s, es_str *value)
{
    get_choice(value, s->pager, "off");
}

static bool set_pager(es_settings *s, const char *value)
{
    return read_choice(&s->pager, value, "off");
}

static const char *const palettes[] = {"dark", "light", "print"}; /* the first is the default */

static void get_palette(const es_settings *s, es_str *value)
{
    es_str_cat(value, es_palette_of(s));
}

static bool set_palette(es_settings *s, const char *value)
{
    for (size_t i = 0; i < sizeof palettes / sizeof *palettes; i++)
        if (!strcmp(palettes[i], value)) {
            s->palette = palettes[i];
            return true;
        }
    return false;
}

static void get_plain(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->plain ? "on" : "off");
}

static bool set_plain(es_settings *s, const char *value)
{
    return read_switch(&s->plain, value, "on", "off");
}

static void get_shapes(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->shapes_only ? "only" : "computed");
}

/* "off" is what a message suggests, "computed" what the list says. */
static bool set_shapes(es_settings *s, const char *value)
{
    return read_switch(&s->shapes_only, value, "only", "computed") ||
           read_switch(&s->shapes_only, value, "only", "off");
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

static void get_strict(const es_settings *s, es_str *value)
{
    es_str_cat(value, s->strict ? "on" : "off");
}

static bool set_strict(es_settings *s, const char *value)
{
    return read_switch(&s->strict, value, "on", "off");
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
    {"big", "on off", "for a projector: at most 60 columns, strong colours, one thing at a time",
     get_big, set_big},
    {"color", "auto always never", "colours in answers; NO_COLOR turns auto off", get_colour,
     set_colour},
    {"motion", "on off", "progress lines and whatever else moves; off says once what is being done",
     get_motion, set_motion},
    {"numbers", "short full DIGITS",
     "the numbers of a vector: full tells any two float32 apart, DIGITS is 1 to 9", get_numbers,
     set_numbers},
    {"pad", "endoftext ID", "the id that fills the short rows of a :batch", get_pad, set_pad},
    {"pad-side", "left right", "where a :batch is padded", get_side, set_side},
    {"pager", "auto off always", "answers longer than the screen, through $PAGER", get_pager,
     set_pager},
    {"palette", "dark light print",
     "colours of pictures, in each told apart without red and green; print is for paper",
     get_palette, set_palette},
    {"plain", "on off", "name: value lines without bars or grids, for screen readers and logs",
     get_plain, set_plain},
    {"shapes", "computed only",
     "tensor mode: with only, nothing is computed and tensors of any size are shapes without "
     "numbers",
     get_shapes, set_shapes},
    {"spaces", "marked quoted", "tokens as \u2423cat or as \" cat\"", get_spaces, set_spaces},
    {"special", "on off", "read <|endoftext|> in a text as that one token", get_special,
     set_special},
    {"strict", "on off",
     "tensor mode: axes with different names that meet are an error, not a note", get_strict,
     set_strict},
    {"width", "auto COLUMNS", "how wide answers may be, 40 to 1000", get_width, set_width},
};
_Static_assert(sizeof settings / sizeof *settings <= ES_MAX_SETTINGS, "es_settings.origin");

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
    size_t n = strcspn(name, "="); /* of big=on, the name */
    int least = es_slip(n);
    es_show_brief(&shown, name, strlen(name));
    for (size_t i = 0; es_setting_at(i); i++) {
        const char *other = es_setting_at(i)->name;
        int d = es_distance(name, n, other, strlen(other), least);
        if (n && !strncmp(name, other, n)) /* a beginning of it, or all of it */
            d = 0;
        if (d < least) {
            least = d;
            meant = other;
        }
        es_str_add(&all, "%s%s", i ? ", " : "", other);
    }
    es_fail(err, ES_ERR_NAME, "there is no setting %s", shown.s);
    if (meant && name[n])
        es_hint(err, "try: :set %s VALUE, with a space", meant);
    else if (meant)
        es_hint(err, "did you mean %s ?", meant);
    es_hint(err, "settings: %s", all.s);
    es_str_free(&shown);
    es_str_free(&all);
    return false;
}

/* Which setting is called so; ES_MAX_SETTINGS if none is. */
static size_t find(const char *name)
{
    for (size_t i = 0; es_setting_at(i); i++)
        if (!strcmp(es_setting_at(i)->name, name))
            return i;
    return ES_MAX_SETTINGS;
}

bool es_settings_set(es_settings *s, const char *name, const char *value, es_origin origin,
                     es_error *err)
{
    size_t i = find(name);
    if (i == ES_MAX_SETTINGS)
        return unknown(name, err);
    es_settings changed = *s;
    if (settings[i].set(&changed, value)) {
        bool gives_way = origin == ES_FROM_STARTUP_FILE && s->origin[i] == ES_FROM_COMMAND_LINE;
        changed.origin[i] = (unsigned char)origin;
        *s = gives_way ? *s : changed;
        return true;
    }
    es_str shown = {0}, choices = {0};
    es_show_brief(&shown, value, strlen(value));
    es_setting_choices(&settings[i], &choices);
    es_fail(err, ES_ERR_VALUE, "%s cannot be %s", name, shown.s);
    es_hint(err, "try: %s; %s", choices.s, es_translate(settings[i].help));
    es_str_free(&shown);
    es_str_free(&choices);
    return false;
}

const char *es_palette_of(const es_settings *s)
{
    return s->palette ? s->palette : palettes[0];
}

const char *es_origin_name(es_origin origin)
{
    static const char *const names[] = {"default", "rc file", "option", "typed"};
    return names[origin];
}
