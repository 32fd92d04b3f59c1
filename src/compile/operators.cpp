// SPDX-License-Identifier: Apache-2.0
// Library functions with instructions of their own: see operators.hpp.
#include "compile/operators.hpp"

namespace chancel {

namespace {
struct Entry {
  std::string_view name;
  Op op;
};
constexpr Entry kBinary[] = {
    {"+", Op::Add},     {"-", Op::Sub},     {"*", Op::Mul},
    {"/", Op::Div},     {"<", Op::Lt},      {"<=", Op::Le},
    {">", Op::Gt},      {">=", Op::Ge},     {"=", Op::Eq},
    {"==", Op::NumEq},  {"get", Op::Get},   {"nth", Op::Nth},
    {"conj", Op::Conj}, {"cons", Op::Cons}, {"%vector-nth", Op::VectorNth},
};
constexpr Entry kUnary[] = {
    {"not", Op::Not},     {"nil?", Op::IsNil},     {"peek", Op::Peek},
    {"first", Op::First}, {"rest", Op::Rest},      {"next", Op::Next},
    {"count", Op::Count}, {"empty?", Op::IsEmpty}, {"reduced?", Op::IsReduced},
};
}  // namespace

Relation relation_of(std::string_view name) {
  if (name == "<") return Relation::Less;
  if (name == "<=") return Relation::LessEqual;
  if (name == ">") return Relation::Greater;
  if (name == ">=") return Relation::GreaterEqual;
  if (name == "=") return Relation::Equal;
  return Relation::None;
}

std::optional<Op> binary_op(std::string_view name) {
  for (const Entry& e : kBinary)
    if (e.name == name) return e.op;
  return std::nullopt;
}

std::optional<Op> unary_op(std::string_view name) {
  for (const Entry& e : kUnary)
    if (e.name == name) return e.op;
  return std::nullopt;
}

bool is_left_fold(std::string_view name) {
  return name == "+" || name == "-" || name == "*" || name == "/";
}

bool is_scalar_constant(const core::Node* node) {
  return node->kind == core::Kind::Const &&
         static_cast<const core::Const*>(node)->value.tag < kFirstObject &&
         static_cast<const core::Const*>(node)->value.tag != Tag::EmptyList;
}

bool is_nil(const core::Node* node) {
  return node->kind == core::Kind::Const && static_cast<const core::Const*>(node)->value.is_nil();
}

bool small_constant(const core::Node* node, std::int64_t* out) {
  if (node->kind != core::Kind::Const) return false;
  const Value& v = static_cast<const core::Const*>(node)->value;
  if (!v.is(Tag::Int) || v.i < -16000 || v.i > 16000) return false;
  *out = v.i;
  return true;
}

}  // namespace chancel
