# SPDX-License-Identifier: Apache-2.0
"""Data files and arguments: every format binds the same, mistakes have a place, nothing is dropped or made up."""
import json

import program
from program import ProgramTest

LINE = """(defquery line [x y]
  (let [b (sample (normal 0 10))]
    (map (fn [x y] (observe (normal (* b x) 1) y)) x y)
    (predict :b b)
    (predict :data [x y])))
"""


class Data(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("line.clj", LINE)

    def bound(self, *arguments, stdin=""):
        """The arguments that the query saw."""
        out, _ = self.run_chancel("infer", self.file, "-n", 1, "--seed", 1, "-f", "ndjson", *arguments, stdin=stdin)
        return json.loads(out)["predicts"][":data"]

    def refused(self, *arguments, stdin=""):
        out, err = self.run_chancel("infer", self.file, "-n", 10, *arguments, stdin=stdin, code=65)
        self.assertEqual(out, "")
        return err

    def test_formats_agree(self):
        expected = [[1, 2], [2.5, 4]]
        for name, text in {
                "a.json": '{"x": [1, 2], "y": [2.5, 4]}',
                "records.json": '[{"x": 1, "y": 2.5}, {"y": 4, "x": 2}]',
                "a.edn": "{:x [1 2] :y [2.5 4]}",
                "records.edn": "[{:x 1 :y 2.5} {:x 2 :y 4}]",
                "a.csv": "x,y\n1,2.5\n2,4\n",
                "excel.csv": "\ufeffx,y\r\n1,2.5\r\n2,4\r\n",
                "semicolon.csv": "x;y\n1;2,5\n2;4\n",
                "a.tsv": "x\ty\n1\t2.5\n+2\t4\n"}.items():
            self.assertEqual(self.bound("--data", self.write(name, text)), expected, name)
            self.assertEqual(self.bound("--data", "-", stdin=text), expected, name)

    def test_one_rule_for_cells(self):
        cells = "x\nNA\nnull\n\" \"\nTRUE\nfalse\n+1\n-.5\nabc\n"
        file = self.write("cells.csv", cells)
        query = self.write("cells.clj", f"""(def x (:x (read-csv "{file}")))
            (defquery cells [x] (predict :same (= x [nil nil nil true false 1 -0.5 "abc"])))
            (def cells-value [x])""")
        for arguments in ((), ("--data", file)):
            out, _ = self.run_chancel("infer", query, "-n", 1, "-f", "ndjson", *arguments)
            self.assertIs(json.loads(out)["predicts"][":same"], True)

    def test_extra_names_are_left_out_with_a_note(self):
        data = self.write("more.csv", "id,x,y,z\n7,1,2,3\n")
        out, err = self.run_chancel("infer", self.file, "-n", 50, "--data", data)
        self.assertIn("note[U003]: the data has id, z, which the query line does not take: left out", out + err)
        self.assertIn("it takes x, y", out + err)

    def test_missing_names(self):
        self.assertIn("error[U003]: the data has no y, which the query line needs",
                      self.refused("--data", self.write("few.csv", "x,Y\n1,2\n")))

    def test_places(self):
        for name, text, place, message in [
                ("deep.json", "[" * 200000, "deep.json:1:1001", "nested more than 1000 levels deep"),
                ("large.json", '{"x": [1],\n "y": [1e400]}', "large.json:2:8", "1e400 is too large"),
                ("comma.json", '{"x": [1 2]}', "comma.json:1:10", "a comma or ] was expected here"),
                ("large.csv", "x,y\n1,1e999\n", "large.csv:2:3", "1e999 is too large"),
                ("quote.csv", 'x,y\n1,"2\n3,4\n', "quote.csv:2:3", "this quote is never closed"),
                ("row.csv", "x,y\n1,2\n3\n", "row.csv:3:1", "this row has 1 cell, the header has 2")]:
            err = self.refused("--data", self.write(name, text))
            self.assertIn(place + ": error[U003]: " + message, err)
            self.assertIn("^", err)

    def test_number_of_arguments(self):
        for value in ("[[1]]", "[[1] [2] 3]", "[]", "nil", "3", "([1])"):
            err = self.refused("-v", value)
            self.assertRegex(err, r"line.clj:1:1: error\[U003\]: the query line takes 2 arguments, got \d")
            self.assertIn("its parameters are [x y]", err)
        one = self.write("one.clj", "(defquery one [ys] (predict :n (count ys)))")
        _, err = self.run_chancel("infer", one, "-v", "[1 2 3]", code=65)
        self.assertIn("stands in a vector: [[1 2 3]]", err)
        none = self.write("none.clj", "(defquery none [] (predict :n 1))")
        _, err = self.run_chancel("infer", none, "-v", "[1]", code=65)
        self.assertIn("the query none takes no arguments, got 1", err)
        rest = self.write("rest.clj", "(defquery rest [a & more] (predict :n (count more)))")
        self.run_chancel("infer", rest, "-v", "[1 2 3]", "-n", 1)
        self.run_chancel("infer", rest, "-v", "[]", code=65)

    def test_value_in_the_file(self):
        file = self.write("few.clj", LINE + "(def line-value [[1 2]])")
        _, err = self.run_chancel("infer", file, code=65)
        self.assertIn("the query line takes 2 arguments, got 1", err)

    def test_only_one_thing_comes_from_standard_input(self):
        _, err = self.run_chancel("infer", "-", "--data", "-", stdin=LINE, code=64)
        self.assertIn("both the program and the data", err)


class Impossible(ProgramTest):
    """Data that an observe cannot score: the message has the place, the value and what is scored."""

    def message(self, body, parameters, arguments, *more, error="I003"):
        file = self.write("model.clj", f"(defquery model [{parameters}]\n  (let [m (sample (normal 0 1))]\n"
                                       f"    (doseq [v y]\n      {body})\n    (predict :m m)))")
        _, err = self.run_chancel("infer", file, "--seed", 1, "-n", 100, *arguments, *more, code=70)
        self.assertIn(f"error[{error}]", err)
        self.assertRegex(err, r"model\.clj:4:\d+: error")
        self.assertIn("observe", err)
        self.assertIn("^", err)
        return err

    def test_every_engine_says_where(self):
        data = self.write("y.csv", "y\n1.5\nNA\n2\n")
        for engine in ("importance", "smc", "lmh", "rmh", "almh", "plmh", "palmh", "pimh", "pgibbs", "pgas", "ipmcmc", "pcascade", "anneal"):
            err = self.message("(observe (normal m 1) v)", "y", ("--data", data), "-a", engine)
            self.assertIn("normal scores numbers, got nil: row 2 of y is empty", err, engine)

    def test_an_empty_cell_of_many_rows_ends_the_run_at_once(self):
        """Before an engine starts: nothing that it does could help, and tries of recordings would take much memory."""
        file = self.write("air.clj", """(defquery air [ozone temp]
  (let [a (sample (normal 0 100)) b (sample (normal 0 10)) s (sample (exponential 0.1))]
    (doall (map (fn [y t] (observe (normal (+ a (* b t)) s) y)) ozone temp))
    (predict :b b)))""")
        rows = "".join(f"{'' if i % 50 == 4 else i % 97},{57 + i % 40}\n" for i in range(20000))
        data = self.write("air.csv", "ozone,temp\n" + rows)
        for engine in ("auto", "lmh", "smc", "nuts"):
            code, err, _ = self.measure("infer", file, "-a", engine, "--data", data, memory=100 << 20)
            self.assertEqual(code, 70, err)
            self.assertIn("row 5 of ozone is empty", err)
            self.assertIn("(when (some? y)", err)

    def test_which_of_several_cells(self):
        """Cells of columns that are not observed, or are looked at before, are not named."""
        line = "(observe (normal (* m (if (some? x) x 1)) 1) y)"
        for body, text in [
                ("(doseq [y y] (observe (normal m 1) y))", "got nil: row 4 of y is empty"),
                ("(doseq [[x y] (map vector x y)] %s)" % line, "got nil: row 4 of y is empty"),
                ("(doseq [y y] (observe (flip 0.5) (and y true)))", "hint: row 4 of y is empty; leave missing values out"),
                ("(doseq [[x y] (map vector x y)] (observe (mvn [m m] [[1 0] [0 1]]) [x y]))", "got [nil 1]: row 2 of x is empty"),
                ("(doseq [y y] (observe (poisson 3) y))", "got nil: row 4 of y is empty"),
                ("(doseq [z z] (observe (normal m 1) z))", 'got "low": row 3 of z'),
                ("(doseq [z (rest z)] (observe (beta 1 1) z))", 'got "low": row 3 of z'),
                ("(doseq [y y] (observe (normal m y) 1))", "hint: row 4 of y is empty; leave missing values out"),
                ("(doseq [y [1 2 nil]] (observe (normal m 1) y))", "got nil: the 3rd value that is observed here")]:
            file = self.write("q.clj", "(defquery q [x y z] (let [m (sample (normal 0 1))] %s (predict :m m)))" % body)
            data = self.write("q.csv", "x,y,z\n1,1,0.5\n,1,0.5\n1,1,low\n1,,0.5\n1,1,0.5\n")
            for engine in ("auto", "lmh", "smc", "nuts"):
                code, err, _ = self.measure("infer", file, "-a", engine, "--data", data, memory=100 << 20)
                self.assertEqual(code, 70, err)
                self.assertIn(text, err, engine)
                self.assertRegex(err, r"q\.clj:1:\d+: error")

    def test_an_empty_cell_in_arithmetic(self):
        file = self.write("line.clj", """(defquery line [x y]
  (let [m (sample (normal 0 1))]
    (doseq [[a b] (map vector x y)] (observe (normal (+ m (* 2 a)) 1) b))
    (predict :m m)))""")
        data = self.write("line.csv", "x,y\n1.5,2\n,3\n")
        for engine in ("auto", "lmh", "importance"):
            _, err = self.run_chancel("infer", file, "-a", engine, "-n", 5, "--data", data, code=70)
            self.assertIn("*: expected a number, got nil", err)
            self.assertIn("hint: row 2 of x is empty", err)

    def test_kinds_of_values(self):
        for body, value, text in [
                ("(observe (normal m 1) v)", "##NaN", "normal scores numbers, got ##NaN: row 1 of y"),
                ("(observe (normal m 1) v)", '"high"', 'normal scores numbers, got "high": row 1 of y'),
                ("(observe (normal m 1) v)", "[1 2]", "normal scores numbers, got [1 2]: row 1 of y"),
                ("(observe (poisson 3) v)", "2.5", "poisson scores integers from 0, got 2.5"),
                ("(observe (flip 1.0) v)", "false", "(flip 1.0) gives false probability zero"),
                ("(observe (beta 1 1) v)", "1.5", "beta scores numbers from 0 to 1, got 1.5"),
                ("(observe (mvn [m 0] [[1 0] [0 1]]) v)", "[1 2 3]", "mvn scores vectors of 2 numbers, got [1 2 3]")]:
            err = self.message(body, "y", ("-v", f"[[{value}]]"), "-a", "smc")
            self.assertIn(text, err)
        err = self.message("(observe (flip 0.5) v)", "y", ("-v", "[[2]]"), "-a", "smc", error="R001")
        self.assertIn("flip gives true or false (or 1 and 0), but was observed as the integer 2", err)


if __name__ == "__main__":
    program.main()
