# SPDX-License-Identifier: Apache-2.0
"""Run directories: what is in them, and that a run that is killed at any moment can be read and continued to the same bytes.

--kills N sets how many runs are killed (8). Each is killed once or twice, at a moment drawn from the length of the whole run."""
import csv
import gzip
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import zlib
import program
from program import COIN, REPOSITORY, ProgramTest

HMM = "models/hmm/hmm.clj"
PROGRAMS = {"partition": "models/crp/crp.clj"}  # of engines that do not take the HMM
# Engine, its options, draws, and how they are kept: something of every kind of engine. Each is killed once.
RUNS = [("smc", ["--particles", "100", "-n", "12000"]),
        ("auto", ["--ess", "100"]),
        ("lmh", ["-n", "12000", "--draws", "ndjson"]),
        ("pgibbs", ["--particles", "50", "-n", "12000", "--gzip"]),
        ("importance", ["-n", "12000", "--chains", "3"]),
        ("ipmcmc", ["-n", "8000"]),
        ("plmh", ["-n", "12000", "-b", "100", "-t", "3"]),
        ("pimh", ["-n", "12000", "--chains", "2", "--draws", "ndjson", "--gzip"]),
        ("rmh", ["-n", "12000", "--chains", "2"]),
        ("smc", ["--particles", "50", "-n", "4000", "-o", ":move 1"]),
        ("anneal", ["--particles", "200", "-n", "6000"]),
        ("pgas", ["--particles", "20", "-n", "8000"]),
        ("pgibbs", ["--particles", "50", "-n", "4000", "-o", ":parameters :auto"]),
        ("pmmh", ["--particles", "20", "-n", "1000"]),
        ("partition", ["-n", "4000"]),
        ("pcascade", ["-n", "8000", "--threads", "1"])]


def contents(folder):
    """Every file that must be the same, by name."""
    names = [f.name for f in pathlib.Path(folder).iterdir() if f.name != "run.json"]
    return {name: (pathlib.Path(folder) / name).read_bytes() for name in names}


