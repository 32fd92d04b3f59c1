# SPDX-License-Identifier: Apache-2.0
"""Log-likelihoods of single observes in a run directory, what `summary --loo` and `compare` make of them, and draws from the prior. The
results are compared with those of the R package loo where it is installed (`scripts/setup --test-all`)."""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import unittest
import program
from program import ProgramTest

LINE = """(defquery line [x y]
  (let [a (sample (normal 0 5))
        b (sample (normal 0 5))
        s (sample (exponential 1))]
    (loop [i 0]
      (when (< i (count x))
        (observe (normal (+ a (* b (nth x i))) s) (nth y i))
        (recur (inc i))))
    (predict :a a)
    (predict :b b)
    (predict :s s)))
"""
LEVEL = LINE.replace("(* b (nth x i))", "0")
DATA = {"x": [0, 1, 2, 3, 4, 5, 6, 7], "y": [0.3, 0.9, 2.4, 2.8, 4.1, 4.7, 6.3, 7.2]}

R_LOO = """
suppressPackageStartupMessages({library(loo); library(posterior)})
d <- read.csv(commandArgs(trailingOnly = TRUE)[1], check.names = FALSE)
d <- d[order(d$chain, d$sweep), ]
ll <- as.matrix(d[, grep("^log_lik", names(d))])
chains <- length(unique(d$chain))
r_eff <- apply(ll, 2, function(l) ess_mean(matrix(exp(l - max(l)), ncol = chains))) / nrow(ll)
r <- suppressWarnings(loo(ll, r_eff = r_eff))
w <- suppressWarnings(waic(ll))
cat(format(c(r$estimates, w$estimates, r$diagnostics$pareto_k), digits = 15), sep = "\\n")
"""
NAMES = [("elpd_loo", "estimate"), ("p_loo", "estimate"), ("looic", "estimate"), ("elpd_loo", "se"), ("p_loo", "se"), ("looic", "se"),
         ("elpd_waic", "estimate"), ("p_waic", "estimate"), ("waic", "estimate"), ("elpd_waic", "se"), ("p_waic", "se"), ("waic", "se")]


