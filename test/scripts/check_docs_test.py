#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_docs.py must catch a file that does not exist, a command that fails or prints something else, code that
differs from its file or is not fenced, and a line that is too long."""
import pathlib
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
import check_docs  # noqa: E402


class CheckDocs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("models/hmm/hmm.clj", "(+ 1 2)\n")
        self.write("src/vm/execution.hpp", "")
        self.program = self.write("build/release/chancel", '#!/bin/sh\ncat "$@"\n')
        self.program.chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def paths(self, text):
        self.write("README.md", text)
        return check_docs.check_paths(self.root)[0]

    def commands(self, text):
        self.write("docs/page.md", text)
        return check_docs.check_commands(self.root, self.program)

    def test_paths_that_exist(self):
        self.assertEqual(self.paths("`models/hmm/hmm.clj` `vm/execution.hpp` `models/*/` `vm/{execution}.hpp`\n"
                                    "`models/<name>/` `build/release/x` `Math/sqrt` `a/b` [hmm](models/hmm/hmm.clj#top)\n"
                                    "[web](https://example.org) `README.md`\n"), [])

    def test_paths_that_do_not(self):
        found = self.paths("fine\n`models/hmm/none.clj` and `src/{vm,none}` and [x](docs/none.md) and `none.md`\n")
        self.assertEqual(len(found), 4)
        self.assertTrue(found[0].startswith("README.md:2: names models/hmm/none.clj"), found)

    def test_life_of_a_query_passes_through_all_rooms(self):
        self.write("docs/life-of-a-query.md", "**vm** runs\n")
        self.assertEqual(self.paths(""), [])
        self.write("src/core/a.hpp", "")
        self.assertEqual(self.paths(""), ["docs/life-of-a-query.md: does not pass through the room core"])

    def test_fenced_text_is_not_read_for_paths(self):
        self.assertEqual(self.paths("```text\n`models/none`\n```\n"), [])

    def test_blocks_run_in_order_with_the_program(self):
        messages, count = self.commands("```sh\nchancel models/hmm/hmm.clj > out\n```\ntext\n"
                                        "```sh\ngrep -q '(+ 1 2)' out && build/release/chancel out\n```\n")
        self.assertEqual((messages, count), ([], 2))
        self.assertFalse((self.root / "out").exists(), "commands must run in a copy")

    def test_failing_block(self):
        messages, _ = self.commands("text\n```sh\nchancel models/none.clj\necho after\n```\n")
        self.assertEqual(len(messages), 1)
        self.assertTrue(messages[0].startswith("docs/page.md:2: this block ended with"), messages)

    def test_failure_inside_a_pipe(self):
        self.assertEqual(len(self.commands("```sh\nfalse | cat\n```\n")[0]), 1)

    def test_output(self):
        command = "```sh\nprintf 'one  \\ntwo 2\\nthree\\nfour\\n'\n```\n"
        for shown in ("one\ntwo 2", "three", "one\n...\nfour", "two ...\nthree"):
            self.assertEqual(self.commands(command + f"```output\n{shown}\n```\n")[0], [], shown)
        for shown in ("two 3", "one\nthree", "four\n...\none", "tow ..."):
            messages = self.commands(command + f"```output\n{shown}\n```\n")[0]
            self.assertEqual(len(messages), 1, shown)
            self.assertTrue(messages[0].startswith("docs/page.md:4: the command does not print this"), messages)

    def test_outputs_are_brought_up_to_date(self):
        command = "```sh\nprintf 'x\n:mu  1.25\n\n:sd  2\nend\n'\n```\n"
        self.write("docs/page.md", command + "```output\n:mu  1\n\n:sd ...\n```\ntext\n```output\nend\n```\n")
        self.assertEqual(check_docs.check_commands(self.root, self.program, ["docs/page.md"], True), ([], 3))
        self.assertEqual((self.root / "docs/page.md").read_text(),
                         command + "```output\n:mu  1.25\n\n:sd ...\n```\ntext\n```output\nend\n```\n")
        self.write("docs/page.md", command + "```output\n:gone  1\n```\n")
        self.assertEqual(len(check_docs.check_commands(self.root, self.program, ["docs/page.md"], True)[0]), 1)

    def test_snippets(self):
        self.write("examples/cpp/a.cpp", "int a;\nint main() {\n  int b = 1;\n  return b;\n}\n")
        self.write("docs/page.md", "```cpp\nint b = 1;\nreturn b;\n```\n```cpp\nint a;\n...\nreturn b;\n```\n")
        self.assertEqual(check_docs.check_snippets(self.root), ([], 2))
        self.write("docs/page.md", "```cpp\nint b = 2;\n```\n```cpp\nint a;\nreturn b;\n```\n")
        self.assertEqual(len(check_docs.check_snippets(self.root)[0]), 2)
        self.write("docs/page.md", "```clojure\n(+ 1 2)\n```\n")
        self.write("docs/cookbook/page.md", "```clojure\n(+ 1 2)\n```\n")
        self.assertEqual(len(check_docs.check_snippets(self.root)[0]), 1)
        self.write("examples/sum.clj", ";; A sum.\n(+ 1 2)\n")
        self.assertEqual(check_docs.check_snippets(self.root), ([], 1))

    def test_code_of_a_file(self):
        self.write("src/dist/a.cpp", "int a;\nint b;\nint c;\n")
        self.write("docs/page.md", "1. List:\n\n   ```cpp src/dist/a.cpp\n   int a;\n   ...\n   int c;\n   ```\n")
        self.assertEqual(check_docs.check_snippets(self.root), ([], 1))
        self.write("docs/page.md", "```cpp src/dist/a.cpp\nint d;\n```\n```cpp src/dist/none.cpp\nint a;\n```\n")
        self.assertEqual(check_docs.check_snippets(self.root)[0],
                         ["docs/page.md:1: this code is not in src/dist/a.cpp",
                          "docs/page.md:4: shows src/dist/none.cpp, which does not exist"])

    def test_instructions(self):
        self.write("src/dist/a.def", "one\n  two\nthree\ntwo\n")
        page = self.write("docs/page.md", "1. Item:\n\n   ```cpp src/dist/b.cpp (new)\n   int b {\n     c;\n   ```\n\n"
                          "   ```diff src/dist/a.def\n      two\n   +  2.5\n   -three\n   ```\n")
        self.assertEqual(check_docs.check_snippets(self.root), ([], 2))
        changes = check_docs.instructions(page)
        self.assertEqual([change.apply(self.root) for change in changes], [None, None])
        self.assertEqual((self.root / "src/dist/b.cpp").read_text(encoding="utf-8"), "int b {\n  c;\n")
        self.assertEqual((self.root / "src/dist/a.def").read_text(encoding="utf-8"), "one\n  two\n  2.5\ntwo\n")
        self.assertEqual([m.split(": ")[1] for m in check_docs.check_snippets(self.root)[0]],
                         ["writes src/dist/b.cpp, which exists already",
                          "the old lines of this change stand at 0 places of src/dist/a.def"])

    def test_instructions_that_cannot_be_followed(self):
        self.write("src/dist/a.def", "one\ntwo\none\n")
        for change, problem in ((" one\n+more", "the old lines of this change stand at 2 places of src/dist/a.def"),
                                ("+more", "the old lines of this change stand at 0 places of src/dist/a.def"),
                                ("one\n+more", "each line of a change begins with a space, + or -")):
            self.write("docs/page.md", f"```diff src/dist/a.def\n{change}\n```\n")
            self.assertEqual(check_docs.check_snippets(self.root)[0], [f"docs/page.md:1: {problem}"])
        self.write("docs/page.md", "```diff src/dist/none.def\n one\n+more\n```\n")
        self.assertEqual(check_docs.check_snippets(self.root)[0],
                         ["docs/page.md:1: changes src/dist/none.def, which does not exist"])

    def test_indented_code(self):
        self.write("docs/page.md", "Text:\n\n    int a;\n\n1. Item\n\n   more of it\n\n       int b;\n")
        self.assertEqual([m.split(" ")[0] for m in check_docs.check_snippets(self.root)[0]],
                         ["docs/page.md:3:", "docs/page.md:9:"])
        self.write("docs/page.md", "Text\n    goes further\n\n- item\n  - item\n\n    more\n")
        self.assertEqual(check_docs.check_snippets(self.root)[0], [])

    def test_lines(self):
        long = "word " * 23 + "words"  # 120 characters
        self.write("README.md", f"{long[:-1]}\n| {long} |\n```text\n{long}\n```\nsee <https://example.org/{'a' * 100}>\n")
        self.write("build/notes.md", long)
        self.assertEqual(check_docs.check_lines(self.root)[0], [])
        self.write("models/hmm/README.md", f"short\n{long}\n")
        self.assertEqual(check_docs.check_lines(self.root)[0], ["models/hmm/README.md:2: 120 characters, at most 119"])

    def test_marked_blocks_do_not_run(self):
        self.assertEqual(self.commands("```sh no-run\nfalse\n```\n```console\n$ false\n```\n```text\nfalse\n```\n"), ([], 0))

    def test_program_not_built(self):
        self.program.unlink()
        self.assertEqual(len(self.commands("```sh\ntrue\n```\n")[0]), 1)


if __name__ == "__main__":
    unittest.main()
