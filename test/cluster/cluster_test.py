#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs on several ranks (docs/cluster.md): the same bytes as one process, one message for one mistake, a rank that is
killed. `--kills N` kills N times instead of a few; `--seed S` names the random moments.
Run: test/cluster/cluster_test.py --program build/release/chancel [--kills N] [--only NAME]"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HMM = str(ROOT / "models/hmm/hmm.clj")
LONG = str(ROOT / "examples/cluster/long-hmm.clj")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NO_COLOR": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}
# What depends on the machine and not on the seed.
VOLATILE = re.compile(r"^(Time|Repeat) .*$| \([0-9.e+]* [a-z]* ?a second\)", re.M)

RUNS = {  # engine, options: chains, sweeps, nodes, executions, slices
    "lmh": ["-a", "lmh", "-n", "200", "--chains", "4"],
    "pgibbs": ["-a", "pgibbs", "--particles", "20", "-n", "400", "--chains", "4"],
    "smc": ["-a", "smc", "--particles", "50", "-n", "1000"],
    "pimh": ["-a", "pimh", "--particles", "50", "-n", "1000"],
    "importance": ["-a", "importance", "-n", "2000"],
    "ipmcmc": ["-a", "ipmcmc", "-o", ":number-of-nodes 8 :number-of-particles 20", "-n", "1600"],
    "wide": ["-a", "smc", "--particles", "9000", "-n", "9000"],
    "ess": ["--ess", "100", "-a", "lmh", "--chains", "4"],
}


def start(arguments, ranks=0, **more):
    words = [PROGRAM] + arguments
    if ranks:
        words = ["mpirun", "-n", str(ranks)] + words
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                            env=ENVIRONMENT, text=True, **more)


def run(arguments, ranks=0, seconds=120):
    process = start(arguments, ranks)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        fail(f"{ranks} ranks: {arguments} did not end:\n{out[-500:]}{err[-500:]}")
    return process.returncode, out, err


def fail(text):
    print("FAILED:", text, file=sys.stderr)
    sys.exit(1)


def check(condition, text):
    if not condition:
        fail(text)


def same_bytes():
    for name, options in RUNS.items():
        base = ["infer", HMM, *options, "--seed", "5", "--quiet"]
        expected = {form: run(base + ["-f", form, "--threads", "1"]) for form in ("csv", "table")}
        check(expected["csv"][0] == 0, f"{name}: {expected['csv'][2]}")
        for ranks, threads, form in ((1, 1, "csv"), (2, 1, "csv"), (2, 2, "table"), (3, 1, "table"), (4, 2, "csv"),
                                     (4, 1, "table")):
            code, out, err = run(base + ["-f", form, "--threads", str(threads)], ranks)
            check(code == 0, f"{name}, {ranks} ranks: exit code {code}: {err}")
            check(VOLATILE.sub("", out) == VOLATILE.sub("", expected[form][1]),
                  f"{name}: {ranks} ranks with {threads} threads give another {form}\n{out[-800:]}")
            check("warning" not in err.lower(), f"{name}: {err}")
        print("same bytes:", name)


def mistakes_are_told_once():
    with tempfile.TemporaryDirectory() as folder:
        wrong = pathlib.Path(folder) / "wrong.clj"
        wrong.write_text("(defquery q (observe (normal 0 1) 1) (predict (sample (nomal 0 1))))\n")
        code, out, err = run(["infer", str(wrong), "q"], 3)
        check(code == 65 and err.count("error[") == 1 and "wrong.clj:1:" in err, f"{code}: {err}")
        late = pathlib.Path(folder) / "late.clj"
        late.write_text("(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 1)\n"
                        "  (predict :x (if (> x 2.5) (/ 1 0) x))))\n")
        for options in (["-a", "smc", "--particles", "100", "-n", "100000"], ["-a", "lmh", "-n", "100000", "--chains", "3"],
                        ["-a", "importance", "-n", "100000"], ["-a", "smc", "--particles", "10000", "-n", "100000"],
                        ["-a", "ipmcmc", "-n", "100000"]):
            code, out, err = run(["infer", str(late), *options, "--seed", "1"], 2)
            check(code == 70 and err.count("error[") == 1 and "late.clj:2:" in err, f"{options}: {code}: {err}")
        odd = pathlib.Path(folder) / "odd.clj"
        odd.write_text("(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 1) (predict :f (fn [] x))))\n")
        code, out, err = run(["infer", str(odd), "-a", "lmh", "-n", "100", "--chains", "2"], 2)
        check(code == 70 and err.count("error[I011]") == 1, f"{code}: {err}")
        code, out, err = run(["infer", HMM, "-a", "lmh", "-n", "100"], 3)
        check(code == 0 and err.count("warning[I012]") + out.count("warning[I012]") <= 1 and
              "I012" in err + out, f"{code}: {out} {err}")
        code, out, err = run(["check", HMM], 2)
        check(code == 0 and err.count("is not spread") == 1, f"{code}: {err}")
        # Without the module: a copy of the program that lies alone.
        alone = pathlib.Path(folder) / "bin" / "chancel"
        alone.parent.mkdir()
        shutil.copy(PROGRAM, alone)
        done = subprocess.run(["mpirun", "-n", "2", str(alone), "infer", HMM, "-n", "10"], env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=60)
        check(done.returncode == 70 and done.stderr.count("error[U005]") == 1, f"{done.returncode}: {done.stderr}")
    print("mistakes: told once")