def has_r():
    return shutil.which("Rscript") is not None and subprocess.run(
        ["Rscript", "-e", "library(loo); library(posterior)"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        check=False).returncode == 0


class Loo(ProgramTest):
    def infer(self, name, text, *arguments, engine="nuts"):
        out = self.folder / name
        self.run_chancel("infer", self.write(name + ".clj", text), "--data", self.write("data.json", json.dumps(DATA)), "-a", engine, "-n",
                         400, "--chains", 2, "--seed", 3, "-q", "--out", out, *arguments)
        return out

    @staticmethod
    def rows(path):
        return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))

    def test_log_likelihoods_of_the_draws(self):
        out = self.infer("line", LINE, "--pointwise")
        draws, terms = self.rows(out / "draws.csv"), self.rows(out / "log_lik.csv")
        self.assertEqual(len(terms), 800)
        for d, t in zip(draws, terms):
            self.assertEqual((d["index"], d["chain"]), (t["index"], t["chain"]))
            a, b, s = float(d[":a"]), float(d[":b"]), float(d[":s"])
            for i, (x, y) in enumerate(zip(DATA["x"], DATA["y"])):
                truth = -((y - a - b * x) / s) ** 2 / 2 - math.log(s) - math.log(2 * math.pi) / 2
                self.assertAlmostEqual(float(t[f"log_lik[{i}]"]), truth, delta=1e-9 * (1 + abs(truth)))
        self.assertEqual([r["line"] for r in self.rows(out / "observes.csv")], ["7"] * 8)

    def test_better_model_comes_first(self):
        line, level = self.infer("line", LINE, "--pointwise"), self.infer("level", LEVEL, "--pointwise", "--gzip")
        text, _ = self.run_chancel("compare", level, line)
        rows = [r.split() for r in text.splitlines()]
        self.assertEqual(rows[0], ["elpd_diff", "se_diff", "elpd_loo", "se", "p_loo", "k", ">", "0.7"])
        self.assertEqual(rows[1][:3], [str(line), "0.0", "0.0"])
        one, other = (json.loads(self.run_chancel("summary", "--loo", r, "-f", "json")[0]) for r in (line, level))
        differences = [b["elpd_loo"] - a["elpd_loo"] for a, b in zip(one["pointwise"], other["pointwise"])]
        mean = sum(differences) / 8
        se = math.sqrt(8 * sum((d - mean) ** 2 for d in differences) / 7)
        self.assertEqual(rows[2][:3], [str(level), f"{8 * mean:.1f}", f"{se:.1f}"])
        self.assertLess(8 * mean, -5)

    def test_table(self):
        text, _ = self.run_chancel("summary", "--loo", self.infer("line", LINE, "--pointwise"))
        self.assertIn("8 observes, 800 draws of 2 chains", text)
        for word in ("elpd_loo", "p_loo", "looic", "elpd_waic", "p_waic", "waic", "Pareto k", "very bad"):
            self.assertIn(word, text)

    def check_against_r(self, out):
        ours = json.loads(self.run_chancel("summary", "--loo", out, "-f", "json")[0])
        lines = subprocess.run(["Rscript", "-e", R_LOO, out / "log_lik.csv"], capture_output=True, text=True, check=True,
                               timeout=120).stdout.split()
        theirs = list(map(float, lines))
        for (name, part), value in zip(NAMES, theirs):
            self.assertAlmostEqual(ours[name][part], value, delta=1e-8 * (1 + abs(value)), msg=name)
        for term, value in zip(ours["pointwise"], theirs[len(NAMES):], strict=True):
            self.assertAlmostEqual(term["pareto_k"], value, delta=1e-7)

    @program.needs_tools
    @unittest.skipUnless(has_r(), "R with loo and posterior is not installed")
    def test_results_are_those_of_r(self):
        self.check_against_r(self.infer("line", LINE, "--pointwise"))
        models = pathlib.Path(program.REPOSITORY) / "models/posteriordb"
        out = self.folder / "schools"
        self.run_chancel("infer", models / "eight_schools-eight_schools_noncentered.clj", "--data", models / "data/eight_schools-eight_schools_noncentered.json",
                         "-a", "nuts", "-n", 1000, "--chains", 2, "--seed", 1, "-q", "--pointwise", "--out", out)
        self.check_against_r(out)

    def test_resumed_run_is_the_same(self):
        out = self.infer("line", LINE, "--pointwise")
        before = (out / "log_lik.csv").read_bytes()
        run = json.loads((out / "run.json").read_text())
        run["status"] = "interrupted"
        (out / "run.json").write_text(json.dumps(run))
        (out / "log_lik.csv").write_bytes(before[:5000])
        self.run_chancel("infer", "--resume", out, "-q")
        self.assertEqual((out / "log_lik.csv").read_bytes(), before)

    def test_mistakes(self):
        plain = self.infer("plain", LINE)
        _, err = self.run_chancel("summary", "--loo", plain, code=65)
        self.assertIn("--pointwise", err)
        _, err = self.run_chancel("infer", self.write("line.clj", LINE), "--pointwise", code=64)
        self.assertIn("--pointwise needs --out", err)
        _, err = self.run_chancel("compare", plain, code=64)
        self.assertIn("at least two", err)
        weighted = self.infer("weighted", LINE, "--pointwise", engine="importance")
        _, err = self.run_chancel("summary", "--loo", weighted, code=65)
        self.assertIn("weights", err)

    def test_prior(self):
        out = self.folder / "prior"
        _, err = self.run_chancel("infer", self.write("line.clj", LINE), "--data", self.write("data.json", json.dumps(DATA)), "--prior",
                                  "--seed", 1, "--out", out)
        self.assertNotIn("warning", err)
        rows = self.rows(out / "draws.csv")
        self.assertEqual(len(rows), 1000)
        self.assertEqual({r["log_weight"] for r in rows}, {"0.0"})
        mean = sum(float(r[":a"]) for r in rows) / 1000
        sd = math.sqrt(sum((float(r[":a"]) - mean) ** 2 for r in rows) / 999)
        self.assertAlmostEqual(mean, 0, delta=4 * 5 / math.sqrt(1000))
        self.assertAlmostEqual(sd, 5, delta=4 * 5 / math.sqrt(2000))
        self.assertTrue(json.loads((out / "run.json").read_text())["prior"])


if __name__ == "__main__":
    program.main()
