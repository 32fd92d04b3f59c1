# SPDX-License-Identifier: Apache-2.0
"""What notebooks need: HTML, tables, groups for ArviZ, the report, progress, a chain axis."""
import html.parser
import re
import subprocess
import sys
import types

import numpy as np
import pytest

import chancel
from conftest import PROGRAM

MODEL = chancel.compile("""(defquery model
  (let [mu (sample (normal 0 1)) k (sample (uniform-discrete 0 3))]
    (observe (normal (+ mu k) 1) 2.5)
    (predict :mu mu)
    (predict :k k)
    (predict :weight 1.5)
    (predict :word (if (> mu 0) "up" "down"))
    (predict :grid [[1 2 3] [4 5 k]])
    (predict :new (sample (normal mu 1)))))
""")


class Tags(html.parser.HTMLParser):
    """Checks that tags are closed in their order."""
    VOID = {"meta", "link", "br", "hr", "img", "input", "path", "rect", "line", "circle", "polyline", "polygon", "use"}

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], set()
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_html():
    result = MODEL.infer("smc", 500, particles=100, seed=1)
    text = result._repr_html_()
    assert "table" in Tags(text).seen and "mu" in text
    assert result.summary()._repr_html_() == text
    # What comes from the program is text, not HTML.
    odd = chancel.compile('(defquery q (predict "<script>x" (sample (normal 0 1))))').infer("importance", 10, seed=1)
    assert "<script" not in odd._repr_html_() and "&lt;script" in odd._repr_html_()


def test_report(tmp_path, models):
    """It is the page of `chancel infer --report`, but for times."""
    model = chancel.compile(path=str(models / "hmm/hmm.clj"))
    result = model.infer("smc", 2000, particles=100, seed=1)
    report = result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page == report.html == result.report().html
    subprocess.run([PROGRAM, "infer", str(models / "hmm/hmm.clj"), "-a", "smc", "-n", "2000", "--particles", "100", "--seed", "1",
                    "--report", str(tmp_path / "by_program.html")], check=True, capture_output=True)

    def timeless(text):
        return [line for line in text.splitlines() if not re.match("(Work|Time|Repeat) ", line)]
    by_program = (tmp_path / "by_program.html").read_text(encoding="utf-8")
    assert timeless(page) == timeless(by_program) and "canvas" in page
    frame = report._repr_html_()
    assert frame.startswith("<iframe") and Tags(frame).seen == {"iframe"} and "sandbox" in frame
    assert "save(path)" in repr(report)


def test_chain_axis():
    result = MODEL.infer("lmh", 100, chains=3, seed=1)
    assert result.by_chain("mu").shape == (3, 100) and result.by_chain("grid").shape == (3, 100, 2, 3)
    assert (result.by_chain(":mu")[2] == result["mu"][200:]).all()
    everything = result.by_chain()
    assert list(everything) == list(result) and (everything["k"].ravel() == result["k"]).all()
    result.chain[:] = [0] * 160 + [1] * 130 + [2] * 10
    with pytest.warns(UserWarning, match="2 of 3 chains, cut to 130 draws") as caught:
        assert result.by_chain("mu").shape == (2, 130)
    assert caught[0].filename == __file__


def test_dataframe():
    pytest.importorskip("pandas")
    result = MODEL.infer("smc", 200, particles=50, chains=2, seed=1)
    table = result.to_dataframe()
    assert list(table.columns) == ["mu", "k", "weight_", "word", "grid[0][0]", "grid[0][1]", "grid[0][2]", "grid[1][0]", "grid[1][1]",
                                   "grid[1][2]", "new", "weight"]
    assert table.index.names == ["chain", "draw"] and len(table) == 400
    assert table.loc[(1, 7), "mu"] == result["mu"][207] and table["k"].dtype == np.int64
    assert (table["grid[1][2]"].to_numpy() == result["grid"][:, 1, 2]).all()
    assert table["weight"].sum() == pytest.approx(1)
    equal = result.to_dataframe(equal=True, draws=50)
    assert len(equal) == 50 and "weight" not in equal and equal.index[49] == (0, 49)
    with pytest.raises(ValueError, match="equal=True"):
        result.to_dataframe(draws=5)
    rows = result.summary().to_dataframe()
    assert rows.loc[":mu", "mean"] == result.summary()["mu"]["mean"] and "rhat" in rows


