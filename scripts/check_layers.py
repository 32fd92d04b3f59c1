#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include or a linked library goes against the room table of src/README.md.

The table is the rule and this script only reads it: the row of a room lists what its files may include, as room names
(`value`), single headers (`vm/execution.hpp`) or `*` for everything. A file may always include its own room. Where a
row names single headers of another room, the room must not see more of it through them: whatever headers of that room
are reached by way of other headers are listed in the column "sees through them", and all of that list is reached.
src/CMakeLists.txt links to a room the libraries of the rooms that its row names, no more and no fewer. Files in
src/<room>/ belong to that room; include/, tools/, experiments/, examples/, python/ and studio/ are rooms of their own. The rooms
that are named whole must not form a circle, and every entry of a row is used by an include. Rooms that may include math
call its exp and log, not those of <cmath>, where numbers of programs go through them (SAME_BITS). No room of src/ is
larger than src/README.md says, unless it is in the list that follows there. Run: scripts/check_layers.py [--root DIR]
"""
import argparse
import pathlib
import re
import sys

OUTER_ROOMS = ("include", "tools", "experiments", "examples", "python", "studio")
SUFFIXES = {".cpp", ".hpp", ".h", ".cc", ".def", ".inc"}
SKIP_FOLDERS = {"build", "node_modules", ".git"}
# Rooms whose results have the same bits on every machine, and functions of the C library whose bits depend on the processor.
SAME_BITS = ("random", "math", "dist", "record", "delay", "infer", "single_site", "gradient", "particles", "tempering", "engines",
             "library")
MACHINE_BITS = re.compile(r"std::(exp|log|log1p|expm1|pow)\(")
# "A room has at most 60 files and 8000 lines." and, in a list after it, the exceptions: "- `dist`: why".
ROOM_SIZE = re.compile(r"A room has at most (\d+) files and (\d+) lines[^\n]*\n((?:(?!\n#).)*)", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_table(readme, title="may include"):
    """Room -> set of what stands in a column of the rows `| room | takes | gives | may include | ... |`."""
    table, column = {}, None
    for line in readme.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if title in cells and cells[0] == "room":
            column = cells.index(title)
        elif column is not None and not set(cells[0]) <= set("-: "):
            allowed = set(re.findall(r"`([^`]+)`", cells[column]))
            for room in re.findall(r"`([^`]+)`", cells[0]):
                table[room] = allowed
    return table


def find_circle(table):
    """A list of rooms that include one another in a circle, or None. `*` rooms stand above all others."""
    state = {}

    def visit(room, path):
        state[room] = "open"
        for other in sorted(table.get(room, ())):
            if other not in table or other == room:
                continue
            if state.get(other) == "open":
                return path[path.index(other):] + [other] if other in path else [room, other]
            if other not in state:
                circle = visit(other, path + [other])
                if circle:
                    return circle
        state[room] = "done"
        return None

    for room in table:
        if room not in state:
            circle = visit(room, [room])
            if circle:
                return circle
    return None


def resolve(root, file, name, quoted):
    """The path inside our tree that an include names, relative to src/ or to the root; None when it is not ours."""
    if quoted and (file.parent / name).is_file():
        path = (file.parent / name).resolve()
        for base in (root / "src", root):
            if path.is_relative_to(base):
                return path.relative_to(base).as_posix()
        return path.as_posix()
    first = name.split("/")[0]
    if first == "chancel":
        return "include/" + name
    if (root / "src" / first).is_dir():
        return name
    return None


def check_file(root, file, room, table):
    """Yields one message for each include that the table does not allow."""
    allowed = table[room]
    text = file.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = resolve(root, file, match.group(2), match.group(1) == '"')
        if target is None:
            continue
        other = target.split("/")[0]
        if other == room or "*" in allowed or other in allowed or target in allowed:
            continue
        yield (f"{file.relative_to(root)}:{number}: {room} may not include {target}"
               f" (its row in src/README.md allows: {', '.join(sorted(allowed)) or 'nothing of ours'})")


def check_use(root, room, files, table):
    """Yields a message for each entry of a row that no file of the room makes use of."""
    used = set()
    for file in files:
        for match in filter(None, map(INCLUDE.match, file.read_text(encoding="utf-8", errors="replace").splitlines())):
            target = resolve(root, file, match.group(2), match.group(1) == '"')
            if target is not None:
                used |= {target, target.split("/")[0]}
    for entry in sorted(table[room] - used - {"*"}):
        yield f"src/README.md: {room} includes nothing of {entry}: take it out of its row"


def check_bits(root, file):
    """Yields a message for each call of a function whose bits depend on the processor."""
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        match = MACHINE_BITS.search(line.split("//")[0])
        if match:
            yield f"{file.relative_to(root)}:{number}: math::{match.group(1)} has the same bits everywhere, std::{match.group(1)} has not"


def check_size(root, rooms):
    """Yields a message for each room that is too large, and for each exception that is none."""
    match = ROOM_SIZE.search((root / "src" / "README.md").read_text(encoding="utf-8"))
    if not match:
        yield "src/README.md: no sentence \"A room has at most N files and M lines\""
        return
    most_files, most_lines = int(match.group(1)), int(match.group(2))
    exceptions = set(re.findall(r"^- `([^`]+)`", match.group(3), re.MULTILINE))
    for room in rooms:
        files = [f for f in (root / "src" / room).rglob("*") if f.is_file() and "__pycache__" not in f.parts]
        lines = sum(f.read_bytes().count(b"\n") for f in files)
        large = len(files) > most_files or lines > most_lines
        if large and room not in exceptions:
            yield (f"src/{room}: {len(files)} files and {lines} lines, a room has at most {most_files} and {most_lines}:"
                   " split it, or name it in src/README.md")
        if room in exceptions and not large:
            yield f"src/README.md: {room} is no larger than other rooms: take it out of the list"
        exceptions.discard(room)
    for room in sorted(exceptions):
        yield f"src/README.md: there is no room {room} that could be large"


def included(root, file):
    """The files of src/ that a file includes."""
    text = file.read_text(encoding="utf-8", errors="replace")
    for match in filter(None, map(INCLUDE.match, text.splitlines())):
        target = resolve(root, file, match.group(2), match.group(1) == '"')
        if target is not None and (root / "src" / target).is_file():
            yield target


def seen_from(root, files):
    """Every file of src/ that is reached from these files, directly or through others."""
    seen, open_ = set(), [t for f in files for t in included(root, f)]
    while open_:
        target = open_.pop()
        if target not in seen:
            seen.add(target)
            open_ += included(root, root / "src" / target)
    return seen


def check_view(root, room, files, table, sees):
    """Yields a message for each header of a room seen by parts only that is seen beyond what the table lists."""
    headers = {entry for entry in table[room] if "/" in entry}
    by_parts = {entry.split("/")[0] for entry in headers} - table[room]
    if not by_parts or "*" in table[room]:
        return
    seen = {t for t in seen_from(root, files) if t.split("/")[0] in by_parts}
    for target in sorted(seen - headers - sees.get(room, set())):
        yield (f"src/{room}: sees {target} through other headers"
               f" (its row in src/README.md lists: {', '.join(sorted(headers | sees.get(room, set())))})")
    for target in sorted(sees.get(room, set()) - seen):
        yield f"src/README.md: {room} does not see {target} any more: take it out of its row"


def check_links(root, table):
    """Yields a message for each library that src/CMakeLists.txt links without or in spite of the table."""
    makefile = root / "src" / "CMakeLists.txt"
    if not makefile.is_file():
        return
    rooms = {f.name for f in (root / "src").iterdir() if f.is_dir()}
    linked = {}
    for name, words in re.findall(r"^chancel_room\((\w+)([^)]*)\)", makefile.read_text(encoding="utf-8"), re.MULTILINE):
        match = re.search(r"\bLINKS\b(.*?)(?:\bPACKAGES\b|$)", words, re.DOTALL)
        linked[name] = set(match.group(1).split()) if match else set()
    for room in sorted(rooms & set(table)):
        named = {entry.split("/")[0] for entry in table[room]} & rooms
        if "*" in table[room]:
            named = (rooms & set(table)) - {room}
        for other in sorted(linked.get(room, set()) - named):
            yield f"src/CMakeLists.txt: {room} links {other}, which its row in src/README.md does not name"
        for other in sorted(named - linked.get(room, set())):
            yield f"src/CMakeLists.txt: {room} does not link {other}, which its row in src/README.md names"


def check(root):
    """(messages, number of files read)"""
    root = root.resolve()
    table = read_table(root / "src" / "README.md")
    if not table:
        return ["src/README.md: no table with the columns room and may include"], 0
    messages, count = list(check_links(root, table)), 0
    sees = read_table(root / "src" / "README.md", "sees through them")
    circle = find_circle(table)
    if circle:
        messages.append("src/README.md: rooms include one another: " + " -> ".join(circle))
    folders = [(f, f.name) for f in sorted((root / "src").iterdir()) if f.is_dir()]
    messages += check_size(root, [name for _, name in folders])
    folders += [(root / name, name) for name in OUTER_ROOMS if (root / name).is_dir()]
    for folder, room in folders:
        files = [f for f in sorted(folder.rglob("*")) if f.suffix in SUFFIXES and f.is_file()
                 and not SKIP_FOLDERS & set(f.relative_to(root).parts)]
        if files and room not in table:
            messages.append(f"{folder.relative_to(root)}: has no row in the table of src/README.md")
            continue
        for file in files:
            count += 1
            messages += check_file(root, file, room, table)
            if room in SAME_BITS and folder.parent.name == "src":
                messages += check_bits(root, file)
        if files:
            messages += check_use(root, room, files, table)
        if folder.parent.name == "src" and room in table:
            messages += check_view(root, room, files, table, sees)
    return messages, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    messages, count = check(parser.parse_args().root)
    for message in messages:
        print(message)
    print(f"check_layers: {count} files, {len(messages)} broken rules")
    return 1 if messages or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
