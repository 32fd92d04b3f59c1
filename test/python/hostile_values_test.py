# SPDX-License-Identifier: Apache-2.0
"""Values that crashed, were lost or became others: deep ones, ones that contain themselves, integers of any size, keys that Python takes to be
equal, numbers of other kinds; and options that are not numbers."""
import datetime
import decimal
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

import chancel

ECHO = chancel.compile("(defquery echo [x] (predict :x x))")


def echo(value):
    return ECHO.infer("importance", samples=2, seed=1, threads=1, value=[value])["x"][0]


def predicted(body):
    return chancel.compile(f"(defquery q (predict :x {body}))").infer("importance", samples=1, seed=1)["x"][0]


def depth_of(value):
    depth = 0
    while isinstance(value, (list, dict)):
        value, depth = value[0] if isinstance(value, list) else value["a"], depth + 1
    return depth


@pytest.mark.parametrize("wrap", [lambda x: [x], lambda x: {"a": x}, lambda x: (x,)])
def test_any_depth_goes_both_ways(wrap):
    value = 1
    for _ in range(100000):
        value = wrap(value)
    assert depth_of(echo(value)) == 100000


def test_deep_keys_are_text_inside():
    got = predicted("(loop [i 0 x 1] (if (< i 2000) (recur (inc i) #{x}) x))")
    depth = 0
    while isinstance(got, frozenset):
        (got,), depth = got, depth + 1
    assert isinstance(got, chancel.Edn) and depth < 1000 and got.count("#{") == 2000 - depth


def test_what_contains_itself_is_refused():
    one, two, three = [], {}, np.empty(1, dtype=object)
    one.append([one])
    two["a"] = (two,)
    three[0] = three
    for value in (one, two, three):
        with pytest.raises(ValueError, match="contains itself"):
            echo(value)
    twice = [1]
    assert echo([twice, twice]).tolist() == [[1], [1]]


class Endless:
    def tolist(self):
        return [Endless()]


@pytest.mark.parametrize("wrap", [lambda v: [v, v], lambda v: {"a": v, "b": v}, lambda v: (v, [v])])
def test_what_shares_its_parts_is_not_written_out(wrap):
    value = 1
    for _ in range(60):
        value = wrap(value)
    model = chancel.compile("(defquery q [v] (let [x (sample (normal 0 1))] (predict :x x) (predict :n (count (first (seq v))))))")
    assert model.infer("importance", samples=3, seed=1, value=[value])["n"].tolist() == [2, 2, 2]
    with pytest.raises((ValueError, chancel.Error), match="too many for Python|L001"):
        echo = chancel.compile("(defquery q [v] (let [x (sample (normal 0 1))] (predict :v v)))")
        echo.infer("importance", samples=1, value=[value], max_memory=100 << 20)


def test_what_never_comes_to_plain_data_is_refused():
    with pytest.raises(ValueError, match="gives more such objects"):
        echo(Endless())


@pytest.mark.parametrize("power", [63, 64, 65, 320, 16000, 2**21 - 1])
def test_integers_of_any_size(power):
    for number in (2**power, -2**power, -2**power - 1, 2**power - 1, 10**100 - 2**power):
        got = echo([number, "a"])[0]
        assert got == number and type(got) is int
        if abs(number) >= 2**64:
            assert echo(number) == number and echo([number, 0.5])[0] == number  # beside a real it stays what it is


def test_integers_that_are_too_large():
    with pytest.raises(OverflowError, match="2097152 bits, got one of 2097153"):
        echo(2**(2**21))


def test_integers_of_programs():
    assert predicted("(* 4611686018427387904N 4)") == 2**64 and predicted("(* -4611686018427387904N 4)") == -2**64
    assert predicted("[9007199254740993 0.5]") == [9007199254740993, 0.5]  # which no float is
    assert predicted("[9007199254740992 0.5]").tolist() == [9007199254740992, 0.5]
    model = chancel.compile("(defquery q (predict :x (if (sample (flip 0.5)) 9007199254740993 0.5)))")
    assert set(model.infer("importance", samples=50, seed=1)["x"]) == {9007199254740993, 0.5}


@pytest.mark.parametrize("text, entries", [
    ('{:a 1 "a" 2}', {"a": 1, chancel.Edn('"a"'): 2}), ("{1 2, 1.0 3, true 4}", {1: 2, chancel.Edn("1.0"): 3, chancel.Edn("true"): 4}),
    ('{\\a 1 "b" 2}', {"a": 1, "b": 2}), ("{[1] 2 [1.0] 3}", None), ("{1/2 1 0.5 2}", {0.5: 2, chancel.Edn("1/2"): 1}), ('{[["a"]] 1 [[\\a]] 2}', {(("a",),): 1, chancel.Edn("[[\\a]]"): 2}),
    ('#{"b" \\b}', frozenset(["b", chancel.Edn("\\b")]))])
def test_no_entry_of_a_map_is_lost(text, entries):
    got = echo(chancel.Edn(text))
    assert len(got) == 2 if entries is None else got == entries
    assert echo(got) == got


