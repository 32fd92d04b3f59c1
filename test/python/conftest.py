# SPDX-License-Identifier: Apache-2.0
"""The tests of the Python module: `PYTHONPATH=build/release/python /usr/bin/python3 -m pytest test/python`."""
import json
import os
import pathlib
import sys

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CHANCEL_PROGRAM", str(REPOSITORY / "build" / "release" / "chancel"))
sys.path.insert(0, str(REPOSITORY / "scripts"))


@pytest.fixture
def models():
    return REPOSITORY / "models"


@pytest.fixture
def truth(models):
    """truth("hmm", "hmm.clj"): what is known about the program"""
    return lambda model, program: json.loads((models / model / "truth.json").read_text())["programs"][program]
