# SPDX-License-Identifier: Apache-2.0
"""The stored state of a run directory: a run that is killed continues from it to the same bytes, and a state that cannot be used is
reported and costs nothing but time."""
import json
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import time
import program
from program import COIN, REPOSITORY, ProgramTest

HMM = "models/hmm/hmm.clj"
# Executions end at different observes, and draw what only names can write: functions, and collections of every kind.
UNLIKE = """(defrecord point [x y])
(defquery unlike
  (let [n (sample (poisson 3))
        shape (sample (categorical [[(fn [x] x) 1] [(fn [x] (- x)) 2]]))
        bits (loop [i 0 bits (sorted-map)]
               (if (< i n)
                 (do (observe (normal (shape i) 1) 0.5) (recur (inc i) (assoc bits i (sample (flip 0.5)))))
                 bits))]
    (predict :n n)
    (predict :bits bits)
    (predict :point (->point n (count bits)))))"""
# Draws that are collections, for the engines that write them as values.
STRUCTURES = """(defrecord point [x y])
(defquery structures
  (let [k (sample (categorical [[[1 2.5 "three"] 1] [{:a #{1 2} :b (list 1 2)} 1] [:key 1] [nil 1] [7N 1] [1/3 1]
                                [(->point 1 (sorted-set 3 1 2)) 1] [(sorted-map-by > 1 2 3 4) 1] [(range 3) 1]]))
        dist (sample (categorical [[(normal 0 1) 1] [(gamma 2 2) 1]]))
        f (sample (categorical [[inc 1] [dec 1]]))
        x (sample (normal 0 1))
        p (sample (dirichlet [1 1 1]))]
    (observe (normal x 1) (if (nil? k) 0.0 1.0))
    (observe (discrete p) 2)
    (observe dist 0.7)
    (predict :k k)
    (predict :x (f x))
    (predict :dist (str dist))
    (predict :p p)))"""
# Engine, options, program. Each is killed while it runs, and must continue from a stored state.
RUNS = [("pgibbs", ["--particles", "10", "-n", "60000"], HMM),
        ("pgibbs", ["--particles", "10", "-n", "30000", "-o", ":resampling :systematic", "--gzip", "-t", "3"], HMM),
        ("pgibbs", ["--particles", "20", "-n", "30000", "--chains", "2"], UNLIKE),
        ("pgas", ["--particles", "10", "-n", "10000"], HMM),
        ("pgas", ["--particles", "5", "-n", "20000"], STRUCTURES),
        ("ipmcmc", ["-n", "60000"], HMM),
        ("ipmcmc", ["-n", "60000", "--draws", "ndjson"], UNLIKE),
        ("pimh", ["--particles", "20", "-n", "60000"], HMM),
        ("smc", ["--particles", "20", "-n", "30000", "--chains", "3"], HMM),
        ("importance", ["-n", "40000", "--pointwise"], HMM),
        ("lmh", ["-n", "60000"], HMM),
        ("lmh", ["-n", "40000", "--draws", "ndjson", "--gzip"], STRUCTURES),
        ("rmh", ["-n", "20000", "--chains", "2"], STRUCTURES),
        ("almh", ["-n", "15000", "-t", "2"], HMM),
        ("plmh", ["-n", "40000"], HMM)]
SEAL = b"\x89CHANCEL"


def contents(folder):
    """Every file that must be the same, by name."""
    return {f.name: f.read_bytes() for f in pathlib.Path(folder).iterdir() if f.name != "run.json"}


