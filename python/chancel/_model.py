# SPDX-License-Identifier: Apache-2.0
"""Compiled programs, and runs of them. Draws are made and kept by the native part (_chancel); here are names, defaults and checks."""
from __future__ import annotations

import math
import operator
import os
import pathlib
import secrets
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from chancel import _chancel
from chancel._errors import Diagnostic, Error, Interrupted
from chancel._report import Progress, Watch
from chancel._result import Draw, Result

_PART_DRAWS = 128  # of a stream: draws that are fetched together,
_PART_SECONDS = 0.05  # and for how long


class Query(NamedTuple):
    """A query of a program."""
    name: str
    parameters: Tuple[str, ...]
    doc: str
    line: int
    has_default_value: bool


class Engine(NamedTuple):
    """An inference engine; `options` are (name, values, what for)."""
    name: str
    summary: str
    options: List[Tuple[str, str, str]]


def engines() -> List[Engine]:
    """All engines.

    >>> [e.name for e in engines()][:3]
    ['importance', 'smc', 'pimh']
    """
    return [Engine(*e) for e in _chancel.engines()]


def compile(src: Union[str, os.PathLike, None] = None, *, path: Union[str, os.PathLike, None] = None,
            syntax: Optional[str] = None, query: Optional[str] = None, no_files: bool = False) -> Model:
    """Compiles a program.

    src     the text of the program, or a pathlib.Path to it
    path    its file: read when there is no src, otherwise only the name that messages show
    syntax  "clojure", "venture" or "textbook"; detected from the text when not given
    query   the query that infer and stream use; when not given, the only one or the one named like the file
    no_files  the program may not read files: for programs that you do not trust, as --no-files of the command line

    Raises Error, with one diagnostic for each mistake, and OSError when the file cannot be read.

    >>> compile("(defquery q (predict :x (sample (normal 0 1))))")
    <chancel.Model q of program (clojure)>
    """
    if src is None or isinstance(src, os.PathLike):
        file = path if src is None else src
        if file is None:
            raise TypeError("compile() needs the text of a program or its path")
        text = pathlib.Path(file).read_text(encoding="utf-8")
        name = os.fspath(file if path is None else path)
    else:
        text, name = src, "program" if path is None else os.fspath(path)
    return Model(text, name, syntax, query, no_files)


