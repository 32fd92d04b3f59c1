// SPDX-License-Identifier: Apache-2.0
// A value of a program that belongs to us: views of values end with the next draw, and Python
// objects cannot be made while the interpreter is not ours. Draws are copied into data while the
// run goes on, and become Python objects afterwards.
//   nil -> None    numbers -> int, float (ratios too)    strings, characters -> str    keywords ->
//   chancel.Keyword (a str) lists, vectors -> list    maps -> dict    sets -> frozenset    all else
//   -> str, as Clojure prints it
// Keys of maps and elements of sets must not change, so that lists become tuples there.
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
