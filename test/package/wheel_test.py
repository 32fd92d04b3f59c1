#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the Python module as a wheel, installs it in a virtual environment without an index, and infers there.
NumPy is the system's. Run: wheel_test.py --module build/release/python --python /usr/bin/python3"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

SCRIPT = """
import pathlib, sys
import chancel
assert pathlib.Path(chancel.__file__).is_relative_to(sys.prefix), chancel.__file__
model = chancel.compile('''(defquery coin [flips]
  (let [p (sample (beta 1 1))]
    (map (fn [x] (observe (flip p) x)) flips)
    (predict :p p)))''')
result = model.infer("smc", samples=5000, particles=1000, seed=1, value=[[True, True, False, True]])
mean = float((result.weights * result["p"]).sum())
assert abs(mean - 2 / 3) < 0.02, mean
print(result.summary())
try:
    chancel.compile("(defquery q (sampel 1))")
except chancel.Error as error:
    assert "did you mean sample?" in str(error)
else:
    raise AssertionError("no error")
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libfmt" in line}
assert loaded and all(pathlib.Path(f).is_relative_to(sys.prefix) for f in loaded), loaded
"""


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", type=pathlib.Path, required=True)
    parser.add_argument("--python", default="/usr/bin/python3")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory(prefix="chancel-wheel-") as folder:
        wheel = run(sys.executable, "-B", root / "scripts/make_wheel", options.module, folder).strip()
        again = run(sys.executable, "-B", root / "scripts/make_wheel", options.module, pathlib.Path(folder) / "again").strip()
        assert pathlib.Path(wheel).read_bytes() == pathlib.Path(again).read_bytes(), "the same build gives the same bytes"
        names = zipfile.ZipFile(wheel).namelist()
        for name in ("chancel/__init__.py", "chancel/py.typed", "chancel/_chancel.pyi"):
            assert name in names, name
        environment = pathlib.Path(folder) / "venv"
        run(options.python, "-m", "venv", "--system-site-packages", environment)
        python = environment / "bin/python"
        run(python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", wheel)
        print(wheel)
        print(run(python, "-I", "-c", SCRIPT))
        run(python, "-m", "pip", "uninstall", "-y", "chancel")
        left = list((environment / "lib").rglob("chancel*"))
        assert not left, left


if __name__ == "__main__":
    main()
