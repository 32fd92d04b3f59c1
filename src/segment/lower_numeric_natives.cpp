// SPDX-License-Identifier: Apache-2.0
// Functions of plain numbers as instructions: the same values as library/arithmetic.cpp and math.cpp
// give. Where a guard fails the interpreter calls the function itself, and knows what to say.
#include <cstring>

#include "segment/lowering.hpp"

namespace chancel::segment {

namespace {

using Make = ValueId (*)(Builder& b, ValueId x, ValueId y);

struct Numeric {
  const char* name;
  const char* takes;  // i an integer, d a double, r either as a double
  Make make;
};

ValueId divided(Builder& b, Opcode opcode, ValueId x, ValueId y) {
  b.guard(b.emit(Opcode::CanDivide, {x, y}));
  return b.emit(opcode, {x, y});
}
ValueId chosen(Builder& b, Type type, ValueId condition, ValueId x, ValueId y) {
  return b.emit_typed(Opcode::Select, type, {}, {condition, x, y});
}
// The larger of two doubles, x where it is not a number.
ValueId not_below(Builder& b, ValueId x, ValueId y) {
  return chosen(b, Type::Double, b.emit(Opcode::Less, {y, x}), x,
                chosen(b, Type::Double, b.emit(Opcode::Equal, {x, x}), y, x));
}
ValueId not_above(Builder& b, ValueId x, ValueId y) {
  return chosen(b, Type::Double, b.emit(Opcode::Less, {x, y}), x,
                chosen(b, Type::Double, b.emit(Opcode::Equal, {x, x}), y, x));
}
ValueId absolute(Builder& b, ValueId x) {
  b.guard(b.negation(b.emit(Opcode::Equal, {x, b.integer(INT64_MIN)})));
  return chosen(b, Type::Int, b.emit(Opcode::Less, {x, b.integer(0)}), b.emit(Opcode::Negate, {x}),
                x);
}
// The number between two bounds, both excluded, without its fraction.
ValueId truncated(Builder& b, ValueId x, double bound) {
  b.guard(b.emit(Opcode::And, {b.emit(Opcode::Less, {b.constant(Value::real(-bound)), x}),
                               b.emit(Opcode::Less, {x, b.constant(Value::real(bound))})}));
  return b.emit(Opcode::Truncate, {x});
}
ValueId is_odd(Builder& b, ValueId x, std::int64_t bit) {
  return b.emit(Opcode::Equal, {b.emit(Opcode::BitAnd, {x, b.integer(1)}), b.integer(bit)});
}
ValueId zero(Builder& b, ValueId x) {
  return b.type(x) == Type::Int ? b.integer(0) : b.constant(Value::real(0));
}
// Of 32 bits.
ValueId checked_int(Builder& b, ValueId x) {
  b.guard(b.emit(Opcode::And, {b.emit(Opcode::LessEqual, {b.integer(INT32_MIN), x}),
                               b.emit(Opcode::LessEqual, {x, b.integer(INT32_MAX)})}));
  return x;
}

constexpr Numeric kNumeric[] = {
    {"quot", "ii", [](Builder& b, ValueId x, ValueId y) { return divided(b, Opcode::Quot, x, y); }},
    {"rem", "ii", [](Builder& b, ValueId x, ValueId y) { return divided(b, Opcode::Rem, x, y); }},
    {"mod", "ii", [](Builder& b, ValueId x, ValueId y) { return divided(b, Opcode::Mod, x, y); }},
    {"max", "ii",
     [](Builder& b, ValueId x, ValueId y) {
       return chosen(b, Type::Int, b.emit(Opcode::Less, {y, x}), x, y);
     }},
    {"min", "ii",
     [](Builder& b, ValueId x, ValueId y) {
       return chosen(b, Type::Int, b.emit(Opcode::Less, {x, y}), x, y);
     }},
    {"max", "dd", not_below},
    {"min", "dd", not_above},
    {"abs", "i", [](Builder& b, ValueId x, ValueId) { return absolute(b, x); }},
    {"abs", "d", [](Builder& b, ValueId x, ValueId) { return b.emit(Opcode::Abs, {x}); }},
    {"even?", "i", [](Builder& b, ValueId x, ValueId) { return is_odd(b, x, 0); }},
    {"odd?", "i", [](Builder& b, ValueId x, ValueId) { return is_odd(b, x, 1); }},
    {"zero?", "n",
     [](Builder& b, ValueId x, ValueId) {
       return b.emit(Opcode::Equal, {x, zero(b, x)});
     }},
    {"pos?", "n",
     [](Builder& b, ValueId x, ValueId) {
       return b.emit(Opcode::Less, {zero(b, x), x});
     }},
    {"neg?", "n",
     [](Builder& b, ValueId x, ValueId) {
       return b.emit(Opcode::Less, {x, zero(b, x)});
     }},
    {"int", "i", [](Builder& b, ValueId x, ValueId) { return checked_int(b, x); }},
    {"long", "i", [](Builder&, ValueId x, ValueId) { return x; }},
    {"int", "d", [](Builder& b, ValueId x, ValueId) { return truncated(b, x, 0x1p31); }},
    {"long", "d", [](Builder& b, ValueId x, ValueId) { return truncated(b, x, 0x1p62); }},
    {"double", "r", [](Builder&, ValueId x, ValueId) { return x; }},
    {"bit-and", "ii",
     [](Builder& b, ValueId x, ValueId y) {
       return b.emit(Opcode::BitAnd, {x, y});
     }},
    {"bit-or", "ii",
     [](Builder& b, ValueId x, ValueId y) {
       return b.emit(Opcode::BitOr, {x, y});
     }},
    {"bit-xor", "ii",
     [](Builder& b, ValueId x, ValueId y) {
       return b.emit(Opcode::BitXor, {x, y});
     }},
    {"exp", "r", [](Builder& b, ValueId x, ValueId) { return b.emit(Opcode::Exp, {x}); }},
    {"log", "r", [](Builder& b, ValueId x, ValueId) { return b.emit(Opcode::Log, {x}); }},
    {"sqrt", "r", [](Builder& b, ValueId x, ValueId) { return b.emit(Opcode::Sqrt, {x}); }},
    {"/", "d",
     [](Builder& b, ValueId x, ValueId) {
       return b.emit(Opcode::Div, {b.constant(Value::real(1)), x});
     }},
};

bool accepts(char kind, const AbstractValue& k) {
  return kind == 'i' ? k.type == Type::Int : kind == 'd' ? k.type == Type::Double : k.is_number();
}

}  // namespace

AbstractValue Lowering::simple_native(const NativeDef* native, const std::vector<AbstractValue>& a,
                                      bool* done) {
  *done = false;
  if (a.empty() || a.size() > 2) return {};
  for (const Numeric& f : kNumeric) {
    if (std::strlen(f.takes) != a.size() || std::strcmp(native->name, f.name) != 0) continue;
    bool fits = true, constant = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
      fits = fits && accepts(f.takes[i], a[i]);
      constant = constant && a[i].is_constant();
    }
    if (!fits || constant) continue;  // what is constant was worked out, or is the interpreter's
    ValueId operands[2] = {kNoValue, kNoValue};
    for (std::size_t i = 0; i < a.size(); ++i)
      operands[i] = f.takes[i] == 'r' ? real(a[i]) : plain(a[i]);
    *done = true;
    const ValueId result = f.make(*build_, operands[0], operands[1]);
    return made(build_->type(result), result);
  }
  return {};
}

}  // namespace chancel::segment
