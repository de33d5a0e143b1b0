#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exact principal components of 50,257 x 768 beside scikit-learn's full and randomized solvers, by turns, and how far
our first ten variances are from numpy's in float64.

    /usr/bin/python3 tests/bench_pca.py [ROUNDS]

Two tables: `words` has variances that fall as a power of their number, turned at random, and a mean twenty times as
long as a row's distance from it, as learned tables have; `untrained` is N(0, 0.02).  The same numbers in the same
order are given to both, in memory; what is timed is the fit.  Needs build/bench_pca (make build/bench_pca builds it)."""
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import numpy as np
    from sklearn.decomposition import PCA
except ImportError:
    print("scikit-learn is not installed: nothing to be measured against")
    sys.exit(0)

OURS = pathlib.Path(__file__).resolve().parent.parent / "build" / "bench_pca"
V, C, FIRST = 50257, 768, 10


def words(rng):
    spread = np.arange(1, C + 1) ** -0.4
    turn = np.linalg.qr(rng.standard_normal((C, C)))[0]
    mean = rng.standard_normal(C)
    mean *= 20 * np.linalg.norm(spread) / np.linalg.norm(mean)
    return (rng.standard_normal((V, C)) * spread @ turn + mean).astype(np.float32)


def untrained(rng):
    return (0.02 * rng.standard_normal((V, C))).astype(np.float32)


def exactly(x):
    x = x.astype(np.float64)
    x -= x.mean(0)
    return np.linalg.eigvalsh(x.T @ x / (len(x) - 1))[::-1][:FIRST]


def theirs(x, solver):
    start = time.monotonic()
    PCA(n_components=3, svd_solver=solver, random_state=0).fit(x)
    return time.monotonic() - start


def ours(path):
    out = subprocess.run([OURS, path, str(V), str(C)], check=True, capture_output=True, text=True).stdout.split()
    return float(out[0]), np.array([float(v) for v in out[1:]])


def compare(name, x, rounds):
    with tempfile.NamedTemporaryFile() as f:
        x.tofile(f.name)
        runs = []
        for _ in range(rounds):
            seconds, variances = ours(f.name)
            runs.append((seconds, theirs(x, "full"), theirs(x, "randomized")))
    exact = exactly(x)
    us, full, randomized = (statistics.median(r[i] for r in runs) for i in range(3))
    ratio = [statistics.median(r[i] / r[0] for r in runs) for i in (1, 2)]
    print(f"{name:10} {us:8.3f} {full:8.3f} {randomized:11.3f} {ratio[0]:12.1f} {ratio[1]:12.1f} "
          f"{np.max(np.abs(variances / exact - 1)):14.1e}", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    if not OURS.exists():
        sys.exit(f"{OURS} is not there: make build/bench_pca builds it")
    print(f"seconds, medians of {rounds} rounds by turns; ratios are medians of each round's")
    print(f"{'table':10} {'ours':>8} {'full':>8} {'randomized':>11} {'full/ours':>12} {'random./ours':>12} "
          f"{'largest error':>14}")
    rng = np.random.default_rng(1)
    for make in (words, untrained):
        compare(make.__name__, make(rng), rounds)


if __name__ == "__main__":
    main()
