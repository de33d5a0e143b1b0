# SPDX-License-Identifier: GPL-3.0-or-later
"""t-SNE beside scikit-learn's: 5,000 rows, perplexity 30, 750 iterations, from the same start, by turns in the same run.

    make build/bench_tsne
    /usr/bin/python3 tests/bench_tsne.py [ROUNDS]

Tables: every tenth row of the bundled model's wte, and made-up clusters.  Both are judged by the same exact KL of the
same P (bench_tsne --kl): ours is to be at most 2 % above theirs, in a fifth of the time."""
import json
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ROOT / "build" / "bench_tsne"
MODEL = ROOT / "assets" / "models" / "mini.safetensors"
N = 5000


def wte():
    data = MODEL.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    about = json.loads(data[8:8 + size])["wte.weight"]
    begin, end = (8 + size + at for at in about["data_offsets"])
    rows = np.frombuffer(data[begin:end], {"F16": np.float16, "F32": np.float32}[about["dtype"]])
    return rows.reshape(about["shape"])[::10][:N].astype(np.float32)


def clusters():
    rng = np.random.default_rng(1)
    of = rng.integers(0, 40, N)
    return (rng.standard_normal((40, 50))[of] + 0.4 * rng.standard_normal((N, 50))).astype(np.float32)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def start_of(x):
    y = PCA(2, svd_solver="full").fit_transform(x)
    return (y / y[:, 0].std() * 1e-4).astype(np.float32)


def theirs(x, start):
    begun = time.monotonic()
    y = TSNE(perplexity=30, n_iter=750, init=start, learning_rate="auto", metric="euclidean", n_jobs=-1).fit_transform(x)
    return time.monotonic() - begun, y.astype(np.float32)


def said(*words):
    return subprocess.run([OURS, *map(str, words)], check=True, capture_output=True, text=True).stdout.split()


def compare(name, x, rounds):
    with tempfile.TemporaryDirectory() as folder:
        rows, first, mine, other = (pathlib.Path(folder) / f for f in ("rows", "start", "ours", "theirs"))
        x.tofile(rows)
        start = start_of(x)
        start.tofile(first)
        runs = []
        for _ in range(rounds):
            seconds = [float(s) for s in said(rows, *x.shape, first, mine)]
            their_seconds, y = theirs(x, start)
            runs.append((sum(seconds[:3]), seconds[2], their_seconds))
        y.tofile(other)
        kl, their_kl = (float(v) for v in said("--kl", rows, *x.shape, mine, other))
    us, steps, them = (statistics.median(r[i] for r in runs) for i in range(3))
    ratio = statistics.median(r[2] / r[0] for r in runs)
    print(f"{name:10} {us:8.2f} {steps:11.2f} {them:9.2f} {ratio:6.1f} {kl:9.4f} {their_kl:9.4f} "
          f"{100 * (kl / their_kl - 1):+9.2f} %", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    if not OURS.exists():
        sys.exit(f"{OURS} is not there: make build/bench_tsne builds it")
    print(f"seconds, medians of {rounds} rounds by turns; of ours, neighbours and P are part")
    print(f"{'table':10} {'ours':>8} {'iterations':>11} {'theirs':>9} {'ratio':>6} {'our KL':>9} {'their KL':>9} {'ours more':>11}")
    for make in (wte, clusters):
        compare(make.__name__, unit(make()), rounds)


if __name__ == "__main__":
    main()
