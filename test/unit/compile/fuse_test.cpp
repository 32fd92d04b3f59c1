// SPDX-License-Identifier: Apache-2.0
// Which calls become loops, and which must stay two calls.
#include "compile/fuse.hpp"

#include "fixture.hpp"

namespace chancel {
namespace {

class Fuse : public CompileTest {
 protected:
  // There is no prelude here: map and reduce are said to be the library's.
  Meaning resolve(const Name* name) override {
    Meaning m = CompileTest::resolve(name);
    if (name->full == "map" || name->full == "reduce") {
      m.kind = Meaning::Variable;
      m.library = !own_map || name->full != "map";
    }
    return m;
  }
  bool own_map = false;

  std::string fused(core::Node* node) {
    fuse_calls(node, nodes, *this);
    EXPECT_EQ(core::verify(node), "");
    return core::print(node);
  }
  core::Node* map(std::vector<core::Node*> args) { return call("map", std::move(args)); }
};

TEST_F(Fuse, SequencesThatAreMadeForTheirEffects) {
  EXPECT_EQ(fused(call("dorun", {map({global("f"), global("xs")})})), "(%dorun-map f xs)");
  EXPECT_EQ(fused(call("dorun", {map({global("f"), global("xs"), global("ys")})})),
            "(%dorun-map-2 f xs ys)");
}

TEST_F(Fuse, SequencesThatAreReduced) {
  EXPECT_EQ(fused(call("reduce", {global("+"), map({global("f"), global("xs")})})),
            "(%reduce-map-first + f xs)");
  EXPECT_EQ(fused(call("reduce", {global("+"), number(1), map({global("f"), global("xs")})})),
            "(%reduce-map + 1 f xs)");
  EXPECT_EQ(fused(call("reduce", {global("+"), map({global("f"), global("xs"), global("ys")})})),
            "(%reduce-map-2-first + f xs ys)");
}

TEST_F(Fuse, InsideOtherCalls) {
  EXPECT_EQ(fused(call("+", {number(1), call("dorun", {map({global("f"), global("xs")})})})),
            "(+ 1 (%dorun-map f xs))");
}

TEST_F(Fuse, WhatMayBeSeenStays) {
  // A function of the program may draw, or end early.
  core::Node* own = call("reduce", {global("users-own"), map({global("f"), global("xs")})});
  EXPECT_EQ(fused(own), "(reduce users-own (map f xs))");
  // get may come to the value of reduced, which ends the call.
  EXPECT_EQ(fused(call("reduce", {global("get"), map({global("f"), global("xs")})})),
            "(reduce get (map f xs))");
  // More collections than the loops have.
  core::Node* three = call("dorun", {map({global("f"), global("xs"), global("ys"), global("zs")})});
  EXPECT_EQ(fused(three), "(dorun (map f xs ys zs))");
  // (dorun n coll) looks at some elements only.
  EXPECT_EQ(fused(call("dorun", {number(2), map({global("f"), global("xs")})})),
            "(dorun 2 (map f xs))");
  own_map = true;
  EXPECT_EQ(fused(call("dorun", {map({global("f"), global("xs")})})), "(dorun (map f xs))");
}

}  // namespace
}  // namespace chancel
