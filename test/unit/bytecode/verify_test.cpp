// SPDX-License-Identifier: Apache-2.0
// The verifier must see each thing that it is there for: hand-made code with one mistake at a time.
#include "bytecode/verify.hpp"

#include <gtest/gtest.h>

#include "bytecode/code.hpp"

namespace chancel {
namespace {

class Verify : public ::testing::Test {
 protected:
  Program program;

  static std::string problem(std::vector<Instr> instrs, std::uint16_t frame_size = 4,
                             const Program* in = nullptr, std::uint16_t params = 0) {
    FunctionProto f;
    f.arities.push_back(std::make_unique<CodeBlock>());
    CodeBlock& code = *f.arities.back();
    code.proto = &f;
    code.params = params;
    code.frame_size = frame_size;
    code.spans.resize(instrs.size());
    code.instrs = std::move(instrs);
    code.constants = {Value::real(1.5)};
    return verify(f, in);
  }
  static constexpr Instr kReturn{Op::Return, 0, 0, 0};
  static Instr wide(Op op, std::uint16_t a, std::int32_t bc) {
    const auto w = static_cast<std::uint32_t>(bc);
    return {op, a, static_cast<std::uint16_t>(w & 0xffff), static_cast<std::uint16_t>(w >> 16)};
  }
};

TEST_F(Verify, RightCodePasses) {
  EXPECT_EQ(problem({wide(Op::LoadConst, 0, 0), kReturn}), "");
  EXPECT_EQ(problem({{Op::LoadNil, 0, 0, 0}, wide(Op::JumpIfFalse, 0, 1), kReturn, kReturn}), "");
  const Instr native = make_pointer_word(&program, 4);
  EXPECT_EQ(problem({{Op::Native2, 0, 1, 2}, native, kReturn}), "");
}

TEST_F(Verify, Registers) {
  EXPECT_EQ(problem({{Op::LoadNil, 4, 0, 0}, kReturn}), "LoadNil at 0: bad register");
  EXPECT_EQ(problem({{Op::Move, 0, 4, 0}, kReturn}), "Move at 0: bad register");
  EXPECT_EQ(problem({{Op::VectorNth, 0, 1, 4}, kReturn}), "VectorNth at 0: bad register");
  EXPECT_EQ(problem({wide(Op::LoadConst, 4, 0), kReturn}), "LoadConst at 0: bad register");
  EXPECT_EQ(problem({wide(Op::JumpIfTrue, 4, 0), kReturn}), "JumpIfTrue at 0: bad register");
  EXPECT_EQ(problem({{Op::JumpUnlessLt, 0, 4, 0}, kReturn}), "JumpUnlessLt at 0: bad register");
  EXPECT_EQ(problem({kReturn}, 4, nullptr, 5), "the parameters do not fit into the frame");
}

TEST_F(Verify, JumpTargets) {
  EXPECT_EQ(problem({wide(Op::Jump, 0, 1), kReturn}), "Jump at 0: bad jump target");
  EXPECT_EQ(problem({wide(Op::LoopJump, 0, -2)}), "LoopJump at 0: bad jump target");
  EXPECT_EQ(problem({wide(Op::LoopJump, 9, -1)}), "LoopJump at 0: bad live mark");
  // Into the extension word of an instruction.
  const Instr native = make_pointer_word(&program, 4);
  EXPECT_EQ(problem({wide(Op::Jump, 0, 1), {Op::Native1, 0, 1, 0}, native, kReturn}),
            "Jump at 0: bad jump target");
}

TEST_F(Verify, ConstantsAndCapturedValues) {
  EXPECT_EQ(problem({wide(Op::LoadConst, 0, 1), kReturn}), "LoadConst at 0: bad constant");
  EXPECT_EQ(problem({wide(Op::MakeClosure, 0, 0), kReturn}), "MakeClosure at 0: bad constant");
  EXPECT_EQ(problem({{Op::LoadCaptured, 0, 0, 0}, kReturn}),
            "LoadCaptured at 0: bad captured value");
  const Instr native = make_pointer_word(&program, 4);
  EXPECT_EQ(problem({{Op::GetCaptured, 0, 0, 1}, native, kReturn}),
            "GetCaptured at 0: bad captured value");
}

TEST_F(Verify, CallWindows) {
  EXPECT_EQ(problem({{Op::Call, 0, 1, 2}, kReturn}), "");
  EXPECT_EQ(problem({{Op::Call, 0, 1, 3}, kReturn}), "Call at 0: bad call window");
  EXPECT_EQ(problem({{Op::Apply, 0, 3, 0}, kReturn}), "Apply at 0: bad call window");
  EXPECT_EQ(problem({{Op::Try, 0, 2, 0}, kReturn}), "Try at 0: bad call window");
}

TEST_F(Verify, CheckpointsKnowTheirSiteAndWhatIsAlive) {
  const auto site_problem = [&](SiteWord site) {
    return problem({{Op::Sample, 0, 1, 0}, make_site_word(site), kReturn}, 4, &program);
  };
  EXPECT_EQ(site_problem({0, 2, 0}), "Sample at 0: bad site");
  program.add_site(SiteKind::Sample, {}, nullptr);
  EXPECT_EQ(site_problem({0, 2, 0}), "");
  EXPECT_EQ(site_problem({0, 2, 2}), "");
  EXPECT_EQ(site_problem({0, 5, 0}), "Sample at 0: bad live mark");
  EXPECT_EQ(site_problem({0, 2, 3}), "Sample at 0: bad live mark");
  EXPECT_EQ(problem({{Op::SampleDirect, 0, 1, 1}, make_site_word({0, 2, 0}), Instr{}, kReturn}, 4,
                    &program),
            "SampleDirect at 0: bad distribution");
  EXPECT_EQ(problem({{Op::Native1, 0, 1, 0}, make_pointer_word(&program, 5), kReturn}),
            "Native1 at 0: bad live mark");
}

TEST_F(Verify, Globals) {
  EXPECT_EQ(problem({wide(Op::LoadGlobal, 0, 0), kReturn}, 4, &program),
            "LoadGlobal at 0: bad global");
  EXPECT_EQ(problem({{Op::CallGlobal, 0, 0, 0}, instr_of(7), kReturn}, 4, &program),
            "CallGlobal at 0: bad global");
}

TEST_F(Verify, TheEnd) {
  EXPECT_EQ(problem({}), "no code");
  EXPECT_EQ(problem({{Op::LoadNil, 0, 0, 0}}), "code runs out after LoadNil");
  EXPECT_EQ(problem({{Op::Native1, 0, 1, 0}}), "code ends inside an instruction");
  EXPECT_EQ(problem({{Op::Count_, 0, 0, 0}}), "instruction 0 has no such operation");
}

}  // namespace
}  // namespace chancel
