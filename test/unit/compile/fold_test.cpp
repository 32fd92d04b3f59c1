// SPDX-License-Identifier: Apache-2.0
// Constant folding: what becomes a constant, and what must not.
#include "compile/fold.hpp"

#include "fixture.hpp"

namespace chancel {
namespace {

class Fold : public CompileTest {
 protected:
  std::string folded(core::Node* node) {
    fold_constants(node, nodes, program, *this);
    EXPECT_EQ(core::verify(node), "");
    return core::print(node);
  }
};

TEST_F(Fold, CallsOfPureFunctionsOnConstants) {
  EXPECT_EQ(folded(call("+", {number(1), number(2)})), core::print(number(3)));
}

TEST_F(Fold, FromTheInsideOut) {
  EXPECT_EQ(folded(call("*", {call("+", {number(1), number(2)}), number(4)})),
            core::print(number(12)));
}

TEST_F(Fold, PartsOfACallThatStays) {
  core::Node* f = lambda({"x"}, [&](const auto& p) {
    return call("+", {local(p[0]), call("*", {number(2), number(3)})});
  });
  fold_constants(f, nodes, program, *this);
  const auto* body = static_cast<core::Call*>(static_cast<core::Lambda*>(f)->arities.front().body);
  ASSERT_EQ(body->kind, core::Kind::Call);
  EXPECT_EQ(body->args[0]->kind, core::Kind::Local);
  EXPECT_EQ(core::print(body->args[1]), core::print(number(6)));
}

TEST_F(Fold, WhatFailsStaysAndFailsAtItsPlace) {
  const std::string before = core::print(call("/", {number(1), number(0)}));
  EXPECT_EQ(folded(call("/", {number(1), number(0)})), before);
}

TEST_F(Fold, EffectsAndVariablesStay) {
  EXPECT_EQ(folded(call("println", {number(1)})), core::print(call("println", {number(1)})));
  EXPECT_EQ(folded(call("users-own", {number(1)})), core::print(call("users-own", {number(1)})));
  // As many arguments as the function takes, or it stays to fail.
  EXPECT_EQ(folded(call("sqrt", {})), core::print(call("sqrt", {})));
}

}  // namespace
}  // namespace chancel
