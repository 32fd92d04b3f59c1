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

MIXTURE = str(ROOT / "models/mixture/mixture.clj")
RUNS = {  # engine, options: chains, sweeps, nodes, executions, slices, tempered chains; on the HMM, or a program
    "lmh": ["-a", "lmh", "-n", "200", "--chains", "4"],
    "pgibbs": ["-a", "pgibbs", "--particles", "20", "-n", "400", "--chains", "4"],
    "smc": ["-a", "smc", "--particles", "50", "-n", "1000"],
    "pimh": ["-a", "pimh", "--particles", "50", "-n", "1000"],
    "importance": ["-a", "importance", "-n", "2000"],
    "ipmcmc": ["-a", "ipmcmc", "-o", ":number-of-nodes 8 :number-of-particles 20", "-n", "1600"],
    "wide": ["-a", "smc", "--particles", "9000", "-n", "9000"],
    "wide-multinomial": ["-a", "smc", "-o", ":number-of-particles 9000 :resampling :multinomial", "-n", "9000"],
    "wide-long": [LONG, "-a", "smc", "--particles", "9000", "-n", "9000"],  # borders go as far as they may
    "anneal": ["-a", "anneal", "-o", ":number-of-particles 70 :number-of-chains 14", "-n", "140"],
    "anneal-nuts": [MIXTURE, "-a", "anneal", "-o", ":number-of-particles 60 :number-of-chains 15 :move :nuts", "-n", "60"],
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
    """Draws and summary of every number of ranks and threads."""
    with tempfile.TemporaryDirectory() as folder:
        for name, options in RUNS.items():
            seen = {}
            few = name in ("pimh", "ess", "wide-multinomial", "wide-long")
            for ranks, threads in [(0, 1)] + ([(2, 1), (3, 2)] if few else
                                              [(r, t) for r in (1, 2, 3, 4) for t in (1, 2)]):
                directory = f"{folder}/{name}-{ranks}-{threads}"
                program = [HMM] if options[0].startswith("-") else []
                code, out, err = run(["infer", *program, *options, "--seed", "5", "--quiet", "--threads", str(threads),
                                      "--out", directory], ranks)
                check(code == 0, f"{name}, {ranks} ranks: exit code {code}: {err}")
                check("warning" not in err.lower(), f"{name}: {err}")
                seen[ranks, threads] = (draws_of(directory), VOLATILE.sub("", out.replace(directory, "")))
                check(len(seen[ranks, threads][0]) > 1000, f"{name}: no draws")
                for what, mine, one in zip(("draws", "summary"), seen[ranks, threads], seen[0, 1]):
                    check(mine == one, f"{name}: {ranks} ranks with {threads} threads give another {what}\n{out[-800:]}")
            print(f"same bytes: {name}, {len(seen)} runs")


def paper():
    """Cells of the paper's experiments: the same rows, whichever rank had them."""
    with tempfile.TemporaryDirectory() as folder:
        for ranks in (0, 2, 3):
            code, out, err = run(["paper", "--quick", "--runs", "1", "-e", "particles", "--threads", "1", "--out",
                                  f"{folder}/{ranks}"], ranks)
            check(code == 0 and out.count("index.html") == 1, f"paper on {ranks} ranks: {code}: {out}{err}")
            place = pathlib.Path(f"{folder}/{ranks}/cells")
            cells = {str(f.relative_to(place)): f.read_bytes() for f in place.rglob("*.csv")}
            if ranks == 0:
                one = cells
            check(len(cells) > 3 and cells == one, f"paper on {ranks} ranks: other cells")
        code, _, err = run(["paper", "-e", "nothing", "--out", folder], 2)
        check(code == 64 and err.count("error[") == 1, f"paper: {code}: {err}")
    print("paper: same cells")


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
                        ["-a", "ipmcmc", "-n", "100000"], ["-a", "anneal", "-n", "100000"]):
            code, out, err = run(["infer", str(late), *options, "--seed", "1"], 2)
            check(code == 70 and err.count("error[") == 1 and "late.clj:2:" in err, f"{options}: {code}: {err}")
        odd = pathlib.Path(folder) / "odd.clj"
        odd.write_text("(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 1) (predict :f (fn [] x))))\n")
        for options in (["-a", "lmh", "-n", "100", "--chains", "2"], ["-a", "anneal", "-n", "1000"]):
            code, out, err = run(["infer", str(odd), *options], 2)
            check(code == 70 and err.count("error[I011]") == 1, f"{options}: {code}: {err}")
        code, out, err = run(["infer", HMM, "-a", "lmh", "-n", "100"], 3)
        check(code == 0 and err.count("warning[I012]") + out.count("warning[I012]") <= 1 and
              "I012" in err + out, f"{code}: {out} {err}")
        code, out, err = run(["check", HMM], 2)
        check(code == 0 and err.count("is not distributed") == 1, f"{code}: {err}")
        # Without the module: a copy of the program that lies alone.
        alone = pathlib.Path(folder) / "bin" / "chancel"
        alone.parent.mkdir()
        shutil.copy(PROGRAM, alone)
        done = subprocess.run(["mpirun", "-n", "2", str(alone), "infer", HMM, "-n", "10"], env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=60)
        check(done.returncode == 70 and done.stderr.count("error[U005]") == 1, f"{done.returncode}: {done.stderr}")
    print("mistakes: reported once")