class Kept(ProgramTest):
    """Run directories that someone else touched."""

    def keep(self, name, *options):
        folder = self.folder / name
        self.run_chancel("infer", self.write("coin.clj", COIN), "-n", "500", "--seed", "1", *options, "--out", folder, "-q")
        return folder

    def test_draws_that_were_cut_are_not_summarised(self):
        for options in ([], ["--gzip"], ["--draws", "ndjson"]):
            folder = self.keep("run" + "".join(options), *options)
            run = json.loads((folder / "run.json").read_text())
            self.assertEqual(run["draws"]["count"], 500)
            file = folder / run["draws"]["file"]
            whole = file.read_bytes()
            self.assertEqual(run["draws"]["bytes"], len(whole))
            self.assertEqual(run["draws"]["crc32"], zlib.crc32(whole))
            self.run_chancel("summary", folder)
            for damaged in (whole[:len(whole) // 2], whole[:-1], whole[:-3] + b"7" + whole[-2:]):
                file.write_bytes(damaged)
                for command in (["summary", folder], ["report", folder], ["infer", "--resume", folder]):
                    out, err = self.run_chancel(*command, code=65)
                    self.assertIn("error[U003]", err)
                    self.assertEqual(out, "")

    def test_a_description_that_points_elsewhere(self):
        folder = self.keep("run")
        secret = self.write("secret.clj", COIN)
        text = (folder / "run.json").read_text()
        for source in ("../secret.clj", str(secret), "..", ""):
            (folder / "run.json").write_text(text.replace('"program.clj"', json.dumps(source)))
            _, err = self.run_chancel("summary", folder, code=65)
            self.assertIn("is not a file of the run's own directory", err)
        (folder / "run.json").write_text(text)
        (folder / "program.clj").unlink()
        (folder / "program.clj").symlink_to(secret)
        self.run_chancel("summary", folder, code=65)

    def interrupted(self, name, *options, text=COIN):
        """The directory of a run that is not finished."""
        folder = self.folder / name
        self.run_chancel("infer", self.write(name + ".clj", text), "-a", "lmh", "-n", "500", "--seed", "1", *options, "--out", folder,
                         "-q")
        run = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**run, "status": "running"}))
        return folder

    def test_links_are_neither_read_nor_written(self):
        outside = pathlib.Path(self.write("outside", "precious\n"))
        links = {"symbolic": lambda place: place.symlink_to(outside), "hard": lambda place: place.hardlink_to(outside)}
        for kind, link in links.items():
            for name in ("draws.csv", "run.json", "state.bin", "summary.csv", "draws.csv.new", "run.json.new", "summary.csv.new",
                         "state.bin.new", "program.clj", "log_lik.csv"):
                with self.subTest(kind=kind, name=name):
                    folder = self.interrupted(f"{kind}-{name}", "--pointwise")
                    (folder / name).unlink(missing_ok=True)
                    link(folder / name)
                    done = subprocess.run([program.PROGRAM, "infer", "--resume", str(folder), "-q"], capture_output=True, text=True,
                                          env=self.environment())
                    self.assertIn(done.returncode, (0, 65), done.stderr)
                    self.assertEqual(outside.read_text(), "precious\n")
                    if kind == "symbolic" and done.returncode == 0 and name != "draws.csv.new":  # not a name that a run uses
                        self.assertFalse((folder / name).is_symlink(), name)

    def test_a_page_shows_nothing_from_outside(self):
        secret = self.write("secret.csv", "barrier,line,ess,resampled\n0,1,424242.5,true\n")
        folder = self.keep("run")
        (folder / "smc.csv").symlink_to(secret)
        _, err = self.run_chancel("report", folder, code=65)
        self.assertIn("smc.csv: it is not a file of the run's own directory", err)

    def test_pipes_do_not_hang(self):
        folder = self.interrupted("run")
        (folder / "draws.csv").unlink()
        os.mkfifo(folder / "draws.csv")
        for command in (["infer", "--resume", folder], ["summary", folder]):
            self.run_chancel(*command, code=65)

    def test_limits_stay_as_tight_as_they_were(self):
        secret = self.write("secret.txt", "424242")
        reads = "(def n (read-string (slurp \"%s\")))\n(defquery coin [] (predict :x (+ n (sample (uniform-discrete 0 2)))))" % secret
        folder = self.interrupted("run", "--no-files", "--max-memory", "200M", "--tier", "vm")
        run = json.loads((folder / "run.json").read_text())
        self.assertEqual((run["limits"]["files"], run["tier"]), (False, "vm"))
        (folder / "program.clj").write_text(reads)
        _, err = self.run_chancel("infer", "--resume", folder, code=66)
        self.assertIn("--no-files", err)
        self.assertNotIn("424242", (folder / "draws.csv").read_text())
        _, err = self.run_chancel("infer", "--resume", folder, "--max-memory", "300M", code=64)
        self.assertIn("--max-memory", err)

    def test_numbers_that_cannot_be(self):
        folder = self.interrupted("run")
        text = (folder / "run.json").read_text()
        run = json.loads(text)
        for name, value in (("chains", -1), ("chains", 2**40), ("threads", 10**9), ("samples", -5), ("burn", -1), ("thin", 0),
                            ("seed", -1), ("burn", 1e300), ("thin", "x")):
            with self.subTest(name=name, value=value):
                (folder / "run.json").write_text(json.dumps({**run, name: value}))
                _, err = self.run_chancel("infer", "--resume", folder, code=65)
                self.assertIn("error[U003]", err)

    def test_one_process_at_a_time(self):
        folder = self.folder / "run"
        endless = [program.PROGRAM, "infer", str(self.write("coin.clj", COIN)), "-n", "0", "--out", str(folder), "-q"]
        first = subprocess.Popen(endless, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            while not (folder / "run.json").exists():
                self.assertIsNone(first.poll())
                time.sleep(0.01)
            for command in (["infer", "--resume", folder], ["infer", self.write("coin.clj", COIN), "--out", folder]):
                _, err = self.run_chancel(*command, code=70)
                self.assertIn("another process is recording a run there", err)
        finally:
            first.send_signal(signal.SIGINT)
            self.assertEqual(first.wait(), 130)


class Killed(ProgramTest):
    def spawn(self, *arguments):
        return subprocess.Popen([program.PROGRAM, "infer", *map(str, arguments), "-q"], cwd=REPOSITORY,
                                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def kill_after(self, process, seconds):
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()

    def test_killed_runs_continue_to_the_same_bytes(self):
        chance = random.Random(os.environ.get("CHANCEL_SEED", "1"))
        unfinished = 0
        for row, (engine, options) in enumerate(RUNS):
            arguments = [PROGRAMS.get(engine, HMM), "-a", engine, "--seed", 7, *options, "--out"]
            began = time.monotonic()
            self.run_chancel("infer", *arguments, self.folder / f"whole-{row}", "-q")
            seconds = time.monotonic() - began
            whole = contents(self.folder / f"whole-{row}")
            self.assertIn("summary.csv", whole)
            folder = self.folder / f"killed-{row}"
            self.kill_after(self.spawn(*arguments, folder), chance.uniform(0.005, seconds))
            if row % 2:
                if (folder / "run.json").exists():
                    self.kill_after(self.spawn("--resume", folder), chance.uniform(0.005, seconds))
            if not (folder / "run.json").exists():  # killed before there was anything to resume
                self.run_chancel("infer", *arguments, folder, "-q")
            elif json.loads((folder / "run.json").read_text())["status"] == "running":
                unfinished += 1
                # The directory can be read as it stands.
                subprocess.run([program.PROGRAM, "summary", folder], cwd=REPOSITORY, env=self.environment(), check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=program.TIMEOUT_SECONDS)
                for file in folder.glob("smc.csv"):
                    rows = list(csv.reader(file.read_text().splitlines()))
                    self.assertTrue(all(len(fields) == 8 for fields in rows[:-1]))
            self.run_chancel("infer", "--resume", folder, "-q", "--threads", 1 + row % 2)
            now = contents(folder)
            self.assertEqual(sorted(now), sorted(whole), engine)
            for name, text in whole.items():
                self.assertTrue(now[name] == text, f"{engine}: {name} differs after a kill and a resume")
            run = json.loads((folder / "run.json").read_text())
            self.assertEqual(run["status"], "finished")
            shutil.rmtree(folder)
        self.assertGreater(unfinished, len(RUNS) // 4, "hardly any run was killed in its course")


class Directory(ProgramTest):
    def infer(self, *arguments, code=0):
        return self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "--particles", 10, "-n", 100, "--seed", 3,
                                *arguments, "-q", code=code)

    def test_files(self):
        out = self.folder / "deep" / "run"
        table, _ = self.infer("--out", out)
        self.assertEqual(sorted(f.name for f in out.iterdir()),
                         ["ancestry.csv", "draws.csv", "program.clj", "run.json", "smc.csv", "summary.csv"])
        run = json.loads((out / "run.json").read_text())
        self.assertEqual((run["status"], run["seed"], run["options"]["number-of-particles"], run["options"]["ess-threshold"]),
                         ("finished", 3, "10", "1"))
        draws = list(csv.DictReader((out / "draws.csv").read_text().splitlines()))
        self.assertEqual(len(draws), 100)
        self.assertEqual(list(draws[0]), ["index", "chain", "sweep", "log_weight", ":bias", ":fair"])
        barriers = list(csv.DictReader((out / "smc.csv").read_text().splitlines()))
        self.assertEqual(len(barriers), 40)
        self.assertEqual([b["line"] for b in barriers[:4]], ["3", "4", "5", "6"])
        summary = list(csv.DictReader((out / "summary.csv").read_text().splitlines()))
        self.assertEqual([(r["label"], r["kind"], r["value"]) for r in summary],
                         [(":bias", "real", ""), (":fair", "discrete", ""), (":fair", "value", "true"),
                          (":fair", "value", "false")])
        # The same again from the files.
        again, _ = self.run_chancel("summary", out)
        self.assertEqual(again, table)
        self.assertEqual(self.run_chancel("summary", out, "-f", "csv")[0], (out / "summary.csv").read_text())
        self.assertEqual(self.run_chancel("infer", "--resume", out, "-q")[0], table)

    def test_formats_hold_the_same_draws(self):
        text = """(defquery odd (let [n (sample (uniform-discrete 0 4))]
          (predict :n n) (predict :v (vec (repeat n "a,b"))) (predict "s" (if (< n 2) "12" "plain text"))
          (predict :k (if (< n 3) :low :high)) (predict :m {:x 0.5 :y [n true]}) (when (> n 1) (predict :some 1.5))))"""
        file = self.write("odd.clj", text)
        summaries = {}
        for name, options in {"csv": [], "csv.gz": ["--gzip"], "ndjson": ["--draws", "ndjson"],
                              "ndjson.gz": ["--draws", "ndjson", "--gzip"]}.items():
            out = self.folder / name
            self.run_chancel("infer", file, "-a", "importance", "-n", 1500, "--seed", 2, "-q", "--out", out, *options)
            kept = (out / "summary.csv").read_text()
            summaries[name] = self.run_chancel("summary", out, "-f", "csv")[0]
            if name.startswith("csv"):
                self.assertEqual(summaries[name], kept)
            if options and options[-1] == "--gzip":
                self.assertIn(b"0.5", gzip.decompress((out / f"draws.{name}").read_bytes()))
        self.assertEqual(summaries["csv"], summaries["csv.gz"])
        self.assertEqual(summaries["ndjson"], summaries["ndjson.gz"])

    def test_several_directories_are_chains(self):
        for seed in (1, 2):
            self.run_chancel("infer", self.write("coin.clj", COIN), "-n", 500, "--seed", seed, "-q", "--out",
                             self.folder / str(seed))
        out, _ = self.run_chancel("summary", self.folder / "1", self.folder / "2")
        self.assertIn("1000 of 2 chains", out)

    def test_mistakes(self):
        out = self.folder / "run"
        self.infer("--out", out)
        _, err = self.infer("--out", out, code=70)
        self.assertIn("holds a run already", err)
        self.assertIn("--resume", err)
        _, err = self.run_chancel("summary", self.folder / "nothing", code=66)
        self.assertIn("error[U002]", err)
        _, err = self.run_chancel("infer", "--resume", self.folder / "nothing", code=66)
        self.assertIn("run.json", err)
        _, err = self.infer("--resume", out, code=64)
        self.assertIn("takes program and options from the directory", err)
        (out / "run.json").write_text("{}")
        _, err = self.run_chancel("summary", out, code=65)
        self.assertIn("error[U003]", err)

    def test_options_that_a_run_keeps_cannot_be_given_again(self):
        file = self.write("coin.clj", COIN)
        folder = self.folder / "kept"
        self.run_chancel("infer", file, "-n", 50, "--out", folder, "-q")
        for option in (["-n", "60"], ["-a", "smc"], ["--seed", "3"], ["--chains", "2"], ["-b", "1"], ["--gzip"], ["-v", "1"]):
            _, err = self.run_chancel("infer", "--resume", folder, *option, code=64)
            self.assertRegex(err, r"error\[U001\]: --[a-z]+ cannot be given with --resume")
        self.run_chancel("infer", "--resume", folder, "--threads", 1, "--timeout", "10s", "-q")

    def test_a_run_that_differs_is_rewritten(self):
        out = self.folder / "run"
        self.infer("--out", out)
        right = contents(out)
        run = json.loads((out / "run.json").read_text())
        (out / "run.json").write_text(json.dumps({**run, "status": "running"}))
        draws = (out / "draws.csv").read_text().splitlines(keepends=True)
        (out / "draws.csv").write_text("".join(draws[:50]) + "garbage\n" * 100)
        _, err = self.run_chancel("infer", "--resume", out)
        self.assertIn("rewritten from the first difference", err)
        self.assertEqual(contents(out), right)

    def test_an_interrupted_run_can_be_resumed(self):
        file = self.write("coin.clj", COIN)
        out = self.folder / "run"
        self.run_chancel("infer", file, "-n", 0, "--timeout", "500ms", "-q", "--out", out)
        run = json.loads((out / "run.json").read_text())
        self.assertEqual(run["status"], "interrupted")
        some = (out / "draws.csv").read_bytes()
        self.run_chancel("infer", "--resume", out, "--timeout", "2s", "-q")
        self.assertTrue((out / "draws.csv").read_bytes().startswith(some))


if __name__ == "__main__":
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    program.main()
