# SPDX-License-Identifier: Apache-2.0
"""What a newcomer meets in the first hour: messages that name what was meant, and tables that fit a screen."""
import re
import subprocess
import program
from program import COIN, ProgramTest

LINE = """(defquery line []
  (let [m (sample (normal 0 1))]
    (observe (normal m 1) 2)
    %s))
"""


class Messages(ProgramTest):
    def expect(self, text, code, *wanted, options=()):
        _, err = self.run_chancel("infer", "-", *options, stdin=text, code=code)
        for part in wanted:
            self.assertIn(part, err)
        return err

    def test_algorithms_of_other_systems(self):
        for theirs, ours in (("hmc", "nuts"), ("advi", "bbvb"), ("HMC", "nuts"), ("metropolis_hastings", "lmh"),
                             ("particle-filter", "smc"), ("smcc", "smc")):
            self.expect(COIN, 64, f"error[I001]: there is no engine :{theirs}", f"did you mean :{ours}?", options=["-a", theirs])

    def test_numbers_of_arguments(self):
        self.expect(LINE % "(normal m)", 65, "normal: takes 2 arguments (mean sd), got 1")
        self.expect("(defn area [width height] (* width height))\n" + LINE % "(area m)", 65,
                    "area: takes 2 arguments (width height), got 1")
        self.expect("(defn area ([side] 1) ([width height] 2))\n" + LINE % "(area)", 65,
                    "area: takes 1 or 2 arguments ([side] or [width height]), got 0")
        self.expect(LINE % "(nth [m])", 65, "nth: takes 2 to 3 arguments (")
        self.expect(LINE % "((identity assoc) {} m)", 70, "assoc: takes at least 3 arguments (", options=["-a", "smc"])

    def test_misspelt_distribution(self):
        self.expect("(defquery q [] (let [m (sample (normal 0 1))] (observe (norml m 1) 2) m))", 65,
                    "error[F001]: unbound name: norml", "did you mean normal?")

    def test_distribution_in_place_of_a_draw(self):
        text = "(defquery q []\n  (let [x (normal 0 1)]\n    (observe (normal x 1) 2)\n    x))\n"
        self.expect(text, 70, ":3:22: error[D002]", "hint: (sample (normal 0 1)) draws a value from it")
        self.expect("(defquery q [] (let [x (normal 0 1)] (observe (normal (+ x 1) 1) 2) x))", 70,
                    "hint: (sample (normal 0 1)) draws a value from it")

    def test_values_that_a_distribution_cannot_score(self):
        text = "(defquery q []\n  (let [x (sample (normal 0 1))]\n    (observe (normal x 1) %s)\n    x))\n"
        for value in ('"2"', ":two", "[2]"):
            for engine in ("smc", "lmh", "importance", "pgibbs"):
                err = self.expect(text % value, 70, "error[I003]", "no draw changes this", options=["-a", engine])
                self.assertNotIn("particles", err)
        err = self.expect(text % "nil", 70, "(when (some? y)", options=["-a", "smc"])
        self.assertNotIn("particles", err)
        # What draws decide may be rare: more work can help.
        self.expect("(defquery q [] (let [x (sample (uniform-continuous 0 1))] (observe (flip 0) true) x))", 70,
                    "more particles help", options=["-a", "smc"])

    def test_observe_at_the_prompt(self):
        out, err = self.run_chancel("repl", stdin="(observe (normal 0 1) 0.5)\n(let [y 2] (observe (normal 0 1) y))\n")
        self.assertEqual(len(out.splitlines()), 2)
        self.assertEqual(err.count("observe has no effect outside a query"), 2)
        self.assertIn("<input 1>:1:1: warning[F013]", err)
        _, err = self.run_chancel("repl", stdin=COIN + ":infer coin -a smc -n 100\n")
        self.assertNotIn("no effect", err)

    def test_words_at_the_prompt(self):
        for text in ("help\n", "(help)\n", "  help  \n"):
            out, err = self.run_chancel("repl", stdin=text)
            self.assertIn(":load FILE", out)
            self.assertEqual(err, "")
        for text in ("quit\n", "exit\n", "(quit)\n", "(exit)\n"):
            self.assertEqual(self.run_chancel("repl", stdin=text + "(+ 1 1)\n"), ("", ""))
        self.assertTrue(self.run_chancel("repl", stdin="(def exit 5)\nexit\n")[0].endswith("\n5\n"))  # the program's own

    def test_long_runs_with_a_time_limit_have_draws(self):
        out, _ = self.run_chancel("infer", "-", "-a", "rmh", "-n", "2000000000", "--timeout", 2 * program.PATIENCE, "-q",
                                  stdin=LINE % "(predict :m m)")
        self.assertRegex(out, r":m +[01]\.")
        self.assertRegex(out, r"Draws +[1-9]\d*; stopped early, 2000000000 were asked for; warm-up 20000, not kept")

    def test_folded_tables(self):
        text = LINE % "(do (predict :few (vec (repeat 12 m))) (predict :many (vec (repeat 13 m)))\n" \
                      "      (predict :matrix (vec (repeat 4 (vec (repeat 4 m)))))\n" \
                      "      (predict :coins (mapv (fn [_] (sample (flip 0.5))) (range 13)))\n" \
                      "      (predict :next (vec (repeatedly 2 (fn [] (generate (normal m 1))))))\n" \
                      "      (predict :one (generate (normal m 1))))"
        run = ["infer", "-", "-a", "importance", "-n", "500", "--seed", "1", "-q"]
        out = self.run_chancel(*run, stdin=text)[0].split("\n\nLog evidence")[0]
        self.assertIn(":few[11]", out)
        self.assertRegex(out, r":one +\S")
        for row in (":many[", ":matrix[", ":coins[", ":next["):
            self.assertNotIn(row, out)
        self.assertRegex(out, r"\n:many  13 elements; mean 0\.\d+, sd 0\.\d+; ESS_bulk from \d+")
        self.assertRegex(out, r"\n:matrix  16 elements; mean")
        self.assertRegex(out, r"\n:coins  13 elements(, predictive)?; most probable value 0\.\d+ to 0\.\d+")
        self.assertRegex(out, r"\n:next  2 elements, predictive; mean")
        self.assertIn("(--labels shows every element)", out)
        out, _ = self.run_chancel(*run, "--labels", stdin=text)
        for row in (":few[11]", ":many[12]", ":matrix[3][3]", ":coins[12]", ":next[1]"):
            self.assertIn(row, out)
        self.assertNotIn("elements", out)
        directory = str(self.folder / "run")
        self.run_chancel(*run, "--out", directory, stdin=text)
        self.assertNotIn(":many[", self.run_chancel("summary", directory)[0])
        self.assertIn(":many[12]", self.run_chancel("summary", directory, "--labels")[0])

    def test_notes_are_not_warnings_on_the_page(self):
        page = self.folder / "page.html"
        # All draws agree, which is a note for independent draws.
        self.run_chancel("infer", "-", "-a", "importance", "-n", "2000", "--seed", "1", "-q", "--report", page,
                         stdin="(defquery q [] (let [x (sample (flip 1e-9)) y (sample (normal 0 1))] (predict :x x) (predict :y y)))")
        text = page.read_text()
        self.assertIn('<section id="notes"><h2>Notes</h2>', text)
        self.assertIn('<a href="#notes">Notes</a>', text)
        warnings = re.search(r'<section id="warnings">.*?</section>', text, re.S)
        self.assertNotIn("<b>note", warnings.group(0) if warnings else "")

    def test_small_stack(self):
        def run(limit):  # with the text of the loop below
            command = f"{limit} && exec {program.PROGRAM} infer - -a smc -n 100 --seed 1 -q -f csv --max-memory 50M"
            return subprocess.run(["bash", "-c", command], input=text, text=True, capture_output=True, env=self.environment(),
                                  timeout=program.TIMEOUT_SECONDS)
        deep = "(defn f [i] (+ 1 (f i)))\n(defquery q (predict :a (f 0)))"
        nested = "(println %s1%s)" % ("(+ 1 " * 1900, ")" * 1900)
        for text, code in ((COIN, None), (deep, r"<stdin>:1:1[68]: error\[L001\]"), (nested, None)):
            expected = run("true")
            for limit in ("ulimit -s 64", "ulimit -S -s 64"):  # with a hard limit the command runs on a thread
                small = run(limit)
                self.assertEqual((small.returncode, small.stdout), (expected.returncode, expected.stdout), small.stderr)
                if code:
                    self.assertRegex(small.stderr, code)

    def test_too_many_definitions(self):
        text = "\n".join(f"(def x{i} {i})" for i in range(65000))
        _, err = self.run_chancel("infer", self.write("many.clj", text + "\n" + COIN), code=65)
        self.assertRegex(err, r"many\.clj:\d+:6: error\[F008\]: a program defines at most \d+ names")


if __name__ == "__main__":
    program.main()
