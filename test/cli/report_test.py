# SPDX-License-Identifier: Apache-2.0
"""Report pages, loaded in headless Chromium: no console error, every chart painted, texts of programs cannot add markup."""
import csv
import json
import os
import pathlib
import re
import statistics
import subprocess
import unittest
import program
from browser import BrowserTest, Tags
from program import COIN, REPOSITORY

MODEL = """;; </script><b>bold</b> & "quoted"
(defquery model
  (let [mu (sample (normal 0 1))
        k (sample (uniform-discrete 0 3))]
    (observe (normal (+ mu k) 1) 2.5)
    (observe (normal mu 1) 0.3)
    (predict :mu mu)
    (predict :k k)
    (predict :tail (/ mu (sample (normal 0 1))))
    (predict "</script><script>throw 1</script>" (if (> mu 0) "<b>" "&amp;"))
    (predict :pair [mu (* 2 mu)])
    (predict :ones (repeat k 1))
    (predict :count (sample (poisson 60)))
    (when (> k 0) (predict :sometimes (* 1.0 k mu)))))
"""

# Centred: the effects and their scale make a funnel, in whose neck trajectories diverge.
FUNNEL = """(defquery funnel [y error]
  (let [mu (sample (normal 0 5))
        tau (sample (half-cauchy 5))
        theta (mapv (fn [_] (sample (normal mu tau))) y)]
    (map (fn [t s y] (observe (normal t s) y)) theta error y)
    (predict :mu mu)
    (predict :tau tau)
    (predict :theta theta)
    (predict :y-rep (mapv (fn [t s] (generate (normal t s))) theta error))))
"""
SCHOOLS = {"y": [28, 8, -3, 7, -1, 1, 18, 12], "error": [15, 10, 16, 11, 9, 11, 10, 18]}

