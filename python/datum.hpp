// SPDX-License-Identifier: Apache-2.0
// A copy of a program's value. A view of a value ends with the next draw, and Python objects cannot
// be made while another thread holds the interpreter lock, so draws are copied into data during the
// run and become Python objects afterwards:
//
//   nil                   None
//   numbers               int, float (ratios too)
//   strings, characters   str
//   keywords              chancel.Keyword (a str)
//   lists, vectors        list; tuple as a key of a map or an element of a set
//   maps                  dict
//   sets                  frozenset
//   all else              str, as Clojure prints it
#pragma once
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <vector>

#include "chancel/chancel.hpp"

namespace chancel::python {

struct Datum {
  enum class Kind : std::uint8_t { Nil, Boolean, Integer, Real, Text, Keyword, List, Map, Set };
  Kind kind = Kind::Nil;
  std::int64_t integer = 0;  // Boolean, Integer
  double real = 0;
  std::string text;          // Text, Keyword
  std::vector<Datum> items;  // List, Set; Map: keys and values in turn

  static Datum of(std::int64_t value);
  static Datum of(double value);
  static Datum of(bool value);
};

Datum copy_value(const ValueView& value);
// Needs the interpreter.
pybind11::object to_python(const Datum& datum, bool as_key = false);

}  // namespace chancel::python
