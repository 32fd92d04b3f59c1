# SPDX-License-Identifier: Apache-2.0
"""Results as xarray datasets, laid out as ArviZ lays out a posterior group."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Dict, List, Optional, Tuple

import numpy as np
import xarray

if TYPE_CHECKING:
    from chancel._result import Result

_OURS = ("chain", "draw", "weight", "log_weight")


def to_dataset(result: Result, equal: bool, draws: Optional[int], seed: Optional[int]) -> xarray.Dataset:
    if draws is not None and not equal:
        raise ValueError("draws= chooses the size of a resample: it goes with equal=True")
    weighted = bool(len(result.log_weights)) and np.ptp(result.log_weights) > 0
    if equal and (weighted or draws is not None):  # all chains in one: their weights differ too
        rows, numbers = [result.resampled_rows(draws, seed)], [0]
    else:
        rows = _same_length([np.flatnonzero(result.chain == number) for number in np.unique(result.chain)])
        numbers = [int(result.chain[r[0]]) for r in rows]
    at = np.array(rows, dtype=np.intp).reshape(len(rows), len(rows[0]) if rows else 0)

    variables: Dict[str, Tuple[List[str], np.ndarray]] = {}
    for label, array in result.items():
        name = label[1:] if label.startswith(":") else label
        name = name + "_" if name in _OURS else name
        dims = ["chain", "draw"] + [f"{name}_dim_{i}" for i in range(array.ndim - 1)]
        variables[name] = (dims, array[at])
    if not equal:
        variables["weight"] = (["chain", "draw"], result.weights[at])
        variables["log_weight"] = (["chain", "draw"], result.log_weights[at])
    attributes = {"inference_library": "chancel", "engine": result.engine, "seed": result.seed,
                  "equally_weighted": int(equal or not weighted)}
    if result.log_evidence is not None:
        attributes["log_evidence"] = result.log_evidence.value
    return xarray.Dataset(variables, coords={"chain": numbers, "draw": np.arange(at.shape[1])}, attrs=attributes)


def _same_length(chains: List[np.ndarray]) -> List[np.ndarray]:
    longest = max((len(c) for c in chains), default=0)
    kept = [c for c in chains if 2 * len(c) >= longest]
    shortest = min((len(c) for c in kept), default=0)
    if len(kept) < len(chains) or shortest < longest:
        warnings.warn(f"chains differ in length: {len(kept)} of {len(chains)} chains, cut to {shortest} draws", stacklevel=4)
    return [c[:shortest] for c in kept]
