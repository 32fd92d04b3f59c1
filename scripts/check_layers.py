#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when an #include goes against the room table of src/README.md.

The table is the rule and this script only reads it: the row of a room lists what its files may include, as room names
(`value`), single headers (`vm/execution.hpp`) or `*` for everything. A file may always include its own room. Files in
src/<room>/ belong to that room; include/, tools/, experiments/, examples/, python/ and studio/ are rooms of their own. The rooms
that are named whole must not form a circle. Run: scripts/check_layers.py [--root DIR]
"""
import argparse
import pathlib
import re
import sys

OUTER_ROOMS = ("include", "tools", "experiments", "examples", "python", "studio")
SUFFIXES = {".cpp", ".hpp", ".h", ".cc", ".def", ".inc"}
SKIP_FOLDERS = {"build", "node_modules", ".git"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_table(readme):
    """Room -> set of what it may include, from the rows `| room | takes | gives | may include |`."""
    table, column = {}, None
    for line in readme.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|"):
            column = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if "may include" in cells and cells[0] == "room":
            column = cells.index("may include")
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


def check(root):
    """(messages, number of files read)"""
    root = root.resolve()
    table = read_table(root / "src" / "README.md")
    if not table:
        return ["src/README.md: no table with the columns room and may include"], 0
    messages, count = [], 0
    circle = find_circle(table)
    if circle:
        messages.append("src/README.md: rooms include one another: " + " -> ".join(circle))
    folders = [(f, f.name) for f in sorted((root / "src").iterdir()) if f.is_dir()]
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
    return messages, count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    messages, count = check(parser.parse_args().root)
    for message in messages:
        print(message)
    print(f"check_layers: {count} files, {len(messages)} broken includes")
    return 1 if messages or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
