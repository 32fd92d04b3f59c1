#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the reference pages of docs/ from the lists that the program works with (`chancel docs PAGE`).

With --check nothing is written; the script fails when a page is out of date, and says how to renew it.
Run: scripts/generate_docs.py [--check] [--program build/release/chancel]
"""
import argparse
import pathlib
import subprocess
import sys

PAGES = {"errors": "docs/errors.md", "library": "docs/language/library.md", "engines": "docs/engines/options.md"}


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=root / "build/release/chancel")
    arguments = parser.parse_args()
    stale = []
    for page, name in PAGES.items():
        text = subprocess.run([str(arguments.program.resolve()), "docs", page], check=True, capture_output=True,
                              encoding="utf-8").stdout
        path = root / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments.check:
            stale.append(name)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    if stale:
        print(f"out of date: {', '.join(stale)}; run scripts/generate_docs.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
