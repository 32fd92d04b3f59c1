// SPDX-License-Identifier: Apache-2.0
// What the translator knows of a register, and of an execution, at one place of the code.
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
struct Building;

struct Known {
  enum class Kind : std::uint8_t {
    Nothing,   // not initialised, or never read again
    Constant,  // `value`: immediate, or an object in a heap that stands still
    Uniform,   // a variable of the generated code, the same for all particles of a batch
    Varying,   // a variable of the particle
    Built,     // an object that has not been made: `building` has what it would hold
  } kind = Kind::Nothing;
  Type type = Type::Any;
  std::uint32_t variable = 0;
  Value value = Value::nil();  // of a constant
  // What the value was in the example: a suggestion, to be used behind a guard. Nodes of a graph
  // are no values of programs: they mean that there is none.
  Value example = Value::node(0);
  // Of an object of any type: what is certain.
  Tag tag = Tag::Nil;                    // Nil: nothing is
  const FunctionProto* proto = nullptr;  // of a closure
  const DistType* law = nullptr;         // of a distribution
  const ProcessType* process = nullptr;  // of a random process
  const Shape* shape = nullptr;          // of a closure: what it captured
  const DistType* guess = nullptr;       // a distribution that it may be
  // Of a vector that was made here by conj: the variable of its last element, plus one, and its type.
  std::uint32_t last = 0;
  Type last_type = Type::Any;
  // Of an element of a constant vector at an index of the particle: the vector, and the variable of the index.
  Value table = Value::nil();
  std::uint32_t table_index = 0;
  std::shared_ptr<const Building> building;

  static Known constant(const Value& v) {
    Known k;
    k.kind = Kind::Constant;
    k.value = k.example = v;
    k.type = type_of(v);
    if (v.is_object()) k.learn(v);
    return k;
  }
  bool is_constant() const { return kind == Kind::Constant; }
  bool is_built() const { return kind == Kind::Built; }
  bool is_uniform() const { return kind == Kind::Constant || kind == Kind::Uniform; }
  bool has_example() const { return example.tag != Tag::Node; }
  bool is_number() const { return type == Type::Int || type == Type::Double; }
  bool is_element() const { return !table.is_nil(); }
  // Its variable is another one now.
  void forget_origin() {
    last = 0;
    table = Value::nil();
  }
  // That the object has the tag, code and law of this one.
  void learn(const Value& v);
};

// An example of what a vector holds: its first element, if all are of one kind.
Value example_element(const Value& vector);

// What is known of the values that an object holds: constants, or types. Equal ones are one object.
struct Shape {
  std::vector<Known> held;
};

// A closure or a distribution that only generated code has seen: its parts, in variables. It is made when
// something else has to see it. Slots that hold the same one share the Building.
struct Building {
  struct Number {
    std::optional<std::size_t> value;  // the number that this value is
    Known known;                       // of others
  };
  std::vector<Known> values;    // what a closure captured, or the parameters of a distribution
  std::vector<Number> numbers;  // of a distribution its own; of a closure its mark
  std::size_t depth = 1;        // of buildings in it
  std::string pending;          // sets numbers that nobody has needed yet
};

struct AbstractFrame {
  const CodeBlock* code = nullptr;
  const Instr* pc = nullptr;           // where it goes on
  std::uint16_t dst = 0;               // of the value that it waits for
  FrameKind kind = FrameKind::Normal;  // of the call that it waits for
  std::vector<Known> slots;            // the function itself, then its registers
  Known& reg(std::uint32_t r) { return slots[r + 1]; }
  const Known& reg(std::uint32_t r) const { return slots[r + 1]; }
};

struct State {
  std::vector<AbstractFrame> frames;  // the oldest first
  std::uint64_t applications = 0;     // since they were last added to the particle's
  std::uint64_t draws = 0;            // given ones that were taken, likewise
  bool changes_sides = false;         // by predicts, or in what the execution remembers
  AbstractFrame& top() { return frames.back(); }
};

}  // namespace chancel::native
