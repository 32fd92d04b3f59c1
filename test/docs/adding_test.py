#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follows docs/adding-a-distribution.md or docs/adding-an-engine.md to the letter: makes the changes of its blocks in a
copy of the tree, compiles the files that they write or change (and those that read a changed list), links them with the
objects that the build already has, and runs the rig there. The copy must also pass the rules for includes and layout.

A page whose code does not compile, is not accepted by the rules or gives wrong answers fails. So does one that leaves out
the rows that the tests ask for: at least one test of the rig must carry the name of what was added.

Run: test/docs/adding_test.py distribution|engine --build build/release --link LIBRARY...
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import check_docs  # noqa: E402

# By page: what is added, who reads the changed list, the build target whose flags tests have, files that are only compiled, and
# the tests that are run.
PAGES = {
    "distribution": {
        "page": "docs/adding-a-distribution.md", "readers": ["src/dist/registry.cpp"], "flags": "dist_test",
        "compiled": [], "filter": "Registry.*:*half_logistic*:Density.*:-*Saboteur*", "must_run": "half_logistic"},
    "engine": {
        "page": "docs/adding-an-engine.md", "readers": ["src/engines/registry.cpp", "test/exact/exact_test.cpp"], "flags": "exact_test",
        "compiled": ["test/measure/cells.cpp"], "filter": "*/imh*", "must_run": "/imh"},
}


class Build:
    """Commands of an existing build, for files of a copy of its tree"""

    def __init__(self, build, copy):
        self.commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.build, self.copy = build, copy
        self.objects = copy / "objects"
        self.objects.mkdir()
        ccache = shutil.which("ccache")
        self.launcher = [ccache] if ccache else []

    def flags(self, target):
        """The compiler and the flags of a target, for sources and headers of the copy"""
        part = f"CMakeFiles/{target}.dir/"
        found = next((c["command"] for c in self.commands if part in c["command"] and "-c " in c["command"]), None)
        assert found, f"the build has no commands for {target}"
        words = shlex.split(found)
        for flag in ("-o", "-c"):
            at = words.index(flag)
            del words[at:at + 2]
        replaced = {f"-I{ROOT}/{folder}": f"-I{self.copy}/{folder}" for folder in ("src", "include")}
        return [replaced.get(word, word) for word in words]

    def run(self, words, **more):
        environment = dict(os.environ, CCACHE_BASEDIR=str(self.copy))
        done = subprocess.run([str(word) for word in words], cwd=self.copy, env=environment, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
        if done.returncode != 0:
            sys.exit(f"{shlex.join(map(str, words))}\nended with {done.returncode}:\n{done.stdout[-6000:]}")
        return done.stdout

    def compiled(self, source, target):
        made = self.objects / (source.replace("/", "-") + ".o")
        self.run([*self.launcher, *self.flags(target), "-o", made, "-c", self.copy / source])
        return made


def target_of(source, test_flags):
    """The build target whose flags a file is compiled with"""
    parts = source.split("/")
    return f"chancel_{parts[1]}" if parts[0] == "src" else test_flags


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=sorted(PAGES))
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--link", nargs="+", required=True, help="libraries, in the order of the linker")
    options = parser.parse_args()
    page = PAGES[options.what]
    copy = options.build.resolve() / "test" / "docs" / f"adding-{options.what}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT, copy, ignore=check_docs.NOT_COPIED, symlinks=True)

    changes = check_docs.instructions(ROOT / page["page"])
    assert any(c.new for c in changes) and any(c.diff for c in changes), "the page has no instructions"
    for change in changes:
        if problem := change.apply(copy):
            sys.exit(f"{page['page']}:{change.number}: {problem}")

    build = Build(options.build.resolve(), copy)
    build.run([sys.executable, "-B", copy / "scripts/check_layers.py"])
    build.run([sys.executable, "-B", copy / "scripts/check_docs.py", "lines"])
    sources = list(dict.fromkeys(c.file for c in changes if c.file.endswith(".cpp")))
    if formatter := shutil.which("clang-format"):
        build.run([formatter, "--dry-run", "-Werror", *sources])
    objects = []
    for source in [*sources, *page["readers"]]:
        made = build.compiled(source, target_of(source, page["flags"]))
        if source not in page["compiled"]:
            objects.append(made)
    program = copy / "rig"
    build.run([*build.flags(page["flags"]), "-o", program, *objects, *options.link])
    output = build.run([program, f"--gtest_filter={page['filter']}"])
    ran = [line for line in output.splitlines() if line.startswith("[       OK ]") and page["must_run"] in line]
    if not ran:
        sys.exit(f"no test ran with {page['must_run']}:\n{output}")
    print(f"{page['page']}: {len(changes)} changes, {len(objects)} objects, {len(ran)} tests of what was added")
    shutil.rmtree(copy)


if __name__ == "__main__":
    main()
