# SPDX-License-Identifier: Apache-2.0
"""One table of programs and inputs that want more than there is: each run ends with a documented code and, where there is one, its
place; its peak memory is at most 1.2 times --max-memory and 50 MB more, and it takes at most a second of processor time beyond
--timeout."""
import os
import subprocess
import unittest

import program
from program import MEGABYTE, ProgramTest

MEMORY, SECONDS = 60, 2
LIMIT = "L00[12]"  # on a busy machine the time may be over first
PLACE = r"p\.clj:\d+:\d+: error"


def query(body):
    return "(defquery q %s)" % body


MANY = query("(let [xs (vec (repeatedly 2500 (fn [] (sample (normal 0 1)))))] (observe (normal (reduce + xs) 1) 3) (predict :s 1))")
# No start succeeds: what the starts have drawn is garbage.
IMPOSSIBLE = query("(let [m (sample (normal 0 1)) xs (vec (repeatedly 1000 (fn [] (sample (normal 0 1)))))] "
                   "(dotimes [i 300] (observe (normal m 1) i)) (observe (uniform-continuous 0 1) 5) (predict :m (count xs)))")
ENDLESS_DRAWS = query("(loop [] (sample (normal 0 1)) (recur))")
ENDLESS_FLIPS = query("(loop [s 0] (if (< s -1) (predict :s s) (recur (+ s (if (sample (flip 0.5)) 1 0)))))")
ENDLESS_KEYS = query("(let [f (mem (fn [i] (sample (normal 0 1))))] (loop [i 0] (f i) (recur (+ i 1))))")
PLAIN = query("(let [x (sample (normal 0 1))] (observe (normal x 1) 2) (predict :x x))")
RESULT = query("(let [x (sample (normal 0 1))] (observe (normal x 1) 2) %s)")
SHARED = "(def s (nth (iterate (fn [s] [s s]) 1) 60))"  # a tree of 2^60 parts
PREDICTED = query("(let [x (sample (normal 0 1))] (observe (normal x 1) 2) (predict :s %s) x)")
DEFINED = "(def s %s)" + query("(let [x (sample (normal 0 1))] (observe (normal x 1) 2) (predict :s {:a [x s]}) x)")
COUNT = "(defquery q [y] (predict :n (count y)))"
SINGLE_SITE = ("lmh", "rmh", "almh", "siman", "bamc", "lais")
ON_RECORDINGS = ("nuts", "laplace", "block", "map", "anneal", "bbvb", "partition")

RUN = {  # a form, and the code it ends with
    "(println (count (repeat 1)))": LIMIT,
    "(println (count (vec (range 1e12))))": LIMIT,
    '(println (count (apply str (repeat "abc"))))': LIMIT,
    '(println (count (apply str (repeat 1000000000 "abc"))))': LIMIT,
    '(println (count (loop [s "abc"] (recur (str s s)))))': LIMIT,
    '(println (count (clojure.string/join "," (map str (range)))))': LIMIT,
    '(println (count (loop [s "aaa"] (recur (clojure.string/replace s "a" "aa")))))': LIMIT,
    '(println (count (format "%100000000d" 1)))': "R009",
    '(println (count (format "%.100000000f" 1.0)))': "R009",
    '(re-find (re-pattern "(a{1000}){1000}{1000}") "aaaa")': "R009",
    "(println (count (into {} (map (fn [i] [i i]) (range)))))": LIMIT,
    "(println (count (frequencies (map str (range)))))": LIMIT,
    "(println (count (group-by identity (range))))": LIMIT,
    "(loop [v [] i 0] (recur (conj v (str i)) (+ i 1)))": LIMIT,
    "(let [v (vec (map str (range 200000)))] (loop [] (vec (map str (range 100000))) (recur)))": LIMIT,
    "(println (sample* (discrete (range))))": LIMIT,
    "(println (sample* (dirichlet (repeat 1000000000 1))))": LIMIT,
    "(println (sample* (mvn (range) [[1]])))": LIMIT,
    "(println (count (matrix/identity-matrix 20000)))": LIMIT,
    "(println (count (matrix/inverse (matrix/identity-matrix 2000))))": LIMIT,
    "(println (mod (reduce *' (range 1 1000000)) 7))": LIMIT,
    "(println (reduce *' (repeat 1000000007)))": LIMIT,
    "(defn f [i] (+ 1 (f i))) (println (f 0))": LIMIT,
    "(def a (atom [])) (loop [] (swap! a conj [1 2 3]) (recur))": LIMIT,
    PLAIN + "(println (count (doquery :lmh q nil)))": LIMIT,
    PLAIN + "(println (first (doquery :smc q nil :number-of-particles 1000000000)))": LIMIT,
    '(println (count (slurp "/dev/zero")))': LIMIT,
    '(println (count (slurp "/dev")))': "U002",
    '(println (count (slurp "PIPE")))': "L002",
    '(println (count (read-csv "/dev/zero")))': LIMIT,
}
INFER = [  # program, engine, options, code, whether there is a place
    *((ENDLESS_DRAWS, e, [], LIMIT, True) for e in SINGLE_SITE + ON_RECORDINGS + ("auto", "smc")),
    *((ENDLESS_FLIPS, e, [], LIMIT, True) for e in ("rmh", "auto", "nuts", "pgibbs")),
    (ENDLESS_FLIPS, "enumerate", [], LIMIT, True),
    (ENDLESS_KEYS, "lmh", [], LIMIT, True),
    (ENDLESS_KEYS, "smc", [], LIMIT, True),
    (MANY, "nuts", ["-o", ":metric :dense"], LIMIT, True),
    (MANY, "laplace", [], LIMIT, True),
    (MANY, "block", [], LIMIT, True),
    *((IMPOSSIBLE, e, [], "I003|L002", True) for e in SINGLE_SITE + ON_RECORDINGS + ("auto", "smc", "pgibbs", "plmh")),
    *((PLAIN, e, ["--particles", "1000000000"], LIMIT, True) for e in ("smc", "pgibbs", "ipmcmc", "pcascade", "anneal")),
    # Sequences without end that are there before the first draw.
    *((p % "(range)", e, [], "R009", True) for p in (RESULT, PREDICTED, DEFINED) for e in ("smc", "lmh", "nuts")),
    *((p % "(range 1000000000000)", "smc", [], LIMIT, True) for p in (RESULT, PREDICTED, DEFINED)),
    *((p % "(iterate inc 0)", "smc", [], LIMIT, True) for p in (RESULT, PREDICTED, DEFINED)),
    (PLAIN, "lmh", ["--chains", "100000"], "U001", False),
    (PLAIN, "smc", ["--threads", "1000000"], "U001", False),
    (PLAIN, "lmh", ["--max-depth", "0"], "U001", False),
    *((COUNT, "importance", ["--data", path], "L001|L002", False) for path in ("/dev/zero", "/dev/urandom")),
    (COUNT, "importance", ["--data", "/dev"], "U002", False),
    (COUNT, "importance", ["--data", "PIPE"], "L002", False),
]


