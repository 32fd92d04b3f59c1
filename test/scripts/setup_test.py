#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/setup against a pretended dpkg-query and apt-get: nothing to do when all is there, otherwise one update
and one install of exactly what is missing, never with removals."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SETUP = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "setup"
DPKG = r"""#!/bin/sh
shift 3
for package in "$@"; do
  case " $ABSENT " in *" $package "*) status=1 ;; *) printf '%s:installed ' "$package" ;; esac
done
exit ${status:-0}
"""
APT = '#!/bin/sh\necho "$@" >> "$LOG"\ncase "$*" in *update*) exit ${UPDATE_RESULT:-0} ;; esac\n'


class Setup(unittest.TestCase):
    def run_setup(self, absent, *options, update_result=0):
        """(exit code, the apt-get calls made)"""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("dpkg-query", DPKG), ("apt-get", APT), ("sudo", '#!/bin/sh\nexec "$@"\n')):
                path = pathlib.Path(folder) / name
                path.write_text(text, encoding="utf-8")
                path.chmod(0o755)
            log = pathlib.Path(folder) / "log"
            environment = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", ABSENT=absent, LOG=str(log),
                               UPDATE_RESULT=str(update_result))
            done = subprocess.run([str(SETUP), *options], env=environment, capture_output=True, check=False)
            return done.returncode, log.read_text(encoding="utf-8").splitlines() if log.exists() else []

    def test_nothing_missing_calls_nothing(self):
        self.assertEqual(self.run_setup(""), (0, []))

    def test_missing_packages_are_installed(self):
        code, calls = self.run_setup("libfmt-dev g++")
        self.assertEqual((code, len(calls)), (0, 2))
        self.assertTrue(calls[0].endswith("update"), calls)
        self.assertTrue(calls[1].endswith("install -y --no-install-recommends --no-remove g++ libfmt-dev"), calls)

    def test_install_is_tried_without_fresh_lists(self):
        code, calls = self.run_setup("libfmt-dev", update_result=100)
        self.assertEqual((code, len(calls)), (0, 2))

    def test_make_test_needs_no_other_languages(self):
        others = "chromium r-cran-rstan python3-xarray python3-numpy libopenmpi-dev"
        self.assertEqual(self.run_setup(others, "--test"), (0, []))
        _, calls = self.run_setup(others, "--test-all")
        self.assertEqual(set(calls[1].split("--no-remove ")[1].split()), set(others.split()))


if __name__ == "__main__":
    unittest.main()
