#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the data of this folder: three series from known parameters, with fixed seeds. Plain Python without packages.

generate.py rewrites the files in data; generate.py --check compares instead and fails on a difference.
"""
import json
import math
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent


def ar1(count=500, phi=0.9, sigma=0.5, tau=1.0):
    """A first-order autoregression, seen with noise."""
    rng = random.Random(20140)
    x, ys = 0.0, []
    for _ in range(count):
        x = phi * x + sigma * rng.gauss(0, 1)
        ys.append(round(x + tau * rng.gauss(0, 1), 4))
    return {"ys": ys}


def volatility(count=200, mu=-1.0, phi=0.95, sigma=0.3):
    """Returns whose log variance is a first-order autoregression."""
    rng = random.Random(20141)
    h = mu + sigma / math.sqrt(1 - phi * phi) * rng.gauss(0, 1)
    ys = []
    for _ in range(count):
        ys.append(round(math.exp(h / 2) * rng.gauss(0, 1), 4))
        h = mu + phi * (h - mu) + sigma * rng.gauss(0, 1)
    return {"ys": ys}


def sir(days=100, people=800, beta=0.35, gamma=0.15, reported=0.4):
    """A chain binomial epidemic; a share of the new cases of each day is reported."""
    rng = random.Random(20142)
    binomial = lambda n, p: sum(rng.random() < p for _ in range(n))
    s, i, ys = people - 5, 5, []
    for _ in range(days):
        new = binomial(s, 1 - math.exp(-beta * i / people))
        gone = binomial(i, 1 - math.exp(-gamma))
        s, i = s - new, i + new - gone
        ys.append(binomial(new, reported))
    return {"cases": ys, "people": people}


def main():
    check = "--check" in sys.argv[1:]
    wrong = []
    for name, data in {"ar1": ar1(), "volatility": volatility(), "sir": sir()}.items():
        path = HERE / "data" / f"{name}.json"
        text = json.dumps(data) + "\n"
        if not check:
            path.write_text(text)
        elif path.read_text() != text:
            wrong.append(f"{path.name} is not what generate.py makes")
    print("\n".join(wrong) or f"3 series {'agree' if check else 'written'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
