# SPDX-License-Identifier: GPL-3.0-or-later
"""Principal components in float64, by numpy, of tables that tests/test_pca.c makes from the same numbers:

    /usr/bin/python3 tests/data/pca.py > tests/data/pca.jsonl

Of each table: its sizes, its mean, all variances, and the first three components, of each the number of largest size
positive."""
import json

import numpy as np

TABLES = [(200, 7, 0.0), (50, 20, 1000.0), (1000, 64, -3.0), (2, 5, 0.5), (300, 130, 8.0)]
FACTORS = 3


def chance(n):
    """From -0.5 to 0.5, a function of n."""
    h = (n * 2654435761 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    return h / 2.0**32 - 0.5


def number(i, c, offset):
    """Of its own, and what all numbers of a row have in common: three factors, each of every third column."""
    own = chance(i * 1009 + c) / (c + 1)
    common = chance(i * 1009 + 1000 + c % FACTORS) * (2 << c % FACTORS)
    return own + common + offset


def components(x):
    mean = x.mean(0)
    y = x - mean
    values, vectors = np.linalg.eigh(y.T @ y / (len(x) - 1))
    axes = vectors.T[::-1][:3].copy()
    for a in axes:
        a *= np.sign(a[np.argmax(np.abs(a))])
    return mean, np.maximum(values[::-1], 0), axes


for rows, C, offset in TABLES:
    x = np.array([[number(i, c, offset) for c in range(C)] for i in range(rows)], np.float32).astype(np.float64)
    mean, variance, axes = components(x)
    print(json.dumps({"rows": rows, "C": C, "offset": offset, "mean": mean.tolist(), "variance": variance.tolist(),
                      "axes": axes.tolist()}))
