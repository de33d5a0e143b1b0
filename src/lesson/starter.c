// SPDX-License-Identifier: GPL-3.0-or-later
/* What `embedscope lesson --new` writes: a small lesson whose prose says what its lines are. */
#include <ctype.h>
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

/* The slug as a lesson may have it: other characters become -, and a letter comes first. */
static void add_slug(es_str *out, const char *slug)
{
    enum { LONGEST = 60 };
    size_t before = out->len;
    if (!isalpha((unsigned char)*slug))
        es_str_cat(out, "my-");
    for (; *slug && out->len - before < LONGEST; slug++) {
        bool is = isalnum((unsigned char)*slug) || *slug == '-' || *slug == '_';
        if (is)
            es_str_char(out, *slug);
        else if (out->s && out->s[out->len - 1] != '-')
            es_str_char(out, '-');
    }
    if (out->s[out->len - 1] == '-')
        es_str_cat(out, "lesson");
}

void es_lesson_starter(es_str *out, const char *slug)
{
    es_str_cat(out, "@lesson ");
    add_slug(out, slug);
    es_str_cat(out, "  title=\"A title\"  minutes=5\n");
    es_str_cat(out, body);
}
