# SPDX-License-Identifier: Apache-2.0
"""chancel paper: a quick run gives every file of the page; the same seed gives the same bits on any number of threads; an
interrupted run continues without doing anything twice; what it says about exactness and truth holds."""
import json
import re
import shutil
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import program
from program import ProgramTest, main

EXPERIMENTS = ["convergence", "permutation", "particles", "parallelism", "testing", "wrong-rules", "readings"]
TIMEOUT_SECONDS = 500 * program.PATIENCE


class PaperTest(ProgramTest):
    def paper(self, out, *arguments, code=0):
        done = subprocess.run([program.PROGRAM, "paper", "--out", str(out), *map(str, arguments)], capture_output=True, text=True,
                              timeout=TIMEOUT_SECONDS, env=self.environment())
        self.assertEqual(done.returncode, code, done.stderr[-2000:])
        return done

    def bits(self, out):
        """Everything that depends on the seed alone, by name."""
        files = sorted((out / "cells").rglob("*.csv")) + sorted((out / "data").glob("*.csv"))
        return {str(f.relative_to(out)): f.read_bytes() for f in files if not f.name.endswith("-times.csv")}

    def test_quick_run_gives_every_part_of_the_page(self):
        out = self.folder / "page"
        self.paper(out, "--quick", "--seed", 1)
        page = (out / "index.html").read_text(encoding="utf-8")
        for name in EXPERIMENTS:
            self.assertIn(f'<section id="{name}">', page)
            self.assertGreater((out / f"data/{name}.csv").stat().st_size, 100)
        # Self-contained: nothing is fetched.
        self.assertEqual(re.findall(r'(?:src|href)="(?!#|data/)[^"]*"', page), [])
        figures = sorted(out.glob("*/*.svg"))
        self.assertEqual(len(figures), 24)
        for figure in figures:
            tree = xml.etree.ElementTree.parse(figure)
            self.assertTrue(tree.getroot().tag.endswith("svg"))
            text = figure.read_text(encoding="utf-8")
            self.assertNotIn("nan", text)
            self.assertNotIn("inf", text)
            self.assertIn(text[text.index("<svg"):], page)
        findings = {f["claim"]: f["verdict"] for f in json.loads((out / "data/findings.json").read_text())}
        # Sharp whatever the number of simulations.
        for claim in ("HMM: PMCMC converges faster than RDB per simulation",
                      "DP mixture: PMCMC converges faster than RDB per simulation",
                      "Threads do not change a draw",
                      "All unit tests pass",
                      "Our engines are exact where successors were not",
                      "The truth is enumerated again, independently"):
            self.assertEqual(findings[claim], "holds", claim)
        # 115975 partitions, and a PMCMC curve that falls.
        self.assertIn("115&#8239;975 partitions", page)
        curve = [list(map(float, line.split(",")[2:])) for line in (out / "data/convergence.csv").read_text().splitlines()
                 if line.startswith("convergence/hmm/pmcmc/01,distance,")]
        self.assertEqual(curve[0][0], 100)
        self.assertEqual(curve[-1][0], 20000)
        self.assertLess(curve[-1][2], curve[0][2] / 10)

    def test_same_bits_on_any_number_of_threads_and_after_an_interrupt(self):
        chosen = ["--quick", "--seed", 5, "-e", "convergence", "-e", "wrong-rules"]
        whole = self.folder / "whole"
        self.paper(whole, *chosen, "--threads", 1)
        self.paper(self.folder / "threads", *chosen, "--threads", 3)
        self.assertEqual(self.bits(whole), self.bits(self.folder / "threads"))

        out = self.folder / "stopped"
        process = self.start_chancel("paper", "--out", out, *chosen, "--threads", 1)
        deadline = time.time() + 60 * program.PATIENCE
        while len(list(out.glob("cells/**/*.csv"))) < 5 and time.time() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60 * program.PATIENCE)
        self.assertEqual(process.returncode, 130, said)
        self.assertIn("--resume", said)
        self.assertFalse((out / "index.html").exists())
        finished = {f: f.stat().st_mtime_ns for f in out.glob("cells/**/*.csv")}
        self.assertGreaterEqual(len(finished), 5)
        self.assertLess(len(finished), len(list(whole.glob("cells/**/*.csv"))))
        self.paper(out, *chosen, "--resume")
        self.assertEqual({f: f.stat().st_mtime_ns for f in finished}, finished)
        self.assertEqual(self.bits(out), self.bits(whole))
        self.assertTrue((out / "index.html").exists())

    def test_another_seed_gives_other_draws_and_is_not_mixed_in(self):
        chosen = ["--quick", "-e", "convergence", "--runs", 1]
        out = self.folder / "page"
        self.paper(out, *chosen, "--seed", 1)
        first = self.bits(out)
        done = self.paper(out, *chosen, "--seed", 2, "--resume", code=64)
        self.assertIn("another run", done.stderr)
        self.paper(out, *chosen, "--seed", 2)
        self.assertNotEqual(first, self.bits(out))

    def test_usage(self):
        self.assertIn("--out", self.run_chancel("paper", code=64)[1])
        said = self.run_chancel("paper", "--out", self.folder / "x", "-e", "convergance", code=64)[1]
        self.assertIn("did you mean convergence?", said)
        self.assertFalse((self.folder / "x").exists())

    def test_the_product_carries_neither_the_experiment_nor_its_programs(self):
        alone = self.folder / "chancel"
        shutil.copy(program.PROGRAM, alone)
        done = subprocess.run([alone, "paper", "--out", "x"], capture_output=True, text=True, timeout=60, env=self.environment())
        self.assertEqual(done.returncode, 66)
        self.assertIn("make paper", done.stderr)
        self.assertNotIn(b";; expect:", alone.read_bytes())


if __name__ == "__main__":
    main()
