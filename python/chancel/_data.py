# SPDX-License-Identifier: Apache-2.0
"""Python data as values of programs, by way of EDN text, which is what the C++ interface takes."""
from __future__ import annotations

import fractions
import math
import numbers
from typing import Any, List

_SPECIAL = {math.inf: "##Inf", -math.inf: "##-Inf"}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Keyword(str):
    """A keyword of a program: :up is Keyword("up"). It is a str, and equal to the str of its name.

    >>> Keyword("up") == "up"
    True
    """
    __slots__ = ()

    def __repr__(self) -> str:
        return f"Keyword({str.__repr__(self)})"


class Edn(str):
    """Text that is a value already: Edn("[1/3 :a nil]")."""
    __slots__ = ()

    def __repr__(self) -> str:
        return f"Edn({str.__repr__(self)})"


def to_edn(value: Any) -> str:
    """The EDN text of Python data.

    None, bool, int, float, Fraction, str, Keyword, lists and tuples (vectors), dicts (maps; str keys become keywords), sets,
    and everything that has tolist() (NumPy arrays and scalars, pandas columns).

    >>> to_edn({"x": [1, 2.5, None], "name": "a"})
    '{:x [1 2.5 nil], :name "a"}'
    """
    out: List[str] = []
    _write(value, out)
    return "".join(out)


def _write(value: Any, out: List[str]) -> None:
    if value is None:
        out.append("nil")
    elif isinstance(value, bool):
        out.append("true" if value else "false")
    elif isinstance(value, Edn):
        out.append(str(value))
    elif isinstance(value, Keyword):
        out.append(_keyword(value))
    elif isinstance(value, str):
        out.append('"' + "".join(_ESCAPES.get(c, c) for c in value) + '"')
    elif isinstance(value, int):
        if not -2 ** 63 <= value < 2 ** 63:
            raise OverflowError(f"integers of programs have 64 bits, got {value}")
        out.append(int.__repr__(value))
    elif isinstance(value, float):
        out.append("##NaN" if math.isnan(value) else _SPECIAL.get(value) or float.__repr__(value))
    elif isinstance(value, dict):
        _write_all("{", ", ", "}", [(_key(k), v) for k, v in value.items()], out)
    elif isinstance(value, (list, tuple)):
        _write_all("[", " ", "]", value, out)
    elif isinstance(value, (set, frozenset)):
        _write_all("#{", " ", "}", value, out)
    elif isinstance(value, fractions.Fraction):
        out.append(f"{value.numerator}/{value.denominator}" if value.denominator != 1 else str(value.numerator))
    elif hasattr(value, "tolist"):
        _write(value.tolist(), out)
    elif isinstance(value, numbers.Integral):
        _write(int(value), out)
    elif isinstance(value, numbers.Real):
        _write(float(value), out)
    else:
        raise TypeError(f"a {type(value).__name__} cannot be a value of a program: {value!r}")


def _write_all(begin: str, between: str, end: str, items: Any, out: List[str]) -> None:
    out.append(begin)
    for number, item in enumerate(items):
        if number:
            out.append(between)
        if begin == "{":
            _write(item[0], out)
            out.append(" ")
            _write(item[1], out)
        else:
            _write(item, out)
    out.append(end)


def _key(key: Any) -> Any:
    return Keyword(key) if isinstance(key, str) and not isinstance(key, Edn) else key


def _keyword(name: str) -> str:
    if not name or any(c.isspace() or c in '()[]{}",;@^`~\\' for c in name):
        raise ValueError(f"not the name of a keyword: {str.__repr__(name)}")
    return ":" + str(name)


Keyword.__module__ = Edn.__module__ = "chancel"
