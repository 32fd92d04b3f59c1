// SPDX-License-Identifier: Apache-2.0
// See recordable.hpp.
#include "record/recordable.hpp"

#include <cstdint>
#include <memory>

namespace chancel {

const std::unordered_map<std::string_view, Recordable>& recordable_functions() {
  using Kind = Recordable::Kind;
  static const std::unordered_map<std::string_view, Recordable> table = {
#define CHANCEL_NUMERIC(name, op) {name, {Kind::Numeric, GraphOp::op, {}}},
#define CHANCEL_ARRAY(name, op) {name, {Kind::Array, GraphOp::op, {}}},
#define CHANCEL_MOVES(name, rule) {name, {Kind::Moves, {}, Moves::rule}},
#define CHANCEL_ELEMENTS(name, rule) {name, {Kind::Moves, {}, Moves::rule, true}},
#define CHANCEL_TYPE(name) {name, {Kind::Type, {}, {}}},
#include "record/recordable.def"
      {"+", {Kind::Sum, {}, {}}},
      {"+'", {Kind::Sum, {}, {}}},
      {"-", {Kind::Difference, {}, {}}},
      {"-'", {Kind::Difference, {}, {}}},
      {"*", {Kind::Product, {}, {}}},
      {"*'", {Kind::Product, {}, {}}},
      {"/", {Kind::Quotient, {}, {}}},
      {"inc", {Kind::Increment, {}, {}}},
      {"dec", {Kind::Decrement, {}, {}}},
      {"double", {Kind::Itself, {}, {}}},
      {"float", {Kind::Itself, {}, {}}},
      {"num", {Kind::Itself, {}, {}}},
      {"<", {Kind::Less, {}, {}}},
      {"<=", {Kind::LessOrEqual, {}, {}}},
      {">", {Kind::Greater, {}, {}}},
      {">=", {Kind::GreaterOrEqual, {}, {}}},
      {"==", {Kind::SameNumber, {}, {}}},
      {"=", {Kind::Equal, {}, {}}},
      {"not=", {Kind::NotEqual, {}, {}}},
      {"zero?", {Kind::Zero, {}, {}}},
      {"pos?", {Kind::Positive, {}, {}}},
      {"neg?", {Kind::Negative, {}, {}}},
      {"max", {Kind::Largest, {}, {}}},
      {"min", {Kind::Smallest, {}, {}}},
      {"log-sum-exp", {Kind::LogSumExp, {}, {}}},
      {"log-mean-exp", {Kind::LogMeanExp, {}, {}}},
      {"mean", {Kind::Mean, {}, {}}},
      {"variance", {Kind::Variance, {}, {}}},
      {"std", {Kind::Deviation, {}, {}}},
      {"observe*", {Kind::Score, {}, {}}},
  };
  return table;
}

Recordable recordable(const NativeDef& native) {
  if (native.user) return {};
  // This is asked at every call with nodes. Names of the library are literals: one that was looked up
  // is known by its place.
  constexpr std::size_t kKnown = 256;
  struct Known {
    const char* name = nullptr;
    Recordable how;
  };
  // Not in the thread's own storage: a module that Python loads has little of that.
  static thread_local const std::unique_ptr<Known[]> known(new Known[kKnown]);
  const auto place = reinterpret_cast<std::uintptr_t>(native.name);
  Known& k = known[(place ^ place >> 8) % kKnown];
  if (k.name != native.name) {
    const auto& table = recordable_functions();
    const auto found = table.find(native.name);
    k = {native.name, found == table.end() ? Recordable{} : found->second};
  }
  return k.how;
}

}  // namespace chancel