class Limits(ProgramTest):
    def ends(self, arguments, code, place):
        command = [a.replace("PIPE", str(self.folder / "pipe")) for a in map(str, arguments)]
        limits = ["--max-memory", "%dM" % MEMORY, "--timeout", str(SECONDS)]
        with open(self.folder / "err", "w+b") as err:
            process = subprocess.Popen([program.PROGRAM, command[0], *limits, *command[1:]], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=err, env=self.environment(), cwd=self.folder)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            err.seek(0)
            text = err.read().decode(errors="replace")
        self.assertIn(process.returncode, (64, 65, 66, 70), text[:500])
        self.assertRegex(text, r"error\[(%s)\]" % code)
        if place:
            self.assertRegex(text, PLACE)
        if program.PATIENCE == 1:
            self.assertLessEqual(used.ru_maxrss * 1024, 1.2 * MEMORY * MEGABYTE + 50 * MEGABYTE, text[:500])
            self.assertLessEqual(used.ru_utime + used.ru_stime, SECONDS + 1, text[:500])
        if os.environ.get("LIMITS_VERBOSE"):
            print("%4d MB %5.2f s  %s  %s" % (used.ru_maxrss // 1024, used.ru_utime + used.ru_stime, text[:40].split("\n")[0], arguments))

    def setUp(self):
        super().setUp()
        os.mkfifo(self.folder / "pipe")

    def test_scripts(self):
        for text, code in RUN.items():
            with self.subTest(text=text):
                self.write("p.clj", text.replace("PIPE", str(self.folder / "pipe")))
                self.ends(["run", "p.clj"], code, True)

    def test_inference(self):
        for text, engine, options, code, place in INFER:
            with self.subTest(text=text, engine=engine, options=options):
                self.write("p.clj", text)
                self.ends(["infer", "p.clj", "-a", engine, "-n", "200", *options], code, place)

    def test_programs_that_never_end(self):
        for path, code in (("/dev/zero", "L001"), ("/dev", "U002"), ("PIPE", "L002")):
            for command in ("run", "infer", "check"):
                with self.subTest(command=command, path=path):
                    self.ends([command, path], code, False)

    def test_arguments_that_share_their_parts(self):
        """Looked at once each: as trees they have no end."""
        q = "(defquery q [v] (let [x (sample (normal 0 1))] (observe (normal x 1) 2) (predict :n (count v))))"
        for text in (SHARED + q + "(println (:n (:predicts (first (doquery :smc q [s])))))",
                     "(let [s (nth (iterate (fn [s] {:a s :b s}) 1) 60)] " + q + "(println (count (take 3 (doquery :lmh q [s])))))",
                     "(let [s (nth (iterate (fn [s] [s s]) 1) 60) q (query [v] (predict :n (count s)))] (println (count (take 3 (doquery :lmh q [1])))))"):
            with self.subTest(text=text):
                self.run_chancel("run", self.write("p.clj", text), "--timeout", SECONDS)

    def test_output(self):
        self.write("p.clj", "(loop [] (println 1) (recur))")
        self.ends(["run", "--show", "--max-output", "1000", "p.clj"], "L004", True)
        self.write("p.clj", "(vec (range 100)) " * 10)
        self.ends(["run", "--show", "--max-output", "1000", "p.clj"], "L004", True)

    def test_draws_without_end(self):
        file = self.write("p.clj", PLAIN)
        for engine in ("importance", "lmh"):
            # The summary of two million draws takes more than that, and of those that a busy machine makes less.
            status, err, _ = self.measure("infer", file, "-a", engine, "-n", "1e12", memory=MEMORY * MEGABYTE, seconds=SECONDS)
            if status != 0:
                self.assertIn("error[L001]", err)
            self.assertIn(status, (0, 70), err)
            if program.PATIENCE == 1:
                self.assertLessEqual(self.peak_memory, 1.2 * MEMORY * MEGABYTE + 50 * MEGABYTE)
            status, err, _ = self.measure("infer", file, "-a", engine, "-n", "1e12", memory=1000 * MEGABYTE, seconds=SECONDS)
            self.assertEqual(status, 0, err)


if __name__ == "__main__":
    program.main()
