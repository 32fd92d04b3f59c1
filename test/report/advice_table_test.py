# SPDX-License-Identifier: Apache-2.0
"""Advice about models that are sick in a known way, and none about healthy ones.

Each program of test/report/advice begins with comments that say how it is run (`run:`), what its advice must contain
(`expect:`) and what it must not (`never:`), and with which exit code it ends (`code:`, else 0). Numbers of draws and
seeds are fixed, so the advice is the same on every machine.

    advice_table_test.py --program build/release/chancel [NAME ...]
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "advice"
LEAST_SICK, LEAST_HEALTHY = 20, 5
# Above the advice: the table, and what the run did.
START_OF_ADVICE = re.compile(r"^(do not trust this|warning|note)(\[[A-Z0-9]+\])?: ", re.MULTILINE)


def fields(path, name):
    return re.findall(rf"^; {name}: (.*)$", path.read_text(), re.MULTILINE)


def advice_of(program, path):
    run = fields(path, "run")
    if len(run) != 1:
        return "", [f"{path.name}: one line `; run:` is needed"]
    codes = fields(path, "code") or ["0"]
    result = subprocess.run([program, "infer", str(path), *shlex.split(run[0])], capture_output=True, text=True)
    begin = START_OF_ADVICE.search(result.stdout)
    problems = []
    if result.returncode != int(codes[0]):
        problems.append(f"{path.name}: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout[begin.start():] if begin else "", problems


def check(program, path):
    advice, problems = advice_of(program, path)
    sick = path.parent.name == "sick"
    expected = fields(path, "expect")
    if sick and not expected:
        problems.append(f"{path.name}: nothing is expected of it")
    if not sick and advice:
        problems.append(f"{path.name}: advice about a healthy model:\n{advice}")
    problems += [f"{path.name}: no '{text}' in\n{advice}" for text in expected if text not in advice]
    problems += [f"{path.name}: '{text}' in\n{advice}" for text in fields(path, "never") if text in advice]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    problems = []
    for kind, least in (("sick", LEAST_SICK), ("healthy", LEAST_HEALTHY)):
        programs = sorted((FOLDER / kind).glob("*.clj"))
        if len(programs) < least:
            problems.append(f"{len(programs)} {kind} models, {least} wanted")
        for path in programs:
            if not options.names or path.stem in options.names:
                problems += check(options.program, path)
    print("\n".join(problems) or "every model gets its advice")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
