#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both stages of the trainer beside the same in PyTorch, by turns: tokens a second and their ratio.

    /usr/bin/python3 tests/bench_train_torch.py [ROUNDS [SECONDS [STAGE THREADS]]]

Written as one writes them in PyTorch: skip-gram by batches of pairs with sparse gradients, the GPT with autograd and
dense Adam.  Sizes are those of the default recipe (C=64, one block, 4 heads, 32 windows of 128, 2,048 shared
negatives), ids are made up, as often as words are.  Stage `whole` is a step over the whole vocabulary, of 4 windows.
Needs build/bench_train (make bench-train builds it)."""
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

# PyTorch's allocator otherwise gives its pages back after each step, and OpenBLAS may be told of a lesser processor.
MALLOC = {"MALLOC_MMAP_THRESHOLD_": "4000000000", "MALLOC_TRIM_THRESHOLD_": "8000000000"}
if any(os.environ.get(k) != v for k, v in MALLOC.items()):
    env = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    os.execve(sys.executable, [sys.executable, *sys.argv], {**env, **MALLOC})

try:
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
except ImportError:
    print("PyTorch is not installed: nothing to be measured against")
    sys.exit(0)

OURS = pathlib.Path(__file__).resolve().parent.parent / "build" / "bench_train"
V, C, H, T, P, B, K, WINDOW, NOISE, IDS = 50257, 64, 4, 128, 1024, 32, 2048, 5, 5, 1_000_000
PAIRS = 8192  # a batch of stage 1


def made_up():
    torch.manual_seed(1)
    chance = 1 / (torch.arange(V, dtype=torch.double) + 3)
    ids = torch.multinomial(chance, IDS, replacement=True)
    return ids, torch.bincount(ids, minlength=V).double()


class SkipGram:
    def __init__(self, ids, counts):
        self.ids, self.at, self.pairs = ids, 0, []
        self.into, self.out = nn.Embedding(V, C, sparse=True), nn.Embedding(V, C, sparse=True)
        nn.init.uniform_(self.into.weight, -0.5 / C, 0.5 / C)
        nn.init.zeros_(self.out.weight)
        noise = counts ** 0.75
        self.noise = torch.multinomial(noise, 1 << 20, replacement=True)  # drawn from by randint
        f = (counts / IDS).clamp(min=1e-12)
        self.keep = ((1e-4 / f).sqrt() + 1e-4 / f).clamp(max=1).float()
        self.sgd = torch.optim.SGD([*self.into.parameters(), *self.out.parameters()], lr=0.025)

    def pairs_of(self, text):
        text = text[torch.rand(len(text)) < self.keep[text]]
        reach = torch.randint(1, WINDOW + 1, (len(text),))
        centres, contexts = [], []
        for lag in range(1, WINDOW + 1):
            for a, b, r in ((text[lag:], text[:-lag], reach[lag:]), (text[:-lag], text[lag:], reach[:-lag])):
                near = r >= lag
                centres.append(a[near])
                contexts.append(b[near])
        centres, contexts = torch.cat(centres), torch.cat(contexts)
        order = torch.randperm(len(centres))
        return centres[order], contexts[order]

    def step(self):
        """One stretch of 20,000 tokens."""
        text = self.ids[self.at:self.at + 20000]
        self.at = (self.at + 20000) % (IDS - 20000)
        centres, contexts = self.pairs_of(text)
        for i in range(0, len(centres), PAIRS):
            a, b = centres[i:i + PAIRS], contexts[i:i + PAIRS]
            negatives = self.noise[torch.randint(len(self.noise), (len(a), NOISE))]
            x = self.into(a)
            near = (x * self.out(b)).sum(-1)
            far = (self.out(negatives) @ x.unsqueeze(-1)).squeeze(-1)
            loss = -(F.logsigmoid(near).sum() + F.logsigmoid(-far).sum())
            self.sgd.zero_grad()
            loss.backward()
            self.sgd.step()
        return len(text)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(C), nn.LayerNorm(C)
        self.c_attn, self.c_proj = nn.Linear(C, 3 * C), nn.Linear(C, C)
        self.mlp = nn.Sequential(nn.Linear(C, 4 * C), nn.GELU(approximate="tanh"), nn.Linear(4 * C, C))
        self.register_buffer("future", torch.triu(torch.full((T, T), -math.inf), 1))

    def forward(self, x):
        n = x.shape[0]
        q, k, v = (t.view(n, T, H, C // H).transpose(1, 2) for t in self.c_attn(self.ln_1(x)).split(C, -1))
        weights = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(C // H) + self.future, -1)
        x = x + self.c_proj((weights @ v).transpose(1, 2).reshape(n, T, C))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, ids, counts, whole):
        super().__init__()
        self.ids, self.batch, self.whole = ids, 4 if whole else B, whole
        self.wte, self.wpe, self.block, self.ln_f = nn.Embedding(V, C), nn.Embedding(P, C), Block(), nn.LayerNorm(C)
        nn.init.normal_(self.wte.weight, std=0.02)
        nn.init.normal_(self.wpe.weight, std=0.01)
        chance = (counts + 1) ** 0.75
        self.noise = torch.multinomial(chance, 1 << 20, replacement=True)
        self.log_q = (1 - (1 - chance / chance.sum()) ** K).log().float()
        self.adam = torch.optim.Adam(self.parameters(), lr=3e-3, betas=(0.9, 0.98))

    def loss(self, x, targets):
        first = torch.randint(P - T + 1, (len(x), 1))
        hidden = self.ln_f(self.block(self.wte(x) + self.wpe(first + torch.arange(T)))).view(-1, C)
        targets = targets.reshape(-1)
        if self.whole:
            return F.cross_entropy(hidden @ self.wte.weight.T, targets)
        negatives = self.noise[torch.randint(len(self.noise), (K,))].unique()
        theirs = hidden @ self.wte(negatives).T - self.log_q[negatives]
        theirs = theirs.masked_fill(negatives == targets[:, None], -math.inf)
        own = ((hidden * self.wte(targets)).sum(-1) - self.log_q[targets])[:, None]
        return F.cross_entropy(torch.cat([own, theirs], 1), torch.zeros_like(targets))

    def step(self):
        at = torch.randint(IDS - T, (self.batch, 1)) + torch.arange(T + 1)
        windows = self.ids[at]
        self.adam.zero_grad()
        self.loss(windows[:, :-1], windows[:, 1:]).backward()
        nn.utils.clip_grad_norm_(self.parameters(), 1.0)
        self.adam.step()
        return self.batch * T


def theirs(model, seconds):
    tokens, start = 0, time.monotonic()
    while time.monotonic() - start < seconds:
        tokens += model.step()
    return tokens / (time.monotonic() - start)


def ours(stage, threads, seconds):
    out = subprocess.run([OURS, stage, str(threads), str(seconds)], check=True, capture_output=True, text=True)
    tokens, spent = out.stdout.split()
    return int(tokens) / float(spent)


def compare(stage, threads, model, rounds, seconds):
    torch.set_num_threads(threads)
    model.step()  # pages, caches and Adam's moments
    pairs = [(theirs(model, seconds), ours(stage, threads, seconds)) for _ in range(rounds)]
    ratios = sorted(b / a for a, b in pairs)
    a, b = (statistics.median(p[i] for p in pairs) for i in (0, 1))
    print(f"{stage:6} {threads:8} {a:12.0f} {b:12.0f} {statistics.median(ratios):8.2f}  "
          f"({ratios[0]:.2f}-{ratios[-1]:.2f})", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    only = tuple(sys.argv[3:5])
    if not OURS.exists():
        sys.exit(f"{OURS} is not there: make bench-train builds it")
    ids, counts = made_up()
    models = {"1": lambda: SkipGram(ids, counts), "2": lambda: GPT(ids, counts, False),
              "whole": lambda: GPT(ids, counts, True)}
    print(f"tokens a second, medians of {rounds} rounds by turns; PyTorch {torch.__version__}")
    print(f"{'stage':6} {'threads':>8} {'PyTorch':>12} {'ours':>12} {'ratio':>8}")
    for stage, make in models.items():
        for threads in (1, 2):
            if not only or only == (stage, str(threads)):
                compare(stage, threads, make(), rounds, seconds)


if __name__ == "__main__":
    main()
