# SPDX-License-Identifier: Apache-2.0
"""The summary of a run: computed by the library, so the same as the program prints."""
from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Dict, Iterator, List

from chancel._errors import need

_STATISTICS = ("mean", "mcse", "sd", "mad", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat")


class Summary(Mapping):
    """Printed, the table of `chancel infer`; as a mapping, the statistics of each row: summary[":x"]["mean"]. Rows of labels of a fixed shape
    are named ":states[3]". docs/summary.md says what the statistics mean.

    >>> import chancel
    >>> summary = chancel.compile("(defquery q (predict :x (sample (normal 0 1))))").infer("importance", seed=1).summary()
    >>> sorted(summary["x"])[:4]
    ['changes', 'ess_bulk', 'ess_tail', 'kind']
    """

    def __init__(self, text: str, json_text: str, html: str = ""):
        self._text = text
        self._html = html
        self._data: Dict[str, Any] = json.loads(json_text)

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self._html

    def __getitem__(self, label: str) -> Dict[str, Any]:
        rows = self._data["predicts"]
        name = label if label in rows else ":" + label
        if name not in rows:
            raise KeyError(f"no row {label}; there are {', '.join(rows)}")
        return rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data["predicts"])

    def __len__(self) -> int:
        return len(self._data["predicts"])

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """The warnings, most serious first: {"weight": "grave" | "doubt" | "note", "code", "message", "hint"}."""
        return self._data["warnings"]

    def to_dict(self) -> Dict[str, Any]:
        """Everything, as `chancel infer --format json` prints it."""
        return json.loads(json.dumps(self._data))

    def to_xarray(self) -> Any:
        """The statistics of the numeric rows: an xarray.DataArray with the dimensions row and statistic."""
        need("xarray", "to_xarray()")
        import numpy as np
        import xarray
        rows = [label for label, row in self.items() if "mean" in row]
        table = [[self._statistic(self[label], statistic) for statistic in _STATISTICS] for label in rows]
        return xarray.DataArray(np.array(table, dtype=float).reshape(len(rows), len(_STATISTICS)), dims=("row", "statistic"),
                                coords={"row": rows, "statistic": list(_STATISTICS)}, name="summary")

    def to_dataframe(self) -> Any:
        """The statistics of the numeric rows: a pandas.DataFrame with a row for each."""
        need("pandas", "to_dataframe()")
        import pandas
        rows = [label for label, row in self.items() if "mean" in row]
        return pandas.DataFrame({s: [self._statistic(self[label], s) for label in rows] for s in _STATISTICS}, index=rows, dtype=float)

    @staticmethod
    def _statistic(row: Dict[str, Any], statistic: str) -> float:
        number = row.get("quantiles", {}).get(statistic) if statistic.endswith("%") else row.get(statistic)
        return float("nan") if number is None else number


Summary.__module__ = "chancel"
