#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the documentation tells the truth about the tree, and that its commands run.

paths     Every file that README.md, CONTRIBUTING.md, src/README.md and docs/**/*.md name in backticks, or link to, exists.
          A word in backticks counts as a file when it has a slash and starts with a folder of this tree (or of src/), or ends
          in .md. `{a,b}` stands for both, `*` for at least one match; words with <...> are patterns and passed over.
          docs/life-of-a-query.md names every folder of src/ in bold.
commands  Every fenced block marked ```sh in those files runs without error: the blocks of one file in order, in a
          fresh copy of the tree with build/release/chancel in place and on PATH. Mark a block ```sh no-run when it
          builds, installs or clones; mark what is only shown ```text or ```console. A block marked ```output shows what the
          sh block before it prints: its lines stand together in the output (spaces at their ends apart), `...` for any lines left
          out, also at the end of a line for any rest of it.

snippets  A fenced block whose mark names a file (```cpp src/dist/exponential.cpp) is part of that file, line by line but for
          indentation; a line `...` stands for any lines left out. Blocks marked ```c or ```cpp without a file, and ```clojure in
          docs/cookbook/, are part of a program under examples/, which tests run. Code is fenced, never indented.
          Instructions: ```cpp src/dist/new.cpp (new) is the whole of a file to write, which does not exist yet, and
          ```diff src/dist/dists.def a change, whose old lines stand in the file together, at one place. test/docs applies both.
lines     No line of prose in any *.md file of the tree has 120 characters or more. Tables, fenced blocks and lines that hold
          one long word (a URL) are excepted.

With --update, commands writes what is printed now into the ```output blocks of the pages named with --page, line by line: a line
is replaced by the next one that begins with the same word; those with `...` stay.

Run: scripts/check_docs.py [paths] [commands] [snippets] [lines] [--root DIR] [--program build/release/chancel]
     scripts/check_docs.py commands --update --page docs/cookbook/mixture.md
