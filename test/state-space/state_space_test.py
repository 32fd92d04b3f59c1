#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs pgibbs with :parameters and pmmh on the series of models/state-space and compares their posteriors, with fixed seeds.

ar1: means against the exact ones (kalman_grid.py); volatility and sir: the two engines against each other. A mean may be 4 of its
errors (MCSE) off, of both where two are compared. --full takes runs that are long enough for an effective sample size of 400 on
ar1, within 60 s of processor time for each engine, and for 100 on the others, where four chains have to agree as well (R-hat); it
also compares ar1 by anneal with delayed sampling, whose errors have to be below a quarter of the standard deviations. Without it
only ar1 is run, briefly (the gate). --full takes some 40 s of processor time for volatility, and a minute and a half for each of the
others.

Run: test/state-space/state_space_test.py [--program build/release/chancel] [--full] [NAME...]
"""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "models" / "state-space"
# Mean and standard deviation; by kalman_grid.py.
TRUTH = {"ar1": {"phi": (0.918511, 0.025847), "sigma": (0.445719, 0.060365), "tau": (1.032449, 0.044837)}}
PARAMETERS = {"ar1": ["phi", "sigma", "tau"], "volatility": ["mu", "phi", "sigma"], "sir": ["spread", "recovery", "reported"]}
# Particles, sweeps of warm-up and of the run in each chain, chains.
BRIEF = {"ar1": {"pgibbs": (30, 60, 120, 1), "pmmh": (60, 800, 400, 1)}}
FULL = {"ar1": {"pgibbs": (30, 300, 1400, 1), "pmmh": (60, 1500, 5500, 1), "anneal": (1000, 0, 1, 1)},
        "volatility": {"pgibbs": (50, 100, 250, 4), "pmmh": (100, 500, 600, 4)},
        "sir": {"pgibbs": (100, 200, 2500, 4), "pmmh": (60, 800, 1000, 4)}}
ESS = {"ar1": 400, "volatility": 100, "sir": 100}
SECONDS = {"ar1": 60}
R_HAT = 1.05
ERRORS = 4


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, model, engine, size):
    particles, warmup, sweeps, chains = size
    draws = 1 if engine == "pmmh" else particles  # of a sweep
    parameters = f":parameters [{' '.join(':' + p for p in PARAMETERS[model])}]"
    options = f":number-of-particles {particles} {':delayed true' if engine == 'anneal' else parameters}"
    command = [program, "infer", str(MODELS / f"{model}.clj"), "--data", str(MODELS / "data" / f"{model}.json"), "-a", engine, "-o", options,
               "-n", str(sweeps * draws), "--warmup", str(warmup * draws), "--chains", str(chains), "--seed", "1", "--threads", "1",
               "--format", "json", "-q"]
    before = processor_time()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = processor_time() - before
    if done.returncode not in (0, 3) or not done.stdout:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout), seconds


def check(program, model, sizes, full):
    """Mistakes, a line each."""
    mistakes, found = [], {}
    for engine, size in sizes.items():
        summary, seconds = run(program, model, engine, size)
        predicts = found[engine] = {p: summary["predicts"][f":{p}"] for p in PARAMETERS[model]}
        ess = min(p["ess_bulk"] for p in predicts.values())
        r_hat = max((p["rhat"] or 1) for p in predicts.values())
        text = ", ".join(f"{p} {v['mean']:.4f} +- {v['mcse']:.4f} (ESS {v['ess_bulk']:.0f})" for p, v in predicts.items())
        print(f"{model} {engine}: {text}; R-hat {r_hat:.3f}, {seconds:.1f} s", flush=True)
        if full and engine != "anneal":
            if ess < ESS[model]:
                mistakes.append(f"{model} {engine}: an effective sample size of {ess:.0f}, wanted {ESS[model]}")
            if seconds > SECONDS.get(model, math.inf):
                mistakes.append(f"{model} {engine}: {seconds:.0f} s of processor time, at most {SECONDS[model]}")
            if r_hat > R_HAT:
                mistakes.append(f"{model} {engine}: R-hat {r_hat:.3f}, at most {R_HAT}")
        for name, (mean, sd) in TRUTH.get(model, {}).items():
            v = predicts[name]
            if not v["mcse"] <= (sd / 4 if full else sd / 2):
                mistakes.append(f"{model} {engine}: the error of {name} is {v['mcse']:.3g}, too large beside {sd:.3g}")
            if not abs(v["mean"] - mean) <= ERRORS * v["mcse"]:
                mistakes.append(f"{model} {engine}: {name} {v['mean']:.5g} (MCSE {v['mcse']:.2g}), exact {mean:.5g}")
    for name in PARAMETERS[model]:
        a, b = found["pgibbs"][name], found["pmmh"][name]
        if not abs(a["mean"] - b["mean"]) <= ERRORS * math.hypot(a["mcse"], b["mcse"]):
            mistakes.append(f"{model}: {name} {a['mean']:.5g} by pgibbs, {b['mean']:.5g} by pmmh")
    return mistakes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--program", default=str(REPOSITORY / "build" / "release" / "chancel"))
    parser.add_argument("--full", action="store_true")
    arguments = parser.parse_args()
    runs = FULL if arguments.full else BRIEF
    mistakes = []
    for model in arguments.names or runs:
        mistakes += check(arguments.program, model, runs[model], arguments.full)
    print("\n".join(mistakes) or "fine")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
