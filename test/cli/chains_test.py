# SPDX-License-Identifier: Apache-2.0
"""Several chains: side by side on all threads, in turn in the output, of equal length when a run is stopped."""
import collections
import csv
import io
import json
import math
import os
import re
import signal
import statistics
import program
from program import COIN, ProgramTest

HMM = "models/hmm/hmm.clj"
# Something of every kind of engine.
ENGINES = [("lmh", []), ("smc", ["--particles", "20"]), ("pgibbs", ["--particles", "10"]), ("importance", []),
           ("rejection", []), ("pcascade", ["--particles", "20"]), ("plmh", [])]


def lengths(text):
    return collections.Counter(int(row["chain"]) for row in csv.DictReader(io.StringIO(text)))


class Chains(ProgramTest):
    def test_the_same_bits_on_any_number_of_threads(self):
        file = self.write("coin.clj", COIN)
        for engine, options in ENGINES:
            arguments = ["infer", file, "-a", engine, *options, "-n", 300, "-b", 20, "--chains", 4, "--seed", 3, "-f", "csv",
                         "-q"]
            one, _ = self.run_chancel(*arguments, "--threads", 1)
            for threads in (2, 5):
                more, _ = self.run_chancel(*arguments, "--threads", threads)
                self.assertEqual(one, more, f"{engine} on {threads} threads")
            self.assertEqual(sum(lengths(one).values()), 1200, engine)

    def test_draws_come_in_turn(self):
        file = self.write("coin.clj", COIN)
        out, _ = self.run_chancel("infer", file, "-a", "lmh", "-n", 5, "-b", 0, "--chains", 3, "--seed", 3, "-f", "csv", "-q")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([(int(r["chain"]), int(r["sweep"])) for r in rows],
                         [(chain, sweep) for sweep in range(5) for chain in range(3)])
        # A sweep stays together: its draws share ancestors.
        out, _ = self.run_chancel("infer", file, "-a", "smc", "--particles", 4, "-n", 8, "--chains", 2, "--seed", 3, "-f", "csv",
                                  "-q")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([(int(r["chain"]), int(r["sweep"])) for r in rows],
                         [(chain, sweep) for sweep in range(2) for chain in range(2) for _ in range(4)])

    def test_the_log_density_of_each_chain_is_kept(self):
        file = self.write("pair.clj", """(defquery pair
  (let [a (sample (normal 0 2)) b (sample (gamma 2 1))]
    (observe (normal (* a b) 1) 3)
    (predict :a a)))""")
        for engine in ("lmh", "nuts", "plmh"):
            kept = self.folder / f"kept-{engine}"
            run = ["infer", file, "-a", engine, "-n", 300, "--warmup", 100, "--chains", 3, "--seed", 3]
            self.run_chancel(*run, "-q", "--out", kept)
            by_chain = collections.defaultdict(list)
            for row in csv.DictReader((kept / "draws.csv").read_text().splitlines()):
                by_chain[int(row["chain"])].append(float(row["lp__"]))
            stored = json.loads((kept / "run.json").read_text())["diagnostics"]
            self.assertEqual([c["chain"] for c in stored["chain_densities"]], sorted(by_chain), engine)
            for chain in stored["chain_densities"]:
                values = by_chain[chain["chain"]]
                self.assertEqual(chain["draws"], len(values))
                self.assertAlmostEqual(chain["mean"], math.fsum(values) / len(values), delta=1e-9)
                self.assertAlmostEqual(chain["sd"], statistics.stdev(values), delta=1e-9)
                if engine != "plmh":  # its chains are several of the run
                    self.assertTrue(0 < chain["acceptance"] <= 1, chain)
            # The same where no density is asked for.
            summary = json.loads(self.run_chancel(*run, "-f", "json", "-q")[0])["diagnostics"]
            self.assertEqual(summary["chain_densities"], stored["chain_densities"])
            self.assertEqual((summary["continuous_draws"], summary["discrete_draws"], summary["improper_draws"]), (2, 0, False))
            self.assertEqual(summary["other_engines"][0]["name"], "lmh" if engine == "nuts" else "nuts")

    def test_a_kept_run_gets_the_same_advice(self):
        kept = self.folder / "stuck"
        out, _ = self.run_chancel("infer", "test/report/advice/sick/stuck-chain.clj", "-a", "nuts", "-n", 300, "--chains", 4,
                                  "--seed", 3, "--out", kept)
        advice = out[out.index("do not trust this: chains 2, 3 of 4"):]
        self.assertIn("-a anneal", advice)
        again, _ = self.run_chancel("summary", kept)
        self.assertIn(advice, again)

    def test_chains_in_different_orders_stop_early(self):
        out, _ = self.run_chancel("infer", "test/report/advice/sick/exchanged-means.clj", "--seed", 2)
        self.assertIn("Stopped       the chains have :means in different orders, and more draws do not change that", out)
        self.assertLess(int(re.search(r"Draws +(\d+) of 4 chains", out)[1]), 8000)  # at the end of the first round

    def test_a_time_limit_leaves_chains_of_equal_length(self):
        file = self.write("coin.clj", COIN)
        for engine, options in (("lmh", []), ("pgibbs", ["--particles", "10"])):
            out, err = self.run_chancel("infer", file, "-a", engine, *options, "-n", 100000000, "--chains", 4, "--threads", 2,
                                        "--timeout", 1, "-f", "csv")
            counts = lengths(out)
            self.assertEqual(len(counts), 4, counts)
            self.assertEqual(max(counts.values()), min(counts.values()), counts)
            self.assertIn("stopped early, 400000000 were asked for", err)
            self.assertIn("L002", err)

    def test_an_interrupt_leaves_chains_of_equal_length(self):
        file = self.write("coin.clj", COIN)
        process = self.start_chancel("infer", file, "-a", "lmh", "-n", "0", "--chains", "4", "--threads", "2", "-f", "csv")
        os.read(process.stdout.fileno(), 1)  # the header's first letter, and nothing into a buffer
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60 * program.PATIENCE)
        self.assertEqual(process.returncode, 130, err)
        counts = collections.Counter(line.split(",")[1] for line in out.splitlines() if line[:1].isdigit())
        self.assertEqual(max(counts.values()), min(counts.values()), counts)
        self.assertEqual(len(counts), 4)

    def test_a_failing_chain_ends_the_run(self):
        file = self.write("fails.clj", "(defquery q (let [x (sample (normal 0 1))] (if (> x 3) (/ 1 0) (predict :x x))))")
        one, first = self.run_chancel("infer", file, "-a", "importance", "-n", 2000, "--chains", 4, "--seed", 1, "-f", "csv",
                                      "--threads", 1, code=70)
        two, second = self.run_chancel("infer", file, "-a", "importance", "-n", 2000, "--chains", 4, "--seed", 1, "-f", "csv",
                                       "--threads", 2, code=70)
        self.assertIn("error[R", first)
        self.assertEqual(one, two)

    def test_the_progress_line_fits_the_terminal(self):
        columns = 60
        text = self.run_on_terminal("infer", self.write("coin.clj", COIN), "-a", "smc", "-n", "100000000", "--chains", "4",
                                    "--timeout", "1.5", columns=columns)
        lines = [re.sub("\x1b\\[K", "", line) for line in text.split("\r")]
        shown = [line for line in lines if "draws" in line]
        self.assertTrue(shown)
        for line in shown:
            self.assertLess(len(line), columns, line)
            self.assertIn("/400000000 draws", line)


if __name__ == "__main__":
    program.main()
