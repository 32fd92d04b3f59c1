// SPDX-License-Identifier: Apache-2.0
// Which registers are read again, on code made by hand.
#include "bytecode/liveness.hpp"

#include <gtest/gtest.h>

#include <set>

namespace chancel {
namespace {

using Registers = std::set<std::uint32_t>;

class LivenessTest : public ::testing::Test {
 protected:
  static constexpr std::uint16_t kFrame = 6;
  static constexpr Instr kWord{Op::Move, 0, 0, 0};  // stands for an extension word: not looked at

  CodeBlock code;

  Liveness of(std::vector<Instr> instrs) {
    code.frame_size = kFrame;
    code.instrs = std::move(instrs);
    return Liveness(code);
  }
  const Instr* at(std::size_t pc) const { return &code.instrs[pc]; }
  // The registers that are live before the instruction at `pc`.
  Registers live(const Liveness& l, std::size_t pc) const {
    Registers out;
    for (std::uint32_t r = 0; r < kFrame; ++r)
      if (l.live(at(pc), r)) out.insert(r);
    return out;
  }
  static Instr wide(Op op, std::uint16_t a, std::int32_t bc) {
    const auto w = static_cast<std::uint32_t>(bc);
    return {op, a, static_cast<std::uint16_t>(w & 0xffff), static_cast<std::uint16_t>(w >> 16)};
  }
};

TEST_F(LivenessTest, AValueIsLiveFromItsWriteToItsLastRead) {
  const Liveness l = of({wide(Op::LoadInt, 0, 1),  // 0
                         wide(Op::LoadInt, 1, 2),  // 1
                         {Op::Add, 2, 0, 1},       // 2
                         kWord,
                         {Op::Return, 2, 0, 0}});  // 4
  EXPECT_EQ(live(l, 0), Registers{});
  EXPECT_EQ(live(l, 1), Registers{0});
  EXPECT_EQ(live(l, 2), (Registers{0, 1}));
  EXPECT_EQ(live(l, 4), Registers{2});
}

TEST_F(LivenessTest, AValueThatIsOverwrittenIsDead) {
  const Liveness l = of({{Op::Move, 0, 1, 0}, {Op::Move, 0, 2, 0}, {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(l, 0), (Registers{1, 2}));
  EXPECT_EQ(live(l, 1), Registers{2});
}

TEST_F(LivenessTest, BeforeABranchLiesWhatEitherSideReads) {
  const Liveness l = of({wide(Op::JumpIfFalse, 0, 1),  // 0: to 2
                         {Op::Return, 1, 0, 0},        // 1
                         {Op::Return, 2, 0, 0}});      // 2
  EXPECT_EQ(live(l, 0), (Registers{0, 1, 2}));
  EXPECT_EQ(live(l, 1), Registers{1});
  EXPECT_EQ(live(l, 2), Registers{2});
  EXPECT_TRUE(l.has_several_returns());
  EXPECT_FALSE(l.is_join(at(2)));
}

TEST_F(LivenessTest, ALoopKeepsWhatItsNextTurnReads) {
  const Liveness l = of({wide(Op::LoadInt, 2, 0),                                  // 0
                         {Op::JumpUnlessLt, 0, 1, static_cast<std::uint16_t>(5)},  // 1: to 7
                         {Op::AddInt, 3, 0, 1},                                    // 2
                         kWord,                                                    //
                         {Op::Move, 4, 3, 0},                                      // 4: never read
                         {Op::Move, 0, 3, 0},                                      // 5
                         wide(Op::LoopJump, 0, -6),                                // 6: to 1
                         {Op::Return, 2, 0, 0}});                                  // 7
  EXPECT_EQ(live(l, 0), (Registers{0, 1}));
  EXPECT_EQ(live(l, 1), (Registers{0, 1, 2}));
  EXPECT_EQ(live(l, 5), (Registers{1, 2, 3}));
  EXPECT_EQ(live(l, 6), (Registers{0, 1, 2}));
  EXPECT_EQ(live(l, 7), Registers{2});
  EXPECT_TRUE(l.is_join(at(1)));  // from before the loop, and from its end
  EXPECT_FALSE(l.has_several_returns());
  EXPECT_EQ(written_between(code, at(1), at(6)),
            (std::vector<bool>{true, false, false, true, true, false, false}));
}

TEST_F(LivenessTest, ACallReadsItsWindow) {
  const Liveness call = of({{Op::Call, 0, 2, 2}, {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(call, 0), (Registers{2, 3, 4}));  // the function and two arguments
  const Liveness global = of({{Op::CallGlobal, 0, 2, 2}, kWord, {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(global, 0), (Registers{3, 4}));
  // A tail call of what is not a closure comes back with its value in a.
  const Liveness tail = of({{Op::TailCall, 1, 2, 0}, {Op::Return, 1, 0, 0}});
  EXPECT_EQ(live(tail, 0), (Registers{1, 2}));
}

TEST_F(LivenessTest, CheckpointsReadTheirOperandsAndTheirName) {
  const Liveness observe =
      of({{Op::ObserveDirect, 0, 1, 2}, make_site_word({7, 0, 6}), kWord, {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(observe, 0), (Registers{1, 2, 3, 5}));  // two parameters, the value, the name
  const Liveness sample =
      of({{Op::Sample, 0, 1, 0}, make_site_word({7, 0, 0}), {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(sample, 0), Registers{1});
}

TEST_F(LivenessTest, TheFunctionIsNeededForWhatItHasCaptured) {
  const Liveness captured = of({wide(Op::LoadCaptured, 0, 0), {Op::Return, 0, 0, 0}});
  EXPECT_TRUE(captured.needs_function(at(0)));
  EXPECT_FALSE(captured.needs_function(at(1)));

  FunctionProto inner;
  inner.captures = {{true, 3}, {false, 0}};
  code.functions = {&inner};
  const Liveness closure = of({wide(Op::MakeClosure, 0, 0), {Op::Return, 0, 0, 0}});
  EXPECT_EQ(live(closure, 0), Registers{3});
  EXPECT_TRUE(closure.needs_function(at(0)));
  inner.captures = {{true, 3}};
  EXPECT_FALSE(of({wide(Op::MakeClosure, 0, 0), {Op::Return, 0, 0, 0}}).needs_function(at(0)));
}

TEST_F(LivenessTest, ReducingAVectorReadsItsFourRegistersInEachTurn) {
  const Liveness l = of({{Op::ReduceVector, 1, 0, 0}, {Op::Return, 2, 0, 0}});
  EXPECT_EQ(live(l, 0), (Registers{1, 2, 3, 4}));
  EXPECT_EQ(live(l, 1), Registers{2});
  EXPECT_EQ(written_between(code, at(0), at(0)),
            (std::vector<bool>{false, false, true, false, true, false, false}));
}

}  // namespace
}  // namespace chancel
