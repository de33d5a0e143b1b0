// SPDX-License-Identifier: GPL-3.0-or-later
/* What is known of each error text, as tables: why_*.c, by subject. */
#ifndef ES_EXPR_WHY_TABLE_H
#define ES_EXPR_WHY_TABLE_H

#include <stdbool.h>

/* What a number is, for what can be added to its meaning. */
typedef enum es_why_role {
    ES_WHY_PLAIN,
    ES_WHY_SIZE,   /* of an axis: perhaps one of B, T, C, V, P */
    ES_WHY_FOLDED, /* of several axes folded into one: perhaps B*T */
    ES_WHY_INDEX,  /* an id or a position: V and P are one too many */
    ES_WHY_DTYPE,
    ES_WHY_DEVICE
} es_why_role;

/* Texts are templates: {0} is what stood in slot 0 of the wording, {0.1} size 1 of the shape there ({0.-1} its
 * last), {0-1} the number less one, {0*} the product of the sizes that are given.  What needs a slot that
 * the text did not fill is left out; `operation` and `says` need none. */
typedef struct es_why_topic {
    const char *operation;
    const char *wordings[24];
    const char *says;
    const char *more; /* a sentence behind it */
    struct {
        const char *value;
        es_why_role role;
        const char *means;
    } numbers[8];
    const char *causes[6];
    const char *look[4];
    const char *try_with; /* with the text's own numbers, where they are there and small */
    const char *try;
    bool vague; /* it says less than another text that stands beside it */
} es_why_topic;

/* Each ends with operation NULL. */
extern const es_why_topic es_why_broadcast[], es_why_products[], es_why_joins[], es_why_views[],
    es_why_axes[], es_why_ids[], es_why_indexing[], es_why_dtypes[], es_why_devices[],
    es_why_python[], es_why_numpy[], es_why_layers[], es_why_gradients[], es_why_limits[],
    es_why_calls[];

#endif
