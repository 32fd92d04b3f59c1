# SPDX-License-Identifier: Apache-2.0
"""Results as xarray datasets, laid out as ArviZ lays out a posterior group."""
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

import numpy as np
import xarray

from chancel._chains import is_weighted, layout, variable_name

if TYPE_CHECKING:
    from chancel._result import Result

_OURS = ("chain", "draw", "weight", "log_weight")


def to_dataset(result: Result, equal: bool, draws: Optional[int], seed: Optional[int], stacklevel: int = 4) -> xarray.Dataset:
    at, numbers = layout(result, equal, draws, seed, stacklevel)
    variables: Dict[str, Tuple[List[str], np.ndarray]] = {}
    for label, array in result.items():
        name = variable_name(label, _OURS)
        dims = ["chain", "draw"] + [f"{name}_dim_{i}" for i in range(array.ndim - 1)]
        variables[name] = (dims, array[at])
    if not equal:
        variables["weight"] = (["chain", "draw"], result.weights[at])
        variables["log_weight"] = (["chain", "draw"], result.log_weights[at])
    attributes = {"inference_library": "chancel", "engine": result.engine, "seed": result.seed,
                  "equally_weighted": int(equal or not is_weighted(result))}
    if result.log_evidence is not None:
        attributes["log_evidence"] = result.log_evidence.value
    return xarray.Dataset(variables, coords={"chain": numbers, "draw": np.arange(at.shape[1])}, attrs=attributes)
