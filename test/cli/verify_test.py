# SPDX-License-Identifier: Apache-2.0
"""chancel verify. Verdicts have a false-alarm rate of 0.01 and fixed seeds."""
import unittest

from program import ProgramTest, main

COIN = """(defquery coin [flips]
  (let [bias (sample (beta 2 3))]
    (doseq [f flips] (observe (flip bias) f))
    (predict :bias bias)
    (predict :fair (< 0.4 bias 0.6))))
(def coin-value [[true true false true]])
"""
LINE = """(defm seen [mu sd y] (observe (normal mu sd) y))
(defquery line [ys]
  (let [mu (sample (normal 0 2))
        sd (sample (gamma 2 2))]
    (doseq [y ys] (seen mu sd y))
    (predict :mu [mu sd])))
(def line-value [[1 2 3 4 5]])
"""


class Verify(ProgramTest):
    def verify(self, text, *arguments, code=0):
        return self.run_chancel("verify", self.write("model.clj", text), "-q", *arguments, code=code)

    def test_right_ones_pass(self):
        for engine in ("lmh", "nuts", "smc", "auto"):
            out, _ = self.verify(LINE, "-a", engine, "--datasets", 60, "--seed", 2)
            self.assertIn("Passed: 60 data sets", out)
            self.assertIn(":mu[1]", out)
            self.assertEqual("log joint density" in out, engine != "smc")

    def test_discrete_labels(self):
        out, _ = self.verify(COIN, "-a", "importance", "--datasets", 100)
        self.assertIn(":fair", out)
        self.assertIn("Passed", out)

    def test_too_short_a_chain_fails(self):
        out, _ = self.verify(COIN, "-a", "lmh", "-n", 20, "-b", 1, "--datasets", 200, code=1)
        self.assertIn("not uniform", out)
        self.assertIn("FAILED: 200 data sets, engine lmh, false-alarm rate 0.01", out)

    def test_one_particle_fails(self):  # it gives the prior: nothing is weighed against anything
        out, _ = self.verify(LINE, "-a", "pimh", "--particles", 1, "-n", 30, "-b", 1, "--datasets", 200, code=1)
        self.assertIn("FAILED", out)

    def test_threads_and_resume_do_not_change_it(self):
        whole, _ = self.verify(COIN, "-a", "lmh", "--datasets", 40, "--threads", 1)
        for threads in (2, 3, 7):
            out, _ = self.verify(COIN, "-a", "lmh", "--datasets", 40, "--threads", threads)
            self.assertEqual(out, whole)
        directory = self.folder / "kept"
        self.verify(COIN, "-a", "lmh", "--datasets", 40, "--out", directory)
        for number in (3, 17, 40):
            (directory / "datasets" / f"{number:05}.txt").unlink()
        (directory / "datasets" / "00005.txt").write_text("rank 0.5 0.5 :bias\n")  # cut off
        out, _ = self.verify(COIN, "-a", "lmh", "--datasets", 40, "--out", directory, "--resume")
        self.assertEqual(out, whole)
        out, _ = self.verify(COIN, "-a", "lmh", "--datasets", 40, "--out", directory, "--resume")
        self.assertEqual(out, whole)  # nothing was left to do
        page = (directory / "verify.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotIn("http", page)
        _, err = self.verify(COIN, "-a", "smc", "--datasets", 40, "--out", directory, "--resume", code=64)
        self.assertIn("is another one", err)
        self.verify(COIN, "-a", "lmh", "--datasets", 40, "--out", directory, code=64)

    def test_agreement(self):
        out, _ = self.verify(COIN, "--datasets", 0, "--agree", "smc,lmh,nuts", "-n", 2000)
        self.assertIn("Engines agree", out)
        self.assertIn("smc, nuts", out)
        self.verify(COIN, "--agree", "smc", code=64)

    def test_engines_that_disagree(self):
        two = "(defquery two [] (let [x (sample (normal 0 1)) s (sample (flip 0.5))]\n" \
              "  (observe (normal (if s x (- x)) 0.01) 3) (predict :x x)))"
        out, _ = self.verify(two, "--datasets", 0, "--agree", "importance,rmh", "-n", 5000, "--seed", 2, code=1)
        self.assertIn("ENGINES DISAGREE", out)

    def test_other_observes_than_the_data(self):
        text = "(defquery q [] (let [n (sample (uniform-discrete 1 4))] (dotimes [i n] (observe (normal n 1) 2)) (predict :n n)))"
        _, err = self.verify(text, "-a", "lmh", "--datasets", 20, code=70)
        self.assertIn("meets the observe in line 1 more often", err)
        _, err = self.verify("(defquery q [] (factor -1))", code=65)
        self.assertIn("a factor cannot be simulated", err)


main()
