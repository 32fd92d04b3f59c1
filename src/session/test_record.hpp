// SPDX-License-Identifier: Apache-2.0
// The tests of a program (deftest) and how they went: which there are, which one runs, what it is
// about, the counts. It holds names and numbers only; the functions are globals of the program.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/symbol.hpp"
#include "chancel/chancel.hpp"

namespace chancel {

struct TestRecord {
  struct Test {
    const Name* name;
    std::string file;
    std::int64_t line;
  };
  std::vector<Test>
      tests;  // in the order of their definition; the last definition of a name counts
  const Name* current = nullptr;
  std::vector<std::string> contexts;  // of testing, outermost first
  TestCounts counts;
  bool were_run = false;  // by the program itself, or from outside

  void add(const Name* name, std::string file, std::int64_t line) {
    std::erase_if(tests, [&](const Test& t) { return t.name == name; });
    tests.push_back({name, std::move(file), line});
  }
};

}  // namespace chancel
