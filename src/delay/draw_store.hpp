// SPDX-License-Identifier: Apache-2.0
// The delayed draws of an execution and the expressions over them, kept in its world: a persistent
// vector of records, shared by forks. A node of the program (Tag::Node) holds the index of a
// record.
//
//   Known      value, index      a draw whose value is known (index: in the support, for Finite)
//   Component  block, site, id   one number of a Gaussian block
//   Block      ...               gaussian.hpp
//   Affine     constant, (component, coefficient)*
//   Power      coefficient, gamma, exponent: coefficient * gamma^exponent
//   Gamma      shape, rate, site, id
//   Beta       a, b, site, id
//   Dirichlet  site, id, weights...
//   Part       dirichlet, position
//   Finite     ...               finite.hpp
//   Table      finite, values: a function of a finite draw
//   Child      distribution (its parameters hold nodes), site, id
#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "value/collections.hpp"
#include "value/drawn_value.hpp"
#include "value/native.hpp"

namespace chancel {

using DrawId = std::uint32_t;  // 0: none

enum class DrawKind : std::uint8_t {
  Known,
  Component,
  Block,
  Affine,
  Power,
  Gamma,
  Beta,
  Dirichlet,
  Part,
  Finite,
  Table,
  Child
};

// A record, looked up once. Records are immutable: it does not change when the store replaces it.
class DrawRecord {
 public:
  explicit DrawRecord(const ValueArray* values) : values_(values) {}
  DrawKind kind() const { return static_cast<DrawKind>(values_->values[0].i); }
  // Field `i`, after its kind.
  const Value& field(std::size_t i) const { return values_->values[1 + i]; }
  DrawId link(std::size_t i) const { return static_cast<DrawId>(field(i).i); }
  double number(std::size_t i) const { return field(i).d; }
  std::size_t field_count() const { return values_->count - 1; }

 private:
  const ValueArray* values_;
};

class DrawStore {
 public:
  // The store of the context's world, until commit() writes changes back.
  void load(NativeContext& cx);
  void commit();
  NativeContext& cx() const { return *cx_; }

  DrawRecord record(DrawId id) const {
    return DrawRecord(static_cast<const ValueArray*>(vector_nth(records_.as<Vector>(), id).o));
  }
  DrawKind kind(DrawId id) const { return record(id).kind(); }
  const Value& field(DrawId id, std::size_t i) const { return record(id).field(i); }
  DrawId link(DrawId id, std::size_t i) const { return record(id).link(i); }
  double number(DrawId id, std::size_t i) const { return record(id).number(i); }
  std::size_t field_count(DrawId id) const { return record(id).field_count(); }

  DrawId add(DrawKind kind, std::span<const Value> fields);
  DrawId add(DrawKind kind, std::initializer_list<Value> fields) {
    return add(kind, std::span<const Value>(fields.begin(), fields.size()));
  }
  void set(DrawId id, DrawKind kind, std::span<const Value> fields);
  void set(DrawId id, DrawKind kind, std::initializer_list<Value> fields) {
    set(id, kind, std::span<const Value>(fields.begin(), fields.size()));
  }
  void set_known(DrawId id, const Value& value, std::int64_t index = 0) {
    set(id, DrawKind::Known, {value, Value::integer(index)});
  }

  // The draw for which the execution waits; 0: none.
  DrawId pending() const;
  void set_pending(DrawId id);

 private:
  Value make_record(DrawKind kind, std::span<const Value> fields);

  NativeContext* cx_ = nullptr;
  Value records_ = Value::nil();  // a vector; its first item is the pending draw
  bool changed_ = false;
};

inline Value link_to(DrawId id) { return Value::integer(id); }

}  // namespace chancel
