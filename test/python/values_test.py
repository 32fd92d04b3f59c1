# SPDX-License-Identifier: Apache-2.0
"""Values into programs and out of them: every kind, arrays of fixed shape, what does not fit."""
import fractions
import math

import numpy as np
import pytest

import chancel

ECHO = chancel.compile("(defquery echo [x] (predict :x x))")


def echo(value):
    return ECHO.infer("importance", samples=3, seed=1, value=[value])["x"]


@pytest.mark.parametrize("value, dtype", [(True, np.bool_), (3, np.int64), (2.5, np.float64), (-2 ** 63, np.int64)])
def test_scalars(value, dtype):
    array = echo(value)
    assert array.dtype == dtype and array.shape == (3,) and (array == value).all()


def test_floats_that_are_not_numbers():
    assert echo(math.inf)[0] == math.inf and echo(-math.inf)[0] == -math.inf and math.isnan(echo(math.nan)[0])
    assert echo(0.1)[0] == 0.1 and echo(5e-324)[0] == 5e-324 and math.copysign(1, echo(-0.0)[0]) == -1


def test_ratios_are_floats():
    array = echo(fractions.Fraction(1, 3))
    assert array.dtype == np.float64 and array[0] == 1 / 3


@pytest.mark.parametrize("value", [[1, 2, 3], [[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]], [True, False], [[[1]]]])
def test_vectors_of_a_fixed_shape(value):
    array = echo(value)
    expected = np.array(value)
    assert array.shape == (3,) + expected.shape and array.dtype == expected.dtype and (array == expected).all()


def test_integers_beside_reals():
    array = echo([1, 2.5])
    assert array.dtype == np.float64 and array[0].tolist() == [1.0, 2.5]


@pytest.mark.parametrize("value", ["text", "ünï \"q\" \\ \n", chancel.Keyword("up"), None, [], [1, [2]], [1, "a"], [True, 1],
                                   {"a": 1, "b": [1.5, None]}, {1: {"c": chancel.Keyword("d")}}, frozenset([1, 2]),
                                   {(1, 2): "pair"}, [[1, 2], [3]], [[1], 2]])
def test_objects_go_round(value):
    array = echo(value)
    assert array.dtype == object and array.shape == (3,)
    got = array[0]
    assert got == value and type(got) is type(value)


def test_keywords_are_strings():
    got = echo(chancel.Keyword("up"))[0]
    assert isinstance(got, chancel.Keyword) and got == "up" and {"up": 1}[got] == 1 and repr(got) == "Keyword('up')"
    assert echo({"k": 1})[0] == {"k": 1}


def test_maps_inside_sets():
    assert echo(chancel.Edn("#{{:a 1} [2 3]}"))[0] == frozenset([frozenset([("a", 1)]), (2, 3)])


def test_arrays_go_in():
    assert (echo(np.arange(6).reshape(2, 3))[0] == np.arange(6).reshape(2, 3)).all()
    assert echo(np.float32(0.5))[0] == 0.5 and echo(np.bool_(True)).dtype == np.bool_ and echo(np.int8(-3))[0] == -3


@pytest.mark.parametrize("array", [np.linspace(0, 1, 7), np.arange(12, dtype=np.int32).reshape(2, 2, 3).T, np.array([True, False]),
                                   np.arange(10.0)[::3], np.array([], dtype=float), np.array([2 ** 63 - 1], dtype=np.uint64)])
def test_arrays_of_every_layout(array):
    assert np.array_equal(echo(array)[0], array)


def test_large_arrays_go_in_at_once():
    model = chancel.compile("(defquery total [xs] (predict :sum (reduce + xs)))")
    assert model.infer("importance", samples=1, seed=1, value={"xs": np.ones(200000)})["sum"][0] == 200000


def test_edn_goes_in_as_it_is():
    assert echo(chancel.Edn("(1 2)"))[0].tolist() == [1, 2]
    assert echo(chancel.Edn("#{:a}"))[0] == frozenset(["a"])
    with pytest.raises(ValueError):
        echo(chancel.Edn("[1 2"))


@pytest.mark.parametrize("value, error", [(object(), TypeError), (chancel.Keyword("a b"), ValueError),
                                          (1j, TypeError)])
def test_what_cannot_go_in(value, error):
    with pytest.raises(error):
        echo(value)


def test_arguments_by_name():
    model = chancel.compile("(defquery q [a b] (predict :d (- a b)))")
    assert model.infer(samples=1, particles=1, value={"b": 1, "a": 5})["d"][0] == 4
    assert model.infer(samples=1, particles=1, value=[5, 2])["d"][0] == 3
    with pytest.raises(chancel.Error, match="which the query q needs"):
        model.infer(value={"a": 1})
    for value in ([5], [5, 2, 1], 5, []):
        with pytest.raises(chancel.Error, match="the query q takes 2 arguments"):
            model.infer(value=value)


def varying(body, samples=40):
    program = "(defquery q (let [k (sample (uniform-discrete 0 3))] (predict :k k) " + body + "))"
    return chancel.compile(program).infer("importance", samples=samples, seed=3)


def test_a_shape_that_changes_makes_objects():
    result = varying("(predict :v (vec (range k)))")
    assert result["v"].dtype == object
    assert all(v == list(range(k)) for v, k in zip(result["v"], result["k"]))


def test_a_kind_that_changes():
    result = varying("(predict :n (if (= k 2) 2.5 k)) (predict :o (if (= k 2) \"two\" k)) (predict :b (if (= k 0) true k))"
                     "(predict :w (if (= k 1) [1 1] 1.5))")
    assert result["n"].dtype == np.float64 and set(result["n"]) == {0.0, 1.0, 2.5}
    assert set(result["o"]) == {0, 1, "two"} and result["o"].dtype == object
    assert all((b is True) == (k == 0) for b, k in zip(result["b"], result["k"]))
    assert all(w == ([1, 1] if k == 1 else 1.5) for w, k in zip(result["w"], result["k"]))


def test_a_label_that_only_some_draws_have():
    result = varying("(when (> k 0) (predict :pos k)) (when (= k 2) (predict :late [k]))")
    assert all(p == (None if k == 0 else k) for p, k in zip(result["pos"], result["k"]))
    assert all(p == ([2] if k == 2 else None) for p, k in zip(result["late"], result["k"]))


def test_a_query_without_predicts_has_its_result():
    result = chancel.compile("(defquery q (sample (flip 0.5)))").infer("importance", samples=5, seed=1)
    assert list(result) == [":result"] and result["result"].dtype == np.bool_


def test_other_values_are_text():
    result = varying("(predict :d (normal 0 1)) (predict :c \\a) (predict :s 'sym)", samples=1)
    assert result["c"][0] == "a" and result["s"][0] == "sym" and "normal" in result["d"][0]


def test_arrays_keep_their_memory_alive():
    array = echo([1.5, 2.5])  # the result is gone by now
    assert array.base is not None and array.flags.c_contiguous and array.flags.writeable
    array[0, 0] = 7
    assert array.tolist() == [[7, 2.5], [1.5, 2.5], [1.5, 2.5]]
