// SPDX-License-Identifier: Apache-2.0
// Functions and loops without draws as segments: what is assumed of their arguments and of globals, and what is
// refused.
#include "segment/function_unit.hpp"

#include "../hand_made_code.hpp"
#include "library/registry.hpp"

namespace chancel::segment {
namespace {

class FunctionsTest : public HandMadeCode {
 protected:
  FunctionUnit unit{globals};
  Value slots[8] = {};  // the function itself, then its registers

  static bool has(const Function& f, Opcode opcode) {
    for (const Block& b : f.blocks)
      for (const Instruction& i : b.code)
        if (i.opcode == opcode) return true;
    return false;
  }
  std::vector<Function> lower(const FunctionProto* f, const std::vector<Value>& args) {
    slots[0] = closure(f);
    std::copy(args.begin(), args.end(), slots + 1);
    return unit.function(f->arities.front().get(), slots + 1, machine.context());
  }
};

TEST_F(FunctionsTest, TypesOfArgumentsAreAssumedAndThatOfTheResultIsFound) {
  const FunctionProto* const add = function(
      2, 2, {{Op::Add, 0, 0, 1}, make_pointer_word(find_native("+"), 2), {Op::Return, 0, 0, 0}});
  const std::vector<Function> made = lower(add, {Value::real(1), Value::integer(2)});
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].form, Form::Function);
  EXPECT_EQ(made[0].returns, Type::Double);
  EXPECT_EQ(made[0].parameters, (std::vector<Type>{Type::Double, Type::Int}));
  EXPECT_EQ(broken_rule(made[0]), "");
  EXPECT_TRUE(unit.returns);
  ASSERT_EQ(unit.slots.size(), 2u);
  EXPECT_EQ(unit.slots[0].reg, 0);
  EXPECT_EQ(unit.slots[0].tag, Tag::Double);
  EXPECT_EQ(unit.slots[1].reg, 1);
  EXPECT_EQ(unit.slots[1].tag, Tag::Int);

  FunctionUnit other(globals);
  slots[1] = Value::integer(1);
  const auto integers = other.function(add->arities.front().get(), slots + 1, machine.context());
  ASSERT_EQ(integers.size(), 1u);
  EXPECT_EQ(integers[0].returns, Type::Int);
}

TEST_F(FunctionsTest, TheResultOfARecursionIsAFixedPoint) {
  const std::vector<Function> made =
      lower(function(1, 4, countdown(Op::Call, find_native("-"))), {Value::integer(3)});
  ASSERT_EQ(made.size(), 1u);
  EXPECT_TRUE(made[0].takes_self);
  EXPECT_EQ(made[0].returns, Type::Int);
  EXPECT_TRUE(has(made[0], Opcode::CallFunction));
}

TEST_F(FunctionsTest, WhatIsReadOfAGlobalIsAnAssumption) {
  const std::uint32_t index = program.global(intern("scale"));
  globals[index] = Value::real(2);
  const FunctionProto* const scaled =
      function(1, 2,
               {wide(Op::LoadGlobal, 1, static_cast<std::int32_t>(index)),
                {Op::Mul, 0, 0, 1},
                make_pointer_word(find_native("*"), 2),
                {Op::Return, 0, 0, 0}});
  const std::vector<Function> made = lower(scaled, {Value::real(1)});
  ASSERT_EQ(made.size(), 1u);
  EXPECT_TRUE(has(made[0], Opcode::Global));  // its value may change, its tag may not
  ASSERT_EQ(unit.globals.size(), 1u);
  EXPECT_EQ(unit.globals[0].index, index);
  EXPECT_EQ(unit.globals[0].tag, Tag::Double);
}

TEST_F(FunctionsTest, DrawsAreRefused) {
  const std::uint32_t site = program.add_site(SiteKind::Sample, {}, nullptr);
  const FunctionProto* const draws =
      function(1, 2, {{Op::Sample, 1, 0, 0}, make_site_word({site, 1, 0}), {Op::Return, 1, 0, 0}});
  EXPECT_TRUE(lower(draws, {Value::nil()}).empty());
}

TEST_F(FunctionsTest, ALoopAssumesWhatIsLiveAtItsHead) {
  // Sums the integers below r0 into r2; r3 is dead there.
  const FunctionProto* const sum = function(1, 4,
                                            {wide(Op::LoadInt, 1, 0),      // 0
                                             wide(Op::LoadInt, 2, 0),      // 1
                                             {Op::JumpUnlessLt, 1, 0, 5},  // 2: to 8
                                             {Op::Add, 2, 2, 1},           // 3
                                             make_pointer_word(find_native("+"), 4),
                                             {Op::AddInt, 1, 1, 1},  // 5
                                             make_pointer_word(find_native("+"), 4),
                                             wide(Op::LoopJump, 4, -6),  // 7: to 2
                                             {Op::Return, 2, 0, 0}});
  const CodeBlock* const code = sum->arities.front().get();
  slots[0] = closure(sum);
  slots[1] = Value::integer(10);
  slots[2] = Value::integer(0);
  slots[3] = Value::real(0.5);
  slots[4] = Value::keyword(intern("dead"));
  const auto made = unit.loop(code, &code->instrs[2], slots + 1, machine.context());
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].form, Form::Loop);
  ASSERT_EQ(unit.slots.size(), 3u);
  for (std::int32_t r = 0; r < 3; ++r) EXPECT_EQ(unit.slots[static_cast<std::size_t>(r)].reg, r);
  EXPECT_EQ(unit.slots[2].tag, Tag::Double);
}

TEST_F(FunctionsTest, ACalleeHasOneVersionForEachCombinationOfTypes) {
  const FunctionProto* const f = function(1, 1, {{Op::Return, 0, 0, 0}});
  const CodeBlock* const code = f->arities.front().get();
  const std::size_t first = unit.callee(f, code, {Type::Int}).number;
  EXPECT_EQ(unit.callee(f, code, {Type::Int}).number, first);
  EXPECT_EQ(unit.callee(f, code, {Type::Double}).number, first + 1);
  EXPECT_FALSE(unit.callee(f, code, {Type::Int}).has_self);
}

}  // namespace
}  // namespace chancel::segment
