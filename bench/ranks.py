#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a second rank is worth: chains, ipmcmc and one large sweep of smc, of examples/cluster/long-hmm.clj, one thread each.
Prints wall time and the processor time of the busiest rank, which says more on a machine that others use, too (a rank that
waits for another spends some of it as well). The summary of both must be the same. Run: bench/ranks.py [--program FILE] [--repeat N]"""
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
MODEL = str(ROOT / "examples/cluster/long-hmm.clj")
CASES = {"chains": ["-a", "pgibbs", "--particles", "200", "-n", "200000", "--chains", "2"],
         "ipmcmc": ["-a", "ipmcmc", "--particles", "100", "-n", "300000"],
         "one sweep": ["-a", "smc", "--particles", "100000", "-n", "500000"]}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NO_COLOR": "1"}
VOLATILE = re.compile(r"^(Time|Work).*$", re.M)


def rank(words):
    """As one rank: runs the program and leaves its processor time in a file."""
    code = subprocess.call(words)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    name = pathlib.Path(os.environ["RANK_TIMES"]) / os.environ.get("OMPI_COMM_WORLD_RANK", "0")
    name.write_text(str(used.ru_utime + used.ru_stime))
    sys.exit(code)


def measure(program, options, ranks):
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, __file__, "--rank", program, "infer", MODEL, *options, "--seed", "1", "--threads", "1",
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
    options = parser.parse_args()
    print("load:", os.getloadavg()[0])
    for name, case in CASES.items():
        one, two = [], []
        for _ in range(options.repeat):
            one.append(measure(options.program, case, 1))
            two.append(measure(options.program, case, 2))
            if one[-1][2] != two[-1][2]:
                sys.exit(f"{name}: two ranks give another summary")
        wall = [min(m[0] for m in side) for side in (one, two)]
        used = [min(m[1] for m in side) for side in (one, two)]
        print(f"{name:10} wall {wall[0]:.2f} s -> {wall[1]:.2f} s ({wall[0] / wall[1]:.2f}x); "
              f"processor time of the busiest rank {used[0]:.2f} s -> {used[1]:.2f} s ({used[0] / used[1]:.2f}x)")
