#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version is stated in CMakeLists.txt; what must repeat it agrees: the newest version in CHANGELOG.md, CITATION.cff, and the version that
docs and tests ask find_package for."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def found(file, pattern):
    return re.search(pattern, (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE).group(1)


class Version(unittest.TestCase):
    def test_one_version(self):
        version = found("CMakeLists.txt", r"^project\(chancel VERSION (\d+\.\d+\.\d+) ")
        self.assertEqual(found("CITATION.cff", r"^version: (\S+)$"), version)
        self.assertEqual(found("CHANGELOG.md", r"^## (\d\S*)"), version)
        short = version.rsplit(".", 1)[0]
        for file in ("docs/embedding.md", "test/install/CMakeLists.txt"):
            self.assertEqual(found(file, r"^find_package\(chancel (\S+) "), short, file)


if __name__ == "__main__":
    unittest.main()
