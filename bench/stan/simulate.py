#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates the data of the models in bench/stan/programs, which are too large to keep: the same numbers on every machine.

Run: bench/stan/simulate.py [NAME...]; it writes build/stan/data/NAME.json (and, for `million`, a CSV table).
"""
import json
import math
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "stan" / "data"


def rounded(x):
    return float(f"{x:.6g}")


def design(rng, rows, columns):
    return [[rounded(rng.gauss(0, 1)) for _ in range(columns)] for _ in range(rows)]


def dot(row, beta):
    return math.fsum(x * b for x, b in zip(row, beta))


def logistic(name, rng, rows, columns):
    beta = [rng.gauss(0, 0.5) for _ in range(columns)]
    x = design(rng, rows, columns)
    y = [int(rng.random() < 1 / (1 + math.exp(-0.3 - dot(row, beta)))) for row in x]
    return {"N": rows, "K": columns, "X": x, "y": y}


def normal(name, rng, rows, columns):
    beta = [rng.gauss(0, 1) for _ in range(columns)]
    x = design(rng, rows, columns)
    y = [rounded(1 + dot(row, beta) + rng.gauss(0, 2)) for row in x]
    return {"N": rows, "K": columns, "X": x, "y": y}


def correlated(name, rng, rows, columns):
    """Columns are sums of a common factor and noise, so that their correlations go up to 0.99."""
    beta = [rng.gauss(0, 1) for _ in range(columns)]
    x = []
    for _ in range(rows):
        common = rng.gauss(0, 1)
        row = []
        for k in range(columns):
            r = math.sqrt(0.99) if k < columns // 2 else math.sqrt(0.7)
            row.append(rounded(r * common + math.sqrt(1 - r * r) * rng.gauss(0, 1)))
        x.append(row)
    y = [rounded(1 + dot(row, beta) + rng.gauss(0, 2)) for row in x]
    return {"N": rows, "K": columns, "X": x, "y": y}


def groups(name, rng, rows, groups):
    effects = [rng.gauss(0, 0.7) for _ in range(groups)]
    group = [rng.randrange(groups) for _ in range(rows)]
    x = [rounded(rng.gauss(0, 1)) for _ in range(rows)]
    y = [rounded(1 + effects[g] + 0.5 * v + rng.gauss(0, 1)) for g, v in zip(group, x)]
    return {"N": rows, "J": groups, "group": [g + 1 for g in group], "x": x, "y": y}


def survival(name, rng, rows, columns):
    beta = [0.5, -0.3, 0.2][:columns]
    shape, limit = 1.4, 2.0
    x = design(rng, rows, columns)
    time, observed = [], []
    for row in x:
        scale = math.exp(0.4 + dot(row, beta))
        t = scale * (-math.log(rng.random())) ** (1 / shape)
        time.append(rounded(min(t, limit)))
        observed.append(int(t < limit))
    return {"N": rows, "K": columns, "X": x, "time": time, "event": observed, "limit": limit}


def arma(name, rng, points, _):
    phi, theta, sigma = 0.9, 0.5, 0.5
    y, before, error = [], 0.0, 0.0
    for _ in range(points):
        now = rng.gauss(0, sigma)
        before = phi * before + theta * error + now
        error = now
        y.append(rounded(before))
    return {"N": points, "y": y}


MODELS = {
    "logistic-wide": (logistic, 10_000, 20, 1),
    "logistic-long": (logistic, 100_000, 20, 7),
    "normal-wide": (normal, 10_000, 20, 2),
    "normal-correlated": (correlated, 5000, 24, 3),
    "groups": (groups, 5000, 300, 4),
    "survival": (survival, 2000, 3, 5),
    "arma": (arma, 200, 0, 6),
    "million": (normal, 1_000_000, 5, 8),
}


def main(names):
    OUT.mkdir(parents=True, exist_ok=True)
    for name in names or [n for n in MODELS if n != "million"]:
        make, rows, columns, seed = MODELS[name]
        data = make(name, random.Random(seed), rows, columns)
        if name == "million":
            with open(OUT / "million.csv", "w", encoding="utf-8") as f:
                f.write(",".join([*(f"x{k + 1}" for k in range(columns)), "y"]) + "\n")
                for row, y in zip(data["X"], data["y"]):
                    f.write(",".join(map(repr, [*row, y])) + "\n")
        else:
            (OUT / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
