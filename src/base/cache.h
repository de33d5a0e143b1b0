// SPDX-License-Identifier: GPL-3.0-or-later
/* Files in the user's cache folder that are named by what they were made from: BEFORE SHA-256 AFTER. */
#ifndef ES_BASE_CACHE_H
#define ES_BASE_CACHE_H

/* In the folder of path: of the files so named only the `most` newest stay, and what a program that was ended left unfinished
 * goes. */
void es_cache_tidy(const char *path, const char *before, const char *after, int most);

#endif
