# SPDX-License-Identifier: Apache-2.0
"""Anglican probabilistic programs in Python: compile one, infer its posterior, read it as NumPy arrays.

>>> import chancel
>>> model = chancel.compile('''
... (defquery coin [flips]
...   (let [p (sample (beta 1 1))]
...     (map (fn [x] (observe (flip p) x)) flips)
...     (predict :p p)))''')
>>> result = model.infer("smc", samples=5000, particles=1000, seed=1, value=[[True, True, False, True]])
>>> result["p"].shape
(5000,)
>>> round(float((result.weights * result["p"]).sum()), 2)  # the exact mean is 2/3
0.67
>>> print(result.summary())  # doctest: +ELLIPSIS
      Mean ...

The guide is docs/python.md.
"""
from chancel._chancel import version as __version__
from chancel._data import Edn, Keyword
from chancel._errors import Diagnostic, Error, Interrupted
from chancel._model import Engine, Model, Query, compile, engines  # pylint: disable=redefined-builtin
from chancel._report import Progress, Report
from chancel._result import Draw, Evidence, Result
from chancel._summary import Summary

__all__ = ["Diagnostic", "Draw", "Edn", "Engine", "Error", "Evidence", "Interrupted", "Keyword", "Model", "Progress",
           "Query", "Report", "Result", "Summary", "__version__", "compile", "engines"]
