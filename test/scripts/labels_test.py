#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every test belongs to one of the gates: exactly one of the labels core, languages and nightly (test/CMakeLists.txt). A test without
one would be run by none of `make test`, `make test-all` and `make test-nightly`."""
import argparse
import json
import subprocess
import sys
import unittest

GATES = {"core", "languages", "nightly"}
OPTIONS = None


def labels_of(tests):
    """Name -> labels, of the tests that `ctest --show-only=json-v1` lists."""
    properties = {test["name"]: {p["name"]: p["value"] for p in test.get("properties", [])} for test in tests}
    return {name: set(values.get("LABELS", [])) for name, values in properties.items()}


def misplaced(labels):
    return sorted(name for name, its in labels.items() if len(its & GATES) != 1)


class Labels(unittest.TestCase):
    def test_mistakes_are_seen(self):
        tests = [{"name": name, "properties": [{"name": "LABELS", "value": labels}]}
                 for name, labels in (("right", ["core", "fast"]), ("two", ["core", "nightly"]), ("other", ["fast"]))]
        self.assertEqual(misplaced(labels_of([*tests, {"name": "none"}])), ["none", "other", "two"])

    def test_every_test_has_one_gate(self):
        listed = subprocess.run([OPTIONS.ctest, "--test-dir", OPTIONS.build, "--show-only=json-v1"], capture_output=True, text=True,
                                check=True).stdout
        labels = labels_of(json.loads(listed)["tests"])
        self.assertGreater(len(labels), 50)
        self.assertEqual(misplaced(labels), [])
        self.assertEqual([name for name, its in labels.items() if "fast" in its and "core" not in its], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--ctest", default="ctest")
    OPTIONS = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
