# SPDX-License-Identifier: Apache-2.0
"""Compiling, options, errors with carets, results, streams, the same draws as the program's."""
import csv
import io
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import chancel
from conftest import PROGRAM, REPOSITORY

NORMAL = """(defquery q
  (let [x (sample (normal 0 1))]
    (observe (normal x 1) 3)
    (predict :x x)
    (predict :pair [x (* 2 x)])))
"""


def draws_of_program(*arguments):
    done = subprocess.run([PROGRAM, "infer", *arguments, "--format", "csv", "-q"], cwd=REPOSITORY, capture_output=True,
                          text=True, check=True, timeout=120)
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.mark.parametrize("engine, options, arguments", [
    ("smc", {"particles": 50}, ["--particles", "50"]),
    ("lmh", {"burn": 10, "thin": 3, "chains": 2, "threads": 1}, ["-b", "10", "-t", "3", "--chains", "2"]),
    ("pgibbs", {"particles": 10, "resampling": "systematic"}, ["-o", ":number-of-particles 10 :resampling :systematic"]),
])
def test_same_seed_same_bits_as_the_program(models, engine, options, arguments):
    result = chancel.compile(path=models / "gaussian-chain" / "gaussian-chain.clj").infer(engine, 300, seed=99, **options)
    rows = draws_of_program("models/gaussian-chain/gaussian-chain.clj", "-a", engine, "-n", "300", "--seed", "99", *arguments)
    assert len(rows) == len(result["x"])
    rows.sort(key=lambda row: int(row["chain"]))  # they come side by side there
    for column, array in ((":x", result["x"]), (":y", result["y"]), ("log_weight", result.log_weights),
                          ("chain", result.chain), ("sweep", result.sweep)):
        assert [float(row[column]) for row in rows] == array.tolist(), column


def test_same_seed_same_bits_for_vectors_and_syntaxes(models):
    result = chancel.compile(path=models / "hmm" / "hmm.clj").infer("smc", 200, particles=100, seed=7)
    rows = draws_of_program("models/hmm/hmm.clj", "-a", "smc", "-n", "200", "--particles", "100", "--seed", "7")
    assert [[int(row[f":states[{i}]"]) for i in range(17)] for row in rows] == result["states"].tolist()


def test_summary_is_the_program_s(models):
    result = chancel.compile(path=models / "gaussian-chain" / "gaussian-chain.clj").infer("smc", 1000, seed=1)
    done = subprocess.run([PROGRAM, "infer", "models/gaussian-chain/gaussian-chain.clj", "-a", "smc", "--seed", "1", "-q"],
                          cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=120)
    rows = slice(0, 3)  # head, :x, :y
    assert str(result.summary()).splitlines()[rows] == done.stdout.splitlines()[rows]


def test_prior_leaves_out_the_observes():
    program = "(defquery q (let [x (sample (normal 1 2))] %s (predict :x x)))"
    model = chancel.compile(program % "(observe (normal x 0.1) 5)")
    prior = model.infer(prior=True, seed=3)
    plain = chancel.compile(program % "").infer("importance", samples=1000, seed=3)
    assert prior["x"].tolist() == plain["x"].tolist()
    assert [draw["x"] for draw in model.stream(prior=True, samples=20, seed=3)] == plain["x"].tolist()[:20]
    with pytest.raises(chancel.Error, match="prior"):
        model.infer("lmh", prior=True, seed=3)


def test_divergences_have_a_place():
    model = chancel.compile("""(defquery funnel
  (let [mu (sample (normal 0 5)) tau (sample (exponential 0.2))]
    (dorun (map (fn [y sd] (observe (normal (sample (normal mu tau)) sd) y))
                [28 8 -3 7 -1 1 18 12] [15 10 16 11 9 11 10 18]))
    (predict :tau tau)))""")
    statistics = model.infer("nuts", samples=1000, seed=2).statistics
    place = statistics["divergence_places"][0]
    assert statistics["divergences"] > 5 and place["shift"] < -0.8
    assert (place["name"], place["line"], place["gathers"]) == ("tau", 2, True)


