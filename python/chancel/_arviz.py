# SPDX-License-Identifier: Apache-2.0
"""Results as ArviZ takes them: groups of datasets. Where ArviZ is not installed, Groups stands for its InferenceData: the same groups and
names, and files that ArviZ reads."""
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, List

import numpy as np
import xarray

from chancel._chains import is_weighted, layout, variable_name
from chancel._xarray import _OURS, to_dataset

if TYPE_CHECKING:
    from chancel._result import Result


class Groups(Mapping):
    """Datasets by group, each an attribute too: groups.posterior is groups["posterior"]."""

    def __init__(self, groups: Dict[str, xarray.Dataset]):
        self._groups = groups

    def __getitem__(self, name: str) -> xarray.Dataset:
        return self._groups[name]

    def __getattr__(self, name: str) -> xarray.Dataset:
        if name.startswith("_") or name not in self._groups:
            raise AttributeError(f"no group {name}; there are {', '.join(self.__dict__.get('_groups', {}))}")
        return self._groups[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._groups)

    def __len__(self) -> int:
        return len(self._groups)

    def __repr__(self) -> str:
        return "chancel.Groups with\n" + "\n".join(f"  > {name}" for name in self._groups)

    def _repr_html_(self) -> str:
        return "".join(f"<details><summary>{name}</summary>{group._repr_html_()}</details>" for name, group in self._groups.items())

    def groups(self) -> List[str]:
        """The names of the groups."""
        return list(self._groups)

    def to_netcdf(self, path: Any) -> str:
        """Writes a file that arviz.from_netcdf reads."""
        for i, (name, group) in enumerate(self._groups.items()):
            group.to_netcdf(path, mode="a" if i else "w", group=name)
        return str(path)


def to_groups(result: Result) -> Dict[str, xarray.Dataset]:
    data = to_dataset(result, True, None, None, 5)
    predictive = [variable_name(label, _OURS) for label in result if label in result.statistics["predictive_labels"]]
    name = "prior" if result.prior else "posterior"
    groups = {name: data.drop_vars(predictive)}
    if predictive:
        groups[name + "_predictive"] = data[predictive]
    if not is_weighted(result) and np.isfinite(result.log_joint).all() and len(result.log_joint):
        at, _ = layout(result, True, None, None, 5)
        stats = xarray.Dataset({"lp": (["chain", "draw"], result.log_joint[at])}, coords=data.coords)
        groups["sample_stats_prior" if result.prior else "sample_stats"] = stats
    return groups


def to_inferencedata(result: Result) -> Any:
    groups = to_groups(result)
    try:
        import arviz
    except ImportError:
        return Groups(groups)
    return arviz.InferenceData(**groups)
