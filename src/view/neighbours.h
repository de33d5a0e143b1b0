// SPDX-License-Identifier: GPL-3.0-or-later
/* Who is near a token, in wte and in the map: what the map joins by lines and the card lists. */
#ifndef ES_VIEW_NEIGHBOURS_H
#define ES_VIEW_NEIGHBOURS_H

#include "view/viewer.h"

typedef struct es_close {
    int32_t id;
    float cosine;
    bool pictured; /* it is also among the nearest in the map, as that is now */
} es_close;

/* The nearest rows of wte by cosine, as :near has them, the nearest first. */
typedef struct es_neighbours {
    int32_t id; /* whose */
    int n;
    es_close of[ES_KEPT_NEAREST];
    bool mapped; /* the points of the map, or of the axes view, are known, and so is `pictured` */
    es_str why;  /* why there are none, in words; empty: there are */
} es_neighbours;

/* Of token id.  Kept for the last few tokens that were asked about; `pictured` follows what the map shows.  Takes a
 * search of wte (layer/near.h), which Ctrl-C stops.  Borrowed until another four tokens have been asked about. */
const es_neighbours *es_neighbours_of(es_viewer *v, int32_t id);

/* Another model: drop what is kept. */
void es_neighbours_forget(es_viewer *v);

#endif
