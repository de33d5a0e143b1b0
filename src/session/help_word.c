// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/help_word.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "session/help_builtin.h"
#include "session/style.h"

#define NET                                                                                        \
    "class Net(nn.Module):\n"                                                                      \
    "    def __init__(self, vocab_size, d_model):\n"                                               \
    "        super().__init__()\n"                                                                 \
    "        self.emb = nn.Embedding(vocab_size, d_model)\n"                                       \
    "    def forward(self, ids):\n"                                                                \
    "        return self.emb(ids)\n"

static const es_help_word words[] = {
    {"class", "", "a class of one's own; class X(nn.Module) makes modules",
     "X(...) makes an instance and gives __init__ what stands in the brackets; that of a module "
     "begins with super().__init__(). Modules and parameters that are put into self there are "
     "found "
     "by parameters() and print(m). m(ids) runs forward. Typed, an empty line ends a class; "
     "pasted, "
     "it may have some. :step m(ids) goes through forward line by line.",
     NET "m = Net(50257, 8)\nm(torch.tensor([[464, 3797]])).shape"},
    {"def", "return", "a function; in a class, a method, whose first parameter is self",
     "Without a return it gives None. Typed, an empty line ends it.",
     "def scaled(x, by=2.0):\n    return x * by\nscaled(torch.ones(3))"},
    {"self", "", "in a method: the instance that it was called for",
     "It is the first parameter of each method and is not passed: m.forward(ids) is Net.forward(m, "
     "ids). What is put into self.NAME stays in the instance. Outside of classes "
     "self.token_embeddings is wte and self.position_embeddings is wpe, for lines out of a "
     "forward.",
     NET "m = Net(50257, 8)\nm.emb"},
    {"lambda", "", "a function without a name: what it gives stands behind the colon", NULL,
     "double = lambda x: 2 * x\ndouble(torch.ones(3))"},
    {"if", "elif else", "runs lines where a condition holds; A if CONDITION else B is a value",
     "A tensor of one number is a condition, one of several is not: .any() and .all() make one.",
     "T = 3\nif T > 1024:\n    print('too long')\nelse:\n    print('fits')"},
    {"for", "in break continue", "runs lines for each of several values",
     "In brackets it makes a list: [p.shape for p in m.parameters()].",
     "for row in torch.eye(2):\n    print(row)"},
    {"while", "", "runs lines as long as a condition holds", "Ctrl-C stops it.",
     "n = 1\nwhile n < 100:\n    n = 2 * n\nn"},
    {"with", "", "runs lines inside torch.no_grad(), torch.inference_mode() and their like",
     "No gradients are computed here with or without it; PyTorch wants it where a parameter is "
     "written into.",
     "emb = nn.Embedding(3, 2)\nwith torch.no_grad():\n    emb.weight.copy_(torch.ones(3, 2));"},
    {"try", "except finally", "runs lines, and others where they fail", NULL,
     "try:\n    torch.ones(3) + torch.ones(2)\nexcept RuntimeError as e:\n    print(e)"},
    {"raise", "", "fails with an exception: raise ValueError(f\"...\")", NULL,
     "try:\n    raise ValueError('too long')\nexcept ValueError as e:\n    print(e)"},
    {"assert", "", "fails where a condition does not hold", NULL,
     "a = torch.ones(2, 3)\nassert a.shape == (2, 3), a.shape"},
    {"import", "from", "takes what PyTorch's scripts import: torch, nn, F, math",
     "They are always there: nothing needs to be imported.",
     "import torch.nn as nn\nfrom torch.nn import functional as F"},
    {"del", "", "forgets a name, or removes what it leads to",
     "A name of the program's own that was taken, such as x, is what it was again.",
     "x = 3\ndel x"},
    {"sim", "cpu", "a stand-in for a GPU: the cpu's memory, labelled as another device",
     "Tensors on cpu and on sim do not mix, as those on cpu and cuda do not: x.to(\"sim\"), "
     "device=ids.device.",
     "a = torch.ones(2).to('sim')\na + torch.ones(2, device=a.device)"},
};
enum { N_WORDS = sizeof words / sizeof *words };

const es_help_word *es_help_word_at(size_t i)
{
    return i < N_WORDS ? &words[i] : NULL;
}

static bool is_called(const es_help_word *w, const char *name, size_t n)
{
    if (strlen(w->name) == n && !memcmp(w->name, name, n))
        return true;
    for (const char *other = w->also; *other; other += strspn(other, " ")) {
        size_t len = strcspn(other, " ");
        if (len == n && !memcmp(other, name, n))
            return true;
        other += len;
    }
    return false;
}

const es_help_word *es_help_word_find(const char *name, size_t n)
{
    for (size_t i = 0; i < N_WORDS; i++)
        if (is_called(&words[i], name, n))
            return &words[i];
    return NULL;
}

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_help_word *w = data;
    es_str heading = {0};
    (void)err;
    es_str_cat(&heading, w->name);
    for (const char *other = w->also; *other; other += strspn(other, " ")) {
        size_t n = strcspn(other, " ");
        es_str_add(&heading, ", %.*s", (int)n, other);
        other += n;
    }
    es_wrap(out, heading.s, 0, style);
    es_wrap(out, es_translate(w->summary), 2, style);
    if (w->help)
        es_wrap(out, es_translate(w->help), 2, style);
    es_show_example(out, w->example, style);
    es_str_free(&heading);
    return true;
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const es_help_word *w = data;
    (void)values;
    (void)err;
    es_json_key_string(j, "name", w->name);
    es_json_key_string(j, "summary", w->summary);
    es_json_key_string(j, "help", w->help);
    es_json_key_string(j, "example", w->example);
    return true;
}

es_result es_help_of_word(const es_help_word *w)
{
    static const es_kind kind = {"word", show, json, free};
    es_help_word *own = es_alloc(sizeof *own);
    *own = *w;
    return (es_result){.kind = &kind, .data = own};
}
