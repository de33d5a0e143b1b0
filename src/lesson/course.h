// SPDX-License-Identifier: GPL-3.0-or-later
/* A folder of lessons, in the order of their files' numbers. */
#ifndef ES_LESSON_COURSE_H
#define ES_LESSON_COURSE_H

#include "lesson/lesson.h"

typedef struct es_course_entry {
    int number; /* of the file's name, 03-slug.md: 3 */
    es_lesson lesson;
} es_course_entry;

typedef struct es_course {
    char *folder;
    es_course_entry *of; /* by number, none twice */
    size_t n;
} es_course;

/* The lessons that come with the program (the asset folder "lessons"); ES_ERR_IO, ES_ERR_FORMAT. */
bool es_course_open(es_course *c, es_error *err);

/* Those of a folder, NN-slug.md; of a single file: one lesson, with the number its name has, else 1.  Other files of
 * a folder are none of ours.  ES_ERR_IO, also where a folder has no lesson; ES_ERR_FORMAT, also where two have one number or slug. */
bool es_course_open_at(es_course *c, const char *path, es_error *err);
void es_course_free(es_course *c); /* an empty one is fine */

/* By number; NULL: there is none. */
const es_course_entry *es_course_find(const es_course *c, int number);
/* By slug; NULL: there is none. */
const es_course_entry *es_course_named(const es_course *c, const char *slug);
/* The first lesson whose about= has this name; NULL: none. */
const es_course_entry *es_course_about(const es_course *c, const char *name);

/* A start for a lesson of that slug, made fit where it is none: text whose prose says what its lines are, and that --check
 * accepts as it stands. */
void es_lesson_starter(es_str *out, const char *slug);

#endif