def program_processes(folder):
    """Ranks of the run in this directory, by their command lines."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except (OSError, UnicodeDecodeError):
            continue
        if words and words[0] == PROGRAM and folder in words:
            found.append(int(entry.name))
    return sorted(found)


def killed_ranks(kills, seed):
    rng = random.Random(seed)
    kinds = [["-a", "pgibbs", "--particles", "50", "-n", "60000", "--chains", "3"],
             ["-a", "smc", "--particles", "200", "-n", "100000"],
             ["-a", "lmh", "-n", "60000", "--chains", "4"],
             ["-a", "smc", "--particles", "10000", "-n", "200000"],
             ["-a", "ipmcmc", "-n", "100000"]]
    whole = {}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(kills):
            kind = turn % len(kinds)
            arguments = ["infer", HMM, *kinds[kind], "--seed", "9", "--threads", "1", "--quiet"]
            if kind not in whole:
                directory = f"{folder}/whole{kind}"
                code, _, err = run(arguments + ["--out", directory])
                check(code == 0, err)
                whole[kind] = draws_of(directory)
            directory = f"{folder}/run{turn}"
            ranks = rng.randint(2, 4)
            process = start(arguments + ["--out", directory], ranks)
            deadline = time.time() + 30
            while not os.path.exists(f"{directory}/draws.csv") and process.poll() is None and time.time() < deadline:
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 1.0))
            alive = program_processes(directory)
            victim = None
            if alive and process.poll() is None:
                victim = rng.choice(alive)
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    victim = None
            begun = time.time()
            try:
                _, err = process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                fail(f"kill {turn}: the others did not end")
            took = time.time() - begun
            if victim:
                check(process.returncode != 0 or took < 5, f"kill {turn}: exit code 0")
                if process.returncode != 0:
                    check(re.search(r"rank \d+", err), f"kill {turn}: no rank is named: {err}")
            check(not program_processes(directory), f"kill {turn}: a rank is left")
            before = draws_of(directory)
            check(whole[kind].startswith(before.rsplit(b"\n", 1)[0]), f"kill {turn}: other draws before the kill")
            again = rng.choice([0, 2, 3])
            code, _, err = run(["infer", "--resume", directory, "--quiet"], again)
            check(code == 0, f"kill {turn}: resumed with {again} ranks: {err}")
            check(draws_of(directory) == whole[kind], f"kill {turn}: resumed with {again} ranks: other draws")
            shutil.rmtree(directory)
            print(f"kill {turn}: {' '.join(kinds[kind][:2])} on {ranks} ranks, {len(before)} bytes of draws kept, "
                  f"ended in {took:.1f} s with code {process.returncode}, resumed with {again or 'no'} ranks: same")


def draws_of(directory):
    return (pathlib.Path(directory) / "draws.csv").read_bytes()


def interrupt():
    with tempfile.TemporaryDirectory() as folder:
        directory = f"{folder}/run"
        process = start(["infer", HMM, "-a", "lmh", "-n", "100000000", "--chains", "2", "--out", directory, "--quiet"], 2)
        while not os.path.exists(f"{directory}/draws.csv") and process.poll() is None:
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        begun = time.time()
        try:
            process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            fail("Ctrl-C: the run did not end")
        check(process.returncode != 0 and len(draws_of(directory)) > 1000, "Ctrl-C: no draws are kept")
        check(not program_processes(directory), "Ctrl-C: a rank is left")
        print(f"Ctrl-C: ended in {time.time() - begun:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    PROGRAM = os.path.abspath(options.program)
    if not shutil.which("mpirun"):
        print("mpirun is not installed")
        sys.exit(77)
    parts = {"bytes": same_bytes, "mistakes": mistakes_are_told_once, "interrupt": interrupt,
             "kills": lambda: killed_ranks(options.kills, options.seed)}
    for name, part in parts.items():
        if options.only in ("", name):
            part()
