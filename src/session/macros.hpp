// SPDX-License-Identifier: Apache-2.0
// The macros of a program: functions that the machine of the top level calls while a form is translated. When the
// program is only checked they run for a moment, without files, and may fail for that.
#pragma once
#include <optional>
#include <unordered_map>

#include "session/library_linker.hpp"

namespace chancel {

class Macros {
 public:
  Macros(Evaluator& evaluator, Globals& globals, LibraryLinker& linker)
      : evaluator_(evaluator), globals_(globals), linker_(linker) {}
  bool contains(const Name* name) const { return macros_.contains(name); }
  // On failure both report to the sink.
  void define(const Name* name, core::Lambda* function);
  std::optional<Datum> expand(const Name* name, const Datum& form, DiagnosticSink& sink);
  // A check could not expand some, so names that they define are not known.
  bool left_some() const { return left_some_; }
  void visit(Evacuator& e);

 private:
  std::optional<Datum> not_expanded(const Name* macro, const Datum& form, Diagnostic why,
                                    DiagnosticSink& sink);

  Evaluator& evaluator_;
  Globals& globals_;
  LibraryLinker& linker_;
  std::unordered_map<const Name*, Value> macros_;  // closures in the host heap: roots
  bool left_some_ = false;
};

}  // namespace chancel
