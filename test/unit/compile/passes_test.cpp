// SPDX-License-Identifier: Apache-2.0
#include "compile/passes.hpp"

#include "compile/hoist.hpp"
#include "fixture.hpp"

namespace chancel {
namespace {

class Passes : public CompileTest {
 protected:
  // (observe (normal 0 1) 3), at a place of a text.
  core::Node* observe() {
    const std::uint32_t file = program.sources.add("text", "(observe (normal 0 1) 3)");
    auto* out = nodes.make<core::Observe>(Span{file, 0, 24});
    out->dist = call("normal", {number(0), number(1)});
    out->value = number(3);
    return out;
  }
  std::vector<std::string> run(CompileUnit& u, PassStage stage) {
    std::vector<std::string> seen;
    run_passes(u, stage, [&](const Pass& pass, const CompileUnit& now, double seconds) {
      EXPECT_GE(seconds, 0);
      seen.push_back(std::string(pass.name) + " " + (now.code ? "code" : core::print(now.node)));
    });
    return seen;
  }
};

TEST_F(Passes, AreAListInTheOrderOfTheirStages) {
  std::string list;
  PassStage stage = PassStage::Form;
  for (const Pass& pass : passes()) {
    list += std::string(pass.name) + " ";
    EXPECT_GE(pass.stage, stage);
    stage = pass.stage;
  }
  EXPECT_EQ(list, "simulate doqueries hoist once fuse fold emit ");
}

TEST_F(Passes, ObserversSeeEachPassOfAStageAndItsTime) {
  CompileUnit u = unit(call("+", {number(1), number(2)}));
  EXPECT_EQ(run(u, PassStage::Code),
            (std::vector<std::string>{"fuse " + core::print(call("+", {number(1), number(2)})),
                                      "fold " + core::print(number(3)), "emit code"}));
}

TEST_F(Passes, WithoutARequestNoPassTouchesAForm) {
  CompileUnit u = unit(observe());
  core::Node* const before = u.node;
  EXPECT_TRUE(run(u, PassStage::Form).empty());
  EXPECT_TRUE(run(u, PassStage::Query).empty());
  EXPECT_EQ(u.node, before);
}

TEST_F(Passes, SimulatePredictsWhatWasObserved) {
  ObserveRewriter observes(ObserveRewriter::To::Simulate);
  CompileUnit u = unit(observe());
  u.observes = &observes;
  const auto seen = run(u, PassStage::Form);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_NE(seen[0].find("(predict "), std::string::npos) << seen[0];
  EXPECT_EQ(seen[0].find("(observe "), std::string::npos) << seen[0];
  EXPECT_EQ(observes.lines(), std::vector<std::size_t>{1});
}

TEST_F(Passes, SimulateReportsFactorsWhereTheyStand) {
  ObserveRewriter observes(ObserveRewriter::To::Simulate);
  auto* factor = static_cast<core::Observe*>(observe());
  factor->dist = call("%factor", {number(-1)});
  CompileUnit u = unit(factor);
  u.observes = &observes;
  run_passes(u, PassStage::Form);
  ASSERT_EQ(sink.list().size(), 1u);
  EXPECT_EQ(sink.list()[0].code, Code::U003);
  EXPECT_EQ(sink.list()[0].span.end, 24u);
}

TEST_F(Passes, CallsOfDoqueryAreCheckedByTheirLiterals) {
  const auto keyword = [&](const char* name) {
    return nodes.make<core::Const>(Span{}, Value::keyword(intern(name)));
  };
  core::Node* doquery =
      call("doquery", {keyword("smc"), global("q"), number(1), keyword("a"), number(2)});
  core::Node* conditional = call(
      "conditional", {global("q"), keyword("lmh"), keyword("b"), global("x"), keyword("last")});
  core::Node* unknown_engine = call("doquery", {global("engine"), global("q")});
  CompileUnit u = unit(call("vector", {doquery, conditional, unknown_engine}));
  std::vector<std::string> seen;
  const core::DoqueryCheck check = [&](const core::DoqueryCall& c, DiagnosticSink&) {
    std::string text = c.engine->full;
    for (std::size_t i = 0; i < c.options.size(); i += 2) text += " " + c.options[i].name->full;
    seen.push_back(text);
  };
  u.doqueries = &check;
  run_passes(u, PassStage::Form);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::string>{"lmh b", "smc a"}));
}

TEST_F(Passes, HoistLeavesAQueryAloneThatHasNothingToMove) {
  auto* query = static_cast<core::Lambda*>(lambda({}, [&](const auto&) { return observe(); }));
  query->is_query = true;
  const core::Definitions definitions;
  const std::vector<const core::Binding*> captured;
  const core::LibraryUses uses = [](const Name*) { return core::LibraryUse::Free; };
  const QueryOrder order{definitions, uses, captured};
  CompileUnit u = unit(query);
  u.order = &order;
  EXPECT_EQ(run(u, PassStage::Query).size(), 1u);
  EXPECT_EQ(u.node, query);
}

// (query [] (let [a (sample d) b (sample d)] (do (observe a) b))): b is drawn after the observe.
TEST_F(Passes, HoistMakesAFunctionOfWhatTheQueryCaptures) {
  const core::Binding* around = nodes.bind(intern("around"), Span{});
  const core::Binding* a = nodes.bind(intern("a"), Span{});
  const core::Binding* b = nodes.bind(intern("b"), Span{});
  const auto draw = [&] {
    auto* sample = nodes.make<core::Sample>(Span{});
    sample->dist = call("normal", {local(around), number(1)});
    return sample;
  };
  auto* seen = nodes.make<core::Observe>(Span{});
  seen->dist = call("normal", {local(a), number(1)});
  seen->value = number(3);
  auto* body = nodes.make<core::Do>(Span{});
  body->body = {seen, local(b)};
  auto* let = nodes.make<core::Let>(Span{});
  let->bindings = {{a, draw()}, {b, draw()}};
  let->body = body;
  auto* query = static_cast<core::Lambda*>(lambda({}, [&](const auto&) { return let; }));
  query->is_query = true;
  const core::Definitions definitions;
  const std::vector<const core::Binding*> captured = {around};
  const core::LibraryUses uses = [](const Name*) { return core::LibraryUse::Free; };
  const QueryOrder order{definitions, uses, captured};
  CompileUnit u = unit(query);
  u.order = &order;
  run_passes(u, PassStage::Query);
  ASSERT_NE(u.node, query);
  EXPECT_EQ(static_cast<core::Lambda*>(u.node)->arities[0].params, captured);
  const std::string text = core::print(u.node);
  EXPECT_LT(text.find("(observe "), text.find("[b"));
}

}  // namespace
}  // namespace chancel
