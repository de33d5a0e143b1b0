# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint probabilities of scikit-learn's t-SNE, of rows that tests/test_affinity.c makes from the same numbers:

    /usr/bin/python3 tests/data/affinity.py > tests/data/affinity.jsonl

Of each table: its sizes, the perplexity, and [i, j, p] of each tie with j > i."""
import json

import numpy as np
from sklearn.manifold import _t_sne
from sklearn.neighbors import NearestNeighbors

TABLES = [(40, 6, 5), (60, 10, 3), (25, 4, 8)]


def chance(n):
    """From -0.5 to 0.5, a function of n."""
    h = (n * 2654435761 + 12345) & 0xFFFFFFFF
    h ^= h >> 15
    h = h * 0x85EBCA6B & 0xFFFFFFFF
    h ^= h >> 13
    return h / 2.0**32 - 0.5


def main():
    for n, C, perplexity in TABLES:
        x = np.array([[chance(i * 1009 + c) for c in range(C)] for i in range(n)])
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        near = NearestNeighbors(n_neighbors=3 * perplexity).fit(x).kneighbors_graph(mode="distance")
        near.data **= 2
        P = _t_sne._joint_probabilities_nn(near, perplexity, 0).tocoo()
        ties = [[int(i), int(j), float(f"{p:.6g}")] for i, j, p in zip(P.row, P.col, P.data) if j > i]
        print(json.dumps({"rows": n, "C": C, "perplexity": perplexity, "ties": sorted(ties)}))


if __name__ == "__main__":
    main()
