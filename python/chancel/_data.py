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
    """Text that is a value already: Edn("[1/3 :a nil]")."""
    __slots__ = ()

    def __repr__(self) -> str:
        return f"Edn({str.__repr__(self)})"


Keyword.__module__ = Edn.__module__ = "chancel"