def test_inference_data(tmp_path, monkeypatch):
    xarray = pytest.importorskip("xarray")
    monkeypatch.setitem(sys.modules, "arviz", None)  # not installed
    result = MODEL.infer("lmh", 100, chains=2, seed=1)
    groups = result.to_inferencedata()
    assert groups.groups() == ["posterior", "posterior_predictive", "sample_stats"]
    assert groups.posterior["mu"].dims == ("chain", "draw") and "new" not in groups.posterior and "weight" not in groups.posterior
    assert (groups["posterior_predictive"]["new"].values.ravel() == result["new"]).all()
    assert (groups.sample_stats["lp"].values.ravel() == result.log_joint).all()
    assert "posterior" in repr(groups) and "posterior" in groups._repr_html_()
    with pytest.raises(AttributeError, match="no group prior"):
        groups.prior
    pytest.importorskip("netCDF4")
    path = groups.to_netcdf(tmp_path / "run.nc")
    with xarray.open_dataset(path, group="posterior") as back:
        assert (back["mu"].values == result.by_chain("mu")).all()
    # Weighted draws are resampled, into one chain.
    weighted = MODEL.infer("smc", 200, particles=50, chains=2, seed=1).to_inferencedata()
    assert dict(weighted.posterior.sizes)["chain"] == 1 and weighted.posterior.attrs["equally_weighted"] == 1
    assert "sample_stats" not in weighted
    prior = MODEL.infer(prior=True, samples=50, seed=1).to_inferencedata()
    assert "prior" in prior and "posterior" not in prior


def test_missing_packages(monkeypatch):
    result = MODEL.infer("lmh", 10, seed=1)
    for package, calls in (("pandas", [result.to_dataframe, result.summary().to_dataframe]),
                           ("xarray", [result.to_xarray, result.to_inferencedata, result.summary().to_xarray])):
        monkeypatch.setitem(sys.modules, package, None)
        for call in calls:
            with pytest.raises(ImportError, match=f"needs {package}: pip install {package}, or on Debian .*python3-{package}"):
                call()


def test_inference_data_of_arviz(monkeypatch):
    pytest.importorskip("xarray")
    arviz = types.ModuleType("arviz")
    arviz.InferenceData = lambda **groups: ("InferenceData", groups)
    monkeypatch.setitem(sys.modules, "arviz", arviz)
    kind, groups = MODEL.infer("lmh", 10, seed=1).to_inferencedata()
    assert kind == "InferenceData" and set(groups) == {"posterior", "posterior_predictive", "sample_stats"}


def test_progress(capsys):
    told = []
    slow = chancel.compile("(defquery q (predict :x (reduce + (repeatedly 2000 (fn [] (sample (normal 0 1)))))))")
    watched = slow.infer("importance", 4000, seed=1, progress=told.append)
    assert len(told) >= 1 and told[-1].draws == told[-1].total == 4000
    assert [p.draws for p in told] == sorted(p.draws for p in told) and told[-1].seconds > 0
    assert "of 4000 draws" in str(told[-1]) and str(chancel.Progress(7, None, 2.0)) == "7 draws, 2 s, 4 draws/s"
    assert (watched["x"] == slow.infer("importance", 4000, seed=1)["x"]).all()  # watching changes nothing
    capsys.readouterr()
    slow.infer("importance", 500, seed=1, progress=True)
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("\r[") and captured.err.endswith("\n")
    slow.infer("importance", 10, seed=1)
    assert capsys.readouterr().err == ""

    def stop(progress):
        raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        slow.infer("importance", 4000, seed=1, progress=stop)
