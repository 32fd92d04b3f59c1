# SPDX-License-Identifier: Apache-2.0
"""chancel run, check, dump and docs."""
import program
from program import COIN, ProgramTest


class Scripts(ProgramTest):
    def test_run_prints_what_the_script_prints(self):
        file = self.write("s.clj", '(def x 20)\n(println "x is" x)\n(+ x 1)\n(prn "done")')
        self.assertEqual(self.run_chancel("run", file), ('x is 20\n"done"\n', ""))
        out, _ = self.run_chancel("run", "--show", file)
        self.assertIn("\n21\n", out)

    def test_arguments_and_shebang(self):
        file = self.write("s.clj", "#!/usr/bin/env -S chancel run\n(prn *command-line-args*)")
        self.assertEqual(self.run_chancel("run", file, "a b", '"q"', "--show", "-n")[0], '("a b" "\\"q\\"" "--show" "-n")\n')
        _, err = self.run_chancel("run", self.write("bad.clj", "#!x\n(foo)"), code=65)
        self.assertIn("bad.clj:2:2", err)

    def test_standard_input(self):
        self.assertEqual(self.run_chancel("run", "-", stdin="(println (+ 1 2))")[0], "3\n")

    def test_seed(self):
        file = self.write("s.clj", "(println (sample* (normal 0 1)))")
        one = self.run_chancel("run", "--seed", "4", file)[0]
        self.assertEqual(one, self.run_chancel("run", "--seed", "4", file)[0])
        self.assertNotEqual(one, self.run_chancel("run", "--seed", "5", file)[0])

    def test_inference_in_a_script(self):
        file = self.write("s.clj", COIN + "(println (count (take 10 (doquery :importance coin nil))))")
        self.assertEqual(self.run_chancel("run", file)[0], "10\n")

    def test_check(self):
        out, err = self.run_chancel("check", "models/hmm/hmm.clj", "models/hmm/hmm.vnt")
        self.assertEqual(err, "")
        self.assertIn("models/hmm/hmm.clj: clojure, fine\n  hmm [observations init-dist trans-dists obs-dists]  line 4", out)
        self.assertIn("models/hmm/hmm.vnt: venture, fine", out)
        file = self.write("two.clj", "(defquery q (foo 1))\n(defquery r (bar 2))")
        out, err = self.run_chancel("check", file, code=65)
        self.assertIn("two.clj:1:14: error[F001]", err)
        self.assertIn("two.clj:2:14: error[F001]", err)  # several at once
        self.assertIn("2 errors", out)

    def test_dump(self):
        file = self.write("coin.clj", COIN)
        for stage in ("read", "core", "code"):
            out, _ = self.run_chancel("dump", f"--stage={stage}", file)
            self.assertIn("coin", out)
        out, _ = self.run_chancel("dump", "--stage=read", "-", stdin="(def x #(+ % 1))")
        self.assertIn("def", out)

    def test_docs(self):
        out, _ = self.run_chancel("docs", "errors")
        self.assertIn("| S001 | unclosed bracket |", out)
        self.assertIn("`normal`", self.run_chancel("docs", "library")[0])
        self.assertIn("## smc", self.run_chancel("docs", "engines")[0])

    def test_help_text_program_runs(self):
        """The program that --help shows is a program."""
        text = self.run_chancel("--help")[0]
        start = text.index("(defquery coin")
        program_text = text[start:text.index("chancel infer coin.clj")]
        file = self.write("coin.clj", program_text)
        out, _ = self.run_chancel("infer", file, "-a", "smc", "--particles", "1000", "-n", "10000", "--seed", "1")
        self.assertIn(":bias", out)


if __name__ == "__main__":
    program.main()
