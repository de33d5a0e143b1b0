// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/colour.h"

#include <math.h>
#include <string.h>

enum { STOPS = 9 };

/* A palette with its scales.  Their stops lie on straight lines in CIELAB, equally far apart, so equal differences of
 * numbers look equal; the diverging ones begin next to the ground and grow equally light or dark both ways.  The
 * sequential ones go from blue to yellow as cividis does (Nunez, Anderton and Renslow, PLOS ONE 13(7), 2018), cut to
 * what stands out from the ground. */
typedef struct theme {
    es_palette palette;               /* first: a palette is a theme */
    es_argb cold[STOPS], warm[STOPS]; /* from 0 to -1, from 0 to 1 */
    es_argb sequential[STOPS];
} theme;

static const theme themes[] = {
    {.palette = {.name = "dark",
                 .ground = 0xFF12161C,
                 .panel = 0xFF1A2029,
                 .edge = 0xFF3A4452,
                 .ink = 0xFFE8ECF2,
                 .dim = 0xFFA9B4C2,
                 .faint = 0xFF8995A5,
                 .strong = 0xFFFFFFFF,
                 .second = 0xFFFFB454,
                 .found = 0xFFF0E442,
                 .wrong = 0xFFFF6BD6,
                 .hue = {0xFFE69F00, 0xFF56B4E9, 0xFF00A878, 0xFFF0E442, 0xFF4C7FE0, 0xFFE8602C,
                         0xFFD08BC8, 0xFFAEB4BC}},
     .cold = {0xFF38393C, 0xFF3E4951, 0xFF435967, 0xFF46697E, 0xFF487A96, 0xFF488CAE, 0xFF469EC7,
              0xFF41B0E1, 0xFF39C3FB},
     .warm = {0xFF38393C, 0xFF50453D, 0xFF68523E, 0xFF7F5F3E, 0xFF976C3E, 0xFFAF793D, 0xFFC8873C,
              0xFFE19539, 0xFFFAA336},
     .sequential = {0xFF2C6AAE, 0xFF5B78A7, 0xFF7B86A0, 0xFF959698, 0xFFADA590, 0xFFC3B687,
                    0xFFD9C67D, 0xFFEED771, 0xFFFFE864}},
    {.palette = {.name = "light",
                 .ground = 0xFFFAFAF7,
                 .panel = 0xFFFFFFFF,
                 .edge = 0xFFC9CED6,
                 .ink = 0xFF1B2027,
                 .dim = 0xFF4A5462,
                 .faint = 0xFF667080,
                 .strong = 0xFF000000,
                 .second = 0xFFA84A00,
                 .found = 0xFF00695C,
                 .wrong = 0xFFB00078,
                 .hue = {0xFFB87400, 0xFF2E94CE, 0xFF007A55, 0xFF8A8400, 0xFF00509E, 0xFFC23B00,
                         0xFFB4559A, 0xFF30343A}},
     .cold = {0xFFF1F1F1, 0xFFD8DDEA, 0xFFBFCAE3, 0xFFA5B8DC, 0xFF8AA5D5, 0xFF6E94CD, 0xFF4D82C6,
              0xFF1872BF, 0xFF0062B7},
     .warm = {0xFFF1F1F1, 0xFFECD9D1, 0xFFE6C3B2, 0xFFDEAC94, 0xFFD59677, 0xFFCB805A, 0xFFBF6A3E,
              0xFFB25421, 0xFFA43D00},
     .sequential = {0xFFB29235, 0xFFA28442, 0xFF92764C, 0xFF816954, 0xFF705C5C, 0xFF5D5063,
                    0xFF474469, 0xFF29386F, 0xFF002E75}},
    {.palette = {.name = "print",
                 .ground = 0xFFFFFFFF,
                 .panel = 0xFFFFFFFF,
                 .edge = 0xFFBBBBBB,
                 .ink = 0xFF000000,
                 .dim = 0xFF404040,
                 .faint = 0xFF606060,
                 .strong = 0xFF000000,
                 .second = 0xFF9A4400,
                 .found = 0xFF005A8C,
                 .wrong = 0xFF9A0068,
                 .hue = {0xFFA87800, 0xFF2492C6, 0xFF00734A, 0xFF8C9A00, 0xFF004C90, 0xFF8C2A00,
                         0xFF7A2E6C, 0xFF1C1C1C}},
     .cold = {0xFFF6F6F6, 0xFFDEE4EF, 0xFFC4D2E8, 0xFFABC0E1, 0xFF91AED9, 0xFF759DD2, 0xFF558DCB,
              0xFF287DC3, 0xFF006DBB},
     .warm = {0xFFF6F6F6, 0xFFF3E0D6, 0xFFEECAB7, 0xFFE7B498, 0xFFDF9E7B, 0xFFD5885D, 0xFFCA7341,
              0xFFBE5D23, 0xFFB04800},
     .sequential = {0xFFB29235, 0xFFA1833F, 0xFF8F7447, 0xFF7C664D, 0xFF695852, 0xFF564B57,
                    0xFF3F3E5B, 0xFF22325E, 0xFF002762}},
};
enum { N_THEMES = sizeof themes / sizeof *themes };

