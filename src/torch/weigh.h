// SPDX-License-Identifier: GPL-3.0-or-later
/* How well what a theory says agrees with x: counted number by number, for each way in which x may have been
 * rounded afterwards. */
#ifndef ES_TORCH_WEIGH_H
#define ES_TORCH_WEIGH_H

#include "torch/theory.h"

typedef struct es_weight {
    const es_case *c;
    const es_theory *h;
    unsigned finishes;
    int64_t seen, judged; /* judged: the theory says something */
    int64_t fits[ES_N_FINISHES];
    double worst;              /* relative error of those that fit as they are */
    int64_t differed, dropped; /* of those seen: x is not y; x is 0, and the theory is dropout */
    double left, before;       /* squares of what is unexplained, and of what was to be explained */
    struct {
        int64_t n; /* numbers that the format has no room for */
        double sum, most;
    } step[ES_N_FINISHES]; /* how far they were moved, in steps of the format */
} es_weight;

es_weight es_weight_begin(const es_case *c, const es_theory *h);

/* n numbers x, what is said of them, and how large what that is made of is (negative: nothing is said). */
void es_weigh(es_weight *w, const double *x, const double *said, const double *size, int64_t n);
/* One of them beside y: there is nothing to explain where x is y. */
void es_weigh_against(es_weight *w, double x, double y, double said, double size);

bool es_weight_hopeless(const es_weight *w);
/* Does all agree?  By which finish, and how well: the largest relative error. */
bool es_weight_verdict(const es_weight *w, es_finish *finish, double *quality);
/* Is it more than chance, of samples? */
bool es_weight_evidence(const es_weight *w, es_finish finish);
int64_t es_weight_most(const es_weight *w); /* that agree, by any finish */

int es_finish_cost(es_finish f);
const es_narrow *es_finish_format(es_finish f); /* NULL of ES_AS_IT_IS */

#endif
