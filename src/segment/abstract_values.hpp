// SPDX-License-Identifier: Apache-2.0
// Abstract values: what lowering has proved about a register, and about an execution, at one point of
// the code.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "segment/builder.hpp"
#include "value/dist_object.hpp"
#include "vm/frame.hpp"

namespace chancel::segment {

struct Shape;
struct VirtualObject;

struct AbstractValue {
  enum class Kind : std::uint8_t {
    Nothing,   // not initialised, or never read again
    Constant,  // `value`: immediate, or an object in a heap that is not collected during the run
    Uniform,   // `id`, the same for all particles of a batch
    Varying,   // `id`, one for each particle
    Virtual,   // an object that has not been allocated: `virtual_object` holds its fields
  } kind = Kind::Nothing;
  Type type = Type::Any;
  ValueId id = kNoValue;
  Value value = Value::nil();  // of a constant
  // The value seen while following the example execution: a hint, valid only under a guard. A graph
  // node, which is not a value of programs, stands for "no example".
  Value example = Value::node(0);
  // Proved facts about an object:
  Tag tag = Tag::Nil;                      // Nil: unknown
  const FunctionProto* proto = nullptr;    // of a closure
  const DistType* distribution = nullptr;  // of a distribution
  const ProcessType* process = nullptr;    // of a random process
  const Shape* shape = nullptr;            // of a closure: what it captured
  const DistType* guess = nullptr;         // its likely distribution type, not proved
  // A vector that was made here by conj: its last element, and the type of that.
  ValueId last = kNoValue;
  Type last_type = Type::Any;
  // An element of a constant vector at an index that varies: the vector, and the index.
  Value table = Value::nil();
  ValueId table_index = kNoValue;
  std::shared_ptr<const VirtualObject> virtual_object;

  static AbstractValue constant(const Value& v) {
    AbstractValue k;
    k.kind = Kind::Constant;
    k.value = k.example = v;
    k.type = type_of(v);
    if (v.is_object()) k.learn(v);
    return k;
  }
  bool is_nothing() const { return kind == Kind::Nothing; }
  bool is_constant() const { return kind == Kind::Constant; }
  bool is_virtual() const { return kind == Kind::Virtual; }
  bool is_uniform() const { return kind == Kind::Constant || kind == Kind::Uniform; }
  bool has_example() const { return example.tag != Tag::Node; }
  bool is_number() const { return type == Type::Int || type == Type::Double; }
  bool is_element() const { return !table.is_nil(); }
  // To be called when the value moves to another id.
  void forget_origin() {
    last = kNoValue;
    table = Value::nil();
  }
  // Records the tag of `v`, and its code (closure), type (distribution) or process.
  void learn(const Value& v);
};

// The first element of a vector as an example of its elements, if all are of one kind.
Value example_element(const Value& vector);

// Abstract values of an object's fields: constants, or types. Interned: equal shapes are one
// object.
struct Shape {
  std::vector<AbstractValue> held;
};

// A closure, a distribution, a short vector or a map with keywords as keys that has not escaped from generated code: its
// fields are values of their own (scalar replacement). It is allocated when it escapes. Slots that hold the same
// object share the VirtualObject.
struct VirtualObject {
  struct Number {
    std::optional<std::size_t> value;  // it equals values[*value]
    AbstractValue known;               // otherwise
  };
  // Captured values of a closure, parameters of a distribution, elements of a vector, or keys (constants) and values of
  // a map in turn.
  std::vector<AbstractValue> values;
  std::vector<Number> numbers;       // derived numbers of a distribution; of a closure its mark
  std::size_t depth = 1;             // of nested virtual objects
  const NativeDef* maker = nullptr;  // of a vector or map: the function that makes it of the values
};

struct AbstractFrame {
  const CodeBlock* code = nullptr;
  const Instr* pc = nullptr;           // where it resumes
  std::uint16_t dst = 0;               // register for the result of the pending call
  FrameKind kind = FrameKind::Normal;  // of the pending call
  std::vector<AbstractValue> slots;    // the function itself, then its registers
  AbstractValue& reg(std::uint32_t r) { return slots[r + 1]; }
  const AbstractValue& reg(std::uint32_t r) const { return slots[r + 1]; }
};

struct State {
  std::vector<AbstractFrame> frames;  // outermost first
  std::uint64_t applications = 0;     // not yet added to the particle's counter
  std::uint64_t draws = 0;            // given draws taken, likewise
  bool changes_sides = false;         // predicts or the world may have changed
  AbstractFrame& top() { return frames.back(); }
};

}  // namespace chancel::segment
