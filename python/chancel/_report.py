# SPDX-License-Identifier: Apache-2.0
"""The report of a run, and what shows how far a run has come."""
from __future__ import annotations

import html
import os
import sys
import time
from typing import Callable, NamedTuple, Optional, Union


class Report:
    """A page of charts of a run (docs/report.md): `html` is its text, and a notebook shows it. It needs no network."""

    def __init__(self, text: str):
        self.html: str = text

    def save(self, path: Union[str, os.PathLike]) -> str:
        """Writes the page; returns the path."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return os.fspath(path)

    def __repr__(self) -> str:
        return f"<chancel.Report, {len(self.html)} characters: save(path) writes it>"

    def _repr_html_(self) -> str:
        # A frame of its own: styles and scripts of page and notebook stay apart.
        return (f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts" '
                'style="width:100%;height:80vh;border:0" title="Chancel report"></iframe>')


class Progress(NamedTuple):
    """How far a run has come: draws of all chains, how many there will be (None: not known), seconds since it began."""
    draws: int
    total: Optional[int]
    seconds: float

    def __str__(self) -> str:
        rate = self.draws / self.seconds if self.seconds > 0 else 0
        if self.total:
            share = min(self.draws / self.total, 1)
            return f"[{'#' * int(30 * share):<30}] {self.draws} of {self.total} draws, {self.seconds:.0f} s, {rate:.0f} draws/s"
        return f"{self.draws} draws, {self.seconds:.0f} s, {rate:.0f} draws/s"


class Watch:
    """Calls `progress` (a function, or True for a line on standard error) now and then, and at the end."""

    SECONDS = 0.2

    def __init__(self, progress: Union[bool, Callable[[Progress], None]], total: Optional[int]):
        self._tell = self._write if progress is True else progress
        self._line = progress is True
        self._width = 0
        self._total = total
        self._begun = time.monotonic()

    def tell(self, draws: int) -> None:
        self._tell(Progress(draws, self._total, time.monotonic() - self._begun))

    def end(self) -> None:
        if self._line and self._width:
            print(file=sys.stderr, flush=True)

    def _write(self, progress: Progress) -> None:
        text = str(progress)
        print("\r" + text.ljust(self._width), end="", file=sys.stderr, flush=True)
        self._width = len(text)


for _class in (Report, Progress):
    _class.__module__ = "chancel"
