// SPDX-License-Identifier: Apache-2.0
// The rules of the form, what the builder folds, and segments as text.
#include "segment/ir.hpp"

#include <gtest/gtest.h>

#include "segment/builder.hpp"

namespace chancel::segment {
namespace {

class FormTest : public ::testing::Test {
 protected:
  Function f;
  Builder b{f};
  FormTest() { b.continue_in(b.new_block(true)); }
  ValueId row(std::int64_t place, Type type) {
    return b.emit_typed(Opcode::LoadRow, type, {.number = place}, {});
  }
  ValueId common(std::int64_t place) {
    return b.emit_typed(Opcode::LoadCommon, Type::Any, {.number = place}, {});
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(FormTest, RatesFollowOperandsInStraightBlocks) {
  const ValueId all = b.unbox(Type::Double, common(0)), family = row(0, Type::Double);
  EXPECT_EQ(b.rate(all), Rate::Batch);
  EXPECT_EQ(b.rate(b.emit(Opcode::Add, {all, all})), Rate::Batch);
  EXPECT_EQ(b.rate(family), Rate::Family);
  EXPECT_EQ(b.rate(b.emit(Opcode::Add, {all, family})), Rate::Family);
  const ValueId drawn = b.emit(Opcode::DrawNormal, {all, all});
  EXPECT_EQ(b.rate(drawn), Rate::Particle);
  const BlockId later = b.new_block(false);
  b.jump(later, {});
  b.continue_in(later);
  EXPECT_EQ(b.rate(b.emit(Opcode::Add, {all, all})), Rate::Particle);
  b.effect(Opcode::Leave);
  EXPECT_EQ(broken_rule(f), "");
}

TEST_F(FormTest, TheBuilderFoldsBoxesAndConstants) {
  const ValueId x = row(0, Type::Int);
  EXPECT_EQ(b.unbox(Type::Int, b.box(x)), x);
  EXPECT_NE(b.unbox(Type::Double, b.box(x)), x);  // other bits
  EXPECT_EQ(b.integer(3), b.integer(3));
  EXPECT_EQ(b.to_double(b.integer(3)), b.constant(Value::real(3)));
  EXPECT_TRUE(b.is_false(b.negation(b.constant(Value::boolean(true)))));
  const std::size_t before = f.size();
  b.guard(b.constant(Value::boolean(true)));
  EXPECT_EQ(f.size(), before);
}

TEST_F(FormTest, BrokenRulesAreNamed) {
  const ValueId x = row(0, Type::Double);
  EXPECT_TRUE(contains(broken_rule(f), "nothing ends the block"));
  b.effect(Opcode::Leave);
  EXPECT_EQ(broken_rule(f), "");
  Function wrong = f;
  wrong.blocks[0].code[0].operands = {x};  // of itself
  EXPECT_TRUE(contains(broken_rule(wrong), "before it is assigned"));
  wrong = f;
  wrong.blocks[0].code.insert(wrong.blocks[0].code.begin(), wrong.blocks[0].code[0]);
  EXPECT_TRUE(contains(broken_rule(wrong), "assigned twice"));
  wrong = f;
  wrong.values[x].rate = Rate::Batch;
  EXPECT_TRUE(contains(broken_rule(wrong), "rate"));
}

TEST_F(FormTest, OperandsHaveTheTypesOfTheOperation) {
  const ValueId x = row(0, Type::Double), n = row(1, Type::Int);
  b.emit(Opcode::Add, {x, n});
  b.effect(Opcode::Leave);
  EXPECT_TRUE(contains(broken_rule(f), "operands"));
}

TEST_F(FormTest, NothingOfTheBatchUsesAParticlesValue) {
  const ValueId x = row(0, Type::Double);
  b.emit(Opcode::Add, {x, x});
  b.effect(Opcode::Leave);
  f.blocks[0].code[1].rate = f.values[f.blocks[0].code[1].result].rate = Rate::Batch;
  EXPECT_TRUE(contains(broken_rule(f), "family rate"));
}

TEST_F(FormTest, JumpsGiveABlockItsParameters) {
  const ValueId x = row(0, Type::Double);
  const BlockId next = b.new_block(false);
  const ValueId p = b.parameter(next, Type::Double);
  b.jump(next, {x});
  b.continue_in(next);
  b.effect(Opcode::Finish, {b.box(p)});
  EXPECT_EQ(broken_rule(f), "");
  f.blocks[0].code.back().operands = {};
  EXPECT_TRUE(contains(broken_rule(f), "arguments"));
  f.blocks[0].code.back().operands = {b.integer(1)};
  EXPECT_TRUE(contains(broken_rule(f), "types of arguments"));
}

TEST_F(FormTest, EveryWayToAUseMustPassTheAssignment) {
  const ValueId yes = row(0, Type::Bool);
  const BlockId then = b.new_block(false), other = b.new_block(false), join = b.new_block(false);
  b.branch(yes, then, other);
  b.continue_in(then);
  const ValueId x = b.emit(Opcode::Exp, {b.constant(Value::real(1))});
  b.jump(join, {});
  b.continue_in(other);
  b.jump(join, {});
  b.continue_in(join);
  b.effect(Opcode::Finish, {b.box(x)});
  EXPECT_TRUE(contains(broken_rule(f), "before it is assigned"));
}

TEST_F(FormTest, TextNamesRatesTypesAndTargets) {
  const ValueId x = row(2, Type::Double);
  const ValueId y = b.emit(Opcode::Mul, {x, b.constant(Value::real(0.5))});
  const BlockId next = b.new_block(false);
  b.parameter(next, Type::Double);
  b.jump(next, {y});
  b.continue_in(next);
  b.effect(Opcode::Leave);
  const std::string text = print(f);
  EXPECT_TRUE(contains(text, "segment 0\n  b0, straight:\n")) << text;
  EXPECT_TRUE(contains(text, "family   v0 = load-row 2 : double")) << text;
  EXPECT_TRUE(contains(text, "family   v2 = mul v0, 0.5 : double")) << text;
  EXPECT_TRUE(contains(text, "jump v2 -> b1")) << text;
  EXPECT_TRUE(contains(text, "b1(v3 : double):\n    particle leave")) << text;
}

TEST(Operations, EachHasANameAndFlagsThatGoTogether) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(Opcode::Count_); ++k) {
    const OpcodeInfo& info = about(static_cast<Opcode>(k));
    EXPECT_FALSE(info.pure && (info.state || info.allocates || info.host || info.leaves))
        << info.name;
    EXPECT_FALSE(info.total && !info.pure) << info.name;
    EXPECT_FALSE(info.ends && (info.typed || info.result != Type::None)) << info.name;
  }
}

}  // namespace
}  // namespace chancel::segment
