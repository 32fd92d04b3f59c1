# SPDX-License-Identifier: Apache-2.0
"""The draws of a run: a mapping from labels to NumPy arrays, with weights. The arrays own the memory that the run wrote to; nothing is copied
but what is asked for (weights, resample, to_xarray)."""
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Union

import numpy as np

from chancel import _chancel
from chancel._chains import rows_by_chain
from chancel._errors import Diagnostic, need
from chancel._report import Report
from chancel._summary import Summary


class Evidence(NamedTuple):
    """The log of the marginal likelihood and its standard error (None where it is not known)."""
    value: float
    se: Optional[float]


class _Labelled(Mapping):
    """Label -> value; the colon of a keyword may be left out."""
    __slots__ = ("_values",)

    def __init__(self, values: Dict[str, Any]):
        self._values = values

    def __repr__(self) -> str:
        return repr(self._values)

    def __getitem__(self, label: str) -> Any:
        if label in self._values:
            return self._values[label]
        if ":" + label in self._values:
            return self._values[":" + label]
        raise KeyError(f"no label {label}; there are {', '.join(self._values)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


class Draw(_Labelled):
    """One draw: a mapping from labels to values, with its weight and place in the run."""
    __slots__ = ("log_weight", "chain", "sweep", "index", "log_joint")

    def __init__(self, values: Dict[str, Any], log_weight: float, chain: int, sweep: int, index: int, log_joint: float):
        super().__init__(values)
        self.log_weight = log_weight
        self.chain = chain
        self.sweep = sweep
        self.index = index
        self.log_joint = log_joint

    def __repr__(self) -> str:
        return f"Draw({self._values}, log_weight={self.log_weight})"

    @staticmethod
    def each(labels: List[str], arrays: List[np.ndarray], log_weight: np.ndarray, chain: np.ndarray, sweep: np.ndarray,
             index: np.ndarray, log_joint: np.ndarray) -> Iterator[Draw]:
        """The rows of columns."""
        columns = [a.tolist() if a.ndim == 1 else list(a) for a in arrays]
        rows = zip(*columns) if columns else ((),) * len(log_weight)
        for row, *place in zip(rows, log_weight.tolist(), chain.tolist(), sweep.tolist(), index.tolist(),
                               log_joint.tolist()):
            yield Draw(dict(zip(labels, row)), *place)


class _Texts:
    """What a run says about its draws, in place of the run itself: of results that were pickled."""
    __slots__ = ("_table", "_json", "_html")

    def __init__(self, run: Any):
        self._table, self._json, self._html = run.table(), run.json(), run.html()

    def table(self) -> str:
        return self._table

    def json(self) -> str:
        return self._json

    def html(self) -> str:
        return self._html

    def page(self) -> str:
        raise ValueError("a result that was pickled has its draws and its summary, but not what report() needs: "
                         "make the report before")


class Result(_Labelled):
    """The draws of Model.infer.

    result["x"]     the values of the label :x, an array of shape (draws,), or (draws, ...) for vectors of one shape; of dtype bool,
                    int64 or float64, and object where values are something else, change their shape, or are missing (None).
                    A query that predicts nothing has the label :result.
    weights         normalised: sum to 1. Use them, `np.average(result["x"], weights=result.weights)`, or resample().
    log_weights     as the engine gave them, comparable over the whole run
    log_joint       log density of the draws and observes of each execution; NaN where the engine does not know it
    chain, sweep    of each draw; chains lie one after another
    log_evidence    Evidence(value, se), or None when the engine estimates none
    engine, seed    what was run
    choice          what engine="auto" chose, and why
    stopped         why the run ended when it was not given a number of samples
    rounds          of the draws, where a time limit or the work could end the run: infer(rounds=) repeats it; else 0
    interrupted     stopped by Ctrl-C, a time or a memory limit
    warnings        what the run remarked (list of Diagnostic)
    statistics      all that the run says about itself (dict): simulations, accepted, mean_ess, seconds ...
    prior           whether observes were left out

    A notebook shows its summary. It can be pickled, with all but report().
    """

    def __init__(self, run: _chancel.Run, seed: int, prior: bool = False):
        labels, arrays, *places = run.take()
        if (np.diff(places[1]) < 0).any():  # chains come side by side, and are kept one after another
            order = np.argsort(places[1], kind="stable")
            arrays, places = [a[order] for a in arrays], [p[order] for p in places]
        self.log_weights, self.chain, self.sweep, self._index, self.log_joint = places
        super().__init__(dict(zip(labels, arrays)))
        run.finish()
        self._run: Union[_chancel.Run, _Texts] = run
        self.seed: int = seed
        self.prior: bool = prior
        self.statistics: Dict[str, Any] = run.statistics()
        self.engine: str = self.statistics["engine"]
        self.choice: str = self.statistics["choice"]
        self.stopped: str = self.statistics["stopped"]
        self.rounds: int = self.statistics["rounds"]
        self.warnings: List[Diagnostic] = self.statistics.pop("warnings")
        self.interrupted: bool = self.statistics["interrupted"]
        value = self.statistics["log_evidence"]
        self.log_evidence: Optional[Evidence] = (
            None if value is None else Evidence(value, self.statistics["log_evidence_se"]))
        self._weights: Optional[np.ndarray] = None

    def __repr__(self) -> str:
        return (f"<chancel.Result {', '.join(self._values)}: {len(self.log_weights)} draws by {self.engine}, seed {self.seed}"
                f"{', interrupted' if self.interrupted else ''}>")

    def __getstate__(self) -> Any:
        texts = self._run if isinstance(self._run, _Texts) else _Texts(self._run)
        return self._values, {**self.__dict__, "_run": texts}

    def __setstate__(self, state: Any) -> None:
        self._values, own = state
        self.__dict__.update(own)

    @property
    def weights(self) -> np.ndarray:
        """Normalised weights; all 0 when no draw has a positive one."""
        if self._weights is None:
            top = self.log_weights.max(initial=-np.inf)
            if np.isneginf(top):
                self._weights = np.zeros_like(self.log_weights)
            else:
                self._weights = np.exp(self.log_weights - top)
                self._weights /= self._weights.sum()
        return self._weights

    def _repr_html_(self) -> str:
        return self._run.html()

    def by_chain(self, label: Optional[str] = None) -> Any:
        """The values of a label with a chain axis: an array of shape (chains, draws, ...); without a label, a mapping of all labels.
        Chains that differ in length, as in a run that was interrupted, are cut to the shortest, with a warning.

        >>> import chancel
        >>> model = chancel.compile("(defquery q (predict :x (sample (normal 0 1))))")
        >>> model.infer("lmh", samples=50, chains=3, seed=1).by_chain("x").shape
        (3, 50)
        """
        at, _ = rows_by_chain(self)
        return self[label][at] if label is not None else _Labelled({name: array[at] for name, array in self._values.items()})

    def draws(self) -> Iterator[Draw]:
        """The draws one by one, each a mapping from labels to values."""
        return Draw.each(list(self._values), list(self._values.values()), self.log_weights, self.chain, self.sweep, self._index,
                         self.log_joint)

    def summary(self) -> Summary:
        """What the draws say; printed it is the table of `chancel infer` (docs/summary.md)."""
        return Summary(self._run.table(), self._run.json(), self._run.html())

    def report(self, path: Union[str, os.PathLike, None] = None) -> Report:
        """A page of charts of every label, of what happened at the observes, and the program (docs/report.md): shown by a notebook, and
        written to `path` when that is given. One file that needs no network."""
        report = Report(self._run.page())
        if path is not None:
            report.save(path)
        return report

    def resample(self, draws: Optional[int] = None, seed: Optional[int] = None) -> Mapping[str, np.ndarray]:
        """An equally weighted sample: a mapping from labels to arrays of `draws` rows (as many as there are, when not given), drawn by systematic
        resampling. `seed` is the run's when not given."""
        rows = self.resampled_rows(draws, seed)
        return _Labelled({label: array[rows] for label, array in self._values.items()})

    def resampled_rows(self, draws: Optional[int] = None, seed: Optional[int] = None) -> np.ndarray:
        """The row numbers of resample(), rising: each row is there as often as its weight says, rounded up or down."""
        count = len(self.log_weights) if draws is None else draws
        positive = np.flatnonzero(self.weights)
        if len(positive) == 0:
            raise ValueError("no draw has a positive weight")
        start = np.random.default_rng(self.seed if seed is None else seed).random()
        rows = np.searchsorted(np.cumsum(self.weights), (start + np.arange(count)) / count, side="right")
        return np.minimum(rows, positive[-1])  # rounding at the end

    def to_xarray(self, *, equal: bool = False, draws: Optional[int] = None, seed: Optional[int] = None) -> Any:
        """An xarray.Dataset with the dimensions chain and draw.

        Labels lose their colon (and a label :weight or the like becomes weight_); the further dimensions of `states` are `states_dim_0` ... Weighted as they are, with the variables
        `weight` and `log_weight`. With equal=True, what ArviZ and other tools that know no weights need: equally weighted draws
        as they are, weighted ones of all chains resampled into one chain of `draws` (as many as there are, when not given).
        Chains have one length there: when they differ, as in a run that was interrupted, they are cut to the shortest, after leaving
        out those of less than half the length of the longest, with a warning.
        """
        need("xarray", "to_xarray()")
        from chancel._xarray import to_dataset
        return to_dataset(self, equal, draws, seed)

    def to_dataframe(self, *, equal: bool = False, draws: Optional[int] = None, seed: Optional[int] = None) -> Any:
        """A pandas.DataFrame with a row for each draw, indexed by chain and draw, and a column for each number: `slope`, `states[3]`.

        Labels lose their colon, as in to_xarray; the column `weight` has the normalised weights. With equal=True the draws are equally
        weighted and have no such column; `draws` and `seed` as in to_xarray.
        """
        need("pandas", "to_dataframe()")
        from chancel._pandas import to_frame
        return to_frame(self, equal, draws, seed)

    def to_inferencedata(self) -> Any:
        """The run for ArviZ, equally weighted: an arviz.InferenceData with the groups posterior, posterior_predictive (labels that are
        generated data) and sample_stats (lp, where the engine knows it); of a run with prior=True: prior and prior_predictive.

        Where ArviZ is not installed, a mapping with the same groups as xarray datasets, whose to_netcdf(path) writes what
        arviz.from_netcdf reads.
        """
        need("xarray", "to_inferencedata()")
        from chancel._arviz import to_inferencedata
        return to_inferencedata(self)


for _class in (Evidence, Draw, Result):
    _class.__module__ = "chancel"
