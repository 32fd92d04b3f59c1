#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_words must find a phrase wherever people read it, and hold every area to its budget from both sides."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_words"


class CheckWords(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("scripts/words.txt", "# comment\n\\byonder\\b\tthere\n\\bwalks on\\b\tcontinues\n")
        self.budget()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def budget(self, **areas):
        self.write("scripts/words.budget", "".join(f"{area} {areas.get(area, 0)}\n" for area in
                                                   ("docs", "messages", "headers", "sources", "tests")))

    def check(self, *options):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root, *options], capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout

    def found(self, area):
        return [line.split(": ")[0] for line in self.check("--list", area)[1].splitlines() if line]

    def test_a_planted_word_is_caught(self):
        self.assertEqual(self.check()[0], 0)
        self.write("docs/page.md", "It is\nyonder the last observe.\n")
        status, output = self.check()
        self.assertEqual(status, 1)
        self.assertIn("docs/page.md:2: yonder: there", output)

    def test_the_budget_holds_from_both_sides(self):
        self.write("docs/page.md", "yonder yonder\n")
        for allowed, status in ((1, 1), (2, 0), (3, 1)):
            self.budget(docs=allowed)
            self.assertEqual(self.check()[0], status, allowed)
        self.assertIn("lower the budget", self.check()[1])

    def test_update_only_lowers(self):
        self.write("docs/page.md", "yonder yonder\n")
        self.budget(docs=3)
        self.assertEqual(self.check("--update")[0], 0)
        self.assertEqual(self.check()[0], 0)
        self.write("docs/page.md", "yonder yonder yonder\n")
        self.assertEqual(self.check("--update")[0], 1)
        self.assertEqual(self.check()[0], 1)

    def test_areas(self):
        code = '// It walks\n// on, `yonder` it.\nint yonder = f("walks " "on", R"(yonder)", \'"\');  // yonder\n'
        self.write("src/vm/a.hpp", code)
        self.write("src/vm/a.cpp", code)
        self.write("python/a.py", '"""Walks on."""\nyonder = 1  # yonder\n')
        self.write("src/library/prelude/a.clj", '(f "walks on" \\" yonder)  ; yonder\n')
        self.assertEqual(self.found("headers"), ["src/vm/a.hpp:3", "src/vm/a.hpp:1"])
        self.assertEqual(self.found("sources"), ["src/library/prelude/a.clj:1", "src/vm/a.cpp:3", "src/vm/a.cpp:1",
                                                 "python/a.py:2"])
        self.assertEqual(self.found("messages"), ["src/library/prelude/a.clj:1", "src/vm/a.cpp:3", "src/vm/a.cpp:3",
                                                  "src/vm/a.hpp:3", "src/vm/a.hpp:3", "python/a.py:1"])

    def test_names_of_tests(self):
        self.write("test/unit/a_test.cpp", "TEST(Sweep, WalksOnYonder) {\n  yonder(1);\n}\n")
        self.write("test/a_test.py", "def test_walks_on(self):\n    yonder()\n")
        self.assertEqual(self.found("tests"), ["test/a_test.py:1", "test/unit/a_test.cpp:1", "test/unit/a_test.cpp:1"])

    def test_code_in_documents_does_not_count(self):
        self.write("docs/page.md", "`yonder`\n```cpp\nyonder\n```\n* walks\n  *on* and on\n")
        self.assertEqual(self.found("docs"), ["docs/page.md:5"])

    def test_a_line_without_replacement(self):
        self.write("scripts/words.txt", "yonder there\n")
        self.assertNotEqual(self.check()[0], 0)


if __name__ == "__main__":
    unittest.main()
