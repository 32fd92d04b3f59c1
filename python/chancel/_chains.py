# SPDX-License-Identifier: Apache-2.0
"""Draws laid out by chain: which rows of a result belong to which chain, and how labels are called elsewhere."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, List, Optional, Tuple

import numpy as np

if TYPE_CHECKING:
    from chancel._result import Result


def rows_by_chain(result: Result, stacklevel: int = 3) -> Tuple[np.ndarray, List[int]]:
    """(row numbers of shape (chain, draw), numbers of the chains). Chains have one length here: when they differ, as in a run that was
    interrupted, they are cut to the shortest, after leaving out those of less than half the length of the longest, with a warning."""
    chains = [np.flatnonzero(result.chain == number) for number in np.unique(result.chain)]
    longest = max((len(c) for c in chains), default=0)
    kept = [c for c in chains if 2 * len(c) >= longest]
    shortest = min((len(c) for c in kept), default=0)
    if len(kept) < len(chains) or shortest < longest:
        warnings.warn(f"chains differ in length: {len(kept)} of {len(chains)} chains, cut to {shortest} draws", stacklevel=stacklevel)
    rows = np.array([c[:shortest] for c in kept], dtype=np.intp).reshape(len(kept), shortest)
    return rows, [int(result.chain[c[0]]) for c in kept if len(c)]


def is_weighted(result: Result) -> bool:
    return bool(len(result.log_weights)) and bool(np.ptp(result.log_weights) > 0)


def layout(result: Result, equal: bool, draws: Optional[int], seed: Optional[int], stacklevel: int) -> Tuple[np.ndarray, List[int]]:
    """rows_by_chain, or one chain of resampled rows where equally weighted draws are wanted and these are not."""
    if draws is not None and not equal:
        raise ValueError("draws= chooses the size of a resample: it goes with equal=True")
    if equal and (is_weighted(result) or draws is not None):  # all chains in one: their weights differ too
        return result.resampled_rows(draws, seed)[None, :], [0]
    return rows_by_chain(result, stacklevel + 1)


def variable_name(label: str, taken: Tuple[str, ...]) -> str:
    """A label without its colon; one of the names in `taken` gets an underscore."""
    name = label[1:] if label.startswith(":") else label
    return name + "_" if name in taken else name
