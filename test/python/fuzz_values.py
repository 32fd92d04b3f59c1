# SPDX-License-Identifier: Apache-2.0
"""Random values into a program and back: what comes back is what docs/python.md says, or an exception that it names is raised. Values
are nested objects of Python with hostile ones among them, and text of EDN, of whose maps and sets no entry may be lost.

Run: PYTHONPATH=build/release/python /usr/bin/python3 test/python/fuzz_values.py --minutes 10 [--seed S]; values_fuzz_test.py does some
in the gate. A failure names the seed of its round: --seed S --rounds 1 repeats it."""
import argparse
import array
import collections
import datetime
import decimal
import fractions
import math
import random
import re
import time

import numpy as np

import chancel

# Each value beside a text, so that it comes back as it is; and by itself, as a column.
ECHO = chancel.compile("(defquery echo [xs] (predict :all (vec (map (fn [x] [x \"end\"]) xs))) (predict :first (first xs)))")
DOCUMENTED = (TypeError, ValueError, OverflowError)  # UnicodeEncodeError is a ValueError
TEXTS = ["", "a", "b", "\0", "ünï", "\U0001f600", "a b", '"', "\\", ":a", "1", "nil", "true"]
NAMES = ["a", "b", "c", "a-b", "x1", "up?", "ns/name"]


