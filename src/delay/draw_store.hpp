// SPDX-License-Identifier: Apache-2.0
// The draws that an execution has put off, and the forms made of them, in its world: a persistent
// vector of records, shared by forks. A node of the program (Tag::Node) is the number of a record.
//
//   Known      value, index      a draw that has its value (index: in the support, for Finite)
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

// Where a draw stands in the program.
struct DrawPlace {
  std::uint32_t site = 0;
  Value id = Value::nil();
};

class DrawStore {
 public:
  // The store of the context's world, until commit() writes changes back.
  void load(NativeContext& cx);
  void commit();
  NativeContext& cx() const { return *cx_; }

  DrawKind kind(DrawId id) const { return static_cast<DrawKind>(record(id)->values[0].i); }
  // Field `i` of a record, after its kind.
  const Value& field(DrawId id, std::size_t i) const { return record(id)->values[1 + i]; }
  DrawId link(DrawId id, std::size_t i) const { return static_cast<DrawId>(field(id, i).i); }
  double number(DrawId id, std::size_t i) const { return field(id, i).d; }
  std::size_t field_count(DrawId id) const { return record(id)->count - 1; }

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

  // The draw that the execution waits for; 0: none.
  DrawId pending() const;
  void set_pending(DrawId id);

 private:
  const ValueArray* record(DrawId id) const {
    return static_cast<const ValueArray*>(vector_nth(records_.as<Vector>(), id).o);
  }
  Value make_record(DrawKind kind, std::span<const Value> fields);

  NativeContext* cx_ = nullptr;
  Value records_ = Value::nil();  // a vector; its first item is the pending draw
  bool changed_ = false;
};

inline Value link_to(DrawId id) { return Value::integer(id); }

}  // namespace chancel
