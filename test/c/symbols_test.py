#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libchancel.so shows the functions that chancel.h declares, all of them and nothing else, and has its soname. Its variables
of threads are small: the system keeps 1.6 kB for libraries that a program (Python) loads when it runs already.
Run: symbols_test.py LIBRARY HEADER"""
import re
import subprocess
import sys

MOST_BYTES_OF_THREADS = 1024


def main():
    library, header = sys.argv[1:]
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    shown = {line.split()[-1] for line in listed.splitlines()}
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"\b(chancel_\w+)\(", re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)))
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"SONAME.*\[(.*)\]", dynamic)
    segments = subprocess.run(["readelf", "-lW", library], capture_output=True, text=True, check=True).stdout
    of_threads = re.search(r"^ +TLS +\S+ +\S+ +\S+ +\S+ +(\S+)", segments, re.MULTILINE)
    bytes_of_threads = int(of_threads.group(1), 16) if of_threads else 0
    if bytes_of_threads > MOST_BYTES_OF_THREADS:
        print(f"{bytes_of_threads} bytes of variables of threads, at most {MOST_BYTES_OF_THREADS}")
        return 1
    print(f"{len(declared)} functions declared, {len(shown)} symbols shown, soname {soname and soname.group(1)}")
    for name in sorted(shown ^ declared):
        print(f"{name}: {'shown, not declared' if name in shown else 'declared, not shown'}")
    return 0 if declared and shown == declared and soname and re.fullmatch(r"libchancel\.so\.\d+", soname.group(1)) else 1


if __name__ == "__main__":
    sys.exit(main())
