# SPDX-License-Identifier: Apache-2.0
"""Results as pandas tables: a row for each draw."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Optional

import numpy as np
import pandas

from chancel._chains import layout, variable_name

if TYPE_CHECKING:
    from chancel._result import Result

_OURS = ("chain", "draw", "weight")


def to_frame(result: Result, equal: bool, draws: Optional[int], seed: Optional[int]) -> pandas.DataFrame:
    if draws is not None and not equal:
        raise ValueError("draws= chooses the size of a resample: it goes with equal=True")
    if equal:
        at, numbers = layout(result, equal, draws, seed, 4)
        rows = at.ravel()
        index = [np.repeat(numbers, at.shape[1]), np.tile(np.arange(at.shape[1]), len(numbers))]
    else:  # chains may differ in length here
        rows = np.arange(len(result.log_weights))
        starts = np.searchsorted(result.chain, result.chain)  # chains lie one after another
        index = [result.chain, rows - starts]
    columns: Dict[str, Any] = {}
    for label, array in result.items():
        name = variable_name(label, _OURS)
        for place in np.ndindex(array.shape[1:]):
            columns[name + "".join(f"[{i}]" for i in place)] = array[(rows, *place)]
    if not equal:
        columns["weight"] = result.weights
    return pandas.DataFrame(columns, index=pandas.MultiIndex.from_arrays(index, names=["chain", "draw"]))
