#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench_gpu times, as one writes it in PyTorch, on a card: a row for each in the columns of bench_gpu.

    python3 tests/bench_gpu.py [DEVICE]          DEVICE: cuda:0; cpu to try the script

x is nn.Embedding twice and a sum: with ids that lie on the card, and with ids that are sent there each time, as ours are.
Nearest rows are one product and topk in float32, which is less than we do (an exact order).  A stretch of calls lasts a
twentieth of a second, then the card is waited for; medians of 7 stretches."""
import statistics
import sys
import time

try:
    import torch
    from torch import nn
except ImportError:
    print("PyTorch is not here (Debian: python3-torch): nothing beside it was timed")
    sys.exit(0)

V, C, B, T, SIDE, QUERIES, TOP, TIMES, STRETCH = 50257, 768, 64, 1024, 1024, 1000, 15, 7, 0.05


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def seconds(work, device, calls):
    start = time.perf_counter()
    for _ in range(calls):
        work()
    wait(device)
    return (time.perf_counter() - start) / calls


def measure(work, device):
    seconds(work, device, 1)
    calls = 1
    while seconds(work, device, calls) * calls < STRETCH:
        calls *= 2
    of_call = [seconds(work, device, calls) for _ in range(TIMES)]
    return statistics.median(of_call), min(of_call)


def report(what, t, that_is=""):
    print(f"{what:34} {'PyTorch':14} {1e3 * t[0]:10.3f} {1e3 * t[1]:10.3f}   {that_is}", flush=True)


def bench_x(device):
    wte, wpe = nn.Embedding(V, C).to(device), nn.Embedding(T, C).to(device)
    here, positions = torch.randint(0, V, (B, T)), torch.arange(T, device=device)
    ids, out = here.to(device), torch.empty(B, T, C, device=device)
    source = wte(ids) + wpe(positions)
    copy = measure(lambda: out.copy_(source), device)
    once = 4 * B * T * C
    rate = 2 * once / copy[1]
    report("a copy of 201 MB", copy, f"{1e-9 * rate:.1f} GB/s read and written")
    for what, work in (("x, ids on the card", lambda: wte(ids) + wpe(positions)),
                       ("x, ids sent each time", lambda: wte(here.to(device)) + wpe(positions))):
        t = measure(work, device)
        x_rate = (2 * once + 4 * T * C) / t[0]
        report(what, t, f"{1e-9 * x_rate:.1f} GB/s, {100 * x_rate / rate:.0f} % of the copy's best")


def bench_matmul(device):
    a, b = (torch.randn(SIDE, SIDE, device=device) for _ in range(2))
    t = measure(lambda: a @ b, device)
    report("product of two 1024 x 1024", t, f"{2e-9 * SIDE ** 3 / t[0]:.0f} GFLOP/s, float32 throughout")


def bench_near(device):
    rows = nn.functional.normalize(0.02 * torch.randn(V, C, device=device))
    queries = rows[torch.arange(QUERIES, device=device) * V // QUERIES]
    t = measure(lambda: (queries @ rows.T).topk(TOP + 1).indices.cpu(), device)
    report("nearest 15 for 1,000 queries", t, f"{QUERIES / t[0]:.0f} a second, in float32 alone")


def main():
    device = torch.device(sys.argv[1] if len(sys.argv) > 1 else "cuda:0")
    if device.type == "cuda" and (not torch.cuda.is_available() or (device.index or 0) >= torch.cuda.device_count()):
        print(f"PyTorch {torch.__version__} finds no {device}: nothing beside it was timed")
        return
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "the processor"
    print(f"PyTorch {torch.__version__} on {device}: {name}")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    with torch.no_grad():
        for bench in (bench_x, bench_matmul, bench_near):
            bench(device)


if __name__ == "__main__":
    main()
