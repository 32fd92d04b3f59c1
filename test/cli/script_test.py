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

    def test_warnings_are_reported_once(self):
        file = self.write("s.clj", COIN + "\n(dotimes [_ 3] (dorun (take 3 (doquery :importance coin nil :number-of-particles 2))))\n"
                                          "(println (count (take 4 (doquery :siman coin nil))))\n")
        out, err = self.run_chancel("run", file)
        self.assertEqual(out, "4\n")
        self.assertEqual(err.count("warning[I002]"), 1)
        self.assertIn("option :number-of-particles has no effect on this engine, so it is ignored", err)
        self.assertEqual(err.count("warning[I010]"), 1)
        out, _ = self.run_chancel("infer", file, "-a", "siman", "-n", "50")
        self.assertIn("warning[I010]", out)
        _, err = self.run_chancel("infer", file, "-a", "importance", "--particles", "3", code=64)
        self.assertIn("error[I002]", err)
        check, _ = self.run_chancel("check", file)

    def test_lazy_values_fail_like_others(self):
        file = self.write("s.clj", "(println 1)\n(map #(/ 1 %) [1 0 2])\n(println 2)")
        for option in ([], ["--show"]):
            out, err = self.run_chancel("run", *option, file, code=70)
            self.assertIn("s.clj:2:12: error[R006]", err)
            self.assertNotIn("2\n", out.replace("1\n", ""))
        _, err = self.run_chancel("run", "--timeout", "0.3", self.write("t.clj", "(map (fn [x] (loop [] (recur))) [1])"), code=70)
        self.assertIn("error[L002]", err)

    def test_keep_going(self):
        file = self.write("s.clj", '(println "a")\n(/ 1 0)\n(defn f [x] (g x))\n(println "b")\n(map #(/ 1 %) [0])\n'
                                   '(throw (ex-info "no" {}))\n(println "c")\n')
        out, err = self.run_chancel("run", "--keep-going", file, code=65)
        self.assertEqual(out, "a\nb\nc\n")
        for place in ("s.clj:2:6: error[R006]", "s.clj:3:14: error[F001]", "s.clj:5:12: error[R006]", "s.clj:6:1: error[R0"):
            self.assertIn(place, err)
        self.assertEqual(self.run_chancel("run", file, code=70)[0], "a\n")
        self.assertEqual(self.run_chancel("run", "--keep-going", self.write("fine.clj", "(println 1)")), ("1\n", ""))
        # A limit ends the script all the same.
        slow = self.write("slow.clj", "(/ 1 0)\n(loop [] (recur))\n(println 1)")
        out, err = self.run_chancel("run", "--keep-going", "--timeout", "0.3", slow, code=70)
        self.assertIn("error[R006]", err)
        self.assertIn("error[L002]", err)
        self.assertEqual(out, "")

    def test_no_files(self):
        secret = self.write("secret.csv", "x\n1\n")
        for function in ("slurp", "read-csv", "read-csv-rows", "read-json"):
            file = self.write("s.clj", f'(def x ({function} "{secret}"))\n(defquery q (predict :x 1))')
            for command in ("run", "infer"):
                _, err = self.run_chancel(command, "--no-files", file, code=66)
                self.assertIn("error[U002]", err)
                self.assertIn("--no-files", err)
            self.run_chancel("check", file)

    def test_too_many_definitions(self):
        file = self.write("many.clj", "".join(f"(def a{i} {i})\n" for i in range(66000)))
        _, err = self.run_chancel("check", file, code=65)
        self.assertIn("error[F008]: a program defines at most 61440 names", err)

    def test_too_little_memory(self):
        file = self.write("coin.clj", "(defquery q (predict :x (map inc [1 2])))")
        for command in ("infer", "run", "check"):
            _, err = self.run_chancel(command, "--max-memory", "200k", file, code=70)
            self.assertIn("error[L001]: the run needs more than 200 kB of memory", err)

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

    def test_dump_of_the_order_of_lines(self):
        out, _ = self.run_chancel("dump", "--pass", "hoist", "-", stdin="""(defquery q [y]
  (let [a (sample (normal 0 1))
        b (sample (normal 0 1))]
    (predict :b b)
    (observe (normal a 1) y)
    a))""")
        self.assertEqual(out, """(query q [value.0]
  (let
    [y.1 (nth value.0 0 nil) a.2 (sample (normal 0 1))]
    (do
      (observe (normal a.2 1) y.1)
      (let [b.3 (sample (normal 0 1))] (do (predict :b b.3) a.2)))))
""")
    def test_dump_of_each_pass(self):
        text = "(defquery q [y] (let [a (sample (normal 0 1))] (observe (normal a (+ 1 1)) y) a))"
        dump = lambda *arguments: self.run_chancel("dump", *arguments, "-", stdin=text)[0]
        self.assertIn("(observe (normal a.2 2) y.1)", dump("--pass", "fold"))
        self.assertIn("(predict ", dump("--pass", "simulate"))
        self.assertIn("(observe ", dump("--pass", "doqueries"))
        self.assertIn("Observe", dump("--pass", "emit"))
        listed = dump("--stage=passes").splitlines()
        self.assertEqual([line.split()[0] for line in listed], ["simulate", "doqueries", "hoist", "once", "fuse", "fold", "emit"])
        self.assertTrue(all(line.split()[2] == "ms" for line in listed))
        _, err = self.run_chancel("dump", "--pass", "fild", "-", stdin="1", code=64)
        self.assertIn("did you mean fold?", err)

    def test_docs(self):
        out, _ = self.run_chancel("docs", "errors")
        self.assertIn("| S001 | unclosed bracket |", out)
        self.assertIn("`normal`", self.run_chancel("docs", "library")[0])
        self.assertIn("## smc", self.run_chancel("docs", "engines")[0])
        for name, text in (("observe", "observe: form"), ("normal", "[mean sd]"), ("nuts", ":target-acceptance"), ("R014", "R014: message")):
            self.assertIn(text, self.run_chancel("docs", name)[0])
        _, err = self.run_chancel("docs", "nomral", code=64)
        self.assertIn("did you mean normal?", err)

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