def program_processes(folder):
    """Processes of the run in this directory and their ranks, by command lines and environment."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
            rank = re.search(rb"OMPI_COMM_WORLD_RANK=(\d+)", (entry / "environ").read_bytes())
        except (OSError, UnicodeDecodeError):
            continue
        if words and words[0] == PROGRAM and folder in words:
            found[int(entry.name)] = int(rank[1]) if rank else 0
    return found


def all_ended(directory, seconds=5):
    """Whether no rank of the run is left. mpirun may end a moment before the last of its ranks has gone."""
    until = time.time() + seconds
    while program_processes(directory):
        if time.time() > until:
            return False
        time.sleep(0.05)
    return True


def killed_ranks(kills, seed):
    rng = random.Random(seed)
    kinds = [["-a", "pgibbs", "--particles", "50", "-n", "60000", "--chains", "3"],
             ["-a", "smc", "--particles", "200", "-n", "100000"],
             ["-a", "lmh", "-n", "60000", "--chains", "4"],
             ["-a", "smc", "--particles", "10000", "-n", "200000"],
             ["-a", "ipmcmc", "-n", "100000"],
             ["-a", "anneal", "-n", "20000"]]
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
                victim = rng.choice(sorted(alive))
                died = alive[victim]
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
                    told = f"error[U005]: rank {died} has died"
                    check(err.count("error[U005]") == 1 and told in err, f"kill {turn} of rank {died}: not reported: {err}")
                    check(took < 5, f"kill {turn}: the others ended after {took:.1f} s")
            check(all_ended(directory), f"kill {turn}: a rank is left")
            before = draws_of(directory)
            check(whole[kind].startswith(before.rsplit(b"\n", 1)[0]), f"kill {turn}: other draws before the kill")
            again = rng.choice([0, 2, 3])
            code, _, err = run(["infer", "--resume", directory, "--quiet"], again)
            check(code == 0, f"kill {turn}: resumed with {again} ranks: {err}")
            check(draws_of(directory) == whole[kind], f"kill {turn}: resumed with {again} ranks: other draws")
            shutil.rmtree(directory)
            print(f"kill {turn} of rank {died if victim else '-'}: {' '.join(kinds[kind][:2])} on {ranks} ranks, {len(before)} bytes of draws kept, "
                  f"ended in {took:.1f} s with code {process.returncode}, resumed with {again or 'no'} ranks: same")


def draws_of(directory):
    return (pathlib.Path(directory) / "draws.csv").read_bytes()


def stopped_ranks():
    """A rank that is stopped does not die: the run ends after its time limit, with its name."""
    for victim in (0, 1, 2):
        with tempfile.TemporaryDirectory() as folder:
            directory = f"{folder}/run"
            process = start(["infer", HMM, "-a", "lmh", "-n", "100000000", "--chains", "3", "--threads", "1", "--timeout", "4", "--out",
                             directory, "--quiet"], 3)
            while not os.path.exists(f"{directory}/draws.csv") and process.poll() is None:
                time.sleep(0.01)
            stopped = [pid for pid, rank in program_processes(directory).items() if rank == victim]
            check(len(stopped) == 1, f"rank {victim} was not found")
            os.kill(stopped[0], signal.SIGSTOP)
            try:
                _, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                for pid in program_processes(directory):
                    os.kill(pid, signal.SIGKILL)
                fail(f"rank {victim} was stopped and the run did not end")
            check(process.returncode != 0 and err.count("error[U005]") == 1 and f"error[U005]: rank {victim} does not answer" in err,
                  f"rank {victim} was stopped: {process.returncode}: {err}")
            check(all_ended(directory, 20), f"rank {victim} was stopped: a rank is left")
    print("stopped ranks: named")


def other_commands():
    """A rank that runs something else."""
    ours = ["infer", HMM, "-a", "lmh", "-n", "1000", "--chains", "2", "--seed", "1", "--quiet"]
    limited = [PROGRAM, *ours, "--timeout", "3"]
    stopped = ["sh", "-c", "kill -STOP $$"]
    for first, second, code, text in (
            (limited, ["sleep", "1000"], 70, "rank 1 runs `sleep 1000`"), (["sleep", "1000"], limited, 70, "rank 0 runs `sleep 1000`"),
            (limited, stopped, 70, "rank 1 runs `sh -c"), ([PROGRAM, *ours], [PROGRAM, "verify", HMM], 65, "rank 1 runs chancel verify"),
            ([PROGRAM, *ours], [PROGRAM, *ours, "--burn", "7"], 65, "rank 1 has another run than rank 0"),
            ([PROGRAM, *ours], [PROGRAM, "infer", MIXTURE, *ours[2:]], 65, "rank 1 has another run than rank 0"),
            ([PROGRAM, *ours], [PROGRAM, "infer", "/no/such/file", *ours[2:]], 70, "rank 1 has failed")):
        process = subprocess.Popen(["mpirun", "-n", "1", *first, ":", "-n", "1", *second], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, env=ENVIRONMENT, text=True)
        try:
            _, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            fail(f"{second[:2]} beside {first[:2]}: the run did not end")
        check(process.returncode == code and err.count("error[U005]") == 1 and text in err,
              f"{second[:2]} beside {first[:2]}: {process.returncode}: {err}")
    print("other commands: named")


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
            _, err = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            fail("Ctrl-C: the run did not end")
        check("has died" not in err, f"Ctrl-C is reported as a death: {err}")
        check(process.returncode != 0 and len(draws_of(directory)) > 1000, "Ctrl-C: no draws are kept")
        check(all_ended(directory), "Ctrl-C: a rank is left")
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
    parts = {"bytes": same_bytes, "mistakes": mistakes_are_told_once, "interrupt": interrupt, "paper": paper,
             "stopped": stopped_ranks, "others": other_commands,
             "kills": lambda: killed_ranks(options.kills, options.seed)}
    for name, part in parts.items():
        if options.only in ("", name):
            part()
