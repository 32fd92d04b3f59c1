# SPDX-License-Identifier: Apache-2.0
"""Wrong command lines: the exit code, one message in the house's style, a hint that helps."""
import program
from program import COIN, ProgramTest


class Usage(ProgramTest):
    def expect(self, arguments, code, *texts, stdin=""):
        out, err = self.run_chancel(*arguments, code=code, stdin=stdin)
        self.assertEqual(out, "")
        for text in texts:
            self.assertIn(text, err)

    def test_help_and_version(self):
        out, _ = self.run_chancel("--help")
        self.assertIn("defquery coin", out)
        for command in ("infer", "run", "check", "dump", "repl"):
            self.assertIn("  " + command, out)
            text, _ = self.run_chancel(command, "--help")
            self.assertIn("usage: chancel " + command, text)
            self.assertIn("Examples", text)
            self.assertEqual(text, self.run_chancel("help", command)[0])
        self.assertRegex(self.run_chancel("--version")[0], r"^chancel \d+\.\d+\.\d+\n(native code|no C compiler).*\n$")

    def test_no_command(self):
        out, err = self.run_chancel(code=64)
        self.assertEqual(out, "")
        self.assertIn("usage: chancel COMMAND", err)

    def test_commands(self):
        self.expect(["infr"], 64, "chancel: error[U001]: there is no command 'infr'", "did you mean infer?")
        self.expect(["model.clj"], 64, "hint: chancel infer model.clj")
        self.expect(["--frob"], 64, "unknown option --frob")

    def test_options(self):
        file = self.write("coin.clj", COIN)
        self.expect(["infer", file, "--partices", "3"], 64, "error[U001]: unknown option --partices", "did you mean --particles?")
        self.expect(["infer", file, "--engine", "nuts"], 64, "unknown option --engine", "it is --algorithm here")
        self.expect(["infer", file, "-c", "4"], 64, "unknown option -c", "it is --chains here")
        self.expect(["infer", file, "--samples"], 64, "--samples needs a value")
        self.expect(["infer", file, "-n", "many"], 64, "--samples: a whole number expected, got 'many'")
        self.expect(["infer", file, "-n", "-5"], 64, "a whole number expected, got '-5'")
        self.expect(["infer", file, "--thin", "0"], 64, "--thin must be at least 1")
        self.expect(["infer", file, "--seed", "1", "--seed", "2"], 64, "--seed is given 2 times")
        self.expect(["infer", file, "--timeout", "3x"], 64, "a time expected", "--timeout 10s")
        self.expect(["infer", file, "--max-memory", "lots"], 64, "a size expected", "--max-memory 4G")
        self.expect(["infer", file, "--dialect", "clojur"], 64, "did you mean clojure?", "clojure, venture, textbook")
        self.expect(["infer", file, "-f", "tabel"], 64, "did you mean table?", "anglican, clojure, json-lines, csv, ndjson")
        self.expect(["infer", file, "-v", "1", "--data", file], 64, "exclude each other")
        self.expect(["dump", "--stage=cor", file], 64, "did you mean core?", "read, core, passes, code")
        self.expect(["infer", file, "coin", "more"], 64, "unexpected argument 'more'")
        self.expect(["infer"], 64, "FILE is missing", "usage: chancel infer FILE")
        self.expect(["check"], 64, "FILE is missing")
        self.expect(["infer", file, "--warmup", "maybe"], 64, "a whole number expected, got 'maybe'")

    def test_engines_and_queries(self):
        file = self.write("coin.clj", COIN)
        self.expect(["infer", file, "-a", "smcc"], 64, "error[I001]", "did you mean :smc?")
        self.expect(["infer", file, "-a", "NUTS"], 64, "error[I001]", "did you mean :nuts?")
        self.expect(["infer", file, "-a", "smc", "-o", ":particles 3"], 64, "error[I002]", ":number-of-particles")
        self.expect(["infer", file, "-a", "importance", "--particles", "3"], 64, "error[I002]")
        self.expect(["infer", file, "cion"], 64, "error[F011]", "did you mean coin?")
        two = self.write("two.clj", COIN + COIN.replace("coin", "other"))
        self.expect(["infer", two], 64, "coin, other")

    def test_files(self):
        self.expect(["infer", self.folder / "none.clj"], 66, "error[U002]: cannot read", "there is no such file")
        self.expect(["run", self.folder], 66, "it is a directory")
        self.expect(["infer", self.write("coin.clj", COIN), "--data", "none.json"], 66, "error[U002]", "reads the data from")
        out, err = self.run_chancel("check", "none.clj", self.write("coin.clj", COIN), code=66)
        self.assertIn("coin.clj: clojure, fine", out)
        self.assertIn("none.clj", err)

    def test_bad_programs(self):
        self.expect(["infer", self.write("open.clj", "(defquery q (let [")], 65, "error[S001]", "open.clj:1:")
        self.expect(["infer", self.write("empty.clj", "")], 65)
        file = self.write("name.clj", "(defquery q\n  (predict :x (normall 0 1)))")
        self.expect(["infer", file], 65, "name.clj:2:16: error[F001]", "did you mean", "^^^^")
        student = self.write("student.clj", "(defquery q (predict :x (sample (student-t 3 0 1))))")
        self.expect(["infer", student], 65, "error[F005]", "student-t-loc-scale takes 3 arguments")
        out, err = self.run_chancel("check", file, code=65)
        self.assertIn("error[F001]", err)
        self.assertIn("clojure, 1 error", out)

    def test_failing_runs(self):
        file = self.write("fails.clj", "(defquery q\n  (sample (normal 0 -1)))")
        self.expect(["infer", file, "-a", "smc"], 70, "error[D001]", "fails.clj:2:")
        out, err = self.run_chancel("run", self.write("zero.clj", "(println 1)\n(/ 1 0)\n(println 2)"), code=70)
        self.assertEqual(out, "1\n")
        self.assertIn("zero.clj:2:", err)

    def test_output_that_cannot_be_written(self):
        import subprocess
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([program.PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 70)
        self.assertIn("error[U004]", done.stderr)

    def test_draws_that_cannot_be_written(self):
        import subprocess
        file = self.write("coin.clj", program.COIN)
        for output in (["-f", "csv"], ["-f", "anglican"], ["-f", "csv", "-q"], ["--debug", "-f", "csv"], []):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([program.PROGRAM, "infer", str(file), "-a", "smc", "-n", "20000", *output], stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 70, output)
            self.assertIn("error[U004]: cannot write to the output: No space left on device", done.stderr)


if __name__ == "__main__":
    program.main()
