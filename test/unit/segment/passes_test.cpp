// SPDX-License-Identifier: Apache-2.0
// What each pass does to a segment made by hand. All leave a segment that keeps the rules.
#include "segment/passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "segment/builder.hpp"

namespace chancel::segment {
namespace {

class PassTest : public ::testing::Test {
 protected:
  Function f;
  Builder b{f};
  PassTest() { b.continue_in(b.new_block(true)); }
  ~PassTest() override { EXPECT_EQ(broken_rule(f), "") << print(f); }

  ValueId row(std::int64_t place, Type type) {
    return b.emit_typed(Opcode::LoadRow, type, {.number = place}, {});
  }
  ValueId common(std::int64_t place) {
    return b.emit_typed(Opcode::LoadCommon, Type::Any, {.number = place}, {});
  }
  ValueId real(double x) { return b.constant(Value::real(x)); }
  BlockId next(bool straight = false) {
    const BlockId block = b.new_block(straight);
    b.jump(block, {});
    b.continue_in(block);
    return block;
  }
  void finish(ValueId v) { b.effect(Opcode::Finish, {b.box(v)}); }
  std::size_t count(Opcode opcode) const {
    std::size_t n = 0;
    for (const Block& block : f.blocks) n += count(opcode, block);
    return n;
  }
  static std::size_t count(Opcode opcode, const Block& block) {
    return static_cast<std::size_t>(
        std::count_if(block.code.begin(), block.code.end(),
                      [&](const Instruction& i) { return i.opcode == opcode; }));
  }
};

TEST_F(PassTest, ParametersThatAllJumpsGiveTheSameGo) {
  const ValueId x = row(0, Type::Double), yes = row(1, Type::Bool);
  const BlockId loop = b.new_block(false), out = b.new_block(false);
  const ValueId p = b.parameter(loop, Type::Double), q = b.parameter(loop, Type::Double);
  b.jump(loop, {x, x});
  b.continue_in(loop);
  const ValueId more = b.emit(Opcode::Add, {q, real(1)});
  const BlockId again = b.new_block(false);
  b.branch(yes, again, out);
  b.continue_in(again);
  b.jump(loop, {p, more});
  b.continue_in(out);
  finish(b.emit(Opcode::Add, {p, q}));
  remove_parameters(f);
  EXPECT_EQ(f.blocks[loop].parameters, std::vector<ValueId>{q});
  EXPECT_EQ(f.blocks[out].code[0].operands, (std::vector<ValueId>{x, q}));
}

TEST_F(PassTest, CommonSubexpressionsAreComputedOnce) {
  const ValueId x = row(0, Type::Double);
  const ValueId one = b.emit(Opcode::Exp, {x});
  b.guard(b.emit(Opcode::Less, {one, x}));
  next();
  const ValueId two = b.emit(Opcode::Exp, {x});
  b.guard(b.emit(Opcode::Less, {two, x}));
  finish(b.emit(Opcode::Add, {one, two}));
  merge_common(f);
  EXPECT_EQ(count(Opcode::Exp), 1u);
  EXPECT_EQ(count(Opcode::Guard), 1u);
}

TEST_F(PassTest, WhatIsComputedOnOneWayOnlyIsNotCommon) {
  const ValueId x = row(0, Type::Double), yes = row(1, Type::Bool);
  const BlockId then = b.new_block(false), other = b.new_block(false);
  b.branch(yes, then, other);
  for (const BlockId block : {then, other}) {
    b.continue_in(block);
    finish(b.emit(Opcode::Exp, {x}));
  }
  merge_common(f);
  EXPECT_EQ(count(Opcode::Exp), 2u);
}

TEST_F(PassTest, DrawsAndObjectsAreNeverMerged) {
  const ValueId x = row(0, Type::Double), v = row(1, Type::Any);
  const ValueId a = b.emit(Opcode::DrawNormal, {x, x}), c = b.emit(Opcode::DrawNormal, {x, x});
  const ValueId d = b.emit(Opcode::Conj, {v, v}), e = b.emit(Opcode::Conj, {v, v});
  b.effect(Opcode::Predict, {d, e});
  finish(b.emit(Opcode::Add, {a, c}));
  merge_common(f);
  EXPECT_EQ(count(Opcode::DrawNormal), 2u);
  EXPECT_EQ(count(Opcode::Conj), 2u);
}

TEST_F(PassTest, WorkOnTheBatchLeavesCodeWhereParticlesDiffer) {
  const ValueId all = b.unbox(Type::Double, common(0)), mine = row(0, Type::Double);
  const ValueId vector = common(1);
  next();
  const ValueId log = b.emit(Opcode::Log, {all});
  const ValueId exp = b.emit(Opcode::Exp, {mine});
  const ValueId count_of = b.emit(Opcode::Count, {vector});  // it may not be a vector here
  b.guard(b.emit(Opcode::Less, {count_of, b.integer(9)}));
  finish(b.emit(Opcode::Add, {log, exp}));
  hoist(f);
  EXPECT_EQ(count(Opcode::Log, f.blocks[0]), 1u);
  EXPECT_EQ(f[log].rate, Rate::Batch);
  EXPECT_EQ(count(Opcode::Exp, f.blocks[0]), 1u);
  EXPECT_EQ(f[exp].rate, Rate::Family);
  EXPECT_EQ(count(Opcode::Count, f.blocks[0]), 0u);
}

TEST_F(PassTest, AllocationsSinkToTheWaysThatNeedThem) {
  const ValueId x = b.emit(Opcode::DrawNormal, {real(0), real(1)}), v = row(0, Type::Any);
  const ValueId log = b.emit(Opcode::Log, {x});
  const ValueId made = b.emit(Opcode::Conj, {v, b.box(log)});
  const BlockId then = b.new_block(false), other = b.new_block(false);
  b.branch(b.emit(Opcode::Less, {x, real(0)}), then, other);
  b.continue_in(then);
  b.effect(Opcode::Finish, {made});
  b.continue_in(other);
  finish(x);
  sink(f);
  EXPECT_EQ(count(Opcode::Conj, f.blocks[then]), 1u);
  EXPECT_EQ(count(Opcode::Log, f.blocks[then]), 1u);
}

TEST_F(PassTest, NothingSinksIntoALoop) {
  const ValueId x = b.emit(Opcode::DrawNormal, {real(0), real(1)});
  const ValueId log = b.emit(Opcode::Log, {x});
  const BlockId loop = next();
  b.effect(Opcode::Steps);
  const ValueId y = b.emit(Opcode::DrawNormal, {log, log});
  const BlockId again = b.new_block(false), out = b.new_block(false);
  b.branch(b.emit(Opcode::Less, {y, x}), again, out);
  b.continue_in(again);
  b.jump(loop, {});
  b.continue_in(out);
  finish(y);
  sink(f);
  EXPECT_EQ(count(Opcode::Log, f.blocks[loop]), 0u);
}

TEST_F(PassTest, OnlyObjectsThatNoParticleHoldsAreOnlyCommon) {
  // Point 1 has two common values: one that the batch makes, and one that it was given.
  const ValueId given = common(0);
  const ValueId made = b.emit(Opcode::Call, {.number = 0}, {given});
  const ValueId drawn = b.emit(Opcode::DrawNormal, {real(0), real(1)});
  const ValueId held = b.emit(Opcode::Conj, {row(0, Type::Any), b.box(drawn)});
  RestPlan plan;
  plan.common = 2;
  plan.pointers = 1;
  plan.together = true;
  b.rest(plan, {drawn, given, made, held});
  find_escapes(f);
  EXPECT_TRUE(f.rests[0].only_common);
  f.blocks[0].code.back().operands[3] = made;  // a particle has it, too
  find_escapes(f);
  EXPECT_FALSE(f.rests[0].only_common);
  f.blocks[0].code.back().operands[3] = given;  // there is one copy of that
  find_escapes(f);
  EXPECT_TRUE(f.rests[0].only_common);
}

TEST_F(PassTest, WhatIsNotNeededIsRemovedUnlessItMayFail) {
  const ValueId x = row(0, Type::Double), n = row(1, Type::Int);
  b.emit(Opcode::Exp, {x});
  b.emit(Opcode::Conj, {row(2, Type::Any), b.box(x)});
  b.emit(Opcode::AddInt, {n, n});  // overflow is an error
  const BlockId last = b.new_block(false);
  b.parameter(last, Type::Double);
  b.jump(last, {x});
  b.continue_in(last);
  finish(n);
  remove_dead(f);
  EXPECT_EQ(count(Opcode::Exp), 0u);
  EXPECT_EQ(count(Opcode::Conj), 0u);
  EXPECT_EQ(count(Opcode::AddInt), 1u);
  EXPECT_TRUE(f.blocks[last].parameters.empty());
}

TEST_F(PassTest, TheListRunsThoseThatAreWanted) {
  const ValueId x = row(0, Type::Double);
  b.emit(Opcode::Exp, {x});
  finish(x);
  run_passes(f, [](const Pass& p) { return p.name != "dead"; });
  EXPECT_EQ(count(Opcode::Exp), 1u);
  std::vector<std::string> seen;
  run_passes(f, {}, [&](const Pass& p, const Function&, double seconds) {
    EXPECT_GE(seconds, 0);
    seen.emplace_back(p.name);
  });
  EXPECT_EQ(count(Opcode::Exp), 0u);
  EXPECT_EQ(seen.size(), passes().size());
  EXPECT_TRUE(is_pass("cse"));
  EXPECT_FALSE(is_pass("sea"));
}

}  // namespace
}  // namespace chancel::segment
