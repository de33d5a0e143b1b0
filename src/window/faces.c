// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/faces.h"

#include <fontconfig/fontconfig.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* An em of 18 points has a quarter of a pixel for each dot an inch, for a point is 1/72 of it. */
enum { N_OPEN = 24, POINTS = 18, N_NAMED = 4 };

typedef struct face {
    char *file, *family; /* owned; the family may be NULL */
    FcCharSet *letters;  /* one reference */
    int index;
    bool coloured, scales;
    bool dots; /* its letters are of squares, 16 an em */
} face;

typedef struct opened {
    TTF_Font *font; /* NULL: the place is free */
    int face, quarters;
    uint64_t used;
} opened;

struct es_faces {
    FcConfig *config;
    face *face; /* styles first, then what they lack, as fontconfig puts it in order */
    int n;
    bool sorted; /* the others have been asked for */
    opened open[N_OPEN];
    uint64_t clock;
};

/* ---- what fontconfig knows ---- */

/* Boxes for everything, or nothing for everything: a letter from there says no more than none. */
static bool says_nothing(const char *family)
{
    static const char *const names[] = {"LastResort", "Last Resort", "Adobe Blank"};
    for (size_t i = 0; family && i < sizeof names / sizeof *names; i++)
        if (strstr(family, names[i]))
            return true;
    return false;
}

static bool is_true(const FcPattern *p, const char *property)
{
    FcBool yes = FcFalse;
    return FcPatternGetBool(p, property, 0, &yes) == FcResultMatch && yes;
}

/* Borrowed of the pattern; NULL: it has none. */
static const char *string_of(const FcPattern *p, const char *property)
{
    FcChar8 *s;
    return FcPatternGetString(p, property, 0, &s) == FcResultMatch ? (const char *)s : NULL;
}

static bool has_dots(const FcPattern *p)
{
    static const char name[] = "Unifont";
    const char *family = string_of(p, FC_FAMILY);
    return family && !strncmp(family, name, sizeof name - 1);
}

/* What a face is goes out of the pattern, so that none has to be kept. */
static bool add_face(es_faces *f, const FcPattern *p)
{
    face new = {.coloured = is_true(p, FC_COLOR), .scales = is_true(p, FC_OUTLINE)};
    const char *file = string_of(p, FC_FILE), *family = string_of(p, FC_FAMILY);
    FcCharSet *letters;
    bool fit = file && FcPatternGetCharSet(p, FC_CHARSET, 0, &letters) == FcResultMatch &&
               !says_nothing(family);
    if (!fit || !(new.scales || new.coloured))
        return false;
    new.dots = has_dots(p);
    new.file = es_copy_string(file);
    new.family = es_copy_string(family);
    new.letters = FcCharSetCopy(letters);
    FcPatternGetInteger(p, FC_INDEX, 0, &new.index);
    f->face = es_realloc(f->face, (size_t)(f->n + 1) * sizeof *f->face);
    f->face[f->n++] = new;
    return true;
}

static FcPattern *wanted(es_faces *f, int style)
{
    FcPattern *p = FcPatternCreate();
    const char *family = style & ES_STYLE_MONO ? "DejaVu Sans Mono" : "DejaVu Sans";
    FcPatternAddString(p, FC_FAMILY, (const FcChar8 *)family);
    FcPatternAddInteger(p, FC_WEIGHT, style & ES_STYLE_BOLD ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
    FcPatternAddBool(p, FC_OUTLINE, FcTrue);
    FcConfigSubstitute(f->config, p, FcMatchPattern);
    FcDefaultSubstitute(p);
    return p;
}

static bool add_style(es_faces *f, int style)
{
    FcResult result;
    FcPattern *want = wanted(f, style), *found = FcFontMatch(f->config, want, &result);
    FcPatternDestroy(want);
    bool ok = found && add_face(f, found);
    if (found)
        FcPatternDestroy(found);
    return ok;
}

static void add_set(es_faces *f, const FcFontSet *set, bool dots)
{
    for (int i = 0; i < set->nfont; i++)
        if (has_dots(set->fonts[i]) == dots)
            add_face(f, set->fonts[i]);
}

/* Where letters come from that the styles lack; asked for when the first of them is wanted. */
static void add_others(es_faces *f)
{
    FcResult result;
    if (f->sorted)
        return;
    f->sorted = true;
    FcPattern *want = wanted(f, 0);
    FcPatternDel(want, FC_OUTLINE); /* pictures come in one size */
    FcFontSet *set = FcFontSort(f->config, want, FcFalse, NULL, &result);
    FcPatternDestroy(want);
    if (!set)
        return;
    add_set(f, set, false);
    add_set(f, set, true); /* letters of squares are the last to ask, for they have everything */
    FcFontSetDestroy(set);
}

es_faces *es_faces_new(es_error *err)
{
    es_faces *f = es_alloc(sizeof *f);
    f->config = FcInitLoadConfigAndFonts();
    bool ok = f->config != NULL;
    for (int style = 0; ok && style < ES_N_STYLES; style++)
        ok = add_style(f, style);
    if (ok)
        return f;
    es_faces_free(f);
    es_fail(err, ES_ERR_UNSUPPORTED, "pictures have no letters: fontconfig knows no font here");
    es_hint(err, "try: apt-get install fonts-dejavu-core fonts-unifont");
    return NULL;
}

static void forget_face(face *of)
{
    free(of->file);
    free(of->family);
    FcCharSetDestroy(of->letters);
}

void es_faces_free(es_faces *f)
{
    if (!f)
        return;
    for (int i = 0; i < N_OPEN; i++)
        if (f->open[i].font)
            TTF_CloseFont(f->open[i].font);
    for (int i = 0; i < f->n; i++)
        forget_face(&f->face[i]);
    free(f->face);
    if (f->config)
        FcConfigDestroy(f->config);
    free(f);
}

/* ---- which face ---- */

/* Joiners and selectors of forms say something about the letters beside them; no font need have them. */
static bool says_how(uint32_t c)
{
    return c == 0x200C || c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F);
}

