// SPDX-License-Identifier: Apache-2.0
// The C texts of values and of the parts of a segment: for a batch, a family or each particle.
#include "native/writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace chancel::native {
namespace {

using Kind = AbstractValue::Kind;

class WriterTest : public ::testing::Test {
 protected:
  Tables tables;
  Writer writer{tables};

  static AbstractValue real(double x) { return AbstractValue::constant(Value::real(x)); }
  static AbstractValue integer(std::int64_t n) {
    return AbstractValue::constant(Value::integer(n));
  }
  AbstractValue varying(Type type) {
    AbstractValue k;
    k.kind = Kind::Varying;
    k.type = type;
    k.variable = writer.variable(type);
    return k;
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};

TEST_F(WriterTest, NumbersKeepTheirBits) {
  EXPECT_EQ(writer.number(integer(7)), "((int64_t)UINT64_C(7))");
  EXPECT_EQ(writer.number(integer(std::numeric_limits<std::int64_t>::min())),
            "((int64_t)UINT64_C(9223372036854775808))");
  EXPECT_EQ(writer.number(real(0.1)), "(0x1.999999999999ap-4)");
  EXPECT_EQ(writer.number(real(-0.0)), "(-0x0p+0)");
  EXPECT_EQ(writer.number(real(INFINITY)),
            "((union { uint64_t b; double d; }){UINT64_C(9218868437227405312)}).d");
  EXPECT_EQ(writer.number(real(NAN)), "__builtin_nan(\"\")");
  EXPECT_EQ(writer.real(integer(7)), "(double)((int64_t)UINT64_C(7))");
  EXPECT_EQ(writer.real(varying(Type::Double)), "v0");
}

TEST_F(WriterTest, ValuesAreBoxedByTheirType) {
  const AbstractValue n = varying(Type::Int), any = varying(Type::Any), yes = varying(Type::Bool);
  EXPECT_EQ(writer.boxed(n), "cn_int(v0)");
  EXPECT_EQ(writer.boxed(any), "v1");
  EXPECT_EQ(writer.boxed(yes), "cn_bool(v2)");
  EXPECT_EQ(writer.boxed(AbstractValue::constant(Value::nil())), "cn_make(CN_NIL, 0)");
  EXPECT_EQ(writer.truth(any), "cn_truthy(v1)");
  EXPECT_EQ(writer.truth(yes), "v2");
  EXPECT_EQ(writer.truth(n), "1");  // every number is true
  EXPECT_EQ(writer.truth(AbstractValue::constant(Value::boolean(false))), "0");
  EXPECT_EQ(writer.truth(AbstractValue::constant(Value::nil())), "0");
}

TEST_F(WriterTest, ObjectsAndPointersAreEntriesOfTables) {
  const AbstractValue a = AbstractValue::constant(Value::keyword(intern("a")));
  const AbstractValue b = AbstractValue::constant(Value::keyword(intern("b")));
  EXPECT_EQ(writer.boxed(a), "b->constants[0]");
  EXPECT_EQ(writer.boxed(b), "b->constants[1]");
  EXPECT_EQ(writer.boxed(a), "b->constants[0]");
  EXPECT_EQ(tables.constants.size(), 2u);
  const int here = 0, there = 0;
  EXPECT_EQ(writer.pointer(&there), "b->pointers[0]");
  EXPECT_EQ(writer.pointer(&here), "b->pointers[1]");
  EXPECT_EQ(writer.pointer(&there), "b->pointers[0]");
}

TEST_F(WriterTest, UniformCodeRunsOnceForABatch) {
  const AbstractValue shared = writer.compute(Type::Double, true, "1.0");
  EXPECT_EQ(shared.kind, Kind::Uniform);
  const AbstractValue own = writer.compute(Type::Double, false, "2.0");
  EXPECT_EQ(own.kind, Kind::Varying);
  EXPECT_EQ(writer.texts.batch, "  v0 = 1.0;\n");
  EXPECT_EQ(writer.texts.family, "    v1 = 2.0;\n");  // before the first draw

  writer.in_family = false;
  writer.compute(Type::Double, false, "3.0");
  EXPECT_EQ(writer.texts.particle, "    v2 = 3.0;\n");

  writer.straight = false;  // after a branch that differs between particles
  EXPECT_EQ(writer.compute(Type::Double, true, "4.0").kind, Kind::Varying);
  EXPECT_EQ(writer.texts.batch, "  v0 = 1.0;\n");
  EXPECT_TRUE(contains(writer.texts.particle, "v3 = 4.0;"));
}

TEST_F(WriterTest, AGuardLeavesTheBatchOrTheParticle) {
  for (int i = 0; i < 3; ++i) writer.variable(Type::Double);
  writer.guard(true, "v0 > 0");
  EXPECT_EQ(writer.texts.batch, "  if (unlikely(!(v0 > 0))) return CN_NONE;\n");
  writer.guard(false, "v1 > 0");
  EXPECT_EQ(writer.texts.family, "    if (unlikely(!(v1 > 0))) goto bail;\n");
  writer.straight = false;
  writer.guard(true, "v2 > 0");
  EXPECT_EQ(writer.texts.particle, "    if (unlikely(!(v2 > 0))) goto bail;\n");
}

TEST_F(WriterTest, KnowsWhetherParticlesHoldWhatTheBatchHasMade) {
  const std::uint32_t made = writer.variable(Type::Any);
  const std::uint32_t holder = writer.variable(Type::Any);
  const std::uint32_t other = writer.variable(Type::Any);
  const std::uint32_t received = writer.variable(Type::Any);
  writer.batch_line("v1 = cn_conj(b, v1, v0);");  // the holder has a part of it
  writer.batch_line("v3 = b->common->values[0];");
  writer.line("use(v1);");
  EXPECT_TRUE(writer.particles_hold({made}, ""));
  EXPECT_TRUE(writer.particles_hold({holder}, ""));
  EXPECT_FALSE(writer.particles_hold({other}, ""));
  EXPECT_TRUE(writer.particles_hold({other}, "return v2;"));
  EXPECT_FALSE(writer.particles_hold({other}, "return my_v2;"));
  EXPECT_FALSE(writer.particles_hold({received}, "return v3;"));  // there is one copy of it
}

TEST_F(WriterTest, DeclaresVariablesByTheirTypes) {
  writer.variable(Type::Int);
  writer.variable(Type::Double);
  writer.variable(Type::Int);
  writer.array(3);
  writer.line("v0 = v2;");
  const std::string text = writer.plain_function("static int f(void)", "", "  return 0;\n");
  EXPECT_TRUE(text.starts_with("static int f(void) {\n"));
  EXPECT_TRUE(contains(text, "  int64_t v0, v2;\n"));
  EXPECT_TRUE(contains(text, "  double v1;\n"));
  EXPECT_TRUE(contains(text, "  double t0[3];\n"));
}

}  // namespace
}  // namespace chancel::native
