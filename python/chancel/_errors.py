# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, as exceptions: a program or data that is wrong or fails (Error), Ctrl-C (Interrupted), and packages that are
missing (need)."""
from __future__ import annotations

import dataclasses
import importlib
from typing import TYPE_CHECKING, Optional, Tuple

if TYPE_CHECKING:
    from chancel._result import Result


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One message. Lines and columns count from 1; 0 means that there is no place. `str()` is the whole message with the source
    line and carets."""
    code: str
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    hint: str = ""
    severity: str = "error"
    end_line: int = 0
    end_column: int = 0
    text: str = ""

    def __str__(self) -> str:
        return (self.text or f"{self.severity}[{self.code}]: {self.message}").rstrip("\n")


class Error(Exception):
    """The program or its data is wrong, or a run failed.

    `diagnostics` has one entry for each message; `str()` shows them all with carets. `result` holds the draws made before a run
    failed, or is None.

    >>> import chancel
    >>> try:
    ...     chancel.compile("(defquery q (sample (normal 0)))", path="q.clj").infer(samples=1)
    ... except chancel.Error as error:
    ...     print(error)
    ...     print(error.diagnostics[0].line, error.diagnostics[0].column)  # doctest: +ELLIPSIS
    q.clj:1:...
    1 ...
    """
    diagnostics: Tuple[Diagnostic, ...]
    result: Optional[Result]

    def __init__(self, diagnostics: Tuple[Diagnostic, ...] = ()):
        super().__init__("\n".join(str(d) for d in diagnostics))
        self.diagnostics = tuple(diagnostics)
        self.result = None

    def __reduce__(self):
        return (type(self), (self.diagnostics,), {"result": self.result})


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during Model.infer. `result` holds the draws that were made, as far as the run got."""
    result: Result

    def __init__(self, result: Result):
        super().__init__(f"interrupted after {len(result.log_weights)} draws")
        self.result = result

    def __reduce__(self):
        return (type(self), (self.result,))


def need(package: str, for_what: str) -> None:
    """Raises ImportError with the remedy where a package that only some methods use is missing."""
    try:
        importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{for_what} needs {package}: pip install {package}, or on Debian apt-get install python3-{package}",
                          name=package) from error


for _class in (Diagnostic, Error, Interrupted):
    _class.__module__ = "chancel"  # how tracebacks call them
