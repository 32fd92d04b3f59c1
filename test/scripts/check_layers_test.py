#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_layers.py must catch what it is there to catch: include lines planted in a small tree."""
import pathlib
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "scripts"))
import check_layers  # noqa: E402

TABLE = """# Map
| room | takes | gives | may include | sees through them |
|---|---|---|---|---|
| `base` | - | words | nothing of ours | - |
| `value` | - | values | `base` | - |
| `vm` | code | runs | `base`, `value` | - |
| `infer` | runs | draws | `base`, `vm/execution.hpp` | - |
| `api` | all | door | `*` | - |
| `include` | - | - | nothing of ours | - |
| `tools`, `examples` | - | - | `include` | - |

A room has at most 3 files and 20 lines, as here.

- `vm`: a list.

## What follows

- `value`: no exception.
"""
CMAKE = """chancel_room(base)
chancel_room(value LINKS base PACKAGES fmt::fmt)
chancel_room(vm LINKS base value)
chancel_room(infer LINKS base vm PACKAGES fmt::fmt)
chancel_room(api LINKS base value vm infer
             PACKAGES fmt::fmt)
"""


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/README.md", TABLE)
        self.write("src/CMakeLists.txt", CMAKE)
        uses = {"value": ["base/base.hpp"], "vm": ["base/base.hpp", "value/value.hpp"],
                "infer": ["base/base.hpp", "vm/execution.hpp"]}
        for room in ("base", "value", "vm", "infer", "api"):
            self.write(f"src/{room}/{room}.hpp",
                       "#pragma once\n" + "".join(f'#include "{name}"\n' for name in uses.get(room, [])))
        self.write("include/chancel/chancel.hpp", "#include <vector>\n")

        self.write("src/vm/long.cpp", "\n" * 21)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def messages(self):
        return check_layers.check(self.root)[0]

    def test_allowed_includes_pass(self):
        self.write("src/vm/loop.cpp", '#include "vm/vm.hpp"\n#include "value/value.hpp"\n#include <fmt/core.h>\n')
        self.write("src/infer/smc.cpp", '#include "vm/execution.hpp"\n')
        self.write("src/api/door.cpp", '#include "infer/infer.hpp"\n#include "chancel/chancel.hpp"\n')
        self.write("tools/chancel/main.cpp", "#include <chancel/chancel.hpp>\n#include <fmt/core.h>\n")
        self.assertEqual(self.messages(), [])

    def test_functions_with_bits_of_the_machine(self):
        self.write("src/infer/weigh.cpp", "// std::exp(x)\ndouble f(double x) { return std::exp(x); }\n")
        self.assertIn("src/infer/weigh.cpp:2", "".join(self.messages()))
        self.write("src/infer/weigh.cpp", "double f(double x) { return math::exp(x) + std::sqrt(x); }\n")
        self.assertEqual(self.messages(), [])

    def test_entry_that_nothing_uses(self):
        self.write("src/README.md", TABLE.replace("`base`, `vm/execution.hpp`", "`base`, `value/value.hpp`, `vm/execution.hpp`"))
        self.write("src/CMakeLists.txt", CMAKE.replace("infer LINKS base vm", "infer LINKS base value vm"))
        (message,) = self.messages()
        self.assertEqual(message, "src/README.md: infer includes nothing of value/value.hpp: take it out of its row")

    def test_large_rooms(self):
        self.write("src/value/more.cpp", "\n" * 19)
        (message,) = self.messages()
        self.assertTrue(message.startswith("src/value: 2 files and 21 lines, a room has at most 3 and 20"), message)
        self.write("src/value/more.cpp", "")
        self.assertEqual(self.messages(), [])
        self.write("src/value/assets/a.js", "")
        self.write("src/value/assets/b.js", "")
        (message,) = self.messages()
        self.assertTrue(message.startswith("src/value: 4 files and 2 lines"), message)

    def test_large_rooms_that_are_none(self):
        self.write("src/vm/long.cpp", "")
        (message,) = self.messages()
        self.assertIn("vm is no larger than other rooms", message)
        self.write("src/vm/long.cpp", "\n" * 21)
        self.write("src/README.md", TABLE.replace("- `vm`: a list.", "- `vm`: a list.\n- `nowhere`: another."))
        (message,) = self.messages()
        self.assertIn("there is no room nowhere", message)
        self.write("src/README.md", TABLE.replace("at most 3 files", "few files"))
        (message,) = self.messages()
        self.assertIn("no sentence", message)

    def test_include_of_a_room_that_the_row_lacks(self):
        self.write("src/value/bad.cpp", '// a comment\n#include "vm/vm.hpp"\n')
        (message,) = self.messages()
        self.assertTrue(message.startswith("src/value/bad.cpp:2: value may not include vm/vm.hpp"), message)

    def test_base_knows_no_room(self):
        self.write("src/base/bad.hpp", "  #  include <value/value.hpp>\n")
        self.assertEqual(len(self.messages()), 1)

    def test_only_the_named_header(self):
        self.write("src/infer/bad.cpp", '#include "vm/frame.hpp"\n')
        self.assertEqual(len(self.messages()), 1)

    def test_more_of_a_room_seen_through_its_header(self):
        self.write("src/vm/execution.hpp", '#include "vm/parts.hpp"\n#include "value/value.hpp"\n')
        self.write("src/vm/parts.hpp", '#include "vm/frame.hpp"\n')
        self.write("src/vm/frame.hpp", "#pragma once\n")
        self.write("src/infer/smc.cpp", '#include "vm/execution.hpp"\n')
        self.assertEqual([m.split(" (")[0] for m in self.messages()],
                         ["src/infer: sees vm/frame.hpp through other headers",
                          "src/infer: sees vm/parts.hpp through other headers"])
        row = "| `infer` | runs | draws | `base`, `vm/execution.hpp` | {} |"
        self.write("src/README.md", TABLE.replace(row.format("-"), row.format("`vm/frame.hpp`, `vm/parts.hpp`")))
        self.assertEqual(self.messages(), [])

    def test_the_list_of_what_is_seen_holds_nothing_else(self):
        row = "| `infer` | runs | draws | `base`, `vm/execution.hpp` | {} |"
        self.write("src/README.md", TABLE.replace(row.format("-"), row.format("`vm/frame.hpp`")))
        (message,) = self.messages()
        self.assertIn("infer does not see vm/frame.hpp any more", message)

    def test_linked_libraries_are_those_of_the_row(self):
        self.write("src/CMakeLists.txt", CMAKE.replace("value LINKS base", "value LINKS base vm").replace("infer LINKS base", "infer LINKS"))
        self.assertEqual([m.split(",")[0] for m in self.messages()],
                         ["src/CMakeLists.txt: infer does not link base", "src/CMakeLists.txt: value links vm"])

    def test_api_links_every_room(self):
        self.write("src/CMakeLists.txt", CMAKE.replace("api LINKS base value", "api LINKS base"))
        self.assertEqual(len(self.messages()), 1)

    def test_relative_path_into_another_room(self):
        self.write("src/value/bad.cpp", '#include "../vm/vm.hpp"\n')
        self.assertEqual(len(self.messages()), 1)

    def test_deeper_folder_belongs_to_the_room(self):
        self.write("src/vm/parts/bad.cpp", '#include "infer/infer.hpp"\n')
        self.assertEqual(len(self.messages()), 1)

    def test_program_and_public_header_stay_outside_src(self):
        self.write("tools/chancel/bad.cpp", '#include "vm/vm.hpp"\n')
        self.write("include/chancel/bad.hpp", '#include "value/value.hpp"\n')
        self.write("examples/cpp/bad.cpp", '#include "../../src/base/base.hpp"\n')
        self.assertEqual(sum("may not include" in m for m in self.messages()), 3)

    def test_room_without_row(self):
        self.write("src/util/bad.cpp", "\n")
        self.assertEqual(len(self.messages()), 1)

    def test_circle_in_the_table(self):
        self.write("src/README.md", TABLE.replace("| words | nothing of ours |", "| words | `vm` |"))
        self.assertTrue(any("one another" in m for m in self.messages()))

    def test_missing_table(self):
        self.write("src/README.md", "# Map\n")
        self.assertEqual(len(self.messages()), 1)


if __name__ == "__main__":
    unittest.main()
