// SPDX-License-Identifier: Apache-2.0
// The compiler on hand-made core, with the natives of the library and no prelude.
#pragma once
#include <gtest/gtest.h>

#include "compile/passes.hpp"
#include "library/registry.hpp"

namespace chancel {

class CompileTest : public ::testing::Test, public Library {
 protected:
  Program program;
  core::NodeArena nodes;
  DiagnosticSink sink;

  Meaning resolve(const Name* name) override {
    Meaning m;
    if (const NativeDef* def = find_native(name->full)) {
      m.kind = Meaning::Native;
      m.native = def;
    } else {
      m.variable = program.global(name);
    }
    return m;
  }
  const NativeDef* native(const char* name) override { return find_native(name); }

  core::Node* number(std::int64_t n) { return nodes.make<core::Const>(Span{}, Value::integer(n)); }
  core::Node* global(const char* name) { return nodes.make<core::Global>(Span{}, intern(name)); }
  core::Node* local(const core::Binding* b) { return nodes.make<core::Local>(Span{}, b); }
  core::Node* call(const char* name, std::vector<core::Node*> args) {
    auto* c = nodes.make<core::Call>(Span{});
    c->function = global(name);
    c->args = std::move(args);
    return c;
  }
  // (fn [a b ...] body), with the parameters at hand.
  template <class Body>
  core::Node* lambda(std::vector<const char*> names, Body&& body) {
    auto* f = nodes.make<core::Lambda>(Span{});
    core::Arity arity;
    for (const char* name : names) arity.params.push_back(nodes.bind(intern(name), Span{}));
    arity.body = body(arity.params);
    f->arities.push_back(std::move(arity));
    return f;
  }

  CompileUnit unit(core::Node* node) { return {node, nodes, program, *this, sink}; }
};

}  // namespace chancel
