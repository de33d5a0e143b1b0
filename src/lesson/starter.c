// SPDX-License-Identifier: GPL-3.0-or-later
/* What `embedscope lesson --new` writes: a small lesson whose prose says what its lines are. */
#include <string.h>

#include "lesson/course.h"
#include "lesson/lesson_inside.h"

static const char body[] =
    "@draw   B = 2..3\n"
    "@draw   T = 5..8\n"
    "@draw   animal = \"cat\" | \"dog\"\n"
    "@setup  ids = torch.randint(0, V, (B, T))\n"
    "\n"
    "A start to change line by line; `lessons/README.md` describes the format. This paragraph is\n"
    "prose in Markdown, and belongs to the step that comes next. `@draw` draws a size or a word "
    "anew\n"
    "each time: B is {B} now, T is {T}, and the animal is a {animal}. `@setup` ran quietly.\n"
    "\n"
    "`@show` runs a line. What is checked behind it keeps prose and program together.\n"
    "\n"
    "@show   tok_emb = wte(ids)\n"
    "@show   tok_emb.shape\n"
    "  check   tok_emb.shape == (B, T, C)\n"
    "  prints  [B={B}, T={T}, C=64]\n"
    "\n"
    "`@predict` asks before it tells. A wrong answer is told the misconception behind it.\n"
    "\n"
    "@predict shape  tok_emb.mean(dim=1)\n"
    "  answer  [B, C]\n"
    "  wrong   [B, T]  \"The axis that is named goes: dim=1 is T, and C stays.\"\n"
    "  wrong   [B, 1, C]  \"The axis stays, with size 1, only when keepdim=True asks for it.\"\n"
    "  hint    Which axis is number 1 of B, T, C?\n"
    "  after   One row a sentence: the mean of its tokens' rows.\n"
    "\n"
    "`@task` is done once its checks hold, whatever was typed. Its sizes are drawn, so a `{T}` in "
    "the\n"
    "place of T is found out.\n"
    "\n"
    "@task   Make `pos_emb`, the rows of `wpe` for positions 0 to T-1.\n"
    "  check    allclose(pos_emb, wpe(torch.arange(0, T)))\n"
    "  solution pos_emb = wpe(torch.arange(T))\n"
    "  wrong    pos_emb = wpe(torch.arange(1, T + 1))  \"Positions are counted from 0, as ids "
    "are.\"\n"
    "  hint     Which table has a row for each position?\n"
    "  hint     torch.arange(T) counts from 0 to T-1.\n"
    "  hint     `pos_emb = wpe(torch.arange(...))`\n"
    "  after    (T, C), without B: every sentence uses the same rows.\n"
    "\n"
    "`@error` fails on purpose, and asks about the message.\n"
    "\n"
    "@error  wte(torch.tensor([V]))   kind=index_range\n"
    "  ask     value  Which is the largest id that has a row?\n"
    "  answer  V - 1\n"
    "  wrong   V  \"Rows are counted from 0, so V rows end at V - 1.\"\n"
    "  after   The message names the id, its place and the table.\n"
    "\n"
    "Prose behind the last step closes the lesson.\n";

enum { LONGEST = 60 };

/* The slug as a lesson may have it: a letter first, and - for what it cannot have. */
static void fit_slug(char fit[LONGEST + 1], const char *slug)
{
    size_t n = 0;
    if (!es_lesson_is_letter(*slug))
        for (const char *first = "my-"; *first; first++)
            fit[n++] = *first;
    for (; *slug && n < LONGEST; slug++) {
        bool fits = es_lesson_is_letter(*slug) || es_lesson_is_digit(*slug) || *slug == '_';
        if (fits || (n && fit[n - 1] != '-'))
            fit[n++] = fits ? *slug : '-';
    }
    fit[n] = '\0';
}

void es_lesson_starter(es_str *out, const char *slug)
{
    char fit[LONGEST + 1];
    fit_slug(fit, slug);
    es_str_add(out, "@lesson %s%s  title=\"A title\"  minutes=5\n", fit,
               strcmp(fit, "my-") ? "" : "lesson");
    es_str_cat(out, body);
}
