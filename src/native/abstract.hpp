// SPDX-License-Identifier: Apache-2.0
// Abstract values: what the translator has proved about a register, and about an execution, at one
// point of the code.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "value/dist_object.hpp"
#include "vm/frame.hpp"

namespace chancel::native {

enum class Type : std::uint8_t { Bool, Int, Double, Any };
inline Type type_of(const Value& v) {
  return v.is(Tag::Bool)     ? Type::Bool
         : v.is(Tag::Int)    ? Type::Int
         : v.is(Tag::Double) ? Type::Double
                             : Type::Any;
}

struct Shape;
struct VirtualObject;

struct AbstractValue {
  enum class Kind : std::uint8_t {
    Nothing,   // not initialised, or never read again
    Constant,  // `value`: immediate, or an object in a heap that is not collected during the run
    Uniform,   // a variable of the generated code, the same for all particles of a batch
    Varying,   // a variable of the generated code, one value for each particle
    Virtual,   // an object that has not been allocated: `virtual_object` holds its fields
  } kind = Kind::Nothing;
  Type type = Type::Any;
  std::uint32_t variable = 0;
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
  // A vector that was made here by conj: the variable of its last element, plus one, and its type.
  std::uint32_t last = 0;
  Type last_type = Type::Any;
  // An element of a constant vector at an index that varies: the vector, and the variable of the
  // index.
  Value table = Value::nil();
  std::uint32_t table_index = 0;
  std::shared_ptr<const VirtualObject> virtual_object;

  static AbstractValue constant(const Value& v) {
    AbstractValue k;
    k.kind = Kind::Constant;
    k.value = k.example = v;
    k.type = type_of(v);
    if (v.is_object()) k.learn(v);
    return k;
  }
  bool is_constant() const { return kind == Kind::Constant; }
  bool is_virtual() const { return kind == Kind::Virtual; }
  bool is_uniform() const { return kind == Kind::Constant || kind == Kind::Uniform; }
  bool has_example() const { return example.tag != Tag::Node; }
  bool is_number() const { return type == Type::Int || type == Type::Double; }
  bool is_element() const { return !table.is_nil(); }
  // To be called when the value moves to another variable.
  void forget_origin() {
    last = 0;
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

// A closure or distribution that has not escaped from generated code: its fields are variables
// (scalar replacement). It is allocated when it escapes. Slots that hold the same object share the
// VirtualObject.
struct VirtualObject {
  struct Number {
    std::optional<std::size_t> value;  // it equals values[*value]
    AbstractValue known;               // otherwise
  };
  std::vector<AbstractValue>
      values;                   // captured values of a closure, or parameters of a distribution
  std::vector<Number> numbers;  // derived numbers of a distribution; of a closure its mark
  std::size_t depth = 1;        // of nested virtual objects
  std::string pending;          // C statements that compute numbers, emitted when first needed
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

}  // namespace chancel::native
