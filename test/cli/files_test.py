# SPDX-License-Identifier: Apache-2.0
"""Programs of several files, chancel test, and the memory of scripts that keep little."""
import os
import unittest

import program
from program import MEGABYTE, PATIENCE, ProgramTest


class Files(ProgramTest):
    def test_a_program_of_two_files(self):
        self.write("helper.clj", "(ns helper)\n(defn twice [x] (* 2 x))\n")
        main = self.write("main.clj", "(ns main (:require [helper :as h]))\n(println (h/twice 21))\n"
                                      "(defquery q [] (predict :x (h/twice (sample (uniform-discrete 2 3)))))\n")
        self.assertEqual(self.run_chancel("run", main)[0], "42\n")
        out, _ = self.run_chancel("check", main)
        self.assertIn("clojure", out)
        out, _ = self.run_chancel("infer", main, "-a", "importance", "-n", "10", "--seed", "1", "--format", "csv")
        self.assertIn(",4\n", out)
        self.assertIn("files are out of reach", self.run_chancel("run", "--no-files", main, code=65)[1])

    def test_folders_and_the_name_of_the_program(self):
        (self.folder / "course").mkdir()
        self.write("course/my_tools.clj", "(ns course.my-tools)\n(def x 5)\n")
        main = self.write("course/main.clj", "(ns course.main (:require [course.my-tools :as t]))\n(println t/x)\n")
        self.assertEqual(self.run_chancel("run", main)[0], "5\n")
        above = self.write("main.clj", "(require '[course.my-tools :as t])\n(println t/x)\n")
        self.assertEqual(self.run_chancel("run", above)[0], "5\n")

    def test_mistakes_have_the_place_in_their_own_file(self):
        self.write("helper.clj", "(ns helper)\n\n(defn f [x] (+ x nosuch))\n")
        main = self.write("main.clj", "(require 'helper)\n(println 1)\n")
        _, err = self.run_chancel("run", main, code=65)
        self.assertIn("helper.clj:3:18: error[F001]: unbound name: nosuch", err)
        self.assertIn("main.clj:1:11: note: this file is loaded here", err)
        self.write("helper.clj", "(ns helper)\n(def x\n  (first 5))\n")
        _, err = self.run_chancel("run", main, code=70)
        self.assertIn("helper.clj:3:10: error[R001]", err)
        self.write("helper.clj", "(ns other)\n")
        _, err = self.run_chancel("run", main, code=65)
        self.assertIn("helper.clj is the namespace other, not helper", err)

    def test_cycles_name_the_chain(self):
        self.write("a.clj", "(ns a (:require [b]))\n")
        self.write("b.clj", "(ns b (:require [c]))\n")
        self.write("c.clj", "(ns c (:require [a]))\n")
        main = self.write("main.clj", "(require 'a)\n")
        _, err = self.run_chancel("run", main, code=65)
        self.assertIn("error[F014]: files load each other: ", err)
        self.assertIn("/a.clj loads ", err)
        self.assertIn("/c.clj loads ", err)
        own = self.write("own.clj", "(ns own (:require [own]))\n")
        self.assertIn("files load each other", self.run_chancel("run", own, code=65)[1])

    def test_nothing_outside_the_folder(self):
        (self.folder / "inside").mkdir()
        secret = self.write("secret.clj", '(ns secret)\n(println "read")\n')
        os.symlink(secret, self.folder / "inside" / "secret.clj")
        main = self.write("inside/main.clj", "(require 'secret)\n(println 1)\n(println secret/x)\n")
        out, err = self.run_chancel("run", main, code=65)
        self.assertNotIn("read", out)
        self.assertIn("error[F014]", err)
        for path in ("../secret.clj", secret, "/etc/passwd", "secret.clj"):
            file = self.write("inside/main.clj", f'(load-file "{path}")\n')
            out, err = self.run_chancel("run", file, code=65)
            self.assertIn("error[F014]", err)
            self.assertEqual(out, "")


    def test_text_files(self):
        data = self.write("data.csv", 'name,x\na,1.5\n"b, c",2\n')
        file = self.write("main.clj", "(ns main (:require [clojure.java.io :as io] [clojure.data.csv :as csv]))\n"
                                      f'(with-open [r (io/reader "{data}")] (prn (line-seq r)))\n'
                                      f'(prn (with-open [r (io/reader (io/file "{data}"))] (doall (csv/read-csv r))))\n')
        out, _ = self.run_chancel("run", file)
        self.assertEqual(out, '("name,x" "a,1.5" "\\"b, c\\",2")\n(["name" "x"] ["a" "1.5"] ["b, c" "2"])\n')
        self.assertIn("error[U002]", self.run_chancel("run", "--no-files", file, code=66)[1])

    def test_a_name_of_the_same_parts_is_suggested(self):
        # As in the paper's listing of the hidden Markov model.
        file = self.write("hmm.vnt", "[assume get-state-observation-mean (lambda (s) s)]\n"
                                     "[observe (normal (get-state-obs-mean 1) 1) 0.9]\n[predict 1]\n")
        _, err = self.run_chancel("check", file, code=65)
        self.assertIn("hint: did you mean get-state-observation-mean?", err)


