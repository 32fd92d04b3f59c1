// SPDX-License-Identifier: Apache-2.0
// Types made by defdist, defproc, defrecord and defprotocol: field names and a method table. A
// RecordType belongs to the program that defines it and lives as long as the program; methods are
// global variables of the program, named by index, so that they are found in the program image of a
// run without being heap roots of their own.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "base/symbol.hpp"
#include "value/object.hpp"

namespace chancel {

// Host: a type of the library that stands for a class of Java; `class_name` says which.
enum class RecordKind : std::uint8_t { Plain, Distribution, Process, Host };

struct RecordType {
  const Name* name;  // as printed
  RecordKind kind = RecordKind::Plain;
  std::vector<const Name*> fields;    // parameters first, then bindings or process variables
  std::uint32_t parameter_count = 0;  // how many of the fields are constructor parameters (printed)
  // Method name -> index of a global variable.
  std::unordered_map<const Name*, std::uint32_t> methods;
  const char* class_name = nullptr;  // of a Host type

  int field_index(const Name* field) const {
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i] == field) return static_cast<int>(i);
    return -1;
  }
};

}  // namespace chancel
