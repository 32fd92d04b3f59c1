// SPDX-License-Identifier: Apache-2.0
// Functions and loops without draws as C: what is assumed of their arguments and of globals, and what is refused.
#include "native/functions.hpp"

#include "../hand_made_code.hpp"
#include "library/registry.hpp"

namespace chancel::native {
namespace {

class FunctionsTest : public HandMadeCode {
 protected:
  FunctionUnit unit{globals};
  Value slots[8] = {};  // the function itself, then its registers

  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  std::string translate(const FunctionProto* f, const std::vector<Value>& args) {
    slots[0] = closure(f);
    std::copy(args.begin(), args.end(), slots + 1);
    return unit.function(f->arities.front().get(), slots + 1, machine.context());
  }
};

TEST_F(FunctionsTest, TypesOfArgumentsAreAssumedAndThatOfTheResultIsFound) {
  const FunctionProto* const add = function(
      2, 2, {{Op::Add, 0, 0, 1}, make_pointer_word(find_native("+"), 2), {Op::Return, 0, 0, 0}});
  const std::string text = translate(add, {Value::real(1), Value::integer(2)});
  EXPECT_TRUE(contains(text, "static double function_0(cn_batch* b, double p0, int64_t p1);\n"));
  EXPECT_TRUE(contains(text, "int64_t entry(cn_batch* b, cn_value* registers)"));
  EXPECT_TRUE(unit.returns);
  ASSERT_EQ(unit.slots.size(), 2u);
  EXPECT_EQ(unit.slots[0].reg, 0);
  EXPECT_EQ(unit.slots[0].tag, Tag::Double);
  EXPECT_EQ(unit.slots[1].reg, 1);
  EXPECT_EQ(unit.slots[1].tag, Tag::Int);

  FunctionUnit other(globals);
  slots[1] = Value::integer(1);
  EXPECT_TRUE(contains(other.function(add->arities.front().get(), slots + 1, machine.context()),
                       "static int64_t function_0(cn_batch* b, int64_t p0, int64_t p1);\n"));
}

TEST_F(FunctionsTest, TheResultOfARecursionIsAFixedPoint) {
  const std::string text =
      translate(function(1, 4, countdown(Op::Call, find_native("-"))), {Value::integer(3)});
  EXPECT_TRUE(
      contains(text, "static int64_t function_0(cn_batch* b, cn_value self, int64_t p0);\n"));
  EXPECT_FALSE(contains(text, "function_1"));
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
  const std::string text = translate(scaled, {Value::real(1)});
  EXPECT_TRUE(contains(text, "b->globals["));  // its value may change, its tag may not
  ASSERT_EQ(unit.globals.size(), 1u);
  EXPECT_EQ(unit.globals[0].index, index);
  EXPECT_EQ(unit.globals[0].tag, Tag::Double);
}

TEST_F(FunctionsTest, DrawsAreRefused) {
  const std::uint32_t site = program.add_site(SiteKind::Sample, {}, nullptr);
  const FunctionProto* const draws =
      function(1, 2, {{Op::Sample, 1, 0, 0}, make_site_word({site, 1, 0}), {Op::Return, 1, 0, 0}});
  EXPECT_EQ(translate(draws, {Value::nil()}), "");
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
  const std::string text = unit.loop(code, &code->instrs[2], slots + 1, machine.context());
  EXPECT_TRUE(contains(text, "int64_t entry(cn_batch* b, cn_value* registers)"));
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
}  // namespace chancel::native
