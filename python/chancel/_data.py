# SPDX-License-Identifier: Apache-2.0
"""The two kinds of text that Python lacks: keywords, and values that are written out."""
from __future__ import annotations


class Keyword(str):
    """A keyword of a program: :up is Keyword("up"). It is a str, and equal to the str of its name.

    >>> Keyword("up") == "up"
    True
    """
    __slots__ = ()

    def __repr__(self) -> str:
        return f"Keyword({str.__repr__(self)})"


class Edn(str):
    """Text that is a value already: Edn("[1/3 :a nil]"). Equal to an Edn with the same text, and to no other str.

    Keys of a program's map that Python could not tell apart are of this kind, all but one: {:a 1 "a" 2} is {Keyword('a'): 1, Edn('"a"'): 2}.
    """
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edn) and str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __repr__(self) -> str:
        return f"Edn({str.__repr__(self)})"


Keyword.__module__ = Edn.__module__ = "chancel"
