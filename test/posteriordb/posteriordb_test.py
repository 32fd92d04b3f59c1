#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of models/posteriordb, or those of examples, by default and compares their posteriors with what they should be.

A mean may be 0.15 reference standard deviations and 4 of its own errors (MCSE) off, a standard deviation 15 %; no warning may be
shown: of an answer that is right, it would be false. The references of examples/reference are exact, or of 40 000 draws by Stan.

Run: test/posteriordb/posteriordb_test.py [--program build/release/chancel] [--seeds 5] [--first-seed 1] [--examples] [NAME...]
-- OPTIONS gives further options to `chancel infer`, for example `-- -a nuts`.
"""
import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MODELS = REPOSITORY / "models" / "posteriordb"
EXAMPLES = REPOSITORY / "examples"
TIMEOUT_SECONDS = 1200


def label_of(parameter):
    """beta[1] of the reference is :beta[0] of the summary."""
    return ":" + re.sub(r"\[(\d+)\]", lambda m: f"[{int(m.group(1)) - 1}]", parameter)


def data_of(folder, name):
    if folder == MODELS:
        return folder / "data" / f"{name}.json"
    return REPOSITORY / re.search(r"--data (\S+)", (folder / f"{name}.clj").read_text()).group(1)  # its own comment says


def run(program, folder, name, seed, options):
    command = [program, "infer", str(folder / f"{name}.clj"), "--data", str(data_of(folder, name)),
               "--seed", str(seed), "--format", "json", *options]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", f"it took more than {TIMEOUT_SECONDS} s")


def ended_by_clock(done):
    """On a busy machine the minute of a default run may be over before its work is done."""
    if done.returncode == 70:
        return "time limit" in done.stderr
    return done.returncode == 0 and json.loads(done.stdout)["stopped"].startswith("the time limit")


def mistakes_in(summary, reference):
    """What is wrong with the summary, a line each, and how far the worst mean is off, in reference standard deviations."""
    mistakes, worst = [], 0.0
    for parameter, truth in reference.items():
        found = summary["predicts"].get(label_of(parameter))
        if found is None or found.get("mean") is None or found.get("mcse") is None:
            mistakes.append(f"{parameter}: no posterior, or one value in all draws")
            continue
        off = abs(found["mean"] - truth["mean"])
        worst = max(worst, off / truth["sd"])
        if not off <= 0.15 * truth["sd"] + 4 * found["mcse"]:
            mistakes.append(f"{parameter}: mean {found['mean']:.5g} (MCSE {found['mcse']:.2g}), reference {truth['mean']:.5g} "
                            f"(sd {truth['sd']:.3g})")
        if not abs(found["sd"] - truth["sd"]) <= 0.15 * truth["sd"]:
            mistakes.append(f"{parameter}: sd {found['sd']:.5g}, reference {truth['sd']:.5g}")
    mistakes += [f"warning: {advice['message']}" for advice in summary["warnings"] if advice["weight"] != "note"]
    return mistakes, worst


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of the names of the posteriors to run (all)")
    parser.add_argument("--program", default=str(REPOSITORY / "build/release/chancel"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--examples", action="store_true")
    given = parser.parse_args(arguments)
    folder = EXAMPLES if given.examples else MODELS
    names = sorted(path.stem for path in (folder / "reference").glob("*.json"))
    names = [n for n in names if not given.names or any(part in n for part in given.names)]
    if not names:
        sys.exit(f"no posterior is named like {', '.join(given.names)}")
    failed = 0
    for name in names:
        reference = json.loads((folder / "reference" / f"{name}.json").read_text())
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            start = time.monotonic()
            done = run(given.program, folder, name, seed, options)
            if not options and ended_by_clock(done):  # the same run, with more time
                done = run(given.program, folder, name, seed, ["--timeout", str(TIMEOUT_SECONDS - 100)])
            seconds = time.monotonic() - start
            if done.returncode != 0:
                mistakes, worst, ess = [f"exit code {done.returncode}: {done.stderr.strip()[-500:]}"], math.nan, 0
            else:
                summary = json.loads(done.stdout)
                mistakes, worst = mistakes_in(summary, reference)
                ess = min((row.get("ess_bulk") or 0) for row in summary["predicts"].values())
            failed += bool(mistakes)
            print(f"{'FAILED' if mistakes else 'right':7}{name:45} seed {seed}  {seconds:6.1f} s  ESS {ess:7.0f}  "
                  f"worst mean {worst:.3f} sd off", flush=True)
            for mistake in mistakes:
                print(f"         {mistake}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
