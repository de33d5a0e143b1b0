#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Three steps of a small GPT as PyTorch takes them, for tests/test_train_step.c.

    /usr/bin/python3 tests/data/train_step.py     writes tests/data/train_step.safetensors

Made with PyTorch 1.13, in float64, so that what differs is our float32.  Two runs from the same start: `tied`, by
given negatives, and `untied`, over the whole vocabulary.  Arrays of parameters are one after another: wte, wpe,
the blocks in GPT-2's order, ln_f, and for `untied` the head."""
import json
import math
import pathlib
import struct

import torch
import torch.nn.functional as F

B, T, C, H, L, V, P, K = 3, 12, 16, 4, 2, 101, 20, 37
STEPS, WARMUP, LR, FLOOR, CLIP = 3, 2, 0.01, 0.5, 1.0
WTE_LR, WPE_LR, BETAS = 0.5, 2.0, (0.9, 0.98)

BLOCK = [("ln_1.weight", (C,)), ("ln_1.bias", (C,)), ("attn.c_attn.weight", (C, 3 * C)),
         ("attn.c_attn.bias", (3 * C,)), ("attn.c_proj.weight", (C, C)), ("attn.c_proj.bias", (C,)),
         ("ln_2.weight", (C,)), ("ln_2.bias", (C,)), ("mlp.c_fc.weight", (C, 4 * C)),
         ("mlp.c_fc.bias", (4 * C,)), ("mlp.c_proj.weight", (4 * C, C)), ("mlp.c_proj.bias", (C,))]
SHAPES = ([("wte", (V, C)), ("wpe", (P, C))]
          + [(f"h.{i}.{name}", shape) for i in range(L) for name, shape in BLOCK]
          + [("ln_f.weight", (C,)), ("ln_f.bias", (C,)), ("head", (V, C))])


def start():
    """Every number matters from the first step on: no bias is 0.  Rounded to float32, as the file has them."""
    g = torch.Generator().manual_seed(7)
    p = {}
    for name, shape in SHAPES:
        p[name] = torch.randn(shape, generator=g) * 0.3
        if "ln_" in name and "weight" in name:
            p[name] += 1
    return p


def forward(p, ids, first):
    x = p["wte"][ids] + p["wpe"][first[:, None] + torch.arange(T)]
    future = torch.triu(torch.full((T, T), -math.inf, dtype=x.dtype), 1)
    for i in range(L):
        w = {name: p[f"h.{i}.{name}"] for name, _ in BLOCK}
        y = F.layer_norm(x, (C,), w["ln_1.weight"], w["ln_1.bias"])
        q, k, v = (y @ w["attn.c_attn.weight"] + w["attn.c_attn.bias"]).split(C, -1)
        q, k, v = (t.view(B, T, H, C // H).transpose(1, 2) for t in (q, k, v))
        weights = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(C // H) + future, -1)
        heads = (weights @ v).transpose(1, 2).reshape(B, T, C)
        x = x + heads @ w["attn.c_proj.weight"] + w["attn.c_proj.bias"]
        y = F.layer_norm(x, (C,), w["ln_2.weight"], w["ln_2.bias"])
        y = F.gelu(y @ w["mlp.c_fc.weight"] + w["mlp.c_fc.bias"], approximate="tanh")
        x = x + y @ w["mlp.c_proj.weight"] + w["mlp.c_proj.bias"]
    return F.layer_norm(x, (C,), p["ln_f.weight"], p["ln_f.bias"])


def loss_of(p, out, batch, counts):
    windows, first, negatives = batch
    hidden = forward(p, windows[:, :-1], first).view(B * T, C)
    targets = windows[:, 1:].reshape(-1)
    if negatives is None:
        return F.cross_entropy(hidden @ out.T, targets)
    chance = (counts.double() + 1) ** 0.75
    log_q = (1 - (1 - chance / chance.sum()) ** len(negatives)).log()
    negatives = negatives.unique()
    theirs = hidden @ out[negatives].T - log_q[negatives]
    theirs = theirs.masked_fill(negatives == targets[:, None], -math.inf)
    own = ((hidden * out[targets]).sum(-1) - log_q[targets])[:, None]
    return F.cross_entropy(torch.cat([own, theirs], 1), torch.zeros(B * T, dtype=torch.long))


def rate(step):
    if step < WARMUP:
        return LR * step / WARMUP
    past = (step - WARMUP) / (STEPS - WARMUP)
    return LR * (FLOOR + (1 - FLOOR) * (1 + math.cos(math.pi * past)) / 2)


def flat(tensors):
    return torch.cat([t.detach().flatten() for t in tensors])


def run(name, tied, batches, counts, arrays):
    p = {k: v.double().requires_grad_() for k, v in start().items() if not (tied and k == "head")}
    shares = {"wte": WTE_LR, "wpe": WPE_LR, "head": WTE_LR}
    adam = torch.optim.Adam([{"params": [v], "share": shares.get(k, 1.0)} for k, v in p.items()],
                            betas=BETAS, eps=1e-8)
    losses, lengths = [], []
    for step, (windows, first, negatives) in enumerate(batches, 1):
        adam.zero_grad()
        loss = loss_of(p, p["wte" if tied else "head"],
                       (windows, first, negatives if tied else None), counts)
        loss.backward()
        if step == 1:
            arrays[f"{name}.gradient"] = flat(v.grad for v in p.values())
        lengths.append(torch.nn.utils.clip_grad_norm_(p.values(), CLIP))
        for group in adam.param_groups:
            group["lr"] = rate(step) * group["share"]
        adam.step()
        losses.append(loss.detach())
        if step in (1, STEPS):
            arrays[f"{name}.after_{step}"] = flat(p.values())
    assert min(lengths) > CLIP, "no step is clipped"
    arrays[f"{name}.loss"] = torch.stack(losses)
    arrays[f"{name}.length"] = torch.stack(lengths)


def write(path, arrays):
    header, blob = {}, b""
    for name, t in arrays.items():
        kind, t = ("F32", t.float()) if t.is_floating_point() else ("I32", t.int())
        data = t.contiguous().numpy().tobytes()
        header[name] = {"dtype": kind, "shape": list(t.shape),
                        "data_offsets": [len(blob), len(blob) + len(data)]}
        blob += data
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + blob)


def main():
    torch.set_num_threads(1)
    g = torch.Generator().manual_seed(8)
    windows = torch.randint(V, (STEPS, B, T + 1), generator=g)
    first = torch.randint(P - T + 1, (STEPS, B), generator=g)
    negatives = torch.randint(V, (STEPS, K), generator=g)
    negatives[:, 0] = negatives[:, 1] = windows[:, 0, 1]  # a target, twice
    counts = 1000 // (1 + torch.arange(V))
    arrays = {"windows": windows, "first": first, "negatives": negatives, "counts": counts,
              "start": flat(start().values())}
    batches = list(zip(windows, first, negatives))
    run("tied", True, batches, counts, arrays)
    run("untied", False, batches, counts, arrays)
    write(pathlib.Path(__file__).with_suffix(".safetensors"), arrays)


if __name__ == "__main__":
    main()