def checksum(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return value


def sealed_again(data):
    """The same with a valid checksum: damage that only the reader of the parts can detect."""
    return data[:-8] + struct.pack("<Q", checksum(data[:-8]))


class State(ProgramTest):
    def arguments(self, engine, options, text, seed=7):
        file = text if text.startswith("models/") else self.write("program.clj", text)
        return [file, "-a", engine, "--seed", seed, *options]

    def killed(self, arguments, folder, chance, signal_number=signal.SIGKILL):
        """A run that is killed some time after its first state: sooner, when it had ended by then."""
        for longest in (0.1, 0.03, 0.01, 0, 0, 0, 0, 0):
            process = subprocess.Popen([program.PROGRAM, "infer", *map(str, arguments), "--out", str(folder), "-q", "--state-every",
                                        "10ms"], cwd=REPOSITORY, env=self.environment(), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            while process.poll() is None and not (folder / "state.bin").exists():
                time.sleep(0.001)
            time.sleep(chance.uniform(0, longest))
            process.send_signal(signal_number)
            process.wait()
            if (folder / "state.bin").exists():
                return True
            shutil.rmtree(folder)
        return False

    def resumed(self, folder, *options):
        _, err = self.run_chancel("infer", "--resume", folder, *options)
        run = json.loads((folder / "run.json").read_text())
        self.assertEqual(run["status"], "finished")
        return run["resumed_draws"], err

    def assert_same(self, folder, whole, what):
        now = contents(folder)
        self.assertEqual(sorted(now), sorted(whole), what)
        for name, text in whole.items():
            self.assertTrue(now[name] == text, f"{what}: {name} differs")

    def test_killed_runs_continue_from_their_state(self):
        chance = random.Random(3)
        for row, (engine, options, text) in enumerate(RUNS):
            arguments = self.arguments(engine, options, text)
            self.run_chancel("infer", *arguments, "--out", self.folder / "whole", "-q", "--threads", 2 - row % 2)
            whole = contents(self.folder / "whole")
            folder = self.folder / "killed"
            self.assertTrue(self.killed(arguments, folder, chance), f"{engine} {options}: it ended before it had a state")
            stored, err = self.resumed(folder, "--threads", 1 + row % 2)
            self.assertGreater(stored, 0, f"{engine} {options}: {err}")
            self.assertIn(f"resuming after {stored} draws", err)
            self.assertNotIn("rewritten from the first difference", err)
            self.assert_same(folder, whole, f"{engine} {options}")
            statistics = [json.loads((f / "run.json").read_text())["diagnostics"] for f in (folder, self.folder / "whole")]
            for key in ("draws", "proposals", "accepted", "resamplings", "mean_ess", "min_ess", "particle_steps"):
                self.assertEqual(statistics[0].get(key), statistics[1].get(key), f"{engine}: {key}")
            shutil.rmtree(folder)
            shutil.rmtree(self.folder / "whole")

    def test_killed_again_and_again(self):
        arguments = self.arguments("pgibbs", ["--particles", "10", "-n", "100000"], HMM)
        self.run_chancel("infer", *arguments, "--out", self.folder / "whole", "-q")
        folder = self.folder / "killed"
        chance = random.Random(5)
        self.assertTrue(self.killed(arguments, folder, chance))
        for _ in range(3):
            process = subprocess.Popen([program.PROGRAM, "infer", "--resume", str(folder), "-q", "--state-every", "20ms"],
                                       env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.01, 0.06))
            process.send_signal(signal.SIGKILL)
            process.wait()
        if json.loads((folder / "run.json").read_text())["status"] == "running":
            self.assertGreater(self.resumed(folder)[0], 0)
        self.assert_same(folder, contents(self.folder / "whole"), "pgibbs")

    def test_an_interrupted_run_has_a_state(self):
        """That after its last draw, or an earlier one where the interrupt fell into a step."""
        arguments = self.arguments("pgibbs", ["--particles", "10", "-n", "60000"], HMM)
        self.run_chancel("infer", *arguments, "--out", self.folder / "whole", "-q")
        folder = self.folder / "interrupted"
        self.assertTrue(self.killed(arguments, folder, random.Random(1), signal.SIGINT))
        draws = json.loads((folder / "run.json").read_text())["draws"]["count"]
        stored, _ = self.resumed(folder)
        self.assertGreater(stored, 0)
        self.assertLessEqual(stored, draws)
        self.assert_same(folder, contents(self.folder / "whole"), "pgibbs")

    def test_a_state_that_cannot_be_used(self):
        options = ["--particles", "10", "-n", "20000"]
        arguments = self.arguments("pgibbs", options, HMM)
        self.run_chancel("infer", *arguments, "--out", self.folder / "whole", "-q")
        whole = contents(self.folder / "whole")
        kept = self.folder / "kept"
        self.assertTrue(self.killed(arguments, kept, random.Random(2)))
        state = (kept / "state.bin").read_bytes()
        self.assertTrue(state.startswith(SEAL))
        others = {}
        for name, seed, text in (("options", 8, HMM), ("program", 7, REPOSITORY.joinpath(HMM).read_text() + "\n")):
            folder = self.folder / ("other-" + name)
            self.assertTrue(self.killed(self.arguments("pgibbs", options, text, seed), folder, random.Random(4)))
            others[name] = (folder / "state.bin").read_bytes()
        version = self.run_chancel("--version")[0].split()[1].encode()
        self.assertIn(version, state[:64])
        body = bytearray(state)
        body[-200] ^= 1
        cases = {"the checksum is wrong": [state[:-1], state[:len(state) // 2], bytes(body), state + b"x"],
                 "these are not bytes of Chancel": [b"", b"\0" * 100, b"PK" + state[2:]],
                 "it was written by version": [sealed_again(state.replace(version, b"9" * len(version), 1))],
                 "they are of version 99": [sealed_again(state[:12] + b"\x63" + state[13:])],
                 "it is of a run with other options": [others["options"]],
                 "it is of another program": [others["program"]],
                 "": [sealed_again(state[:-100] + state[-60:])]}
        for reason, states in cases.items():
            for damaged in states:
                folder = self.folder / "damaged"
                shutil.copytree(kept, folder)
                (folder / "state.bin").write_bytes(damaged)
                stored, err = self.resumed(folder)
                self.assertEqual(stored, 0)
                self.assertIn("warning[U006]: the stored state", err)
                self.assertIn("is not used: " + ("it cannot be read" if not damaged else reason), err)
                self.assertIn("hint: the run starts again from its seed, to the same draws", err)
                self.assert_same(folder, whole, reason)
                shutil.rmtree(folder)
        # Draws that someone has touched.
        folder = self.folder / "touched"
        shutil.copytree(kept, folder)
        draws = (folder / "draws.csv").read_bytes()
        (folder / "draws.csv").write_bytes(draws[:5000] + b"7" + draws[5001:])
        stored, err = self.resumed(folder)
        self.assertEqual(stored, 0)
        self.assertIn("is not used: draws.csv has changed since", err)
        self.assert_same(folder, whole, "touched")
        # Every part of it replaced, with a checksum that is right: a value or an error, never a crash.
        chance = random.Random(6)
        small = self.folder / "small"
        arguments = self.arguments("pgas", ["--particles", "5", "-n", "6000"], STRUCTURES)
        self.run_chancel("infer", *arguments, "--out", self.folder / "small-whole", "-q")
        self.assertTrue(self.killed(arguments, small, chance))
        state = (small / "state.bin").read_bytes()
        for _ in range(25):
            at = chance.randrange(16, min(len(state) - 16, 4000))
            folder = self.folder / "replaced"
            shutil.copytree(small, folder)
            (folder / "state.bin").write_bytes(sealed_again(state[:at] + bytes([chance.randrange(256)]) + state[at + 1:]))
            done = subprocess.run([program.PROGRAM, "infer", "--resume", str(folder), "--timeout", "20s", "-q"], capture_output=True,
                                  env=self.environment(), timeout=program.TIMEOUT_SECONDS)
            self.assertIn(done.returncode, (0, 65, 70), done.stderr)
            self.assertNotIn(b"X001", done.stderr)
            shutil.rmtree(folder)

    def test_when_states_are_kept(self):
        folder = self.folder / "run"
        self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "-n", 1000, "--out", folder, "-q", "--state-every", "1ms")
        self.assertFalse((folder / "state.bin").exists())  # it is finished
        self.run_chancel("infer", self.write("coin.clj", COIN), "-n", 10, "--state-every", "soon", code=64)
        # Where draws go to the output, all of them are made.
        arguments = self.arguments("lmh", ["-n", "40000"], HMM)
        killed = self.folder / "killed"
        self.assertTrue(self.killed(arguments, killed, random.Random(9)))
        out, _ = self.run_chancel("infer", "--resume", killed, "-f", "csv", "-q")
        self.assertEqual(out, (killed / "draws.csv").read_text())
        # Never.
        process = subprocess.Popen([program.PROGRAM, "infer", *map(str, arguments), "--out", str(self.folder / "never"), "-q",
                                    "--state-every", "0"], cwd=REPOSITORY, env=self.environment(), stdout=subprocess.DEVNULL)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse((self.folder / "never" / "state.bin").exists())


if __name__ == "__main__":
    program.main()
