// SPDX-License-Identifier: Apache-2.0
// The C of segments: literals, tables, and where code of each rate stands.
#include "native/emit_c.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "segment/builder.hpp"

namespace chancel::native {
namespace {

using segment::Builder;
using segment::Opcode;
using segment::Rate;
using segment::Type;
using segment::ValueId;

class EmitC : public ::testing::Test {
 protected:
  segment::Function f;
  Builder b{f};
  Tables tables;
  EmitC() { b.continue_in(b.new_block(true)); }

  ValueId row(std::int64_t place, Type type) {
    return b.emit_typed(Opcode::LoadRow, type, {.number = place}, {});
  }
  std::string text() {
    EXPECT_EQ(segment::broken_rule(f), "");
    return emit_c(f, tables);
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  // The C of a result.
  std::string finished(ValueId v) {
    b.effect(Opcode::Finish, {b.box(v)});
    const std::string all = text();
    const std::size_t at = all.find("b->results[i] = ") + 16;
    return all.substr(at, all.find(';', at) - at);
  }
};

TEST_F(EmitC, IntegersKeepTheirBits) {
  EXPECT_EQ(finished(b.integer(std::numeric_limits<std::int64_t>::min())),
            "cn_int(((int64_t)UINT64_C(9223372036854775808)))");
}
TEST_F(EmitC, DoublesKeepTheirBits) {
  EXPECT_EQ(finished(b.constant(Value::real(0.1))), "cn_real((0x1.999999999999ap-4))");
}
TEST_F(EmitC, NegativeZeroIsOne) {
  EXPECT_EQ(finished(b.constant(Value::real(-0.0))), "cn_real((-0x0p+0))");
}
TEST_F(EmitC, InfinityIsItsBits) {
  b.effect(Opcode::Finish, {b.box(b.constant(Value::real(INFINITY)))});
  EXPECT_TRUE(contains(text(), "{UINT64_C(9218868437227405312)}).d"));
}
TEST_F(EmitC, NanIsNan) {
  EXPECT_EQ(finished(b.constant(Value::real(NAN))), "cn_real(__builtin_nan(\"\"))");
}
TEST_F(EmitC, NilAndBooleansAreLiterals) {
  b.effect(Opcode::Predict, {b.constant(Value::nil()), b.box(row(0, Type::Bool))});
  EXPECT_EQ(finished(b.constant(Value::boolean(false))), "cn_bool(0)");
}

TEST_F(EmitC, ObjectsAreEntriesOfTables) {
  const ValueId a = b.constant(Value::keyword(intern("a"))),
                c = b.constant(Value::keyword(intern("c")));
  b.effect(Opcode::Predict, {a, c});
  b.effect(Opcode::Predict, {a, c});
  b.effect(Opcode::Finish, {a});
  const std::string c_text = text();
  EXPECT_TRUE(contains(c_text, "b->constants[0]"));
  EXPECT_TRUE(contains(c_text, "b->constants[1]"));
  EXPECT_EQ(tables.constants.size(), 2u);
  const int here = 0, there = 0;
  EXPECT_EQ(tables.pointer(&there), 0u);
  EXPECT_EQ(tables.pointer(&here), 1u);
  EXPECT_EQ(tables.pointer(&there), 0u);
}

TEST_F(EmitC, CodeOfTheBatchPrecedesTheLoopAndThatOfFamiliesTheParticles) {
  const ValueId all =
      b.unbox(Type::Double, b.emit_typed(Opcode::LoadCommon, Type::Any, {.number = 3}, {}));
  b.guard(b.emit(Opcode::Less, {all, b.constant(Value::real(0))}));
  const ValueId family = b.emit(Opcode::Add, {row(0, Type::Double), all});
  b.guard(b.emit(Opcode::Less, {family, all}));
  const ValueId drawn = b.emit(Opcode::DrawNormal, {family, all});
  b.effect(Opcode::Finish, {b.box(drawn)});
  const std::string c = text();
  const auto at = [&](const char* part) {
    EXPECT_TRUE(contains(c, part)) << part << "\n" << c;
    return c.find(part);
  };
  EXPECT_LT(at("b->common->values[3]"), at("return CN_NONE;"));
  EXPECT_LT(at("return CN_NONE;"), at("for (i = b->begin"));
  EXPECT_LT(at("for (i = b->begin"), at("row + 0))[0]"));
  EXPECT_LT(at("row + 0))[0]"), at("goto bail;"));
  EXPECT_LT(at("goto bail;"), at("last = before;"));
  EXPECT_LT(at("last = before;"), at("cn_begin_draws"));
  EXPECT_LT(at("cn_begin_draws"), at("cn_normal(b, &s)"));
}

TEST_F(EmitC, ABranchOfTheBatchChoosesBetweenLoops) {
  const ValueId yes =
      b.unbox(Type::Bool, b.emit_typed(Opcode::LoadCommon, Type::Any, {.number = 0}, {}));
  const segment::BlockId then = b.new_block(true), other = b.new_block(true);
  b.branch(yes, then, other);
  b.continue_in(then);
  b.effect(Opcode::Finish, {b.box(b.integer(1))});
  b.continue_in(other);
  b.effect(Opcode::Finish, {b.box(b.integer(2))});
  const std::string c = text();
  EXPECT_TRUE(contains(c, "goto fork_0;"));
  const std::size_t first = c.find("for (i = b->begin");
  ASSERT_NE(first, c.npos);
  EXPECT_NE(c.find("for (i = b->begin", first + 1), c.npos);
}

TEST_F(EmitC, VariablesAreDeclaredByTheirTypes) {
  const ValueId n = row(0, Type::Int), x = row(1, Type::Double), m = row(2, Type::Int);
  b.effect(Opcode::Predict, {b.box(n), b.box(m)});
  b.effect(Opcode::Finish, {b.box(x)});
  const std::string c = text();
  EXPECT_TRUE(contains(c, "  int64_t v0, v2;\n")) << c;
  EXPECT_TRUE(contains(c, "  double v1;\n"));
  EXPECT_FALSE(contains(c, "  cn_value v"));  // boxes are expressions
}

TEST_F(EmitC, ParametersAreAssignedAllAtOnce) {
  const ValueId n = row(0, Type::Int), m = row(1, Type::Int), yes = row(2, Type::Bool);
  const segment::BlockId loop = b.new_block(false);
  const ValueId p = b.parameter(loop, Type::Int), q = b.parameter(loop, Type::Int);
  b.jump(loop, {n, m});
  b.continue_in(loop);
  const segment::BlockId again = b.new_block(false), out = b.new_block(false);
  b.branch(yes, again, out);
  b.continue_in(again);
  b.jump(loop, {q, p});  // they change places
  b.continue_in(out);
  b.effect(Opcode::Finish, {b.box(p)});
  EXPECT_TRUE(contains(text(), "{ int64_t t1 = v3; v3 = v4; v4 = t1; }"));
}

}  // namespace
}  // namespace chancel::native
