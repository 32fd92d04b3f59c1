#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the error that anneal gives its log evidence is right, on series of models/state-space: runs with the seeds 1, 2, ...

Each run is compared with the evidence of smc, which shares neither temperatures nor moves with it: the mean of independent sweeps
with many particles, unbiased, and with a small error that is shown. A run covers when it is at most two errors off, its own and that
of the reference together. 95 of 100 should; less than 91 would happen in 3 of 100 tests if they do. Also shown is the standard
deviation of the runs over the mean of their errors, which should be 1.

The series are the first observations only (LENGTH), so that a run takes some 3 s (sir 6 s): 15 minutes of processor time for 100
runs of each. Not a part of the gate.

Run: test/state-space/evidence_test.py [--program build/release/chancel] [--runs 100] [--jobs 1] [NAME...]
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "models" / "state-space"
SERIES = {"volatility": "ys", "sir": "cases"}
LENGTH = {"volatility": 60, "sir": 20}
# Particles and options of a run; particles and sweeps of the reference.
ANNEAL = {"volatility": (1000, ":number-of-chains 100"), "sir": (1000, ":number-of-chains 100 :steps 20")}
REFERENCE = {"volatility": (20000, 20), "sir": (20000, 20)}
LEAST_SHARE = 0.91


def log_evidence(program, model, data, engine, options, draws, seed):
    """With its error."""
    command = [program, "infer", str(MODELS / f"{model}.clj"), "--data", str(data), "-a", engine, "-o", options, "-n", str(draws),
               "--seed", str(seed), "--threads", "1", "--format", "json", "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3) or not done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    found = json.loads(done.stdout)["log_evidence"]
    return found["value"], found["se"]


def check(program, model, runs, jobs, folder):
    """A mistake, or nothing."""
    data = json.loads((MODELS / "data" / f"{model}.json").read_text())
    data[SERIES[model]] = data[SERIES[model]][:LENGTH[model]]
    path = pathlib.Path(folder) / f"{model}.json"
    path.write_text(json.dumps(data))
    particles, sweeps = REFERENCE[model]
    truth, truth_error = log_evidence(program, model, path, "smc", f":number-of-particles {particles}", particles * sweeps, 1)
    print(f"{model}, {LENGTH[model]} observations: log evidence {truth:.3f} +- {truth_error:.3f} by smc", flush=True)
    particles, options = ANNEAL[model]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda seed: log_evidence(program, model, path, "anneal", f":number-of-particles {particles} {options}",
                                                        particles, seed), range(1, runs + 1)))
    covered = sum(abs(value - truth) <= 2 * math.hypot(error, truth_error) for value, error in found)
    values, errors = zip(*found)
    spread, error = statistics.stdev(values), statistics.mean(errors)
    print(f"{model} anneal: {covered} of {runs} within two errors; mean {statistics.mean(values):.3f}, standard deviation {spread:.3f}, "
          f"mean error {error:.3f}, ratio {spread / error:.2f}", flush=True)
    return [] if covered >= LEAST_SHARE * runs else [f"{model}: {covered} of {runs} runs of anneal are within two errors of {truth:.3f}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--program", default=str(REPOSITORY / "build" / "release" / "chancel"))
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    mistakes = []
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.names or SERIES:
            mistakes += check(arguments.program, model, arguments.runs, arguments.jobs, folder)
    print("\n".join(mistakes) or "fine")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
