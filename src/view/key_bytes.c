// SPDX-License-Identifier: GPL-3.0-or-later
/* What keys that are none of the window's are to a terminal, and so to the prompt. */
#include <string.h>

#include "view/gesture.h"

static size_t put(char *out, const char *bytes)
{
    size_t n = strlen(bytes);
    memcpy(out, bytes, n);
    return n;
}

/* As xterm sends them; with Ctrl, where that means a step of a word. */
static const char *sequence(const char *key, unsigned held)
{
    static const struct {
        const char *key, *plain, *ctrl;
    } keys_of[] = {
        {"Return", "\r", "\r"},
        {"Keypad Enter", "\r", "\r"},
        {"Backspace", "\x7f", "\x08"},
        {"Tab", "\t", NULL},
        {"Delete", "\x1b[3~", "\x1b[3;5~"},
        {"Insert", "\x1b[2~", NULL},
        {"Left", "\x1b[D", "\x1b[1;5D"},
        {"Right", "\x1b[C", "\x1b[1;5C"},
        {"Up", "\x1b[A", NULL},
        {"Down", "\x1b[B", NULL},
        {"Home", "\x1b[H", NULL},
        {"End", "\x1b[F", NULL},
        {"PageUp", "\x1b[5~", NULL},
        {"PageDown", "\x1b[6~", NULL},
    };
    for (size_t i = 0; i < sizeof keys_of / sizeof *keys_of; i++)
        if (!strcmp(key, keys_of[i].key))
            return held & ES_HELD_CTRL ? keys_of[i].ctrl : keys_of[i].plain;
    return NULL;
}

/* Ctrl with a letter, Alt with any character: 0 where neither is held, for then it comes as text. */
static size_t one_character(char out[8], char key, unsigned held)
{
    bool letter = key >= 'A' && key <= 'Z', shift = held & ES_HELD_SHIFT;
    size_t n = 0;
    if (held & ES_HELD_ALT)
        out[n++] = '\x1b';
    if (held & ES_HELD_CTRL) {
        if (!letter && !strchr("[\\]^_/", key))
            return 0;
        out[n++] = key == '/' ? '\x1f' : (char)(key & 0x1f);
    } else if (n) {
        out[n++] = letter && !shift ? (char)(key | 0x20) : key;
    }
    return n;
}

size_t es_key_bytes(char out[8], const char *key, unsigned held)
{
    const char *bytes = sequence(key, held);
    if (!strcmp(key, "Tab") && (held & ES_HELD_SHIFT))
        return put(out, "\x1b[Z");
    if (bytes && (held & ES_HELD_ALT) && strlen(bytes) == 1) { /* Alt+Backspace takes a word */
        out[0] = '\x1b';
        return 1 + put(out + 1, bytes);
    }
    if (bytes)
        return put(out, bytes);
    return key[0] > ' ' && key[0] < 0x7f && !key[1] ? one_character(out, key[0], held) : 0;
}