"""
import argparse
import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TIMEOUT_SECONDS = 120  # for one block
NOT_COPIED = shutil.ignore_patterns(".git", "build", "node_modules", "__pycache__", "results")
NEEDS_KERNEL = re.compile(r"^chancel kernel\b", re.MULTILINE)  # a program that is built where xeus is installed
GENERATED = ("build",)  # made by commands, so not in the tree
LONGEST_LINE = 119
FENCE = re.compile(r"^(\s*)(```+|~~~+)\s*(.*?)\s*$")


def documents(root):
    files = [root / name for name in ("README.md", "CONTRIBUTING.md", "src/README.md")]
    return [f for f in files if f.is_file()] + sorted((root / "docs").rglob("*.md"))


def split_document(text):
    """(lines outside fences as (number, line), blocks as (number, info string, code without the indentation of its fence))"""
    prose, blocks = [], []
    fence, info, start, code, indent = None, "", 0, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, info, start, code = match.group(2), match.group(3), number, []
            indent = len(match.group(1))
        elif fence is not None and match and match.group(2).startswith(fence) and not match.group(3):
            blocks.append((start, info, "\n".join(code) + "\n"))
            fence = None
        elif fence is not None:
            code.append(line[min(indent, len(line) - len(line.lstrip())):])
        else:
            prose.append((number, line))
    return prose, blocks


def expand_braces(word):
    match = re.search(r"\{([^{}]*)\}", word)
    if not match:
        return [word]
    return [w for part in match.group(1).split(",")
            for w in expand_braces(word[:match.start()] + part.strip() + word[match.end():])]


def names_a_file(root, word):
    if not re.fullmatch(r"[\w.+*{},/-]+", word) or word.startswith("/"):
        return False
    if word.endswith(".md"):
        return True
    first = word.split("/")[0]
    if "/" not in word or not first or first in GENERATED:
        return False
    return (root / first).is_dir() or (root / "src" / first).is_dir()


def exists(root, folder, word):
    bases = (folder, root, root / "src", root / "include")
    return any(glob.glob(str(base / word.rstrip("/"))) for base in bases)


def check_paths(root):
    messages, count = [], 0
    for document in documents(root):
        prose, _ = split_document(document.read_text(encoding="utf-8"))
        for number, line in prose:
            words = [w for w in re.findall(r"`([^`]+)`", line) if names_a_file(root, w)]
            links = [w.split("#")[0] for w in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line))
                     if not re.match(r"[a-z]+:|#", w)]
            for word in words + links:
                for name in expand_braces(word):
                    count += 1
                    if not exists(root, document.parent, name):
                        messages.append(f"{document.relative_to(root)}:{number}: names {name}, which does not exist")
    life = root / "docs" / "life-of-a-query.md"
    if life.is_file():
        text = life.read_text(encoding="utf-8")
        rooms = sorted(folder.name for folder in (root / "src").iterdir() if folder.is_dir())
        count += len(rooms)
        messages += [f"{life.relative_to(root)}: does not pass through the room {room}" for room in rooms if f"**{room}**" not in text]
    return messages, count


def updated(shown, printed):
    """The lines of a block as they are printed now; None when one is not there any more"""
    out, at = [], 0
    for line in shown:
        if line.endswith("...") or not line.strip():
            out.append(line)
            continue
        first = line.split()[0]
        at = next((i for i in range(at, len(printed)) if printed[i].split()[:1] == [first]), None)
        if at is None:
            return None
        out.append(printed[at])
        at += 1
    return out


def run_blocks(root, document, program, update=False):
    """Runs the sh blocks of one document; (messages, number of blocks run)"""
    _, blocks = split_document(document.read_text(encoding="utf-8"))
    kernel = program is not None and (program.resolve().parent / "chancel-kernel").exists()
    runnable = [(number, info, code) for number, info, code in blocks
                if info.split() in (["sh"], ["output"]) and (kernel or not NEEDS_KERNEL.search(code))]
    if not runnable:
        return [], 0
    name = document.relative_to(root)
    if program is None or not program.is_file():
        return [f"{name}: has commands to run, but the program is not built ({program})"], 0
    with tempfile.TemporaryDirectory(prefix="chancel-docs-") as folder:
        copy = pathlib.Path(folder) / "chancel"
        shutil.copytree(root, copy, ignore=NOT_COPIED, symlinks=True)
        (copy / "build" / "release").mkdir(parents=True)
        (copy / "build" / "release" / "chancel").symlink_to(program.resolve())
        environment = dict(os.environ, HOME=folder, PATH=f"{copy}/build/release:{os.environ['PATH']}")
        printed = []
        for number, info, code in runnable:
            if info == "output":
                shown = [line.rstrip() for line in code.splitlines()]
                if update and not occurs(shown, printed) and (now := updated(shown, printed)):
                    text = document.read_text(encoding="utf-8").replace("```output\n" + code, "```output\n" + "\n".join(now) + "\n", 1)
                    document.write_text(text, encoding="utf-8")
                    shown = now
                if not occurs(shown, printed):
                    return [f"{name}:{number}: the command does not print this, but:\n" + "\n".join(printed)], len(runnable)
                continue
            try:
                done = subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=copy, env=environment,
                                      stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                      timeout=TIMEOUT_SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return [f"{name}:{number}: this block took more than {TIMEOUT_SECONDS} s"], len(runnable)
            if done.returncode != 0:
                output = (done.stdout[-2000:] + done.stderr[-4000:]).strip()
                return [f"{name}:{number}: this block ended with {done.returncode}:\n{code}{output}"], len(runnable)
            printed = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
    return [], len(runnable)


def check_commands(root, program, pages=None, update=False):
    messages, count = [], 0
    for document in [root / page for page in pages] if pages else documents(root):
        found, blocks = run_blocks(root, document, program, update)
        messages += found
        count += blocks
    return messages, count


def same(shown, line):
    return shown == line or (shown.endswith("...") and line.startswith(shown[:-3]))


def occurs(block, lines):
    """Is the block a run of these lines? `...` passes over any number."""
    for start in range(len(lines)):
        at, gap, found = start, False, True
        for line in block:
            if line == "...":
                gap = True
                continue
            while gap and at < len(lines) and not same(line, lines[at]):
                at += 1
            gap = False
            if at >= len(lines) or not same(line, lines[at]):
                found = False
                break
            at += 1
        if found:
            return True
    return False


def indented_code(prose):
    """Numbers of the lines where an indented block of code begins"""
    content, blank = 0, True  # how far the text of the list item is indented that we are in
    for number, line in prose:
        item = re.match(r"\s*([-*+]|\d+\.)\s+", line)
        indent = len(line) - len(line.lstrip())
        if not line.strip():
            blank = True
            continue
        if item and indent < content + 4:
            content = item.end()
        elif indent < content:
            content = 0
        elif blank and indent >= content + 4:
            yield number
        blank = False


class Change:
    """One instruction of a page: a file to write, or lines to change in one"""

    def __init__(self, number, info, code):
        language, _, rest = info.partition(" ")
        self.number, self.file, self.code = number, rest.removesuffix("(new)").strip(), code
        self.new = rest.endswith("(new)")
        self.diff = language == "diff" and "/" in self.file

    def apply(self, root):
        """Makes the change in the tree at `root`; a message when it cannot be made"""
        path = root / self.file
        if self.new:
            if path.exists():
                return f"writes {self.file}, which exists already"
            path.write_text(self.code, encoding="utf-8")
            return None
        made, problem = self.changed(root)
        if not problem:
            path.write_text(made, encoding="utf-8")
        return problem

    def changed(self, root):
        """(the text of the file with the change made, None) or (None, why it cannot be made)"""
        path = root / self.file
        if not path.is_file():
            return None, f"changes {self.file}, which does not exist"
        lines = path.read_text(encoding="utf-8").splitlines()
        shown = self.code.splitlines()
        if any(line[:1] not in (" ", "+", "-", "") for line in shown):
            return None, "each line of a change begins with a space, + or -"
        before = [line[1:] for line in shown if not line.startswith("+")]
        places = [i for i in range(len(lines)) if before and lines[i:i + len(before)] == before]
        if len(places) != 1:
            return None, f"the old lines of this change stand at {len(places)} places of {self.file}"
        lines[places[0]:places[0] + len(before)] = [line[1:] for line in shown if not line.startswith("-")]
        return "\n".join(lines) + "\n", None


def instructions(document):
    """The changes that a page asks its reader to make, in their order"""
    _, blocks = split_document(document.read_text(encoding="utf-8"))
    return [c for c in (Change(*block) for block in blocks) if c.new or c.diff]


def check_snippets(root):
    def plain(text):
        return [line.strip() for line in text.splitlines() if line.strip()]

    def in_examples(ending, code):
        return any(occurs(plain(code), plain(f.read_text(encoding="utf-8"))) for f in (root / "examples").rglob("*" + ending))
    messages, count = [], 0
    for document in documents(root):
        prose, blocks = split_document(document.read_text(encoding="utf-8"))
        for number in indented_code(prose):
            messages.append(f"{document.relative_to(root)}:{number}: indented code: put it into a fenced block")
        for number, info, code in blocks:
            language, _, file = info.partition(" ")
            shown = "/" in file
            host = info in ("c", "cpp")
            recipe = info == "clojure" and document.parent.name == "cookbook"
            if not shown and not host and not recipe:
                continue
            count += 1
            change = Change(number, info, code)
            if change.new:
                if (root / change.file).exists():
                    messages.append(f"{document.relative_to(root)}:{number}: writes {change.file}, which exists already")
            elif change.diff:
                if problem := change.changed(root)[1]:
                    messages.append(f"{document.relative_to(root)}:{number}: {problem}")
            elif shown:
                if not (root / file).is_file():
                    messages.append(f"{document.relative_to(root)}:{number}: shows {file}, which does not exist")
                elif not occurs(plain(code), plain((root / file).read_text(encoding="utf-8"))):
                    messages.append(f"{document.relative_to(root)}:{number}: this code is not in {file}")
            elif not in_examples("." + language if host else ".clj", code):
                messages.append(f"{document.relative_to(root)}:{number}: this code is not in any program under examples")
    return messages, count


def check_lines(root):
    messages, count = [], 0
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(s for s in subfolders if not s.startswith(".") and s not in ("build", "node_modules"))
        for document in (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(".md")):
            prose, _ = split_document(document.read_text(encoding="utf-8"))
            count += len(prose)
            for number, line in prose:
                words = line.split()
                if len(line) > LONGEST_LINE and not line.lstrip().startswith("|") \
                        and max(map(len, words)) <= LONGEST_LINE - 20:
                    messages.append(f"{document.relative_to(root)}:{number}: {len(line)} characters, at most {LONGEST_LINE}")
    return messages, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", choices=["paths", "commands", "snippets", "lines", []], help="default: all")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--program", type=pathlib.Path, default=None)
    parser.add_argument("--page", action="append", help="commands: of this page alone; may be given several times")
    parser.add_argument("--update", action="store_true", help="commands: write what is printed now into the pages named with --page")
    options = parser.parse_args()
    root = options.root.resolve()
    program = options.program or root / "build" / "release" / "chancel"
    failed = False
    checks = {"paths": lambda: check_paths(root), "commands": lambda: check_commands(root, program, options.page, options.update and bool(options.page)),
              "snippets": lambda: check_snippets(root), "lines": lambda: check_lines(root)}
    for what in options.what or list(checks):
        messages, count = checks[what]()
        for message in messages:
            print(message)
        print(f"check_docs: {count} {what}, {len(messages)} wrong")
        failed = failed or bool(messages)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