def test_no_element_of_a_set_is_lost():
    got = echo(chancel.Edn('#{:a "a" \\a 1 1.0 true}'))
    assert len(got) == 6 and {"a", 1} < got and chancel.Edn('"a"') in got and len(echo(got)) == 6
    assert len(predicted("(set [(fn [] 1) (fn [] 2) (fn [] 3)])")) == 3


def test_edn_is_equal_to_edn_only():
    assert chancel.Edn("1") == chancel.Edn("1") != "1" and len({chancel.Edn("a"), "a"}) == 2


def test_two_keys_that_are_one_are_refused():
    with pytest.raises(ValueError, match="two keys of a dict are both :a"):
        echo({"a": 1, chancel.Edn(":a"): 2})
    with pytest.raises(ValueError, match='two elements of a set are both "a"'):
        echo({"a", chancel.Edn('"a"')})


def test_numbers_of_other_kinds():
    assert echo(np.longdouble("1.5")) == 1.5 and echo(np.array([1, 2], dtype=np.longdouble)).tolist() == [1, 2]
    assert echo(np.ma.array([1, 2, 3], mask=[0, 1, 0])) == [1, None, 3] and echo(np.array([2**64 - 1], dtype=np.uint64)) == [2**64 - 1]
    assert echo(range(3)).tolist() == [0, 1, 2] and echo(memoryview(b"ab")).tolist() == [97, 98]
    assert np.array_equal(echo(np.zeros((1,) * 30)), np.zeros((1,) * 30)) and echo(np.zeros((1,) * 32)) == np.zeros((1,) * 32).tolist()


@pytest.mark.parametrize("value, text", [
    ((i for i in "ab"), "make a list of it first"), (datetime.date(2020, 1, 1), "a date as its days"), (np.datetime64("2020-01-01"), "a date"),
    (np.array(["2020-01-01"], dtype="M8[ns]"), "a date"), (decimal.Decimal(1), "fractions.Fraction"), (1j, "z.real"),
    (b"a", "cannot be a value"), ("\ud800", "surrogates"), ({"a b": 1}, "not the name of a keyword"), (object(), "cannot be a value")])
def test_what_cannot_be_a_value_is_explained(value, text):
    with pytest.raises((TypeError, ValueError), match=text):
        echo([value])


@pytest.mark.parametrize("options, error", [
    ({"timeout": math.nan}, ValueError), ({"timeout": -1}, ValueError), ({"timeout": math.inf}, ValueError), ({"timeout": 1e300}, ValueError),
    ({"timeout": "a"}, TypeError), ({"samples": math.nan}, TypeError), ({"samples": -1}, ValueError), ({"samples": 2**70}, ValueError),
    ({"samples": True}, TypeError), ({"samples": 2.5}, TypeError), ({"chains": 0}, ValueError), ({"chains": 10**9}, ValueError),
    ({"threads": -1}, ValueError), ({"threads": 10**9}, ValueError), ({"seed": -1}, ValueError), ({"seed": 2**64}, ValueError),
    ({"max_memory": 10**30}, ValueError), ({"max_memory": math.nan}, TypeError), ({"burn": -1}, ValueError), ({"thin": 0}, ValueError),
    ({"warmup": math.inf}, TypeError), ({"engine": 3}, TypeError), ({"engine": "\ud800"}, TypeError), ({"particles": -1}, chancel.Error), ({"particles": math.nan}, chancel.Error),
    ({"particles": 10**30}, chancel.Error), ({"ess_threshold": math.nan}, chancel.Error), ({"ess_threshold": math.inf}, chancel.Error)])
def test_options_that_are_not_numbers(options, error):
    with pytest.raises(error, match=next(iter(options)).split("_", maxsplit=1)[0]):
        ECHO.infer(**{"engine": "smc", "samples": 10, "seed": 1, "value": [1], **options})


def test_whole_floats_are_counts():
    assert len(ECHO.infer("importance", samples=1e2, seed=1, value=[1])["x"]) == 100


def test_no_files(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    text = f'(def text (slurp "{secret}")) (defquery q (predict :x text))'
    assert chancel.compile(text).infer("importance", samples=1)["x"][0] == "s3cret"
    with pytest.raises(chancel.Error, match="no-files"):
        chancel.compile(text, no_files=True)
    model = chancel.compile("(defquery q (predict :x 1))", no_files=True)
    assert model.no_files and pickle.loads(pickle.dumps(model)).no_files


def test_the_table_does_not_speak_of_the_command_line():
    table = str(chancel.compile("(defquery q (predict :x (vec (range 20))))").infer("importance", samples=5, seed=1).summary())
    assert "--labels" not in table and "to_dict()" in table


def test_deep_values_in_tables():
    program = "(defquery q (predict :x (loop [i 0 x 1] (if (< i 100000) (recur (inc i) [x]) x))))"
    code = (f"import chancel; r = chancel.compile({program!r}).infer('importance', samples=2, seed=1)\n"
            "str(r.summary()), r.summary()._repr_html_(), list(r.draws())\n"
            "print('done')\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr[-500:]
