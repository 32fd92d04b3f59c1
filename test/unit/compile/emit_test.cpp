// SPDX-License-Identifier: Apache-2.0
// The emitter: which instructions come out, and that the verifier agrees with all of them.
#include "fixture.hpp"

namespace chancel {
namespace {

class Emit : public CompileTest {
 protected:
  // The instructions of the function that the node evaluates to, as names with one blank between.
  std::string ops(core::Node* node) {
    CompileUnit u = unit(node);
    run_passes(u, PassStage::Code);
    EXPECT_FALSE(sink.has_errors());
    EXPECT_EQ(broken_rule(u), "") << disassemble(*u.code);
    const FunctionProto* f = u.code;
    for (const Value& v : f->arities.front()->constants)
      if (v.is(Tag::Closure)) f = proto_of(v.as<Closure>());
    std::string out;
    const CodeBlock& code = *f->arities.front();
    for (std::size_t pc = 0; pc < code.instrs.size();
         pc += 1 + static_cast<std::size_t>(op_words(code.instrs[pc].op)))
      out += std::string(out.empty() ? "" : " ") + op_name(code.instrs[pc].op);
    return out;
  }
};

TEST_F(Emit, TheTopLevelKeepsItsFrame) { EXPECT_EQ(ops(number(7)), "LoadInt Return"); }

TEST_F(Emit, OperandsAreReadWhereTheyStand) {
  EXPECT_EQ(ops(lambda({"x", "y"},
                       [&](const auto& p) {
                         return call("*", {local(p[0]), local(p[1])});
                       })),
            "Mul Return");
  EXPECT_EQ(ops(lambda({"x"},
                       [&](const auto& p) {
                         return call("+", {local(p[0]), number(1)});
                       })),
            "AddInt Return");
}

TEST_F(Emit, ComparisonsAndJumpsAreOneInstruction) {
  EXPECT_EQ(ops(lambda({"x", "y"},
                       [&](const auto& p) {
                         return nodes.make<core::If>(Span{}, call("<", {local(p[0]), local(p[1])}),
                                                     local(p[0]), local(p[1]));
                       })),
            "JumpUnlessLt Return Return");
}

TEST_F(Emit, CallsInTailPositionOfTheUsersFunctionsAreTailCalls) {
  EXPECT_EQ(ops(lambda({"x"}, [&](const auto& p) { return call("users-own", {local(p[0])}); })),
            "LoadGlobal Move TailCall Return");
}

TEST_F(Emit, LoopsJumpBack) {
  EXPECT_EQ(ops(lambda({"n"},
                       [&](const auto& p) {
                         auto* loop = nodes.make<core::Loop>(Span{});
                         const core::Binding* i = nodes.bind(intern("i"), Span{});
                         loop->bindings.push_back({i, number(0)});
                         auto* again = nodes.make<core::Recur>(Span{});
                         again->target = loop;
                         again->args.push_back(call("+", {local(i), number(1)}));
                         loop->body = nodes.make<core::If>(
                             Span{}, call("<", {local(i), local(p[0])}), again, local(i));
                         return loop;
                       })),
            "LoadInt JumpUnlessLt AddInt LoopJump Return");
}

TEST_F(Emit, ClosuresCarryWhatTheyUse) {
  CompileUnit u = unit(lambda({"x"}, [&](const auto& outer) {
    return lambda({"y"}, [&](const auto& inner) {
      return call("+", {local(outer[0]), local(inner[0])});
    });
  }));
  run_passes(u, PassStage::Code);
  EXPECT_EQ(broken_rule(u), "");
  const FunctionProto* f = proto_of(u.code->arities.front()->constants.front().as<Closure>());
  ASSERT_EQ(f->arities.front()->functions.size(), 1u);
  const FunctionProto* inner = f->arities.front()->functions.front();
  ASSERT_EQ(inner->captures.size(), 1u);
  EXPECT_TRUE(inner->captures[0].from_local);
  EXPECT_EQ(inner->captures[0].index, 0);
}

TEST_F(Emit, CheckpointsHaveASite) {
  auto* sample = nodes.make<core::Sample>(Span{});
  sample->dist = global("some-dist");
  EXPECT_EQ(ops(sample), "LoadGlobal Sample Return");
  EXPECT_EQ(program.site_count(), 1u);
  EXPECT_EQ(program.site(0).kind, SiteKind::Sample);
}

TEST_F(Emit, TooManyParametersAreRefused) {
  std::vector<const char*> names(61, "p");
  CompileUnit u = unit(lambda(names, [&](const auto&) { return number(1); }));
  run_passes(u, PassStage::Code);
  ASSERT_TRUE(sink.has_errors());
  EXPECT_EQ(sink.list().front().code, Code::C001);
}

}  // namespace
}  // namespace chancel
