// SPDX-License-Identifier: Apache-2.0
// Core to bytecode, by the passes of compile/passes.hpp. Names are resolved through Library, which the session
// implements: user definitions first, then natives, then the prelude.
#pragma once
#include "bytecode/code.hpp"
#include "bytecode/program.hpp"
#include "core/core.hpp"
#include "diag/diagnostic.hpp"
#include "value/native.hpp"

namespace chancel {

class Library {
 public:
  virtual ~Library() = default;
  struct Meaning {
    enum Kind { Native, Constant, Variable } kind = Variable;
    const NativeDef* native = nullptr;
    Value constant = Value::nil();
    std::uint32_t variable = 0;
    bool library = false;  // the variable is a library function
  };
  // Compiles a prelude function first if the name is one.
  virtual Meaning resolve(const Name* name) = 0;
  // A native by name, whatever the program has redefined (for slow paths of instructions).
  virtual const NativeDef* native(const char* name) = 0;
  // Code of a query has been made; its closure holds the values of these variables in this order.
  virtual void made_query(core::Lambda*, const core::NodeArena&, FunctionProto*,
                          const std::vector<const core::Binding*>&) {}
};

// A function of no arguments that evaluates the node. Null when something went wrong (see the
// sink).
FunctionProto* compile_top_level(core::Node* node, core::NodeArena& nodes, Program& program,
                                 Library& library, DiagnosticSink& sink);

}  // namespace chancel
