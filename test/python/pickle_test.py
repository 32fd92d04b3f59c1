# SPDX-License-Identifier: Apache-2.0
"""Models, results, draws, summaries and errors can be pickled: sent to other processes, or kept in a file."""
import copy
import pickle
import subprocess
import sys

import chancel
import numpy as np
import pytest

TEXT = """(defquery q [start]
  (let [x (sample (normal start 1)) k (if (> x 0) :up "down") v [x (* 2 x)]]
    (observe (normal x 1) 1)
    (predict :x x)
    (predict :k k)
    (predict :v v)
    (predict :odd [1/3 (if (> x 0) 12345678901234567890N #{1 2}) nil])))"""


@pytest.fixture(scope="module", name="result")
def run():
    return chancel.compile(TEXT).infer("pgibbs", samples=300, particles=10, seed=1, value=[0.5], chains=2)


def again(value):
    return [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]


def test_a_result_comes_back(result):
    for back in [*again(result), *again(again(result)[0]), copy.copy(result), copy.deepcopy(result)]:
        assert list(back) == list(result)
        for label in result:
            assert back[label].dtype == result[label].dtype
            assert np.array_equal(back[label], result[label])
        assert type(back["k"][0]) is type(result["k"][0])
        assert np.array_equal(back.log_weights, result.log_weights)
        assert np.array_equal(back.weights, result.weights)
        assert np.array_equal(back.resample(50)["x"], result.resample(50)["x"])
        assert (back.seed, back.engine, back.log_evidence, back.interrupted) == \
            (result.seed, result.engine, result.log_evidence, result.interrupted)
        assert back.statistics == result.statistics
        assert str(back.summary()) == str(result.summary())
        assert back.summary().to_dict() == result.summary().to_dict()
        assert repr(back) == repr(result)
        assert back.by_chain("x").shape == result.by_chain("x").shape


def test_what_a_pickled_result_has_not_is_said(result):
    with pytest.raises(ValueError, match="make the report before"):
        again(result)[0].report()


def test_draws_and_summaries_come_back(result):
    draw = next(result.draws())
    for back in again(draw):
        assert repr(back) == repr(draw)
        assert (back.log_weight, back.chain, back.sweep, back.index) == (draw.log_weight, draw.chain, draw.sweep, draw.index)
    for back in again(result.summary()):
        assert str(back) == str(result.summary())
        assert back["x"] == result.summary()["x"]


def test_a_model_is_compiled_again():
    model = chancel.compile(TEXT, path="some/where.clj", query="q")
    for back in again(model):
        assert repr(back) == repr(model)
        assert (back.source, back.name, back.syntax, back.query) == (model.source, model.name, model.syntax, model.query)
        draws = [m.infer("smc", samples=50, seed=3, value=[1])["x"] for m in (model, back)]
        assert np.array_equal(*draws)


def test_errors_come_back():
    with pytest.raises(chancel.Error) as failed:
        chancel.compile("(defquery q (sample")
    for back in again(failed.value):
        assert str(back) == str(failed.value)
        assert back.diagnostics == failed.value.diagnostics


def test_another_process_can_use_them(result, tmp_path):
    file = tmp_path / "result.pickle"
    file.write_bytes(pickle.dumps((result, chancel.compile(TEXT))))
    code = ("import pickle, sys; result, model = pickle.load(open(sys.argv[1], 'rb'));"
            "print(float(result['x'].sum()), float(model.infer('smc', samples=20, seed=1, value=[0.5])['x'].sum()))")
    out = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True).stdout.split()
    assert float(out[0]) == float(result["x"].sum())
    assert float(out[1]) == float(chancel.compile(TEXT).infer("smc", samples=20, seed=1, value=[0.5])["x"].sum())