class Model:
    """A compiled program; see compile(). May be used from several threads, which then take turns; pickled, it is compiled again from
    its text."""

    def __init__(self, text: str, name: str = "program", syntax: Optional[str] = None, query: Optional[str] = None,
                 no_files: bool = False):
        text.encode()  # what is not UTF-8 has no meaning in a program
        self._native = _chancel.Model(text, name, syntax or "", bool(no_files))
        self.source: str = text
        self.name: str = name
        self.syntax: str = self._native.dialect()
        self.queries: List[Query] = self._native.queries()
        self.warnings: List[Diagnostic] = self._native.warnings()
        self.no_files: bool = bool(no_files)
        self._query = query

    def __repr__(self) -> str:
        names = self._query or " ".join(q.name for q in self.queries) or "no query"
        return f"<chancel.Model {names} of {self.name} ({self.syntax})>"

    def __reduce__(self):
        return (type(self), (self.source, self.name, self.syntax, self._query, self.no_files))

    @property
    def query(self) -> str:
        """The query that infer and stream use."""
        return self._query or self._native.default_query()

    def dump(self, stage: str = "core") -> str:
        """The program after a stage of the compiler: "read", "core" or "code"."""
        return self._native.dump(stage)

    def infer(self, engine: str = "auto", samples: Optional[int] = None, *, ess: Optional[int] = None,
              particles: Optional[int] = None, chains: Optional[int] = None, warmup: Optional[int] = None, burn: Optional[int] = None, thin: int = 1, seed: Optional[int] = None, value: Any = None, threads: int = 0,
              rounds: Optional[int] = None, timeout: Optional[float] = None, max_memory: Optional[int] = None, prior: bool = False,
              progress: Union[bool, Callable[[Progress], None]] = False, **options: Any) -> Result:
        """Infers the posterior and returns all draws.

        engine      see engines(); "auto" takes the one that suits the query (Result.choice says which and why)
        samples     draws of each chain, after warm-up, burn-in and thinning; when not given, an engine that is named takes 1000, and
                    "auto" takes draws until `ess` is reached
        ess         without samples: until every label has this many effective draws and R-hat < 1.01, for a fixed amount of work and a
                    minute at most, or `timeout` (400)
        rounds      end after this number, instead of ess: repeats a run that a time limit ended, on any machine (Result.rounds)
        particles   in a sweep: short for number_of_particles
        chains      independent runs, side by side: 1, or 4 where `ess` ends the run
        warmup      steps before the first draw, in which engines that adapt do so; as many as samples when not given, none for others
        burn, thin  draws to leave out at the start of a chain (when neither this nor warmup is given: 1000 of single-site and particle chains,
                    200 of others without a warm-up, at most as many as samples); keep every k-th
        seed        same seed, same draws, on any number of threads and from the command line; chosen when not given (Result.seed)
        value       the query's arguments: a list of them, or a dict by name (str keys become keywords); see docs/python.md
        threads     0 = all cores
        timeout     seconds; what is there by then is returned, with Result.interrupted
        max_memory  bytes
        prior       leave out the observes: independent draws from the prior, 1000 when samples is not given
        progress    True: a line on standard error during the run; or a function that is called with a Progress five times a second
        options     of the engine: `ess_threshold=0.5`, `resampling="multinomial"` (a str is a keyword)

        Other Python threads run meanwhile. Ctrl-C raises Interrupted, a KeyboardInterrupt whose `result` has the draws so far.
        Raises Error when the program fails; its `result` has the draws before that.

        >>> model = compile("(defquery q (predict :x (sample (flip 0.25))))")
        >>> model.infer("importance", samples=4, seed=1)["x"].dtype
        dtype('bool')
        """
        samples = _whole("samples", samples, 0)
        if samples == 0:
            raise ValueError("infer() needs samples >= 1; use stream() for a run without end")
        seed = secrets.randbits(32) if seed is None else seed
        run = self._start(engine, samples, ess, particles, chains, warmup, burn, rounds, thin, seed, value, threads, timeout, max_memory,
                          prior, options, True)
        try:
            if progress:
                self._watch(run, progress, samples and samples * int(chains or (1 if engine != "auto" else 0)))
            else:
                run.collect(0, 0.0)
        except KeyboardInterrupt:
            raise Interrupted(Result(run, seed, prior)) from None
        except Error as error:
            error.result = Result(run, seed, prior)
            raise
        return Result(run, seed, prior)

    @staticmethod
    def _watch(run: _chancel.Run, progress: Union[bool, Callable[[Progress], None]], total: Optional[int]) -> None:
        watch = Watch(progress, total or None)
        try:
            ended = False
            while not ended:
                ended = run.collect(0, Watch.SECONDS)
                watch.tell(run.count())
        finally:
            watch.end()

    def stream(self, engine: str = "auto", samples: Optional[int] = None, *, particles: Optional[int] = None,
               chains: Optional[int] = None, warmup: Optional[int] = None, burn: Optional[int] = None, thin: int = 1, seed: Optional[int] = None, value: Any = None, threads: int = 0,
               timeout: Optional[float] = None, max_memory: Optional[int] = None, prior: bool = False, **options: Any) -> Iterator[Draw]:
        """Draws one by one, as they are made; without end when samples is None. Nothing is kept, so that a long run needs no memory
        for its draws. Options as for infer.

        >>> model = compile("(defquery q (predict :x (sample (poisson 3))))")
        >>> sum(1 for draw in model.stream("lmh", samples=10, seed=1) if draw["x"] >= 0)
        10
        """
        seed = secrets.randbits(32) if seed is None else seed
        run = self._start(engine, samples or 0, None, particles, chains, warmup, burn, None, thin, seed, value, threads, timeout, max_memory,
                          prior, options, False)
        return _parts(run)

    def _start(self, engine: str, samples: Optional[int], ess: Optional[int], particles: Optional[int], chains: Optional[int],
               warmup: Optional[int], burn: Optional[int], rounds: Optional[int], thin: int, seed: int, value: Any, threads: int, timeout: Optional[float],
               max_memory: Optional[int], prior: bool, options: Dict[str, Any], keep_summary: bool) -> _chancel.Run:
        samples, ess, warmup, burn, rounds = (
            _whole(name, number, least) for name, number, least in (("samples", samples, 0), ("ess", ess, 0), ("warmup", warmup, 0),
                                                                     ("burn", burn, 0), ("rounds", rounds, 1)))
        chains = _whole("chains", chains, 1, 2**16)
        if not isinstance(engine, str):
            raise TypeError(f"engine must be the name of one, a str, got {engine!r:.60}")
        thin, seed, threads = _whole("thin", thin, 1), _whole("seed", seed, 0, 2**64 - 1), _whole("threads", threads, 0, 2**16)
        if particles is not None:
            options = {"number_of_particles": particles, **options}
        return self._native.start(self.name, self.query, engine, options, samples, ess, warmup, burn, rounds, thin, chains or 0, seed,
                                  threads, value, _seconds(timeout), _whole("max_memory", max_memory, 0, 2**62) or 0, bool(prior), keep_summary)


def _whole(name: str, number: Any, least: int, most: int = 2**53) -> Any:
    """An option as an int; None stays None."""
    if number is None:
        return None
    if isinstance(number, float) and number.is_integer():  # 1e6
        number = int(number)
    try:
        whole = operator.index(number)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {number!r}") from None
    if isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number, got {number!r}")
    if not least <= whole <= most:
        raise ValueError(f"{name} must be at least {least}, got {whole}" if whole < least else f"{name} must be at most {most}")
    return whole


def _seconds(timeout: Any) -> float:
    """The option timeout; 0: there is none."""
    if timeout is None:
        return 0.0
    try:
        seconds = float(timeout)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"timeout must be a number of seconds, got {timeout!r:.60}") from None
    if not math.isfinite(seconds) or not 0 <= seconds < 1e9:
        raise ValueError(f"timeout must be a number of seconds, at least 0 and below 1e9, got {timeout!r}")
    return seconds


def _parts(run: _chancel.Run) -> Iterator[Draw]:
    """The draws of a run, part by part."""
    ended = False
    try:
        while not ended:
            failure: Optional[Error] = None
            try:
                ended = run.collect(_PART_DRAWS, _PART_SECONDS)
            except Error as error:  # after the draws before it
                failure, ended = error, True
            yield from Draw.each(*run.take())
            if failure is not None:
                raise failure
    finally:
        run.finish()


Model.__module__ = Query.__module__ = Engine.__module__ = "chancel"
