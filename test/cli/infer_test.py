# SPDX-License-Identifier: Apache-2.0
"""chancel infer: answers, arguments of queries, seeds, the summary table and its JSON."""
import json
import math
import program
from program import COIN, ProgramTest


class Infer(ProgramTest):
    def summary(self, *arguments, stdin=""):
        return json.loads(self.run_chancel("infer", *arguments, "-f", "json", "-q", stdin=stdin)[0])

    def test_table(self):
        out, err = self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "--particles", "1000", "-n", "4000",
                                    "--seed", "1")
        self.assertEqual(err, "")
        head = out.splitlines()[0].split()
        self.assertEqual(head, "Mean MCSE StdDev MAD 5% 50% 95% ESS_bulk ESS_tail R_hat".split())
        self.assertRegex(out, r"(?m)^:bias +0\.6[5-8]\d+ ")  # Beta(4, 2): 2/3
        self.assertIn("P(false)", out)
        self.assertRegex(out, r"(?m)^Log evidence +-2\.9\d+ ± ")  # log B(4, 2) = -2.9957
        self.assertRegex(out, r"(?m)^Seed +1$")
        self.assertRegex(out, r"(?m)^Repeat +chancel infer .*coin.clj -a smc --particles 1000 -n 4000 --seed 1$")

    def test_a_chain_that_never_moved_is_not_trusted(self):
        stuck = self.write("stuck.clj", """(defn half [ys] (/ (count ys) 2))
(defquery stuck [ys]
  (let [x (sample (normal 0 1))
        z (sample (flip 0.5))]
    (observe (normal x 1.0E-9) 5)
    (predict :x x)
    (predict :z z)
    (predict :n (count ys))
    (predict :h (half (map inc ys)))))
(def stuck-value [[1 2 3 4]])
""")
        out, _ = self.run_chancel("infer", stuck, "-a", "lmh", "-n", "200", "-b", "20000", "--seed", "1")
        self.assertRegex(out, r"(?m)^:x +[-0-9.]+ +- +0 .* never changed$")
        self.assertRegex(out, r"do not trust this: :x never changed in 200 draws; \d+ of \d+ proposals "
                              r"were accepted at line 3\n")
        self.assertRegex(out, r"(?m)^Acceptance +\d+\.\d % of \d+ proposals: 0\.\d % at line 3 \(lowest\), 100\.0 % at line 4$")
        for label in (":n", ":h"):  # they depend on no draw
            self.assertRegex(out, rf"(?m)^{label} +1\.0000 ± 0\.0000 +- +-$")
            self.assertNotIn(f"{label} never changed", out)
        result = self.summary(stuck, "-a", "lmh", "-n", "200", "-b", "20000", "--seed", "1")
        self.assertIsNone(result["predicts"][":x"]["mcse"])
        self.assertEqual(result["predicts"][":x"]["changes"], "no")
        self.assertEqual(result["predicts"][":n"]["changes"], "fixed")
        self.assertEqual([(s["line"], s["proposals"] > 0) for s in result["diagnostics"]["sites"]], [(3, True), (4, True)])

    def test_draws_of_the_programs_distributions_may_be_nested_deeply(self):
        program = self.write("deep.clj", """(defdist deep [m] []
  (sample* [this] (reduce (fn [v _] [v]) [1.0] (range 300000)))
  (observe* [this v] 0.0))
(defquery q
  (let [m (sample (normal 0 1))
        x (sample (deep m))]
    (observe (normal m 1) 0.5)
    (predict :n (count x))))""")
        self.assertEqual(self.summary(program, "-a", "lmh", "-n", 20, "-b", 0)["diagnostics"]["draws"], 20)

    def test_auto_says_what_it_chose_and_how_it_stopped(self):
        finite = self.write("finite.clj", "(defquery finite (let [s (sample (uniform-discrete 0 3))] (observe (normal s 1) 1)"
                                          " (predict :s s)))")
        out, err = self.run_chancel("infer", finite, "--seed", "1")
        self.assertEqual(err, "chancel: enumerate: 3 outcomes\n")
        self.assertIn("Engine        enumerate: 3 outcomes\nStopped       every execution has been run", out)
        poisson = self.write("poisson.clj", "(defquery poisson-rate (let [k (sample (poisson 5))] (observe (normal k 1) 4)"
                                            " (predict :k k)))")
        out, err = self.run_chancel("infer", poisson, "--seed", "1", "-f", "json", "--out", self.folder / "run")
        self.assertIn("chancel: lmh: 1 discrete draw\n", err)
        self.assertIn("chancel: stopped: every label has ESS >= 400 and R_hat < 1.01\n", err)
        result = json.loads(out)
        self.assertEqual((result["algorithm"], result["engine"], result["choice"], result["samples"]),
                         ("auto", "lmh", "lmh: 1 discrete draw", None))
        self.assertEqual(result["stopped"], "every label has ESS >= 400 and R_hat < 1.01")
        kept = json.loads((self.folder / "run" / "run.json").read_text())
        self.assertEqual((kept["engine"], kept["choice"], kept["stopped"], kept["samples"]),
                         ("lmh", result["choice"], result["stopped"], None))
        _, err = self.run_chancel("infer", poisson, "-n", "5", "--ess", "5", code=64)
        self.assertIn("--ess and --samples exclude each other", err)
        out, _ = self.run_chancel("infer", poisson, "-n", "5", "-f", "csv", "-q")
        self.assertEqual(len(out.splitlines()), 6)

    def test_particles_of_one_ancestor_have_no_error(self):
        path = self.write("path.clj", """(defquery path
  (let [step (fn [xs y] (let [x (sample (normal (peek xs) 1))] (observe (normal x 1) y) (conj xs x)))
        xs (reduce step [(sample (normal 0 1))] (repeat 400 0))]
    (predict :x0 (first xs))
    (predict :last (peek xs))))
""")
        out, _ = self.run_chancel("infer", path, "-a", "smc", "--particles", "50", "-n", "50", "--seed", "1")
        self.assertRegex(out, r"(?m)^:x0 +[-0-9.]+ +- +0 .* one value: shared ancestor$")
        self.assertIn("do not trust this: :x0 is the same in all draws", out)

    def test_anneal_says_how_it_got_there(self):
        coin = self.write("coin.clj", COIN)
        for move in ("nuts", "single-site"):
            arguments = (coin, "-a", "anneal", "-o", f":move :{move} :number-of-particles 100 :number-of-chains 20 :temperatures 4", "-n", "200", "--seed", "1")
            out, _ = self.run_chancel("infer", *arguments)
            self.assertRegex(out, r"(?m)^Temperatures +4 in a run; lowest acceptance \d+\.\d %, at temperature (0\.25|0\.5|0\.75|1)$")
            found = self.summary(*arguments)["diagnostics"]
            self.assertEqual(found["temperatures"], 8)
            self.assertTrue(0 < found["lowest_acceptance"] <= 1, found)
            self.assertIn(found["lowest_acceptance_at"], (0.25, 0.5, 0.75, 1))

    def test_json_against_truth(self):
        result = self.summary(self.write("coin.clj", COIN), "-a", "importance", "-n", "20000", "--seed", "3")
        bias = result["predicts"][":bias"]
        self.assertEqual(bias["kind"], "real")
        self.assertLess(abs(bias["mean"] - 2 / 3), 6 * bias["mcse"])
        self.assertLess(bias["mcse"], 0.01)
        self.assertAlmostEqual(bias["sd"], (2 / 63) ** 0.5, delta=0.01)
        self.assertLess(bias["quantiles"]["5%"], bias["quantiles"]["50%"])
        fair = {s["value"]: s for s in result["predicts"][":fair"]["support"]}
        self.assertLess(abs(fair["true"]["p"] - 26 / 32), 6 * fair["true"]["mcse"])
        self.assertEqual(result["algorithm"], "importance")
        self.assertEqual(result["seed"], 3)
        self.assertEqual(result["samples"], 20000)
        self.assertEqual(result["diagnostics"]["draws"], 20000)
        self.assertTrue(result["diagnostics"]["weighted"])
        self.assertLess(abs(result["log_evidence"]["value"] + 2.9957), 6 * result["log_evidence"]["se"])

    def test_same_seed_same_draws(self):
        file = self.write("coin.clj", COIN)
        base = ["infer", file, "-a", "smc", "-n", "300", "-f", "csv", "-q"]
        one = self.run_chancel(*base, "--seed", "5", "--threads", "1")[0]
        self.assertEqual(one, self.run_chancel(*base, "--seed", "5", "--threads", "2")[0])
        self.assertNotEqual(one, self.run_chancel(*base, "--seed", "6")[0])

    def test_order_of_lines(self):
        file = self.write("late.clj", """(defquery late []
  (let [a (sample (normal 0 1))
        b (sample (normal a 1))
        c (sample (normal b 1))]
    (predict :c c)
    (observe (normal c 0.1) 3)
    (observe (normal a 0.1) 1)
    (observe (normal b 0.1) 2)
    (predict :a a)))""")
        for engine in ("smc", "pimh", "pgibbs", "pgas", "ipmcmc", "pcascade"):
            base = ["infer", file, "-a", engine, "--particles", "20", "-n", "100", "--seed", "5", "-f", "csv", "-q"]
            one = self.run_chancel(*base, "-o", ":hoist true", "--threads", "1")[0]
            for threads in (2, 3, 7, 16):
                self.assertEqual(one, self.run_chancel(*base, "-o", ":hoist true", "--threads", threads)[0])
            as_written = self.run_chancel(*base)[0]
            self.assertNotEqual(one, as_written)
            self.assertEqual(one.splitlines()[0], as_written.splitlines()[0])  # labels

    def test_the_repeat_line_repeats_a_run_without_seed(self):
        import shlex
        file = self.write("my coin.clj", COIN)
        out, _ = self.run_chancel("infer", file, "-a", "smc", "-n", "200", "-f", "table")
        line = next(line for line in out.splitlines() if line.startswith("Repeat"))
        words = shlex.split(line)[1:]
        self.assertEqual(words[:2], ["chancel", "infer"])
        again, _ = self.run_chancel(*words[1:])
        strip = lambda text: [l for l in text.splitlines() if not l.startswith(("Time", "Work", "Repeat"))]
        self.assertEqual(strip(again), strip(out))

    def test_standard_input(self):
        result = self.summary("-", "-a", "smc", "-n", "100", stdin=COIN)
        self.assertEqual(result["program"], "<stdin>")
        out, err = self.run_chancel("infer", "-", stdin="(defquery q (foo))", code=65)
        self.assertIn("<stdin>:1:", err)

    def test_values_and_data(self):
        file = self.write("flips.clj", """(defquery flips [heads n]
          (let [p (sample (beta 1 1))] (observe (binomial n p) heads) (predict :n n) (predict :p p)))""")
        by_value = self.summary(file, "-a", "smc", "-n", "200", "-v", "[3 4]")
        self.assertEqual(by_value["predicts"][":n"]["mean"], 4)
        data = self.write("data.json", '{"n": 7, "heads": 3}')
        self.assertEqual(self.summary(file, "-a", "smc", "-n", "200", "--data", data)["predicts"][":n"]["mean"], 7)
        edn = self.write("data.edn", "{:n 8 :heads 3}")
        self.assertEqual(self.summary(file, "-a", "smc", "-n", "200", "--data", edn)["predicts"][":n"]["mean"], 8)
        column = self.write("column.clj", """(defquery column [xs] (predict :sum (reduce + xs)))""")
        csv = self.write("data.csv", "xs\n1\n2\n3.5\n")
        self.assertEqual(self.summary(column, "-a", "smc", "-n", "10", "--data", csv)["predicts"][":sum"]["mean"], 6.5)
        wrong = self.write("wrong.json", '{"n": 7, "tails": 3}')
        _, err = self.run_chancel("infer", file, "-a", "smc", "--data", wrong, code=65)
        self.assertIn("error[U003]", err)
        self.assertIn("heads", err)
        _, err = self.run_chancel("infer", file, "-a", "smc", "--data", self.write("bad.json", '{"n": '), code=65)
        self.assertIn("error[U003]", err)

    def test_anglicans_options(self):
        file = self.write("coin.clj", COIN)
        out, _ = self.run_chancel("infer", file, "coin", "-a", ":smc", "-n", "20", "-b", "10", "-t", "2", "-w", "false",
                                  "-o", ":number-of-particles 10", "-f", "anglican", "-q")
        self.assertEqual(len([l for l in out.splitlines() if l.startswith(":bias")]), 20)
        out, _ = self.run_chancel("infer", file, "--inference-algorithm", "smc", "--number-of-samples", "7",
                                  "--algorithm-options", ":number-of-particles 7", "--output-format", "clojure", "-q")
        self.assertEqual(len([l for l in out.splitlines() if l.startswith("[:bias")]), 7)

    def test_shapes(self):
        file = self.write("shapes.clj", """(defquery shapes
          (let [n (sample (uniform-discrete 1 4))]
            (predict :fixed [(sample (normal 0 1)) {:a 1.5 :b (sample (flip 0.5))}])
            (predict :vector (vec (range n)))
            (predict :word (if (> n 1) "many" "one"))
            (predict :maybe (if (= n 1) nil n))
            (if (= n 3) (predict :three true))))""")
        predicts = self.summary(file, "-a", "importance", "-n", "2000", "--seed", "1")["predicts"]
        self.assertEqual(predicts[":fixed[0]"]["kind"], "real")
        self.assertEqual(predicts[":fixed[1][:a]"]["mean"], 1.5)
        self.assertEqual(predicts[":fixed[1][:b]"]["kind"], "discrete")
        self.assertEqual(predicts[":vector"]["kind"], "structure")
        self.assertEqual({s["value"] for s in predicts[":vector"]["support"]}, {"[0]", "[0 1]", "[0 1 2]"})
        self.assertEqual({s["value"] for s in predicts[":word"]["support"]}, {'"many"', '"one"'})
        self.assertEqual({s["value"] for s in predicts[":maybe"]["support"]}, {"nil", "2", "3"})
        self.assertAlmostEqual(predicts[":three"]["presence"], 1 / 3, delta=0.06)
        out, _ = self.run_chancel("infer", file, "-a", "importance", "-n", "2000", "--seed", "1")
        self.assertIn("% of draws", out)

    def test_a_query_without_predicts_speaks_by_its_value(self):
        file = self.write("value.clj", "(defquery q (if (sample (flip 1.0)) 5 6))")
        self.assertEqual(self.summary(file, "-a", "importance", "-n", "10")["predicts"][":result"]["mean"], 5)

    def test_warnings_come_with_what_to_do(self):
        file = self.write("far.clj", "(defquery far (let [x (sample (normal 0 1))] (observe (normal x 0.01) 4) (predict :x x)))")
        out, _ = self.run_chancel("infer", file, "-a", "importance", "-n", "1000", "--seed", "1")
        self.assertIn("I007", out)
        self.assertIn("hint:", out)
        warnings = self.summary(file, "-a", "importance", "-n", "1000", "--seed", "1")["warnings"]
        self.assertEqual(warnings[0]["weight"], "grave")

    def test_divergences_come_with_a_remedy(self):
        schools = self.write("schools.clj", """(defquery schools
  (let [mu (sample (normal 0 5)) tau (sample (exponential 0.2))]
    (dorun (map (fn [y sd] (observe (normal (sample (normal mu tau)) sd) y))
                [28 8 -3 7 -1 1 18 12] [15 10 16 11 9 11 10 18]))
    (predict :mu mu) (predict :tau tau)))""")
        out, _ = self.run_chancel("infer", schools, "-a", "nuts", "-n", "1000", "--chains", "1", "--seed", "2")
        self.assertRegex(out, r"\d+ of 1000 moves diverged, mostly at small values of tau \(line 2\): parts of the posterior")
        self.assertIn("draw what has the scale tau in non-centred form", out)
        self.assertRegex(out, r"Divergences +\d+; they gather at small values of tau \(line 2\)")
        result = self.summary(schools, "-a", "nuts", "-n", "1000", "--chains", "1", "--seed", "2")
        self.assertGreater(result["diagnostics"]["divergences"], 0)
        self.assertLess(result["diagnostics"]["energy_fraction"], 0.6)  # about 1 is good
        place = result["diagnostics"]["divergence_places"][0]
        self.assertEqual((place["name"], place["line"], place["gathers"], place["positive"]), ("tau", 2, True, True))
        self.assertLess(place["shift"], -0.8)
        narrow = self.write("narrow.clj", """(defquery narrow
  (let [a (sample (normal 0 100)) b (sample (normal 0 100))]
    (observe (normal (+ a b) 0.01) 1) (predict :a a)))""")
        out, _ = self.run_chancel("infer", narrow, "-a", "nuts", "-o", ":max-depth 3", "-n", "500", "--chains", "1", "--seed", "2")
        self.assertRegex(out, r"\d+ of 500 trajectories were cut at :max-depth")

    def test_predictors_that_are_not_centred_are_named(self):
        trend = self.write("trend.clj", """(defquery trend
  (let [height (sample (normal 0 10000)) slope (sample (normal 0 100))]
    (doseq [year (range 2000 2020)] (observe (normal (+ height (* slope year)) 1) (+ 3 (* 0.5 (- year 2010)))))
    (predict :height height) (predict :slope slope) (predict :twice (* 2 slope))
    (predict :next (generate (normal (+ height (* slope 2020)) 1)))))""")
        out, _ = self.run_chancel("infer", trend, "-a", "rmh", "-n", "3000", "--chains", "2", "--seed", "1")
        self.assertRegex(out, r"hint: :height and :(slope|twice) are correlated by -(1.000|0.99\d): centre the predictors of a regression")

    def test_draws_at_which_the_program_fails_are_named(self):
        file = self.write("edge.clj", "(defquery edge\n  (let [x (sample (normal 0 1))]\n"
                          "    (observe (normal 0\n      (if (< x 0.5) 1 -1)) 0.1)\n    (predict :x x)))")
        out, _ = self.run_chancel("infer", file, "-a", "nuts", "-n", "500", "--chains", "1", "--seed", "1")
        self.assertIn("nuts leaves out the draws at which the program fails", out)
        self.assertIn("sd must be positive", out)
        self.assertIn("(line 4)", out)
        self.assertNotIn("diverged", out)
        # A few of them, far out, give no warning.
        file = self.write("far.clj", "(defquery far\n  (let [x (sample (normal 0 1))]\n"
                          "    (observe (normal 0 (if (< x 3) 1 -1)) 0.1)\n    (predict :x x)))")
        out, _ = self.run_chancel("infer", file, "-a", "nuts", "-n", "500", "--chains", "1", "--seed", "1")
        self.assertNotIn("at which the program fails", out)

    def test_approximations_say_whether_to_trust_them(self):
        normal = self.summary("models/gaussian-chain/gaussian-chain.clj", "-a", "laplace", "-n", "1000", "--seed", "1")
        self.assertAlmostEqual(normal["log_evidence"]["value"], math.log(1 / math.sqrt(6 * math.pi)) - 1.5, delta=1e-6)
        self.assertEqual(normal["warnings"], [])
        far = self.write("far.clj", """(defquery far
  (let [v (sample (normal 0 3)) xs (repeatedly 3 (fn [] (sample (normal 0 (exp (/ v 2))))))]
    (predict :v v) (predict :x (first xs))))""")
        out, _ = self.run_chancel("infer", far, "-a", "laplace", "-n", "1000", "--seed", "1")
        self.assertRegex(out, r"Pareto k-hat [0-9.]+\): do not trust these draws")
        mode, _ = self.run_chancel("infer", "models/supports/supports.clj", "-a", "map", "--seed", "1")
        for word in ("nan", "do not trust", "warning"):
            self.assertNotIn(word, mode)

    def test_impossible_observations(self):
        file = self.write("never.clj", "(defquery never (observe (flip 0.0) true) (predict :x 1))")
        _, err = self.run_chancel("infer", file, "-a", "smc", code=70)
        self.assertIn("error[I003]", err)

    def test_program_output_stays_out_of_the_results(self):
        file = self.write("prints.clj", '(println "hello")\n(def x (do (println "there") 1))\n(defquery q (predict :x x))')
        out, err = self.run_chancel("infer", file, "-a", "importance", "-n", "5", "-f", "csv", "-q")
        self.assertNotIn("there", out)
        self.assertIn("there", err)

    def test_no_draw_left(self):
        file = self.write("exact.clj", "(defquery q (predict :x (sample (flip 0.5))))")
        out, err = self.run_chancel("infer", file, "-a", "enumerate", "-n", "100")
        self.assertIn("P(true)", out)

    def test_enumeration_is_exact(self):
        file = self.write("dice.clj", """(defquery dice
  (let [a (sample (uniform-discrete 1 7)) b (sample (uniform-discrete 1 7))]
    (observe (flip (if (> a b) 0.8 0.4)) true)
    (predict :sum (+ a b))
    (predict :high (> a b))))""")
        out, err = self.run_chancel("infer", file, "-a", "enumerate", "--seed", "1", "-q")
        for word in ("nan", "do not trust", "warning"):
            self.assertNotIn(word, out + err)
        self.assertNotIn("±", out.split("Log evidence")[0])
        self.assertIn("Left out      nothing: all is exact", out)
        result = self.summary(file, "-a", "enumerate", "--seed", "1")
        weight = {(a, b): 0.8 if a > b else 0.4 for a in range(1, 7) for b in range(1, 7)}
        total = sum(weight.values())
        mean = sum(w * (a + b) for (a, b), w in weight.items()) / total
        sd = (sum(w * (a + b - mean) ** 2 for (a, b), w in weight.items()) / total) ** 0.5
        self.assertEqual(result["left_out"], 0)
        self.assertAlmostEqual(result["predicts"][":sum"]["mean"], mean, delta=1e-12)
        self.assertAlmostEqual(result["predicts"][":sum"]["sd"], sd, delta=1e-12)
        self.assertIsNone(result["predicts"][":sum"]["mcse"])
        self.assertIsNone(result["predicts"][":sum"]["rhat"])
        self.assertEqual(result["warnings"], [])
        for option in (["--burn", "3"], ["--thin", "2"], ["--chains", "2"]):
            _, err = self.run_chancel("infer", file, "-a", "enumerate", *option, code=64)
            self.assertIn("enumerate gives everything once", err)
        # Stopped early, it reports what it left out, and a kept run reports it again.
        kept = self.folder / "kept"
        out, _ = self.run_chancel("infer", file, "-a", "enumerate", "-n", "9", "--seed", "1", "-q", "--out", kept)
        self.assertIn("Left out      executions of prior probability 0.75", out)
        self.assertIn("do not trust this: executions of prior probability 0.75 were left out", out)
        again, _ = self.run_chancel("summary", kept)
        self.assertIn("prior probability 0.75", again)

    def test_debug_shows_barriers(self):
        _, err = self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "--particles", "100", "-n", "100", "-d")
        self.assertRegex(err, r"sweep 1 observe 1 \(line 3\): ESS \d+")

    def test_dialects(self):
        for file in ("models/hmm/hmm.clj", "models/hmm/hmm.vnt"):
            result = self.summary(file, "-a", "smc", "--particles", "200", "-n", "2000", "--seed", "2")
            self.assertAlmostEqual(result["log_evidence"]["value"], -43.6, delta=1.5)
        text = self.write("book.clj", "(let [x (sample (normal 0 1))] (observe (normal x 1) 2.0) x)")
        self.assertAlmostEqual(self.summary(text, "-a", "smc", "-n", "4000", "--seed", "1")["predicts"][":result"]["mean"], 1,
                               delta=0.2)

    def test_every_engine_says_that_nothing_is_observed(self):
        prior = self.write("prior.clj", "(defquery prior (predict :x (sample (flip 0.3))))")
        observes = self.write("coin.clj", "(defquery coin (let [x (sample (flip 0.3))] (observe (flip (if x 0.9 0.2)) true)\n"
                              "  (predict :x x)))")
        for engine in ("importance", "rejection", "smc", "pimh", "pcascade", "pgibbs", "pgas", "ipmcmc", "lmh", "almh", "rmh",
                       "plmh", "palmh", "anneal", "enumerate"):
            for samples in (3, 100):
                out, _ = self.run_chancel("infer", prior, "-a", engine, "-n", samples, "--seed", 1)
                self.assertIn("never observes", out, f"{engine} -n {samples}")
                out, _ = self.run_chancel("infer", observes, "-a", engine, "-n", samples, "--seed", 1)
                self.assertNotIn("never observes", out, f"{engine} -n {samples}")


if __name__ == "__main__":
    program.main()
