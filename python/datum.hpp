// SPDX-License-Identifier: Apache-2.0
// A copy of a program's value. A view of a value ends with the next draw, and Python objects cannot
// be made while another thread holds the interpreter lock, so draws are copied into data during the
// run and become Python objects afterwards:
//
//   nil                   None
//   numbers               int of any size, float (ratios too)
//   strings, characters   str
//   keywords              chancel.Keyword (a str)
//   lists, vectors        list; tuple as a key of a map or an element of a set
//   maps                  dict
//   sets                  frozenset
//   all else              str, as Clojure prints it
//
// Python takes more things to be equal than programs do ("a" and :a, 1 and 1.0 and true). Of keys of
// one map, or elements of one set, that it could not tell apart, all but one become chancel.Edn.
//
// The parts of a value lie in one array, each before its elements, so that nothing here recurses and
// any depth of nesting works. Python hashes recursively: what is nested deep inside a key becomes
// chancel.Edn, too.
#pragma once
#include <pybind11/pybind11.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::python {

struct Datum {
  enum class Kind : std::uint8_t {
    Nil,
    Boolean,
    Integer,
    BigInteger,
    Real,
    Text,
    Keyword,
    Edn,
    List,
    Map,
    Set
  };
  struct Part {
    Kind kind = Kind::Nil;
    bool is_key = false;      // of a map, an element of a set, or inside one
    bool is_changed = false;  // goes back as something else: ratios, characters, functions
    union {
      std::int64_t integer = 0;  // Boolean, Integer
      double real;
      std::size_t count;  // of the parts that follow: List, Set; Map: keys and values in turn
    };
    std::string text;  // Text, Keyword, Edn; of a BigInteger its bytes
  };
  std::vector<Part> parts;
  // Of keys that Python may take to be equal: what they are in a program, by their place in `parts`.
  std::map<std::size_t, std::string> edn;

  void add(std::int64_t value);
  void add(double value);
  void add(bool value);
  void add_list(std::size_t count);
};

Datum copy_value(const ValueView& value);
// Needs the interpreter.
pybind11::object to_python(const Datum& datum);

}  // namespace chancel::python
