#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs with seatings that no sum takes away, by default options: four kinds that were wrong once, and eleven variants.

The truth is enumerated here: all seatings of five or six items (at most 203, or 243 of independent ones), each with the marginal
likelihood of its tables, where means are integrated in closed form, and spreads and rates by the trapezoid rule. A run agrees
when every mean is within four joint errors, or when the program prints that the run is not to be trusted. Runs end by counted work,
not by the clock.

Run: test/mixture/clusters_test.py [--program build/release/chancel] [--seeds 1] [--first-seed 1] [--only NAME ...] [-j 1]
"""
import argparse
import concurrent.futures
import functools
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "clusters"
REPOSITORY = HERE.parents[1]
MOST_ERRORS = 4
NODES = 800


def seatings(n, prior):
    """(probability, tables) for all ways to seat n items; prior(sizes) lists the weights of all tables of the next one."""
    def extend(p, tables, sizes):
        if len(tables) == n:
            yield p, tables
            return
        weights = prior(sizes)
        for table, w in enumerate(weights):
            seated = sizes + [0] * (table + 1 - len(sizes))
            seated[table] += 1
            yield from extend(p * w / sum(weights), tables + [table], seated)
    return extend(1.0, [], [])


def crp(alpha, occupied=()):
    def prior(sizes):
        all_sizes = [s + (occupied[t] if t < len(occupied) else 0) for t, s in enumerate(sizes)]
        return all_sizes + list(occupied[len(sizes):]) + [alpha]
    return prior


def gaussian(observed, m0, s0):
    """Marginal likelihood and mean of m ~ normal(m0, s0), given pairs of a value y ~ normal(m, sd) and its sd."""
    precision, weighted, log_p = 1 / s0**2, m0 / s0**2, 0.0
    for y, sd in observed:
        mean = weighted / precision
        variance = 1 / precision + sd**2
        log_p -= 0.5 * math.log(2 * math.pi * variance) + 0.5 * (y - mean) ** 2 / variance
        precision += 1 / sd**2
        weighted += y / sd**2
    return math.exp(log_p), weighted / precision


def trapezoid(low, high):
    """Nodes and weights of an integral over the logarithm."""
    step = (math.log(high) - math.log(low)) / NODES
    for i in range(NODES + 1):
        x = math.exp(math.log(low) + i * step)
        yield x, x * step * (0.5 if i in (0, NODES) else 1)


def gamma_density(x, shape, rate):
    return math.exp(shape * math.log(rate * x) - rate * x - math.lgamma(shape)) / x


@functools.lru_cache(maxsize=None)
def with_spread(ys, s0, shape, rate):
    """As gaussian() at 0, where the sd of all is one draw from gamma(shape, rate)."""
    total = moment = 0.0
    for sd, w in trapezoid(1e-3, 60):
        p, mean = gaussian([(y, sd) for y in ys], 0, s0)
        p *= w * gamma_density(sd, shape, rate)
        total += p
        moment += p * mean
    return total, moment / total


@functools.lru_cache(maxsize=None)
def with_rate(ys, mean, sd):
    """Counts whose rate is exp(normal(mean, sd))."""
    total = moment = 0.0
    for rate, w in trapezoid(1e-3, 500):
        p = w * math.exp(-0.5 * ((math.log(rate) - mean) / sd) ** 2) / (rate * sd * math.sqrt(2 * math.pi))
        for y in ys:
            p *= math.exp(y * math.log(rate) - rate - math.lgamma(y + 1))
        total += p
        moment += p * rate
    return total, moment / total


def expectations(ys, prior, table, predicts, extra=lambda zs: 1.0):
    """table(number, its ys): likelihood and mean of its parameter; predicts(zs, means): what is predicted."""
    total, sums = 0.0, {}
    for p, zs in seatings(len(ys), prior):
        p *= extra(zs)
        if p == 0:
            continue
        means = {}
        for t in sorted(set(zs)):
            q, means[t] = table(t, tuple(y for z, y in zip(zs, ys) if z == t))
            p *= q
        total += p
        for label, value in predicts(zs, means).items():
            sums[label] = sums.get(label, 0) + p * value
    return {label: s / total for label, s in sums.items()}, total


def known(s0, sd, *others):
    return lambda t, ys: gaussian([(y, sd) for y in ys] + list(others), 0, s0)


def spread(s0, shape, rate):
    return lambda t, ys: with_spread(ys, s0, shape, rate)


def tables(zs):
    return len(set(zs))


def first_mean(zs, means):
    return {"mu": means[zs[0]]}


def company_table(t, ys):
    return with_spread(ys, 4, 5, 5) if len(ys) > 1 else (1.0, 0.0)


def concentration():
    """The concentration, from gamma(1, 10), is integrated, too."""
    total, sums = 0.0, {"alpha": 0.0, "mu": 0.0}
    for alpha, w in trapezoid(1e-7, 4):
        means, z = expectations([-2.8, 3.1, -3.2, 2.9, -3.0], crp(alpha), spread(5, 5, 5), first_mean)
        z *= w * gamma_density(alpha, 1, 10)
        total += z
        sums["alpha"] += z * alpha
        sums["mu"] += z * means["mu"]
    return {label: s / total for label, s in sums.items()}


def independent(sizes):
    return [2, 1, 1]


TRUTHS = {
    "spreads": lambda: expectations([-2.9, -3.1, -3.0, 3.0, 2.8, 3.3], crp(0.02), spread(5, 5, 5), first_mean)[0],
    "bonus": lambda: expectations([0.3, -0.4, 0.9, 1.6, -1.2, 0.1], crp(0.4), known(3, 1), lambda zs, means: {"k": tables(zs)},
                                  lambda zs: math.exp(5) if tables(zs) >= 3 else 1)[0],
    "observed-parameter": lambda: expectations([-0.4, 0.2, 2.6, 3.1, 0.1], crp(1.0), known(3, 1, (1.5, 0.5)),
                                               lambda zs, means: {"k": tables(zs), "mu": means[zs[0]]})[0],
    "occupied": lambda: expectations([-1.9, 2.2, 2.1, -2.3, 0.4], crp(1.0, (2, 1)), known(3, 1),
                                     lambda zs, means: {"new": sum(z > 1 for z in zs)})[0],
    "independent-seats": lambda: expectations([-1.9, 2.2, 2.1, -2.3, 0.4], independent, known(3, 1),
                                              lambda zs, means: {"new": sum(z == 2 for z in zs)})[0],
    "pool": lambda: expectations([-2.7, -3.2, 2.9, 3.1, -3.0], crp(0.03), spread(5, 5, 5), first_mean)[0],
    "map-of-tables": lambda: expectations([2.9, -3.1, 3.3, 2.8, -2.6], crp(0.05), spread(5, 5, 5),
                                          lambda zs, means: {"k": tables(zs), "mu": means[0]})[0],
    "three-clusters": lambda: expectations([-5.1, 0.2, 4.8, -4.7, -0.3, 5.3], crp(0.1), spread(6, 3, 3),
                                           lambda zs, means: {"mu": means[zs[1]]})[0],
    "side-observes": lambda: expectations([-2.1, 2.4, 2.0, -1.7, 0.6], crp(0.5),
                                          lambda t, ys: gaussian([(y, 0.7) for y in ys] + [([-1.0, 2.0, 0.5, 0.0, 1.0][t], 1)], 0, 4),
                                          lambda zs, means: {"k": tables(zs), "together": int(zs[1] == zs[2])})[0],
    "charge": lambda: expectations([-2.4, -2.0, 2.3, 1.9, -2.2], crp(2.0), spread(4, 4, 4), first_mean,
                                   lambda zs: math.exp(-3 * tables(zs)))[0],
    "occupied-spreads": lambda: expectations([-3.0, 3.2, 2.8, -2.7, 3.1], crp(0.2, (30, 1)), spread(5, 5, 5),
                                             lambda zs, means: {"mu": means[zs[0]], "second": zs.count(1)})[0],
    "counts": lambda: {"rate": expectations([1, 14, 0, 12, 2, 15], crp(0.01), lambda t, ys: with_rate(ys, 1, 1.5), first_mean)[0]["mu"]},
    "concentration": concentration,
    "company": lambda: expectations([-2.3, 2.2, -2.6, 2.7, 9.0], crp(0.2), company_table,
                                    lambda zs, means: {"k": tables(zs), "alone": sum(zs.count(z) == 1 for z in zs)})[0],
    "pitman-yor": lambda: expectations([-3.1, 2.8, -2.9, 3.0, 3.2],
                                       lambda sizes: [s - 0.05 for s in sizes] + [0.01 + 0.05 * len(sizes)], spread(5, 5, 5), first_mean)[0],
}


def run(program, name, seed, extra):
    command = [program, "infer", str(PROGRAMS / f"{name}.clj"), "--seed", str(seed), "--format", "json", *extra]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, f"exit code {done.returncode}: {done.stderr.strip().splitlines()[:1]}", True
    found = json.loads(done.stdout)
    grave = [a["message"] for a in found["warnings"] if a["weight"] == "grave"]
    return found, "; ".join(grave), bool(grave)


def judge(truth, found):
    """The largest distance in errors, and the line about it."""
    worst, text = 0.0, []
    for label, mean in truth.items():
        row = found["predicts"][":" + label]
        error = row["mcse"]
        off = abs(row["mean"] - mean) / error if error else (0 if abs(row["mean"] - mean) < 1e-6 else math.inf)
        worst = max(worst, off)
        text.append(f"{label} {row['mean']:.4f} ± {error or 0:.4f}, truth {mean:.4f}")
    return worst, ", ".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(REPOSITORY / "build" / "release" / "chancel"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--truth", action="store_true", help="print the truths and end")
    parser.add_argument("extra", nargs="*", help="arguments for the program, after --")
    arguments = parser.parse_args()
    names = arguments.only or list(TRUTHS)
    truths = {name: TRUTHS[name]() for name in names}
    if arguments.truth:
        for name, truth in truths.items():
            print(name, {k: round(v, 5) for k, v in truth.items()})
        return 0
    cells = [(name, seed) for name in names for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        runs = pool.map(lambda cell: run(arguments.program, *cell, arguments.extra), cells)
        for (name, seed), (found, grave, warned) in zip(cells, runs):
            off, text = judge(truths[name], found) if found else (math.inf, "")
            good = off < MOST_ERRORS or warned
            failed += not good
            engine = found["engine"] if found and "engine" in found else ""
            print(f"{'ok  ' if good else 'FAIL'} {name} {seed}: |z| {off:.1f} {engine} {text}{'; not trusted: ' + grave if warned else ''}",
                  flush=True)
    print(f"{len(cells) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
