# SPDX-License-Identifier: Apache-2.0
"""Runs in the files of other tools, read back: by Python's csv and json, by xarray, by R's rstan and posterior. The last two are skipped where
they are not installed (`scripts/setup --test-all` installs them)."""
import csv
import json
import math
import pathlib
import shutil
import subprocess
import unittest
import program
from program import ProgramTest

MODEL = """(defquery model
  (let [mu (sample (normal 0 1)) k (sample (uniform-discrete 0 3))]
    (observe (normal (+ mu k) 1) 2.5)
    (predict :mu mu)
    (predict :k k)
    (predict :pair [mu (* 2 mu)])
    (predict :grid [[1 2 3] [4 5 k]])
    (predict :word (if (> mu 0) :up :down))
    (predict :high? (> mu 1))
    (predict :m {:a mu})
    (when (> k 0) (predict :sometimes k))))
"""

READ_NETCDF = """
import json, sys, xarray
posterior = xarray.open_dataset(sys.argv[1], group="posterior")
out = {name: posterior[name].values.tolist() for name in posterior.data_vars}
attrs = {"flags": posterior["word"].attrs["flag_meanings"], "library": posterior.attrs["inference_library"]}
weights = None
if sys.argv[2] == "weighted":
    weights = xarray.open_dataset(sys.argv[1], group="sample_stats")["log_weight"].values.tolist()
print(json.dumps({"posterior": out, "attrs": attrs, "dims": dict(posterior.sizes), "weights": weights}))
"""

READ_GROUPS = """
import json, sys, netCDF4, xarray
out = {}
for group in netCDF4.Dataset(sys.argv[1]).groups:
    data = xarray.open_dataset(sys.argv[1], group=group)
    out[group] = {name: data[name].values.tolist() for name in data.data_vars}
print(json.dumps(out))
"""

READ_CMDSTAN = """
suppressPackageStartupMessages({library(rstan); library(posterior)})
files <- commandArgs(trailingOnly = TRUE)
fit <- read_stan_csv(files)
draws <- as_draws_array(as.array(fit))
cat(dim(draws), "\\n")
cat(variables(draws), "\\n")
cat(format(mean(extract_variable(draws, "mu")), digits = 15), "\\n")
cat(format(rhat(extract_variable_matrix(draws, "mu")), digits = 15), "\\n")
"""


def text_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def has(*command):
    return shutil.which(command[0]) is not None and subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


HAS_XARRAY = has("/usr/bin/python3", "-c", "import xarray, netCDF4")
HAS_RSTAN = has("Rscript", "-e", "library(rstan); library(posterior)")


