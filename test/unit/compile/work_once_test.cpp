// SPDX-License-Identifier: Apache-2.0
// Which parts of a query are evaluated when a run starts, and what the query becomes.
#include "compile/work_once.hpp"

#include <algorithm>

#include "core/children.hpp"
#include "fixture.hpp"

namespace chancel {
namespace {

using core::Binding;
using core::Node;

class WorkOnce : public CompileTest {
 protected:
  // The library of this test has no distributions: a test may let + stand for one.
  Meaning resolve(const Name* name) override {
    Meaning m = CompileTest::resolve(name);
    if (!plus_is_distribution || name->full != "+") return m;
    static NativeDef made;
    made = *m.native;
    made.dist = reinterpret_cast<const DistType*>(&made);
    m.native = &made;
    return m;
  }
  bool plus_is_distribution = false;
  Node* sample() {
    auto* s = nodes.make<core::Sample>(Span{});
    s->dist = nodes.make<core::Const>(Span{}, Value::nil());
    return s;
  }
  Node* let(const Binding* name, Node* value, Node* body) {
    auto* out = nodes.make<core::Let>(Span{});
    out->bindings.emplace_back(name, value);
    out->body = body;
    return out;
  }
  const Binding* variable(const char* name) { return nodes.bind(intern(name), Span{}); }

  // The parts that are tried, as text; those in `fails` have no value. `query` becomes what the pass makes.
  std::vector<std::string> tried(core::Lambda*& query, const std::vector<std::string>& fails = {}) {
    std::vector<std::string> out;
    const core::Definitions definitions;
    const core::Effects effects(query, definitions,
                                [](const Name*) { return core::LibraryUse::Free; });
    PartNames names;
    KnownParts known;
    known.parts = evaluate_parts(
        query, effects, {{query->arities.front().params.front(), Value::integer(5)}}, nodes, *this,
        [&](const Node* part, const std::vector<Value>&,
            const std::function<core::Lambda*()>& function) -> std::optional<Value> {
          out.push_back(core::print(part));
          EXPECT_EQ(core::verify(function()), "");
          if (std::find(fails.begin(), fails.end(), out.back()) != fails.end()) return std::nullopt;
          return Value::integer(7);
        },
        names);
    query = with_known_parts(query, known, nodes);
    return out;
  }
  template <class Body>
  core::Lambda* query(Body&& body) {
    return core::as<core::Lambda>(lambda({"x"}, [&](const auto& p) { return body(p[0]); }));
  }
  std::string text(Node* node) { return core::print(node); }
};

TEST_F(WorkOnce, TheLargestPartsThatNeedNoDraw) {
  Node* part = nullptr;
  core::Lambda* q = query([&](const Binding* x) {
    part = call("+", {call("*", {local(x), number(2)}), number(1)});
    return call("vector", {sample(), part});
  });
  const std::string before = text(part);
  EXPECT_EQ(tried(q), std::vector<std::string>{before});
  EXPECT_EQ(text(q).find(before), std::string::npos);
  EXPECT_NE(text(q).find("known"), std::string::npos);
}

TEST_F(WorkOnce, PartsOfAPartThatHasNoValue) {
  Node *inner = nullptr, *outer = nullptr;
  core::Lambda* q = query([&](const Binding* x) {
    inner = call("*", {local(x), number(2)});
    outer = call("/", {inner, number(0)});
    return call("vector", {sample(), outer});
  });
  const std::vector<std::string> both = {text(outer), text(inner)};
  EXPECT_EQ(tried(q, {both[0]}), both);
  EXPECT_NE(text(q).find("(/ known"), std::string::npos) << text(q);
}

TEST_F(WorkOnce, VariablesWithKnownValuesAreData) {
  const Binding *a = variable("a"), *b = variable("b");
  Node *first = nullptr, *second = nullptr;
  core::Lambda* q = query([&](const Binding* x) {
    first = call("+", {local(x), number(1)});
    second = call("+", {local(a), number(1)});
    return let(a, first, let(b, sample(), call("vector", {local(b), second})));
  });
  const std::vector<std::string> both = {text(first), text(second)};
  EXPECT_EQ(tried(q), both);
  // Without the first there is nothing to know about the second.
  core::Lambda* again = query([&](const Binding* x) {
    return let(a, call("+", {local(x), number(1)}), let(b, sample(), local(b)));
  });
  const std::string alone =
      text(core::as<core::Let>(again->arities.front().body)->bindings[0].second);
  EXPECT_EQ(tried(again, {alone}), std::vector<std::string>{alone});
  EXPECT_EQ(text(again).find("known"), std::string::npos);
}

TEST_F(WorkOnce, WhatDependsOnADrawStays) {
  const Binding* a = variable("a");
  core::Lambda* q = query([&](const Binding* x) {
    return let(a, sample(), call("+", {local(a), local(x)}));
  });
  EXPECT_TRUE(tried(q).empty());
}

TEST_F(WorkOnce, DistributionsStayWhereTheyAre) {
  plus_is_distribution = true;
  core::Lambda* q = query([&](const Binding* x) {
    auto* s = nodes.make<core::Sample>(Span{});
    s->dist = call("+", {local(x), number(1)});
    return s;
  });
  EXPECT_TRUE(tried(q).empty());
}

TEST_F(WorkOnce, JumpsAreNotParts) {
  core::Lambda* q = query([&](const Binding* x) {
    auto* loop = nodes.make<core::Loop>(Span{});
    const Binding* i = variable("i");
    loop->bindings.emplace_back(i, number(0));
    auto* recur = nodes.make<core::Recur>(Span{});
    recur->target = loop;
    recur->args = {call("+", {local(x), number(1)})};
    loop->body = nodes.make<core::If>(Span{}, sample(), local(i), recur);
    return loop;
  });
  // Only what is passed on.
  const std::vector<std::string> parts = tried(q);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].rfind("(+ ", 0), 0u) << parts[0];
}

TEST_F(WorkOnce, LocalFunctionsGoAlong) {
  const Binding *f = variable("f"), *drawn = variable("drawn"), *g = variable("g");
  core::Lambda* q = query([&](const Binding* x) {
    Node* twice = lambda({"y"}, [&](const auto& p) { return call("*", {local(p[0]), number(2)}); });
    Node* with_draw = lambda({"y"}, [&](const auto& p) {
      return call("*", {local(p[0]), local(drawn)});
    });
    const auto apply = [&](const Binding* function) {
      auto* c = nodes.make<core::Call>(Span{});
      c->function = local(function);
      c->args = {local(x)};
      return c;
    };
    return let(f, twice,
               let(drawn, sample(), let(g, with_draw, call("vector", {apply(f), apply(g)}))));
  });
  const std::vector<std::string> parts = tried(q);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].rfind("(f.", 0), 0u) << parts[0];
}

}  // namespace
}  // namespace chancel
