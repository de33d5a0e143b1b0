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
                 .hue = {0xFFF1B66B, 0xFF00C6FE, 0xFF3E9572, 0xFFEFE31A, 0xFF395EFC, 0xFFD82A0E,
                         0xFFB457A6, 0xFFDAE0E8}},
     .cold = {0xFF272D32, 0xFF2E3D48, 0xFF344F5F, 0xFF396177, 0xFF3C7390, 0xFF3E86A9, 0xFF3E9AC4,
              0xFF3DAEDF, 0xFF39C3FB},
     .warm = {0xFF272D32, 0xFF413A34, 0xFF5B4836, 0xFF745638, 0xFF8E6539, 0xFFA87439, 0xFFC38339,
              0xFFDE9338, 0xFFFAA336},
     .sequential = {0xFF316BA5, 0xFF5B79A0, 0xFF79889B, 0xFF939796, 0xFFAAA68F, 0xFFC1B688,
                    0xFFD7C780, 0xFFECD777, 0xFFFFE86D}},
    {.palette = {.name = "light",
                 .ground = 0xFFFAFAF7,
                 .panel = 0xFFFFFFFF,
                 .edge = 0xFFC9CED6,
                 .ink = 0xFF1B2027,
                 .dim = 0xFF4A5462,
                 .faint = 0xFF667080,
                 .strong = 0xFF000000,
                 .second = 0xFFA84A00,
                 .found = 0xFF0058C0,
                 .wrong = 0xFFB00078,
                 .hue = {0xFFBE7C50, 0xFF4393DD, 0xFF19573E, 0xFF809900, 0xFF3441AF, 0xFF891F04,
                         0xFFB62284, 0xFF12161B}},
     .cold = {0xFFF1F1F1, 0xFFD8DEE8, 0xFFC0CBE0, 0xFFA7B9D8, 0xFF8DA7D0, 0xFF7296C7, 0xFF5585BF,
              0xFF2E75B7, 0xFF0065AE},
     .warm = {0xFFF1F1F1, 0xFFECDAD2, 0xFFE6C3B4, 0xFFDFAD96, 0xFFD6977A, 0xFFCC825E, 0xFFC16C43,
              0xFFB45627, 0xFFA74006},
     .sequential = {0xFFAC8D34, 0xFF9D803F, 0xFF8E7348, 0xFF7E6650, 0xFF6E5A56, 0xFF5C4E5C,
                    0xFF494262, 0xFF303867, 0xFF002E6C}},
    {.palette = {.name = "print",
                 .ground = 0xFFFFFFFF,
                 .panel = 0xFFFFFFFF,
                 .edge = 0xFFBBBBBB,
                 .ink = 0xFF000000,
                 .dim = 0xFF404040,
                 .faint = 0xFF606060,
                 .strong = 0xFF000000,
                 .second = 0xFF9A4400,
                 .found = 0xFF0058C0,
                 .wrong = 0xFF9A0068,
                 .hue = {0xFF8C6E2D, 0xFF1B689B, 0xFF2C5B3D, 0xFF899B1A, 0xFF242C63, 0xFF712807,
                         0xFFBC53DB, 0xFF0C0C0C}},
     .cold = {0xFFF6F6F6, 0xFFDEE4EE, 0xFFC5D3E6, 0xFFADC1DE, 0xFF93B0D6, 0xFF789FCE, 0xFF5B8FC6,
              0xFF367FBE, 0xFF0070B6},
     .warm = {0xFFF6F6F6, 0xFFF3E0D7, 0xFFEDCBB9, 0xFFE6B59B, 0xFFDEA07E, 0xFFD58B61, 0xFFCA7645,
              0xFFBE6129, 0xFFB14C04},
     .sequential = {0xFFAC8D34, 0xFF9B7E3C, 0xFF897042, 0xFF786248, 0xFF66554C, 0xFF53484F,
                    0xFF3F3B52, 0xFF273054, 0xFF002556}},
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
