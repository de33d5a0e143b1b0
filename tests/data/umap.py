# SPDX-License-Identifier: GPL-3.0-or-later
"""UMAP's curve by SciPy, and the ties of a small graph in float64, for tests/test_umap.c:

    /usr/bin/python3 tests/data/umap.py > tests/data/umap.jsonl

The curve: a and b for which 1 / (1 + a d^2b) is nearest in least squares, on 300 points from 0 to 3, to 1 up to min_dist
and exp(min_dist - d) beyond.  The ties: McInnes, Healy and Melville 2018, algorithms 2 and 3, over neighbours that the
test makes from the same numbers; those below 1e-4 are left out."""
import json

import numpy as np
from scipy.optimize import brentq, curve_fit

ROWS, K = 40, 6


def curve(min_dist):
    d = np.linspace(0, 3, 300)
    wanted = np.where(d < min_dist, 1.0, np.exp(-(d - min_dist)))
    (a, b), _ = curve_fit(lambda x, a, b: 1 / (1 + a * x ** (2 * b)), d, wanted)
    return {"min_dist": min_dist, "a": a, "b": b}


def cosines(i):
    """Of row i to its neighbours, falling; row 7 has two equals, row 9 only two neighbours."""
    c = [1 - (j + 1 + (i * 7 + j * 3) % 5 * 0.125) * 0.03125 for j in range(K)]
    return [1.0, 1.0] + c[2:] if i == 7 else c[:2] if i == 9 else c


def own(i):
    d = np.maximum(0, 1 - np.float64(np.float32(cosines(i))))
    rho, wanted = d[d > 0].min(), np.log2(len(d))
    tie = lambda sigma: np.exp(-np.maximum(0, d - rho) / sigma)
    least = 1e-3 * d.mean()
    enough = tie(least).sum() >= wanted
    return tie(least if enough else brentq(lambda s: tie(s).sum() - wanted, least, 1e3, xtol=1e-14))


for min_dist in (0.0, 0.01, 0.1, 0.25, 0.5, 0.8, 1.0):
    print(json.dumps(curve(min_dist)))
ties = np.zeros((ROWS, ROWS))
for i in range(ROWS):
    for j, weight in enumerate(own(i)):
        ties[i, (i + 1 + (j * j + i) % 17 + 2 * j) % ROWS] = weight
ties = ties + ties.T - ties * ties.T
print(json.dumps({"ties": [[i, j, ties[i, j]] for i in range(ROWS) for j in range(ROWS) if ties[i, j] > 1e-4]}))
