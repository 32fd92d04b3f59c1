// SPDX-License-Identifier: Apache-2.0
// The verifier finds what is broken, the printer shows it, and the rewrites keep meaning.
#include <gtest/gtest.h>

#include "core/children.hpp"
#include "core/core.hpp"
#include "core/rewrite.hpp"

namespace chancel::core {

class CoreTest : public ::testing::Test {
 protected:
  Node* number(std::int64_t n) { return nodes.make<Const>(Span{}, Value::integer(n)); }
  Node* global(const char* name) { return nodes.make<Global>(Span{}, intern(name)); }
  Node* local(const Binding* b) { return nodes.make<Local>(Span{}, b); }
  const Binding* bind(const char* name) { return nodes.bind(intern(name), {}); }
  Call* call(Node* f, std::vector<Node*> args) {
    auto* c = nodes.make<Call>(Span{});
    c->function = f;
    c->args = std::move(args);
    return c;
  }
  Let* let(const Binding* b, Node* value, Node* body) {
    auto* l = nodes.make<Let>(Span{});
    l->bindings.emplace_back(b, value);
    l->body = body;
    return l;
  }
  Do* sequence(std::vector<Node*> parts) {
    auto* d = nodes.make<Do>(Span{});
    d->body = std::move(parts);
    return d;
  }
  Loop* loop(const Binding* b, Node* value) {
    auto* l = nodes.make<Loop>(Span{});
    l->bindings.emplace_back(b, value);
    return l;
  }
  Recur* recur(Loop* target, std::vector<Node*> args) {
    auto* r = nodes.make<Recur>(Span{});
    r->target = target;
    r->args = std::move(args);
    return r;
  }
  NodeArena nodes;
};

TEST_F(CoreTest, PrintsNames) {
  const Binding* x = bind("x");
  EXPECT_EQ(print(let(x, number(1), call(global("+"), {local(x), number(2)}))),
            "(let [x.0 1] (+ x.0 2))");
}

TEST_F(CoreTest, VerifiesScope) {
  const Binding* x = bind("x");
  EXPECT_EQ(verify(let(x, number(1), local(x))), "");
  EXPECT_NE(verify(local(bind("y"))).find("not in scope"), std::string::npos);
  EXPECT_NE(verify(let(x, number(1), let(x, number(2), local(x)))).find("bound twice"),
            std::string::npos);
  EXPECT_NE(verify(sequence({let(bind("z"), number(1), nullptr)})).find("missing"),
            std::string::npos);
}

TEST_F(CoreTest, VerifiesRecur) {
  const Binding* i = bind("i");
  Loop* good = loop(i, number(0));
  good->body = nodes.make<If>(Span{}, local(i), recur(good, {local(i)}), local(i));
  EXPECT_EQ(verify(good), "");
  Loop* not_tail = loop(bind("i"), number(0));
  not_tail->body = call(global("inc"), {recur(not_tail, {number(1)})});
  EXPECT_NE(verify(not_tail).find("recur out of place"), std::string::npos);
  Loop* wrong_count = loop(bind("i"), number(0));
  wrong_count->body = recur(wrong_count, {});
  EXPECT_NE(verify(wrong_count).find("wrong number"), std::string::npos);
  Loop* through_function = loop(bind("i"), number(0));
  auto* lambda = nodes.make<Lambda>(Span{});
  lambda->arities.emplace_back();
  lambda->arities[0].body = recur(through_function, {number(1)});
  through_function->body = lambda;
  EXPECT_NE(verify(through_function).find("recur out of place"), std::string::npos);
}

TEST_F(CoreTest, FlattensSequences) {
  Node* node = sequence({sequence({call(global("a"), {}), number(1)}),
                         sequence({call(global("b"), {}), sequence({number(2)})})});
  flatten_sequences(node);
  EXPECT_EQ(print(node), "(do (a) (b) 2)");
  Node* empty = sequence({});
  flatten_sequences(empty);
  EXPECT_EQ(print(empty), "(do)");
}

TEST_F(CoreTest, DeepTreesDoNotOverflow) {
  Node* node = number(1);
  for (int i = 0; i < 1000000; ++i)
    node = sequence({call(global("f"), {}), call(global("g"), {node})});
  flatten_sequences(node);
  EXPECT_EQ(depth(node), 1000002u);  // the last part of a sequence has the depth of the sequence
  replace_locals(node, [](const Local&) -> Node* { return nullptr; });
}

TEST_F(CoreTest, ReplacesLocals) {
  const Binding* x = bind("x");
  Node* node = let(bind("y"), local(x), call(local(x), {local(x)}));
  replace_locals(
      node, [&](const Local& use) -> Node* { return use.binding == x ? global("g") : nullptr; });
  EXPECT_EQ(print(node), "(let [y.1 g] (g g))");
}

}  // namespace chancel::core
