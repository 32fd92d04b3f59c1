// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons in native code: the bits of the interpreter, or nothing done.
#include <cmath>
#include <limits>

#include "../hand_made_code.hpp"
#include "library/registry.hpp"
#include "native/hot_code_compiler.hpp"
#include "value/print.hpp"

namespace chancel::native {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
struct Operation {
  Op op;
  const char* native;
};
constexpr Operation kOperations[] = {
    {Op::Add, "+"}, {Op::Sub, "-"}, {Op::Mul, "*"}, {Op::Div, "/"}, {Op::Lt, "<"},
    {Op::Le, "<="}, {Op::Gt, ">"},  {Op::Ge, ">="}, {Op::Eq, "="},  {Op::NumEq, "=="}};

class NativeArithmetic : public HandMadeCode {
 protected:
  // (f k x y): operation k of the list, of x and y.
  NativeArithmetic() {
    std::vector<Instr> instrs;
    for (std::size_t k = 0; k < std::size(kOperations); ++k) {
      instrs.push_back(wide(Op::LoadInt, 3, static_cast<std::int32_t>(k) + 1));
      instrs.push_back({Op::JumpUnlessLt, 0, 3, 3});  // to the next operation
      instrs.push_back({kOperations[k].op, 4, 1, 2});
      instrs.push_back(make_pointer_word(find_native(kOperations[k].native), 5));
      instrs.push_back({Op::Return, 4, 0, 0});
    }
    instrs.push_back({Op::LoadNil, 4, 0, 0});
    instrs.push_back({Op::Return, 4, 0, 0});
    f_ = function(3, 5, std::move(instrs));
  }
  // By native code for arguments of these types, printed; "-": it does nothing.
  std::string natively(std::int64_t k, const Value& x, const Value& y) {
    Value slots[6] = {closure(f_), Value::integer(k), x, y};
    bool alarm = false;
    HotRun run{machine.context(), globals, &alarm, 0};
    Value out = Value::nil();
    const bool done = hot_->call(f_->arities.front().get(), slots + 1, true, run, &out);
    EXPECT_EQ(run.applications > 0, done);
    return done ? show(out) : "-";
  }
  // All operations of one pair; those that native code does not do are its failures.
  std::string all(const Value& x, const Value& y) {
    std::string out;
    for (std::size_t k = 0; k < std::size(kOperations); ++k) {
      const auto number = static_cast<std::int64_t>(k);
      const std::string here = natively(number, x, y);
      if (here != "-") {
        EXPECT_EQ(here, show(call(closure(f_), {Value::integer(number), x, y})))
            << kOperations[k].native;
      }
      out += (k > 0 ? " " : "") + here;
    }
    return out;
  }
  const FunctionProto* f_;
  std::shared_ptr<HotCode> hot_ = make_hot_code(true);
};

TEST_F(NativeArithmetic, OfIntegersLeavesOverflowToTheInterpreter) {
  ASSERT_NE(hot_, nullptr);
  EXPECT_EQ(
      all(Value::integer(7), Value::integer(-3)),
      "4 10 -21 " +
          show(call(closure(f_), {Value::integer(3), Value::integer(7), Value::integer(-3)})) +
          " false false true true false false");
  EXPECT_EQ(natively(0, Value::integer(kMost), Value::integer(1)), "-");
  EXPECT_EQ(natively(1, Value::integer(-kMost), Value::integer(2)), "-");
  EXPECT_EQ(natively(2, Value::integer(kMost), Value::integer(2)), "-");
  EXPECT_EQ(natively(1, Value::integer(kMost), Value::integer(1)), "9223372036854775806");
}

TEST_F(NativeArithmetic, OfDoublesFollowsIeee) {
  EXPECT_EQ(all(Value::real(0.5), Value::real(-2)),
            "-1.5 2.5 -1.0 -0.25 false false true true false false");
  EXPECT_EQ(all(Value::real(NAN), Value::real(1)),
            "##NaN ##NaN ##NaN ##NaN false false false false false false");
  EXPECT_EQ(natively(2, Value::real(1e200), Value::real(1e200)), "##Inf");
  EXPECT_EQ(natively(2, Value::real(-0.0), Value::real(1)), "-0.0");
  EXPECT_EQ(natively(8, Value::real(-0.0), Value::real(0)), "true");
}

TEST_F(NativeArithmetic, OfBothWidensTheInteger) {
  EXPECT_EQ(all(Value::integer(2), Value::real(2)),
            "4.0 0.0 4.0 1.0 false true false true false true");
  EXPECT_EQ(natively(4, Value::integer(2), Value::real(2.5)), "true");
}

}  // namespace
}  // namespace chancel::native
