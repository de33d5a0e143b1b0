// SPDX-License-Identifier: GPL-3.0-or-later
/* Prompts that came along when an example was copied. */
#ifndef ES_EXPR_BLANK_H
#define ES_EXPR_BLANK_H

#include <stddef.h>

/* Which prompts a source shows: of Python (">>> ", "... "), of IPython ("In [3]: ", "   ...: "). */
typedef enum es_prompt { ES_PROMPT_NONE, ES_PROMPT_PYTHON, ES_PROMPT_IPYTHON } es_prompt;

/* By the first line that is not blank. */
es_prompt es_prompt_of(const char *source, size_t len);

/* Bytes of the prompt that a line begins with, blanks before it included; 0: none. */
size_t es_prompt_length(es_prompt prompt, const char *line, size_t n);

/* Put spaces where those prompts stand, at the beginning of lines. */
void es_blank_prompts(es_prompt prompt, char *source, size_t len);

#endif
