# SPDX-License-Identifier: Apache-2.0
"""The examples of the documentation print what they say: docstrings, and the ```python blocks of docs/*.md (one session for each page)."""
import doctest
import importlib
import os

import pytest

import check_docs
from conftest import REPOSITORY

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["chancel", "chancel._arviz", "chancel._chains", "chancel._data", "chancel._errors", "chancel._model", "chancel._report",
           "chancel._result", "chancel._summary"]
PAGES = sorted(p for p in check_docs.documents(REPOSITORY) if "```python" in p.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name), optionflags=FLAGS).failed == 0


def examples(page):
    """The blocks of a page as one doctest, with line numbers of the page"""
    _, blocks = check_docs.split_document(page.read_text(encoding="utf-8"))
    found = []
    for line, info, code in blocks:
        if info.split() == ["python"]:
            part = doctest.DocTestParser().get_examples(code, str(page))
            assert part, f"{page}:{line}: a block without >>> is not run; mark it ```text"
            for example in part:
                example.lineno += line
            found += part
    return found


@pytest.mark.parametrize("page", PAGES, ids=[p.name for p in PAGES])
def test_pages(page, tmp_path, monkeypatch):
    for name in ("models", "examples"):
        os.symlink(REPOSITORY / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTest(examples(page), {}, page.name, str(page), 0, None)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(test).failed == 0


def test_there_is_a_guide():
    assert "python.md" in [p.name for p in PAGES]
