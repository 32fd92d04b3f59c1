# SPDX-License-Identifier: Apache-2.0
"""infer --profile: counts by line that follow from the program, and losses where they must be."""
import csv
import program
from program import ProgramTest

MODEL = """(defn walk [n x]
  (if (= n 0)
    x
    (walk (- n 1) (sample (normal x 1)))))
(defquery lines
  (let [a (sample (normal 0 1))
        b (walk 5 a)]
    (observe (normal 0 100) 1)
    (observe (normal b 0.1) 2)
    (predict :b b)))
"""


class Profile(ProgramTest):
    def test_lines(self):
        out = self.folder / "run"
        text, _ = self.run_chancel("infer", self.write("lines.clj", MODEL), "-a", "lmh", "-n", 100, "--seed", 1, "-q", "--profile",
                                   "--out", out)
        self.assertIn("Profile: means of one execution", text)
        self.assertIn("     9 | (observe (normal b 0.1) 2)", text)
        rows = {int(r["line"]): {k: float(v) for k, v in r.items()}
                for r in csv.DictReader((out / "profile.csv").read_text().splitlines())}
        self.assertEqual(sorted(rows), [4, 5, 6, 8, 9])
        self.assertEqual((rows[6]["samples"], rows[4]["samples"]), (1, 5))
        self.assertEqual((rows[8]["observes"], rows[9]["observes"]), (1, 1))
        # A constant likelihood costs nothing; one tenth of the spread of the prior costs nearly all.
        self.assertLess(rows[8]["ess_loss"], 1e-9)
        self.assertGreater(rows[9]["ess_loss"], 0.8)
        self.assertGreater(rows[9]["weight_variance"], 100)
        self.assertTrue(all(r["seconds"] > 0 for r in rows.values()))
        self.assertGreaterEqual(sum(r["applications"] for r in rows.values()), 6)


if __name__ == "__main__":
    program.main()
