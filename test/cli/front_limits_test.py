# SPDX-License-Identifier: Apache-2.0
"""Programs of awkward shapes: reading, macros, translation and compilation keep to the limits, grow in proportion to the text, and
say what is too deep or too large instead of ending in a signal."""
import subprocess
import program
from program import MEGABYTE, ProgramTest


def let_vector(n):
    return "(let [%s] a%d)" % (" ".join("a%d %s" % (i, "(+ 1 a%d)" % (i - 1) if i else "0") for i in range(n)), n - 1)


def nested(opening, inner, n):
    return opening * n + inner + ")" * n


SHAPES = {  # text of about n parts, and the code of the message it ends with (None: it works)
    "case": (lambda n: "(println (case 7 %s))" % " ".join("%d %d" % (i, i + 1) for i in range(n)), None),
    "cond": (lambda n: "(def x 5) (println (cond %s :else 3))" % " ".join("(= x %d) %d" % (i + 10, i) for i in range(n)), None),
    "condp": (lambda n: "(println (condp = 7 %s))" % " ".join("%d %d" % (i, i + 1) for i in range(n)), None),
    "and": (lambda n: "(println (if (and %s) 1 2))" % ("true " * n), None),
    "or": (lambda n: "(println (if (or %s) 1 2))" % ("false " * n), None),
    "predicts": (lambda n: "(defquery q %s)" % " ".join("(predict :a%d %d)" % (i, i) for i in range(n)), None),
    "calls": (lambda n: "(defn f [x] %s)" % ("(str x) " * n), None),
    "strings": (lambda n: "(println (count [%s]))" % " ".join('"a%d"' % i for i in range(n)), None),
    "functions": (lambda n: "(defn g [] %s)" % ("(list (fn [x] x)) " * n), None),
    "variables": (lambda n: "(def x 1) (println (count [%s]))" % ("x " * n), None),
    "let": (lambda n: "(println %s)" % let_vector(n), "C001"),
    "nested let": (lambda n: "(println %s)" % nested("(let [a 1] ", "a", n), "S011"),
    "arguments": (lambda n: "(println (str %s))" % ("a " * n).replace("a", '"a"'), "C001"),
    "many nested lets": (lambda n: "\n".join("(def b%d %s)" % (i, nested("(let [a 1] ", "a", 900)) for i in range(n // 900)), None),
}


class FrontLimits(ProgramTest):
    def test_time_grows_with_the_text(self):
        n = 20000
        for name, (text, code) in SHAPES.items():
            with self.subTest(shape=name):
                once = self.write("once.clj", text(n))
                twice = self.write("twice.clj", text(2 * n))
                for attempt in range(3):  # the machine may be busy with other things
                    status, err, short = self.measure("run", once)
                    self.assertEqual(status, 65 if code else 0, err[:400])
                    if code:
                        self.assertIn(code, err)
                    _, _, long = self.measure("run", twice)
                    if long <= 3 * short + 0.05:
                        break
                self.assertLessEqual(long, 3 * short + 0.05)

    def test_nested_chains_are_not_copied_at_every_level(self):
        file = self.write("chains.clj", "(println %s)" % ("(-> " * 1900 + "0" + " inc)" * 1900))
        status, err, _ = self.measure("run", file, memory=20 * MEGABYTE)
        self.assertEqual(status, 0, err[:400])

    def test_messages_name_the_limit(self):
        for text, message in (("(println %s)" % let_vector(20000), "more than 8000 values at once"),
                              ("(println (-> 0 %s))" % ("inc " * 3000), "3000 steps, at most 2200")):
            _, err = self.run_chancel("run", self.write("limit.clj", text), code=65)
            self.assertIn(message, err)

    def test_large_texts_keep_to_the_limits(self):
        for name, (text, _) in SHAPES.items():
            with self.subTest(shape=name):
                file = self.write("large.clj", text(100000))
                for command in ("check", "run"):
                    self.measure(command, file, memory=100 * MEGABYTE, seconds=2)

    def test_what_is_nested_too_deeply_is_said(self):
        deep = {
            "(println (eval (reduce (fn [a _] [a]) [] (range 300000))))": "eval: the form is nested more than",
            "(println (eval (reduce (fn [a _] (list '+ 1 a)) 1 (range 10000))))": "eval: the form is nested more than",
            "(defmacro m [] (reduce (fn [a _] (list '+ 1 a)) 1 (range 100000))) (println (m))": "the expansion is nested more than",
            "(println (for [%s] 1))" % " ".join("a%d [1]" % i for i in range(50000)): "nested more than",
            "(doseq [%s] 1)" % " ".join("a%d [1]" % i for i in range(50000)): "nested more than",
        }
        for text, message in deep.items():
            with self.subTest(text=text[:60]):
                file = self.write("deep.clj", text)
                status, err, _ = self.measure("run", file, memory=200 * MEGABYTE, seconds=20)
                self.assertIn(status, (65, 70))
                self.assertIn(message, err)
                self.measure("check", file, memory=200 * MEGABYTE, seconds=20)

    def test_what_grows_without_end_meets_the_limits(self):
        endless = (
            # expands to two calls of itself; shares its parts forty times over
            "(defmacro m [n] (list '+ (list 'm (- n 1)) (list 'm (- n 1)))) (println (m 40))",
            "(defmacro m [] (let [f (fn f [n] (if (= n 0) 1 (let [x (f (- n 1))] (list '+ x x))))] (f 40))) (println (m))",
            "(defmacro m [] (range)) (println (m))",
            "(eval (range))",
            '(loop [i 0] (keyword (str "a-name-of-some-length-" i)) (recur (+ i 1)))',
            "(loop [i 0] (gensym) (recur (+ i 1)))",
            "(loop [i 0] (eval (list '+ 1 i)) (recur (+ i 1)))",
            "(loop [i 0] (eval (list 'fn '[x] (list '+ 'x i))) (recur (+ i 1)))",
        )
        for text in endless:
            with self.subTest(text=text):
                file = self.write("endless.clj", text)
                status, err, _ = self.measure("run", file, memory=60 * MEGABYTE, seconds=2)
                self.assertEqual(status, 70 if "F009" not in err else 65)
                self.assertRegex(err, "L001|L002|F009")

    def test_nested_try(self):
        self.measure("run", self.write("try.clj", "(println %s)" % nested("(try ", "1", 1990)), memory=100 * MEGABYTE, seconds=20)
        self.measure("run", self.write("try.clj", "(println %s)" % ("(try " * 990 + "1" + " (catch Exception e e))" * 990)),
                     memory=100 * MEGABYTE, seconds=20)

    def test_nested_inference_without_end(self):
        for text in ("(defquery inner [] (sample (normal (observe* ((conditional inner)) 0.5) 1)))",
                     "(defquery inner [] (sample ((conditional inner :smc))))",
                     "(defquery inner [] (sample ((conditional inner :enumerate))))"):
            with self.subTest(text=text):
                file = self.write("inner.clj", text)
                status, err, _ = self.measure("infer", file, "-a", "importance", "-n", "10", memory=200 * MEGABYTE, seconds=5)
                self.assertNotEqual(status, 0)
                self.assertRegex(err, "L00[123]")  # of memory, time and depth the one that is met first

    def test_threads_that_cannot_start(self):
        file = self.write("coin.clj", program.COIN)
        # A stack for each thread that the address space has no room for.
        limited = ["bash", "-c", 'ulimit -s 16000000; ulimit -v 8000000; exec "$@"', "bash", program.PROGRAM]
        if program.PATIENCE > 1:
            self.skipTest("sanitizers need more address space")
        command = ["infer", str(file), "-a", "smc", "-n", "1000", "--threads", "4", "--seed", "1", "-f", "csv"]
        done = subprocess.run(limited + command, capture_output=True, text=True, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, self.run_chancel(*command)[0])


if __name__ == "__main__":
    program.main()