class Report(BrowserTest):
    def page(self, *arguments, text=MODEL):
        out = self.folder / "run"
        self.run_chancel("infer", self.write("model.clj", text), "--seed", 3, "-q", "--out", out, *arguments)
        path, _ = self.run_chancel("report", out)
        self.assertEqual(path, f"{out}/report.html\n")
        return pathlib.Path(path.strip()).read_text(encoding="utf-8")

    @staticmethod
    def data(text):
        return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S).group(1))

    @program.needs_tools
    def test_chains(self):
        text = self.page("-a", "lmh", "-n", 1500, "--chains", 3)
        self.check(text, {"distribution": 6, "bars": 3, "trace": 9, "ranks": 6, "autocorrelation": 6, "running": 9, "group": 1})
        rows = {row["label"]: row for row in self.data(text)["rows"]}
        self.assertEqual(len(rows[":mu"]["trace"]["curves"]), 3)
        h = rows[":mu"]["histogram"]
        self.assertAlmostEqual(sum(h["mass"]) + h["below"] + h["above"], 1, delta=1e-3)
        self.assertGreater(rows[":tail"]["histogram"]["below"] + rows[":tail"]["histogram"]["above"], 0)
        self.assertEqual(rows[":k"]["bars"]["values"], ["0", "1", "2"])
        self.assertAlmostEqual(rows[":mu"]["running"]["curves"][0]["x"][-1], 1500)

    @program.needs_tools
    def test_numbers_at_the_ends_of_the_range(self):
        text = self.page("-a", "lmh", "-n", 500, text="""(defquery model
  (let [u (sample (uniform-continuous 0 1))
        z (sample (normal 0 1))]
    (predict :before z)
    (predict :largest (if (< u 0.5) 1.7976931348623157E308 -1.7976931348623157E308))
    (predict :huge (* u 1.0E308))
    (predict :tiny (* u 1.0E-310))
    (predict :parts [(* u 1.0E-310) (* z 1.0E-310)])
    (predict :after z)))
""")
        self.check(text, {"distribution": 7, "trace": 7, "running": 7, "group": 1})
        units = {row["label"]: row.get("unit") for row in self.data(text)["rows"]}
        self.assertEqual([units[label] for label in (":before", ":largest", ":huge", ":tiny")], [None, "1e308", "1e307", "1e-311"])

    @program.needs_tools
    def test_weighted_draws(self):
        text = self.page("-a", "importance", "-n", 3000)
        # Draws with weights are not a chain: no trace.
        self.check(text, {"distribution": 5, "ranks": 5, "running": 8, "trace": 0})
        self.assertNotIn('data-chart="trace"', text)
        row = next(row for row in self.data(text)["rows"] if row["label"] == ":mu")
        h = row["histogram"]
        width = (h["high"] - h["low"]) / len(h["mass"])
        mean = sum(m * (h["low"] + (i + 0.5) * width) for i, m in enumerate(h["mass"]))
        self.assertAlmostEqual(mean, row["mean"], delta=width / 2)  # weights moved it off the prior's 0
        self.assertGreater(row["mean"], 0.3)

    @program.needs_tools
    def test_sweeps(self):
        text = self.page("-a", "pgibbs", "--particles", 30, "-n", 600)
        self.assertNotIn("ESS loss", text)
        tags = self.check(text, {"ess": 1, "ancestry": 2})
        ess = self.data(text)["ess"]
        self.assertEqual([(s["line"], s["x"]) for s in ess["series"]], [(5, [1]), (6, [2])])
        self.assertEqual(len([m for m in tags.all("td") if m.get("class") == "margin"]), 2)
        tree = self.data(text)["ancestry"][1]
        self.assertEqual((tree["sweep"], tree["generations"]), (1, 2))
        self.assertEqual(len(tree["alive"]["x"]) + len(tree["dead"]["x"]), 3 * 30 * 2)

    def test_profile_in_the_margin(self):
        text = self.page("-a", "lmh", "-n", 200, "--profile")
        self.assertIn("<th>time</th><th>calls</th><th>ESS loss</th>", text)
        rows = re.findall(r'<tr id="L(\d+)">(.*?)</tr>', text)
        shares = [float(s) for _, row in rows for s in re.findall(r'title="seconds .*?<span class="figure">([0-9.]+) %', row)]
        self.assertAlmostEqual(sum(shares), 100, delta=1)
        self.assertEqual([line for line, row in rows if "ess_loss" in row], ["5", "6"])

    @program.needs_tools
    def test_family_trees_of_many_particles_are_thinned(self):
        text = self.page("-a", "smc", "--particles", 2000, "-n", 4000, "--draws", "ndjson", "--gzip")
        self.check(text, {"ess": 1, "ancestry": 2, "distribution": 5})
        tree = self.data(text)["ancestry"][0]
        self.assertLessEqual(len(tree["alive"]["x"]), 3 * 100 * 2)
        self.assertEqual(tree["dead"]["x"], [])

    @program.needs_tools
    def test_other_dialects_and_results(self):
        out = self.folder / "venture"
        self.run_chancel("infer", REPOSITORY / "models/hmm/hmm.vnt", "-a", "smc", "--particles", 50, "-n", 100, "-q", "--out", out)
        page = self.folder / "venture.html"
        self.assertEqual(self.run_chancel("report", out, "-o", page)[0], f"{page}\n")
        self.check(page.read_text(encoding="utf-8"), {"bars": 1, "ess": 1})
        text = self.page("-a", "enumerate", text="(defquery q (+ (sample (uniform-discrete 0 3)) 1))")
        self.check(text, {"bars": 1})
        self.assertNotIn("± nan", text)

    @program.needs_tools
    def test_many_labels_and_long_vectors(self):
        text = self.page("-a", "lmh", "-n", 50, text="""(defquery q
          (let [v (vec (repeatedly 300 (fn [] (sample (normal 0 1)))))]
            (predict :v v)
            (map (fn [i] (predict (keyword (str "x" i)) (nth v i))) (range 40))))""")
        tags = self.check(text, {"group": 1})
        self.assertEqual(len(self.data(text)["rows"]), 90)  # 50 of :v, 40 scalars
        self.assertIn("250 more parts without charts", text)
        self.assertTrue(any(a.get("href") == "#label-40" for a in tags.all("a")))

    def funnel(self, *arguments):
        text = self.page("-a", "nuts", "-n", 400, "--chains", 4, "--data", self.write("schools.json", json.dumps(SCHOOLS)), *arguments,
                         text=FUNNEL)
        return text, list(csv.DictReader((self.folder / "run/draws.csv").read_text().splitlines()))

    @program.needs_tools
    def test_predictive_checks(self):
        text, rows = self.funnel()
        self.check(text, {"checkIntervals": 1, "checkStatistic": 4})
        (check,) = self.data(text)["checks"]
        self.assertEqual((check["label"], check["data"]), (":y-rep", "y"))
        sets = [[float(r[f":y-rep[{i}]"]) for i in range(8)] for r in rows]
        observed = SCHOOLS["y"]
        for statistic, of in zip(check["statistics"], (statistics.mean, statistics.stdev, min, max)):
            self.assertAlmostEqual(statistic["observed"], of(observed), delta=1e-3)
            larger = sum(of(s) > of(observed) for s in sets) / len(sets)
            self.assertAlmostEqual(statistic["p"], larger, delta=0.04)  # of 1000 of the 1600 draws
            self.assertAlmostEqual(sum(statistic["histogram"]["mass"]), 1, delta=0.05)
        self.assertEqual(check["intervals"]["of"], 8)
        first = sorted(s[0] for s in sets)
        self.assertAlmostEqual(check["intervals"]["q50"][0], statistics.median(first), delta=2)
        self.assertIn("Posterior predictive checks", text)
        prior = self.folder / "prior"
        self.run_chancel("infer", self.write("model.clj", FUNNEL), "--data", self.write("schools.json", json.dumps(SCHOOLS)), "--prior", "-q",
                         "--seed", 3, "--out", prior)
        self.run_chancel("report", prior)
        self.assertIn("Prior predictive checks", (prior / "report.html").read_text())

    @program.needs_tools
    def test_predictive_checks_of_counts_and_truth_values(self):
        data = {"k": [0, 1, 3, 2, 0, 7, 1, 1, 2, 4, 0, 1], "b": [True, False, True, True, False, True], "x": [0.5, 1.5, -2, 3, 0, 1]}
        text = self.page("-a", "importance", "-n", 500, "--data", self.write("d.json", json.dumps(data)), text="""(defquery q [k b x]
          (let [rate (sample (gamma 2 1)) p (sample (beta 1 1))]
            (doseq [v k] (observe (poisson rate) v))
            (doseq [v b] (observe (flip p) v))
            (predict :rate rate)
            (predict :k (mapv (fn [_] (generate (poisson rate))) k))
            (predict :b (mapv (fn [_] (generate (flip p))) b))
            (predict :x (mapv (fn [_] (generate (poisson rate))) (range 7)))))""")
        tags = self.check(text, {"checkBars": 2, "checkIntervals": 2, "checkStatistic": 5})
        self.assertTrue(any(a.get("href") == "#checks" for a in tags.all("a")))
        counts, truths = self.data(text)["checks"]  # :x has another length than the data
        self.assertEqual((counts["bars"]["low"], counts["bars"]["width"]), (0, 1))
        for shares, wanted in ((counts["bars"]["observed"], [3 / 12, 4 / 12, 2 / 12]), (truths["bars"]["observed"], [2 / 6, 4 / 6])):
            for share, right in zip(shares, wanted):
                self.assertAlmostEqual(share, right, delta=1e-4)
        self.assertEqual([s["name"] for s in truths["statistics"]], ["mean"])

    @program.needs_tools
    def test_pairs_mark_divergent_draws_and_moves_have_an_energy(self):
        text, rows = self.funnel()
        self.check(text, {"pair": 10, "own": 5, "energy": 1})
        data = self.data(text)
        diverged = [r for r in rows if r["divergent__"] == "1"]
        self.assertGreater(len(diverged), 5)
        self.assertLess(len(diverged), 300)
        self.assertIn(":tau", data["pairs"]["labels"])  # where they lie
        self.assertFalse(any("rep" in label for label in data["pairs"]["labels"]))
        at = data["pairs"]["labels"].index(":tau")
        for shown, row in zip(data["pairs"]["divergent"][at], diverged):
            self.assertAlmostEqual(shown, float(row[":tau"]), delta=0.01)
        self.assertEqual([len(v) for v in data["pairs"]["values"]], [500] * 5)
        for chain, fraction in enumerate(data["energy"]["fractions"]):
            e = [float(r["energy__"]) for r in rows if r["chain"] == str(chain)]
            spread = sum((x - statistics.mean(e)) ** 2 for x in e)
            self.assertAlmostEqual(fraction, sum((b - a) ** 2 for a, b in zip(e, e[1:])) / spread, delta=1e-3)
        places = re.search(r'<table class="places">.*?</table>', text, re.S).group()
        self.assertRegex(places, r'<tr class="gathers"><th><code>tau</code></th><td><a href="#L3">line 3</a></td><td>[0-9.]+ sd below</td>')
        self.run_chancel("report", self.folder / "run", "--pairs", "mu,theta[3]")
        other = self.data((self.folder / "run/report.html").read_text())
        self.assertEqual(other["pairs"]["labels"], [":mu", ":theta[3]"])
        _, err = self.run_chancel("report", self.folder / "run", "--pairs", "nu", code=65)
        self.assertIn("there is no label nu", err)

    @program.needs_tools
    def test_infer_makes_a_page_in_one_go(self):
        page = self.folder / "coin.html"
        scratch = self.folder / "scratch"
        scratch.mkdir()
        os.environ["TMPDIR"] = str(scratch)
        self.addCleanup(os.environ.pop, "TMPDIR")
        out, _ = self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "-n", 500, "--seed", 1, "--report", page)
        self.assertEqual(list(scratch.iterdir()), [])
        os.environ["TMPDIR"] = "/tmp"
        self.assertEqual(out.splitlines()[-1].split(), ["Report", str(page)])
        self.assertNotIn("--report", re.search(r"^Repeat .*$", out, re.M).group())
        text = page.read_text(encoding="utf-8")
        self.check(text, {"distribution": 1, "bars": 1, "ess": 1})
        # The same page as from a directory.
        run = self.folder / "run"
        self.run_chancel("infer", self.write("coin.clj", COIN), "-a", "smc", "-n", 500, "--seed", 1, "-q", "--out", run)
        self.run_chancel("report", run)
        self.assertEqual(self.data(text), self.data((run / "report.html").read_text(encoding="utf-8")))

    def test_a_page_from_memory_is_that_of_the_directory(self):
        for number, (text, options) in enumerate(((MODEL, ["-a", "smc", "--particles", 50, "--profile"]),
                                                  (MODEL, ["-a", "lmh", "--chains", 2]), (COIN, ["-a", "importance"]),
                                                  (FUNNEL, ["-a", "nuts", "--data", self.write("s.json", json.dumps(SCHOOLS))]))):
            run, first, second = (self.folder / f"{name}{number}" for name in ("run", "first.html", "second.html"))
            file = self.write("model.clj", text)
            self.run_chancel("infer", file, *options, "-n", 300, "--seed", 2, "--out", run, "--report", first)
            self.run_chancel("report", run, "-o", second)
            self.assertEqual(first.read_bytes(), second.read_bytes())
            alone = self.folder / f"alone{number}"
            self.run_chancel("infer", file, *options, "-n", 300, "--seed", 2, "--report", alone)
            charts = [re.search(r'<script[^>]*application/json[^>]*>(.*?)</script>', page.read_text(), re.S)
                      for page in (first, alone)]
            self.assertIsNotNone(charts[0])
            self.assertEqual(charts[0].group(1), charts[1].group(1))

    def test_pages_are_whole_and_stay_small(self):
        text = self.page("-a", "importance", "-n", 200000)
        self.assertLess(len(text), 1_500_000)
        tags = Tags(text)
        self.assertEqual([t for t in ("link", "img", "iframe") if tags.all(t)], [])
        self.assertEqual([s for s in tags.all("script") if "src" in s], [])
        self.assertIn("default-src 'none'", next(m for m in tags.all("meta") if "http-equiv" in m)["content"])
        self.assertIn("Chart.js Contributors", text)

    @program.needs_tools
    def test_errors_on_the_console_are_seen(self):
        text = self.page("-a", "lmh", "-n", 50, text=COIN)
        own = text.rindex("<script>")
        _, console = self.load(text[:own] + text[own:].replace("JSON.parse(", "JSON.parsed("))
        self.assertTrue(any("TypeError" in line for line in console), console)

    def test_mistakes(self):
        self.run_chancel("report", self.folder / "no", code=66)
        self.run_chancel("report", code=64)
        out = self.folder / "run"
        self.run_chancel("infer", self.write("coin.clj", COIN), "-n", 20, "-q", "--out", out)
        _, err = self.run_chancel("report", out, "-o", self.folder / "no/page.html", code=70)
        self.assertIn("U004", err)


if __name__ == "__main__":
    program.main()
