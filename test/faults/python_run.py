# SPDX-License-Identifier: Apache-2.0
"""python_run.py FILE: opens FILE, where faults begin (failing_calls.c), and runs a query with the Python module."""
import os
import sys

import chancel

PROGRAM = """(defquery q [y]
  (let [m (sample (normal 0 1))] (doseq [v y] (observe (normal m 1) v)) (predict :m m)))"""


def run():
    os.close(os.open(sys.argv[1], os.O_RDONLY))
    result = chancel.compile(PROGRAM).infer("lmh", samples=20, chains=2, threads=2, seed=1, value={"y": [1.5, 0.5, {"a": [0.25]}["a"][0]]})
    os.write(1, ("%r\n" % result["m"].tolist()).encode())


try:
    run()
except MemoryError:
    os.write(2, b"L001\n")
    os._exit(70)
except chancel.Error as error:
    os.write(2, str(error).encode())
    os._exit(70)
os._exit(0)  # the interpreter's own end is not ours to test
