# SPDX-License-Identifier: Apache-2.0
"""Results as xarray datasets, through a netCDF file and back."""
import numpy as np
import pytest

import chancel

xarray = pytest.importorskip("xarray")

MODEL = chancel.compile("""(defquery model
  (let [mu (sample (normal 0 1)) k (sample (uniform-discrete 0 3))]
    (observe (normal (+ mu k) 1) 2.5)
    (predict :mu mu)
    (predict :k k)
    (predict :high? (> mu 1))
    (predict :weight 1.5)
    (predict :word (if (> mu 0) "up" "down"))
    (predict :grid [[1 2 3] [4 5 k]])))
""")


def test_layout():
    result = MODEL.infer("smc", 200, particles=50, chains=3, seed=1)
    data = result.to_xarray()
    assert dict(data.sizes) == {"chain": 3, "draw": 200, "grid_dim_0": 2, "grid_dim_1": 3}
    assert data["mu"].dims == ("chain", "draw") and data["grid"].dims == ("chain", "draw", "grid_dim_0", "grid_dim_1")
    assert (data["mu"].values.ravel() == result["mu"]).all() and (data["grid"].values[2, 7] == result["grid"][407]).all()
    assert data["weight"].sum().item() == pytest.approx(1) and (data["weight_"] == 1.5).all()
    assert (data["log_weight"].values.ravel() == result.log_weights).all()
    assert data.attrs["inference_library"] == "chancel" and data.attrs["seed"] == 1
    assert data["mu"].weighted(data["weight"]).mean().item() == pytest.approx(result.summary()["mu"]["mean"])


def test_file_and_back(tmp_path):
    pytest.importorskip("netCDF4")
    data = MODEL.infer("pgibbs", 50, particles=10, chains=2, seed=1).to_xarray()
    data.to_netcdf(tmp_path / "run.nc")
    with xarray.open_dataset(tmp_path / "run.nc") as back:
        xarray.testing.assert_equal(back.load(), data)
        assert back["k"].dtype == np.int64 and back["high?"].dtype == np.bool_
        assert back.attrs["engine"] == "pgibbs"


def test_equally_weighted():
    result = MODEL.infer("importance", 4000, chains=2, seed=1)
    data = result.to_xarray(equal=True, draws=1000)
    assert dict(data.sizes)["chain"] == 1 and dict(data.sizes)["draw"] == 1000 and "weight" not in data
    # Every draw is there as often as its weight says, rounded up or down.
    values, counts = np.unique(data["mu"].values, return_counts=True)
    weight = {mu: w for mu, w in zip(result["mu"], result.weights)}
    assert all(abs(count - 1000 * weight[value]) < 1 for value, count in zip(values, counts))
    assert (result.to_xarray(equal=True)["mu"] == result.to_xarray(equal=True)["mu"]).all()
    assert (result.to_xarray(equal=True)["mu"].values != result.to_xarray(equal=True, seed=2)["mu"].values).any()


def test_equal_weights_keep_their_chains():
    result = MODEL.infer("lmh", 100, chains=2, seed=1)
    data = result.to_xarray(equal=True)
    assert dict(data.sizes)["chain"] == 2 and (data["mu"].values.ravel() == result["mu"]).all()
    assert data.attrs["equally_weighted"] == 1


def test_chains_of_different_length():
    """As an interrupted run leaves them: here one of 130 draws, one of 70 and one of 10."""
    result = MODEL.infer("lmh", 70, chains=3, seed=1)
    result.chain[:] = [0] * 130 + [1] * 70 + [2] * 10
    with pytest.warns(UserWarning, match="2 of 3 chains, cut to 70 draws"):
        data = result.to_xarray()
    assert data["mu"].shape == (2, 70) and data["chain"].values.tolist() == [0, 1]
    assert (data["mu"].values[1] == result["mu"][130:200]).all()


def test_wrong_use():
    with pytest.raises(ValueError, match="equal=True"):
        MODEL.infer("importance", 10).to_xarray(draws=5)
