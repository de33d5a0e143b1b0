// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/keys.h"

#include <string.h>

#include "view/gesture.h"

unsigned es_keys_held(SDL_Keymod mod)
{
    return (mod & KMOD_SHIFT ? ES_HELD_SHIFT : 0u) | (mod & KMOD_CTRL ? ES_HELD_CTRL : 0u) |
           (mod & KMOD_LALT ? ES_HELD_ALT : 0u);
}

const char *es_keys_name(const SDL_Keysym *key)
{
    static const struct {
        SDL_Keycode pad;
        const char *name;
    } pads[] = {
        {SDLK_KP_0, "Insert"},      {SDLK_KP_1, "End"},  {SDLK_KP_2, "Down"},
        {SDLK_KP_3, "PageDown"},    {SDLK_KP_4, "Left"}, {SDLK_KP_6, "Right"},
        {SDLK_KP_7, "Home"},        {SDLK_KP_8, "Up"},   {SDLK_KP_9, "PageUp"},
        {SDLK_KP_PERIOD, "Delete"},
    };
    if (key->sym == SDLK_KP_ENTER)
        return "Return";
    for (size_t i = 0; i < sizeof pads / sizeof *pads; i++)
        if (key->sym == pads[i].pad && !(key->mod & KMOD_NUM))
            return pads[i].name;
    bool letter = key->sym > 0x7F && !(key->sym & SDLK_SCANCODE_MASK);
    if (letter && (key->mod & (KMOD_CTRL | KMOD_LALT)))
        return SDL_GetScancodeName(key->scancode);
    return SDL_GetKeyName(key->sym);
}

/* ---- pasted text ---- */

static bool may_stand(char c)
{
    return (unsigned char)c >= ' ' ? c != 0x7F : c == '\t';
}

static void insert(es_session *s, const char *text, size_t n)
{
    es_str line = {0};
    for (size_t i = 0; i < n; i++)
        if (may_stand(text[i]))
            es_str_char(&line, text[i]);
    if (line.len)
        es_session_post(s, ES_MESSAGE_INSERT, line.s, line.len);
    es_str_free(&line);
}

void es_keys_paste(es_session *s, const char *text, size_t n)
{
    for (const char *end = text + n; text < end;) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        insert(s, text, (size_t)((newline ? newline : end) - text));
        if (!newline)
            return;
        es_session_post(s, ES_MESSAGE_TYPE, "\r", 1);
        text = newline + 1;
    }
}
