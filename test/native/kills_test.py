# SPDX-License-Identifier: Apache-2.0
"""Runs with native code that are killed at random moments: no compiler and no half-written file is left. Every process of a run has a
variable of its environment, by which they are found. `--kills N` kills N times, `--seed S` names the moments; prints how long the slowest
took to be gone. Run: test/native/kills_test.py --program build/release/chancel --kills 50"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = float(os.environ.get("CHANCEL_TEST_PATIENCE", "1"))
RUNS = [["models/hmm/hmm.clj", "-a", "smc"], ["models/mixture/mixture.clj", "-a", "smc"], ["models/hmm/hmm.clj", "-a", "pgibbs"],
        ["examples/cluster/long-hmm.clj", "-a", "smc", "--particles", "1000"]]


def alive(mark):
    """Names of the processes that have it, but for zombies."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or mark not in (entry / "environ").read_bytes():
                continue
            name, state = (entry / "stat").read_text().split("(", 1)[1].rsplit(") ", 1)
        except OSError:
            continue
        if state[0] != "Z":
            found.append(name)
    return found


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def kill(program, rng, turn, folder):
    """(compilers that ran at that moment, seconds until none did)"""
    mark = f"CHANCEL_KILLED_RUN={os.getpid()}-{turn}"
    environment = {**os.environ, "XDG_CACHE_HOME": folder, **dict([mark.split("=")])}
    run = subprocess.Popen([program, "infer", *rng.choice(RUNS), "--tier", "native", "-n", "0", "--quiet"], cwd=ROOT, env=environment,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if turn % 2 == 0:  # with a compiler at work, if it comes to that
        wait_until(lambda: len(alive(mark.encode())) > 1 or run.poll() is not None, 30 * PATIENCE)
        time.sleep(rng.uniform(0, 0.3))
    else:
        time.sleep(rng.uniform(0, 2))
    before = alive(mark.encode())
    run.send_signal(signal.SIGKILL if rng.random() < 0.7 else signal.SIGTERM)
    begun = time.monotonic()
    run.wait()
    if not wait_until(lambda: not alive(mark.encode()), 30 * PATIENCE):
        sys.exit(f"FAILED: kill {turn}: {alive(mark.encode())} are left")
    seconds = time.monotonic() - begun
    # What is whole stays for the next run.
    left = [f for f in pathlib.Path(folder).rglob("*") if f.is_file() and f.suffix != ".so"]
    if left:
        sys.exit(f"FAILED: kill {turn}: files are left: {left}")
    return sum(name.startswith(("cc1", "as", "ld", "collect2", "gcc", "cc")) for name in before), seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    slowest, with_compiler = 0.0, 0
    for turn in range(options.kills):
        with tempfile.TemporaryDirectory() as folder:
            compilers, seconds = kill(os.path.abspath(options.program), rng, turn, folder)
        slowest = max(slowest, seconds)
        with_compiler += compilers > 0
    if with_compiler == 0:
        sys.exit("FAILED: no run was killed while it compiled")
    print(f"{options.kills} kills from seed {options.seed}, {with_compiler} while it compiled: all gone after {slowest:.2f} s at most")


if __name__ == "__main__":
    main()
