#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Dirichlet process mixture on 82 galaxies and 272 eruptions, by the engine partition, against collapsed Gibbs by hand.

The truth is in truth.json, made by collapsed_gibbs.cpp (200 000 sweeps each; --truth PROGRAM makes it again, PROGRAM is that file,
compiled). In full, R_hat of the number of clusters and of the density at three points must be below 1.05, their effective
sample sizes at least 100, within two minutes on two cores. A mean may be 4.5 joint standard errors off: a false alarm in 18 000
runs of 8 means; a shift of 4.5 + 1.3 standard errors is seen in nine of ten runs, which is 0.2 to 0.6 posterior standard deviations.

Run: test/mixture/mixture_test.py [--program build/release/chancel] [--quick] [--seed 1] [--truth PROGRAM]
"""
import argparse
import csv
import json
import math
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
PRIOR = {"alpha": 1.0, "mu": 0.0, "beta": 0.1, "a": 2.0, "b": 0.2}
COLUMNS = {"galaxies": "velocity", "faithful": "eruptions"}
DRAWS = {"galaxies": 600, "faithful": 2300}  # of each of four chains
QUICK = {"galaxies": 60}
MOST_ERRORS = 4.5
SECONDS = 120


def standardised(name):
    with open(REPOSITORY / "examples" / "data" / f"{name}.csv", newline="") as file:
        values = [float(row[COLUMNS[name]]) for row in csv.DictReader(file)]
    mean, sd = statistics.mean(values), statistics.stdev(values)
    return [round((v - mean) / sd, 6) for v in values]


def make_truth(program):
    truth = {}
    for name in COLUMNS:
        command = [program, "200000", "1", *(str(PRIOR[k]) for k in ("alpha", "mu", "beta", "a", "b"))]
        text = " ".join(map(str, standardised(name)))
        truth[name] = json.loads(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout)
    (HERE / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")


def check(program, name, draws, seed, quick):
    truth = json.loads((HERE / "truth.json").read_text())[name]
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data.json"
        data.write_text(json.dumps({"ys": standardised(name), **PRIOR}))
        command = [program, "infer", str(HERE / "dp-mixture.clj"), "--data", str(data), "-a", "partition", "-n", str(draws),
                   "-b", str(draws // 10), "--chains", "4", "--seed", str(seed), "--format", "json"]
        began, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run = subprocess.run(command, capture_output=True, text=True)
        seconds, cpu = time.time() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if run.returncode != 0:
        print(f"FAIL {name}: exit code {run.returncode}: {run.stderr}")
        return False
    good = True
    print(f"{name}: {seconds:.0f} s, {cpu:.0f} CPU s")
    for label, (mean, error) in truth.items():
        found = json.loads(run.stdout)["predicts"][":" + label]
        off = (found["mean"] - mean) / math.hypot(found["mcse"], error)
        mixed = quick or (found["rhat"] < 1.05 and found["ess_bulk"] >= 100)
        good = good and abs(off) < MOST_ERRORS and mixed
        print(f"  {'ok  ' if abs(off) < MOST_ERRORS and mixed else 'FAIL'} {label}: {found['mean']:.4f} ± {found['mcse']:.4f}, truth "
              f"{mean:.4f}, {off:+.1f} errors off, ESS {found['ess_bulk']:.0f}, R_hat {found['rhat']:.3f}")
    if not quick and cpu > 2 * SECONDS:
        print(f"  FAIL more than {SECONDS} s on two cores")
        good = False
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(REPOSITORY / "build" / "release" / "chancel"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--truth")
    arguments = parser.parse_args()
    if arguments.truth:
        make_truth(arguments.truth)
        return 0
    sizes = QUICK if arguments.quick else DRAWS
    results = [check(arguments.program, name, draws, arguments.seed, arguments.quick) for name, draws in sizes.items()]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