class Liar:
    """Says that it can be numbers, and fails."""

    def __init__(self, answer):
        self.answer = answer

    def tolist(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return Liar(self.answer) if self.answer == "another" else self if self.answer == "itself" else [Nested()]


class Nested:
    """Never comes to an end."""

    def tolist(self):
        return [Nested()]


def loop(rng):
    one = [1]
    for _ in range(rng.randrange(4)):
        one = rng.choice([lambda x: [x], lambda x: {"a": x}, lambda x: (x, 2)])(one)
    inner = one
    while not (isinstance(inner, list) and inner[0] == 1):
        inner = inner["a"] if isinstance(inner, dict) else inner[0]
    inner.append(one)
    return one


HOSTILE = [  # makers of what cannot be a value
    loop, lambda rng: Liar(rng.choice(["another", "itself", "deep", KeyError("no"), RecursionError("no")])), lambda rng: object(),
    lambda rng: "\ud800", lambda rng: {"\udfff": 1}, lambda rng: 1j, lambda rng: b"bytes", lambda rng: bytearray(b"b"),
    lambda rng: (i for i in range(3)), lambda rng: iter([1]), lambda rng: datetime.date(2020, 1, 1), lambda rng: datetime.timedelta(1),
    lambda rng: np.datetime64("2020-01-01"), lambda rng: np.array(["2020-01-01"], dtype="M8[ns]"), lambda rng: np.timedelta64(1, "s"),
    lambda rng: np.clongdouble(1), lambda rng: np.array([1j]), lambda rng: decimal.Decimal("1.5"), lambda rng: Ellipsis, lambda rng: int,
    lambda rng: chancel.Keyword("a b"), lambda rng: chancel.Edn("[1"), lambda rng: chancel.Edn(""), lambda rng: {"a b": 1},
    lambda rng: {"a": 1, chancel.Edn(":a"): 2}, lambda rng: 2 ** (2 ** 21 + rng.randrange(100)), lambda rng: np.array([b"a"]),
]


def number(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return rng.choice([0, 1, -1, 2**53 + 1, 2**63 - 1, -2**63, 2**63, -2**63 - 1, 2**64, True, False])
    if kind == 1:
        return rng.getrandbits(rng.randrange(1, 3000)) * rng.choice([1, -1])
    if kind == 2:
        return rng.choice([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1e308, 0.1])
    if kind == 3:
        return fractions.Fraction(rng.randrange(-99, 99), rng.randrange(1, 99))
    if kind == 4:
        return rng.choice([np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble, np.bool_])(rng.randrange(100))
    return rng.randrange(-5, 5) if kind < 7 else rng.random()


def leaf(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return None
    if kind == 1:
        return rng.choice(TEXTS)
    if kind == 2:
        return chancel.Keyword(rng.choice(NAMES))
    return number(rng)


def key(rng, depth):
    if depth > 0 and rng.random() < 0.2:
        return tuple(key(rng, depth - 1) for _ in range(rng.randrange(3)))
    if rng.random() < 0.5:
        return rng.choice(NAMES)
    one = leaf(rng)
    one = rng.choice(NAMES) if isinstance(one, str) else one
    return 7 if one != one else one  # not a number is equal to nothing


def value(rng, depth, hostile):
    if rng.random() < hostile:
        return rng.choice(HOSTILE)(rng)
    if depth == 0 or rng.random() < 0.3:
        return leaf(rng)

    def some(most=4):
        return [value(rng, depth - 1, hostile) for _ in range(rng.randrange(most))]
    kind = rng.randrange(9)
    if kind < 3:
        return some()
    if kind == 3:
        return rng.choice([tuple, collections.deque])(some())
    if kind == 4:
        return {key(rng, 1): value(rng, depth - 1, hostile) for _ in range(rng.randrange(4))}
    if kind == 5:
        return rng.choice([set, frozenset])(key(rng, 2) for _ in range(rng.randrange(4)))
    if kind == 6:
        shape = tuple(rng.randrange(3) for _ in range(rng.randrange(1, 4)))
        return np.array([rng.randrange(100) for _ in range(math.prod(shape))], dtype=rng.choice(
            ["i1", "u8", "f4", "f8", "g", "?", "O", ">i4", "<f8"])).reshape(shape)
    if kind == 7:
        return np.ma.array([1.5, 2.5, 3.5], mask=[rng.random() < 0.5 for _ in range(3)])
    one = leaf(rng)  # a chain of any depth
    for _ in range(rng.choice([10, 100, 3000])):
        one = [one]
    return rng.choice([range(rng.randrange(5)), array.array("d", [1, 2]), memoryview(b"ab"), one])


def comes_back(x, in_key=False):
    """What docs/python.md says that a value comes back as, level by level: deep chains are lists of one."""
    if isinstance(x, np.ma.MaskedArray) or isinstance(x, (np.ndarray, array.array, memoryview)):
        return comes_back(x.tolist(), in_key)
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, np.longdouble):
        return float(x)
    if isinstance(x, np.generic):
        return x.item()
    if isinstance(x, (int, float)):
        return x
    if isinstance(x, fractions.Fraction):
        return x.numerator if x.denominator == 1 else float(x)
    if isinstance(x, dict):
        return {comes_back(k, True) if not isinstance(k, str) else chancel.Keyword(k): comes_back(v, in_key) for k, v in x.items()}
    if isinstance(x, (set, frozenset)):
        return frozenset(comes_back(v, True) for v in x)
    depth = 0
    while isinstance(x, list) and len(x) == 1:
        x, depth = x[0], depth + 1
    out = (tuple if in_key else list)(comes_back(v, in_key) for v in x) if isinstance(x, (list, tuple, range, collections.deque)) else comes_back(x)
    for _ in range(depth):
        out = [out]
    return out


def same(a, b):
    while isinstance(a, list) and isinstance(b, list) and len(a) == len(b) == 1:
        a, b = a[0], b[0]
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        own = {k: k for k in b}
        return len(a) == len(b) and all(k in b and same(k, own[k]) and same(v, b[k]) for k, v in a.items())
    if isinstance(a, frozenset):
        own = {k: k for k in b}
        return len(a) == len(b) and all(k in b and same(k, own[k]) for k in a)
    return a == b


def edn(rng, depth):
    """(text, number of leaves and collections): entries of maps and sets differ as data, and often not in Python."""
    leaves = ["1", "0", "2", "1.0", "0.0", "2.0", "true", "false", "nil", "\"a\"", "\"b\"", ":a", ":b", "\\a", "\\b", "1/2", "0.5", "\"1\"",
              "36893488147419103232", "3.6893488147419103232e19"]
    kind = rng.randrange(5) if depth > 0 else 4
    if kind == 4:
        return rng.choice(leaves), 1
    parts = {}
    for _ in range(rng.randrange(6)):
        parts.setdefault(*edn(rng, depth - 1))
    count = 1 + sum(parts.values())
    if kind == 0:
        return "[" + " ".join(parts) + "]", count
    if kind == 1:  # a set in another order is the same element
        kept = {t: c for t, c in parts.items() if "{" not in t}
        return "#{" + " ".join(kept) + "}", 1 + sum(kept.values())
    kept = [(t, c) for t, c in parts.items() if "{" not in t]
    values = [edn(rng, depth - 1) for _ in kept]
    return ("{" + " ".join(f"{k} {v}" for (k, _), (v, _) in zip(kept, values)) + "}",
            1 + sum(c for _, c in kept) + sum(c for _, c in values))


def size(x):
    """The number of leaves and collections."""
    if isinstance(x, chancel.Edn):
        return len(re.findall(r'"[^"]*"|#?[\[{(]|[^\s\[\](){}#"]+', x))
    if isinstance(x, dict):
        return 1 + sum(size(k) + size(v) for k, v in x.items())
    if isinstance(x, (list, tuple, frozenset)):
        return 1 + sum(map(size, x))
    return 1


def through(values):
    result = ECHO.infer("importance", samples=1, seed=1, threads=1, value=[values])
    return [pair[0] for pair in result["all"][0]], result["first"][0]


def play(seed):
    """A round; returns how many values there were."""
    rng = random.Random(seed)
    values = [value(rng, 3, 0) for _ in range(20)]
    back, first = through(values)
    for x, y in zip(values, back):
        expected = comes_back(x)
        assert same(expected, y), f"seed {seed}: {x!r:.300} is {y!r:.300}, not {expected!r:.300}"
    again, _ = through(back)
    for x, y in zip(back, again):
        assert same(x, y), f"seed {seed}: {x!r:.300} comes back as {y!r:.300}"
    if isinstance(first, np.ndarray):
        assert np.array_equal(first, np.array(back[0]), equal_nan=True), f"seed {seed}: {first!r:.300} is not {back[0]!r:.300}"
    texts = [edn(rng, 3) for _ in range(20)]
    back, _ = through([chancel.Edn(text) for text, _ in texts])
    again, _ = through(back)
    for (text, count), x, y in zip(texts, back, again):
        assert size(x) == count, f"seed {seed}: {text} is {x!r}: {size(x)} parts, not {count}"
        assert size(y) == count, f"seed {seed}: {text} is {x!r}, which comes back as {y!r}"
    for _ in range(5):
        one = value(rng, 3, 0.2)
        try:
            through([one])
        except DOCUMENTED:
            continue
        except (KeyError, RecursionError) as error:  # of a Liar
            assert error.args == ("no",), f"seed {seed}: {error!r}"
    return 45


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=0)
    options = parser.parse_args()
    begun, count, seed = time.monotonic(), 0, options.seed
    while (seed - options.seed < options.rounds) if options.rounds else (time.monotonic() - begun < 60 * options.minutes):
        count += play(seed)
        seed += 1
    seconds = time.monotonic() - begun
    print(f"{count} values in {seed - options.seed} rounds from seed {options.seed}, {count / seconds:.0f} a second: nothing found")


if __name__ == "__main__":
    main()