class Tests(ProgramTest):
    def test_exit_codes_and_places(self):
        good = self.write("good.clj", "(require '[clojure.test :refer :all])\n(deftest t (is (= 1 1)))\n")
        out, _ = self.run_chancel("test", good)
        self.assertIn("Ran 1 tests containing 1 assertions.\n0 failures, 0 errors.", out)
        bad = self.write("bad.clj", "(ns bad (:require [clojure.test :as t]))\n(t/deftest sums\n"
                                    "  (t/is (= 5 (+ 2 2)) \"four\")\n  (t/is (/ 1 0)))\n")
        out, _ = self.run_chancel("test", bad, code=70)
        self.assertIn("bad.clj:3)\nfour\nexpected: (= 5 (+ 2 2))\n  actual: (not (= 5 4))", out)
        self.assertIn("ERROR in (sums) (", out)
        self.assertIn("java.lang.ArithmeticException: /: division by zero (", out)
        out, _ = self.run_chancel("test", good, bad, code=70)
        self.assertIn("All files: 2 tests, 3 assertions, 1 failures, 1 errors.", out)
        self.assertIn("there are no tests", self.run_chancel("test", self.write("none.clj", "(def x 1)"), code=65)[1])
        self.assertIn("error[F001]", self.run_chancel("test", self.write("wrong.clj", "(nosuch)"), good, code=65)[1])
        self.run_chancel("test", self.folder / "missing.clj", code=66)
        self.run_chancel("test", code=64)

    def test_a_file_that_runs_its_tests_runs_them_once(self):
        file = self.write("t.clj", "(use 'clojure.test)\n(deftest t (is true))\n(run-tests)\n")
        self.assertEqual(self.run_chancel("test", file)[0].count("Ran 1 tests"), 1)


QUERY = """(defquery q [data] (let [x (sample (normal 0 1))] (observe (normal x 1) 2) {:x x :data data}))
"""


@unittest.skipIf(PATIENCE != 1, "sanitizers need memory of their own")
class Memory(ProgramTest):
    """What a script no longer holds, and what its next query does not use, stays out of the heap."""

    def peak(self, text, memory):
        done = self.measure("run", "--seed", "1", self.write("s.clj", text), memory=memory * MEGABYTE)
        self.assertEqual(done[0], 0, done[1])
        return self.peak_memory / MEGABYTE

    def test_results_are_not_copied_into_the_next_run(self):
        again = "(def s (doall (take 20000 (doquery :lmh q [nil]))))\n"
        once = self.peak(QUERY + again, 200)
        self.assertLess(self.peak(QUERY + again * 8, 200), once + 50)
        # Nor what an expression only prints a number of.
        mean = "(println (mean (map (comp :x :result) (take 20000 (doquery :lmh q [nil])))))\n"
        self.assertLess(self.peak(QUERY + mean * 8, 200), once + 50)

    def test_lazy_results_are_not_worked_out_by_the_next_run(self):
        text = QUERY + "".join(f"(def s{i} (map :result (doquery :lmh q [nil])))\n(println (count (take 10 s{i})))\n"
                               for i in range(6))
        self.assertLess(self.peak(text, 100), 60)

    def test_draws_share_what_they_hold_of_the_data(self):
        text = "(def data (vec (range 20000)))\n" + QUERY + \
               "(def s (doall (take 2000 (doquery :lmh q [data]))))\n(println (count (:data (:result (last s)))))\n"
        self.assertLess(self.peak(text, 100), 60)
        globally = "(def data (vec (range 20000)))\n(defquery q [] (sample (normal 0 1)) data)\n" + \
                   "(def s (doall (take 2000 (doquery :importance q []))))\n(println (count (:result (last s))))\n"
        self.assertLess(self.peak(globally, 100), 60)


if __name__ == "__main__":
    program.main()
