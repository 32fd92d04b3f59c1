#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_commits must catch subjects that break the rule, leave older commits alone, and cope with shallow clones."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_commits"
# Independent of the settings of the user and of any repository around it.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
ENVIRONMENT.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", GIT_AUTHOR_NAME="a",
                   GIT_AUTHOR_EMAIL="a@example.org", GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")


class CheckCommits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        ENVIRONMENT["GIT_CEILING_DIRECTORIES"] = str(self.folder)
        self.root = self.folder / "tree"
        for room in ("src/vm", "src/value", "docs", ".ci"):
            (self.root / room).mkdir(parents=True)
        self.git("init", "-q")
        self.old = self.commit("Old rule, no room")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.root, env=ENVIRONMENT, check=True, capture_output=True,
                              text=True).stdout.strip()

    def commit(self, subject):
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def check(self, root=None, after=None):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--root", root or self.root, "--after", after or self.old],
                              env=ENVIRONMENT, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def test_good_subjects(self):
        for subject in ("vm: Split the run loop", "vm+value: Pass frames by value", "docs: Say what a row is",
                        "build: Embed the pages", "ci: Run the fast tests", "vm: " + "Rename " * 9 + "thing"):
            self.commit(subject)
        self.assertEqual(self.check(), (0, "check_commits: 6 commits, 0 mistakes\n"))

    def test_bad_subjects(self):
        for subject, mistake in (("Split the run loop", "not of the form"), ("vm: split the run loop", "not of the form"),
                                 ("vm: Split the run loop.", "not of the form"), ("house: Split it", "no room `house`"),
                                 ("vm: The loop is split", "`The` is not an imperative"),
                                 ("vm: Splits the loop", "`Splits` is not an imperative"),
                                 ("vm: Added a loop", "`Added` is not an imperative"),
                                 ("vm: " + "Rename " * 9 + "things", "73 characters, at most 72")):
            self.commit(subject)
            status, output = self.check(after=self.git("rev-parse", "HEAD~1"))
            self.assertEqual(status, 1, subject)
            self.assertIn(mistake, output)
        self.assertIn("8 commits, 8 mistakes", self.check()[1])

    def test_shallow_clone(self):
        self.commit("vm: Split the run loop")
        self.commit("vm: Splits the loop")
        shallow = self.folder / "shallow"
        self.git("clone", "-q", "--depth", "1", f"file://{self.root}", str(shallow))
        for room in ("src/vm", "docs"):
            (shallow / room).mkdir(parents=True)
        status, output = self.check(root=shallow)
        self.assertEqual(status, 1)
        self.assertIn("1 commits, 1 mistakes", output)

    def test_nothing_to_check(self):
        self.assertEqual(self.check(after="0" * 40), (0, f"check_commits: {'0' * 40} is not in this history, nothing to check\n"))
        plain = self.folder / "plain"
        plain.mkdir()
        self.assertEqual(self.check(root=plain), (0, "check_commits: no git repository, nothing to check\n"))


if __name__ == "__main__":
    unittest.main()