class Convert(ProgramTest):
    def run_directory(self, *arguments):
        out = self.folder / "run"
        self.run_chancel("infer", self.write("model.clj", MODEL), "--seed", 4, "-q", "--out", out, *arguments)
        rows = list(csv.DictReader((out / "draws.csv").read_text().splitlines())) if (out / "draws.csv").exists() else []
        return out, rows

    def convert(self, out, to):
        return self.run_chancel("convert", out, "--to", to)[0].split()

    def chains(self):
        return self.run_directory("-a", "lmh", "-n", 300, "--chains", 2)

    def weighted(self):
        return self.run_directory("-a", "importance", "-n", 2000)

    @staticmethod
    def read_cmdstan(path):
        with open(path, encoding="utf-8") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def weighted_mean(self, rows, name):
        weights = [math.exp(float(r["log_weight"])) for r in rows]
        return sum(w * float(r[name]) for w, r in zip(weights, rows)) / sum(weights)

    def test_cmdstan(self):
        out, rows = self.chains()
        files = self.convert(out, "cmdstan-csv")
        self.assertEqual(files, [f"{out}/cmdstan-1.csv", f"{out}/cmdstan-2.csv"])
        for chain, file in enumerate(files):
            ours = [r for r in rows if r["chain"] == str(chain)]
            theirs = self.read_cmdstan(file)
            self.assertEqual(list(theirs[0])[2:], ["mu", "k", "pair.1", "pair.2", "grid.1.1", "grid.1.2", "grid.1.3", "grid.2.1",
                                                   "grid.2.2", "grid.2.3", "word", "high", "m_a", "sometimes"])
            self.assertEqual([float(r["mu"]) for r in theirs], [float(r[":mu"]) for r in ours])
            self.assertEqual([r["grid.2.3"] for r in theirs], [r[":k"] for r in ours])
            self.assertEqual([r["word"] for r in theirs], ["1" if r[":word"] == ":up" else "0" for r in ours])
            self.assertEqual([float(r["lp__"]) for r in theirs], [float(r["lp__"]) for r in ours])
            self.assertEqual([r["high"] for r in theirs], ["1" if r[":high?"] == "true" else "0" for r in ours])
            self.assertEqual([r["sometimes"] for r in theirs], [r[":sometimes"] or "nan" for r in ours])
        self.assertIn("# value of word: 0 = :down", text_of(files[0]))

    def test_statistics_of_gradient_moves(self):
        out = self.folder / "nuts"
        self.run_chancel("infer", self.write("line.clj", "(defquery line (let [x (sample (normal 0 1))] (observe (normal x 1) 2)"
                                                         " (predict :x x)))"), "-a", "nuts", "-n", 40, "--seed", 4, "-q", "--out", out)
        rows = list(csv.DictReader(text_of(out / "draws.csv").splitlines()))
        names = ["lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__"]
        self.assertEqual(list(rows[0]), ["index", "chain", "sweep", "log_weight", *names, ":x"])
        for row in rows:
            x = float(row[":x"])
            self.assertAlmostEqual(float(row["lp__"]), -math.log(2 * math.pi) - (x * x + (x - 2) ** 2) / 2, places=9)
        theirs = self.read_cmdstan(self.convert(out, "cmdstan-csv")[0])
        self.assertEqual(list(theirs[0]), [*names, "x"])
        for name in names:
            self.assertEqual([float(r[name]) for r in theirs], [float(r[name]) for r in rows])
        stats = json.loads(text_of(self.convert(out, "arviz-json")[0]))["sample_stats"]
        self.assertEqual(stats["lp"], [[float(r["lp__"]) for r in rows]])
        self.assertEqual(sorted(stats), ["acceptance_rate", "diverging", "energy", "lp", "n_steps", "step_size", "tree_depth"])
        self.assertIn(":x", self.run_chancel("summary", out)[0])
        self.assertNotIn("lp__", self.run_chancel("summary", out)[0])

    def test_weighted_draws_are_written_twice(self):
        out, rows = self.weighted()
        equal, raw = self.convert(out, "cmdstan-csv")
        self.assertEqual(raw, f"{out}/cmdstan-weighted-1.csv")
        theirs = self.read_cmdstan(raw)
        self.assertEqual([float(r["log_weight__"]) for r in theirs], [float(r["log_weight"]) for r in rows])
        self.assertEqual([float(r["mu"]) for r in theirs], [float(r[":mu"]) for r in rows])
        theirs = self.read_cmdstan(equal)
        self.assertEqual(len(theirs), len(rows))
        self.assertNotIn("log_weight__", theirs[0])
        mean = sum(float(r["mu"]) for r in theirs) / len(theirs)
        # Systematic resampling: within a few spacings of the comb (values of a few units, 2000 teeth).
        self.assertAlmostEqual(mean, self.weighted_mean(rows, ":mu"), delta=0.01)

    def test_arviz_json(self):
        out, rows = self.chains()
        (file,) = self.convert(out, "arviz-json")
        data = json.loads(text_of(file))
        posterior = data["posterior"]
        self.assertEqual([len(c) for c in posterior["mu"]], [300, 300])
        self.assertEqual(posterior["mu"][1], [float(r[":mu"]) for r in rows if r["chain"] == "1"])
        self.assertEqual(posterior["grid"][0][0][0], [1, 2, 3])
        self.assertEqual(data["posterior_attrs"]["values_of_word"], [":down", ":up"])
        out2 = self.folder / "weighted"
        self.run_chancel("infer", self.write("model.clj", MODEL), "-a", "importance", "-n", 50, "--seed", 4, "-q", "--out", out2,
                         "--draws", "ndjson")
        files = self.convert(out2, "arviz-json")
        self.assertEqual(len(files), 2)
        data = json.loads(text_of(files[1]))
        self.assertEqual(len(data["sample_stats"]["log_weight"][0]), 50)

    def test_posteriordb(self):
        out, rows = self.chains()
        draws, info = self.convert(out, "posteriordb")
        chains = json.loads(text_of(draws))
        self.assertEqual(len(chains), 2)
        self.assertEqual(chains[0]["mu"], [float(r[":mu"]) for r in rows if r["chain"] == "0"])
        self.assertIn("grid[2,3]", chains[0])
        about = json.loads(text_of(info))
        self.assertEqual((about["diagnostics"]["nchains"], about["inference"]["method"]), (2, "lmh"))
        self.assertGreater(about["diagnostics"]["r_hat"][":mu"], 0.9)

    def test_mistakes(self):
        out, _ = self.weighted()
        _, err = self.run_chancel("convert", out, "--to", "arviz-jsn", code=64)
        self.assertIn("did you mean arviz-json?", err)
        _, err = self.run_chancel("convert", out, code=64)
        self.assertIn("--to is missing", err)
        self.run_chancel("convert", self.folder / "no", "--to", "arviz-json", code=66)

    @program.needs_tools
    @unittest.skipUnless(HAS_XARRAY, "xarray and netCDF4 are not installed")
    def test_netcdf_is_read_by_xarray(self):
        out, rows = self.chains()
        (file,) = self.convert(out, "arviz-netcdf")
        read = json.loads(subprocess.run(["/usr/bin/python3", "-c", READ_NETCDF, file, "equal"], capture_output=True, text=True,
                                         check=True, timeout=60).stdout)
        self.assertEqual(read["dims"], {"chain": 2, "draw": 300, "pair_dim_0": 2, "grid_dim_0": 2, "grid_dim_1": 3})
        self.assertEqual(read["posterior"]["mu"][1], [float(r[":mu"]) for r in rows if r["chain"] == "1"])
        self.assertEqual(read["posterior"]["grid"][1][7], [[1, 2, 3], [4, 5, read["posterior"]["k"][1][7]]])
        self.assertEqual(read["attrs"], {"flags": ":down :up", "library": "chancel"})

    @program.needs_tools
    @unittest.skipUnless(HAS_XARRAY, "xarray and netCDF4 are not installed")
    def test_groups_of_arviz(self):
        text = "(defquery q [x y] (let [a (sample (normal 0 1))] (observe (normal a 1) (first y)) (observe (normal a 1) (second y))" \
               " (predict :a a)))"
        data = {"x": 2.5, "y": [1, 2], "grid": [[1, 2, 3], [4, 5, 6]], "name": "n", "ragged": [[1], [2, 3]], "flags": [True, False]}
        arguments = ["infer", self.write("q.clj", text), "--data", self.write("data.json", json.dumps(data)), "-n", 30, "--seed", 4, "-q"]
        out, prior = self.folder / "groups", self.folder / "prior"
        self.run_chancel(*arguments, "-a", "nuts", "--pointwise", "--chains", 2, "--out", out)
        self.run_chancel(*arguments, "--prior", "--out", prior)
        observed = {"x": 2.5, "y": [1, 2], "grid": [[1, 2, 3], [4, 5, 6]], "flags": [1, 0]}
        rows = list(csv.DictReader(text_of(out / "log_lik.csv").splitlines()))
        terms = [[[float(r["log_lik[0]"]), float(r["log_lik[1]"])] for r in rows if r["chain"] == c] for c in ("0", "1")]
        for read in (self.read_groups(self.convert(out, "arviz-netcdf")[0]), json.loads(text_of(self.convert(out, "arviz-json")[0]))):
            self.assertEqual(read["observed_data"], observed)
            self.assertEqual(read["log_likelihood"], {"log_lik": terms})
            self.assertEqual(sorted(read["sample_stats"]),
                             ["acceptance_rate", "diverging", "energy", "lp", "n_steps", "step_size", "tree_depth"])
        for read in (self.read_groups(self.convert(prior, "arviz-netcdf")[0]), json.loads(text_of(self.convert(prior, "arviz-json")[0]))):
            self.assertNotIn("posterior", read)
            self.assertEqual(len(read["prior"]["a"][0]), 30)
            self.assertEqual(read["observed_data"], observed)

    @program.needs_tools
    @unittest.skipUnless(HAS_XARRAY, "xarray and netCDF4 are not installed")
    def test_predictive_groups_and_the_prior_beside_the_posterior(self):
        text = "(defquery q [y] (let [a (sample (normal 0 1))] (doseq [v y] (observe (normal a 1) v)) (predict :a a)" \
               " (predict :y (mapv (fn [_] (generate (normal a 1))) y)) (predict :word (if (> (sample (normal a 1)) 0) :up :down))))"
        arguments = ["infer", self.write("q.clj", text), "--data", self.write("y.json", '{"y": [1, 2, 4]}'), "-n", 40, "--seed", 4, "-q"]
        out, prior = self.folder / "posterior", self.folder / "prior"
        self.run_chancel(*arguments, "-a", "nuts", "--chains", 2, "--out", out)
        self.run_chancel(*arguments, "--prior", "--out", prior)
        def drawn(folder, *labels):
            rows = list(csv.DictReader(text_of(folder / "draws.csv").splitlines()))
            return [[[float(r[label]) for label in labels] for r in rows if r["chain"] == c] for c in sorted({r["chain"] for r in rows})]
        y = [":y[0]", ":y[1]", ":y[2]"]
        for form, suffix in (("arviz-netcdf", "nc"), ("arviz-json", "json")):
            def read(file):
                return self.read_groups(file) if suffix == "nc" else json.loads(text_of(file))
            alone = read(self.convert(out, form)[0])
            self.assertEqual(sorted(alone["posterior"]), ["a"])
            self.assertEqual(sorted(alone["posterior_predictive"]), ["word", "y"])
            self.assertEqual(alone["posterior_predictive"]["y"], drawn(out, *y))
            self.assertNotIn("prior", alone)
            both = read(self.run_chancel("convert", out, "--to", form, "--prior", prior)[0].split()[0])
            self.assertEqual({k: v for k, v in both.items() if "prior" not in k}, alone)
            self.assertEqual(both["prior"]["a"], [[v for (v,) in c] for c in drawn(prior, ":a")])
            self.assertEqual(both["prior_predictive"]["y"], drawn(prior, *y))
            self.assertEqual(both["observed_data"], {"y": [1, 2, 4]})
        _, err = self.run_chancel("convert", out, "--to", "arviz-json", "--prior", out, code=65)
        self.assertIn("has not left out the observes", err)
        _, err = self.run_chancel("convert", out, "--to", "cmdstan-csv", "--prior", prior, code=65)
        self.assertIn("no place for draws from the prior", err)

    @staticmethod
    def read_groups(file):
        return json.loads(subprocess.run(["/usr/bin/python3", "-c", READ_GROUPS, file], capture_output=True, text=True, check=True,
                                         timeout=60).stdout)

    @program.needs_tools
    @unittest.skipUnless(HAS_XARRAY, "xarray and netCDF4 are not installed")
    def test_weighted_netcdf_is_read_by_xarray(self):
        out, rows = self.weighted()
        _, file = self.convert(out, "arviz-netcdf")
        read = json.loads(subprocess.run(["/usr/bin/python3", "-c", READ_NETCDF, file, "weighted"], capture_output=True, text=True,
                                         check=True, timeout=60).stdout)
        self.assertEqual(read["weights"][0], [float(r["log_weight"]) for r in rows])
        self.assertEqual(read["posterior"]["mu"][0], [float(r[":mu"]) for r in rows])

    @program.needs_tools
    @unittest.skipUnless(HAS_RSTAN, "R with rstan and posterior is not installed")
    def test_cmdstan_is_read_by_rstan_and_posterior(self):
        out, rows = self.chains()
        files = self.convert(out, "cmdstan-csv")
        lines = subprocess.run(["Rscript", "-e", READ_CMDSTAN, *files], capture_output=True, text=True, check=True,
                               timeout=120).stdout.splitlines()
        lines = lines[-4:]
        self.assertEqual(lines[0].split(), ["300", "2", "15"])
        self.assertEqual(lines[1].split()[:4], ["mu", "k", "pair[1]", "pair[2]"])
        self.assertAlmostEqual(float(lines[2]), sum(float(r[":mu"]) for r in rows) / 600, delta=1e-9)
        summary = {r["label"]: r for r in csv.DictReader((out / "summary.csv").read_text().splitlines())}
        self.assertAlmostEqual(float(lines[3]), float(summary[":mu"]["r_hat"]), delta=1e-6)


if __name__ == "__main__":
    program.main()