const es_palette *es_palette_at(int i)
{
    return i >= 0 && i < N_THEMES ? &themes[i].palette : NULL;
}

const es_palette *es_palette_named(const char *name)
{
    for (int i = 0; i < N_THEMES; i++)
        if (!strcmp(themes[i].palette.name, name))
            return &themes[i].palette;
    return NULL;
}

/* ---- mixing ---- */

static uint32_t mix_byte(uint32_t a, uint32_t b, int shift, uint32_t part)
{
    a = a >> shift & 0xFF;
    b = b >> shift & 0xFF;
    return (a * (256 - part) + b * part + 128) >> 8 << shift;
}

/* `part` of 256 of b, the rest of a; opaque. */
static es_argb mix(es_argb a, es_argb b, uint32_t part)
{
    return 0xFF000000 | mix_byte(a, b, 16, part) | mix_byte(a, b, 8, part) |
           mix_byte(a, b, 0, part);
}

/* v from 0 to 1 along the stops. */
static es_argb along(const es_argb *stop, float v)
{
    float at = fminf(v, 1) * (STOPS - 1);
    int i = at < STOPS - 2 ? (int)at : STOPS - 2;
    return mix(stop[i], stop[i + 1], (uint32_t)((at - (float)i) * 256 + 0.5f));
}

es_argb es_diverging(const es_palette *p, float v)
{
    const theme *t = (const theme *)p;
    return isnan(v) ? p->wrong : v < 0 ? along(t->cold, -v) : along(t->warm, v);
}

es_argb es_sequential(const es_palette *p, float v)
{
    return isnan(v) ? p->wrong : along(((const theme *)p)->sequential, fmaxf(v, 0));
}

es_argb es_fade(es_argb colour, float opacity)
{
    float part = opacity > 0 ? fminf(opacity, 1) : 0; /* NaN: nothing */
    return (uint32_t)((float)(colour >> 24) * part + 0.5f) << 24 | (colour & 0xFFFFFF);
}

es_argb es_blend(es_argb under, es_argb over)
{
    uint32_t alpha = over >> 24;
    return mix(under, over, alpha + (alpha >> 7));
}

/* ---- reading ---- */

static float linear(uint32_t byte)
{
    float c = (float)(byte & 0xFF) / 255;
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

static float luminance(es_argb c)
{
    return 0.2126f * linear(c >> 16) + 0.7152f * linear(c >> 8) + 0.0722f * linear(c);
}

float es_contrast(es_argb a, es_argb b)
{
    float la = luminance(a) + 0.05f, lb = luminance(b) + 0.05f;
    return la > lb ? la / lb : lb / la;
}

/* The first that is easy to read; on any colour black or white is. */
es_argb es_ink_on(const es_palette *p, es_argb on)
{
    const es_argb ink[] = {p->ink, p->ground, 0xFF000000};
    for (size_t i = 0; i < sizeof ink / sizeof *ink; i++)
        if (es_contrast(ink[i], on) >= 4.5f)
            return ink[i];
    return 0xFFFFFFFF;
}