static bool has_all(const face *f, const uint32_t *character, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!FcCharSetHasChar(f->letters, character[i]) && !says_how(character[i]))
            return false;
    return true;
}

/* fontconfig's list may be older than the file. */
static bool provides(es_faces *f, int at, const uint32_t *character, size_t n)
{
    enum { ANY_SIZE = 4 * 13 };
    TTF_Font *font = es_faces_at(f, at, ANY_SIZE);
    for (size_t i = 0; font && i < n; i++)
        if (!TTF_GlyphIsProvided32(font, character[i]) && !says_how(character[i]))
            return false;
    return font != NULL;
}

/* Pictographs, and what is asked to look like one. */
static bool is_picture(const uint32_t *character, size_t n)
{
    enum { AS_PICTURE = 0xFE0F };
    for (size_t i = 0; i < n; i++)
        if ((character[i] >= 0x1F000 && character[i] <= 0x1FAFF) || character[i] == AS_PICTURE)
            return true;
    return false;
}

/* The first that has them; `coloured`: of those whose letters are pictures. */
static int first_with(es_faces *f, bool coloured, const uint32_t *character, size_t n)
{
    for (int i = 0; i < f->n; i++)
        if ((f->face[i].coloured || !coloured) && has_all(&f->face[i], character, n) &&
            provides(f, i, character, n))
            return i;
    return -1;
}

int es_faces_with(es_faces *f, int style, const uint32_t *character, size_t n)
{
    bool picture = is_picture(character, n);
    if (!picture && has_all(&f->face[style], character, n))
        return style;
    add_others(f);
    int coloured = picture ? first_with(f, true, character, n) : -1;
    if (coloured >= 0)
        return coloured;
    return has_all(&f->face[style], character, n) ? style : first_with(f, false, character, n);
}

/* ---- opened ---- */

static opened *place_for(es_faces *f, int at, int quarters)
{
    opened *oldest = &f->open[0];
    for (opened *o = f->open; o < f->open + N_OPEN; o++) {
        if (o->font && o->face == at && o->quarters == quarters)
            return o;
        if (!o->font || (oldest->font && o->used < oldest->used))
            oldest = o;
    }
    if (oldest->font)
        TTF_CloseFont(oldest->font);
    *oldest = (opened){.face = at, .quarters = quarters};
    return oldest;
}

/* Letters of squares are grey and hard to read where a square is not a pixel: about that size it is. */
static int legible(const face *of, int quarters)
{
    enum { DOTS = 4 * 16 };
    return of->dots && quarters > DOTS * 2 / 3 && quarters < DOTS * 4 / 3 ? DOTS : quarters;
}

TTF_Font *es_faces_at(es_faces *f, int at, int quarters)
{
    const face *of = &f->face[at];
    quarters = legible(of, quarters);
    opened *o = place_for(f, at, quarters);
    o->used = ++f->clock;
    if (o->font)
        return o->font;
    if (of->scales)
        o->font = TTF_OpenFontIndexDPI(of->file, POINTS, of->index, (unsigned)quarters,
                                       (unsigned)quarters);
    else
        o->font = TTF_OpenFontIndex(of->file, 0, of->index); /* the first of its sizes */
    if (o->font)
        TTF_SetFontHinting(o->font, TTF_HINTING_LIGHT);
    return o->font;
}

bool es_faces_coloured(const es_faces *f, int at)
{
    return f->face[at].coloured;
}

bool es_faces_scales(const es_faces *f, int at)
{
    return f->face[at].scales;
}

void es_faces_names(es_faces *f, es_str *out)
{
    const char *named[N_NAMED];
    size_t n = 0;
    add_others(f);
    for (int i = 0; i < f->n && n < N_NAMED; i++) {
        const char *family = f->face[i].family;
        bool seen = !family;
        for (size_t k = 0; k < n && !seen; k++) /* "DejaVu Serif" says no more than "DejaVu Sans" */
            seen = !strncmp(family, named[k], strcspn(named[k], " -"));
        if (seen)
            continue;
        es_str_add(out, "%s%s", n ? ", " : "", family);
        named[n++] = family;
    }
}
