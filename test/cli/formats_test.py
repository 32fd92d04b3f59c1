# SPDX-License-Identifier: Apache-2.0
"""Draws as text: Anglican's three formats to the letter, CSV and newline-delimited JSON."""
import csv
import io
import json
import program
from program import COIN, ProgramTest

VALUES = """(defquery values
  (predict :a 1.0)
  (predict (quote (> bet 0.7)) true)
  (predict "my label" "a,b\\"c")
  (predict :k :key)
  (predict :v [1 2.5 nil {:x 1/2}])
  (predict :a 2.0))
"""


class Formats(ProgramTest):
    def lines(self, text, *arguments, samples=2):
        file = self.write("values.clj", text)
        return self.run_chancel("infer", file, "-a", "importance", "-n", samples, "-q", "--seed", "1",
                                *arguments)[0].splitlines()

    def test_anglican(self):
        lines = self.lines(VALUES, "-f", "anglican", "-t", "3", "-b", "4")
        self.assertEqual(lines[:4], [";; Program: values/values nil", ";; Inference algorithm: :importance (:warmup true)",
                                     ";; Number of samples: 2 (*3+4)", ";; Output format: :anglican"])
        self.assertEqual(lines[4:9], [":a,2.0,0.0", "(> bet 0.7),true,0.0", '"my label","a,b\\"c",0.0', ":k,:key,0.0",
                                      ":v,[1 2.5 nil {:x 1/2}],0.0"])
        self.assertEqual(len(lines), 4 + 2 * 5)

    def test_clojure(self):
        lines = self.lines(VALUES, "-f", "clojure")
        self.assertEqual(lines[3], ";; Output format: :clojure")
        self.assertEqual(lines[4:6], ["[:a 2.0 0.0]", "[(> bet 0.7) true 0.0]"])

    def test_lazy_predicts_are_printed_whole(self):
        text = """(defn down [n] (lazy-seq (when (pos? n) (cons n (down (dec n))))))
                  (defquery values (predict :a (down 3)) (predict :b {:c (cons 7 (down 1))}))"""
        for name, a, b in (("anglican", ":a,(3 2 1),0.0", ":b,{:c (7 1)},0.0"),
                           ("clojure", "[:a (3 2 1) 0.0]", "[:b {:c (7 1)} 0.0]"),
                           ("json-lines", '[":a",[3,2,1],0.0]', '[":b",{"c":[7,1]},0.0]')):
            self.assertEqual(self.lines(text, "-f", name, samples=1)[4:], [a, b])
        self.assertEqual(self.lines(text, "-f", "csv", samples=1),
                         ["index,chain,sweep,log_weight,:a[0],:a[1],:a[2],:b[:c][0],:b[:c][1]", "0,0,0,0.0,3,2,1,7,1"])

    def test_endless_predicts_end_at_the_limit(self):
        text = "(defn up [n] (lazy-seq (cons n (up (inc n))))) (defquery values (predict :a (up 1)))"
        file = self.write("endless.clj", text)
        for name in ("importance", "lmh", "smc"):
            _, err = self.run_chancel("infer", file, "-a", name, "-f", "anglican", "--max-memory", "50M", "-q", code=70)
            self.assertIn("error[L001]", err)

    def test_deeply_nested_predicts_are_printed_whole(self):
        text = """(defquery values (predict :a (loop [i 0 v [1]] (if (< i 100000) (recur (inc i) [v]) v)))
                                   (predict :b (loop [i 0 v {}] (if (< i 100000) (recur (inc i) {:a v}) v))))"""
        brackets = "[" * 100001 + "1" + "]" * 100001
        for name, line in (("anglican", f":a,{brackets},0.0"), ("json-lines", f'[":a",{brackets},0.0]')):
            self.assertEqual(self.lines(text, "-f", name, samples=1)[4], line)
        self.assertIn('"a":' * 100000, self.lines(text, "-f", "ndjson", samples=1)[0].replace("{", ""))

    def test_json_lines(self):
        lines = self.lines(VALUES, "-f", "json-lines")
        self.assertEqual(lines[3], ";; Output format: :json")
        self.assertEqual(lines[4], '[":a",2.0,0.0]')
        self.assertEqual([json.loads(line) for line in lines[5:9]],
                         [["(> bet 0.7)", True, 0.0], ["my label", 'a,b"c', 0.0], [":k", "key", 0.0],
                          [":v", [1, 2.5, None, {"x": 0.5}], 0.0]])

    def test_options_and_value_in_the_header(self):
        file = self.write("n.clj", "(defquery n [x] (predict :x x))")
        out, _ = self.run_chancel("infer", file, "-a", "smc", "-o", ":number-of-particles 4", "-v", "[3]", "-n", "4", "-f",
                                  "anglican", "-q")
        self.assertEqual(out.splitlines()[:2], [";; Program: n/n [3]",
                                                ";; Inference algorithm: :smc (:warmup true :number-of-particles 4)"])

    def test_impossible_draws_are_printed_with_their_weight(self):
        text = "(defquery values (let [x (sample (flip 0.5))] (observe (flip 1.0) x) (predict :x x)))"
        lines = self.lines(text, "-f", "anglican", samples=50)
        self.assertTrue(all(line.endswith((",0.0", ",##-Inf")) for line in lines[4:]), lines[4:10])

    def test_ndjson(self):
        rows = [json.loads(line) for line in self.lines(VALUES, "-f", "ndjson")]
        self.assertEqual(len(rows), 2)
        self.assertEqual(rows[1]["index"], 1)
        self.assertEqual(rows[0]["log_weight"], 0)
        self.assertEqual(rows[0]["predicts"], {":a": 2.0, "(> bet 0.7)": True, "my label": 'a,b"c', ":k": "key",
                                               ":v": [1, 2.5, None, {"x": 0.5}]})

    def table(self, text, samples=2):
        return list(csv.DictReader(io.StringIO("\n".join(self.lines(text, "-f", "csv", samples=samples)) + "\n")))

    def test_csv(self):
        rows = self.table(VALUES)
        self.assertEqual(list(rows[0]), ["index", "chain", "sweep", "log_weight", ":a", "(> bet 0.7)", "my label", ":k", ":v[0]",
                                         ":v[1]", ":v[2]", ":v[3][:x]"])
        self.assertEqual(rows[0][":a"], "2.0")
        self.assertEqual(rows[0]["my label"], 'a,b"c')
        self.assertEqual(rows[0][":v[2]"], "nil")

    def test_csv_of_changing_shapes(self):
        text = """(defquery values
          (let [n (sample (uniform-discrete 1 4))] (predict :n n) (predict :v (vec (range n))) (if (= n 2) (predict :two 1))))"""
        rows = self.table(text, samples=200)
        self.assertEqual(list(rows[0])[4:], [":n", ":v", ":two"])
        for row in rows:
            self.assertEqual(row[":v"], {"1": "[0]", "2": "[0 1]", "3": "[0 1 2]"}[row[":n"]])
            self.assertEqual(row[":two"], "1" if row[":n"] == "2" else "")

    def test_csv_says_what_found_no_column(self):
        file = self.write("late.clj", """(defquery late
          (let [n (sample (uniform-discrete 0 5000))] (predict :n n) (if (= n 7) (predict :seven 1))))""")
        out, err = self.run_chancel("infer", file, "-a", "importance", "-n", "30000", "--seed", "1", "-f", "csv")
        if ":seven" not in out.splitlines()[0]:
            self.assertIn("found no column", err)

    def test_chains_and_weights(self):
        file = self.write("coin.clj", COIN)
        out, err = self.run_chancel("infer", file, "-a", "smc", "--particles", "10", "-n", "20", "--chains", "3", "-f", "csv")
        rows = list(csv.DictReader(io.StringIO(out)))
        self.assertEqual([row["chain"] for row in rows], (["0"] * 10 + ["1"] * 10 + ["2"] * 10) * 2)
        self.assertEqual([row["index"] for row in rows], [str(i) for i in range(60)])
        self.assertEqual(len({row["sweep"] for row in rows if row["chain"] == "0"}), 2)
        self.assertIn("Log evidence", err)  # the run's own statistics, away from the draws


if __name__ == "__main__":
    program.main()
