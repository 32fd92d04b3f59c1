// SPDX-License-Identifier: Apache-2.0
// Top-level definition forms. Each handler adds what it makes to a list of top-level items, in the
// order in which they are to be evaluated. Records, distributions and processes are in records.cpp.
#pragma once
#include <vector>

#include "front/translator.hpp"

namespace chancel::front {

using DefinitionHandler = void (*)(Translator&, const Datum& form, std::vector<TopLevel>& out);

// The handler for a definition form, or null. Without names, only plain heads and those of
// clojure.core and Anglican are known.
DefinitionHandler definition_handler(const Datum& form, const Names* names = nullptr);
// The names that a definition form defines (also inside do, let and with-primitive-procedures),
// with the argument counts of functions.
struct DefinedName {
  const Name* name;
  Span span;
  std::vector<GlobalNames::ArgumentCount> arities;  // empty = unknown
  bool dynamic = false;                             // ^:dynamic
  bool is_private = false;                          // ^:private, defn-
};
void collect_definitions(const Datum& form, std::vector<DefinedName>& out, const Names& names);

// Shared by the handlers: the name as it is known among all globals (Names::own). Reports F008 and
// gives null unless items[1] is an unqualified symbol.
const Name* defined_name(Translator& t, const Datum& form, const char* shape);
void add_definition(Translator& t, const Datum& form, const Name* name, core::Node* value,
                    std::vector<TopLevel>& out);
// Index of the first part after name, docstring and attribute map; `doc` may be null.
std::size_t skip_documentation(const Datum& form, std::size_t from, std::string* doc);

// records.cpp
void define_distribution(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void define_process(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void define_record(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void define_protocol(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void extend_type(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void extend_protocol(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void add_record_forms(FormTable& table);  // reify
// multimethods.cpp
void define_multimethod(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void define_method(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void add_multimethod_forms(FormTable& table);
// testing.cpp
void define_test(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void add_testing_forms(FormTable& table);
// venture.cpp
void define_legacy_query(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void define_legacy_function(Translator& t, const Datum& form, std::vector<TopLevel>& out);
void add_legacy_forms(FormTable& table);  // anglican, lambda

}  // namespace chancel::front
