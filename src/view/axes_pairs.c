// SPDX-License-Identifier: GPL-3.0-or-later
/* Does the usual pair of axes say more than its own four words?  Pairs of other words tell: if an axis meant nothing, one
 * in two would go its way by chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/axes.h"

enum { MOST_PAIRS = 32 };

typedef const char *words[2];

/* As the axes go: from a word for a man to that for a woman, from one to several.  The first ES_AXES_DRAWN are drawn. */
static const words women[MOST_PAIRS] = {
    {" boy", " girl"},         {" man", " woman"},
    {" king", " queen"},       {" his", " her"},
    {" himself", " herself"},  {" husband", " wife"},
    {" brother", " sister"},   {" father", " mother"},
    {" son", " daughter"},     {" uncle", " aunt"},
    {" prince", " princess"},  {" lord", " lady"},
    {" actor", " actress"},    {" hero", " heroine"},
    {" nephew", " niece"},     {" grandfather", " grandmother"},
    {" Mr", " Mrs"},           {" gentleman", " lady"},
    {" male", " female"},      {" dad", " mom"},
    {" god", " goddess"},      {" monk", " nun"},
    {" bull", " cow"},         {" guy", " gal"},
    {" waiter", " waitress"},  {" boys", " girls"},
    {" brothers", " sisters"}, {" sons", " daughters"},
    {" kings", " queens"},     {" Father", " Mother"},
    {" Brother", " Sister"},   {" Uncle", " Aunt"},
};
static const words several[MOST_PAIRS] = {
    {" boy", " boys"},    {" girl", " girls"},        {" woman", " women"},
    {" dog", " dogs"},    {" house", " houses"},      {" was", " were"},
    {" king", " kings"},  {" friend", " friends"},    {" horse", " horses"},
    {" bird", " birds"},  {" tree", " trees"},        {" hand", " hands"},
    {" day", " days"},    {" thing", " things"},      {" child", " children"},
    {" is", " are"},      {" year", " years"},        {" book", " books"},
    {" word", " words"},  {" door", " doors"},        {" river", " rivers"},
    {" city", " cities"}, {" country", " countries"}, {" ship", " ships"},
    {" star", " stars"},  {" hour", " hours"},        {" letter", " letters"},
    {" foot", " feet"},   {" eye", " eyes"},          {" has", " have"},
    {" this", " these"},  {" that", " those"},
};
static const words *const lists[2] = {women, several};

static bool find_pair(const es_context *c, const words word, es_axes_pair *out)
{
    int32_t id[2];
    for (int i = 0; i < 2; i++) {
        id[i] = word[i] ? es_bpe_find(c->bpe, word[i], strlen(word[i])) : -1;
        if (id[i] < 0 || id[i] >= c->model->config.vocab_size)
            return false;
    }
    *out = (es_axes_pair){id[0], id[1]};
    return true;
}

void es_axes_find_pairs(es_axes *ax, const es_context *c)
{
    if (ax->of.form != ES_AXES_TWO) /* a vocabulary without the usual words */
        return;
    for (int k = 0; k < 2; k++) {
        ax->pair[k] = es_alloc_array(MOST_PAIRS, sizeof *ax->pair[k]);
        for (int i = 0; i < MOST_PAIRS; i++)
            ax->n_pairs[k] += find_pair(c, lists[k][i], &ax->pair[k][ax->n_pairs[k]]);
    }
}

int es_axes_drawn_pairs(const es_axes *ax, int k)
{
    return ax->n_pairs[k] < ES_AXES_DRAWN ? ax->n_pairs[k] : ES_AXES_DRAWN;
}

/* The cosine of a pair's difference with axis k; room (2, C).  NaN: there is no difference. */
static double cosine_of(const es_axes *ax, int k, const es_axes_pair *p, const es_table *wte,
                        float *room)
{
    double along = 0, length = 0;
    float *low = room, *high = room + ax->C;
    if (!es_table_row(wte, p->low, low, NULL) || !es_table_row(wte, p->high, high, NULL))
        return NAN;
    for (int64_t c = 0; c < ax->C; c++) {
        double off = (double)high[c] - (double)low[c];
        along += off * (double)ax->unit[k * ax->C + c];
        length += off * off;
    }
    return length > 0 ? along / sqrt(length) : NAN;
}

void es_axes_count_pairs(es_axes *ax, const es_table *wte)
{
    float *room = es_alloc_array(2 * (size_t)ax->C, sizeof *room);
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        int n = 0;
        ax->held[k] = 0;
        for (int i = 0; i < ax->n_pairs[k]; i++) {
            double cosine = cosine_of(ax, k, &ax->pair[k][i], wte, room);
            ax->held[k] += cosine > 0;
            sum += isfinite(cosine) ? cosine : 0;
            n += isfinite(cosine);
        }
        ax->along[k] = n ? sum / n : 0;
    }
    free(room);
}
