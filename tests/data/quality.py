# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures keep of tables that tests/test_quality.c makes from the same numbers, by scikit-learn and SciPy:

    /usr/bin/python3 tests/data/quality.py > tests/data/quality.jsonl

Of each table and its picture: the mean of how many of the 15 nearest rows by cosine are among the 15 nearest points,
sklearn.manifold.trustworthiness with metric="cosine", and scipy.stats.spearmanr of the distances of all pairs of rows
scaled to length 1 and of all pairs of points."""
import json

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.manifold import trustworthiness
from sklearn.neighbors import NearestNeighbors

K = 15
# rows, C, numbers of a point, how much of the picture is chance
TABLES = [(31, 5, 2, 0.0), (200, 7, 2, 0.5), (440, 64, 3, 0.1), (300, 130, 2, 2.0), (447, 2, 2, 0.05)]


def chance(n):
    """From -0.5 to 0.5, a function of n."""
    h = (n * 2654435761 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    return h / 2.0**32 - 0.5


def nearest(x, metric):
    found = NearestNeighbors(n_neighbors=K, algorithm="brute", metric=metric).fit(x)
    return found.kneighbors(return_distance=False)


for n, C, d, mixed in TABLES:
    rows = np.array([[chance(i * 1009 + c) for c in range(C)] for i in range(n)], np.float32).astype(np.float64)
    at = np.array([[rows[i, c] + mixed * chance(i * 1009 + 500 + c) for c in range(d)] for i in range(n)])
    at = at.astype(np.float32).astype(np.float64)
    unit = rows / np.linalg.norm(rows, axis=1)[:, None]
    kept = [len(set(a) & set(b)) for a, b in zip(nearest(rows, "cosine"), nearest(at, "euclidean"))]
    print(json.dumps({"rows": n, "C": C, "d": d, "mixed": mixed, "kept": float(np.mean(kept)),
                      "trust": trustworthiness(rows, at, n_neighbors=K, metric="cosine"),
                      "spearman": float(spearmanr(pdist(unit), pdist(at))[0])}))