def test_summary_as_data():
    summary = chancel.compile(NORMAL).infer("importance", 500, seed=1).summary()
    assert list(summary) == [":x", ":pair[0]", ":pair[1]"] and summary["x"] == summary[":x"]
    assert summary.to_dict()["predicts"][":x"]["mean"] == summary["x"]["mean"]
    table = summary.to_xarray()
    assert table.sel(row=":x", statistic="5%").item() == summary["x"]["quantiles"]["5%"]
    with pytest.raises(KeyError, match="no row y"):
        summary["y"]


def test_warnings_of_a_bad_run():
    result = chancel.compile("(defquery q (let [x (sample (normal 0 1))] (observe (normal x 0.001) 4) (predict :x x)))").infer(
        "importance", 100, seed=1)
    assert result.summary().warnings[0]["weight"] == "grave"


def test_mistakes_show_carets():
    with pytest.raises(chancel.Error) as caught:
        chancel.compile("(defquery q\n  (let [x (sampel (normal 0 1))]\n    (predict :x y)))", path="model.clj")
    error = caught.value
    first = error.diagnostics[0]
    assert (first.file, first.line, first.column, first.severity) == ("model.clj", 2, 12, "error")
    assert first.code.startswith("F") and "sample" in first.hint
    assert len(error.diagnostics) == 2 and error.diagnostics[1].line == 3
    lines = str(error).splitlines()
    assert lines[0].startswith("model.clj:2:12: error[")
    assert lines[1].endswith("(let [x (sampel (normal 0 1))]") and "^^^^^^" in lines[2]
    assert lines[2].index("^") == lines[1].index("sampel")
    assert error.result is None
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics


def test_a_run_that_fails_keeps_what_was_drawn():
    model = chancel.compile("(defquery q\n  (let [x (sample (uniform-discrete 0 50))]\n    (predict :x (/ 1 x))))")
    with pytest.raises(chancel.Error) as caught:
        model.infer("importance", 10000, seed=1)
    assert caught.value.diagnostics[0].line == 3 and "^" in str(caught.value)
    assert 0 < len(caught.value.result["x"]) < 10000
    stream = model.stream("importance", 10000, seed=1)
    count = 0
    with pytest.raises(chancel.Error):
        for _ in stream:
            count += 1
    assert count == len(caught.value.result["x"])


@pytest.mark.parametrize("options, message", [({"engine": "smcc"}, "smcc"), ({"particle": 5}, "particle"),
                                              ({"resampling": "none"}, "resampling")])
def test_wrong_engines_and_options(options, message):
    with pytest.raises(chancel.Error, match=message):
        chancel.compile(NORMAL).infer(**options)


@pytest.mark.parametrize("options", [{"samples": 0}, {"chains": 0}, {"thin": 0}, {"burn": -1}, {"seed": -1}])
def test_numbers_out_of_range(options):
    with pytest.raises(ValueError, match="must be|needs"):
        chancel.compile(NORMAL).infer(**options)


def test_sources(tmp_path):
    file = tmp_path / "q.clj"
    file.write_text(NORMAL)
    for model in (chancel.compile(file), chancel.compile(path=file), chancel.compile(path=str(file))):
        assert model.source == NORMAL and model.name == str(file) and model.query == "q" and model.syntax == "clojure"
    with pytest.raises(OSError):
        chancel.compile(pathlib.Path(tmp_path / "none.clj"))
    with pytest.raises(TypeError):
        chancel.compile()
    assert chancel.compile("[assume x (normal 0 1)]\n[predict x]\n", syntax="venture").syntax == "venture"
    with pytest.raises(chancel.Error, match="dialect"):
        chancel.compile(NORMAL, syntax="lisp")


def test_choosing_a_query():
    text = "(defquery a \"first\" [n] (predict :n n)) (def a-value [1]) (defquery b (predict :n 2))"
    model = chancel.compile(text, query="b")
    assert model.infer("importance", 1)["n"][0] == 2
    assert chancel.compile(text, query="a").infer("importance", 1)["n"][0] == 1
    assert model.queries[0] == chancel.Query("a", ("n",), "first", 1, True)
    with pytest.raises(chancel.Error, match="several queries"):
        chancel.compile(text).infer()
    with pytest.raises(chancel.Error, match="no query named c"):
        chancel.compile(text, query="c").infer()


