# SPDX-License-Identifier: Apache-2.0
"""Runs the program for the tests of this folder: `python3 usage_test.py --program build/release/chancel`."""
import fcntl
import os
import pathlib
import pty
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = str(REPOSITORY / "build/release/chancel")
# Sanitizers make the program many times slower (CMakePresets.json).
PATIENCE = float(os.environ.get("CHANCEL_TEST_PATIENCE", "1"))
TIMEOUT_SECONDS = 60 * PATIENCE
MEGABYTE = 1 << 20

COIN = """(defquery coin
  (let [bias (sample (beta 1 1))]
    (observe (flip bias) true)
    (observe (flip bias) true)
    (observe (flip bias) false)
    (observe (flip bias) true)
    (predict :bias bias)
    (predict :fair (> bias 0.5))))
"""


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def environment(self):
        return {**os.environ, "NO_COLOR": "1", "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}

    def run_chancel(self, *arguments, stdin="", code=0):
        """(stdout, stderr) of a run, whose exit code must be `code`."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                              timeout=TIMEOUT_SECONDS, cwd=REPOSITORY, env=self.environment())
        self.assertEqual(done.returncode, code, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        self.assertNotIn("terminate called", done.stderr)
        return done.stdout, done.stderr

    def measure(self, *arguments, memory=None, seconds=None):
        """Exit status, standard error and processor seconds; peak_memory has the bytes."""
        limits = (["--max-memory", "%dM" % (memory // MEGABYTE)] if memory else []) + \
                 (["--timeout", str(seconds)] if seconds else [])
        with open(self.folder / "err", "w+b") as err:
            command, *rest = map(str, arguments)  # run takes what follows its file as the script's own arguments
            process = subprocess.Popen([PROGRAM, command, *limits, *rest], stdout=subprocess.DEVNULL, stderr=err,
                                       env=self.environment())
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.peak_memory = used.ru_maxrss * 1024
            err.seek(0)
            text = err.read().decode(errors="replace")
        self.assertGreaterEqual(process.returncode, 0, "signal %d: %s" % (-process.returncode, text[:400]))
        self.assertNotIn("X001", text)
        if seconds:
            self.assertLessEqual(used.ru_utime + used.ru_stime, (seconds + 1) * PATIENCE)
        if memory and PATIENCE == 1:
            self.assertLessEqual(used.ru_maxrss * 1024, memory + 64 * MEGABYTE, text[:400])
        return process.returncode, text, used.ru_utime + used.ru_stime

    def start_chancel(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, cwd=REPOSITORY, env=self.environment(), **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def run_on_terminal(self, *arguments, columns=80, stdout=False):
        """What a run that ends well writes to a terminal of this width as its standard error, or output."""
        primary, secondary = pty.openpty()
        fcntl.ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=secondary if stdout else subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL if stdout else secondary, env=self.environment())
        os.close(secondary)
        text = b""
        deadline = time.monotonic() + 20 * PATIENCE
        while time.monotonic() < deadline:
            if not select.select([primary], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                part = os.read(primary, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(primary)
        self.assertEqual(process.wait(timeout=20 * PATIENCE), 0)
        return text.decode()


def needs_tools(test):
    """Marks a test that needs programs of others: R, xarray, a browser. CHANCEL_TEST_TOOLS=none leaves these out, =only leaves out all
    others; ctest has an entry for each."""
    test.needs_tools = True
    return test


class Chosen(unittest.TestLoader):
    def getTestCaseNames(self, testCaseClass):
        chosen = os.environ.get("CHANCEL_TEST_TOOLS")
        names = super().getTestCaseNames(testCaseClass)
        if chosen not in ("none", "only"):
            return names
        return [n for n in names if getattr(getattr(testCaseClass, n), "needs_tools", False) == (chosen == "only")]


def main():
    global PROGRAM
    if "--program" in sys.argv:
        at = sys.argv.index("--program")
        PROGRAM = os.path.abspath(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    # Tests use this module's name for it, whichever file is the main one.
    sys.modules["program"].PROGRAM = PROGRAM
    unittest.main(module="__main__", testLoader=Chosen())
