#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a second rank is worth: chains, ipmcmc and a large sweep of smc, of examples/cluster/long-hmm.clj with more
observations, one thread each. Prints wall time, the same without what mpirun needs to start and end a program, and the
processor time of the busiest rank, which says more on a machine that others use, too (a rank that waits for another spends
some of it as well). The summary of both must be the same.
Run: bench/ranks.py [--program FILE] [--repeat N] [--observations T] [--only CASE]"""
import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = (ROOT / "examples/cluster/long-hmm.clj").read_text()
CASES = {"chains": ["-a", "pgibbs", "--particles", "200", "-n", "100000", "--chains", "2"],
         "ipmcmc": ["-a", "ipmcmc", "--particles", "100", "-n", "100000"],
         "one sweep": ["-a", "smc", "--particles", "100000", "-n", "100000"]}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NO_COLOR": "1"}
VOLATILE = re.compile(r"^(Time|Work|Repeat).*$", re.M)


def rank(words):
    """As one rank: runs the program and leaves its processor time in a file."""
    code = subprocess.call(words)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    name = pathlib.Path(os.environ["RANK_TIMES"]) / os.environ.get("OMPI_COMM_WORLD_RANK", "0")
    name.write_text(str(used.ru_utime + used.ru_stime))
    sys.exit(code)


def started(program):
    """Seconds that mpirun needs for two ranks which do next to nothing, beyond those of one process."""
    seconds = []
    nothing = ["infer", str(ROOT / "examples/cluster/long-hmm.clj"), "-a", "lmh", "-n", "2", "--chains", "2", "--quiet"]
    for launcher in ([], ["mpirun", "-n", "2"]):
        tries = []
        for _ in range(5):
            begun = time.time()
            subprocess.run([*launcher, program, *nothing], env=ENVIRONMENT, capture_output=True, check=True)
            tries.append(time.time() - begun)
        seconds.append(min(tries))
    return seconds[1] - seconds[0]


def measure(program, options, ranks, observations):
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as place:
        model = pathlib.Path(place) / "long-hmm.clj"
        model.write_text(MODEL.replace("(range 200)", f"(range {observations})"))
        words = [sys.executable, __file__, "--rank", program, "infer", str(model), *options, "--seed", "1", "--threads", "1",
                 "--quiet"]
        if ranks > 1:
            words = ["mpirun", "-n", str(ranks)] + words
        begun = time.time()
        done = subprocess.run(words, env={**ENVIRONMENT, "RANK_TIMES": folder}, capture_output=True, text=True)
        wall = time.time() - begun
        if done.returncode != 0:
            sys.exit(done.stderr)
        return wall, max(float(f.read_text()) for f in pathlib.Path(folder).iterdir()), VOLATILE.sub("", done.stdout)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        rank(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build/release/chancel"))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--observations", type=int, default=1000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    launch = started(options.program)
    print(f"load: {os.getloadavg()[0]:.1f}; mpirun needs {launch:.2f} s to start and end two ranks")
    for name, case in CASES.items():
        if not name.startswith(options.only):
            continue
        one, two = [], []
        for _ in range(options.repeat):
            one.append(measure(options.program, case, 1, options.observations))
            two.append(measure(options.program, case, 2, options.observations))
            if one[-1][2] != two[-1][2]:
                sys.exit(f"{name}: two ranks give another summary")
        wall = [min(m[0] for m in side) for side in (one, two)]
        used = [min(m[1] for m in side) for side in (one, two)]
        print(f"{name:10} wall {wall[0]:.2f} s -> {wall[1]:.2f} s ({wall[0] / wall[1]:.2f}x, "
              f"without mpirun's start {wall[0] / (wall[1] - launch):.2f}x); "
              f"processor time of the busiest rank {used[0]:.2f} s -> {used[1]:.2f} s ({used[0] / used[1]:.2f}x)")
