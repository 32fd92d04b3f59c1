#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libchancel.so shows the functions that chancel.h declares, all of them and nothing else, and has its soname.
Run: symbols_test.py LIBRARY HEADER"""
import re
import subprocess
import sys


def main():
    library, header = sys.argv[1:]
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1] for line in listed.splitlines()}
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"\b(chancel_\w+)\(", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)))
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"SONAME.*\[(.*)\]", dynamic)
    print(f"{len(declared)} functions declared, {len(shown)} symbols shown, soname {soname and soname.group(1)}")
    for name in sorted(shown ^ declared):
        print(f"{name}: {'shown, not declared' if name in shown else 'declared, not shown'}")
    return 0 if declared and shown == declared and soname and re.fullmatch(r"libchancel\.so\.\d+", soname.group(1)) else 1


if __name__ == "__main__":
    sys.exit(main())
