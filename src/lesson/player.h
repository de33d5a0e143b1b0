// SPDX-License-Identifier: GPL-3.0-or-later
/* Plays a course at the prompt: which step is on, what becomes of a typed line, what is told. */
#ifndef ES_LESSON_PLAYER_H
#define ES_LESSON_PLAYER_H

#include "lesson/course.h"
#include "lesson/progress.h"
#include "session/session.h"

typedef struct es_player es_player;

/* Makes s able to play lessons: registers :lesson, :next, :back, :hint, :solution, :restart, :play, :forget, and listens to its lines.
 * The course is read when it is first wanted.  Free with es_player_free, before the session: it holds values of its. */
es_player *es_player_new(es_session *s);
void es_player_free(es_player *p); /* NULL is fine */

/* A course of one's own in place of the program's: a folder or a file. */
bool es_player_use(es_player *p, const char *path, es_error *err);

/* The one that listens to s; NULL: none. */
es_player *es_player_of(const es_session *s);

/* The number of the lesson that is all of the course; 0: there are several, or none. */
int es_player_only(es_player *p);

/* How many lessons are done, of how many; for :doctor.  False: there is no course. */
bool es_player_count(es_player *p, int *done, int *all);

/* "3 A row per id (:lesson 3)" for a name that a lesson is about, appended; nothing if none is: for :help. */
void es_player_about(es_player *p, const char *name, es_str *out);

#endif