def test_result(models):
    result = chancel.compile(NORMAL).infer("smc", 400, particles=100, chains=2, seed=3)
    assert list(result) == [":x", ":pair"] and len(result) == 2 and ":x" in result and result[":x"] is result["x"]
    assert result.weights.sum() == pytest.approx(1) and result.log_weights.shape == (800,)
    assert np.bincount(result.chain).tolist() == [400, 400] and result.sweep.max() == 3
    assert result.seed == 3 and result.engine == "smc" and not result.interrupted and result.warnings == []
    assert result.statistics["resamplings"] == 8 and result.statistics["draws"] == 800
    assert repr(result) == "<chancel.Result :x, :pair: 800 draws by smc, seed 3>"
    with pytest.raises(KeyError, match="no label y; there are :x, :pair"):
        result["y"]
    draws = list(result.draws())
    assert [d["x"] for d in draws] == result["x"].tolist() and (draws[5]["pair"] == result["pair"][5]).all()
    assert draws[799].chain == 1 and draws[799].index == 799 and draws[0].log_weight == result.log_weights[0]


def test_a_seed_is_chosen():
    model = chancel.compile(NORMAL)
    first, second = model.infer(samples=10), model.infer(samples=10)
    assert first.seed != second.seed and (first["x"] != second["x"]).any()
    assert (model.infer(samples=10, seed=first.seed)["x"] == first["x"]).all()


def test_stream_is_lazy_and_the_same():
    model = chancel.compile(NORMAL)
    endless = model.stream("lmh", seed=5, burn=0)  # the default burn-in depends on the number of draws
    first = [next(endless) for _ in range(500)]
    result = model.infer("lmh", 500, seed=5, burn=0)  # between two draws of a stream
    assert [d["x"] for d in first] == result["x"].tolist()
    more = [next(endless)["x"] for _ in range(500)]
    assert more == model.infer("lmh", 1000, seed=5, burn=0)["x"][500:].tolist()
    endless.close()
    assert len(list(model.stream("smc", samples=250, particles=100))) == 250


def test_weights_of_impossible_draws():
    model = chancel.compile("(defquery q (let [x (sample (flip 0.5))] (observe (flip (if x 1.0 0.0)) true) (predict :x x)))")
    result = model.infer("importance", 100, seed=1)
    assert result["x"][result.weights > 0].all() and result.resample(10)["x"].all()


def test_timeout_gives_what_is_there():
    model = chancel.compile(NORMAL)
    result = model.infer("lmh", 10 ** 9, seed=1, timeout=0.3)
    assert result.interrupted and 0 < len(result["x"]) < 10 ** 9
    assert not model.infer("lmh", 100, seed=1).interrupted  # the limit was that run's


def test_rounds_repeat_what_a_timeout_ended():
    model = chancel.compile("(defquery q (let [x (sample (normal 0 10))] (observe (normal (* x x) 0.01) 25) (predict :x x)))")
    limit, first = 0.2, None
    while first is None or len(first.log_weights) == 0:  # a busy machine may be in the warm-up still
        limit *= 2
        first = model.infer(seed=3, timeout=limit)
    assert first.rounds > 0 and f"--rounds {first.rounds} repeats it" in first.stopped
    again = model.infer(seed=3, rounds=first.rounds, threads=1)
    assert np.array_equal(again["x"], first["x"]) and np.array_equal(again.chain, first.chain)
    assert again.rounds == first.rounds
    with pytest.raises(ValueError, match="rounds must be at least 1"):
        model.infer(rounds=0)


def test_few_draws_are_not_to_be_trusted():
    model = chancel.compile("(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 1) (predict :x x)))")
    assert "do not trust this" in str(model.infer("lmh", samples=3, chains=4, seed=1).summary())
    assert "do not trust this" not in str(model.infer("importance", samples=2000, seed=1).summary())


def test_printing_goes_to_standard_output(capsys):
    chancel.compile("(println \"when\") (defquery q (do (println \"drawn ü\") (predict :x 1)))").infer("importance", 1, seed=1)
    assert capsys.readouterr().out == "drawn ü\n"


def test_engines():
    table = {engine.name: engine for engine in chancel.engines()}
    assert {"smc", "pgibbs", "lmh", "enumerate"} <= set(table) and table["smc"].options[0][0].endswith("number-of-particles")


def test_dump():
    assert "defquery" in chancel.compile(NORMAL).dump("read")
    with pytest.raises(chancel.Error, match="no stage"):
        chancel.compile(NORMAL).dump("none")
